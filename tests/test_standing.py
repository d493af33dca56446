"""The fold over the deals: totals, whose declaration, doubles owed and forced, and that matches end."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TypeVar

import pytest
from builders import (
    ANNA,
    BEN,
    CARLA,
    DAN,
    NAMES,
    SOME_TALLY,
    Json,
    by_name,
    case_file,
    codes,
    deal,
    expected_figures,
    match_cases,
    match_file,
    match_of,
    played,
    single_deal_cases,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import endings, finished_deals, house_rules, legal_doubles, matches

from scorepad.contracts import (
    Contract,
    Finished,
    HeartsTaken,
    KingTaken,
    LastTwoTaken,
    MostOfASuit,
    Tally,
    match_total,
)
from scorepad.doubles import Double
from scorepad.match import AgreedPoints, BrokenDeal, Deal, Match, ResultMissing
from scorepad.matchfile import read_match
from scorepad.rules import PRESETS, STANDARD, PositivesCount, Rotation, Rules
from scorepad.standing import Standing, problems, standing
from scorepad.table import NOTHING, SEATS, PerSeat, Seat, plus

V = TypeVar("V")


def warnings(match: Match) -> list[list[str]]:
    """The codes of the warnings of each deal."""
    return [[w.key for w in d.warnings] for d in standing(match).deals]


# The published figures


@pytest.mark.parametrize("case", single_deal_cases(), ids=lambda case: case["id"])
def test_single_deals_score_as_published(case: Json) -> None:
    file = match_file(case["deal"], players=case["players"], rules=case["rules"])
    match, wrong = read_match(file)
    assert wrong == ()
    assert match is not None
    (result,) = standing(match).deals
    assert by_name(result.basic) == case["basic"]
    assert by_name(result.score) == case["score"]


@pytest.mark.parametrize("name", match_cases())
def test_whole_matches_score_as_published(name: str) -> None:
    """Every figure of every deal, the totals, and who owes whom how many doubles."""
    match, wrong = read_match(json.loads(case_file(name)))
    expected = expected_figures(name)
    assert wrong == ()
    assert match is not None
    where = standing(match)

    def named(values: PerSeat[int] | None) -> dict[str, int]:
        assert values is not None
        return dict(zip(match.players, values, strict=True))

    assert len(where.deals) == len(expected["deals"])
    for result, wanted in zip(where.deals, expected["deals"], strict=True):
        assert named(result.basic) == wanted["basic"]
        assert named(result.adjustment) == wanted["adjustment"]
        assert named(result.score) == wanted["score"]
        assert named(result.totals) == wanted["totals"]
        assert {match.players[s] for s in result.forced} == set(wanted["forced"])
        assert result.contract_total == wanted["contract_total"]
    assert named(where.totals) == expected["totals"]
    assert {match.players[p]: {match.players[d]: where.owed(p, d) for d in p.others} for p in SEATS} == {
        player: dict(owed) for player, owed in expected["owed"].items()
    }


# Sums


@settings(max_examples=150, deadline=None)
@given(st.data(), house_rules())
def test_the_row_of_a_deal_makes_the_contracts_total(data: st.DataObject, rules: Rules) -> None:
    (result,) = standing(match_of(data.draw(finished_deals(rules)), rules=rules)).deals
    assert result.score is not None
    assert result.adjustment is not None
    assert sum(result.score) == result.contract_total
    assert sum(result.adjustment) == 0


@settings(max_examples=60, deadline=None)
@given(matches())
def test_totals_make_the_contracts_used_and_the_points_agreed(match: Match) -> None:
    assert problems(match) == ()
    where = standing(match)
    assert sum(where.totals) == where.expected + where.agreed
    scored = [d for d in where.deals if d.score is not None]
    assert where.expected == sum(d.contract_total or 0 for d in scored)
    assert where.deals_scored == len(scored)


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_a_whole_match_of_a_preset_makes_nothing_or_minus_144(name: str, data: st.DataObject) -> None:
    match = replace(data.draw(matches(rules=PRESETS[name], whole=True)), agreed_points=())
    where = standing(match)
    assert where.is_complete
    assert sum(where.totals) == (-144 if name == "ravage-city" else 0)


@settings(max_examples=25, deadline=None)
@given(matches(whole=True))
def test_a_whole_match_makes_what_its_rules_say(match: Match) -> None:
    where = standing(match)
    assert len(where.deals) == where.deals_in_all
    assert where.expected == match_total(match.rules)
    assert where.next is None


# Turning the table, and undoing


def on(seat: Seat, by: int) -> Seat:
    """The seat so many places further round the table."""
    return SEATS[(seat + by) % 4]


def turned(values: PerSeat[V], by: int) -> PerSeat[V]:
    """The same values with everybody so many places further."""
    return PerSeat.of(lambda s: values[on(s, -by)])


def turned_tally(tally: Tally | None, by: int) -> Tally | None:
    """The same tally with everybody so many places further."""
    match tally:
        case None:
            return None
        case KingTaken(taker):
            return KingTaken(on(taker, by))
        case HeartsTaken(counts, ace):
            return HeartsTaken(turned(counts, by), on(ace, by))
        case LastTwoTaken(second_last, last):
            return LastTwoTaken(on(second_last, by), on(last, by))
        case Finished((first, second, third, fourth)):
            return Finished((on(first, by), on(second, by), on(third, by), on(fourth, by)))
        case MostOfASuit(takers):
            return MostOfASuit(tuple(on(s, by) for s in takers))
        case _:
            return type(tally)(turned(tally.counts, by))


def turned_match(match: Match, by: int) -> Match:
    """The same match with everybody so many places further."""
    deals = [
        replace(
            d,
            declarer=on(d.declarer, by),
            doubles=frozenset(Double(on(a, by), on(b, by)) for a, b in d.doubles),
            tally=turned_tally(d.tally, by),
        )
        for d in match.deals
        if isinstance(d, Deal)
    ]
    return replace(
        match,
        players=turned(match.players, by),
        first_declarer=on(match.first_declarer, by),
        deals=tuple(deals),
        agreed_points=tuple(replace(a, points=turned(a.points, by)) for a in match.agreed_points),
        replaced=tuple(replace(r, seat=on(r.seat, by)) for r in match.replaced),
    )


@settings(max_examples=40, deadline=None)
@given(matches(), st.integers(1, 3))
def test_turning_the_table_turns_the_scores(match: Match, by: int) -> None:
    before, after = standing(match), standing(turned_match(match, by))
    assert after.totals == turned(before.totals, by)
    assert after.ranks == turned(before.ranks, by)
    assert set(after.winners) == {on(s, by) for s in before.winners}
    for old, new in zip(before.deals, after.deals, strict=True):
        assert new.score == (old.score and turned(old.score, by))
        assert set(new.forced) == {on(s, by) for s in old.forced}
    for player in SEATS:
        for declarer in player.others:
            assert after.owed(on(player, by), on(declarer, by)) == before.owed(player, declarer)
    if before.next and after.next:
        assert after.next.declarer is on(before.next.declarer, by)


def without_the_last_deal(match: Match) -> Match:
    """The match before its last deal was recorded, and what was agreed after it."""
    kept = len(match.deals) - 1
    return replace(
        match,
        deals=match.deals[:-1],
        agreed_points=tuple(a for a in match.agreed_points if a.after_deal <= kept),
        replaced=tuple(r for r in match.replaced if r.from_deal <= kept + 1),
    )


@settings(max_examples=40, deadline=None)
@given(st.data(), matches(most_deals=12))
def test_taking_back_a_deal_restores_the_standing(data: st.DataObject, match: Match) -> None:
    """Whatever is declared, doubled and tallied next: taken back, all is as it was."""
    match = replace(match, deals=tuple(d for d in match.deals if isinstance(d, Deal) and not d.is_open))
    match = replace(match, agreed_points=(), replaced=())
    before = standing(match)
    declarer = data.draw(st.sampled_from([s for s in SEATS if before.left(s)]))
    contract = data.draw(st.sampled_from(before.left(declarer)))
    made = data.draw(legal_doubles(declarer, contract, match.rules))
    one_more = data.draw(endings(Deal(declarer, contract, made), match.rules))
    longer = replace(match, deals=(*match.deals, one_more))
    assert standing(longer).deals[:-1] == before.deals
    assert standing(without_the_last_deal(longer)) == before


@settings(max_examples=30, deadline=None)
@given(matches(most_deals=12))
def test_the_deals_before_are_as_if_no_other_had_come(match: Match) -> None:
    where = standing(match)
    while match.deals:
        match = without_the_last_deal(match)
        shorter = standing(match)
        assert where.deals[: len(shorter.deals)] == shorter.deals


@settings(max_examples=40, deadline=None)
@given(st.data(), matches(most_deals=12))
def test_the_standing_is_what_it_was_before_the_next_deal_and_that_deal(
    data: st.DataObject, match: Match
) -> None:
    finished = tuple(d for d in match.deals if isinstance(d, Deal) and not d.is_open)
    before = standing(replace(match, deals=finished, agreed_points=(), replaced=()))
    declarer = data.draw(st.sampled_from([s for s in SEATS if before.left(s)]))
    contract = data.draw(st.sampled_from(before.left(declarer)))
    made = data.draw(legal_doubles(declarer, contract, match.rules))
    one_more = data.draw(endings(Deal(declarer, contract, made), match.rules))
    after = standing(replace(before.match, deals=(*finished, one_more)))
    assert after.deals[-1].score is not None
    assert after.totals == plus(before.totals, after.deals[-1].score)
    assert after.deals[-1].forced == before.must_double(declarer, contract)
    assert after.left(declarer) == tuple(c for c in before.left(declarer) if c is not contract)
    for player in declarer.others:
        done = before.counted[declarer][player]
        expected = done.after(contract) if (player, declarer) in made else done
        assert after.counted[declarer][player] == expected


# Whose declaration


def test_nobody_has_declared_yet() -> None:
    where = standing(match_of(first_declarer=CARLA))
    assert where.totals == NOTHING
    assert where.next is not None
    assert (where.next.deal, where.next.declarer) == (1, CARLA)
    assert where.winners == SEATS
    assert not where.is_complete
    assert where.playing is None


def test_the_deal_moves_on_to_the_left() -> None:
    deals = [deal("Carla B", passed_out=True), deal("Dan B", passed_out=True)]
    assert standing(match_of(*deals, first_declarer=CARLA)).proposed is ANNA


def test_with_seven_in_a_row_a_player_declares_all_his_contracts_first() -> None:
    rules = PRESETS["seven-in-a-row"]
    six = [played(f"Ben {c}") for c in ["B", "M", "NQ", "NH", "NL2", "T"]]
    assert standing(match_of(*six, rules=rules, first_declarer=BEN)).proposed is BEN
    seven = [*six, played("Ben D")]
    assert standing(match_of(*seven, rules=rules, first_declarer=BEN)).proposed is CARLA


def test_a_declaration_out_of_turn_is_marked_and_made_up_for() -> None:
    """Ben declares in Anna's place: Anna is next, and after her Carla, as if nothing had been."""
    match = match_of(deal("Ben B", passed_out=True), deal("Anna B", passed_out=True))
    assert warnings(match) == [["declared_out_of_turn"], []]
    assert problems(match) == ()
    assert standing(match).proposed is CARLA
    (warning,) = standing(match).deals[0].warnings
    assert warning.values == {"declarer": BEN, "proposed": ANNA}


