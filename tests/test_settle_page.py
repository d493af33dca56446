"""The page that settles up: amounts, payments, stakes tried out through the address, and what will not do."""

from __future__ import annotations

from typing import Any

import pytest
from builders import case_file, deal_entry, match_file
from flask import Flask
from flask.testing import FlaskClient
from records import unchanged
from webpages import Page, Phone

from scorepad.match import Stake
from scorepad.matchfile import parse, read_match
from scorepad.settling import settling
from scorepad.store import Store

FULL = parse(case_file("full-match"))
RAVAGE_CITY = parse(case_file("full-match-ravage-city"))
CENTS = {"per_point": "0.05", "currency": "EUR"}


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """A phone that watches."""
    return Phone(client)


def started(store: Store, file: dict[str, Any]) -> str:
    """The slug of a match made of this file."""
    match = read_match(file).match
    assert match
    return store.start(match)[0]


def shown(page: Page) -> dict[str, list[str]]:
    """What is told of each player: his amount, or his total where there is no stake; then the small print."""
    lines = page.elements.one("ul", class_="amounts").all("li")
    return {
        line.one("bdi").text: [line.one("b").text, *(small.text for small in line.all("small"))]
        for line in lines
    }


def payments(page: Page) -> list[str]:
    """Who pays whom, as the page says it."""
    return [p.text.replace("\N{NO-BREAK SPACE}", " ") for p in page.elements.all("p", class_="pays")]


def test_a_finished_match_at_its_stake(phone: Phone, store: Store) -> None:
    slug = started(store, {**FULL, "stake": CENTS})
    page = phone.open(f"/m/{slug}/settle")
    assert page.status == 200
    assert "So far" not in page.text
    assert "recorded" in page.text
    assert shown(page) == {
        "Björn": ["+10.15", "total +203"],
        "José": ["−1.40", "total −28"],
        "Marta": ["−2.20", "total −44"],
        "Zoë": ["−6.55", "total −131"],
    }
    assert payments(page) == [
        "Marta pays Björn 2.20 EUR.",
        "José pays Björn 1.40 EUR.",
        "Zoë pays Björn 6.55 EUR.",
    ]


def test_the_table_of_a_finished_match_says_who_pays_whom(phone: Phone, store: Store) -> None:
    slug = started(store, {**FULL, "stake": CENTS})
    table = phone.open(f"/m/{slug}")
    assert payments(table) == payments(phone.open(f"/m/{slug}/settle"))
    assert "0.05\N{NO-BREAK SPACE}EUR a point" in table.html
    assert f"/m/{slug}/settle" in table.links


@pytest.mark.parametrize("file", [FULL, {**FULL, "deals": FULL["deals"][:9], "stake": CENTS}])
def test_the_table_is_silent_without_a_stake_or_before_the_end(
    phone: Phone, store: Store, file: dict[str, Any]
) -> None:
    table = phone.open(f"/m/{started(store, file)}")
    assert payments(table) == []


def test_in_the_middle_it_says_so(phone: Phone, store: Store) -> None:
    slug = started(store, {**RAVAGE_CITY, "deals": RAVAGE_CITY["deals"][:9]})
    page = phone.open(f"/m/{slug}/settle?per_point=0.10&currency=EUR")
    assert "So far, after 9 of 32 deals" in page.text
    assert "Who pays whom, so far" in page.text
    assert "tried out, not recorded" in page.text
    assert "The totals sum to −72, so the mean is −18." in page.text
    assert shown(page)["Lena"] == ["+12.20", "total +104, +122 from the mean"]


def test_a_match_that_was_abandoned_is_settled_as_it_stands(phone: Phone, store: Store) -> None:
    slug = started(store, {**FULL, "deals": FULL["deals"][:9], "abandoned": True, "stake": CENTS})
    assert "so far" not in phone.open(f"/m/{slug}/settle").text.lower()
    assert payments(phone.open(f"/m/{slug}"))


def test_agreed_points_can_leave_quarters_in_the_mean(phone: Phone, store: Store) -> None:
    file = match_file(agreed_points=[{"after_deal": 0, "points": {"Anna": 1}}])
    page = phone.open(f"/m/{started(store, file)}/settle?per_point=1.00")
    assert shown(page) == {
        "Anna": ["+0.75", "total +1, +0.75 from the mean"],
        "Ben": ["−0.25", "total 0, −0.25 from the mean"],
        "Carla": ["−0.25", "total 0, −0.25 from the mean"],
        "Dan": ["−0.25", "total 0, −0.25 from the mean"],
    }
    whole = phone.open(f"/m/{started(store, file)}/settle?per_point=1")
    assert [figures[0] for figures in shown(whole).values()] == ["+1", "0", "0", "−1"]
    assert "whole units" in whole.text


