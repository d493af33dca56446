"""The sheet: what it shows, taken from the core; tests/test_sheet_pdf.py reads the PDF back."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import Any

import pytest
from builders import ANNA, BEN, NAMES, case_file, deal, expected_figures, match_cases, match_of

from scorepad.doubles import DoubleOfOneself
from scorepad.match import AgreedPoints, BrokenDeal, Match, Replacement
from scorepad.matchfile import read
from scorepad.messages import Words, signed
from scorepad.printing import sheet_html
from scorepad.rules import PRESETS, STANDARD, Values
from scorepad.sheet import Edition, Head, SheetPage, sheet_page
from scorepad.sheetlines import LineKind
from scorepad.signed import Signed
from scorepad.table import PerSeat

A_LONG_REASON = "the director ruled that the exposed card was played and that both sides share the last trick"


def shown(match: Match, **more: Any) -> SheetPage:
    """The sheet of a match, in English."""
    return sheet_page(match, Words(match.names), **more)


@functools.cache
def sample(name: str) -> Match:
    """A match of the case files."""
    match = read(case_file(name)).match
    assert match is not None
    return match


def cut(match: Match, deals: int) -> Match:
    """The match as it stood after so many deals."""
    return replace(match, deals=match.deals[:deals])


# What it shows


def test_the_head_names_match_players_ranks_and_totals() -> None:
    match = match_of(
        deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2)), title="Thursday", place="At home", date="2026-11-26"
    )
    page = shown(match, printed="2026-11-30", day=lambda day: day[8:] + " November")
    assert (page.title, page.date, page.place, page.printed) == (
        "Thursday",
        "26 November",
        "At home",
        "30 November",
    )
    assert [(p.label, p.name, p.rank, p.total) for p in page.players] == [
        ("A", "Anna", "2", "−6"),
        ("B", "Ben", "1", "+24"),
        ("C", "Carla", "2", "−6"),
        ("D", "Dan", "4", "−36"),
    ] or page.players[1].rank == "1"
    assert page.outcome == "Unfinished: deal 1 of 28"


def test_without_date_and_title_nothing_is_made_up() -> None:
    page = shown(match_of())
    assert (page.title, page.date, page.place, page.printed) == ("", "", "", "")
    assert page.outcome == "Unfinished: deal 0 of 28"
    assert page.lines == ()
    assert page.chart is None


def test_who_won() -> None:
    assert shown(sample("full-match")).outcome == "Björn won with +203"
    tied = replace(sample("full-match"), agreed_points=(AgreedPoints(28, PerSeat(247, 0, 0, 0)),))
    assert shown(tied).outcome == "Marta and Björn won with +203 each"
    assert shown(replace(cut(tied, 9), agreed_points=(), abandoned=True)).outcome == (
        "Abandoned after deal 9 of 28"
    )


@pytest.mark.parametrize("name", match_cases())
def test_every_line_has_the_figures_expected(name: str) -> None:
    match, expected = sample(name), expected_figures(name)
    lines = [line for line in shown(match).lines if line.kind is not LineKind.AGREED]
    assert len(lines) == len(expected["deals"])
    for number, line in enumerate(lines, start=1):
        figures = expected["deals"][number - 1]
        assert line.number == str(number)
        for seat, cell in line.cells.seats():
            player = match.players[seat]
            assert cell.basic == signed(figures["basic"][player])
            assert cell.adjustment in {signed(figures["adjustment"][player]), ""}
            assert cell.adjustment or figures["adjustment"][player] == 0
            assert cell.score == signed(figures["score"][player])
            assert cell.total == signed(figures["totals"][player])


@pytest.mark.parametrize("name", match_cases())
def test_the_tables_beside_it_are_those_expected(name: str) -> None:
    match, expected = sample(name), expected_figures(name)
    page = shown(match)
    assert page.owed is not None
    for seat, player in match.players.seats():
        owed = [str(expected["owed"][player][d]) if d != player else "–" for d in match.players]
        assert list(page.owed[seat].cells) == owed
        moved = sum(figures["adjustment"][player] for figures in expected["deals"])
        assert page.moved[seat].sum == signed(moved)
    declared = [cell for row in page.declared for cell in row.cells if cell]
    assert sorted(map(int, declared)) == list(range(1, len(match.deals) + 1))
    assert page.check.contracts == signed(sum(figures["contract_total"] for figures in expected["deals"]))
    assert page.check.totals == signed(sum(expected["totals"].values()))
    assert page.check.holds


def test_what_doubling_moved_is_equal_and_opposite() -> None:
    match = match_of(deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2)))
    rows = [row.cells for row in shown(match).moved]
    assert rows == [
        ("–", "−6", "0", "0"),
        ("+6", "–", "+6", "+12"),
        ("0", "−6", "–", "0"),
        ("0", "−12", "0", "–"),
    ]
    assert [row.sum for row in shown(match).moved] == ["−6", "+24", "−6", "−12"]


def test_doubles_stand_in_the_line_and_the_declarers_are_underlined() -> None:
    (line,) = shown(match_of(deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2)))).lines
    assert [(c.doubles, c.underlined) for c in line.cells] == [
        ("C²", False),
        ("X", True),
        ("A", True),
        ("", False),
    ]
    assert (line.declarer, line.contract, line.text) == ("A", "NQ", "1·0·1·2")


def test_a_deal_says_how_it_went() -> None:
    match = match_of(
        deal("Anna M", passed_out=True), BrokenDeal((DoubleOfOneself(player=BEN),)), deal("Carla B", "BC")
    )
    passed_out, broken, playing = shown(match).lines
    assert passed_out.kind is LineKind.PASSED_OUT
    assert (broken.kind, broken.declarer, broken.contract) == (LineKind.UNSCORED, "–", "–")
    assert broken.has_note
    assert playing.kind is LineKind.PLAYING
    assert playing.cells[BEN] == replace(playing.cells[BEN], doubles="C", underlined=True, score="", total="")
    assert shown(match).notes[0] == "Deal 2: Ben cannot double Ben."


def test_rounds_are_ruled_off() -> None:
    page = shown(sample("full-match"))
    assert [line.number for line in page.lines if line.ends_round] == ["4", "8", "12", "16", "20", "24", "28"]
    page = shown(sample("full-match-seven-in-a-row"))
    assert [line.number for line in page.lines if line.ends_round] == ["7", "14", "21", "28"]


def test_agreed_points_have_a_line_of_their_own() -> None:
    agreed = (
        AgreedPoints(0, PerSeat(5, 0, 0, 0)),
        AgreedPoints(1, PerSeat(0, -10, 0, 0), "revoke"),
        AgreedPoints(1, PerSeat(0, 0, 0, 7), A_LONG_REASON),
    )
    page = shown(match_of(deal("Anna M", passed_out=True), agreed_points=agreed))
    before, played, revoke, ruling = page.lines
    assert [line.kind for line in page.lines] == ["agreed", "passed-out", "agreed", "agreed"]
    assert (before.text, revoke.text) == ("Agreed points", "Agreed: revoke")
    assert [c.total for c in before.cells] == ["+5", "0", "0", "0"]
    assert [c.total for c in played.cells] == ["+6", "−9", "−9", "−9"]
    assert [c.score for c in revoke.cells] == ["", "−10", "", ""]
    assert [c.total for c in ruling.cells] == ["+6", "−19", "−9", "−2"]
    assert all(line.has_note for line in (before, revoke, ruling))
    assert ruling.text.endswith("…")
    assert page.notes == (
        "Agreed after deal 0: Anna +5.",
        "Agreed after deal 1: Ben −10. revoke",
        f"Agreed after deal 1: Dan +7. {A_LONG_REASON}",
    )
    assert (page.check.contracts, page.check.agreed, page.check.expected) == ("−26", "+2", "−24")


def test_what_was_irregular_is_marked_and_noted() -> None:
    odd = deal("Ben M", passed_out=True, note="Dan was late")
    page = shown(match_of(odd, deal("Ben NQ", passed_out=True), deal("Anna M", passed_out=True)))
    assert [line.has_note for line in page.lines] == [True, True, False]
    assert page.notes == (
        "Deal 1: Ben declared out of turn; it was Anna’s turn. Dan was late",
        "Deal 2: Ben declared out of turn; it was Anna’s turn.",
    )


def test_a_double_that_was_forced_and_is_missing_is_a_shortfall() -> None:
    contracts = ("B", "M", "NQ", "NH", "NL2")
    match = match_of(
        *(deal(f"Anna {c}", passed_out=True) for c in contracts),
        deal("Anna T", "BA", tricks=(4, 1, 6, 2)),
        rules=PRESETS["seven-in-a-row"],
    )
    page = shown(match)
    assert page.shortfalls == ("Carla is 1 double of Anna short.", "Dan is 1 double of Anna short.")
    assert page.notes == (
        "Deal 6: Carla had to double Anna and did not. Dan had to double Anna and did not.",
    )


def test_a_player_who_was_replaced_is_named_in_the_notes() -> None:
    match = match_of(
        deal("Ben M", passed_out=True),
        deal("Anna M", passed_out=True),
        replaced=(Replacement(2, ANNA, "Eva"),),
    )
    page = shown(match)
    assert page.players[ANNA].name == "Eva"
    assert page.notes == (
        "Eva plays for Anna from deal 2 on.",
        "Deal 1: Ben declared out of turn; it was Anna’s turn.",
    )


def test_the_whole_match_is_told() -> None:
    assert shown(match_of()).check.whole_match == "A whole match with these rules makes 0."
    ravage = match_of(rules=PRESETS["ravage-city"])
    assert shown(ravage).check.whole_match == "A whole match with these rules makes −144."
    assert len(shown(ravage).contracts) == len(shown(ravage).declared[ANNA].cells) == 8


def test_where_no_double_is_compulsory_nothing_is_owed() -> None:
    rules = replace(STANDARD, compulsory_doubles=0)
    assert shown(match_of(rules=rules)).owed is None
    assert "Doubles owed" not in sheet_html(match_of(rules=rules), Words(NAMES))


@pytest.mark.parametrize(
    ("values", "names"),
    [
        pytest.param(Values(king=-100), NAMES, id="a basic score of three digits"),
        pytest.param(Values(), PerSeat("Anna", "Anne", "Ann", "Bob"), id="long labels"),
    ],
)
def test_what_is_long_is_stacked(values: Values, names: PerSeat[str]) -> None:
    assert not shown(sample("full-match")).is_stacked
    match = replace(match_of(deal("Anna B", "BA", king="Anna")), players=names)
    assert not shown(replace(match, players=NAMES)).is_stacked
    assert shown(replace(match, rules=replace(STANDARD, values=values))).is_stacked


def test_the_declarers_cells_are_marked() -> None:
    (line,) = shown(match_of(deal("Ben NQ", "AB", queens=(1, 0, 1, 2)))).lines
    assert [cell.declares for cell in line.cells] == [False, True, False, False]


def test_a_deal_that_was_corrected_has_a_note() -> None:
    match = match_of(deal("Anna M", passed_out=True), deal("Ben M", passed_out=True))
    page = shown(match, head=Head(5, "ab" * 32, "2026-11-26T21:40:12+00:00", {1: 1, 2: 3}))
    assert [line.has_note for line in page.lines] == [True, True]
    assert page.notes == (
        "Deal 1: Corrected once after it was saved.",
        "Deal 2: Corrected 3 times after it was saved.",
    )
    assert page.marks[1:] == ("record to row 5: abab abab abab abab", "last saved 2026-11-26 21:40 UTC")


def test_what_the_fonts_lack_is_named_on_paper_and_listed() -> None:
    match = match_of(
        deal("Anna M", passed_out=True, note="🎲"),
        title="Thursday 日",
        place="東京",
        agreed_points=(AgreedPoints(1, PerSeat(5, 0, 0, 0), "犬"),),
        replaced=(Replacement(1, BEN, "🐺"),),
    )
    match = replace(match, players=PerSeat("🦊 Foxy", "Ben", "日本", "Dan"))
    page = shown(match)
    assert [p.name for p in page.players] == ["[fox face] Foxy", "[wolf face]", "[U+65E5, U+672C]", "Dan"]
    assert [p.label for p in page.players] == ["F", "②", "③", "D"]
    assert (page.title, page.place) == ("Thursday [U+65E5]", "[U+6771, U+4EAC]")
    assert page.lines[0].declarer == "F"
    assert "[game die]" in page.notes[1]
    assert page.notes[2].endswith("[U+72AC]")
    assert page.lacking == (
        "In [ ] stand the names of characters that this sheet’s fonts lack: fox face U+1F98A, U+65E5, "
        "U+672C, U+6771, U+4EAC, wolf face U+1F43A, game die U+1F3B2, U+72AC."
    )
    signed = Signed("🦊 Foxy", "ab", "on the scoring phone", "2026-11-26T21:40:12+00:00", is_void=False)
    assert [one.name for one in shown(match, signed=(signed,)).signed] == ["[fox face] Foxy"]
    assert page.marks == shown(match, edition=Edition(is_in_own_fonts=False)).marks


def test_a_phone_has_fonts_of_its_own() -> None:
    match = replace(match_of(title="日"), players=PerSeat("🦊", "日本", "Anna", "Ben"))
    page = shown(match, edition=Edition(is_in_own_fonts=False))
    assert [p.name for p in page.players] == list(match.players)
    assert (page.title, page.lacking) == ("日", "")


def test_why_is_told_only_when_it_is_asked_for() -> None:
    match = match_of(
        deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2)),
        deal("Ben M", passed_out=True),
        deal("Carla B", "BC"),
    )
    assert shown(match).explained == ()
    played, passed_out = shown(match, edition=Edition(says_why=True)).explained
    assert played.heading == "Deal 1: Anna declared No Queens."
    assert "Ben doubled everybody." in played.told
    assert "Dan: 2 × −6 = −12" in played.basic
    assert len(played.pairs) == 6
    assert "Ben doubled Dan. Ben 0, Dan −12: 12 points pass from Dan to Ben." in played.pairs
    assert passed_out.told == "Nobody doubled: passed out."


def test_names_are_text_and_never_markup() -> None:
    names = PerSeat("<svg/onload=alert(1)>", "{{7*7}}", 'a" onclick="b', "&amp;")
    html = sheet_html(replace(sample("full-match"), players=names), Words(names))
    assert "<svg/" not in html
    assert "{{7*7}}" in html
    assert 'onclick="' not in html


def test_nothing_on_it_needs_an_exception_from_the_content_policy() -> None:
    html = sheet_html(sample("full-match"), Words(NAMES))
    assert not re.search(r"<style|<script|\sstyle=|\son\w+=", html)
