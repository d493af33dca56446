"""Finding matches: those of a device, and by what a match file says of them."""

from __future__ import annotations

from collections.abc import Sequence

import sqlite_utils

from scorepad.matchfile import canonical
from scorepad.standing import Standing
from scorepad.store import access
from scorepad.store.database import Database
from scorepad.store.record import KeptMatch

#: Rows that say who plays, and what stands at the head of the sheet.
_SAYING = "action IN ('start', 'amend')"

#: Matches at which some row named these four, and some row had this in another field; the last first.
_QUERY = f"""
    SELECT match.slug FROM match WHERE match.deleted_at IS NULL AND match.id IN (
        SELECT match_id FROM record WHERE {_SAYING} AND json_extract(body, '$.written.players') = ?
    ) AND EXISTS (
        SELECT 1 FROM record WHERE match_id = match.id AND {_SAYING}
        AND coalesce(json_extract(body, '$.written.' || ?), '') = ?
    ) ORDER BY match.id DESC LIMIT ?
"""  # noqa: S608  nothing in it comes from outside


def _slugs_with(
    db: sqlite_utils.Database, players: Sequence[str], name: str, value: str, most: int
) -> list[str]:
    """The matches ever kept with these players and this value of a field, the last first; none in the bin."""
    found = db.execute(_QUERY, [canonical(list(players)), name, value, most]).fetchall()
    return [slug for (slug,) in found]


class Finding:
    """The matches there are in a database."""

    database: Database

    def _load(self, db: sqlite_utils.Database, slug: str) -> tuple[KeptMatch, Standing]:
        raise NotImplementedError

    def any_slug(self) -> str | None:
        """The first match there is, if there is one."""
        query = "SELECT slug FROM match WHERE deleted_at IS NULL ORDER BY id LIMIT 1"
        found = self.database.reading().execute(query).fetchone()
        return found and str(found[0])

    def matches_of(self, device: int | None) -> list[tuple[KeptMatch, Standing]]:
        """The matches a device holds, the last one first."""
        if device is None:
            return []
        db = self.database.reading()
        return [self._load(db, slug) for slug in access.matches_of(db, device)]

    def slugs_with(self, players: Sequence[str], name: str, value: str, most: int) -> list[str]:
        """The matches ever kept with these players and this value of a field, the last one first."""
        return _slugs_with(self.database.reading(), players, name, value, most)

    def holds(self, device: int | None, slug: str) -> bool:
        """Whether a match is among those of a device."""
        return device is not None and slug in access.matches_of(self.database.reading(), device)

    def last_match_of(self, device: int | None) -> str | None:
        """The slug of the last match a device holds, if it holds any."""
        return next(iter(access.matches_of(self.database.reading(), device)), None) if device else None
