"""The contracts: for each what is tallied, what must add up, and what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from scorepad.rules import LARGEST_VALUE, RAVAGE_CITY_UNIT, PositivesCount, RuleError, Rules, Values
from scorepad.table import SEATS, PerSeat, Points, Seat

QUEENS = 4


class Contract(StrEnum):
    """What a declarer can choose; the value is the initial written on the sheet (rules.md section 1)."""

    B = "B"
    M = "M"
    NQ = "NQ"
    NH = "NH"
    NL2 = "NL2"
    T = "T"
    D = "D"
    RC = "RC"

    @property
    def is_positive(self) -> bool:
        """Trumps and Dominoes are won; every other contract is suffered."""
        return self in POSITIVES


POSITIVES = frozenset({Contract.T, Contract.D})

#: How often doubles in positive contracts count towards the compulsory ones of one declarer.
POSITIVES_AT_MOST: Mapping[PositivesCount, int] = MappingProxyType(
    {PositivesCount.ALL: len(POSITIVES), PositivesCount.NONE: 0, PositivesCount.ONE: 1}
)
_SEVEN = tuple(c for c in Contract if c is not Contract.RC)
_EIGHT = tuple(Contract)


def contracts_of(rules: Rules) -> tuple[Contract, ...]:
    """The contracts each player declares once: seven, or eight with Ravage City."""
    return _EIGHT if rules.ravage_city else _SEVEN


class TallyDoesNotAddUp(RuleError, field="result"):
    """The counts of tricks, queens or hearts do not make the number there is (expected, counted)."""


class CountIsNegative(RuleError, field="result"):
    """A player cannot take fewer than none (player, counted)."""


class AceWithoutHearts(RuleError, field="result"):
    """The taker of the ace of hearts must have taken at least one heart (player)."""


class OrderNamesTwice(RuleError, field="result"):
    """The finishing order of Dominoes has each player once (players)."""


class MostNamesNobody(RuleError, field="result"):
    """Ravage City needs one to four players who hold most cards of a suit, each once."""


class ValueTooLarge(RuleError, field="rules"):
    """A value is beyond what scorepad counts (name, most)."""


class RavageCityDoesNotDivide(RuleError, field="rules"):
    """A Ravage City value must leave whole points to two, three or four players (value, unit)."""


class TooManyCompulsoryDoubles(RuleError, field="rules"):
    """More compulsory doubles than one declarer's contracts can fulfil (asked, most)."""


@dataclass(frozen=True, slots=True)
class KingTaken:
    """Barbu: who took the king of hearts."""

    taker: Seat

    def mistakes(self, rules: Rules) -> Iterator[RuleError]:
        """Nothing can be wrong: it is one player."""
        return iter(())

    def basic(self, contract: Contract, rules: Rules) -> Points:
        """The king's value to its taker."""
        return PerSeat.of(lambda s: rules.values.king if s is self.taker else 0)


@dataclass(frozen=True, slots=True)
class TricksTaken:
    """Misère and Trumps: how many tricks each player took."""

    counts: Points

    def mistakes(self, rules: Rules) -> Iterator[RuleError]:
        """The tricks must make all there are."""
        return _wrong_counts(self.counts, "tricks", rules.deck.tricks)

    def basic(self, contract: Contract, rules: Rules) -> Points:
        """Each trick at its value in this contract."""
        each = rules.values.trump_trick if contract is Contract.T else rules.values.trick
        return PerSeat(*[each * n for n in self.counts])


@dataclass(frozen=True, slots=True)
class QueensTaken:
    """No Queens: how many queens each player took."""

    counts: Points

    def mistakes(self, rules: Rules) -> Iterator[RuleError]:
        """The queens must make four."""
        return _wrong_counts(self.counts, "queens", QUEENS)

    def basic(self, contract: Contract, rules: Rules) -> Points:
        """Each queen at its value."""
        return PerSeat(*[rules.values.queen * n for n in self.counts])


@dataclass(frozen=True, slots=True)
class HeartsTaken:
    """No Hearts: how many hearts each player took, the ace among them, and who took the ace."""

    counts: Points
    ace: Seat

    def mistakes(self, rules: Rules) -> Iterator[RuleError]:
        """The hearts must make all there are, and the ace's taker has at least one."""
        yield from _wrong_counts(self.counts, "hearts", rules.deck.tricks)
        if self.counts[self.ace] == 0:
            yield AceWithoutHearts(player=self.ace)

    def basic(self, contract: Contract, rules: Rules) -> Points:
        """Each heart at its value; the ace at its own value instead."""
        heart, ace = rules.values.heart, rules.values.ace - rules.values.heart
        return PerSeat.of(lambda s: heart * self.counts[s] + (ace if s is self.ace else 0))


@dataclass(frozen=True, slots=True)
class LastTwoTaken:
    """No Last Two: who took the second last trick and who the last; it may be one player."""

    second_last: Seat
    last: Seat

    def mistakes(self, rules: Rules) -> Iterator[RuleError]:
        """Nothing can be wrong: any two takers are possible."""
        return iter(())

    def basic(self, contract: Contract, rules: Rules) -> Points:
        """Each of the two tricks at its value to its taker."""
        first, last = rules.values.second_last_trick, rules.values.last_trick
        return PerSeat.of(lambda s: first * (s is self.second_last) + last * (s is self.last))


