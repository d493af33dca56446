"""The commands for whoever keeps the matches: backup, restore, doctor, export-all."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from scorepad.ending import NO_MATCHES, one_line
from scorepad.messages import N_
from scorepad.paths import data_dir

ANY_PATH = click.Path(path_type=Path)


def _database() -> Path:
    """The database there is; ends the program with one line when there is none."""
    from scorepad.keeping import DATABASE  # noqa: PLC0415  the other commands need no database

    path = data_dir() / DATABASE
    if not path.exists():
        raise click.ClickException(NO_MATCHES.format(folder=path.parent))
    return path


@click.command()
@click.argument("dest")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def backup(dest: str, *, force: bool) -> None:
    """Copy all matches to DEST, a file or a folder, also while the server runs.

    In a folder the file is named by date and time. The backup holds the whole database: matches with their
    history, and which phones and links may score. It does not hold the secret key, which only signs forms
    that are open.
    """
    from scorepad.keeping import back_up, backup_name  # noqa: PLC0415

    database = _database()
    to = backup_name(dest)
    with one_line(to):
        try:
            held = back_up(database.parent, to, force=force)
        except FileExistsError:
            there = N_("{name} is there already. Name another file, or say --force.")
            raise click.ClickException(there.format(name=to)) from None
        size = to.stat().st_size
    done = N_("{name}: {size:,} bytes. Matches: {matches}, rows of their records: {rows}.")
    click.echo(done.format(name=to, matches=held.matches, rows=held.rows, size=size))


@click.command()
@click.argument("file", type=ANY_PATH)
@click.option("--yes", is_flag=True, help="Do not ask before matches there are are put aside.")
def restore(file: Path, *, yes: bool) -> None:
    """Go back to a backup; the server has to be stopped.

    The file is checked first. What was there is kept beside it, under a name with the date.
    """
    from scorepad.inuse import Hold  # noqa: PLC0415
    from scorepad.keeping import DATABASE, Unfit, checked_copy, holds, put_in_place  # noqa: PLC0415

    folder = data_dir()
    with one_line():
        folder.mkdir(parents=True, exist_ok=True)
        alone = Hold(folder, alone=True)
    try:
        with one_line(file), alone, checked_copy(file, folder) as copy:
            _ask_before(folder / DATABASE, yes=yes)
            held = holds(copy)
            kept = put_in_place(copy, folder / DATABASE)
    except Unfit as unfit:
        for fault in unfit.faults:
            click.echo(fault, err=True)
        raise click.ClickException(N_("{name} was not restored.").format(name=file)) from None
    done = N_("Restored. Matches: {matches}, rows of their records: {rows}, the last written {last}.")
    click.echo(done.format(matches=held.matches, rows=held.rows, last=held.last or "–"))
    if kept:
        click.echo(N_("What was there is kept as {name}.").format(name=kept))


def _ask_before(path: Path, *, yes: bool) -> None:
    """Ask before matches there are are put aside; ends the program when the answer is no."""
    import sqlite3  # noqa: PLC0415

    from scorepad.keeping import holds  # noqa: PLC0415

    if yes or not path.exists():
        return
    try:
        held = holds(path)
        if not held.matches:
            return
        values = {"folder": path.parent, "matches": held.matches, "last": held.last}
        question = N_(
            "There are matches in {folder}: {matches}, last written {last}. Put them aside?"
        ).format(**values)
    except sqlite3.Error:
        question = N_("{name} is damaged. Put it aside?").format(name=path)
    click.confirm(question, abort=True)


@click.command()
def doctor() -> None:
    """Look whether everything is well, and say what to do where it is not; also while the server runs."""
    from scorepad.doctor import findings  # noqa: PLC0415

    well, ill = N_("ok"), N_("NOT OK")
    is_well = True
    for finding in findings(data_dir()):
        is_well = is_well and finding.is_well
        first, *more = finding.told.splitlines() or [""]
        click.echo(f"{well if finding.is_well else ill:<8}{finding.name}: {first}")
        for line in more:
            click.echo(f"{'':8}{line}")
        if finding.advice:
            click.echo(f"{'':8}→ {finding.advice}")
    sys.exit(0 if is_well else 1)


@click.command(name="export-all")
@click.argument("dest", type=ANY_PATH)
def export(dest: Path) -> None:
    """Write every match as a match file into the new folder DEST, and a list of them.

    Nothing in it lets anybody watch or score a match.
    """
    from scorepad.exporting import LIST, Exported, export_all  # noqa: PLC0415
    from scorepad.store import Store  # noqa: PLC0415

    database = _database()
    done: list[Exported] = []
    with one_line():
        store = Store(database)
    with one_line(dest), closing(store.database):
        try:
            done += export_all(store, dest)
        except FileExistsError:
            there = N_("{name} is there already. Name a new folder.")
            raise click.ClickException(there.format(name=dest)) from None
    left = [m for m in done if m.entry is None]
    click.echo(
        N_("{name}: match files written: {n}; their list is {list}.").format(
            name=dest, n=len(done) - len(left), list=LIST
        )
    )
    for match in left:
        told = N_("Match #{number} was not written: {why}")
        click.echo(
            told.format(number=match.match_id, why=match.why or N_("its record cannot be read")), err=True
        )
    sys.exit(1 if left else 0)


COMMANDS = (backup, restore, doctor, export)
