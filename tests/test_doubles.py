"""Who may double whom, business, and the compulsory doubles owed and forced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations

import pytest
from builders import ANNA, BEN, CARLA, DAN, SOME_TALLY, codes_of, doubles
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import house_rules, legal_doubles, seats

from scorepad.contracts import Contract, contracts_of, most_compulsory_doubles
from scorepad.doubles import (
    ALL_DOUBLES,
    Counted,
    Double,
    Doubles,
    business,
    doubles_mistakes,
    may_double,
    mistake_in,
    speaking_order,
)
from scorepad.ledger import adjustments
from scorepad.rules import PRESETS, STANDARD, Doubling, PositivesCount, Rules
from scorepad.table import PAIRS, SEATS, Seat


def every_set_of_doubles() -> Iterator[Doubles]:
    """All 4,096 sets of the 12 directed doubles."""
    sizes = range(len(ALL_DOUBLES) + 1)
    return map(frozenset, chain.from_iterable(combinations(ALL_DOUBLES, size) for size in sizes))


EVERY_SET = tuple(every_set_of_doubles())

HOUSES: dict[str, Rules] = {
    "standard": STANDARD,
    "declarer only": replace(STANDARD, doubling=Doubling.DECLARER_ONLY),
    "declarer only, whatever is said of flanks": replace(
        STANDARD, doubling=Doubling.DECLARER_ONLY, flank_doubles_in_positives=True
    ),
    "flank doubles in positives": replace(STANDARD, flank_doubles_in_positives=True),
    "declarer may open": replace(STANDARD, declarer_may_open=True),
}

#: rules.md section 3: how many of the 4,096 sets are allowed, in a negative and in a positive contract.
COUNTS = {
    "standard": (1728, 27),
    "declarer only": (27, 27),
    "declarer only, whatever is said of flanks": (27, 27),
    "flank doubles in positives": (1728, 1728),
    "declarer may open": (4096, 64),
}


def is_said_in_the_rules(
    double: Double, declarer: Seat, contract: Contract, rules: Rules, made: Doubles
) -> bool:
    """The one line of rules.md section 3: x may double y if …"""
    x, y = double
    if x is declarer:
        return Double(y, x) in made or rules.declarer_may_open
    if y is declarer:
        return True
    anyone = rules.doubling is Doubling.ANYONE
    return anyone and (not contract.is_positive or rules.flank_doubles_in_positives)


@pytest.mark.parametrize("declarer", SEATS)
@pytest.mark.parametrize("contract", [Contract.NQ, Contract.T])
@pytest.mark.parametrize("house", HOUSES)
def test_exactly_the_legal_sets_of_doubles_are_accepted_and_scored(
    house: str, contract: Contract, declarer: Seat
) -> None:
    rules = HOUSES[house]
    basic = SOME_TALLY[contract].basic(contract, rules)
    accepted = 0
    for made in EVERY_SET:
        allowed = all(is_said_in_the_rules(d, declarer, contract, rules, made) for d in made)
        assert allowed == (not any(doubles_mistakes(made, declarer, contract, rules)))
        if allowed:
            accepted += 1
            assert sum(adjustments(basic, made)) == 0
    assert accepted == COUNTS[house][contract.is_positive]


@pytest.mark.parametrize("contract", Contract)
def test_every_negative_contract_is_doubled_alike_and_so_are_the_two_positives(contract: Contract) -> None:
    """So the exhaustive test above speaks for all contracts."""
    like = Contract.T if contract.is_positive else Contract.NQ
    for house in HOUSES.values():
        for double in ALL_DOUBLES:
            for made in doubles(""), frozenset(ALL_DOUBLES):
                mistake = mistake_in(double, ANNA, contract, house, made)
                assert (mistake is None) == (mistake_in(double, ANNA, like, house, made) is None)


@settings(max_examples=150, deadline=None)
@given(st.data(), house_rules(), seats)
def test_what_is_offered_is_what_is_accepted(data: st.DataObject, rules: Rules, declarer: Seat) -> None:
    """A double more is accepted if and only if it was offered, whoever speaks."""
    contract = data.draw(st.sampled_from(contracts_of(rules)))
    made = data.draw(legal_doubles(declarer, contract, rules))
    for doubler in SEATS:
        offered = may_double(doubler, declarer, contract, rules, made)
        for other in doubler.others:
            accepted = not any(doubles_mistakes(made | {Double(doubler, other)}, declarer, contract, rules))
            assert accepted == (other in offered)


@settings(max_examples=100, deadline=None)
@given(st.data(), house_rules(), seats)
def test_taking_what_is_offered_in_speaking_order_is_always_legal(
    data: st.DataObject, rules: Rules, declarer: Seat
) -> None:
    contract = data.draw(st.sampled_from(contracts_of(rules)))
    made: Doubles = frozenset()
    for doubler in speaking_order(declarer):
        for other in may_double(doubler, declarer, contract, rules, made):
            if data.draw(st.booleans()):
                made |= {Double(doubler, other)}
    assert not any(doubles_mistakes(made, declarer, contract, rules))


def test_a_maximum_is_everybody_in_a_negative_and_the_declarer_in_a_positive() -> None:
    assert may_double(BEN, ANNA, Contract.NQ, STANDARD, doubles("")) == (CARLA, DAN, ANNA)
    assert may_double(BEN, ANNA, Contract.T, STANDARD, doubles("")) == (ANNA,)


def test_the_declarers_maximum_are_those_who_doubled_her() -> None:
    assert may_double(ANNA, ANNA, Contract.NQ, STANDARD, doubles("")) == ()
    assert may_double(ANNA, ANNA, Contract.NQ, STANDARD, doubles("BA DA DC")) == (BEN, DAN)


def test_the_declarer_speaks_last_and_the_others_from_her_left() -> None:
    assert speaking_order(CARLA) == (DAN, ANNA, BEN, CARLA)


WRONG_DOUBLES = [
    ("nobody doubles himself", Contract.NQ, "BB", ["double_of_oneself"]),
    ("not even the declarer", Contract.NQ, "AA", ["double_of_oneself"]),
    ("a flank in Trumps", Contract.T, "BC", ["flank_double_not_allowed"]),
    ("the declarer without being doubled", Contract.NQ, "AB CA", ["declarer_may_only_redouble"]),
    (
        "all that is wrong, in the order of the seats",
        Contract.D,
        "AB BC DD",
        ["declarer_may_only_redouble", "flank_double_not_allowed", "double_of_oneself"],
    ),
]


@pytest.mark.parametrize(
    ("contract", "made", "codes"), [w[1:] for w in WRONG_DOUBLES], ids=[w[0] for w in WRONG_DOUBLES]
)
def test_a_double_that_may_not_be(contract: Contract, made: str, codes: list[str]) -> None:
    mistakes = list(doubles_mistakes(doubles(made), ANNA, contract, STANDARD))
    assert codes_of(mistakes) == codes
    assert all(m.field == "doubles" for m in mistakes)


def test_the_mistake_says_who_doubled_whom() -> None:
    (mistake,) = doubles_mistakes(doubles("BC"), ANNA, Contract.T, STANDARD)
    assert mistake.values == {"player": BEN, "doubled": CARLA, "declarer": ANNA}


def test_business_counts_both_directions() -> None:
    made = doubles("BA AB CA")
    assert [business(a, b, made) for a, b in ((ANNA, BEN), (BEN, ANNA), (CARLA, ANNA), (CARLA, DAN))] == [
        2,
        2,
        1,
        0,
    ]


@given(st.sets(st.sampled_from(ALL_DOUBLES)))
@settings(deadline=None)
def test_every_double_is_business_of_one_pair(made: set[Double]) -> None:
    assert sum(business(a, b, frozenset(made)) for a, b in PAIRS) == len(made)


# Compulsory doubles


def owed_after(rules: Rules, doubled: tuple[Contract, ...]) -> int:
    """rules.md section 4, said plainly: what is still owed when these contracts were doubled."""
    positives = sum(c.is_positive for c in doubled)
    counting = {
        PositivesCount.ALL: positives,
        PositivesCount.NONE: 0,
        PositivesCount.ONE: min(1, positives),
    }[rules.positives_count]
    return max(0, rules.compulsory_doubles - (len(doubled) - positives) - counting)


def every_choice(contracts: tuple[Contract, ...]) -> Iterator[tuple[Contract, ...]]:
    """All the ways to double some of these contracts."""
    return chain.from_iterable(combinations(contracts, n) for n in range(len(contracts) + 1))


def counted_of(doubled: tuple[Contract, ...]) -> Counted:
    """The counter after doubling these contracts."""
    done = Counted()
    for contract in doubled:
        done = done.after(contract)
    return done


@st.composite
def histories(draw: st.DrawFn) -> tuple[Rules, tuple[Contract, ...], tuple[Contract, ...]]:
    """Rules, the contracts of one declarer that were doubled, and those that are left (one at least)."""
    positives = draw(st.sampled_from(PositivesCount))
    rules = replace(STANDARD, positives_count=positives, ravage_city=draw(st.booleans()))
    rules = replace(rules, compulsory_doubles=draw(st.integers(0, most_compulsory_doubles(rules))))
    order = draw(st.permutations(contracts_of(rules)))
    used = draw(st.integers(0, len(order) - 1))
    doubled = tuple(c for c in order[:used] if draw(st.booleans()))
    return rules, doubled, tuple(order[used:])


@settings(max_examples=300, deadline=None)
@given(histories())
def test_forced_means_that_it_is_now_or_never(
    history: tuple[Rules, tuple[Contract, ...], tuple[Contract, ...]],
) -> None:
    """Searched by brute force over everything a player may still double.

    He must double now if and only if no choice among the contracts left after this one fulfils what he
    owes, and a double now brings down what he owes.
    """
    rules, doubled, (now, *later) = history
    fulfilled_without = any(owed_after(rules, doubled + choice) == 0 for choice in every_choice(tuple(later)))
    helps = owed_after(rules, (*doubled, now)) < owed_after(rules, doubled)
    forced = counted_of(doubled).is_forced(now, later, rules)
    assert forced == (helps and not fulfilled_without)


@settings(max_examples=300, deadline=None)
@given(histories())
def test_shortfall_is_what_no_choice_can_fulfil(
    history: tuple[Rules, tuple[Contract, ...], tuple[Contract, ...]],
) -> None:
    rules, doubled, left = history
    least = min(owed_after(rules, doubled + choice) for choice in every_choice(left))
    assert counted_of(doubled).shortfall(left, rules) == least


@settings(max_examples=200, deadline=None)
@given(histories())
def test_who_makes_his_forced_doubles_never_falls_short(
    history: tuple[Rules, tuple[Contract, ...], tuple[Contract, ...]],
) -> None:
    """From the first declaration on, doubling nothing but what is forced."""
    rules, doubled, left = history
    done, order = Counted(), (*(c for c in contracts_of(rules) if c not in left), *left)
    for n, contract in enumerate(order):
        after = order[n + 1 :]
        if contract in doubled or done.is_forced(contract, after, rules):
            done = done.after(contract)
        assert done.shortfall(after, rules) == 0
    assert done.owed(rules) == 0


def test_two_owed_with_two_declarations_left_must_double_both() -> None:
    """The example of the first source."""
    assert Counted().is_forced(Contract.M, [Contract.NQ], STANDARD)
    assert Counted(1).is_forced(Contract.NQ, [], STANDARD)


def test_two_owed_with_three_declarations_left_may_still_wait() -> None:
    assert not Counted().is_forced(Contract.M, [Contract.NQ, Contract.T], STANDARD)


def test_nothing_owed_is_never_forced() -> None:
    assert not Counted(2).is_forced(Contract.M, [], STANDARD)
    assert not Counted().is_forced(Contract.M, [], replace(STANDARD, compulsory_doubles=0))


def test_where_positives_do_not_count_trumps_is_never_forced_but_no_chance_either() -> None:
    rules = replace(STANDARD, positives_count=PositivesCount.NONE)
    assert not Counted(1).is_forced(Contract.T, [], rules)
    assert Counted(1).is_forced(Contract.M, [Contract.T, Contract.D], rules)


def test_where_one_positive_counts_a_second_is_not_owed() -> None:
    rules = replace(STANDARD, positives_count=PositivesCount.ONE)
    assert Counted(0, 2).owed(rules) == 1
    assert Counted(1, 0).is_forced(Contract.T, [], rules)
    assert not Counted(0, 1).is_forced(Contract.D, [], rules)
    assert Counted(0, 1).is_forced(Contract.M, [Contract.D], rules)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_asks_for_two_doubles_of_each_declarer(name: str) -> None:
    rules = PRESETS[name]
    assert [Counted(n).owed(rules) for n in range(4)] == [2, 1, 0, 0]
    assert Counted(1, 1).owed(rules) == 0
    assert Counted(0, 2).owed(rules) == 0
