"""Reads the PDF of a sheet back: where every word stands, each deal's row, and what the core wants there."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

import pypdf
import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from scorepad.glyphs import names_for_labels, printable
from scorepad.labels import labels
from scorepad.match import Deal, Match
from scorepad.messages import signed
from scorepad.paths import asset_dir
from scorepad.sheet import Paper
from scorepad.standing import DealResult, standing
from scorepad.table import SEATS

SIZES = {Paper.A4: (595.28, 841.89), Paper.LETTER: (612, 792)}
FOOT = 34  # points at the bottom that hold the footer


class Word(NamedTuple):
    """A run of text on a page: where it starts and how large it is, in points from the top left."""

    text: str
    x: float
    y: float
    size: float
    bold: bool


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


def is_left_to_right(word: Word) -> bool:
    """Whether a run has no letters from the right, beside which pypdf cannot tell where anything stands."""
    return all(not "\u0590" <= c <= "\u06ff" for c in word.text)


def check_pages(reader: pypdf.PdfReader, *, most: int, paper: Paper = Paper.A4) -> None:
    """The right paper, no blank page, no type below 8 pt, nothing outside the margins or over another."""
    assert 1 <= len(reader.pages) <= most
    for page in reader.pages:
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        assert (width, height) == pytest.approx(SIZES[paper], abs=0.1)
        words = words_on(page)
        assert len(words) > 5
        for word in words:
            assert word.size >= 7.99, word
            assert word.x >= 20, word
            assert right_edge(word) <= width - 20, word
            assert word.y - word.size * 0.7 >= 20, word
            assert word.y <= height - 12, word
        for one, other in neighbours(words) if all(map(is_left_to_right, words)) else ():
            assert not one.x < other.x < right_edge(one) - 1, (one, other)


def neighbours(words: list[Word]) -> Iterator[tuple[Word, Word]]:
    """Every two words on the same line, both ways."""
    down = sorted(words, key=lambda w: w.y)
    for n, one in enumerate(down):
        for other in takewhile(lambda w, low=one.y + 2: w.y < low, down[n + 1 :]):  # type: ignore[misc]
            yield from ((one, other), (other, one))


def rows_of(reader: pypdf.PdfReader, starts: list[str]) -> list[list[str]]:
    """The words of each deal's row, in the order in which they are read; each row is on one page."""
    rows: list[list[str]] = []
    for page in reader.pages:
        bottom = float(page.mediabox.height) - FOOT
        told = "\n".join(word.text for word in words_on(page) if word.y < bottom)
        told = re.split(r"\nHow to read it|\nRunning totals", told)[0]
        here = [start for start in starts if f"\n{start}\n" in re.sub(r"(?m)^(\d+)\*$", r"\1", told)]
        told = re.sub(r"(?m)^(\d+)\*$", r"\1", told)
        places = [told.index(f"\n{start}\n") for start in here]
        for place, end in pairwise([*places, len(told)]):
            rows.append(re.split(r"\nAgreed", told[place:end])[0].split("\n")[1:])
        starts = starts[len(here) :]
    assert not starts
    return rows


def check_figures(match: Match, reader: pypdf.PdfReader) -> None:
    """Each deal is one row with exactly the core's figures, and every name is there in full."""
    text = "".join("".join(pages_text(reader)).split())
    short, where = labels(names_for_labels(match.names)), standing(match)
    for name in map(printable, match.names):
        assert "".join(name.split()) in text or not all(c < "\u0590" for c in name)
    played = [(r, r.deal) for r in where.deals if isinstance(r.deal, Deal)]
    starts = [
        f"{r.number}\n{short[d.declarer]}\n{d.contract}" + (f" {d.start}" if d.start else "")
        for r, d in played
    ]
    for (result, _), row in zip(played, rows_of(reader, starts), strict=True):
        figures = [word for word in row[3:] if re.fullmatch(r"[+−]?[0-9]+", word)]
        assert figures == list(wanted_figures(result)), row
    assert ("Unfinished" in text) != (where.is_complete or match.abandoned)
    assert signed(where.expected + where.agreed) in text


def wanted_figures(result: DealResult) -> Iterator[str]:
    """What stands in a deal's row: each player's basic score, adjustment if any, score and total."""
    assert isinstance(result.deal, Deal)
    for seat in SEATS:
        if result.basic and result.adjustment and result.score:
            yield signed(result.basic[seat])
            if any(seat in double for double in result.deal.doubles):
                yield signed(result.adjustment[seat])
            yield signed(result.score[seat])
            yield signed(result.totals[seat])


def fonts_of(page: pypdf.PageObject) -> list[Any]:
    """The fonts a page names, those of the chart among them."""
    found: list[Any] = []
    waiting: list[Any] = [page["/Resources"]]
    while waiting:
        resources = waiting.pop()
        found += [font.get_object() for font in resources.get("/Font", {}).values()]
        pictures = [x.get_object() for x in resources.get("/XObject", {}).values()]
        waiting += [x["/Resources"] for x in pictures if "/Resources" in x]
    return found


def entries_of(outline: Any) -> Iterator[Any]:
    """Every entry of an outline, those below others too."""
    for entry in outline:
        yield from entries_of(entry) if isinstance(entry, list) else [entry]


def tags_in(tag: Any) -> Iterator[Any]:
    """Every tag below one."""
    kids = tag.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        below = kid.get_object()
        if isinstance(below, dict) and "/S" in below:
            yield below
            yield from tags_in(below)
