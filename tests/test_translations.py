"""Every text a person reads goes through gettext, and stands where the tools that collect texts find it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from gettext import NullTranslations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import flask_babel
import pytest
from babel.messages.pofile import read_po
from builders import match_file
from flask import Flask
from webpages import Element, Page, Phone

from scorepad import messages
from scorepad.contracts import Contract
from scorepad.matchfile import read_match
from scorepad.pdf import PdfMaker, PdfUnavailable, Reason
from scorepad.rules import PRESETS
from scorepad.store import Database, Draft, NotSaved, Refused, Save, Store, Trouble

ROOT = Path(__file__).parent.parent

#: Names, title and note in a script of their own, so that any Latin letter is a text of ours.
PLAYERS = ["甲", "乙", "丙", "丁"]
TITLE = "題"

#: Latin letters that need no translation: contracts and doubles as the paper has them, cards, the name.
NOT_TRANSLATED = {*Contract, "X", "J", "Q", "K", "A", "scorepad"}

#: What a person reads or hears though it is not a text.
SPOKEN = ("aria-label", "title", "alt", "placeholder", "content")


class Marked(NullTranslations):
    """Puts ⟦ and ⟧ around every text that is asked for, and notes it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = set[str | tuple[str, str]]()

    def ugettext(self, text: str) -> str:
        """A text, marked."""
        self.asked.add(text)
        return f"⟦{text}⟧"

    def ungettext(self, one: str, many: str, n: int) -> str:
        """A text with a number, marked."""
        self.asked.add((one, many))
        return f"⟦{one if n == 1 else many}⟧"


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Marked:
    """Translations that mark every text."""
    made = Marked()
    monkeypatch.setattr(flask_babel.Domain, "get_translations", lambda _: made)
    return made


def unmarked(text: str) -> str:
    """What is left of a text without its marked parts."""
    while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = shorter
    return text


def untranslated(text: str) -> list[str]:
    """The words of a text that did not go through gettext."""
    left = re.sub(r"https?://\S+", " ", unmarked(text))
    return [word for word in re.findall(r"[A-Za-z][A-Za-z0-9]*", left) if word not in NOT_TRANSLATED]


def texts(element: Element) -> Iterator[str]:
    """Every text in an element that is seen or heard."""
    for name in SPOKEN:
        is_shown = name != "content" or element.attributes.get("name") == "description"
        if name in element.attributes and is_shown:
            yield element.attributes[name]
    if element.attributes.get("type") == "application/json":
        data = json.loads(str(element.inside[0]))
        yield from strings([data.get(name) for name in ("texts", "contracts")])
        return
    for part in element.inside if element.tag not in {"script", "style"} else ():
        if isinstance(part, Element):
            yield from texts(part)
        else:
            yield part


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def is_translated(page: Page) -> None:
    """Whether all that is read on the page went through gettext."""
    missed = {text.strip(): words for text in texts(page.elements) if (words := untranslated(text))}
    assert not missed, f"{page.address}: {missed}"
    assert "⟦" in page.html


def deal(declarer: str, contract: str, **fields: Any) -> Any:
    """A deal of a match file."""
    return {"declarer": declarer, "contract": contract, **fields}


