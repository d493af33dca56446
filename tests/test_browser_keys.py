"""Keys and deleted matches on real phones: what a browser tells, and what becomes of open pages."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from builders import NAMES, deal_entry, match_file
from conftest import Server
from fingers import Hand, hand_at, join, send, start_match
from playwright.sync_api import Browser, expect
from test_browser_install import kept_pages, wait_until, wait_until_kept
from werkzeug.serving import WSGIRequestHandler, make_server

from scorepad import create_app

pytestmark = pytest.mark.browser

PLAYERS = list(NAMES)
KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """The phone that keeps the score, of which the line may be cut."""
    with hand_at(browser, server) as held:
        held.is_cut = True
        yield held


@pytest.fixture
def other(browser: Browser, server: Server) -> Iterator[Hand]:
    """Another phone at the table."""
    with hand_at(browser, server) as held:
        yield held


def saved(server: Server, slug: str) -> list[tuple[str, str]]:
    """Who declared what, in the record of a match."""
    now = send(server, "GET", f"/api/matches/{slug}/now", None)
    return [(deal["declarer"], deal["contract"]) for deal in now["file"]["deals"]]


class Elsewhere:
    """Another site, which notes where its visitors say they come from."""

    def __init__(self) -> None:
        said: list[str | None] = []

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                """Note the Referer of a page, and answer with an empty one."""
                if self.path == "/":
                    said.append(self.headers["Referer"])
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.said = said
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    """Another site."""
    site = Elsewhere()
    yield site
    site.server.shutdown()
    site.server.server_close()


class Listening(Server):
    """Our own server, which notes for each request where it says that it comes from."""

    def __init__(self, data: Path) -> None:
        self.said: list[tuple[str, str]] = []
        app = create_app(data)
        inner = app.wsgi_app

        def listens(environ: WSGIEnvironment, respond: StartResponse) -> Iterable[bytes]:
            self.said.append((environ["PATH_INFO"], environ.get("HTTP_REFERER", "")))
            return inner(environ, respond)

        self.server = make_server("127.0.0.1", 0, listens, threaded=True)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Stop it."""
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def listening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listening]:
    """A server that notes what it is told."""
    monkeypatch.setattr(WSGIRequestHandler, "log", lambda *_: None)
    running = Listening(tmp_path)
    yield running
    running.stop()


def test_no_request_says_that_it_comes_from_a_scoring_link(
    browser: Browser, listening: Listening, elsewhere: Elsewhere
) -> None:
    """Neither to us, on joining and after it, nor to anybody else; that of any other page stays among us."""
    started = start_match(listening, match_file(KING))
    own = f"{listening.url}/m/{started['slug']}"
    with hand_at(browser, listening) as hand:
        hand.page.goto(started["score_url"])
        hand.page.wait_for_timeout(700)  # the service worker asks too
        hand.follow("button.save")
        assert hand.page.url == own
        for where in ".bar a", ".top a.back", "a[href$='/share']":
            hand.follow(hand.page.locator(where).first)
        hand.page.wait_for_timeout(700)  # the service worker asks too
        said = list(listening.said)
        hand.page.goto(own)
        hand.page.evaluate("(url) => { location.href = url; }", elsewhere.url)
        hand.page.wait_for_url(elsewhere.url)
        hand.page.goto(started["score_url"])
        hand.page.evaluate("(url) => { location.href = url; }", elsewhere.url)
        hand.page.wait_for_url(elsewhere.url)
    joining = said.index((f"/m/{started['slug']}", f"{listening.url}/"))  # led there by the scoring link
    assert joining > 5
    assert not [one for one in listening.said if "/join/" in one[1]]
    assert not [path for path, _ in said[joining:] if "/join/" in path]
    assert own in {referer for _, referer in said}  # own pages do say where they were
    assert elsewhere.said == [None, f"{listening.url}/"]


def test_scripts_see_no_key_and_no_cookie(hand: Hand, server: Server) -> None:
    """Nor does anything that the browser keeps for them."""
    started = start_match(server, match_file(KING))
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    assert hand.page.evaluate("document.cookie") == ""
    assert started["score_key"] not in hand.page.evaluate(
        "JSON.stringify({ ...localStorage, ...sessionStorage })"
    )
    for cookie in hand.page.context.cookies():
        assert cookie.get("httpOnly") is True
        assert started["score_key"] not in cookie.get("value", "")
    cached = hand.page.evaluate(
        "async () => (await Promise.all((await caches.keys()).map(async (name) =>"
        " (await (await caches.open(name)).keys()).map((request) => request.url)))).flat()"
    )
    assert not [url for url in cached if "/join/" in url]


