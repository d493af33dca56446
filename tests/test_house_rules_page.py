"""House rules on the page that starts a match: every field, every preset, every refusal, without scripts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from records import unchanged
from strategies import house_rules
from webpages import NAMES, Form, Page, Phone

from scorepad.contracts import contract_total, contracts_of, match_total
from scorepad.matchfile import write_rules
from scorepad.messages import CONTRACT_NAMES, PRESET_NAMES, Words, signed
from scorepad.rules import (
    LARGEST_VALUE,
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
from scorepad.rulesform import ASKED, RulesForm, changes, read_form, sentence_of, stated
from scorepad.rulesform import NAMES as FIELDS
from scorepad.store import Store
from scorepad.table import PerSeat

SAY = Words(PerSeat("", "", "", ""))

#: Rules in which nothing is as in the standard ones.
OTHERWISE = Rules(
    rotation=Rotation.SEVEN_IN_A_ROW,
    doubling=Doubling.DECLARER_ONLY,
    flank_doubles_in_positives=True,
    declarer_may_open=True,
    compulsory_doubles=0,
    positives_count=PositivesCount.ONE,
    undoubled_negative=Undoubled.PLAYED,
    ravage_city=True,
    deck=Deck.SMALL,
    values=Values(-1, 0, 7, -3, 0, -8, -9, 10, (40, 25, 10, 0), 0),
    play=Play(
        Dealer.RIGHT_OF_DECLARER,
        Cutter.LEFT_OF_DEALER,
        Leader.LEFT_OF_DEALER,
        Redoubles.SECOND_ROUND,
        Trumping.FREE,
        low_ace=True,
        leading_hearts=LeadingHearts.ONCE_BROKEN,
    ),
)

plays = st.builds(
    Play,
    st.sampled_from(Dealer),
    st.sampled_from(Cutter),
    st.sampled_from(Leader),
    st.sampled_from(Redoubles),
    st.sampled_from(Trumping),
    st.booleans(),
    st.sampled_from(LeadingHearts),
)


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """A phone that has never been here."""
    return Phone(client)


def new_form(phone: Phone, **values: Any) -> Form:
    """The form with four names and the first player declaring."""
    names = {f"name_{n}": name for n, name in enumerate(NAMES)}
    return phone.open("/new").form("start").fill(**names, first=0, **values)


def rules_of(store: Store, page: Page) -> Rules:
    """The rules of the match that a form has led to."""
    assert page.status == 200, page.wrong
    return store.load(page.address.removeprefix("/m/")).read().rules


def started(phone: Phone, store: Store, **values: Any) -> Rules:
    """The rules of a match that is started with these fields."""
    return rules_of(store, phone.send(new_form(phone, **values)))


# Every field


def test_every_field_of_the_rules_is_asked_for_with_a_sentence() -> None:
    wanted = {n for n in Rules.__dataclass_fields__ if n not in {"values", "play"}}
    wanted |= {f"value_{n}" for n in Values.__dataclass_fields__}
    wanted |= {f"play_{n}" for n in Play.__dataclass_fields__}
    assert ASKED.keys() == wanted
    assert all(asked.label and asked.about.endswith(".") for asked in ASKED.values())


def test_every_value_of_a_choice_can_be_chosen() -> None:
    for rules in (STANDARD, OTHERWISE):
        for name, text in stated(rules).items():
            if name in ASKED and (choices := dict(ASKED[name].choices)):
                assert text in choices
    assert {n: len(a.choices) for n, a in ASKED.items() if len(a.choices) > 2} == {
        "positives_count": 3,
        "play_cutter": 3,
    }


def test_the_page_asks_for_all_of_it_behind_a_summary(phone: Phone) -> None:
    page = phone.open("/new")
    details = page.elements.one("details", id="rules")
    assert "open" not in details.attributes
    assert {e.attributes.get("name") for e in details.all("input")} >= set(FIELDS)
    for asked in ASKED.values():
        assert asked.label in details.text
        assert page.elements.one(id=f"about-{asked.name}").text == asked.about
    order = [e.attributes.get("id") or e.attributes.get("name") for e in page.elements.all()]
    assert order.index("preset") < order.index("rules")


@pytest.mark.parametrize("field", FIELDS)
def test_one_field_alone_is_changed(phone: Phone, store: Store, field: str) -> None:
    text = stated(OTHERWISE)[field]
    fields = {field: text}
    if field.startswith("value_dominoes"):  # four values or none
        fields = {
            **{n: v for n, v in stated(STANDARD).items() if n.startswith("value_dominoes")},
            field: text,
        }
    rules = started(phone, store, **fields)
    assert stated(rules)[field] == text
    assert {n for n, v in stated(rules).items() if stated(STANDARD)[n] != v} == {field}


def test_all_fields_at_once(phone: Phone, store: Store) -> None:
    assert started(phone, store, **stated(OTHERWISE).to_dict()) == OTHERWISE


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_alone_and_with_a_change(phone: Phone, store: Store, preset: str) -> None:
    assert started(phone, store, preset=preset) == PRESETS[preset]
    changed = started(phone, store, preset=preset, value_king="−25", play_low_ace="yes")
    expected = PRESETS[preset]
    assert changed == replace(
        expected, values=replace(expected.values, king=-25), play=replace(expected.play, low_ace=True)
    )
    everything = stated(PRESETS[preset]).to_dict()
    assert started(phone, store, preset="standard", **everything) == PRESETS[preset]


@pytest.mark.parametrize(
    ("typed", "value"),
    [("-15", -15), ("−15", -15), ("–15", -15), (" 15 ", 15), ("+15", 15), ("− 15", -15), ("0", 0), ("-0", 0)],
)
def test_numbers_as_they_are_typed(phone: Phone, store: Store, typed: str, value: int) -> None:
    assert started(phone, store, value_king=typed).values.king == value


def test_nought_is_an_answer(phone: Phone, store: Store) -> None:
    noughts = {name: "0" for name in FIELDS if name.startswith("value_")}
    rules = started(phone, store, compulsory_doubles="0", **noughts)
    assert rules == Rules(compulsory_doubles=0, values=Values(0, 0, 0, 0, 0, 0, 0, 0, (0, 0, 0, 0), 0))


@given(rules=house_rules(), play=plays, base=st.sampled_from(tuple(PRESETS)))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_rules_go_through_the_form(app: Flask, store: Store, rules: Rules, play: Play, base: str) -> None:
    """Whatever preset is chosen: the fields that are filled in count."""
    rules = replace(rules, play=play)
    phone = Phone(app.test_client())
    assert started(phone, store, preset=base, **stated(rules).to_dict()) == rules


@given(rules=house_rules(), play=plays, start=house_rules())
def test_a_form_is_read_as_it_was_filled_in(rules: Rules, play: Play, start: Rules) -> None:
    rules = replace(rules, play=play)
    assert read_form(RulesForm(stated(rules)), start, SAY) == (rules, {})
    assert read_form(RulesForm(), start, SAY) == (start, {})
    assert changes(RulesForm(stated(rules))) == write_rules(rules)


# Refusals

#: What is typed, the field that is named, and a part of what is said.
REFUSED: dict[str, tuple[dict[str, str], str, str]] = {
    "three Dominoes values": (
        {"value_dominoes_0": "45", "value_dominoes_1": "20", "value_dominoes_2": "5"},
        "value_dominoes_3",
        "Dominoes has four values",
    ),
    "one Dominoes value, the second": ({"value_dominoes_1": "20"}, "value_dominoes_0", "four values"),
    "a Ravage City that cannot be shared": (
        {"value_ravage_city": "-30"},
        "value_ravage_city",
        "multiple of 12",
    ),
    "another preset’s Ravage City": (
        {"preset": "ravage-city", "value_ravage_city": "−35"},
        "value_ravage_city",
        "Ravage City at −35 cannot be shared",
    ),
    "more doubles than contracts": ({"compulsory_doubles": "8"}, "compulsory_doubles", "from 0 to 7"),
    "more than the negatives": (
        {"compulsory_doubles": "6", "positives_count": "none"},
        "compulsory_doubles",
        "from 0 to 5",
    ),
    "more than can be with one positive": (
        {"compulsory_doubles": "7", "positives_count": "one"},
        "compulsory_doubles",
        "from 0 to 6",
    ),
    "fewer than none": ({"compulsory_doubles": "-1"}, "compulsory_doubles", "from 0 to 7"),
    "a value beyond the limit": ({"value_king": "-10001"}, "value_king", "“King of hearts”: values go up to"),
    "a value far beyond": ({"value_king": "9" * 30}, "value_king", "values go up to 10000"),
    "the third place beyond the limit": (
        {
            "value_dominoes_0": "1",
            "value_dominoes_1": "2",
            "value_dominoes_2": "10001",
            "value_dominoes_3": "3",
        },
        "value_dominoes_2",
        "values go up to",
    ),
    "a place that is no number": (
        {"value_dominoes_0": "1", "value_dominoes_1": "2", "value_dominoes_2": "3", "value_dominoes_3": "x"},
        "value_dominoes_3",
        "“x” is not a whole number",
    ),
    "half a point": ({"value_trick": "-2.5"}, "value_trick", "not a whole number"),
    "words": ({"value_ace": "six"}, "value_ace", "not a whole number"),
    "other digits": ({"value_ace": "１３"}, "value_ace", "not a whole number"),
    "doubles in words": ({"compulsory_doubles": "two"}, "compulsory_doubles", "not a whole number"),
    "a Ravage City in words": ({"value_ravage_city": "much"}, "value_ravage_city", "not a whole number"),
    "a choice there is not": (
        {"rotation": "backwards"},
        "rotation",
        "“Who declares next” cannot be “backwards”",
    ),
    "a deck there is not": ({"deck": "54"}, "deck", "cannot be “54”"),
    "neither yes nor no": ({"ravage_city": "perhaps"}, "ravage_city", "“Eighth contract”"),
    "neither low nor high": ({"play_low_ace": "perhaps"}, "play_low_ace", "“Ace in Dominoes”"),
    "a dealer there is not": ({"play_dealer": "everybody"}, "play_dealer", "“Who deals”"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_scored_is_refused_with_the_field_named(phone: Phone, store: Store, name: str) -> None:
    """Beside the field, what was typed is still there, the rules are open, and no match was made."""
    typed, field, part = REFUSED[name]
    form = new_form(phone, title="Thursday table", **typed)
    page = unchanged(store, lambda: phone.send(form))
    assert page.status == 422
    assert page.wrong.keys() == {field}
    assert part in page.wrong[field][0]
    assert "open" in page.elements.one("details", id="rules").attributes
    wrong = [e for e in page.elements.all() if f"wrong-{field}" in e.attributes.get("aria-describedby", "")]
    assert [e.attributes["aria-invalid"] for e in wrong] == ["true"]
    (link,) = page.elements.one(id="to-mend").all("a")  # the field stands far below
    assert page.elements.one(id=link.attributes["href"].removeprefix("#")).text
    assert link.attributes["href"] in {f"#about-{field}", f"#about-{field[:-2]}"}
    shown = page.form("start")
    assert shown["title"] == "Thursday table"
    for one, text in typed.items():
        if text in shown.choices.get(one, [text]):
            assert shown[one] == text


def test_limits_themselves_are_allowed(phone: Phone, store: Store) -> None:
    rules = started(
        phone, store, value_king=-LARGEST_VALUE, value_trump_trick=LARGEST_VALUE, compulsory_doubles=7
    )
    assert (rules.values.king, rules.compulsory_doubles) == (-LARGEST_VALUE, 7)
    assert started(phone, store, preset="ravage-city", compulsory_doubles=8).compulsory_doubles == 8


def test_several_mistakes_are_told_at_once_with_those_in_the_names(phone: Phone, store: Store) -> None:
    form = new_form(phone, value_king="x", value_ravage_city="5", compulsory_doubles="9").fill(name_1="")
    page = unchanged(store, lambda: phone.send(form))
    assert page.wrong.keys() == {"name_1", "value_king", "value_ravage_city", "compulsory_doubles"}
    mended = page.form("start").fill(
        name_1="Ben", value_king="-15", value_ravage_city="", compulsory_doubles="1"
    )
    expected = replace(STANDARD, compulsory_doubles=1, values=Values(king=-15))
    assert rules_of(store, phone.send(mended)) == expected


def test_players_called_like_fields_are_no_matter_of_the_rules(phone: Phone) -> None:
    page = phone.send(new_form(phone).fill(name_0="king", name_1="king", name_2="rotation"))
    assert page.wrong.keys() == {"name_1"}
    assert "open" not in page.elements.one("details", id="rules").attributes


# Sums


def shown_sums(page: Page) -> tuple[dict[str, str], str]:
    """What the page says each contract sums to, and all of them."""
    worths = {
        e.attributes["data-contract"]: e.one("output").text
        for e in page.elements.all("section", class_="worth")
    }
    return worths, page.elements.one(class_="rules-sums").text


@pytest.mark.parametrize("rules", [*PRESETS.values(), OTHERWISE, replace(STANDARD, deck=Deck.SMALL)])
def test_the_sums_are_worked_out_without_starting(phone: Phone, store: Store, rules: Rules) -> None:
    form = new_form(phone, **stated(rules).to_dict()).fill(name_2="", do="sums")
    page = unchanged(store, lambda: phone.send(form))
    assert (page.status, page.wrong) == (200, {})
    worths, all_of_them = shown_sums(page)
    assert worths == {c.value: signed(contract_total(c, rules)) for c in CONTRACT_NAMES}
    played = contracts_of(rules)
    sentence = SAY.fill(sentence_of(rules), {"total": signed(match_total(rules))})
    total = signed(sum(contract_total(c, rules) for c in played))
    assert all_of_them == f"All {len(played)} contracts: {total} {sentence}"
    assert (
        page.form("start").typed() == Form(page.elements, page.elements.one("form", id="start"), "").typed()
    )
    assert {n: v[0] for n, v in page.form("start").typed().items() if n in FIELDS} == stated(rules).to_dict()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (STANDARD, "The match sums to 0."),
        (PRESETS["ravage-city"], "The match sums to −144."),
        (replace(STANDARD, deck=Deck.SMALL), "The match does not sum to 0: −20."),
        (replace(STANDARD, values=Values(king=-17)), "The match does not sum to 0: +12."),
        (replace(STANDARD, ravage_city=True, values=Values(king=-17)), "The match does not sum to 0: −132."),
        (replace(STANDARD, ravage_city=True, values=Values(king=16)), "The match sums to 0."),
    ],
)
def test_what_a_match_sums_to_in_words(rules: Rules, said: str) -> None:
    assert SAY.fill(sentence_of(rules), {"total": signed(match_total(rules))}) == said


def test_sums_of_rules_that_cannot_be_read(phone: Phone, store: Store) -> None:
    page = unchanged(store, lambda: phone.send(new_form(phone, value_king="x", do="sums")))
    assert page.status == 422
    assert page.wrong.keys() == {"value_king"}


# As last time


def last_offer(phone: Phone) -> tuple[str, str] | None:
    """What is offered beside the presets: the value it sends, and what it says."""
    presets = phone.open("/new").elements.one(class_="presets")
    offered = [(label.one("input").attributes["value"], label.text) for label in presets.all("label")]
    assert [key for key, _ in offered[-len(PRESETS) :]] == list(PRESETS)
    return offered[0] if len(offered) > len(PRESETS) else None


def test_a_table_that_plays_standard_is_offered_nothing_more(phone: Phone) -> None:
    assert last_offer(phone) is None
    phone.start()
    assert last_offer(phone) is None


def test_the_last_preset_is_offered_again(phone: Phone, app: Flask) -> None:
    phone.start(preset="german")
    slug = phone.start(preset="seven-in-a-row")
    offered = last_offer(phone)
    assert offered
    assert offered[0] == f"of:{slug}"
    assert offered[1].startswith(f"As last time: {PRESET_NAMES['seven-in-a-row']}")
    assert last_offer(Phone(app.test_client())) is None
    assert phone.open("/new").form("start")["preset"] == "standard"
    phone.start(preset="standard")
    assert last_offer(phone) is None


def test_the_last_rules_of_ones_own_are_offered_again(phone: Phone, store: Store) -> None:
    phone.start(**stated(OTHERWISE).to_dict())
    offered = last_offer(phone)
    assert offered
    assert offered[1].startswith("As last time: your own rules")
    assert "32 cards" in offered[1]
    assert started(phone, store, preset=offered[0]) == OTHERWISE
    changed = started(phone, store, preset=offered[0], deck="52", value_king="-15")
    assert changed == replace(OTHERWISE, deck=Deck.FULL, values=replace(OTHERWISE.values, king=-15))


def test_a_refusal_still_offers_what_was_chosen(phone: Phone, store: Store) -> None:
    """Also when another match was started on this device meanwhile."""
    slug = phone.start(preset="ravage-city")
    form = new_form(phone, preset=f"of:{slug}").fill(name_3="Anna")
    phone.start(preset="german")
    page = phone.send(form)
    assert page.status == 422
    assert page.form("start")["preset"] == f"of:{slug}"
    assert rules_of(store, phone.send(page.form("start"), name_3="Dan")) == PRESETS["ravage-city"]


@pytest.mark.parametrize("key", ["of:", "of:nowhere", "of:%", "german ", "of-my-own"])
def test_rules_of_no_match(phone: Phone, store: Store, key: str) -> None:
    page = unchanged(store, lambda: phone.send(new_form(phone, preset=key)))
    assert page.status == 422
    assert page.wrong.keys() == {"preset"}
