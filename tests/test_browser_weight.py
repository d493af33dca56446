"""What a first visit weighs: every byte that comes over the wire, those of a service worker among them."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Self

import pytest
from conftest import Server, case
from fingers import PHONE, hand_at, join, start_match
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

FILE = case("matches/full-match")
MOST = 60_000

REQUEST = re.compile(rb"[A-Z]+ (\S+) HTTP/1.1\r\n")
Cookies = Iterable[Any]

#: Waits for the service worker, if the page has one, until it has put away what it keeps.
WORKER = """async () => {
  if ((await navigator.serviceWorker?.getRegistrations())?.length) await navigator.serviceWorker.ready;
}"""


class Wire:
    """The wire before a server: passes all on, and counts what is answered to each request, heads too."""

    def __init__(self, port: int) -> None:
        """Listen on a free port for what is meant for the other one."""
        self.weights: Counter[str] = Counter()
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Self:
        """It listens already."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take nothing more."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        """Take connections until the wire is cut."""
        with contextlib.suppress(OSError):
            while True:
                phone, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(phone,), daemon=True).start()

    def _connect(self, phone: socket.socket) -> None:
        """One connection, on which an answer follows each request."""
        asked = ["nothing"]

        def hear(said: bytes) -> None:
            if found := REQUEST.match(said):
                asked.append(found[1].decode())

        def weigh(said: bytes) -> None:
            self.weights[asked[-1]] += len(said)

        with (
            phone,
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self._port)) as server,
        ):
            asking = threading.Thread(target=pass_on, args=(phone, server, hear))
            asking.start()
            pass_on(server, phone, weigh)
            asking.join()

    def wait_for_silence(self, page: Page) -> None:
        """Wait for a second in which nothing arrives; the table asks for news every two."""
        heard, since, give_up = 0, time.monotonic(), time.monotonic() + 30
        while time.monotonic() < min(since + 1, give_up):
            if (now := self.weights.total()) != heard:
                heard, since = now, time.monotonic()
            page.wait_for_timeout(50)


def pass_on(source: socket.socket, sink: socket.socket, look: Callable[[bytes], None]) -> None:
    """From one end to the other, until either hangs up."""
    with contextlib.suppress(OSError):
        while said := source.recv(65536):
            look(said)
            sink.sendall(said)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def first_visit(browser: Browser, server: Server, path: str, cookies: Cookies = ()) -> Counter[str]:
    """How many bytes come for each thing asked when a phone that has nothing yet opens a page."""
    with Wire(server.port) as wire:
        context = browser.new_context(base_url=wire.url, **PHONE)
        try:
            context.add_cookies(list(cookies))
            page = context.new_page()
            page.goto(path)
            wire.wait_for_silence(page)
            page.evaluate(WORKER)
            wire.wait_for_silence(page)
        finally:
            context.close()
        return Counter(wire.weights)


def first_visits(browser: Browser, server: Server) -> dict[str, Counter[str]]:
    """To the table of a whole match, and to the page of the next deal of one that goes on."""
    going_on = start_match(server, {**FILE, "deals": FILE["deals"][:24]})
    with hand_at(browser, server) as hand:
        join(hand, going_on["score_url"])
        cookies: Any = hand.page.context.cookies()
    return {
        "table": first_visit(browser, server, f"/m/{start_match(server, FILE)['slug']}"),
        "deal": first_visit(browser, server, f"/m/{going_on['slug']}/deals/new", cookies),
    }


def test_a_first_visit_is_light(browser: Browser, server: Server) -> None:
    """Of whatever page: 60 kB in all, with what the phone puts away for later."""
    for page, weights in first_visits(browser, server).items():
        assert any(path.endswith(".css") for path in weights), weights
        assert weights.total() <= MOST, f"{page}: {weights.total()} bytes: {weights.most_common()}"
