"""What each contract tallies, what must add up, and what it is worth."""

from dataclasses import replace

import pytest
from builders import ANNA, BEN, CARLA, DAN, SOME_TALLY, codes_of
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import house_rules, tallies

from scorepad.contracts import (
    KINDS,
    Contract,
    Finished,
    HeartsTaken,
    KingTaken,
    LastTwoTaken,
    MostOfASuit,
    QueensTaken,
    Tally,
    TricksTaken,
    contract_total,
    contracts_of,
    match_total,
    most_compulsory_doubles,
    passed_out,
    rules_mistakes,
)
from scorepad.rules import PRESETS, STANDARD, Deck, PositivesCount, RuleError, Rules, Values
from scorepad.table import PerSeat, Points, Seat

RAVAGE_CITY = PRESETS["ravage-city"]
SMALL_DECK = replace(STANDARD, deck=Deck.SMALL)

STANDARD_TOTALS = {"B": -20, "M": -26, "NQ": -24, "NH": -30, "NL2": -30, "T": 65, "D": 65, "RC": -36}


@pytest.mark.parametrize(("contract", "total"), STANDARD_TOTALS.items())
def test_each_contract_has_its_total(contract: str, total: int) -> None:
    assert contract_total(Contract(contract), STANDARD) == total


@pytest.mark.parametrize(
    ("rules", "total"),
    [
        (STANDARD, 0),
        (PRESETS["seven-in-a-row"], 0),
        (PRESETS["german"], 0),
        (PRESETS["german-other-values"], 0),
        (RAVAGE_CITY, -144),
        (SMALL_DECK, -20),
    ],
)
def test_a_whole_match_has_its_total(rules: Rules, total: int) -> None:
    assert match_total(rules) == total


def test_a_small_deck_has_totals_of_its_own() -> None:
    assert contract_total(Contract.M, SMALL_DECK) == -16
    assert contract_total(Contract.NH, SMALL_DECK) == -20
    assert contract_total(Contract.T, SMALL_DECK) == 40


def test_ravage_city_is_declared_only_where_it_is_played() -> None:
    assert len(contracts_of(STANDARD)) == 7
    assert Contract.RC not in contracts_of(STANDARD)
    assert set(contracts_of(RAVAGE_CITY)) - set(contracts_of(STANDARD)) == {Contract.RC}


def test_only_trumps_and_dominoes_are_positive() -> None:
    assert [c for c in Contract if c.is_positive] == [Contract.T, Contract.D]


def test_a_hand_may_stop_early_once_nothing_is_left_to_take() -> None:
    assert [c for c in Contract if KINDS[c].may_stop_early] == [Contract.B, Contract.NQ, Contract.NH]


BASIC_SCORES: list[tuple[Contract, Tally, Points]] = [
    (Contract.B, KingTaken(DAN), PerSeat(0, 0, 0, -20)),
    (Contract.M, TricksTaken(PerSeat(4, 1, 6, 2)), PerSeat(-8, -2, -12, -4)),
    (Contract.NQ, QueensTaken(PerSeat(1, 0, 1, 2)), PerSeat(-6, 0, -6, -12)),
    (Contract.NH, HeartsTaken(PerSeat(3, 2, 6, 2), CARLA), PerSeat(-6, -4, -16, -4)),
    (Contract.NL2, LastTwoTaken(ANNA, BEN), PerSeat(-10, -20, 0, 0)),
    (Contract.NL2, LastTwoTaken(CARLA, CARLA), PerSeat(0, 0, -30, 0)),
    (Contract.T, TricksTaken(PerSeat(4, 1, 6, 2)), PerSeat(20, 5, 30, 10)),
    (Contract.D, Finished((BEN, DAN, ANNA, CARLA)), PerSeat(5, 45, -5, 20)),
    (Contract.RC, MostOfASuit((BEN,)), PerSeat(0, -36, 0, 0)),
    (Contract.RC, MostOfASuit((BEN, DAN)), PerSeat(0, -18, 0, -18)),
    (Contract.RC, MostOfASuit((ANNA, BEN, DAN)), PerSeat(-12, -12, 0, -12)),
    (Contract.RC, MostOfASuit((ANNA, BEN, CARLA, DAN)), PerSeat(-9, -9, -9, -9)),
]


@pytest.mark.parametrize(("contract", "tally", "basic"), BASIC_SCORES)
def test_a_tally_is_worth_its_basic_scores(contract: Contract, tally: Tally, basic: Points) -> None:
    assert list(tally.mistakes(RAVAGE_CITY)) == []
    assert tally.basic(contract, RAVAGE_CITY) == basic


@settings(max_examples=200, deadline=None)
@given(st.data(), house_rules())
def test_basic_scores_make_the_contracts_total_whatever_was_taken(data: st.DataObject, rules: Rules) -> None:
    contract = data.draw(st.sampled_from(contracts_of(rules)))
    tally = data.draw(tallies(contract, rules))
    assert isinstance(tally, KINDS[contract].tally)
    assert list(tally.mistakes(rules)) == []
    assert sum(tally.basic(contract, rules)) == contract_total(contract, rules)