@dataclass(frozen=True, slots=True)
class Finished:
    """Dominoes: the order in which the four players emptied their hands."""

    order: tuple[Seat, Seat, Seat, Seat]

    def mistakes(self, rules: Rules) -> Iterator[RuleError]:
        """Each player finishes once."""
        if twice := _named_twice(self.order):
            yield OrderNamesTwice(players=twice)

    def basic(self, contract: Contract, rules: Rules) -> Points:
        """Each place at its value."""
        return PerSeat.of(lambda s: rules.values.dominoes[self.order.index(s)])


@dataclass(frozen=True, slots=True)
class MostOfASuit:
    """Ravage City: the one to four players who share the most cards of one suit."""

    takers: tuple[Seat, ...]

    def mistakes(self, rules: Rules) -> Iterator[RuleError]:
        """At least one player, none twice."""
        if not self.takers or _named_twice(self.takers):
            yield MostNamesNobody()

    def basic(self, contract: Contract, rules: Rules) -> Points:
        """The value, shared equally by those who tie."""
        share = rules.values.ravage_city // len(self.takers)
        return PerSeat.of(lambda s: share if s in self.takers else 0)


Tally = KingTaken | TricksTaken | QueensTaken | HeartsTaken | LastTwoTaken | Finished | MostOfASuit


def _wrong_counts(counts: Points, what: str, expected: int) -> Iterator[RuleError]:
    """What is wrong with counts that must make the number expected."""
    for seat in SEATS:
        if counts[seat] < 0:
            yield CountIsNegative(player=seat, counted=counts[seat], what=what)
    if sum(counts) != expected:
        yield TallyDoesNotAddUp(what=what, expected=expected, counted=sum(counts))


def _named_twice(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Those named more than once."""
    return tuple(s for s, n in Counter(seats).items() if n > 1)


@dataclass(frozen=True, slots=True)
class Kind:
    """How one contract is scored: its tally, what all four scores sum to, whether it may stop early."""

    tally: type[Tally]
    total: Callable[[Values, int], int]
    may_stop_early: bool = False


#: The contract table of rules.md section 2: the total is a function of the values and the number of tricks.
KINDS: Mapping[Contract, Kind] = MappingProxyType(
    {
        Contract.B: Kind(KingTaken, lambda v, _: v.king, may_stop_early=True),
        Contract.M: Kind(TricksTaken, lambda v, tricks: v.trick * tricks),
        Contract.NQ: Kind(QueensTaken, lambda v, _: v.queen * QUEENS, may_stop_early=True),
        Contract.NH: Kind(HeartsTaken, lambda v, hearts: v.heart * (hearts - 1) + v.ace, may_stop_early=True),
        Contract.NL2: Kind(LastTwoTaken, lambda v, _: v.second_last_trick + v.last_trick),
        Contract.T: Kind(TricksTaken, lambda v, tricks: v.trump_trick * tricks),
        Contract.D: Kind(Finished, lambda v, _: sum(v.dominoes)),
        Contract.RC: Kind(MostOfASuit, lambda v, _: v.ravage_city),
    }
)


def contract_total(contract: Contract, rules: Rules) -> int:
    """What the four scores of a deal of this contract sum to, in points, however it went."""
    return KINDS[contract].total(rules.values, rules.deck.tricks)


def match_total(rules: Rules) -> int:
    """What the four totals of a whole match sum to: 0 with the standard values."""
    return 4 * sum(contract_total(c, rules) for c in contracts_of(rules))


def passed_out(contract: Contract, declarer: Seat, rules: Rules) -> Points:
    """The scores of a deal nobody doubled: the others a third each, rounded down, the declarer the rest."""
    total = contract_total(contract, rules)
    each = total // 3
    return PerSeat.of(lambda s: total - 3 * each if s is declarer else each)


def most_compulsory_doubles(rules: Rules) -> int:
    """How many compulsory doubles of one declarer can be fulfilled at all (rules.md section 5)."""
    return len(contracts_of(rules)) - len(POSITIVES) + POSITIVES_AT_MOST[rules.positives_count]


def rules_mistakes(rules: Rules) -> Iterator[RuleError]:
    """What makes a set of house rules impossible to score."""
    for name in Values.__dataclass_fields__:
        value = getattr(rules.values, name)
        if any(abs(v) > LARGEST_VALUE for v in (value if isinstance(value, tuple) else (value,))):
            yield ValueTooLarge(name=name, most=LARGEST_VALUE)
    if rules.values.ravage_city % RAVAGE_CITY_UNIT:
        yield RavageCityDoesNotDivide(value=rules.values.ravage_city, unit=RAVAGE_CITY_UNIT)
    most = most_compulsory_doubles(rules)
    if not 0 <= rules.compulsory_doubles <= most:
        yield TooManyCompulsoryDoubles(asked=rules.compulsory_doubles, most=most)
