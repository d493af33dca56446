"""Match files of kept matches: one as it is handed out, and all of them into a folder.

Nothing that opens a match goes along: no scoring key, and no address, which is the watchers' key. The
fingerprint in the list leads whoever runs the server back to the match (`scorepad verify`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from scorepad.carried import written
from scorepad.match import Match
from scorepad.matchfile import fingerprint
from scorepad.store import Store
from scorepad.store.checking import UNREADABLE
from scorepad.store.copying import sync
from scorepad.store.record import without_open

LIST = "index.json"
MATCHES = "matches"


class Exported(NamedTuple):
    """A match that was written to a file, or `why` it was not."""

    match_id: int
    entry: dict[str, Any] | None
    why: str = ""


def file_name(match: Match) -> str:
    """A name for files of a match that every system can keep."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in match.title.lower())
    return "-".join(part for part in ("barbu", match.date, *plain.split("-")) if part)[:60].rstrip("-")


def export_all(store: Store, folder: Path) -> Iterator[Exported]:
    """Write every match, but not those in the bin, into a new folder, and in the end the list of them.

    One that cannot be read or written does not stop the others. Raises OSError when the folder cannot be
    made, or the list not be written.
    """
    (folder / MATCHES).mkdir(parents=True)
    entries: list[dict[str, Any]] = []
    taken = set[str]()
    query = "SELECT id, slug FROM match WHERE deleted_at IS NULL ORDER BY id"
    for match_id, slug in store.database.reading().execute(query).fetchall():
        done = _exported(store, match_id, slug, folder, taken)
        entries += [done.entry] if done.entry else []
        yield done
    _write(folder / LIST, json.dumps(entries, ensure_ascii=False, indent=1) + "\n")
    sync(folder / MATCHES)
    sync(folder)


def _exported(store: Store, match_id: int, slug: str, folder: Path, taken: set[str]) -> Exported:
    """Write one match."""
    try:
        kept, where, _ = store.standing_with_draft(slug)
    except UNREADABLE:
        return Exported(match_id, None)
    match = where.match
    path = folder / MATCHES / f"{_free_name(file_name(match), taken)}.json"
    try:
        _write(path, written(match, kept.revision))
    except OSError as error:
        return Exported(match_id, None, str(error))
    entry = {
        "file": f"{MATCHES}/{path.name}",
        "title": match.title,
        "date": match.date,
        "players": list(match.players),
        "deals": len(match.deals),
        "revision": kept.revision,
        "complete": where.is_complete,
        "fingerprint": fingerprint(without_open(match)[0]),
    }
    return Exported(match_id, entry)


def _free_name(name: str, taken: set[str]) -> str:
    """The name, with a number behind it when another match has it already."""
    free = next(n for n in _numbered(name) if n not in taken)
    taken.add(free)
    return free


def _numbered(name: str) -> Iterator[str]:
    """The name, and then with 2, 3, … behind it."""
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _write(path: Path, text: str) -> None:
    """Write a text that is on disk when this has ended; no half of it stays."""
    try:
        path.write_text(text, encoding="utf-8")
        sync(path)
    except OSError:
        path.unlink(missing_ok=True)
        raise
