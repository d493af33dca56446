"""What a change makes of the doubles further on: nothing is said that is not so, and nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest
from builders import ANNA, NAMES, SOME_TALLY, deal, match_of, played
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import matches

from scorepad.contracts import POSITIVES, POSITIVES_AT_MOST, Contract, contracts_of
from scorepad.doubles import Double
from scorepad.match import BrokenDeal, Deal, Match
from scorepad.meanings import FORCED, changes
from scorepad.messages import Words
from scorepad.rules import STANDARD, PositivesCount, Rules
from scorepad.standing import problems, standing
from scorepad.table import SEATS, Seat

say = Words(NAMES)


def told(before: Match, after: Match) -> list[str]:
    """What is said of a change."""
    return [say(m) for m in changes(standing(before), standing(after))]


PASSED = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
SEVEN = [*PASSED, played("Anna T", "BA CA DA"), played("Anna D", "BA CA")]


def test_nothing_changes_where_nothing_was_changed() -> None:
    assert told(match_of(*SEVEN), match_of(*SEVEN)) == []


def test_an_early_double_frees_a_late_one() -> None:
    """Had Ben doubled Anna in deal 1, he would not have had to in deals 6 and 7."""
    earlier = [played("Anna B", "BA"), *SEVEN[1:]]
    assert told(match_of(*SEVEN), match_of(*earlier)) == [
        "Deal 6: Ben’s double of Anna was forced and no longer is.",
        "Deal 7: Ben’s double of Anna was forced and no longer is.",
        "Deal 7: Ben’s double of Anna is no longer needed.",
    ]
    assert told(match_of(*earlier), match_of(*SEVEN)) == [
        "Deal 6: Ben’s double of Anna is forced now.",
        "Deal 7: Ben’s double of Anna is forced now.",
        "Deal 7: Ben’s double of Anna counts now.",
    ]


def test_a_double_that_is_taken_back_is_missing_further_on() -> None:
    """Ben's two of seven: without the first he had to double in deal 7, and did not."""
    five = [*PASSED[:4], played("Anna NL2", "BA CA"), played("Anna T", "BA CA"), played("Anna D", "CA")]
    without = [*five[:4], played("Anna NL2", "CA"), *five[5:]]
    assert told(match_of(*five), match_of(*without)) == [
        "Deal 6: Ben’s double of Anna is forced now.",
        "Deal 7: Ben now had to double Anna, and did not.",
        "Ben is now short of Anna by 1.",
    ]
    assert told(match_of(*without), match_of(*five)) == [
        "Deal 6: Ben’s double of Anna was forced and no longer is.",
        "Deal 7: Ben no longer had to double Anna.",
        "Ben is no longer short of Anna.",
    ]


def test_a_missing_double_is_made_up() -> None:
    missing = [*SEVEN[:5], played("Anna T", "BA CA")]
    assert told(match_of(*missing), match_of(*SEVEN[:6])) == [
        "Deal 6: Dan’s double of Anna, which was missing, is there now.",
        "Dan is no longer short of Anna.",
    ]


def test_what_is_owed_to_whoever_still_declares() -> None:
    two = [played("Anna B", "BA"), played("Ben M", "CB")]
    one = [played("Anna B", "BA CA"), played("Ben M", "CB")]
    assert told(match_of(*two), match_of(*one)) == ["Carla owes Anna 1; it was 2."]
    abandoned = match_of(*one, abandoned=True)
    assert told(match_of(*two), abandoned) == []


def test_a_deal_that_is_put_in_says_only_what_is_missing_in_it() -> None:
    assert told(match_of(*PASSED), match_of(*PASSED, played("Anna T", "BA CA")))[0] == (
        "Deal 6: Dan now had to double Anna, and did not."
    )


def test_deals_that_moved_are_the_same_deals() -> None:
    other = [played("Ben B", "CB"), *SEVEN]
    assert [t for t in told(match_of(*SEVEN), match_of(*other)) if "Anna" in t] == []


def test_another_contract_for_a_deal_that_stands() -> None:
    """Declared as Dominoes instead of Trumps, a double counts where only one of both does."""
    one = replace(STANDARD, positives_count=PositivesCount.NONE)
    trumps = match_of(played("Anna T", "BA"), rules=one)
    misere = match_of(played("Anna M", "BA"), rules=one)
    assert told(trumps, misere) == [
        "Deal 1: Ben’s double of Anna counts now.",
        "Ben owes Anna 1; it was 2.",
    ]
    assert told(misere, trumps)[0] == "Deal 1: Ben’s double of Anna does not count now."


def test_another_declarer_for_a_deal_that_stands() -> None:
    """Ben's double of Anna counted; when it was Carla who declared, it is one of a player who does not."""
    anna, carla = match_of(played("Anna M", "BA BC")), match_of(played("Carla M", "BA BC"))
    assert told(anna, carla) == [
        "Deal 1: Ben’s double of Carla counts now.",
        "Deal 1: Ben’s double of Anna does not count now.",
        "Ben owes Carla 1; it was 2.",
        "Ben owes Anna 2; it was 1.",
    ]


