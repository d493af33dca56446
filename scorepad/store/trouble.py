"""Why nothing could be saved: what SQLite says of the disk, in kinds that call for different help."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from enum import StrEnum


class Trouble(StrEnum):
    """What keeps the database from being written."""

    DISK_FULL = "disk_full"
    READ_ONLY = "read_only"
    BUSY = "busy"
    DISK_FAILED = "disk_failed"


class NotSaved(RuntimeError):
    """The database could not be written: nothing was saved, and the same may be tried again."""

    def __init__(self, trouble: Trouble) -> None:
        """Keep why."""
        super().__init__(trouble)
        self.trouble = trouble


#: SQLite's result codes; one with its details comes before the plain one.
_TROUBLES: Mapping[int, Trouble] = {
    sqlite3.SQLITE_IOERR_SHMSIZE: Trouble.DISK_FULL,
    sqlite3.SQLITE_FULL: Trouble.DISK_FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_BUSY: Trouble.BUSY,
    sqlite3.SQLITE_LOCKED: Trouble.BUSY,
    sqlite3.SQLITE_PROTOCOL: Trouble.BUSY,
    sqlite3.SQLITE_IOERR: Trouble.DISK_FAILED,
    sqlite3.SQLITE_CANTOPEN: Trouble.DISK_FAILED,
    sqlite3.SQLITE_CORRUPT: Trouble.DISK_FAILED,
    sqlite3.SQLITE_NOTADB: Trouble.DISK_FAILED,
}
_PLAIN = 0xFF


def trouble_of(error: sqlite3.Error) -> Trouble | None:
    """What an error of SQLite says of the disk; None when it says something else."""
    code = getattr(error, "sqlite_errorcode", 0)
    return _TROUBLES.get(code) or _TROUBLES.get(code & _PLAIN)
