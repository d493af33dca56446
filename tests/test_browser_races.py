"""What can come between a tap and the record: other phones and pages, taps too many, lost answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from builders import NAMES, deal_entry, match_file
from conftest import Server, case
from fingers import Hand, Json, hand_at, join, open_deal, send, start_match
from playwright.sync_api import Browser, Route, expect

pytestmark = pytest.mark.browser

PLAYERS = list(NAMES)
KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", doubles={"Ben": ["Carla"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})
QUEENS = deal_entry("Dan NQ", doubles={"Ben": ["Dan"]}, result={"queens": {"Anna": 1, "Ben": 3}})


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """The phone that keeps the score; its line may be cut."""
    with hand_at(browser, server) as held:
        held.is_cut = True
        yield held


def deals(server: Server, slug: str) -> list[tuple[str, str]]:
    """Declarer and contract of each deal of the record."""
    kept: list[Json] = send(server, "GET", f"/api/matches/{slug}/now", None)["file"]["deals"]
    return [(deal["declarer"], deal["contract"]) for deal in kept]


def started_at(hand: Hand, server: Server, *played: Json) -> dict[str, str]:
    """A match on the page of its next deal."""
    started = start_match(server, match_file(*played))
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    hand.page.locator("form.live").wait_for()
    return started


def script(server: Server, started: dict[str, str], method: str, path: str, body: Json) -> None:
    """Another scorer changes the match."""
    send(server, method, f"/api/matches/{started['slug']}/{path}", body, key=started["score_key"])


def nothing_waits(hand: Hand) -> None:
    """All has arrived."""
    expect(hand.page.locator("#waiting")).to_have_attribute("data-count", "0", timeout=20_000)


def test_enter_saves_nothing_and_drops_nothing(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    hand.fill_in(KING, PLAYERS)
    hand.tap("text=Note something")
    hand.page.fill("#note", "misdealt once")
    hand.page.press("#note", "Enter")
    hand.chip("king", "1").locator("input").press("Enter")
    assert hand.checked("king") == {"1"}
    assert hand.checked("doubles") == {"10"}
    assert deals(server, slug) == []
    hand.save()
    assert deals(server, slug) == [("Anna", "B")]


def test_a_correction_does_not_run_over_that_of_another_phone(hand: Hand, server: Server) -> None:
    """It was opened before the other one, and saved long after."""
    started = started_at(hand, server, KING)
    hand.page.goto(f"/m/{started['slug']}/deals/file-deal-01")
    hand.pick("king", 3)
    body = {"id": "another-phone", "seen": 1, "deal": {**KING, "result": {"king": "Carla"}}}
    with hand.page.expect_response(lambda r: r.url.endswith("/now") and r.status == 200):
        script(server, started, "PUT", "deals/file-deal-01", body)
    hand.page.wait_for_timeout(100)
    hand.save()
    shown = hand.page.locator("#refused")
    expect(shown.locator("dd").first).to_contain_text("Carla took the king of hearts")
    expect(shown.locator("dd").last).to_contain_text("Dan took the king of hearts")


def test_a_correction_nobody_has_tapped_into_shows_the_other_phones(hand: Hand, server: Server) -> None:
    started = started_at(hand, server, KING)
    hand.page.goto(f"/m/{started['slug']}/deals/file-deal-01")
    body = {"id": "another-phone", "seen": 1, "deal": {**KING, "result": {"king": "Carla"}}}
    script(server, started, "PUT", "deals/file-deal-01", body)
    expect(hand.chip("king", "2").locator("input")).to_be_checked(timeout=10_000)


def test_a_deal_moves_up_when_an_earlier_one_is_removed_elsewhere(hand: Hand, server: Server) -> None:
    started = started_at(hand, server, KING, TRUMPS)
    hand.fill_in(HEARTS, PLAYERS)
    script(server, started, "DELETE", "deals/file-deal-01", {"id": "another-phone", "seen": 1})
    expect(hand.page.locator("#about")).to_contain_text("Deal 2 of 28", timeout=10_000)
    hand.save()
    assert deals(server, started["slug"]) == [("Ben", "T"), ("Carla", "NH")]


def test_kept_deals_move_up_when_an_earlier_one_is_removed_elsewhere(hand: Hand, server: Server) -> None:
    started = started_at(hand, server, KING)
    hand.page.context.set_offline(True)
    for deal in TRUMPS, HEARTS:
        hand.fill_in(deal, PLAYERS)
        hand.keep()
    script(server, started, "DELETE", "deals/file-deal-01", {"id": "another-phone", "seen": 1})
    hand.page.context.set_offline(False)
    nothing_waits(hand)
    assert deals(server, started["slug"]) == [("Ben", "T"), ("Carla", "NH")]


def refused_second(hand: Hand, server: Server, *kept: Json) -> dict[str, str]:
    """Deals are kept; the first of them is refused, since a script declared Ben's Trumps in deal 1."""
    started = started_at(hand, server, KING)
    hand.page.context.set_offline(True)
    for deal in kept:
        hand.fill_in(deal, PLAYERS)
        hand.keep()
    before = deal_entry("Ben T", result={"tricks": {"Anna": 13}})
    script(server, started, "PUT", "deals/file-deal-01", {"id": "a-script", "seen": 1, "deal": before})
    hand.page.context.set_offline(False)
    expect(hand.page.locator("#refused h2")).to_have_text("Deal 2 was not taken", timeout=20_000)
    return started


