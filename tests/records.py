"""What stands in the database: all of it, to see that a refusal has written nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from scorepad.store import Store

T = TypeVar("T")


def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables."""
    db = store.database.reading()
    names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def unchanged(store: Store, call: Callable[[], T]) -> T:
    """What the call answers, having written nothing at all."""
    before = everything(store)
    answer = call()
    assert everything(store) == before
    return answer