def test_a_forced_double_of_whoever_did_not_declare_after_all() -> None:
    """Deal 6 was Ben's: nobody had to double Anna in it."""
    missing = match_of(*PASSED, played("Anna T", "BA CA"))
    others = match_of(*PASSED, played("Ben T", "CB AB"))
    back = "Deal 6: Dan now had to double Anna, and did not."
    assert told(missing, others)[0] == "Deal 6: Dan no longer had to double Anna."
    assert back in told(others, missing)


def test_nothing_is_said_of_a_double_that_counted_for_nothing_anyway() -> None:
    two = [played("Anna B", "BA"), played("Anna M", "BA")]
    third, otherwise = played("Anna NQ", "BA"), played("Carla NQ", "BA")
    assert not any("Deal 3" in t for t in told(match_of(*two, third), match_of(*two, otherwise)))


def test_a_deal_that_cannot_be_read_means_nothing() -> None:
    broken = BrokenDeal((), ANNA, Contract.T)
    assert not any("Deal 6" in t for t in told(match_of(*SEVEN), match_of(*SEVEN[:5], broken, SEVEN[6])))


# Against counting it out


class Turn(NamedTuple):
    """What a player's turn was, counted out over the deals of the declarer."""

    made: bool
    forced: bool
    worth: str


def fulfilled(contracts: Collection[Contract], rules: Rules) -> int:
    """How many compulsory doubles these doubles make."""
    positives = sum(c in POSITIVES for c in contracts)
    return len(contracts) - positives + min(positives, POSITIVES_AT_MOST[rules.positives_count])


def doubled(deals: Collection[Deal], player: Seat, declarer: Seat) -> list[Contract]:
    """The contracts in which a player doubled a declarer."""
    return [d.contract for d in deals if d.declarer is declarer and (player, declarer) in d.doubles]


def rest(deals: Collection[Deal], declarer: Seat, rules: Rules) -> list[Contract]:
    """What a declarer has still to declare after these deals."""
    return [c for c in contracts_of(rules) if (declarer, c) not in {(d.declarer, d.contract) for d in deals}]


def turns(match: Match) -> dict[tuple[Seat, Contract, Seat], tuple[int, Turn]]:
    """The turn of each player in each deal, with the deal's number."""
    rules, found = match.rules, {}
    deals = [d for d in match.deals if isinstance(d, Deal)]
    for at, one in enumerate(deals):
        for player in one.declarer.others:
            past = doubled(deals[:at], player, one.declarer)
            counts = fulfilled([*past, one.contract], rules) > fulfilled(past, rules)
            later = rest(deals[: at + 1], one.declarer, rules)
            forced = counts and fulfilled([*past, *later], rules) < rules.compulsory_doubles
            owes = fulfilled(past, rules) < rules.compulsory_doubles
            worth = ("counts" if counts else "counts not") if owes else "not needed"
            made = (player, one.declarer) in one.doubles
            found[one.declarer, one.contract, player] = at + 1, Turn(made, forced, worth)
    return found


#: When each sentence is said of a turn that was and is.
SAID: dict[str, Callable[[Turn, Turn], bool]] = {
    "double_missing_now": lambda a, b: b.forced and not b.made and not (a.forced and not a.made),
    "double_missing_no_more": lambda a, b: a.forced and not a.made and not b.made and not b.forced,
    "double_made_up": lambda a, b: a.forced and not a.made and b.made,
    "double_forced_now": lambda a, b: b.made and b.forced and not a.forced,
    "double_forced_no_more": lambda a, b: a.made and a.forced and b.made and not b.forced,
    "double_counts_now": lambda a, b: a.made and b.made and a.worth != b.worth == "counts",
    "double_counts_not_now": lambda a, b: a.made and b.made and a.worth != b.worth == "counts not",
    "double_not_needed_now": lambda a, b: a.made and b.made and a.worth != b.worth == "not needed",
}

NO_TURN = Turn(made=False, forced=False, worth="")


def counted_out(before: Match, after: Match) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What should be said: of each turn, then of each debt."""
    was, now_at = turns(before), turns(after)
    gone = {number: key for key, (number, _) in was.items() if key not in now_at}
    for (declarer, contract, player), (number, now) in now_at.items():
        if (declarer, contract, player) in was or number not in gone:
            _, then = was.get((declarer, contract, player), (0, NO_TURN))
            yield from said_of(then, now, (number, player, declarer))
    new = {number for key, (number, _) in now_at.items() if key not in was}
    for number in new & gone.keys():
        yield from said_of_another(number, before, after)
    for player in SEATS:
        for declarer in player.others:
            (owed, short), (owes, lacks) = (debt(m, player, declarer) for m in (before, after))
            deals = [d for d in after.deals if isinstance(d, Deal)]
            if lacks != short:
                yield "short_now" if lacks else "short_no_more", (player, declarer, lacks)
            elif owes != owed and rest(deals, declarer, after.rules) and not after.abandoned:
                yield "owes_now", (player, declarer, owes, owed)


def said_of(then: Turn, now: Turn, values: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What should be said of one turn."""
    yield from ((key, values) for key, is_said in SAID.items() if is_said(then, now))


