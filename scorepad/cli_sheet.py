"""The command that prints sheets: of a match, blank ones, and those on which a match goes on by hand."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorepad.cli_reading import NOBODY, reading_of, tell_problems, words_of
from scorepad.messages import N_, PDF_UNAVAILABLE, Words
from scorepad.rules import PRESETS, STANDARD
from scorepad.standing import standing

if TYPE_CHECKING:
    from scorepad.match import Match
    from scorepad.sheet import Edition

NO_FILE = N_("Name a match file, or print a blank sheet with --blank.")
RULES_TWICE = N_("A match file has its rules: --rules is for --blank without a file.")
NO_GOING_ON = N_("A blank sheet belongs to no match: --go-on and --why are for sheets of a match.")
NO_WHY = N_("--why is not for a sheet to go on by hand.")


@click.command()
@click.argument("file", required=False)
@click.option("-o", "--output", "out", required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--paper", default="a4", show_default=True, type=click.Choice(["a4", "letter"]))
@click.option("--why", "says_why", is_flag=True, help="Add pages that say why each deal scored as it did.")
@click.option("--go-on", "goes_on", is_flag=True, help="Leave room for the deals to come, to go on by hand.")
@click.option("--blank", "is_blank", is_flag=True, help="A blank sheet, for the rules of FILE or --rules.")
@click.option("--rules", "preset", type=click.Choice(list(PRESETS)), help="The rules of a blank sheet.")
def sheet(
    file: str | None,
    out: Path,
    *,
    paper: str,
    says_why: bool,
    goes_on: bool,
    is_blank: bool,
    preset: str | None,
) -> None:
    """Print the sheet of a match file to a PDF, or a sheet to write on ('-' reads standard input)."""
    from scorepad.sheet import Edition, Paper  # noqa: PLC0415  only this command needs it

    clashes = (
        (file is None and not is_blank, NO_FILE),
        (preset is not None and (file is not None or not is_blank), RULES_TWICE),
        (is_blank and (goes_on or says_why), NO_GOING_ON),
        (goes_on and says_why, NO_WHY),
    )
    if wrong := next((told for clash, told in clashes if clash), None):
        raise click.UsageError(wrong)
    match, words = _read(file) if file else (None, Words(NOBODY))
    edition = Edition(Paper(paper), says_why=says_why)
    _print(_printing(match, words, edition, preset=preset, is_blank=is_blank, goes_on=goes_on), out)


def _read(file: str) -> tuple[Match, Words]:
    """The match of a file, and the words at its table; ends the program with everything that is wrong."""
    reading = reading_of(file)
    if reading.match is None or reading.problems:
        tell_problems(reading)
        sys.exit(1)
    return reading.match, words_of(reading)


def _printing(
    match: Match | None,
    words: Words,
    edition: Edition,
    *,
    preset: str | None,
    is_blank: bool,
    goes_on: bool,
) -> Callable[[Path], None]:
    """What writes the sheet that is asked for; a match with no deal to come has only its own sheet."""
    from scorepad import printing  # noqa: PLC0415

    if match is None or is_blank:
        rules = match.rules if match else PRESETS[preset] if preset else STANDARD
        return lambda out: printing.print_blank(rules, words, out, edition)
    if goes_on and not standing(match).is_complete:
        return lambda out: printing.print_by_hand(match, words, out, edition)
    return lambda out: printing.print_sheet(match, words, out, edition)


def _print(write: Callable[[Path], None], out: Path) -> None:
    """Write a PDF; ends the program with one line when there is none."""
    from scorepad.pdf import PdfUnavailable  # noqa: PLC0415

    try:
        write(out)
    except PdfUnavailable as problem:
        raise click.ClickException(PDF_UNAVAILABLE[problem.reason]) from None
    except OSError as error:
        raise click.ClickException(
            N_("{name}: {why}").format(name=out, why=error.strerror or N_("cannot be written"))
        ) from None
