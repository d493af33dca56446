"""What `scorepad doctor` looks at, one finding each: the computer, the database, the record, the printing."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import sqlite_utils

from scorepad.inuse import is_in_use
from scorepad.keeping import DATABASE, record_faults
from scorepad.messages import N_
from scorepad.paths import asset_dir
from scorepad.store.checking import applied, broken_references, missing_parts
from scorepad.store.copying import CUT_SHORT, damage, is_cut_short, open_existing
from scorepad.store.database import NewerDatabase, migrations, refuse_newer

LEAST_FREE = 100_000_000
#: SQLite writes the log back every 4 MB; so large it grows only while something holds on to it.
LARGEST_LOG = 100_000_000
#: The first SQLite that always reads JSON.
OLDEST_SQLITE = (3, 38)
FONTS = ("pad-regular.ttf", "pad-bold.ttf", "suits.woff2")
FONT_STARTS = (b"\x00\x01\x00\x00", b"wOF2")

RESTORE = N_("Stop the server, copy the data folder away, and restore the last backup: scorepad restore FILE")
STOP = N_("Stop every program that has the database open, and try again.")
COMPARE = N_(
    "Somebody has written into the database by hand. Compare with the sheets and with the last backup; "
    "to go back to it: scorepad restore FILE"
)


class Finding(NamedTuple):
    """One thing that was looked at: how it is, and when it is not well, what to do."""

    name: str
    told: str
    advice: str = ""

    @property
    def is_well(self) -> bool:
        """Whether nothing has to be done."""
        return not self.advice


def findings(folder: Path) -> Iterator[Finding]:
    """Everything that is looked at, in this order; what cannot be looked at is said or left out."""
    yield from _findings_of_folder(folder)
    yield _sqlite()
    if (folder / DATABASE).exists():
        yield from _findings_of_database(folder)
    else:
        yield Finding(N_("database"), N_("none yet; the server makes it"))
    yield _fonts()
    yield _printing()


# The computer


def _findings_of_folder(folder: Path) -> Iterator[Finding]:
    """The data folder, the room in it, the key in it."""
    name = N_("data folder")
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"scorepad")
    except OSError as error:
        yield Finding(
            name,
            f"{folder}: {error.strerror}",
            N_("Make it, or let the user who runs scorepad write into it."),
        )
        return
    yield Finding(name, str(folder))
    free = shutil.disk_usage(folder).free
    advice = "" if free >= LEAST_FREE else N_("Make room: without it nothing can be saved.")
    yield Finding(N_("free space"), _megabytes(free), advice)
    yield _secret_key(folder / "secret_key")


def _secret_key(path: Path) -> Finding:
    """Only the user who runs the server may read the key."""
    name = N_("secret key")
    if not path.exists():
        return Finding(name, N_("none yet; the server makes it"))
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077 and sys.platform != "win32":
        return Finding(name, N_("others may read it"), f"chmod 600 {path}")
    if not path.read_bytes().strip():
        return Finding(
            name, N_("it is empty"), N_("Remove {path}; the server makes a new one.").format(path=path)
        )
    return Finding(name, N_("only its owner may read it"))


def _sqlite() -> Finding:
    """Whether SQLite can do what is asked of it."""
    advice = "" if sqlite3.sqlite_version_info >= OLDEST_SQLITE else N_("Install a newer Python.")
    return Finding("SQLite", sqlite3.sqlite_version, advice)


def _megabytes(size: int) -> str:
    """A size for people."""
    return f"{size / 1_000_000:,.1f} MB"


# The database


def _findings_of_database(folder: Path) -> Iterator[Finding]:
    """The database as a file, and what is in it; behind damage of one kind the others are still looked at."""
    path = folder / DATABASE
    yield _log_size(path)
    try:
        with closing(open_existing(path, read_only=True)) as db:
            version = _version(db)
            yield version
            if version.is_well:
                yield from _findings_within(db, folder)
    except sqlite3.Error as error:
        yield Finding(N_("database"), str(error), RESTORE)


def _log_size(path: Path) -> Finding:
    """What was written and stands beside the database still."""
    log = path.with_name(f"{path.name}-wal")
    size = log.stat().st_size if log.exists() else 0
    return Finding(N_("write-ahead log"), _megabytes(size), STOP if size > LARGEST_LOG else "")


def _version(db: sqlite3.Connection) -> Finding:
    """Which release the database is of."""
    name = N_("database version")
    try:
        names = applied(db)
        if not names:
            return Finding(name, N_("this is no database of scorepad"), RESTORE)
        refuse_newer(sqlite_utils.Database(db))
    except NewerDatabase:
        return Finding(name, N_("of a later release"), N_("Install the release of scorepad that made it."))
    except sqlite3.DatabaseError as error:
        return Finding(name, str(error), RESTORE)
    older = len(names) < len(migrations._migrations)
    state = N_("of an earlier release; the server brings it up to date") if older else N_("of this release")
    return Finding(name, state)


def _findings_within(db: sqlite3.Connection, folder: Path) -> Iterator[Finding]:
    """The pages of the file, the references between its rows, its guards, the records, the indexes."""
    found = damage(db)
    if found and _is_of_indexes(found) and not is_in_use(folder):
        _rebuild_indexes(folder)
        found = damage(db)
    found += [CUT_SHORT] if is_cut_short(folder / DATABASE) else []
    whole = _finding(N_("database file"), N_("whole"), found, RESTORE)
    yield whole
    yield _looked_at(N_("references"), N_("all lead somewhere"), lambda: broken_references(db), RESTORE)
    yield _looked_at(N_("tables and guards"), N_("as they were made"), lambda: missing_parts(db), COMPARE)
    yield _looked_at(
        N_("records"), N_("every chain holds, every match reads"), lambda: [*record_faults(db)], COMPARE
    )
    yield _indexes(folder, is_whole=whole.is_well)


def _looked_at(name: str, well: str, look: Callable[[], list[str]], advice: str) -> Finding:
    """What a look at the database finds, damage in its way included."""
    try:
        found = look()
    except sqlite3.DatabaseError as error:
        found, advice = [str(error)], RESTORE
    return _finding(name, well, found, advice)


def _finding(name: str, well: str, found: list[str], advice: str) -> Finding:
    """A finding from what is wrong, if anything is."""
    return Finding(name, "\n".join(found), advice) if found else Finding(name, well)


def _is_of_indexes(found: list[str]) -> bool:
    """Whether only indexes are damaged, which are made anew from their tables."""
    return all("index" in line.lower() for line in found)


def _indexes(folder: Path, *, is_whole: bool) -> Finding:
    """Indexes are made anew while nobody saves and nothing is damaged."""
    name = N_("indexes")
    if not is_whole:
        return Finding(name, N_("not made anew, since the database is damaged"))
    if is_in_use(folder):
        return Finding(name, N_("not made anew, since the server runs"))
    try:
        _rebuild_indexes(folder)
    except sqlite3.OperationalError as error:
        return Finding(name, str(error), STOP)
    return Finding(name, N_("made anew"))


def _rebuild_indexes(folder: Path) -> None:
    """Make every index anew from its table."""
    with closing(open_existing(folder / DATABASE)) as db:
        db.execute("REINDEX")


# The printing


def _fonts() -> Finding:
    """The fonts of pages and sheets."""
    name, again = N_("fonts"), N_("Install scorepad again.")
    try:
        folder = asset_dir("static") / "fonts"
        wrong = [f for f in FONTS if not (folder / f).read_bytes().startswith(FONT_STARTS)]
    except OSError as error:
        return Finding(name, str(error), again)
    return _finding(name, N_("all there"), wrong, again)


def _printing() -> Finding:
    """Whether a sheet can be printed: the libraries, the renderer, our fonts; in a process of its own."""
    from scorepad.demo import example  # noqa: PLC0415  takes a moment
    from scorepad.messages import PDF_UNAVAILABLE, Words  # noqa: PLC0415
    from scorepad.pdf import PdfUnavailable  # noqa: PLC0415
    from scorepad.printing import print_sheet  # noqa: PLC0415

    name, match = N_("printing"), example()
    complaints = _Complaints()
    logging.getLogger("scorepad.pdf").addHandler(complaints)
    try:
        with tempfile.TemporaryDirectory(prefix="scorepad-") as folder:
            print_sheet(match, Words(match.players), Path(folder) / "sheet.pdf")
    except PdfUnavailable as problem:
        return Finding(name, problem.detail or str(problem.reason), PDF_UNAVAILABLE[problem.reason])
    except OSError as error:
        return Finding(name, str(error), PDF_UNAVAILABLE["failed"])
    finally:
        logging.getLogger("scorepad.pdf").removeHandler(complaints)
    return _finding(name, N_("a sheet was printed"), complaints.heard, N_("Install scorepad again."))


class _Complaints(logging.Handler):
    """What the renderer complains about, such as a font that it cannot load."""

    def __init__(self) -> None:
        """Nothing was heard yet."""
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a complaint."""
        self.heard.append(record.getMessage())
