"""Putting things right through the pages: each change shows what it does to the totals, and then does it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders import deal_entry, match_file
from flask.testing import FlaskClient
from records import unchanged
from webpages import Element, Page, Phone

from scorepad.contracts import contracts_of
from scorepad.matchfile import read_match
from scorepad.messages import signed
from scorepad.standing import Standing, standing
from scorepad.store import Store
from scorepad.table import SEATS

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", doubles={"Ben": ["Carla"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})


class Table:
    """A phone without scripts that scores a match."""

    def __init__(self, client: FlaskClient, store: Store, *deals: Any, **more: Any) -> None:
        match = read_match(match_file(*deals, **more)).match
        assert match
        self.store, self.phone = store, Phone(client)
        self.slug, key = store.start(match)
        self.phone.join(f"/join/{key}")

    def open(self, kind: str) -> Page:
        """The form of one kind of change."""
        return self.phone.open(f"/m/{self.slug}/change/{kind}")

    def look(self, kind: str, **values: Any) -> Page:
        """See what a change would do."""
        return self.phone.send(self.open(kind).form("change"), do="look", **values)

    def make(self, kind: str, **values: Any) -> Page:
        """See it, and save it."""
        page = self.look(kind, **values)
        assert page.status == 200, page.wrong
        return self.phone.send(page.form("change"), do="save")

    def agree(self, *deals: Any, **more: Any) -> None:
        """Table page, match file, figures and owed table are those of a match of these deals."""
        expected = read_match(match_file(*deals, **more)).match
        assert expected
        where, match = standing(expected), self.store.standing(self.slug)[1]
        assert list(match.totals) == list(where.totals)
        page = self.phone.open(f"/m/{self.slug}")
        shown = {e.attributes["data-total"]: e.text for e in page.elements.all("b", class_="total")}
        assert shown == {str(s.value): signed(n) for s, n in where.totals.seats()}
        kept = self.phone.client.get(f"/m/{self.slug}/match.json").get_json()
        again = read_match({k: v for k, v in kept.items() if k != "revision"})
        assert again.problems == ()
        assert again.match
        assert [d.contract for d in again.match.deals] == [d.contract for d in expected.deals]
        assert again.match.players == expected.players
        self.agree_on_paper(page, where)
        for seat in SEATS:
            assert match.used[seat] == where.used[seat]
            assert [match.owed(seat, d) for d in seat.others] == [where.owed(seat, d) for d in seat.others]

    def agree_on_paper(self, page: Page, where: Standing) -> None:
        """The grid, the owed table and the sheet say the same."""
        grid, owed = (rows_of(t) for t in page.elements.all("table", class_="grid"))
        for seat in SEATS:
            used = [where.used[seat].get(c) for c in contracts_of(where.match.rules)]
            assert [cell.partition(" ")[0] for cell in grid[seat]] == [str(n or "left") for n in used]
            debts = [str(where.owed(seat, d)) if d is not seat else "–" for d in SEATS]
            assert owed[seat] == debts
        sheet = self.phone.open(f"/m/{self.slug}/sheet").text
        for total in where.totals:
            assert signed(total) in sheet.split()


def rows_of(table: Element) -> list[list[str]]:
    """The cells of a table's body, row by row."""
    return [[cell.text for cell in row.all("td")] for row in table.one("tbody").all("tr")]


@pytest.fixture
def table(client: FlaskClient, store: Store) -> Table:
    """A table that has played three deals."""
    return Table(client, store, KING, TRUMPS, HEARTS)


def tidy(text: str) -> str:
    """A text as it is read: no blank before a comma."""
    return text.replace(" ,", ",")


def effect(page: Page) -> list[list[str]]:
    """The totals before and after, by name."""
    rows = list(page.elements.one("section", id="effect").all("tr"))
    return [[cell.text for cell in (*row.all("th"), *row.all("td"))] for row in rows[1:]]


def test_everything_that_can_be_put_right_is_listed(table: Table) -> None:
    page = table.phone.open(f"/m/{table.slug}/change")
    links = [link for link in page.links if f"/m/{table.slug}/" in link]
    for kind in "points", "order", "names", "seat", "rules", "about", "abandoned":
        assert f"/m/{table.slug}/change/{kind}" in links
    assert f"/m/{table.slug}/deals/insert" in links
    for link in links:
        assert table.phone.open(link).status == 200


def test_the_table_page_leads_there(table: Table) -> None:
    assert f"/m/{table.slug}/change" in table.phone.open(f"/m/{table.slug}").links


