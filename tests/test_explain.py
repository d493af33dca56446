"""Sentences for every figure: what was taken, how each pair settled, what was owed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import ANNA, BEN, CARLA, NAMES, case_file, codes_of, deal, match_cases, match_of, played
from hypothesis import given, settings
from strategies import matches

from scorepad import explain
from scorepad.contracts import Contract
from scorepad.ledger import settle
from scorepad.match import BrokenDeal, Deal, Match
from scorepad.matchfile import parse, read_match
from scorepad.messages import Words, signed
from scorepad.rules import (
    PRESETS,
    STANDARD,
    Cutter,
    Dealer,
    Leader,
    Message,
    Play,
    PositivesCount,
    Rules,
)
from scorepad.standing import DealResult, standing
from scorepad.table import PAIRS, SEATS, Seat

say = Words(NAMES)

#: Seed 004: Ben has a maximum, Carla doubles Anna, Anna redoubles Carla.
NO_QUEENS = deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2))


def only(one: Deal, rules: Rules = STANDARD) -> DealResult:
    """What is derived from a match of this one deal."""
    (result,) = standing(match_of(one, rules=rules)).deals
    return result


def why(one: Deal, rules: Rules = STANDARD) -> explain.Why:
    """Why this deal scored as it did, in a match of its own."""
    found = explain.why(only(one, rules), rules)
    assert found is not None
    return found


def said(*messages: Message) -> list[str]:
    """The sentences in English."""
    return [say(m) for m in messages]


# Whole examples of the sources


def test_the_no_queens_example_in_sentences() -> None:
    told = why(NO_QUEENS)
    assert said(*told.doubles) == ["Ben doubled everybody.", "Carla doubled Anna.", "Anna redoubled Carla."]
    assert said(*told.tally) == ["Anna took 1 queen.", "Carla took 1 queen.", "Dan took 2 queens."]
    assert said(*told.basic) == [
        "Anna: 1 × −6 = −6",
        "Ben: 0 × −6 = 0",
        "Carla: 1 × −6 = −6",
        "Dan: 2 × −6 = −12",
    ]
    assert said(*told.pairs) == [
        "Ben doubled Anna. Ben 0, Anna −6: 6 points pass from Anna to Ben.",
        "Anna and Carla doubled each other. Both have −6: equal, so nothing moves.",
        "Anna and Dan had no business: nothing moves.",
        "Ben doubled Carla. Ben 0, Carla −6: 6 points pass from Carla to Ben.",
        "Ben doubled Dan. Ben 0, Dan −12: 12 points pass from Dan to Ben.",
        "Carla and Dan had no business: nothing moves.",
    ]
    assert said(told.check) == ["The four scores make −24, the value of No Queens."]
    assert said(*told.duties) == [
        "Ben doubled Anna: it counts, 1 still owed.",
        "Carla doubled Anna: it counts, 1 still owed.",
    ]


def test_the_misere_example_in_sentences() -> None:
    """Seed 000: you take two tricks and North five, and you both doubled each other."""
    told = why(deal("Dan M", "AC CA", tricks=(2, 3, 5, 3)))
    assert say(told.pairs[PAIRS.index((ANNA, CARLA))]) == (
        "Anna and Carla doubled each other. Anna −4, Carla −10: "
        "twice 6, so 12 points pass from Carla to Anna."
    )
    assert said(*told.duties) == []


# What was counted


@pytest.mark.parametrize(
    ("one", "sentences"),
    [
        (deal("Anna B", "BA", king="Dan"), ["Dan took the king of hearts."]),
        (deal("Anna M", "BA", tricks=(12, 0, 1, 0)), ["Anna took 12 tricks.", "Carla took 1 trick."]),
        (deal("Anna T", tricks=(0, 13, 0, 0)), ["Ben took 13 tricks."]),
        (
            deal("Anna NH", "BA", hearts=(0, 1, 6, 6), ace="Dan"),
            ["Ben took 1 heart.", "Carla took 6 hearts.", "Dan took 6 hearts, the ace among them."],
        ),
        (
            deal("Anna NH", "BA", hearts=(12, 1, 0, 0), ace="Ben"),
            ["Anna took 12 hearts.", "Ben took 1 heart, the ace."],
        ),
        (
            deal("Anna NL2", "BA", last_two="Dan Ben"),
            ["Dan took the second last trick.", "Ben took the last trick."],
        ),
        (deal("Anna NL2", "BA", last_two="Dan Dan"), ["Dan took both last tricks."]),
        (deal("Anna D", order="Ben Dan Anna Carla"), ["Ben finished first, then Dan, Anna, Carla."]),
        (deal("Anna RC", "BA", most="Ben"), ["Ben held most of a suit."]),
        (deal("Anna RC", "BA", most="Ben Carla Dan"), ["Ben, Carla and Dan tied for most of a suit."]),
        (deal("Anna B", passed_out=True), ["Nobody doubled: passed out."]),
        (deal("Anna B", "BA"), ["The hand is being played."]),
    ],
)
def test_what_the_table_counted(one: Deal, sentences: list[str]) -> None:
    assert said(*explain.tally(one)) == sentences


@pytest.mark.parametrize(
    ("one", "sentences"),
    [
        (deal("Anna B", "BA", king="Dan"), ["Anna: 0", "Ben: 0", "Carla: 0", "Dan: −20"]),
        (
            deal("Anna M", "BA", tricks=(4, 1, 6, 2)),
            ["Anna: 4 × −2 = −8", "Ben: 1 × −2 = −2", "Carla: 6 × −2 = −12", "Dan: 2 × −2 = −4"],
        ),
        (
            deal("Anna T", tricks=(4, 1, 6, 2)),
            ["Anna: 4 × 5 = +20", "Ben: 1 × 5 = +5", "Carla: 6 × 5 = +30", "Dan: 2 × 5 = +10"],
        ),
        (
            deal("Anna NH", "BA", hearts=(3, 2, 6, 2), ace="Carla"),
            [
                "Anna: 3 × −2 = −6",
                "Ben: 2 × −2 = −4",
                "Carla: 5 × −2, the ace −6: −16",
                "Dan: 2 × −2 = −4",
            ],
        ),
        (deal("Anna NL2", "BA", last_two="Dan Ben"), ["Anna: 0", "Ben: −20", "Carla: 0", "Dan: −10"]),
        (
            deal("Anna D", order="Ben Dan Anna Carla"),
            ["Anna: place 3: +5", "Ben: place 1: +45", "Carla: place 4: −5", "Dan: place 2: +20"],
        ),
        (
            deal("Anna RC", "BA", most="Ben Dan"),
            ["Anna: 0", "Ben: −36, shared by 2 = −18", "Carla: 0", "Dan: −36, shared by 2 = −18"],
        ),
        (deal("Anna RC", "BA", most="Dan"), ["Anna: 0", "Ben: 0", "Carla: 0", "Dan: −36"]),
        (
            deal("Anna NL2", "BA", last_two="Dan Dan"),
            ["Anna: 0", "Ben: 0", "Carla: 0", "Dan: −10, −20 = −30"],
        ),
        (
            deal("Anna B", passed_out=True),
            [
                "Anna declared: the rest: +1",
                "Ben: a third of it: −7",
                "Carla: a third of it: −7",
                "Dan: a third of it: −7",
            ],
        ),
    ],
)
def test_the_arithmetic_of_each_basic_score(one: Deal, sentences: list[str]) -> None:
    assert said(*why(one, PRESETS["ravage-city"]).basic) == sentences


# How a pair settled


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        ("", "Anna and Ben had no business: nothing moves."),
        ("CD", "Anna and Ben had no business: nothing moves."),
        ("AB", "Anna doubled Ben. Anna −6, Ben 0: 6 points pass from Anna to Ben."),
        ("BA", "Ben doubled Anna. Ben 0, Anna −6: 6 points pass from Anna to Ben."),
        (
            "BA AB",
            "Anna and Ben doubled each other. Anna −6, Ben 0: twice 6, so 12 points pass from Anna to Ben.",
        ),
    ],
)
def test_how_a_pair_settled(made: str, sentence: str) -> None:
    one = deal("Anna NQ", made, queens=(1, 0, 1, 2))
    basic = only(NO_QUEENS).basic
    assert basic is not None
    (anna_and_ben, *_) = settle(basic, one.doubles)
    assert said(explain.pair(anna_and_ben, one.doubles, basic)) == [sentence]


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        ("AC", "Anna doubled Carla. Both have −6: equal, so nothing moves."),
        ("CA", "Carla doubled Anna. Both have −6: equal, so nothing moves."),
        ("AC CA", "Anna and Carla doubled each other. Both have −6: equal, so nothing moves."),
    ],
)
def test_a_pair_of_equals_moves_nothing_and_says_why(made: str, sentence: str) -> None:
    basic = only(NO_QUEENS).basic
    assert basic is not None
    doubles = deal("Anna NQ", made).doubles
    anna_and_carla = settle(basic, doubles)[PAIRS.index((ANNA, CARLA))]
    assert said(explain.pair(anna_and_carla, doubles, basic)) == [sentence]


# Who doubled whom


@pytest.mark.parametrize(
    ("one", "rules", "sentences"),
    [
        (deal("Anna NQ"), STANDARD, ["Nobody doubled."]),
        (deal("Anna NQ", "BX"), STANDARD, ["Ben doubled everybody."]),
        (deal("Anna NQ", "BC BD"), STANDARD, ["Ben doubled Carla and Dan."]),
        (deal("Anna T", "BA DA"), STANDARD, ["Ben doubled Anna.", "Dan doubled Anna."]),
        (
            deal("Carla NQ", "BA AB DC CD"),
            STANDARD,
            ["Dan doubled Carla.", "Anna doubled Ben.", "Ben redoubled Anna.", "Carla redoubled Dan."],
        ),
        (
            deal("Anna NQ", "BA CA DA AX"),
            STANDARD,
            [
                "Ben doubled Anna.",
                "Carla doubled Anna.",
                "Dan doubled Anna.",
                "Anna redoubled Ben, Carla and Dan.",
            ],
        ),
        (
            deal("Anna NQ", "AX"),
            replace(STANDARD, declarer_may_open=True),
            ["Anna doubled everybody."],
        ),
        (
            deal("Anna NQ", "BC CB CD"),
            STANDARD,
            ["Ben doubled Carla.", "Carla doubled Dan and redoubled Ben."],
        ),
        (deal("Anna NQ", "AC"), replace(STANDARD, declarer_may_open=True), ["Anna doubled Carla."]),
    ],
)
def test_who_doubled_whom_in_the_order_of_speaking(one: Deal, rules: Rules, sentences: list[str]) -> None:
    assert said(*explain.doubles_spoken(one)) == sentences


# Compulsory doubles


def duties(*deals: Deal, rules: Rules = STANDARD) -> list[str]:
    """What the compulsory doubles of the last of these deals were."""
    result = standing(match_of(*deals, rules=rules)).deals[-1]
    assert isinstance(result.deal, Deal)
    return said(*explain.duties(result, result.deal, rules))


FOUR = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH")]


def test_a_double_that_counts() -> None:
    assert duties(played("Anna NQ", "BA BC DC")) == ["Ben doubled Anna: it counts, 1 still owed."]


def test_a_double_that_had_to_be_made_and_one_that_is_missing() -> None:
    passed = [*FOUR, deal("Anna NL2", passed_out=True)]
    assert duties(*passed, deal("Anna T", "BA", tricks=(13, 0, 0, 0))) == [
        "Ben had to double Anna, and did: 1 still owed.",
        "Carla had to double Anna, owing 2, and did not.",
        "Dan had to double Anna, owing 2, and did not.",
    ]


def test_a_double_more_than_is_owed() -> None:
    assert duties(*[played(f"Anna {c}", "BA") for c in ("B", "M", "NQ")]) == [
        "Ben doubled Anna: it counts for nothing more, 0 owed."
    ]


def test_a_double_in_trumps_where_positives_do_not_count() -> None:
    rules = replace(STANDARD, positives_count=PositivesCount.NONE)
    assert duties(played("Anna T", "BA"), rules=rules) == [
        "Ben doubled Anna: in Trumps it does not count, 2 still owed."
    ]


def test_nothing_to_say_of_doubles_that_nobody_owed() -> None:
    assert duties(played("Anna NQ", "BC")) == []


def test_why_a_player_must_double_now() -> None:
    where = standing(match_of(*FOUR, deal("Anna NL2", passed_out=True)))
    assert said(explain.forced_because(where, BEN, ANNA, Contract.T)) == [
        "Ben must double Anna: owes 2, 2 left."
    ]


def test_the_contract_being_declared_is_among_those_left() -> None:
    """Also when it is being played, and so is no longer to be declared."""
    where = standing(match_of(*FOUR, deal("Anna NL2", passed_out=True), deal("Anna T")))
    assert said(explain.forced_because(where, BEN, ANNA, Contract.T)) == [
        "Ben must double Anna: owes 2, 2 left."
    ]


def counted_deals(match: Match) -> list[str]:
    """What Ben did in each of Anna's deals."""
    return said(*explain.counted_deals(standing(match), BEN, ANNA))


