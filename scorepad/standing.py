"""The fold over the deals of a match: whose declaration, contracts left, scores, everything derived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scorepad.contracts import Contract, contract_total, contracts_of
from scorepad.doubles import Counted, Double
from scorepad.ledger import Settlement, adjustments, ranks, settle
from scorepad.match import (
    BrokenDeal,
    ContractDeclaredTwice,
    Deal,
    Match,
    OpenButNotLast,
    basic_scores,
    deal_mistakes,
    match_mistakes,
)
from scorepad.rules import Message, Rotation, RuleError, Rules
from scorepad.table import NOTHING, SEATS, PerSeat, Points, Seat, clockwise_from, plus

NO_DOUBLES: PerSeat[Counted] = PerSeat.all(Counted())


class Problem(NamedTuple):
    """Something that is wrong with a match: in which deal (1, 2, …; None: in the match), and what."""

    deal: int | None
    mistake: RuleError


class DealResult(NamedTuple):
    """One deal with everything derived from it; the figures are None in an open or a broken deal.

    `totals` are those after the deal, with the points agreed after earlier deals. `counted` is what each
    player had doubled this declarer before the deal, `left` what the declarer has still to declare after it.
    """

    number: int
    deal: Deal | BrokenDeal
    totals: Points
    mistakes: tuple[RuleError, ...] = ()
    counted: PerSeat[Counted] = NO_DOUBLES
    left: tuple[Contract, ...] = ()
    forced: tuple[Seat, ...] = ()
    warnings: tuple[Message, ...] = ()
    basic: Points | None = None
    adjustment: Points | None = None
    score: Points | None = None
    contract_total: int | None = None

    @property
    def playing(self) -> Deal | None:
        """The deal itself while its hand is being played, else None."""
        return self.deal if isinstance(self.deal, Deal) and self.deal.is_open and not self.mistakes else None

    @property
    def settlements(self) -> tuple[Settlement, ...] | None:
        """How each of the six pairs settled, or None without figures."""
        if self.basic is None or isinstance(self.deal, BrokenDeal):
            return None
        return settle(self.basic, self.deal.doubles)


class Next(NamedTuple):
    """The deal to be declared or being played: its number, its declarer, and who must double what."""

    deal: int
    declarer: Seat
    must_double: Mapping[Contract, tuple[Seat, ...]]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands: everything that follows from what was recorded.

    `used` says in which deal each player declared each contract; `counted[declarer][player]` is what a
    player has doubled a declarer; `proposed` is who declares next by the rotation.
    """

    match: Match
    deals: tuple[DealResult, ...]
    totals: Points
    used: PerSeat[dict[Contract, int]]
    counted: PerSeat[PerSeat[Counted]]
    proposed: Seat | None
    expected: int

    @property
    def ranks(self) -> PerSeat[int]:
        """Each player's rank, 1 for the most points; ties share it."""
        return ranks(self.totals)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """All players of rank 1."""
        return tuple(s for s, rank in self.ranks.seats() if rank == 1)

    @property
    def agreed(self) -> int:
        """By how much the agreed points move the sum of the totals."""
        agreed = (a for a in self.match.agreed_points if 0 <= a.after_deal <= len(self.deals))
        return sum(sum(a.points) for a in agreed)

    @property
    def playing(self) -> DealResult | None:
        """The deal being played, if there is one."""
        return self.deals[-1] if self.deals and self.deals[-1].playing else None

    def left(self, declarer: Seat) -> tuple[Contract, ...]:
        """The contracts this player has not declared yet; that of an open deal is declared."""
        return tuple(c for c in contracts_of(self.match.rules) if c not in self.used[declarer])

    @property
    def deals_in_all(self) -> int:
        """How many deals the whole match has: 28, or 32 with Ravage City."""
        return len(SEATS) * len(contracts_of(self.match.rules))

    @property
    def deals_scored(self) -> int:
        """How many deals have their figures."""
        return sum(d.score is not None for d in self.deals)

    @property
    def is_over(self) -> bool:
        """Whether no deal of this match will be played any more."""
        return self.is_complete or self.match.abandoned

    @property
    def is_complete(self) -> bool:
        """Whether every player has declared every contract and every deal has its figures."""
        return not any(self.left(s) for s in SEATS) and all(d.score is not None for d in self.deals)

    def owed(self, player: Seat, declarer: Seat) -> int:
        """How many compulsory doubles this player still owes this declarer."""
        return self.counted[declarer][player].owed(self.match.rules)

    def shortfall(self, player: Seat, declarer: Seat) -> int:
        """How many compulsory doubles of this declarer this player can no longer make."""
        left = self.left(declarer)
        playing = self.playing.playing if self.playing else None
        if playing and playing.declarer is declarer and Double(player, declarer) not in playing.doubles:
            left = (playing.contract, *left)
        return self.counted[declarer][player].shortfall(left, self.match.rules)

    def must_double(self, declarer: Seat, contract: Contract) -> tuple[Seat, ...]:
        """Who would have to double this declarer if he declared this contract now."""
        after = tuple(c for c in self.left(declarer) if c is not contract)
        return _forced(self.counted[declarer], declarer, contract, after, self.match.rules)

    @property
    def next(self) -> Next | None:
        """The deal to be declared or being played, or None when the match is over."""
        if self.playing and (deal := self.playing.playing):
            return Next(self.playing.number, deal.declarer, {deal.contract: self.playing.forced})
        declarer = self.proposed
        if declarer is None or self.match.abandoned:
            return None
        must = {c: self.must_double(declarer, c) for c in self.left(declarer)}
        return Next(len(self.deals) + 1, declarer, must)


