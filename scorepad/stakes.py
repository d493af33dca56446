"""Stakes: what one thing taken in the hand being played would move each player's score, doubles included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scorepad.contracts import Contract
from scorepad.doubles import Doubles, business
from scorepad.match import Deal
from scorepad.rules import Message, Rules, Values
from scorepad.table import PerSeat, Points, Seat


class Stake(NamedTuple):
    """One thing to take: what it is, its value, and by taker what it moves each player's score.

    `moves[taker][player]` is in points, with what passes between the two by their business (seed 000,
    "North maxes"). Differences add up, so that taking two things moves the sum of both.
    """

    what: Message
    value: int
    moves: PerSeat[Points]


def _one(key: str, value: Callable[[Values], int]) -> Callable[[Rules], list[tuple[Message, int]]]:
    """A contract in which only one kind of thing is taken."""
    return lambda rules: [(Message(key), value(rules.values))]


def _hearts(rules: Rules) -> list[tuple[Message, int]]:
    """A heart, and the ace."""
    return [(Message("stake_heart"), rules.values.heart), (Message("stake_ace"), rules.values.ace)]


def _last_two(rules: Rules) -> list[tuple[Message, int]]:
    """The last trick but one, and the last."""
    last, values = rules.deck.tricks, rules.values
    return [
        (Message("stake_trick_number", {"number": last - 1}), values.second_last_trick),
        (Message("stake_trick_number", {"number": last}), values.last_trick),
    ]


def _places(rules: Rules) -> list[tuple[Message, int]]:
    """The four places of Dominoes."""
    return [(Message("stake_place", {"place": n}), v) for n, v in enumerate(rules.values.dominoes, start=1)]


#: What can be taken in each contract, with its value.
THINGS: Mapping[Contract, Callable[[Rules], list[tuple[Message, int]]]] = MappingProxyType(
    {
        Contract.B: _one("stake_king", lambda v: v.king),
        Contract.M: _one("stake_trick", lambda v: v.trick),
        Contract.NQ: _one("stake_queen", lambda v: v.queen),
        Contract.NH: _hearts,
        Contract.NL2: _last_two,
        Contract.T: _one("stake_trick", lambda v: v.trump_trick),
        Contract.D: _places,
        Contract.RC: _one("stake_most", lambda v: v.ravage_city),
    }
)


def moved(value: int, taker: Seat, doubles: Doubles) -> Points:
    """What a thing of this value moves each player's score when this player takes it."""

    def points(player: Seat) -> int:
        if player is taker:
            return value * (1 + sum(business(taker, other, doubles) for other in taker.others))
        return -value * business(player, taker, doubles)

    return PerSeat.of(points)


def stakes(deal: Deal, rules: Rules) -> tuple[Stake, ...]:
    """The stakes of a hand with the doubles as they stand."""

    def one(what: Message, value: int) -> Stake:
        return Stake(what, value, PerSeat.of(lambda taker: moved(value, taker, deal.doubles)))

    return tuple(one(what, value) for what, value in THINGS[deal.contract](rules))
