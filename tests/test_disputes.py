"""Whoever disputes a figure is led to why it is so, and a correction says what it does before it is saved."""

from __future__ import annotations

from typing import Any

import pytest
from builders import NAMES, deal_entry
from disputed import FURTHER, MOVED, QUEENS, TEN, WITHOUT, ten_deals
from flask import Flask
from flask.testing import FlaskClient
from records import unchanged
from webpages import Element, Page, Phone

from scorepad import debts, explain
from scorepad.matchfile import read_match
from scorepad.messages import Words, signed
from scorepad.standing import Standing
from scorepad.store import Save, Store
from scorepad.table import NOTHING, SEATS, PerSeat, plus

AGREED = [
    {"after_deal": 0, "points": {"Dan": 5}},
    {"after_deal": 3, "points": {"Ben": -10}, "reason": "revoke"},
]
REPLACED = [{"from_deal": 5, "seat": 2, "name": "Eve"}]
OPEN = deal_entry("Ben NH", doubles={"Carla": ["Ben"]})


class Table:
    """A match of ten deals, the phone that scores it, and one that watches."""

    def __init__(self, app: Flask, store: Store, *, playing: Any = None, **more: Any) -> None:
        match = read_match(ten_deals(**more)).match
        assert match
        self.store = store
        self.slug, self.key = store.start(match)
        if playing:
            store.write_draft(self.slug, 0, store.draft(self.slug)._replace(spoken=4, deal=playing))
        self.phone, self.watcher = Phone(app.test_client()), Phone(app.test_client())
        self.phone.join(f"/join/{self.key}")

    @property
    def where(self) -> Standing:
        """Where the match stands, with the hand being played."""
        return self.store.standing_with_draft(self.slug)[1]

    def open(self, page: str) -> Page:
        """A page of the match, for whoever watches."""
        return self.watcher.open(f"/m/{self.slug}{page}")

    def third(self) -> Page:
        """The form of the third deal, for the scorer."""
        return self.phone.open(f"/m/{self.slug}/deals/file-deal-03")


@pytest.fixture
def table(app: Flask, store: Store) -> Table:
    """Ten deals."""
    return Table(app, store)


@pytest.fixture
def busy(app: Flask, store: Store) -> Table:
    """The same with agreed points, a player who took a seat over, and a hand being played."""
    return Table(app, store, playing=OPEN, agreed_points=AGREED, replaced=REPLACED)


def further(page: Page | Element) -> list[str]:
    """What is said of doubles and debts."""
    elements = page.elements if isinstance(page, Page) else page
    return [li.text for ul in elements.all("ul", class_="further") for li in ul.all("li")]


def effect(page: Page) -> list[list[str]]:
    """The totals before and after, by name."""
    rows = list(page.elements.one("section", id="effect").all("tr"))
    return [[cell.text for cell in (*row.all("th"), *row.all("td"))] for row in rows[1:]]


# Why, by the number of the deal


def test_the_number_of_a_deal_leads_to_its_why(table: Table) -> None:
    page = table.open("/deals/3/why")
    assert (page.status, page.heading) == (200, "Deal 3: why?")
    assert page.address == f"/m/{table.slug}/deals/file-deal-03/why"


@pytest.mark.parametrize("number", ["0", "11", "1000000", "-1", "３", "3x", "99999999"])
def test_a_deal_that_is_not_there_has_no_why(table: Table, number: str) -> None:
    assert table.open(f"/deals/{number}/why").status == 404


