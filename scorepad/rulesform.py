"""The house rules as a form: any page can ask for them, starting from rules there are.

A field left empty means: as in the rules one starts from. The form says what a match file says of rules,
so that they are read and checked in one place; what is wrong comes back by the field it belongs beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import Form, StringField

from scorepad.contracts import (
    Contract,
    RavageCityDoesNotDivide,
    TooManyCompulsoryDoubles,
    ValueTooLarge,
    contract_total,
    contracts_of,
    match_total,
    rules_mistakes,
)
from scorepad.matchfile.fields import LARGEST_NUMBER, UnknownValue, WrongKind, short
from scorepad.matchfile.houserules import read_rules, write_rules
from scorepad.messages import Words, signed
from scorepad.rules import LARGEST_VALUE, STANDARD, Message, Play, RuleError, Rules, Values
from scorepad.rulestexts import (
    AFTER_VALUES,
    BEFORE_VALUES,
    DOES_NOT_SUM_TO_ZERO,
    FOUR_VALUES,
    NO,
    RAVAGE_CITY,
    SET_OF,
    SUMS_TO,
    SUMS_TO_ZERO,
    VALUES,
    YES,
    Asked,
    asked_fields,
)

Json = Any

DOMINOES = "value_dominoes"
ASKED: Mapping[str, Asked] = {asked.name: asked for asked in asked_fields()}
NAMES: tuple[str, ...] = tuple(name for asked in ASKED.values() for name in asked.names)

#: A whole number as it may be typed: with the minus key of any keyboard, or with a true minus sign.
_NUMBER = re.compile(r"([+\-\N{MINUS SIGN}\N{EN DASH}\N{NON-BREAKING HYPHEN}]?) ?([0-9]{1,40})")
_ANSWERS: Mapping[str, bool] = {NO: False, YES: True}


class RulesForm(Form):  # type: ignore[misc]  # wtforms comes without types
    """Every field of the rules as text; an empty one is as in the rules one starts from."""


for _name in NAMES:
    setattr(RulesForm, _name, StringField())


def whole_number(typed: str) -> Json:
    """The number that was typed, or the text itself when it is none, to be refused.

    Beyond what scorepad counts it makes no difference how large a number is.
    """
    found = _NUMBER.fullmatch(typed)
    if found is None:
        return typed
    size = min(int(found[2]), LARGEST_NUMBER)
    return size if found[1] in {"", "+"} else -size


def _typed(form: RulesForm, name: str) -> str:
    """What stands in a field, without spaces round it."""
    return (form[name].data or "").strip()


def _holders() -> Iterable[tuple[str, str, Any]]:
    """Each field of the rules: what stands before its name in the form, its name, its standard value."""
    for prefix, record in (("", STANDARD), ("value_", STANDARD.values), ("play_", STANDARD.play)):
        for name in type(record).__dataclass_fields__:
            standard = getattr(record, name)
            if not isinstance(standard, Values | Play):
                yield prefix, name, standard


def changes(form: RulesForm) -> dict[str, Json]:
    """What the form says, as a match file says it: only the fields that are filled in."""
    said: dict[str, dict[str, Json]] = {"": {}, "value_": {}, "play_": {}}
    for prefix, name, standard in _holders():
        texts = [_typed(form, n) for n in ASKED[prefix + name].names]
        if any(texts):
            said[prefix][name] = _said(texts, standard)
    within = {"values": said["value_"], "play": said["play_"]}
    return said[""] | {name: record for name, record in within.items() if record}


def _said(texts: list[str], standard: Any) -> Json:
    """What a field says: of the same kind as the standard value, or its text, to be refused."""
    (text, *_) = texts
    if isinstance(standard, tuple):
        return [whole_number(t) for t in texts if t]
    if isinstance(standard, bool):
        return _ANSWERS.get(text, text)
    if isinstance(standard, Enum) and not isinstance(standard, IntEnum):
        return text
    return whole_number(text)


def stated(rules: Rules) -> MultiDict[str, str]:
    """The fields of a form in which every one of these rules is stated."""
    filled: list[tuple[str, str]] = []
    for prefix, name, standard in _holders():
        value = getattr({"": rules, "value_": rules.values, "play_": rules.play}[prefix], name)
        parts = value if isinstance(standard, tuple) else (value,)
        texts = [_text(part, is_points=prefix == "value_") for part in parts]
        filled += zip(ASKED[prefix + name].names, texts, strict=True)
    return MultiDict(filled)


def _text(value: Any, *, is_points: bool) -> str:
    """One value as the form shows it."""
    if isinstance(value, bool):
        return YES if value else NO
    return signed(value) if is_points else str(value.value if isinstance(value, Enum) else value)


# Reading, and what is wrong


def read_form(form: RulesForm, start: Rules, say: Words) -> tuple[Rules, dict[str, tuple[str, ...]]]:
    """The rules a form makes of those it starts from, and the sentences about what is wrong, by field."""
    source, said = write_rules(start), changes(form)
    for record in "values", "play":
        said[record] = source[record] | said.get(record, {})
    rules, mistakes = read_rules("rules", source | said)
    errors: dict[str, tuple[str, ...]] = {}
    for mistake in (*mistakes, *rules_mistakes(rules)):
        where, sentence = _beside(form, mistake, say)
        errors[where] = (*errors.get(where, ()), sentence)
    return rules, errors


def _beside(form: RulesForm, mistake: RuleError, say: Words) -> tuple[str, str]:
    """Where the sentence about a mistake stands, and what it says, with the field as the page calls it."""
    asked = _asked_of(mistake)
    if asked.parts and isinstance(mistake, WrongKind):
        return next(n for n in asked.names if not _typed(form, n)), say.gettext(FOUR_VALUES)
    values = {**mistake.values, "name": say.gettext(asked.label)}
    wrong = (n for n in asked.names if _is_wrong(_typed(form, n), mistake))
    return next(wrong, asked.names[0]), say(Message(mistake.code, values))


def _asked_of(mistake: RuleError) -> Asked:
    """The field that a mistake in the rules is about; a value and a contract may share a name."""
    match mistake:
        case RavageCityDoesNotDivide():
            return ASKED["value_ravage_city"]
        case TooManyCompulsoryDoubles():
            return ASKED["compulsory_doubles"]
    name = str(mistake.values["name"])
    is_choice = isinstance(mistake, UnknownValue) or mistake.values.get("wanted") == "boolean"
    order = ("", "play_") if is_choice else ("value_", "")
    return next(ASKED[prefix + name] for prefix in order if prefix + name in ASKED)


def _is_wrong(text: str, mistake: RuleError) -> bool:
    """Whether this part of a field is the one that a mistake speaks of."""
    value = whole_number(text)
    if isinstance(mistake, ValueTooLarge):
        return isinstance(value, int) and abs(value) > LARGEST_VALUE
    return short(value) == mistake.values.get("found")


# What the page shows


@dataclass(frozen=True)
class ContractValues:
    """A contract, the fields that say what it is worth, and what a deal of it sums to."""

    contract: Contract
    name: str
    fields: tuple[Asked, ...]
    total: str
    is_played: bool


@dataclass(frozen=True)
class RulesAsked:
    """The part of a page that asks for house rules: its form, the rules it makes, and what is wrong.

    `as_before` is what the page calls a choice that is left as it was; `is_counted` whether the sums are
    those of what is chosen on the page also where no script counts along.
    """

    form: RulesForm
    rules: Rules
    say: Words
    as_before: str
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_open: bool = False
    is_counted: bool = True

    before, after, ravage_city = BEFORE_VALUES, AFTER_VALUES, RAVAGE_CITY

    @property
    def to_mend(self) -> tuple[Asked, ...]:
        """The fields that are wrong, for the top of the page to lead to."""
        return tuple(a for a in ASKED.values() if not self.errors.keys().isdisjoint(a.names))

    @property
    def contracts(self) -> tuple[ContractValues, ...]:
        """Every contract with its values; Ravage City too where it is not played, so that it can be."""
        return tuple(
            ContractValues(
                c,
                self.say.write(c),
                fields,
                signed(contract_total(c, self.rules)),
                c in contracts_of(self.rules),
            )
            for c, fields in VALUES.items()
        )

    @property
    def set_of(self) -> str:
        """All contracts of one declarer, in words."""
        return self.say.fill(SET_OF, {"n": len(contracts_of(self.rules))})

    @property
    def set_total(self) -> str:
        """What they sum to."""
        return signed(sum(contract_total(c, self.rules) for c in contracts_of(self.rules)))

    @property
    def sums_to(self) -> str:
        """What the match sums to, in a sentence."""
        return self.say.fill(sentence_of(self.rules), {"total": signed(match_total(self.rules))})


def sentence_of(rules: Rules) -> str:
    """The sentence about what a match sums to; where the seven make 0, Ravage City is meant to move it."""
    if match_total(rules) == 0:
        return SUMS_TO_ZERO
    is_meant = rules.ravage_city and match_total(replace(rules, ravage_city=False)) == 0
    return SUMS_TO if is_meant else DOES_NOT_SUM_TO_ZERO
