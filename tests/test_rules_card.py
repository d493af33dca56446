"""The rules card: what it says follows from the rules record, for every set of house rules."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from builders import match_file
from flask.testing import FlaskClient
from hypothesis import given
from strategies import house_rules
from webpages import Page, Phone

from scorepad.card import DECLARER, LEADING_HEARTS, LOW_ACE, MAY_DOUBLE, POSITIVES, ROTATIONS, TRUMPING, card
from scorepad.contracts import Contract, contract_total, contracts_of, match_total, passed_out
from scorepad.house import departures
from scorepad.match import passes_out
from scorepad.matchfile import read_match, write_rules
from scorepad.messages import PRESET_NAMES, Words, signed
from scorepad.rules import (
    PRESETS,
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
)
from scorepad.store import Store
from scorepad.table import PerSeat

WORDS = Words(PerSeat.all(""))


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """A phone."""
    return Phone(client)


def lines(rules: Rules) -> dict[str, tuple[str, str, str]]:
    """The contracts on the card: values, total, and what passing out is worth."""
    shown = card(rules, WORDS)
    return {li.name: (li.worth, li.total, li.passed_out) for li in (*shown.negatives, *shown.positives)}


def all_said(rules: Rules) -> str:
    """Every sentence of a card."""
    c = card(rules, WORDS)
    return " ".join((*c.match, *c.doubling, *c.compulsory, c.undoubled, *c.play, *c.departures))


def test_the_standard_contracts() -> None:
    assert lines(STANDARD) == {
        "Barbu": ("the king −20", "−20", "+1 / −7"),
        "Misère": ("one trick −2", "−26", "+1 / −9"),
        "No Queens": ("one queen −6", "−24", "0 / −8"),
        "No Hearts": ("one heart −2, the ace −6 instead", "−30", "0 / −10"),
        "No Last Two": ("trick 12 −10, trick 13 −20", "−30", "0 / −10"),
        "Trumps": ("one trick +5", "+65", "played"),
        "Dominoes": ("+45, +20, +5, −5 in the order of finishing", "+65", "played"),
    }


def test_32_cards_with_values_of_nothing() -> None:
    shown = lines(replace(STANDARD, deck=Deck.SMALL, values=replace(Values(), queen=0, last_trick=0)))
    assert shown["Misère"] == ("one trick −2", "−16", "+2 / −6")
    assert shown["No Queens"] == ("one queen 0", "0", "0 / 0")
    assert shown["No Last Two"] == ("trick 7 −10, trick 8 0", "−10", "+2 / −4")
    assert shown["Trumps"] == ("one trick +5", "+40", "played")


def test_ravage_city_is_on_the_card_where_it_is_played() -> None:
    assert lines(PRESETS["ravage-city"])["Ravage City"] == (
        "most of a suit −36, shared by those who tie",
        "−36",
        "0 / −12",
    )
    said = all_said(PRESETS["ravage-city"])
    assert "Each player declares each of the 8 contracts once: 32 deals." in said
    assert "One player’s 8 make −36, a whole match −144." in said


def test_a_table_that_plays_every_deal() -> None:
    shown = card(PRESETS["german"], WORDS)
    assert not shown.can_pass_out
    assert {line.passed_out for line in shown.negatives} == {""}
    assert "played all the same" in shown.undoubled


def test_doubling_in_three_sentences() -> None:
    assert card(STANDARD, WORDS).doubling == (
        "After the declaration each player speaks once, from the declarer’s left, the declarer last.",
        (
            "In a negative contract one may double any of the others, in Trumps and Dominoes only the "
            "declarer; the declarer may only double back those who doubled him."
        ),
        (
            "Two players between whom a double stands settle the difference of their basic scores, after a "
            "redouble (each doubled the other) twice that, and the better of the two gets it."
        ),
    )


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (Rules(flank_doubles_in_positives=True), "In every contract one may double any of the others;"),
        (Rules(doubling=Doubling.DECLARER_ONLY), "One may double only the declarer;"),
        (
            Rules(doubling=Doubling.DECLARER_ONLY, flank_doubles_in_positives=True),
            "One may double only the declarer;",
        ),
        (Rules(declarer_may_open=True), "the declarer may double anyone."),
        (Rules(play=Play(redoubles=Redoubles.SECOND_ROUND)), "Redoubles are spoken in a second round."),
        (Rules(compulsory_doubles=0), "No double is compulsory."),
        (Rules(compulsory_doubles=1), "at least once."),
        (Rules(compulsory_doubles=3), "at least 3 times."),
        (Rules(positives_count=PositivesCount.NONE), "Doubles in Trumps and Dominoes do not count."),
        (Rules(positives_count=PositivesCount.ONE), "Of the doubles in Trumps and Dominoes one counts."),
        (Rules(rotation=Rotation.SEVEN_IN_A_ROW), "Each player declares all his contracts in a row"),
        (Rules(play=Play(trumping=Trumping.FREE)), "may play what he likes."),
        (Rules(play=Play(low_ace=True)), "or before the lowest card."),
        (Rules(play=Play(leading_hearts=LeadingHearts.ONCE_BROKEN)), "before one has been thrown"),
        (Rules(deck=Deck.SMALL), "32 cards, 8 to each player"),
    ],
)
def test_each_house_rule_is_said(rules: Rules, said: str) -> None:
    assert said in all_said(rules)
    assert said not in all_said(STANDARD)


@pytest.mark.parametrize(
    ("play", "roles"),
    [
        (Play(), ("the declarer", "the player to the declarer’s right", "the declarer")),
        (
            Play(Dealer.RIGHT_OF_DECLARER, Cutter.OPPOSITE_DECLARER, Leader.LEFT_OF_DEALER),
            ("the player to the declarer’s right", "the player opposite the declarer", "the declarer"),
        ),
        (
            Play(cutter=Cutter.LEFT_OF_DEALER, leader=Leader.LEFT_OF_DEALER),
            ("the declarer", "the player to the declarer’s left", "the player to the declarer’s left"),
        ),
    ],
)
def test_who_deals_cuts_and_leads(play: Play, roles: tuple[str, str, str]) -> None:
    shown = card(replace(STANDARD, play=play), WORDS).roles
    assert shown == tuple(zip(("Deals", "Cuts", "Leads"), roles, strict=True))


def test_every_choice_has_its_sentence() -> None:
    assert set(ROTATIONS) == set(Rotation)
    assert set(POSITIVES) == set(PositivesCount)
    assert set(TRUMPING) == set(Trumping)
    assert set(LEADING_HEARTS) == set(LeadingHearts)
    assert set(LOW_ACE) == {True, False}
    assert set(MAY_DOUBLE) == {(d, flanks) for d in Doubling for flanks in (True, False)}


@given(house_rules())
def test_the_numbers_are_those_of_the_rules(rules: Rules) -> None:
    shown = card(rules, WORDS)
    by_contract = {line.contract: line for line in (*shown.negatives, *shown.positives)}
    assert set(by_contract) == set(contracts_of(rules))
    for contract, line in by_contract.items():
        assert line.total == signed(contract_total(contract, rules))
        if passes_out(contract, rules):
            points = passed_out(contract, DECLARER, rules)
            assert line.passed_out == f"{signed(points[0])} / {signed(points[1])}"
        else:
            assert line.passed_out == ("played" if contract.is_positive else "")
    assert f"a whole match {signed(match_total(rules))}." in " ".join(shown.match)
    assert shown.departures == tuple(departures(rules, WORDS))
    assert ("passed out" in shown.undoubled) == (rules.undoubled_negative is Undoubled.PASSED_OUT)
    assert not re.search(r"[{}]|%\(", all_said(rules))


# The pages


def contracts_shown(page: Page) -> list[str]:
    """The initials of the contracts on the page."""
    return [abbr.text for abbr in page.elements.one("section", id="contracts").all("abbr")]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_card_of_each_preset(phone: Phone, preset: str) -> None:
    page = phone.open(f"/rules?preset={preset}")
    assert page.status == 200
    assert contracts_shown(page) == sorted(
        contracts_of(PRESETS[preset]), key=lambda c: (c.is_positive, list(Contract).index(c))
    )
    assert [a.text for a in page.elements.all("a", aria_current="page")] == [PRESET_NAMES[preset]]
    assert bool(list(page.elements.all(id="departures"))) == (preset != "standard")
    for sentence in (*card(PRESETS[preset], WORDS).play, *card(PRESETS[preset], WORDS).doubling):
        assert sentence in page.text


def test_the_card_without_a_preset_is_standard(phone: Phone) -> None:
    assert phone.open("/rules").html == phone.open("/rules?preset=standard").html


@pytest.mark.parametrize("preset", ["", "nothing", "Standard", "<b>"])
def test_no_such_preset(phone: Phone, preset: str) -> None:
    assert phone.open(f"/rules?preset={preset}").status == 404


def test_a_match_shows_its_own_rules(phone: Phone, store: Store) -> None:
    rules: Any = write_rules(replace(STANDARD, compulsory_doubles=1, values=replace(Values(), king=-30)))
    match = read_match(match_file(rules=rules, title="<i>Thursday</i>")).match
    assert match
    slug, _ = store.start(match)
    page = phone.open(f"/m/{slug}/rules")
    assert page.status == 200
    assert "the king −30" in page.text
    assert "<i>Thursday</i>" in page.text
    assert [li.text for li in page.elements.one(id="departures").all("li")] == list(
        departures(match.rules, WORDS)
    )
    assert f"/m/{slug}/rules" in phone.open(f"/m/{slug}").links


def test_the_card_can_be_reached_before_a_match(phone: Phone) -> None:
    assert "/rules" in phone.open("/new").links
    assert "/rules" in phone.open("/").links


def test_no_such_match(phone: Phone) -> None:
    assert phone.open("/m/nowhere/rules").status == 404
