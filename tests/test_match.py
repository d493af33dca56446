"""A match as it was recorded, and what can be wrong with it."""

from dataclasses import replace

import pytest
from builders import ANNA, BEN, CARLA, DAN, NAMES, codes, codes_of, deal, match_of
from mistakes import BAD_MATCHES, BadMatch
from strategies import TRICKY_NAMES

from scorepad.contracts import Contract
from scorepad.match import (
    AgreedPoints,
    Deal,
    Replacement,
    Stake,
    Suit,
    basic_scores,
    deal_mistakes,
    looks_like,
    match_mistakes,
    name_mistakes,
    passes_out,
    text_mistakes,
)
from scorepad.rules import PRESETS, STANDARD
from scorepad.standing import problems
from scorepad.table import PerSeat


@pytest.mark.parametrize("bad", BAD_MATCHES, ids=lambda bad: bad.name)
def test_everything_wrong_with_a_match_is_listed_at_once(bad: BadMatch) -> None:
    assert codes(problems(bad.match)) == bad.problems


def test_a_deal_with_neither_tally_nor_pass_out_is_open() -> None:
    assert deal("Anna NQ", "BA").is_open
    assert not deal("Anna NQ", "BA", queens=(4, 0, 0, 0)).is_open
    assert not deal("Anna NQ", passed_out=True).is_open


def test_an_open_deal_is_no_mistake_whether_doubled_or_not() -> None:
    assert list(deal_mistakes(deal("Anna NQ"), STANDARD)) == []
    assert list(deal_mistakes(deal("Anna NQ", "BA"), STANDARD)) == []


@pytest.mark.parametrize(
    "noted",
    [
        deal("Anna T", tricks=(13, 0, 0, 0), trump=Suit.HEARTS),
        deal("Anna D", order="Anna Ben Carla Dan", start="9"),
    ],
    ids=["trump suit", "starting rank"],
)
def test_what_may_be_noted(noted: Deal) -> None:
    assert list(deal_mistakes(noted, STANDARD)) == []


@pytest.mark.parametrize("contract", Contract)
def test_only_a_negative_deal_passes_out_and_not_at_a_german_table(contract: Contract) -> None:
    assert passes_out(contract, STANDARD) is (contract not in {Contract.T, Contract.D})
    assert not passes_out(contract, PRESETS["german"])


def test_a_negative_deal_nobody_doubled_is_played_at_a_german_table() -> None:
    undoubled = deal("Anna B", king="Ben")
    assert codes_of(deal_mistakes(undoubled, STANDARD)) == ["nobody_doubled"]
    assert list(deal_mistakes(undoubled, PRESETS["german"])) == []
    assert basic_scores(undoubled, PRESETS["german"]) == (0, -20, 0, 0)


def test_a_positive_deal_nobody_doubled_is_played_everywhere() -> None:
    undoubled = deal("Anna T", tricks=(13, 0, 0, 0))
    assert list(deal_mistakes(undoubled, STANDARD)) == []
    assert basic_scores(undoubled, STANDARD) == (65, 0, 0, 0)


# Names and texts


def test_names_that_are_hard_on_pages_are_names_like_any_other() -> None:
    for name in TRICKY_NAMES:
        assert list(name_mistakes(PerSeat(name, "Bea", "Cleo", "Dot"))) == []


@pytest.mark.parametrize("name", ["ANN", "ann", " Ann ", "Ａｎｎ", "A\u200bnn"])
def test_names_that_look_the_same(name: str) -> None:
    assert looks_like(name) == looks_like("Ann")


@pytest.mark.parametrize("name", ["Anna", "Än", "An n", "Anñ"])
def test_names_that_do_not_look_the_same(name: str) -> None:
    assert looks_like(name) != looks_like("Ann")


def test_two_alike_are_both_named() -> None:
    (mistake,) = name_mistakes(PerSeat("Ann", "Ben", "ann", "Dan"))
    assert mistake.values == {"name": "ann", "other": "Ann"}


def test_three_alike_are_two_mistakes() -> None:
    assert codes_of(name_mistakes(PerSeat("A", "A", "A", "B"))) == ["names_alike", "names_alike"]


def test_empty_names_are_missing_and_not_alike() -> None:
    mistakes = list(name_mistakes(PerSeat("", "Ben", "", "Dan")))
    assert [(m.code, m.values["seat"]) for m in mistakes] == [("name_missing", ANNA), ("name_missing", CARLA)]


def test_a_name_may_have_forty_characters_and_a_text_two_hundred() -> None:
    assert list(name_mistakes(PerSeat("A" * 40, "Ben", "Carla", "Dan"))) == []
    assert codes_of(name_mistakes(PerSeat("A" * 41, "Ben", "Carla", "Dan"))) == ["name_too_long"]
    assert list(text_mistakes(title="x" * 200)) == []
    (mistake,) = text_mistakes(title="x" * 201)
    assert mistake.values == {"name": "title", "most": 200}


def test_the_currency_of_a_stake_is_a_text_like_others() -> None:
    assert list(match_mistakes(match_of(stake=Stake("0.05", "EUR")))) == []
    (mistake,) = match_mistakes(match_of(stake=Stake("0.05", "x" * 201)))
    assert (mistake.code, mistake.values["name"]) == ("text_too_long", "currency")


# Who sits where


def test_somebody_new_sits_down_from_his_deal_on() -> None:
    match = match_of(deal("Anna B", passed_out=True), replaced=(Replacement(2, BEN, "Eve"),))
    assert match.names_at(1) == NAMES
    assert match.names_at(2) == ("Anna", "Eve", "Carla", "Dan")
    assert match.names == ("Anna", "Eve", "Carla", "Dan")
    assert problems(match) == ()


def test_the_later_of_two_who_sit_down_has_the_seat_in_whatever_order_they_were_noted() -> None:
    first, second = Replacement(1, DAN, "Eve"), Replacement(2, DAN, "Fritz")
    match = match_of(deal("Anna B", passed_out=True), replaced=(second, first))
    assert match.names_at(1)[DAN] == "Eve"
    assert match.names_at(2)[DAN] == "Fritz"


def test_somebody_new_may_have_the_name_of_one_who_left() -> None:
    match = match_of(replaced=(Replacement(1, BEN, "Eve"), Replacement(1, DAN, "Ben")))
    assert problems(match) == ()


def test_agreed_points_stand_after_a_deal_or_before_the_first() -> None:
    points = PerSeat(10, -10, 0, 0)
    played = match_of(deal("Anna B", passed_out=True))
    for after_deal, expected in ((-1, False), (0, True), (1, True), (2, False)):
        match = replace(played, agreed_points=(AgreedPoints(after_deal, points),))
        assert (problems(match) == ()) is expected
