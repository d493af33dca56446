"""One deal as one form: declare, double, play, tally, save; the same form corrects it later."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from scorepad.contracts import Contract
from scorepad.forms import DealForm, deal_body, form_values
from scorepad.match import Deal
from scorepad.store import Closed, Draft, DraftTaken, NotSaved, Refused, Save, SaveConflict
from scorepad.store.access import new_key
from scorepad.store.record import tidy_deal
from scorepad.store.saving import problems_of_open
from scorepad.table import SEATS, Seat
from scorepad.views.common import access, require_score, store, told_closed
from scorepad.views.dealform import fresh, page_of, seat_asked, whole
from scorepad.views.dealpage import Conflict, RemovePage, errors_of
from scorepad.views.effects import Effect, effect_of, looked_at
from scorepad.views.place import Place, deal_of, in_words, kept_place, next_place, place_meant
from scorepad.views.unsaved import UNAVAILABLE, errors_of_disk

pages = Blueprint("deal", __name__)


@pages.get("/m/<slug>/deals/new")
def new(slug: str) -> ResponseReturnValue:
    """The form of the next deal, or of the hand being played."""
    place = next_place(slug)
    is_over = place.kept.closed or place.standing.next is None
    if (is_over and "waiting" not in request.args) or not access(slug).may_score:
        return redirect(url_for("table.table", slug=slug))
    return render_template("deal.html", page=page_of(place, _new_form(place)))


def _new_form(place: Place) -> DealForm:
    """The form of the next deal, with what the draft knows."""
    playing = deal_of(place, place.draft.deal)
    if playing is not None:
        return fresh(DealForm(form_values(playing)), place)
    declarer = seat_asked()
    if declarer is None or not place.standing.left(declarer):
        declarer = place.standing.next.declarer if place.standing.next else Seat.NORTH
    values = form_values(Deal(declarer, Contract.B))
    del values["contract"]
    return fresh(DealForm(values), place)


@pages.post("/m/<slug>/deals/new")
def save(slug: str) -> ResponseReturnValue:
    """Save the next deal; or keep its declaration and doubles while the hand is played; or drop them."""
    by = require_score(slug).by
    place, form = next_place(slug), DealForm()
    asked, number = request.form.get("do"), whole(form.number.data)
    if asked == "drop":
        return _drop(place, form, by)
    body = deal_body(form, place.say.names)
    if number == place.number:  # else this deal was saved meanwhile, and the store says so
        if asked == "play":
            return _play(place, form, by)
        if missing := _forced_and_missing(place, form, body):
            return _again(place, form, 422, missing=missing)
    return _save(place, form, Save(_id(form), whole(form.seen.data), "add", "", body, number), by)


def _id(form: DealForm) -> str:
    """The id of this save."""
    return (form.id.data or "").strip()


def _save(place: Place, form: DealForm, save: Save, by: str) -> ResponseReturnValue:
    """Save a deal, a correction once its effect was looked at; or show what stands in the way, all kept."""
    try:
        if save.action == "correct" and request.form.get("looked") != looked_at(save):
            return _again(place, form, 200, effect=effect_of(place.kept.slug, save))
        answer = store().save(place.kept.slug, save, by=by)
    except Refused as refused:
        return _again(place, form, 422, errors=errors_of(refused.problems, place.say, place.number))
    except SaveConflict as conflict:
        return _conflict(place, form, conflict)
    except Closed:
        return _is_closed(place, form)
    except NotSaved as failed:
        effect = _effect_over(place, form)
        return _again(place, form, UNAVAILABLE, errors=errors_of_disk(failed), effect=effect)
    return redirect(url_for("deal.new", slug=place.kept.slug, saved=answer.deal_id))


def _again(place: Place, form: DealForm, status: int, **more: Any) -> ResponseReturnValue:
    """The same form again, nothing lost, with what is wrong beside the field."""
    return render_template("deal.html", page=page_of(place, form, **more)), status


def _is_closed(place: Place, form: DealForm) -> ResponseReturnValue:
    """The match was closed meanwhile: the inputs kept, and the way to reopen it."""
    return _again(place, form, 409, errors={"form": (told_closed(place.kept.slug),)})


def _conflict(place: Place, form: DealForm, conflict: SaveConflict) -> ResponseReturnValue:
    """Both versions, the inputs kept, and one tap to save them after all."""
    slug = place.kept.slug
    target = place_meant(slug, conflict.deal_id) if conflict.deal_id else next_place(slug)
    shown = Conflict(conflict.code, in_words(target, conflict.yours), in_words(target, conflict.theirs))
    again = fresh(form, target)
    return _again(target, again, 409, conflict=shown, effect=_effect_over(target, again))


def _effect_over(target: Place, form: DealForm) -> Effect | None:
    """What it does to save this over the deal that stands; None where that is a new deal or will not do."""
    if not target.deal_id:
        return None
    body = deal_body(form, target.say.names)
    try:
        return effect_of(
            target.kept.slug, Save(_id(form), whole(form.seen.data), "correct", target.deal_id, body)
        )
    except (Refused, SaveConflict, Closed):
        return None


def _forced_and_missing(place: Place, form: DealForm, body: object) -> tuple[Seat, ...]:
    """Who had to double, did not, and was not said to have played without it."""
    deal = deal_of(place, body)
    if deal is None or deal.contract in place.standing.used[deal.declarer]:
        return ()
    forced = place.standing.must_double(deal.declarer, deal.contract)
    accepted = form.without.raw_data or []
    doubled = {d.doubler for d in deal.doubles if d.doubled is deal.declarer}
    return tuple(s for s in forced if s not in doubled and str(s.value) not in accepted)


# The open deal


def _play(place: Place, form: DealForm, by: str) -> ResponseReturnValue:
    """Keep declaration and doubles on the server while the hand is played."""
    body = deal_body(form, place.say.names, with_result=False)
    tidy = tidy_deal(place.standing.match, body)
    problems = problems_of_open(place.kept, tidy)
    if problems:
        return _again(place, form, 422, errors=errors_of(problems, place.say, place.number))
    spoken = len(SEATS)
    try:
        store().write_draft(
            place.kept.slug, _draft_seen(place, form, by), Draft(0, by, spoken, tidy), take_over=True
        )
    except DraftTaken as taken:
        return _draft_taken(place, form, taken)
    except Closed:
        return _is_closed(place, form)
    except NotSaved as failed:
        return _again(place, form, UNAVAILABLE, errors=errors_of_disk(failed))
    return redirect(url_for("deal.new", slug=place.kept.slug))


def _draft_seen(place: Place, form: DealForm, by: str) -> int:
    """The version of the open deal this phone has seen: its own last tap, answered or not."""
    return place.draft.version if place.draft.holder == by else whole(form.draft.data)


def _draft_taken(place: Place, form: DealForm, taken: DraftTaken) -> ResponseReturnValue:
    """Another phone changed the open deal meanwhile: both versions, the inputs kept."""
    place = next_place(place.kept.slug)
    yours = tidy_deal(place.standing.match, deal_body(form, place.say.names, with_result=False))
    theirs = (
        in_words(place, taken.draft.deal) if taken.draft.deal else (gettext("The open deal was dropped."),)
    )
    shown = Conflict("draft_taken", in_words(place, yours), theirs)
    return _again(place, fresh(form, place), 409, conflict=shown)


def _drop(place: Place, form: DealForm, by: str) -> ResponseReturnValue:
    """Drop the open deal: a misdeal changes nothing, and the same player declares again."""
    try:
        store().write_draft(place.kept.slug, _draft_seen(place, form, by), Draft(0, by), take_over=True)
    except DraftTaken as taken:
        return _draft_taken(place, form, taken)
    except Closed:
        return _is_closed(place, form)
    except NotSaved as failed:
        return _again(place, form, UNAVAILABLE, errors=errors_of_disk(failed))
    return redirect(url_for("deal.new", slug=place.kept.slug))


# Deals of the record


@pages.get("/m/<slug>/deals/<deal_id>")
def edit(slug: str, deal_id: str) -> ResponseReturnValue:
    """The form of a past deal, filled in."""
    place = kept_place(slug, deal_id)
    if not access(slug).may_score:
        return redirect(url_for("table.why", slug=slug, deal_id=deal_id))
    if place.kept.closed:
        return redirect(url_for("table.table", slug=slug))
    kept = place.standing.deals[place.number - 1].deal
    values = form_values(kept) if isinstance(kept, Deal) else MultiDict()
    if (asked := seat_asked()) is not None:
        values["declarer"] = str(asked.value)
    if forgotten := request.args.get("double", ""):  # one that was found to be missing
        values.setlist("doubles", sorted({*values.getlist("doubles"), forgotten}))
    return render_template("deal.html", page=page_of(place, fresh(DealForm(values), place)))


@pages.post("/m/<slug>/deals/<deal_id>")
def change(slug: str, deal_id: str) -> ResponseReturnValue:
    """Correct a past deal once its effect was looked at; everything after it is computed anew."""
    by = require_score(slug).by
    place, form = place_meant(slug, deal_id), DealForm()
    body = deal_body(form, place.say.names)
    return _save(place, form, Save(_id(form), whole(form.seen.data), "correct", deal_id, body), by)


@pages.get("/m/<slug>/deals/<deal_id>/remove")
def ask_remove(slug: str, deal_id: str) -> ResponseReturnValue:
    """Ask before a deal is removed."""
    place = kept_place(slug, deal_id)
    if place.kept.closed or not access(slug).may_score:
        return redirect(url_for("table.table", slug=slug))
    return _ask_remove(place)


def _ask_remove(place: Place, *, wrong: str = "") -> str:
    """The page that asks, with the deal as it stands, what it does, and why it was not removed."""
    slug, seen = place.kept.slug, place.kept.revision
    told = in_words(place, place.kept.deals[place.number - 1].body)
    save = Save(new_key(), seen, "remove", place.deal_id)
    effect = None if place.kept.closed_at else effect_of(slug, save)
    page = RemovePage(slug, place.deal_id, place.number, told, effect, save.id, seen, wrong)
    return render_template("remove.html", page=page)


@pages.post("/m/<slug>/deals/<deal_id>/remove")
def remove(slug: str, deal_id: str) -> ResponseReturnValue:
    """Remove a deal; it stays in the record."""
    by = require_score(slug).by
    save = Save(request.form.get("id", ""), whole(request.form.get("seen")), "remove", deal_id)
    try:
        store().save(slug, save, by=by)
    except Closed:
        return _ask_remove(kept_place(slug, deal_id), wrong=told_closed(slug)), 409
    except (Refused, SaveConflict):
        wrong = gettext("Somebody else changed this deal meanwhile. It is now:")
        return _ask_remove(kept_place(slug, deal_id), wrong=wrong), 409
    return redirect(url_for("table.table", slug=slug))
