"""Backups while the server saves, going back to one, matches as files, databases of other releases."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from builders import match_cases
from conftest import Server
from keepers import (
    case_json,
    change_a_row,
    faults_of,
    fill,
    is_one_line,
    left_over,
    of_next_year,
    of_the_first_release,
    rows_of,
    run,
    send,
    totals,
)

from scorepad import create_app
from scorepad.inuse import Hold
from scorepad.matchfile import fingerprint, read
from scorepad.store import Store
from scorepad.store.database import migrations

NAMES = ("full-match", "eleven-deals")
#: Runs a command that may write no file larger than this, as if the disk were full.
FULL = """
import resource, sys
from scorepad.cli import main
everything = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, everything[1]))
try:
    main(sys.argv[1:])
finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, everything)
"""
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits or locks")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with two matches."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("SCOREPAD_DATA", str(folder))
    fill(folder / "scorepad.db", *NAMES)
    return folder


@pytest.fixture
def saved(data: Path, tmp_path: Path) -> Path:
    """A backup of the two matches."""
    assert run("backup", tmp_path / "saved.db").exit_code == 0
    return tmp_path / "saved.db"


@pytest.fixture
def serving(data: Path) -> Iterator[Server]:
    """A server process with the two matches."""
    server = Server(data)
    yield server
    server.kill()


# backup


def test_a_backup_is_one_file_with_everything(data: Path, tmp_path: Path) -> None:
    (data / "scorepad.db").chmod(0o640)
    to = tmp_path / "there"
    to.mkdir()
    done = run("backup", to)
    assert done.exit_code == 0
    (made,) = to.iterdir()
    assert str(made) in done.stdout
    assert f"{made.stat().st_size:,} bytes. Matches: 2, rows of their records: 3." in done.stdout
    assert made.name.startswith("scorepad-20")
    assert rows_of(made) == rows_of(data / "scorepad.db")
    assert stat.S_IMODE(made.stat().st_mode) == 0o640 or sys.platform == "win32"
    made.chmod(0o400)
    assert list(to.iterdir()) == [made], "reading it makes no other file"


def test_a_backup_writes_over_nothing(data: Path, tmp_path: Path) -> None:
    to = tmp_path / "backup.db"
    to.write_text("something else")
    is_one_line(run("backup", to), "say --force")
    assert to.read_text() == "something else"
    assert run("backup", to, "--force").exit_code == 0
    assert faults_of(to) == []
    before = rows_of(data / "scorepad.db")
    is_one_line(run("backup", data / "scorepad.db", "--force"), "is there already")
    assert rows_of(data / "scorepad.db") == before


def test_a_backup_that_cannot_be_made(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_one_line(run("backup", tmp_path / "nowhere" / "backup.db"), "nowhere")
    is_one_line(run("backup", f"{tmp_path}/nowhere/"), "nowhere")
    whole = (data / "scorepad.db").read_bytes()
    for broken in whole[:30_000], whole[:8192] + bytes(8192) + whole[16384:]:
        (data / "scorepad.db").write_bytes(broken)
        is_one_line(run("backup", tmp_path / "backup.db"), "backup.db")
    (data / "scorepad.db").write_text(
        "no database at all, but a text that is long enough to look like one" * 9
    )
    is_one_line(run("backup", tmp_path / "backup.db"), "not a database")
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path / "empty"))
    is_one_line(run("backup", tmp_path / "backup.db"), "No matches are kept")
    assert not (tmp_path / "empty").exists()
    assert not (tmp_path / "backup.db").exists()
    assert not left_over(tmp_path)


@on_unix
def test_a_backup_for_which_there_is_no_room(data: Path, tmp_path: Path) -> None:
    """The system stops the file at 20 kB, as a full disk does."""
    command = [sys.executable, "-c", FULL.format(bytes=20_000), "backup", str(tmp_path / "backup.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert not (tmp_path / "backup.db").exists()
    assert not left_over(tmp_path)


def test_backups_while_the_server_saves(serving: Server, data: Path, tmp_path: Path) -> None:
    """Each is sound, and holds of every match the rows up to one of them."""
    started = send(f"{serving.url}/api/matches", case_json("eleven-deals"))
    deal = case_json("eleven-deals")["deals"][0]
    address = f"{serving.url}/api/matches/{started['slug']}/deals/file-deal-01"
    stop, one_more = threading.Event(), threading.Event()

    def save() -> None:
        for number in count(1):
            if stop.is_set():
                return
            body = {
                "id": f"correction-{number:04}",
                "seen": number,
                "deal": {**deal, "note": f"no. {number}"},
            }
            send(address, body, started["score_key"], "PUT")
            one_more.set()

    saving = threading.Thread(target=save)
    saving.start()
    try:
        done = []
        for n in range(5):
            one_more.clear()
            assert one_more.wait(20)
            done.append(run("backup", tmp_path / f"backup-{n}.db"))
    finally:
        stop.set()
        saving.join()
    assert [d.exit_code for d in done] == [0] * 5, done[0].output
    after = rows_of(data / "scorepad.db")
    lengths = []
    for n in range(5):
        backup = tmp_path / f"backup-{n}.db"
        assert faults_of(backup) == []
        for slug, rows in rows_of(backup).items():
            assert rows == after[slug][: len(rows)]
        lengths.append(len(rows_of(backup)[started["slug"]]))
    assert lengths == sorted(set(lengths)), "saves went on meanwhile"


# restore


def test_a_restore_into_an_empty_folder(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = rows_of(saved)
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path / "new"))
    done = run("restore", saved)
    assert done.exit_code == 0
    assert "Matches: 2, rows of their records: 3" in done.stdout
    assert rows_of(tmp_path / "new" / "scorepad.db") == there
    assert {p.name for p in (tmp_path / "new").iterdir()} == {"scorepad.db", "in_use"}
    assert stat.S_IMODE((tmp_path / "new" / "scorepad.db").stat().st_mode) & 0o077 == 0


def test_a_phone_may_still_score_after_a_restore_without_the_secret_key(tmp_path: Path) -> None:
    """What a phone may do stands in the database; the key signs open forms only."""
    apps = [create_app(tmp_path / name, {"TESTING": True}) for name in ("old", "new")]
    old, new = (app.extensions["store"] for app in apps)
    match = read(json.dumps(case_json("eleven-deals")).encode()).match
    assert match
    device, token = old.make_device()
    slug, _ = old.start(match, device=device)
    environment = {**os.environ, "SCOREPAD_DATA": str(tmp_path / "old")}
    run("backup", tmp_path / "saved.db", env=environment)
    new.database.close()
    environment["SCOREPAD_DATA"] = str(tmp_path / "third")
    assert run("restore", tmp_path / "saved.db", env=environment).exit_code == 0
    third = create_app(tmp_path / "third", {"TESTING": True})
    kept = third.extensions["store"]
    assert third.config["SECRET_KEY"] != apps[0].config["SECRET_KEY"]
    assert kept.access_by_device(slug, token).may_score
    for store in old, kept:
        store.database.close()


def test_what_was_there_is_kept(data: Path, saved: Path) -> None:
    fill(data / "scorepad.db", "full-match")
    before = rows_of(data / "scorepad.db")
    asked = run("restore", saved, input="n\n")
    assert asked.exit_code == 1
    assert "There are matches" in asked.output
    assert rows_of(data / "scorepad.db") == before
    assert not left_over(data)
    done = run("restore", saved, input="y\n")
    assert done.exit_code == 0
    assert rows_of(data / "scorepad.db") == rows_of(saved)
    (kept,) = data.glob("scorepad.db.before-restore-*")
    assert str(kept) in done.stdout
    assert rows_of(kept) == before


@on_unix
def test_a_restore_waits_for_no_server(serving: Server, data: Path, saved: Path) -> None:
    """While a server runs it is refused; when it was killed, what it had not yet written back is kept too."""
    started = send(f"{serving.url}/api/matches", case_json("eleven-deals"))
    is_one_line(run("restore", saved, "--yes"), "Stop it first")
    serving.kill()
    assert (data / "scorepad.db-wal").stat().st_size > 0, "the case that is meant"
    assert run("restore", saved, "--yes").exit_code == 0
    assert started["slug"] not in rows_of(data / "scorepad.db")
    assert not (data / "scorepad.db-wal").exists()
    (kept,) = data.glob("scorepad.db.before-restore-*")
    assert started["slug"] in rows_of(kept)


@on_unix
def test_a_restore_is_refused_while_any_program_has_the_database_open(data: Path, saved: Path) -> None:
    """As Litestream does, which knows nothing of our holds."""
    before = rows_of(data / "scorepad.db")
    with closing(sqlite3.connect(data / "scorepad.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("SELECT count(*) FROM match").fetchone()
        is_one_line(run("restore", saved, "--yes"), "Stop it first")
    assert rows_of(data / "scorepad.db") == before
    assert not list(data.glob("*.before-*"))


@on_unix
def test_nothing_starts_while_a_restore_is_under_way(data: Path) -> None:
    with Hold(data, alone=True):
        is_one_line(run("serve", "--port", "0"), "Stop it first")
        is_one_line(run("restore", data / "scorepad.db"), "Stop it first")


def test_a_damaged_database_is_put_aside_as_it_is(data: Path, saved: Path) -> None:
    """With what a crash left beside it, which must not get into the database that is restored."""
    broken = b"no database" * 3000
    (data / "scorepad.db").write_bytes(broken)
    (data / "scorepad.db-wal").write_bytes(b"log" * 3000)
    done = run("restore", saved, input="y\n")
    assert done.exit_code == 0, done.output
    assert "is damaged. Put it aside?" in done.output
    assert not (data / "scorepad.db-wal").exists()
    assert rows_of(data / "scorepad.db") == rows_of(saved)
    (kept,) = data.glob("scorepad.db.before-restore-*Z")
    assert kept.read_bytes() == broken
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"log" * 3000


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("missing", "No such file"),
        ("text", "not a database"),
        ("other", "no database of scorepad"),
        ("truncated", "saved.db"),
        ("changed row", "row 2 of the record is not as it was written"),
        ("no guard", "trigger record_is_never_deleted"),
        ("orphan", "draft"),
        ("later", "later release"),
    ],
)
def test_a_file_that_is_not_restored(data: Path, saved: Path, kind: str, part: str) -> None:
    before = (data / "scorepad.db").read_bytes()
    if kind == "missing":
        saved.unlink()
    elif kind == "text":
        saved.write_text("no database at all" * 50)
    elif kind == "truncated":
        saved.write_bytes(saved.read_bytes()[:30_000])
    elif kind == "changed row":
        change_a_row(saved)
    elif kind == "later":
        of_next_year(saved)
    else:
        if kind == "other":
            saved.unlink()
        with closing(sqlite3.connect(saved)) as db:
            db.execute(
                {
                    "other": "CREATE TABLE match (id)",
                    "no guard": "DROP TRIGGER record_is_never_deleted",
                    "orphan": "INSERT INTO draft VALUES (99, 1, '', 0, NULL, '')",
                }[kind]
            )
            db.commit()
    done = run("restore", saved, "--yes")
    assert done.exit_code == 1
    assert part in done.stderr
    assert (data / "scorepad.db").read_bytes() == before
    assert not left_over(data)
    assert not list(data.glob("*.before-*"))


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away")
def test_what_root_restores_belongs_to_the_server(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "of somebody else"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    monkeypatch.setenv("SCOREPAD_DATA", str(folder))
    assert run("restore", saved).exit_code == 0
    assert run("restore", saved, "--yes").exit_code == 0
    assert {p.stat().st_uid for p in folder.iterdir()} == {12345}


def test_what_a_killed_restore_has_left_is_removed_by_the_next(data: Path, saved: Path) -> None:
    (data / ".scorepad.db.0123.part").write_text("half")
    (data / ".scorepad.db.0123.part-journal").write_text("half")
    assert run("restore", saved, "--yes").exit_code == 0
    assert not left_over(data)


# export-all


def test_every_match_is_exported_as_it_is_handed_out(tmp_path: Path) -> None:
    app = create_app(tmp_path / "data", {"TESTING": True})
    store, environment = app.extensions["store"], {"SCOREPAD_DATA": str(tmp_path / "data")}
    names = [name for name in match_cases() if not read(json.dumps(case_json(name)).encode()).problems]
    slugs = {}
    deleted = read(json.dumps(case_json("full-match")).encode()).match
    assert deleted
    store.delete(store.start(deleted)[0])
    for name in [*names, "full-match"]:
        match = read(json.dumps(case_json(name)).encode()).match
        assert match
        slug, key = store.start(match)
        slugs[slug] = key
    done = run("export-all", tmp_path / "all", env=environment)
    assert (done.exit_code, done.stderr) == (0, "")
    listed = json.loads((tmp_path / "all" / "index.json").read_text(encoding="utf-8"))
    assert len(listed) == len({entry["file"] for entry in listed}) == len(slugs)
    everything = ""
    for entry, slug in zip(listed, slugs, strict=True):
        path = tmp_path / "all" / entry["file"]
        written = path.read_bytes()
        assert written == app.test_client().get(f"/m/{slug}/match.json").data
        assert run("check", path).exit_code == 0
        kept, where = store.standing(slug)
        assert entry["fingerprint"] == fingerprint(where.match)
        assert (entry["title"], entry["revision"]) == (where.match.title, kept.revision)
        everything += written.decode() + json.dumps(entry)
    assert not [secret for pair in slugs.items() for secret in pair if secret in everything]
    is_one_line(run("export-all", tmp_path / "all", env=environment), "Name a new folder")
    store.database.close()


def test_one_match_that_cannot_be_read_stops_no_other(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / "scorepad.db")) as db:
        db.execute("DROP TRIGGER record_is_never_changed")
        db.execute("UPDATE record SET body = json_remove(body, '$.written.deals') WHERE match_id = 1")
        db.commit()
    done = run("export-all", tmp_path / "all")
    assert done.exit_code == 1
    assert done.stderr == "Match #1 was not written: its record cannot be read\n"
    (entry,) = json.loads((tmp_path / "all" / "index.json").read_text(encoding="utf-8"))
    assert run("check", tmp_path / "all" / entry["file"]).exit_code == 0


def test_a_match_for_which_there_is_no_room_is_told(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is half written does not stay."""
    write = Path.write_text

    def fails_once(path: Path, text: str, **more: Any) -> int:
        write(path, text[:100], **more)
        monkeypatch.setattr(Path, "write_text", write)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fails_once)
    done = run("export-all", tmp_path / "all")
    assert done.exit_code == 1
    assert done.stderr == "Match #1 was not written: [Errno 28] No space left on device\n"
    (entry,) = json.loads((tmp_path / "all" / "index.json").read_text(encoding="utf-8"))
    assert [p.name for p in (tmp_path / "all" / "matches").iterdir()] == [Path(entry["file"]).name]


