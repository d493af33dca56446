"""The end of an evening by touch: the last deal, closing, signing on two phones, a correction after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import Server, case
from fingers import Hand, Json, hand_at, join, kept_deals, start_match
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

FULL = case("matches/full-match")
PLAYERS = FULL["players"]


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """The phone that keeps the score."""
    with hand_at(browser, server) as held:
        yield held


@pytest.fixture
def other(browser: Browser, server: Server) -> Iterator[Hand]:
    """Another phone at the table, which holds nothing yet."""
    with hand_at(browser, server) as held:
        yield held


def close(hand: Hand, slug: str) -> None:
    """Close the match on the scoring phone."""
    hand.page.goto(f"/m/{slug}")
    hand.follow(hand.page.get_by_role("link", name="Close the match"))
    hand.follow(hand.page.get_by_role("button", name="Close the match"))


def sign(hand: Hand, name: str) -> None:
    """One player signs on the scoring phone that was passed to him."""
    hand.follow(hand.page.get_by_role("link", name=f"{name} signs"))
    expect(hand.page.locator(".mine")).to_contain_text(name)
    hand.follow(hand.page.get_by_role("button", name=f"I, {name}, sign"))


def test_a_match_is_played_out_closed_signed_and_corrected(hand: Hand, other: Hand, server: Server) -> None:
    started = start_match(server, {**FULL, "deals": FULL["deals"][:27]})
    slug = started["slug"]
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{slug}/deals/new")
    hand.record(FULL["deals"][27], PLAYERS)
    hand.page.wait_for_url(f"**/m/{slug}")
    close(hand, slug)

    first, second, third, fourth = PLAYERS
    sign(hand, first)
    sign(hand, second)
    expect(hand.page.get_by_text("on the scoring phone")).to_have_count(2)

    hand.follow("#codes button")
    codes = {s.locator("h2").inner_text(): s for s in hand.page.locator(".share").all()}
    assert {name.casefold() for name in codes} == {third.casefold(), fourth.casefold()}
    code = next(s for name, s in codes.items() if name.casefold() == third.casefold())
    expect(code.locator("svg.qr")).to_be_visible()
    address = code.locator("a").get_attribute("href") or ""
    other.page.goto(address)
    expect(other.page.locator("#deals table")).to_be_visible()
    other.follow(other.page.get_by_role("button", name=f"I, {third}, sign"))
    other.page.wait_for_url(f"**/m/{slug}*")
    expect(other.page.locator("#signed")).to_contain_text("by the code for the seat")
    other.page.goto(address)
    expect(other.page.locator("h1")).to_have_text("This code can no longer be used")
    other.page.goto(f"/m/{slug}")
    expect(other.page.locator(".seals li")).to_have_count(3)
    expect(other.page.locator(".seals time").first).not_to_contain_text("UTC")

    hand.page.goto(f"/m/{slug}")
    hand.follow(hand.page.locator("#signed").get_by_role("link", name="Reopen it"))
    hand.follow(hand.page.get_by_role("button", name="Reopen it"))
    hand.follow(hand.page.locator("table.deals th a").first)
    hand.follow(hand.page.get_by_role("link", name="Correct this deal"))
    hand.tap("details.more summary")
    hand.page.fill("#note", "counted again")
    hand.save()
    for phone in hand, other:
        phone.page.goto(f"/m/{slug}")
        expect(phone.page.locator(".seals .short")).to_have_count(3)
        expect(phone.page.locator(".seals s")).to_have_count(3)
        expect(phone.page.locator(".seals")).to_contain_text("void: an earlier state was signed")


def correction(hand: Hand, slug: str) -> None:
    """Tap a correction of the last deal into its form."""
    hand.page.goto(f"/m/{slug}/deals/file-deal-28")
    hand.tap("details.more summary")
    hand.page.fill("#note", "counted again")


def look_at_what_waits(hand: Hand) -> None:
    """From the table to the save that was refused."""
    hand.tap("#waiting summary")
    hand.follow(hand.page.get_by_role("link", name="Look at it"))


def test_a_correction_that_meets_a_closed_match_is_kept_and_said(
    hand: Hand, other: Hand, server: Server
) -> None:
    """It can be saved again once the match is reopened."""
    started = start_match(server, FULL)
    slug = started["slug"]
    for phone in hand, other:
        join(phone, started["score_url"])
    correction(hand, slug)
    hand.page.route("**/api/matches/**/now", lambda route: route.abort())
    hand.is_cut = True
    close(other, slug)
    hand.look()
    hand.tap("#save")
    refused = hand.page.locator("#refused")
    expect(refused).to_contain_text("Deal 28 was not taken")
    expect(refused).to_contain_text("This match is closed")
    expect(refused.get_by_role("link", name="Reopen the match")).to_be_visible()
    hand.page.unroute("**/api/matches/**/now")
    hand.tap(refused.get_by_role("button", name="Save it again"))
    expect(refused).to_contain_text("This match is closed")
    assert "note" not in kept_deals(hand, slug)[27]
    hand.page.goto(f"/m/{slug}")
    expect(hand.page.locator("#waiting")).to_contain_text("This match is closed")
    look_at_what_waits(hand)
    hand.follow(hand.page.locator("#refused").get_by_role("link", name="Reopen the match"))
    hand.follow(hand.page.get_by_role("button", name="Reopen it"))
    look_at_what_waits(hand)
    hand.tap(hand.page.locator("#refused").get_by_role("button", name="Save it again"))
    hand.page.wait_for_url(f"**/m/{slug}")
    assert kept_deals(hand, slug)[27]["note"] == "counted again"


def test_a_correction_that_meets_a_closed_match_can_be_dropped(
    hand: Hand, other: Hand, server: Server
) -> None:
    started = start_match(server, FULL)
    slug = started["slug"]
    for phone in hand, other:
        join(phone, started["score_url"])
    correction(hand, slug)
    close(other, slug)
    expect(hand.page.locator("#away")).to_contain_text("This match is closed")
    hand.look()
    hand.tap("#save")
    drop = hand.page.locator("#refused").get_by_role("button", name="Drop it")
    drop.wait_for()
    hand.tap(drop)
    hand.page.wait_for_timeout(800)
    hand.tap(hand.page.get_by_role("button", name="Really drop deal 28"))
    hand.page.wait_for_url(f"**/m/{slug}")
    expect(hand.page.locator("#waiting")).to_be_hidden()
    assert "note" not in kept_deals(hand, slug)[27]


def test_a_deal_that_meets_a_closed_match_is_not_lost(hand: Hand, other: Hand, server: Server) -> None:
    """The match was abandoned and closed on another phone while the hand was played."""
    started = start_match(server, {**FULL, "deals": FULL["deals"][:3]})
    slug = started["slug"]
    for phone in hand, other:
        join(phone, started["score_url"])
    hand.page.goto(f"/m/{slug}/deals/new")
    deal: Json = FULL["deals"][3]
    hand.fill_in(deal, PLAYERS)
    other.page.goto(f"/m/{slug}/change/abandoned")
    other.follow("button.save")
    other.follow("button.save")
    close(other, slug)
    expect(hand.page.locator("#away")).to_contain_text("This match is closed")
    hand.tap("#save")
    expect(hand.page.locator("#refused")).to_contain_text("This match is closed")
    assert len(kept_deals(hand, slug)) == 3


def test_who_watches_sees_the_match_close(hand: Hand, other: Hand, server: Server) -> None:
    started = start_match(server, FULL)
    join(hand, started["score_url"])
    other.page.goto(f"/m/{started['slug']}")
    expect(other.page.locator("#signed")).to_have_count(0)
    close(hand, started["slug"])
    expect(other.page.locator("#signed h2")).to_contain_text("Closed")
