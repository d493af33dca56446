"""The pages that close, sign and reopen a match, and what every other page says of one that is closed."""

from __future__ import annotations

import io
import logging
import re
from typing import Any
from urllib.parse import urlsplit

import pypdf
import pytest
from builders import case_file, deal_entry, match_file
from flask import Flask
from flask.testing import FlaskClient
from records import everything, unchanged
from webpages import Form, Page, Phone

from scorepad.matchfile import parse, read_match, short_hash
from scorepad.messages import signed
from scorepad.store import Draft, How, Save, Store
from scorepad.store.access import new_key
from scorepad.store.signatures import written
from scorepad.table import SEATS

FULL = parse(case_file("full-match"))
KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", passed_out=True)
QUEENS = deal_entry("Dan NQ", doubles={"Anna": ["Dan"]}, result={"queens": {"Ben": 3, "Dan": 1}})
AGREED = [{"after_deal": 1, "points": {"Ben": -10, "Carla": 10}, "reason": "revoke <b>"}]
CLOSED = "This match is closed: nothing in it changes until it is reopened."
WORTH = "whoever held the phone, or the code for the seat, confirmed these figures at that time"
NO_PROOF = "It does not prove who that was."


class Table:
    """A match that was abandoned after three deals: the phone that scores it, and one that watches."""

    def __init__(self, app: Flask, **more: Any) -> None:
        self.store: Store = app.extensions["store"]
        self.app = app
        file = match_file(KING, TRUMPS, HEARTS, abandoned=True, agreed_points=AGREED, title="Thursday")
        match = read_match({**file, **more}).match
        assert match
        self.slug, key = self.store.start(match)
        self.phone, self.watcher = Phone(app.test_client()), Phone(app.test_client())
        self.phone.join(f"/join/{key}")

    def open(self, page: str = "", phone: Phone | None = None) -> Page:
        """A page of the match, for the scorer unless another phone is named."""
        return (phone or self.phone).open(f"/m/{self.slug}{page}")

    def close(self) -> Page:
        """Close it as the pages do."""
        return self.phone.send(self.open("/sign").form("close"))

    def reopen(self) -> Page:
        """Reopen it as the pages do."""
        return self.phone.send(self.open("/reopen").form("reopen"))

    def sign(self, number: int) -> Page:
        """Sign for a seat on the scoring phone."""
        return self.phone.send(self.open(f"/sign/{number}").form("sign"))

    def save(self, action: str, deal_id: str = "", deal: Any = None) -> None:
        """Save something as another phone does."""
        save = Save(new_key(), self.store.load(self.slug).revision, action, deal_id, deal)
        self.store.save(self.slug, save, by="device 999")

    def codes(self) -> dict[str, str]:
        """Fresh codes: for each player the address to sign at."""
        page = self.phone.send(self.open("/sign").form("codes"))
        assert page.status == 200
        shown = page.elements.all("section", class_="share")
        return {s.one("h2").text: urlsplit(s.one("a").attributes["href"]).path for s in shown}

    @property
    def short(self) -> str:
        """The fingerprint as people see it."""
        return short_hash(self.store.load(self.slug).fingerprint)


@pytest.fixture
def table(app: Flask) -> Table:
    """A table whose match is over, and not closed."""
    return Table(app)


@pytest.fixture
def closed(table: Table) -> Table:
    """The same, closed."""
    table.close()
    return table


def state(page: Page, name: str) -> str:
    """What the signing page says beside a player's total."""
    (line,) = (s for s in page.elements.all("div", class_="score") if s.one("bdi").text == name)
    return " ".join(e.text for e in line.all("span", class_="owes"))


def seals(page: Page) -> list[str]:
    """What the table page says of each signature."""
    return [li.text for lists in page.elements.all("ul", class_="seals") for li in lists.all("li")]


# Closing


def test_the_table_of_a_match_that_is_over_offers_to_close_it(table: Table) -> None:
    page = table.open()
    assert "each of you can sign" in page.elements.one("section", id="signed").text
    assert f"/m/{table.slug}/sign" in page.links
    assert not list(table.open(phone=table.watcher).elements.all(id="signed"))


