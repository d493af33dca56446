"""Links as keys: opening a scoring link asks, a POST joins; the share page shows the links to hand on."""

from __future__ import annotations

from dataclasses import dataclass

import segno
from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from markupsafe import Markup

from scorepad.settings import csrf
from scorepad.standing import Standing
from scorepad.views.common import access, device, device_or_new, not_found, require_score, store, with_cookie

pages = Blueprint("join", __name__)


@dataclass(frozen=True)
class JoinPage:
    """Asks whether this phone shall keep the score of a match."""

    title: str
    standing: Standing


@dataclass(frozen=True)
class SharePage:
    """The links of a match: to watch for everybody, to score once it was made."""

    slug: str
    standing: Standing
    may_score: bool
    watch_url: str
    watch_code: Markup
    score_url: str = ""
    score_code: Markup | None = None


def code_of(address: str, title: str) -> Markup:
    """A QR code as a picture inside the page, always on white ground."""
    picture = segno.make(address, error="m", micro=False)
    svg = picture.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", title=title)
    return Markup(svg)  # noqa: S704  made here; the address is escaped by segno


@pages.get("/join/<key>")
def ask(key: str) -> str:
    """Ask before anything is given."""
    slug = store().slug_of_key(key)
    if slug is None:
        not_found()
    _, where = store().standing(slug)
    return render_template("join.html", page=JoinPage(where.match.title, where))


@pages.post("/join/<key>")
def join(key: str) -> ResponseReturnValue:
    """Give this device the right, and lead to the table without the key in the address."""
    csrf.protect()
    if store().slug_of_key(key) is None or (slug := store().join(key, device_or_new())) is None:
        not_found()
    return with_cookie(redirect(url_for("table.table", slug=slug)))


@pages.get("/m/<slug>/share")
def share(slug: str) -> str:
    """The watch link with its code."""
    return render_template("share.html", page=_share_page(slug))


@pages.post("/m/<slug>/share")
def hand_over(slug: str) -> str:
    """Make a fresh scoring link and show it once; every other one can be ended."""
    require_score(slug)
    end_others = request.form.get("end_others") == "1"
    key = store().new_score_key(slug, end_others=end_others, but_for=device())
    return render_template("share.html", page=_share_page(slug, key))


def _share_page(slug: str, key: str = "") -> SharePage:
    """The page with the watch link, and the scoring link when one was just made."""
    _, where = store().standing(slug)
    watch = url_for("table.table", slug=slug, _external=True)
    score = url_for("join.ask", key=key, _external=True) if key else ""
    return SharePage(
        slug,
        where,
        access(slug).may_score,
        watch,
        code_of(watch, gettext("QR code of the watch link")),
        score,
        code_of(score, gettext("QR code of the scoring link")) if score else None,
    )
