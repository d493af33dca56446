"""What `scorepad doctor` finds in whole and in damaged data folders; it never ends with a traceback."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import Server
from keepers import change, change_a_row, fill, of_next_year, of_the_first_release, rows_of, run

from scorepad import doctor
from scorepad.doctor import Finding
from scorepad.paths import asset_dir

#: Case files with the dates and titles that the doctor tells.
NAMES = ("full-match", "eleven-deals")


class Seen(NamedTuple):
    """What the doctor said."""

    status: int
    said: str

    def ill(self) -> dict[str, str]:
        """What is not well, by its name."""
        blocks = self.said.replace("\n        ", "|").splitlines()
        return dict(line.removeprefix("NOT OK").strip().split(": ", 1) for line in blocks if "NOT OK" in line)


def see() -> Seen:
    """Ask the doctor."""
    done = run("doctor")
    assert done.stderr == ""
    return Seen(done.exit_code, done.stdout)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with two matches; no sheet is printed, which takes longest."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("SCOREPAD_DATA", str(folder))
    monkeypatch.setattr(doctor, "_printing", lambda: Finding("printing", "not tried"))
    fill(folder / "scorepad.db", *NAMES)
    return folder


@pytest.fixture
def db(data: Path) -> Path:
    """The database in it."""
    return data / "scorepad.db"


def test_a_folder_that_is_well(data: Path) -> None:
    """Everything is looked at, and nothing is changed."""
    before = rows_of(data / "scorepad.db")
    seen = see()
    assert (seen.status, seen.ill()) == (0, {})
    for name in "data folder", "free space", "SQLite", "database version", "write-ahead log", "fonts":
        assert f"ok      {name}: " in seen.said
    for line in "records: every chain holds, every match reads", "indexes: made anew", "database file: whole":
        assert f"ok      {line}\n" in seen.said
    assert rows_of(data / "scorepad.db") == before


def test_a_sheet_is_printed_for_real(tmp_path: Path) -> None:
    """In an empty folder, by the program itself."""
    environment = {**os.environ, "SCOREPAD_DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "scorepad", "doctor"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "ok      printing: a sheet was printed" in done.stdout
    assert "ok      database: none yet" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_fonts_that_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are missed by the look at the files, and by the renderer that needs them."""
    static = asset_dir("static")
    broken = tmp_path / "static"
    shutil.copytree(static, broken)
    (broken / "fonts" / "pad-bold.ttf").write_bytes(b"no font")
    monkeypatch.setattr(doctor, "asset_dir", lambda _: broken)
    monkeypatch.setattr("scorepad.printing.asset_dir", lambda name: broken.parent / name)
    shutil.copytree(static.parent / "templates", tmp_path / "templates")
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path))
    ill = see().ill()
    assert ill["fonts"].startswith("pad-bold.ttf")
    assert "cannot be loaded" in ill["printing"]
    (broken / "fonts" / "pad-bold.ttf").unlink()
    assert "No such file" in see().ill()["fonts"]