def test_without_a_stake_it_asks_for_one(phone: Phone, store: Store) -> None:
    page = phone.open(f"/m/{started(store, FULL)}/settle")
    assert page.status == 200
    assert payments(page) == []
    assert shown(page)["Björn"] == ["+203"]
    chips = [a.text for a in page.elements.one("nav", class_="common").all("a")]
    assert chips == ["0.01", "0.05", "0.10", "0.25", "0.50", "1"]
    assert phone.open(f"/m/{started(store, FULL)}/settle?per_point=&currency=EUR").status == 200


def test_every_common_stake_is_one_tap_and_keeps_the_currency(phone: Phone, store: Store) -> None:
    slug = started(store, FULL)
    page = phone.open(f"/m/{slug}/settle?per_point=0.05&currency=Kč+%26+co")
    totals = store.standing(slug)[1].totals
    for chip in page.elements.one("nav", class_="common").all("a"):
        at = phone.open(chip.attributes["href"])
        assert at.form("stake")["currency"] == "Kč & co"
        assert at.form("stake")["per_point"] == chip.text
        assert len(payments(at)) == len(settling(totals, Stake(chip.text)).payments)
        assert all(sentence.endswith(" Kč & co.") for sentence in payments(at))
        assert [a.text for a in at.elements.all("a", aria_current="true")] == [chip.text]


def test_a_comma_is_a_point(phone: Phone, store: Store) -> None:
    slug = started(store, FULL)
    comma = phone.open(f"/m/{slug}/settle?per_point=0,05")
    assert comma.status == 200
    assert shown(comma) == shown(phone.open(f"/m/{slug}/settle?per_point=0.05"))


def test_nobody_owes_anything_before_the_first_deal(phone: Phone, store: Store) -> None:
    page = phone.open(f"/m/{started(store, match_file())}/settle?per_point=1")
    assert payments(page) == ["Nobody owes anybody anything."]


@pytest.mark.parametrize(
    ("asked", "beside"),
    [
        ("per_point=x", "per_point"),
        ("per_point=-1", "per_point"),
        ("per_point=1e3", "per_point"),
        ("per_point=0.0000001", "per_point"),
        ("per_point=1234567", "per_point"),
        ("per_point=１", "per_point"),
        ("per_point=.5", "per_point"),
        ("per_point=0.05&currency=" + "x" * 201, "currency"),
        ("per_point=0.05&currency=%00", "currency"),
        ("per_point=" + "9" * 3000, "per_point"),
    ],
)
def test_a_stake_that_will_not_do(phone: Phone, store: Store, asked: str, beside: str) -> None:
    page = phone.open(f"/m/{started(store, FULL)}/settle?{asked}")
    assert page.status == 422
    assert list(page.wrong) == [beside]
    assert payments(page) == []
    if "%" not in asked:
        assert page.form("stake")[beside] == dict(p.split("=") for p in asked.split("&"))[beside]


def test_both_fields_say_what_is_wrong(phone: Phone, store: Store) -> None:
    page = phone.open(f"/m/{started(store, FULL)}/settle?per_point=<b>&currency={'<i>' * 70}")
    assert page.status == 422
    assert set(page.wrong) == {"per_point", "currency"}
    assert "<b>&" not in page.html


def test_trying_out_a_stake_records_nothing(app: Flask, phone: Phone, store: Store) -> None:
    slug = started(store, FULL)
    unchanged(store, lambda: phone.open(f"/m/{slug}/settle?per_point=1&currency=EUR"))
    assert store.standing(slug)[1].match.stake is None


def test_names_and_currencies_are_written_as_they_are(phone: Phone, store: Store) -> None:
    names = ["<b>", "{payer}", "%(n)s", "Dan"]
    deal = {**deal_entry("x T"), "declarer": "<b>", "result": {"tricks": {"<b>": 13}}}
    slug = started(store, {**match_file(deal), "players": names})
    page = phone.open(f"/m/{slug}/settle?per_point=1.00&currency=<i>{{{{7*7}}}}")
    assert payments(page)[0].endswith("pays <b> 16.25 <i>{{7*7}}.")


def test_no_such_match(phone: Phone) -> None:
    assert phone.open("/m/nowhere/settle").status == 404
