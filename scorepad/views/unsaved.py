"""What is told when the disk does not take a save: nothing was written, and the same can be sent again."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass

from flask import Flask, Response, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.messages import N_
from scorepad.store import NotSaved, Trouble
from scorepad.store.trouble import trouble_of
from scorepad.views.common import store
from scorepad.views.errors import answer, error_json

log = logging.getLogger(__name__)

UNAVAILABLE = 503
#: Seconds after which a script may try again.
AGAIN_IN = "10"

#: What keeps the server from saving.
WHY = {
    Trouble.DISK_FULL: N_("Not saved: the disk of the server is full."),
    Trouble.READ_ONLY: N_("Not saved: the server may not write to its database."),
    Trouble.BUSY: N_("Not saved: the server was too busy."),
    Trouble.DISK_FAILED: N_("Not saved: the server could not write to its disk."),
}

#: What to do about it, and who has to.
TO_DO = {
    Trouble.DISK_FULL: N_(
        "Whoever runs it has to make room; then send this again. Nothing you entered is lost."
    ),
    Trouble.READ_ONLY: N_(
        "Whoever runs it has to allow it; then send this again. Nothing you entered is lost."
    ),
    Trouble.BUSY: N_("Send this again. Nothing you entered is lost."),
    Trouble.DISK_FAILED: N_(
        "Whoever runs it has to look after the disk; then send this again. Nothing you entered is lost."
    ),
}


@dataclass(frozen=True)
class UnsavedPage:
    """What was entered, ready to be sent again to the same address, and the match it was about."""

    why: str
    to_do: str
    fields: tuple[tuple[str, str], ...]
    slug: str


def sentence(failed: NotSaved) -> str:
    """Why nothing was saved and what to do, for the form it came from."""
    return f"{gettext(WHY[failed.trouble])} {gettext(TO_DO[failed.trouble])}"


def errors_of_disk(failed: NotSaved) -> dict[str, tuple[str, ...]]:
    """The same above a form that is shown again."""
    return {"form": (sentence(failed),)}


def register(app: Flask) -> None:
    """Answer what could not be saved, or read, in one way."""

    @app.errorhandler(NotSaved)
    def not_saved(failed: NotSaved) -> ResponseReturnValue:
        return _again_later(_json(failed) if request.path.startswith("/api/") else _page(failed))

    @app.errorhandler(sqlite3.Error)
    def not_read(error: sqlite3.Error) -> ResponseReturnValue:
        if trouble_of(error) is None:
            raise error
        log.error("matches cannot be read: %s", error)
        return _again_later(answer(UNAVAILABLE))

    @app.teardown_appcontext
    def let_go(_error: BaseException | None) -> None:
        store().database.let_go()


def _again_later(told: ResponseReturnValue) -> Response:
    """An answer that says when to try again."""
    made = make_response(told)
    made.headers["Retry-After"] = AGAIN_IN
    return made


def _json(failed: NotSaved) -> ResponseReturnValue:
    """What a script is told, and the phone tells."""
    return error_json(UNAVAILABLE, "not_saved", gettext(WHY[failed.trouble]), reason=failed.trouble.value)


def _page(failed: NotSaved) -> ResponseReturnValue:
    """A page that sends the same again, for whatever form has none of its own to show."""
    fields = tuple((name, value) for name, value in request.form.items(multi=True) if name != "csrf_token")
    slug = str((request.view_args or {}).get("slug", ""))
    page = UnsavedPage(gettext(WHY[failed.trouble]), gettext(TO_DO[failed.trouble]), fields, slug)
    return render_template("not_saved.html", page=page), UNAVAILABLE