def test_a_computer_without_the_libraries(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scorepad.pdf import PdfUnavailable, Reason  # noqa: PLC0415

    def fails(*_: object) -> None:
        raise PdfUnavailable(Reason.LIBRARIES_MISSING, "cannot load library 'libpango-1.0-0'")

    monkeypatch.undo()
    monkeypatch.setenv("SCOREPAD_DATA", str(data))
    monkeypatch.setattr("scorepad.printing.print_sheet", fails)
    seen = see()
    assert seen.status == 1
    assert "apt-get install libpango" in seen.ill()["printing"]


def test_while_the_server_runs(data: Path) -> None:
    """Everything is looked at but the indexes, and that is said."""
    server = Server(data)
    try:
        seen = see()
        assert (seen.status, seen.ill()) == (0, {})
        assert "indexes: not made anew, since the server runs" in seen.said
        assert server.answers()
    finally:
        server.kill()
    assert "indexes: made anew" in see().said


# The folder


def test_the_folder_and_what_is_in_it(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / "secret_key").write_text("0123")
    (data / "secret_key").chmod(0o644)
    monkeypatch.setattr(doctor, "LEAST_FREE", 10**18)
    (data / "scorepad.db-wal").write_bytes(b"")
    monkeypatch.setattr(doctor, "LARGEST_LOG", -1)
    monkeypatch.setattr(doctor, "OLDEST_SQLITE", (99,))
    seen = see()
    assert seen.status == 1
    ill = seen.ill()
    assert "Make room" in ill.pop("free space")
    assert "Stop every program" in ill.pop("write-ahead log")
    assert "newer Python" in ill.pop("SQLite")
    if sys.platform != "win32":
        assert "chmod 600" in ill.pop("secret key")
    assert ill == {}
    (data / "secret_key").write_text("")
    (data / "secret_key").chmod(0o600)
    assert "it is empty" in see().ill()["secret key"]


def test_a_folder_that_is_none(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path / "nowhere"))
    seen = see()
    assert (seen.status, [*seen.ill()]) == (1, ["data folder"])
    assert not (tmp_path / "nowhere").exists()


# The database


def test_a_changed_row_is_named(db: Path) -> None:
    """By the match's title and date, and the row; nothing else is wrong with the file."""
    change_a_row(db)
    seen = see()
    assert (seen.status, [*seen.ill()]) == (1, ["records"])
    told = seen.ill()["records"]
    assert ": row 2 of the record is not as it was written." in told
    assert "Thursday" in told or "20" in told
    with closing(sqlite3.connect(db)) as there:
        slugs = [slug for (slug,) in there.execute("SELECT slug FROM match")]
    assert not [slug for slug in slugs if slug in seen.said]


@pytest.mark.parametrize(
    ("statements", "row"),
    [
        (["DELETE FROM record WHERE match_id = 1 AND revision = 1"], 1),
        (["UPDATE record SET previous = 'x' WHERE match_id = 1 AND revision = 2"], 2),
        (["UPDATE record SET at = x'ff00' WHERE match_id = 1 AND revision = 1"], 1),
        (["UPDATE record SET hash = 'x' WHERE match_id = 1 AND revision = 1"], 1),
        (["UPDATE record SET revision = 7 WHERE match_id = 1 AND revision = 2"], 2),
    ],
)
def test_a_chain_that_breaks(db: Path, statements: list[str], row: int) -> None:
    with closing(sqlite3.connect(db)) as there:
        guards = there.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    drops = [f"DROP TRIGGER {name}" for name, _ in guards]
    change(db, *drops, *statements, *(sql for _, sql in guards))
    seen = see()
    assert [*seen.ill()] == ["records"]
    assert f"row {row} of the record" in seen.said


def test_a_match_that_does_not_read(db: Path) -> None:
    """A row that follows its chain, and still makes no match; and a match without rows."""
    from scorepad.store.record import HASHED, row_hash  # noqa: PLC0415

    with closing(sqlite3.connect(db)) as there:
        columns = ", ".join(HASHED)
        last = there.execute(
            f"SELECT {columns}, hash FROM record WHERE match_id = 1 AND revision = 2"
        ).fetchone()
        row = dict(zip((*HASHED, "hash"), last, strict=True))
        new = {**row, "revision": 3, "id": "nonsense-1", "action": "remove", "deal_id": "none"}
        new["previous"], new["hash"] = row["hash"], ""
        new["hash"] = row_hash(new)
        there.execute(
            f"INSERT INTO record ({columns}, hash, match_id) VALUES ({'?, ' * 10}1)", [*new.values()]
        )
        there.execute("INSERT INTO match (slug, started_at) VALUES ('x', '')")
        there.commit()
    told = see().ill()["records"]
    assert told.count("the record cannot be read") == 2
    assert "#3: the record cannot be read" in told


