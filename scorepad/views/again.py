"""Again with these four: a match that is over is followed by one with the same players and rules."""

from __future__ import annotations

import secrets
from datetime import date

from flask import Blueprint, abort, redirect, url_for
from flask.typing import ResponseReturnValue

from scorepad.match import Match
from scorepad.table import SEATS
from scorepad.views.common import allow_start, device, require_score, store

pages = Blueprint("again", __name__)


def following(match: Match) -> Match:
    """The next match of the same four: their seats, rules and stake, today, the first declarer drawn."""
    return Match(
        match.names,
        secrets.choice(SEATS),
        match.rules,
        title=match.title,
        date=date.today().isoformat(),  # noqa: DTZ011  the day at the table
        place=match.place,
        stake=match.stake,
    )


@pages.post("/m/<slug>/again")
def again(slug: str) -> ResponseReturnValue:
    """Start the match that follows this one, once: whoever taps after that is led to the same match."""
    require_score(slug)
    _, where = store().standing(slug)
    if not where.is_over:
        abort(400)
    if not (started := store().beside(slug).again):
        allow_start()
        started = store().start_again(slug, following(where.match), device=device())
    return redirect(url_for("table.table", slug=started, drawn=1))
