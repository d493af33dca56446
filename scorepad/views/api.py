"""The JSON API of design.md: what the phone's own modules use, and scripts may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.figures import problem_json, standing_json
from scorepad.match import Match
from scorepad.matchfile import parse, read_match, write_match
from scorepad.matchfile.fields import Fields, UnknownValue, text, whole, yes_or_no
from scorepad.messages import N_
from scorepad.rules import RuleError
from scorepad.settings import csrf
from scorepad.standing import Problem
from scorepad.store import Closed, Draft, DraftTaken, KeptMatch, Refused, Save, SaveConflict
from scorepad.store.record import tidy_deal
from scorepad.store.saving import problems_of_open
from scorepad.table import SEATS, PerSeat
from scorepad.views.common import (
    CLOSED,
    DEVICE_COOKIE,
    access,
    allow_start,
    bearer,
    device,
    live_tag,
    plain_words,
    require_score,
    store,
)
from scorepad.views.effects import effect_of
from scorepad.views.errors import answer, error_json
from scorepad.views.phone import match_now

pages = Blueprint("api", __name__, url_prefix="/api")

CONFLICTS = {
    "stale": N_("Somebody else changed this deal meanwhile. Look at both, then save yours again."),
    "id_reused": N_("This deal was saved already, with other figures. Save it as a correction."),
    "draft_taken": N_("Another phone has changed the open deal meanwhile."),
}

NOBODY = PerSeat("", "", "", "")
STATUS = {"file_too_large": 413, "file_not_json": 400, "file_not_utf8": 400, "field_twice": 400}


@pages.errorhandler(SaveConflict)
def conflict(error: SaveConflict) -> ResponseReturnValue:
    """Both versions, for the table to choose."""
    more = {
        "yours": error.yours,
        "theirs": error.theirs,
        "revision": error.revision,
        "deal_id": error.deal_id,
    }
    return error_json(409, error.code, gettext(CONFLICTS[error.code]), **more)


@pages.errorhandler(Closed)
def closed(_error: Closed) -> ResponseReturnValue:
    """The match is closed, whatever was to be written."""
    return error_json(409, "closed", gettext(CLOSED))


@pages.errorhandler(DraftTaken)
def taken(error: DraftTaken) -> ResponseReturnValue:
    """The open deal as another phone left it, or this one whose answer was lost."""
    slug = str((request.view_args or {})["slug"])
    more = draft_json(error.draft) | {"mine": error.draft.holder == access(slug).by}
    return error_json(409, "draft_taken", gettext(CONFLICTS["draft_taken"]), **more)


def draft_json(draft: Draft) -> dict[str, Any]:
    """The open deal beside the record."""
    return {"draft": draft.version, "spoken": draft.spoken, "deal": draft.deal}


def refused(problems: tuple[Problem, ...], names: PerSeat[str] = NOBODY) -> ResponseReturnValue:
    """Everything that is wrong."""
    status = STATUS.get(problems[0].mistake.code, 422) if problems else 422
    say = plain_words(names)
    told = [problem_json(p, say) | {"field": p.mistake.field} for p in problems]
    code = problems[0].mistake.code if status != 422 else "problems"
    return error_json(status, code, told[0]["message"] if told else "", told)


def body() -> Any:
    """The JSON that was sent; raises a RuleError that says why it is none."""
    return parse(request.get_data())


def is_json() -> bool:
    """Whether the request says that it sends JSON."""
    return request.mimetype == "application/json"


@pages.post("/matches")
def start() -> ResponseReturnValue:
    """Start a match from a match file."""
    ours = device()
    if request.cookies.get(DEVICE_COOKIE) and bearer() is None:
        csrf.protect()
    if not is_json():
        return answer(415)
    try:
        reading = read_match(body())
    except RuleError as mistake:
        return refused((Problem(None, mistake),))
    if reading.match is None or reading.problems:
        return refused(reading.problems, reading.match.players if reading.match else NOBODY)
    allow_start()
    slug, key = store().start(reading.match, device=ours)
    made = {
        "slug": slug,
        "watch_url": url_for("table.table", slug=slug, _external=True),
        "score_url": url_for("join.ask", key=key, _external=True),
        "score_key": key,
        "revision": store().load(slug).revision,
    }
    return jsonify(made), 201, {"Location": url_for("api.match", slug=slug)}


@pages.get("/matches/<slug>")
def match(slug: str) -> ResponseReturnValue:
    """The match file, the open deal last in it, with its revision."""
    kept, where, draft = store().standing_with_draft(slug)
    made = jsonify({**write_match(where.match), "revision": kept.revision})
    return _with_etag(made, kept, draft)


@pages.get("/matches/<slug>/score")
def score(slug: str) -> ResponseReturnValue:
    """The figures, each deal's id, and the open deal."""
    kept, where, draft = store().standing_with_draft(slug)
    say = plain_words(where.match.players)
    figures = standing_json(where, say)
    ids = [d.deal_id for d in kept.deals]
    for line, deal_id in zip(figures["deals"], [*ids, None], strict=False):
        line["deal_id"] = deal_id
    figures |= {"revision": kept.revision, "closed": kept.closed, "open": draft_json(draft)}
    return _with_etag(jsonify(figures), kept, draft)


