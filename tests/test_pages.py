"""What holds for every page: it renders in every state of a match, escapes, and keeps to the policy."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import brotli
import pytest
from builders import case_file, deal_entry, match_file
from flask import Flask
from flask.testing import FlaskClient
from records import unchanged
from webpages import Element, Page, Phone
from werkzeug.test import TestResponse

from scorepad import explain
from scorepad.matchfile import parse, read_match
from scorepad.messages import PDF_UNAVAILABLE, Words, signed
from scorepad.pdf import PdfMaker, PdfUnavailable, Reason
from scorepad.store import Database, Draft, NotSaved, Store, Trouble
from scorepad.table import SEATS

FULL = parse(case_file("full-match"))
RAVAGE_CITY = parse(case_file("full-match-ravage-city"))

#: Matches in every state a page can meet: the fields of the match file, and the deal being played.
STATES: dict[str, tuple[dict[str, Any], Any]] = {
    "no deal yet": ({**FULL, "deals": []}, None),
    "no deal yet, one being played": (
        {**FULL, "deals": []},
        deal_entry("Zoë NQ", doubles={"José": ["Zoë", "Marta"], "Zoë": ["José"]}),
    ),
    "in the middle": ({**FULL, "deals": FULL["deals"][:13]}, None),
    "in the middle, one being played": (
        {**FULL, "deals": FULL["deals"][:13]},
        {k: v for k, v in FULL["deals"][13].items() if k not in {"result", "passed_out"}},
    ),
    "before the last deal": ({**FULL, "deals": FULL["deals"][:27]}, None),
    "complete": (FULL, None),
    "Ravage City, in the middle": ({**RAVAGE_CITY, "deals": RAVAGE_CITY["deals"][:20]}, None),
    "Ravage City, complete": (RAVAGE_CITY, None),
    "seven in a row": (parse(case_file("full-match-seven-in-a-row")), None),
    "the other values": (parse(case_file("full-match-german-other-values")), None),
    "32 cards": (parse(case_file("full-match-small-deck")), None),
    "no compulsory doubles": ({**FULL, "deals": FULL["deals"][:5], "rules": {"compulsory_doubles": 0}}, None),
    "abandoned": ({**FULL, "deals": FULL["deals"][:9], "abandoned": True}, None),
    "with everything": (
        {
            **FULL,
            "deals": FULL["deals"][:9],
            "title": "Thursday <table>",
            "place": "Zoë’s & Co",
            "stake": {"per_point": "0.05", "currency": "€"},
            "agreed_points": [
                {"after_deal": 0, "points": {"Zoë": 5}},
                {"after_deal": 4, "points": {"Marta": -10, "José": 10}, "reason": "revoke <b>"},
            ],
            "replaced": [{"from_deal": 5, "seat": 2, "name": "Ève"}],
        },
        None,
    ),
}


#: A question for the calculator.
QUESTION = "preset=german&v_trick=-3&declarer=2&contract=M&doubles=12&doubles=21&tricks_0=13"


class Table:
    """A match, the phone that scores it and one that watches."""

    def __init__(self, app: Flask, file: dict[str, Any], playing: Any = None) -> None:
        self.store: Store = app.extensions["store"]
        match = read_match(file).match
        assert match
        self.slug, self.key = self.store.start(match)
        if playing is not None:
            self.store.write_draft(self.slug, 0, Draft(0, "a phone", 4, playing))
        self.scorer, self.watcher = Phone(app.test_client()), Phone(app.test_client())
        self.scorer.join(f"/join/{self.key}")

    @property
    def deal_ids(self) -> list[str]:
        """The ids of its deals."""
        return [d.deal_id for d in self.store.load(self.slug).deals]

    def addresses(self) -> Iterator[str]:
        """Every page there is for this match; of the deals, those of the first and the last."""
        yield from ("/", "/new", "/offline", f"/join/{self.key}", f"/m/{self.slug}?drawn=1")
        yield from ("/verify", "/rules", "/rules?preset=german", "/calculator", f"/calculator?{QUESTION}")
        yield f"/m/{self.slug}/settle?per_point=0.10&currency=EUR"
        yield f"/m/{self.slug}/sheet?paper=letter&why=1"
        yield from ("/bin", "/sheet/blank", f"/sheet/blank?rules=of:{self.slug}")
        if not self.store.standing(self.slug)[1].is_complete:
            yield f"/m/{self.slug}/by-hand"
        for page in (
            "",
            "/deals/new",
            "/share",
            "/hand-over",
            "/sheet",
            "/settle",
            "/take",
            "/rules",
            "/history",
            "/delete",
            "/totals",
        ):
            yield f"/m/{self.slug}{page}"
        if self.store.load(self.slug).read().rules.compulsory_doubles:
            for seat in range(1, 5):
                yield f"/m/{self.slug}/owed/{seat}"
        for page in "/sign", "/sign/1", "/reopen":
            yield f"/m/{self.slug}{page}"
        for deal_id in {*self.deal_ids[:1], *self.deal_ids[-1:]}:
            for page in "", "/why", "/remove":
                yield f"/m/{self.slug}/deals/{deal_id}{page}"
            yield f"/m/{self.slug}/deals/new?saved={deal_id}"
            yield f"/m/{self.slug}/history?deal={deal_id}"

    def close(self) -> str:
        """Close the match, sign for one player; the address of a code for another."""
        self.scorer.send(self.scorer.open(f"/m/{self.slug}/sign").form("close"))
        self.scorer.send(self.scorer.open(f"/m/{self.slug}/sign/1").form("sign"))
        ((_, code),) = self.store.new_seat_codes(self.slug, SEATS[1:2])
        return f"/sign/{code}"

    def pages(self) -> Iterator[Page]:
        """Every page, as the scorer and as a watcher see it."""
        for address in self.addresses():
            for phone in self.scorer, self.watcher:
                yield phone.open(address)


@pytest.fixture(params=STATES)
def table(request: pytest.FixtureRequest, app: Flask) -> Table:
    """A match in each of the states."""
    return Table(app, *STATES[request.param])


@pytest.fixture
def one_table(app: Flask) -> Table:
    """A match in the middle."""
    return Table(app, *STATES["in the middle, one being played"])


NQ = deal_entry(
    "Anna NQ",
    doubles={"Ben": ["Anna", "Carla", "Dan"], "Carla": ["Anna"], "Anna": ["Carla"]},
    result={"queens": {"Anna": 1, "Carla": 1, "Dan": 2}},
)


def fetch(client: FlaskClient, address: str, accepted: str = "") -> TestResponse:
    """What is at an address, read to its end."""
    return client.get(address, headers={"Accept-Encoding": accepted}, buffered=True)


# Every page in every state


def is_kept_to_the_policy(page: Page) -> None:
    """Nothing in the page needs inline scripts or styles; scripts are files of ours, or data."""
    for element in page.elements.all():
        assert element.tag != "style"
        inline = [n for n in element.attributes if n == "style" or n.startswith("on")]
        assert not inline, f"<{element.tag} {inline}>"
        for name in "href", "src", "action":
            assert not element.attributes.get(name, "").lower().startswith(("javascript:", "data:"))
    for script in page.elements.all("script"):
        if "src" in script.attributes:
            assert script.attributes["src"].startswith("/static/v-")
            assert not script.inside
        else:
            assert script.attributes["type"] == "application/json"
            (text,) = script.inside
            assert isinstance(text, str)
            json.loads(text)


def is_well_made(page: Page) -> None:
    """One title and heading, ids that are unique, labels that lead somewhere, and fields that have one."""
    assert page.elements.one("head").one("title").inside
    assert len(list(page.elements.all("h1"))) == 1
    assert page.elements.one("html").attributes["lang"] == "en"
    ids = [e.attributes["id"] for e in page.elements.all() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    for element in page.elements.all():
        for name in "for", "form", "aria-describedby", "aria-labelledby":
            assert set(element.attributes.get(name, "").split()) <= set(ids)
    for link in page.elements.all("a"):
        target = link.attributes["href"]
        assert not target.startswith("#") or target[1:] in ids
        assert link.text or link.attributes.get("aria-label")
    for button in page.elements.all("button"):
        assert button.text or button.attributes.get("aria-label")
    labels = {label.attributes["for"] for label in page.elements.all("label") if "for" in label.attributes}
    within = {id(e) for label in page.elements.all("label") for e in label.all()}
    for field in [*page.elements.all("input"), *page.elements.all("select")]:
        if field.attributes.get("type") != "hidden":
            assert id(field) in within or field.attributes.get("id") in labels


def has_its_headers(page: Page) -> None:
    """The policy and the other headers that keep a page to itself."""
    policy = dict(
        part.strip().partition(" ")[::2] for part in page.headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["X-Frame-Options"] == "DENY"
    is_key = page.address.startswith(("/join/", "/sign/"))
    assert page.headers["Referrer-Policy"] == ("strict-origin" if is_key else "same-origin")
    assert "public" not in page.headers["Cache-Control"]


def test_every_page_renders(table: Table) -> None:
    for page in table.pages():
        assert page.status == 200
        is_kept_to_the_policy(page)
        is_well_made(page)
        has_its_headers(page)


@pytest.mark.parametrize("state", ["complete", "abandoned"])
def test_every_page_of_a_closed_match_renders(app: Flask, state: str) -> None:
    table = Table(app, *STATES[state])
    code = table.close()
    made = table.scorer.send(table.scorer.open(f"/m/{table.slug}/sign").form("codes"))
    for page in (*table.pages(), made, table.watcher.open(code)):
        assert page.status == (410 if page.address == code else 200)
        is_kept_to_the_policy(page)
        is_well_made(page)
        has_its_headers(page)


def test_looking_at_pages_of_a_closed_match_writes_nothing(app: Flask) -> None:
    table = Table(app, *STATES["abandoned"])
    code = table.close()
    unchanged(table.store, lambda: [*table.pages(), table.watcher.open(code)])


def test_looking_at_pages_writes_nothing(one_table: Table) -> None:
    unchanged(one_table.store, lambda: list(one_table.pages()))


def test_every_link_leads_somewhere(one_table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PdfMaker, "make", lambda *_: Path(__file__))
    seen = set[str]()
    for page in one_table.pages():
        for link in page.links:
            target = urlsplit(link)
            assert target.netloc in {"", "localhost"}
            if link not in seen and not link.startswith("#"):
                seen.add(link)
                assert fetch(one_table.scorer.client, f"{target.path}?{target.query}").status_code in {
                    200,
                    302,
                }
    assert len(seen) > 20


def test_every_asset_is_there(one_table: Table) -> None:
    """Style sheets, modules, pictures and fonts, and what those name themselves."""
    client, seen = one_table.watcher.client, set[str]()
    for page in one_table.pages():
        for element in page.elements.all():
            names = ("src", "href") if element.tag in {"link", "script", "img", "use"} else ()
            seen |= {element.attributes[n].partition("#")[0] for n in names if n in element.attributes}
    for address in seen:
        answer = fetch(client, address)
        assert answer.status_code == 200, address
        for name in re.findall(
            r'url\("?([^")]+)"?\)|from "(\.[^"]+)"', answer.text if is_text(address) else ""
        ):
            if not name[0].startswith("data:"):
                assert fetch(client, urljoin(address, name[0] or name[1])).status_code == 200, name


def is_text(address: str) -> bool:
    """Whether an asset is text."""
    return address.endswith((".css", ".js"))


# The table


def test_the_table_shows_the_figures_of_the_match(table: Table) -> None:
    """Totals and ranks, contracts used and left, what is owed, and every deal's scores."""
    _, where, _ = table.store.standing_with_draft(table.slug)
    for phone in table.scorer, table.watcher:
        page = phone.open(f"/m/{table.slug}")
        names = where.match.names
        scores = {next(s.all("bdi")).text: s for s in page.elements.all("div", class_="score")}
        for seat, name in names.seats():
            assert scores[name].one("b", class_="total").text == signed(where.totals[seat])
            assert scores[name].one("span", class_="rank").text == str(where.ranks[seat])
        grids = list(page.elements.all("table", class_="grid"))
        for seat, row in zip(SEATS, list(grids[0].all("tr"))[1:], strict=True):
            cells = [cell.text for cell in row.all("td")]
            used = where.used[seat]
            for cell, contract in zip(cells, (c.text for c in grids[0].all("abbr")), strict=True):
                number = next((n for c, n in used.items() if c.value == contract), None)
                assert cell == (f"{number} declared in deal {number}" if number else "left")
        shown = [row.text.split()[-4:] for row in page.elements.one("main").all("tr") if row_of_deal(row)]
        assert shown == [[signed(n) for n in d.score] if d.score else ["–"] * 4 for d in where.deals[::-1]]


