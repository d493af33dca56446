"""The tables below the deals of the sheet: contracts, doubles owed, what doubling moved, the zero check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorepad.contracts import Contract, contracts_of, match_total
from scorepad.labels import isolated, shortened
from scorepad.messages import N_, NN_, Words, signed
from scorepad.sheetlines import NOTHING_HERE
from scorepad.standing import Standing
from scorepad.table import SEATS, PerSeat, Seat

LONGEST_IN_TABLE = 14  # characters of a name, beside its label

SHORTFALL = NN_("{player} is {n} double of {declarer} short.", "{player} is {n} doubles of {declarer} short.")
WHOLE_MATCH = N_("A whole match with these rules makes {total:+}.")


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


def _row(where: Standing, seat: Seat, label: str, cells: Iterator[str], total: str = "") -> Row:
    """A player's row of a table."""
    return Row(label, isolated(shortened(where.match.names[seat], LONGEST_IN_TABLE)), tuple(cells), total)


def declared(where: Standing, short: PerSeat[str]) -> PerSeat[Row]:
    """In which deal each player declared each contract; nothing where it is left."""
    contracts = contracts_of(where.match.rules)

    def row(seat: Seat) -> Row:
        used: Mapping[Contract, int] = where.used[seat]
        return _row(where, seat, short[seat], (str(used.get(c, "")) for c in contracts))

    return PerSeat.of(row)


def owed(where: Standing, short: PerSeat[str]) -> PerSeat[Row]:
    """How many compulsory doubles each player owes each declarer."""

    def cell(player: Seat, declarer: Seat) -> str:
        return NOTHING_HERE if player is declarer else str(where.owed(player, declarer))

    return PerSeat.of(lambda s: _row(where, s, short[s], (cell(s, d) for d in SEATS)))


def shortfalls(where: Standing, say: Words) -> Iterator[str]:
    """The compulsory doubles that can no longer be made, in words."""
    for player in SEATS:
        for declarer in player.others:
            if n := where.shortfall(player, declarer):
                yield say.fill_counted(SHORTFALL, {"player": player, "declarer": declarer, "n": n})


def moved(where: Standing, short: PerSeat[str]) -> PerSeat[Row]:
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


def zero_check(where: Standing, say: Words) -> Check:
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
