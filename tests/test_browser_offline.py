"""Without a connection: deals are kept on the phone, the match goes on, and all arrives once, in order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import NAMES, deal_entry, match_file
from conftest import BROWSER_ARGUMENTS, Server, browser_path, case
from fingers import PHONE, Hand, Json, hand_at, join, number, open_deal, send, start_match, tidy
from playwright.sync_api import Browser, Route, expect

from scorepad.match import Deal
from scorepad.matchfile import read_match
from scorepad.standing import Standing, standing

pytestmark = pytest.mark.browser

FILE = case("matches/full-match")
EXPECTED = case("matches/full-match.expected")
FULL_NAMES: list[str] = FILE["players"]
PLAYERS = list(NAMES)

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", doubles={"Ben": ["Carla"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})


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


def line(hand: Hand, *, cut: bool) -> None:
    """Cut the connection of a phone, or mend it."""
    hand.page.context.set_offline(cut)


def plain(deals: list[Json], file: Json = FILE) -> list[Json]:
    """Deals as the record has them, whatever the order in which doubles were written."""
    match = read_match({**file, "deals": deals}).match
    assert match
    played = [d for d in match.deals if isinstance(d, Deal)]
    return [(d.declarer, d.contract, d.doubles, d.tally) for d in played]


def after(deals: int) -> Standing:
    """Where the whole match stands after so many deals."""
    match = read_match({**FILE, "deals": FILE["deals"][:deals]}).match
    assert match
    return standing(match)


def arrived(hand: Hand) -> None:
    """Wait until nothing waits any more."""
    expect(hand.page.locator("#waiting")).to_have_attribute("data-count", "0", timeout=20_000)
    expect(hand.page.locator("#waiting")).to_be_hidden()
    expect(hand.page.locator("#away")).to_be_hidden(timeout=20_000)


# A whole evening


def play_on(hand: Hand, deals: range) -> None:
    """Record deals of the whole match as if nothing had happened."""
    for place in deals:
        hand.record(FILE["deals"][place - 1], FULL_NAMES)


def keep_on(hand: Hand, deals: range) -> None:
    """Record deals without a connection."""
    for place in deals:
        hand.fill_in(FILE["deals"][place - 1], FULL_NAMES)
        hand.keep()


def cut_in_the_fifth(hand: Hand, server: Server, last: int) -> str:
    """The line is cut in the middle of deal 5; three deals are kept, the page is killed and opened again."""
    slug = open_deal(hand, server, {**FILE, "deals": []})
    play_on(hand, range(1, 5))
    fifth = FILE["deals"][4]
    hand.declare(fifth["contract"])
    hand.double(fifth.get("doubles", {}), FULL_NAMES)
    line(hand, cut=True)
    hand.tally(fifth["result"], FULL_NAMES)
    hand.keep()
    keep_on(hand, range(6, 8))
    expect(hand.page.locator("#waiting summary")).to_have_text("3 deals kept on this phone, not sent yet")
    eighth = FILE["deals"][7]
    hand.declare(eighth["contract"])
    hand.double(eighth.get("doubles", {}), FULL_NAMES)
    address = hand.page.url
    context = hand.page.context
    hand.page.close()
    again = Hand(context.new_page())
    again.is_cut = True
    again.page.goto(address)
    expect(again.page.locator("#waiting summary")).to_have_text("3 deals kept on this phone, not sent yet")
    expect(again.page.locator("#about")).to_contain_text("Deal 8 of 28")
    assert again.checked("contract") == {eighth["contract"]}, "the deal that was being entered is there"
    again.tally(eighth.get("result", {}), FULL_NAMES)
    again.keep()
    assert len(kept_deals_of(server, slug)) == 4
    line(again, cut=False)
    arrived(again)
    play_on(again, range(9, last + 1))
    hand.page = again.page
    assert not again.complaints
    return slug


def kept_deals_of(server: Server, slug: str) -> list[Json]:
    """The deals in the record, asked from outside the browser; the open deal is not one of them."""
    now = send(server, "GET", f"/api/matches/{slug}/now", None)
    deals: list[Json] = now["file"]["deals"]
    return deals


def test_deals_kept_without_a_connection_arrive_once_and_in_order(hand: Hand, server: Server) -> None:
    slug = cut_in_the_fifth(hand, server, 9)
    assert plain(kept_deals_of(server, slug)) == plain(FILE["deals"][:9])


@pytest.mark.slow
def test_a_whole_match_with_a_cut_line(hand: Hand, server: Server) -> None:
    slug = cut_in_the_fifth(hand, server, 28)
    assert plain(kept_deals_of(server, slug)) == plain(FILE["deals"])
    hand.page.goto(f"/m/{slug}")
    assert hand.totals() == [EXPECTED["totals"][name] for name in FULL_NAMES]


def make_flaky(hand: Hand) -> dict[str, int]:
    """Every second request of a phone fails: by turns before it arrives, and after it was written."""
    seen = {"all": 0, "lost": 0}

    def route(asked: Route) -> None:
        seen["all"] += 1
        if seen["all"] % 2:
            asked.continue_()
            return
        seen["lost"] += 1
        if seen["lost"] % 2:
            asked.fetch()
        asked.abort()

    hand.page.context.route("**/api/**", route)
    hand.page.context.route("**/csrf", route)
    return seen


def over_a_flaky_line(hand: Hand, server: Server, last: int) -> str:
    """So many deals while every second request fails."""
    slug = open_deal(hand, server, {**FILE, "deals": []})
    seen = make_flaky(hand)
    for place in range(1, last + 1):
        expect(hand.page.locator("#about")).to_contain_text(f"Deal {place} of 28")
        hand.fill_in(FILE["deals"][place - 1], FULL_NAMES)
        hand.tap("#save")
        if place < 28:
            expect(hand.page.locator("#about")).to_contain_text(f"Deal {place + 1} of 28")
    hand.page.context.unroute("**/api/**")
    hand.page.context.unroute("**/csrf")
    assert seen["lost"] >= last
    if last < 28:
        arrived(hand)
    else:
        hand.page.wait_for_url(f"**/m/{slug}")
    return slug


def test_nothing_is_lost_or_doubled_over_a_flaky_line(hand: Hand, server: Server) -> None:
    slug = over_a_flaky_line(hand, server, 6)
    assert plain(kept_deals_of(server, slug)) == plain(FILE["deals"][:6])


@pytest.mark.slow
def test_a_whole_match_over_a_flaky_line(hand: Hand, server: Server) -> None:
    slug = over_a_flaky_line(hand, server, 28)
    assert plain(kept_deals_of(server, slug)) == plain(FILE["deals"])
    assert hand.totals() == [EXPECTED["totals"][name] for name in FULL_NAMES]


# The match goes on


def test_without_a_connection_the_figures_are_the_right_ones(hand: Hand, server: Server) -> None:
    """Totals, contracts left, doubles owed and forced doubles after each kept deal."""
    start = 16
    open_deal(hand, server, {**FILE, "deals": FILE["deals"][:start]})
    line(hand, cut=True)
    for place in range(start, start + 6):
        where = after(place)
        expect(hand.page.locator("#about")).to_contain_text(f"Deal {place + 1} of 28")
        look_at(hand, where)
        hand.fill_in(FILE["deals"][place], FULL_NAMES)
        hand.keep()


def look_at(hand: Hand, where: Standing) -> None:
    """The page of the next deal says where the match stands."""
    following = where.next
    assert following
    if not hand.page.locator("#standing[open]").count():
        hand.tap("#standing summary")
    hand.page.locator("#standing .score").first.wait_for()
    lines = {tidy(e.locator(".name").inner_text()): e for e in hand.page.locator("#standing .score").all()}
    names = where.match.names
    for seat, name in names.seats():
        shown = lines[name]
        assert number(shown.locator(".total").inner_text()) == where.totals[seat]
        said = tidy(shown.locator(".owes").inner_text())
        left = " ".join(c.value for c in where.left(seat))
        owed = [f"{names[d]} {where.owed(seat, d)}" for d in sorted(seat.others) if where.owed(seat, d)]
        owes = f"owes {', '.join(owed)}" if owed else "owes nobody"
        assert said == f"left: {left} · {owes}"
    assert hand.page.locator("h1").inner_text() == f"{names[following.declarer]} declares"
    for contract, forced in following.must_double.items():
        must = hand.chip("contract", contract.value).locator(".must")
        assert must.all_inner_texts() == ([f"{len(forced)} must double"] if forced else [])


def test_a_kept_deal_says_so_and_goes_out_by_itself(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    line(hand, cut=True)
    hand.fill_in(KING, PLAYERS)
    hand.keep()
    expect(hand.page.locator("#read-back summary")).to_have_text("Deal 1 is kept on this phone. Say it aloud")
    expect(hand.page.locator("#waiting summary")).to_have_text("1 deal kept on this phone, not sent yet")
    assert kept_deals_of(server, slug) == []
    line(hand, cut=False)
    arrived(hand)
    expect(hand.page.locator("#read-back summary")).to_have_text("Deal 1 is saved. Say it aloud")
    assert plain(kept_deals_of(server, slug), match_file()) == plain([KING], match_file())


def test_the_table_page_sends_what_waits(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    hand.page.goto(f"/m/{slug}")
    hand.follow("a.save")
    line(hand, cut=True)
    hand.fill_in(KING, PLAYERS)
    hand.keep()
    hand.follow(".back")
    expect(hand.page.locator("#waiting summary")).to_have_text("1 deal kept on this phone, not sent yet")
    line(hand, cut=False)
    expect(hand.page.locator("#waiting")).to_be_hidden(timeout=20_000)
    expect(hand.page.locator("[data-total='1']")).not_to_have_text("0", timeout=10_000)


def test_kept_deals_are_saved_as_a_file(hand: Hand, server: Server, tmp_path: Path) -> None:
    open_deal(hand, server, match_file(KING))
    line(hand, cut=True)
    hand.fill_in(TRUMPS, PLAYERS)
    hand.keep()
    hand.tap("#waiting summary")
    with hand.page.expect_download() as download:
        hand.tap(hand.page.get_by_role("button", name="Save as a file"))
    download.value.save_as(tmp_path / "kept.json")
    kept = read_match(json.loads((tmp_path / "kept.json").read_text(encoding="utf-8")))
    assert kept.match
    assert kept.problems == ()
    assert [d.contract.value for d in kept.match.deals if d.contract] == ["B", "T"]


# What is refused


def refuse_the_next(hand: Hand, server: Server, started: dict[str, str]) -> None:
    """The phone keeps Trumps and Hearts; meanwhile a script makes the deal before Ben's Trumps."""
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    expect(hand.page.locator("h1")).to_have_text("Ben declares")
    line(hand, cut=True)
    for deal in TRUMPS, HEARTS:
        hand.fill_in(deal, PLAYERS)
        hand.keep()
    before = deal_entry("Ben T", doubles={}, result={"tricks": {"Anna": 13}})
    body = {"id": "by-a-script", "seen": 1, "deal": before}
    send(server, "PUT", f"/api/matches/{started['slug']}/deals/file-deal-01", body, key=started["score_key"])
    line(hand, cut=False)
    expect(hand.page.locator("#refused h2")).to_have_text("Deal 2 was not taken", timeout=20_000)