def test_a_double_tap_on_drop_drops_nothing_and_two_drop_one(hand: Hand, server: Server) -> None:
    started = refused_second(hand, server, TRUMPS, HEARTS, QUEENS)
    button = hand.page.locator("#refused .danger")
    button.dblclick()
    expect(button).to_have_text("Really drop deal 2")
    hand.page.wait_for_timeout(800)
    button.dblclick()
    nothing_waits(hand)
    assert deals(server, started["slug"]) == [("Ben", "T"), ("Carla", "NH"), ("Dan", "NQ")]


def test_mending_keeps_the_next_deal_as_far_as_it_was_entered(hand: Hand, server: Server) -> None:
    started = refused_second(hand, server, TRUMPS)
    expect(hand.page.locator("h1")).to_have_text("Anna declares")
    hand.declare("NQ")
    hand.double({"Dan": ["Carla"]}, PLAYERS)
    hand.tap(hand.page.get_by_role("button", name="Mend it"))
    expect(hand.page.locator("h1")).to_have_text("Mend deal 2")
    hand.tap(hand.page.get_by_role("button", name="Not now"))
    expect(hand.page.locator("h1")).to_have_text("Anna declares")
    assert hand.checked("doubles") == {"32"}
    hand.tap(hand.page.get_by_role("button", name="Mend it"))
    hand.declare("M")
    hand.save()
    nothing_waits(hand)
    assert deals(server, started["slug"]) == [("Ben", "T"), ("Ben", "M")]
    expect(hand.page.locator("h1")).to_have_text("Anna declares")
    assert (hand.checked("contract"), hand.checked("doubles")) == ({"NQ"}, {"32"})


def test_a_refused_deal_is_mended_on_the_page_of_another(hand: Hand, server: Server) -> None:
    """It stays the deal it is; the one on the page stands as it was."""
    started = refused_second(hand, server, TRUMPS)
    hand.page.goto(f"/m/{started['slug']}/deals/file-deal-01")
    hand.tap(hand.page.get_by_role("button", name="Mend it"))
    hand.declare("M")
    hand.tap("#save")
    hand.page.wait_for_url("**/deals/new?saved=*")
    assert deals(server, started["slug"]) == [("Ben", "T"), ("Ben", "M")]


