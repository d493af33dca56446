"""How a command ends with one line when the database cannot be opened, read or written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click

from scorepad.inuse import InUse
from scorepad.messages import N_

T = TypeVar("T")

LATER = N_("These matches were kept by a later release of scorepad. Install that one.")
IN_USE = N_("A server or another program uses the matches in {folder}. Stop it first.")
NO_MATCHES = N_("No matches are kept in {folder}.")


def opened(opens: Callable[[], T]) -> T:
    """What opens the database; ends the program with one line when it cannot be opened."""
    with one_line():
        return opens()


@contextmanager
def one_line(path: Path | None = None) -> Iterator[None]:
    """End the program with one line for what disk or database refuses; `path` is what is meant."""
    from scorepad.paths import data_dir  # noqa: PLC0415
    from scorepad.store import NotSaved  # noqa: PLC0415
    from scorepad.store.database import NewerDatabase  # noqa: PLC0415  score and check need no database

    try:
        yield
    except NewerDatabase:
        raise click.ClickException(LATER) from None
    except NotSaved as error:
        raise click.ClickException(_told(path or data_dir(), str(error.__cause__))) from None
    except InUse as error:
        raise click.ClickException(IN_USE.format(folder=error.folder)) from None
    except OSError as error:
        name = path or error.filename
        raise click.ClickException(_told(name, error.strerror) if error.strerror else str(error)) from None
    except sqlite3.Error as error:
        raise click.ClickException(_told(path or data_dir() / "scorepad.db", str(error))) from None


def _told(name: object, why: str) -> str:
    """What is meant, and what is wrong with it."""
    return N_("{name}: {why}").format(name=name, why=why)