def deals(*, ravage_city: bool = False) -> list[Any]:
    """A deal of each contract with everything that leads to a sentence of its own."""
    a, b, c, d = PLAYERS
    played = [
        deal(a, "B", doubles={b: [a, c, d], c: [a, b], a: [b]}, result={"king": d}, note="註"),
        deal(b, "M", doubles={a: [b]}, result={"tricks": {a: 4, b: 1, c: 6, d: 2}}),
        deal(c, "NQ", doubles={d: [c, a], a: [d]}, result={"queens": {a: 1, c: 1, d: 2}}),
        deal(d, "NH", doubles={a: [d], b: [d]}, result={"hearts": {a: 1, b: 4, c: 8}, "ace": a}),
        deal(a, "NL2", passed_out=True),
        deal(b, "T", doubles={a: [b], b: [a]}, trump="S", result={"tricks": {a: 1, b: 9, d: 3}}),
        deal(c, "D", start="8", doubles={a: [c]}, result={"order": [c, d, a, b]}),
        deal(d, "NL2", doubles={a: [b]}, result={"last_two": [a, b]}),
        deal(b, "NL2", doubles={a: [b]}, result={"last_two": [a, a]}),
        *(deal(a, contract, passed_out=True) for contract in ("M", "NQ", "NH")),
        deal(a, "T", result={"tricks": {a: 13}}),
    ]
    if ravage_city:
        played.append(deal(c, "RC", doubles={a: [c]}, result={"most": [a, b]}))
        played.append(deal(d, "RC", doubles={a: [d]}, result={"most": [c]}))
    return played


def file(*played: Any, **fields: Any) -> dict[str, Any]:
    """A match file with these deals."""
    return {**match_file(*played), "players": PLAYERS, "title": TITLE, "place": "處", **fields}


PAGES_OF_NO_MATCH = (
    "/",
    "/rules",
    "/calculator",
    "/verify",
    "/bin",
    "/sheet/blank",
    "/sheet/blank?rules=german",
)


class Table:
    """A match, and the phone that scores it."""

    def __init__(self, app: Flask, source: dict[str, Any], playing: Any = None) -> None:
        self.store: Store = app.extensions["store"]
        reading = read_match(source)
        assert reading.match
        assert not reading.problems
        self.slug, self.key = self.store.start(reading.match)
        if playing is not None:
            self.store.write_draft(self.slug, 0, Draft(0, "", 4, playing))
        self.phone, self.watcher = Phone(app.test_client()), Phone(app.test_client())
        self.phone.join(f"/join/{self.key}")
        self.deal_ids = [d.deal_id for d in self.store.load(self.slug).deals]

    def pages(self) -> Iterator[Page]:
        """Every page of the match."""
        for address in (
            "",
            "?drawn=1",
            "/deals/new",
            "/share",
            "/hand-over",
            "/sheet",
            "/take",
            "/sheet?paper=letter&why=1",
            "/by-hand",
            "/settle",
            "/rules",
            "/history",
            "/sign",
            "/reopen",
            "/delete",
            "/totals",
            *(f"/owed/{seat}" for seat in range(1, 5)),
        ):
            for phone in self.phone, self.watcher:
                yield phone.open(f"/m/{self.slug}{address}")
        for deal_id in self.deal_ids:
            for address in "", "/why", "/remove":
                yield self.phone.open(f"/m/{self.slug}/deals/{deal_id}{address}")
            yield self.phone.open(f"/m/{self.slug}/deals/new?saved={deal_id}")
            yield self.phone.open(f"/m/{self.slug}/history?deal={deal_id}")
        yield self.phone.open(f"/m/{self.slug}/settle?per_point=1")
        yield self.phone.open(f"/join/{self.key}")
        yield from (self.phone.open(address) for address in PAGES_OF_NO_MATCH)


STATES: dict[str, tuple[dict[str, Any], Any]] = {
    "no deal": (file(), None),
    "every contract": (file(*deals()), None),
    "Ravage City": (file(*deals(ravage_city=True), rules="ravage-city"), None),
    "a hand being played": (
        file(*deals()),
        deal("丁", "B", doubles={"甲": ["丁", "乙"], "丁": ["甲"], "乙": ["丁"]}),
    ),
    "everything else": (
        file(
            *deals(),
            rules={
                "preset": "german",
                "compulsory_doubles": 1,
                "undoubled_negative": "passed-out",
                "positives_count": "none",
                "doubling": "anyone",
                "values": {"king": -30, "dominoes": [40, 25, 10, -10]},
                "play": {"low_ace": True, "leader": "left-of-dealer"},
            },
            agreed_points=[
                {"after_deal": 0, "points": {"甲": 5}},
                {"after_deal": 2, "points": {"甲": 5}, "reason": "因"},
            ],
            replaced=[{"from_deal": 3, "seat": 2, "name": "戊"}],
            stake={"per_point": "0.05", "currency": "€"},
            abandoned=True,
        ),
        None,
    ),
}


