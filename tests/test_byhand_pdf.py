"""Sheets to write on as PDFs, read back: rows, room to write, pages, type; nothing is cut off."""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pypdf
import pytest
from flask import Flask
from paper import check_pages, pages_text, wanted_figures, words_on
from test_sheet_pdf import LONG_NAMES, ODD_NAMES, PAPERS, cut, sample

from scorepad.byhand import MADE, TO_MAKE
from scorepad.card import card
from scorepad.carried import read_file
from scorepad.glyphs import drawn
from scorepad.labels import labels
from scorepad.match import AgreedPoints, Deal, Match
from scorepad.messages import Words
from scorepad.paths import asset_dir
from scorepad.pdf import PdfMaker
from scorepad.printing import blank_html, by_hand_html
from scorepad.rules import PRESETS, STANDARD, Deck, PositivesCount, Rotation, Rules, Values
from scorepad.sheet import Edition, Paper
from scorepad.standing import standing
from scorepad.store import Store
from scorepad.table import SEATS, PerSeat

NOBODY = Words(PerSeat("", "", "", ""))
POINTS_IN_MM = 72 / 25.4
SHADE = (0xF1, 0xEA, 0xD3)

#: Room for a figure of three digits and a sign, written by hand.
WIDE_ENOUGH, HIGH_ENOUGH = 9.0, 6.5

#: Many departures from the standard, all of which are printed.
ODD_RULES = replace(
    STANDARD,
    rotation=Rotation.SEVEN_IN_A_ROW,
    compulsory_doubles=6,
    positives_count=PositivesCount.ONE,
    flank_doubles_in_positives=True,
    declarer_may_open=True,
    ravage_city=True,
    deck=Deck.SMALL,
)

#: Basic scores of three digits, totals of four.
LARGE = replace(STANDARD, values=Values(king=-400, trick=-60, dominoes=(900, 400, 100, -100)))

IN_EVERY_CHECK = {("standard", Paper.A4), ("ravage-city", Paper.LETTER), ("odd", Paper.A4)}

Made = Callable[[str], pypdf.PdfReader]


class Box(NamedTuple):
    """A filled rectangle: where its left edge is, and its size, in millimetres."""

    x: float
    width: float
    height: float


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """Makes PDFs of documents, each once; any complaint of WeasyPrint, missing glyphs included, fails."""
    maker = PdfMaker(tmp_path_factory.mktemp("sheets"), base=asset_dir("static"))
    complaints: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: complaints.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("scorepad.pdf")
    logger.addHandler(handler)

    @functools.cache
    def make(html: str) -> pypdf.PdfReader:
        path = maker.make(html)
        assert complaints == []
        return pypdf.PdfReader(path)

    yield make
    logger.removeHandler(handler)
    maker.close()


def blank(rules: Rules, paper: Paper = Paper.A4) -> str:
    """A blank sheet as a document."""
    return blank_html(rules, NOBODY, Edition(paper))


def going_on(match: Match, paper: Paper = Paper.A4) -> str:
    """The sheet on which a match goes on, as a document."""
    return by_hand_html(match, Words(match.names), Edition(paper))


def shaded(page: pypdf.PageObject) -> Iterator[Box]:
    """The declarer's cells of every deal, which are the cells of every column of figures."""
    colour: tuple[int, ...] = ()
    found: list[Box] = []
    drawn_last: tuple[float, ...] = ()

    def visit(operator: bytes, operands: Any, cm: Any, _tm: Any) -> None:
        nonlocal colour, drawn_last
        if operator in {b"rg", b"scn"}:
            colour = tuple(round(float(part) * 255) for part in operands[:3])
        if operator == b"re":
            drawn_last = tuple(float(part) * cm[0] / POINTS_IN_MM for part in operands)
        if operator in {b"f", b"f*"} and colour == SHADE:
            x, _, width, height = drawn_last
            found.append(Box(x, width, abs(height)))

    page.extract_text(visitor_operand_before=visit)
    yield from found


def check_room(reader: pypdf.PdfReader, deals: int) -> None:
    """Every cell for doubles or a figure has room to be written in by hand."""
    boxes = [box for page in reader.pages for box in shaded(page)]
    assert len(boxes) == deals * 4
    assert len({round(box.x) for box in boxes}) == 16
    for box in boxes:
        assert box.width >= WIDE_ENOUGH
        assert box.height >= HIGH_ENOUGH


def numbers(reader: pypdf.PdfReader) -> list[int]:
    """The numbers of the rows of deals, page by page."""
    found = []
    for text in pages_text(reader):
        found += [
            int(n) for n in re.findall(r"(?m)^([0-9]+)\*? \S{1,4}(?: |$)", text.split("Contracts\n")[0])
        ]
    return found


