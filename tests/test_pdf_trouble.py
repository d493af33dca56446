"""A worker that crashes or takes too long, as whoever asked sees it: said in words, over with the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import case_file
from flask import Flask
from test_pdf import stand_in
from webpages import Page, Phone

from scorepad import create_app
from scorepad.matchfile import read
from scorepad.messages import PDF_UNAVAILABLE
from scorepad.paths import asset_dir
from scorepad.pdf import PdfMaker

PRINT_INSTEAD = "Until then, print this page from the phone and save it as a PDF."


@pytest.fixture
def printing(tmp_path: Path) -> Iterator[Flask]:
    """An app with a PDF maker of its own."""
    app = create_app(tmp_path / "data", {"TESTING": True})
    yield app
    app.extensions["pdf"].close()


def sheets(app: Flask) -> tuple[str, str]:
    """The addresses of a sheet of a match, and of a blank one."""
    match = read(case_file("full-match")).match
    assert match is not None
    return f"/m/{app.extensions['store'].start(match)[0]}/sheet.pdf", "/sheet/blank.pdf"


def says(page: Page, reason: str) -> None:
    """The page says what happened and what to do, above the sheet to print."""
    assert page.status == 503
    told = page.elements.one(role="alert").text
    assert PDF_UNAVAILABLE[reason] in told
    assert PRINT_INSTEAD in told
    assert list(page.elements.all("article", class_="sheet"))


def is_printed(app: Flask, address: str) -> None:
    """There is a PDF."""
    with app.test_client().get(address) as answer:
        assert (answer.status_code, answer.mimetype) == (200, "application/pdf")


def test_a_crash_is_said_and_the_next_sheet_is_printed(
    printing: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses, phone = sheets(printing), Phone(printing.test_client())
    monkeypatch.syspath_prepend(stand_in(tmp_path / "path", "import os\nos.kill(os.getpid(), 11)"))
    for address in addresses:
        says(phone.open(address), "worker_crashed")
    assert phone.open("/").status == 200
    monkeypatch.undo()
    is_printed(printing, addresses[0])


def test_a_sheet_that_takes_too_long_is_said_and_the_next_is_printed(printing: Flask, tmp_path: Path) -> None:
    """The worker gets a fifth of a second, in which it does not even start."""
    addresses, phone = sheets(printing), Phone(printing.test_client())
    printing.extensions["pdf"] = PdfMaker(tmp_path / "pdf", base=asset_dir("static"), timeout=0.2)
    for address in addresses:
        says(phone.open(address), "took_too_long")
    printing.extensions["pdf"].close()
    printing.extensions["pdf"] = PdfMaker(tmp_path / "pdf", base=asset_dir("static"))
    is_printed(printing, addresses[1])
