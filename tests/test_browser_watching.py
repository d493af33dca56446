"""Watching by touch in a real browser: figures from a metre, who I am, stakes, the screen kept on, again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from builders import NAMES, case_file, deal_entry, match_file
from conftest import Server
from fingers import Hand, hand_at, join, send, start_match, tidy
from playwright.sync_api import Browser, Locator, expect

pytestmark = pytest.mark.browser

PLAYERS = list(NAMES)
FULL = json.loads(case_file("full-match"))
KING = deal_entry("Anna B", doubles={"Ben": ["Anna"], "Carla": ["Anna", "Ben"]}, result={"king": "Ben"})
HAND = deal_entry("Ben NQ", doubles={"Carla": ["Ben", "Anna"], "Ben": ["Carla"], "Dan": ["Ben"]})

#: Six millimetres on a phone of 390 px that is 65 mm wide.
READABLE = 36

#: How high a figure stands: the height of its ink.
INK = """(total) => {
  const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(total);
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { actualBoundingBoxAscent, actualBoundingBoxDescent } = pen.measureText("0");
  return actualBoundingBoxAscent + actualBoundingBoxDescent;
}"""

#: A screen that can be kept on: counts who asks, and lets go when told to.
SCREEN = """
  window.asked = 0;
  Object.defineProperty(Navigator.prototype, "wakeLock", { configurable: true, value: { request: async () => {
    window.asked += 1;
    if (window.refuses) throw new DOMException("no", "NotAllowedError");
    return (window.held = { released: false, async release() { this.released = true; } });
  } } });
"""

#: A browser whose owner forbids it to keep anything.
NOTHING_KEPT = """
  Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
"""

#: The phone is laid aside (true) or taken up again (false).
ASIDE = """(aside) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => aside });
  if (aside && window.held) window.held.released = true;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """A phone at the table."""
    with hand_at(browser, server) as held:
        yield held


def playing(server: Server, *deals: Any, hand: Any = None, **fields: Any) -> dict[str, str]:
    """A match, with a hand being played."""
    started = start_match(server, match_file(*deals, **fields))
    if hand:
        put_hand(server, started, hand)
    return started


def put_hand(server: Server, started: dict[str, str], hand: Any, *, draft: int = 0) -> None:
    """Put a hand on the table."""
    body = {"draft": draft, "spoken": 4, "deal": hand}
    send(server, "PUT", f"/api/matches/{started['slug']}/open", body, key=started["score_key"])


def save(server: Server, started: dict[str, str], deal: Any, *, seen: int = 1) -> None:
    """Save a deal as a script does."""
    body = {"id": f"saved-after-{seen}", "seen": seen, "deal": deal}
    send(server, "POST", f"/api/matches/{started['slug']}/deals", body, key=started["score_key"])


def me(hand: Hand) -> Locator:
    """The section about me."""
    return hand.page.locator(".you:visible")


# Read from a metre


@pytest.mark.parametrize(("width", "height"), [(390, 664), (320, 568)])
def test_totals_are_read_from_a_metre_with_the_declaration_below_them(
    browser: Browser, server: Server, width: int, height: int
) -> None:
    """On the first screen, also for the scorer, whose button covers the end of it."""
    started = playing(server, KING, hand=HAND)
    with hand_at(browser, server, viewport={"width": width, "height": height}) as hand:
        for opened in f"/m/{started['slug']}", started["score_url"]:
            hand.page.goto(opened)
            if "/join/" in opened:
                hand.follow("button.save")
            totals = hand.page.locator(".total").all()
            assert len(totals) == 4
            assert all(total.evaluate(INK) >= READABLE for total in totals)
            declared = hand.page.locator(".now .declared")
            expect(declared).to_have_text("No Queens")
            box, bar = declared.bounding_box(), hand.page.locator(".bar .save")
            button = bar.bounding_box() if bar.count() else None
            assert box
            assert box["y"] + box["height"] <= (button["y"] if button else height)