def test_a_match_that_goes_on_is_not_closed(app: Flask) -> None:
    table = Table(app, abandoned=False)
    assert not list(table.open().elements.all(id="signed"))
    assert table.open("/sign").address == f"/m/{table.slug}"
    form = Form(table.open().elements, table.open().elements.one("form", id="set-stakes"), "")
    form.action = f"/m/{table.slug}/close"
    page = unchanged(table.store, lambda: table.phone.send(form, id=new_key(), seen=1))
    assert page.address == f"/m/{table.slug}"
    form.action = f"/m/{table.slug}/reopen"
    assert unchanged(table.store, lambda: table.phone.send(form, id=new_key())).status == 200


def test_closing_shows_first_what_is_closed(table: Table) -> None:
    page = unchanged(table.store, lambda: table.open("/sign"))
    _, where = table.store.standing(table.slug)
    shown = {s.one("bdi").text: s.one("b").text for s in page.elements.all("div", class_="score")}
    assert shown == {name: signed(where.totals[s]) for s, name in where.match.names.seats()}
    assert table.short in page.text
    assert "Anna signs" not in page.text
    page = table.phone.send(page.form("close"))
    assert page.address == f"/m/{table.slug}/sign"
    assert table.store.load(table.slug).closed
    assert "Anna signs" in page.text


def test_what_was_changed_meanwhile_is_not_closed_unseen(table: Table) -> None:
    form = table.open("/sign").form("close")
    table.save("correct", "file-deal-01", {**KING, "result": {"king": "Dan"}})
    page = unchanged(table.store, lambda: table.phone.send(form))
    assert page.status == 409
    assert page.wrong[""] == [
        "The match was changed meanwhile; these are its figures now. It was not closed."
    ]
    assert table.phone.send(page.form("close")).status == 200
    assert table.store.load(table.slug).closed


def test_closing_twice_is_closing_once(table: Table) -> None:
    form, other = table.open("/sign").form("close"), table.open("/sign").form("close")
    table.phone.send(form)
    for again in form, other:
        page = unchanged(table.store, lambda: table.phone.send(again))  # noqa: B023
        assert (page.status, page.address) == (200, f"/m/{table.slug}/sign")


def test_the_table_says_that_it_is_closed_and_since_when(closed: Table) -> None:
    at = closed.store.load(closed.slug).closed_at
    for phone in closed.phone, closed.watcher:
        section = closed.open(phone=phone).elements.one("section", id="signed")
        assert section.one("h2").text.startswith("Closed ")
        assert section.one("time").attributes["datetime"] == at


def test_the_version_of_the_table_changes_with_each_row(table: Table) -> None:
    seen = []
    for step in (lambda: None, table.close, lambda: table.sign(1), table.reopen):
        step()
        seen.append(table.open(phone=table.watcher).elements.one(id="live").attributes["data-version"])
    assert len(set(seen)) == 4


# Nothing that cannot work is offered


def test_a_closed_match_shows_no_way_to_change_it(closed: Table) -> None:
    closed.sign(1)
    page = closed.open()
    assert f"/m/{closed.slug}/change" not in page.links
    assert not list(page.elements.all(id="undo"))
    why = closed.open("/deals/file-deal-01/why")
    assert not [link for link in why.links if link.endswith(("/file-deal-01", "/remove"))]
    history = closed.open("/history")
    for page in why, history:
        assert CLOSED in page.text
        assert f"/m/{closed.slug}/reopen" in page.links
        watched = closed.watcher.open(page.address)
        assert CLOSED in watched.text
        assert f"/m/{closed.slug}/reopen" not in watched.links
    closed.reopen()
    assert f"/m/{closed.slug}/change" in closed.open().links


def test_what_was_brought_back_before_is_not_offered(table: Table) -> None:
    table.save("correct", "file-deal-01", {**KING, "result": {"king": "Dan"}})
    assert "Bring this back" in table.open("/history").text
    table.close()
    assert "Bring this back" not in table.open("/history").text
    page = table.open("/history/2/before")
    assert page.wrong["form"] == [f"{CLOSED} Reopen it"]
    assert not list(page.elements.all("button", class_="danger"))


@pytest.mark.parametrize(
    "page",
    [
        "/deals/new",
        "/deals/file-deal-01",
        "/deals/file-deal-01/remove",
        "/deals/insert",
        "/deals/insert/1",
        "/change",
        "/change/names",
        "/undo",
    ],
)
def test_forms_of_a_closed_match_lead_to_its_table(closed: Table, page: str) -> None:
    assert closed.open(page).address == f"/m/{closed.slug}"