def _forced(
    counted: PerSeat[Counted],
    declarer: Seat,
    contract: Contract,
    left_after: tuple[Contract, ...],
    rules: Rules,
) -> tuple[Seat, ...]:
    """The players who must double this declarer now, from his left (rules.md section 4)."""
    return tuple(s for s in declarer.others if counted[s].is_forced(contract, left_after, rules))


def proposed_after(declared: PerSeat[int], match: Match) -> Seat | None:
    """Who declares by the rotation after so many declarations each, None at the end (rules.md section 6)."""
    contracts = len(contracts_of(match.rules))
    waiting = [s for s in clockwise_from(match.first_declarer) if declared[s] < contracts]
    if match.rules.rotation is Rotation.SEVEN_IN_A_ROW:
        return waiting[0] if waiting else None
    return min(waiting, key=declared.__getitem__, default=None)


class _Fold:
    """The state of a match after some of its deals."""

    def __init__(self, match: Match) -> None:
        self.match, self.rules = match, match.rules
        self.contracts = contracts_of(match.rules)
        self.used: PerSeat[dict[Contract, int]] = PerSeat({}, {}, {}, {})
        self.counted = [NO_DOUBLES] * len(SEATS)
        self.totals = NOTHING
        self.expected = 0
        self.results: list[DealResult] = []
        self._agree(0)
        for number, deal in enumerate(match.deals, start=1):
            self.results.append(
                self._broken(number, deal) if isinstance(deal, BrokenDeal) else self._add(number, deal)
            )
            self._agree(number)

    def proposed(self) -> Seat | None:
        """Who declares next by the rotation, or None when all contracts are used."""
        return proposed_after(self.used.map(len), self.match)

    def _agree(self, after_deal: int) -> None:
        """Count the points agreed after a deal."""
        for agreed in self.match.agreed_points:
            if agreed.after_deal == after_deal:
                self.totals = plus(self.totals, agreed.points)

    def _broken(self, number: int, deal: BrokenDeal) -> DealResult:
        """Note a deal that cannot be read; what it declared is used."""
        if deal.declarer is not None and deal.contract in self.contracts:
            self.used[deal.declarer].setdefault(deal.contract, number)
        return DealResult(number, deal, self.totals, deal.mistakes)

    def _add(self, number: int, deal: Deal) -> DealResult:
        """Count one more deal."""
        declarer, used, counted = deal.declarer, self.used[deal.declarer], self.counted[deal.declarer]
        proposed = self.proposed()
        mistakes = tuple(self._mistakes(number, deal))
        forced: tuple[Seat, ...] = ()
        if deal.contract not in used and deal.contract in self.contracts:
            used[deal.contract] = number
            left = tuple(c for c in self.contracts if c not in used)
            forced = _forced(counted, declarer, deal.contract, left, self.rules)
            if not any(m.field == "doubles" for m in mistakes):
                self._count_doubles(deal)
        result = DealResult(
            number,
            deal,
            self.totals,
            mistakes,
            counted,
            tuple(c for c in self.contracts if c not in used),
            forced,
            tuple(_warnings(deal, forced, proposed)),
        )
        return result if mistakes or deal.is_open else self._score(result, deal)

    def _mistakes(self, number: int, deal: Deal) -> Iterator[RuleError]:
        """What is wrong with a deal, by itself and after the deals before it."""
        yield from deal_mistakes(deal, self.rules)
        if used := self.used[deal.declarer].get(deal.contract):
            yield ContractDeclaredTwice(declarer=deal.declarer, contract=deal.contract, used=used)
        if deal.is_open and number < len(self.match.deals):
            yield OpenButNotLast()

    def _count_doubles(self, deal: Deal) -> None:
        """Count the doubles made against the declarer."""
        for doubler, doubled in deal.doubles:
            if doubled is deal.declarer:
                done = self.counted[doubled]
                self.counted[doubled] = done.put(doubler, done[doubler].after(deal.contract))

    def _score(self, result: DealResult, deal: Deal) -> DealResult:
        """Count the points of a finished deal."""
        basic = basic_scores(deal, self.rules)
        adjustment = adjustments(basic, deal.doubles)
        score = plus(basic, adjustment)
        total = contract_total(deal.contract, self.rules)
        self.totals = plus(self.totals, score)
        self.expected += total
        return result._replace(
            totals=self.totals, basic=basic, adjustment=adjustment, score=score, contract_total=total
        )


def _warnings(deal: Deal, forced: tuple[Seat, ...], proposed: Seat | None) -> Iterator[Message]:
    """What is true of a deal but irregular."""
    if proposed not in (deal.declarer, None):
        yield Message("declared_out_of_turn", {"declarer": deal.declarer, "proposed": proposed})
    for seat in forced:
        if not deal.is_open and (seat, deal.declarer) not in deal.doubles:
            yield Message("forced_double_missing", {"player": seat, "declarer": deal.declarer})


def standing(match: Match) -> Standing:
    """Where the match stands; deals with mistakes have no figures and leave the totals as they were."""
    fold = _Fold(match)
    return Standing(
        match=match,
        deals=tuple(fold.results),
        totals=fold.totals,
        used=fold.used,
        counted=PerSeat(*fold.counted),
        proposed=fold.proposed(),
        expected=fold.expected,
    )


def problems(match: Match) -> tuple[Problem, ...]:
    """Everything that is wrong with a match, all at once: first the match, then its deals in order."""
    found = [Problem(None, m) for m in match_mistakes(match)]
    for result in standing(match).deals:
        found += [Problem(result.number, m) for m in result.mistakes]
    return tuple(found)
