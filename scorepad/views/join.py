"""Links as keys: opening a scoring link asks, a POST joins; two pages show the links to hand on."""

from __future__ import annotations

from dataclasses import dataclass

import segno
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from markupsafe import Markup

from scorepad.settings import csrf
from scorepad.standing import Standing
from scorepad.store import Binned
from scorepad.views.common import (
    access,
    count_wrong_key,
    device,
    device_or_new,
    not_found,
    require_score,
    store,
    with_cookie,
)

pages = Blueprint("join", __name__)


@dataclass(frozen=True)
class JoinPage:
    """Asks whether this phone shall keep the score of a match, which may be in the bin."""

    title: str
    standing: Standing
    binned: Binned | None


@dataclass(frozen=True)
class SharePage:
    """The watch link of a match, with its code."""

    slug: str
    title: str
    may_score: bool
    url: str
    code: Markup


@dataclass(frozen=True)
class HandOverPage:
    """Hands over scoring: asks first; then shows the fresh scoring link with its code, once."""

    slug: str
    title: str
    url: str = ""
    code: Markup | None = None


def code_of(address: str, title: str) -> Markup:
    """A QR code as a picture inside the page, always on white ground."""
    picture = segno.make(address, error="m", micro=False)
    svg = picture.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", title=title)
    return Markup(svg)  # noqa: S704  made here; the address is escaped by segno


@pages.after_request
def keep_the_key(answer: Response) -> Response:
    """No request says that it comes from a page whose address is a key or a code, only from which server."""
    if {"key", "code"} & (request.view_args or {}).keys():
        answer.headers["Referrer-Policy"] = "strict-origin"
        answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.get("/join/<key>")
def ask(key: str) -> ResponseReturnValue:
    """Ask before anything is given."""
    slug = store().slug_of_key(key)
    if slug is None:
        return _no_link(key)
    binned = store().binned(slug)
    where = binned.standing if binned else store().standing(slug)[1]
    return render_template("join.html", page=JoinPage(where.match.title, where, binned))


@pages.post("/join/<key>")
def join(key: str) -> ResponseReturnValue:
    """Give this device the right, and lead to the table without the key in the address."""
    csrf.protect()
    if store().slug_of_key(key) is None or (slug := store().join(key, device_or_new())) is None:
        return _no_link(key)
    return with_cookie(redirect(url_for("table.table", slug=slug)))


def _no_link(key: str) -> ResponseReturnValue:
    """The page of a scoring link that opens nothing: others took its place, or there never was one."""
    if not store().has_ended(key):
        count_wrong_key()
        not_found()
    title = gettext("This scoring link was replaced")
    advice = gettext("It opens nothing any more. Ask whoever keeps the score of the match for a new one.")
    return render_template("error.html", title=title, advice=advice), 410


@pages.get("/m/<slug>/share")
def share(slug: str) -> str:
    """The watch link with its code, large."""
    _, where = store().standing(slug)
    url = url_for("table.table", slug=slug, _external=True)
    code = code_of(url, gettext("QR code of the watch link"))
    page = SharePage(slug, where.match.title, access(slug).may_score, url, code)
    return render_template("share.html", page=page)


@pages.get("/m/<slug>/hand-over")
def ask_to_hand_over(slug: str) -> ResponseReturnValue:
    """Ask before a scoring link is made; who may not score is led to the table."""
    _, where = store().standing(slug)
    if not access(slug).may_score:
        return redirect(url_for("table.table", slug=slug))
    return render_template("handover.html", page=HandOverPage(slug, where.match.title))


@pages.post("/m/<slug>/hand-over")
def hand_over(slug: str) -> str:
    """Make a fresh scoring link and show it once; every other one can be ended."""
    require_score(slug)
    _, where = store().standing(slug)
    end_others = request.form.get("end_others") == "1"
    key = store().new_score_key(slug, end_others=end_others, but_for=device())
    url = url_for("join.ask", key=key, _external=True)
    code = code_of(url, gettext("QR code of the scoring link"))
    return render_template("handover.html", page=HandOverPage(slug, where.match.title, url, code))