def test_a_refused_deal_is_looked_at_all_the_same(closed: Table) -> None:
    assert list(closed.open("/deals/new?waiting=1").elements.all("form", id="deal"))


# What was typed when it was closed


FORMS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a correction": ("/deals/file-deal-01", "deal", {"king": "3", "note": "counted again"}),
    "a forgotten deal": ("/deals/insert/1", "deal", {"contract": "M", "passed_out": "1"}),
    "a removal": ("/deals/file-deal-01/remove", "", {}),
    "names": ("/change/names", "change", {"name_0": "Annette"}),
    "something brought back": ("/history/2/before", "back", {}),
    "the last save undone": ("/undo", "back", {}),
}


@pytest.mark.parametrize("what", FORMS)
def test_a_form_sent_after_closing_writes_nothing_and_keeps_what_was_typed(table: Table, what: str) -> None:
    table.save("correct", "file-deal-01", {**KING, "result": {"king": "Carla"}})
    address, called, values = FORMS[what]
    page = table.open(address)
    form = page.form(called).fill(**values)
    table.save("close")
    page = unchanged(table.store, lambda: table.phone.send(form))
    assert page.status == 409
    (told,) = (s for sentences in page.wrong.values() for s in sentences)
    assert told == f"{CLOSED} Reopen it"
    assert f"/m/{table.slug}/reopen" in page.links
    if called in {"deal", "change"}:
        assert page.form(called).typed() == form.typed()
    assert table.phone.send(table.open("/reopen").form("reopen")).status == 200


@pytest.mark.parametrize("do", ["save", "play", "drop"])
def test_the_next_deal_of_a_match_that_was_closed_is_not_taken(app: Flask, do: str) -> None:
    table = Table(app, abandoned=False)
    form = table.phone.next_deal(table.slug)
    form.fill(declarer=3, contract="NQ", doubles=["03"], queens_1=3, queens_3=1)
    table.save("amend", deal={"abandoned": True})
    table.save("close")
    draft = table.store.draft(table.slug)
    page = unchanged(table.store, lambda: table.phone.send(form, do=do, draft=draft.version))
    assert page.status == 409
    assert page.wrong["form"] == [f"{CLOSED} Reopen it"]
    assert page.form("deal").typed() == form.typed()


def test_the_api_says_that_it_is_closed(closed: Table, client: FlaskClient) -> None:
    key = closed.store.new_score_key(closed.slug)
    headers, path = {"Authorization": f"Bearer {key}"}, f"/api/matches/{closed.slug}"
    body = {"id": new_key(), "seen": 2, "deal": QUEENS}
    calls: list[tuple[str, str, Any]] = [
        ("POST", "/deals", body),
        ("PUT", "/deals/file-deal-01", body),
        ("DELETE", "/deals/file-deal-01", {"id": new_key(), "seen": 2}),
        ("PUT", "/open", {"draft": 0, "deal": deal_entry("Dan B")}),
        ("DELETE", "/open", {"draft": 0}),
    ]
    for method, address, sent in calls:
        answer = unchanged(
            closed.store,
            lambda: client.open(path + address, method=method, json=sent, headers=headers),  # noqa: B023
        )
        told = answer.get_json()
        if answer.status_code == 422:
            assert address == "/open", "an abandoned match has no open deal"
            continue
        assert (answer.status_code, told["error"], told["message"]) == (409, "closed", CLOSED)
        assert closed.store.access_by_key(closed.slug, "wrong").right.value == "wrong"
    for page in "/now", "/score":
        assert client.get(path + page).get_json()["closed"] is True
    assert "closed" not in client.get(path).get_json(), "the match file is only the match"
    closed.reopen()
    assert client.get(f"{path}/now").get_json()["closed"] is False


# Signing on the scoring phone


