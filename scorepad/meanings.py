"""What a change makes of the doubles: those that mean something else, and debts and shortfalls that moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorepad.match import Deal
from scorepad.rules import Message, Rules
from scorepad.standing import DealResult, Standing
from scorepad.table import SEATS, Seat


class Meaning(NamedTuple):
    """What one player's turn in a deal was to his duty: made or not, forced or not, and what it counted."""

    is_made: bool
    is_forced: bool
    counts: str


def changes(before: Standing, after: Standing) -> Iterator[Message]:
    """What doubles mean otherwise after a change, deal by deal; then the debts and shortfalls that moved.

    A deal is the same before and after where the same player declared the same contract in it.
    """
    was = {(deal.declarer, deal.contract): (deal, result) for deal, result in _sound(before)}
    for deal, result in _sound(after):
        old = was.get((deal.declarer, deal.contract))
        for player in deal.declarer.others:
            now = _meaning(deal, result, player, after.match.rules)
            then = old and _meaning(*old, player, before.match.rules)
            values = {"number": result.number, "player": player, "declarer": deal.declarer}
            yield from (Message(key, values) for key in _otherwise(then, now))
    yield from _debts(before, after)


def _sound(standing: Standing) -> Iterator[tuple[Deal, DealResult]]:
    """The deals without mistakes, with what is derived from them."""
    for result in standing.deals:
        if isinstance(result.deal, Deal) and not result.mistakes:
            yield result.deal, result


def _meaning(deal: Deal, result: DealResult, player: Seat, rules: Rules) -> Meaning:
    """What a player's turn was in a deal."""
    done = result.counted[player]
    counts = "double_counts_now" if done.would_count(deal.contract, rules) else "double_counts_not_now"
    return Meaning(
        (player, deal.declarer) in deal.doubles,
        player in result.forced,
        counts if done.owed(rules) else "double_not_needed_now",
    )


#: What is said of a turn that was made, that was forced, that is made and that is forced, or not.
FORCED: Mapping[tuple[bool, bool, bool, bool], str] = {
    (False, False, False, True): "double_missing_now",
    (True, False, False, True): "double_missing_now",
    (True, True, False, True): "double_missing_now",
    (False, True, False, False): "double_missing_no_more",
    (False, True, True, True): "double_made_up",
    (False, True, True, False): "double_made_up",
    (False, False, True, True): "double_forced_now",
    (True, False, True, True): "double_forced_now",
    (True, True, True, False): "double_forced_no_more",
}


def _otherwise(then: Meaning | None, now: Meaning) -> Iterator[str]:
    """The sentences for a turn that means something else now; in a deal that is new, only what is missing."""
    if then is None:
        if now.is_forced and not now.is_made:
            yield "double_missing_now"
        return
    key = FORCED.get((then.is_made, then.is_forced, now.is_made, now.is_forced))
    if key:
        yield key
    if then.is_made and now.is_made and then.counts != now.counts:
        yield now.counts


def _debts(before: Standing, after: Standing) -> Iterator[Message]:
    """The shortfalls that are others, and what is owed otherwise to whoever has still to declare."""
    for player in SEATS:
        for declarer in player.others:
            was, short = before.shortfall(player, declarer), after.shortfall(player, declarer)
            owed, owes = before.owed(player, declarer), after.owed(player, declarer)
            both = {"player": player, "declarer": declarer}
            if short != was:
                yield Message("short_now" if short else "short_no_more", {**both, "n": short})
            elif owes != owed and after.left(declarer) and not after.match.abandoned:
                yield Message("owes_now", {**both, "n": owes, "before": owed})