def test_a_refused_deal_is_not_put_in_as_a_forgotten_one(hand: Hand, server: Server) -> None:
    """The page of a forgotten deal sends its form; what is mended is mended on the page of the next deal."""
    started = refused_second(hand, server, TRUMPS)
    hand.page.goto(f"/m/{started['slug']}/deals/insert/1")
    hand.follow(hand.page.get_by_role("button", name="Mend it"))
    expect(hand.page.locator("#refused h2")).to_have_text("Deal 2 was not taken")
    hand.tap(hand.page.get_by_role("button", name="Mend it"))
    expect(hand.page.locator("h1")).to_have_text("Mend deal 2")


def test_a_kept_deal_is_put_right_before_it_has_arrived(hand: Hand, server: Server) -> None:
    started = started_at(hand, server)
    hand.page.context.set_offline(True)
    hand.fill_in(KING, PLAYERS)
    hand.keep()
    hand.tap(hand.page.locator("#read-back").get_by_role("button", name="Correct it"))
    hand.pick("king", 3)
    hand.tap("#save")
    expect(hand.page.locator("h1")).to_have_text("Ben declares")
    hand.page.context.set_offline(False)
    nothing_waits(hand)
    kept = send(server, "GET", f"/api/matches/{started['slug']}/now", None)["file"]["deals"]
    assert [deal["result"] for deal in kept] == [{"king": "Dan"}]


def test_another_hand_becomes_the_next_deal(hand: Hand, server: Server) -> None:
    """Two phones have each kept another hand as deal 1."""
    started = started_at(hand, server)
    hand.page.context.set_offline(True)
    hand.fill_in(KING, PLAYERS)
    hand.keep()
    body = {"id": "another-phone", "seen": 1, "deal": TRUMPS, "number": 1}
    script(server, started, "POST", "deals", body)
    hand.page.context.set_offline(False)
    expect(hand.page.locator("#refused h2")).to_be_visible(timeout=20_000)
    hand.tap(hand.page.get_by_role("button", name="It is another hand: save it as the next"))
    nothing_waits(hand)
    assert deals(server, started["slug"]) == [("Ben", "T"), ("Anna", "B")]


def test_another_page_of_this_phone_sends_what_waits(hand: Hand, server: Server) -> None:
    """And what was entered of the next deal is there when one comes back."""
    started = started_at(hand, server)
    hand.declare("B")
    hand.page.context.set_offline(True)
    hand.double(KING["doubles"], PLAYERS)
    hand.tally(KING["result"], PLAYERS)
    hand.keep()
    hand.fill_in(TRUMPS, PLAYERS)
    hand.follow(".back")
    hand.page.context.set_offline(False)
    nothing_waits(hand)
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    expect(hand.chip("contract", "T").locator("input")).to_be_checked()
    assert hand.counts("tricks") == ["4", "6", "0", "3"]
    hand.save()
    assert deals(server, started["slug"]) == [("Anna", "B"), ("Ben", "T")]


def test_an_open_deal_whose_answer_was_lost_is_no_other_phones(hand: Hand, server: Server) -> None:
    started = started_at(hand, server)
    lost: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().text())
        route.abort()

    hand.page.route(f"**/api/matches/{started['slug']}/open", lose_the_first_answer)
    hand.declare("B")
    expect(hand.page.locator("h1")).to_have_text("Anna declares")
    with hand.page.expect_response(lambda r: r.url.endswith("/open") and r.status == 200):
        hand.tap(hand.chip("doubles", "10"))
    expect(hand.page.locator("#taken")).to_be_hidden()


