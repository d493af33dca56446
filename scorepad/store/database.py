"""The SQLite file: one kept connection for each thread, one transaction for each save, migrations."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlite_utils
from sqlite_utils import Migrations

from scorepad.store.copying import PATIENCE, copy_database, time_stamp

migrations = Migrations("scorepad")


class NewerDatabase(RuntimeError):
    """The database was written by a later release of scorepad, which this one cannot read."""


FIRST_TABLES = (
    """
    CREATE TABLE match (
        id INTEGER PRIMARY KEY,
        slug TEXT NOT NULL UNIQUE,
        started_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE record (
        match_id INTEGER NOT NULL REFERENCES match (id),
        revision INTEGER NOT NULL,
        id TEXT NOT NULL,
        at TEXT NOT NULL,
        by TEXT NOT NULL,
        action TEXT NOT NULL,
        deal_id TEXT NOT NULL,
        body TEXT NOT NULL,
        answer TEXT NOT NULL,
        previous TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (match_id, revision),
        UNIQUE (match_id, id)
    ) WITHOUT ROWID
    """,
    """
    CREATE TRIGGER record_is_never_changed BEFORE UPDATE ON record
        BEGIN SELECT RAISE (ABORT, 'rows of the record are never changed'); END
    """,
    """
    CREATE TRIGGER record_is_never_deleted BEFORE DELETE ON record
        BEGIN SELECT RAISE (ABORT, 'rows of the record are never deleted'); END
    """,
    """
    CREATE TRIGGER record_is_never_replaced BEFORE INSERT ON record WHEN EXISTS (
        SELECT 1 FROM record
        WHERE match_id = NEW.match_id AND (revision = NEW.revision OR id = NEW.id)
    )
        BEGIN SELECT RAISE (ABORT, 'rows of the record are never replaced'); END
    """,
    """
    CREATE TABLE score_key (
        hash TEXT PRIMARY KEY,
        match_id INTEGER NOT NULL REFERENCES match (id),
        made_at TEXT NOT NULL,
        ended_at TEXT
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE device (
        id INTEGER PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        made_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE device_right (
        device_id INTEGER NOT NULL REFERENCES device (id),
        match_id INTEGER NOT NULL REFERENCES match (id),
        may_score INTEGER NOT NULL,
        since TEXT NOT NULL,
        PRIMARY KEY (device_id, match_id)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE draft (
        match_id INTEGER PRIMARY KEY REFERENCES match (id),
        version INTEGER NOT NULL,
        holder TEXT NOT NULL,
        spoken INTEGER NOT NULL,
        deal TEXT,
        changed_at TEXT NOT NULL
    )
    """,
)


@migrations()
def first_tables(db: sqlite_utils.Database) -> None:
    """Matches, the record of each, the devices and keys that may write, and the open deals."""
    for statement in FIRST_TABLES:
        db.execute(statement)


@migrations()
def match_settings(db: sqlite_utils.Database) -> None:
    """What a table has set for a match beside its record; what is not here is as it is by default."""
    db.execute(
        """
        CREATE TABLE match_setting (
            match_id INTEGER NOT NULL REFERENCES match (id),
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (match_id, name)
        ) WITHOUT ROWID
        """
    )


@migrations()
def players_index(db: sqlite_utils.Database) -> None:
    """Finds the matches of four players among all: SQLite keeps it with each row, REINDEX makes it anew."""
    db.execute(
        """
        CREATE INDEX record_players ON record (json_extract(body, '$.written.players'))
            WHERE action IN ('start', 'amend')
        """
    )


def refuse_newer(db: sqlite_utils.Database) -> None:
    """Raise NewerDatabase for a file that has what this release does not know."""
    known = {m.name for m in migrations._migrations}
    if unknown := {m.name for m in migrations.applied(db)} - known:
        raise NewerDatabase(", ".join(sorted(unknown)))


class Database:
    """A database file; each thread has its own connection to it, kept open."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it, and bring its tables up to date, after a copy of an earlier release's.

        Nobody else writes meanwhile; whoever opens it at the same time waits, and finds it done. Raises
        NewerDatabase.
        """
        self.path = path
        self._local = threading.local()
        path.parent.mkdir(parents=True, exist_ok=True)
        with self.writing() as db:
            refuse_newer(db)
            pending = migrations.pending(db)
            if pending and db.table_names():
                copy_database(path, path.with_name(f"{path.name}.before-{pending[0].name}-{time_stamp()}"))
            migrations.apply(db)

    def reading(self) -> sqlite_utils.Database:
        """This thread's connection."""
        kept: sqlite_utils.Database | None = getattr(self._local, "db", None)
        if kept is None:
            kept = sqlite_utils.Database(sqlite3.connect(self.path, timeout=PATIENCE))
            kept.execute("PRAGMA synchronous = FULL")
            kept.execute("PRAGMA foreign_keys = ON")
            if kept.journal_mode != "wal":
                kept.enable_wal()
            self._local.db = kept
        return kept

    @contextmanager
    def writing(self) -> Iterator[sqlite_utils.Database]:
        """A transaction that nobody else writes beside; on disk when the block has ended, or not at all."""
        db = self.reading()
        db.conn.execute("BEGIN IMMEDIATE")
        try:
            yield db
        except BaseException:
            db.rollback()
            raise
        db.commit()

    def close(self) -> None:
        """Close this thread's connection."""
        if (kept := getattr(self._local, "db", None)) is not None:
            kept.close()
            del self._local.db