@pytest.mark.parametrize("state", STATES)
def test_every_text_of_every_page(app: Flask, marked: Marked, state: str) -> None:
    for page in Table(app, *STATES[state]).pages():
        assert page.status == 200
        is_translated(page)


def test_every_text_of_a_match_that_is_over(app: Flask, marked: Marked) -> None:
    passed = [deal(p, c, passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2") for p in PLAYERS]
    dominoes = [deal(p, "D", result={"order": PLAYERS}) for p in PLAYERS]
    trumps = [deal(p, "T", result={"tricks": {p: 13}}) for p in PLAYERS]
    table = Table(app, file(*passed, *dominoes, *trumps, stake={"per_point": "0.05", "currency": "€"}))
    for address in "", "/sheet", "/settle":
        for phone in table.watcher, table.phone:
            is_translated(phone.open(f"/m/{table.slug}{address}"))
    is_translated(table.phone.open("/"))


def test_every_text_of_the_pages_that_start_a_match(app: Flask, marked: Marked) -> None:
    phone = Phone(app.test_client())
    is_translated(phone.open("/"))
    page = phone.open("/new")
    is_translated(page)
    for names in ("", "甲", "丙", "丁"), ("題" * 50, "甲\n", "丙", "丁"):
        fields = {f"name_{n}": name for n, name in enumerate(names)}
        page = phone.send(page.form("start"), **fields, title="題" * 300, first="9")
        assert page.status == 422
        is_translated(page)
    page = phone.send(page.form("bring"))
    assert page.status == 422
    is_translated(page)
    seats = {f"name_{n}": name for n, name in enumerate(PLAYERS)}
    wrong = {"value_king": "題", "value_ravage_city": "5", "value_dominoes_0": "1", "compulsory_doubles": "9"}
    page = phone.send(phone.open("/new").form("start"), **seats, **wrong, deck="題")
    assert page.status == 422
    is_translated(page)
    for rules in {"deck": "32", "value_king": "1"}, {"preset": "german"}:
        assert phone.send(phone.open("/new").form("start"), **seats, **rules).status == 200
        page = phone.open("/new")
        assert "As last time" in page.text
        is_translated(page)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_text_of_the_rules_on_a_card(app: Flask, marked: Marked, preset: str) -> None:
    is_translated(Phone(app.test_client()).open(f"/rules?preset={preset}"))


@pytest.mark.parametrize(
    "question",
    [
        "declarer=0&contract=NQ&doubles=10&doubles=01&queens_2=4",
        "cards_32=1&v_heart=0&name_0=甲&declarer=0&contract=NH&doubles=10&hearts_2=8&ace=2",
        "preset=german-other-values&contract=D&place_0=0&place_1=1&place_2=2&place_3=3",
        "contract=B&passed_out=1",
    ],
)
def test_every_text_of_the_calculator(app: Flask, marked: Marked, question: str) -> None:
    page = Phone(app.test_client()).open(f"/calculator?{question}")
    assert page.status == 200
    is_translated(page)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/calculator?ask=1", 422),
        ("/calculator?declarer=9&contract=M", 422),
        ("/calculator?contract=M&v_trick=１&preset=９&name_0=&name_1=題&name_2=題&doubles=11", 422),
        ("/calculator?contract=M&something=" + "1" * 3000, 414),
    ],
)
def test_every_text_of_a_question_that_is_refused(
    app: Flask, marked: Marked, address: str, status: int
) -> None:
    page = Phone(app.test_client()).open(address)
    assert page.status == status
    assert page.wrong
    is_translated(page)