def test_a_player_signs_what_he_is_shown(closed: Table) -> None:
    page = unchanged(closed.store, lambda: closed.open("/sign/2"))
    _, where = closed.store.standing(closed.slug)
    assert page.heading == "Ben signs"
    assert f"I have seen these figures: Ben {signed(where.totals[1])}" in page.text
    assert WORTH in page.text
    assert NO_PROOF in page.text
    rows = [row.text for row in page.elements.one("table", class_="deals").all("tr")]
    assert rows[1:] == [
        *(f"1 B Anna {scores(where, 0)}".splitlines()),
        "revoke <b> 0 −10 +10 0",
        f"2 T Ben {scores(where, 1)}",
        f"3 NH Carla passed out {scores(where, 2)}",
    ]
    page = closed.phone.send(page.form("sign"))
    assert page.address == f"/m/{closed.slug}/sign"
    assert re.fullmatch(r"signed \d{4}-\d\d-\d\d, \d\d:\d\d UTC · on the scoring phone", state(page, "Ben"))
    assert "Ben signs" not in page.text
    assert state(page, "Anna") == ""
    (signature,) = closed.store.load(closed.slug).signatures
    assert (signature.name, signature.how) == ("Ben", How.SCORING_PHONE)


def scores(where: Any, deal: int) -> str:
    """The four scores of a deal."""
    return " ".join(signed(n) for n in where.deals[deal].score)


def test_the_table_and_the_history_say_who_signed(closed: Table) -> None:
    closed.sign(2)
    for phone in closed.phone, closed.watcher:
        page = closed.open(phone=phone)
        (seal,) = seals(page)
        assert re.fullmatch(r"Ben signed .* UTC · on the scoring phone", seal)
        assert NO_PROOF in page.text
    row = closed.open("/history").elements.one("section", id="row-3")
    assert row.one("h2").text == "Ben signed."
    assert f"Fingerprint {closed.short}, on the scoring phone." in row.text
    assert "this phone" in row.text
    closed.reopen()
    page = closed.open("/history")
    assert page.elements.one("section", id="row-2").one("h2").text == "The match was closed."
    assert page.elements.one("section", id="row-4").one("h2").text == "The match was reopened."
    assert "Bring this back" not in page.text


def test_figures_that_changed_meanwhile_are_shown_before_they_are_signed(closed: Table) -> None:
    form = closed.open("/sign/1").form("sign")
    closed.reopen()
    page = unchanged(closed.store, lambda: closed.phone.send(form))
    assert page.status == 409
    assert page.wrong[""] == ["The match was reopened meanwhile. Nothing was signed."]
    closed.save("correct", "file-deal-01", {**KING, "result": {"king": "Dan"}})
    closed.close()
    page = unchanged(closed.store, lambda: closed.phone.send(form))
    assert page.status == 409
    assert page.wrong[""] == [
        "The match was changed meanwhile; these are its figures now. Nothing was signed."
    ]
    assert closed.short in page.text
    assert closed.phone.send(page.form("sign")).status == 200
    assert len(closed.store.load(closed.slug).signatures) == 1


@pytest.mark.parametrize("fields", [{"fingerprint": ""}, {"id": "short"}])
def test_a_form_that_was_tampered_with(closed: Table, fields: dict[str, str]) -> None:
    form = closed.open("/sign/1").form("sign")
    page = unchanged(closed.store, lambda: closed.phone.send(form, **fields))
    assert page.status == 409


def test_signing_twice_is_signing_once(closed: Table) -> None:
    form = closed.open("/sign/1").form("sign")
    closed.phone.send(form)
    page = unchanged(closed.store, lambda: closed.phone.send(form))
    assert (page.status, page.address) == (200, f"/m/{closed.slug}/sign")


@pytest.mark.parametrize("number", [0, 5])
def test_nobody_sits_there(closed: Table, number: int) -> None:
    assert closed.open(f"/sign/{number}").status == 404


def test_who_does_not_score_signs_nothing_here(closed: Table) -> None:
    for page in "/sign", "/sign/1", "/reopen":
        assert closed.open(page, closed.watcher).address == f"/m/{closed.slug}"
    for page in "/sign/1", "/close", "/reopen", "/sign/codes":
        answer = unchanged(
            closed.store,
            lambda: closed.watcher.client.post(f"/m/{closed.slug}{page}"),  # noqa: B023
        )
        assert answer.status_code == 401


def test_a_match_that_is_not_closed_is_not_signed(table: Table) -> None:
    assert table.open("/sign/1").address == f"/m/{table.slug}/sign"
    assert table.open("/reopen").address == f"/m/{table.slug}"


# By a code