@settings(max_examples=40, deadline=None)
@given(matches(in_turn=True))
def test_a_match_in_turn_has_no_warning_about_turns(match: Match) -> None:
    assert all("declared_out_of_turn" not in codes for codes in warnings(match))


@settings(max_examples=25, deadline=None)
@given(st.data(), matches(in_turn=False))
def test_a_match_is_finished_by_following_what_is_proposed(data: st.DataObject, match: Match) -> None:
    """Whatever was declared out of turn or not doubled, by the end every contract is used once."""
    match = replace(match, abandoned=False)
    if match.deals and isinstance(last := match.deals[-1], Deal) and last.is_open:
        match = replace(match, deals=(*match.deals[:-1], data.draw(endings(last, match.rules))))
    start = len(match.deals)
    while (following := (where := standing(match)).next) is not None:
        assert following.deal == len(match.deals) + 1
        assert following.must_double.keys() == set(where.left(following.declarer))
        contract = data.draw(st.sampled_from(where.left(following.declarer)))
        made = frozenset(Double(s, following.declarer) for s in following.must_double[contract])
        declared = Deal(following.declarer, contract, made)
        match = replace(match, deals=(*match.deals, data.draw(endings(declared, match.rules))))
    assert where.is_complete
    assert len(match.deals) == where.deals_in_all
    assert problems(match) == ()
    assert all("declared_out_of_turn" not in codes for codes in warnings(match)[start:])


