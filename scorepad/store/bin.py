"""The bin: a deleted match can be taken back for 30 days, then it is gone for good."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

import sqlite_utils

from scorepad.standing import Standing
from scorepad.store import access
from scorepad.store.access import find_match, match_id_of
from scorepad.store.database import Database
from scorepad.store.record import KeptMatch
from scorepad.store.refusals import UnknownMatch

#: How long a deleted match stays in the bin; the trigger of the record keeps to the same.
DAYS_IN_BIN = 30

#: The matches whose days are over, by the clock that the trigger goes by.
_OVER = "SELECT id FROM match WHERE deleted_at IS NOT NULL AND datetime(deleted_at) <= datetime('now', ?)"
_AGO = [f"-{DAYS_IN_BIN} days"]

#: Every table in which something of a match is kept, and by which column.
_KEEPING = """
    SELECT tables.name, refers."from" FROM sqlite_master AS tables
    JOIN pragma_foreign_key_list(tables.name) AS refers ON refers."table" = 'match'
    WHERE tables.type = 'table'
"""


class Binned(NamedTuple):
    """A match in the bin: as it stood, and when it was deleted."""

    kept: KeptMatch
    standing: Standing
    deleted_at: str

    @property
    def deleted_on(self) -> str:
        """The day on which it was deleted."""
        return self.deleted_at[:10]

    @property
    def until(self) -> str:
        """The day until which it can be taken back."""
        return (date.fromisoformat(self.deleted_on) + timedelta(DAYS_IN_BIN)).isoformat()


class Bin:
    """The matches of a database that were deleted and can be taken back."""

    database: Database
    now: Callable[[], str]
    _emptied_on = ""

    def _folded(self, db: sqlite_utils.Database, match_id: int, slug: str) -> tuple[KeptMatch, Standing]:
        raise NotImplementedError

    def delete(self, slug: str) -> None:
        """Put a match into the bin: whatever asks for it finds none. Raises UnknownMatch."""
        with self.database.writing() as db:
            match_id = match_id_of(db, slug)
            db.execute("UPDATE match SET deleted_at = ? WHERE id = ?", [self.now(), match_id])

    def take_back(self, slug: str) -> None:
        """Take a match out of the bin, as if nothing had happened; raises UnknownMatch."""
        with self.database.writing() as db:
            if (match_id := find_match(db, slug)) is None:
                raise UnknownMatch(slug)
            db.execute("UPDATE match SET deleted_at = NULL WHERE id = ?", [match_id])

    def binned(self, slug: str) -> Binned | None:
        """The match at this address if it is in the bin."""
        db = self.database.reading()
        query = "SELECT id, deleted_at FROM match WHERE slug = ? AND deleted_at IS NOT NULL"
        found = db.execute(query, [slug]).fetchone()
        return Binned(*self._folded(db, int(found[0]), slug), found[1]) if found else None

    def bin_of(self, device: int | None) -> list[Binned]:
        """The matches that a device can take back, the one deleted last first."""
        slugs = access.deleted_of(self.database.reading(), device) if device else []
        return [found for slug in slugs if (found := self.binned(slug))]

    def empty_bin(self) -> int:
        """Delete for good what has been in the bin for 30 days; answers how many matches those were."""
        if not self.database.reading().execute(_OVER, _AGO).fetchone():
            return 0
        with self.database.writing() as db:
            over = db.execute(_OVER, _AGO).fetchall()
            for table, column in [*db.execute(_KEEPING).fetchall(), ("match", "id")]:
                db.conn.executemany(f"DELETE FROM {table} WHERE {column} = ?", over)  # noqa: S608
        self.database.shorten_log()
        return len(over)

    def empty_bin_daily(self) -> int:
        """Empty the bin if that was not tried today; answers how many matches are gone."""
        if self._emptied_on == (today := self.now()[:10]):
            return 0
        self._emptied_on = today
        return self.empty_bin()