def test_each_player_signs_on_a_phone_of_his_own(closed: Table) -> None:
    closed.sign(1)
    codes = closed.codes()
    assert set(codes) == {"Ben", "Carla", "Dan"}, "Anna has signed"
    phone = Phone(closed.app.test_client())
    page = unchanged(closed.store, lambda: phone.open(codes["Carla"]))
    assert page.heading == "Carla signs"
    assert WORTH in page.text
    assert closed.short in page.text
    assert len(list(page.elements.one("table", class_="deals").all("tr"))) == 5
    assert len(list(page.elements.all("button"))) - 2 == 1, "but for those of a new release"
    page = phone.send(page.form("sign"))
    assert (page.status, page.address) == (200, f"/m/{closed.slug}")
    assert re.search(r"Carla signed .* UTC · by the code for the seat", " ".join(seals(page)))
    code = codes["Carla"].rpartition("/")[2]
    assert code not in page.html
    assert code not in str(everything(closed.store))
    assert "Put something right" not in page.text, "it may sign and no more"
    assert phone.client.post(f"/m/{closed.slug}/reopen").status_code in {401, 403}
    row = closed.open("/history").elements.one("section", id="row-4")
    assert row.one("h2").text == "Carla signed."
    assert "by the code for the seat" in row.text


def test_a_code_that_is_no_longer_good_says_so(closed: Table) -> None:
    codes = closed.codes()
    phone = Phone(closed.app.test_client())
    form, ben = phone.open(codes["Anna"]).form("sign"), phone.open(codes["Ben"]).form("sign")
    assert phone.send(form).status == 200
    again = unchanged(closed.store, lambda: phone.send(form))
    assert (again.status, again.address) == (200, f"/m/{closed.slug}"), "an answer that was lost"
    closed.codes()
    closed.reopen()
    for code in codes.values():
        page = unchanged(closed.store, lambda: phone.open(code))  # noqa: B023
        assert (page.status, page.heading) == (410, "This code can no longer be used")
        assert "Ask the scorer for a fresh one." in page.text
        assert "Nothing was signed" not in page.text, "it may have been used by this very phone"
        assert "Anna" not in page.text
    for old in ben.fill(id="tampered"), ben.fill(id=new_key()):
        assert unchanged(closed.store, lambda: phone.send(old)).status == 410  # noqa: B023
    assert phone.open("/sign/nothing").status == 404
    ben.action = "/sign/nothing"
    assert unchanged(closed.store, lambda: phone.send(ben)).status == 404


def test_a_code_signs_what_was_shown_and_nothing_else(closed: Table) -> None:
    phone = Phone(closed.app.test_client())
    form = phone.open(closed.codes()["Dan"]).form("sign")
    phone.client.get("/")
    page = phone.send(form, fingerprint="0" * 64)
    assert page.status == 409
    assert page.wrong[""] == [
        "The match was changed meanwhile; these are its figures now. Nothing was signed."
    ]
    assert not closed.store.load(closed.slug).signatures
    assert phone.send(page.form("sign")).status == 200
    assert [s.name for s in closed.store.load(closed.slug).signatures] == ["Dan"]


def test_the_page_of_a_code_keeps_its_address_to_itself(
    closed: Table, caplog: pytest.LogCaptureFixture
) -> None:
    code = closed.codes()["Dan"]
    for address, status in (code, 200), ("/sign/nothing", 404):
        page = closed.watcher.open(address)
        assert page.status == status
        assert page.headers["Referrer-Policy"] == "strict-origin"
        assert page.headers["Cache-Control"] == "no-store"
    logging.getLogger("scorepad").warning("while serving %s", code)
    assert caplog.messages[-1] == "while serving /sign/…"


def test_a_deleted_match_is_not_signed(closed: Table) -> None:
    code = closed.codes()["Dan"]
    phone = Phone(closed.app.test_client())
    form = phone.open(code).form("sign")
    closed.store.delete(closed.slug)
    assert unchanged(closed.store, lambda: phone.open(code)).status == 404
    assert unchanged(closed.store, lambda: phone.send(form)).status == 404
    closed.store.take_back(closed.slug)
    assert phone.send(form).status == 200


def test_a_code_needs_the_form_of_its_page(closed: Table) -> None:
    code = closed.codes()["Dan"]
    answer = unchanged(closed.store, lambda: closed.app.test_client().post(code))
    assert answer.status_code == 400