# Agreed points

PENALTY: dict[str, Any] = {"points_1": "−10", "points_2": "+10", "reason": "revoke", "after_deal": 2}


def test_agreed_points_are_seen_and_then_saved(table: Table, store: Store) -> None:
    page = unchanged(store, lambda: table.look("points", **PENALTY))
    before = store.standing(table.slug)[1].totals
    assert effect(page)[1] == ["Ben", signed(before[1]), signed(before[1] - 10)]
    assert effect(page)[0][1:] == [signed(before[0])] * 2
    assert page.form("change")["reason"] == "revoke"
    assert table.phone.send(page.form("change"), do="save").address == f"/m/{table.slug}"
    points = {"Anna": 0, "Ben": -10, "Carla": 10, "Dan": 0}
    agreed = [{"after_deal": 2, "points": points, "reason": "revoke"}]
    table.agree(KING, TRUMPS, HEARTS, agreed_points=agreed)


def test_agreed_points_are_taken_back(table: Table) -> None:
    table.make("points", **PENALTY)
    page = table.open("points")
    stands = page.elements.one("form", class_="stands")
    assert "After deal 2: Ben −10, Carla +10 · revoke" in tidy(stands.text)
    again = table.phone.client.post(
        f"/m/{table.slug}/change/points", data=fields(page, "stands") | {"do": "look"}
    )
    looked = Page(again)
    assert "Really take it back" in looked.text
    table.phone.client.post(f"/m/{table.slug}/change/points", data=fields(looked, "stands") | {"do": "save"})
    table.agree(KING, TRUMPS, HEARTS)


def fields(page: Page, kind: str) -> dict[str, str]:
    """The hidden fields of the form of this class."""
    inputs = page.elements.one("form", class_=kind).all("input")
    return {e.attributes["name"]: e.attributes.get("value", "") for e in inputs}


def test_what_was_changed_after_the_look_is_looked_at_again(table: Table, store: Store) -> None:
    page = table.look("points", **PENALTY)
    again = unchanged(store, lambda: table.phone.send(page.form("change"), do="save", points_1="-20"))
    assert effect(again)[1][2] == signed(store.standing(table.slug)[1].totals[1] - 20)


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({"points_0": "ten", "reason": "x"}, {"points_0"}),
        ({"points_0": "1.5", "reason": "x"}, {"points_0"}),
        ({"points_0": "9999999", "reason": "x"}, {"points_0"}),
        ({"points_0": "5"}, {"reason"}),
        ({"reason": "x"}, {"points_0"}),
        ({"points_0": "5", "reason": "x", "after_deal": "9"}, {"after_deal"}),
        ({"points_0": "5", "reason": "x", "after_deal": "x"}, {"after_deal"}),
        ({"points_0": "5", "reason": "x" * 201}, {"form"}),
    ],
)
def test_agreed_points_that_cannot_be_are_refused(
    table: Table, store: Store, values: dict[str, str], wrong: set[str]
) -> None:
    page = unchanged(store, lambda: table.look("points", **values))
    assert page.status == 422
    assert set(page.wrong) == wrong
    assert page.form("change")["reason"] == values.get("reason", "")


# Order


def test_deals_are_put_in_order(client: FlaskClient, store: Store) -> None:
    table = Table(client, store, HEARTS, KING, TRUMPS)
    page = table.look("order", move="down file-deal-01")
    page = table.phone.send(page.form("change"), do="look", move="down file-deal-01")
    assert [tidy(li.text.split(" ↑")[0]) for li in page.elements.one("ol").all("li")] == [
        "Deal 2: Anna, Barbu",
        "Deal 3: Ben, Trumps",
        "Deal 1: Carla, No Hearts",
    ]
    assert "No total changes." in page.text
    del page.form("change").values["order"]
    table.phone.send(page.form("change"), do="save")
    table.agree(KING, TRUMPS, HEARTS)


@pytest.mark.parametrize("move", ["up file-deal-01", "down file-deal-03", "up nothing", "sideways", ""])
def test_a_move_that_leads_nowhere_changes_nothing(table: Table, store: Store, move: str) -> None:
    page = unchanged(store, lambda: table.look("order", move=move))
    assert page.status == 200
    assert page.form("change")["order"] == "file-deal-01 file-deal-02 file-deal-03"


def test_an_order_that_somebody_tampered_with_is_the_one_that_stands(table: Table) -> None:
    page = table.look("order", order="file-deal-01 file-deal-01")
    assert page.form("change")["order"] == "file-deal-01 file-deal-02 file-deal-03"