# Databases of other releases


def test_an_older_database_is_brought_up_to_date_after_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "scorepad.db"
    fill(tmp_path / "now.db", *NAMES)
    expected = totals(tmp_path / "now.db")
    of_the_first_release(path, *NAMES)
    before = rows_of(path)
    assert totals(path) == expected
    assert rows_of(path) == before
    assert faults_of(path) == []
    (copy,) = tmp_path.glob("scorepad.db.before-*")
    assert copy.name.startswith(f"scorepad.db.before-{migrations._migrations[1].name}-20")
    assert rows_of(copy) == before
    with closing(sqlite3.connect(copy)) as db:
        assert [n for (n,) in db.execute("SELECT name FROM _sqlite_migrations")] == ["first_tables"]
    Store(path).database.close()
    assert list(tmp_path.glob("scorepad.db.before-*")) == [copy], (
        "nothing is copied when nothing is to be done"
    )


def test_a_new_database_is_not_copied(tmp_path: Path) -> None:
    Store(tmp_path / "scorepad.db").database.close()
    assert not list(tmp_path.glob("*.before-*"))


def test_processes_that_start_together_bring_it_up_to_date_once(tmp_path: Path) -> None:
    path = tmp_path / "scorepad.db"
    of_the_first_release(path, *NAMES)
    before = rows_of(path)
    code = "import sys; from pathlib import Path; from scorepad.store import Store; Store(Path(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(path)]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate(timeout=60)[1] for process in started] == [b""] * 3
    assert len(list(tmp_path.glob("scorepad.db.before-*"))) == 1
    assert rows_of(path) == before
    assert faults_of(path) == []


