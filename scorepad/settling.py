"""Settling up: what each player gets or pays for his points, and the fewest payments that settle it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import NamedTuple

from scorepad.match import Stake
from scorepad.table import PAIRS, SEATS, PerSeat, Points, Seat

#: A stake with decimals is settled in hundredths, one without ("1", "5") in whole units of its currency.
DECIMALS = 2


class Payment(NamedTuple):
    """One payment that settles a part of the match, in the smallest units (`Settling.decimals`)."""

    payer: Seat
    payee: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class Settling:
    """What a match comes to at a stake: amounts in the smallest units, a plus is got and a minus is paid.

    `decimals` says how many decimals a smallest unit has: 2 for hundredths, 0 for whole ones. The four
    amounts sum to 0, and each is less than one unit from the exact one.
    """

    distances: PerSeat[Fraction]
    decimals: int
    amounts: Points
    payments: tuple[Payment, ...]


def distances(totals: Points) -> PerSeat[Fraction]:
    """How far each total is from the mean, in points; totals that sum to 0 are their own distances."""
    mean = Fraction(sum(totals), len(SEATS))
    return totals.map(lambda total: total - mean)


def settling(totals: Points, stake: Stake) -> Settling:
    """The amounts of a match: distance from the mean × stake, and who pays whom (rules.md section 6).

    Where everybody settles with everybody, each player gets his difference to each of the others, which
    is four times his distance from the mean: that method is the same at four times the stake.
    """
    decimals = DECIMALS if "." in stake.per_point else 0
    per_point = Fraction(stake.per_point) * 10**decimals
    apart = distances(totals)
    amounts = rounded(apart.map(lambda points: points * per_point))
    return Settling(apart, decimals, amounts, fewest_payments(amounts))


def rounded(exact: PerSeat[Fraction]) -> Points:
    """Four amounts that sum to 0 as whole units that sum to 0, by largest remainders.

    Each is rounded down; what is then missing, fewer than four units, goes one each to those who lost
    most by it. Where two lost the same it goes to the one who gets more, then to the earlier seat, so that
    nobody with more points ends up with less.
    """
    down = exact.map(floor)
    by_loss = sorted(SEATS, key=lambda s: (down[s] - exact[s], -exact[s], s))
    favoured = by_loss[: -sum(down)]
    return PerSeat.of(lambda s: down[s] + (s in favoured))


def fewest_payments(amounts: Points) -> tuple[Payment, ...]:
    """The fewest payments after which four amounts that sum to 0 are settled, in the order of the seats.

    First those pay each other whose amounts are opposite; then whoever owes most pays whoever gets most.
    For four players that is the minimum: each payment settles at least one player and the last one two,
    and only a group whose amounts sum to 0 can save a payment, which among four can only be a pair.
    """
    left = dict(amounts.seats())
    made = [_pay(left, *pair) for pair in PAIRS if left[pair[0]] == -left[pair[1]] != 0]
    while any(left.values()):
        made.append(_pay(left, min(SEATS, key=left.__getitem__), max(SEATS, key=left.__getitem__)))
    return tuple(sorted(made))


def _pay(left: dict[Seat, int], one: Seat, other: Seat) -> Payment:
    """Between two players the one who owes pays as much as the other still gets, and it is noted as paid."""
    payer, payee = (one, other) if left[one] < 0 else (other, one)
    amount = min(-left[payer], left[payee])
    left[payer] += amount
    left[payee] -= amount
    return Payment(payer, payee, amount)