# Names and seats


def test_a_player_is_renamed_in_every_deal(table: Table, store: Store) -> None:
    page = table.look("names", name_1="Bennet")
    assert "No total changes." in page.text
    table.phone.send(page.form("change"), do="save")
    match = store.standing(table.slug)[1].match
    assert match.players == ("Anna", "Bennet", "Carla", "Dan")
    assert "Bennet" in table.phone.open(f"/m/{table.slug}").text
    renamed = json.loads(json.dumps(match_file(KING, TRUMPS, HEARTS)).replace('"Ben"', '"Bennet"'))
    table.agree(*renamed["deals"], players=renamed["players"])


def test_names_that_cannot_be_are_refused(table: Table, store: Store) -> None:
    for name in "", "Anna", "x" * 41, "B\x07":
        page = unchanged(store, lambda: table.look("names", name_1=name))  # noqa: B023
        assert page.status == 422, name
        assert page.wrong["form"]


def test_another_player_takes_a_seat_over(table: Table, store: Store) -> None:
    table.make("seat", seat=3, name="Eva", from_deal=4)
    match = store.standing(table.slug)[1].match
    assert (match.names_at(3)[3], match.names_at(4)[3]) == ("Dan", "Eva")
    table.agree(KING, TRUMPS, HEARTS)
    stands = table.open("seat").elements.one("form", class_="stands")
    assert "From deal 4: Eva" in stands.text
    assert "Eva declares" in table.phone.open(f"/m/{table.slug}").text


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({"name": "Eva"}, {"seat"}),
        ({"seat": "1"}, {"name"}),
        ({"seat": "7", "name": "Eva"}, {"seat"}),
        ({"seat": "1", "name": "Eva", "from_deal": "9"}, {"from_deal"}),
        ({"seat": "1", "name": "Anna"}, {"form"}),
    ],
)
def test_a_seat_that_cannot_be_taken_over(
    table: Table, store: Store, values: dict[str, str], wrong: set[str]
) -> None:
    page = unchanged(store, lambda: table.look("seat", **values))
    assert (page.status, set(page.wrong)) == (422, wrong)


# Title, place, stake; abandoned


def test_title_place_day_and_stake(table: Table, store: Store) -> None:
    table.make(
        "about", title="Thursday", place="At home", date="2026-11-30", per_point="0,05", currency="EUR"
    )
    match = store.standing(table.slug)[1].match
    assert (match.title, match.place, match.date) == ("Thursday", "At home", "2026-11-30")
    assert match.stake
    assert (match.stake.per_point, match.stake.currency) == ("0.05", "EUR")
    table.make("about", per_point="")
    assert store.standing(table.slug)[1].match.stake is None


@pytest.mark.parametrize("values", [{"date": "yesterday"}, {"per_point": "much"}, {"title": "x" * 201}])
def test_a_head_that_cannot_be_is_refused(table: Table, store: Store, values: dict[str, str]) -> None:
    page = unchanged(store, lambda: table.look("about", **values))
    assert page.status == 422
    assert page.wrong["form"]


def test_a_match_is_abandoned_and_gone_on_with(table: Table, store: Store) -> None:
    table.make("abandoned")
    assert store.standing(table.slug)[1].next is None
    assert "Abandoned" in table.phone.open(f"/m/{table.slug}").text
    table.agree(KING, TRUMPS, HEARTS, abandoned=True)
    table.make("abandoned")
    assert store.standing(table.slug)[1].next


# The house rules


def test_other_house_rules_show_every_total_before_they_are_saved(table: Table, store: Store) -> None:
    page = unchanged(store, lambda: table.look("rules", value_king="−15"))
    before = store.standing(table.slug)[1].totals
    names = ("Anna", "Ben", "Carla", "Dan")
    assert [row[:2] for row in effect(page)] == [
        [name, signed(total)] for name, total in zip(names, before, strict=True)
    ]
    assert effect(page)[1][2] == signed(before[1] + 10), "the king and his double cost 5 less each"
    table.phone.send(page.form("change"), do="save")
    assert store.standing(table.slug)[1].match.rules.values.king == -15
    table.agree(KING, TRUMPS, HEARTS, rules={"values": {"king": -15}})


def test_house_rules_that_cannot_be_are_refused_beside_the_field(table: Table, store: Store) -> None:
    page = unchanged(store, lambda: table.look("rules", value_dominoes_3="", compulsory_doubles="9"))
    assert page.status == 422
    assert {"compulsory_doubles"} <= set(page.wrong)


