"""Compulsory doubles explained: which deals counted, what is still to come, and what follows from both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorepad.explain import counted_deals, duty
from scorepad.match import Deal
from scorepad.rules import Message
from scorepad.standing import DealResult, Standing
from scorepad.table import Seat


class Duty(NamedTuple):
    """One player's duty to double the declarer of a deal: what became of it, and what it followed from."""

    player: Seat
    told: Message
    because: tuple[Message, ...]


def duties(standing: Standing, result: DealResult) -> Iterator[Duty]:
    """The duties of a deal, each with the deals before it that counted and those that did not."""
    deal, rules = result.deal, standing.match.rules
    if not isinstance(deal, Deal) or not rules.compulsory_doubles:
        return
    for player in deal.declarer.others:
        owed = result.counted[player].owed(rules)
        values = {"player": player, "declarer": deal.declarer, "n": owed}
        told = duty(result, deal, player, rules)
        if told is None and owed:
            told = Message("double_not_made", values)
        if told:
            before = counted_deals(standing, player, deal.declarer, before=result.number)
            then = Message("owed_before", {**values, "left": len(result.left) + 1})
            yield Duty(player, told, (*before, then))


def debt(standing: Standing, player: Seat, declarer: Seat) -> Iterator[Message]:
    """What a player owes a declarer as the match stands, what is still to come, and what follows."""
    match, owed = standing.match, standing.owed(player, declarer)
    both = {"player": player, "declarer": declarer}
    made = match.rules.compulsory_doubles - owed
    yield Message("owes_more" if owed else "owes_nothing", {**both, "n": owed, "made": made})
    if owed and not match.abandoned:
        yield from _to_come(standing, player, declarer)
    if short := standing.shortfall(player, declarer):
        yield Message("is_short", {**both, "n": short})


def _to_come(standing: Standing, player: Seat, declarer: Seat) -> Iterator[Message]:
    """The contracts in which a debt can still be paid, and those in which it must be."""
    both = {"player": player, "declarer": declarer}
    left, playing = standing.left(declarer), standing.playing
    deal = playing.playing if playing else None
    if playing and deal and deal.declarer is declarer:
        if player in playing.forced and (player, declarer) not in deal.doubles:
            yield Message("must_double_in_hand", both)
    elif not left:
        yield Message("nothing_to_come", both)
    if not left:
        return
    yield Message("to_come", {**both, "n": len(left), "contracts": left})
    chances = standing.counted[declarer][player].chances(left, standing.match.rules)
    if chances < len(left):
        yield Message("to_come_counting", {"n": chances})
    if forced := tuple(c for c in left if player in standing.must_double(declarer, c)):
        key = "must_double_each" if forced == left else "must_double_in"
        yield Message(key, {**both, "contracts": forced})