def row_of_deal(row: Element) -> bool:
    """Whether a row of a table is that of a deal."""
    head = list(row.all("th", scope="row"))
    return bool(head) and bool(re.match(r"[0-9]+ ", head[0].text))


def test_who_owes_whom(app: Flask) -> None:
    table = Table(app, {**FULL, "deals": FULL["deals"][:20]})
    where = table.store.standing(table.slug)[1]
    owed = list(table.watcher.open(f"/m/{table.slug}").elements.all("table", class_="grid"))[1]
    rows = list(owed.all("tr"))[1:]
    for player, row in zip(where.match.names.seats(), rows, strict=False):
        cells = [c.text for c in row.all("td")]
        seat = player[0]
        assert cells == ["–" if d is seat else str(where.owed(seat, d)) for d, _ in where.match.names.seats()]
    assert [c.text for c in rows[-1].all("td")] == [
        str(len(where.left(d))) for d, _ in where.match.names.seats()
    ]


def test_a_match_that_is_over_names_its_winners(app: Flask) -> None:
    table = Table(app, FULL)
    assert "won." in table.watcher.open(f"/m/{table.slug}").text


def test_a_match_without_deals_says_so(app: Flask) -> None:
    table = Table(app, {**FULL, "deals": []})
    assert "No deal yet." in table.watcher.open(f"/m/{table.slug}").text


