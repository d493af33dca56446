"""What the score sheet shows, every value written out; the templates only lay it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from scorepad.chart import Chart, chart
from scorepad.contracts import Contract, contracts_of, match_total
from scorepad.house import house_rules
from scorepad.labels import graphemes, isolated, labels, shortened
from scorepad.match import Match
from scorepad.matchfile import fingerprint, short_hash
from scorepad.messages import CONTRACT_NAMES, N_, NN_, Words, signed
from scorepad.sheetlines import NOTHING_HERE, Line, deal_notes, is_cut, sheet_lines
from scorepad.signed import Signed
from scorepad.standing import Standing, standing
from scorepad.table import SEATS, PerSeat, Seat

LONGEST_LARGE_TITLE = 30  # characters that fit on a line in large type
LONGEST_IN_FOOTER = 70
LONGEST_IN_HEADER, LONGEST_IN_TABLE = 18, 14  # characters of a name, beside its label
USUAL_FIGURE = 4  # characters: up to three digits and a sign

UNFINISHED = N_("Unfinished: deal {number} of {all}")
ABANDONED = N_("Abandoned after deal {number} of {all}")
WON = (N_("{players} won with {total:+}"), N_("{players} won with {total:+} each"))
AGREED_NOTE = N_("Agreed after deal {deal}: {reason}")
DEAL_NOTE = N_("Deal {deal}: {text}")
REPLACED_NOTE = N_("{name} plays for {before} from deal {deal} on.")
SHORTFALL = NN_("{player} is {n} double of {declarer} short.", "{player} is {n} doubles of {declarer} short.")
FINGERPRINT = N_("Fingerprint {fingerprint}")
RECORD = N_("record to row {revision}: {head}")
WHOLE_MATCH = N_("A whole match with these rules makes {total:+}.")


@dataclass(frozen=True, slots=True)
class Player:
    """One player in the head of the sheet."""

    label: str
    name: str
    short_name: str
    rank: str
    total: str


@dataclass(frozen=True, slots=True)
class Row:
    """One player's row of a table; `sum` stands at its end."""

    label: str
    name: str
    cells: tuple[str, ...]
    sum: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """The zero check: the contracts scored and the agreed points make what the totals make."""

    contracts: str
    agreed: str
    expected: str
    totals: str
    holds: bool
    whole_match: str


class Head(NamedTuple):
    """Where the record of a kept match ends: its last row, and the hash of that row."""

    revision: int
    hash: str


@dataclass(frozen=True, slots=True)
class SheetPage:
    """Everything the sheet shows; no `owed` where no double is compulsory, no `chart` of too few deals.

    `marks` tell the match and its record from any other; a match that is in no record has no mark of one.
    """

    title: str
    short_title: str
    date: str
    place: str
    printed: str
    outcome: str
    rules: str
    players: PerSeat[Player]
    has_long_title: bool
    has_long_labels: bool
    has_large_figures: bool
    lines: tuple[Line, ...]
    contracts: tuple[tuple[str, str], ...]
    declared: PerSeat[Row]
    owed: PerSeat[Row] | None
    shortfalls: tuple[str, ...]
    moved: PerSeat[Row]
    check: Check
    chart: Chart | None
    notes: tuple[str, ...]
    marks: tuple[str, ...]
    signed: tuple[Signed, ...]


