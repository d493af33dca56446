"""More than one phone at the table: saves that meet, the open deal, those who watch, and corrections."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from builders import NAMES, deal_entry, match_file
from conftest import BROWSER_ARGUMENTS, Server, browser_path
from fingers import Hand, Json, hand_at, join, kept_deals, number, open_deal, start_match
from playwright.sync_api import Browser, Route, expect

from scorepad.matchfile import read_match
from scorepad.standing import standing

pytestmark = pytest.mark.browser

PLAYERS = list(NAMES)
KING = deal_entry("Anna B", doubles={"Ben": ["Anna"], "Carla": ["Anna", "Ben"]}, result={"king": "Ben"})
OTHER_KING = {**KING, "result": {"king": "Dan"}}
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", doubles={"Ben": ["Carla"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})


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


@pytest.fixture(scope="module")
def remembering(browser: Browser) -> Iterator[Browser]:
    """A browser that keeps the page it leaves as it was, as those on phones do; Playwright's own does not."""
    running = browser.browser_type.launch(
        executable_path=browser_path(),
        args=BROWSER_ARGUMENTS,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    yield running
    running.close()


@pytest.fixture
def back(remembering: Browser, server: Server) -> Iterator[tuple[Hand, str]]:
    """A phone without scripts that has saved a deal and went back to its form, and the slug of the match."""
    with hand_at(remembering, server, java_script_enabled=False) as held:
        slug = open_deal(held, server, match_file())
        held.record(KING, PLAYERS)
        expect(held.page.locator("h1")).to_have_text("Ben declares")
        held.page.go_back(wait_until="commit")
        expect(held.page.locator("h1")).to_have_text("Anna declares")
        yield held, slug


def join_too(hand: Hand, other: Hand, slug: str) -> None:
    """Hand a scoring link from one phone to another."""
    hand.page.goto(f"/m/{slug}/hand-over")
    hand.follow(hand.page.get_by_role("button", name="Make a scoring link"))
    join(other, hand.page.locator(".address a").inner_text())


def totals_of(*deals: Json) -> list[int]:
    """What the core makes of these deals."""
    match, _ = read_match(match_file(*deals))
    assert match is not None
    return list(standing(match).totals)


# Two who score


def test_a_scoring_link_asks_and_then_lets_another_phone_score(
    hand: Hand, other: Hand, server: Server
) -> None:
    slug = open_deal(hand, server, match_file(KING))
    join_too(hand, other, slug)
    assert other.page.url == f"{server.url}/m/{slug}", "the key is no longer in the address"
    other.follow(other.page.get_by_role("link", name="Ben declares"))
    other.record(TRUMPS, PLAYERS)
    hand.page.goto(f"/m/{slug}")
    assert hand.totals() == totals_of(KING, TRUMPS)


def test_a_double_tap_on_save_makes_one_deal(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    hand.fill_in(KING, PLAYERS)
    place = hand.page.locator("#save").bounding_box()
    assert place is not None
    middle = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    hand.page.touchscreen.tap(*middle)
    hand.page.touchscreen.tap(*middle)
    expect(hand.page.locator("#read-back")).to_contain_text("Deal 1: Anna declared Barbu;")
    assert len(kept_deals(hand, slug)) == 1


def test_a_save_that_is_sent_again_makes_one_deal(hand: Hand, server: Server) -> None:
    """The server has it, its answer is lost, and the phone sends it once more."""
    slug = open_deal(hand, server, match_file())
    lost: list[str] = []
    hand.is_cut = True

    def lose_the_answer(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.continue_()
            return
        lost.append(route.fetch().text())
        route.abort()

    hand.page.route(f"**/api/matches/{slug}/deals", lose_the_answer)
    hand.record(KING, PLAYERS)
    assert lost
    expect(hand.page.locator("#read-back")).to_contain_text("Deal 1: Anna declared Barbu;")
    assert len(kept_deals(hand, slug)) == 1


def test_the_same_deal_saved_again_after_back_is_one_deal(back: tuple[Hand, str]) -> None:
    hand, slug = back
    assert hand.checked("king") == {"1"}, "Back brings the form as it was left"
    hand.save()
    expect(hand.page.locator("#read-back")).to_contain_text("Deal 1: Anna declared Barbu;")
    expect(hand.page.locator("h1")).to_have_text("Ben declares")
    assert len(kept_deals(hand, slug)) == 1


def test_other_figures_saved_after_back_show_both_and_one_tap_corrects(back: tuple[Hand, str]) -> None:
    hand, slug = back
    hand.pick("king", 3)
    hand.save()
    shown = hand.page.locator(".conflict")
    expect(shown.locator("h2")).to_have_text("Saved already, with other figures")
    expect(shown.locator("dd").first).to_contain_text("Ben took the king of hearts.")
    expect(shown.locator("dd").last).to_contain_text("Dan took the king of hearts.")
    assert hand.checked("contract") == {"B"}
    assert hand.checked("doubles") == {"10", "20", "21"}
    assert hand.checked("king") == {"3"}
    assert [d["result"]["king"] for d in kept_deals(hand, slug)] == ["Ben"]
    hand.save()
    assert [d["result"]["king"] for d in kept_deals(hand, slug)] == ["Dan"]
    hand.page.goto(f"/m/{slug}")
    assert hand.totals() == totals_of(OTHER_KING)


def test_what_stands_can_be_left_as_it_is(back: tuple[Hand, str]) -> None:
    hand, slug = back
    hand.pick("king", 3)
    hand.save()
    hand.follow(hand.page.get_by_role("link", name="Leave it as it is"))
    assert hand.page.url.endswith(f"/m/{slug}")
    assert hand.totals() == totals_of(KING)


def test_back_and_forward_bring_no_stale_form(remembering: Browser, server: Server) -> None:
    with hand_at(remembering, server) as hand:
        slug = open_deal(hand, server, match_file())
        hand.record(KING, PLAYERS)
        hand.declare("NQ")
        hand.page.go_back(wait_until="commit")
        hand.page.go_forward(wait_until="commit")
        expect(hand.page.locator("h1")).to_have_text("Ben declares")
        assert hand.checked("contract") == {"NQ"}, "what was entered is still there"
        expect(hand.page.locator("#taken")).to_be_hidden()
        for _ in range(100):  # what was on its way when the page was left is sent again
            if len(kept_deals(hand, slug)) == 2:
                break
            hand.page.wait_for_timeout(100)
        saved, playing = kept_deals(hand, slug)
        assert saved["result"] == {"king": "Ben"}
        assert playing == {"contract": "NQ", "declarer": "Ben", "doubles": {}}


@pytest.fixture
def meeting(hand: Hand, other: Hand, server: Server) -> str:
    """Two phones have entered the same deal, with other results; the first has saved it. The slug."""
    slug = open_deal(hand, server, match_file())
    join_too(hand, other, slug)
    for phone in hand, other:
        phone.page.goto(f"/m/{slug}/deals/new")
    hand.declare("B")
    expect(other.chip("contract", "B").locator("input")).to_be_checked()
    other.double(OTHER_KING["doubles"], PLAYERS)
    other.tap(other.page.get_by_role("button", name="Take over here"))
    other.tally(OTHER_KING["result"], PLAYERS)
    hand.double(KING["doubles"], PLAYERS)
    hand.tally(KING["result"], PLAYERS)
    hand.save()
    return slug


def sees_what_saving_over_does(other: Hand, deals: list[Json]) -> None:
    """A double tap only shows each total, as it stands and as it will, before anything is saved."""
    shown = other.page.locator("#refused")
    shown.get_by_role("button", name="See what mine does").dblclick()
    expect(shown.get_by_role("button", name="Save mine")).to_be_visible()
    expect(shown.locator(".sums .changed").first).to_be_visible()
    expect(shown.locator(".further")).not_to_contain_text("being asked for")
    rows = other.rows("#refused .sums")
    match = read_match(match_file(*deals)).match
    assert match
    stands = standing(match).totals
    assert [number(before) for _, before, _ in rows] == list(stands)
    assert [number(after) for _, _, after in rows] != list(stands)
    other.page.wait_for_timeout(800)


def test_two_phones_that_save_the_same_deal_see_both_versions(meeting: str, hand: Hand, other: Hand) -> None:
    other.save()
    shown = other.page.locator("#refused")
    expect(shown.locator("h2")).to_have_text("Somebody else saved deal 1 meanwhile")
    expect(shown.locator("dd").first).to_contain_text("Ben took the king of hearts")
    expect(shown.locator("dd").last).to_contain_text("Dan took the king of hearts")
    assert len(kept_deals(hand, meeting)) == 1
    sees_what_saving_over_does(other, kept_deals(hand, meeting))
    assert [d["result"]["king"] for d in kept_deals(hand, meeting)] == ["Ben"]
    other.tap(shown.get_by_role("button", name="Save mine"))
    expect(shown).to_be_hidden()
    assert [d["result"]["king"] for d in kept_deals(hand, meeting)] == ["Dan"]
    expect(other.page.locator("h1")).to_have_text("Ben declares")


def test_what_another_phone_has_saved_can_be_left_as_it_is(meeting: str, hand: Hand, other: Hand) -> None:
    other.save()
    other.tap(other.page.get_by_role("button", name="Leave it as it is"))
    other.page.wait_for_timeout(800)
    other.tap(other.page.get_by_role("button", name="Really drop deal 1"))
    expect(other.page.locator("#refused")).to_be_hidden()
    expect(other.page.locator("h1")).to_have_text("Ben declares")
    assert [d["result"]["king"] for d in kept_deals(hand, meeting)] == ["Ben"]


def test_a_phone_is_told_that_another_has_saved_the_deal_it_enters(
    meeting: str, hand: Hand, other: Hand
) -> None:
    told = other.page.locator("#overtaken")
    expect(told.locator("h2")).to_have_text("Deal 1 was saved on another phone")
    expect(told).to_contain_text("Ben took the king of hearts")
    assert other.checked("king") == {"3"}, "nothing is taken away by itself"
    other.tap(told.get_by_role("button", name="Go on with deal 2"))
    expect(other.page.locator("h1")).to_have_text("Ben declares")
    assert other.checked("contract") == set()
    assert len(kept_deals(hand, meeting)) == 1


def test_a_phone_that_has_entered_nothing_moves_on_by_itself(hand: Hand, other: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    join_too(hand, other, slug)
    for phone in hand, other:
        phone.page.goto(f"/m/{slug}/deals/new")
    hand.record(KING, PLAYERS)
    expect(other.page.locator("h1")).to_have_text("Ben declares")


def test_a_stale_correction_shows_both_versions(hand: Hand, other: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file(KING, TRUMPS))
    join_too(hand, other, slug)
    for phone in hand, other:
        open_correction(phone, slug, "1 B Anna")
    other.is_cut = True
    other.page.route("**/now", lambda route: route.abort())  # it does not hear of the other save
    other.pick("king", 2)
    other.tap(other.chip("doubles", "10"))
    hand.pick("king", 3)
    hand.save()
    other.save()
    shown = other.page.locator("#refused")
    expect(shown.locator("dd").first).to_contain_text("Dan took the king of hearts")
    expect(shown.locator("dd").last).to_contain_text("Carla took the king of hearts")
    assert other.checked("king") == {"2"}
    assert other.checked("doubles") == {"20", "21"}
    assert kept_deals(hand, slug)[0]["result"] == {"king": "Dan"}
    sees_what_saving_over_does(other, kept_deals(hand, slug))
    other.follow(shown.get_by_role("button", name="Save mine"))
    saved = kept_deals(hand, slug)
    assert saved[0]["result"] == {"king": "Carla"}
    assert saved[0]["doubles"] == {"Carla": ["Anna", "Ben"]}
    assert len(saved) == 2


def test_a_refused_correction_is_mended_once_it_was_seen_what_that_does(
    hand: Hand, other: Hand, server: Server
) -> None:
    slug = open_deal(hand, server, match_file(KING, TRUMPS))
    join_too(hand, other, slug)
    for phone in hand, other:
        open_correction(phone, slug, "1 B Anna")
    other.is_cut = True
    other.page.route("**/now", lambda route: route.abort())
    other.pick("king", 2)
    hand.pick("king", 3)
    hand.save()
    other.save()
    other.tap(other.page.locator("#refused").get_by_role("button", name="Mend it"))
    expect(other.page.locator("#effect")).to_be_hidden()
    other.pick("king", 0)
    expect(other.page.locator("#save")).to_have_text("See what it does")
    other.tap("#save")
    expect(other.page.locator("#effect .further")).not_to_contain_text("being asked for")
    assert len(other.rows("#effect table")) == 4
    assert kept_deals(hand, slug)[0]["result"] == {"king": "Dan"}
    expect(other.page.locator("#save")).to_have_text("Save the correction")
    other.page.wait_for_timeout(800)
    other.follow("#save")
    assert kept_deals(hand, slug)[0]["result"] == {"king": "Anna"}


# The open deal


def test_the_open_deal_waits_for_whoever_scores(hand: Hand, other: Hand, server: Server) -> None:
    """It is there when the page is opened again, and on another phone, which then enters the result."""
    slug = open_deal(hand, server, match_file())
    hand.declare("B")
    hand.double(KING["doubles"], PLAYERS)
    hand.play()
    expect(hand.page.locator("header p")).to_contain_text("being played")
    join_too(hand, other, slug)
    hand.page.close()
    other.follow(other.page.get_by_role("link", name="Enter the result"))
    assert other.checked("contract") == {"B"}
    assert other.checked("doubles") == {"10", "20", "21"}
    other.tally(KING["result"], PLAYERS)
    other.save()
    other.page.goto(f"/m/{slug}")
    assert other.totals() == totals_of(KING)
    expect(other.page.locator(".bar")).to_have_text("Ben declares")


def test_the_page_of_the_open_deal_finds_it_again(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    hand.declare("NQ")
    hand.double({"Ben": ["Anna", "Carla", "Dan"]}, PLAYERS)
    hand.play()
    again = Hand(hand.page.context.new_page())
    hand.page.close()
    again.page.goto(f"/m/{slug}/deals/new")
    assert again.checked("contract") == {"NQ"}
    assert again.checked("doubles") == {"10", "12", "13"}
    with again.page.expect_response(f"**/api/matches/{slug}/open"):
        again.tap(again.chip("doubles", "12"))
    again.page.reload()
    assert again.checked("doubles") == {"10", "13"}


def test_a_misdeal_drops_the_open_deal(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    hand.declare("NQ")
    hand.double({"Ben": ["Anna"]}, PLAYERS)
    hand.play()
    hand.tap("text=Misdeal?")
    with hand.page.expect_response(f"**/api/matches/{slug}/open"):
        hand.tap(hand.page.get_by_role("button", name="Drop the open deal"))
    assert hand.checked("contract") == set()
    hand.page.goto(f"/m/{slug}")
    expect(hand.page.locator(".bar")).to_have_text("Anna declares")


def test_the_open_deal_is_kept_as_it_is_tapped(hand: Hand, other: Hand, server: Server) -> None:
    """Without Play: another phone that scores finds what was tapped, and a watcher sees it."""
    slug = open_deal(hand, server, match_file())
    other.page.goto(f"/m/{slug}")
    hand.declare("NQ")
    hand.double({"Ben": ["Anna"]}, PLAYERS)
    expect(other.page.locator(".now")).to_contain_text("Ben doubled Anna.", timeout=10_000)
    join_too(hand, other, slug)
    other.page.goto(f"/m/{slug}/deals/new")
    assert other.checked("contract") == {"NQ"}
    assert other.checked("doubles") == {"10"}


@pytest.fixture
def both(hand: Hand, other: Hand, server: Server) -> str:
    """Two phones on the page of the same deal: the first has doubled, the second is told so; the slug."""
    slug = open_deal(hand, server, match_file())
    join_too(hand, other, slug)
    for phone in hand, other:
        phone.page.goto(f"/m/{slug}/deals/new")
    with hand.page.expect_response(f"**/api/matches/{slug}/open"):
        hand.declare("B")
    with hand.page.expect_response(f"**/api/matches/{slug}/open"):
        hand.tap(hand.chip("doubles", "10"))
    expect(other.page.locator("#taken")).to_be_hidden()
    other.declare("NQ")
    expect(other.page.locator("#taken")).to_be_visible()
    return slug


def test_who_taps_into_a_deal_that_another_phone_holds_can_look_at_it(both: str, other: Hand) -> None:
    other.tap(other.page.get_by_role("button", name="Show theirs"))
    expect(other.chip("contract", "B").locator("input")).to_be_checked()
    assert other.checked("contract") == {"B"}
    assert other.checked("doubles") == {"10"}
    expect(other.page.locator("#taken")).to_be_hidden()


def test_who_taps_into_a_deal_that_another_phone_holds_can_take_it_over(
    both: str, hand: Hand, other: Hand
) -> None:
    with other.page.expect_response(f"**/api/matches/{both}/open"):
        other.tap(other.page.get_by_role("button", name="Take over here"))
    expect(other.page.locator("#taken")).to_be_hidden()
    hand.tap(hand.chip("doubles", "20"))
    expect(hand.page.locator("#taken")).to_be_visible()
    hand.tap(hand.page.get_by_role("button", name="Show theirs"))
    expect(hand.chip("contract", "NQ").locator("input")).to_be_checked()
    assert hand.checked("contract") == {"NQ"}
    assert hand.checked("doubles") == set()


def test_without_scripts_a_deal_that_another_phone_holds_is_shown_beside_ones_own(
    browser: Browser, hand: Hand, server: Server
) -> None:
    slug = open_deal(hand, server, match_file())
    with hand_at(browser, server, java_script_enabled=False) as other:
        join_too(hand, other, slug)
        hand.page.goto(f"/m/{slug}/deals/new")
        other.page.goto(f"/m/{slug}/deals/new")
        for phone, doubles in (hand, "10"), (other, "20"):
            phone.declare("B")
            phone.tap(phone.chip("doubles", doubles))
            phone.play()
        shown = other.page.locator(".conflict")
        expect(shown.locator("h2")).to_have_text("Another phone changed the open deal")
        expect(shown.locator("dd").first).to_contain_text("Ben doubled Anna.")
        expect(shown.locator("dd").last).to_contain_text("Carla doubled Anna.")
        assert other.checked("doubles") == {"20"}
        other.play()
    hand.page.goto(f"/m/{slug}/deals/new")
    assert hand.checked("doubles") == {"20"}


def test_play_is_no_conflict_with_ones_own_last_tap(hand: Hand, server: Server) -> None:
    """The server has the last double already, its answer is still on its way, and Play is tapped."""
    slug = open_deal(hand, server, match_file())
    address = f"**/api/matches/{slug}/open"
    with hand.page.expect_response(address):
        hand.declare("B")
    arrived: list[Route] = []

    def hold_the_answer(route: Route) -> None:
        route.fetch()
        arrived.append(route)

    hand.page.route(address, hold_the_answer)
    hand.tap(hand.chip("doubles", "10"))
    for _ in range(200):
        if arrived:
            break
        hand.page.evaluate("() => new Promise(requestAnimationFrame)")
    hand.play()
    expect(hand.page.locator("#taken")).to_be_hidden()
    expect(hand.page.locator("header p")).to_contain_text("being played")
    assert hand.checked("doubles") == {"10"}


def test_a_forced_double_that_was_not_spoken_is_not_set_again_when_the_hand_is_over(
    hand: Hand, server: Server
) -> None:
    """Ben owes Anna one double in Trumps, her last contract, and stays silent."""
    six = [
        deal_entry("Anna M", doubles={"Carla": ["Anna"]}, result={"tricks": {"Ben": 13}}),
        deal_entry("Anna NQ", doubles={"Carla": ["Anna"]}, result={"queens": {"Ben": 4}}),
        deal_entry("Anna NH", doubles={"Dan": ["Anna"]}, result={"hearts": {"Ben": 13}, "ace": "Ben"}),
        deal_entry("Anna NL2", doubles={"Dan": ["Anna"]}, result={"last_two": ["Ben", "Ben"]}),
        deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"}),
        deal_entry("Anna D", result={"order": PLAYERS}),
    ]
    slug = open_deal(hand, server, match_file(*six, rules="seven-in-a-row"))
    hand.declare("T")
    assert hand.checked("doubles") == {"10"}
    hand.tap(hand.chip("doubles", "10"))
    hand.play()
    assert hand.checked("doubles") == set()
    hand.count("tricks", {"Anna": 13}, PLAYERS)
    hand.save()
    hand.page.goto(f"/m/{slug}")
    row = hand.page.locator("table.deals tbody tr").first
    expect(row.locator(".short")).to_have_text("Ben had to double Anna and did not.")


# Those who watch


def test_a_watcher_sees_the_open_deal_and_no_way_to_score(hand: Hand, other: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file(TRUMPS | {"declarer": "Dan", "doubles": {"Ben": ["Dan"]}}))
    hand.declare("B")
    hand.double({"Ben": ["Anna"], "Anna": ["Ben"], "Dan": ["Carla"]}, PLAYERS)
    hand.play()
    other.page.goto(f"/m/{slug}")
    now = other.page.locator(".now")
    expect(now.locator(".declared")).to_have_text("Barbu")
    for said in "Ben doubled Anna.", "Anna redoubled Ben.", "Dan doubled Carla.":
        expect(now).to_contain_text(said)
    expect(other.page.locator(".bar")).to_have_count(0)
    other.page.goto(f"/m/{slug}/deals/new")
    assert other.page.url == f"{server.url}/m/{slug}", "who may not score is led to the table"
    other.page.goto(f"/m/{slug}/share")
    expect(other.page.get_by_role("link", name="Hand over scoring")).to_have_count(0)
    other.page.goto(f"/m/{slug}/hand-over")
    assert other.page.url == f"{server.url}/m/{slug}"
    other.page.goto(f"/m/{slug}")
    other.follow("table.deals th a")
    expect(other.page.get_by_role("link", name="Correct this deal")).to_have_count(0)
    expect(other.page.get_by_role("link", name="Remove it")).to_have_count(0)


def test_a_watcher_sees_a_save_by_himself(hand: Hand, other: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    other.page.goto(f"/m/{slug}")
    hand.record(KING, PLAYERS)
    expect(other.page.locator("[data-total='1']")).not_to_have_text("0", timeout=10_000)
    assert other.totals() == totals_of(KING)


def test_the_home_page_shows_this_phones_matches_only(hand: Hand, other: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file(KING, title="At Anna's"))
    hand.page.goto("/")
    (match,) = hand.page.locator("a.match").all()
    assert (match.get_attribute("href") or "") == f"/m/{slug}"
    expect(match).to_contain_text("At Anna's")
    other.page.goto(f"/m/{slug}")
    other.page.goto("/")
    expect(other.page.locator("a.match")).to_have_count(0)


# Past deals


def open_correction(hand: Hand, slug: str, row: str) -> None:
    """From the table by the row of a deal to its form."""
    hand.page.goto(f"/m/{slug}")
    hand.follow(hand.page.get_by_role("link", name=row))
    hand.follow(hand.page.get_by_role("link", name="Correct this deal"))


def test_a_past_deal_is_corrected_and_everything_after_it_is_computed_anew(
    hand: Hand, server: Server
) -> None:
    slug = open_deal(hand, server, match_file(KING, TRUMPS, HEARTS))
    open_correction(hand, slug, "2 T Ben")
    assert hand.checked("contract") == {"T"}
    assert hand.checked("doubles") == {"31"}
    assert hand.counts("tricks") == ["4", "6", "0", "3"]
    for seat in range(4):
        hand.tap(hand.page.locator(f'.tile:has(input[name="tricks_{seat}"])'))
    hand.count("tricks", {"Anna": 1, "Ben": 2, "Carla": 3, "Dan": 7}, PLAYERS)
    hand.save()
    hand.page.goto(f"/m/{slug}")
    corrected = TRUMPS | {"result": {"tricks": {"Anna": 1, "Ben": 2, "Carla": 3, "Dan": 7}}}
    assert hand.totals() == totals_of(KING, corrected, HEARTS)
    hand.follow(hand.page.get_by_role("link", name="3 NH Carla"))
    (total,) = [cells for head, *cells in hand.rows("table.sums") if head == "Total"]
    assert [number(cell) for cell in total] == totals_of(KING, corrected, HEARTS)


def test_a_correction_may_change_contract_and_doubles(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file(KING, TRUMPS))
    open_correction(hand, slug, "1 B Anna")
    hand.declare("NL2")
    assert hand.checked("doubles") == {"10", "20", "21"}
    hand.tap('.speak[data-doubler="2"] .max')
    hand.tally({"last_two": ["Carla", "Anna"]}, PLAYERS)
    hand.save()
    hand.page.goto(f"/m/{slug}")
    corrected = deal_entry(
        "Anna NL2",
        doubles={"Ben": ["Anna"], "Carla": ["Anna", "Ben", "Dan"]},
        result={"last_two": ["Carla", "Anna"]},
    )
    assert hand.totals() == totals_of(corrected, TRUMPS)


def test_a_removed_deal_counts_no_more_and_the_others_move_up(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file(KING, TRUMPS, HEARTS))
    hand.page.goto(f"/m/{slug}")
    hand.follow(hand.page.get_by_role("link", name="2 T Ben"))
    hand.follow(hand.page.get_by_role("link", name="Remove it"))
    expect(hand.page.locator("main")).to_contain_text("Ben declared Trumps.")
    hand.follow(hand.page.get_by_role("button", name="Remove deal 2"))
    assert hand.totals() == totals_of(KING, HEARTS)
    first, second = (head for head, _ in hand.deals())
    assert first == "1 B Anna"
    assert second.startswith("2 NH Carla")


def test_removing_can_be_thought_better_of(hand: Hand, server: Server) -> None:
    slug = start_match(server, match_file(KING))
    join(hand, slug["score_url"])
    hand.follow("table.deals th a")
    hand.follow(hand.page.get_by_role("link", name="Remove it"))
    hand.follow(hand.page.get_by_role("link", name="Keep it"))
    hand.page.goto(f"/m/{slug['slug']}")
    assert hand.totals() == totals_of(KING)
