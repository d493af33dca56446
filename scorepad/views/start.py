"""Start a match: four names clockwise, first declarer or a draw, house rules; or a match file."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.carried import is_pdf, read_file
from scorepad.forms import StartForm
from scorepad.match import Match
from scorepad.matchfile import FORMAT, Reading, read_match, write_rules
from scorepad.matchfile.fields import MOST_BYTES
from scorepad.messages import Words
from scorepad.rules import STANDARD, Message, Rules
from scorepad.rulesform import RulesAsked, RulesForm, read_form
from scorepad.settings import csrf
from scorepad.standing import Problem
from scorepad.store import Brought, NotSaved
from scorepad.table import SEATS, PerSeat
from scorepad.views.common import allow_start, device_or_new, store, with_cookie, words
from scorepad.views.houserules import NOBODY, STANDARD_KEY, Offer, offers, rules_chosen, start_data
from scorepad.views.unsaved import UNAVAILABLE, errors_of_disk, sentence

pages = Blueprint("start", __name__)

DRAW = "draw"

#: What the button sends that only works out what the rules sum to, for a page without scripts.
SUMS = "sums"
FIRST = {str(s.value): s for s in SEATS}


@dataclass(frozen=True)
class StartPage:
    """The page that starts a match: its form, the rules to choose from and to change, and what is wrong."""

    form: StartForm
    offers: tuple[Offer, ...]
    rules: RulesAsked
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    file_problems: tuple[str, ...] = ()

    @property
    def data(self) -> Mapping[str, Any]:
        """What the page's script knows."""
        return start_data(self.offers)


def _asked(form: RulesForm, rules: Rules = STANDARD, **more: Any) -> RulesAsked:
    """The part of the page that asks for house rules of one's own."""
    return RulesAsked(form, rules, words(NOBODY), gettext("As chosen above"), **more)


def _empty(**more: Any) -> str:
    """The page with nothing typed in it."""
    page = StartPage(StartForm(formdata=None), tuple(offers()), _asked(RulesForm(), is_counted=False), **more)
    return render_template("new.html", page=page)


@pages.get("/new")
def new() -> str:
    """The empty form; `draw` in the address draws the first declarer anew."""
    return _empty()


@pages.post("/new")
def start() -> ResponseReturnValue:
    """Start the match, or show what is wrong beside the field; or only what the typed rules sum to."""
    csrf.protect()
    form, typed = StartForm(), RulesForm(request.form)
    chosen = form.preset.data or STANDARD_KEY
    base = rules_chosen(chosen)
    rules, wrong = read_form(typed, base or STANDARD, words(NOBODY))
    only_sums = request.form.get("do") == SUMS
    first = form.first.data or DRAW
    seat = secrets.choice(SEATS) if first == DRAW else FIRST.get(first)
    reading = read_match(_source(form, chosen if base is None else write_rules(base if wrong else rules)))
    errors = {} if only_sums else _errors(reading)
    if seat is None and not only_sums:
        errors["first"] = (gettext("Choose who declares first, or draw."),)
    if reading.match is None or seat is None or errors or wrong or only_sums:
        is_open = bool(wrong) or only_sums or rules != (base or STANDARD)
        asked = _asked(typed, rules, errors=wrong, is_open=is_open)
        page = StartPage(form, tuple(offers(chosen)), asked, errors)
        return render_template("new.html", page=page), 422 if errors or wrong else 200
    try:
        return _started(replace(reading.match, first_declarer=seat), drawn=first == DRAW)
    except NotSaved as failed:
        asked = _asked(typed, rules, is_open=rules != (base or STANDARD))
        page = StartPage(form, tuple(offers(chosen)), asked, errors_of_disk(failed))
        return render_template("new.html", page=page), UNAVAILABLE


def _source(form: StartForm, rules: Any) -> dict[str, Any]:
    """The match that the form describes, as a match file says it."""
    return {
        "format": FORMAT,
        "title": form.title.data or "",
        "place": form.place.data or "",
        "date": date.today().isoformat(),  # noqa: DTZ011  the day at the table
        "players": [form[f"name_{s.value}"].data or "" for s in SEATS],
        "rules": rules,
        "deals": [],
    }


def _started(match: Match, *, drawn: bool = False, brought: Brought | None = None) -> ResponseReturnValue:
    """Record the match for this device, and go to it."""
    allow_start()
    slug, _ = store().start(match, device=device_or_new(), brought=brought)
    return with_cookie(redirect(url_for("table.table", slug=slug, drawn="1" if drawn else None)))


def players_of(reading: Reading) -> PerSeat[str]:
    """The players a file or form names, as far as it does."""
    return reading.match.players if reading.match else NOBODY


def _errors(reading: Reading) -> dict[str, tuple[str, ...]]:
    """What is wrong, by the field it belongs beside."""
    names = players_of(reading)
    say, errors = words(names), dict[str, tuple[str, ...]]()
    for problem in reading.problems:
        values = problem.mistake.values
        if "seat" in values:
            where = f"name_{values['seat'].value}"
        elif problem.mistake.code == "names_alike":
            where = f"name_{max(s.value for s in SEATS if names[s] == values['name'])}"
        else:
            where = str(values.get("name", "preset"))
        errors[where] = (*errors.get(where, ()), say(problem.mistake.message))
    return errors


@pages.post("/import")
def bring() -> ResponseReturnValue:
    """Start a match from a match file, or from the PDF of a sheet that carries one."""
    csrf.protect()
    data = _sent()
    reading = read_file(data)
    if reading.match is None or reading.problems:
        say = words(players_of(reading))
        told = tuple(told_problem(p, say) for p in reading.problems)
        return _empty(file_problems=told), 422
    try:
        return _started(reading.match, brought=Brought.SHEET if is_pdf(data) else Brought.FILE)
    except NotSaved as failed:
        return _empty(file_problems=(sentence(failed),)), UNAVAILABLE


def _sent() -> bytes:
    """The file that was sent, no further than it is looked at."""
    if (file := request.files.get("file")) is None:
        return b""
    with file.stream as stream:
        return bytes(stream.read(MOST_BYTES + 1))


def told_problem(problem: Problem, say: Words) -> str:
    """A problem of a file with the deal it stands in."""
    sentence = say(problem.mistake.message)
    if problem.deal is None:
        return sentence
    return say(Message("in_deal", {"number": problem.deal, "sentence": sentence}))
