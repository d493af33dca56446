"""Starting a match on a phone without JavaScript: by the form, or with a match file; and the home page."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from builders import NAMES, case_file, deal_entry, match_cases, match_file
from flask import Flask
from flask.testing import FlaskClient
from records import everything, unchanged
from webpages import Form, Page, Phone

from scorepad.matchfile import read, read_match
from scorepad.messages import PRESET_NAMES
from scorepad.rules import PRESETS
from scorepad.store import Store
from scorepad.table import SEATS

BARBU = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Dan"})


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """A phone that has never been here."""
    return Phone(client)


def start_form(phone: Phone, *names: str) -> Form:
    """The form that starts a match, with names filled in."""
    seats = {f"name_{n}": name for n, name in enumerate(names or NAMES)}
    return phone.open("/new").form("start").fill(**seats)


def match_down(phone: Phone, slug: str) -> Any:
    """The match file of a match."""
    return phone.client.get(f"/m/{slug}/match.json").get_json()


# The form


def test_the_form_is_empty_at_first(phone: Phone) -> None:
    page = phone.open("/new")
    form = page.form("start")
    assert (page.status, page.wrong) == (200, {})
    assert form.typed() == {"first": ["draw"], "preset": ["standard"]}
    assert form.choices["first"] == ["0", "1", "2", "3", "draw"]
    assert form.choices["preset"] == list(PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_is_started(phone: Phone, preset: str) -> None:
    form = start_form(phone).fill(first=2, preset=preset, title="Thursday table", place="Zoë’s kitchen")
    page = phone.send(form)
    slug = page.address.removeprefix("/m/")
    assert page.passed == ["/new"]
    assert page.heading == "Thursday table"
    assert f"House rules: {PRESET_NAMES[preset]}." in page.text
    assert "Carla declares" in page.text
    file = match_down(phone, slug)
    assert (file["players"], file["first_declarer"]) == (list(NAMES), "Carla")
    assert (file["title"], file["place"]) == ("Thursday table", "Zoë’s kitchen")
    match = read_match(file).match
    assert match
    assert match.rules == PRESETS[preset]


def test_the_first_declarer_is_drawn(phone: Phone) -> None:
    """Every player comes out of the hat sooner or later, and the page says who did."""
    drawn = Counter[str]()
    for _ in range(60):
        page = phone.send(start_form(phone).fill(first="draw"))
        first = match_down(phone, page.address.split("/")[2].partition("?")[0])["first_declarer"]
        assert f"The draw: {first} declares first." in page.text
        drawn[first] += 1
        if set(drawn) == set(NAMES):
            return
    pytest.fail(f"only {set(drawn)} were drawn")


def test_the_draw_is_not_announced_when_there_was_none(phone: Phone) -> None:
    page = phone.send(start_form(phone).fill(first=0))
    assert "The draw" not in page.text


#: Names as they are typed, with the fields that are wrong and a part of what is said.
BAD_NAMES: dict[str, tuple[tuple[str, str, str, str], dict[str, str]]] = {
    "empty": (("Anna", "", "Carla", "Dan"), {"name_1": "needs a name"}),
    "spaces": (("Anna", "Ben", "   ", "Dan"), {"name_2": "needs a name"}),
    "nothing that is seen": (("Anna", "Ben", "Carla", "\u200b"), {"name_3": "needs a name"}),
    "none at all": (
        ("", "", "", ""),
        {f"name_{s.value}": "needs a name" for s in SEATS},
    ),
    "200 characters": (("x" * 200, "Ben", "Carla", "Dan"), {"name_0": "at most 40 characters"}),
    "41 characters": (("Anna", "Ben", "Carla", "♥" * 41), {"name_3": "at most 40 characters"}),
    "the same": (("Anna", "Ben", "Anna", "Dan"), {"name_2": "look the same"}),
    "another case": (("Ann", "ann ", "Carla", "Dan"), {"name_1": "look the same"}),
    "full width": (("Ann", "Ben", "Carla", "Ａnn"), {"name_3": "look the same"}),
    "composed otherwise": (("José", "Ben", "Jose\u0301", "Dan"), {"name_2": "look the same"}),
    "both composed otherwise": (("Anna", "Jose\u0301", "JOSE\u0301", "Dan"), {"name_2": "look the same"}),
    "a joiner within": (("Ann", "A\u200dnn", "Carla", "Dan"), {"name_1": "look the same"}),
    "two pairs": (("Ann", "Ben", "ben", "ANN"), {"name_2": "look the same", "name_3": "look the same"}),
    "a line break": (("An\nna", "Ben", "Carla", "Dan"), {"name_0": "control characters"}),
    "a bell": (("Anna", "B\x07en", "Carla", "Dan"), {"name_1": "control characters"}),
}


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_will_not_do(phone: Phone, store: Store, name: str) -> None:
    """A sentence beside each field, what was typed is still there, and no match was made."""
    names, wrong = BAD_NAMES[name]
    form = start_form(phone, *names).fill(first=1, preset="german", title="Thursday table")
    page = unchanged(store, lambda: phone.send(form))
    assert page.status == 422
    assert page.wrong.keys() == wrong.keys()
    for field, part in wrong.items():
        assert part in " ".join(page.wrong[field])
        (typed,) = page.elements.all("input", name=field)
        assert typed.attributes["aria-invalid"] == "true"
        assert page.elements.one(id=typed.attributes["aria-describedby"]).text in page.wrong[field]
    assert page.form("start").typed() == form.typed()


def test_a_mended_form_goes_through(phone: Phone) -> None:
    page = phone.send(start_form(phone, "Ann", "ann", "Carla", "Dan").fill(first=3))
    page = phone.send(page.form("start"), name_1="Ben")
    assert page.status == 200
    assert "Dan declares" in page.text


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [
        ("first", "7", "who declares first"),
        ("first", "123", "who declares first"),
        ("first", "x", "who declares first"),
        ("first", "１", "who declares first"),
        ("preset", "of-my-own", "cannot be “of-my-own”"),
        ("title", "x" * 201, "at most 200 characters"),
        ("place", "x" * 201, "at most 200 characters"),
        ("title", "two\nlines", "line breaks"),
    ],
)
def test_other_fields_that_will_not_do(phone: Phone, store: Store, field: str, value: str, part: str) -> None:
    form = start_form(phone).fill(**{field: value})
    page = unchanged(store, lambda: phone.send(form))
    assert page.status == 422
    assert page.wrong.keys() == {field}
    assert part in page.wrong[field][0]
    assert page.form("start")["name_3"] == "Dan"
    if field in {"title", "place"}:
        assert page.form("start").typed() == form.typed()


def test_a_form_with_nothing_in_it(phone: Phone, store: Store) -> None:
    token = start_form(phone)["csrf_token"]
    answer = unchanged(store, lambda: phone.client.post("/new", data={"csrf_token": token}))
    assert answer.status_code == 422


def test_spaces_around_a_name_go(phone: Phone) -> None:
    slug = phone.start("  Anna ", "Ben\t", "Carla", "Dan")
    assert match_down(phone, slug)["players"] == list(NAMES)


@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_another_site_cannot_start_a_match(phone: Phone, store: Store, token: str | None) -> None:
    form = start_form(phone)
    data = {**form.values, "csrf_token": token}
    if token is None:
        del data["csrf_token"]
    for address in "/new", "/import":
        answer = unchanged(store, lambda: phone.client.post(address, data=data))  # noqa: B023
        assert (answer.status_code, answer.mimetype) == (400, "text/html")
        assert "Nothing was changed" in answer.text


def test_an_address_that_starts_very_many_matches(
    phone: Phone, app: Flask, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, "STARTS_AN_HOUR", 0)
    for start in (lambda: phone.send(start_form(phone))), (lambda: bring(phone, case_file("full-match"))):
        page = unchanged(store, start)
        assert (page.status, page.heading) == (429, "That is too much at once")


# A match file


def bring(phone: Phone, content: bytes, name: str = "match.json") -> Page:
    """Bring a match file in through the form, as a browser sends it."""
    form = phone.open("/new").form("bring")
    parts = (
        ('name="csrf_token"', form["csrf_token"].encode()),
        (f'name="file"; filename="{name}"\r\nContent-Type: application/json', content),
    )
    body = b"".join(
        b"--line\r\nContent-Disposition: form-data; " + head.encode() + b"\r\n\r\n" + data + b"\r\n"
        for head, data in parts
    )
    kind = "multipart/form-data; boundary=line"
    return Page(
        phone.client.post(form.action, data=body + b"--line--\r\n", content_type=kind, follow_redirects=True)
    )


@pytest.mark.parametrize("name", match_cases())
def test_a_match_goes_down_and_up_again(phone: Phone, store: Store, name: str) -> None:
    page = bring(phone, case_file(name))
    assert (page.status, page.passed) == (200, ["/import"])
    slug = page.address.removeprefix("/m/")
    down = phone.client.get(f"/m/{slug}/match.json")
    assert down.mimetype == "application/json"
    assert down.headers["Content-Disposition"].startswith("attachment; filename=")
    assert down.headers["Content-Disposition"].endswith('.json"')
    again = bring(phone, down.data).address.removeprefix("/m/")
    assert again != slug
    match = read(case_file(name)).match
    assert store.standing(slug)[1].match == store.standing(again)[1].match == match
    assert store.standing(slug)[1] == store.standing(again)[1]


def test_everything_in_a_file_goes_down_and_up_again(phone: Phone, store: Store) -> None:
    """Replacements, agreed points, stake, house rules of one's own, notes, and the open deal."""
    file = match_file(
        BARBU | {"note": "a note — with “quotes”"},
        deal_entry("Ben M", doubles={"Anna": ["Ben"]}),
        title="Ravage; a “title”/..\\x",
        place="Zoë’s",
        date="2026-11-30",
        rules={"preset": "ravage-city", "values": {"king": -30}, "play": {"low_ace": True}},
        agreed_points=[{"after_deal": 1, "points": {"Ben": -10}, "reason": "revoke"}],
        replaced=[{"from_deal": 2, "seat": 4, "name": "Eve"}],
        stake={"per_point": "0.05", "currency": "€"},
    )
    slug = bring(phone, json.dumps(file).encode()).address.removeprefix("/m/")
    down = phone.client.get(f"/m/{slug}/match.json").data
    assert read(down).match == read(json.dumps(file)).match
    again = bring(phone, down).address.removeprefix("/m/")
    assert store.standing_with_draft(again)[1] == store.standing_with_draft(slug)[1]