# Why


def test_why_a_deal_scored_as_it_did(app: Flask) -> None:
    """The No Queens example of seed 004, sentence by sentence."""
    table = Table(app, match_file(NQ))
    page = table.watcher.open(f"/m/{table.slug}/deals/{table.deal_ids[0]}/why")
    assert page.heading == "Deal 1: why?"
    paragraphs = [p.text for p in page.elements.one("main").all("p")]
    assert paragraphs == [
        "Ben doubled everybody.",
        "Carla doubled Anna.",
        "Anna redoubled Carla.",
        "Anna took 1 queen.",
        "Carla took 1 queen.",
        "Dan took 2 queens.",
        "Anna: 1 × −6 = −6",
        "Ben: 0 × −6 = 0",
        "Carla: 1 × −6 = −6",
        "Dan: 2 × −6 = −12",
        "The four scores make −24, the value of No Queens.",
        *paragraphs[11:],
    ]
    assert [li.text for li in page.elements.one("ul", class_="pairs").all("li")] == [
        "Ben doubled Anna. Ben 0, Anna −6: 6 points pass from Anna to Ben.",
        "Anna and Carla doubled each other. Both have −6: equal, so nothing moves.",
        "Anna and Dan had no business: nothing moves.",
        "Ben doubled Carla. Ben 0, Carla −6: 6 points pass from Carla to Ben.",
        "Ben doubled Dan. Ben 0, Dan −12: 12 points pass from Dan to Ben.",
        "Carla and Dan had no business: nothing moves.",
    ]
    assert [r.text for r in page.elements.one("table", class_="sums").all("tr")][1:] == [
        "Before 0 0 0 0",
        "Basic −6 0 −6 −12",
        "Doubles −6 +24 −6 −12",
        "Score −12 +24 −12 −24",
        "Total −12 +24 −12 −24",
    ]


