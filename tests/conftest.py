"""What the tests share: an app with its own data folder, a real server, a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings

from scorepad import create_app
from scorepad.store import Store

CASES = Path(__file__).parent / "cases"

BROWSER_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

settings.register_profile("scorepad", deadline=None, print_blob=True)
settings.load_profile("scorepad")


def case(name: str) -> Any:
    """A file of `tests/cases`, such as `matches/full-match`."""
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The app, with a data folder of its own; tests share it as tables share a server."""
    made = create_app(
        tmp_path_factory.mktemp("data"),
        {
            "TESTING": True,
            "STARTS_AN_HOUR": 100_000,
            "WRONG_KEYS_AN_HOUR": 100_000,
            "CHECKS_AN_HOUR": 100_000,
            "ALLOWED_HOSTS": ("pad.example",),
        },
    )
    yield made
    made.extensions["pdf"].close()
    made.extensions["store"].database.close()


@pytest.fixture
def store(app: Flask) -> Store:
    """The store behind the app."""
    kept: Store = app.extensions["store"]
    return kept


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A device nobody knows."""
    return app.test_client()


def token_in(page: str) -> str:
    """The CSRF token in a page's form."""
    found = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert found, "the page has no form"
    return found[1]


@pytest.fixture
def csrf() -> Callable[[FlaskClient], str]:
    """Fetches a CSRF token for a client, as the phone's own modules do."""

    def fetch(client: FlaskClient) -> str:
        return str(client.get("/csrf").get_json()["token"])

    return fetch


class Server:
    """A real server process with a data folder of its own."""

    #: What Python runs.
    program: Sequence[str] = ("-m", "scorepad")
    #: Where what it complains of goes; a test that reads it says so.
    complaints: Path | None = None

    def __init__(self, data: Path) -> None:
        """Start it on a free port, and wait until it answers."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = data
        self.start()

    def start(self) -> None:
        """Start the process; the same data and port when it was stopped before."""
        command = [sys.executable, *self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        environment = {**os.environ, "SCOREPAD_DATA": str(self.data), "SCOREPAD_HOSTS": "scorepad.test"}
        with self.complaints.open("ab") if self.complaints else nullcontext() as errors:
            self.process = subprocess.Popen(
                command, env=environment, stdout=subprocess.DEVNULL, stderr=errors
            )
        for _ in range(200):
            if self.answers():
                return
            time.sleep(0.1)
        pytest.fail("the server does not answer")

    def answers(self) -> bool:
        """Whether the server is there."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        self.process.terminate()
        self.process.wait(20)

    def kill(self) -> None:
        """Stop it at once, as a power cut does."""
        self.process.kill()
        self.process.wait(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server process."""
    running = Server(tmp_path_factory.mktemp("served"))
    yield running
    running.stop()


def browser_path() -> str | None:
    """The browser to drive: the one `make` found, or the system's Chromium."""
    return os.environ.get("SCOREPAD_BROWSER") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; a test that needs it fails without it where SCOREPAD_REQUIRE_BROWSER says so."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  only these tests need it

    path = browser_path()
    if path is None:
        missing = "no Chromium to drive: install it, or name it in SCOREPAD_BROWSER"
        if os.environ.get("SCOREPAD_REQUIRE_BROWSER"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def phone(browser: Any, server: Server) -> Iterator[Any]:
    """A page on a phone with touch, as large as a small iPhone's."""
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": 390, "height": 664},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
    )
    yield context.new_page()
    context.close()