@on_unix
def test_without_room_for_the_copy_nothing_is_touched(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "scorepad.db"
    of_the_first_release(path, *NAMES)
    before = rows_of(path)
    command = [sys.executable, "-c", FULL.format(bytes=40_000), "links", "x"]
    environment = {**os.environ, "SCOREPAD_DATA": str(path.parent)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in done.stderr
    assert rows_of(path) == before
    with closing(sqlite3.connect(path)) as db:
        assert [n for (n,) in db.execute("SELECT name FROM _sqlite_migrations")] == ["first_tables"]
    assert not left_over(path.parent)


def test_a_backup_of_an_older_release_is_restored_and_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_the_first_release(tmp_path / "old.db", *NAMES)
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path / "data"))
    before = (tmp_path / "old.db").read_bytes()
    assert run("restore", tmp_path / "old.db").exit_code == 0
    assert faults_of(tmp_path / "data" / "scorepad.db") == []
    assert rows_of(tmp_path / "data" / "scorepad.db") == rows_of(tmp_path / "old.db")
    assert (tmp_path / "old.db").read_bytes() == before


def test_a_database_of_a_later_release_is_backed_up_and_otherwise_left_alone(
    data: Path, tmp_path: Path
) -> None:
    of_next_year(data / "scorepad.db")
    assert run("backup", tmp_path / "backup.db").exit_code == 0
    commands = ["restore", tmp_path / "backup.db"], ["export-all", tmp_path / "all"], ["serve", "--port", "0"]
    for command in commands:
        is_one_line(run(*command), "later release")
