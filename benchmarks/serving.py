"""The server alone: scoring, saving, pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks import TESTS, report
from benchmarks.report import milliseconds
from scorepad import create_app
from scorepad.matchfile import read_match
from scorepad.standing import standing
from scorepad.store import Save, Store

FULL: dict[str, Any] = json.loads((TESTS / "cases/matches/full-match.json").read_text(encoding="utf-8"))
FEW, MANY = 10, 20_000


def measure(folder: Path) -> None:
    """All of it, in a data folder of its own."""
    report.heading("The server")
    scoring()
    saving(folder)
    pages(folder / "pages")


def scoring() -> None:
    """Scoring whole matches."""
    match = read_match(FULL).match
    assert match
    report.times("scoring a 28-deal match", milliseconds(lambda: standing(match), 500), "1 ms")
    report.times("reading and checking its file", milliseconds(lambda: read_match(FULL), 200), "–")


def saving(folder: Path) -> None:
    """Saving deals, durable on disk."""
    store = Store(folder / "saves.db")
    took: list[float] = []
    for _ in range(10):
        slug, saves = start(store), new_saves()
        took += milliseconds(partial(save_next, store, slug, saves), 28)
    report.times("saving a deal, on disk", took, "p50 10, p99 50 ms")


def save_next(store: Store, slug: str, saves: Iterator[Save]) -> None:
    """Save the next deal."""
    store.save(slug, next(saves), by="bench")


def start(store: Store, *, deals: bool = False) -> str:
    """Start a match, with its deals or without."""
    match = read_match({**FULL, "deals": FULL["deals"] if deals else []}).match
    assert match
    return store.start(match)[0]


def new_saves() -> Iterator[Save]:
    """The saves of a match, deal by deal."""
    for number in count():
        yield Save(f"bench-{number:06}", number + 1, "add", deal=FULL["deals"][number])


def pages(folder: Path) -> None:
    """Pages as the database grows."""
    app = create_app(folder)
    store: Store = app.extensions["store"]
    slug = start(store, deals=True)
    for size in (FEW, MANY):
        fill(store, size)
        client = app.test_client()
        for path in (f"/m/{slug}", f"/api/matches/{slug}/score", f"/m/{slug}/sheet"):
            took = milliseconds(partial(client.get, path), 60)
            report.times(f"{path.replace(slug, '…')} among {size:,} matches", took, "same within 20 %")


def fill(store: Store, size: int) -> None:
    """Copy the first match until there are so many."""
    with store.database.writing() as db:
        have = db.table("match").count
        for number in range(have, size):
            db.execute("INSERT INTO match (slug, started_at) VALUES (?, '')", [f"copy-{number}"])
            db.execute(
                "INSERT INTO record SELECT last_insert_rowid(), revision, id, at, by, action, deal_id, body, "
                "answer, previous, hash FROM record WHERE match_id = 1"
            )
