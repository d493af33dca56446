"""The sheet as a PDF, read back: figures, names, pages, type, tags; nothing is cut off."""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pypdf
import pytest
from builders import CARLA, case_file, deal, match_cases, match_of
from generated import random_match
from paper import check_figures, check_pages, entries_of, fonts_of, pages_text, tags_in

from scorepad.carried import read_file, written
from scorepad.glyphs import drawn
from scorepad.match import AgreedPoints, Match
from scorepad.matchfile import fingerprint, read, short_hash
from scorepad.messages import Words, signed
from scorepad.paths import asset_dir
from scorepad.pdf import PdfMaker
from scorepad.printing import sheet_html
from scorepad.rules import PRESETS, STANDARD, Values
from scorepad.sheet import Edition, Paper, sheet_page
from scorepad.standing import standing
from scorepad.table import PerSeat

#: Where one paper is enough for make check.
PAPERS = (Paper.A4, pytest.param(Paper.LETTER, marks=pytest.mark.slow))
LONG_NAMES = PerSeat(
    "Maximilian von und zu Habsburg-Lothringe",
    "Maximilian von und zu Hohenzollern-Sigma",
    "Wolfeschlegelsteinhausenbergerdorffwelch",
    "Ελένη Παπαδοπούλου-Κωνσταντινίδου Αννα Β",
)
ODD_NAMES = PerSeat("🦊 日本太郎", "שרה בת אברהם", "علي بن محمد", "Ђорђе 👨‍👩‍👧 😀")
A_LONG_REASON = "the director ruled that the exposed card was played and that both sides share the last trick"
LARGEST = replace(STANDARD, values=Values(king=-10_000, trick=-10_000, dominoes=(10_000, 9_999, 1, -10_000)))


@functools.cache
def sample(name: str) -> Match:
    """A match of the case files."""
    match = read(case_file(name)).match
    assert match is not None
    return match


def cut(match: Match, deals: int) -> Match:
    """The match as it stood after so many deals."""
    return replace(match, deals=match.deals[:deals])


Printer = Callable[..., pypdf.PdfReader]


@pytest.fixture(scope="module")
def printer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Printer]:
    """Prints matches, each once; any complaint of WeasyPrint, missing glyphs included, fails.

    Each carries its match, which comes out of the PDF as it went in.
    """
    maker = PdfMaker(tmp_path_factory.mktemp("sheets"), base=asset_dir("static"))
    complaints: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: complaints.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("scorepad.pdf")
    logger.addHandler(handler)

    @functools.cache
    def print_match(match: Match, edition: Edition = Edition()) -> pypdf.PdfReader:  # noqa: B008
        made = maker.make(sheet_html(match, Words(match.names), edition), written(match))
        assert complaints == []
        assert read_file(made.read_bytes()).match == match
        return pypdf.PdfReader(made)

    yield print_match
    logger.removeHandler(handler)
    maker.close()


@pytest.mark.parametrize("name", match_cases())
def test_the_pdf_of_every_sample(name: str, printer: Printer) -> None:
    reader = printer(sample(name))
    check_pages(reader, most=2)
    check_figures(sample(name), reader)


@pytest.mark.slow
@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("deals", range(33))
def test_the_pdf_after_every_deal(deals: int, paper: Paper, printer: Printer) -> None:
    match = cut(sample("full-match-ravage-city"), deals)
    reader = printer(match, Edition(paper))
    check_pages(reader, most=2, paper=paper)
    check_figures(match, reader)


@pytest.mark.parametrize("deals", [0, 1, 14, 27])
def test_the_pdf_of_an_unfinished_match(deals: int, printer: Printer) -> None:
    match = cut(sample("full-match"), deals)
    reader = printer(match)
    check_pages(reader, most=1 if deals < 2 else 2)
    check_figures(match, reader)
    assert f"Unfinished: deal {deals} of 28" in pages_text(reader)[0]


@pytest.mark.parametrize(
    ("name", "deals"),
    [("full-match", 0), ("full-match", 28), ("full-match-ravage-city", 32)],
)
def test_the_pdf_on_us_letter(name: str, deals: int, printer: Printer) -> None:
    match = cut(sample(name), deals)
    reader = printer(match, Edition(Paper.LETTER))
    check_pages(reader, most=2, paper=Paper.LETTER)
    check_figures(match, reader)


@pytest.mark.parametrize("paper", PAPERS)
def test_more_deals_than_a_match_has(paper: Paper, printer: Printer) -> None:
    """A match that was put together wrongly is printed too, each mistake in the notes."""
    match = sample("full-match")
    reader = printer(replace(match, deals=match.deals + match.deals[:8]), Edition(paper))
    check_pages(reader, most=3, paper=paper)
    text = "\n".join(pages_text(reader))
    assert text.count("not scored") == 8
    assert "Deal 36: " in text


@pytest.mark.parametrize("name", ["full-match", "full-match-ravage-city"])
@pytest.mark.parametrize("paper", Paper)
def test_a_whole_match_has_its_deals_and_their_key_on_the_first_page(
    paper: Paper, name: str, printer: Printer
) -> None:
    match = sample(name)
    first, second = pages_text(printer(match, Edition(paper)))
    assert re.search(rf"(?m)^{len(match.deals)} ", first)
    assert "How to read it" in first
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
    assert rows[1]
    assert all("dbl basic adj score total" in text for text in texts[:2])
    assert sum(text.count("Agreed: revoke") for text in texts) == 13
    assert "".join(texts).replace("\n", " ").count(A_LONG_REASON) == 7