def sheet_page(
    match: Match,
    words: Words,
    *,
    head: Head | None = None,
    signed: tuple[Signed, ...] = (),
    printed: str | None = None,
    day: Callable[[str], str] = str,
) -> SheetPage:
    """The sheet of a match; `printed` is the day it is printed on, `day` writes such a day for the reader.

    `head` is where its record ends and `signed` who has signed it, for a match that is kept.
    """
    where = standing(match)
    say = replace(words, names=match.names.map(isolated))
    short = labels(match.names).map(isolated)
    lines = tuple(sheet_lines(where, short, say))
    return SheetPage(
        title=isolated(match.title),
        short_title=isolated(shortened(match.title, LONGEST_IN_FOOTER)),
        date=day(match.date) if match.date else "",
        place=isolated(match.place),
        printed=day(printed) if printed else "",
        outcome=_outcome(where, say),
        rules=house_rules(match.rules, say),
        players=PerSeat.of(lambda s: _player(where, s, short[s])),
        has_long_title=len(match.title) > LONGEST_LARGE_TITLE,
        has_long_labels=any(len(graphemes(label)) > 1 for label in short),
        has_large_figures=any(
            len(c.score) > USUAL_FIGURE or len(c.total) > USUAL_FIGURE for line in lines for c in line.cells
        ),
        lines=lines,
        contracts=tuple((c.value, say.gettext(CONTRACT_NAMES[c])) for c in contracts_of(match.rules)),
        declared=_declared(where, short),
        owed=_owed(where, short) if match.rules.compulsory_doubles else None,
        shortfalls=tuple(_shortfalls(where, say)),
        moved=_moved(where, short),
        check=_check(where, say),
        chart=chart(where, short),
        notes=tuple(_notes(where, say)),
        marks=tuple(_marks(match, head, say)),
        signed=signed,
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


def _row(where: Standing, seat: Seat, label: str, cells: Iterator[str], total: str = "") -> Row:
    """A player's row of a table."""
    return Row(label, isolated(shortened(where.match.names[seat], LONGEST_IN_TABLE)), tuple(cells), total)


def _declared(where: Standing, short: PerSeat[str]) -> PerSeat[Row]:
    """In which deal each player declared each contract; nothing where it is left."""
    contracts = contracts_of(where.match.rules)

    def row(seat: Seat) -> Row:
        used: Mapping[Contract, int] = where.used[seat]
        return _row(where, seat, short[seat], (str(used.get(c, "")) for c in contracts))

    return PerSeat.of(row)


def _owed(where: Standing, short: PerSeat[str]) -> PerSeat[Row]:
    """How many compulsory doubles each player owes each declarer."""

    def cell(player: Seat, declarer: Seat) -> str:
        return NOTHING_HERE if player is declarer else str(where.owed(player, declarer))

    return PerSeat.of(lambda s: _row(where, s, short[s], (cell(s, d) for d in SEATS)))


def _shortfalls(where: Standing, say: Words) -> Iterator[str]:
    """The compulsory doubles that can no longer be made, in words."""
    for player in SEATS:
        for declarer in player.others:
            if n := where.shortfall(player, declarer):
                yield say.fill_counted(SHORTFALL, {"player": player, "declarer": declarer, "n": n})


def _moved(where: Standing, short: PerSeat[str]) -> PerSeat[Row]:
    """What doubling moved over the match: who won how much from whom, and the sum for each player."""
    won = {s: dict.fromkeys(SEATS, 0) for s in SEATS}
    for settled in (s for deal in where.deals for s in deal.settlements or ()):
        if settled.winner is not None and settled.loser is not None:
            won[settled.winner][settled.loser] += settled.points
            won[settled.loser][settled.winner] -= settled.points

    def row(seat: Seat) -> Row:
        cells = (NOTHING_HERE if s is seat else signed(won[seat][s]) for s in SEATS)
        return _row(where, seat, short[seat], cells, signed(sum(won[seat].values())))

    return PerSeat.of(row)


def _check(where: Standing, say: Words) -> Check:
    """The zero check, and what a whole match makes where that is not 0."""
    expected, whole = where.expected + where.agreed, match_total(where.match.rules)
    return Check(
        contracts=signed(where.expected),
        agreed=signed(where.agreed),
        expected=signed(expected),
        totals=signed(sum(where.totals)),
        holds=expected == sum(where.totals),
        whole_match=say.fill(WHOLE_MATCH, {"total": whole}),
    )


def _marks(match: Match, head: Head | None, say: Words) -> Iterator[str]:
    """The fingerprint of the match, and where its record ends."""
    yield say.fill(FINGERPRINT, {"fingerprint": short_hash(fingerprint(match))})
    if head:
        yield say.fill(RECORD, {"revision": head.revision, "head": short_hash(head.hash)})


def _notes(where: Standing, say: Words) -> Iterator[str]:
    """The notes to the lines that are marked, and who replaced whom."""
    for r in where.match.replaced:
        names = {"name": isolated(r.name), "before": isolated(where.match.names_at(r.from_deal - 1)[r.seat])}
        yield say.fill(REPLACED_NOTE, {**names, "deal": r.from_deal})
    for result in where.deals:
        then = replace(say, names=where.match.names_at(result.number).map(isolated))
        if told := " ".join(deal_notes(result, then)):
            yield say.fill(DEAL_NOTE, {"deal": result.number, "text": told})
    for agreed in where.match.agreed_points:
        if is_cut(agreed):
            yield say.fill(AGREED_NOTE, {"deal": agreed.after_deal, "reason": isolated(agreed.reason)})
