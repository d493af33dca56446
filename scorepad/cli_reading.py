"""Match files on the command line: how they are read, and how what is wrong with them is told."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from scorepad.carried import read_file
from scorepad.figures import problem_json
from scorepad.matchfile import Reading
from scorepad.matchfile.fields import MOST_BYTES
from scorepad.messages import N_, Words
from scorepad.table import PerSeat

NOBODY = PerSeat("", "", "", "")


def reading_of(name: str) -> Reading:
    """The reading of a match file or a sheet's PDF; ends the program with one line when there is none."""
    return read_file(bytes_of(name))


def bytes_of(name: str) -> bytes:
    """What stands in a file, no further than it is looked at; ends the program with one line."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        why = error.strerror or N_("cannot be read")
        raise click.ClickException(N_("{name}: {why}").format(name=name, why=why)) from None


def words_of(reading: Reading) -> Words:
    """The words at this table."""
    return Words(reading.match.players if reading.match else NOBODY)


def tell_problems(reading: Reading) -> None:
    """Print everything that is wrong, each on its line with the deal it stands in."""
    for problem in reading.problems:
        told = problem_json(problem, words_of(reading))
        where = N_("Deal {number}: ").format(number=told["deal"]) if told["deal"] else ""
        click.echo(where + told["message"], err=True)


def end(reading: Reading) -> None:
    """End with status 1 when there are problems."""
    if reading.problems:
        sys.exit(1)