def test_house_rules_that_a_deal_breaks_are_refused(client: FlaskClient, store: Store) -> None:
    table = Table(client, store, deal_entry("Anna M", passed_out=True))
    page = unchanged(store, lambda: table.look("rules", undoubled_negative="played"))
    assert page.status == 422
    assert page.wrong["form"][0].startswith("Deal 1: ")


# A forgotten deal


def test_a_forgotten_deal_is_put_in(client: FlaskClient, store: Store) -> None:
    table = Table(client, store, KING, HEARTS)
    page = table.phone.open(f"/m/{table.slug}/deals/insert")
    assert "before deal 2: Carla, No Hearts" in tidy(page.text)
    page = table.phone.open(f"/m/{table.slug}/deals/insert/2?declarer=1")
    assert page.heading == "Forgotten deal 2"
    taken = {"tricks_0": 4, "tricks_1": 6, "tricks_2": 0, "tricks_3": 3}
    page = table.phone.send_seen(page.form("deal"), contract="T", doubles=["31"], **taken)
    assert page.address == f"/m/{table.slug}"
    table.agree(KING, TRUMPS, HEARTS)


def test_a_forgotten_deal_that_cannot_be_is_refused(table: Table, store: Store) -> None:
    form = table.phone.open(f"/m/{table.slug}/deals/insert/1?declarer=1").form("deal")
    page = unchanged(store, lambda: table.phone.send(form, contract="T", doubles=["31"], tricks_0=14))
    assert page.status == 422
    assert page.form("deal")["contract"] == "T"
    assert page.form("deal").action == f"/m/{table.slug}/deals/insert/1"


@pytest.mark.parametrize("number", [0, 4, 99])
def test_a_forgotten_deal_stands_before_one_that_is_there(table: Table, number: int) -> None:
    assert table.phone.open(f"/m/{table.slug}/deals/insert/{number}").status == 404


# Who may, and who came first


@pytest.mark.parametrize("kind", ["points", "order", "names", "seat", "about", "abandoned"])
def test_only_who_scores_may_change_anything(app: Any, table: Table, store: Store, kind: str) -> None:
    other = app.test_client()
    assert other.get(f"/m/{table.slug}/change/{kind}").location == f"/m/{table.slug}"
    assert unchanged(store, lambda: other.post(f"/m/{table.slug}/change/{kind}")).status_code == 401
    without_token = table.phone.client.post(f"/m/{table.slug}/change/{kind}", data={"do": "save"})
    assert without_token.status_code == 400
    assert other.get(f"/m/{table.slug}/change").location == f"/m/{table.slug}"
    for address in f"/m/{table.slug}/deals/insert", f"/m/{table.slug}/deals/insert/1":
        assert other.get(address).location == f"/m/{table.slug}"
    assert other.post(f"/m/{table.slug}/deals/insert/1").status_code == 401


def test_there_are_no_other_changes(table: Table) -> None:
    assert table.phone.open(f"/m/{table.slug}/change/anything").status == 404
    page = table.phone.send(table.open("points").form("change"), **PENALTY)
    form = page.form("change")
    form.action = f"/m/{table.slug}/change/anything"
    assert table.phone.send(form, do="save").status == 404


def test_who_comes_second_looks_once_more(table: Table, store: Store) -> None:
    page = table.look("points", **PENALTY)
    table.make("names", name_0="Ada")
    again = unchanged(store, lambda: table.phone.send(page.form("change"), do="save"))
    assert again.status == 409
    assert again.wrong == {"form": ["Somebody else changed the match meanwhile. Look at it once more."]}
    page = table.phone.send(again.form("change"), do="look")
    table.phone.send(page.form("change"), do="save")
    assert store.standing(table.slug)[1].match.agreed_points


def test_a_change_sent_twice_is_one(table: Table, store: Store) -> None:
    page = table.look("points", **PENALTY)
    form = page.form("change")
    table.phone.send(form, do="save")
    rows = len(store.rows(table.slug))
    table.phone.send(form, do="save")
    assert len(store.rows(table.slug)) == rows


def test_a_forgotten_deal_after_somebody_elses_change(client: FlaskClient, store: Store) -> None:
    table = Table(client, store, KING, HEARTS)
    form = table.phone.open(f"/m/{table.slug}/deals/insert/2?declarer=1").form("deal")
    table.make("names", name_0="Ada")
    taken = {"tricks_0": 13, "tricks_1": 0, "tricks_2": 0, "tricks_3": 0}
    page = table.phone.send(form, contract="T", doubles=["31"], **taken)
    assert page.status == 409
    assert "Somebody else changed the match meanwhile." in page.wrong["form"][0]
    assert table.phone.send_seen(page.form("deal")).status == 200
    assert len(store.load(table.slug).deals) == 3


