"""The command line: tables to read, JSON, every problem of a wrong file, and one line for no file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pypdf
import pytest
from builders import CASES, by_name, case_file, deal_entry, expected_figures, match_cases, match_file
from click.testing import CliRunner, Result

from scorepad import __version__, printing
from scorepad.cli import main
from scorepad.figures import figures
from scorepad.matchfile import read, read_match, schema
from scorepad.messages import PDF_UNAVAILABLE, signed
from scorepad.pdf import PdfUnavailable, Reason
from scorepad.store import Store
from scorepad.store.database import Database

BARBU = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Dan"})

#: A match with something wrong in several places.
WRONG = match_file(
    BARBU,
    deal_entry("Ben M", doubles={"Anna": ["Ben"]}, result={"tricks": {"Anna": 14}}),
    deal_entry("Carla D", result={"order": ["Ben", "Ben", "Anna", "Carla"]}),
    deal_entry("Dan NH", passed_out=True),
    deal_entry("Anna B", passed_out=True),
    colour="red",
)
WRONG_TOLD = [
    "“colour” is not a field of the match file. Remove it, or correct its spelling.",
    "Deal 2: The tricks must make 13; these make 14.",
    "Deal 3: Ben is named twice in the finishing order. Everybody finishes once.",
    "Deal 5: Anna declared Barbu in deal 1 already. Choose another contract, or correct deal 1.",
]


def run(*arguments: str | Path, **more: Any) -> Result:
    """Run a command; whatever goes wrong in it, it leaves by an exit status."""
    done = CliRunner().invoke(main, [str(a) for a in arguments], **more)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


Write = Callable[[Any], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file: bytes as they are, anything else as JSON."""

    def write(content: Any) -> Path:
        path = tmp_path / "match.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


def case_path(name: str) -> Path:
    """Where a match of the case files is."""
    return CASES / "matches" / f"{name}.json"


# The program itself