def test_the_device_holds_what_it_brought_in(phone: Phone) -> None:
    page = bring(phone, case_file("eleven-deals"))
    slug = page.address.removeprefix("/m/")
    assert f"/m/{slug}" in phone.open("/").links
    assert phone.open(f"/m/{slug}/deals/new").address == f"/m/{slug}/deals/new"


def test_every_problem_of_a_file_is_told_with_its_deal(phone: Phone, store: Store) -> None:
    file = match_file(
        BARBU,
        deal_entry("Ben M", doubles={"Anna": ["Ben"]}, result={"tricks": {"Anna": 14}}),
        deal_entry("Carla D", result={"order": ["Ben", "Ben", "Anna", "Carla"]}),
        BARBU,
        colour="red",
    )
    page = unchanged(store, lambda: bring(phone, json.dumps(file).encode()))
    assert page.status == 422
    assert page.wrong[""] == [
        "“colour” is not a field of the match file. Remove it, or correct its spelling.",
        "Deal 2: The tricks must make 13; these make 14.",
        "Deal 3: Ben is named twice in the finishing order. Everybody finishes once.",
        "Deal 4: Anna declared Barbu in deal 1 already. Choose another contract, or correct deal 1.",
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"format": "scorepad-match/9"}',
        b'{"format": "scorepad-match/1"}',
        b"[" * 30_000,
        b" " * 1_000_001,
        json.dumps(match_file(players=["<b>", "Ben", "Ben", "Dan"])).encode(),
    ],
)
def test_a_file_that_is_none(phone: Phone, store: Store, content: bytes) -> None:
    page = unchanged(store, lambda: bring(phone, content))
    assert page.status == 422
    assert page.wrong[""]
    assert page.form("start").typed() == {"first": ["draw"], "preset": ["standard"]}