@pytest.mark.parametrize(
    ("statements", "part"),
    [
        (["DROP TRIGGER record_is_never_replaced"], "trigger record_is_never_replaced"),
        (
            [
                "DROP TRIGGER record_is_never_changed",
                "CREATE TRIGGER record_is_never_changed BEFORE UPDATE ON record BEGIN SELECT 1; END",
            ],
            "trigger record_is_never_changed",
        ),
        (["DROP INDEX record_players"], "index record_players"),
        (["DROP TABLE draft"], "table draft"),
    ],
)
def test_a_guard_that_is_missing_or_another(db: Path, statements: list[str], part: str) -> None:
    change(db, *statements)
    seen = see()
    assert (seen.status, [*seen.ill()]) == (1, ["tables and guards"])
    assert part in seen.said


def test_what_another_program_keeps_in_it_is_no_fault(db: Path) -> None:
    """Litestream has tables of its own."""
    change(db, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
    assert see().status == 0


def test_a_row_that_belongs_nowhere(db: Path) -> None:
    change(db, "INSERT INTO draft VALUES (99, 1, '', 0, NULL, '')")
    assert [*see().ill()] == ["references"]


def test_an_index_that_lacks_rows_is_made_anew(db: Path) -> None:
    """The damage that can be mended without losing anything."""
    with closing(sqlite3.connect(db)) as there:
        query = "SELECT sql FROM sqlite_master WHERE name = 'record_players'"
        (index,) = there.execute(query).fetchone()
        there.execute("DROP INDEX record_players")
        there.execute(index.replace("'start', 'amend'", "'amend'"))
        there.execute("PRAGMA writable_schema = ON")
        there.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'record_players'", [index])
        there.commit()
    with closing(sqlite3.connect(db)) as there:
        assert there.execute("PRAGMA integrity_check").fetchone()[0] != "ok"
    assert see().status == 0
    with closing(sqlite3.connect(db)) as there:
        assert there.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_an_index_that_somebody_keeps_from_being_made_anew(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorepad.store.copying.PATIENCE", 0.1)
    with closing(sqlite3.connect(db)) as other:
        other.execute("BEGIN IMMEDIATE")
        seen = see()
    assert (seen.status, [*seen.ill()]) == (1, ["indexes"])
    assert "Stop every program" in seen.said


def test_databases_of_other_releases(data: Path, db: Path) -> None:
    of_next_year(db)
    assert "of a later release" in see().ill()["database version"]
    db.unlink()
    of_the_first_release(db, *NAMES)
    before = db.read_bytes()
    seen = see()
    assert (seen.status, seen.ill()) == (0, {})
    assert "of an earlier release" in seen.said
    assert rows_of(db)
    assert len(before) == db.stat().st_size
    assert not list(data.glob("*.before-*"))


# Damage

DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "a text": lambda _: b"no database at all, but a text" * 99,
    "half": lambda file: file[: len(file) // 2],
    "less than a page": lambda file: file[:3000],
    "not whole pages": lambda file: file[:-100],
    "zeros at the end": lambda file: file[:-8192] + bytes(8192),
    "zeros in the middle": lambda file: file[:8192] + bytes(8192) + file[16384:],
    "no header": lambda file: bytes(100) + file[100:],
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file(db: Path, kind: str) -> None:
    change(db, "SELECT 1")
    db.write_bytes(DAMAGE[kind](db.read_bytes()))
    seen = see()
    assert seen.status == 1
    assert "scorepad restore FILE" in seen.said


def test_a_byte_that_turned(db: Path) -> None:
    """Wherever it is the doctor ends without a traceback; in the record it is always found."""
    change(db, "SELECT 1")
    whole = db.read_bytes()
    text = whole.index(b"counted twice")
    for place in (text, *range(0, len(whole), 2003)):
        turned = whole[place] ^ (0x80 if place == text else 0x55)  # in the text it is no letter any more
        db.write_bytes(whole[:place] + bytes([turned]) + whole[place + 1 :])
        seen = see()
        assert seen.status in (0, 1)
        assert place != text or "row 2 of the record is not as it was written" in seen.said
        for name in "-wal", "-shm":
            db.with_name(db.name + name).unlink(missing_ok=True)