def test_every_sentence_of_every_deal_is_on_its_page(app: Flask) -> None:
    for file in FULL, RAVAGE_CITY:
        table = Table(app, file)
        where = table.store.standing(table.slug)[1]
        say = Words(where.match.players)
        for result, deal_id in zip(where.deals, table.deal_ids, strict=True):
            text = table.watcher.open(f"/m/{table.slug}/deals/{deal_id}/why").text
            why = explain.why(result, where.match.rules)
            assert why
            for message in (*why.doubles, *why.tally, *why.basic, *why.pairs, *why.duties, why.check):
                assert say(message) in text


# Names


WRITTEN_FROM_THE_RIGHT = ["שרה", "علي محمد"]

ODD_NAMES = [
    "<svg/onload=alert(1)>",
    "{{777*777}}",
    "{player}",
    "%(name)s %s %",
    "“O’Brien” & \"Söhne\" 'x'",
    "</script><b>",
    *WRITTEN_FROM_THE_RIGHT,
    "👩‍👩‍👧‍👦",
    "Łukasz Żółć",
    "李小龍",
    "x" * 40,
]


def run_over(element: Element, names: list[str]) -> Iterator[str]:
    """Texts in which one of these names could rearrange what stands beside it."""
    for part in element.inside:
        if isinstance(part, Element):
            if part.tag not in {"bdi", "script", "option", "title"}:
                yield from run_over(part, names)
        elif any(part.count(name) != part.count(f"\u200e{name}\u200e") for name in names):
            yield part


