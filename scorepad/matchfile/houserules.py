"""Reading and writing house rules: a preset, and the fields that override it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any

from scorepad.matchfile.fields import (
    Fields,
    Json,
    T,
    UnknownValue,
    WrongKind,
    listed,
    one_of,
    short,
    whole,
    yes_or_no,
)
from scorepad.rules import PRESETS, STANDARD, Play, RuleError, Rules, Values
from scorepad.table import SEATS


def read_rules(name: str, source: Json) -> tuple[Rules, list[RuleError]]:
    """House rules: a preset's name, or an object with a preset and the fields that override it."""
    mistakes: list[RuleError] = []
    if isinstance(source, str):
        source = {"preset": source}
    fields = Fields(source, name, mistakes)
    base = fields.read("preset", _preset, STANDARD)
    read: dict[str, Any] = {}
    for field in Rules.__dataclass_fields__:
        start = getattr(base, field)
        if isinstance(start, Values | Play):
            read[field] = fields.read(field, partial(_record, start, mistakes), start)
        else:
            read[field] = fields.read(field, _like(start), start)
    fields.end()
    return Rules(**read), mistakes


def _preset(name: str, value: Json) -> Rules:
    """The rules of a preset, by its name."""
    if not isinstance(value, str) or value not in PRESETS:
        raise UnknownValue(name=name, found=short(value), allowed=tuple(PRESETS))
    return PRESETS[value]


def _record(start: T, mistakes: list[RuleError], name: str, source: Json) -> T:
    """A record of the rules, any subset of its fields overriding those it starts from."""
    fields = Fields(source, name, mistakes)
    names: tuple[str, ...] = tuple(type(start).__dataclass_fields__)  # type: ignore[attr-defined]
    read = {n: fields.read(n, _like(getattr(start, n)), getattr(start, n)) for n in names}
    fields.end()
    return type(start)(**read)


def _like(value: Any) -> Callable[[str, Json], Any]:
    """Reads a value of the same kind as this one."""
    if isinstance(value, Enum):
        return one_of(type(value))
    if isinstance(value, bool):
        return yes_or_no
    return _dominoes if isinstance(value, tuple) else whole


def _dominoes(name: str, value: Json) -> tuple[int, ...]:
    """The four values of Dominoes."""
    if len(listed(name, value)) != len(SEATS):
        raise WrongKind(name=name, wanted="four numbers")
    return tuple(whole(name, v) for v in value)


def write_rules(rules: Rules) -> dict[str, Json]:
    """House rules with every field stated, so that no later release scores the match otherwise."""

    def plain(value: Any) -> Json:
        if isinstance(value, Enum):
            return value.value
        if isinstance(value, tuple):
            return list(value)
        if isinstance(value, Values | Play):
            return {n: plain(getattr(value, n)) for n in type(value).__dataclass_fields__}
        return value

    return {n: plain(getattr(rules, n)) for n in Rules.__dataclass_fields__}
