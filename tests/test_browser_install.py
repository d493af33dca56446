"""scorepad on a phone that keeps it: offline, across releases, under a path, and where no worker may be."""

from __future__ import annotations

import contextlib
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from builders import deal_entry, match_file
from conftest import BROWSER_ARGUMENTS, Server, browser_path
from fingers import PHONE, Hand, join, send, start_match
from playwright.sync_api import Browser, Error, Page, expect
from test_install import PREFIX, Prefixed
from test_packaging import INTO_THE_WHEEL
from waitress import wasyncore
from waitress.server import create_server

from scorepad import create_app

pytestmark = pytest.mark.browser

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
CHECKOUT = Path(__file__).parent.parent

#: What a browser says of a request that meets no connection: no complaint about the page.
AWAY = "net::ERR_"

#: The addresses of everything that is kept, by the name of its cache.
KEPT = """async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async (name) =>
  [name, (await (await caches.open(name)).keys()).map((request) => request.url)])))"""


@contextmanager
def phone_at(browser: Browser, url: str) -> Iterator[Hand]:
    """A phone that may lose its connection."""
    context = browser.new_context(base_url=url, **PHONE)
    try:
        with Hand(context.new_page()) as hand:
            yield hand
            hand.complaints[:] = [said for said in hand.complaints if AWAY not in said]
    finally:
        context.close()


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """A phone at the session's server."""
    with phone_at(browser, server.url) as held:
        yield held


def kept(page: Page) -> dict[str, list[str]]:
    """What this phone keeps."""
    found: dict[str, list[str]] = page.evaluate(KEPT)
    return found


