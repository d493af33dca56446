"""Who uses a data folder: a server holds it while it runs, a restore holds it alone.

The system lets go of a hold when its process ends, however it ends, so that none is ever left over. Windows
has no such holds; there the system itself refuses to put another file in the place of one that is open.
"""

from __future__ import annotations

import os
import sys
import weakref
from pathlib import Path

NAME = "in_use"


class InUse(RuntimeError):
    """Somebody else holds the data folder."""

    def __init__(self, folder: Path) -> None:
        """Keep which folder."""
        super().__init__(str(folder))
        self.folder = folder


class Hold:
    """A data folder that is held, until it is let go or nobody knows the hold any more."""

    def __init__(self, folder: Path, *, alone: bool = False) -> None:
        """Hold the folder, beside others or alone; raises InUse, at once."""
        handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
        own_as(folder / NAME, folder)
        self.release = weakref.finalize(self, os.close, handle)
        if not _lock(handle, alone=alone):
            self.release()
            raise InUse(folder)

    def __enter__(self) -> Hold:
        """Hold it for a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let it go."""
        self.release()


def is_in_use(folder: Path) -> bool:
    """Whether anybody holds the folder."""
    if not (folder / NAME).exists():
        return False
    try:
        with Hold(folder, alone=True):
            return False
    except InUse:
        return True


if sys.platform == "win32":

    def own_as(_path: Path, _other: Path) -> None:
        """Nothing: files have no such owner here."""

    def _lock(_handle: int, *, alone: bool) -> bool:  # noqa: ARG001
        return True

else:
    import fcntl

    def own_as(path: Path, other: Path) -> None:
        """Give a file that root made to the owner of another, so that the server may write it."""
        if os.geteuid() == 0:
            owner = other.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def _lock(handle: int, *, alone: bool) -> bool:
        """Whether the open file could be locked; always where the disk knows no locks."""
        try:
            fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True