def test_which_deals_counted_and_which_did_not() -> None:
    deals = [
        deal("Anna B", passed_out=True),
        played("Ben NQ"),
        played("Anna M", "BA"),
        played("Anna NQ", "BC AB"),
        played("Anna D", "CA"),
        played("Anna T", "BA"),
    ]
    assert counted_deals(match_of(*deals)) == [
        "Deal 1, Barbu: passed out.",
        "Deal 3, Misère: doubled, counts.",
        "Deal 4, No Queens: not doubled.",
        "Deal 5, Dominoes: not doubled.",
        "Deal 6, Trumps: doubled, counts.",
    ]


def test_where_one_positive_counts_the_second_does_not() -> None:
    rules = replace(STANDARD, positives_count=PositivesCount.ONE)
    match = match_of(played("Anna T", "BA"), played("Anna D", "BA"), rules=rules)
    assert counted_deals(match) == [
        "Deal 1, Trumps: doubled, counts.",
        "Deal 2, Dominoes: doubled, but does not count at this table.",
    ]


def test_deals_that_cannot_be_read_are_not_among_those_counted() -> None:
    match = match_of(BrokenDeal((), ANNA, Contract.B), deal("Anna M", "BA", tricks=(14, 0, 0, 0)))
    assert counted_deals(match) == []