def test_every_text_of_a_stake_that_is_refused(app: Flask, marked: Marked) -> None:
    table = Table(app, file())
    page = table.watcher.open(f"/m/{table.slug}/settle?per_point=-1&currency={'元' * 201}")
    assert page.status == 422
    is_translated(page)


WRONG: list[dict[str, Any]] = [
    {},
    {"contract": "B"},
    {"contract": "B", "king": 3},
    {"contract": "B", "king": 3, "doubles": ["11", "02", "10", "10"]},
    {"contract": "B", "king": "９", "doubles": ["10"], "note": "註" * 300},
    {"contract": "M", "doubles": ["10"], "tricks_0": "x", "tricks_1": "", "tricks_2": "1", "tricks_3": "-1"},
    {"contract": "M", "doubles": ["10"], "tricks_0": 1, "tricks_1": 1, "tricks_2": 1, "tricks_3": 1},
    {
        "contract": "NH",
        "doubles": ["10"],
        "hearts_0": 13,
        "hearts_1": 0,
        "hearts_2": 0,
        "hearts_3": 0,
        "ace": 1,
    },
    {"contract": "NL2", "doubles": ["10"], "last": 1},
    {"contract": "D", "doubles": ["12"], "place_0": 0, "place_1": 0, "place_2": 1, "place_3": 1},
    {"contract": "T", "passed_out": 1},
    {"contract": "B", "passed_out": 1, "doubles": ["10"]},
    {"contract": "RC", "doubles": ["10"], "most": []},
]


@pytest.mark.parametrize("values", WRONG)
def test_every_text_of_a_deal_that_is_refused(app: Flask, marked: Marked, values: dict[str, Any]) -> None:
    table = Table(app, file())
    page = table.phone.send(table.phone.next_deal(table.slug), **values)
    assert page.status == 422
    assert page.wrong
    is_translated(page)


