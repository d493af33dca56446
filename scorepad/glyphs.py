"""What the sheet's fonts can draw, and the names that stand for what they cannot."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby

from scorepad.labels import graphemes
from scorepad.match import Deal, Match
from scorepad.paths import asset_dir
from scorepad.table import PerSeat, Seat

#: The characters of the fonts in ranges, one to a line, as docs/fonts.md makes them.
RANGES = "fonts/pad.txt"

MOST_NAMED = 3  # characters in a row; the note below the sheet has them all
LONGEST_CALLED = 24  # letters; what has a longer name goes by its number

#: What stands before the part of a character's name that a reader would say.
_BEFORE_ITS_NAME = (" LETTER ", " SYLLABLE ", " CHARACTER ")
_NUMBERED_BY_UNICODE = "IDEOGRAPH-"

SEATS_IN_CIRCLES = PerSeat("①", "②", "③", "④")

_FLAG_LETTERS = ("\N{REGIONAL INDICATOR SYMBOL LETTER A}", "\N{REGIONAL INDICATOR SYMBOL LETTER Z}")


@cache
def drawn() -> frozenset[int]:
    """The characters that both fonts of the sheet can draw."""
    lines = (asset_dir("static") / RANGES).read_text(encoding="ascii").split()
    pairs = (line.partition("-") for line in lines)
    return frozenset(n for first, _, last in pairs for n in range(int(first, 16), int(last, 16) + 1))


def is_drawn(grapheme: str) -> bool:
    """Whether the fonts have every part of what a reader sees as one character."""
    return all(ord(c) in drawn() or unicodedata.category(c) in {"Cf", "Zs"} for c in grapheme)


def missing(texts: Iterable[str]) -> tuple[str, ...]:
    """The characters of these texts that the fonts lack, each once."""
    return tuple(dict.fromkeys(g for text in texts for g in graphemes(text) if not is_drawn(g)))


def printable(text: str) -> str:
    """The text with the names of the characters that the fonts lack in their places: [fox face]."""
    if not missing([text]):
        return _plain(text)
    runs = groupby(graphemes(text), is_drawn)
    return "".join(_plain("".join(run)) if can else _bracketed(tuple(run)) for can, run in runs)


def _plain(text: str) -> str:
    """The text with the usual space for spaces that only other fonts have."""
    return "".join(" " if unicodedata.category(c) == "Zs" and ord(c) not in drawn() else c for c in text)


def _bracketed(run: tuple[str, ...]) -> str:
    """What stands for characters in a row."""
    more = "…" if len(run) > MOST_NAMED else ""
    return f"[{', '.join(map(called, run[:MOST_NAMED]))}{more}]"


def called(grapheme: str) -> str:
    """What a reader would call a character: a flag by its letters, and its number where no name helps."""
    if _FLAG_LETTERS[0] <= grapheme[0] <= _FLAG_LETTERS[1]:
        return "".join(chr(ord(c) - ord(_FLAG_LETTERS[0]) + ord("A")) for c in grapheme)
    name = unicodedata.name(grapheme[0], "")
    for before in _BEFORE_ITS_NAME:
        name = name.rpartition(before)[2]
    is_helpful = 0 < len(name) <= LONGEST_CALLED and _NUMBERED_BY_UNICODE not in name
    return name.lower() if is_helpful else numbered(grapheme)


def numbered(grapheme: str) -> str:
    """The Unicode numbers of a character."""
    return " ".join(f"U+{ord(c):04X}" for c in grapheme)


def texts_of(match: Match) -> Iterator[str]:
    """Everything the table wrote: names, title, place, notes, reasons."""
    yield from (*match.players, match.title, match.place)
    yield from (r.name for r in match.replaced)
    yield from (deal.note for deal in match.deals if isinstance(deal, Deal))
    yield from (agreed.reason for agreed in match.agreed_points)


def printable_match(match: Match) -> Match:
    """The match as the fonts can write it; its figures are the same."""
    return replace(
        match,
        players=match.players.map(printable),
        title=printable(match.title),
        place=printable(match.place),
        deals=tuple(replace(d, note=printable(d.note)) if isinstance(d, Deal) else d for d in match.deals),
        agreed_points=tuple(replace(a, reason=printable(a.reason)) for a in match.agreed_points),
        replaced=tuple(replace(r, name=printable(r.name)) for r in match.replaced),
    )


def names_for_labels(names: PerSeat[str]) -> PerSeat[str]:
    """What labels can be made of: what can be drawn of each name, or else its seat in a circle."""

    def left(seat: Seat) -> str:
        seen = "".join(g for g in graphemes(names[seat]) if is_drawn(g)).strip()
        return seen or SEATS_IN_CIRCLES[seat]

    return PerSeat.of(left)