# Misdeal, out of turn


def test_a_misdeal_changes_nothing(table: Table, store: Store) -> None:
    """The hand was declared and doubled, and then thrown in: the same player declares again."""
    form = table.phone.next_deal(table.slug)
    page = table.phone.send(form, contract="M", doubles=["10"], do="play")
    unchanged_deals = store.load(table.slug).deals
    table.phone.send(page.form("deal"), do="drop")
    assert store.load(table.slug).deals == unchanged_deals
    table.agree(KING, TRUMPS, HEARTS)
    assert table.phone.open(f"/m/{table.slug}/deals/new").heading == "Dan declares"


def test_a_declarer_out_of_turn_is_recorded_and_the_rotation_goes_on(table: Table) -> None:
    form = table.phone.open(f"/m/{table.slug}/deals/new?declarer=0").form("deal")
    table.phone.send(form, contract="NL2", doubles=["10"], second_last=1, last=2)
    irregular = deal_entry("Anna NL2", doubles={"Ben": ["Anna"]}, result={"last_two": ["Ben", "Carla"]})
    table.agree(KING, TRUMPS, HEARTS, irregular)
    page = table.phone.open(f"/m/{table.slug}")
    assert "Anna declared out of turn; it was Dan’s turn." in page.text
    assert table.phone.open(f"/m/{table.slug}/deals/new").heading == "Dan declares"


# A forced double forgotten, a contract declared twice, a stake tried out

FIVE = [
    deal_entry(f"Anna {c}", doubles={"Carla": ["Anna"], "Dan": ["Anna"]}, result=r)
    for c, r in (
        ("B", {"king": "Ben"}),
        ("M", {"tricks": {"Ben": 13}}),
        ("NQ", {"queens": {"Ben": 4}}),
        ("NH", {"hearts": {"Ben": 13}, "ace": "Ben"}),
        ("NL2", {"last_two": ["Ben", "Ben"]}),
        ("T", {"tricks": {"Anna": 13}}),
    )
]


def test_a_forced_double_that_was_forgotten_is_added_later(client: FlaskClient, store: Store) -> None:
    """Ben had to double Anna in her sixth contract; who looks why is led to put it in."""
    table = Table(client, store, *FIVE, rules="seven-in-a-row")
    page = table.phone.open(f"/m/{table.slug}/deals/file-deal-06/why")
    assert "Ben had to double Anna, owing 2, and did not." in page.text
    assert "Played without it? Then it stands as it is" in page.text
    (link,) = [link for link in page.links if "double=10" in link]
    form = table.phone.open(link).form("deal")
    assert form.values["doubles"] == ["10", "20", "30"]
    table.phone.send_seen(form)
    added = {**FIVE[5], "doubles": {**FIVE[5]["doubles"], "Ben": ["Anna"]}}
    table.agree(*FIVE[:5], added, rules="seven-in-a-row")


def test_what_is_no_double_is_not_added(table: Table) -> None:
    page = table.phone.open(f"/m/{table.slug}/deals/file-deal-01?double=anything")
    assert page.form("deal").values["doubles"] == ["10"]


def test_a_contract_declared_twice_leads_to_the_deal_where_it_was(table: Table) -> None:
    form = table.phone.open(f"/m/{table.slug}/deals/new?declarer=0").form("deal")
    page = table.phone.send(form, contract="B", doubles=["10"], king=1)
    assert page.wrong["contract"][0].startswith("Anna declared Barbu in deal 1 already.")
    assert f"/m/{table.slug}/deals/file-deal-01" in page.links


def test_a_stake_that_was_tried_out_is_recorded(table: Table, store: Store) -> None:
    page = table.phone.open(f"/m/{table.slug}/settle?per_point=0.05&currency=EUR")
    (link,) = [link for link in page.links if "change/about" in link]
    page = table.phone.send(table.phone.open(link).form("change"), do="look")
    assert page.status == 200, page.wrong
    table.phone.send(page.form("change"), do="save")
    stake = store.standing(table.slug)[1].match.stake
    assert stake
    assert (stake.per_point, stake.currency) == ("0.05", "EUR")
    assert not [k for k in table.phone.open(f"/m/{table.slug}/settle").links if "change/about" in k]
