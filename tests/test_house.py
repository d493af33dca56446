"""House rules in a sentence: the preset, and everything that is not the standard."""

from dataclasses import replace
from enum import Enum
from typing import Any

import pytest
from builders import NAMES

from scorepad.house import CHOICES, house_rules
from scorepad.messages import Words
from scorepad.rules import PRESETS, STANDARD, Deck, Play, PositivesCount, Rules, Trumping, Values

WORDS = Words(NAMES)


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("standard", "Rules: Standard"),
        ("seven-in-a-row", "Rules: Seven in a row (each declares all contracts in a row)"),
        (
            "german-other-values",
            (
                "Rules: German with the other values (each declares all contracts in a row; undoubled "
                "negative deals are played; king of hearts −15; Dominoes +40/+20/+10/−10)"
            ),
        ),
        ("ravage-city", "Rules: Ravage City (Ravage City is the eighth contract)"),
    ],
)
def test_a_preset_by_its_name_and_what_it_changes(preset: str, expected: str) -> None:
    assert house_rules(PRESETS[preset], WORDS) == expected


def test_rules_of_ones_own_say_everything_that_is_changed() -> None:
    rules = Rules(
        deck=Deck.SMALL,
        positives_count=PositivesCount.ONE,
        compulsory_doubles=1,
        declarer_may_open=True,
        values=replace(Values(), trick=0, queen=-5),
        play=Play(low_ace=True, trumping=Trumping.FREE),
    )
    assert house_rules(rules, WORDS) == (
        "Rules: standard, but the declarer may open doubles; 1 compulsory double of each declarer; "
        "one double in Trumps or Dominoes counts as a compulsory double; 32 cards; no need to overtrump; "
        "the ace may be low in Dominoes; trick 0; queen −5"
    )


def test_compulsory_doubles_are_counted() -> None:
    assert "no compulsory doubles" in house_rules(replace(STANDARD, compulsory_doubles=0), WORDS)
    assert "3 compulsory doubles of each" in house_rules(replace(STANDARD, compulsory_doubles=3), WORDS)


def test_every_choice_there_is_has_its_words() -> None:
    for record in (STANDARD, STANDARD.play):
        for name in record.__dataclass_fields__:
            standard = getattr(record, name)
            if isinstance(standard, Enum):
                others = {(name, choice) for choice in type(standard) if choice != standard}
                assert others <= CHOICES.keys()
            elif isinstance(standard, bool):
                assert (name, not standard) in CHOICES


@pytest.mark.parametrize("name", Values.__dataclass_fields__)
def test_every_value_that_is_changed_is_said(name: str) -> None:
    value: Any = (1, 2, 3, 4) if name == "dominoes" else 24
    rules = replace(STANDARD, values=replace(Values(), **{name: value}))
    assert house_rules(rules, WORDS) != house_rules(STANDARD, WORDS)