def test_an_abandoned_match_has_no_next_deal_and_is_not_complete() -> None:
    where = standing(match_of(deal("Anna B", passed_out=True), abandoned=True))
    assert where.next is None
    assert not where.is_complete


@pytest.mark.parametrize(("name", "deals"), [("standard", 28), ("ravage-city", 32)])
def test_a_match_has_28_deals_or_32_with_ravage_city(name: str, deals: int) -> None:
    assert standing(match_of(rules=PRESETS[name])).deals_in_all == deals


# Compulsory doubles


def bens_debts_to_anna(*deals: Deal, rules: Rules = STANDARD) -> tuple[Standing, int, int]:
    """The standing after these deals, what Ben owes Anna, and what he can no longer make."""
    where = standing(match_of(*deals, rules=rules))
    return where, where.owed(BEN, ANNA), where.shortfall(BEN, ANNA)


def test_everybody_owes_everybody_two_doubles_twenty_four_in_all() -> None:
    where = standing(match_of())
    assert [where.owed(p, d) for p in SEATS for d in p.others] == [2] * 12


def test_only_a_double_of_the_declarer_counts() -> None:
    """Not one of a flank, not being doubled, not the declarer's redouble, not a deal passed out."""
    _, owed, _ = bens_debts_to_anna(played("Anna B", "BC BD CB DB"), deal("Anna M", passed_out=True))
    assert owed == 2
    where, owed, _ = bens_debts_to_anna(deal("Anna B", "BA AB", king="Dan"))
    assert owed == 1
    assert where.owed(ANNA, BEN) == 2