def scorepad(*arguments: str | bytes | Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a process of its own."""
    command = [sys.executable, "-m", "scorepad", *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, check=False, **more)


def test_the_program_scores_a_file() -> None:
    done = scorepad("score", "--json", case_path("full-match"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["totals"] == expected_figures("full-match")["totals"]


def test_the_program_reads_standard_input() -> None:
    done = scorepad("score", "-", input=case_file("eleven-deals"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Béla" in done.stdout.decode()


def test_the_program_ends_with_status_1(write: Write) -> None:
    done = scorepad("check", write(WRONG))
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == WRONG_TOLD
    assert done.stdout == b""


def test_a_terminal_that_cannot_write_every_sign() -> None:
    """A minus sign or an accent that a terminal lacks is no reason to fail."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = scorepad("score", case_path("full-match"), env=environment)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"Marta" in done.stdout


def test_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.json"
    done = scorepad("score", path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert len(done.stderr.splitlines()) == 1
    with open(path, "wb") as file:  # noqa: PTH123  a name of bytes
        file.write(case_file("eleven-deals"))
    assert scorepad("check", path).returncode == 0


def test_a_reader_who_leaves_early() -> None:
    """`scorepad score FILE | head -1`"""
    command = f"{sys.executable} -m scorepad score --json {case_path('full-match')} | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in done.stderr


def test_help_and_version() -> None:
    done = run("--help")
    for command in "score", "check", "sheet", "schema", "serve":
        assert re.search(rf"^  {command} ", done.output, re.MULTILINE)
        assert run(command, "--help").exit_code == 0
    assert run("--version").output == f"scorepad, version {__version__}\n"


def test_a_command_that_is_none() -> None:
    for arguments in ["nothing"], ["score"], ["score", "--colour", "x"], ["sheet", "x.json"]:
        done = run(*arguments)
        assert done.exit_code == 2
        assert "Usage" in done.stderr


# score


@pytest.mark.parametrize("name", match_cases())
def test_the_figures_as_json(name: str) -> None:
    done = run("score", case_path(name), "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads(json.dumps(figures(read(case_file(name)))))


@pytest.mark.parametrize("name", match_cases())
def test_the_figures_as_a_table(name: str) -> None:
    """A row for each deal with its four scores under the four names, then the totals and the ranks."""
    done = run("score", case_path(name))
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    found, players = figures(read(case_file(name))), figures(read(case_file(name)))["players"]
    assert lines[0].split() == players
    for deal, line in zip(found["deals"], lines[1:], strict=False):
        start = [str(deal["deal"]), deal["declarer"], deal["contract"]]
        assert line.split()[:3] == start
        assert line.split()[-4:] == [signed(deal["score"][p]) for p in players]
        assert ("passed out" in line) is deal["passed_out"]
    after = lines[len(found["deals"]) + 1 :]
    assert after[0].split() == ["Total", *(signed(found["totals"][p]) for p in players)]
    assert after[1].split() == ["Rank", *(str(found["ranks"][p]) for p in players)]
    assert len({len(line) for line in lines[: len(found["deals"]) + 3]}) == 1


def test_a_table_says_what_is_owed_and_what_comes_next(write: Write) -> None:
    done = run("score", write(match_file(BARBU)))
    lines = done.stdout.splitlines()
    assert "Ben owes Anna 1." in lines
    assert "Carla owes Anna 2." in lines
    assert "Deal 2 of 28: Ben declares." in lines
    assert "Check: the totals make −20; the contracts −20, agreed points 0." in lines
    assert "Left: Anna: M NQ NH NL2 T D, Ben: B M NQ NH NL2 T D" in done.stdout


def test_a_table_of_a_match_that_is_over() -> None:
    done = run("score", case_path("full-match"))
    winner = next(n for n, rank in figures(read(case_file("full-match")))["ranks"].items() if rank == 1)
    assert f"{winner} won." in done.stdout
    assert "Left:" not in done.stdout


def test_a_table_of_an_open_deal(write: Write) -> None:
    done = run("score", write(match_file(BARBU, deal_entry("Ben NQ", doubles={"Carla": ["Ben"]}))))
    assert done.exit_code == 0
    (line,) = (one for one in done.stdout.splitlines() if one.startswith(" 2 "))
    assert line.split() == ["2", "Ben", "NQ", "being", "played", "–", "–", "–", "–"]


def test_a_table_with_long_names(write: Write) -> None:
    names = ["Anna-Katharina von Hohenstein", "Ben", "Carla", "Dan"]
    done = run("score", write({**match_file(), "players": names}))
    assert done.stdout.splitlines()[0].split() == ["Anna-Kathar…", "Ben", "Carla", "Dan"]


def test_agreed_points_stand_in_the_check(write: Write) -> None:
    agreed = [{"after_deal": 1, "points": {"Ben": -10}, "reason": "revoke"}]
    done = run("score", write(match_file(BARBU, agreed_points=agreed)))
    assert "Check: the totals make −30; the contracts −20, agreed points −10." in done.stdout.splitlines()


def test_a_wrong_file_is_scored_as_far_as_it_goes(write: Write) -> None:
    """Every problem is listed with its deal; figures are given where there are any, as JSON too."""
    path = write(WRONG)
    done = run("score", path)
    assert done.exit_code == 1
    assert done.stderr.splitlines() == WRONG_TOLD
    where = read_match(match_file(BARBU)).match
    assert where
    assert " 1 Anna B" in done.stdout
    assert re.search(r"^ 2 Ben M .*–  +–  +–  +–$", done.stdout, re.MULTILINE)
    done = run("score", path, "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 1
    assert [p["message"] for p in told["problems"]] == [t.split(": ", 1)[-1] for t in WRONG_TOLD]
    assert [p["deal"] for p in told["problems"]] == [None, 2, 3, 5]
    assert told["deals"][0]["score"] is not None
    assert told["deals"][1]["score"] is None


def test_standard_input() -> None:
    for arguments in ["score", "-"], ["check", "-"], ["score", "-", "--json"]:
        assert run(*arguments, input=case_file("full-match")).exit_code == 0
        assert run(*arguments, input=b"").exit_code == 1
        assert run(*arguments, input=json.dumps(WRONG)).exit_code == 1


def test_a_byte_order_mark_is_no_mistake(write: Write) -> None:
    assert run("check", write(b"\xef\xbb\xbf" + case_file("full-match"))).exit_code == 0


# check


@pytest.mark.parametrize("name", match_cases())
def test_a_right_file(name: str) -> None:
    done = run("check", case_path(name))
    assert done.exit_code == 0
    assert done.stdout == "Nothing is wrong with it.\n"


def test_a_wrong_file_gets_every_problem(write: Write) -> None:
    done = run("check", write(WRONG))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines() == WRONG_TOLD


def test_what_is_irregular_is_said_and_is_no_problem(write: Write) -> None:
    done = run(
        "check", write(match_file(deal_entry("Carla D", result={"order": ["Ben", "Dan", "Anna", "Carla"]})))
    )
    assert done.exit_code == 0
    assert done.stderr == "Deal 1: Carla declared out of turn; it was Anna’s turn.\n"
    assert done.stdout == "Nothing is wrong with it.\n"


# Files that are none

NO_FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "it stops being JSON at line 1, column 1"),
    "words": (b"Anna, Ben, Carla, Dan", "it stops being JSON at line 1, column 1"),
    "half": (b'{"players": [\n"Anna",', "it stops being JSON at line 2"),
    "deep": (b"[" * 100_000, "it stops being JSON"),
    "not UTF-8": (b'{"players": ["J\xf6rg"]}', "it is not UTF-8 text"),
    "UTF-16": ('{"players": []}'.encode("utf-16"), "it is not UTF-8 text"),
    "a PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "This PDF cannot be read"),
    "another format": (b'{"format": "something/2"}', "should be “scorepad-match/1”, not “something/2”"),
    "no format": (b'{"players": ["A", "B", "C", "D"], "deals": []}', "should be “scorepad-match/1”"),
    "a list": (b"[]", "should be “scorepad-match/1”"),
    "null": (b"null", "should be “scorepad-match/1”"),
    "a number": (b"7", "should be “scorepad-match/1”"),
}


def is_one_line(done: Result, part: str) -> None:
    """Whether the command has said one thing, and failed."""
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert part in line
    assert done.stdout == ""


@pytest.mark.parametrize("name", NO_FILES)
def test_a_file_that_is_none(write: Write, tmp_path: Path, name: str) -> None:
    content, part = NO_FILES[name]
    path = write(content)
    is_one_line(run("score", path), part)
    is_one_line(run("check", path), part)
    is_one_line(run("sheet", path, "-o", tmp_path / "out.pdf"), part)
    assert not (tmp_path / "out.pdf").exists()
    told = run("score", path, "--json")
    assert told.exit_code == 1
    (problem,) = json.loads(told.stdout)["problems"]
    assert part in problem["message"]


def test_a_file_of_100_megabytes(tmp_path: Path) -> None:
    """It is not read to its end."""
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    for command in ("score", path), ("check", path), ("sheet", path, "-o", tmp_path / "out.pdf"):
        is_one_line(run(*command), "larger than 1000000 bytes")


@pytest.mark.parametrize("kind", ["missing", "folder", "missing folder", "unreadable"])
def test_a_file_that_cannot_be_read(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = {
        "missing": tmp_path / "no.json",
        "folder": tmp_path,
        "missing folder": tmp_path / "no" / "no.json",
    }.get(kind, tmp_path / "locked.json")
    if kind == "unreadable":

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
    for command in ("score", path), ("check", path), ("sheet", path, "-o", tmp_path / "out.pdf"):
        is_one_line(run(*command), path.name)
    told = run("score", path, "--json")
    assert told.exit_code == 1
    found = json.loads(told.stdout)
    (problem,) = found["problems"]
    assert (problem["deal"], problem["code"]) == (None, "file_unreadable")
    assert path.name in problem["message"]
    assert found.keys() == figures(read(b"")).keys()


# schema


def test_the_schema_is_one() -> None:
    done = run("schema")
    printed = json.loads(done.stdout)
    assert done.exit_code == 0
    jsonschema.Draft202012Validator.check_schema(printed)
    assert printed == json.loads(json.dumps(schema()))


def test_every_match_of_the_case_files_is_valid() -> None:
    check = jsonschema.Draft202012Validator(json.loads(run("schema").stdout))
    names = match_cases()
    assert len(names) >= 7
    for name in names:
        check.validate(json.loads(case_file(name)))
    check.validate(match_file(BARBU, deal_entry("Ben M")))


@pytest.mark.parametrize(
    "wrong",
    [
        {"colour": "red"},
        {"players": ["Anna", "Ben", "Carla"]},
        {"rules": "of-my-own"},
        {"rules": {"deck": 36}},
        {"deals": [{"declarer": "Anna"}]},
        {"deals": [deal_entry("Anna B", result={"king": 3})]},
        {"deals": [deal_entry("Anna M", result={"tricks": {"Anna": -1}})]},
        {"format": "scorepad-match/2"},
    ],
)
def test_the_schema_refuses_another_shape(wrong: dict[str, Any]) -> None:
    check = jsonschema.Draft202012Validator(json.loads(run("schema").stdout))
    assert not check.is_valid({**match_file(BARBU), **wrong})


# sheet


def pdf_text(path: Path) -> str:
    """All text of a PDF."""
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def test_a_sheet_is_printed(tmp_path: Path) -> None:
    """The real thing: names, totals and every deal are in the PDF's text."""
    out = tmp_path / "sheet.pdf"
    done = run("sheet", case_path("full-match"), "-o", out)
    assert (done.exit_code, done.output) == (0, "")
    text = pdf_text(out)
    for name, total in expected_figures("full-match")["totals"].items():
        assert name in text
        assert signed(total) in text
    assert pypdf.PdfReader(out).pages[0].mediabox[2:] == pytest.approx([595.28, 841.89], abs=0.1)


def test_a_sheet_on_the_other_paper_that_says_why(tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    done = run("sheet", case_path("eleven-deals"), "-o", out, "--paper", "letter", "--why")
    assert (done.exit_code, done.output) == (0, "")
    assert "Why each deal scored as it did" in pdf_text(out)
    assert {tuple(page.mediabox[2:]) for page in pypdf.PdfReader(out).pages} == {(612, 792)}
    refused = run("sheet", case_path("eleven-deals"), "-o", out, "--paper", "legal")
    assert (refused.exit_code, "'legal'" in refused.stderr) == (2, True)


def test_a_wrong_file_is_not_printed(write: Write, tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    done = run("sheet", write(WRONG), "-o", out)
    assert (done.exit_code, done.stderr.splitlines()) == (1, WRONG_TOLD)
    assert not out.exists()


@pytest.mark.parametrize("reason", Reason)
def test_no_pdf_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: Reason) -> None:
    def fails(*_: object) -> None:
        raise PdfUnavailable(reason, "details")

    monkeypatch.setattr(printing, "print_sheet", fails)
    is_one_line(run("sheet", case_path("full-match"), "-o", tmp_path / "x.pdf"), PDF_UNAVAILABLE[reason])


def test_a_sheet_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "made.pdf"
    made.write_bytes(b"%PDF")
    monkeypatch.setattr("scorepad.pdf.PdfMaker.make", lambda *_: made)
    out = tmp_path / "no-such-folder" / "sheet.pdf"
    is_one_line(run("sheet", case_path("full-match"), "-o", out), "no-such-folder")
    good = tmp_path / "sheet.pdf"
    assert run("sheet", case_path("full-match"), "-o", good).exit_code == 0
    assert good.read_bytes() == b"%PDF"


# links


def test_a_new_link_for_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path))
    store = Store(tmp_path / "scorepad.db")
    match = read_match(match_file(BARBU)).match
    assert match
    slug, _ = store.start(match)
    done = run("links", slug)
    assert done.exit_code == 0
    found = re.fullmatch(r"(?:https?://\S+)?/join/(\S+)", done.output.strip())
    assert found
    assert store.slug_of_key(found[1]) == slug
    assert by_name(store.standing(slug)[1].totals)["Dan"] == -20
    is_one_line(run("links", "nowhere"), "No match has the address /m/nowhere.")
    store.database.close()


def test_a_database_of_a_later_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, and nothing is touched."""
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path))
    database = Database(tmp_path / "scorepad.db")
    with database.writing() as db:
        db.table("_sqlite_migrations").insert(
            {"migration_set": "scorepad", "name": "of_next_year", "applied_at": ""}
        )
    database.close()
    for command in ["links", "anything"], ["serve", "--port", "0"]:
        is_one_line(run(*command), "later release")
