"""What a change would do: shown on every page that asks before it saves."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from scorepad import meanings
from scorepad.store import Save
from scorepad.table import SEATS, PerSeat
from scorepad.views.common import store, words


@dataclass(frozen=True)
class Effect:
    """What a change does: each total before and after, and the doubles and debts that mean something else.

    `looked` says which change it was that somebody has looked at.
    """

    totals: tuple[tuple[str, int, int], ...]
    moves: bool
    further: tuple[str, ...]
    looked: str


def effect_of(slug: str, save: Save) -> Effect:
    """What a change would do to every total, and to the meaning of the doubles."""
    before, after = store().preview(slug, save)
    names: PerSeat[str] = after.match.names
    totals = tuple((names[s], before.totals[s], after.totals[s]) for s in SEATS)
    further = tuple(map(words(names), meanings.changes(before, after)))
    return Effect(totals, before.totals != after.totals, further, looked_at(save))


def looked_at(save: Save) -> str:
    """What tells a change that was looked at from any other."""
    return hashlib.sha256(f"{save.seen} {save.action} {save.body}".encode()).hexdigest()[:16]
