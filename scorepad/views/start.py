"""Start a match: four names clockwise, first declarer or a draw, a preset of house rules; or a match file."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.contracts import match_total
from scorepad.forms import StartForm
from scorepad.match import Match
from scorepad.matchfile import FORMAT, Reading, read, read_match
from scorepad.messages import PRESET_ABOUT, PRESET_NAMES, Words
from scorepad.rules import PRESETS, Message
from scorepad.settings import csrf
from scorepad.standing import Problem
from scorepad.table import SEATS, PerSeat
from scorepad.views.common import allow_start, device_or_new, store, with_cookie, words

pages = Blueprint("start", __name__)

DRAW = "draw"
FIRST = {str(s.value): s for s in SEATS}


@dataclass(frozen=True)
class StartPage:
    """The page that starts a match: its form, the presets, and what is wrong."""

    form: StartForm
    presets: tuple[tuple[str, str, int], ...]
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=lambda: PRESET_ABOUT)
    file_problems: tuple[str, ...] = ()


def presets() -> tuple[tuple[str, str, int], ...]:
    """Each preset with its name and what a match of it sums to."""
    return tuple((key, PRESET_NAMES[key], match_total(rules)) for key, rules in PRESETS.items())


@pages.get("/new")
def new() -> str:
    """The empty form; `draw` in the address draws the first declarer anew."""
    form = StartForm(formdata=None)
    return render_template("new.html", page=StartPage(form, presets()))


@pages.post("/new")
def start() -> ResponseReturnValue:
    """Start the match, or show what is wrong beside the field."""
    csrf.protect()
    form = StartForm()
    names = [form[f"name_{s.value}"].data or "" for s in SEATS]
    first = form.first.data or DRAW
    seat = secrets.choice(SEATS) if first == DRAW else FIRST.get(first)
    source = {
        "format": FORMAT,
        "title": form.title.data or "",
        "place": form.place.data or "",
        "date": date.today().isoformat(),  # noqa: DTZ011  the day at the table
        "players": names,
        "rules": form.preset.data or "standard",
        "deals": [],
    }
    reading = read_match(source)
    if reading.match is None or reading.problems or seat is None:
        errors = _errors(reading)
        if seat is None:
            errors["first"] = (gettext("Choose who declares first, or draw."),)
        return render_template("new.html", page=StartPage(form, presets(), errors)), 422
    match = replace(reading.match, first_declarer=seat)
    return _started(match, drawn=first == DRAW)


def _started(match: Match, *, drawn: bool = False) -> ResponseReturnValue:
    """Record the match for this device, and go to it."""
    allow_start()
    slug, _ = store().start(match, device=device_or_new())
    return with_cookie(redirect(url_for("table.table", slug=slug, drawn="1" if drawn else None)))


def _players(reading: Reading) -> PerSeat[str]:
    """The players a file or form names, as far as it does."""
    return reading.match.players if reading.match else PerSeat("", "", "", "")


def _errors(reading: Reading) -> dict[str, tuple[str, ...]]:
    """What is wrong, by the field it belongs beside."""
    names = _players(reading)
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
    """Start a match from a match file."""
    csrf.protect()
    file = request.files.get("file")
    reading = read(file.read() if file else b"")
    if reading.match is None or reading.problems:
        say = words(_players(reading))
        told = tuple(_told(p, say) for p in reading.problems)
        page = StartPage(StartForm(formdata=None), presets(), file_problems=told)
        return render_template("new.html", page=page), 422
    return _started(reading.match)


def _told(problem: Problem, say: Words) -> str:
    """A problem of a file with the deal it stands in."""
    sentence = say(problem.mistake.message)
    if problem.deal is None:
        return sentence
    return say(Message("in_deal", {"number": problem.deal, "sentence": sentence}))