@pytest.mark.parametrize("leave", ["stay", "reload"])
def test_what_was_tapped_over_a_dead_line_reaches_the_others_later(
    hand: Hand, server: Server, leave: str
) -> None:
    """The open deal is sent again when the line is back, with the page left open or loaded anew."""
    started = started_at(hand, server)
    address = f"**/api/matches/{started['slug']}/open"
    hand.page.route(address, lambda route: route.abort())
    hand.declare("B")
    hand.tap(hand.chip("doubles", "10"))
    with hand.page.expect_response(lambda r: r.url.endswith("/open") and r.ok, timeout=10_000):
        hand.page.unroute(address)
        if leave == "reload":
            hand.page.reload()
    expect(hand.chip("doubles", "10").locator("input")).to_be_checked()
    hand.page.context.new_page().goto(f"/m/{started['slug']}")
    watching = hand.page.context.pages[-1]
    expect(watching.locator(".now")).to_contain_text("Ben doubled Anna.", timeout=10_000)


def test_the_last_deal_can_be_mended_at_the_end_of_a_match(hand: Hand, server: Server) -> None:
    """Somebody else has saved deal 28 first, with other figures."""
    full = case("matches/full-match")
    started = start_match(server, {**full, "deals": full["deals"][:27]})
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    last = full["deals"][27]
    hand.page.context.set_offline(True)
    hand.fill_in(last, full["players"])
    hand.tap("#save")
    expect(hand.page.locator("h1")).to_have_text("All deals are played")
    body = {"id": "another-phone", "seen": 1, "deal": {**last, "note": "mine"}, "number": 28}
    script(server, started, "POST", "deals", body)
    hand.page.context.set_offline(False)
    expect(hand.page.locator("#refused h2")).to_be_visible(timeout=20_000)
    hand.page.goto(f"/m/{started['slug']}")
    hand.tap("#waiting summary")
    hand.follow(hand.page.get_by_role("link", name="Look at it"))
    hand.tap(hand.page.get_by_role("button", name="Leave it as it is"))
    hand.page.wait_for_timeout(800)
    hand.tap(hand.page.get_by_role("button", name="Really drop deal 28"))
    hand.page.wait_for_url(f"**/m/{started['slug']}")


def test_players_may_have_any_name(hand: Hand, server: Server) -> None:
    names = ["constructor", "__proto__", "toString", "B"]
    slug = open_deal(hand, server, match_file(players=names))
    king = {"contract": "B", "doubles": {"__proto__": ["constructor"]}, "result": {"king": "toString"}}
    hand.record(king, names)
    expect(hand.page.locator("#read-back .aloud")).to_contain_text("toString took the king of hearts")
    expect(hand.page.locator("h1")).to_have_text("__proto__ declares")
    assert deals(server, slug) == [("constructor", "B")]


def test_a_double_tap_on_pass_passes_once(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    hand.declare("NQ")
    place = hand.page.locator(".speak.now .pass").bounding_box()
    assert place is not None
    spot = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    hand.page.touchscreen.tap(*spot)
    hand.page.touchscreen.tap(*spot)
    assert hand.checked("doubles") == set()
    assert hand.page.locator(".speak.now .who bdi").inner_text() == "Carla"


def test_where_the_server_counts_differently_the_page_says_so(hand: Hand, server: Server) -> None:
    """What the server says stands; the phone's own figure is not shown in its place without a word."""
    started = start_match(server, match_file(KING))
    join(hand, started["score_url"])

    def count_otherwise(route: Route) -> None:
        answer = route.fetch()
        if answer.status != 200:
            route.fulfill(response=answer)
            return
        now = answer.json()
        route.fulfill(response=answer, json=now | {"totals": now["totals"] | {"Ben": 77}})

    hand.page.route("**/now", count_otherwise)
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    expect(hand.page.locator("#away")).to_contain_text("The server counts differently: Ben 77.")


def test_nothing_that_destroys_is_near_save(hand: Hand, server: Server) -> None:
    """What drops the open deal is folded away, and never in the bar at the thumb."""
    open_deal(hand, server, match_file())
    hand.fill_in(KING, PLAYERS)
    expect(hand.page.locator(".bar button:visible")).to_have_count(1)
    expect(hand.page.locator(".bar .danger")).to_have_count(0)
    expect(hand.page.locator(".danger")).to_have_count(1)
    expect(hand.page.locator(".danger")).to_be_hidden()