def test_why_says_which_deals_counted_at_that_time(table: Table) -> None:
    page = table.open("/deals/7/why")
    duties = page.elements.one("section", id="duties")
    assert [p.text for p in duties.all("p")] == [
        "Carla doubled Anna: it counts for nothing more, 0 owed.",
        "Dan doubled Anna: it counts for nothing more, 0 owed.",
    ]
    assert [li.text for li in next(duties.all("ul")).all("li")] == [
        "Deal 1, Barbu: passed out.",
        "Deal 2, Misère: passed out.",
        "Deal 3, No Queens: doubled, counts.",
        "Deal 4, No Hearts: passed out.",
        "Deal 5, No Last Two: passed out.",
        "Deal 6, Trumps: doubled, counts.",
        "Owed before this deal: 0. Declarations left then, this one included: 1.",
    ]


def test_every_duty_of_every_deal_is_on_its_page(table: Table) -> None:
    where, say = table.where, Words(PerSeat("Anna", "Ben", "Carla", "Dan"))
    for result in where.deals:
        text = table.open(f"/deals/{result.number}/why").text
        for duty in debts.duties(where, result):
            assert all(say(m) in text for m in (duty.told, *duty.because))


# From any figure on the table page


def test_every_figure_of_a_deal_leads_to_its_why(busy: Table) -> None:
    rows = list(busy.open("").elements.one("table", class_="deals").one("tbody").all("tr"))
    assert [a.attributes.get("href") for a in rows[0].all("a")] == []  # the hand being played
    for number, row in enumerate(reversed(rows[1:]), start=1):
        links = [a.attributes["href"] for cell in row.all("td") for a in cell.all("a")]
        assert links == [f"/m/{busy.slug}/deals/file-deal-{number:02}/why"] * 4


def test_every_contract_that_was_declared_leads_to_its_deal(busy: Table) -> None:
    grid = next(busy.open("").elements.all("table", class_="grid"))
    for seat, row in zip(SEATS, grid.one("tbody").all("tr"), strict=True):
        cells = list(row.all("td"))
        for cell in cells:
            number = cell.text.split()[0]
            links = [a.attributes["href"] for a in cell.all("a")]
            is_scored = number.isdigit() and int(number) <= len(TEN)
            assert links == ([f"/m/{busy.slug}/deals/file-deal-{int(number):02}/why"] if is_scored else [])
        assert sum(c.text != "left" for c in cells) == len(busy.where.used[seat])


def test_every_debt_leads_to_the_deals_that_counted(busy: Table) -> None:
    page = busy.open("")
    _, owed = page.elements.all("table", class_="grid")
    for player, row in zip(SEATS, owed.one("tbody").all("tr"), strict=False):
        links = [a.attributes["href"] for a in row.all("a")]
        declarers = [s for s in SEATS if s is not player]
        assert links == [f"/m/{busy.slug}/owed/{player.value + 1}#of-{s.value + 1}" for s in declarers]
        told = busy.open(f"/owed/{player.value + 1}")
        assert told.status == 200
        assert [s.attributes["id"] for s in told.elements.all("section", class_="debt")] == [
            f"of-{s.value + 1}" for s in player.others
        ]


def test_totals_names_check_and_last_deal_lead_on(table: Table) -> None:
    page = table.open("")
    totals = [a.attributes["href"] for b in page.elements.all("b", class_="total") for a in b.all("a")]
    assert totals == [f"/m/{table.slug}/totals"] * 4
    names = {a.text: a.attributes["href"] for a in page.elements.all("a", class_="name")}
    assert names == {n: f"/m/{table.slug}/owed/{s}" for s, n in enumerate(NAMES, 1)}
    last = page.elements.one("section", id="read-back").one("a")
    assert last.attributes["href"] == f"/m/{table.slug}/deals/file-deal-10/why"
    assert f"/m/{table.slug}/totals#check" in page.links
    assert f"/m/{table.slug}/totals" in table.open("/settle").links


# The totals


