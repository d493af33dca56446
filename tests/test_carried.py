"""The match inside the PDF of its sheet: put in, taken out, brought in again, checked."""

from __future__ import annotations

import io
import json
import re
import tracemalloc
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import thread_time

import pypdf
import pytest
from builders import match_file
from click.testing import CliRunner
from conftest import case
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from strategies import matches
from webpages import Page, Phone

from scorepad.carried import read_file, written
from scorepad.cli import main
from scorepad.match import Match
from scorepad.matchfile import read
from scorepad.matchfile.fields import MOST_BYTES
from scorepad.paths import asset_dir
from scorepad.pdf import NAME_INSIDE, PdfMaker
from scorepad.store import Store
from scorepad.store.record import without_open

FULL = case("matches/full-match")


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PdfMaker]:
    """Makes PDFs of its own."""
    made = PdfMaker(tmp_path_factory.mktemp("sheets"), base=asset_dir("static"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The sheet of the full match, printed by the program."""
    folder = tmp_path_factory.mktemp("printed")
    (folder / "full.json").write_text(json.dumps(FULL), encoding="utf-8")
    done = CliRunner().invoke(main, ["sheet", str(folder / "full.json"), "-o", str(folder / "full.pdf")])
    assert done.exit_code == 0, done.output
    return (folder / "full.pdf").read_bytes()


def pdf_with(files: dict[str, bytes], *, password: str = "") -> bytes:
    """A PDF by another program, with these files inside."""
    made = pypdf.PdfWriter()
    made.add_blank_page(200, 200)
    for name, data in files.items():
        made.add_attachment(name, data)
    if password:
        made.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    made.write(out)
    return out.getvalue()


def codes(data: bytes) -> list[str]:
    """What is wrong with a file."""
    return [p.mistake.code for p in read_file(data).problems]


@settings(max_examples=200)
@given(match=matches())
def test_any_match_comes_out_of_a_pdf_as_it_went_in(maker: PdfMaker, match: Match) -> None:
    made = maker.make("<!doctype html><title>Sheet</title>", written(match)).read_bytes()
    assert read_file(made) == read(written(match))
    assert read_file(made).match == match


def test_a_sheet_carries_its_match(printed: bytes) -> None:
    reading = read_file(printed)
    assert not reading.problems
    assert reading.match == read(json.dumps(FULL)).match
    inside = pypdf.PdfReader(io.BytesIO(printed)).attachments
    assert list(inside) == [NAME_INSIDE]
    assert json.loads(inside[NAME_INSIDE][0])["format"] == "scorepad-match/1"


def test_the_same_match_makes_the_same_pdf_and_another_one_another(tmp_path: Path) -> None:
    page, made = "<!doctype html><title>Sheet</title>", []
    for folder in "ab":
        maker = PdfMaker(tmp_path / folder, base=asset_dir("static"))
        made.append([maker.make(page, text).read_bytes() for text in ("", "{}", '{"a": 1}')])
        maker.close()
    assert made[0] == made[1]
    assert len(set(made[0])) == 3


# What is no sheet


def test_a_pdf_without_a_match_is_said_so(client: FlaskClient) -> None:
    for files in {}, {"notes.txt": b"{}"}:
        assert codes(pdf_with(files)) == ["no_match_in_pdf"]
    assert codes(pdf_with({NAME_INSIDE: b"{"})) == ["file_not_json"]
    assert codes(pdf_with({NAME_INSIDE: match_file_text()}, password="secret")) == ["pdf_not_readable"]
    assert codes(b"%PDF-1.7") == ["pdf_not_readable"]


def match_file_text() -> bytes:
    """A match file of no deals."""
    return json.dumps(match_file()).encode()


def test_a_pdf_whose_match_is_huge_is_refused(printed: bytes) -> None:
    """A megabyte of zeros is a thousand bytes when it is packed; neither fills the memory."""
    plain = pdf_with({NAME_INSIDE: b"0" * 100})
    packed = zlib.compress(b"0" * 300_000_000, 9)
    begin = plain.index(b"stream\n", plain.index(b"/EmbeddedFile")) + len(b"stream\n")
    head = re.sub(rb"/Length \d+", b"/Length %d /Filter /FlateDecode" % len(packed), plain[:begin])
    bomb = head + packed + plain[plain.index(b"\nendstream", begin) :]
    tracemalloc.start()
    assert codes(bomb) in (["pdf_not_readable"], ["file_too_large"], ["no_match_in_pdf"])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 250_000_000
    assert codes(b"%PDF-1.7" + b" " * MOST_BYTES) == ["file_too_large"]


def test_no_damaged_pdf_gets_an_error_through_or_takes_long(printed: bytes) -> None:
    """Cut, overwritten or longer somewhere: at random, and near the end, where a PDF says what is where."""
    random = Random(1)
    for _ in range(300):
        damaged = bytearray(printed)
        for _ in range(random.randint(1, 6)):
            at = random.randrange(len(damaged) - random.choice((len(damaged), 3000)), len(damaged))
            damaged[at : at + random.randint(0, 40)] = random.randbytes(random.randint(0, 20))
        began = thread_time()
        reading = read_file(bytes(damaged))
        assert thread_time() - began < 1
        assert reading.problems or reading.match


# On the pages and at the command line


def downloaded(phone: Phone, slug: str) -> bytes:
    """The sheet of a match."""
    with phone.client.get(f"/m/{slug}/sheet.pdf") as answer:
        return bytes(answer.data)


def given_to(phone: Phone, page: str, form: str, data: bytes) -> Page:
    """The answer to a file that is given to a form."""
    token = phone.open(page).form(form)["csrf_token"]
    fields = {"csrf_token": token, "file": (io.BytesIO(data), "sheet.pdf")}
    address = {"bring": "/import", "verify": "/verify"}[form]
    return Page(phone.client.post(address, data=fields, follow_redirects=True))


def test_a_sheet_starts_its_match_again(app: Flask, store: Store) -> None:
    """Downloaded here, brought in elsewhere: the same match, and its history says so."""
    match = read(json.dumps(FULL)).match
    assert match
    slug, _ = store.start(match)
    phone = Phone(app.test_client())
    sheet = downloaded(phone, slug)
    answer = given_to(phone, "/new", "bring", sheet)
    new = answer.address.rpartition("/")[2]
    assert new != slug
    assert store.load(new).read() == store.load(slug).read() == without_open(match)[0]
    history = phone.open(f"/m/{new}/history")
    assert "It was brought in from the PDF of a sheet." in history.text
    assert "28 deals came along." in history.text
    assert "brought in" not in phone.open(f"/m/{slug}/history").text


def test_the_history_tells_a_match_file_from_a_sheet(app: Flask) -> None:
    phone = Phone(app.test_client())
    answer = given_to(phone, "/new", "bring", json.dumps(FULL).encode())
    history = phone.open(f"{answer.address}/history")
    assert "It was brought in from a match file." in history.text


def test_a_sheet_is_checked_against_the_record(app: Flask, store: Store) -> None:
    match = read(json.dumps({**FULL, "title": "checked", "date": "2026-10-02"})).match
    assert match
    slug, _ = store.start(match)
    phone = Phone(app.test_client())
    sheet = downloaded(phone, slug)
    assert "as it stands: row 1" in given_to(phone, "/verify", "verify", sheet).text


@pytest.mark.parametrize(("page", "form"), [("/new", "bring"), ("/verify", "verify")])
def test_a_pdf_of_something_else_gets_a_clear_line(app: Flask, page: str, form: str) -> None:
    phone = Phone(app.test_client())
    answer = given_to(phone, page, form, pdf_with({}))
    assert answer.status == 422
    assert "There is no match in this PDF." in answer.text


def test_the_program_takes_a_sheet_wherever_it_takes_a_match_file(
    tmp_path: Path, printed: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path / "data"))
    sheet, file = tmp_path / "sheet.pdf", tmp_path / "match.json"
    sheet.write_bytes(printed)
    file.write_text(json.dumps(FULL), encoding="utf-8")

    def run(*arguments: str | Path) -> str:
        done = CliRunner().invoke(main, [str(a) for a in arguments])
        assert done.exit_code == 0, done.output
        return done.output

    assert run("score", sheet, "--json") == run("score", file, "--json")
    assert run("check", sheet) == run("check", file)
    watch, score = run("import", sheet).splitlines()
    assert re.fullmatch(r"To watch: /m/[\w-]{24}", watch)
    assert re.fullmatch(r"To score: /join/[\w-]{32}", score)
    assert "as it stands: row 1" in run("verify", sheet)
    again = CliRunner().invoke(main, ["import", str(tmp_path / "nothing.pdf")])
    assert (again.exit_code, len(again.output.splitlines())) == (1, 1)
    sheet.write_bytes(pdf_with({}))
    for command in ("import", "verify", "check", "score"):
        done = CliRunner().invoke(main, [command, str(sheet)])
        assert done.exit_code == 1
        assert "There is no match in this PDF." in done.output
