"""The table page for those who watch: the hand and what it asks of each, stakes, a second phone, again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import pytest
from builders import case_file, deal_entry, match_file
from flask import Flask
from records import everything, unchanged
from webpages import Element, Page, Phone

from scorepad import create_app
from scorepad.match import Match
from scorepad.matchfile import parse, read_match
from scorepad.standing import problems
from scorepad.store import Draft, Store

FULL = parse(case_file("full-match"))

#: A hand of Anna's in which Ben doubled Anna and Carla, Anna redoubled Ben, and Dan spoke for Carla only.
HAND = deal_entry("Anna B", doubles={"Ben": ["Anna", "Carla"], "Anna": ["Ben"], "Dan": ["Carla"]})

#: Anna has declared five of her contracts, and nobody has doubled her yet but Carla, twice.
FIVE_OF_ANNA = [
    deal_entry("Anna M", doubles={"Carla": ["Anna"]}, result={"tricks": {"Ben": 13}}),
    deal_entry("Anna NQ", doubles={"Carla": ["Anna"]}, result={"queens": {"Ben": 4}}),
    deal_entry("Anna NH", passed_out=True),
    deal_entry("Anna NL2", passed_out=True),
    deal_entry("Anna D", result={"order": ["Anna", "Ben", "Carla", "Dan"]}),
]


def match_in(file: dict[str, Any]) -> Match:
    """The match of a match file."""
    reading = read_match(file)
    assert reading.match
    return reading.match


class Table:
    """A match at a table: the phone that scores it, one that watches, and its open deal."""

    def __init__(self, app: Flask, file: dict[str, Any]) -> None:
        self.store: Store = app.extensions["store"]
        self.slug, self.key = self.store.start(match_in(file))
        self.app, self.scorer, self.watcher = app, Phone(app.test_client()), Phone(app.test_client())
        self.scorer.join(f"/join/{self.key}")

    @property
    def address(self) -> str:
        """The table page."""
        return f"/m/{self.slug}"

    def open(self) -> Page:
        """The table page as a watcher sees it."""
        return self.watcher.open(self.address)

    def play(self, hand: Any, spoken: int = 4) -> Page:
        """Put a hand on the table; the page a watcher then sees."""
        kept = self.store.draft(self.slug)
        self.store.write_draft(self.slug, kept.version, Draft(0, "a phone", spoken, hand), take_over=True)
        return self.open()

    def tag(self, phone: Phone | None = None) -> str:
        """The ETag that the page of this phone compares."""
        answer = (phone or self.watcher).client.get(f"/api/matches/{self.slug}/score")
        return answer.headers["ETag"].strip('"')

    def again(self) -> Page:
        """Tap "Again with these four"."""
        return self.scorer.send(self.scorer.open(self.address).form("again"))


def you(page: Page, seat: int) -> Element:
    """What one player is told about himself."""
    return page.elements.one("section", class_="you", data_seat=str(seat))


def said(page: Page, seat: int) -> list[str]:
    """The sentences a player is told about himself."""
    return [e.text for e in you(page, seat).all() if e.tag in {"p", "li"}]


# The hand being played


def test_the_hand_stands_right_under_the_totals(app: Flask) -> None:
    page = Table(app, match_file()).play(HAND)
    sections = [e for e in page.elements.one("main").inside if isinstance(e, Element) and e.tag == "section"]
    assert sections[0].attributes["class"] == "pad standing"
    assert sections[1].text.startswith(
        "Being played Barbu Ben doubled Carla and Anna. Dan doubled Carla. Anna redoubled Ben."
    )


def test_before_all_have_spoken_it_is_not_played_yet(app: Flask) -> None:
    table = Table(app, match_file())
    page = table.play(deal_entry("Anna B"), spoken=1)
    assert page.elements.one("section", class_="now").text.startswith(
        "Being doubled Barbu No double yet. What is"
    )
    page = table.play(deal_entry("Anna T"))
    assert page.elements.one("section", class_="now").text.startswith("Being played Trumps Nobody doubled.")


# Who are you?


def test_each_player_has_his_own_section_that_only_scripts_show(app: Flask) -> None:
    page = Table(app, match_file()).open()
    with app.test_client().get("/static/pad.css") as sheet:
        rules = sheet.get_data(as_text=True)
    assert "@media (scripting: none) { .ask-who, #standing { display: none; } }" in rules
    chips = list(page.elements.one("section", id="who").all("button"))
    assert [(c.attributes["data-seat"], c.text) for c in chips] == [
        ("0", "Anna"),
        ("1", "Ben"),
        ("2", "Carla"),
        ("3", "Dan"),
    ]
    for seat, name in enumerate(("Anna", "Ben", "Carla", "Dan")):
        assert "hidden" in you(page, seat).attributes
        assert you(page, seat).one("h2").text == f"You, {name} not me"


def test_you_hear_your_business_in_the_hand(app: Flask) -> None:
    page = Table(app, match_file()).play(HAND)
    business = [you(page, seat).one("p", class_="business").text for seat in range(4)]
    assert business == [
        "You and Ben doubled each other.",
        "You and Anna doubled each other. You doubled Carla.",
        "Dan and Ben doubled you.",
        "You doubled Carla.",
    ]


def test_you_hear_that_you_have_no_business(app: Flask) -> None:
    table = Table(app, match_file())
    hand = deal_entry("Anna B", doubles={"Ben": ["Anna"]})
    assert "No business yet." in said(table.play(hand, spoken=1), 3)
    assert "You have no business in this hand." in said(table.play(hand), 3)


def test_you_hear_whom_you_owe_with_the_declarations_left(app: Flask) -> None:
    page = Table(app, match_file(*FIVE_OF_ANNA, rules="seven-in-a-row")).open()
    assert said(page, 1) == [
        "You must double Anna now.",
        "You owe Carla 2: 7 declarations left.",
        "You owe Dan 2: 7 declarations left.",
        "You owe Anna 2: 2 declarations left.",
    ]
    assert [li.text for li in you(page, 1).all("li", class_="must")] == [
        "You owe Anna 2: 2 declarations left."
    ]
    assert said(page, 2) == ["You owe Dan 2: 7 declarations left.", "You owe Ben 2: 7 declarations left."]


def test_you_hear_loudly_when_you_must_double(app: Flask) -> None:
    table = Table(app, match_file(*FIVE_OF_ANNA, rules="seven-in-a-row"))
    hand = deal_entry("Anna B", doubles={"Dan": ["Anna"]})

    def loud(page: Page) -> list[list[str]]:
        return [[p.text for p in you(page, seat).all("p", class_="loud")] for seat in range(4)]

    assert loud(table.open()) == [[], ["You must double Anna now."], [], ["You must double Anna now."]]
    assert loud(table.play(hand, spoken=2)) == [[], ["You must double Anna now."], [], []]
    assert loud(table.play(hand)) == [[], ["You had to double Anna and did not."], [], []]


def test_you_hear_in_which_contracts_you_must_double(app: Flask) -> None:
    """Where no double in a positive contract counts, the negative ones are the chances."""
    rules = {"preset": "seven-in-a-row", "positives_count": "none"}
    page = Table(app, match_file(*FIVE_OF_ANNA[:3], rules=rules)).open()
    assert "You must double Anna now in: Barbu, No Last Two." in said(page, 1)


def test_you_hear_what_can_no_longer_be_made(app: Flask) -> None:
    late = deal_entry("Anna B", passed_out=True)
    page = Table(app, match_file(*FIVE_OF_ANNA, late, rules="seven-in-a-row")).open()
    assert "Short of Anna by 1: too late to make it." in said(page, 1)


def test_you_hear_that_you_owe_nobody(app: Flask) -> None:
    page = Table(app, match_file(rules={"compulsory_doubles": 0})).open()
    assert said(page, 0) == ["No doubles are owed at this table."]
    one = match_file(*FIVE_OF_ANNA[:2], rules={"preset": "seven-in-a-row", "compulsory_doubles": 1})
    assert "You owe Anna" not in "".join(said(Table(app, one).open(), 2))


def test_the_last_deal_is_read_back(app: Flask) -> None:
    page = Table(app, match_file(*FIVE_OF_ANNA[:1], rules="seven-in-a-row")).open()
    assert "Deal 1: Anna declared Misère" in page.elements.one("section", id="read-back").text


# What is at stake


def switch(table: Table) -> Page:
    """Tap the switch of the stakes."""
    return table.scorer.send(table.scorer.open(table.address).form("set-stakes"))


def test_stakes_are_shown_until_somebody_who_scores_switches_them_off(app: Flask) -> None:
    table = Table(app, match_file())
    assert list(table.play(HAND).elements.all("details", id="stakes"))
    before = table.tag()
    assert switch(table).address.startswith(table.address)
    off = table.tag()
    assert not list(table.open().elements.all("details", id="stakes"))
    assert "Being played" in table.open().text
    assert off != before
    switch(table)
    assert list(table.open().elements.all("details", id="stakes"))
    assert table.tag() != off


def test_the_switch_of_the_stakes_is_no_row_of_the_record(app: Flask) -> None:
    table = Table(app, match_file())
    rows = table.store.rows(table.slug)
    switch(table)
    assert table.store.rows(table.slug) == rows
    assert everything(table.store)["match_setting"][-1][1:] == ("stakes", "off")


def test_the_switch_is_set_for_one_match(app: Flask) -> None:
    table, other = Table(app, match_file()), Table(app, match_file())
    switch(table)
    assert (table.store.beside(table.slug).shows_stakes, other.store.beside(other.slug).shows_stakes) == (
        False,
        True,
    )


def test_who_watches_has_no_switch_and_may_not_switch(app: Flask) -> None:
    table = Table(app, match_file())
    assert not list(table.open().elements.all("form"))
    token = table.watcher.client.get("/csrf").get_json()["token"]
    data = {"csrf_token": token, "show": "0"}
    answer = unchanged(table.store, lambda: table.watcher.client.post(f"{table.address}/stakes", data=data))
    assert answer.status_code == 401
    for page in "stakes", "again":
        refused = unchanged(
            table.store,
            lambda: table.scorer.client.post(f"{table.address}/{page}"),  # noqa: B023
        )
        assert refused.status_code == 400


def test_settings_survive_a_restart(app: Flask) -> None:
    table = Table(app, match_file())
    switch(table)
    again = Store(table.store.database.path)
    assert not again.beside(table.slug).shows_stakes
    again.database.close()


# One string says whether the page has changed


def test_the_page_has_the_tag_that_it_asks_for(app: Flask) -> None:
    table = Table(app, match_file(*FIVE_OF_ANNA[:2], rules="seven-in-a-row"))
    for phone in table.scorer, table.watcher:
        live = phone.open(table.address).elements.one(id="live")
        assert live.attributes["data-version"] == table.tag(phone)
        assert live.attributes["data-url"] == f"/api/matches/{table.slug}/score"


def test_the_tag_changes_with_whatever_the_page_shows(app: Flask) -> None:
    """A hand, its next double, the stakes, a second phone, the right to score, the next match."""
    table = Table(app, {**FULL, "deals": FULL["deals"][:28]})
    second = Phone(app.test_client())
    seen = [table.tag(table.scorer)]
    for change in (
        lambda: switch_by_store(table),
        lambda: second.join(f"/join/{table.key}"),
        table.again,
        lambda: second.send(second.open(f"{table.address}/hand-over").form(), end_others="1"),
    ):
        change()
        seen.append(table.tag(table.scorer))
    assert len(set(seen)) == len(seen)
    assert table.tag(table.scorer) == table.tag(), "who may not score any more sees what all see"


def switch_by_store(table: Table) -> None:
    """Switch the stakes off; the page of a match that is over has no switch."""
    table.store.show_stakes(table.slug, on=False)


# A second phone


SECOND = "Batteries die. Let a second phone score too."


def test_the_scorer_is_told_of_a_second_phone_until_there_is_one(app: Flask) -> None:
    table = Table(app, match_file())
    page = table.scorer.open(table.address)
    assert SECOND in page.elements.one("section", id="second").text
    assert f"{table.address}/hand-over" in page.links
    assert SECOND not in table.open().text
    second = Phone(app.test_client())
    second.join(f"/join/{table.key}")
    for phone in table.scorer, second:
        assert SECOND not in phone.open(table.address).text


def test_nobody_is_told_of_a_second_phone_once_the_match_goes_on(app: Flask) -> None:
    table = Table(app, match_file(*FIVE_OF_ANNA[:1], rules="seven-in-a-row"))
    assert SECOND not in table.scorer.open(table.address).text


# Again with these four


@pytest.fixture
def over(app: Flask) -> Table:
    """A match that is over, with everything that the next one takes over."""
    more = {"title": "Thursday", "place": "Zoë’s", "stake": {"per_point": "0.05", "currency": "€"}}
    return Table(app, {**FULL, **more})


def test_again_starts_the_same_match_in_one_tap(over: Table) -> None:
    page = over.again()
    slug = page.address.split("/")[2].partition("?")[0]
    assert slug != over.slug
    assert "declares first." in page.text
    old, new = (over.store.standing(s)[1].match for s in (over.slug, slug))
    kept = ("players", "rules", "title", "place", "stake")
    assert [getattr(new, name) for name in kept] == [getattr(old, name) for name in kept]
    assert new.date == date.today().isoformat()  # noqa: DTZ011  the day at the table
    assert (new.deals, new.agreed_points, new.abandoned) == ((), (), False)


def test_the_first_declarer_is_drawn(over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorepad.views.again.secrets.choice", lambda seats: seats[2])
    slug = over.again().address.split("/")[2].partition("?")[0]
    assert over.store.standing(slug)[1].match.first_declarer == 2


def test_again_makes_one_match_however_often_it_is_tapped(over: Table) -> None:
    form, count = over.scorer.open(over.address).form("again"), len(everything(over.store)["match"])
    first, second = over.scorer.send(form), over.scorer.send(form)
    assert first.address == second.address
    assert len(everything(over.store)["match"]) == count + 1
    other = Phone(over.app.test_client())
    other.join(f"/join/{over.key}")
    page = other.open(over.address)
    assert not list(page.elements.all("form", id="again"))
    assert f"/m/{first.address.split('/')[2].partition('?')[0]}" in page.links


def test_again_makes_one_match_when_two_tap_at_once(over: Table) -> None:
    match = match_in({**FULL, "deals": []})
    with ThreadPoolExecutor(4) as pool:
        slugs = set(pool.map(lambda _: over.store.start_again(over.slug, match), range(8)))
    assert len(slugs) == 1


def test_whoever_could_score_may_score_the_next_match(over: Table) -> None:
    second, ended = Phone(over.app.test_client()), Phone(over.app.test_client())
    ended.join(f"/join/{over.key}")
    fresh = over.store.new_score_key(over.slug, end_others=True)
    for phone in over.scorer, second:
        phone.join(f"/join/{fresh}")
    address = over.again().address.partition("?")[0]
    may = [
        f"{address}/deals/new" in p.open(address).links for p in (over.scorer, second, ended, over.watcher)
    ]
    assert may == [True, True, False, False]


def test_those_who_watch_are_led_to_the_next_match(over: Table) -> None:
    before = over.tag()
    address = over.again().address.partition("?")[0]
    assert address in over.open().links
    assert over.tag() != before


def test_who_watches_may_print_but_not_start_again(over: Table) -> None:
    page = over.open()
    assert not list(page.elements.all("form"))
    assert page.elements.one("footer", class_="bar").text == "Print the sheet"
    assert over.scorer.open(over.address).elements.one("footer", class_="bar").text == (
        "Print the sheet Again with these four"
    )


def test_an_abandoned_match_offers_it_too(app: Flask) -> None:
    table = Table(app, {**FULL, "deals": FULL["deals"][:9], "abandoned": True})
    assert table.again().address != table.address


def test_a_match_that_goes_on_does_not(app: Flask) -> None:
    table = Table(app, {**FULL, "deals": FULL["deals"][:9]})
    page = table.scorer.open(table.address)
    assert "Again with these four" not in page.text
    token = page.form("set-stakes")["csrf_token"]
    answer = unchanged(
        table.store,
        lambda: table.scorer.client.post(f"{table.address}/again", data={"csrf_token": token}),
    )
    assert answer.status_code == 400


def test_again_keeps_those_who_sit_there_now(app: Flask) -> None:
    replaced = [{"from_deal": 5, "seat": 2, "name": "Ève"}]
    text = {**FULL, "replaced": replaced, "deals": FULL["deals"][:4], "abandoned": True}
    table = Table(app, text)
    slug = table.again().address.split("/")[2].partition("?")[0]
    match = table.store.standing(slug)[1].match
    assert match.players == table.store.standing(table.slug)[1].match.names
    assert "Ève" in match.players
    assert not problems(match)


def test_again_counts_as_a_start(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Its address may start no more matches this hour; nothing was made."""
    app = create_app(tmp_path_factory.mktemp("few"), {"TESTING": True, "STARTS_AN_HOUR": 0})
    table = Table(app, FULL)
    page = table.again()
    assert page.status == 429
    assert table.store.beside(table.slug).again == ""
    app.extensions["pdf"].close()
    app.extensions["store"].database.close()


def test_ties_are_named(app: Flask) -> None:
    """All passed out but the positives, the same for all: everybody has won."""
    names = ["Anna", "Ben", "Carla", "Dan"]
    passed = [deal_entry(f"{n} {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2") for n in names]
    trumps = [deal_entry(f"{n} T", result={"tricks": {n: 13}}) for n in names]
    orders = [[*names[i:], *names[:i]] for i in range(4)]
    dominoes = [deal_entry(f"{o[0]} D", result={"order": o}) for o in orders]
    page = Table(app, match_file(*passed, *trumps, *dominoes)).open()
    assert "Anna, Ben, Carla and Dan won." in page.text


# The switch that keeps the screen on


def test_the_screen_switch_is_hidden_until_a_script_offers_it(app: Flask) -> None:
    page = Table(app, match_file()).open()
    offered = page.elements.one("section", id="more").one("div", class_="awake")
    assert "hidden" in offered.attributes
    assert offered.one("label").text == "Keep the screen on"
    assert offered.one("input").attributes["type"] == "checkbox"