def test_the_totals_run_from_deal_to_deal(busy: Table) -> None:
    page, where = busy.open("/totals"), busy.where
    rows = list(page.elements.one("table", class_="brought").one("tbody").all("tr"))
    running, expected = NOTHING, []
    agreed = {0: PerSeat(0, 0, 0, 5), 3: PerSeat(0, -10, 0, 0)}
    for number in range(len(where.deals) + 1):
        result = where.deals[number - 1] if number else None
        if result and result.score is None:
            expected.append(["–"] * 4)
        for brought in (result.score if result else None, agreed.get(number)):
            if brought is not None:
                running = plus(running, brought)
                expected.append([f"{signed(b)} {signed(t)}" for b, t in zip(brought, running, strict=True)])
    expected.append([signed(n) for n in where.totals])
    assert [[cell.text for cell in row.all("td")] for row in rows] == expected
    heads = [row.one("th").text for row in rows]
    assert heads[0] == "agreed: agreed points"
    assert heads[4] == "agreed: revoke"
    assert heads[-2] == "11 NH Eve being played"
    assert running == where.totals
    links = [a.attributes["href"] for row in rows for a in row.all("a")]
    assert links == [f"/m/{busy.slug}/deals/file-deal-{n:02}/why" for n in range(1, 11)]


def test_the_check_says_what_the_contracts_are_worth(busy: Table) -> None:
    where, told = busy.where, busy.open("/totals").elements.one("section", id="check").text
    assert f"are worth: {signed(where.expected)}." in told
    assert "Agreed points add −5." in told
    assert f"The four totals sum to {signed(where.expected - 5)}." in told


# What is owed


def test_the_debts_of_a_player(table: Table) -> None:
    page = table.open("/owed/3")
    assert page.heading == "What Carla owes"
    anna = page.elements.one("section", id="of-1")
    assert [p.text for p in anna.all("p")] == ["Carla owes Anna nothing more."]
    links = {a.text: a.attributes["href"] for a in anna.all("a")}
    assert links["Deal 3, No Queens: doubled, counts."] == f"/m/{table.slug}/deals/file-deal-03/why"
    assert links["Deal 7, Dominoes: doubled, when nothing was owed any more."]
    ben = page.elements.one("section", id="of-2")
    assert "Ben has 4 contracts still to declare: No Hearts, No Last Two, Trumps and Dominoes." in ben.text
    assert "No deal of Dan yet." in page.elements.one("section", id="of-4").text
    assert "at least 2 times. In Trumps and Dominoes it counts too." in page.text


def test_every_debt_is_told_as_the_core_tells_it(busy: Table) -> None:
    where, say = busy.where, Words(busy.where.match.names)
    for player in SEATS:
        page = busy.open(f"/owed/{player.value + 1}")
        for declarer in player.others:
            section = page.elements.one("section", id=f"of-{declarer.value + 1}").text
            told = (*explain.counted_deals(where, player, declarer), *debts.debt(where, player, declarer))
            assert all(say(m) in section for m in told)
        assert "From deal 5 on Eve has the seat of Ben, and its debts." in page.text


@pytest.mark.parametrize(("count", "said"), [("one", "one counts"), ("none", "it does not count")])
def test_what_counts_is_said_by_the_rules_of_the_table(
    app: Flask, store: Store, count: str, said: str
) -> None:
    match = read_match({**ten_deals(), "deals": [], "rules": {"positives_count": count}}).match
    assert match
    slug, _ = store.start(match)
    assert said in Phone(app.test_client()).open(f"/m/{slug}/owed/1").text


def test_nobody_owes_where_no_double_is_compulsory(app: Flask, store: Store) -> None:
    match = read_match({**ten_deals(), "deals": TEN, "rules": {"compulsory_doubles": 0}}).match
    assert match
    slug, _ = store.start(match)
    phone = Phone(app.test_client())
    assert phone.open(f"/m/{slug}/owed/1").status == 404
    assert not list(phone.open(f"/m/{slug}").elements.all("a", class_="name"))


@pytest.mark.parametrize("seat", ["0", "5", "-1", "x", "99999999999999999999"])
def test_nobody_sits_there(table: Table, seat: str) -> None:
    assert table.open(f"/owed/{seat}").status == 404


