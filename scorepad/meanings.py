"""What a change makes of the doubles: those that mean something else, and debts and shortfalls that moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorepad.match import Deal
from scorepad.rules import Message, Rules
from scorepad.standing import DealResult, Standing
from scorepad.table import SEATS, Seat


class Meaning(NamedTuple):
    """What one player's turn in a deal was to his duty: made or not, forced or not, and what it counted.

    `counts` is the key of its sentence, "" where the doubled player does not declare.
    """

    is_made: bool
    is_forced: bool
    counts: str


def changes(before: Standing, after: Standing) -> Iterator[Message]:
    """What doubles mean otherwise after a change, deal by deal; then the debts and shortfalls that moved.

    A deal is the same before and after where the same player declared the same contract in it; what is then
    left over on both sides, where it has the same number.
    """
    olds = _same_deals(before, after)
    for deal, result in _sound(after):
        old = olds.get(result.number)
        for player, declarer in _turns(deal, old and old[0]):
            now = _meaning(deal, result, player, after.match.rules, declarer)
            then = old and _meaning(*old, player, before.match.rules, declarer)
            values = {"number": result.number, "player": player, "declarer": declarer}
            yield from (Message(key, values) for key in _otherwise(then, now))
    yield from _debts(before, after)


def _same_deals(before: Standing, after: Standing) -> dict[int, tuple[Deal, DealResult]]:
    """For the number of each deal after a change, the same deal before it."""
    declared = {(deal.declarer, deal.contract): (deal, result) for deal, result in _sound(before)}
    found, unfound = {}, []
    for deal, result in _sound(after):
        if old := declared.pop((deal.declarer, deal.contract), None):
            found[result.number] = old
        else:
            unfound.append(result.number)
    left = {result.number: (deal, result) for deal, result in declared.values()}
    return found | {number: left[number] for number in unfound if number in left}


def _turns(deal: Deal, old: Deal | None) -> Iterator[tuple[Seat, Seat]]:
    """Who could double whom as declarer in a deal; where another had declared it before, him too."""
    for declarer in dict.fromkeys((deal.declarer, *((old.declarer,) if old else ()))):
        yield from ((player, declarer) for player in declarer.others)


def _sound(standing: Standing) -> Iterator[tuple[Deal, DealResult]]:
    """The deals without mistakes, with what is derived from them."""
    for result in standing.deals:
        if isinstance(result.deal, Deal) and not result.mistakes:
            yield result.deal, result


def _meaning(deal: Deal, result: DealResult, player: Seat, rules: Rules, declarer: Seat) -> Meaning:
    """What a player's double of this declarer was in a deal; of one who did not declare it, it is no duty."""
    is_made = (player, declarer) in deal.doubles
    if declarer is not deal.declarer:
        return Meaning(is_made, is_forced=False, counts="")
    done = result.counted[player]
    counts = "double_counts_now" if done.would_count(deal.contract, rules) else "double_counts_not_now"
    return Meaning(is_made, player in result.forced, counts if done.owed(rules) else "double_not_needed_now")


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
        yield from _worth(then.counts, now.counts)


def _worth(then: str, now: str) -> Iterator[str]:
    """The sentence for a double that is there before and after, and is worth something else."""
    if then and now:
        yield now
    elif "double_counts_now" in {then, now}:
        yield now or "double_counts_not_now"


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