@pytest.mark.parametrize("first", range(0, len(ODD_NAMES), 3))
def test_odd_names_are_shown_as_they_are(app: Flask, first: int) -> None:
    """Escaped on every page, and kept apart from the text around them, which may run the other way."""
    names = [*ODD_NAMES[first : first + 3], "Dan"]
    a, b, c, d = names
    deals = [
        {"declarer": a, "contract": "NQ", "doubles": {b: [a, c, d], c: [a], a: [c]}},
        {"declarer": b, "contract": "D", "result": {"order": [a, b, c, d]}, "note": c},
        {"declarer": c, "contract": "M", "doubles": {d: [c]}},
    ]
    deals[0]["result"] = {"queens": {a: 1, c: 1, d: 2}}
    file = {**match_file(*deals[:2]), "players": names, "title": a, "first_declarer": a}
    table = Table(app, file, deals[2])
    for page in table.pages():
        assert page.status == 200
        is_kept_to_the_policy(page)
        assert not [e for e in page.elements.all() if "onload" in e.attributes]
        assert "<svg/onload" not in page.html
        assert "603729" not in page.text or "{{777*777}}" not in names
        if page.address.startswith(f"/m/{table.slug}") and not page.address.endswith(
            ("/share", "/hand-over", "/rules")
        ):
            for name in names[:3]:
                assert name in page.text, page.address
        assert not list(run_over(page.body, [n for n in names if n in WRITTEN_FROM_THE_RIGHT]))
    file_down = table.watcher.client.get(f"/m/{table.slug}/match.json").get_json()
    assert file_down["players"] == names


@pytest.mark.parametrize("state", ["no deal yet, one being played", "with everything"])
def test_the_pages_of_a_deleted_match(app: Flask, state: str) -> None:
    table = Table(app, *STATES[state])
    wrong = table.scorer.send(table.scorer.open(f"/m/{table.slug}/delete").form(), name="<b>nobody")
    assert wrong.status == 422
    table.store.delete(table.slug)
    addresses = {f"/m/{table.slug}": 410, f"/join/{table.key}": 200, "/bin": 200, "/": 200}
    pages = [(table.scorer.open(address), status) for address, status in addresses.items()]
    for page, status in [(wrong, 422), *pages]:
        assert page.status == status
        is_kept_to_the_policy(page)
        is_well_made(page)
        has_its_headers(page)
    assert not table.scorer.open("/bin").elements.one("h1").text.startswith("There is nothing")


# Addresses that lead nowhere, and other errors


