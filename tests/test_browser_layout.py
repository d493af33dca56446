"""Every page as it is laid out: small and large, light and dark, large text, long and foreign names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Server, case
from fingers import Hand, Json, hand_at, join, open_deal, send, start_match
from playwright.sync_api import Browser

from scorepad.store import Store

pytestmark = pytest.mark.browser

AUDIT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")

#: The smallest phone, a common one, and a tablet.
SIZES = ((320, 568), (390, 664), (1024, 768))

FULL = case("matches/full-match")
NAMES: dict[str, list[str]] = {
    "short": ["Marta", "José", "Zoë", "Björn"],
    "long": [
        "Bartholomäus Maximilian von Hohenstaufen",
        "Anna-Katharina Wolkenstein-Rodenegg-Lan",
        "X" * 40,
        "Jo",
    ],
    "foreign": ["مريم عبد الرحمن", "דָּנִי", "👩‍👩‍👧‍👦🃏", "Zoë"],
}

#: A tally of each contract, by seats.
TALLIES: dict[str, Callable[[list[str]], Json]] = {
    "B": lambda n: {"king": n[1]},
    "M": lambda n: {"tricks": {n[0]: 13}},
    "NQ": lambda n: {"queens": {n[0]: 3, n[3]: 1}},
    "NH": lambda n: {"hearts": {n[0]: 1, n[1]: 12}, "ace": n[0]},
    "NL2": lambda n: {"last_two": n[:2]},
    "T": lambda n: {"tricks": {n[0]: 6, n[1]: 7}},
    "D": lambda n: {"order": n},
}


@dataclass(frozen=True)
class Evening:
    """A phone with matches of so many deals among four players, and their links; a third deal is open."""

    hand: Hand
    server: Server
    names: list[str]
    links: dict[int, dict[str, str]]

    def go(self, deals: int, page: str = "") -> None:
        """Open a page of the match with so many deals."""
        self.hand.page.goto(f"/m/{self.links[deals]['slug']}{page}")


def renamed(names: list[str], deals: int) -> Json:
    """The first deals of the whole match, played by others."""
    text = json.dumps({**FULL, "deals": FULL["deals"][:deals]})
    for before, name in zip(FULL["players"], names, strict=True):
        text = text.replace(json.dumps(before), json.dumps(name))
    return json.loads(text)


def an_evening(browser: Browser, server: Server, names: list[str]) -> Iterator[Evening]:
    """A phone that holds five matches of these players."""
    with hand_at(browser, server) as hand:
        links = {deals: start_match(server, renamed(names, deals)) for deals in (0, 3, 14, 20, 28)}
        for link in links.values():
            join(hand, link["score_url"])
        playing = {
            "declarer": names[1],
            "contract": "NL2",
            "doubles": {names[3]: names[:3], names[2]: names[:2]},
        }
        draft = {"draft": 0, "spoken": 4, "deal": playing}
        send(server, "PUT", f"/api/matches/{links[3]['slug']}/open", draft, key=links[3]["score_key"])
        yield Evening(hand, server, names, links)


@pytest.fixture(scope="module")
def evening(browser: Browser, server: Server) -> Iterator[Evening]:
    """Four players with short names."""
    yield from an_evening(browser, server, NAMES["short"])


@pytest.fixture(scope="module", params=["long", "foreign"])
def strangers(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Evening]:
    """Four players with names of forty characters, or from right to left and in pictures."""
    yield from an_evening(browser, server, NAMES[request.param])


def look(hand: Hand) -> None:
    """The page is fit to be shown in every size and light, and with text twice as large.

    But for the sheet with large text: its figures stand in columns as on paper.
    """
    wrong: list[str] = []

    def note(how: str) -> None:
        wrong.extend(f"{how}: {said}" for said in hand.page.evaluate(AUDIT))

    for width, height in SIZES:
        hand.page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark") if width == 390 else ("light",):
            hand.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            note(f"{width} {scheme}")
    hand.page.emulate_media(color_scheme="light")
    hand.page.set_viewport_size({"width": 320, "height": 568})
    hand.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    if not hand.page.locator(".sheet").count():
        note("200 %")
    hand.page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    hand.page.set_viewport_size({"width": 390, "height": 664})
    assert not wrong, "\n".join(wrong)
    assert not hand.complaints


# The pages


def the_start(e: Evening) -> None:
    """The empty form of a new match."""
    e.hand.page.goto("/new")


def the_start_refused(e: Evening) -> None:
    """Two names that are the same, and one that is missing."""
    e.hand.page.goto("/new")
    for place, name in enumerate((e.names[0], e.names[0], "", e.names[3])):
        e.hand.page.fill(f"#name_{place}", name)
    e.hand.follow("button.save")


def home(e: Evening) -> None:
    """The matches of this phone."""
    e.hand.page.goto("/")


def nothing_here(e: Evening) -> None:
    """A page that there is not."""
    e.hand.page.goto("/nothing")


def asked_to_join(e: Evening) -> None:
    """A scoring link."""
    e.hand.page.goto(e.links[14]["score_url"])


def table_before_the_first_deal(e: Evening) -> None:
    """The table of an empty match."""
    e.go(0)


def table_in_the_middle(e: Evening) -> None:
    """The table after half the deals."""
    e.go(14)


def table_with_forced_doubles(e: Evening) -> None:
    """The table where two must double."""
    e.go(20)


def table_at_the_end(e: Evening) -> None:
    """The table of a finished match."""
    e.go(28)


def table_of_an_open_deal(e: Evening) -> None:
    """The table while a hand is played, with what is at stake, before anybody said who he is."""
    e.go(3)
    e.hand.tap("#stakes summary")


def table_of_somebody(e: Evening) -> None:
    """The table for one who must double, and had said who he is."""
    e.go(20)
    forced = e.hand.page.locator(".you:has(.loud)").first.get_attribute("data-seat")
    e.hand.tap(f'#who button[data-seat="{forced}"]')
    e.hand.page.locator(".loud").first.scroll_into_view_if_needed()


def deal_with_an_open_hand(e: Evening) -> None:
    """The page of a hand being played, and how to drop it."""
    e.go(3, "/deals/new")
    e.hand.tap(e.hand.page.get_by_text("Misdeal?"))


def deal_with_forced_doubles(e: Evening) -> None:
    """A contract in which two must double."""
    e.go(20, "/deals/new")
    e.hand.declare("M")


def why(e: Evening) -> None:
    """Why a deal scored as it did, with doubles and a redouble."""
    e.go(14)
    e.hand.follow(e.hand.page.locator("table.deals th a").nth(2))


def a_correction(e: Evening) -> None:
    """The form of a past deal."""
    why(e)
    e.hand.follow("nav.links a:first-child")


def a_correction_looked_at(e: Evening) -> None:
    """What a correction does, before it is saved: a player doubled nobody in the third deal after all."""
    e.go(20, "/deals/file-deal-03")
    for double in sorted(e.hand.checked("doubles")):
        if e.hand.chip("doubles", double).locator("input").is_checked():
            e.hand.tap(e.hand.chip("doubles", double))
            break
    e.hand.look()
    e.hand.page.wait_for_timeout(300)


def totals(e: Evening) -> None:
    """Every deal with what it brought, and the check."""
    e.go(14, "/totals")


def owed(e: Evening) -> None:
    """Which deals counted, when nearly all is declared."""
    e.go(20, "/owed/2")


def a_removal(e: Evening) -> None:
    """Asks before a deal is removed."""
    why(e)
    e.hand.follow("nav.links a:last-child")


def a_conflict(e: Evening) -> None:
    """Two versions of a deal."""
    a_correction(e)
    link, deal_id = e.links[14], e.hand.page.url.split("/")[-1]
    path = f"/api/matches/{link['slug']}"
    kept = e.hand.page.request.get(path).json()
    deal = {**kept["deals"][11], "note": f"said again {kept['revision']}"}
    body = {"id": f"conflict-{kept['revision']}", "seen": kept["revision"], "deal": deal}
    send(e.server, "PUT", f"{path}/deals/{deal_id}", body, key=link["score_key"])
    e.hand.pick("last", 0)
    e.hand.save()


def a_refused_deal(e: Evening) -> None:
    """A tally that does not add up and a forced double that is missing, as sent without scripts."""
    e.go(20, "/deals/new")
    e.hand.page.evaluate(
        "() => { const form = document.getElementById('deal');"
        " form.elements.contract.value = 'M'; form.elements.doubles[0].checked = true;"
        " for (const seat of [0, 1, 2, 3]) form.elements[`tricks_${seat}`].value = '14'; form.submit(); }"
    )
    e.hand.page.get_by_role("alert").first.wait_for()


def share(e: Evening) -> None:
    """The watch link."""
    e.go(14, "/share")


def share_to_hand_over(e: Evening) -> None:
    """Asks before a scoring link is made."""
    e.go(14, "/hand-over")


def share_of_a_scoring_link(e: Evening) -> None:
    """A fresh scoring link."""
    e.go(14, "/hand-over")
    e.hand.follow("button.save")


#: Of the matches on the phone, the one that is closed.
CLOSED = -28


def closed(e: Evening, page: str = "") -> None:
    """A page of a match that was closed and signed for one player."""
    if CLOSED not in e.links:
        e.links[CLOSED] = close(e)
    e.go(CLOSED, page)


def close(e: Evening) -> dict[str, str]:
    """Close a whole match, and sign for one player; its links."""
    link = start_match(e.server, renamed(e.names, 28))
    join(e.hand, link["score_url"])
    e.hand.page.goto(f"/m/{link['slug']}/sign")
    e.hand.follow("button.save")
    e.hand.page.goto(f"/m/{link['slug']}/sign/1")
    e.hand.follow("button.save")
    return link


def table_to_be_closed_and_signed(e: Evening) -> None:
    """The figures of a match that is over, before it is closed."""
    e.go(28, "/sign")


def table_that_is_closed(e: Evening) -> None:
    """The table of a closed match."""
    closed(e)


def signing(e: Evening) -> None:
    """The page that goes round on the scoring phone."""
    closed(e, "/sign")


def signing_for_a_seat(e: Evening) -> None:
    """One player and his figures, with every deal."""
    closed(e, "/sign/2")
    e.hand.tap("#deals summary")


def codes_to_sign(e: Evening) -> None:
    """A code for each seat."""
    closed(e, "/sign")
    e.hand.follow("#codes button")


def signing_by_a_code(e: Evening) -> None:
    """The page behind a code."""
    codes_to_sign(e)
    e.hand.page.goto(e.hand.page.locator(".address a").first.get_attribute("href") or "")


def asked_to_reopen(e: Evening) -> None:
    """Asks before a match is reopened."""
    closed(e, "/reopen")


def signatures_that_are_void(e: Evening) -> None:
    """The signing page after a correction, and what was signed before."""
    link = close(e)
    e.hand.page.goto(f"/m/{link['slug']}/reopen")
    e.hand.follow("#reopen button")
    path, key = f"/api/matches/{link['slug']}", link["score_key"]
    deal = {**e.hand.page.request.get(path).json()["deals"][0], "note": "counted again"}
    send(e.server, "PUT", f"{path}/deals/file-deal-01", {"id": "voided-it", "seen": 4, "deal": deal}, key=key)
    e.hand.page.goto(f"/m/{link['slug']}/sign")


def sheet_that_is_signed(e: Evening) -> None:
    """The print view with a signature."""
    closed(e, "/sheet")


def sheet(e: Evening) -> None:
    """The print view."""
    e.go(28, "/sheet")


def every_way_out(e: Evening) -> None:
    """The result to take along, as on a phone with a share sheet."""
    e.go(28, "/take")
    e.hand.page.locator("#as-picture").wait_for()
    e.hand.page.evaluate(
        "() => { for (const b of document.querySelectorAll('[data-shares]')) b.hidden = false; }"
    )


def a_blank_sheet(e: Evening) -> None:
    """A sheet to fill in by hand, and the rules to choose."""
    e.hand.page.goto("/sheet/blank?rules=ravage-city")


def a_sheet_to_go_on_by_hand(e: Evening) -> None:
    """The deals so far, and rows for those to come."""
    e.go(14, "/by-hand")


def settled_so_far(e: Evening) -> None:
    """Who would pay whom in the middle, at a stake that is tried out."""
    e.go(14, "/settle?per_point=0.05&currency=EUR")


def settled_with_quarters(e: Evening) -> None:
    """The end of a match whose totals do not sum to 0, at a large stake: the widest figures there are."""
    file = renamed(e.names, 28)
    file["agreed_points"] = [{"after_deal": 0, "points": {e.names[0]: 1001}}]
    e.hand.page.goto(f"{start_match(e.server, file)['watch_url']}/settle?per_point=1.50&currency=EUR")


def a_refused_stake(e: Evening) -> None:
    """A stake that is no amount."""
    e.go(28, "/settle?per_point=x&currency=EUR")


def rules_card(e: Evening) -> None:
    """The rules of a preset."""
    e.hand.page.goto("/rules?preset=ravage-city")


def rules_of_a_match(e: Evening) -> None:
    """The rules of one match, with everything that is other than Standard."""
    values = {"king": -30, "trick": -3, "dominoes": [40, 25, 10, -10]}
    play = {"leader": "left-of-dealer", "cutter": "opposite-declarer", "redoubles": "second-round"}
    rules = {
        "preset": "german",
        "undoubled_negative": "passed-out",
        "values": values,
        "play": play,
        "deck": 32,
    }
    e.hand.page.goto(f"{start_match(e.server, {**renamed(e.names, 0), 'rules': rules})['watch_url']}/rules")


def calculator(e: Evening) -> None:
    """The empty form."""
    e.hand.page.goto("/calculator")


def calculator_with_an_answer(e: Evening) -> None:
    """A deal of a match as a question, and its answer."""
    why(e)
    e.hand.follow(".small-print a[href*=calculator]")


def calculator_with_house_rules(e: Evening) -> None:
    """A question that is refused in several places, with the house rules open."""
    e.hand.page.goto(
        "/calculator?preset=german&flanks=1&v_heart=x&name_0=East&contract=NH&doubles=11&hearts_0=14&hearts_1=x&ace=2"
    )


def calculator_of_dominoes(e: Evening) -> None:
    """The form of a finishing order, with the four values."""
    e.hand.page.goto("/calculator?contract=D&v_dominoes_1=25&place_0=1&place_1=1")


def what_can_be_put_right(e: Evening) -> None:
    """Everything that can be put right."""
    e.go(14, "/change")


def points_that_were_refused(e: Evening) -> None:
    """Agreed points without a reason."""
    e.go(14, "/change/points")
    e.hand.follow("button.save")


def points_as_they_would_stand(e: Evening) -> None:
    """Agreed points, and what they would do."""
    e.go(14, "/change/points")
    e.hand.page.fill("#points_0", "-10")
    e.hand.page.fill("#reason", "a revoke in the middle of the night")
    e.hand.follow("button.save")


def an_order(e: Evening) -> None:
    """The deals in another order."""
    e.go(14, "/change/order")


def other_rules(e: Evening) -> None:
    """The house rules of a match that is being played."""
    e.go(14, "/change/rules")


def a_forgotten_deal(e: Evening) -> None:
    """Before which deal it was played."""
    e.go(14, "/deals/insert")


def a_match_file_to_check(e: Evening) -> None:
    """The empty form."""
    e.hand.page.goto("/verify")


def a_match_file_that_was_changed(e: Evening) -> None:
    """What differs from the record, in the match and in its deals."""
    file = renamed(e.names, 14)
    file["deals"][0]["note"] = "late"
    file["place"] = "elsewhere"
    del file["deals"][5]
    a_match_file_to_check(e)
    e.hand.page.set_input_files(
        "#file", {"name": "match.json", "mimeType": "application/json", "buffer": json.dumps(file).encode()}
    )
    e.hand.follow("#verify button")


def the_history(e: Evening) -> None:
    """Rows of a deal that was corrected more than once."""
    changed_last(e)
    e.go(20, "/history")


def what_comes_back(e: Evening) -> None:
    """A deal as it was, and what that does to the totals."""
    changed_last(e)
    e.go(20, "/undo")


def table_after_a_save(e: Evening) -> None:
    """The last save, when it was made, and the way back."""
    changed_last(e)
    e.go(20)


def a_match_to_delete(e: Evening) -> None:
    """What goes, and a name that is none."""
    e.go(14, "/delete")
    e.hand.page.fill("#name", "nobody at all")
    e.hand.follow(".danger")


def deleted(e: Evening) -> str:
    """Delete a match with a title that nobody forgets; its slug."""
    link = start_match(e.server, {**renamed(e.names, 2), "title": "The long night of " + "Thursday" * 4})
    join(e.hand, link["score_url"])
    e.hand.page.goto(f"/m/{link['slug']}/delete")
    e.hand.page.fill("#name", e.names[3])
    e.hand.follow(".danger")
    return link["slug"]


def a_deleted_match(e: Evening) -> None:
    """What stands at its address, for the phone that kept its score."""
    e.hand.page.goto(f"/m/{deleted(e)}")


def the_bin(e: Evening) -> None:
    """The deleted matches."""
    deleted(e)


def home_beside_the_bin(e: Evening) -> None:
    """The matches of this phone, and the way to the deleted ones."""
    deleted(e)
    e.hand.page.goto("/")


def asked_to_join_a_deleted_match(e: Evening) -> None:
    """A scoring link of a match in the bin."""
    slug = deleted(e)
    key = Store(e.server.data / "scorepad.db").new_score_key(slug)
    e.hand.page.goto(f"/join/{key}")


def a_link_that_was_replaced(e: Evening) -> None:
    """A scoring link that opens nothing any more."""
    link = start_match(e.server, renamed(e.names, 2))
    Store(e.server.data / "scorepad.db").new_score_key(link["slug"], end_others=True)
    e.hand.page.goto(link["score_url"])


def changed_last(e: Evening) -> None:
    """The last deal of twenty is corrected, so that there is something to tell."""
    last, links = renamed(e.names, 20)["deals"][-1], e.links[20]
    kept = send(e.server, "GET", f"/api/matches/{links['slug']}/now", None, key=links["score_key"])
    body = {"id": f"corrected-{kept['revision']}", "seen": kept["revision"]}
    body["deal"] = {**last, "note": f"counted again, {kept['revision']}"}
    send(e.server, "PUT", f"/api/matches/{links['slug']}/deals/file-deal-20", body, key=links["score_key"])


PAGES: tuple[Callable[[Evening], None], ...] = (
    the_start,
    the_start_refused,
    home,
    nothing_here,
    asked_to_join,
    table_before_the_first_deal,
    table_in_the_middle,
    table_with_forced_doubles,
    table_at_the_end,
    table_of_an_open_deal,
    table_of_somebody,
    deal_with_an_open_hand,
    deal_with_forced_doubles,
    why,
    a_correction,
    a_correction_looked_at,
    totals,
    owed,
    a_removal,
    a_conflict,
    a_refused_deal,
    share,
    share_to_hand_over,
    share_of_a_scoring_link,
    sheet,
    every_way_out,
    a_blank_sheet,
    a_sheet_to_go_on_by_hand,
    what_can_be_put_right,
    points_that_were_refused,
    points_as_they_would_stand,
    an_order,
    other_rules,
    a_forgotten_deal,
    the_history,
    what_comes_back,
    table_after_a_save,
    a_match_to_delete,
    a_deleted_match,
    the_bin,
    home_beside_the_bin,
    asked_to_join_a_deleted_match,
    a_link_that_was_replaced,
    settled_so_far,
    settled_with_quarters,
    a_refused_stake,
    rules_card,
    rules_of_a_match,
    calculator,
    calculator_with_an_answer,
    calculator_with_house_rules,
    calculator_of_dominoes,
    a_match_file_to_check,
    a_match_file_that_was_changed,
    table_to_be_closed_and_signed,
    table_that_is_closed,
    signing,
    signing_for_a_seat,
    codes_to_sign,
    signing_by_a_code,
    asked_to_reopen,
    signatures_that_are_void,
    sheet_that_is_signed,
)

#: Where names stand among figures, in narrow chips, and in sentences.
PAGES_FULL_OF_NAMES = (
    the_start_refused,
    home,
    table_with_forced_doubles,
    table_of_an_open_deal,
    table_of_somebody,
    deal_with_forced_doubles,
    why,
    totals,
    owed,
    the_history,
    sheet,
    every_way_out,
    a_sheet_to_go_on_by_hand,
    the_bin,
    settled_with_quarters,
    calculator_with_an_answer,
    a_match_file_that_was_changed,
    signing,
    signing_for_a_seat,
    signatures_that_are_void,
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_every_page_is_fit_to_be_shown(evening: Evening, page: Callable[[Evening], None]) -> None:
    page(evening)
    look(evening.hand)


@pytest.mark.parametrize("page", PAGES_FULL_OF_NAMES, ids=lambda page: page.__name__)
def test_pages_are_fit_to_be_shown_whatever_the_names(
    strangers: Evening, page: Callable[[Evening], None]
) -> None:
    page(strangers)
    look(strangers.hand)


@pytest.mark.parametrize("contract", TALLIES)
def test_the_page_of_a_deal_is_fit_to_be_shown(evening: Evening, contract: str) -> None:
    """With every double there can be, before the tally and with it, and with the note open."""
    e = evening
    open_deal(e.hand, e.server, renamed(e.names, 2))
    e.hand.declare(contract)
    for group in e.hand.page.locator(".group.max").all():
        if group.is_visible():
            e.hand.tap(group)
    for pair in e.hand.offered("doubles") - e.hand.checked("doubles"):
        e.hand.tap(e.hand.chip("doubles", pair))
    look(e.hand)
    e.hand.tally(TALLIES[contract](e.names), e.names)
    e.hand.tap("details.more summary")
    look(e.hand)
