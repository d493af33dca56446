"""What the score sheet shows, every value written out; the templates only lay it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from scorepad.chart import Chart, chart
from scorepad.contracts import contracts_of
from scorepad.glyphs import missing, names_for_labels, printable, printable_match, texts_of
from scorepad.house import house_rules
from scorepad.labels import graphemes, isolated, labels, shortened
from scorepad.match import Match
from scorepad.matchfile import fingerprint, short_hash
from scorepad.messages import CONTRACT_NAMES, N_, Words, signed
from scorepad.sheetlines import Line, sheet_lines
from scorepad.sheetnotes import Explained, explained, lacking_note, notes
from scorepad.sheettables import Check, Row, declared, moved, owed, shortfalls, zero_check
from scorepad.signed import Signed
from scorepad.standing import Standing, standing
from scorepad.table import PerSeat, Seat

LONGEST_LARGE_TITLE = 30  # characters that fit on a line in large type
LONGEST_IN_FOOTER = 60
LONGEST_IN_HEADER = 18  # characters of a name, beside its label
LONGEST_USUAL_LABEL = 2  # characters, so that two labels of those doubled stand beside each other
USUAL_BASIC, USUAL_FIGURE = 3, 4  # characters: up to two and three digits, and a sign
MOST_ROOMY = 28  # lines that fit on A4 with room between them

UNFINISHED = N_("Unfinished: deal {number} of {all}")
ABANDONED = N_("Abandoned after deal {number} of {all}")
WON = (N_("{players} won with {total:+}"), N_("{players} won with {total:+} each"))
FINGERPRINT = N_("Fingerprint {fingerprint}")
RECORD = N_("record to row {revision}: {head}")
SAVED = N_("last saved {day} {time} UTC")


class Paper(StrEnum):
    """The papers a sheet is laid out for."""

    A4 = "a4"
    LETTER = "letter"


@dataclass(frozen=True, slots=True)
class Edition:
    """How a sheet is made: for which paper, whether it says why, and whether in our own fonts."""

    paper: Paper = Paper.A4
    says_why: bool = False
    is_in_own_fonts: bool = True


ON_A4 = Edition()


@dataclass(frozen=True, slots=True)
class Player:
    """One player in the head of the sheet."""

    label: str
    name: str
    short_name: str
    rank: str
    total: str


@dataclass(frozen=True, slots=True)
class Head:
    """Where the record of a kept match ends: its last row, the hash of that row, when it was saved (UTC).

    `corrected` says how often a deal was corrected, by its number.
    """

    revision: int
    hash: str
    saved: str = ""
    corrected: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SheetPage:
    """Everything the sheet shows; no `owed` where no double is compulsory, no `chart` of too few deals.

    `marks` tell the match and its record from any other; a match that is in no record has no mark of one.
    Figures are stacked where they or the labels are too long to stand side by side; few lines are roomy.
    """

    title: str
    short_title: str
    date: str
    place: str
    printed: str
    outcome: str
    rules: str
    players: PerSeat[Player]
    paper: Paper
    has_long_title: bool
    is_stacked: bool
    is_roomy: bool
    has_long_labels: bool
    lines: tuple[Line, ...]
    contracts: tuple[tuple[str, str], ...]
    declared: PerSeat[Row]
    owed: PerSeat[Row] | None
    shortfalls: tuple[str, ...]
    moved: PerSeat[Row]
    check: Check
    chart: Chart | None
    notes: tuple[str, ...]
    lacking: str
    marks: tuple[str, ...]
    explained: tuple[Explained, ...]
    signed: tuple[Signed, ...]


def sheet_page(
    match: Match,
    words: Words,
    *,
    edition: Edition = ON_A4,
    head: Head | None = None,
    signed: tuple[Signed, ...] = (),
    printed: str | None = None,
    day: Callable[[str], str] = str,
) -> SheetPage:
    """The sheet of a match; `printed` is the day it is printed on, `day` writes such a day for the reader.

    `head` is where its record ends and `signed` who has signed it, for a match that is kept.
    """
    short = labels(match.names)
    lacking: tuple[str, ...] = ()
    marks = tuple(_marks(match, head, words, day))
    if edition.is_in_own_fonts:
        lacking = missing(texts_of(match))
        short = labels(names_for_labels(match.names)).map(printable)
        match = printable_match(match)
        signed = tuple(replace(one, name=printable(one.name)) for one in signed)
    short = short.map(isolated)
    where = standing(match)
    say = replace(words, names=match.names.map(isolated))
    corrected = head.corrected if head else {}
    lines = tuple(sheet_lines(where, short, say, corrected))
    return SheetPage(
        title=isolated(match.title),
        short_title=isolated(shortened(match.title, LONGEST_IN_FOOTER)),
        date=day(match.date) if match.date else "",
        place=isolated(match.place),
        printed=day(printed) if printed else "",
        outcome=_outcome(where, say),
        rules=house_rules(match.rules, say),
        players=PerSeat.of(lambda s: _player(where, s, short[s])),
        paper=edition.paper,
        has_long_title=len(match.title) > LONGEST_LARGE_TITLE,
        is_stacked=_is_stacked(short, lines),
        is_roomy=len(lines) <= MOST_ROOMY,
        has_long_labels=any(len(graphemes(label)) > 1 for label in short),
        lines=lines,
        contracts=tuple((c.value, say.gettext(CONTRACT_NAMES[c])) for c in contracts_of(match.rules)),
        declared=declared(where, short),
        owed=owed(where, short) if match.rules.compulsory_doubles else None,
        shortfalls=tuple(shortfalls(where, say)),
        moved=moved(where, short),
        check=zero_check(where, say),
        chart=chart(where, short),
        notes=tuple(notes(where, say, corrected)),
        lacking=lacking_note(lacking, say),
        marks=marks,
        explained=tuple(explained(where, say)) if edition.says_why else (),
        signed=signed,
    )


def _is_stacked(short: PerSeat[str], lines: tuple[Line, ...]) -> bool:
    """Whether labels or figures are too long to stand side by side."""
    cells = [cell for line in lines for cell in line.cells]
    return (
        any(len(graphemes(label)) > LONGEST_USUAL_LABEL for label in short)
        or any(len(c.basic) > USUAL_BASIC for c in cells)
        or any(len(figure) > USUAL_FIGURE for c in cells for figure in (c.adjustment, c.score, c.total))
    )


def _outcome(where: Standing, say: Words) -> str:
    """Who won, or how far the match has come."""
    if where.is_complete:
        total = where.totals[where.winners[0]]
        return say.fill_counted(WON, {"players": where.winners, "total": total, "n": len(where.winners)})
    text = ABANDONED if where.match.abandoned else UNFINISHED
    return say.fill(text, {"number": len(where.deals), "all": where.deals_in_all})


def _player(where: Standing, seat: Seat, label: str) -> Player:
    """A player with his rank and total."""
    return Player(
        label=label,
        name=isolated(where.match.names[seat]),
        short_name=isolated(shortened(where.match.names[seat], LONGEST_IN_HEADER)),
        rank=str(where.ranks[seat]),
        total=signed(where.totals[seat]),
    )


def _marks(match: Match, head: Head | None, say: Words, day: Callable[[str], str]) -> Iterator[str]:
    """The fingerprint of the match, and where its record ends."""
    yield say.fill(FINGERPRINT, {"fingerprint": short_hash(fingerprint(match))})
    if head:
        yield say.fill(RECORD, {"revision": head.revision, "head": short_hash(head.hash)})
    if head and head.saved:
        date, _, time = head.saved.partition("T")
        yield say.fill(SAVED, {"day": day(date), "time": time[:5]})
