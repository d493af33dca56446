"""Settlements of the six pairs, adjustments, and ranks: points that move between players."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.doubles import Doubles, business
from scorepad.table import PAIRS, PerSeat, Points, Seat


class Settlement(NamedTuple):
    """How one pair settles: the difference of the basic scores, first minus second, times the business."""

    first: Seat
    second: Seat
    doubles: int
    difference: int

    @property
    def points(self) -> int:
        """The points that pass from the loser to the winner; 0 where nothing moves."""
        return abs(self.difference) * self.doubles

    @property
    def winner(self) -> Seat | None:
        """Who gains, or None where nothing moves."""
        if not self.points:
            return None
        return self.first if self.difference > 0 else self.second

    @property
    def loser(self) -> Seat | None:
        """Who loses, or None where nothing moves."""
        if not self.points:
            return None
        return self.second if self.difference > 0 else self.first


def settle(basic: Points, made: Doubles) -> tuple[Settlement, ...]:
    """The settlements of all six pairs, each from the same four basic scores (rules.md section 3)."""
    return tuple(Settlement(a, b, business(a, b, made), basic[a] - basic[b]) for a, b in PAIRS)


def adjustments(basic: Points, made: Doubles) -> Points:
    """What the doubles move for each player; the four sum to 0."""
    moved = [0, 0, 0, 0]
    for doubler, doubled in made:
        difference = basic[doubler] - basic[doubled]
        moved[doubler] += difference
        moved[doubled] -= difference
    return PerSeat(*moved)


def ranks(totals: Points) -> PerSeat[int]:
    """Each player's rank, 1 for the most points; ties share a rank (1, 1, 3)."""
    return totals.map(lambda t: 1 + sum(other > t for other in totals))
