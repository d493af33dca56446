"""House rules in words: the preset's name, and everything in which a table departs from the standard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.messages import N_, NN_, PRESET_NAMES, Words, signed
from scorepad.rules import (
    STANDARD,
    Cutter,
    Dealer,
    Deck,
    Doubling,
    Leader,
    LeadingHearts,
    Play,
    PositivesCount,
    Redoubles,
    Rotation,
    Rules,
    Trumping,
    Undoubled,
    Values,
    preset_of,
)

#: What each choice that is not the standard one means, in the order in which a table reads them.
CHOICES: Mapping[tuple[str, Any], str] = {
    ("rotation", Rotation.SEVEN_IN_A_ROW): N_("each declares all contracts in a row"),
    ("doubling", Doubling.DECLARER_ONLY): N_("only the declarer is doubled"),
    ("flank_doubles_in_positives", True): N_("flanks double each other in Trumps and Dominoes too"),
    ("declarer_may_open", True): N_("the declarer may open doubles"),
    ("positives_count", PositivesCount.NONE): N_("doubles in Trumps and Dominoes are not compulsory doubles"),
    ("positives_count", PositivesCount.ONE): N_(
        "one double in Trumps or Dominoes counts as a compulsory double"
    ),
    ("undoubled_negative", Undoubled.PLAYED): N_("undoubled negative deals are played"),
    ("ravage_city", True): N_("Ravage City is the eighth contract"),
    ("deck", Deck.SMALL): N_("32 cards"),
    ("dealer", Dealer.RIGHT_OF_DECLARER): N_("the player to the declarer’s right deals"),
    ("cutter", Cutter.OPPOSITE_DECLARER): N_("the player opposite the declarer cuts"),
    ("cutter", Cutter.LEFT_OF_DEALER): N_("the player to the dealer’s left cuts"),
    ("leader", Leader.LEFT_OF_DEALER): N_("the player to the dealer’s left leads"),
    ("redoubles", Redoubles.SECOND_ROUND): N_("redoubles in a second round"),
    ("trumping", Trumping.FREE): N_("no need to overtrump"),
    ("low_ace", True): N_("the ace may be low in Dominoes"),
    ("leading_hearts", LeadingHearts.ONCE_BROKEN): N_("hearts may be led once they are broken"),
}

#: How many doubles of each declarer are compulsory, where it is another number than the standard one.
COMPULSORY = NN_("{n} compulsory double of each declarer", "{n} compulsory doubles of each declarer")
NO_COMPULSORY = N_("no compulsory doubles")

VALUES: Mapping[str, str] = {
    "king": N_("king of hearts {value}"),
    "trick": N_("trick {value}"),
    "queen": N_("queen {value}"),
    "heart": N_("heart {value}"),
    "ace": N_("ace of hearts {value}"),
    "second_last_trick": N_("second last trick {value}"),
    "last_trick": N_("last trick {value}"),
    "trump_trick": N_("trump trick {value}"),
    "dominoes": N_("Dominoes {value}"),
    "ravage_city": N_("Ravage City {value}"),
}

PRESET = N_("Rules: {preset}")
PRESET_IN_FULL = N_("Rules: {preset} ({rules})")
OWN_IN_FULL = N_("Rules: standard, but {rules}")


def house_rules(rules: Rules, words: Words) -> str:
    """The house rules in one sentence."""
    changed = "; ".join(departures(rules, words))
    preset = preset_of(rules)
    if preset is None:
        return words.fill(OWN_IN_FULL, {"rules": changed})
    name = words.gettext(PRESET_NAMES[preset])
    return words.fill(PRESET_IN_FULL if changed else PRESET, {"preset": name, "rules": changed})


def departures(rules: Rules, words: Words) -> Iterator[str]:
    """Everything in which these rules are not the standard ones."""
    for (name, value), text in CHOICES.items():
        holder: Rules | Play = rules if name in Rules.__dataclass_fields__ else rules.play
        if getattr(holder, name) == value:
            yield words.gettext(text)
        if name == "declarer_may_open" and rules.compulsory_doubles != STANDARD.compulsory_doubles:
            yield _compulsory(rules.compulsory_doubles, words)
    for name in Values.__dataclass_fields__:
        value = getattr(rules.values, name)
        if value != getattr(STANDARD.values, name):
            yield words.fill(VALUES[name], {"value": _value(value)})


def _compulsory(number: int, words: Words) -> str:
    """How often each declarer must be doubled."""
    return words.fill_counted(COMPULSORY, {"n": number}) if number else words.gettext(NO_COMPULSORY)


def _value(value: Any) -> str:
    """A value with its sign, the four of Dominoes in a row."""
    return "/".join(signed(v) for v in value) if isinstance(value, tuple) else signed(value)