def test_a_refused_deal_is_shown_and_mended_and_what_stands_behind_it_waits(
    hand: Hand, server: Server
) -> None:
    started = start_match(server, match_file(KING))
    refuse_the_next(hand, server, started)
    refused = hand.page.locator("#refused")
    expect(refused).to_contain_text("Ben declared Trumps in deal 1 already.")
    expect(hand.page.locator("#waiting summary")).to_have_text("2 deals kept on this phone, not sent yet")
    hand.tap("#waiting summary")
    expect(hand.page.locator("#waiting .why")).to_contain_text(
        "Deal 2 was refused; what stands behind it waits"
    )
    hand.tap(refused.get_by_role("button", name="Mend it"))
    expect(hand.page.locator("h1")).to_have_text("Mend deal 2")
    assert hand.counts("tricks") == ["4", "6", "0", "3"]
    hand.declare("M")
    hand.save()
    arrived(hand)
    kept = kept_deals_of(server, started["slug"])
    assert [(d["declarer"], d["contract"]) for d in kept] == [("Ben", "T"), ("Ben", "M"), ("Carla", "NH")]
    expect(hand.page.locator("#about")).to_contain_text("Deal 4 of 28")


def test_a_refused_deal_is_dropped_after_a_second_tap(hand: Hand, server: Server) -> None:
    started = start_match(server, match_file(KING))
    refuse_the_next(hand, server, started)
    hand.tap(hand.page.get_by_role("button", name="Drop it"))
    hand.page.wait_for_timeout(800)  # a double tap drops nothing
    hand.tap(hand.page.get_by_role("button", name="Really drop deal 2"))
    arrived(hand)
    kept = kept_deals_of(server, started["slug"])
    assert [(d["declarer"], d["contract"]) for d in kept] == [("Ben", "T"), ("Carla", "NH")]
    expect(hand.page.locator("#refused")).to_be_hidden()


