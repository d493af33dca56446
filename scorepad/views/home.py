"""The matches this device holds."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, jsonify, render_template
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf

from scorepad.standing import Standing
from scorepad.store import KeptMatch
from scorepad.views.common import device, store
from scorepad.views.phone import waiting_texts

pages = Blueprint("home", __name__)
pages.add_app_template_global(waiting_texts)


@dataclass(frozen=True)
class HomePage:
    """The home page: the matches of this device and nobody else's, and whether some are in the bin."""

    matches: list[tuple[KeptMatch, Standing]]
    has_deleted: bool


@pages.get("/")
def home() -> str:
    """The matches of this device, and a way to start one."""
    ours = device()
    page = HomePage(store().matches_of(ours), bool(store().bin_of(ours)))
    return render_template("home.html", page=page)


@pages.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Whether the server and its database answer."""
    store().device("")
    return jsonify({"ok": True})


@pages.get("/csrf")
def token() -> ResponseReturnValue:
    """A fresh token for a save that has waited on the phone."""
    answer = jsonify({"token": generate_csrf()})
    answer.headers["Cache-Control"] = "no-store"
    return answer