# Read back


def read_back(result: DealResult) -> list[str]:
    """The deal said aloud after it was saved."""
    return said(*explain.read_back(result))


def test_the_deal_is_read_back_with_what_moved() -> None:
    assert read_back(only(NO_QUEENS)) == [
        "Deal 1: Anna declared No Queens.",
        "Anna took 1 queen.",
        "Carla took 1 queen.",
        "Dan took 2 queens.",
        "6 points from Anna to Ben.",
        "nothing between Anna and Carla.",
        "6 points from Carla to Ben.",
        "12 points from Dan to Ben.",
    ]


def test_a_redouble_is_said_with_what_it_moved() -> None:
    assert read_back(only(deal("Anna B", "BA AB", king="Ben")))[2:] == [
        "redoubled, 40 points from Ben to Anna.",
    ]


def test_the_deal_is_read_back_in_one_sentence() -> None:
    told = explain.read_back(only(deal("Anna B", "BA AB", king="Ben")))
    assert say.one(told) == (
        "Deal 1: Anna declared Barbu; Ben took the king of hearts; redoubled, 40 points from Ben to Anna."
    )
    assert say.one(()) == ""


def test_a_pass_out_is_read_back_without_saying_twice_that_nobody_doubled() -> None:
    assert read_back(only(deal("Dan B", passed_out=True))) == [
        "Deal 1: Dan declared Barbu.",
        "Nobody doubled: passed out.",
    ]