@pytest.mark.parametrize(
    ("preset", "paper"),
    [
        pytest.param(preset, paper, marks=() if (preset, paper) in IN_EVERY_CHECK else pytest.mark.slow)
        for preset in [*PRESETS, "odd"]
        for paper in Paper
    ],
)
def test_a_blank_sheet(preset: str, paper: Paper, made: Made) -> None:
    rules = ODD_RULES if preset == "odd" else PRESETS[preset]
    reader = made(blank(rules, paper))
    deals = 32 if rules.ravage_city else 28
    check_pages(reader, most=2, paper=paper)
    check_room(reader, deals)
    assert numbers(reader) == list(range(1, deals + 1))
    first, second = pages_text(reader)
    assert f"\n{deals} ④" in first
    text = " ".join((first + "\n" + second).split())
    assert text.count(TO_MAKE) == 12 * rules.compulsory_doubles
    wanted = card(rules, NOBODY)
    for line in (*wanted.negatives, *wanted.positives):
        assert f"{line.contract} {line.name} {line.worth} {line.total}" in text
    for told in (*wanted.match, *wanted.doubling, *wanted.compulsory, wanted.undoubled):
        assert told in text
    for place in "Date", "Place", "Zero check", "Signed", "Contracts", "Notes":
        assert place in text
    assert "Fingerprint" not in text
    assert not reader.attachments
    assert ("Contracts" in first) is (paper is Paper.A4 and deals == 28)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("name", "deals", "all_deals"),
    [
        pytest.param("full-match", 0, 28, marks=pytest.mark.slow),
        ("full-match", 13, 28),
        pytest.param("full-match", 27, 28, marks=pytest.mark.slow),
        ("full-match-ravage-city", 20, 32),
    ],
)
def test_a_match_that_goes_on(name: str, deals: int, all_deals: int, paper: Paper, made: Made) -> None:
    match = cut(sample(name), deals)
    reader = made(going_on(match, paper))
    check_pages(reader, most=2, paper=paper)
    check_room(reader, all_deals)
    assert numbers(reader) == list(range(1, all_deals + 1))
    where, text = standing(match), "\n".join(pages_text(reader))
    assert f"Go on by hand from deal {deals + 1} of {all_deals}" in text
    assert text.count(MADE) + text.count(TO_MAKE) == 24
    assert text.count(TO_MAKE) == sum(where.owed(p, d) for p in SEATS for d in p.others)
    assert "Fingerprint" in text
    check_figures(match, reader)


def check_figures(match: Match, reader: pypdf.PdfReader) -> None:
    """The rows of the deals played have the core's figures, those to come have none."""
    short = labels(match.names)
    where = standing(match)
    told = "\n".join("\n".join(word.text for word in words_on(page)) for page in reader.pages)
    told = re.sub(r"(?m)^(\d+)\*$", r"\1", told.split("\nContracts\n")[0])
    declarers = [short[r.deal.declarer] for r in where.deals if isinstance(r.deal, Deal)]
    at = 0
    for result, declarer in zip(where.deals, declarers, strict=True):
        at = told.index(f"\n{result.number}\n{declarer}\n", at)
        row = re.split(rf"\n{result.number + 1}\n", told[at:])[0].split("\n")[3:]
        assert [w for w in row if re.fullmatch(r"[+−]?[0-9]+", w)] == list(wanted_figures(result)), row
    assert not re.search(r"[+−]", told[told.index(f"\n{len(where.deals) + 1}\n", at) :])


def test_more_than_fits_on_one_page_comes_with_its_header(made: Made) -> None:
    """Agreed points have lines of their own, so that the deals go on on the second page."""
    agreed = tuple(AgreedPoints(n, PerSeat(-10, 10, 0, 0), "revoke") for n in range(1, 13))
    match = replace(cut(sample("full-match"), 12), agreed_points=agreed)
    reader = made(going_on(match))
    check_pages(reader, most=3)
    check_room(reader, 28)
    assert numbers(reader) == list(range(1, 29))
    assert [text.count("dbl basic score total") for text in pages_text(reader)[:2]] == [4, 4]


@pytest.mark.parametrize("paper", PAPERS)
def test_large_figures_stay_in_their_columns(paper: Paper, made: Made) -> None:
    match = replace(cut(sample("full-match"), 20), rules=LARGE)
    reader = made(going_on(match, paper))
    check_pages(reader, most=3, paper=paper)
    check_room(reader, 28)


def test_the_pdf_carries_the_match_so_far(app: Flask) -> None:
    """Whoever goes on with scorepad after all brings the PDF in."""
    store: Store = app.extensions["store"]
    match = cut(sample("full-match"), 13)
    slug = store.start(match)[0]
    client = app.test_client()
    with client.get(f"/m/{slug}/by-hand.pdf") as answer:
        assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
        assert "by-hand.pdf" in answer.headers["Content-Disposition"]
        assert read_file(answer.data).match == match
    with client.get("/sheet/blank.pdf?rules=ravage-city&paper=letter") as answer:
        assert answer.status_code == 200
        assert read_file(answer.data).match is None


def test_names_that_are_long_or_odd(made: Made) -> None:
    for names in LONG_NAMES, ODD_NAMES:
        reader = made(going_on(replace(cut(sample("full-match"), 12), players=names)))
        check_pages(reader, most=3)
        check_room(reader, 28)
        assert {c for text in pages_text(reader) for c in text if not c.isspace()} <= {
            chr(n) for n in drawn()
        }
