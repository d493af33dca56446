"""The kinds of change beside the deals: what stands, and what was entered as the record keeps it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from scorepad.matchfile import write_rules
from scorepad.messages import MINUS, N_
from scorepad.rulesform import RulesForm, read_form, stated
from scorepad.standing import Standing
from scorepad.store import KeptMatch
from scorepad.table import SEATS
from scorepad.views.common import words

Values = dict[str, Any]
Errors = Mapping[str, tuple[str, ...]]

#: Points as people write them: +5, −10, 5.
_POINTS = re.compile(r"[+-]?[0-9]{1,6}")


class NotRead(ValueError):
    """What was entered cannot be read; the sentences stand beside their fields."""

    def __init__(self, errors: Errors) -> None:
        """Keep what is wrong, by field."""
        super().__init__(errors)
        self.errors = errors


class Kind:
    """One kind of change: which action of the record it is, and how its form is filled in and read."""

    key: str
    action = "amend"
    title: str
    about: str

    def fits(self, where: Standing) -> bool:
        """Whether it makes sense as the match stands."""
        return True

    def stands(self, kept: KeptMatch, where: Standing) -> Values:
        """What the form shows at first."""
        return {}

    def read(self, values: Values, kept: KeptMatch, where: Standing) -> Any:
        """What the record keeps of what was entered; raises NotRead."""
        raise NotImplementedError


class Points(Kind):
    """Points that the table agreed on."""

    key = "points"
    title = N_("Agreed points")
    about = N_("A penalty or a ruling: points with their reason, on a line of their own.")

    def stands(self, kept: KeptMatch, where: Standing) -> Values:
        """After the last deal, unless somebody says otherwise."""
        return {"after_deal": str(len(kept.deals))}

    def read(self, values: Values, kept: KeptMatch, where: Standing) -> Any:
        """All lines, with the new one or without the one that is taken back."""
        lines = list(kept.file["agreed_points"])
        if "take_back" in values:
            return {"agreed_points": _without(lines, values["take_back"])}
        errors: dict[str, tuple[str, ...]] = {}
        points = {}
        for seat in SEATS:
            written = _said(values, f"points_{seat.value}").replace(MINUS, "-") or "0"
            if _POINTS.fullmatch(written):
                points[where.match.players[seat]] = int(written)
            else:
                errors[f"points_{seat.value}"] = (gettext("Write whole points, such as 10 or −10."),)
        if not errors and not any(points.values()):
            errors["points_0"] = (gettext("Say who gets or pays how many points."),)
        after = _whole(values.get("after_deal"), 0, len(kept.deals))
        if after is None:
            errors["after_deal"] = (gettext("Choose the deal after which they count."),)
        reason = _said(values, "reason")
        if not reason:
            errors["reason"] = (gettext("Say what they are for: it stands on the sheet."),)
        if errors:
            raise NotRead(errors)
        return {"agreed_points": [*lines, {"after_deal": after, "points": points, "reason": reason}]}


class Order(Kind):
    """The deals in another order."""

    key = "order"
    action = "order"
    title = N_("Deals in another order")
    about = N_("Two deals were entered the wrong way round.")

    def fits(self, where: Standing) -> bool:
        """One deal has no order."""
        return len(where.deals) > 1

    def stands(self, kept: KeptMatch, where: Standing) -> Values:
        """The order as it is."""
        return {"order": " ".join(d.deal_id for d in kept.deals)}

    def read(self, values: Values, kept: KeptMatch, where: Standing) -> Any:
        """The ids in their new order, after a move of one place up or down; the form is told of it."""
        order = _said(values, "order").split()
        move, _, deal_id = str(values.get("move", "")).partition(" ")
        if move and deal_id in order:
            at = order.index(deal_id)
            to = max(0, min(len(order) - 1, at - 1 if move == "up" else at + 1))
            order.insert(to, order.pop(at))
        if sorted(order) != sorted(d.deal_id for d in kept.deals):
            order = [d.deal_id for d in kept.deals]
        values["order"] = " ".join(order)
        return order


class Names(Kind):
    """Players under other names."""

    key = "names"
    title = N_("A player’s name")
    about = N_("Another spelling; it changes in every deal.")

    def stands(self, kept: KeptMatch, where: Standing) -> Values:
        """The names as they are."""
        return {f"name_{s.value}": where.match.players[s] for s in SEATS}

    def read(self, values: Values, kept: KeptMatch, where: Standing) -> Any:
        """Four names; the core says what is wrong with them."""
        return {"players": [_said(values, f"name_{s.value}") for s in SEATS]}


class SeatTaken(Kind):
    """Somebody takes a seat over."""

    key = "seat"
    title = N_("Somebody takes a seat over")
    about = N_("From a deal on another player sits there; the seat keeps its points and its debts.")

    def stands(self, kept: KeptMatch, where: Standing) -> Values:
        """From the next deal on, unless somebody says otherwise."""
        return {"from_deal": str(len(kept.deals) + 1)}

    def read(self, values: Values, kept: KeptMatch, where: Standing) -> Any:
        """All who took a seat over, with the new one or without the one that is taken back."""
        lines = list(kept.file["replaced"])
        if "take_back" in values:
            return {"replaced": _without(lines, values["take_back"])}
        seat, name = _said(values, "seat"), _said(values, "name")
        from_deal = _whole(values.get("from_deal"), 1, len(kept.deals) + 1)
        errors = {
            "seat": () if seat in {"0", "1", "2", "3"} else (gettext("Choose whose seat it is."),),
            "name": () if name else (gettext("Every player needs a name."),),
            "from_deal": () if from_deal else (gettext("Choose the first deal of the new player."),),
        }
        if any(errors.values()):
            raise NotRead({where: told for where, told in errors.items() if told})
        return {"replaced": [*lines, {"from_deal": from_deal, "seat": int(seat) + 1, "name": name}]}


class RulesChanged(Kind):
    """Other house rules: every deal is scored anew by them."""

    key = "rules"
    title = N_("The house rules")
    about = N_("What was written down wrong when the match started; every deal is scored anew.")

    def stands(self, kept: KeptMatch, where: Standing) -> Values:
        """Every field as it is."""
        return stated(where.match.rules).to_dict()

    def read(self, values: Values, kept: KeptMatch, where: Standing) -> Any:
        """Every field of the new rules."""
        rules, errors = read_form(rules_form(values), where.match.rules, words(where.match.names))
        if errors:
            raise NotRead(errors)
        return {"rules": write_rules(rules)}


def rules_form(values: Values) -> RulesForm:
    """The fields of the house rules, filled in with these values."""
    return RulesForm(MultiDict(values))


class About(Kind):
    """What stands at the head of the sheet."""

    key = "about"
    title = N_("Title, place, stake")
    about = N_("What stands at the head of the sheet, and what a point is worth.")

    def stands(self, kept: KeptMatch, where: Standing) -> Values:
        """As it is."""
        match = where.match
        stake = match.stake
        worth = {"per_point": stake.per_point, "currency": stake.currency} if stake else {}
        return {"title": match.title, "place": match.place, "date": match.date, **worth}

    def read(self, values: Values, kept: KeptMatch, where: Standing) -> Any:
        """The same fields; a stake left empty is none."""
        per_point = _said(values, "per_point").replace(",", ".")
        stake = {"per_point": per_point, "currency": _said(values, "currency")} if per_point else None
        return {name: _said(values, name) or None for name in ("title", "place", "date")} | {"stake": stake}


class Abandoned(Kind):
    """Nobody goes on with the match, or somebody does after all."""

    key = "abandoned"
    title = N_("The match was abandoned")
    about = N_("Nobody declares any more; what was played stands.")

    def fits(self, where: Standing) -> bool:
        """A match that is played out cannot be abandoned."""
        return not where.is_complete

    def read(self, values: Values, kept: KeptMatch, where: Standing) -> Any:
        """The other way round."""
        return {"abandoned": not where.match.abandoned}


KINDS: Mapping[str, Kind] = {
    kind.key: kind for kind in (Points(), Order(), Names(), SeatTaken(), RulesChanged(), About(), Abandoned())
}


def _said(values: Values, name: str) -> str:
    """What was written into a field."""
    return unicodedata.normalize("NFC", str(values.get(name, ""))).strip()


def _whole(text: object, least: int, most: int) -> int | None:
    """A whole number between two others, or None."""
    found = str(text or "")
    if not (found.isascii() and found.isdigit() and len(found) < 4):
        return None
    return int(found) if least <= int(found) <= most else None


def _without(lines: list[Any], place: object) -> list[Any]:
    """The lines but for one."""
    return [line for n, line in enumerate(lines) if str(n) != str(place)]
