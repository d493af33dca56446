"""The page with every way out of a match: each leads somewhere, for those who watch, too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders import case_file, match_file
from flask import Flask
from flask.testing import FlaskClient
from records import unchanged
from webpages import Page, Phone

from scorepad.matchfile import parse, read_match
from scorepad.messages import Words
from scorepad.store import Store
from scorepad.summary import summary

FULL = parse(case_file("full-match"))


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """A phone that watches."""
    return Phone(client)


def started(store: Store, file: dict[str, Any]) -> str:
    """The slug of a match made of this file."""
    match = read_match(file).match
    assert match
    return store.start(match)[0]


def picture(page: Page) -> Any:
    """What the picture is drawn from."""
    return json.loads(str(page.elements.one(id="picture-data").inside[0]))


def test_every_way_out_is_there_for_a_watcher(phone: Phone, store: Store) -> None:
    slug = started(store, FULL)
    page = unchanged(store, lambda: phone.open(f"/m/{slug}/take"))
    here = f"/m/{slug}"
    sheets = [f"sheet.pdf{asked}" for asked in ("", "?paper=a4", "?paper=letter", "?why=1")]
    for way in "summary.txt", *sheets, "sheet", "match.json", "deals.csv", "deals.csv?bom=0", "share":
        assert f"{here}/{way}" in page.links
    assert f"http://localhost{here}" in page.links
    ways = list(page.elements.all("section", class_="way"))
    assert [way.one("h2").text for way in ways] == [
        *("Text for a chat", "Picture", "Sheet", "Link", "CSV file", "Match file")
    ]
    for section in ways:
        assert next(section.all("p", class_="soft")).text.startswith(("To ", "For "))


def test_the_table_leads_there_and_no_longer_to_each_file(phone: Phone, store: Store) -> None:
    for file, is_over in (FULL, True), ({**FULL, "deals": FULL["deals"][:9]}, False):
        slug = started(store, file)
        page = phone.open(f"/m/{slug}")
        more = [a.attributes["href"] for a in page.elements.one("section", id="more").all("a")]
        assert f"/m/{slug}/take" in more
        assert not [link for link in more if link.endswith((".json", ".csv", ".pdf"))]
        assert ("Take the result along" in page.text) is is_over


def test_an_abandoned_match_offers_its_result_too(phone: Phone, store: Store) -> None:
    slug = started(store, {**FULL, "deals": FULL["deals"][:9], "abandoned": True})
    assert "Take the result along" in phone.open(f"/m/{slug}").text


def test_the_text_is_the_same_on_the_page_and_as_a_file(phone: Phone, store: Store) -> None:
    slug = started(store, {**FULL, "title": "<Thursday> & Co", "stake": {"per_point": "1", "currency": "€"}})
    where = store.standing(slug)[1]
    text = summary(where, Words(where.match.names), link=f"http://localhost/m/{slug}")
    answer = phone.client.get(f"/m/{slug}/summary.txt")
    assert answer.text == f"{text}\n"
    assert answer.mimetype == "text/plain"
    assert answer.headers["Cache-Control"] == "no-cache, private"
    assert answer.headers["Content-Disposition"] == 'inline; filename="barbu-2026-11-26-thursday-co.txt"'
    page = phone.open(f"/m/{slug}/take")
    assert page.elements.one("pre").inside == [text]


def test_what_the_picture_shows(phone: Phone, store: Store) -> None:
    slug = started(store, {**FULL, "stake": {"per_point": "0.05", "currency": "EUR"}})
    drawn = picture(phone.open(f"/m/{slug}/take"))
    assert drawn["texts"]["told"] == "Björn won after 28 deals."
    lines = [(line["rank"], line["name"], line["total"], line["won"]) for line in drawn["lines"]]
    assert lines == [
        (1, "Björn", "+203", True),
        (2, "José", "−28", False),
        (3, "Marta", "−44", False),
        (4, "Zoë", "−131", False),
    ]
    assert drawn["lines"][0]["amount"] == "+10.15\N{NO-BREAK SPACE}EUR"
    assert [curve["total"] for curve in drawn["chart"]["curves"]] == ["−44", "−28", "−131", "+203"]


def test_before_the_end_nobody_has_won_and_nothing_is_paid(phone: Phone, store: Store) -> None:
    file = {**FULL, "deals": FULL["deals"][:1], "stake": {"per_point": "0.05", "currency": "EUR"}}
    drawn = picture(phone.open(f"/m/{started(store, file)}/take"))
    assert drawn["chart"] is None
    assert [(line["won"], line["amount"]) for line in drawn["lines"]] == [(False, "")] * 4


def test_a_match_there_is_not(app: Flask, phone: Phone) -> None:
    for page in "take", "summary.txt":
        assert phone.client.get(f"/m/nowhere/{page}").status_code == 404


def test_a_hand_being_played_is_in_no_result(phone: Phone, store: Store) -> None:
    slug = started(store, match_file())
    assert "After 0 of 28 deals." in phone.client.get(f"/m/{slug}/summary.txt").text