def test_replacing_the_link_ends_the_old_one_on_every_phone(hand: Hand, other: Hand, server: Server) -> None:
    """The open page of a deal can save no more, and says so; the phone that replaced the link goes on."""
    started = start_match(server, match_file())
    slug = started["slug"]
    join(hand, started["score_url"])
    join(other, started["score_url"])
    hand.page.goto(f"/m/{slug}/deals/new")
    hand.fill_in(KING, PLAYERS)
    other.page.goto(f"/m/{slug}/hand-over")
    other.page.get_by_role("checkbox").check()
    other.follow("button.save")
    hand.tap("#save")
    why = hand.page.locator("#waiting .why")
    expect(why).to_contain_text("This phone does not keep the score of this match", timeout=20_000)
    assert saved(server, slug) == []
    hand.page.goto(started["score_url"])
    expect(hand.page.locator("h1")).to_have_text("This scoring link was replaced")
    other.page.goto(f"/m/{slug}/deals/new")
    other.record(KING, PLAYERS)
    assert saved(server, slug) == [("Anna", "B")]


def test_deals_for_a_deleted_match_wait_until_it_is_taken_back(
    hand: Hand, other: Hand, server: Server
) -> None:
    """They were saved without a connection while another phone deleted the match: none is lost or doubled."""
    started = start_match(server, match_file())
    slug = started["slug"]
    join(hand, started["score_url"])
    join(other, started["score_url"])
    hand.page.goto(f"/m/{slug}/deals/new")
    hand.page.context.set_offline(True)
    for deal in KING, TRUMPS:
        hand.fill_in(deal, PLAYERS)
        hand.keep()
    other.page.goto(f"/m/{slug}/delete")
    other.page.fill("#name", "anna")
    other.follow("button.danger")
    expect(other.page.locator("h1")).to_have_text("Deleted matches")
    hand.page.context.set_offline(False)
    kept, why = hand.page.locator("#waiting summary"), hand.page.locator("#waiting .why")
    expect(why).to_contain_text("This match was deleted on", timeout=20_000)
    expect(kept).to_have_text("2 deals kept on this phone, not sent yet")
    hand.page.goto("/")
    expect(why).to_contain_text("This match was deleted on", timeout=20_000)
    hand.page.goto(f"/m/{slug}")
    expect(hand.page.locator("h1")).to_have_text("This match was deleted")
    expect(kept).to_have_text("2 deals kept on this phone, not sent yet", timeout=20_000)
    hand.follow(hand.page.get_by_role("button", name="Take it back"))
    assert hand.page.url == f"{server.url}/m/{slug}"
    expect(hand.page.locator("#waiting")).to_have_attribute("data-count", "0", timeout=20_000)
    assert saved(server, slug) == [("Anna", "B"), ("Ben", "T")]


def test_a_table_that_was_deleted_is_said_to_be_gone(hand: Hand, other: Hand, server: Server) -> None:
    """To who watches, and to who might take it back; and no phone shows a copy that it has kept."""
    started = start_match(server, match_file(KING))
    slug = started["slug"]
    join(hand, started["score_url"])
    other.page.goto(f"/m/{slug}")
    for phone in hand, other:
        wait_until_kept(phone.page, f"/m/{slug}")
    send_away = hand.page.context.new_page()
    send_away.goto(f"/m/{slug}/delete")
    send_away.fill("#name", "Dan")
    send_away.locator("button.danger").tap()
    for phone in hand, other:
        expect(phone.page.locator("#live")).to_contain_text("can no longer be watched", timeout=10_000)
    hand.page.goto(f"/m/{slug}")
    expect(hand.page.locator("h1")).to_have_text("This match was deleted")
    other.page.goto(f"/m/{slug}")
    expect(other.page.locator("h1")).to_have_text("There is nothing here")
    for phone in hand, other:
        phone.is_cut = True
        wait_until(phone.page, lambda: f"/m/{slug}" not in kept_pages(phone.page))  # noqa: B023
        phone.page.context.set_offline(True)
        phone.page.goto(f"/m/{slug}")
        assert "Anna" not in phone.page.locator("body").inner_text()