@pytest.mark.parametrize("paper", PAPERS)
def test_long_names_and_titles_do_not_break_it(paper: Paper, printer: Printer) -> None:
    title = "The championship of the winter half-year, second round, table seven. " * 3
    place = "The café by the river " * 9
    match = replace(sample("full-match"), players=LONG_NAMES, title=title[:200].strip(), place=place.strip())
    reader = printer(match, Edition(paper))
    check_pages(reader, most=3, paper=paper)
    check_figures(match, reader)


def test_what_the_fonts_lack_is_never_a_box(printer: Printer) -> None:
    """Nothing on any page is outside the fonts, and each name has its letters or its substitute."""
    match = replace(
        cut(sample("full-match"), 12), players=ODD_NAMES, title="Ρεντζέπης ♠ 東京", place="Київ 🏠"
    )
    reader = printer(match)
    check_pages(reader, most=2)
    text = "".join(pages_text(reader))
    where = standing(match)
    assert all(signed(total) in "".join(text.split()) for total in where.totals)
    assert {c for c in text if not c.isspace()} <= {chr(n) for n in drawn()}
    for told in "[fox face]", "[U+6771, U+4EAC]", "fox face U+1F98A", "Ђорђе [man]", "①":
        assert told in text.replace("\n", " ")
    fonts = {font["/BaseFont"].partition("+")[2] for page in reader.pages for font in fonts_of(page)}
    assert fonts == {"Pad-Semi-Condensed", "Pad-Bold-Semi-Condensed"}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_largest_figures_stay_in_their_columns(paper: Paper, printer: Printer) -> None:
    match = replace(
        sample("full-match"),
        rules=LARGEST,
        players=LONG_NAMES,
        agreed_points=(AgreedPoints(28, PerSeat(-10_000, 10_000, 0, 0)),),
    )
    assert max(map(len, map(signed, standing(match).totals))) >= 7
    reader = printer(match, Edition(paper))
    check_pages(reader, most=3, paper=paper)
    check_figures(match, reader)


def test_an_open_deal_is_being_played(printer: Printer) -> None:
    open_deal = deal("Carla B", "BC")
    match = match_of(deal("Anna M", passed_out=True), deal("Ben M", passed_out=True), open_deal)
    reader = printer(match)
    check_pages(reader, most=2)
    assert "3 C B being played C" in pages_text(reader)[0].replace("\n", " ")
    assert standing(match).playing is not None
    assert CARLA is open_deal.declarer


def test_why_stands_on_pages_of_its_own(printer: Printer) -> None:
    match = sample("full-match")
    edition = Edition(says_why=True)
    standard, more = printer(match), printer(match, edition)
    check_pages(more, most=6)
    assert pages_text(more)[1].replace("/ 5", "/ 2") == pages_text(standard)[1]
    told = " ".join(" ".join(pages_text(more)[2:]).split())
    for explained in sheet_page(match, Words(match.names), edition=edition).explained:
        for sentence in (explained.heading, explained.told, explained.basic, *explained.pairs):
            assert sentence in told


@pytest.mark.parametrize("name", match_cases())
def test_the_fingerprint_is_on_every_page(name: str, printer: Printer) -> None:
    match = sample(name)
    texts = pages_text(printer(match))
    mark = f"Fingerprint {short_hash(fingerprint(match))}"
    assert all(mark in text for text in texts)
    assert texts[-1].count(mark) == 2
    assert "record to row" not in texts[-1]


def test_the_file_says_what_it_is(printer: Printer) -> None:
    """PDF/UA: language, title shown, tags, an outline; the chart has words in its place."""
    reader = printer(sample("full-match"))
    assert reader.metadata is not None
    assert reader.metadata.title == "Thursday table · November 26, 2026"
    assert reader.metadata.author == "Marta, José, Zoë, Björn"
    assert reader.metadata.subject == "Björn won with +203"
    root: Any = reader.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert b'pdfuaid:part="1"' in root["/Metadata"].get_data()
    tags = list(tags_in(root["/StructTreeRoot"]))
    kinds = {str(tag["/S"]) for tag in tags}
    assert kinds >= {"/H1", "/H2", "/Table", "/TR", "/TH", "/TD", "/Figure", "/P"}
    figures = [str(tag["/Alt"]) for tag in tags if tag["/S"] == "/Figure"]
    assert figures == ["Running totals: Marta −44, José −28, Zoë −131, Björn +203"]
    titles = [str(entry["/Title"]) for entry in entries_of(reader.outline)]
    assert titles[:4] == ["Thursday table", "Deals", "How to read it", "Running totals"]


def random_of(preset: str, seed: int) -> Match:
    """A random match of a preset."""
    random = Random(seed)
    while True:
        match = random_match(random)
        if match.rules == PRESETS[preset]:
            return match


@pytest.mark.parametrize("preset", ["german", "ravage-city"])
def test_random_matches_have_the_figures_of_the_core(preset: str, printer: Printer) -> None:
    match = random_of(preset, seed=7)
    reader = printer(match)
    check_pages(reader, most=2)
    check_figures(match, reader)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("preset", PRESETS)
def test_many_random_matches_have_the_figures_of_the_core(preset: str, seed: int, printer: Printer) -> None:
    match, paper = random_of(preset, seed), [*Paper][seed % 2]
    reader = printer(match, Edition(paper))
    check_pages(reader, most=2, paper=paper)
    check_figures(match, reader)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_random_house_rules_stay_on_the_page(seed: int, printer: Printer) -> None:
    match, paper = random_match(Random(seed)), [*Paper][seed % 2]
    reader = printer(match, Edition(paper))
    check_pages(reader, most=3, paper=paper)
    check_figures(match, reader)
