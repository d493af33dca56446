"""The SQLite file: one kept connection for each thread, one transaction for each save, migrations."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import sqlite_utils
from sqlite_utils import Migrations

from scorepad.store.copying import PATIENCE, copy_database, time_stamp
from scorepad.store.trouble import NotSaved, Trouble, trouble_of

_log = logging.getLogger(__name__)

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


@migrations()
def seat_codes(db: sqlite_utils.Database) -> None:
    """The codes by which players sign on phones of their own, as hashes."""
    db.execute(
        """
        CREATE TABLE seat_code (
            hash TEXT PRIMARY KEY,
            match_id INTEGER NOT NULL REFERENCES match (id),
            seat INTEGER NOT NULL,
            made_at TEXT NOT NULL,
            ended_at TEXT
        ) WITHOUT ROWID
        """
    )


@migrations()
def bin_of_matches(db: sqlite_utils.Database) -> None:
    """When a match was deleted; its rows can be deleted 30 days later, by the clock of this computer."""
    db.execute("ALTER TABLE match ADD COLUMN deleted_at TEXT")
    db.execute("CREATE INDEX match_deleted ON match (deleted_at) WHERE deleted_at IS NOT NULL")
    db.execute("DROP TRIGGER record_is_never_deleted")
    db.execute(
        """
        CREATE TRIGGER record_is_never_deleted BEFORE DELETE ON record WHEN NOT EXISTS (
            SELECT 1 FROM match WHERE id = OLD.match_id
            AND datetime(deleted_at) <= datetime('now', '-30 days')
        )
            BEGIN SELECT RAISE (ABORT, 'rows of the record are never deleted'); END
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

        A file that may only be read will do if its tables are. Raises NewerDatabase, NotSaved.
        """
        self.path = path
        self._local = threading.local()
        self._trouble: Trouble | None = None
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._watched():
            is_ready = not migrations.pending(self.reading())
        with (
            suppress(NotSaved) if is_ready else nullcontext()
        ):  # on a file to be read SQLite may not object yet
            self._bring_up_to_date()
        if not all(os.access(file, os.W_OK) for file in path.parent.glob(f"{path.name}*")):
            _log.error("nothing can be saved in %s: it may only be read", path)
            self._trouble = Trouble.READ_ONLY
            self.close()

    def _bring_up_to_date(self) -> None:
        """Make the tables that are missing, unless another process has done so meanwhile."""
        with self.writing() as db:
            refuse_newer(db)
            pending = migrations.pending(db)
            if pending and db.table_names():
                name = f"{self.path.name}.before-{pending[0].name}-{time_stamp()}"
                copy_database(self.path, self.path.with_name(name))
            migrations.apply(db)

    def reading(self) -> sqlite_utils.Database:
        """This thread's connection."""
        kept: sqlite_utils.Database | None = getattr(self._local, "db", None)
        if kept is None:
            kept = self._local.db = self._open()
        return kept

    def _open(self) -> sqlite_utils.Database:
        """A new connection."""
        opened = sqlite_utils.Database(sqlite3.connect(self.path, timeout=PATIENCE))
        try:
            opened.execute("PRAGMA synchronous = FULL")
            opened.execute("PRAGMA foreign_keys = ON")
            opened.execute("PRAGMA secure_delete = ON")  # a match that is gone for good leaves nothing behind
            if opened.journal_mode != "wal":
                opened.enable_wal()
        except sqlite3.Error:
            opened.close()
            raise
        return opened

    @contextmanager
    def writing(self) -> Iterator[sqlite_utils.Database]:
        """A transaction that nobody else writes beside; on disk when the block has ended, or not at all.

        Raises NotSaved when the disk does not take it; the next one may be taken.
        """
        with self._watched():
            db = self.reading()
            db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.commit()
            except BaseException:
                db.rollback()
                raise

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Turn what SQLite says of the disk into NotSaved; the log says when that begins and ends."""
        try:
            yield
        except sqlite3.Error as error:
            if (trouble := trouble_of(error)) is None:
                raise
            if trouble is Trouble.READ_ONLY:
                self.close()
            if trouble is not self._trouble:
                _log.error("nothing can be saved in %s: %s", self.path, error)
            self._trouble = trouble
            raise NotSaved(trouble) from error
        if self._trouble:
            _log.warning("saving in %s works again", self.path)
        self._trouble = None

    def let_go(self) -> None:
        """Close this thread's connection while the file may only be read: the next one asks anew."""
        if self._trouble is Trouble.READ_ONLY:
            self.close()

    def shorten_log(self) -> None:
        """Bring what was written into the file itself, and let go of the log, unless somebody is reading."""
        self.reading().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close this thread's connection."""
        if (kept := getattr(self._local, "db", None)) is not None:
            del self._local.db
            kept.close()
