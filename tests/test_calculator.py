"""The calculator: a question in an address, its answer from the core, what will not do beside its field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from builders import (
    ANNA,
    NAMES,
    deal,
    deal_entry,
    match_file,
    played,
    single_deal_cases,
)
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import finished_deals, house_rules, tricky_names
from webpages import Page, Phone

from scorepad import explain
from scorepad.contracts import Contract, contract_total
from scorepad.match import Deal, Match
from scorepad.matchfile import read_match
from scorepad.messages import Words, signed
from scorepad.question import LONGEST_ADDRESS
from scorepad.rules import PRESETS, STANDARD, Deck, Rules
from scorepad.standing import DealResult, standing
from scorepad.store import Store
from scorepad.table import PerSeat
from scorepad.views.calculator import COMPASS, address_of_deal

TRICKS = "tricks_0=4&tricks_1=1&tricks_2=6&tricks_3=2"


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """A phone that knows no match."""
    return Phone(client)


def ask(phone: Phone, question: str) -> Page:
    """The page of a question."""
    return phone.open(f"/calculator?{question}")


def figures(page: Page) -> dict[str, list[str]]:
    """The rows of figures in the answer, nothing when there is none."""
    tables = list(page.elements.all("table", class_="sums"))
    rows = list(tables[0].all("tr"))[1:] if tables else []
    return {row.one("th").text: [cell.text for cell in row.all("td")] for row in rows}


def figures_of(result: DealResult) -> dict[str, list[str]]:
    """The same rows as the core has them."""
    assert result.basic is not None
    assert result.adjustment is not None
    assert result.score is not None
    rows = {"Basic": result.basic, "Doubles": result.adjustment, "Score": result.score}
    return {name: [signed(n) for n in points] for name, points in rows.items()}


def result_of(asked: Deal, rules: Rules = STANDARD, names: PerSeat[str] = NAMES) -> DealResult:
    """What the core makes of a match of this deal alone."""
    (result,) = standing(Match(names, rules=rules, deals=(asked,))).deals
    return result


def address(app: Flask, asked: Deal, rules: Rules = STANDARD, names: PerSeat[str] = NAMES) -> str:
    """The address that asks about a deal."""
    with app.test_request_context():
        return address_of_deal(asked, rules, names)


def answered(phone: Phone, address: str, asked: Deal, rules: Rules, names: PerSeat[str]) -> Page:
    """The page at an address, which must be its shortest and give what the core gives, in its sentences."""
    page = phone.open(address)
    assert page.status == 200, page.wrong
    assert page.passed == [], "it is the shortest address already"
    result = result_of(asked, rules, names)
    assert figures(page) == figures_of(result)
    why, say = explain.why(result, rules), Words(names)
    assert why
    shown = page.text.replace("\N{LEFT-TO-RIGHT MARK}", "")
    for message in (*why.doubles, *why.tally, *why.basic, *why.pairs, why.check):
        assert " ".join(say(message).split()) in shown
    return page


# The answer


def test_the_empty_form(phone: Phone) -> None:
    page = phone.open("/calculator")
    assert page.status == 200
    assert not page.wrong
    assert not figures(page)
    form = page.form("question")
    assert form.method == "GET"
    assert set(form.choices["contract"]) == set(Contract)
    assert len(form.choices["doubles"]) == 12


def test_the_no_queens_example(phone: Phone) -> None:
    """Seed 004, asked as the form sends it: the answer stands at a shorter address."""
    form = phone.open("/calculator").form("question")
    names = {f"name_{s.value}": name for s, name in NAMES.seats()}
    form.fill(contract="NQ", doubles=["10", "12", "13", "20", "02"], **names)
    form.fill(queens_0=1, queens_2=1, queens_3=2)
    sent = [(n, v) for n, values in form.values.items() for v in values]
    page = Page(phone.client.get("/calculator", query_string=sent, follow_redirects=True))
    assert page.passed == ["/calculator"]
    assert figures(page) == {
        "Basic": ["−6", "0", "−6", "−12"],
        "Doubles": ["−6", "+24", "−6", "−12"],
        "Score": ["−12", "+24", "−12", "−24"],
    }
    assert "Ben doubled everybody. Carla doubled Anna. Anna redoubled Carla." in page.text
    assert page.address == (
        "/calculator?name_0=Anna&name_1=Ben&name_2=Carla&name_3=Dan&declarer=0&contract=NQ"
        "&doubles=02&doubles=10&doubles=12&doubles=13&doubles=20&queens_0=1&queens_2=1&queens_3=2"
    )
    assert page.elements.one(id="copy").attributes["data-text"].endswith(page.address)
    assert page.address in page.elements.one(class_="address").text


def test_without_names_the_sides_of_the_table_play(phone: Phone) -> None:
    page = ask(phone, "declarer=1&contract=B&doubles=01&king=3")
    assert page.status == 200
    assert "North doubled East." in page.text
    assert "West took the king of hearts." in page.text


@pytest.mark.parametrize("case", single_deal_cases(), ids=lambda case: case["id"])
def test_the_published_deals(app: Flask, phone: Phone, case: dict[str, Any]) -> None:
    """Each gives the figures of the case file, whatever the order in which its rules and doubles are told."""
    match = read_match(match_file(case["deal"], rules=case["rules"], players=case["players"])).match
    assert match
    (asked,) = match.deals
    assert isinstance(asked, Deal)
    page = answered(phone, address(app, asked, match.rules, match.players), asked, match.rules, match.players)
    shown = figures(page)
    assert shown["Basic"] == [signed(case["basic"][name]) for name in match.players]
    assert shown["Score"] == [signed(case["score"][name]) for name in match.players]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("contract", Contract)
def test_every_contract_under_every_preset(app: Flask, phone: Phone, contract: Contract, preset: str) -> None:
    rules = PRESETS[preset]
    if contract is Contract.RC:
        rules = replace(rules, ravage_city=True)
    asked = played(f"Anna {contract.value}")
    page = answered(phone, address(app, asked, rules), asked, rules, NAMES)
    assert page.form("question")["contract"] == contract


@pytest.mark.parametrize("contract", [c for c in Contract if not c.is_positive])
@pytest.mark.parametrize("deck", Deck)
def test_every_pass_out(app: Flask, phone: Phone, contract: Contract, deck: Deck) -> None:
    rules = replace(STANDARD, deck=deck, ravage_city=contract is Contract.RC)
    asked = Deal(ANNA, contract, passed_out=True)
    page = answered(phone, address(app, asked, rules), asked, rules, NAMES)
    assert f"The four scores make {signed(contract_total(contract, rules))}" in page.text


def test_32_cards(phone: Phone) -> None:
    page = ask(phone, "cards_32=1&declarer=0&contract=T&tricks_1=5&tricks_2=3")
    assert figures(page)["Score"] == ["0", "+25", "+15", "0"]
    page = ask(phone, "declarer=0&contract=T&tricks_1=5&tricks_2=3")
    assert page.wrong == {"result": ["The tricks must make 13; these make 8."]}


def test_ravage_city_is_played_where_it_is_asked_about(phone: Phone) -> None:
    page = ask(phone, "declarer=0&contract=RC&doubles=10&most=1&most=2")
    assert figures(page)["Score"] == ["+18", "−36", "−18", "0"]
    assert "Rules: Ravage City" in page.text


def test_values_of_nothing_and_of_any_sign(phone: Phone) -> None:
    page = ask(phone, "v_queen=0&declarer=0&contract=NQ&doubles=10&queens_0=4")
    assert figures(page)["Score"] == ["0", "0", "0", "0"]
    page = ask(phone, "v_king=%2B30&declarer=0&contract=B&doubles=10&king=0")
    assert figures(page)["Score"] == ["+60", "−30", "0", "0"]
    assert "v_king=30" in page.address
    page = ask(phone, "v_king=%E2%88%9215&declarer=0&contract=B&doubles=10&king=0")
    assert figures(page)["Basic"] == ["−15", "0", "0", "0"]
    page = ask(phone, "v_dominoes_1=25&declarer=0&contract=D&place_0=0&place_1=1&place_2=2&place_3=3")
    assert figures(page)["Score"] == ["+45", "+25", "+5", "−5"]


def test_house_rules_beside_a_preset(phone: Phone) -> None:
    page = ask(phone, "declarer=0&contract=T&doubles=12&tricks_1=13")
    assert list(page.wrong) == ["doubles"]
    page = ask(phone, "flanks=1&declarer=0&contract=T&doubles=12&tricks_1=13")
    assert figures(page)["Score"] == ["0", "+130", "−65", "0"]
    page = ask(phone, "open=1&declarer=0&contract=B&doubles=01&king=1")
    assert figures(page)["Score"] == ["+20", "−40", "0", "0"]
    page = ask(phone, "declarer_only=1&declarer=0&contract=B&doubles=12&king=1")
    assert list(page.wrong) == ["doubles"]
    page = ask(phone, "played=1&declarer=0&contract=B&king=1")
    assert figures(page)["Score"] == ["0", "−20", "0", "0"]


def test_what_does_not_matter_leaves_the_address(phone: Phone) -> None:
    """The preset’s own rules, other contracts’ fields, who took nothing, notes, and the button."""
    asked = (
        "preset=german-other-values&played=1&v_king=-15&v_trick=-9&name_0=North&name_1=&note=x&trump=S"
        "&declarer=0&contract=B&doubles=10&king=3&tricks_0=5&ace=2&passed_out=&ask=1&something=else"
    )
    page = ask(phone, asked)
    assert page.address == ("/calculator?preset=german-other-values&declarer=0&contract=B&doubles=10&king=3")
    assert ask(phone, "contract=D&place_0=0&place_1=1&place_2=2&place_3=3").address.startswith(
        "/calculator?declarer=0&contract=D&place_0=0"
    )


def test_the_form_holds_the_question(phone: Phone) -> None:
    """Sent again as it stands, it asks the same."""
    page = ask(phone, f"preset=german&v_trick=-3&declarer=2&contract=M&doubles=12&name_3=Dan&{TRICKS}")
    form = page.form("question")
    sent = [(n, v) for n, values in form.values.items() for v in values]
    again = Page(phone.client.get("/calculator", query_string=sent, follow_redirects=True))
    assert again.address == page.address
    assert again.html == page.html


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(house_rules().flatmap(lambda rules: st.tuples(st.just(rules), finished_deals(rules))), tricky_names())
def test_a_link_gives_the_same_figures_as_the_core(
    app: Flask, asked: tuple[Rules, Deal], names: PerSeat[str]
) -> None:
    rules, one = asked
    if one.contract is Contract.RC:
        rules = replace(rules, ravage_city=True)
    page = Phone(app.test_client()).open(address(app, one, rules, names))
    assert page.status == 200, page.wrong
    assert page.passed == []
    assert figures(page) == figures_of(result_of(one, rules, names))


# Names


def test_names_are_written_as_they_are(app: Flask, phone: Phone) -> None:
    names = PerSeat("<b>Anna</b>", "{player}", "%(name)s & co", 'O’Hara "Bo"+1')
    asked = deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2))
    page = answered(phone, address(app, asked, names=names), asked, STANDARD, names)
    assert "<b>Anna" not in page.html.replace("<b>N", "")
    form = page.form("question")
    assert [form[f"name_{n}"] for n in range(4)] == list(names)
    sent = page.elements.one(id="copy").attributes["data-text"]
    assert sent.isascii()
    assert phone.open(sent).html == page.html


def test_names_too_long_for_an_address_are_left_out(app: Flask, phone: Phone) -> None:
    names = PerSeat(*(f"{n}{'👩' * 39}" for n in range(4)))
    asked = deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2))
    link = address(app, asked, names=names)
    assert "name_" not in link
    answered(phone, link, asked, STANDARD, COMPASS)


def test_the_page_that_says_why_links_to_the_calculator(phone: Phone, store: Store) -> None:
    """With the rules and the names of the match, and with the same figures."""
    queens = {"Anna": 1, "Carla": 1, "Dan": 2}
    entry = deal_entry("Anna NQ", doubles={"Ben": ["Anna", "Carla"]}, result={"queens": queens}, note="x")
    match = read_match(match_file(entry, rules={"preset": "german", "values": {"queen": -7}})).match
    assert match
    slug, _ = store.start(match)
    page = phone.open(f"/m/{slug}/deals/{store.load(slug).deals[0].deal_id}/why")
    (link,) = (link for link in page.links if link.startswith("/calculator"))
    assert dict(parse_qsl(urlsplit(link).query))["v_queen"] == "-7"
    answer = phone.open(link)
    assert answer.passed == []
    assert figures(answer).items() <= figures(page).items()


# What will not do


BAD: dict[str, tuple[str, list[str]]] = {
    "nothing chosen": ("ask=1", ["contract"]),
    "an empty contract": ("contract=", ["contract"]),
    "no such contract": ("contract=XX", ["contract"]),
    "no such declarer": ("declarer=9&contract=B&doubles=10&king=1", ["declarer"]),
    "a declarer by name": ("declarer=Anna&contract=B&doubles=10&king=1", ["declarer"]),
    "no result": ("contract=B&doubles=10", ["king"]),
    "no such taker": ("contract=B&doubles=10&king=7", ["result", "form", "king"]),
    "no counts": ("contract=M&doubles=10", [f"tricks_{n}" for n in range(4)]),
    "14 tricks": ("contract=M&doubles=10&tricks_0=14", ["result"]),
    "a negative count": ("contract=M&doubles=10&tricks_0=-1&tricks_1=14", ["tricks_0"]),
    "words": ("contract=M&doubles=10&tricks_0=many", ["tricks_0"]),
    "other digits": ("contract=M&doubles=10&tricks_0=１３", ["tricks_0"]),
    "five queens": ("contract=NQ&doubles=10&queens_0=5", ["result"]),
    "no ace": ("contract=NH&doubles=10&hearts_0=13", ["ace"]),
    "an ace without hearts": ("contract=NH&doubles=10&hearts_0=13&ace=2", ["ace"]),
    "one of the last two": ("contract=NL2&doubles=10&last=1", ["last_two"]),
    "three in the order": ("contract=D&place_0=1&place_1=2&place_2=3", ["order"]),
    "twice in the order": ("contract=D&place_0=1&place_1=1&place_2=2&place_3=3", ["result"]),
    "nobody holds most": ("contract=RC&doubles=10", ["result"]),
    "a double of oneself": ("contract=B&king=1&doubles=11", ["doubles"]),
    "a double of nobody": ("contract=B&king=1&doubles=19", ["form"]),
    "half a double": ("contract=B&king=1&doubles=1", ["form"]),
    "the declarer opens": ("contract=B&king=1&doubles=01", ["doubles"]),
    "nobody doubled": ("contract=B&king=1", ["passed_out"]),
    "passed out but doubled": ("contract=B&passed_out=1&doubles=10", ["passed_out"]),
    "a positive passed out": ("contract=T&passed_out=1", ["passed_out"]),
    "passed out where all is played": ("preset=german&contract=B&passed_out=1", ["passed_out"]),
    "no such preset": ("preset=x&contract=B&doubles=10&king=1", ["preset"]),
    "a value in words": ("v_king=x&contract=B&doubles=10&king=1", ["v_king"]),
    "a value with decimals": ("v_king=1.5&contract=B&doubles=10&king=1", ["v_king"]),
    "a value too large": ("v_king=-10001&contract=B&doubles=10&king=1", ["v_king"]),
    "a value beyond all": ("v_king=9999999999&contract=B&doubles=10&king=1", ["v_king"]),
    "a share that does not divide": ("v_ravage_city=-35&contract=RC&doubles=10&most=1", ["v_ravage_city"]),
    "a place in words": (
        "v_dominoes_2=x&contract=D&place_0=0&place_1=1&place_2=2&place_3=3",
        ["v_dominoes_0"],
    ),
    "names alike": ("name_0=Anna&name_2=anna&contract=B&doubles=10&king=1", ["name_2"]),
    "the name of a side": ("name_0=East&contract=B&doubles=10&king=1", ["name_1"]),
    "a long name": (f"name_3={'x' * 41}&contract=B&doubles=10&king=1", ["name_3"]),
    "a name of controls": ("name_3=a%07b&contract=B&doubles=10&king=1", ["name_3"]),
    "half a character": ("name_3=%FF%FE&contract=B&doubles=10&king=%80", ["result", "form", "king"]),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_will_not_do_is_said_beside_its_field(phone: Phone, bad: str) -> None:
    asked, beside = BAD[bad]
    page = ask(phone, asked)
    assert page.status == 422
    assert set(page.wrong) <= set(beside)
    assert page.wrong
    assert not figures(page)
    form = page.form("question")
    for name, value in parse_qsl(asked):
        if name in form.values and name not in form.choices and value.isprintable() and "�" not in value:
            assert form[name] == value, "what was typed stays"


def test_several_things_are_said_at_once(phone: Phone) -> None:
    page = ask(phone, "name_0=East&v_trick=x&contract=M&doubles=11&tricks_0=14&tricks_1=0")
    assert set(page.wrong) == {"name_1", "v_trick", "doubles", "result"}


@pytest.mark.parametrize("more", [LONGEST_ADDRESS, 60_000])
def test_an_address_that_is_too_long(phone: Phone, more: int) -> None:
    page = ask(phone, f"contract=B&doubles=10&king=1&name_0={'x' * more}")
    assert page.status == 414
    assert page.wrong == {"form": ["This address is too long: at most 2000 characters."]}
    assert page.form("question")["contract"] == "B"


def test_the_longest_address_is_read(phone: Phone) -> None:
    start = "/calculator?contract=B&doubles=10&king=1&something="
    page = phone.open(start + "x" * (LONGEST_ADDRESS - len(start)))
    assert page.status == 200
    assert figures(page)


FIELDS = (
    *(
        "contract",
        "declarer",
        "doubles",
        "passed_out",
        "king",
        "ace",
        "last",
        "tricks_0",
        "hearts_1",
        "place_0",
    ),
    *("most", "preset", "name_0", "name_1", "v_king", "v_dominoes_3", "open", "ask"),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(FIELDS),
            st.one_of(
                st.sampled_from((*Contract, *PRESETS, "0", "1", "3", "4", "13", "-1", "10", "01", "")),
                st.text(max_size=6),
            ),
        ),
        max_size=12,
    )
)
def test_no_question_breaks_it(app: Flask, asked: list[tuple[str, str]]) -> None:
    answer = app.test_client().get("/calculator", query_string=asked, follow_redirects=True)
    assert answer.status_code in {200, 422}
    Page(answer)


def test_the_calculator_can_be_reached(phone: Phone) -> None:
    assert "/calculator" in phone.open("/").links
    (link,) = (a for a in phone.open("/rules?preset=german").links if a.startswith("/calculator"))
    page = phone.open(link)
    assert (page.status, page.wrong) == (200, {})
    assert page.form("question")["preset"] == "german"
