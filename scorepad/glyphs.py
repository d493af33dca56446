"""What the sheet's fonts can draw, and the names that stand for what they cannot."""

from __future__ import annotations

import re
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

IN_BLACK = "\N{VARIATION SELECTOR-15}"
POINTING_FINGER = "\N{WHITE UP POINTING INDEX}"  # coloured though it is not wide

SEATS_IN_CIRCLES = PerSeat("①", "②", "③", "④")

#: Signs of several scripts that Unicode counts among its controls though they are seen.
_SEEN_CONTROLS = re.compile(
    "([\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001343f])"
)

_FLAG_LETTERS = ("\N{REGIONAL INDICATOR SYMBOL LETTER A}", "\N{REGIONAL INDICATOR SYMBOL LETTER Z}")


@cache
def drawn() -> frozenset[int]:
    """The characters that both fonts of the sheet can draw."""
    lines = (asset_dir("static") / RANGES).read_text(encoding="ascii").split()
    pairs = (line.partition("-") for line in lines)
    return frozenset(n for first, _, last in pairs for n in range(int(first, 16), int(last, 16) + 1))


def is_drawn(grapheme: str) -> bool:
    """Whether the fonts have every part of what a reader sees as one character; spaces can always be left."""
    return all(ord(c) in drawn() or _is_unseen(c) for c in grapheme)


def _is_unseen(char: str) -> bool:
    """Whether nothing is seen of a character: another space, or a mark that says how to write others."""
    return unicodedata.category(char) in {"Cf", "Zs"} and not _SEEN_CONTROLS.fullmatch(char)


def _seen(text: str) -> Iterator[str]:
    """What a reader sees as one character each."""
    for part in _SEEN_CONTROLS.split(text):
        yield from [part] if _SEEN_CONTROLS.fullmatch(part) else graphemes(part)


def missing(texts: Iterable[str]) -> tuple[str, ...]:
    """The characters of these texts that the fonts lack, each once."""
    return tuple(dict.fromkeys(g for text in texts for g in _seen(text) if not is_drawn(g)))


def printable(text: str) -> str:
    """The text with the names of the characters that the fonts lack in their places: [fox face]."""
    if not missing([text]):
        return _plain(text)
    runs = groupby(_seen(text), is_drawn)
    return "".join(_plain("".join(run)) if can else _bracketed(tuple(run)) for can, run in runs)


def _plain(text: str) -> str:
    """The text with the usual space for spaces that only other fonts have, and without marks they lack.

    Emoji that the fonts have are asked for in black and white, or another font would be taken for them.
    """
    seen = "".join(c if ord(c) in drawn() else " " * (unicodedata.category(c) == "Zs") for c in text)
    return "".join(
        c + IN_BLACK * (unicodedata.east_asian_width(c) == "W" or c == POINTING_FINGER) for c in seen
    )


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
