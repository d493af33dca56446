"""House rules to choose from when a match starts, and what the page's scripts know of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext

from scorepad.contracts import match_total
from scorepad.house import departures
from scorepad.matchfile import write_rules
from scorepad.messages import NN_, PRESET_ABOUT, PRESET_NAMES, THEN, signed
from scorepad.rules import PRESETS, STANDARD, Rules, preset_of
from scorepad.rulestexts import DOES_NOT_SUM_TO_ZERO, SET_OF, SUMS_TO, SUMS_TO_ZERO
from scorepad.store import UnknownMatch
from scorepad.table import PerSeat
from scorepad.views.common import device, store, words
from scorepad.views.phone import plural

#: The rules of a match there is, as a choice of the form: its slug follows.
OF_MATCH = "of:"

STANDARD_KEY = "standard"

NOBODY = PerSeat("", "", "", "")


@dataclass(frozen=True)
class Offer:
    """Rules that are chosen by one tap: the value the form sends, a name, and a sentence about them."""

    key: str
    name: str
    about: str
    rules: Rules


def rules_chosen(key: str) -> Rules | None:
    """The rules of a preset, or of a match there is; None when the form names neither."""
    if not key.startswith(OF_MATCH):
        return PRESETS.get(key)
    try:
        return store().load(key.removeprefix(OF_MATCH)).read().rules
    except UnknownMatch:
        return None


def offers(chosen: str = "") -> Iterator[Offer]:
    """What this device can choose from: the rules of its last match, unless standard; the presets."""
    last = chosen if chosen.startswith(OF_MATCH) else _last_match()
    rules = rules_chosen(last) if last else None
    if rules is not None and rules != STANDARD:
        yield Offer(last, gettext("As last time: %(rules)s", rules=_name(rules)), _about(rules), rules)
    for key, preset in PRESETS.items():
        yield Offer(key, gettext(PRESET_NAMES[key]), _about(preset), preset)


def _last_match() -> str:
    """The last match this device started or joined, as a choice of the form; nothing when there is none."""
    slug = store().last_match_of(device())
    return OF_MATCH + slug if slug else ""


def _name(rules: Rules) -> str:
    """What rules are called."""
    preset = preset_of(rules)
    return str(gettext(PRESET_NAMES[preset]) if preset else gettext("your own rules"))


def _about(rules: Rules) -> str:
    """A sentence about rules; of a table's own, all in which they are not the standard ones."""
    preset = preset_of(rules)
    if preset is None:
        return str(gettext(THEN).join(departures(rules, words(NOBODY))))
    total = match_total(rules)
    sums = [gettext("Sums to %(total)s.", total=signed(total))] if total else []
    return " ".join([gettext(PRESET_ABOUT[preset]), *sums])


def start_data(offered: Iterable[Offer]) -> dict[str, Any]:
    """What the script of the page that starts a match knows: the rules of each choice, and its texts."""
    return {
        "rules": {offer.key: write_rules(offer.rules) for offer in offered},
        "texts": rules_texts() | _kept_texts(),
    }


def rules_texts() -> dict[str, Any]:
    """What the fields of the house rules say by themselves, on any page."""
    return {
        "sumsToZero": gettext(SUMS_TO_ZERO),
        "sumsTo": gettext(SUMS_TO),
        "doesNot": gettext(DOES_NOT_SUM_TO_ZERO),
        "setOf": gettext(SET_OF),
        "less": gettext("{label}: less"),
        "more": gettext("{label}: more"),
        "changed": plural(*NN_("{n} change", "{n} changes")),
    }


def _kept_texts() -> dict[str, Any]:
    """What the page that starts a match says of rules kept on the device."""
    return {
        "lastTime": gettext("As last time: {name}"),
        "keptHere": gettext("Kept on this phone."),
        "forget": gettext("Forget"),
        "forgetThese": gettext("Forget “{name}”"),
        "forgotten": gettext("“{name}” is forgotten."),
        "takeBack": gettext("Keep it after all"),
        "kept": gettext("“{name}” is kept on this phone."),
        "unsafe": gettext("This browser keeps nothing: “{name}” can be chosen until this page is closed."),
        "nameMissing": gettext("Give these rules a name first."),
    }
