"""A dispute by touch: from any figure to its reason, and what a correction does before it is saved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from builders import NAMES
from conftest import Server
from disputed import FURTHER, MOVED, TEN, WITHOUT, ten_deals
from fingers import Hand, hand_at, join, kept_deals, number, start_match
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """The phone that keeps the score."""
    with hand_at(browser, server) as held:
        yield held


def ten(hand: Hand, server: Server) -> str:
    """A match of ten deals, on its table page; its slug."""
    started = start_match(server, ten_deals())
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}")
    return started["slug"]


#: What is tapped on the table page, and the heading of where it leads.
FIGURES = {
    '.total[data-total="1"] a': "Why these totals?",
    'a.name:has-text("Ben")': "What Ben owes",
    ".used >> nth=2": "Deal 3: why?",
    '.owed a[href$="/owed/3#of-2"]': "What Carla owes",
    ".deals tr:nth-child(4) td:nth-child(3) a": "Deal 7: why?",
    "#read-back a": "Deal 10: why?",
    'a[href$="/totals#check"]': "Why these totals?",
}


def test_any_figure_leads_to_why_it_is_so(hand: Hand, server: Server) -> None:
    slug = ten(hand, server)
    for figure, heading in FIGURES.items():
        hand.follow(hand.page.locator(figure))
        expect(hand.page.locator("h1")).to_have_text(heading)
        hand.page.goto(f"/m/{slug}")


def test_what_a_player_owes_is_as_large_to_tap_as_his_line(hand: Hand, server: Server) -> None:
    ten(hand, server)
    owes = hand.page.locator('.score:has([data-total="1"]) .owes').bounding_box()
    assert owes
    with hand.page.expect_navigation():
        hand.page.touchscreen.tap(owes["x"] + 60, owes["y"] + owes["height"] - 2)
    expect(hand.page.locator("h1")).to_have_text("What Ben owes")


def test_figures_are_reached_by_keys(hand: Hand, server: Server) -> None:
    ten(hand, server)
    cell = hand.page.locator('.owed a[href$="/owed/3#of-2"]')
    cell.focus()
    assert cell.evaluate("cell => getComputedStyle(cell).textDecorationLine") == "underline"
    with hand.page.expect_navigation():
        hand.page.keyboard.press("Enter")
    expect(hand.page.locator("#of-2")).to_be_in_viewport()


def correct_the_third(hand: Hand, server: Server) -> tuple[str, list[int]]:
    """Take Ben's double out of the third deal, as far as Save; the slug and the totals before."""
    slug = ten(hand, server)
    before = hand.totals()
    hand.follow(hand.page.get_by_role("link", name="3 NQ Anna"))
    hand.follow(hand.page.get_by_role("link", name="Correct this deal"))
    hand.tap(hand.chip("doubles", "10"))
    return slug, before


def sees_what_it_does(hand: Hand, before: list[int]) -> None:
    """Every total before and after."""
    assert [head for head, *_ in hand.rows("#effect table")] == list(NAMES)
    rows = [[number(cell) for cell in cells] for _, *cells in hand.rows("#effect table")]
    after = [before[0] + MOVED, before[1] - MOVED, *before[2:]]
    assert rows == [list(pair) for pair in zip(before, after, strict=True)]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_correction_is_seen_before_it_is_saved(browser: Browser, server: Server, *, scripts: bool) -> None:
    with hand_at(browser, server, java_script_enabled=scripts) as hand:
        slug, before = correct_the_third(hand, server)
        expect(hand.page.locator("#save")).to_have_text("See what it does")
        (hand.tap if scripts else hand.follow)("#save")
        expect(hand.page.locator("#effect .further li")).to_have_text(FURTHER)
        expect(hand.page.locator("#effect")).to_be_in_viewport()
        sees_what_it_does(hand, before)
        assert "Ben" in kept_deals(hand, slug)[2]["doubles"]
        expect(hand.page.locator("#save")).to_have_text("Save the correction")
        hand.save() if scripts else hand.follow("#save")
        assert kept_deals(hand, slug)[2]["doubles"] == WITHOUT["doubles"]
        hand.page.goto(f"/m/{slug}/history")
        expect(hand.page.locator("#row-2 .further li")).to_have_text(FURTHER)


def test_a_double_tap_only_shows_what_it_does(hand: Hand, server: Server) -> None:
    slug, _ = correct_the_third(hand, server)
    save = hand.page.locator("#save").bounding_box()
    assert save
    for _ in range(2):
        hand.page.touchscreen.tap(save["x"] + 20, save["y"] + 20)
    expect(hand.page.locator("#effect .further li")).to_have_text(FURTHER)
    assert "Ben" in kept_deals(hand, slug)[2]["doubles"]
    hand.tap(hand.chip("doubles", "10"))
    expect(hand.page.locator("#effect")).to_be_hidden()
    expect(hand.page.locator("#save")).to_have_text("See what it does")


def test_without_a_connection_the_phone_shows_the_totals(hand: Hand, server: Server) -> None:
    slug, before = correct_the_third(hand, server)
    hand.is_cut = True
    hand.page.context.set_offline(True)
    hand.look()
    sees_what_it_does(hand, before)
    expect(hand.page.locator("#effect .further li")).to_have_text(
        "What changes further on is shown once there is a connection."
    )
    hand.tap("#save")
    expect(hand.page.locator("#waiting")).to_be_visible()
    hand.page.context.set_offline(False)
    expect(hand.page.locator("#waiting")).to_be_hidden(timeout=20_000)
    assert kept_deals(hand, slug)[2]["doubles"] == WITHOUT["doubles"]


def test_a_forgotten_deal_is_seen_before_it_is_put_in(hand: Hand, server: Server) -> None:
    slug = ten(hand, server)
    hand.page.goto(f"/m/{slug}/deals/insert/1?declarer=2")
    hand.declare("B")
    hand.tap(hand.chip("doubles", "02"))
    hand.pick("king", 3)
    hand.follow("#save")
    expect(hand.page.locator("#effect .further li")).to_have_text("Anna owes Carla 1; it was 2.")
    assert len(kept_deals(hand, slug)) == len(TEN)
    hand.tap("#save")
    hand.page.wait_for_url(f"**/m/{slug}")
    assert len(kept_deals(hand, slug)) == len(TEN) + 1
