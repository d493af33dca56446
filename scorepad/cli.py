"""The command line: serve, score, check, verify, import, schema, links; sheets and backups have modules."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from scorepad import __version__
from scorepad.carried import is_pdf, read_file
from scorepad.cli_keeping import COMMANDS
from scorepad.cli_reading import bytes_of, end, reading_of, tell_problems, words_of
from scorepad.cli_sheet import sheet
from scorepad.cli_table import table_lines
from scorepad.ending import one_line, opened
from scorepad.figures import figures, problem_json
from scorepad.matchfile import Reading, schema, short_hash
from scorepad.messages import N_, Words
from scorepad.standing import Standing, standing

if TYPE_CHECKING:
    from scorepad.verifying import Finding


@click.group()
@click.version_option(__version__, prog_name="scorepad")
def main() -> None:
    """The score pad for Barbu."""


for command in (sheet, *COMMANDS):
    main.add_command(command)


@main.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer all figures as JSON.")
@click.option("--summary", "as_summary", is_flag=True, help="Answer the result as text for a chat.")
def score(file: str, *, as_json: bool, as_summary: bool) -> None:
    """Score a match file ('-' reads standard input)."""
    if as_json:
        try:
            reading = reading_of(file)
        except click.ClickException as error:
            empty = figures(Reading(None, ()))
            problem = {"deal": None, "code": "file_unreadable", "message": error.message}
            click.echo(json.dumps(empty | {"problems": [problem]}, ensure_ascii=False, indent=1))
            sys.exit(1)
        click.echo(json.dumps(figures(reading), ensure_ascii=False, indent=1))
        end(reading)
        return
    reading = reading_of(file)
    if reading.match is not None:
        where, say = standing(reading.match), words_of(reading)
        click.echo(_summary(where, say) if as_summary else "\n".join(table_lines(where, say)))
    tell_problems(reading)
    end(reading)


def _summary(where: Standing, say: Words) -> str:
    """The result as text for a chat."""
    from scorepad.summary import summary  # noqa: PLC0415  only this needs the record

    return summary(where, say)


@main.command()
@click.argument("file")
def check(file: str) -> None:
    """Say everything that is wrong with a match file ('-' reads standard input)."""
    reading = reading_of(file)
    tell_problems(reading)
    if reading.match is not None:
        for result in standing(reading.match).deals:
            for warning in result.warnings:
                say = words_of(reading)
                click.echo(N_("Deal {number}: ").format(number=result.number) + say(warning), err=True)
    if not reading.problems:
        click.echo(N_("Nothing is wrong with it."))
    end(reading)


@main.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def verify(file: str, *, as_json: bool) -> None:
    """Say which kept match a file is, as it stands or stood, or what differs ('-' reads standard input)."""
    from scorepad.verifying import finding_json, told, told_changes  # noqa: PLC0415

    try:
        reading = reading_of(file)
        finding = _found(reading)
    except click.ClickException as error:
        if not as_json:
            raise
        problem = {"deal": None, "code": "cannot_verify", "message": error.message}
        click.echo(json.dumps({"verdict": None, "problems": [problem]}, ensure_ascii=False, indent=1))
        sys.exit(1)
    if as_json:
        problems = [problem_json(p, words_of(reading)) for p in reading.problems]
        answer = finding_json(finding) if finding else {"verdict": None}
        click.echo(json.dumps({**answer, "problems": problems}, ensure_ascii=False, indent=1))
    elif finding:
        click.echo(told(finding, words_of(reading)) + (f" /m/{finding.slug}" if finding.slug else ""))
        for sentence in told_changes(finding, words_of(reading)):
            click.echo(sentence)
        click.echo(N_("Fingerprint {digits}").format(digits=short_hash(finding.fingerprint)))
    if not as_json:
        tell_problems(reading)
    sys.exit(0 if finding and finding.is_a_state else 1)


def _found(reading: Reading) -> Finding | None:
    """What a file is found to be, or None when it cannot be read; ends the program with one line."""
    from scorepad.paths import data_dir  # noqa: PLC0415
    from scorepad.store import Store  # noqa: PLC0415
    from scorepad.verifying import is_whole, unknown, verify  # noqa: PLC0415

    if reading.match is None or not is_whole(reading.match):
        return None
    path = data_dir() / "scorepad.db"
    if not path.exists():
        return unknown(reading.match)
    with one_line(path):
        store = Store(path)
        with closing(store.database):
            return verify(store, reading.match)


@main.command(name="schema")
def print_schema() -> None:
    """Print the JSON Schema of the match file."""
    click.echo(json.dumps(schema(), ensure_ascii=False, indent=1))


@main.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to serve at.")  # noqa: S104
@click.option("--port", default=8000, show_default=True, help="The port to serve at.")
@click.option("--demo", is_flag=True, help="Put an example match in, when there is none yet.")
@click.option("--qr/--no-qr", "qr_code", default=None, help="Show the address as a QR code, or do not.")
@click.option("--behind-proxy", is_flag=True, help="Believe the X-Forwarded headers of a proxy in front.")
@click.option("--allow-host", "names", multiple=True, help="A name the server may be reached by; repeatable.")
def serve(
    host: str,
    port: int,
    *,
    demo: bool,
    qr_code: bool | None,
    behind_proxy: bool,
    names: tuple[str, ...],
) -> None:
    """Serve the score pad to the phones on this network."""
    from scorepad import create_app  # noqa: PLC0415  the other commands need no web
    from scorepad.hosts import named  # noqa: PLC0415
    from scorepad.serving import serve as serve_app  # noqa: PLC0415

    app = opened(lambda: create_app(config={"BEHIND_PROXY": True} if behind_proxy else {}))
    app.config["ALLOWED_HOSTS"] += named(",".join(names))
    page = "/"
    if demo:
        from scorepad.demo import demo_page  # noqa: PLC0415

        page = opened(lambda: demo_page(app))
    serve_app(app, host, port, page=page, qr_code=qr_code)


@main.command(name="import")
@click.argument("file")
def bring(file: str) -> None:
    """Start a match from a match file or from the PDF of a sheet ('-' reads standard input)."""
    from scorepad.paths import data_dir  # noqa: PLC0415
    from scorepad.store import Brought, Store  # noqa: PLC0415

    data = bytes_of(file)
    reading = read_file(data)
    if reading.match is None or reading.problems:
        tell_problems(reading)
        sys.exit(1)
    path = data_dir() / "scorepad.db"
    with one_line(path):
        store = Store(path)
        with closing(store.database):
            brought = Brought.SHEET if is_pdf(data) else Brought.FILE
            slug, key = store.start(reading.match, brought=brought)
    click.echo(N_("To watch: {path}").format(path=f"/m/{slug}"))
    click.echo(N_("To score: {path}").format(path=f"/join/{key}"))


@main.command()
@click.argument("slug")
@click.option("--end-others", is_flag=True, help="End all older links, and every phone's right.")
def links(slug: str, *, end_others: bool) -> None:
    """Make a new scoring link for a match (the part of its address after /m/)."""
    from scorepad.paths import data_dir  # noqa: PLC0415
    from scorepad.store import Store, UnknownMatch  # noqa: PLC0415

    try:
        key = opened(lambda: Store(data_dir() / "scorepad.db").new_score_key(slug, end_others=end_others))
    except UnknownMatch:
        raise click.ClickException(N_("No match has the address /m/{slug}.").format(slug=slug)) from None
    click.echo(f"/join/{key}")