def test_an_open_deal_is_read_back_as_far_as_it_went() -> None:
    assert read_back(only(deal("Dan B", "AD"))) == [
        "Deal 1: Dan declared Barbu.",
        "The hand is being played.",
        "Anna doubled Dan.",
    ]


def test_there_is_nothing_to_tell_of_a_deal_without_figures() -> None:
    broken = standing(match_of(BrokenDeal((), ANNA, Contract.B))).deals[0]
    assert explain.why(broken, STANDARD) is None
    assert explain.read_back(broken) == ()
    assert explain.why(only(deal("Anna B", "BA")), STANDARD) is None
    wrong = only(deal("Anna M", "BA", tricks=(14, 0, 0, 0)))
    assert codes_of(wrong.mistakes) == ["tally_does_not_add_up"]
    assert explain.why(wrong, STANDARD) is None


@settings(max_examples=30, deadline=None)
@given(matches())
def test_every_sentence_of_every_deal_says_its_figures(match: Match) -> None:
    """Each basic score stands in its sentence, each player who is paid is named, nothing is left out."""
    write = Words(match.players)
    for result in standing(match).deals:
        told = explain.why(result, match.rules)
        assert (told is None) == (result.basic is None)
        if told is None or result.basic is None or result.settlements is None:
            continue
        for seat in SEATS:
            sentence = write(told.basic[seat])
            assert sentence.startswith(match.players[seat])
            assert sentence.endswith(signed(result.basic[seat]))
        for settled, message in zip(result.settlements, told.pairs, strict=True):
            assert match.players[settled.first] in write(message)
            assert match.players[settled.second] in write(message)
            assert settled.winner is None or f"{settled.points} point" in write(message)
        assert all(write(m) for m in (*told.doubles, *told.tally, *told.duties, told.check))


