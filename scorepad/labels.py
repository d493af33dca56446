"""Short names for the sheet: one initial where that is enough, longer only where two would look the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate, chain, combinations, count

from scorepad.match import looks_like
from scorepad.table import SEATS, PerSeat, Seat

LONGEST_LABEL = 4

#: A double of all three others is written so on the sheet, and therefore nobody is called that.
EVERYBODY = "X"

_JOINER, _NON_JOINER = "\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}"
_FLAG_LETTERS = ("\N{REGIONAL INDICATOR SYMBOL LETTER A}", "\N{REGIONAL INDICATOR SYMBOL LETTER Z}")
_SKIN_TONES = ("\N{EMOJI MODIFIER FITZPATRICK TYPE-1-2}", "\N{EMOJI MODIFIER FITZPATRICK TYPE-6}")
_TAGS = ("\N{TAG SPACE}", "\N{CANCEL TAG}")
_BETWEEN_WORDS = re.compile(r"[\s\-.,&/]+")

#: Small Cyrillic and Greek letters whose capitals look like Latin ones, and figures that do.
_LOOKS_LATIN = str.maketrans(
    "авекмнорстухіјѕαβεηικμνορτυχζ01",
    "abekmhopctyxijsabehikmnoptyxzol",
)

_Labels = dict[Seat, str]


@lru_cache(maxsize=256)
def labels(names: PerSeat[str]) -> PerSeat[str]:
    """A label of at most four characters for each player, no two of them alike."""
    given: _Labels = {}
    _give(given, _beginnings(names, _printed), _printed)
    _give(given, _initials(names), _printed)
    _give(given, _whole(names), _printed)
    _give(given, _telling_letters(names, given), _printed)
    _give(given, _beginnings(names, looks_like), looks_like)
    for seat in SEATS:
        if seat not in given:
            given[seat] = _numbered(names[seat], seat, given)
    return PerSeat.of(given.__getitem__)


def _give(given: _Labels, offered: _Labels, fold: Callable[[str], str]) -> None:
    """Give those who still wait what they are offered, unless it is like any other label or offer."""
    waiting = {s: label for s, label in offered.items() if s not in given}
    taken = [fold(label) for label in (EVERYBODY, *given.values(), *waiting.values())]
    given |= {s: label for s, label in waiting.items() if taken.count(fold(label)) == 1}


def graphemes(text: str) -> tuple[str, ...]:
    """What a reader sees as one character each: accents, emoji sequences and flags stay whole."""
    seen: list[str] = []
    for char in unicodedata.normalize("NFC", text):
        if seen and _belongs_to(seen[-1], char):
            seen[-1] += char
        elif unicodedata.category(char) not in {"Cf", "Cc"}:
            seen.append(char)
    return tuple(seen)


def shortened(text: str, most: int) -> str:
    """The text in at most so many characters, wide ones counted twice, with an ellipsis where it was cut."""
    seen = graphemes(text)
    ends = tuple(accumulate(map(_width, seen)))
    if not ends or ends[-1] <= most:
        return text
    return "".join(g for g, end in zip(seen, ends, strict=True) if end < most).rstrip() + "…"


def _width(grapheme: str) -> int:
    """How many letters take the room of this character."""
    return 2 if unicodedata.east_asian_width(grapheme[0]) in {"W", "F"} else 1


def isolated(text: str) -> str:
    """The text so that letters written from the right do not rearrange what stands beside it."""
    if any(unicodedata.bidirectional(c) in {"R", "AL"} for c in text):
        return f"\N{LEFT-TO-RIGHT MARK}{text}\N{LEFT-TO-RIGHT MARK}"
    return text


def _belongs_to(before: str, char: str) -> bool:
    """Whether a character continues the one before it."""
    if char in {_JOINER, _NON_JOINER} or before.endswith(_JOINER):
        return True
    if _FLAG_LETTERS[0] <= char <= _FLAG_LETTERS[1]:
        return len(before) == 1 and _FLAG_LETTERS[0] <= before <= _FLAG_LETTERS[1]
    if _SKIN_TONES[0] <= char <= _SKIN_TONES[1] or _TAGS[0] <= char <= _TAGS[1]:
        return True
    return unicodedata.category(char) in {"Mn", "Mc", "Me"}


def _letters(name: str) -> tuple[str, ...]:
    """The characters of a name that a label can be made of, the first as a capital."""
    seen = [g for g in graphemes(name) if not g[0].isspace()]
    said = [g for g in seen if unicodedata.category(g[0])[0] != "P"] or seen
    return (_capital(said[0]), *said[1:]) if said else ("?",)


def _capital(grapheme: str) -> str:
    """The same as a capital, where that is one character too."""
    large = grapheme.upper()
    return large if len(large) == len(grapheme) else grapheme


def _printed(label: str) -> str:
    """What two labels share when a reader could mistake one for the other in small print."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", label) if unicodedata.category(c) != "Mn")
    return looks_like(bare).translate(_LOOKS_LATIN) or looks_like(label)


def _beginnings(names: PerSeat[str], fold: Callable[[str], str]) -> _Labels:
    """For each name the shortest beginning that no other name shares."""
    letters = names.map(_letters)
    offered: _Labels = {}
    for seat in SEATS:
        for n in range(1, LONGEST_LABEL + 1):
            label = "".join(letters[seat][:n])
            taken = {fold("".join(letters[s][:n])) for s in seat.others} | {fold(EVERYBODY)}
            if fold(label) not in taken:
                offered[seat] = label
                break
    return offered


def _initials(names: PerSeat[str]) -> _Labels:
    """The initials of all words of each name that has several."""
    words = [(s, [w for w in _BETWEEN_WORDS.split(name) if w]) for s, name in names.seats()]
    return {
        s: "".join(_letters(w)[0] for w in several[:LONGEST_LABEL])
        for s, several in words
        if len(several) > 1
    }


def _whole(names: PerSeat[str]) -> _Labels:
    """Each name that is short enough to be its own label."""
    return {s: "".join(name) for s, name in names.map(_letters).seats() if len(name) <= LONGEST_LABEL}


def _telling_letters(names: PerSeat[str], given: _Labels) -> _Labels:
    """An initial and the one or two letters, in the same places for all, that tell these names apart."""
    letters = names.map(_letters)
    places = range(1, max(map(len, letters)))
    for chosen in chain(combinations(places, 1), combinations(places, 2)):
        made = {
            s: "".join((mine[0], *(mine[p] for p in chosen if p < len(mine)))) for s, mine in letters.seats()
        }
        waiting = {s: label for s, label in made.items() if s not in given}
        taken = [_printed(label) for label in (EVERYBODY, *made.values(), *given.values())]
        if all(taken.count(_printed(label)) == 1 for label in waiting.values()):
            return waiting
    return {}


def _numbered(name: str, seat: Seat, given: _Labels) -> str:
    """An initial with a number, that of the seat where it can be."""
    tried = (f"{_letters(name)[0]}{n}" for n in count(seat + 1))
    return next(label for label in tried if label not in given.values())
