"""The history of a match: each row in words, what stood brought back, the last save undone."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from builders import deal_entry, match_file
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from records import everything, unchanged
from webpages import Element, Page, Phone

from scorepad.matchfile import read_match
from scorepad.messages import signed
from scorepad.standing import Standing
from scorepad.store import KeptMatch, Refused, Save, Side, Stale, Store
from scorepad.store.history import bring_back, undo
from scorepad.table import SEATS

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", doubles={"Ben": ["Carla"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})
QUEENS = deal_entry("Dan NQ", doubles={"Anna": ["Dan"]}, result={"queens": {"Ben": 3, "Dan": 1}})
KING_OF_DAN = {**KING, "result": {"king": "Dan"}}
AGREED = [
    {"after_deal": 1, "points": {"Ben": 5}, "reason": "first"},
    {"after_deal": 2, "points": {"Ben": -10, "Carla": 10}, "reason": "revoke"},
]
REPLACED = [{"from_deal": 2, "seat": 3, "name": "Eva"}, {"from_deal": 3, "seat": 4, "name": "Fritz"}]


class Table:
    """A phone without scripts that scores a match, and one that watches it."""

    def __init__(self, client: FlaskClient, watcher: FlaskClient, store: Store, **more: Any) -> None:
        self.store, self.phone, self.watcher = store, Phone(client), Phone(watcher)
        match = read_match(match_file(KING, TRUMPS, HEARTS, **more)).match
        assert match
        self.slug, key = store.start(match)
        self.phone.join(f"/join/{key}")
        self.saves = 0

    def save(self, action: str, deal_id: str = "", deal: Any = None, *, by: str = "device 999") -> str:
        """Save something as another phone does; its id."""
        self.saves += 1
        called = f"a-save-of-mine-{self.saves}"
        save = Save(called, self.revision, action, deal_id, deal)
        self.store.save(self.slug, save, by=by)
        return called

    @property
    def revision(self) -> int:
        """The last row."""
        return self.store.load(self.slug).revision

    def open(self, page: str) -> Page:
        """A page of the match, for the scorer."""
        return self.phone.open(f"/m/{self.slug}{page}")

    def row(self, revision: int = 0, *, phone: Phone | None = None) -> Element:
        """A row of the history, the last unless another is asked for."""
        page = (phone or self.phone).open(f"/m/{self.slug}/history")
        return page.elements.one("section", id=f"row-{revision or self.revision}")

    def sides(self, revision: int = 0) -> list[list[str]]:
        """The sentences of a row, what stood before it and after it."""
        sides = self.row(revision).all("div", class_="side")
        return [
            [p.text for p in side.all("p") if p.text != "Bring this back" and not list(p.all("a"))]
            for side in sides
        ]

    def bring(self, revision: int, side: str) -> Page:
        """Bring something back, having seen what it does."""
        return self.phone.send(self.open(f"/history/{revision}/{side}").form("back"))

    def undo(self) -> Page:
        """Undo the last save."""
        link = self.open("").elements.one("p", id="undo").one("a").attributes["href"]
        page = self.phone.open(link)
        assert page.status == 200
        return self.phone.send(page.form("back"))


@pytest.fixture
def table(app: Flask, store: Store) -> Table:
    """A table that has played three deals."""
    return Table(app.test_client(), app.test_client(), store)


@pytest.fixture
def with_everything(app: Flask, store: Store) -> Table:
    """The same with agreed points, players who took seats over, and a title."""
    more = {"agreed_points": AGREED, "replaced": REPLACED, "title": "Thursday"}
    return Table(app.test_client(), app.test_client(), store, **more)


class Stand(NamedTuple):
    """All that an undone save must leave as it was."""

    file: dict[str, Any]
    deals: list[Any]
    standing: Standing


def stand(store: Store, slug: str) -> Stand:
    """Where a match stands."""
    kept, where = store.standing(slug)
    return Stand(dict(kept.file), [d.body for d in kept.deals], where)


def effect(page: Page) -> list[list[str]]:
    """The totals before and after, by name."""
    rows = list(page.elements.one("section", id="effect").all("tr"))
    return [[cell.text for cell in (*row.all("th"), *row.all("td"))] for row in rows[1:]]


def moved(row: Element) -> list[str]:
    """The totals that a row moved."""
    return [li.text for lists in row.all("ul", class_="moved") for li in lists.all("li")]


# What each row did, in words


def test_the_start_names_players_and_rules(table: Table) -> None:
    row = table.row(1)
    assert row.one("h2").text == "The match was started."
    assert "Anna, Ben, Carla and Dan play; Anna declares first." in row.text
    assert "Rules: Standard" in row.text
    assert "3 deals came along." in row.text
    assert not moved(row)


def test_a_deal_in_words_and_what_it_moved(table: Table) -> None:
    before = table.store.standing(table.slug)[1].totals
    table.save("add", deal=QUEENS)
    after, row = table.store.standing(table.slug)[1].totals, table.row()
    assert row.one("h2").text == "Deal 4 was saved."
    assert table.sides() == [
        [
            "Deal 4: Dan declared No Queens.",
            "Anna doubled Dan.",
            "Ben took 3 queens.",
            "Dan took 1 queen.",
        ]
    ]
    names = ("Anna", "Ben", "Carla", "Dan")
    changed = [s for s in SEATS if before[s] != after[s]]
    assert moved(row) == [f"{names[s]} {signed(before[s])} → {signed(after[s])}" for s in changed]
    assert "Carla" not in row.one("ul").text


def test_a_correction_shows_the_deal_before_and_after(table: Table) -> None:
    table.save("correct", "file-deal-01", {**KING_OF_DAN, "note": "counted again"})
    assert table.row().one("h2").text == "Deal 1 was corrected."
    before, after = table.sides()
    assert before == ["Deal 1: Anna declared Barbu.", "Ben doubled Anna.", "Ben took the king of hearts."]
    assert after[2:] == ["Dan took the king of hearts.", "Note: counted again"]


def test_what_was_noted_of_a_deal_is_told(table: Table) -> None:
    table.save("correct", "file-deal-02", {**TRUMPS, "trump": "H"})
    assert table.sides()[1][-1] == "Trump suit: ♥."
    order = deal_entry("Dan D", start="9", result={"order": ["Dan", "Ben", "Anna", "Carla"]})
    table.save("add", deal=order)
    assert table.sides()[0][-1] == "Starting rank: 9."


def test_a_removal_and_a_forgotten_deal(table: Table) -> None:
    table.save("remove", "file-deal-02")
    assert table.row().one("h2").text == "Deal 2 was removed."
    assert table.sides()[0][0] == "Deal 2: Ben declared Trumps."
    table.save("insert", deal={"number": 1, "deal": TRUMPS})
    assert table.row().one("h2").text == "Deal 1 was put in."
    assert table.sides()[0][0] == "Deal 1: Ben declared Trumps."


def test_another_order(table: Table) -> None:
    table.save("order", deal=["file-deal-01", "file-deal-03", "file-deal-02"])
    assert table.row().one("h2").text == "The deals were put in another order."
    assert table.sides() == [
        ["Deal 2: Ben declared Trumps.", "Deal 3: Carla declared No Hearts."],
        ["Deal 2: Carla declared No Hearts.", "Deal 3: Ben declared Trumps."],
    ]


AMENDMENTS: tuple[tuple[dict[str, Any], str, list[str], list[str]], ...] = (
    (
        {"players": ["Anna", "Bennet", "Carla", "Dan"]},
        "Names were written otherwise.",
        ["Names: Ben."],
        ["Names: Bennet."],
    ),
    (
        {"first_declarer": "Carla"},
        "Somebody else declares first.",
        ["Anna declares first."],
        ["Carla declares first."],
    ),
    (
        {"replaced": [{"from_deal": 3, "seat": 2, "name": "Eva"}]},
        "A seat was taken over, or given back.",
        ["Nobody had taken the seat over."],
        ["From deal 3 on Eva has the seat of Ben."],
    ),
    (
        {"agreed_points": AGREED[1:]},
        "Agreed points were changed.",
        ["Without the agreed points."],
        ["After deal 2: Ben −10, Carla +10. What for: revoke"],
    ),
    (
        {"rules": {"values": {"king": -30}}},
        "The house rules were changed.",
        ["Rules: Standard."],
        ["Rules: standard, but king of hearts −30."],
    ),
    ({"title": "Thursday"}, "The title was changed.", ["No title."], ["Title: Thursday"]),
    ({"place": "Bern"}, "The place was changed.", ["No place."], ["Place: Bern"]),
    ({"date": "2026-11-30"}, "The day was changed.", ["No day."], ["Day: 2026-11-30"]),
    (
        {"stake": {"per_point": "0.05", "currency": ""}},
        "The stake was changed.",
        ["No stake."],
        ["Stake: 0.05 a point"],
    ),
    (
        {"abandoned": True},
        "The match was abandoned, or gone on with.",
        ["The match goes on."],
        ["The match was abandoned."],
    ),
)


@pytest.mark.parametrize(("fields", "what", "before", "after"), AMENDMENTS, ids=lambda x: str(x)[:20])
def test_an_amendment_field_by_field(
    table: Table, fields: dict[str, Any], what: str, before: list[str], after: list[str]
) -> None:
    table.save("amend", deal=fields)
    assert table.row().one("h2").text == what
    assert [[unmarked(s) for s in side] for side in table.sides()] == [before, after]


def unmarked(text: str) -> str:
    """A text without the marks that keep names apart from what stands beside them."""
    return re.sub(r"[\u2066-\u2069]", "", text)


def test_an_amendment_that_changes_nothing_says_no_more(table: Table) -> None:
    table.save("amend", deal={"abandoned": False})
    assert table.row().one("h2").text == "The match was changed."
    assert table.sides() == []


def test_the_newest_row_comes_first_with_its_time(table: Table) -> None:
    table.save("remove", "file-deal-03")
    page = table.open("/history")
    assert [s.attributes["id"] for s in page.elements.all("section", class_="row-told")] == ["row-2", "row-1"]
    for moment in page.elements.all("time"):
        assert re.fullmatch(r"\d{4}-\d\d-\d\d, \d\d:\d\d UTC", moment.text)
        assert moment.attributes["datetime"].endswith("+00:00")


def test_the_rows_of_one_deal(table: Table) -> None:
    table.save("correct", "file-deal-01", KING_OF_DAN)
    table.save("remove", "file-deal-03")
    why = table.open("/deals/file-deal-01/why")
    (link,) = [link for link in why.links if "/history" in link]
    page = table.phone.open(link)
    assert page.heading == "History of deal 1"
    assert [s.attributes["id"] for s in page.elements.all("section", class_="row-told")] == ["row-2", "row-1"]
    assert table.open("/history?deal=file-deal-03").heading == "History of a deal"
    assert "No row tells" in table.open("/history?deal=nothing").text


def test_the_table_page_leads_there(table: Table) -> None:
    for phone in table.phone, table.watcher:
        assert f"/m/{table.slug}/history" in phone.open(f"/m/{table.slug}").links


# Which phone


def test_phones_are_told_apart_and_can_be_named(table: Table) -> None:
    table.save("remove", "file-deal-03", by="device 77")
    table.phone.send(table.open("/deals/file-deal-01/remove").form())
    assert "phone 2" in table.row(2).text
    assert "this phone" in table.row(3).text
    assert "phone 3" in table.row(3, phone=table.watcher).text
    form = table.open("/history").form("devices")
    page = table.phone.send(form, name_1="Ben’s <phone>", name_2="")
    assert page.address == f"/m/{table.slug}/history"
    for phone in table.phone, table.watcher:
        assert "Ben’s <phone>" in table.row(2, phone=phone).text
    table.phone.send(table.open("/history").form("devices"), name_1="")
    assert "phone 2" in table.row(2).text


@pytest.mark.parametrize("name", ["x" * 41, "a\x07b"])
def test_a_name_that_cannot_be_is_refused(table: Table, name: str) -> None:
    form = table.open("/history").form("devices")
    page = unchanged(table.store, lambda: table.phone.send(form, name_0=name))
    assert page.status == 422
    assert set(page.wrong) == {"name_0"}


# Who may


def test_watchers_read_and_change_nothing(table: Table) -> None:
    table.save("correct", "file-deal-01", KING_OF_DAN)
    page = table.watcher.open(f"/m/{table.slug}/history")
    assert page.status == 200
    assert "Bring this back" not in page.text
    assert not list(page.elements.all("form"))
    assert not list(table.watcher.open(f"/m/{table.slug}").elements.all(id="undo"))
    assert table.watcher.open(f"/m/{table.slug}/undo").address == f"/m/{table.slug}"
    assert table.watcher.open(f"/m/{table.slug}/history/2/before").address == f"/m/{table.slug}/history"
    for address in "undo", "history/2/before", "history/names":
        answer = unchanged(
            table.store,
            lambda: table.watcher.client.post(f"/m/{table.slug}/{address}", data={"seen": 2}),  # noqa: B023
        )
        assert answer.status_code == 401


@pytest.mark.parametrize("page", ["1/after", "2/nowhere", "3/before", "0/before", "9/after"])
def test_what_cannot_be_brought_back_is_not_there(table: Table, page: str) -> None:
    table.save("remove", "file-deal-03")
    assert table.open(f"/history/{page}").status == 404
    assert table.open("/history/2/after").status == 404


# Bringing back


def test_a_figure_is_brought_back_having_seen_what_it_does(table: Table) -> None:
    before = stand(table.store, table.slug)
    table.save("correct", "file-deal-01", KING_OF_DAN)
    table.save("add", deal=QUEENS)
    link = f"/m/{table.slug}/history/2/before"
    assert link in table.open("/history").links
    assert f"/m/{table.slug}/history/2/after" not in table.open("/history").links, "it stands like this"
    page = unchanged(table.store, lambda: table.phone.open(link))
    wrong = table.store.standing(table.slug)[1].totals
    assert [row[1] for row in effect(page)] == [signed(n) for n in wrong]
    assert table.phone.send(page.form("back")).address == f"/m/{table.slug}"
    kept, where = table.store.standing(table.slug)
    right = where.totals
    assert [row[2] for row in effect(page)] == [signed(n) for n in right]
    assert kept.deals[0].body == before.deals[0]
    assert table.revision == 4, "as a new row"
    assert table.row().one("h2").text == "Deal 1 was corrected."


def test_a_removed_deal_comes_back_to_its_place(with_everything: Table) -> None:
    table = with_everything
    before = stand(table.store, table.slug)
    table.save("remove", "file-deal-02")
    assert stand(table.store, table.slug).file != before.file
    assert table.bring(2, "before").status == 200
    assert stand(table.store, table.slug) == before
    assert table.open("/history/2/before").text.count("It stands like this already.") == 1


def test_a_removed_deal_comes_back_among_later_ones_under_new_names(table: Table) -> None:
    table.save("remove", "file-deal-02")
    table.save("add", deal=QUEENS)
    table.save("amend", deal={"players": ["Anna", "Bennet", "Carla", "Dan"]})
    table.save("remove", "file-deal-01")
    assert table.bring(2, "before").status == 200
    deals = table.store.load(table.slug).deals
    assert [d.body["contract"] for d in deals] == ["T", "NH", "NQ"]
    assert deals[0].body["declarer"] == "Bennet"


def test_a_deal_that_came_back_under_a_new_id_is_still_that_deal(table: Table) -> None:
    table.save("correct", "file-deal-01", KING_OF_DAN)
    table.save("remove", "file-deal-01")
    table.bring(3, "before")
    table.bring(2, "before")
    assert [d.body["result"] for d in table.store.load(table.slug).deals[:1]] == [{"king": "Ben"}]
    assert len(table.store.load(table.slug).deals) == 3
    assert table.row(4).one("h2").text == "Deal 1 was brought back."
    for deal_id in "file-deal-01", table.store.load(table.slug).deals[0].deal_id:
        page = table.open(f"/history?deal={deal_id}")
        assert page.heading == "History of deal 1"
        assert len(list(page.elements.all("section", class_="row-told"))) == 5


def test_fields_and_order_are_brought_back(table: Table) -> None:
    before = stand(table.store, table.slug)
    for action, body in (
        ("amend", {"rules": {"values": {"king": -30}}, "title": "Thursday"}),
        ("amend", {"agreed_points": AGREED}),
        ("amend", {"players": ["Anna", "Bennet", "Carla", "Dan"]}),
        ("order", ["file-deal-03", "file-deal-02", "file-deal-01"]),
    ):
        table.save(action, deal=body)
    table.bring(5, "before")
    table.bring(2, "before")
    table.bring(3, "before")
    table.bring(4, "before")
    assert stand(table.store, table.slug) == before
    table.bring(3, "after")
    table.bring(4, "after")
    agreed = table.store.standing(table.slug)[1].match.agreed_points
    assert agreed[0].points == (0, 5, 0, 0)
    table.save("amend", deal={"agreed_points": []})
    table.bring(3, "after")
    assert table.store.standing(table.slug)[1].match.agreed_points == agreed


def test_an_order_comes_back_with_later_deals_where_they_are(table: Table) -> None:
    table.save("order", deal=["file-deal-03", "file-deal-02", "file-deal-01"])
    table.save("add", deal=QUEENS)
    table.save("remove", "file-deal-02")
    table.bring(2, "before")
    contracts = [d.body["contract"] for d in table.store.load(table.slug).deals]
    assert contracts == ["B", "NH", "NQ"]


def test_what_the_rules_refuse_is_told(table: Table) -> None:
    """The declarer has declared this contract in a deal that was saved later."""
    again = {**QUEENS, "declarer": "Ben", "contract": "T", "result": TRUMPS["result"], "doubles": {}}
    table.save("correct", "file-deal-02", {**TRUMPS, "declarer": "Dan", "doubles": {}})
    table.save("add", deal=again)
    page = unchanged(table.store, lambda: table.open("/history/2/before"))
    assert "Ben declared Trumps" in page.wrong["form"][0]
    assert not list(page.elements.all("section", id="effect"))
    page = unchanged(table.store, lambda: table.phone.send(page.form("back")))
    assert page.status == 422


def test_something_saved_meanwhile_is_shown_first(table: Table) -> None:
    table.save("correct", "file-deal-01", KING_OF_DAN)
    form = table.open("/history/2/before").form("back")
    table.save("amend", deal={"title": "Thursday"})
    page = unchanged(table.store, lambda: table.phone.send(form))
    assert page.status == 409
    assert "The title was changed." in page.elements.one("section", id="meanwhile").text
    assert table.phone.send(page.form("back")).address == f"/m/{table.slug}"
    assert table.store.load(table.slug).deals[0].body["result"] == {"king": "Ben"}


@pytest.mark.parametrize("page", ["/undo", "/history/2/before"])
@pytest.mark.parametrize("seen", ["0", "99", "x", ""])
def test_a_form_that_somebody_tampered_with_changes_nothing(table: Table, page: str, seen: str) -> None:
    table.save("correct", "file-deal-01", KING_OF_DAN)
    form = table.open(page).form("back")
    answer = unchanged(table.store, lambda: table.phone.send(form, seen=seen))
    assert answer.status == 409
    assert table.phone.send(table.open(page).form("back"), id="x").status == 422


# Undoing

#: One save of each kind.
SAVES: dict[str, tuple[str, str, Any]] = {
    "add": ("add", "", QUEENS),
    "correct": ("correct", "file-deal-01", KING_OF_DAN),
    "remove the first": ("remove", "file-deal-01", None),
    "remove one in between": ("remove", "file-deal-02", None),
    "remove the last": ("remove", "file-deal-03", None),
    "insert": ("insert", "", {"number": 2, "deal": QUEENS}),
    "order": ("order", "", ["file-deal-02", "file-deal-03", "file-deal-01"]),
    "rename": ("amend", "", {"players": ["Anna", "Bennet", "Carla", "Dan"]}),
    "points": ("amend", "", {"agreed_points": []}),
    "seat": ("amend", "", {"replaced": [{"from_deal": 1, "seat": 1, "name": "Gina"}]}),
    "rules": ("amend", "", {"rules": "german"}),
    "title": ("amend", "", {"title": None, "place": "Bern", "stake": {"per_point": "1", "currency": "€"}}),
    "abandoned": ("amend", "", {"abandoned": True}),
}


@pytest.mark.parametrize("kind", SAVES)
def test_undo_restores_everything(with_everything: Table, kind: str) -> None:
    """Totals, grid, owed, next declarer: the whole standing; undone again, the save is there once more."""
    table = with_everything
    before = stand(table.store, table.slug)
    table.save(*SAVES[kind])
    after = stand(table.store, table.slug)
    assert after != before
    line = table.open("").elements.one("p", id="undo").text
    assert re.search(r"(deals?|match) .+ at \d{4}-\d\d-\d\d, \d\d:\d\d UTC ?\. Undo$", line, re.IGNORECASE)
    page = unchanged(table.store, lambda: table.open("/undo"))
    totals = zip(after.standing.totals, before.standing.totals, strict=True)
    if after.standing.totals == before.standing.totals:
        assert "No total changes." in page.text
    else:
        assert [row[1:] for row in effect(page)] == [[signed(a), signed(b)] for a, b in totals]
    assert table.undo().address == f"/m/{table.slug}"
    assert stand(table.store, table.slug) == before
    table.undo()
    assert stand(table.store, table.slug) == after


def test_the_start_of_a_match_is_not_undone(table: Table) -> None:
    assert not list(table.open("").elements.all(id="undo"))
    assert table.open("/undo").address == f"/m/{table.slug}"


def test_undoing_twice_by_the_same_form_undoes_once(table: Table) -> None:
    table.save("add", deal=QUEENS)
    table.save("correct", "file-deal-01", KING_OF_DAN)
    form = table.open("/undo").form("back")
    table.phone.send(form)
    again = unchanged(table.store, lambda: table.phone.send(form))
    assert again.address == f"/m/{table.slug}"
    assert table.revision == 4


def test_a_save_that_is_not_the_last_any_more_is_not_undone(table: Table) -> None:
    table.save("add", deal=QUEENS)
    form = table.open("/undo").form("back")
    table.save("amend", deal={"title": "Thursday"})
    page = unchanged(table.store, lambda: table.phone.send(form))
    assert page.status == 409
    told = page.elements.one("section", id="meanwhile").text
    assert "Deal 4 was saved." in told
    assert "The title was changed." in told
    table.phone.send(page.form("back"))
    assert table.store.standing(table.slug)[1].match.title == ""
    assert len(table.store.load(table.slug).deals) == 4


def test_the_store_refuses_what_has_not_seen_everything(table: Table) -> None:
    table.save("add", deal=QUEENS)
    before = everything(table.store)
    save = Save("an-id-of-mine", 1, "remove", "file-deal-01")
    with pytest.raises(Stale):
        table.store.save(table.slug, save, by="a test", nothing_since=True)
    assert everything(table.store) == before


@given(chosen=st.lists(st.sampled_from(sorted(SAVES)), min_size=1, max_size=6))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_undo_restores_whatever_came_before(store: Store, chosen: list[str]) -> None:
    """After any saves that the rules allow, each undoes to the standing before it."""
    more = {"agreed_points": AGREED, "replaced": REPLACED, "title": "Thursday"}
    match = read_match(match_file(KING, TRUMPS, HEARTS, **more)).match
    assert match
    slug = store.start(match)[0]
    for n, kind in enumerate(chosen):
        before, kept = stand(store, slug), store.load(slug)
        action, deal_id, body = SAVES[kind]
        if not fits(kept, action, deal_id, body):
            continue
        try:
            store.save(slug, Save(f"change-{n:03}", kept.revision, action, deal_id, body), by="a test")
        except Refused:
            continue
        last = store.history(slug)[-1]
        change = undo(last)
        if change is None:
            assert stand(store, slug) == before
            continue
        store.save(slug, change.save(f"undone-{n:03}", last.revision), by="a test", nothing_since=True)
        assert stand(store, slug) == before
        now = store.load(slug)
        assert bring_back(last, Side.BEFORE, now) is None
        redo = undo(store.history(slug)[-1])
        assert redo
        store.save(slug, redo.save(f"redone-{n:03}", now.revision), by="a test", nothing_since=True)


def fits(kept: KeptMatch, action: str, deal_id: str, body: Any) -> bool:
    """Whether the deals a save is about are still there."""
    ids = [d.deal_id for d in kept.deals]
    if action == "insert":
        return int(body["number"]) <= len(ids)
    return sorted(body) == sorted(ids) if action == "order" else deal_id in {"", *ids}
