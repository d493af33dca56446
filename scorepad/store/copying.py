"""Copies of a database that are whole: of one moment, looked through, on disk before they have their name."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from scorepad.messages import N_

#: How long a save waits for another one, in seconds; four phones never come near it.
PATIENCE = 10

#: What SQLite keeps beside a database that is open, or was when the power went.
BESIDE = ("-wal", "-shm", "-journal")

CUT_SHORT = N_("the file is cut short")


class Damaged(sqlite3.DatabaseError):
    """SQLite finds the file damaged; the message is what it finds first."""


def time_stamp() -> str:
    """The time for names of files: UTC, to the second, without a colon."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H%M%SZ")


def open_existing(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection to a database there is; raises FileNotFoundError rather than make one."""
    path.stat()
    mode = "ro" if read_only else "rw"
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=PATIENCE)


def is_cut_short(path: Path) -> bool:
    """Whether a file ends within a page, which SQLite reads as if the rest were empty."""
    with path.open("rb") as file:
        header = file.read(18)
    page = int.from_bytes(header[16:18], "big")  # 1 stands for 65,536, which scorepad never asks for
    return header.startswith(b"SQLite format 3") and page > 1 and path.stat().st_size % page != 0


def damage(db: sqlite3.Connection, most: int = 5) -> list[str]:
    """What SQLite finds damaged, the first few of it; nothing when the file is whole."""
    try:
        found = db.execute(f"PRAGMA integrity_check({most})").fetchall()
    except sqlite3.DatabaseError as error:
        return [str(error)]
    told = [line for (text,) in found for line in str(text).splitlines() if not line.startswith("***")]
    return [] if told == ["ok"] else told


def copy_database(source: Path, to: Path) -> None:
    """Copy a database while others read and write it; the copy needs no other file.

    Raises OSError, sqlite3.Error, and Damaged; then there is no copy.
    """
    with unnamed_copy(source, to) as part:
        part.replace(to)
        sync(to.parent)


@contextmanager
def unnamed_copy(source: Path, to: Path) -> Iterator[Path]:
    """A whole copy beside `to` without a name of its own; it is gone after the block, unless renamed."""
    part = to.with_name(f".{to.name}.{secrets.token_hex(4)}.part")
    if is_cut_short(source):
        raise Damaged(CUT_SHORT)
    part.touch()
    try:
        with closing(open_existing(source, read_only=True)) as live, closing(sqlite3.connect(part)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            if found := damage(copy):
                raise Damaged(found[0])
        shutil.copymode(source, part)
        sync(part)
        yield part
    finally:
        for name in ("", *BESIDE):
            part.with_name(part.name + name).unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows opens no folders
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