@pytest.mark.parametrize(
    "address",
    [
        "/nothing",
        "/m/nowhere",
        "/m/nowhere/deals/new",
        "/m/nowhere/deals/nothing",
        "/m/nowhere/deals/nothing/why",
        "/m/nowhere/share",
        "/m/nowhere/hand-over",
        "/m/nowhere/sheet",
        "/m/nowhere/sheet.pdf",
        "/m/nowhere/match.json",
        "/m/%00",
        "/m/" + "x" * 5_000,
        "/join/nothing",
        "/static/v-0/nothing.css",
        "/static/../scorepad.db",
        "/static/v-0/..%2f..%2fpyproject.toml",
        "/m/é",
        "/%ff",
    ],
)
def test_an_address_that_leads_nowhere(client: FlaskClient, address: str) -> None:
    page = Page(client.get(address))
    assert (page.status, page.heading) == (404, "There is nothing here")
    assert "/" in page.links
    is_kept_to_the_policy(page)
    is_well_made(page)
    has_its_headers(page)


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("POST", "/", 405),
        ("DELETE", "/new", 405),
        ("POST", "/new", 400),
        ("POST", "/import", 400),
        ("POST", "/m/nowhere/deals/new", 401),
        ("POST", "/m/nowhere/hand-over", 401),
        ("POST", "/m/nowhere/stakes", 401),
        ("POST", "/m/nowhere/again", 401),
        ("PUT", "/m/nowhere", 405),
    ],
)
def test_other_errors_are_pages_too(client: FlaskClient, method: str, address: str, status: int) -> None:
    page = Page(client.open(address, method=method))
    assert page.status == status
    is_kept_to_the_policy(page)
    is_well_made(page)
    has_its_headers(page)


