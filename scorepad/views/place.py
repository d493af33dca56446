"""Where a deal is written: its match as it stands, its number, and the deal in words."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for
from flask_babel import gettext

from scorepad import explain
from scorepad.match import Deal
from scorepad.matchfile import read_deal
from scorepad.messages import Words
from scorepad.rules import Message
from scorepad.standing import Standing
from scorepad.store import Draft, KeptMatch
from scorepad.store.record import players_of
from scorepad.views.common import store, words


@dataclass(frozen=True)
class Place:
    """Where a deal is written: the match as it stands, and the deal's number and id (none for a new one).

    A deal that was forgotten takes the number of the one that it is put in before.
    """

    kept: KeptMatch
    standing: Standing
    draft: Draft
    number: int
    deal_id: str = ""
    was_forgotten: bool = False

    @property
    def say(self) -> Words:
        """The words at the table when this deal was played."""
        return words(self.standing.match.names_at(self.number))

    @property
    def action(self) -> str:
        """Where the form is sent."""
        if self.was_forgotten:
            return url_for("insert.save", slug=self.kept.slug, number=self.number)
        if self.deal_id:
            return url_for("deal.change", slug=self.kept.slug, deal_id=self.deal_id)
        return url_for("deal.save", slug=self.kept.slug)


def next_place(slug: str) -> Place:
    """The place of the next deal."""
    kept, where = store().standing(slug)
    return Place(kept, where, store().draft(slug), len(kept.deals) + 1)


def kept_place(slug: str, deal_id: str) -> Place:
    """The place of a deal in the record."""
    kept, where = store().standing(slug)
    return Place(kept, where, Draft(), kept.number_of(deal_id), deal_id)


def place_meant(slug: str, deal_id: str) -> Place:
    """The place of a deal; that of the next one when the deal was removed meanwhile."""
    place = next_place(slug)
    return place if deal_id in place.kept.removed else kept_place(slug, deal_id)


def deal_of(place: Place, body: object) -> Deal | None:
    """A deal from its body, or None when there is none that can be read."""
    deal = None if body is None else read_deal(body, players_of(place.standing.match))
    return deal if isinstance(deal, Deal) else None


def in_words(place: Place, body: object) -> tuple[str, ...]:
    """A deal of the record, or one that should get there, in sentences."""
    if body is None:
        return (gettext("The deal was removed."),)
    if (deal := deal_of(place, body)) is None:
        return ()
    opening = Message(
        "read_back", {"number": place.number, "declarer": deal.declarer, "contract": deal.contract}
    )
    spoken = explain.doubles_spoken(deal)
    return tuple(place.say(m) for m in (opening, *spoken, *explain.tally(deal)))
