"""What a sheet to write on holds: rows for the deals to come, squares for doubles, values of the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import BEN, CARLA, DAN, case_file, deal, match_of
from flask.testing import FlaskClient
from webpages import Phone

from scorepad.byhand import MADE, TO_MAKE, ByHandPage, blank_page, by_hand_page
from scorepad.card import card
from scorepad.match import AgreedPoints, BrokenDeal, Match
from scorepad.matchfile import read
from scorepad.messages import Words, signed
from scorepad.pdf import PdfMaker, PdfUnavailable, Reason
from scorepad.rules import PRESETS, STANDARD, Rotation
from scorepad.sheet import Edition, Paper
from scorepad.standing import standing
from scorepad.store import Store
from scorepad.table import SEATS, PerSeat

NOBODY = Words(PerSeat("", "", "", ""))


def full(deals: int, name: str = "full-match") -> Match:
    """A match of the case files after so many deals."""
    match = read(case_file(name)).match
    assert match is not None
    return replace(match, deals=match.deals[:deals])


def by_hand(match: Match) -> ByHandPage:
    """The sheet on which a match goes on."""
    return by_hand_page(match, Words(match.names))


def declarers(page: ByHandPage) -> str:
    """The labels of the declarers of the empty rows, one after the other."""
    return "".join(line.declarer for line in page.lines if not line.contract)


# A blank sheet


@pytest.mark.parametrize("preset", PRESETS)
def test_a_blank_sheet_has_a_row_for_every_deal(preset: str) -> None:
    rules = PRESETS[preset]
    page = blank_page(rules, NOBODY)
    deals = 32 if rules.ravage_city else 28
    assert [line.number for line in page.lines] == [str(n) for n in range(1, deals + 1)]
    in_a_row = rules.rotation is Rotation.SEVEN_IN_A_ROW
    assert declarers(page) == ("①②③④" * (deals // 4) if not in_a_row else "".join(s * 7 for s in "①②③④"))
    for line in page.lines:
        (shaded,) = (s for s in SEATS if line.cells[s].declares)
        assert page.sheet.players[shaded].label == line.declarer
    rounds = [int(line.number) for line in page.lines if line.ends_round]
    assert rounds == list(range(7, 29, 7) if in_a_row else range(4, deals + 1, 4))
    assert all(row.cells == ("",) * (deals // 4) for row in page.sheet.declared)


@pytest.mark.parametrize("preset", PRESETS)
def test_it_states_the_values_of_its_rules(preset: str) -> None:
    assert blank_page(PRESETS[preset], NOBODY).card == card(PRESETS[preset], NOBODY)


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_it_has_a_square_for_each_compulsory_double(n: int) -> None:
    page = blank_page(replace(STANDARD, compulsory_doubles=n), NOBODY)
    if n == 0:
        assert page.owed is None
        return
    assert page.owed is not None
    for player, row in page.owed.seats():
        squares = tuple(cell.replace(" ", "") for cell in row.cells)
        assert squares == tuple("–" if s is player else TO_MAKE * n for s in SEATS)


# Going on


@pytest.mark.parametrize("deals", [0, 1, 13, 27])
def test_the_rows_to_come_follow_those_played(deals: int) -> None:
    match = full(deals)
    page = by_hand(match)
    assert page.opening == f"Go on by hand from deal {deals + 1} of 28"
    assert page.lines[:deals] == page.sheet.lines
    assert [line.number for line in page.lines] == [str(n) for n in range(1, 29)]
    empty = page.lines[deals:]
    assert all(not line.contract and not line.text for line in empty)
    assert all(not any((c.doubles, c.basic, c.score, c.total)) for line in empty for c in line.cells)


def test_they_have_the_declarers_that_the_match_will_propose() -> None:
    """Dan declared out of turn, so that he waits until the others have caught up."""
    match = match_of(deal("Dan B", passed_out=True), deal("Anna B", passed_out=True))
    assert declarers(by_hand(match)).startswith("BCABCDABCD")
    for n in range(1, 27):
        whole = full(n)
        proposed = standing(whole).next
        assert proposed is not None
        assert declarers(by_hand(whole))[0] == by_hand(whole).sheet.players[proposed.declarer].label


def test_the_hand_being_played_waits_for_its_result() -> None:
    """Its declaration and doubles are in, its tally and figures are to be written in."""
    page = by_hand(match_of(deal("Anna B", passed_out=True), deal("Ben NQ", "CB DX")))
    assert page.opening == "Go on by hand from deal 2 of 28"
    line = page.lines[1]
    assert (line.declarer, line.contract, line.text, line.kind) == ("B", "NQ", "", "deal")
    assert [cell.doubles for cell in line.cells] == ["", "", "B", "X"]
    assert len(page.lines) == 28


def test_squares_are_ticked_for_the_doubles_that_were_made() -> None:
    page = by_hand(match_of(deal("Ben M", "CB", tricks=(4, 3, 3, 3)), deal("Ben B", "CB DX", king="A")))
    assert page.owed is not None
    assert page.owed[CARLA].cells[BEN] == MADE * 2
    assert page.owed[DAN].cells[BEN] == MADE + TO_MAKE
    assert page.owed[BEN].cells[CARLA] == TO_MAKE * 2
    match = full(13)
    where, page = standing(match), by_hand(match)
    assert page.owed is not None
    for player in SEATS:
        for declarer in player.others:
            assert page.owed[player].cells[declarer].count(TO_MAKE) == where.owed(player, declarer)


def test_a_broken_deal_and_agreed_points_keep_their_lines() -> None:
    broken = BrokenDeal((), BEN, None)
    match = match_of(deal("Anna B", passed_out=True), broken)
    match = replace(match, agreed_points=(AgreedPoints(1, PerSeat(-10, 10, 0, 0), "revoke"),))
    page = by_hand(match)
    assert [line.kind for line in page.lines[:3]] == ["passed-out", "agreed", "unscored"]
    assert len(page.lines) == 3 + 27


@pytest.mark.parametrize(
    ("paper", "deals", "fits"), [("a4", 28, True), ("a4", 32, False), ("letter", 28, False)]
)
def test_what_is_looked_at_in_every_deal_is_on_the_first_page_where_it_fits(
    paper: str, deals: int, fits: bool
) -> None:
    rules = PRESETS["ravage-city" if deals == 32 else "standard"]
    assert blank_page(rules, NOBODY, edition=Edition(Paper(paper))).is_on_one_page is fits


# On the web


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """A phone without JavaScript."""
    return Phone(client)


@pytest.fixture
def kept(store: Store) -> str:
    """A match of house rules of its own that is kept, in the middle."""
    rules = replace(STANDARD, compulsory_doubles=3)
    return store.start(replace(full(9), rules=rules))[0]


def test_the_page_offers_the_rules_and_both_papers(phone: Phone, kept: str) -> None:
    page = phone.open("/sheet/blank?rules=german")
    links = [e.attributes.get("href") for e in page.elements.all("a")]
    assert {f"/sheet/blank?rules={preset}" for preset in PRESETS} <= {*links}
    assert {f"/sheet/blank.pdf?rules=german&paper={paper}" for paper in Paper} <= {*links}
    (on,) = (e for e in page.elements.all("a") if e.attributes.get("aria-current") == "page")
    assert on.attributes["href"] == "/sheet/blank?rules=german"
    assert "undoubled negative deals are played" in page.text
    own = phone.open(f"/sheet/blank?rules=of:{kept}")
    assert "at least 3 times" in own.text
    assert own.text.count(TO_MAKE) == 3 * 12
    assert "Marta" not in own.text


@pytest.mark.parametrize("rules", ["nonsense", "of:nowhere", ""])
@pytest.mark.parametrize("page", ["blank", "blank.pdf"])
def test_there_are_no_such_rules(phone: Phone, rules: str, page: str) -> None:
    assert phone.open(f"/sheet/{page}?rules={rules}").status == 404


def test_the_way_there(phone: Phone, store: Store, kept: str) -> None:
    done = store.start(full(28))[0]

    def links(address: str) -> list[str | None]:
        return [e.attributes.get("href") for e in phone.open(address).elements.all("a")]

    for address in "/", "/new":
        assert "/sheet/blank" in links(address)
    assert "/sheet/blank?rules=german" in links("/rules?preset=german")
    assert f"/sheet/blank?rules=of:{kept}" in links(f"/m/{kept}/rules")
    for address in "", "/sheet":
        assert f"/m/{kept}/by-hand" in links(f"/m/{kept}{address}")
        assert f"/m/{done}/by-hand" not in links(f"/m/{done}{address}")


def test_the_page_of_a_match_that_goes_on(phone: Phone, kept: str) -> None:
    page = phone.open(f"/m/{kept}/by-hand")
    assert "Go on by hand from deal 10 of 28" in page.text
    assert f"/m/{kept}" in page.text
    where = standing(full(9))
    assert all(
        name in page.text and signed(where.totals[s]) in page.text for s, name in where.match.names.seats()
    )


def test_a_complete_match_has_only_its_sheet(phone: Phone, store: Store) -> None:
    slug = store.start(full(28))[0]
    for address, to in ("by-hand", "sheet"), ("by-hand.pdf?paper=letter", "sheet.pdf?paper=letter"):
        answer = phone.client.get(f"/m/{slug}/{address}")
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/m/{slug}/{to}")


@pytest.mark.parametrize("reason", Reason)
def test_without_a_pdf_the_page_says_why(
    phone: Phone, kept: str, monkeypatch: pytest.MonkeyPatch, reason: Reason
) -> None:
    def fails(*_: object) -> None:
        raise PdfUnavailable(reason, "details")

    monkeypatch.setattr(PdfMaker, "make", fails)
    for address in "/sheet/blank.pdf", f"/m/{kept}/by-hand.pdf":
        page = phone.open(address)
        assert page.status == 503
        assert "print this page from the phone" in page.text
