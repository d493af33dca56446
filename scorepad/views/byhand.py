"""Sheets to write on: blank ones, and those of a match that goes on by hand."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.byhand import ByHandPage, blank_page, by_hand_page
from scorepad.carried import written
from scorepad.exporting import file_name
from scorepad.messages import PDF_UNAVAILABLE
from scorepad.pdf import PdfUnavailable
from scorepad.rules import Rules, preset_of
from scorepad.sheet import Edition, Paper
from scorepad.standing import Standing
from scorepad.store import KeptMatch
from scorepad.views.common import not_found, store, words
from scorepad.views.houserules import NOBODY, STANDARD_KEY, offers, rules_chosen
from scorepad.views.sheet import edition_asked, head_of, made_pdf, sent, written_day

pages = Blueprint("byhand", __name__)
log = logging.getLogger(__name__)

#: What makes a page of a template and an edition.
Rendered = Callable[..., str]


def _answer(rendered: Rendered, carried: str, name: str) -> ResponseReturnValue:
    """A sheet as a PDF; as a page, with what is missing, when none can be made."""
    edition = edition_asked()
    try:
        made = made_pdf(rendered("sheet/byhand_pdf.html", edition), carried)
    except PdfUnavailable as problem:
        log.warning("no PDF of a sheet to write on: %s", problem)
        on_screen = replace(edition, is_in_own_fonts=False)
        advice = gettext(PDF_UNAVAILABLE[problem.reason])
        return rendered("sheet/byhand.html", on_screen, unavailable=advice), 503
    return sent(made, f"{name}.pdf")


def _page(template: str, hand: ByHandPage, pdf: Callable[..., str], **more: Any) -> str:
    """A page with a sheet; `pdf` is the address of its PDF on a paper."""
    pdfs = {f"pdf_{paper}": pdf(paper=paper) for paper in Paper}
    return render_template(template, hand=hand, pdf=pdf(paper=hand.sheet.paper), **pdfs, **more)


def _chosen() -> tuple[str, Rules]:
    """The rules that the address names, and how it does; ends the request when there are none."""
    key = request.args.get("rules", STANDARD_KEY)
    rules = rules_chosen(key)
    if rules is None:
        not_found()
    return preset_of(rules) or key, rules


def _blank(template: str, edition: Edition, **more: Any) -> str:
    """The blank sheet for the rules that were chosen."""
    key, rules = _chosen()
    hand = blank_page(rules, words(NOBODY), edition=edition)
    pdf = partial(url_for, "byhand.blank_pdf", rules=key)
    return _page(template, hand, pdf, chosen=key, offers=tuple(offers(key)), **more)


@pages.get("/sheet/blank")
def blank() -> str:
    """A blank sheet as a page, with the rules to choose."""
    return _blank("sheet/byhand.html", edition_asked(on_screen=True))


@pages.get("/sheet/blank.pdf")
def blank_pdf() -> ResponseReturnValue:
    """A blank sheet as a PDF."""
    return _answer(_blank, "", "barbu-blank")


def _going_on(kept: KeptMatch, where: Standing) -> Rendered:
    """What makes pages of the sheet on which a match goes on."""

    def rendered(template: str, edition: Edition, **more: Any) -> str:
        say = words(where.match.names)
        hand = by_hand_page(where.match, say, edition=edition, head=head_of(kept), day=written_day)
        pdf = partial(url_for, "byhand.going_on_pdf", slug=kept.slug)
        address = url_for("table.table", slug=kept.slug, _external=True)
        return _page(template, hand, pdf, slug=kept.slug, address=address, **more)

    return rendered


@pages.get("/m/<slug>/by-hand")
def going_on(slug: str) -> ResponseReturnValue:
    """The sheet on which a match goes on by hand, as a page; the usual one when no deal is to come."""
    kept, where = store().standing(slug)
    if where.is_complete:
        return redirect(url_for("sheet.sheet", slug=slug))
    return _going_on(kept, where)("sheet/byhand.html", edition_asked(on_screen=True))


@pages.get("/m/<slug>/by-hand.pdf")
def going_on_pdf(slug: str) -> ResponseReturnValue:
    """The same as a PDF, which carries the match as it stands."""
    kept, where = store().standing(slug)
    if where.is_complete:
        return redirect(url_for("sheet.pdf", slug=slug, paper=edition_asked().paper))
    carried = written(where.match, kept.revision)
    return _answer(_going_on(kept, where), carried, f"{file_name(where.match)}-{gettext('by-hand')}")
