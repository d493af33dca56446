"""A deal was forgotten: choose the one that it is put in before, and enter it there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.contracts import Contract
from scorepad.forms import DealForm, deal_body, form_values
from scorepad.match import Deal
from scorepad.messages import Words
from scorepad.standing import DealResult
from scorepad.store import Closed, NotSaved, Refused, Save, SaveConflict
from scorepad.table import Seat
from scorepad.views.common import access, not_found, require_score, store, told_closed, words
from scorepad.views.dealform import fresh, page_of, seat_asked, whole
from scorepad.views.dealpage import errors_of
from scorepad.views.effects import effect_of, looked_at
from scorepad.views.place import Place, next_place
from scorepad.views.unsaved import UNAVAILABLE, errors_of_disk

pages = Blueprint("insert", __name__)


@dataclass(frozen=True)
class WherePage:
    """Asks before which deal the forgotten one was played."""

    slug: str
    deals: tuple[DealResult, ...]
    say: Words


@pages.get("/m/<slug>/deals/insert")
def where(slug: str) -> ResponseReturnValue:
    """Choose the deal that the forgotten one is put in before."""
    kept, standing = store().standing(slug)
    if kept.closed or not access(slug).may_score:
        return redirect(url_for("table.table", slug=slug))
    deals = standing.deals[: len(kept.deals)]
    return render_template("insert.html", page=WherePage(slug, deals, words(standing.match.names)))


@pages.get("/m/<slug>/deals/insert/<int:number>")
def enter(slug: str, number: int) -> ResponseReturnValue:
    """The form of the forgotten deal."""
    place = _place(slug, number)
    if place.kept.closed or not access(slug).may_score:
        return redirect(url_for("table.table", slug=slug))
    declarer = seat_asked() or place.standing.deals[number - 1].deal.declarer or Seat.NORTH
    values = form_values(Deal(declarer, Contract.B))
    del values["contract"]
    return render_template("deal.html", page=page_of(place, fresh(DealForm(values), place)))


@pages.post("/m/<slug>/deals/insert/<int:number>")
def save(slug: str, number: int) -> ResponseReturnValue:
    """Put the deal in once its effect was looked at; the others move down, and all is computed anew."""
    by = require_score(slug).by
    place, form = _place(slug, number), DealForm()
    body = {"number": number, "deal": deal_body(form, place.say.names)}
    wanted = Save((form.id.data or "").strip(), whole(form.seen.data), "insert", deal=body)
    try:
        if request.form.get("looked") != looked_at(wanted):
            page = page_of(place, form, effect=effect_of(slug, wanted))
            return render_template("deal.html", page=page)
        store().save(slug, wanted, by=by)
    except Refused as refused:
        errors = errors_of(refused.problems, place.say, number)
        return render_template("deal.html", page=page_of(place, form, errors=errors)), 422
    except Closed:
        page = page_of(place, form, errors={"form": (told_closed(slug),)})
        return render_template("deal.html", page=page), 409
    except SaveConflict:
        told = (
            gettext("Somebody else changed the match meanwhile. Look whether the deal is still missing."),
        )
        page = page_of(place, fresh(form, place), errors={"form": told})
        return render_template("deal.html", page=page), 409
    except NotSaved as failed:
        page = page_of(place, form, errors=errors_of_disk(failed), effect=effect_of(slug, wanted))
        return render_template("deal.html", page=page), UNAVAILABLE
    return redirect(url_for("table.table", slug=slug))


def _place(slug: str, number: int) -> Place:
    """The place of a forgotten deal; ends the request with 404 where no deal stands."""
    place = next_place(slug)
    if number not in range(1, len(place.kept.deals) + 1):
        not_found()
    return replace(place, number=number, was_forgotten=True)