# What a correction does, before it is saved


def without_ben(table: Table) -> dict[str, list[str]]:
    """The form of the third deal with Ben's double taken out."""
    return {"doubles": [d for d in table.third().form("deal").values["doubles"] if d != "10"]}


def totals_of(table: Table) -> list[int]:
    """The totals by seats."""
    return list(table.where.totals)


def test_a_correction_shows_every_total_and_what_changes_further_on(table: Table) -> None:
    before = totals_of(table)
    after = [before[0] + MOVED, before[1] - MOVED, *before[2:]]
    page = unchanged(table.store, lambda: table.phone.send(table.third().form("deal"), **without_ben(table)))
    assert page.status == 200
    names = ("Anna", "Ben", "Carla", "Dan")
    assert effect(page) == [[n, signed(b), signed(a)] for n, b, a in zip(names, before, after, strict=True)]
    assert further(page) == FURTHER
    page = table.phone.send(page.form("deal"))
    assert page.status == 200
    assert table.store.load(table.slug).deals[2].body == WITHOUT
    assert totals_of(table) == after


def test_what_was_changed_after_the_look_is_looked_at_again(table: Table) -> None:
    page = table.phone.send(table.third().form("deal"), **without_ben(table))
    page = unchanged(table.store, lambda: table.phone.send(page.form("deal"), doubles=["10", "20"]))
    assert "Ben is now short of Anna by 1." not in further(page)
    table.phone.send(page.form("deal"))
    assert table.store.load(table.slug).deals[2].body["doubles"] == {"Ben": ["Anna"], "Carla": ["Anna"]}


def test_a_correction_that_changes_nothing_says_so(table: Table) -> None:
    page = table.phone.send(table.third().form("deal"), note="counted again")
    assert "No total changes." in page.elements.one("section", id="effect").text
    assert further(page) == []


def test_a_double_tap_on_save_saves_once(table: Table) -> None:
    form = table.phone.send(table.third().form("deal"), **without_ben(table)).form("deal")
    table.phone.send(form)
    assert table.phone.send(form).status == 200
    assert [row["action"] for row in table.store.rows(table.slug)] == ["start", "correct"]


def test_a_conflict_shows_what_saving_over_would_do(table: Table) -> None:
    """One tap still saves it: the two versions stand there with the effect."""
    form = table.third().form("deal")
    seen = table.store.load(table.slug).revision
    other = {**QUEENS, "note": "said otherwise"}
    table.store.save(table.slug, Save("somebody-else", seen, "correct", "file-deal-03", other), by="x")
    page = table.phone.send(form, **without_ben(table))
    assert page.status == 409
    assert further(page) == FURTHER
    assert table.phone.send(page.form("deal")).status == 200
    assert table.store.load(table.slug).deals[2].body == WITHOUT


def test_a_removal_shows_what_it_does(table: Table) -> None:
    page = table.phone.open(f"/m/{table.slug}/deals/file-deal-03/remove")
    assert [row[0] for row in effect(page)] == ["Anna", "Ben", "Carla", "Dan"]
    before, moved = totals_of(table), table.where.deals[2].score
    assert moved
    assert [row[2] for row in effect(page)] == [signed(b - m) for b, m in zip(before, moved, strict=True)]
    assert "Ben owes Anna 1; it was 0." in further(page)
    table.phone.send(page.form())
    assert totals_of(table) == [b - m for b, m in zip(before, moved, strict=True)]


def test_a_forgotten_deal_shows_what_it_does(table: Table) -> None:
    form = table.phone.open(f"/m/{table.slug}/deals/insert/1?declarer=2").form("deal")
    page = unchanged(table.store, lambda: table.phone.send(form, contract="B", doubles=["02"], king=3))
    assert page.heading == "Forgotten deal 1"
    assert further(page) == ["Anna owes Carla 1; it was 2."]
    assert len(effect(page)) == 4
    table.phone.send(page.form("deal"))
    assert len(table.store.load(table.slug).deals) == 11


