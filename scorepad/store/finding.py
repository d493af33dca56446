"""Finding matches by what a match file says of them."""

from __future__ import annotations

from collections.abc import Sequence

import sqlite_utils

from scorepad.matchfile import canonical

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


def slugs_with(
    db: sqlite_utils.Database, players: Sequence[str], name: str, value: str, most: int
) -> list[str]:
    """The matches ever kept with these players and this value of a field, the last first; none in the bin."""
    found = db.execute(_QUERY, [canonical(list(players)), name, value, most]).fetchall()
    return [slug for (slug,) in found]