def test_codes_are_made_for_a_closed_match_only(closed: Table) -> None:
    form = closed.open("/sign").form("codes")
    closed.reopen()
    page = unchanged(closed.store, lambda: closed.phone.send(form))
    assert page.address == f"/m/{closed.slug}/sign"


def test_when_all_have_signed_there_are_no_codes(closed: Table) -> None:
    for number in range(1, 5):
        closed.sign(number)
    assert not list(closed.open("/sign").elements.all("form"))


# Reopening


def test_reopening_asks_first_and_says_what_becomes_of_signatures(closed: Table) -> None:
    closed.sign(1)
    page = unchanged(closed.store, lambda: closed.open("/reopen"))
    assert "As soon as anything is changed, every signature below is void" in page.text
    assert state(page, "Anna").startswith("signed")
    assert closed.phone.send(page.form("reopen")).address == f"/m/{closed.slug}"
    assert not closed.store.load(closed.slug).closed
    assert unchanged(closed.store, lambda: closed.phone.send(page.form("reopen"))).status == 200


def test_a_correction_after_reopening_voids_the_signatures_in_words(closed: Table) -> None:
    closed.sign(1)
    seen = closed.short
    closed.reopen()
    (seal,) = seals(closed.open())
    assert "void" not in seal, "nothing has changed yet"
    form = closed.open("/deals/file-deal-01").form("deal")
    assert closed.phone.send_seen(form, king=3).status == 200
    for page in closed.open(), closed.open(phone=closed.watcher):
        (seal,) = seals(page)
        assert seal.startswith("Anna void: an earlier state was signed")
        assert f"fingerprint {seen}" in seal
        assert page.elements.one("section", id="signed").one("s").text
    closed.close()
    page = closed.open("/sign")
    assert state(page, "Anna").startswith("void")
    assert "Anna signs" in page.text
    closed.sign(1)
    (seal,) = seals(closed.open())
    assert "void" not in seal


def test_a_player_who_was_renamed_has_signed_under_his_old_name(closed: Table) -> None:
    closed.sign(1)
    closed.reopen()
    closed.save("amend", deal={"players": ["Annette", "Ben", "Carla", "Dan"]})
    (seal,) = seals(closed.open())
    assert seal.startswith("Anna void")


# The sheet


def text_of_pdf(table: Table) -> str:
    """All that is read in the PDF of the sheet."""
    answer = table.phone.client.get(f"/m/{table.slug}/sheet.pdf", buffered=True)
    assert answer.status_code == 200
    reader = pypdf.PdfReader(io.BytesIO(answer.data))
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def test_the_sheet_says_who_signed_what_how_and_when(closed: Table) -> None:
    assert "Signed" not in text_of_pdf(closed)
    closed.sign(1)
    save = Save(
        new_key(),
        0,
        "sign",
        deal=written(SEATS[1], "Ben", closed.store.load(closed.slug).fingerprint, How.OWN_PHONE),
    )
    closed.store.save(closed.slug, save, by="device 5")
    at = closed.store.load(closed.slug).signatures[0].at
    when = f"{at[:10]}, {at[11:16]} UTC"
    shown = " ".join(closed.open("/sheet").elements.one("section", class_="sheet-signed").text.split())
    assert f"Anna · fingerprint {closed.short} · on the scoring phone · {when}" in shown
    printed = text_of_pdf(closed)
    for text in shown, printed:
        assert f"fingerprint {closed.short} · by the code for the seat" in text
        assert WORTH in text
        assert NO_PROOF in text
        assert "void" not in text
    seen = closed.short
    closed.reopen()
    closed.save("correct", "file-deal-01", {**KING, "result": {"king": "Dan"}})
    printed = text_of_pdf(closed)
    assert f"Anna · void: an earlier state was signed · fingerprint {seen}" in printed
    assert printed.count("void") == 2


def test_a_whole_match_is_closed_too(app: Flask) -> None:
    table = Table(app, **{"agreed_points": [], "abandoned": False} | FULL)
    assert table.open("/deals/new").address == f"/m/{table.slug}"
    table.close()
    assert table.store.load(table.slug).closed
    assert "Again with these four" in table.open().text
    assert table.store.draft(table.slug) == Draft()