def test_other_rules_and_what_comes_back_say_what_changes(table: Table) -> None:
    table.store.save(table.slug, Save("corrected", 1, "correct", "file-deal-03", WITHOUT), by="x")
    back = [
        "Deal 6: Ben’s double of Anna was forced and no longer is.",
        "Deal 7: Ben no longer had to double Anna.",
        "Ben is no longer short of Anna.",
    ]
    assert further(table.phone.open(f"/m/{table.slug}/undo")) == back
    assert further(table.phone.open(f"/m/{table.slug}/history/2/before")) == back
    form = table.phone.open(f"/m/{table.slug}/change/rules").form("change")
    page = table.phone.send(form, compulsory_doubles=1, do="look")
    assert back[2] in further(page)
    assert len(further(page)) > 6
    assert "things about the doubles change" in page.text


# The history


def test_the_history_tells_what_changed_further_on(table: Table) -> None:
    table.store.save(table.slug, Save("corrected", 1, "correct", "file-deal-03", WITHOUT), by="x")
    rows = table.open("/history").elements
    assert further(rows.one("section", id="row-2")) == FURTHER
    assert further(rows.one("section", id="row-1")) == []


def test_that_a_new_deal_pays_debts_is_no_news(table: Table) -> None:
    paid = deal_entry("Ben NH", doubles={"Carla": ["Ben"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})
    table.store.save(table.slug, Save("a-new-deal", 1, "add", deal=paid), by="x")
    assert further(table.open("/history").elements.one("section", id="row-2")) == []
    passed = deal_entry("Ben NL2", passed_out=True)
    table.store.save(table.slug, Save("passed-out", 2, "add", deal=passed), by="x")
    trumps = deal_entry("Ben T", doubles={"Carla": ["Ben"]}, result={"tricks": {"Anna": 13}})
    table.store.save(table.slug, Save("without-one", 3, "add", deal=trumps), by="x")
    assert further(table.open("/history").elements.one("section", id="row-4")) == [
        "Deal 13: Dan now had to double Ben, and did not.",
        "Deal 13: Anna now had to double Ben, and did not.",
        "Anna is now short of Ben by 1.",
        "Dan is now short of Ben by 1.",
    ]


# For the phone's own modules


def ask(client: FlaskClient, table: Table, body: Any, *, key: str = "", deal: str = "file-deal-03") -> Any:
    """Ask what a correction would do."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    address = f"/api/matches/{table.slug}/deals/{deal}/effect"
    return unchanged(table.store, lambda: client.post(address, json=body, headers=headers))


def test_a_phone_asks_what_a_correction_does(client: FlaskClient, table: Table) -> None:
    answer = ask(client, table, {"id": "look-at-it", "seen": 1, "deal": WITHOUT}, key=table.key)
    before = totals_of(table)
    after = [before[0] + MOVED, before[1] - MOVED, *before[2:]]
    assert answer.status_code == 200
    assert answer.get_json() == {
        "totals": [list(pair) for pair in zip(before, after, strict=True)],
        "further": FURTHER,
    }


def test_what_would_be_refused_is_refused_when_it_is_looked_at(client: FlaskClient, table: Table) -> None:
    body = {"id": "look-at-it", "seen": 1, "deal": WITHOUT}
    assert ask(client, table, body).status_code == 401
    assert ask(client, table, body, key="wrong").status_code == 403
    assert ask(client, table, body, key=table.key, deal="file-deal-99").status_code == 404
    assert ask(client, table, {**body, "seen": 9}, key=table.key).status_code == 409
    assert ask(client, table, {**body, "deal": {}}, key=table.key).status_code == 422
    assert ask(client, table, {"deal": WITHOUT}, key=table.key).status_code == 422
