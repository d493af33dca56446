"""House rules as one record, presets, and how a mistake is named."""

from dataclasses import FrozenInstanceError, replace

import pytest

from scorepad.contracts import TallyDoesNotAddUp, rules_mistakes
from scorepad.doubles import DeclarerMayOnlyRedouble
from scorepad.match import TextTooLong
from scorepad.rules import (
    PRESETS,
    STANDARD,
    Deck,
    Doubling,
    Message,
    PositivesCount,
    Rotation,
    RuleError,
    Rules,
    Undoubled,
    Values,
    preset_of,
)


def test_the_standard_rules_are_those_of_the_first_source() -> None:
    assert Rules() == STANDARD
    assert STANDARD.rotation is Rotation.EVERY_DEAL
    assert STANDARD.doubling is Doubling.ANYONE
    assert STANDARD.compulsory_doubles == 2
    assert STANDARD.positives_count is PositivesCount.ALL
    assert STANDARD.undoubled_negative is Undoubled.PASSED_OUT
    assert STANDARD.deck == 52
    assert not STANDARD.flank_doubles_in_positives
    assert not STANDARD.declarer_may_open
    assert not STANDARD.ravage_city


def test_the_rules_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        STANDARD.ravage_city = True  # type: ignore[misc]


@pytest.mark.parametrize(("deck", "tricks"), [(Deck.FULL, 13), (Deck.SMALL, 8)])
def test_the_deck_says_how_many_tricks_there_are(deck: Deck, tricks: int) -> None:
    assert deck.tricks == tricks


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_recognised_and_can_be_scored(name: str) -> None:
    assert preset_of(PRESETS[name]) == name
    assert list(rules_mistakes(PRESETS[name])) == []


def test_the_presets_differ_where_their_sources_do() -> None:
    in_a_row = replace(STANDARD, rotation=Rotation.SEVEN_IN_A_ROW)
    german = replace(in_a_row, undoubled_negative=Undoubled.PLAYED)
    other_values = replace(german, values=Values(king=-15, dominoes=(40, 20, 10, -10)))
    assert {
        "standard": STANDARD,
        "seven-in-a-row": in_a_row,
        "german": german,
        "german-other-values": other_values,
        "ravage-city": replace(STANDARD, ravage_city=True),
    } == PRESETS


def test_a_table_that_changes_something_plays_no_preset() -> None:
    assert preset_of(replace(STANDARD, values=Values(queen=-5))) is None


def test_the_code_of_a_mistake_is_its_name() -> None:
    assert TallyDoesNotAddUp.code == "tally_does_not_add_up"
    assert DeclarerMayOnlyRedouble.code == "declarer_may_only_redouble"


def test_a_mistake_names_the_field_to_mend() -> None:
    assert TallyDoesNotAddUp.field == "result"
    assert DeclarerMayOnlyRedouble.field == "doubles"
    assert TextTooLong.field == ""


def test_a_mistake_is_a_message_with_its_values() -> None:
    mistake = TallyDoesNotAddUp(what="tricks", expected=13, counted=14)
    assert mistake.message == Message(
        "tally_does_not_add_up", {"what": "tricks", "expected": 13, "counted": 14}
    )
    assert isinstance(mistake, RuleError)
    assert "14" in str(mistake)