def test_figures_of_five_characters_fit_the_smallest_phone_with_large_text(
    browser: Browser, server: Server
) -> None:
    agreed = [{"after_deal": 1, "points": {"Anna": -1234, "Ben": 1234}}]
    started = playing(server, KING, agreed_points=agreed)
    with hand_at(browser, server, viewport={"width": 320, "height": 568}) as hand:
        hand.page.goto(f"/m/{started['slug']}")
        for size in "100%", "200%":
            hand.page.evaluate("(size) => (document.documentElement.style.fontSize = size)", size)
            assert hand.page.evaluate("() => document.scrollingElement.scrollWidth") == 320
            room = hand.page.locator(".standing").bounding_box()
            assert room
            for total in hand.page.locator(".total").all():
                box = total.bounding_box()
                assert box
                assert room["x"] <= box["x"]
                assert box["x"] + box["width"] <= room["x"] + room["width"]
                assert total.evaluate("(one) => one.getClientRects().length") == 1
                assert total.evaluate(INK) >= READABLE


# By itself


def test_a_watcher_sees_a_save_within_three_seconds_and_keeps_his_place(hand: Hand, server: Server) -> None:
    """What he opened stays open, the focus stays, and the page still knows who he is."""
    started = playing(server, KING, hand=HAND)
    hand.page.goto(f"/m/{started['slug']}")
    hand.tap("#stakes summary")
    hand.tap(hand.page.locator("#who").get_by_role("button", name="Carla"))
    hand.page.locator("#stakes summary").focus()
    put_hand(server, started, {**HAND, "doubles": {"Carla": ["Ben"]}}, draft=1)
    expect(me(hand)).to_contain_text("You doubled Ben.", timeout=3_000)
    expect(hand.page.locator("#stakes")).to_have_attribute("open", "")
    expect(hand.page.locator("#stakes summary")).to_be_focused()
    save(server, started, {**HAND, "doubles": {"Carla": ["Ben"]}, "result": {"queens": {"Dan": 4}}})
    expect(hand.page.locator("#read-back")).to_contain_text("Deal 2", timeout=3_000)
    assert hand.totals()[3] == -24
    expect(me(hand).locator("h2 span")).to_have_text("You, Carla")


def test_coming_back_to_the_page_asks_at_once(hand: Hand, server: Server) -> None:
    started = playing(server)
    hand.page.goto(f"/m/{started['slug']}")
    hand.page.evaluate(ASIDE, True)
    save(server, started, KING)
    hand.page.wait_for_timeout(2_500)
    assert hand.totals() == [0, 0, 0, 0], "a page that is not seen asks for nothing"
    with hand.page.expect_response("**/score", timeout=1_000):
        hand.page.evaluate(ASIDE, False)
    expect(hand.page.locator("#read-back")).to_contain_text("Deal 1")


def test_the_time_of_the_last_answer_is_said_when_the_server_is_away(hand: Hand, server: Server) -> None:
    started = playing(server)
    hand.page.clock.install(time="2026-11-26T21:04:10")
    hand.page.goto(f"/m/{started['slug']}")
    with hand.page.expect_response("**/score"):
        hand.page.clock.run_for(2_100)
    hand.page.evaluate("() => fetch('/healthz')")  # the page has read its answer before this one comes
    hand.page.route("**/score", lambda route: route.abort())
    hand.page.clock.run_for(150_000)
    said = hand.page.locator("#live")
    expect(said).to_contain_text("the server cannot be reached")
    assert "04" in said.inner_text()
    hand.page.unroute("**/score")
    for _ in range(20):  # the last question that failed may still be on its way
        hand.page.clock.run_for(2_100)
        if said.is_hidden():
            break
    expect(said).to_be_hidden()
    hand.complaints.clear()  # the browser says that the connection failed


@pytest.mark.parametrize("status", [401, 404])
def test_a_link_that_has_ended_is_not_called_away(hand: Hand, server: Server, status: int) -> None:
    started = playing(server)
    hand.page.goto(f"/m/{started['slug']}")
    hand.page.route("**/score", lambda route: route.fulfill(status=status, body="{}"))
    expect(hand.page.locator("#live")).to_contain_text("can no longer be watched by this link", timeout=3_000)


