"""Sheets to write on from the command line: blank ones, and those on which a match goes on by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pypdf
import pytest
from builders import case_file
from click.testing import CliRunner

from scorepad.carried import read_file
from scorepad.cli import main


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A match file in the middle of a match with Ravage City."""
    match = json.loads(case_file("full-match-ravage-city"))
    path = tmp_path / "match.json"
    path.write_text(json.dumps({**match, "deals": match["deals"][:20]}), encoding="utf-8")
    return str(path)


def printed(tmp_path: Path, *arguments: str) -> tuple[str, bytes]:
    """The text of the PDF that `scorepad sheet` writes, and the PDF."""
    out = tmp_path / "out.pdf"
    done = CliRunner().invoke(main, ["sheet", *arguments, "-o", str(out)])
    assert (done.exit_code, done.output) == (0, "")
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(out).pages), out.read_bytes()


def test_a_blank_sheet_of_a_preset(tmp_path: Path) -> None:
    text, pdf = printed(tmp_path, "--blank", "--rules", "german", "--paper", "letter")
    assert "Rules: German" in text
    assert "28 deals" in text
    assert pypdf.PdfReader(tmp_path / "out.pdf").pages[0].mediabox[2:] == pytest.approx([612, 792])
    assert read_file(pdf).match is None


def test_a_blank_sheet_for_the_rules_of_a_file(tmp_path: Path, file: str) -> None:
    text, pdf = printed(tmp_path, "--blank", file)
    assert "32 deals" in text
    assert "Lena" not in text
    assert read_file(pdf).match is None


def test_a_match_goes_on_by_hand(tmp_path: Path, file: str) -> None:
    text, pdf = printed(tmp_path, file, "--go-on")
    assert "Go on by hand from deal 21 of 32" in text
    assert "Lena" in text
    match = read_file(pdf).match
    assert match is not None
    assert len(match.deals) == 20


def test_a_complete_match_has_only_its_sheet(tmp_path: Path) -> None:
    whole = tmp_path / "whole.json"
    whole.write_bytes(case_file("full-match"))
    text, _ = printed(tmp_path, str(whole), "--go-on")
    assert "by hand" not in text
    assert "How to read it" in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Name a match file"),
        (["--go-on"], "Name a match file"),
        (["--rules", "german"], "Name a match file"),
        (["FILE", "--rules", "german"], "A match file has its rules"),
        (["FILE", "--blank", "--rules", "german"], "A match file has its rules"),
        (["--blank", "--go-on"], "A blank sheet belongs to no match"),
        (["FILE", "--blank", "--why"], "A blank sheet belongs to no match"),
        (["FILE", "--go-on", "--why"], "--why is not for"),
        (["--blank", "--rules", "nonsense"], "nonsense"),
    ],
)
def test_what_does_not_go_together(tmp_path: Path, file: str, arguments: list[str], told: str) -> None:
    out = tmp_path / "out.pdf"
    asked = [file if argument == "FILE" else argument for argument in arguments]
    done = CliRunner().invoke(main, ["sheet", *asked, "-o", str(out)])
    assert done.exit_code == 2
    assert told in done.output
    assert not out.exists()