def test_no_file_at_all(phone: Phone, store: Store) -> None:
    page = unchanged(store, lambda: phone.send(phone.open("/new").form("bring")))
    assert page.status == 422
    assert page.wrong[""]


def test_a_file_that_is_far_too_large(phone: Phone, store: Store) -> None:
    page = unchanged(store, lambda: bring(phone, b" " * 3_000_000))
    assert page.status == 413
    assert page.heading == "That is too large"


# The home page


def test_a_phone_that_holds_nothing(phone: Phone) -> None:
    page = phone.open("/")
    assert "No match on this phone yet" in page.text
    assert "/new" in page.links


def test_the_home_page_shows_the_matches_of_this_device(phone: Phone, app: Flask, store: Store) -> None:
    mine = [phone.start(title=f"Table {n}") for n in (1, 2)]
    other = Phone(app.test_client())
    theirs = other.start(title="Somebody else’s")
    page = phone.open("/")
    assert [link for link in page.links if link.startswith("/m/")] == [f"/m/{s}" for s in reversed(mine)]
    assert "Somebody else’s" not in page.text
    assert [link for link in other.open("/").links if link.startswith("/m/")] == [f"/m/{theirs}"]
    for slug in mine:
        phone.open(f"/m/{slug}")
    assert Phone(app.test_client()).open("/").links == [
        "#main",
        "/calculator",
        "/rules",
        "/sheet/blank",
        "/verify",
        "/new",
    ]


def test_watching_a_match_does_not_put_it_on_the_home_page(phone: Phone, app: Flask) -> None:
    slug = phone.start()
    watcher = Phone(app.test_client())
    assert watcher.open(f"/m/{slug}").status == 200
    assert f"/m/{slug}" not in watcher.open("/").links


def test_looking_makes_no_device(phone: Phone, store: Store) -> None:
    """Only starting or joining makes a device; whoever only looks leaves no trace."""
    unchanged(store, lambda: [phone.open(address) for address in ("/", "/new")])
    before = len(everything(store)["device"])
    phone.start()
    phone.start()
    assert len(everything(store)["device"]) == before + 1