def test_a_phone_whose_right_was_ended_is_told_and_goes_on_watching(
    browser: Browser, hand: Hand, server: Server
) -> None:
    started = playing(server, KING)
    join(hand, started["score_url"])
    with hand_at(browser, server) as other:
        join(other, started["score_url"])
        other.page.goto(f"/m/{started['slug']}/hand-over")
        other.tap(".check")
        other.follow("button.save")
        expect(hand.page.locator("#live")).to_contain_text("no longer scores this match", timeout=3_000)
        expect(hand.page.locator(".bar")).to_have_count(0)
        assert hand.page.locator("[data-total]").count() == 4
        hand.page.wait_for_timeout(2_200)
        expect(hand.page.locator("#live")).to_be_visible()


# Who I am


def test_a_name_is_tapped_once_and_remembered(hand: Hand, server: Server) -> None:
    started = playing(server, KING, hand=HAND)
    hand.page.goto(f"/m/{started['slug']}")
    expect(me(hand)).to_have_count(0)
    hand.tap(hand.page.locator("#who").get_by_role("button", name="Carla"))
    expect(hand.page.locator("#who")).to_be_hidden()
    assert tidy(me(hand).inner_text()).startswith(
        "You, Carla not me You and Ben doubled each other. You doubled Anna."
    )
    hand.page.reload()
    expect(me(hand).locator("h2 span")).to_have_text("You, Carla")
    hand.tap(me(hand).get_by_role("button", name="not me"))
    expect(hand.page.locator("#who")).to_be_visible()
    hand.page.reload()
    expect(me(hand)).to_have_count(0)


def test_a_name_belongs_to_one_match(hand: Hand, server: Server) -> None:
    one, other = playing(server, KING), playing(server, KING)
    hand.page.goto(f"/m/{one['slug']}")
    hand.tap(hand.page.locator("#who").get_by_role("button", name="Dan"))
    hand.page.goto(f"/m/{other['slug']}")
    expect(hand.page.locator("#who")).to_be_visible()


def test_a_phone_that_keeps_nothing_knows_the_name_as_long_as_the_page(hand: Hand, server: Server) -> None:
    """Storage that throws breaks nothing, and the page that renews itself still knows."""
    hand.page.add_init_script(NOTHING_KEPT)
    started = playing(server, KING)
    hand.page.goto(f"/m/{started['slug']}")
    hand.tap(hand.page.locator("#who").get_by_role("button", name="Ben"))
    expect(me(hand).locator("h2 span")).to_have_text("You, Ben")
    put_hand(server, started, HAND)
    expect(me(hand)).to_contain_text("You and Carla doubled each other.", timeout=3_000)
    hand.tap(me(hand).get_by_role("button", name="not me"))
    expect(me(hand)).to_have_count(0)


def test_without_scripts_nobody_is_asked(browser: Browser, server: Server) -> None:
    started = playing(server, KING)
    with hand_at(browser, server, java_script_enabled=False) as hand:
        hand.page.goto(f"/m/{started['slug']}")
        for hidden in "#who", ".you", ".awake":
            assert not any(one.is_visible() for one in hand.page.locator(hidden).all())


# What the table sets


def test_stakes_that_are_switched_off_go_away_on_every_phone(
    browser: Browser, hand: Hand, server: Server
) -> None:
    started = playing(server, KING, hand=HAND)
    join(hand, started["score_url"])
    with hand_at(browser, server) as other:
        other.page.goto(f"/m/{started['slug']}")
        expect(other.page.locator("#stakes")).to_be_visible()
        hand.follow(hand.page.locator("#set-stakes").get_by_role("button"))
        expect(other.page.locator("#stakes")).to_have_count(0, timeout=3_000)
        expect(other.page.locator(".now .declared")).to_have_text("No Queens")
        hand.follow(hand.page.locator("#set-stakes").get_by_role("button"))
        expect(other.page.locator("#stakes")).to_be_visible(timeout=3_000)


