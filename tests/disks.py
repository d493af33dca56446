"""Real servers on disks that do not take what is written: full, broken, or not to be written by this user."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from conftest import Server

HERE = Path(__file__).parent

#: CAP_DAC_OVERRIDE, which lets root write what its permissions forbid, taken away before the program starts.
BOUND = "import ctypes, os, sys; ctypes.CDLL(None).prctl(24, 1, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])"

#: A namespace of mounts of its own, and in it 2 MB for the folder, before the program starts.
MOUNTED = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
private, new_mounts = 0x44000, 0x20000
for failed in (
    libc.unshare(new_mounts),
    libc.mount(None, b"/", None, private, None),
    libc.mount(b"tmpfs", sys.argv[1].encode(), b"tmpfs", 0, b"size=2m"),
):
    if failed:
        sys.exit(os.strerror(ctypes.get_errno()))
os.execv(sys.argv[2], sys.argv[2:])
"""


S = TypeVar("S", bound=Server)


@contextmanager
def ended(server: S) -> Iterator[S]:
    """A server that ends with the block, however that ends."""
    try:
        yield server
        server.stop()
    finally:
        server.kill()


class DiskServer(Server):
    """A server whose disk can be made to refuse, and to take everything again, while it runs."""

    def __init__(self, folder: Path) -> None:
        """Its data, what its disk says, and what it complains of are in this folder."""
        self.refusing = folder / "refusing.txt"
        self.complaints = folder / "complaints.txt"
        self.program = (str(HERE / "served_on_a_disk.py"), str(self.refusing))
        super().__init__(folder / "data")

    def refuse(self, error: str) -> None:
        """From now on writing fails with this error of the system; KILL ends the server in its next write."""
        part = self.refusing.with_suffix(".part")
        part.write_text(error, encoding="ascii")
        part.replace(self.refusing)

    def allow(self) -> None:
        """Everything is written again."""
        self.refusing.unlink(missing_ok=True)


class SmallDiskServer(Server):
    """A server whose data is on a small filesystem, which only it sees and which goes when it ends."""

    def __init__(self, folder: Path) -> None:
        """Its filesystem is in this folder, as far as it sees."""
        data = folder / "data"
        data.mkdir()
        self.program = ("-c", MOUNTED, str(data), sys.executable, "-m", "scorepad")
        super().__init__(data)

    @staticmethod
    def can_be() -> bool:
        """Whether this user may make a filesystem here."""
        with tempfile.TemporaryDirectory() as folder:
            asked = [sys.executable, "-c", MOUNTED, folder, sys.executable, "-c", ""]
            return subprocess.run(asked, capture_output=True, check=False).returncode == 0

    @property
    def filler(self) -> Path:
        """A file that takes all the room there is, where the server sees it."""
        return Path(f"/proc/{self.process.pid}/root") / self.data.relative_to("/") / "filler"

    def refuse(self, _error: str) -> None:
        """Fill the filesystem."""
        with self.filler.open("ab", buffering=0) as file, suppress(OSError):
            for size in (65536, 4096):
                with suppress(OSError):
                    while file.write(bytes(size)):
                        pass

    def allow(self) -> None:
        """Make room again."""
        self.filler.unlink()


class BoundServer(Server):
    """A server that keeps to the permissions of its files, also when root runs it."""

    def __init__(self, folder: Path) -> None:
        """Its data and what it complains of are in this folder."""
        self.complaints = folder / "complaints.txt"
        if sys.platform == "linux":
            self.program = ("-c", BOUND, sys.executable, "-m", "scorepad")
        super().__init__(folder / "data")

    def protect(self) -> None:
        """Nobody may write the database."""
        for path in self.data.glob("scorepad.db*"):
            path.chmod(0o444)

    def allow(self) -> None:
        """Its owner may write it again."""
        for path in self.data.glob("scorepad.db*"):
            path.chmod(0o644)
