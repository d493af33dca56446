"""What the tests of backups, restores and the doctor share: data folders, commands, damage."""

from __future__ import annotations

import json
import sqlite3
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlite_utils
from builders import case_file
from click.testing import CliRunner, Result

from scorepad.cli import main
from scorepad.keeping import faults
from scorepad.matchfile import read
from scorepad.store import Save, Store
from scorepad.store.database import migrations

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def run(*arguments: str | Path, **more: Any) -> Result:
    """Run a command; whatever goes wrong in it, it leaves by an exit status."""
    done = CliRunner().invoke(main, [str(a) for a in arguments], **more)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def is_one_line(done: Result, part: str) -> None:
    """Whether the command has said one thing, and failed."""
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert part in line


def fill(path: Path, *names: str) -> list[str]:
    """Keep matches of the case files in a database, the first with a correction; answers their slugs."""
    store = Store(path)
    slugs = []
    for name in names:
        match = read(case_file(name)).match
        assert match
        slugs.append(store.start(match)[0])
    kept = store.load(slugs[0])
    deal = {**kept.deals[0].body, "note": "counted twice"}
    store.save(
        slugs[0], Save("correction-1", kept.revision, "correct", kept.deals[0].deal_id, deal), by="test"
    )
    store.database.close()
    return slugs


def rows_of(path: Path) -> Rows:
    """The records of a database by the slugs of their matches."""
    query = "SELECT slug, record.* FROM match JOIN record ON match_id = match.id ORDER BY match_id, revision"
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        found = db.execute(query).fetchall()
    return {
        slug: [dict(r) for r in found if r["slug"] == slug]
        for slug in dict.fromkeys(r["slug"] for r in found)
    }


def change(path: Path, *statements: str) -> None:
    """Write into a database by hand."""
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def change_a_row(path: Path) -> None:
    """Change a row of a record as somebody who knows SQLite would: the guard is there again afterwards."""
    with closing(sqlite3.connect(path)) as db:
        (guard,) = db.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'record_is_never_changed'"
        ).fetchone()
    change(
        path,
        "DROP TRIGGER record_is_never_changed",
        "UPDATE record SET body = replace(body, 'counted twice', 'as agreed') WHERE id = 'correction-1'",
        guard,
    )


def of_next_year(path: Path) -> None:
    """Make it the database of a later release."""
    change(path, "INSERT INTO _sqlite_migrations VALUES (99, 'scorepad', 'of_next_year', '')")


def of_the_first_release(path: Path, *names: str) -> None:
    """A database as the first release made it, with matches in it."""
    new = path.with_name("new.db")
    fill(new, *names)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrations.apply(sqlite_utils.Database(db), stop_before=migrations._migrations[1].name)
        db.execute("ATTACH ? AS new", [str(new)])
        for table in "match", "record", "score_key", "device", "device_right", "draft":
            columns = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({table})"))
            db.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}")
    new.unlink()


def left_over(folder: Path) -> list[str]:
    """Files with no name of their own that a command has left behind."""
    return [p.name for p in folder.iterdir() if ".part" in p.name]


def totals(path: Path) -> list[dict[str, int]]:
    """The totals of every match, by the names of the players."""
    store = Store(path)
    slugs = [
        slug for (slug,) in store.database.reading().execute("SELECT slug FROM match ORDER BY id").fetchall()
    ]
    found = [store.standing(slug)[1] for slug in slugs]
    store.database.close()
    return [{name: w.totals[s] for s, name in w.match.names.seats()} for w in found]


def case_json(name: str) -> Any:
    """A match of the case files."""
    return json.loads(case_file(name))


def send(url: str, body: Any, key: str = "", method: str = "POST") -> Any:
    """What the API answers."""
    request = urllib.request.Request(url, json.dumps(body).encode(), method=method)
    request.add_header("Content-Type", "application/json")
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def faults_of(path: Path) -> list[str]:
    """Everything that speaks against a database."""
    with closing(sqlite3.connect(path)) as db:
        return faults(db)