def kept_pages(page: Page) -> set[str]:
    """The paths of the pages that this phone keeps."""
    found = [a for name, addresses in kept(page).items() if " pages " in name for a in addresses]
    return {"/" + a.split("/", 3)[3] for a in found}


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds. (Playwright's own way to wait in a page breaks its policy.)"""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(50)
    pytest.fail(f"it never came to that; kept: { {n: len(a) for n, a in kept(page).items()} }")


def wait_until_kept(page: Page, path: str) -> None:
    """Wait until the worker has the page and keeps a copy of it."""
    wait_until(page, lambda: path in kept_pages(page))
    assert page.evaluate("navigator.serviceWorker.controller !== null")


def go_offline(hand: Hand, *, away: bool = True) -> None:
    """Lose the connection, or find it again."""
    hand.page.context.set_offline(away)


def a_match(hand: Hand, server: Server, title: str = "Thursday table") -> str:
    """Start a match with a deal, and keep its score on this phone; the path of its table."""
    started = start_match(server, match_file(KING, title=title))
    join(hand, started["score_url"])
    table = f"/m/{started['slug']}"
    wait_until_kept(hand.page, table)
    return table


# Without a connection


def test_pages_seen_before_open_without_a_connection(hand: Hand, server: Server) -> None:
    table = a_match(hand, server)
    hand.page.goto(f"{table}/deals/new?saved=none")
    wait_until_kept(hand.page, f"{table}/deals/new")
    go_offline(hand)
    hand.page.reload()
    expect(hand.page.locator("#away")).to_contain_text("the server cannot be reached")
    expect(hand.page.locator("h1")).to_have_text("Ben declares")
    expect(hand.page.locator("html")).to_have_class("js")
    assert hand.page.evaluate("getComputedStyle(document.getElementById('save')).minHeight") == "56px"
    hand.page.goto(table)
    assert hand.totals()[1] == -40
    as_of = hand.page.locator("#as-of")
    expect(as_of).to_have_text(
        hand.page.evaluate(
            "'As of ' + new Date(document.documentElement.dataset.kept)"
            ".toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })"
            "+ ', kept on this phone: the server cannot be reached.'"
        )
    )
    expect(hand.page.locator("#live")).to_be_hidden()
    go_offline(hand, away=False)
    hand.page.reload()
    expect(as_of).to_be_hidden()


def test_a_page_never_seen_says_that_there_is_no_connection(hand: Hand, server: Server) -> None:
    """And shows which tables can be read, and comes back by itself at a tap."""
    table = a_match(hand, server, "Löw & <b>")
    go_offline(hand)
    hand.page.goto("/m/never-seen")
    expect(hand.page.locator("h1")).to_have_text("No connection")
    assert hand.page.evaluate("document.styleSheets.length")
    link = hand.page.locator("#kept-tables a")
    expect(link.locator("bdi")).to_have_text("Löw & <b>")
    hand.follow(link)
    assert hand.page.url == f"{server.url}{table}"
    expect(hand.page.locator("#as-of")).to_be_visible()
    hand.page.goto("/new")
    go_offline(hand, away=False)
    hand.follow(hand.page.get_by_role("button", name="Try again"))
    expect(hand.page.locator("h1")).to_have_text("New match")


def test_what_must_not_be_kept_is_not(hand: Hand, server: Server) -> None:
    """No API, no links that give a right, no answers to forms, no files; none comes from a cache."""
    table = a_match(hand, server)
    for path in f"{table}/share", table, "/":
        hand.page.goto(path)
    wait_until_kept(hand.page, "/")
    reads = [f"/api/matches/{table.split('/')[2]}/score", "/csrf", f"{table}/match.json", "/healthz"]
    ask = "path => fetch(path).then((answer) => answer.status, () => 'away')"
    assert [hand.page.evaluate(ask, path) for path in reads] == [200] * len(reads)
    key = send(server, "POST", "/api/matches", match_file())["score_url"]
    hand.page.goto(key)
    expect(hand.page.locator("button.save")).to_be_visible()
    go_offline(hand)
    assert [hand.page.evaluate(ask, path) for path in reads] == ["away"] * len(reads)
    assert kept_pages(hand.page) == {"/", table, f"{table}/share"}
    everything = " ".join(a for addresses in kept(hand.page).values() for a in addresses)
    for never in "/join/", "/api/", "/csrf", ".pdf", "match.json", "healthz":
        assert never not in everything
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        hand.page.goto(key)


def test_a_page_that_is_gone_is_no_longer_kept(hand: Hand, server: Server) -> None:
    table = a_match(hand, server)
    hand.page.goto(table)
    hand.follow("table.deals th a")
    why = hand.page.url.removeprefix(server.url)
    wait_until_kept(hand.page, why)
    slug = table.removeprefix("/m/")
    figures = hand.page.request.get(f"/api/matches/{slug}/score").json()
    token = hand.page.request.get("/csrf").json()["token"]
    removed = hand.page.request.delete(
        f"/api/matches/{slug}/deals/{figures['deals'][0]['deal_id']}",
        data={"id": "removed-by-hand", "seen": figures["revision"]},
        headers={"X-CSRFToken": token},
    )
    assert removed.ok
    hand.page.reload()
    expect(hand.page.locator("h1")).to_have_text("There is nothing here")
    wait_until(hand.page, lambda: why not in kept_pages(hand.page))


def test_a_phone_that_may_no_longer_score_keeps_no_form(hand: Hand, server: Server) -> None:
    table = a_match(hand, server)
    hand.page.goto(f"{table}/deals/new")
    wait_until_kept(hand.page, f"{table}/deals/new")
    hand.page.context.clear_cookies()
    hand.page.goto(f"{table}/deals/new")
    assert hand.page.url == f"{server.url}{table}", "who may not score is led to the table"
    wait_until(hand.page, lambda: f"{table}/deals/new" not in kept_pages(hand.page))
    assert table in kept_pages(hand.page)


def test_no_more_than_the_newest_pages_are_kept(hand: Hand, server: Server) -> None:
    table = a_match(hand, server)
    fill = """async () => {
      const pages = await caches.open((await caches.keys()).find((name) => name.includes(" pages ")));
      for (let n = 0; n < 70; n++) await pages.put(`/m/old-${n}`, new Response("old"));
    }"""
    hand.page.evaluate(fill)
    hand.page.goto(f"{table}/share")
    wait_until_kept(hand.page, f"{table}/share")
    wait_until(hand.page, lambda: len(kept_pages(hand.page)) <= 60)
    left = kept_pages(hand.page)
    assert len(left) == 60
    assert {f"{table}/share", "/m/old-69"} <= left
    assert "/m/old-0" not in left


def test_when_a_page_was_kept_is_said_with_the_day_when_it_was_another(hand: Hand) -> None:
    hand.page.goto("/")
    said = hand.page.evaluate(
        """async () => {
          const install = document.querySelector("script[src$='install.js']").src;
          const { spoken } = await import(install.replace("install", "pages"));
          const now = new Date(2026, 10, 30, 21, 30);
          const then = [new Date(2026, 10, 30, 9, 4), new Date(2026, 10, 29, 21, 30)];
          return then.map((moment) => spoken(moment, now, "en-GB"));
        }"""
    )
    assert said == ["09:04", "29 November, 21:30"]


# A new release


class Release(Server):
    """A server that runs from a copy of the checkout, which can be changed."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        for part in INTO_THE_WHEEL:
            shutil.copytree(CHECKOUT / part, self.checkout / part)
        shutil.copy(CHECKOUT / "pyproject.toml", self.checkout)
        super().__init__(folder / "data")

    def start(self) -> None:
        """Start it from the copy."""
        with chdir(self.checkout):
            super().start()

    def install_another(self) -> None:
        """Put another release in its place."""
        self.stop()
        with (self.checkout / "static" / "js" / "page.js").open("a", encoding="utf-8") as file:
            file.write("\ndocument.documentElement.dataset.release = 'new';\n")
        self.start()


@pytest.fixture
def release(tmp_path: Path) -> Iterator[Release]:
    """A server whose release changes."""
    running = Release(tmp_path)
    yield running
    running.stop()


def test_a_new_release_asks_before_the_page_goes_over_to_it(browser: Browser, release: Release) -> None:
    with phone_at(browser, release.url) as hand:
        table = a_match(hand, release)
        before = set(kept(hand.page))
        bar = hand.page.locator("#release")
        expect(bar).to_be_hidden()
        release.install_another()
        hand.page.goto(f"{table}/deals/new")
        expect(bar).to_be_visible()
        hand.page.evaluate("window.here = true")
        place, save = (hand.page.locator(s).bounding_box() for s in ("#reload", "#save"))
        assert place
        assert save
        assert min(place["width"], place["height"]) >= 44
        assert place["y"] + place["height"] < save["y"]
        hand.tap("#later")
        expect(bar).to_be_hidden()
        assert hand.page.evaluate("window.here"), "nothing was loaded anew"
        hand.page.goto(table)
        expect(bar).to_be_visible()
        loads: list[str] = []
        hand.page.on("load", lambda page: loads.append(page.url))
        hand.follow("#reload")
        expect(hand.page.locator("h1")).to_have_text("Thursday table")
        wait_until_kept(hand.page, table)
        expect(bar).to_be_hidden()
        assert len(loads) == 1
        assert hand.page.evaluate("document.documentElement.dataset.release") == "new"
        assert not before & set(kept(hand.page)), "what the old release kept is gone"
        go_offline(hand)
        hand.page.reload()
        assert hand.page.evaluate("document.documentElement.dataset.release") == "new"


# Under a path, and a slow server


class SlowProxy(Prefixed):
    """A proxy under a path that can be told to hold everything back."""

    def __init__(self, app: Any) -> None:
        super().__init__(app)
        self.free = threading.Event()
        self.free.set()

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Any:
        """Answer when it may."""
        self.free.wait(20)
        return super().__call__(environ, start)


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[tuple[str, SlowProxy]]:
    """scorepad under a path: its address, and the proxy in front."""
    app = create_app(tmp_path, {"BEHIND_PROXY": True})
    made = SlowProxy(app.wsgi_app)
    listener = socket.create_server(("127.0.0.1", 0))
    lines: dict[int, Any] = {}
    server = create_server(made, map=lines, sockets=[listener], threads=8)

    def run() -> None:
        with contextlib.suppress(OSError):  # its sockets are closed under it at the end
            server.run()

    thread = threading.Thread(target=run)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", made
    made.free.set()
    server.task_dispatcher.shutdown()
    server.close()
    thread.join(20)
    wasyncore.close_all(lines, ignore_all=True)  # those that the browser kept open
    app.extensions["pdf"].close()
    app.extensions["store"].database.close()


def test_under_a_path_and_with_a_server_that_does_not_answer(
    browser: Browser, proxy: tuple[str, SlowProxy]
) -> None:
    """The worker keeps to its path; after four seconds a kept page is shown, and the late one is kept."""
    url, slow = proxy
    with phone_at(browser, url) as hand:
        hand.page.goto(f"{PREFIX}/new")
        for seat, name in enumerate(("Anna", "Ben", "Carla", "Dan")):
            hand.page.fill(f"[name=name_{seat}]", name)
        hand.follow("button.save")
        table = hand.page.url.removeprefix(url).partition("?")[0]
        assert table.startswith(f"{PREFIX}/m/")
        wait_until_kept(hand.page, table)
        found = hand.page.evaluate("navigator.serviceWorker.ready.then((r) => [r.scope, r.active.scriptURL])")
        assert found == [f"{url}{PREFIX}/", f"{url}{PREFIX}/sw.js"]
        for cookie in hand.page.context.cookies():
            assert cookie["path"] == PREFIX
        since = time.monotonic()
        slow.free.clear()
        hand.page.goto(table)
        assert 3.5 < time.monotonic() - since < 8
        expect(hand.page.locator("#as-of")).to_be_visible()
        slow.free.set()
        hand.page.reload()
        expect(hand.page.locator("#as-of")).to_be_hidden()
        go_offline(hand)
        hand.page.goto(f"{PREFIX}/m/never-seen")
        hand.follow("#kept-tables a")
        assert hand.page.url == f"{url}{table}"


# Where a browser has no worker


def test_on_a_plain_address_in_the_network_nothing_is_missed(browser: Browser, server: Server) -> None:
    """As on a phone that opens http://192.168.…: no worker, nothing thrown, and no complaint."""
    mapped = browser.browser_type.launch(
        executable_path=browser_path(),
        args=[*BROWSER_ARGUMENTS, "--host-resolver-rules=MAP scorepad.test 127.0.0.1"],
    )
    try:
        with phone_at(mapped, f"http://scorepad.test:{server.port}") as hand:
            for path in "/", "/new", "/offline":
                hand.page.goto(path)
                hand.page.wait_for_load_state("networkidle")
                assert hand.page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
                for bar in "#release", "#as-of":
                    expect(hand.page.locator(bar)).to_be_hidden()
    finally:
        mapped.close()