def test_again_with_these_four_in_one_tap(browser: Browser, hand: Hand, server: Server) -> None:
    """For the scorer; those who watch are led there."""
    started = start_match(server, FULL)
    join(hand, started["score_url"])
    expect(hand.page.locator(".won")).to_have_text("Björn won.")
    with hand_at(browser, server) as other:
        other.page.goto(f"/m/{started['slug']}")
        hand.follow(hand.page.get_by_role("button", name="Again with these four"))
        expect(hand.page.locator("section.note").first).to_contain_text("declares first.")
        assert hand.totals() == [0, 0, 0, 0]
        there = hand.page.url.partition("?")[0]
        other.follow(other.page.get_by_role("link", name="To the next match of these four"))
        assert other.page.url == there


def test_again_that_is_sent_twice_at_once_makes_one_match(hand: Hand, server: Server) -> None:
    started = start_match(server, FULL)
    join(hand, started["score_url"])
    with hand.page.expect_navigation():
        hand.page.evaluate(
            "() => { const form = document.getElementById('again'); form.submit(); form.submit(); }"
        )
    hand.page.goto("/")
    expect(hand.page.locator("a.match")).to_have_count(2)


def test_the_watch_link_is_copied(browser: Browser, hand: Hand, server: Server) -> None:
    started = playing(server, KING)
    hand.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand.page.goto(f"/m/{started['slug']}/share")
    hand.tap(hand.page.get_by_role("button", name="Copy the address"))
    expect(hand.page.locator("#copy [role=status]")).to_have_text("Copied.")
    assert hand.page.evaluate("() => navigator.clipboard.readText()") == f"{server.url}/m/{started['slug']}"


# The screen


def test_the_screen_is_kept_on_and_asked_for_again(hand: Hand, server: Server) -> None:
    """On tap, when the phone is taken up again, and after the page was opened anew; not once it is off."""
    hand.page.add_init_script(SCREEN)
    started = playing(server, KING)
    hand.page.goto(f"/m/{started['slug']}")
    switch = hand.page.get_by_role("switch", name="Keep the screen on")
    box = hand.page.locator(".awake label").bounding_box()
    assert box
    assert box["height"] >= 44
    assert hand.page.evaluate("() => asked") == 0
    hand.tap(hand.page.locator(".awake label"))
    hand.page.wait_for_function("() => asked === 1")
    hand.page.evaluate(ASIDE, True)
    hand.page.evaluate(ASIDE, False)
    hand.page.wait_for_function("() => asked === 2")
    hand.page.reload()
    hand.page.wait_for_function("() => asked === 1")
    expect(switch).to_be_checked()
    put_hand(server, started, HAND)
    expect(hand.page.locator(".now")).to_be_visible(timeout=3_000)
    expect(switch).to_be_checked()
    assert hand.page.evaluate("() => asked") == 1, "the lock it has still holds"
    hand.tap(hand.page.locator(".awake label"))
    hand.page.wait_for_function("() => held.released")
    hand.page.evaluate(ASIDE, True)
    hand.page.evaluate(ASIDE, False)
    assert hand.page.evaluate("() => asked") == 1


def test_a_refused_screen_is_told_and_asked_for_again(hand: Hand, server: Server) -> None:
    hand.page.add_init_script(SCREEN + "window.refuses = true;")
    started = playing(server, KING)
    hand.page.goto(f"/m/{started['slug']}")
    hand.tap(hand.page.locator(".awake label"))
    expect(hand.page.locator(".awake [role=status]")).to_have_text("This phone does not allow it just now.")
    hand.page.evaluate("() => { window.refuses = false; }")
    hand.page.evaluate(ASIDE, True)
    hand.page.evaluate(ASIDE, False)
    expect(hand.page.locator(".awake [role=status]")).to_have_text("")
    assert hand.page.evaluate("() => asked") == 2


def test_no_screen_is_offered_where_it_cannot_be_kept_on(hand: Hand, server: Server) -> None:
    hand.page.add_init_script("delete Navigator.prototype.wakeLock;")
    started = playing(server, KING)
    hand.page.goto(f"/m/{started['slug']}")
    expect(hand.page.locator("#who")).to_be_visible()
    expect(hand.page.locator(".awake")).to_be_hidden()
    hand.page.evaluate(ASIDE, True)
    hand.page.evaluate(ASIDE, False)
