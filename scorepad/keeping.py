"""Backups of the matches, and going back to one."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import sqlite_utils

from scorepad.inuse import InUse, own_as
from scorepad.messages import N_
from scorepad.store.checking import applied, broken_references, examined, missing_parts
from scorepad.store.copying import (
    BESIDE,
    copy_database,
    damage,
    open_existing,
    sync,
    time_stamp,
    unnamed_copy,
)
from scorepad.store.database import migrations, refuse_newer

DATABASE = "scorepad.db"

#: What the name of a folder ends in.
SLASHES = tuple({"/", os.sep})

#: The part of SQLite's codes of errors that says the kind.
PRIMARY = 0xFF

NOT_OURS = N_("It is no database of scorepad.")
DAMAGED = N_("It is damaged: {what}")
PART_MISSING = N_("This is not as scorepad made it: {what}")
REFERENCES = N_("Rows belong to a match or a device that is not there: {what}")
CHAIN_BROKEN = N_("{match}: row {row} of the record is not as it was written.")
DOES_NOT_READ = N_("{match}: the record cannot be read.")


class Holds(NamedTuple):
    """What a database holds: how many matches, how many rows of record, when the last was written."""

    matches: int
    rows: int
    last: str


class Unfit(RuntimeError):
    """A file cannot be restored; `faults` are the reasons, each a sentence."""

    def __init__(self, faults: list[str]) -> None:
        """Keep the reasons."""
        super().__init__(faults)
        self.faults = faults


def holds(path: Path) -> Holds:
    """What a database holds; raises FileNotFoundError, or sqlite3.Error."""
    with closing(open_existing(path, read_only=True)) as db:
        matches, rows, last = db.execute(
            "SELECT (SELECT count(*) FROM match), (SELECT count(*) FROM record), (SELECT max(at) FROM record)"
        ).fetchone()
    return Holds(matches, rows, last or "")


def backup_name(to: str) -> Path:
    """The file that a backup is written to: the one named, or one by date and time in the folder named."""
    is_folder = to.endswith(SLASHES) or Path(to).is_dir()
    return Path(to) / f"scorepad-{time_stamp()}.db" if is_folder else Path(to)


def back_up(folder: Path, to: Path, *, force: bool = False) -> Holds:
    """Copy the database to a file; answers what the copy holds.

    Raises FileExistsError unless forced, always for the database itself, and what disk or database refuses.
    """
    database = folder / DATABASE
    if to.exists() and (not force or to.samefile(database)):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to))
    copy_database(database, to)
    return holds(to)


# Going back


@contextmanager
def checked_copy(file: Path, folder: Path) -> Iterator[Path]:
    """A copy of a backup, in the data folder and without a name, found sound and brought up to date.

    Raises Unfit, NewerDatabase, and whatever disk or database refuses.
    """
    for left in folder.glob(f".{DATABASE}.*.part*"):  # by a restore that was killed
        left.unlink()
    with unnamed_copy(file, folder / DATABASE) as part:
        with closing(open_existing(part)) as db:
            if found := faults(db):
                raise Unfit(found)
            made = sqlite_utils.Database(db)
            db.execute("BEGIN IMMEDIATE")
            migrations.apply(made)
            db.commit()
        sync(part)
        yield part


def faults(db: sqlite3.Connection) -> list[str]:
    """Everything that speaks against a database; raises NewerDatabase."""
    if not applied(db):
        return [NOT_OURS]
    refuse_newer(sqlite_utils.Database(db))
    return [
        *(DAMAGED.format(what=what) for what in damage(db)),
        *(PART_MISSING.format(what=what) for what in missing_parts(db)),
        *(REFERENCES.format(what=what) for what in broken_references(db)),
        *record_faults(db),
    ]


def record_faults(db: sqlite3.Connection) -> Iterator[str]:
    """What is wrong with the records, a sentence for each match."""
    for match in examined(db):
        if match.broken_at:
            yield CHAIN_BROKEN.format(match=match.name, row=match.broken_at)
        elif not match.reads:
            yield DOES_NOT_READ.format(match=match.name)


def put_in_place(copy: Path, path: Path) -> Path | None:
    """Make a copy the database; answers the name under which the one before is kept, if there was one.

    There is a database at every moment. Raises InUse while any program has it open.
    """
    kept = path.with_name(f"{path.name}.before-restore-{time_stamp()}") if path.exists() else None
    if kept:
        _put_aside(path, kept)
    for name in BESIDE:
        path.with_name(path.name + name).unlink(missing_ok=True)
    copy.chmod(stat.S_IMODE(path.stat().st_mode) if kept else 0o600)
    own_as(copy, path.parent)
    copy.replace(path)
    sync(path.parent)
    return kept


def _put_aside(path: Path, kept: Path) -> None:
    """Give a database a second name, and what is beside it too unless it could be written into the database.

    What is beside it is named first, since SQLite may remove it when it opens a damaged file.
    """
    beside = {n: kept.with_name(kept.name + n) for n in BESIDE if path.with_name(path.name + n).exists()}
    for name, second in beside.items():
        _also_as(path.with_name(path.name + name), second)
    is_one_file = True
    try:
        is_one_file = _is_closed_off(path)
    finally:
        if is_one_file:
            for second in beside.values():
                second.unlink()
    _also_as(path, kept)
    sync(path.parent)


def _is_closed_off(path: Path) -> bool:
    """Write into a database all that stands beside it; False when it is damaged. Raises InUse."""
    with closing(open_existing(path)) as db:
        db.execute("PRAGMA busy_timeout = 500")
        try:
            db.execute("PRAGMA journal_mode = DELETE").fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & PRIMARY in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise InUse(path.parent) from None
            return False
    return True


def _also_as(path: Path, name: Path) -> None:
    """Give a file a second name; a copy where the disk knows no second names."""
    with suppress(OSError):
        os.link(path, name)
        return
    shutil.copy2(path, name)
