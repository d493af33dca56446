"""A full disk as the phone meets it: deals stay on the phone, the page says why, and they go out later."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from builders import NAMES, deal_entry, match_file
from disks import DiskServer, ended
from fingers import Hand, hand_at, join, kept_deals, open_deal, start_match
from playwright.sync_api import Browser, expect
from test_browser_layout import look

from scorepad.store import Trouble
from scorepad.views.unsaved import WHY

pytestmark = pytest.mark.browser

PLAYERS = list(NAMES)
KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
MISERE = deal_entry("Ben M", doubles={"Anna": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 7, "Dan": 2}})
OPEN = re.compile(r"/open$")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DiskServer]:
    """A server whose disk can be made to refuse."""
    with ended(DiskServer(tmp_path_factory.mktemp("disk"))) as running:
        yield running


@pytest.fixture
def hand(browser: Browser, server: DiskServer) -> Iterator[Hand]:
    """The phone that keeps the score."""
    with hand_at(browser, server) as held:
        yield held
    server.allow()


def test_deals_wait_on_the_phone_and_go_out_when_there_is_room(hand: Hand, server: DiskServer) -> None:
    slug = open_deal(hand, server, match_file())
    server.refuse("ENOSPC")
    for deal in (KING, MISERE):
        hand.fill_in(deal, PLAYERS)
        hand.keep()
    waiting = hand.page.locator("#waiting")
    expect(waiting).to_be_visible()
    expect(waiting).to_have_attribute("data-count", "2")
    expect(waiting.locator(".why")).to_contain_text(WHY[Trouble.DISK_FULL])
    expect(hand.page.locator("#refused")).to_be_hidden()
    waiting.locator("summary").tap()
    look(hand)
    assert kept_deals(hand, slug) == []
    server.allow()
    expect(waiting).to_have_attribute("data-count", "0", timeout=20_000)
    expect(waiting).to_be_hidden()
    assert [d["contract"] for d in kept_deals(hand, slug)] == ["B", "M"]


def test_the_open_deal_is_kept_on_the_server_as_soon_as_there_is_room(hand: Hand, server: DiskServer) -> None:
    """The last tap is sent again by itself: those who watch see it without another tap."""
    slug = open_deal(hand, server, match_file())
    server.refuse("ENOSPC")
    with hand.page.expect_response(OPEN) as answered:
        hand.declare("B")
    assert answered.value.status == 503
    server.allow()
    with hand.page.expect_response(OPEN) as answered:
        pass
    assert answered.value.status == 200
    shown = hand.page.request.get(f"/api/matches/{slug}").json()
    assert [d["contract"] for d in shown["deals"]] == ["B"]


def test_a_correction_waits_too(hand: Hand, server: DiskServer) -> None:
    started = start_match(server, match_file(KING))
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/deals/file-deal-01")
    server.refuse("ENOSPC")
    hand.tap(hand.chip("king", "3"))
    hand.look()
    hand.tap("#save")
    expect(hand.page.locator("#waiting .why")).to_contain_text(WHY[Trouble.DISK_FULL])
    server.allow()
    expect(hand.page.locator("#waiting")).to_have_attribute("data-count", "0", timeout=20_000)
    assert kept_deals(hand, started["slug"])[0]["result"] == {"king": "Dan"}


def test_a_new_match_is_kept_in_its_form(hand: Hand, server: DiskServer) -> None:
    hand.page.goto("/new")
    for seat, name in enumerate(PLAYERS):
        hand.page.fill(f"#name_{seat}", name)
    hand.tap(hand.chip("preset", "german"))
    server.refuse("ENOSPC")
    hand.follow("button.save")
    expect(hand.page.locator(".wrong")).to_contain_text(WHY[Trouble.DISK_FULL])
    assert [hand.page.input_value(f"#name_{seat}") for seat in range(4)] == PLAYERS
    assert hand.checked("preset") == {"german"}
    look(hand)
    server.allow()
    hand.follow("button.save")
    expect(hand.page.locator("h1")).to_be_visible()
    assert "/m/" in hand.page.url


def test_the_page_that_sends_the_same_again(hand: Hand, server: DiskServer) -> None:
    started = start_match(server, match_file(KING))
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/hand-over")
    server.refuse("ENOSPC")
    hand.follow("button.save")
    expect(hand.page.locator(".wrong")).to_have_text(WHY[Trouble.DISK_FULL])
    look(hand)
    server.allow()
    hand.follow("button.save")
    expect(hand.page.locator(".qr")).to_be_visible()
