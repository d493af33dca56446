"""Serves scorepad on a disk that refuses what a file says: its writes fail, as where no room is left.

SQLite's own calls of the system are what fails, so everything above them is as it is on a real disk. The
file holds the name of the error, such as ENOSPC or EROFS; KILL ends the process when half of a write is
done. While there is no such file everything is written.
"""

from __future__ import annotations

import _sqlite3
import atexit
import ctypes
import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: How SQLite may write, as its "unix" VFS names it, and what each call is given.
_OFFSET = ctypes.c_int64
CALLS: dict[str, tuple[Any, ...]] = {
    "write": (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t),
    "pwrite": (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, _OFFSET),
    "pwrite64": (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, _OFFSET),
}

#: Where `sqlite3_vfs`, as sqlite3.h lays it out, has the functions that change and tell a call, in pointers.
_SET, _GET = 18, 19


class Hooks:
    """The calls of SQLite's file system with ours before them."""

    def __init__(self, refusing: Path) -> None:
        """Put ours in, for this process."""
        self.refusing = refusing
        self.kept: list[object] = []
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = ctypes.c_void_p
        self.vfs = library.sqlite3_vfs_find(None)
        members = ctypes.cast(self.vfs, ctypes.POINTER(ctypes.c_void_p))
        put = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(members[_SET])
        get = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(members[_GET])
        for name, takes in CALLS.items():
            address = get(self.vfs, name.encode())
            if address:
                made = self._before(address, ctypes.CFUNCTYPE(ctypes.c_ssize_t, *takes, use_errno=True))
                put(self.vfs, name.encode(), ctypes.cast(made, ctypes.c_void_p))
        atexit.register(put, self.vfs, None, None)  # at its very end Python cannot be called any more

    def _before(self, address: int, kind: Any) -> Any:
        """A call that refuses what the file says, and else does what it did."""
        real: Callable[..., int] = kind(address)

        def call(*given: int) -> int:
            try:
                refused = self.refusing.read_text(encoding="ascii")
            except OSError:
                return real(*given)
            if refused == "KILL":
                handle, start, count, *offset = given
                real(handle, start, count // 2, *offset)
                os.kill(os.getpid(), signal.SIGKILL)
            ctypes.set_errno(getattr(errno, refused))
            return -1

        made = kind(call)
        self.kept.append(made)
        return made


if __name__ == "__main__":
    refusing, *arguments = sys.argv[1:]
    hooks = Hooks(Path(refusing))
    sys.argv = ["scorepad", *arguments]
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from scorepad.__main__ import main

    main()
