"""The sheet: as a page to print, and as a PDF."""

from __future__ import annotations

import logging
from collections.abc import Hashable
from dataclasses import replace
from datetime import date
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from flask import Blueprint, Response, current_app, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date, get_locale, gettext

from scorepad.carried import written
from scorepad.exporting import file_name
from scorepad.messages import PDF_UNAVAILABLE
from scorepad.pdf import NotKept, PdfMaker, PdfUnavailable
from scorepad.sheet import Edition, Head, Paper, SheetPage, sheet_page
from scorepad.standing import Standing
from scorepad.store import KeptMatch, Step
from scorepad.store.history import ids_of
from scorepad.views.common import store, words
from scorepad.views.join import code_of
from scorepad.views.signed import signatures

pages = Blueprint("sheet", __name__)
log = logging.getLogger(__name__)

#: The codes of the links to watch, which are no secrets; a code takes as long as half of a sheet's page.
watch_code = lru_cache(maxsize=256)(code_of)


def maker() -> PdfMaker:
    """The maker of PDFs of this app."""
    made: PdfMaker = current_app.extensions["pdf"]
    return made


#: Where letters are written on US Letter (CLDR); everybody else has A4.
LETTER_REGIONS = frozenset(
    ("BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE")
)


def edition_asked(*, on_screen: bool = False) -> Edition:
    """The edition asked for; without a word about it, the paper of the reader's first language."""
    first = request.accept_languages.best or ""
    usual = Paper.LETTER if first.rpartition("-")[2].upper() in LETTER_REGIONS else Paper.A4
    asked = request.args.get("paper")
    paper = next((p for p in Paper if p == asked), usual)
    return Edition(paper, says_why=request.args.get("why") == "1", is_in_own_fonts=not on_screen)


def written_day(day: str) -> str:
    """A day as the reader writes it."""
    return str(format_date(date.fromisoformat(day), "long"))


def _corrected(kept: KeptMatch, rows: tuple[Step, ...]) -> dict[int, int]:
    """How often each deal was corrected, by its number."""
    written = [step.deal_id for step in rows if step.action == "correct"]
    times = (sum(map(written.count, ids_of(rows, deal.deal_id))) for deal in kept.deals)
    return {number: n for number, n in enumerate(times, start=1) if n}


def head_of(kept: KeptMatch) -> Head:
    """Where the record of a kept match ends, and what was corrected in it."""
    rows = store().history(kept.slug)[: kept.revision]
    return Head(kept.revision, kept.hash, rows[-1].at, _corrected(kept, rows))


def _shown(kept: KeptMatch, where: Standing, edition: Edition) -> SheetPage:
    """The sheet of a kept match."""
    say, head, signed = words(where.match.names), head_of(kept), signatures(kept)
    return sheet_page(where.match, say, edition=edition, head=head, signed=signed, day=written_day)


def _rendered(template: str, slug: str, where: Standing, shown: SheetPage, **more: object) -> str:
    """A page with the sheet and the code of its match."""
    address = url_for("table.table", slug=slug, _external=True)
    code = watch_code(address, gettext("Code for the link of this match"))
    return render_template(
        template, sheet=shown, slug=slug, where=where, match=where.match, address=address, code=code, **more
    )


@pages.get("/m/<slug>/sheet")
def sheet(slug: str) -> str:
    """The sheet as a page, with the phone's own way to print."""
    kept, where = store().standing(slug)
    return _rendered("sheet/print.html", slug, where, _shown(kept, where, edition_asked(on_screen=True)))


def made_pdf(html: str, carried: str, about: Hashable = None) -> Path | BytesIO:
    """The PDF of a page, from the cache or, where that cannot be written, as it was made."""
    try:
        return maker().make(html, carried, about)
    except NotKept as loose:
        log.warning("the PDF is not kept: %s", loose.detail)
        return BytesIO(loose.pdf)


@pages.get("/m/<slug>/sheet.pdf")
def pdf(slug: str) -> ResponseReturnValue:
    """The sheet as a PDF; the print view, with what is missing, when none can be made."""
    kept, where = store().standing(slug)
    edition, name = edition_asked(), f"{file_name(where.match)}.pdf"
    about = kept.hash, edition, str(get_locale()), request.url_root
    if again := maker().made_for(about):
        return sent(again, name)
    try:
        page = _rendered("sheet/pdf.html", slug, where, _shown(kept, where, edition))
        made = made_pdf(page, written(where.match, kept.revision), about)
    except PdfUnavailable as problem:
        log.warning("no PDF of the sheet: %s", problem)
        shown = _shown(kept, where, replace(edition, is_in_own_fonts=False))
        advice = gettext(PDF_UNAVAILABLE[problem.reason])
        return _rendered("sheet/print.html", slug, where, shown, unavailable=advice), 503
    return sent(made, name)


def sent(made: Path | BytesIO, name: str) -> Response:
    """A PDF as an answer; its paper depends on the reader's language."""
    answer = send_file(made, mimetype="application/pdf", download_name=name, max_age=0)
    answer.vary.add("Accept-Language")
    return answer