@pytest.mark.parametrize("name", match_cases())
def test_the_pairs_and_the_check_of_every_row_of_the_case_files(name: str) -> None:
    """Six pairs to a row, which move what the doubles did; the scores make what the row's check says."""
    match = read_match(parse(case_file(name))).match
    assert match
    for result in standing(match).deals:
        told = explain.why(result, match.rules)
        if told is None or result.basic is None or result.adjustment is None or result.score is None:
            continue
        assert len(told.pairs) == len(PAIRS)
        moved = dict.fromkeys(SEATS, 0)
        for pair in told.pairs:
            if pair.values.get("winner") is not None:
                moved[pair.values["winner"]] += pair.values["n"]
                moved[pair.values["loser"]] -= pair.values["n"]
        assert tuple(moved.values()) == tuple(result.adjustment)
        assert sum(result.adjustment) == 0
        assert told.check.values["total"] == sum(result.basic) == sum(result.score) == result.contract_total


# Who deals, cuts and leads


def who_deals(declarer: Seat, play: Play) -> str:
    """Said for these ways of playing."""
    return say(explain.who_deals(declarer, replace(STANDARD, play=play)))


def test_the_declarer_deals_and_leads_and_the_player_at_his_right_cuts() -> None:
    assert who_deals(ANNA, Play()) == "Anna deals, Dan cuts, Anna leads."


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (Play(dealer=Dealer.RIGHT_OF_DECLARER), "Anna deals, Dan cuts, Ben leads."),
        (Play(cutter=Cutter.OPPOSITE_DECLARER), "Ben deals, Dan cuts, Ben leads."),
        (Play(cutter=Cutter.LEFT_OF_DEALER), "Ben deals, Carla cuts, Ben leads."),
        (Play(leader=Leader.LEFT_OF_DEALER), "Ben deals, Anna cuts, Carla leads."),
        (
            Play(Dealer.RIGHT_OF_DECLARER, Cutter.LEFT_OF_DEALER, Leader.LEFT_OF_DEALER),
            "Anna deals, Ben cuts, Ben leads.",
        ),
    ],
)
def test_other_tables_deal_cut_and_lead_in_other_ways(play: Play, said: str) -> None:
    assert who_deals(BEN, play) == said