def test_every_text_of_conflicts_and_questions(app: Flask, marked: Marked) -> None:
    a = PLAYERS[0]
    passed = [deal(a, c, passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
    table = Table(app, file(*passed, rules="seven-in-a-row"))
    phone, slug = table.phone, table.slug
    tricks = {"tricks_0": 4, "tricks_1": 1, "tricks_2": 6, "tricks_3": 2}
    form, removal = phone.next_deal(slug), phone.open(f"/m/{slug}/deals/{table.deal_ids[0]}/remove").form()
    pages = [phone.send(form, contract="T", doubles=["10"], **tricks)]  # a forced double is missing
    form = pages[0].form("deal")
    pages.append(phone.send(form, without=["2", "3"]))
    pages.append(phone.send(form, note="註"))  # the id again with another body
    correction = phone.open(f"/m/{slug}/deals/{table.deal_ids[0]}").form("deal")
    pages.append(phone.send(phone.open(f"/m/{slug}/deals/{table.deal_ids[0]}").form("deal"), note="註"))
    phone.send(pages[-1].form("deal"))
    pages.append(phone.send(correction, note="說"))  # stale
    pages.append(phone.send(removal))
    playing = phone.next_deal(slug).fill(contract="D", doubles=["10", "20", "30"])
    pages.append(phone.send(playing, do="play"))
    kept = table.store.draft(slug)
    table.store.write_draft(slug, kept.version, kept._replace(holder="another phone"), take_over=True)
    pages.append(phone.send(playing, do="play"))  # changed meanwhile
    pages.append(phone.open(f"/m/{slug}"))
    pages.append(phone.send(phone.open(f"/m/{slug}/hand-over").form()))
    assert [page.status for page in pages] == [422, 200, 409, 200, 409, 409, 200, 409, 200, 200]
    for page in pages:
        is_translated(page)


def test_every_text_of_the_history(app: Flask, marked: Marked) -> None:
    """Rows of each kind, what brings each back, and the last save undone after somebody else saved."""
    a, b, c, d = PLAYERS
    table = Table(app, file(*deals()))
    store, slug, first = table.store, table.slug, table.deal_ids[0]
    changes: tuple[dict[str, Any], ...] = (
        {"action": "correct", "deal_id": first, "deal": deals()[4]},
        {"action": "correct", "deal_id": table.deal_ids[5], "deal": {**deals()[5], "trump": "H"}},
        {"action": "correct", "deal_id": table.deal_ids[6], "deal": {**deals()[6], "start": "9"}},
        {"action": "remove", "deal_id": table.deal_ids[4]},
        {"action": "correct", "deal_id": first, "deal": deals()[0]},
        {"action": "insert", "deal": {"number": 5, "deal": deals()[4]}},
        {"action": "add", "deal": deal(d, "B", passed_out=True)},
        {"action": "order", "deal": [*table.deal_ids[1:4], first]},
        {"action": "amend", "deal": {"rules": {"deck": "32"}}},
        {"action": "amend", "deal": {"agreed_points": [{"after_deal": 1, "points": {a: 5}, "reason": "因"}]}},
        {"action": "amend", "deal": {"agreed_points": []}},
        {"action": "amend", "deal": {"replaced": [{"from_deal": 3, "seat": 2, "name": "戊"}]}},
        {"action": "amend", "deal": {"replaced": [], "first_declarer": c}},
        {"action": "amend", "deal": {"title": None, "place": None, "date": "2026-11-30"}},
        {"action": "amend", "deal": {"date": None, "stake": {"per_point": "0.05", "currency": "€"}}},
        {"action": "amend", "deal": {"stake": None, "abandoned": True}},
        {"action": "amend", "deal": {"abandoned": False, "players": ["己", b, c, d]}},
    )
    for n, change in enumerate(changes):
        kept = store.load(slug)
        if change["action"] == "order":
            change["deal"] += [k.deal_id for k in kept.deals if k.deal_id not in change["deal"]]
        with suppress(Refused):
            store.save(slug, Save(f"change-{n:03}", kept.revision, **change), by=("a phone", "key 甲")[n % 2])
        is_translated(table.phone.open(f"/m/{slug}"))
    assert store.load(slug).revision > 12
    history = table.phone.open(f"/m/{slug}/history")
    is_translated(history)
    for link in history.links:
        is_translated(table.phone.open(link))
    undone = table.phone.open(f"/m/{slug}/undo").form("back")
    is_translated(table.phone.open(f"/m/{slug}/undo"))
    wrong = table.phone.send(history.form("devices"), name_0="題" * 41, name_1="\x07")
    assert len(wrong.wrong) == 2
    is_translated(wrong)
    store.save(slug, Save("somebody-else", store.load(slug).revision, "amend", deal={"title": "别"}), by="x")
    stale = table.phone.send(undone)
    assert stale.status == 409
    is_translated(stale)


def test_every_text_of_a_match_that_is_closed_and_signed(app: Flask, marked: Marked) -> None:
    """Before and after, by a code, what was refused meanwhile, and what is void."""
    table = Table(app, file(*deals(), abandoned=True, agreed_points=[{"after_deal": 1, "points": {"甲": 5}}]))
    phone, other, here = table.phone, Phone(app.test_client()), f"/m/{table.slug}"
    correction = phone.open(f"{here}/deals/{table.deal_ids[0]}").form("deal")
    removal = phone.open(f"{here}/deals/{table.deal_ids[0]}/remove").form()
    pages = [phone.open(f"{here}/sign"), phone.open(here)]
    pages.append(phone.send(pages[0].form("close"), seen=9))
    pages.append(phone.send(pages[-1].form("close")))
    pages += [phone.send(correction), phone.send(removal), phone.open(f"{here}/sign/1")]
    pages.append(phone.send(pages[-1].form("sign"), fingerprint=""))
    phone.send(pages[-1].form("sign"))
    late = phone.open(f"{here}/sign/2").form("sign")
    pages.append(phone.send(phone.open(f"{here}/sign").form("codes")))
    code = urlsplit(next(link for link in pages[-1].links if "/sign/" in link)).path
    pages.append(other.open(code))
    pages += [other.send(pages[-1].form("sign"), fingerprint=""), other.send(pages[-1].form("sign"))]
    pages += [
        other.open(code),
        phone.open(f"{here}/reopen"),
        phone.send(phone.open(f"{here}/reopen").form("reopen")),
    ]
    pages += [
        phone.send(late),
        phone.send_seen(phone.open(f"{here}/deals/{table.deal_ids[0]}").form("deal"), note="說"),
    ]
    for address in "", "/sign", "/sheet", "/history":
        pages += [phone.open(here + address), table.watcher.open(here + address)]
    refused = [n for n, page in enumerate(pages) if page.status != 200]
    assert [(n, pages[n].status) for n in refused] == [
        (2, 409),
        (4, 409),
        (5, 409),
        (7, 409),
        (10, 409),
        (12, 410),
        (15, 409),
    ]
    assert sum("⟦void: an earlier state was signed⟧" in page.html for page in pages) >= 5
    for page in pages:
        is_translated(page)


def test_every_text_of_a_deleted_match(app: Flask, marked: Marked) -> None:
    for title in TITLE, "":
        table = Table(app, file(*deals(), title=title))
        asked = table.phone.open(f"/m/{table.slug}/delete")
        wrong = table.phone.send(asked.form(), name="別")
        assert wrong.status == 422
        binned = table.phone.send(asked.form(), name=PLAYERS[0])
        assert binned.address == "/bin"
        later = [table.phone.open(address) for address in (f"/m/{table.slug}", f"/join/{table.key}", "/")]
        assert [page.status for page in later] == [410, 200, 200]
        for page in asked, wrong, binned, *later:
            is_translated(page)
        told = table.phone.client.get(f"/api/matches/{table.slug}").get_json()["message"]
        assert re.fullmatch(r"⟦.+⟧", told, re.DOTALL)


def test_every_text_of_a_link_that_was_replaced(app: Flask, marked: Marked) -> None:
    table = Table(app, file())
    table.store.new_score_key(table.slug, end_others=True)
    page = table.phone.open(f"/join/{table.key}")
    assert page.status == 410
    is_translated(page)


def test_every_text_of_an_error(app: Flask, marked: Marked) -> None:
    table = Table(app, file())
    client = app.test_client()
    errors = [
        client.get("/nothing"),
        client.post("/"),
        client.post("/new"),
        client.post(f"/m/{table.slug}/deals/new"),
        client.post("/new", data={"name_0": "x" * 2_000_000}),
        table.phone.client.post("/m/nowhere/deals/new"),
    ]
    assert [e.status_code for e in errors] == [404, 405, 400, 401, 413, 403]
    for error in errors:
        is_translated(Page(error))


@pytest.mark.parametrize("trouble", Trouble)
def test_every_text_when_nothing_can_be_saved(
    app: Flask, marked: Marked, monkeypatch: pytest.MonkeyPatch, trouble: Trouble
) -> None:
    table = Table(app, file(*deals()))
    phone, new = table.phone, {f"name_{n}": name for n, name in enumerate(PLAYERS)}
    forms = [
        phone.open("/new").form("start").fill(**new),
        phone.send(phone.open(f"/m/{table.slug}/deals/{table.deal_ids[0]}").form("deal"), note="說").form(
            "deal"
        ),
        phone.open(f"/m/{table.slug}/undo").form(),
    ]

    def fails(*_: object) -> None:
        raise NotSaved(trouble)

    monkeypatch.setattr(Database, "writing", fails)
    for form in forms:
        page = phone.send(form)
        assert (page.status, bool(page.wrong)) == (503, True)
        is_translated(page)
    told = app.test_client().post("/api/matches", json=file()).get_json()["message"]
    assert re.fullmatch(r"⟦.+⟧", told)


@pytest.mark.parametrize("reason", Reason)
def test_every_text_when_there_is_no_pdf(
    app: Flask, marked: Marked, monkeypatch: pytest.MonkeyPatch, reason: Reason
) -> None:
    def fails(*_: object) -> None:
        raise PdfUnavailable(reason, "details")

    monkeypatch.setattr(PdfMaker, "make", fails)
    table = Table(app, file())
    is_translated(table.phone.open(f"/m/{table.slug}/sheet.pdf"))


def test_the_messages_of_the_api(app: Flask, marked: Marked) -> None:
    table = Table(app, file())
    client, key = app.test_client(), {"Authorization": f"Bearer {table.key}"}
    address = f"/api/matches/{table.slug}/deals"
    body: dict[str, Any] = {"id": "in-every-language", "seen": 1, "deal": deal("甲", "B", passed_out=True)}
    answers = [
        client.post("/api/matches", json={}),
        client.post("/api/matches", json=file(deal("甲", "M", result={"tricks": {"甲": 14}}))),
        client.post("/api/matches", data=b"x", content_type="application/json"),
        client.post("/api/matches", data=b"x"),
        client.get("/api/matches/nowhere"),
        client.post(address, json=body),
        client.post(address, json=body, headers={"Authorization": "Bearer wrong"}),
        client.post(address, json=body | {"id": "x"}, headers=key),
        client.post(address, json=body | {"number": 7}, headers=key),
    ]
    client.post(address, json=body, headers=key)
    answers.append(client.post(address, json=body | {"deal": {}}, headers=key))
    answers.append(client.put(f"/api/matches/{table.slug}/open", json={"draft": 9, "deal": {}}, headers=key))
    for answer in answers:
        told = answer.get_json()
        assert answer.status_code >= 400
        for message in (told["message"], *(p["message"] for p in told["problems"])):
            assert re.fullmatch(r"⟦.+⟧", message, re.DOTALL), message


# Texts can be collected


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> set[str | tuple[str, str]]:
    """All texts that the tools find, as the command in pyproject.toml has them collect."""
    out = tmp_path_factory.mktemp("texts") / "messages.pot"
    command = re.search(
        r"pybabel (extract .+) -o messages\.pot \.", (ROOT / "pyproject.toml").read_text("utf-8")
    )
    assert command
    subprocess.run(
        [sys.executable, "-m", "babel.messages.frontend", "-q", *command[1].split(), "-o", str(out), "."],
        cwd=ROOT,
        check=True,
    )
    with out.open("rb") as file:
        return {m.id if isinstance(m.id, str) else (m.id[0], m.id[1]) for m in read_po(file) if m.id}


def test_every_text_that_is_asked_for_is_collected(
    app: Flask, marked: Marked, collected: set[str | tuple[str, str]]
) -> None:
    for state in STATES.values():
        for page in Table(app, *state).pages():
            assert page.status == 200
    Phone(app.test_client()).open("/new")
    assert len(marked.asked) > 200
    assert marked.asked <= collected | {
        one for text in collected if isinstance(text, tuple) for one in text[:1]
    }


def test_every_sentence_of_the_core_is_collected(collected: set[str | tuple[str, str]]) -> None:
    tables: tuple[Any, ...] = (
        messages.MISTAKES,
        messages.WARNINGS,
        messages.SENTENCES,
        messages.WORDS,
        messages.CONTRACT_NAMES,
        messages.PRESET_NAMES,
        messages.PRESET_ABOUT,
        messages.PDF_UNAVAILABLE,
    )
    assert {text for table in tables for text in table.values()} <= collected
    assert set(messages.PRESET_NAMES) == set(messages.PRESET_ABOUT) == set(PRESETS)


def test_no_key_has_two_sentences() -> None:
    """A mistake and a sentence under one key would hide one another."""
    tables = (messages.MISTAKES, messages.WARNINGS, messages.SENTENCES)
    keys = [key for table in tables for key in table]
    assert len(keys) == len(set(keys))