def test_sending_stops_when_the_right_has_ended_and_says_why(hand: Hand, other: Hand, server: Server) -> None:
    started = start_match(server, match_file())
    join(hand, started["score_url"])
    join(other, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    line(hand, cut=True)
    hand.fill_in(KING, PLAYERS)
    hand.keep()
    other.page.goto(f"/m/{started['slug']}/hand-over")
    other.page.get_by_role("checkbox").check()
    other.follow(other.page.get_by_role("button", name="Make a scoring link"))
    again = other.page.locator(".address a").inner_text()
    line(hand, cut=False)
    why = hand.page.locator("#waiting .why")
    expect(why).to_contain_text("This phone does not keep the score of this match", timeout=20_000)
    expect(hand.page.locator("#waiting summary")).to_have_text("1 deal kept on this phone, not sent yet")
    assert kept_deals_of(server, started["slug"]) == []
    join(hand, again)
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    arrived(hand)
    assert plain(kept_deals_of(server, started["slug"]), match_file()) == plain([KING], match_file())


# What was entered stays


def test_a_reload_keeps_what_was_entered(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    hand.declare("NH")
    hand.double({"Ben": ["Anna"], "Anna": ["Ben"]}, PLAYERS)
    pad = hand.page.locator('.counts[data-what="hearts"]')
    hand.tap(pad.get_by_role("button", name="3", exact=True))
    hand.page.set_viewport_size({"width": 664, "height": 390})
    hand.page.reload()
    expect(hand.chip("contract", "NH").locator("input")).to_be_checked()
    assert hand.checked("doubles") == {"10", "01"}
    assert hand.counts("hearts") == ["3", "", "", ""]


def test_a_reload_keeps_what_was_corrected(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file(KING))
    hand.page.goto(f"/m/{slug}/deals/file-deal-01")
    hand.pick("king", 3)
    hand.page.reload()
    expect(hand.chip("king", "3").locator("input")).to_be_checked()


# Plain http on a local network


LAN = "scorepad.test"


@pytest.fixture
def on_the_lan(browser: Browser, server: Server) -> Iterator[Hand]:
    """A phone that has opened the server by its name in the network: no service worker, no randomUUID."""
    running = browser.browser_type.launch(
        executable_path=browser_path(),
        args=[*BROWSER_ARGUMENTS, f"--host-resolver-rules=MAP {LAN} 127.0.0.1"],
    )
    context = running.new_context(base_url=f"http://{LAN}:{server.port}", **PHONE)
    with Hand(context.new_page()) as hand:
        hand.is_cut = True
        yield hand
    running.close()


def test_plain_http_on_a_local_network(on_the_lan: Hand, server: Server) -> None:
    """The page stays open, deals are kept, a link does not lead away, and all arrives."""
    hand = on_the_lan
    started = start_match(server, match_file())
    join(hand, started["score_url"].replace("127.0.0.1", LAN))
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    assert not hand.page.evaluate("isSecureContext || 'serviceWorker' in navigator || 'randomUUID' in crypto")
    hand.record(KING, PLAYERS)
    line(hand, cut=True)
    for deal in TRUMPS, HEARTS:
        hand.fill_in(deal, PLAYERS)
        hand.keep()
    hand.tap(".back")
    expect(hand.page.locator("#away")).to_contain_text("that page cannot be opened")
    expect(hand.page.locator("h1")).to_have_text("Dan declares")
    context = hand.page.context
    hand.page.close()
    line_is_back = Hand(context.new_page())
    context.set_offline(False)
    line_is_back.page.goto(f"/m/{started['slug']}/deals/new")
    arrived(line_is_back)
    hand.page = line_is_back.page
    kept = kept_deals_of(server, started["slug"])
    assert plain(kept, match_file()) == plain([KING, TRUMPS, HEARTS], match_file())
    assert not line_is_back.complaints
