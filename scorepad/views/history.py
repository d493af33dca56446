"""The history of a match: every row in words, what stood brought back, and the last save undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorepad.match import LONGEST_NAME, NameNotPrintable, NameTooLong
from scorepad.store import Change, Closed, Refused, Save, SaveConflict, Side, Step
from scorepad.store.access import new_key
from scorepad.store.history import SIDES, bring_back, ids_of, undo
from scorepad.views.change import errors_of_match
from scorepad.views.common import access, not_found, require_score, store, told_closed, words
from scorepad.views.dealform import whole
from scorepad.views.effects import Effect, effect_of
from scorepad.views.told import Teller, Told, called

pages = Blueprint("history", __name__)


@dataclass(frozen=True)
class HistoryPage:
    """Every row of a match in words, or those of one deal; what the devices that saved are called."""

    slug: str
    title: str
    told: tuple[Told, ...]
    deal: int | None
    is_of_deal: bool
    devices: tuple[tuple[str, str], ...]
    may_score: bool
    closed: bool
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class BackPage:
    """Asks before something is brought back: what, what it does to the totals, and what came in between.

    `side` is what comes back, none when a save is undone.
    """

    slug: str
    step: Told
    side: Side | None
    id: str
    seen: int
    effect: Effect | None = None
    is_so: bool = False
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wanted: Told | None = None
    meanwhile: tuple[Told, ...] = ()


def _teller(slug: str, asking: str) -> Teller:
    """The rows of a match, with what their devices are called."""
    rows = store().history(slug)
    return Teller(rows, called(rows, store().device_names(slug), asking))


@pages.get("/m/<slug>/history")
def history(slug: str) -> str:
    """Every row of the record, the newest first."""
    asked = access(slug)
    return render_template("history.html", page=_history_page(slug, asked.by, may_score=asked.may_score))


def _history_page(slug: str, by: str, *, may_score: bool, **more: Any) -> HistoryPage:
    """What the history shows; that of one deal when the address asks for it."""
    kept, where = store().standing(slug)
    teller, deal_id = _teller(slug, by), request.args.get("deal", "")
    ids = ids_of(teller.rows, deal_id)
    rows = [step for step in reversed(teller.rows) if not deal_id or step.is_about(ids)]
    number = next((n for n, d in enumerate(kept.deals, 1) if d.deal_id in ids), None)
    told = tuple(teller.told(step) for step in rows)
    given = store().device_names(slug)
    devices = tuple((name, given.get(who, "")) for who, name in teller.names.items())
    return HistoryPage(
        slug, where.match.title, told, number, bool(deal_id), devices, may_score, kept.closed, **more
    )


@pages.post("/m/<slug>/history/names")
def name_devices(slug: str) -> ResponseReturnValue:
    """Give the devices names; an empty one takes it away."""
    by = require_score(slug).by
    saved = tuple(_teller(slug, by).names)
    names = {
        who: request.form[f"name_{n}"].strip() for n, who in enumerate(saved) if f"name_{n}" in request.form
    }
    say, errors = words(store().standing(slug)[1].match.names), {}
    for n, who in enumerate(saved):
        name = names.get(who, "")
        if len(name) > LONGEST_NAME:
            errors[f"name_{n}"] = (say(NameTooLong(most=LONGEST_NAME).message),)
        elif not name.isprintable():
            errors[f"name_{n}"] = (say(NameNotPrintable().message),)
    if errors:
        page = _history_page(slug, by, may_score=True, errors=errors)
        return render_template("history.html", page=page), 422
    store().name_devices(slug, names)
    return redirect(url_for("history.history", slug=slug))


# Bringing back


@pages.get("/m/<slug>/history/<int:revision>/<side>")
def ask_back(slug: str, revision: int, side: str) -> ResponseReturnValue:
    """Show what bringing this back would do."""
    step = _step(slug, revision, side)
    if not (asked := access(slug)).may_score:
        return redirect(url_for("history.history", slug=slug))
    return _ask(slug, _teller(slug, asked.by), step.revision, Side(side))


@pages.post("/m/<slug>/history/<int:revision>/<side>")
def bring(slug: str, revision: int, side: str) -> ResponseReturnValue:
    """Bring it back, as a new row."""
    by = require_score(slug).by
    step = _step(slug, revision, side)
    rows, seen = store().history(slug), whole(request.form.get("seen"))
    change = bring_back(step, Side(side), rows[seen - 1].after) if 1 <= seen <= len(rows) else None
    return _make(slug, change, seen, by, step.revision, Side(side))


def _step(slug: str, revision: int, side: str) -> Step:
    """A row of the record; ends the request with 404 where there is nothing to bring back."""
    rows = store().history(slug)
    if not 1 <= revision <= len(rows) or side not in SIDES[rows[revision - 1].action]:
        not_found()
    return rows[revision - 1]


@pages.get("/m/<slug>/undo")
def ask_undo(slug: str) -> ResponseReturnValue:
    """Ask before the last save is undone."""
    asked = access(slug)
    teller = _teller(slug, asked.by)
    if not asked.may_score or undo(teller.rows[-1]) is None:
        return redirect(url_for("table.table", slug=slug))
    return _ask(slug, teller, len(teller.rows))


@pages.post("/m/<slug>/undo")
def undo_last(slug: str) -> ResponseReturnValue:
    """Undo the save that was looked at, if it is still the last."""
    by = require_score(slug).by
    rows, seen = store().history(slug), whole(request.form.get("seen"))
    change = undo(rows[seen - 1]) if 1 <= seen <= len(rows) else None
    return _make(slug, change, seen, by, len(rows))


def _make(
    slug: str, change: Change | None, seen: int, by: str, revision: int, side: Side | None = None
) -> ResponseReturnValue:
    """Save what was looked at; where anything was saved meanwhile, show both and ask anew."""
    if change is None:
        return _ask(slug, _teller(slug, by), revision, side), 409
    try:
        store().save(slug, change.save(request.form.get("id", ""), seen), by=by, nothing_since=True)
    except Refused as refused:
        return _ask(slug, _teller(slug, by), revision, side, refused), 422
    except Closed:
        return _ask(slug, _teller(slug, by), seen if side is None else revision, side), 409
    except SaveConflict:
        teller = _teller(slug, by)
        wanted = teller.rows[(seen if side is None else revision) - 1]
        shown: dict[str, Any] = {
            "wanted": teller.told(wanted),
            "meanwhile": tuple(teller.told(step) for step in teller.rows[seen:]),
        }
        return _ask(slug, teller, len(teller.rows) if side is None else revision, side, **shown), 409
    return redirect(url_for("table.table", slug=slug))


def _ask(
    slug: str,
    teller: Teller,
    revision: int,
    side: Side | None = None,
    refused: Refused | None = None,
    **more: Any,
) -> str:
    """The page that asks, about the match as it now stands."""
    step, now = teller.rows[revision - 1], teller.rows[-1].after
    change = undo(step) if side is None else bring_back(step, side, now)
    made: dict[str, Any] = {"id": new_key(), "seen": now.revision, "is_so": change is None, **more}
    try:
        if change and not refused:
            made["effect"] = effect_of(slug, Save(made["id"], now.revision, *change))
    except Closed:
        made["errors"] = {"form": (told_closed(slug),)}
    except Refused as error:
        refused = error
    if refused:
        made["errors"] = errors_of_match(refused.problems, words(teller.where(now).match.names))
    return render_template("back.html", page=BackPage(slug, teller.told(step), side, **made))