def said_of_another(number: int, before: Match, after: Match) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What should be said of a deal that another declared, or as another contract."""
    old, new = before.deals[number - 1], after.deals[number - 1]
    assert isinstance(old, Deal)
    assert isinstance(new, Deal)
    was, now_at = turns(before), turns(after)
    for declarer in {old.declarer, new.declarer}:
        for player in declarer.others:
            pair = [
                found[1] if found else Turn((player, declarer) in deal.doubles, forced=False, worth="")
                for deal, found in (
                    (old, was.get((declarer, old.contract, player)) if old.declarer is declarer else None),
                    (new, now_at.get((declarer, new.contract, player)) if new.declarer is declarer else None),
                )
            ]
            worths = {one.worth for one in pair}
            if "" in worths and "counts" not in worths:  # it counted for nothing, and does
                pair = [one._replace(worth="") for one in pair]
            elif "" in worths:
                pair = [one._replace(worth=one.worth or "counts not") for one in pair]
            yield from said_of(pair[0], pair[1], (number, player, declarer))


def debt(match: Match, player: Seat, declarer: Seat) -> tuple[int, int]:
    """What is owed after a match, and how much of it can no longer be made."""
    deals, rules = [d for d in match.deals if isinstance(d, Deal)], match.rules
    made, left = doubled(deals, player, declarer), rest(deals, declarer, rules)
    need = rules.compulsory_doubles
    return max(0, need - fulfilled(made, rules)), max(0, need - fulfilled([*made, *left], rules))


def finished(match: Match) -> Match:
    """A match without the hand being played."""
    return replace(match, deals=tuple(d for d in match.deals if isinstance(d, Deal) and not d.is_open))


def declared_otherwise(deal: Deal, declarer: Seat, contract: Contract) -> Deal:
    """The same hand when another declared it, or as another contract, with the doubles that can stay."""
    stays = frozenset(
        d
        for d in deal.doubles
        if d.doubler is not declarer and (d.doubled is declarer or not contract.is_positive)
    )
    tally = SOME_TALLY[contract] if stays or contract.is_positive else None
    return Deal(declarer, contract, stays, tally, passed_out=tally is None)


@st.composite
def changed(draw: st.DrawFn) -> tuple[Match, Match]:
    """A match, and the same with one thing put right."""
    match = finished(draw(matches(most_deals=16)))
    deals = [d for d in match.deals if isinstance(d, Deal)]
    assume(deals)
    at, kind = (
        draw(st.integers(0, len(deals) - 1)),
        draw(st.sampled_from(("double", "gone", "moved", "rules", "declared"))),
    )
    if kind == "rules":
        rules = replace(
            match.rules,
            compulsory_doubles=draw(st.integers(0, 5)),
            positives_count=draw(st.sampled_from(PositivesCount)),
        )
        return match, replace(match, rules=rules)
    if kind == "double":
        double = Double(draw(st.sampled_from(deals[at].declarer.others)), deals[at].declarer)
        deals[at] = replace(deals[at], doubles=deals[at].doubles ^ {double})
    elif kind == "declared":
        declarer, contract = draw(st.sampled_from(SEATS)), draw(st.sampled_from(contracts_of(match.rules)))
        assume((declarer, contract) not in {(d.declarer, d.contract) for d in deals})
        deals[at] = declared_otherwise(deals[at], declarer, contract)
    elif kind == "moved":
        deals.insert(draw(st.integers(0, len(deals) - 1)), deals.pop(at))
    else:
        del deals[at]
    after = replace(match, deals=tuple(deals), agreed_points=(), replaced=())
    assume(not problems(after))
    return match, after


@settings(max_examples=60)
@given(changed())
def test_all_that_changes_is_said_and_nothing_else(matches: tuple[Match, Match]) -> None:
    before, after = matches
    found = sorted((m.key, tuple(m.values.values())) for m in changes(standing(before), standing(after)))
    assert found == sorted(counted_out(before, after))


@settings(max_examples=15)
@given(matches(most_deals=16))
def test_no_change_says_nothing(match: Match) -> None:
    where = standing(match)
    assert not list(changes(where, where))


def test_the_oracle_knows_every_sentence() -> None:
    assert SAID.keys() == {*FORCED.values()} | {k for k in SAID if k.split("_")[1] in {"counts", "not"}}


@pytest.mark.parametrize(("count", "worth"), [("none", "does not count now"), ("all", "counts now")])
def test_other_rules_make_a_double_count_or_not(count: str, worth: str) -> None:
    trumps = match_of(played("Anna T", "BA"))
    none = replace(trumps, rules=replace(STANDARD, positives_count=PositivesCount.NONE))
    pair = (trumps, none) if count == "none" else (none, trumps)
    assert told(*pair)[0] == f"Deal 1: Ben’s double of Anna {worth}."
