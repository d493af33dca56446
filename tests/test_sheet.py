"""The sheet: what it shows, and the PDF read back: figures, names, pages, type, nothing cut off."""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pypdf
import pytest
from builders import ANNA, BEN, CARLA, NAMES, case_file, deal, expected_figures, match_cases, match_of
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from scorepad.doubles import DoubleOfOneself
from scorepad.labels import labels
from scorepad.match import AgreedPoints, BrokenDeal, Deal, Match, Replacement
from scorepad.matchfile import fingerprint, read, short_hash
from scorepad.messages import Words, signed
from scorepad.paths import asset_dir
from scorepad.pdf import PdfMaker
from scorepad.printing import sheet_html
from scorepad.rules import PRESETS, STANDARD, Values
from scorepad.sheet import SheetPage, sheet_page
from scorepad.sheetlines import LineKind
from scorepad.standing import standing
from scorepad.table import PerSeat, Seat

LONG_NAMES = PerSeat(
    "Maximilian von und zu Habsburg-Lothringe",
    "Maximilian von und zu Hohenzollern-Sigma",
    "Wolfeschlegelsteinhausenbergerdorffwelch",
    "Ελένη Παπαδοπούλου-Κωνσταντινίδου Αννα Β",
)
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
    assert not revoke.has_note
    assert ruling.has_note
    assert ruling.text.endswith("…")
    assert page.notes == (f"Agreed after deal 1: {A_LONG_REASON}",)
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


def test_large_figures_get_more_room() -> None:
    assert not shown(sample("full-match")).has_large_figures
    rules = replace(STANDARD, values=replace(Values(), king=-2000))
    assert shown(match_of(deal("Anna B", "BA", king="Anna"), rules=rules)).has_large_figures


def test_names_are_text_and_never_markup() -> None:
    names = PerSeat("<svg/onload=alert(1)>", "{{7*7}}", 'a" onclick="b', "&amp;")
    html = sheet_html(replace(sample("full-match"), players=names), Words(names))
    assert "<svg/" not in html
    assert "{{7*7}}" in html
    assert 'onclick="' not in html


def test_nothing_on_it_needs_an_exception_from_the_content_policy() -> None:
    html = sheet_html(sample("full-match"), Words(NAMES))
    assert not re.search(r"<style|<script|\sstyle=|\son\w+=", html)


# The PDF


class Word(NamedTuple):
    """A run of text on a page: where it starts and how large it is, in points from the top left."""

    text: str
    x: float
    y: float
    size: float
    bold: bool


Printer = Callable[[Match], pypdf.PdfReader]


@pytest.fixture(scope="module")
def printer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Printer]:
    """Prints matches, each once; any complaint of WeasyPrint, missing glyphs included, fails."""
    maker = PdfMaker(tmp_path_factory.mktemp("sheets"), base=asset_dir("static"))
    complaints: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: complaints.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("scorepad.pdf")
    logger.addHandler(handler)

    @functools.cache
    def print_match(match: Match) -> pypdf.PdfReader:
        made = maker.make(sheet_html(match, Words(match.names)))
        assert complaints == []
        return pypdf.PdfReader(made)

    yield print_match
    logger.removeHandler(handler)
    maker.close()


def pages_text(reader: pypdf.PdfReader) -> list[str]:
    """The text of each page, line by line."""
    return [page.extract_text() for page in reader.pages]


def words_on(page: pypdf.PageObject) -> list[Word]:
    """Every run of text of a page with its place, but for the chart: tests/test_chart.py sees to that."""
    found: list[Word] = []
    height = float(page.mediabox.height)

    def visit(text: str, cm: Any, tm: Any, font: Any, size: float) -> None:
        if text.strip() and cm[3] < 0:
            x, y = cm[0] * tm[4] + cm[4], cm[3] * tm[5] + cm[5]
            found.append(Word(text.strip(), x, height - y, size * cm[0], "Bold" in font["/BaseFont"]))

    page.extract_text(visitor_text=visit)
    return found


@functools.cache
def widths(bold: bool) -> tuple[dict[int, str], Any, int]:
    """The characters of a font we ship, their widths, and the unit of these."""
    with TTFont(asset_dir("static") / "fonts" / f"pad-{'bold' if bold else 'regular'}.ttf") as font:
        return font.getBestCmap(), dict(font["hmtx"].metrics), font["head"].unitsPerEm


def right_edge(word: Word) -> float:
    """Where a run of text ends; kerning aside."""
    names, metrics, unit = widths(word.bold)
    length: float = sum(metrics[names[ord(c)]][0] for c in word.text if ord(c) in names)
    return word.x + length * word.size / unit


def check_pages(reader: pypdf.PdfReader, *, most: int) -> None:
    """A4, no blank page, no type below 8 pt, nothing outside the margins."""
    assert 1 <= len(reader.pages) <= most
    for page in reader.pages:
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        assert (width, height) == pytest.approx((595.28, 841.89), abs=0.1)
        words = words_on(page)
        assert len(words) > 10
        for word in words:
            assert word.size >= 7.99, word
            assert word.x >= 20, word
            assert right_edge(word) <= width - 20, word
            assert word.y - word.size * 0.7 >= 20, word
            assert word.y <= height - 12, word


