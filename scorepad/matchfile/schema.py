"""The published JSON Schema of the match file, built from the rules record and the contract table."""

from __future__ import annotations

from enum import Enum
from typing import Any

from scorepad.contracts import Contract
from scorepad.match import LONGEST_NAME, LONGEST_TEXT, RANKS, Suit
from scorepad.matchfile.fields import LARGEST_NUMBER, Json
from scorepad.matchfile.reading import FORMAT, MOST_DEALS
from scorepad.rules import LARGEST_VALUE, PRESETS, STANDARD, Play, RuleError, Values
from scorepad.table import SEATS

#: Mistakes of saving, which no file can hold.
ELSEWHERE = "scorepad.store"

WARNING_CODES = ("declared_out_of_turn", "forced_double_missing")

_NAME = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
_TEXT = {"type": "string", "maxLength": LONGEST_TEXT}
_COUNT = {"type": "integer", "minimum": 0}
_POINTS = {"type": "integer", "minimum": -LARGEST_VALUE, "maximum": LARGEST_VALUE}
_NUMBER = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}

_RESULT: dict[Contract, Json] = {
    Contract.B: {"king": _NAME},
    Contract.M: {"tricks": {"type": "object", "additionalProperties": _COUNT}},
    Contract.NQ: {"queens": {"type": "object", "additionalProperties": _COUNT}},
    Contract.NH: {"hearts": {"type": "object", "additionalProperties": _COUNT}, "ace": _NAME},
    Contract.NL2: {"last_two": {"type": "array", "items": _NAME, "minItems": 2, "maxItems": 2}},
    Contract.D: {"order": {"type": "array", "items": _NAME, "minItems": 4, "maxItems": 4}},
    Contract.RC: {
        "most": {"type": "array", "items": _NAME, "minItems": 1, "maxItems": 4, "uniqueItems": True}
    },
}


def codes() -> tuple[str, ...]:
    """The code of every mistake that a match file can hold, sorted."""

    def below(kind: type[RuleError]) -> set[str]:
        read = (k for k in kind.__subclasses__() if not k.__module__.startswith(ELSEWHERE))
        return {kind.code}.union(*(below(k) for k in read))

    return tuple(sorted(below(RuleError) - {RuleError.code}))


def _object(properties: Json, *required: str, **more: Json) -> Json:
    """An object with these fields and no others."""
    made = {"type": "object", "properties": properties, "additionalProperties": False, **more}
    return made | ({"required": list(required)} if required else {})


def _like(value: Any) -> Json:
    """The schema of a field of the rules, from its default."""
    match value:
        case Values() | Play():
            return _object({n: _like(getattr(value, n)) for n in type(value).__dataclass_fields__})
        case Enum():
            return {"enum": [member.value for member in type(value)], "default": value.value}
        case bool():
            return {"type": "boolean", "default": value}
        case tuple():
            numbers = {"type": "array", "items": _POINTS, "minItems": len(SEATS), "maxItems": len(SEATS)}
            return numbers | {"default": list(value)}
        case _:
            return _POINTS | {"default": value}


def _rules() -> Json:
    """House rules: a preset's name, or an object."""
    preset = {"enum": list(PRESETS)}
    fields = {n: _like(getattr(STANDARD, n)) for n in type(STANDARD).__dataclass_fields__}
    return {"anyOf": [preset, _object({"preset": preset, **fields})]}


def _deal() -> Json:
    """One deal; with neither result nor passed_out it is open."""
    doubles = {
        "type": "object",
        "additionalProperties": {"type": "array", "items": _NAME, "uniqueItems": True},
    }
    results = [_object(fields, *fields) for fields in _RESULT.values()]
    return _object(
        {
            "declarer": _NAME,
            "contract": {"enum": [c.value for c in Contract]},
            "doubles": doubles,
            "passed_out": {"type": "boolean"},
            "result": {"anyOf": results},
            "trump": {"enum": [s.value for s in Suit]},
            "start": {"enum": list(RANKS)},
            "note": _TEXT,
        },
        "declarer",
        "contract",
    )


def schema() -> Json:
    """The JSON Schema; what only the rules of Barbu can tell, `scorepad check` tells."""
    agreed = _object(
        {
            "after_deal": _NUMBER,
            "points": {"type": "object", "additionalProperties": _POINTS},
            "reason": _TEXT,
        },
        "after_deal",
        "points",
    )
    replaced = _object(
        {"from_deal": _NUMBER, "seat": {"anyOf": [{"enum": [1, 2, 3, 4]}, _NAME]}, "name": _NAME},
        "from_deal",
        "seat",
        "name",
    )
    stake = _object(
        {"per_point": {"type": "string", "pattern": r"^[0-9]{1,6}(\.[0-9]{1,6})?$"}, "currency": _TEXT},
        "per_point",
    )
    match = {
        "format": {"const": FORMAT},
        "title": _TEXT,
        "date": {"type": "string", "pattern": r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"},
        "place": _TEXT,
        "players": {"type": "array", "items": _NAME, "minItems": len(SEATS), "maxItems": len(SEATS)},
        "first_declarer": _NAME,
        "rules": _rules(),
        "deals": {"type": "array", "items": _deal(), "maxItems": MOST_DEALS},
        "agreed_points": {"type": "array", "items": agreed, "maxItems": MOST_DEALS},
        "replaced": {"type": "array", "items": replaced, "maxItems": MOST_DEALS},
        "stake": stake,
        "abandoned": {"type": "boolean"},
        "revision": _NUMBER,
    }
    description = (
        "A match of Barbu. This schema tells the shape; the rules of the game are checked by "
        "`scorepad check`. Codes of problems: " + ", ".join(codes()) + ". Codes of warnings: "
        "" + ", ".join(WARNING_CODES) + "."
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FORMAT,
        "description": description,
        **_object(match, "format", "players", "deals"),
    }