def test_a_failure_of_ours_is_a_page_without_details(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("secret details")

    monkeypatch.setattr(Store, "matches_of", fails)
    monkeypatch.setattr(Store, "standing_with_draft", fails)
    monkeypatch.setitem(app.config, "TESTING", False)
    monkeypatch.setitem(app.config, "PROPAGATE_EXCEPTIONS", False)
    client = app.test_client()
    page = Page(client.get("/"))
    assert (page.status, page.heading) == (500, "Something went wrong here")
    assert "secret" not in page.html
    has_its_headers(page)
    answer = client.get("/api/matches/anything/score")
    assert (answer.status_code, answer.get_json()["error"]) == (500, "failed")
    assert "secret" not in answer.text


def test_what_the_disk_does_not_take_is_offered_again(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was entered is in the page, whatever it was, and runs nothing."""

    def fails(*_: object) -> None:
        raise NotSaved(Trouble.DISK_FULL)

    table = Table(app, FULL)
    form = table.scorer.open(f"/m/{table.slug}/history").form("devices")
    monkeypatch.setattr(Database, "writing", fails)
    entered = 'Zoë’s <b>"phone"</b>'
    page = table.scorer.send(form, name_0=entered)
    assert (page.status, page.heading, page.headers["Retry-After"]) == (503, "Not saved", "10")
    assert page.form("again")["name_0"] == entered
    assert f"/m/{table.slug}" in page.links
    is_kept_to_the_policy(page)
    is_well_made(page)
    has_its_headers(page)


def test_a_body_that_is_far_too_large(client: FlaskClient) -> None:
    page = Page(client.post("/new", data={"name_0": "x" * 2_000_000}))
    assert (page.status, page.heading) == (413, "That is too large")


# The sheet


def test_the_sheet_as_a_page(table: Table) -> None:
    """Every name, every total and the house rules are on it."""
    where = table.store.standing(table.slug)[1]
    text = table.watcher.open(f"/m/{table.slug}/sheet").text
    for seat, name in where.match.names.seats():
        assert name in text
        assert signed(where.totals[seat]) in text


def test_the_sheet_as_a_pdf(app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = tmp_path / "made.pdf"
    made.write_bytes(b"%PDF-1.7 made")
    asked: list[str] = []

    def make(_: PdfMaker, html: str, *_more: object) -> Path:
        asked.append(html)
        return made

    monkeypatch.setattr(PdfMaker, "make", make)
    table = Table(app, {**FULL, "title": "Thursday <table>; “x”/..", "date": "2026-11-30"})
    answer = table.watcher.client.get(f"/m/{table.slug}/sheet.pdf")
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    assert answer.data == made.read_bytes()
    assert re.search(
        r"filename=\"?barbu-2026-11-30-thursday-table-x\.pdf", answer.headers["Content-Disposition"]
    )
    assert "Marta" in asked[0]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    answer.close()


@pytest.mark.parametrize("reason", Reason)
def test_no_pdf_can_be_made(app: Flask, monkeypatch: pytest.MonkeyPatch, reason: Reason) -> None:
    """The sheet is shown as a page, with what is missing and what to do meanwhile."""

    def fails(*_: object) -> None:
        raise PdfUnavailable(reason, "details")

    monkeypatch.setattr(PdfMaker, "make", fails)
    table = Table(app, FULL)
    page = table.watcher.open(f"/m/{table.slug}/sheet.pdf")
    assert page.status == 503
    assert PDF_UNAVAILABLE[reason] in page.text
    assert "Marta" in page.text
    is_kept_to_the_policy(page)
    has_its_headers(page)


# Over the wire


@pytest.mark.parametrize(
    ("accepted", "decompress"),
    [("gzip", gzip.decompress), ("br", brotli.decompress), ("br, gzip", brotli.decompress)],
)
def test_pages_and_assets_are_compressed(one_table: Table, accepted: str, decompress: Any) -> None:
    client = one_table.watcher.client
    page = one_table.watcher.open(f"/m/{one_table.slug}")
    assets = [e.attributes["href"] for e in page.elements.all("link", rel="stylesheet")]
    assets += [e.attributes["src"] for e in page.elements.all("script") if "src" in e.attributes]
    for address in f"/m/{one_table.slug}", f"/api/matches/{one_table.slug}/score", "/new", *assets:
        plain, packed = fetch(client, address), fetch(client, address, accepted)
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == accepted.partition(",")[0]
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert len(packed.data) < len(plain.data)
        if not address.startswith("/new"):
            assert decompress(packed.data) == plain.data


def test_assets_have_versioned_addresses_and_are_kept_for_a_year(client: FlaskClient) -> None:
    page = Page(client.get("/"))
    addresses = [e.attributes["href"] for e in page.elements.all("link") if e.attributes["rel"] != "manifest"]
    addresses += [e.attributes["src"] for e in page.elements.all("script") if "src" in e.attributes]
    assert addresses
    for address in addresses:
        assert re.match(r"/static/v-[0-9a-f]{10}/", address)
        answer = fetch(client, address)
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in answer.headers
        other = fetch(client, re.sub(r"v-[0-9a-f]{10}", "v-0123456789", address))
        assert other.status_code == 200
        assert "immutable" not in other.headers["Cache-Control"]


def test_a_first_visit_is_small(client: FlaskClient) -> None:
    """All that the home page and the page of a deal fetch is at most 60 kB over the wire."""
    phone = Phone(client)
    slug = phone.start()
    addresses = {f"/m/{slug}", f"/m/{slug}/deals/new", "/"}
    for address in tuple(addresses):
        for element in phone.open(address).elements.all():
            if element.tag in {"link", "script", "use"}:
                names = (element.attributes.get(n, "").partition("#")[0] for n in ("href", "src"))
                addresses |= {name for name in names if name}
    sizes = {a: len(fetch(client, a, "br").data) for a in addresses}
    assert sum(sizes.values()) < 60_000, sizes


def test_pages_are_not_kept_by_others(one_table: Table) -> None:
    """A page is asked for anew each time, and no cache between keeps it."""
    for address in one_table.addresses():
        kept = one_table.scorer.client.get(address).headers["Cache-Control"]
        assert "no-cache" in kept or "no-store" in kept


def test_the_session_cookie(client: FlaskClient) -> None:
    cookie = client.get("/new").headers["Set-Cookie"]
    assert cookie.startswith("scorepad=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_healthz(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.get_json()) == (200, {"ok": True})


def test_the_token_for_a_save_that_has_waited(client: FlaskClient) -> None:
    answer = client.get("/csrf")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.get_json()["token"]
