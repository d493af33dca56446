"""Prints the sheet of a match without the web app: `scorepad sheet`."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path

import jinja2
from babel.dates import format_date

from scorepad import messages
from scorepad.byhand import blank_page, by_hand_page
from scorepad.carried import written
from scorepad.match import Match
from scorepad.messages import Words
from scorepad.paths import asset_dir
from scorepad.pdf import PdfMaker
from scorepad.rules import Rules
from scorepad.sheet import ON_A4, Edition, sheet_page

LANGUAGE = "en"


def written_day(day: str) -> str:
    """A day as it is written in English."""
    return format_date(date.fromisoformat(day), "long", locale=LANGUAGE)


def _rendered(template: str, words: Words, **values: object) -> str:
    """A document in the words of whoever asks."""
    pages = jinja2.Environment(
        loader=jinja2.FileSystemLoader(asset_dir("templates")),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
    pages.filters["signed"] = messages.signed
    return pages.get_template(template).render(language=LANGUAGE, **values)


def sheet_html(match: Match, words: Words, edition: Edition = ON_A4) -> str:
    """The sheet as a document of its own."""
    page = sheet_page(match, words, edition=edition, day=written_day)
    return _rendered("sheet/pdf.html", words, sheet=page)


def by_hand_html(match: Match, words: Words, edition: Edition = ON_A4) -> str:
    """The sheet on which a match goes on by hand."""
    page = by_hand_page(match, words, edition=edition, day=written_day)
    return _rendered("sheet/byhand_pdf.html", words, hand=page)


def blank_html(rules: Rules, words: Words, edition: Edition = ON_A4) -> str:
    """A blank sheet for these rules."""
    return _rendered("sheet/byhand_pdf.html", words, hand=blank_page(rules, words, edition=edition))


def print_html(html: str, out: Path, carried: str = "") -> None:
    """Write a document as a PDF; raises PdfUnavailable, or OSError when the file cannot be written."""
    with tempfile.TemporaryDirectory(prefix="scorepad-") as folder:
        maker = PdfMaker(Path(folder), base=asset_dir("static"))
        try:
            out.write_bytes(maker.make(html, carried).read_bytes())
        finally:
            maker.close()


def print_sheet(match: Match, words: Words, out: Path, edition: Edition = ON_A4) -> None:
    """Write the sheet of a match as a PDF that carries it; raises as `print_html` does."""
    print_html(sheet_html(match, words, edition), out, written(match))


def print_by_hand(match: Match, words: Words, out: Path, edition: Edition = ON_A4) -> None:
    """Write the sheet on which a match goes on by hand, with the match in it; raises as `print_html` does."""
    print_html(by_hand_html(match, words, edition), out, written(match))


def print_blank(rules: Rules, words: Words, out: Path, edition: Edition = ON_A4) -> None:
    """Write a blank sheet; raises as `print_html` does."""
    print_html(blank_html(rules, words, edition), out)
