"""Closing a match, signing it on the scoring phone or by a code for one's seat, and reopening it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from markupsafe import Markup

from scorepad.settings import csrf
from scorepad.standing import Standing
from scorepad.store import (
    Closed,
    How,
    KeptMatch,
    NotClosed,
    NotOver,
    Refused,
    Save,
    SaveConflict,
    UnknownCode,
)
from scorepad.store.access import new_key
from scorepad.store.signatures import written
from scorepad.table import Seat
from scorepad.views.common import (
    access,
    count_wrong_key,
    device_or_new,
    not_found,
    require_score,
    seat_numbered,
    store,
    with_cookie,
)
from scorepad.views.dealform import whole
from scorepad.views.join import code_of, keep_the_key
from scorepad.views.signed import Figures, SeatLine, figures

pages = Blueprint("signing", __name__)
pages.after_request(keep_the_key)

GONE = 410


@dataclass(frozen=True)
class SignPage:
    """The page that closes a match, then goes round on the scoring phone; `wrong` is what went wrong."""

    slug: str
    title: str
    closed_at: str
    figures: Figures
    id: str
    seen: int
    wrong: str = ""

    @property
    def all_signed(self) -> bool:
        """Whether everybody has signed these figures."""
        return all(line.has_signed for line in self.figures.lines)


@dataclass(frozen=True)
class SeatPage:
    """Asks one player whether these are his figures; by a code the page belongs to no phone that scores."""

    slug: str
    title: str
    figures: Figures
    line: SeatLine
    id: str
    by_code: bool
    wrong: str = ""


@dataclass(frozen=True)
class CodesPage:
    """The fresh codes for the seats that have not signed: each with its address."""

    slug: str
    title: str
    codes: tuple[tuple[SeatLine, str, Markup], ...]


# Closing and reopening


@pages.get("/m/<slug>/sign")
def sign(slug: str) -> ResponseReturnValue:
    """The figures, who has signed them, and the way to close the match; others are led to the table."""
    kept, where = store().standing(slug)
    if not (where.is_over and access(slug).may_score):
        return redirect(url_for("table.table", slug=slug))
    return _sign_page(kept, where)


def _sign_page(kept: KeptMatch, where: Standing, wrong: str = "") -> str:
    """The page as the match now stands."""
    shown = figures(kept, where)
    page = SignPage(kept.slug, where.match.title, kept.closed_at, shown, new_key(), kept.revision, wrong)
    return render_template("sign.html", page=page)


@pages.post("/m/<slug>/close")
def close(slug: str) -> ResponseReturnValue:
    """Close the match, if it is as it was looked at; one that is closed already stays so."""
    by = require_score(slug).by
    try:
        store().save(slug, _save("close"), by=by, nothing_since=True)
    except Closed:
        pass
    except NotOver:
        return redirect(url_for("table.table", slug=slug))
    except (Refused, SaveConflict):
        return _sign_page(*store().standing(slug), _changed(gettext("It was not closed."))), 409
    return redirect(url_for("signing.sign", slug=slug))


@pages.get("/m/<slug>/reopen")
def ask_to_reopen(slug: str) -> ResponseReturnValue:
    """Ask before the match is reopened; what is not closed has its table."""
    kept, where = store().standing(slug)
    if not (kept.closed and access(slug).may_score):
        return redirect(url_for("table.table", slug=slug))
    shown = figures(kept, where)
    page = SignPage(slug, where.match.title, kept.closed_at, shown, new_key(), kept.revision)
    return render_template("reopen.html", page=page)


@pages.post("/m/<slug>/reopen")
def reopen(slug: str) -> ResponseReturnValue:
    """Reopen the match, as a row of its record; the codes for its seats end."""
    by = require_score(slug).by
    try:
        store().save(slug, _save("reopen"), by=by)
    except NotClosed:
        pass
    except (Refused, SaveConflict):
        return redirect(url_for("signing.ask_to_reopen", slug=slug))
    return redirect(url_for("table.table", slug=slug))


def _save(action: str, deal: Any = None) -> Save:
    """What the form asks for."""
    return Save(request.form.get("id", ""), whole(request.form.get("seen")), action, deal=deal)


def _changed(result: str) -> str:
    """Why nothing was written: the match is another one than was looked at."""
    return f"{gettext('The match was changed meanwhile; these are its figures now.')} {result}"


# On the scoring phone


@pages.get("/m/<slug>/sign/<int:number>")
def ask_to_sign(slug: str, number: int) -> ResponseReturnValue:
    """Ask the player of a seat, 1 to 4, whether these are his figures."""
    seat = seat_numbered(number)
    kept, where = store().standing(slug)
    if not (kept.closed and access(slug).may_score):
        return redirect(url_for("signing.sign", slug=slug))
    return _seat_page(kept, where, seat)


def _seat_page(
    kept: KeptMatch, where: Standing, seat: Seat, wrong: str = "", *, by_code: bool = False
) -> str:
    """The page that asks, about the match as it now stands."""
    shown = figures(kept, where)
    page = SeatPage(kept.slug, where.match.title, shown, shown.line(seat), new_key(), by_code, wrong)
    return render_template("seat.html", page=page)


@pages.post("/m/<slug>/sign/<int:number>")
def sign_here(slug: str, number: int) -> ResponseReturnValue:
    """Sign for a seat on the scoring phone, what was shown and nothing else."""
    by, seat = require_score(slug).by, seat_numbered(number)
    where = store().standing(slug)[1]
    try:
        store().save(slug, _signature(where, seat, How.SCORING_PHONE), by=by)
    except NotClosed:
        wrong = gettext("The match was reopened meanwhile. Nothing was signed.")
        return _sign_page(*store().standing(slug), wrong), 409
    except (Refused, SaveConflict):
        return _seat_page(*store().standing(slug), seat, _changed(gettext("Nothing was signed."))), 409
    return redirect(url_for("signing.sign", slug=slug))


def _signature(where: Standing, seat: Seat, how: How) -> Save:
    """The signature for a seat, under the figures that the form has shown."""
    return _save("sign", written(seat, where.match.names[seat], request.form.get("fingerprint", ""), how))


# By a code


@pages.post("/m/<slug>/sign/codes")
def codes(slug: str) -> ResponseReturnValue:
    """A fresh code for each seat that has not signed, shown this once; the older ones end."""
    require_score(slug)
    kept, where = store().standing(slug)
    if not kept.closed:
        return redirect(url_for("signing.sign", slug=slug))
    shown = figures(kept, where)
    waiting = [line.seat for line in shown.lines if not line.has_signed]
    made = []
    for seat, code in store().new_seat_codes(slug, waiting):
        address, line = url_for("signing.ask_by_code", code=code, _external=True), shown.line(seat)
        made.append((line, address, code_of(address, gettext("Code for %(name)s", name=line.name))))
    return render_template("codes.html", page=CodesPage(slug, where.match.title, tuple(made)))


def _opened(code: str) -> tuple[str, Seat]:
    """The match and the seat of a code; ends with 410 when it has ended, with 404 when it never was."""
    if (found := store().seat_of_code(code)) is None:
        count_wrong_key()
        not_found()
    if not found.is_open:
        abort(GONE)
    return found.slug, found.seat


@pages.get("/sign/<code>")
def ask_by_code(code: str) -> ResponseReturnValue:
    """The figures, and the one button of the player whose seat it is."""
    slug, seat = _opened(code)
    return _seat_page(*store().standing(slug), seat, by_code=True)


@pages.post("/sign/<code>")
def sign_by_code(code: str) -> ResponseReturnValue:
    """Sign for the seat of this code, once, and lead to the table without the code in the address."""
    csrf.protect()
    if (found := store().seat_of_code(code)) is None:
        count_wrong_key()
        not_found()
    where = store().standing(found.slug)[1]
    save = _signature(where, found.seat, How.OWN_PHONE)
    try:
        store().save(found.slug, save, by=f"device {device_or_new()}", code=code)
    except (UnknownCode, NotClosed):
        abort(GONE)
    except (Refused, SaveConflict):
        slug, seat = _opened(code)
        wrong = _changed(gettext("Nothing was signed."))
        return with_cookie((_seat_page(*store().standing(slug), seat, wrong, by_code=True), 409))
    return with_cookie(redirect(url_for("table.table", slug=found.slug, _anchor="signed")))
