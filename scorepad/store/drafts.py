"""The open deal: a draft beside the record, with a version of its own and one holder."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import sqlite_utils

from scorepad.matchfile import canonical


class Draft(NamedTuple):
    """The open deal of a match; `deal` is None while no hand is being played. The version only grows."""

    version: int = 0
    holder: str = ""
    spoken: int = 0
    deal: Any = None
    changed_at: str = ""


class DraftTaken(ValueError):
    """Another device holds the open deal, or has changed it meanwhile."""

    def __init__(self, draft: Draft) -> None:
        """Keep the draft as it stands."""
        super().__init__(draft)
        self.draft = draft


def read_draft(db: sqlite_utils.Database, match_id: int) -> Draft:
    """The open deal of a match."""
    found = db.execute(
        "SELECT version, holder, spoken, deal, changed_at FROM draft WHERE match_id = ?", [match_id]
    ).fetchone()
    if found is None:
        return Draft()
    version, holder, spoken, deal, changed_at = found
    return Draft(version, holder, spoken, None if deal is None else json.loads(deal), changed_at)


def write_draft(
    db: sqlite_utils.Database, match_id: int, seen: int, draft: Draft, *, take_over: bool = False
) -> Draft:
    """Write the open deal, or drop it (`deal` None); raises DraftTaken unless it was seen as it is."""
    kept = read_draft(db, match_id)
    is_taken = kept.deal is not None and kept.holder != draft.holder and not take_over
    if seen != kept.version or is_taken:
        raise DraftTaken(kept)
    return _put(db, match_id, draft._replace(version=kept.version + 1))


def drop_draft(db: sqlite_utils.Database, match_id: int, holder: str, at: str) -> None:
    """Drop the open deal when its hand was saved; nothing happens when there is none."""
    kept = read_draft(db, match_id)
    if kept.deal is not None:
        _put(db, match_id, Draft(kept.version + 1, holder, 0, None, at))


def _put(db: sqlite_utils.Database, match_id: int, draft: Draft) -> Draft:
    """Keep a draft as the open deal of a match."""
    row = draft._replace(deal=None if draft.deal is None else canonical(draft.deal))
    db.execute(
        "INSERT INTO draft (match_id, version, holder, spoken, deal, changed_at) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (match_id) DO UPDATE SET version = excluded.version, holder = excluded.holder, "
        "spoken = excluded.spoken, deal = excluded.deal, changed_at = excluded.changed_at",
        [match_id, *row],
    )
    return draft