@pages.get("/matches/<slug>/now")
def now(slug: str) -> ResponseReturnValue:
    """The match, each deal's id, the open deal, what this device may do: what a phone goes on from."""
    kept, where = store().standing(slug)
    draft, asked = store().draft(slug), access(slug)
    return _with_etag(jsonify(match_now(kept, where, draft, asked)), kept, draft)


def _with_etag(made: Response, kept: KeptMatch, draft: Draft) -> ResponseReturnValue:
    """An answer that costs nothing when it has been seen."""
    made.set_etag(live_tag(kept, draft, store().beside(kept.slug), access(kept.slug)))
    return made.make_conditional(request)


def _save(slug: str, action: str, deal_id: str = "", *, only_look: bool = False) -> ResponseReturnValue:
    """Add, correct or remove a deal, or only look what that does; sent again, it answers the same."""
    by = require_score(slug).by
    if not is_json():
        return answer(415)
    names = store().standing(slug)[1].match.players
    try:
        save = _read_save(action, deal_id)
    except RuleError as mistake:
        return refused((Problem(None, mistake),), names)
    if not isinstance(save, Save):
        return refused(save, names)
    try:
        if only_look:
            effect = effect_of(slug, save)
            totals = [(before, after) for _, before, after in effect.totals]
            return jsonify({"totals": totals, "further": effect.further})
        saved = store().save(slug, save, by=by)
    except Refused as error:
        return refused(error.problems, names)
    status = 201 if action == "add" and saved.is_new else 200
    return jsonify({"deal": saved.deal, "deal_id": saved.deal_id, "revision": saved.revision}), status


def _read_save(action: str, deal_id: str) -> Save | tuple[Problem, ...]:
    """What is asked for, or everything wrong with the asking."""
    mistakes: list[RuleError] = []
    sent = Fields(body(), "save", mistakes)
    sent.need("id", "seen", *([] if action == "remove" else ["deal"]))
    save = Save(
        sent.read("id", text, ""),
        sent.read("seen", whole, 0),
        action,
        deal_id,
        None if action == "remove" else sent.read("deal", lambda _, v: v, {}),
        sent.read("number", whole, None) if action == "add" else None,
    )
    sent.end()
    return tuple(Problem(None, m) for m in mistakes) or save


@pages.post("/matches/<slug>/deals")
def add(slug: str) -> ResponseReturnValue:
    """Save the next deal."""
    return _save(slug, "add")


@pages.put("/matches/<slug>/deals/<deal_id>")
def correct(slug: str, deal_id: str) -> ResponseReturnValue:
    """Correct a deal."""
    return _save(slug, "correct", deal_id)


@pages.post("/matches/<slug>/deals/<deal_id>/effect")
def effect_of_correction(slug: str, deal_id: str) -> ResponseReturnValue:
    """What a correction would do: each total before and after, by seats, and what doubles mean otherwise."""
    return _save(slug, "correct", deal_id, only_look=True)


@pages.delete("/matches/<slug>/deals/<deal_id>")
def remove(slug: str, deal_id: str) -> ResponseReturnValue:
    """Remove a deal; it stays in the history."""
    return _save(slug, "remove", deal_id)


@pages.put("/matches/<slug>/open")
def write_open(slug: str) -> ResponseReturnValue:
    """Keep the open deal as it stands."""
    return _open(slug, lambda sent: sent.read("deal", lambda _, v: v, None))


@pages.delete("/matches/<slug>/open")
def drop_open(slug: str) -> ResponseReturnValue:
    """Drop the open deal."""
    return _open(slug, lambda _: None)


def _open(slug: str, deal_of: Callable[[Fields], Any]) -> ResponseReturnValue:
    """Write or drop the open deal."""
    by = require_score(slug).by
    if not is_json():
        return answer(415)
    kept, where = store().standing(slug)
    names, mistakes = where.match.players, list[RuleError]()
    try:
        sent = Fields(body(), "open", mistakes)
    except RuleError as mistake:
        return refused((Problem(None, mistake),), names)
    sent.need("draft")
    version, spoken = sent.read("draft", whole, 0), sent.read("spoken", _spoken, 0)
    take_over = sent.read("take_over", yes_or_no, False)
    deal = deal_of(sent)
    sent.known.add("deal")
    sent.end()
    problems = tuple(Problem(None, m) for m in mistakes)
    if not problems and request.method == "PUT":
        deal, problems = _open_deal(kept, where.match, deal)
    if problems:
        return refused(problems, names)
    written = store().write_draft(slug, version, Draft(0, by, spoken, deal), take_over=take_over)
    return jsonify({"draft": written.version})


def _spoken(name: str, value: Any) -> int:
    """How many players have spoken."""
    spoken, possible = whole(name, value), range(len(SEATS) + 1)
    if spoken not in possible:
        raise UnknownValue(name=name, found=str(spoken), allowed=tuple(str(n) for n in possible))
    return spoken


def _open_deal(kept: KeptMatch, match: Match, deal: Any) -> tuple[Any, tuple[Problem, ...]]:
    """The open deal as it is kept, and everything wrong with it."""
    tidy = tidy_deal(match, deal)
    return tidy, problems_of_open(kept, tidy)