WRONG_TALLIES: list[tuple[str, Tally, list[str]]] = [
    ("fourteen tricks", TricksTaken(PerSeat(5, 1, 6, 2)), ["tally_does_not_add_up"]),
    ("twelve tricks", TricksTaken(PerSeat(3, 1, 6, 2)), ["tally_does_not_add_up"]),
    ("five queens", QueensTaken(PerSeat(1, 1, 1, 2)), ["tally_does_not_add_up"]),
    ("a negative count", QueensTaken(PerSeat(-1, 1, 2, 2)), ["count_is_negative"]),
    (
        "a negative count that leaves too few",
        TricksTaken(PerSeat(-1, 1, 2, 2)),
        ["count_is_negative", "tally_does_not_add_up"],
    ),
    ("fewer hearts than there are", HeartsTaken(PerSeat(3, 2, 5, 2), CARLA), ["tally_does_not_add_up"]),
    ("the ace to one without hearts", HeartsTaken(PerSeat(5, 0, 6, 2), BEN), ["ace_without_hearts"]),
    ("an order naming somebody twice", Finished((BEN, BEN, ANNA, CARLA)), ["order_names_twice"]),
    ("most of a suit with nobody", MostOfASuit(()), ["most_names_nobody"]),
    ("most of a suit with one twice", MostOfASuit((BEN, BEN)), ["most_names_nobody"]),
]


@pytest.mark.parametrize(
    ("tally", "codes"), [w[1:] for w in WRONG_TALLIES], ids=[w[0] for w in WRONG_TALLIES]
)
def test_a_tally_that_cannot_be_is_a_mistake(tally: Tally, codes: list[str]) -> None:
    assert codes_of(tally.mistakes(STANDARD)) == codes


def test_a_count_that_does_not_add_up_says_both_numbers() -> None:
    (mistake,) = TricksTaken(PerSeat(5, 1, 6, 2)).mistakes(STANDARD)
    assert mistake.values == {"what": "tricks", "expected": 13, "counted": 14}


def test_a_small_deck_has_eight_tricks_and_eight_hearts() -> None:
    assert list(TricksTaken(PerSeat(2, 2, 2, 2)).mistakes(SMALL_DECK)) == []
    assert codes_of(SOME_TALLY[Contract.M].mistakes(SMALL_DECK)) == ["tally_does_not_add_up"]
    assert codes_of(SOME_TALLY[Contract.NH].mistakes(SMALL_DECK)) == ["tally_does_not_add_up"]


PASSED_OUT = {"B": (1, -7), "M": (1, -9), "NQ": (0, -8), "NH": (0, -10), "NL2": (0, -10), "RC": (0, -12)}


@pytest.mark.parametrize(("contract", "scores"), PASSED_OUT.items())
@pytest.mark.parametrize("declarer", [ANNA, BEN, CARLA, DAN])
def test_the_published_scores_of_a_deal_nobody_doubled(
    contract: str, scores: tuple[int, int], declarer: Seat
) -> None:
    of_declarer, of_others = scores
    points = passed_out(Contract(contract), declarer, STANDARD)
    assert points == PerSeat.all(of_others).put(declarer, of_declarer)


def test_a_small_misere_that_nobody_doubled_leaves_two_to_the_declarer() -> None:
    assert passed_out(Contract.M, ANNA, SMALL_DECK) == (2, -6, -6, -6)


@pytest.mark.parametrize("value", range(-100, 101))
def test_passed_out_for_any_value_the_declarer_has_the_rest(value: int) -> None:
    """The others a third each, rounded down; so the declarer has 0, 1 or 2, and nothing is lost."""
    rules = replace(STANDARD, values=Values(king=value))
    of_declarer, *of_others = passed_out(Contract.B, ANNA, rules)
    assert of_declarer in {0, 1, 2}
    assert len(set(of_others)) == 1
    assert of_declarer + sum(of_others) == value


@pytest.mark.parametrize(
    ("positives", "ravage_city", "most"),
    [
        (PositivesCount.ALL, False, 7),
        (PositivesCount.NONE, False, 5),
        (PositivesCount.ONE, False, 6),
        (PositivesCount.ALL, True, 8),
        (PositivesCount.NONE, True, 6),
        (PositivesCount.ONE, True, 7),
    ],
)
def test_no_more_compulsory_doubles_than_can_be_made(
    positives: PositivesCount, ravage_city: bool, most: int
) -> None:
    rules = replace(STANDARD, positives_count=positives, ravage_city=ravage_city, compulsory_doubles=most)
    assert most_compulsory_doubles(rules) == most
    assert list(rules_mistakes(rules)) == []
    (mistake,) = rules_mistakes(replace(rules, compulsory_doubles=most + 1))
    assert mistake.code == "too_many_compulsory_doubles"
    assert mistake.values == {"asked": most + 1, "most": most}


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        (replace(STANDARD, compulsory_doubles=-1), ["too_many_compulsory_doubles"]),
        (replace(STANDARD, values=Values(king=-10_001)), ["value_too_large"]),
        (replace(STANDARD, values=Values(dominoes=(45, 20, 5, 10_001))), ["value_too_large"]),
        (replace(STANDARD, values=Values(ravage_city=-40)), ["ravage_city_does_not_divide"]),
        (replace(STANDARD, values=Values(king=0, queen=0, dominoes=(0, 0, 0, 0), ravage_city=0)), []),
        (replace(STANDARD, values=Values(king=10_000)), []),
        (
            replace(STANDARD, compulsory_doubles=9, values=Values(ace=99_999, ravage_city=1)),
            ["value_too_large", "ravage_city_does_not_divide", "too_many_compulsory_doubles"],
        ),
    ],
)
def test_rules_that_cannot_be_scored(rules: Rules, codes: list[str]) -> None:
    mistakes: list[RuleError] = list(rules_mistakes(rules))
    assert codes_of(mistakes) == codes
    assert all(m.field == "rules" for m in mistakes)
