"""Putting things right by touch: agreed points by steps, order, a forgotten deal, house rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from builders import NAMES, deal_entry, match_file
from conftest import Server
from fingers import Hand, Json, hand_at, join, kept_deals, start_match
from playwright.sync_api import Browser, expect

from scorepad.matchfile import read_match
from scorepad.standing import standing

pytestmark = pytest.mark.browser

PLAYERS = list(NAMES)
KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", doubles={"Ben": ["Carla"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """The phone that keeps the score."""
    with hand_at(browser, server) as held:
        yield held


def table_of(hand: Hand, server: Server, *deals: Json) -> str:
    """A match with these deals, on its table page; its slug."""
    started = start_match(server, match_file(*deals))
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}")
    return started["slug"]


def put_right(hand: Hand, what: str) -> None:
    """From the table page to one kind of change."""
    hand.follow(hand.page.get_by_role("link", name="Put something right"))
    hand.follow(hand.page.get_by_role("link", name=what))


def totals_of(*deals: Json, **more: Json) -> list[int]:
    """What the core makes of these deals."""
    match = read_match(match_file(*deals, **more)).match
    assert match
    return list(standing(match).totals)


def test_agreed_points_without_a_minus_key(hand: Hand, server: Server) -> None:
    table_of(hand, server, KING)
    put_right(hand, "Agreed points")
    for _ in range(2):
        hand.tap(hand.page.get_by_role("button", name="Ben −5"))
        hand.tap(hand.page.get_by_role("button", name="Carla +5"))
    hand.page.fill("#reason", "revoke")
    hand.follow("button.save")
    expect(hand.page.locator("#effect")).to_be_visible()
    hand.follow("button.save")
    points = {"Ben": -10, "Carla": 10}
    agreed = [{"after_deal": 1, "points": points, "reason": "revoke"}]
    assert hand.totals() == totals_of(KING, agreed_points=agreed)
    expect(hand.page.locator("table.deals")).to_contain_text("then agreed: revoke")


def test_a_forgotten_deal_is_put_in_before_another(hand: Hand, server: Server) -> None:
    slug = table_of(hand, server, KING, HEARTS)
    put_right(hand, "A deal was forgotten")
    hand.follow(hand.page.get_by_role("link", name="before deal 2"))
    hand.tap("text=Somebody else declared?")
    hand.tap(hand.page.locator("#others").get_by_role("button", name="Ben"))
    expect(hand.page.locator("h1")).to_have_text("Forgotten deal 2")
    hand.fill_in(TRUMPS, PLAYERS)
    hand.follow("#save")
    expect(hand.page.locator("#effect")).to_be_visible()
    hand.tap("#save")
    hand.page.wait_for_url(f"**/m/{slug}")
    assert [deal["contract"] for deal in kept_deals(hand, slug)] == ["B", "T", "NH"]
    assert hand.totals() == totals_of(KING, TRUMPS, HEARTS)


def test_a_forgotten_pass_out_is_put_in(hand: Hand, server: Server) -> None:
    slug = table_of(hand, server, KING)
    hand.page.goto(f"/m/{slug}/deals/insert/1")
    hand.declare("M")
    expect(hand.page.locator("#save")).to_have_text("See what it does")
    hand.follow("#save")
    expect(hand.page.locator("#save")).to_have_text("Save deal 1")
    hand.tap("#save")
    hand.page.wait_for_url(f"**/m/{slug}")
    first = kept_deals(hand, slug)[0]
    assert (first["contract"], first["passed_out"]) == ("M", True)


def test_deals_are_put_in_order_by_taps(hand: Hand, server: Server) -> None:
    slug = table_of(hand, server, TRUMPS, KING)
    put_right(hand, "Deals in another order")
    hand.follow(hand.page.get_by_role("button", name="Down: deal 1"))
    hand.follow("button.save")
    assert [deal["contract"] for deal in kept_deals(hand, slug)] == ["B", "T"]


def test_house_rules_count_along_while_they_are_changed(hand: Hand, server: Server) -> None:
    table_of(hand, server, KING)
    put_right(hand, "The house rules")
    king = hand.page.locator('.stepper:has(input[name="value_king"])')
    for _ in range(5):
        hand.tap(king.get_by_role("button").last)
    expect(king.locator("input")).to_have_value("−15")
    expect(hand.page.locator(".rules-sums")).to_contain_text("The match does not sum to 0: +20.")
    hand.follow("button.save")
    hand.follow("button.save")
    assert hand.totals() == totals_of(KING, rules={"values": {"king": -15}})


def test_a_forced_double_that_was_forgotten_is_added_later(hand: Hand, server: Server) -> None:
    slug = table_of(hand, server, KING)
    hand.page.goto(f"/m/{slug}/deals/file-deal-01?double=20")
    expect(hand.chip("doubles", "20").locator("input")).to_be_checked()
    hand.save()
    assert kept_deals(hand, slug)[0]["doubles"] == {"Ben": ["Anna"], "Carla": ["Anna"]}


def test_a_contract_that_was_declared_leads_to_its_deal(hand: Hand, server: Server) -> None:
    slug = table_of(hand, server, KING)
    hand.page.goto(f"/m/{slug}/deals/new?declarer=0")
    used = hand.page.locator(".contract.used")
    expect(used).to_have_count(1)
    used.tap(force=True)
    expect(hand.page.locator("#declared-in")).to_contain_text("That was declared in deal 1 already.")
    hand.follow(hand.page.get_by_role("link", name="Correct deal 1"))
    expect(hand.page.locator("h1")).to_have_text("Correct deal 1")


def test_the_last_save_is_undone_at_the_time_of_this_clock(hand: Hand, server: Server) -> None:
    slug = table_of(hand, server, KING, TRUMPS)
    put_right(hand, "The match was abandoned")
    hand.follow("button.save")
    hand.follow("button.save")
    line = hand.page.locator("#undo time")
    expect(line).to_have_text(re.compile(r"^The match was changed at \d\d:\d\d( [AP]M)?\.$"))
    hand.follow("#undo a")
    hand.follow(hand.page.get_by_role("button", name="Undo it"))
    assert not hand.page.request.get(f"/api/matches/{slug}").json()["abandoned"]
    hand.follow(hand.page.get_by_role("link", name="History"))
    expect(hand.page.locator("#row-3 time")).not_to_contain_text("UTC")
