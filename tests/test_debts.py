"""Debts explained: which deals counted, what is still to come, and what follows from both."""

from __future__ import annotations

from dataclasses import replace

from builders import ANNA, BEN, CARLA, NAMES, deal, match_of, played
from hypothesis import given, settings
from strategies import matches

from scorepad import debts
from scorepad.contracts import Contract
from scorepad.explain import counted_deals
from scorepad.match import BrokenDeal, Deal, Match
from scorepad.messages import Words
from scorepad.rules import STANDARD, PositivesCount, Rules
from scorepad.standing import standing
from scorepad.table import SEATS

say = Words(NAMES)

PASSED = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH")]


def debt(*deals: Deal, rules: Rules = STANDARD, abandoned: bool = False) -> list[str]:
    """What Ben owes Anna after these deals."""
    where = standing(match_of(*deals, rules=rules, abandoned=abandoned))
    return [say(m) for m in debts.debt(where, BEN, ANNA)]


def test_a_debt_that_can_wait() -> None:
    assert debt(played("Anna B", "BA"), *PASSED[1:]) == [
        "Ben still owes Anna 1 double: 1 counted so far.",
        "Anna has 3 contracts still to declare: No Last Two, Trumps and Dominoes.",
    ]


def test_a_debt_that_must_be_paid_each_time() -> None:
    assert debt(*PASSED, played("Anna T", "CA"))[1:] == [
        "Anna has 2 contracts still to declare: No Last Two and Dominoes.",
        "So Ben must double Anna each time.",
    ]


def test_a_debt_that_must_be_paid_in_some_contracts() -> None:
    """One positive counts: the negative one must be doubled, and either of the two others will do."""
    rules = replace(STANDARD, positives_count=PositivesCount.ONE)
    assert debt(*PASSED, rules=rules) == [
        "Ben still owes Anna 2 doubles: 0 counted so far.",
        "Anna has 3 contracts still to declare: No Last Two, Trumps and Dominoes.",
        "Only 2 of them can still count.",
        "So Ben must double Anna in No Last Two.",
    ]


def test_a_debt_that_can_no_longer_be_paid() -> None:
    six = [*PASSED, deal("Anna NL2", passed_out=True), played("Anna T", "CA")]
    assert debt(*six)[2:] == [
        "So Ben must double Anna each time.",
        "1 double can no longer be made: a shortfall.",
    ]
    assert debt(*six, played("Anna D", "CA")) == [
        "Ben still owes Anna 2 doubles: 0 counted so far.",
        "Anna has declared everything.",
        "2 doubles can no longer be made: a shortfall.",
    ]


def test_a_debt_in_the_hand_that_is_being_played() -> None:
    five = [*PASSED, deal("Anna NL2", passed_out=True)]
    assert debt(*five, deal("Anna T"))[1:] == [
        "Ben must double Anna in the hand that is being played.",
        "Anna has 1 contract still to declare: Dominoes.",
        "So Ben must double Anna each time.",
    ]
    assert debt(*five, deal("Anna T", "BA"))[1] == "Anna has 1 contract still to declare: Dominoes."
    last = [*five, played("Anna T", "BA"), deal("Anna D")]
    assert debt(*last)[1:] == ["Ben must double Anna in the hand that is being played."]


def test_nothing_is_owed_any_more() -> None:
    assert debt(played("Anna B", "BA"), played("Anna M", "BA")) == ["Ben owes Anna nothing more."]


def test_nothing_is_to_come_in_a_match_that_was_abandoned() -> None:
    assert debt(*PASSED, abandoned=True) == ["Ben still owes Anna 2 doubles: 0 counted so far."]


# In a deal


def duties(*deals: Deal | BrokenDeal, rules: Rules = STANDARD) -> list[tuple[str, list[str]]]:
    """The duties of the last of these deals."""
    where = standing(match_of(*deals, rules=rules))
    return [(say(d.told), [say(m) for m in d.because]) for d in debts.duties(where, where.deals[-1])]


def test_a_forced_double_says_which_deals_counted_at_that_time() -> None:
    five = [played("Anna B", "BA"), *PASSED[1:], deal("Anna NL2", passed_out=True)]
    (ben, (carla, because), (dan, _)) = duties(*five, played("Anna T", "BA CA"))
    assert ben[0] == "Ben doubled Anna: it counts, 0 still owed."
    assert carla == "Carla had to double Anna, and did: 1 still owed."
    assert because == [
        "Deal 1, Barbu: not doubled.",
        "Deal 2, Misère: passed out.",
        "Deal 3, No Queens: passed out.",
        "Deal 4, No Hearts: passed out.",
        "Deal 5, No Last Two: passed out.",
        "Owed before this deal: 2. Declarations left then, this one included: 2.",
    ]
    assert dan == "Dan had to double Anna, owing 2, and did not."


def test_who_owed_and_did_not_double_is_told_too() -> None:
    assert duties(played("Anna B", "BA"))[1] == (
        "Carla did not double Anna: 2 still owed.",
        ["Owed before this deal: 2. Declarations left then, this one included: 7."],
    )


def test_who_owes_nothing_and_did_not_double_is_not_told() -> None:
    told = duties(played("Anna B", "BA CA"), played("Anna M", "BA"), played("Anna T", "DA"))
    assert [sentence.split()[0] for sentence, _ in told] == ["Carla", "Dan"]


def test_no_duties_where_none_are_owed_or_the_deal_cannot_be_read() -> None:
    assert duties(played("Anna B", "BA"), rules=replace(STANDARD, compulsory_doubles=0)) == []
    assert duties(BrokenDeal((), ANNA, Contract.B)) == []


def test_deals_that_did_not_count_say_why() -> None:
    deals = [
        *(deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")),
        played("Anna T", "CA"),
        deal("Anna D"),
    ]
    where = standing(match_of(*deals))
    assert [say(m) for m in counted_deals(where, BEN, ANNA)][-2:] == [
        "Deal 6, Trumps: not doubled, though it was forced.",
        "Deal 7, Dominoes: being played, not doubled so far.",
    ]
    three = standing(match_of(*(played(f"Anna {c}", "BA") for c in ("B", "M", "NQ"))))
    assert say(list(counted_deals(three, BEN, ANNA))[-1]) == (
        "Deal 3, No Queens: doubled, when nothing was owed any more."
    )


def test_a_pass_out_in_which_a_double_was_forced() -> None:
    deals = [played("Anna T", "CA"), played("Anna D", "CA"), *PASSED]
    where = standing(match_of(*deals, deal("Anna NL2", passed_out=True)))
    assert say(list(counted_deals(where, BEN, ANNA))[-1]) == (
        "Deal 7, No Last Two: passed out, though a double was forced."
    )


@settings(max_examples=20)
@given(matches(most_deals=16))
def test_as_many_deals_counted_as_are_not_owed_any_more(match: Match) -> None:
    """The deals that counted make up what is no longer owed, for every pair at the table."""
    where = standing(match)
    for player in SEATS:
        for declarer in player.others:
            counted = [m for m in counted_deals(where, player, declarer) if m.key == "deal_counted"]
            assert len(counted) == match.rules.compulsory_doubles - where.owed(player, declarer)


def test_the_deals_before_one_only() -> None:
    where = standing(match_of(played("Anna B", "BA"), played("Ben M", "CB"), played("Anna M", "CA")))
    assert [m.values["number"] for m in counted_deals(where, CARLA, ANNA, before=3)] == [1]
