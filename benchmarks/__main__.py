"""Prints what was measured beside the bar of the design; medians, on whatever machine this is."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from flask import Flask

from scorepad import create_app
from scorepad.matchfile import read_match
from scorepad.standing import standing
from scorepad.store import Save, Store

CASES = Path(__file__).parent.parent / "tests" / "cases" / "matches"
FULL: dict[str, Any] = json.loads((CASES / "full-match.json").read_text(encoding="utf-8"))
FEW, MANY = 10, 20_000


def milliseconds(work: Callable[[], object], times: int) -> list[float]:
    """How long each of so many runs took."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append((time.perf_counter() - start) * 1000)
    return sorted(took)


def row(what: str, took: list[float], bar: str) -> None:
    """One line: median and 99th percentile beside the bar."""
    slow = took[min(len(took) - 1, int(len(took) * 0.99))]
    print(f"{what:<52} {statistics.median(took):9.2f} ms   p99 {slow:9.2f} ms   bar: {bar}")


def scoring() -> None:
    """Scoring whole matches."""
    match = read_match(FULL).match
    assert match
    row("scoring a 28-deal match", milliseconds(lambda: standing(match), 500), "1 ms")
    row("reading and checking its file", milliseconds(lambda: read_match(FULL), 200), "–")


def saving(folder: Path) -> None:
    """Saving deals, durable on disk."""
    store = Store(folder / "saves.db")
    took: list[float] = []
    for _ in range(10):
        slug, saves = start(store), new_saves()
        took += milliseconds(partial(save_next, store, slug, saves), 28)
    row("saving a deal, on disk", sorted(took), "p50 10, p99 50 ms")


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
    """Pages as the database grows, each asked of a fresh process's memory and of a warm one."""
    app = create_app(folder)
    store: Store = app.extensions["store"]
    slug = start(store, deals=True)
    for size in (FEW, MANY):
        while store.database.reading().table("match").count < size:
            fill(store, size)
        client = app.test_client()
        for path in (f"/m/{slug}", f"/api/matches/{slug}/score", f"/m/{slug}/sheet"):
            where = path.replace(slug, "…")
            took = milliseconds(partial(client.get, path), 60)
            row(f"{where} with {size:,} matches", took, "same within 20 %")
    wire(app, slug)


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


def wire(app: Flask, slug: str) -> None:
    """How much a first visit to the table page costs over the wire."""
    client = app.test_client()
    page = client.get(f"/m/{slug}", headers={"Accept-Encoding": "gzip"})
    total = len(page.data)
    text = client.get(f"/m/{slug}").get_data(as_text=True)
    for address in {part.split('"')[0].split("#")[0] for part in text.split('="/static/')[1:]}:
        total += len(client.get(f"/static/{address}", headers={"Accept-Encoding": "gzip"}).data)
    print(f"{'first visit to the table page':<52} {total / 1000:9.1f} kB{'':>21}   bar: 60 kB")


def sheets(folder: Path) -> None:
    """The PDF: first, again, and another one."""
    app = create_app(folder / "sheets")
    store: Store = app.extensions["store"]
    slug, other = start(store, deals=True), start(store)
    client = app.test_client()
    row("the PDF, first", milliseconds(lambda: client.get(f"/m/{slug}/sheet.pdf"), 1), "1500 ms")
    row("the same sheet again", milliseconds(lambda: client.get(f"/m/{slug}/sheet.pdf"), 40), "10 ms")
    row("another sheet, worker ready", milliseconds(lambda: client.get(f"/m/{other}/sheet.pdf"), 1), "–")
    app.extensions["pdf"].close()


def main() -> None:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as folder:
        scoring()
        saving(Path(folder))
        sheets(Path(folder))
        pages(Path(folder) / "pages")


main()