def test_a_double_in_trumps_counts_too() -> None:
    _, owed, _ = bens_debts_to_anna(played("Anna T", "BA"), played("Anna D", "BA"))
    assert owed == 0


def test_an_answer_to_a_declarer_who_opens_counts() -> None:
    rules = replace(STANDARD, declarer_may_open=True)
    _, owed, _ = bens_debts_to_anna(deal("Anna B", "AB BA", king="Dan"), rules=rules)
    assert owed == 1


def test_two_owed_with_two_left_must_double_both() -> None:
    where, _, shortfall = bens_debts_to_anna(
        *[played(f"Anna {c}", "CA DA") for c in ("B", "M", "NQ", "NH", "T")]
    )
    assert shortfall == 0
    assert where.must_double(ANNA, Contract.NL2) == (BEN,)
    assert where.must_double(ANNA, Contract.D) == (BEN,)
    assert where.must_double(BEN, Contract.NL2) == ()


def test_a_forced_double_that_was_not_made_is_a_warning_and_a_shortfall() -> None:
    six = [played(f"Anna {c}", "CA DA") for c in ("B", "M", "NQ", "NH", "T", "NL2")]
    where, owed, shortfall = bens_debts_to_anna(*six)
    assert (owed, shortfall) == (2, 1)
    assert where.deals[5].forced == (BEN,)
    assert "forced_double_missing" in [w.key for w in where.deals[5].warnings]
    assert problems(where.match) == ()


