"""What stands beside the record of a match: what the table has set, what follows it, who may score it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import sqlite_utils

from scorepad.store.access import scorers

STAKES = "stakes"
AGAIN = "again"
ON, OFF = "on", "off"
#: Before what the record calls a device or key: the name it was given.
NAME_OF = "name of "

_IS_THERE = "SELECT 1 FROM match WHERE slug = ? AND deleted_at IS NULL"


class Beside(NamedTuple):
    """What stands beside the record, and is never a row of it.

    `again` is the slug of the match that the same four play next, "" while there is none or it is in the
    bin; `scorers` counts the devices that may score.
    """

    shows_stakes: bool = True
    again: str = ""
    scorers: int = 0


def read_beside(db: sqlite_utils.Database, match_id: int) -> Beside:
    """What stands beside the record of a match; what was never set is as it is by default."""
    rows = db.execute("SELECT name, value FROM match_setting WHERE match_id = ?", [match_id])
    kept = dict(rows.fetchall())
    again = kept.get(AGAIN, "")
    if again and not db.execute(_IS_THERE, [again]).fetchone():
        again = ""
    return Beside(kept.get(STAKES, ON) == ON, again, scorers(db, match_id))


def read_device_names(db: sqlite_utils.Database, match_id: int) -> Mapping[str, str]:
    """The names that devices and keys were given, by what the record calls them."""
    query = (
        "SELECT substr(name, ?), value FROM match_setting WHERE match_id = ? AND name LIKE ? AND value <> ''"
    )
    found = db.execute(query, [len(NAME_OF) + 1, match_id, f"{NAME_OF}%"])
    return dict(found.fetchall())


def put_setting(db: sqlite_utils.Database, match_id: int, name: str, value: str) -> None:
    """Set something for a match."""
    db.execute(
        "INSERT INTO match_setting (match_id, name, value) VALUES (?, ?, ?) "
        "ON CONFLICT (match_id, name) DO UPDATE SET value = excluded.value",
        [match_id, name, value],
    )
