"""Deleting a match: asked by name, done by who may score it, and taken back within 30 days."""

from __future__ import annotations

import sqlite3
import unicodedata
from dataclasses import dataclass, field

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.match import Match
from scorepad.messages import Words
from scorepad.standing import Standing
from scorepad.store import Binned, DeletedMatch
from scorepad.store.bin import DAYS_IN_BIN
from scorepad.views.common import access, device, require_score, store, words
from scorepad.views.errors import answer, error_json
from scorepad.views.sheet import maker

pages = Blueprint("deleting", __name__)


@dataclass(frozen=True)
class DeletePage:
    """Asks before a match is deleted: what goes, and for its name."""

    slug: str
    standing: Standing
    say: Words
    days: int = DAYS_IN_BIN
    typed: str = ""
    errors: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class BinPage:
    """The deleted matches that this device can take back."""

    matches: list[Binned]


@pages.before_app_request
def empty_bin() -> None:
    """Once a day: what has been in the bin for 30 days is gone; a request never fails for it."""
    try:
        gone = store().empty_bin_daily()
    except sqlite3.Error as error:
        current_app.logger.warning("the bin was not emptied: %s", error)
        return
    if gone:
        maker().forget(days=DAYS_IN_BIN)


@pages.get("/m/<slug>/delete")
def ask(slug: str) -> ResponseReturnValue:
    """Ask before anything is deleted; who may not score is led to the table."""
    _, where = store().standing(slug)
    if not access(slug).may_score:
        return redirect(url_for("table.table", slug=slug))
    return render_template("delete.html", page=DeletePage(slug, where, words(where.match.names)))


@pages.post("/m/<slug>/delete")
def delete(slug: str) -> ResponseReturnValue:
    """Put the match into the bin if it was named."""
    require_score(slug)
    _, where = store().standing(slug)
    typed = request.form.get("name", "")
    if plain(typed) not in names_of(where.match):
        told = (
            gettext("That is neither its title nor one of its players.")
            if where.match.title
            else gettext("That is none of its players.")
        )
        page = DeletePage(slug, where, words(where.match.names), typed=typed, errors={"name": (told,)})
        return render_template("delete.html", page=page), 422
    store().delete(slug)
    return redirect(url_for("deleting.bin_of_matches"))


@pages.post("/m/<slug>/take-back")
def take_back(slug: str) -> ResponseReturnValue:
    """Take the match out of the bin, and go to its table."""
    require_score(slug)
    store().take_back(slug)
    return redirect(url_for("table.table", slug=slug))


@pages.get("/bin")
def bin_of_matches() -> str:
    """The deleted matches of this device."""
    return render_template("bin.html", page=BinPage(store().bin_of(device())))


@pages.app_errorhandler(DeletedMatch)
def deleted(error: DeletedMatch) -> ResponseReturnValue:
    """What stands at the address of a match in the bin: how to take it back, or nothing for others."""
    slug = str(error)
    binned = store().binned(slug) if access(slug).may_score else None
    if binned is None:
        return answer(404)
    if not request.path.startswith("/api/"):
        return render_template("deleted.html", page=binned), 410
    message = gettext(
        "This match was deleted on %(day)s. Whoever kept its score can take it back until %(until)s.",
        day=binned.deleted_on,
        until=binned.until,
    )
    return error_json(410, "deleted", message)


def names_of(match: Match) -> set[str]:
    """What a match is called by when it is to be deleted: its title, a player, or the first word of one."""
    players = [*match.players, *match.names]
    named = [match.title, *players, *(name.split()[0] for name in players)]
    return {plain(name) for name in named} - {""}


def plain(text: str) -> str:
    """A name as it may be typed at night: without accents, capitals, and signs that are not seen."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    seen = "".join(c for c in apart if unicodedata.category(c) not in {"Mn", "Cf"})
    return " ".join(seen.split()) or text.strip()