def test_even_a_pass_out_is_recorded_when_somebody_had_to_double() -> None:
    passed = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
    where, owed, shortfall = bens_debts_to_anna(*passed)
    assert (owed, shortfall) == (2, 0)
    rules = replace(STANDARD, positives_count=PositivesCount.NONE)
    where, owed, shortfall = bens_debts_to_anna(*passed, rules=rules)
    assert (owed, shortfall) == (2, 2)
    assert where.deals[4].forced == (BEN, CARLA, DAN)
    assert [w.key for w in where.deals[4].warnings].count("forced_double_missing") == 3
    assert problems(where.match) == ()


@settings(max_examples=40, deadline=None)
@given(matches(dutiful=True))
def test_a_table_that_makes_its_forced_doubles_has_no_shortfall(match: Match) -> None:
    where = standing(match)
    assert all(where.shortfall(p, d) == 0 for p in SEATS for d in p.others)
    assert all("forced_double_missing" not in codes for codes in warnings(match))
    if where.is_complete:
        assert all(where.owed(p, d) == 0 for p in SEATS for d in p.others)


@settings(max_examples=40, deadline=None)
@given(matches(dutiful=False))
def test_a_shortfall_comes_only_from_a_forced_double_that_was_not_made(match: Match) -> None:
    where = standing(match)
    missing = {
        (w.values["player"], w.values["declarer"])
        for d in where.deals
        for w in d.warnings
        if w.key == "forced_double_missing"
    }
    assert missing == {(p, d) for p in SEATS for d in p.others if where.shortfall(p, d)}


# The open deal


def test_an_open_deal_has_no_figures_and_is_the_next_one() -> None:
    where = standing(match_of(deal("Anna B", passed_out=True), deal("Ben NQ", "CB")))
    assert where.playing is not None
    assert where.playing.number == 2
    assert where.playing.score is None
    assert where.playing.settlements is None
    assert where.playing.totals == where.deals[0].totals == where.totals
    assert where.next is not None
    assert (where.next.deal, where.next.declarer) == (2, BEN)
    assert where.next.must_double == {Contract.NQ: ()}
    assert Contract.NQ not in where.left(BEN)
    assert where.deals_scored == 1


def test_an_open_deal_says_who_must_double_it() -> None:
    six = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
    where = standing(match_of(*six, deal("Anna T", "BA")))
    assert where.next is not None
    assert where.next.must_double == {Contract.T: (BEN, CARLA, DAN)}


def test_the_open_deal_is_still_a_chance_to_double() -> None:
    """Who has not doubled it yet may still do so; only when it is finished he falls short."""
    six = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
    where = standing(match_of(*six, deal("Anna T", "BA")))
    assert [where.owed(p, ANNA) for p in (BEN, CARLA)] == [1, 2]
    assert [where.shortfall(p, ANNA) for p in (BEN, CARLA)] == [0, 0]
    assert where.deals[-1].warnings[1:] == ()
    finished = standing(match_of(*six, deal("Anna T", "BA", tricks=(13, 0, 0, 0))))
    assert [finished.shortfall(p, ANNA) for p in (BEN, CARLA)] == [0, 1]


def test_the_open_deal_is_no_second_chance_for_who_has_doubled_it() -> None:
    """Anna's last contract is being played, Ben owed her two doubles and has made one: one falls short."""
    five = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
    last = [deal("Anna D", order="Anna Ben Carla Dan"), deal("Anna T", "BA")]
    where = standing(match_of(*five, *last))
    assert [where.shortfall(p, ANNA) for p in (BEN, CARLA)] == [1, 1]


def test_a_match_with_its_last_deal_open_is_not_complete() -> None:
    declared = [f"{name} {c.value}" for c in SOME_TALLY if c is not Contract.RC for name in NAMES]
    deals = [played(d) for d in declared]
    assert standing(match_of(*deals)).is_complete
    where = standing(match_of(*deals[:-1], replace(deals[-1], tally=None)))
    assert not where.is_complete
    assert where.next is not None
    assert where.next.deal == 28


# Agreed points


