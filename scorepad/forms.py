"""The shape of what a page sends: fields and their names, no rules. What it means, the core says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, HiddenField, SelectMultipleField, StringField

from scorepad.contracts import Contract
from scorepad.doubles import ALL_DOUBLES, Double
from scorepad.match import Deal
from scorepad.matchfile import write_result
from scorepad.table import SEATS, PerSeat, Seat

Json = Any

#: Plain digits only: a number in other digits, or with a sign, stays as it was typed and is refused.
_DIGITS = re.compile(r"[0-9]{1,4}")

#: What is counted for each contract: the fields `tricks_0` … `tricks_3`, and so on.
COUNTED: Mapping[Contract, str] = {
    Contract.M: "tricks",
    Contract.T: "tricks",
    Contract.NQ: "queens",
    Contract.NH: "hearts",
}

#: Fields that hold one player each.
ONE_PLAYER: Mapping[Contract, tuple[str, ...]] = {
    Contract.B: ("king",),
    Contract.NH: ("ace",),
    Contract.NL2: ("second_last", "last"),
    Contract.D: ("place_0", "place_1", "place_2", "place_3"),
}


class StartForm(FlaskForm):  # type: ignore[misc]  # flask_wtf comes without types
    """Four names clockwise, who declares first, a preset, and what the match is called."""

    name_0 = StringField()
    name_1 = StringField()
    name_2 = StringField()
    name_3 = StringField()
    first = StringField()
    preset = StringField()
    title = StringField()
    place = StringField()


class DealForm(FlaskForm):  # type: ignore[misc]  # flask_wtf comes without types
    """A deal: declaration, doubles, tally. Fields of other contracts than the one chosen are not read."""

    id = HiddenField()
    seen = HiddenField()
    number = HiddenField()
    draft = HiddenField()
    declarer = HiddenField()
    spoken = HiddenField()
    contract = StringField()
    doubles = SelectMultipleField(choices=[f"{a.value}{b.value}" for a, b in ALL_DOUBLES])
    without = SelectMultipleField(choices=[str(s.value) for s in SEATS])
    passed_out = BooleanField()
    king = StringField()
    ace = StringField()
    second_last = StringField()
    last = StringField()
    most = SelectMultipleField(choices=[str(s.value) for s in SEATS])
    trump = StringField()
    start = StringField()
    note = StringField()


for _name in ("place", "tricks", "queens", "hearts"):
    for _seat in SEATS:
        setattr(DealForm, f"{_name}_{_seat.value}", StringField())


def seat_of(text: str | None, names: PerSeat[str]) -> str:
    """The name of the player whose seat a field holds; the text itself when it holds none, to be refused."""
    return names[Seat(int(text))] if text and text in "0123" and len(text) == 1 else (text or "")


def _one_player(field: StringField, names: PerSeat[str]) -> Json:
    """The player a field names; all of them when it names several, to be refused."""
    named = [seat_of(text, names) for text in field.raw_data or [field.data]]
    return named[0] if len(named) == 1 else named


def _number(text: str | None) -> Json:
    """A number in plain digits, or what was typed instead."""
    typed = (text or "").strip(" ")
    return int(typed) if _DIGITS.fullmatch(typed) else typed


def deal_body(form: DealForm, names: PerSeat[str], *, with_result: bool = True) -> Json:
    """The deal a form describes, as a match file says it."""
    body: dict[str, Json] = {
        "declarer": seat_of(form.declarer.data, names),
        "contract": form.contract.data or "",
        "doubles": _doubles(form, names),
    }
    body |= {"note": form.note.data} if form.note.data else {}
    body |= {"trump": form.trump.data} if form.trump.data and body["contract"] == Contract.T else {}
    body |= {"start": form.start.data} if form.start.data and body["contract"] == Contract.D else {}
    if not with_result or body["contract"] not in set(Contract):
        return body
    contract = Contract(body["contract"])
    passed_out = {"passed_out": True} if form.passed_out.data else {}
    if passed_out and not _is_tallied(form, contract):
        return body | passed_out
    return body | passed_out | {"result": _result(form, contract, names)}


def _is_tallied(form: DealForm, contract: Contract) -> bool:
    """Whether something was entered of the result."""
    counted = COUNTED.get(contract)
    counts = [f"{counted}_{s.value}" for s in SEATS] if counted else []
    return any(form[name].data for name in (*counts, *ONE_PLAYER.get(contract, ("most",))))


def _doubles(form: DealForm, names: PerSeat[str]) -> Json:
    """Who doubled whom."""
    made: dict[str, list[str]] = {}
    for pair in form.doubles.raw_data or []:
        doubler, doubled = seat_of(pair[:1], names), seat_of(pair[1:], names)
        made.setdefault(doubler, []).append(doubled)
    return made


def _result(form: DealForm, contract: Contract, names: PerSeat[str]) -> Json:
    """The tally of the contract chosen; a field left empty stays out, but for a count."""
    result: dict[str, Json] = {}
    if counted := COUNTED.get(contract):
        result[counted] = {names[s]: _number(form[f"{counted}_{s.value}"].data) for s in SEATS}
    players = [_one_player(form[f], names) for f in ONE_PLAYER.get(contract, ()) if form[f].data]
    match contract:
        case Contract.B | Contract.NH if players:
            result[ONE_PLAYER[contract][0]] = players[0]
        case Contract.NL2 if players:
            result["last_two"] = players
        case Contract.D if players:
            result["order"] = players
        case Contract.RC:
            result["most"] = [seat_of(s, names) for s in form.most.raw_data or []]
    return result


def form_values(deal: Deal) -> MultiDict[str, str]:
    """The fields of the form that describes this deal."""
    values: list[tuple[str, str]] = [
        ("declarer", str(deal.declarer.value)),
        ("contract", deal.contract.value),
        ("note", deal.note),
        ("trump", deal.trump or ""),
        ("start", deal.start or ""),
    ]
    values += [("doubles", pair_code(d)) for d in sorted(deal.doubles)]
    if deal.passed_out:
        values.append(("passed_out", "1"))
    if deal.tally is not None:
        values += _tally_values(write_result(deal.tally, PerSeat("0", "1", "2", "3")))
    return MultiDict(values)


def pair_code(double: Double) -> str:
    """A double as the form writes it: the two seats, such as 02."""
    return f"{double.doubler.value}{double.doubled.value}"


def _tally_values(result: Mapping[str, Json]) -> list[tuple[str, str]]:
    """The fields of a result whose players go by the numbers of their seats."""
    values: list[tuple[str, str]] = []
    for name, said in result.items():
        match name, said:
            case (("king" | "ace"), str()):
                values.append((name, said))
            case (("tricks" | "queens" | "hearts"), dict()):
                values += [(f"{name}_{seat}", str(n)) for seat, n in said.items()]
            case "last_two", [second_last, last]:
                values += [("second_last", second_last), ("last", last)]
            case "order", list():
                values += [(f"place_{place}", seat) for place, seat in enumerate(said)]
            case "most", list():
                values += [("most", seat) for seat in said]
    return values
