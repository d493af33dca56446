"""What is wrong with a database: its parts, references, chains of the records, matches that do not read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sqlite_utils

from scorepad.standing import standing
from scorepad.store.database import migrations
from scorepad.store.record import HASHED, KeptMatch, fold, row_hash

Row = Mapping[str, Any]

#: What a row that nobody checked may raise while it is read.
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Examined:
    """One match: its name and rows, the row at which its chain breaks (0: it holds), whether it reads."""

    name: str
    rows: int
    broken_at: int
    reads: bool


def applied(db: sqlite3.Connection) -> list[str]:
    """The migrations a file has been through, in order; none when it is no database of scorepad."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [migrations.migrations_table]).fetchone():
        return []
    query = f"SELECT name FROM {migrations.migrations_table} WHERE migration_set = ? ORDER BY rowid"  # noqa: S608
    return [name for (name,) in db.execute(query, [migrations.name])]


def missing_parts(db: sqlite3.Connection) -> list[str]:
    """Tables, indexes and triggers that are not there as this file's migrations make them."""
    there = _parts(db)
    return [name for name, made in _parts_made(set(applied(db))).items() if there.get(name) != made]


def _parts(db: sqlite3.Connection) -> dict[str, str]:
    """Every part of a database, and the statement that made it, on one line."""
    found = db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {f"{kind} {name}": " ".join(sql.split()) for kind, name, sql in found}


def _parts_made(names: set[str]) -> dict[str, str]:
    """The parts that these migrations make."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        made = sqlite_utils.Database(db)
        for migration in migrations._migrations:
            if migration.name in names:
                migration.fn(made)
        return _parts(db)


def broken_references(db: sqlite3.Connection) -> list[str]:
    """The tables with rows that belong to a match or a device that is not there."""
    return list(dict.fromkeys(str(row[0]) for row in db.execute("PRAGMA foreign_key_check")))


def examined(db: sqlite3.Connection) -> Iterator[Examined]:
    """Every match, its record read from first row to last; letters that are none are read as signs."""
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    columns = (*HASHED, "hash")
    query = f"""
        SELECT match.id, {", ".join(f"record.{name}" for name in columns)}
        FROM match LEFT JOIN record ON record.match_id = match.id ORDER BY match.id, record.revision
    """  # noqa: S608  names of our own
    for match_id, rows in groupby(db.execute(query), key=lambda row: row[0]):
        there = (row[1:] for row in rows if row[1] is not None)
        yield _examined(match_id, [dict(zip(columns, row, strict=True)) for row in there])


def _examined(match_id: int, rows: list[Row]) -> Examined:
    """One match; rows behind a break in the chain are not folded."""
    broken_at = _broken_at(rows)
    name = _name(rows) or f"#{match_id}"
    return Examined(name, len(rows), broken_at, bool(broken_at) or _reads(match_id, rows))


def _broken_at(rows: Iterable[Row]) -> int:
    """The first row that is not as it was written, or does not follow the one before it; 0 when none is."""
    previous = ""
    for number, row in enumerate(rows, start=1):
        if row["revision"] != number or row["previous"] != previous or not _has_its_hash(row):
            return number
        previous = row["hash"]
    return 0


def _has_its_hash(row: Row) -> bool:
    """Whether a row is what its hash was made of."""
    try:
        return bool(row_hash(row) == row["hash"])
    except UNREADABLE:  # bytes where a text was
        return False


def _reads(match_id: int, rows: Iterable[Row]) -> bool:
    """Whether the rows make a match that can be scored, and its totals make what they must."""
    kept = KeptMatch(match_id, "")
    try:
        for row in rows:
            kept = fold(kept, row)
        where = standing(kept.read())
    except UNREADABLE:
        return False
    return sum(where.totals) == where.expected + where.agreed


def _name(rows: Iterable[Row]) -> str:
    """What a match is called by the last row that says it: title or players, and the date."""
    said: dict[str, Any] = {}
    for row in rows:
        if row["action"] in ("start", "amend"):
            said |= _written(row)
    title = said.get("title") or ", ".join(map(str, said.get("players") or ()))
    return ", ".join(str(part) for part in (title, said.get("date")) if part)


def _written(row: Row) -> dict[str, Any]:
    """The fields that a row writes, as far as they can be read."""
    try:
        written = json.loads(row["body"])["written"]
    except UNREADABLE:
        return {}
    return written if isinstance(written, dict) else {}