def test_agreed_points_count_in_the_totals_from_the_next_deal_on() -> None:
    penalty = AgreedPoints(1, PerSeat(10, -10, 0, 0), "revoke")
    before = AgreedPoints(0, PerSeat(0, 0, 5, 0), "a wager")
    where = standing(
        match_of(
            deal("Anna NQ", passed_out=True),
            deal("Ben NQ", passed_out=True),
            agreed_points=(penalty, before),
        )
    )
    first, second = (d.totals for d in where.deals)
    assert first == (0, -8, -3, -8)
    assert second == (2, -18, -11, -16)
    assert where.agreed == 5
    assert sum(where.totals) == where.expected + 5 == -43


def test_points_agreed_after_the_last_deal_count_in_the_totals_only() -> None:
    penalty = AgreedPoints(1, PerSeat(0, -10, 0, 0), "revoke")
    where = standing(match_of(deal("Anna NQ", passed_out=True), agreed_points=(penalty,)))
    assert where.deals[0].totals == (0, -8, -8, -8)
    assert where.totals == (0, -18, -8, -8)


def test_points_agreed_after_a_deal_there_is_not_count_nowhere() -> None:
    match = match_of(agreed_points=(AgreedPoints(3, PerSeat(1, 1, 1, 1)),))
    assert codes(problems(match)) == [(None, "agreed_after_no_deal")]
    where = standing(match)
    assert (where.totals, where.agreed) == (NOTHING, 0)


# What is wrong


def test_a_contract_is_declared_once_and_the_mistake_names_the_deal() -> None:
    match = match_of(
        deal("Anna NQ", passed_out=True), deal("Ben NQ", passed_out=True), deal("Anna NQ", passed_out=True)
    )
    (problem,) = problems(match)
    assert problem.deal == 3
    assert problem.mistake.values == {"declarer": ANNA, "contract": Contract.NQ, "used": 1}


def test_a_deal_with_mistakes_has_no_figures_and_leaves_the_totals() -> None:
    wrong = deal("Ben M", "AB", tricks=(14, 0, 0, 0))
    where = standing(match_of(deal("Anna NQ", passed_out=True), wrong, deal("Carla NQ", passed_out=True)))
    assert where.deals[1].score is None
    assert where.deals[1].totals == where.deals[0].totals
    assert where.deals[2].totals == (-8, -16, -8, -16)
    assert where.deals_scored == 2
    assert not where.is_complete
    assert Contract.M not in where.left(BEN)


def test_doubles_that_may_not_be_count_for_nothing() -> None:
    match = match_of(deal("Anna T", "BA CD", tricks=(13, 0, 0, 0)))
    assert codes(problems(match)) == [(1, "flank_double_not_allowed")]
    assert standing(match).owed(BEN, ANNA) == 2


def test_a_deal_that_cannot_be_read_uses_what_it_declared() -> None:
    mistakes = (ResultMissing(contract=Contract.NQ),)
    match = match_of(
        BrokenDeal(mistakes, ANNA, Contract.NQ),
        BrokenDeal(mistakes, ANNA, Contract.RC),
        BrokenDeal(mistakes, None, None),
        deal("Anna NQ", passed_out=True),
    )
    assert codes(problems(match)) == [
        (1, "result_missing"),
        (2, "result_missing"),
        (3, "result_missing"),
        (4, "contract_declared_twice"),
    ]
    where = standing(match)
    assert where.used[ANNA] == {Contract.NQ: 1}
    assert where.totals == NOTHING
    assert where.deals[0].playing is None
    assert where.deals[0].settlements is None


def test_a_rotation_of_seven_in_a_row_is_done_when_nothing_is_left() -> None:
    rules = PRESETS["seven-in-a-row"]
    assert rules.rotation is Rotation.SEVEN_IN_A_ROW
    declared = [f"{name} {c.value}" for name in NAMES for c in SOME_TALLY if c is not Contract.RC]
    where = standing(match_of(*[played(d) for d in declared], rules=rules))
    assert where.is_complete
    assert where.proposed is None
    assert where.next is None


def test_dan_declares_last() -> None:
    assert standing(match_of(*[deal(f"{n} B", passed_out=True) for n in NAMES[:3]])).proposed is DAN
