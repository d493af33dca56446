"""The rules card: of the presets, and of one match."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request
from flask_babel import gettext

from scorepad.card import Card, card
from scorepad.messages import PRESET_NAMES
from scorepad.rules import PRESETS
from scorepad.table import PerSeat
from scorepad.views.common import not_found, store, words

pages = Blueprint("card", __name__)

STANDARD = "standard"

#: On the card nobody has a name.
NOBODY = PerSeat.all("")


@dataclass(frozen=True)
class CardPage:
    """A rules card: that of a match (`slug`), or that of a preset, with the other presets to choose."""

    card: Card
    slug: str = ""
    title: str = ""
    preset: str = ""
    presets: tuple[tuple[str, str], ...] = ()


@pages.get("/rules")
def rules() -> str:
    """The card of a preset, Standard unless the address names another."""
    preset = request.args.get("preset", STANDARD)
    if preset not in PRESETS:
        not_found()
    names = tuple((key, gettext(name)) for key, name in PRESET_NAMES.items())
    page = CardPage(card(PRESETS[preset], words(NOBODY)), preset=preset, presets=names)
    return render_template("rules.html", page=page)


@pages.get("/m/<slug>/rules")
def of_match(slug: str) -> str:
    """The card of a match’s own rules."""
    match = store().standing(slug)[1].match
    page = CardPage(card(match.rules, words(NOBODY)), slug=slug, title=match.title)
    return render_template("rules.html", page=page)
