"""Prints the sheet of a match without the web app: `scorepad sheet`."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path

import jinja2
from babel.dates import format_date

from scorepad import messages
from scorepad.carried import written
from scorepad.match import Match
from scorepad.messages import Words
from scorepad.paths import asset_dir
from scorepad.pdf import PdfMaker
from scorepad.sheet import ON_A4, Edition, sheet_page

LANGUAGE = "en"


def written_day(day: str) -> str:
    """A day as it is written in English."""
    return format_date(date.fromisoformat(day), "long", locale=LANGUAGE)


def sheet_html(match: Match, words: Words, edition: Edition = ON_A4) -> str:
    """The sheet as a document of its own."""
    pages = jinja2.Environment(
        loader=jinja2.FileSystemLoader(asset_dir("templates")),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
    pages.filters["signed"] = messages.signed
    page = sheet_page(match, words, edition=edition, day=written_day)
    return pages.get_template("sheet/pdf.html").render(sheet=page, language=LANGUAGE)


def print_sheet(match: Match, words: Words, out: Path, edition: Edition = ON_A4) -> None:
    """Write the sheet as a PDF; raises PdfUnavailable, or OSError when the file cannot be written."""
    with tempfile.TemporaryDirectory(prefix="scorepad-") as folder:
        maker = PdfMaker(Path(folder), base=asset_dir("static"))
        try:
            made = maker.make(sheet_html(match, words, edition), written(match))
            out.write_bytes(made.read_bytes())
        finally:
            maker.close()
