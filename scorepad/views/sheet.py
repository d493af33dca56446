"""The sheet: as a page to print, and as a PDF."""

from __future__ import annotations

import logging
from io import BytesIO
from pathlib import Path

from flask import Blueprint, current_app, render_template, send_file
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.carried import written
from scorepad.exporting import file_name
from scorepad.messages import PDF_UNAVAILABLE
from scorepad.pdf import NotKept, PdfMaker, PdfUnavailable
from scorepad.sheet import Head, SheetPage, sheet_page
from scorepad.standing import Standing
from scorepad.store import KeptMatch
from scorepad.views.common import store, words
from scorepad.views.signed import signatures

pages = Blueprint("sheet", __name__)
log = logging.getLogger(__name__)


def maker() -> PdfMaker:
    """The maker of PDFs of this app."""
    made: PdfMaker = current_app.extensions["pdf"]
    return made


def _shown(kept: KeptMatch, where: Standing) -> SheetPage:
    """The sheet of a kept match."""
    head = Head(kept.revision, kept.hash)
    return sheet_page(where.match, words(where.match.names), head=head, signed=signatures(kept))


@pages.get("/m/<slug>/sheet")
def sheet(slug: str) -> str:
    """The sheet as a page, with the phone's own way to print."""
    kept, where = store().standing(slug)
    shown = _shown(kept, where)
    return render_template("sheet/print.html", sheet=shown, slug=slug, match=where.match)


def _made(html: str, carried: str) -> Path | BytesIO:
    """The PDF of a page, from the cache or, where that cannot be written, as it was made."""
    try:
        return maker().make(html, carried)
    except NotKept as loose:
        log.warning("the PDF is not kept: %s", loose.detail)
        return BytesIO(loose.pdf)


@pages.get("/m/<slug>/sheet.pdf")
def pdf(slug: str) -> ResponseReturnValue:
    """The sheet as a PDF; the print view, with what is missing, when none can be made."""
    kept, where = store().standing(slug)
    shown = _shown(kept, where)
    try:
        made = _made(render_template("sheet/pdf.html", sheet=shown), written(where.match, kept.revision))
    except PdfUnavailable as problem:
        log.warning("no PDF of the sheet: %s", problem)
        advice = gettext(PDF_UNAVAILABLE[problem.reason])
        page = render_template(
            "sheet/print.html", sheet=shown, slug=slug, match=where.match, unavailable=advice
        )
        return page, 503
    return send_file(
        made,
        mimetype="application/pdf",
        download_name=f"{file_name(where.match)}.pdf",
        max_age=0,
    )
