"""Doubles: who speaks when, who may double whom, what stands between a pair, and what is still owed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from scorepad.contracts import POSITIVES, POSITIVES_AT_MOST, Contract
from scorepad.rules import Doubling, RuleError, Rules
from scorepad.table import SEATS, Seat


class Double(NamedTuple):
    """A directed bet: the doubler says that he will score better than the one he doubles."""

    doubler: Seat
    doubled: Seat


Doubles = frozenset[Double]

#: Every directed double between two players.
ALL_DOUBLES: tuple[Double, ...] = tuple(Double(a, b) for a in SEATS for b in a.others)


class DoubleOfOneself(RuleError, field="doubles"):
    """Nobody doubles himself (player)."""


class DeclarerMayOnlyRedouble(RuleError, field="doubles"):
    """The declarer may double only those who doubled him (player, doubled)."""


class FlankDoubleNotAllowed(RuleError, field="doubles"):
    """In this contract, or at this table, only the declarer may be doubled (player, doubled, declarer)."""


def speaking_order(declarer: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """One turn each, from the declarer's left, clockwise, the declarer last (rules.md section 3)."""
    return (*declarer.others, declarer)


def may_double_flanks(contract: Contract, rules: Rules) -> bool:
    """Whether two players who are not the declarer may double each other in this contract."""
    if rules.doubling is Doubling.DECLARER_ONLY:
        return False
    return rules.flank_doubles_in_positives or contract not in POSITIVES


def mistake_in(
    double: Double, declarer: Seat, contract: Contract, rules: Rules, made: Doubles
) -> RuleError | None:
    """Why this double is not allowed beside the others made in the deal, or None (rules.md section 3)."""
    doubler, doubled = double
    if doubler is doubled:
        return DoubleOfOneself(player=doubler)
    if doubler is declarer:
        if rules.declarer_may_open or (doubled, doubler) in made:
            return None
        return DeclarerMayOnlyRedouble(player=doubler, doubled=doubled)
    if doubled is declarer or may_double_flanks(contract, rules):
        return None
    return FlankDoubleNotAllowed(player=doubler, doubled=doubled, declarer=declarer)


def doubles_mistakes(made: Doubles, declarer: Seat, contract: Contract, rules: Rules) -> Iterator[RuleError]:
    """Why the doubles of a deal cannot stand, in the order of the seats."""
    for double in sorted(made):
        if mistake := mistake_in(double, declarer, contract, rules, made):
            yield mistake


def may_double(
    seat: Seat, declarer: Seat, contract: Contract, rules: Rules, made: Doubles
) -> tuple[Seat, ...]:
    """Whom this player may double now, given the doubles made: his maximum."""
    return tuple(
        other
        for other in seat.others
        if mistake_in(Double(seat, other), declarer, contract, rules, made) is None
    )


def business(a: Seat, b: Seat, made: Doubles) -> int:
    """How many doubles stand between two players: 0, 1 or 2."""
    return ((a, b) in made) + ((b, a) in made)


class Counted(NamedTuple):
    """The doubles one player has made of one declarer so far: in negative and in positive contracts."""

    negatives: int = 0
    positives: int = 0

    def after(self, contract: Contract) -> Counted:
        """The same with one more double, in this contract."""
        if contract in POSITIVES:
            return Counted(self.negatives, self.positives + 1)
        return Counted(self.negatives + 1, self.positives)

    def owed(self, rules: Rules) -> int:
        """How many compulsory doubles are still owed (rules.md section 4)."""
        most = POSITIVES_AT_MOST[rules.positives_count]
        return max(0, rules.compulsory_doubles - self.negatives - min(most, self.positives))

    def would_count(self, contract: Contract, rules: Rules) -> bool:
        """Whether one more double, in this contract, counts as a compulsory one."""
        return contract not in POSITIVES or self.positives < POSITIVES_AT_MOST[rules.positives_count]

    def chances(self, left: Collection[Contract], rules: Rules) -> int:
        """How many doubles that count can still be made over these contracts."""
        positives = sum(c in POSITIVES for c in left)
        room = max(0, POSITIVES_AT_MOST[rules.positives_count] - self.positives)
        return len(left) - positives + min(room, positives)

    def is_forced(self, contract: Contract, left_after: Collection[Contract], rules: Rules) -> bool:
        """Whether this declarer must be doubled now: too few chances would be left for what is owed."""
        return self.would_count(contract, rules) and self.chances(left_after, rules) < self.owed(rules)

    def shortfall(self, left: Collection[Contract], rules: Rules) -> int:
        """How many compulsory doubles can no longer be made, with these contracts left."""
        return max(0, self.owed(rules) - self.chances(left, rules))
