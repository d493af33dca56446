"""The form of a deal as it is sent out: new ids, about the match as it stands, and the page around it."""

from __future__ import annotations

from typing import Any

from flask import request

from scorepad.forms import DealForm
from scorepad.store.access import new_key
from scorepad.table import SEATS, Seat
from scorepad.views.dealpage import DealPage, deal_page
from scorepad.views.place import Place


def fresh(form: DealForm, place: Place) -> DealForm:
    """The form with a new id, about the match as it now stands."""
    form.id.data = new_key()
    form.seen.data = str(place.kept.revision)
    form.number.data = str(place.number)
    form.draft.data = str(place.draft.version)
    return form


def page_of(place: Place, form: DealForm, **more: Any) -> DealPage:
    """What the page of a deal shows."""
    is_open = not place.deal_id and not place.was_forgotten and place.draft.deal is not None
    return deal_page(
        place.kept,
        place.standing,
        place.number,
        place.deal_id,
        form,
        place.say,
        place.action,
        is_playing=is_open and place.draft.spoken == len(SEATS),
        is_open=is_open,
        was_forgotten=place.was_forgotten,
        **more,
    )


def whole(text: str | None) -> int:
    """A revision or number from a hidden field; 0 when somebody tampered with it."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 9 else 0


def seat_asked() -> Seat | None:
    """The declarer that the address asks for."""
    asked = request.args.get("declarer", "")
    return Seat(int(asked)) if asked in {"0", "1", "2", "3"} else None