def check_figures(match: Match, reader: pypdf.PdfReader) -> None:
    """Each deal is one line of text with all its figures, and every name is there in full."""
    lines = "\n".join(pages_text(reader)).splitlines()
    text = "".join("".join(lines).split())
    short = labels(match.names)
    for name in match.names:
        assert "".join(name.split()) in text
    for result in standing(match).deals:
        assert isinstance(result.deal, Deal)
        start = f"{result.number} {short[result.deal.declarer]} {result.deal.contract}"
        found = [line for line in lines if re.match(re.escape(start) + r"\b", line.replace("*", ""))]
        assert len(found) == 1, start
        if result.score and result.basic and result.adjustment:
            figures = re.findall(r"(?<!\S)[+−]?[0-9]+(?!\S)", found[0])
            rest = iter(figures)
            for seat in Seat:
                for wanted in result.basic[seat], result.score[seat], result.totals[seat]:
                    assert signed(wanted) in rest, found[0]
    assert ("Unfinished" in text) != standing(match).is_complete


@pytest.mark.parametrize("name", match_cases())
def test_the_pdf_of_every_sample(name: str, printer: Printer) -> None:
    reader = printer(sample(name))
    check_pages(reader, most=2)
    check_figures(sample(name), reader)


@pytest.mark.parametrize("deals", [0, 1, 7, 14, 27])
def test_the_pdf_of_an_unfinished_match(deals: int, printer: Printer) -> None:
    match = cut(sample("full-match"), deals)
    reader = printer(match)
    check_pages(reader, most=1 if deals < 2 else 2)
    check_figures(match, reader)
    assert f"Unfinished: deal {deals} of 28" in pages_text(reader)[0]


@pytest.mark.parametrize("name", ["full-match", "full-match-ravage-city"])
def test_a_whole_match_has_its_deals_on_the_first_page(name: str, printer: Printer) -> None:
    match = sample(name)
    first, second = pages_text(printer(match))
    assert re.search(rf"(?m)^{len(match.deals)} ", first)
    assert "Zero check" in second


def test_the_header_comes_again_and_no_row_is_split(printer: Printer) -> None:
    agreed = tuple(
        AgreedPoints(3 + n, PerSeat(-10, 10, 0, 0), A_LONG_REASON if n % 3 == 0 else "revoke")
        for n in range(20)
    )
    match = replace(sample("full-match"), agreed_points=agreed)
    reader = printer(match)
    check_pages(reader, most=3)
    check_figures(match, reader)
    texts = pages_text(reader)
    rows = [[int(n) for n in re.findall(r"(?m)^([0-9]+)\*? [MJZB] [A-Z]", text)] for text in texts]
    assert rows[0] + rows[1] == list(range(1, 29))
    assert all("dbl basic score total" in text for text in texts[:2])
    assert sum(text.count("Agreed: revoke") for text in texts) == 13
    assert "".join(texts).replace("\n", " ").count(A_LONG_REASON) == 7


def test_long_names_and_titles_do_not_break_it(printer: Printer) -> None:
    title = "The championship of the winter half-year, second round, table seven. " * 3
    match = replace(
        sample("full-match"), players=LONG_NAMES, title=title[:200], place="The café by the river " * 9
    )
    reader = printer(match)
    check_pages(reader, most=3)
    check_figures(match, reader)


def test_other_alphabets_have_their_letters(printer: Printer) -> None:
    names = PerSeat("שרה", "علي", "Анна", "Łucja Nguyễn")
    match = replace(cut(sample("full-match"), 5), players=names, title="Ρεντζέπης", place="Київ")
    check_pages(printer(match), most=2)


def test_figures_of_four_digits_stay_on_the_page(printer: Printer) -> None:
    rules = replace(STANDARD, values=replace(Values(), king=-500, dominoes=(400, 200, 100, -100)))
    match = replace(sample("full-match"), rules=rules)
    check_pages(printer(match), most=2)


def test_an_open_deal_is_being_played(printer: Printer) -> None:
    open_deal = deal("Carla B", "BC")
    match = match_of(deal("Anna M", passed_out=True), deal("Ben M", passed_out=True), open_deal)
    reader = printer(match)
    check_pages(reader, most=2)
    assert "3 C B being played C" in pages_text(reader)[0]
    assert standing(match).playing is not None
    assert CARLA is open_deal.declarer


@pytest.mark.parametrize("name", match_cases())
def test_the_fingerprint_is_printed_below_the_signatures(name: str, printer: Printer) -> None:
    match = sample(name)
    *_, last = pages_text(printer(match))
    assert f"Fingerprint {short_hash(fingerprint(match))}" in last
    assert "record to row" not in last


def test_the_file_says_what_it_is(printer: Printer) -> None:
    reader = printer(sample("full-match"))
    assert reader.metadata is not None
    assert reader.metadata.title == "Thursday table · 2026-11-26"
    root: Any = reader.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert Path(asset_dir("static"), "sheet.css").is_file()
