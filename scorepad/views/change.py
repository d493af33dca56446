"""Put something right beside the deals: what it does to the totals is shown before it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.matchfile import write_rules
from scorepad.messages import Words
from scorepad.rulesform import RulesAsked
from scorepad.standing import DealResult, Problem, Standing
from scorepad.store import Closed, KeptMatch, NotSaved, Refused, Save, SaveConflict
from scorepad.store.access import new_key
from scorepad.table import SEATS, Seat
from scorepad.views.changes import KINDS, Kind, NotRead, rules_form
from scorepad.views.common import access, not_found, require_score, store, told_closed, words
from scorepad.views.dealform import whole
from scorepad.views.effects import Effect, effect_of
from scorepad.views.houserules import rules_texts
from scorepad.views.unsaved import UNAVAILABLE, errors_of_disk

pages = Blueprint("change", __name__)


@dataclass(frozen=True)
class ChangePage:
    """A form that changes the match, what is wrong with what was entered, and what it would do."""

    slug: str
    kind: Kind
    kept: KeptMatch
    standing: Standing
    say: Words
    values: Mapping[str, Any]
    id: str
    seen: int
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    effect: Effect | None = None
    seats: tuple[Seat, ...] = SEATS

    @property
    def rules(self) -> RulesAsked:
        """The fields of the house rules."""
        form = rules_form(dict(self.values))
        return RulesAsked(form, self.standing.match.rules, self.say, gettext("As now"), errors=self.errors)

    @property
    def data(self) -> dict[str, Any]:
        """What the page's script has to know."""
        return {"rules": write_rules(self.standing.match.rules), "texts": rules_texts()}

    @property
    def by_id(self) -> dict[str, DealResult]:
        """Each deal by its id."""
        return {d.deal_id: r for d, r in zip(self.kept.deals, self.standing.deals, strict=False)}


@dataclass(frozen=True)
class ChangesPage:
    """Everything that can be put right."""

    slug: str
    title: str
    kinds: tuple[Kind, ...]
    deals: int


@pages.get("/m/<slug>/change")
def changes(slug: str) -> ResponseReturnValue:
    """What can be put right."""
    kept, where = store().standing(slug)
    if kept.closed or not access(slug).may_score:
        return redirect(url_for("table.table", slug=slug))
    kinds = tuple(kind for kind in KINDS.values() if kind.fits(where))
    return render_template("changes.html", page=ChangesPage(slug, where.match.title, kinds, len(kept.deals)))


@pages.get("/m/<slug>/change/<kind>")
def ask(slug: str, kind: str) -> ResponseReturnValue:
    """The form of one kind of change, filled in with what stands."""
    if kind not in KINDS:
        not_found()
    kept, where = store().standing(slug)
    if kept.closed or not access(slug).may_score:
        return redirect(url_for("table.table", slug=slug))
    tried_out = {name: value for name, value in request.args.items() if name in {"per_point", "currency"}}
    page = _page(kept, where, KINDS[kind], KINDS[kind].stands(kept, where) | tried_out)
    return render_template("change.html", page=page)


@pages.post("/m/<slug>/change/<kind>")
def change(slug: str, kind: str) -> ResponseReturnValue:
    """Show what the change would do; save it once that has been seen."""
    by = require_score(slug).by
    if kind not in KINDS:
        not_found()
    kept, where = store().standing(slug)
    one, values = KINDS[kind], request.form.to_dict()
    made: dict[str, Any] = {"id": request.form.get("id", ""), "seen": whole(request.form.get("seen"))}

    def again(status: int, **more: Any) -> ResponseReturnValue:
        page = _page(kept, where, one, values, **{**made, **more})
        return render_template("change.html", page=page), status

    try:
        body = one.read(values, kept, where)
    except NotRead as wrong:
        return again(422, errors=wrong.errors)
    save = Save(made["id"], made["seen"], one.action, deal=body)
    try:
        effect = effect_of(slug, save)
        if values.get("do") != "save" or values.get("looked") != effect.looked:
            return again(200, effect=effect)
        store().save(slug, save, by=by)
    except Refused as refused:
        return again(422, errors=errors_of_match(refused.problems, words(where.match.names)))
    except Closed:
        return again(409, errors={"form": (told_closed(slug),)})
    except SaveConflict:
        changed = gettext("Somebody else changed the match meanwhile. Look at it once more.")
        return again(409, errors={"form": (changed,)}, id=new_key(), seen=kept.revision)
    except NotSaved as failed:
        return again(UNAVAILABLE, errors=errors_of_disk(failed), effect=effect)
    return redirect(url_for("table.table", slug=slug))


def _page(kept: KeptMatch, where: Standing, kind: Kind, values: Mapping[str, Any], **more: Any) -> ChangePage:
    """The page of a change, with a new id when none was sent."""
    made = {"id": new_key(), "seen": kept.revision, **more}
    return ChangePage(kept.slug, kind, kept, where, words(where.match.names), values, **made)


def errors_of_match(problems: tuple[Problem, ...], say: Words) -> dict[str, tuple[str, ...]]:
    """What is wrong, those of the match first; deals are named by their numbers."""
    of_match = [say(p.mistake.message) for p in problems if p.deal is None]
    of_deals = [
        gettext("Deal %(number)s: %(sentence)s", number=p.deal, sentence=say(p.mistake.message))
        for p in problems
        if p.deal is not None
    ]
    return {"form": tuple(dict.fromkeys(of_match or of_deals))}
