"""One deal as a question in an address: names, house rules, declaration, doubles, tally; and back again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from unicodedata import normalize

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, StringField

from scorepad.contracts import Contract
from scorepad.forms import COUNTED, DealForm, deal_body, form_values
from scorepad.match import Deal
from scorepad.matchfile import FORMAT
from scorepad.rules import PRESETS, STANDARD, Deck, Doubling, Rules, Undoubled
from scorepad.table import SEATS, PerSeat

Json = Any

#: Some programs cut longer addresses off.
LONGEST_ADDRESS = 2000

#: House rules that a table may have beside a preset: the field of the address, that of the rules, its value.
CHOICES: Mapping[str, tuple[str, Any]] = {
    "declarer_only": ("doubling", Doubling.DECLARER_ONLY.value),
    "flanks": ("flank_doubles_in_positives", True),
    "open": ("declarer_may_open", True),
    "played": ("undoubled_negative", Undoubled.PLAYED.value),
    "cards_32": ("deck", Deck.SMALL.value),
}

#: The rules of an address that names no preset.
NO_PRESET = "standard"

NUMBERS = PerSeat("0", "1", "2", "3")

#: The values that count in each contract.
VALUES: Mapping[Contract, tuple[str, ...]] = {
    Contract.B: ("king",),
    Contract.M: ("trick",),
    Contract.NQ: ("queen",),
    Contract.NH: ("heart", "ace"),
    Contract.NL2: ("second_last_trick", "last_trick"),
    Contract.T: ("trump_trick",),
    Contract.D: ("dominoes",),
    Contract.RC: ("ravage_city",),
}
DOMINOES = tuple(f"dominoes_{place}" for place in range(len(SEATS)))

#: A whole number as it is typed, with either minus; anything else stays as it is and is refused.
_WHOLE = re.compile(r"[+−-]?[0-9]{1,6}")


class QuestionForm(DealForm):
    """The fields of a deal, four names, a preset, and what is other than in it (`v_` before a value)."""

    class Meta:
        csrf = False  # nothing is written

    preset = StringField()
    name_0 = StringField()
    name_1 = StringField()
    name_2 = StringField()
    name_3 = StringField()


for _name in CHOICES:
    setattr(QuestionForm, _name, BooleanField())
for _name in (*(n for names in VALUES.values() for n in names if n != "dominoes"), *DOMINOES):
    setattr(QuestionForm, f"v_{_name}", StringField())


def names_in(form: QuestionForm, default: PerSeat[str]) -> PerSeat[str]:
    """The names asked with; those left out are the seats’."""
    typed = PerSeat.of(lambda s: normalize("NFC", form[f"name_{s.value}"].data or "").strip())
    return PerSeat.of(lambda s: typed[s] or default[s])


def match_file(form: QuestionForm) -> dict[str, Json]:
    """The question as a match file of one deal, so that there is one way of checking it.

    Players go by the numbers of their seats, so that names that are alike confuse nobody.
    Where somebody’s count is given, those left empty took nothing: the counts must add up anyway.
    """
    deal = deal_body(form, NUMBERS)
    if counted := deal.get("result", {}).get(COUNTED.get(deal["contract"], "")):
        taken = {name: n for name, n in counted.items() if n != ""}
        deal["result"] |= {COUNTED[deal["contract"]]: taken or counted}
    return {"format": FORMAT, "players": list(NUMBERS), "rules": _rules(form), "deals": [deal]}


def _rules(form: QuestionForm) -> dict[str, Json]:
    """The house rules asked with, as a match file says them; Ravage City is played where it is declared."""
    rules: dict[str, Json] = {"preset": form.preset.data} if form.preset.data else {}
    rules |= {name: value for field, (name, value) in CHOICES.items() if form[field].data}
    if form.contract.data == Contract.RC:
        rules["ravage_city"] = True
    values: dict[str, Json] = {}
    for name in VALUES.get(_contract(form), ()):
        if name == "dominoes":
            places = PRESETS.get(form.preset.data or "", STANDARD).values.dominoes
            typed = [_whole(form[f"v_{field}"].data) for field in DOMINOES]
            values[name] = [place if n is None else n for n, place in zip(typed, places, strict=True)]
        elif (n := _whole(form[f"v_{name}"].data)) is not None:
            values[name] = n
    return rules | {"values": values}


def _contract(form: QuestionForm) -> Any:
    """The contract asked about, which may be none there is."""
    return form.contract.data


def _whole(text: str | None) -> Json:
    """A whole number with or without a sign, None for nothing, or what was typed instead."""
    typed = (text or "").strip()
    if not typed:
        return None
    return int(typed.replace("−", "-")) if _WHOLE.fullmatch(typed) else typed


def question(
    deal: Deal, rules: Rules, names: PerSeat[str], default: PerSeat[str], *, preset: str
) -> MultiDict[str, str]:
    """The shortest address, as its parameters, that asks about this deal under these rules.

    Nothing stands in it that follows from the preset, belongs to another contract, or does not count.
    """
    asked: list[tuple[str, str]] = [("preset", preset)] if preset != NO_PRESET else []
    asked += _differences(rules, PRESETS[preset], deal.contract)
    asked += [(f"name_{s.value}", name) for s, name in names.seats() if name != default[s]]
    asked += [(n, v) for n, v in form_values(deal).items(multi=True) if v and not _says_nothing(n, v)]
    return MultiDict(asked)


def _says_nothing(field: str, value: str) -> bool:
    """Whether the figures are the same without this field: what is only noted, and who took none."""
    return field in {"note", "trump", "start"} or (value == "0" and field.startswith(tuple(COUNTED.values())))


def _differences(rules: Rules, base: Rules, contract: Contract) -> Iterator[tuple[str, str]]:
    """In what these rules are other than the preset, as far as it matters in this contract."""
    for field, (name, value) in CHOICES.items():
        if getattr(rules, name) == value != getattr(base, name):
            yield field, "1"
    ours, theirs = _values(rules, contract), _values(base, contract)
    yield from ((f"v_{name}", str(value)) for name, value in ours.items() if value != theirs[name])


def _values(rules: Rules, contract: Contract) -> dict[str, int]:
    """The values that count in this contract, the four places of Dominoes one by one."""
    if contract is Contract.D:
        return dict(zip(DOMINOES, rules.values.dominoes, strict=True))
    return {name: getattr(rules.values, name) for name in VALUES[contract]}
