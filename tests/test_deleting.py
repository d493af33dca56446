"""Deleting a match: asked by name, by who may score it, taken back within 30 days, and then gone for good."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from builders import NAMES, deal_entry, match_file
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from records import everything, unchanged
from webpages import Page, Phone

from scorepad.cli import main
from scorepad.matchfile import read_match
from scorepad.pdf import PdfMaker
from scorepad.store import DeletedMatch, Draft, Save, Store, UnknownMatch
from scorepad.store.bin import DAYS_IN_BIN
from scorepad.store.database import migrations
from scorepad.views.deleting import plain

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Dan"})
DOMINOES = deal_entry("Ben D", result={"order": ["Ben", "Dan", "Anna", "Carla"]})
TODAY = datetime.now(UTC)


class Calendar:
    """The clock of a store, which a test sets."""

    def __init__(self) -> None:
        self.at = TODAY

    def go(self, *, days: float) -> None:
        """Set it so many days from today."""
        self.at = TODAY + timedelta(days)

    def __call__(self) -> str:
        """The time as the record has it."""
        return self.at.isoformat(timespec="seconds")


@pytest.fixture
def calendar() -> Calendar:
    """A clock that a test sets."""
    return Calendar()


@pytest.fixture
def own(tmp_path: Path, calendar: Calendar) -> Iterator[Store]:
    """A store with that clock."""
    kept = Store(tmp_path / "scorepad.db", now=calendar)
    yield kept
    kept.database.close()


def start(store: Store, device: int | None = None, **fields: Any) -> str:
    """Start a match of two deals with a hand being played."""
    match = read_match({**match_file(KING, DOMINOES), "title": "Thursday table", **fields}).match
    assert match
    slug, _ = store.start(match, device=device)
    store.write_draft(slug, 0, Draft(0, "a phone", 4, deal_entry("Carla M")))
    store.show_stakes(slug, on=False)
    return slug


def rows_of(store: Store) -> list[tuple[Any, ...]]:
    """All rows of the record."""
    return everything(store)["record"]


# The store


ASKING: tuple[Callable[[Store, str], object], ...] = (
    Store.load,
    Store.standing,
    Store.standing_with_draft,
    Store.rows,
    Store.states,
    Store.history,
    Store.last_row,
    Store.beside,
    Store.draft,
    Store.device_names,
    Store.delete,
    lambda store, slug: store.save(slug, Save("a-late-deal", 1, "add", deal=deal_entry("Carla M")), by="x"),
    lambda store, slug: store.preview(slug, Save("only-a-look", 1, "amend", deal={"title": "x"})),
    lambda store, slug: store.write_draft(slug, 1, Draft(0, "a phone")),
    lambda store, slug: store.show_stakes(slug, on=True),
    lambda store, slug: store.name_devices(slug, {"a phone": "x"}),
    lambda store, slug: store.start_again(slug, store.binned(slug).standing.match),  # type: ignore[union-attr]
)


@pytest.mark.parametrize("ask", range(len(ASKING)))
def test_whatever_asks_for_a_deleted_match_finds_none(own: Store, ask: int) -> None:
    slug = start(own)
    own.load(slug)  # it is in memory
    own.delete(slug)
    with pytest.raises(DeletedMatch):
        unchanged(own, lambda: ASKING[ask](own, slug))


def test_a_deleted_match_is_in_no_list(own: Store) -> None:
    device, _ = own.make_device()
    kept, slug = start(own, device), start(own, device)
    players, title = list(NAMES), "Thursday table"
    assert own.slugs_with(players, "title", title, 9) == [slug, kept]
    own.delete(slug)
    assert [m.slug for m, _ in own.matches_of(device)] == [kept]
    assert own.last_match_of(device) == kept
    assert not own.holds(device, slug)
    assert own.slugs_with(players, "title", title, 9) == [kept]
    assert [one.kept.slug for one in own.bin_of(device)] == [slug]
    own.delete(kept)
    assert own.any_slug() is None
    assert [one.kept.slug for one in own.bin_of(device)] == [slug, kept]
    assert own.bin_of(None) == own.bin_of(own.make_device()[0]) == []


def test_taken_back_it_is_as_it_was(own: Store) -> None:
    """No row of the record is touched, in either direction."""
    slug = start(own)
    before, stood = everything(own), own.standing_with_draft(slug)
    own.delete(slug)
    assert {n: r for n, r in everything(own).items() if n != "match"} == {
        n: r for n, r in before.items() if n != "match"
    }
    own.take_back(slug)
    assert everything(own) == before
    assert own.standing_with_draft(slug) == stood
    unchanged(own, lambda: own.take_back(slug))
    with pytest.raises(UnknownMatch):
        own.take_back("nowhere")


def test_the_days_are_named(own: Store, calendar: Calendar) -> None:
    slug = start(own)
    assert own.binned(slug) is None
    calendar.at = datetime(2026, 12, 30, 23, 59, tzinfo=UTC)
    own.delete(slug)
    binned = own.binned(slug)
    assert binned
    assert (binned.deleted_on, binned.until) == ("2026-12-30", "2027-01-29")


@pytest.mark.parametrize("days", [None, 0, 1, DAYS_IN_BIN - 0.01])
def test_no_row_can_be_deleted_before_its_day(own: Store, calendar: Calendar, days: float | None) -> None:
    """Not of a match that is played, nor of one in the bin; the database itself refuses."""
    other, slug = start(own), start(own)
    calendar.go(days=-2 * DAYS_IN_BIN)
    own.delete(other)  # the days of another match are over
    if days is not None:
        calendar.go(days=-days)
        own.delete(slug)
    match_id = everything(own)["match"][-1][0]
    with sqlite3.connect(own.database.path) as db:
        db.execute("PRAGMA foreign_keys = ON")
        for where in f"match_id = {match_id}", f"match_id = {match_id} AND revision = 1", "1":
            with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
                db.execute(f"DELETE FROM record WHERE {where}")
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            db.execute("DELETE FROM match WHERE id = ?", [match_id])
        db.rollback()
    assert own.empty_bin() == 1
    assert {row[0] for row in rows_of(own)} == {match_id}


def test_no_row_can_be_changed_in_the_bin(own: Store, calendar: Calendar) -> None:
    calendar.go(days=-2 * DAYS_IN_BIN)
    own.delete(start(own))
    with sqlite3.connect(own.database.path) as db, pytest.raises(sqlite3.IntegrityError, match="changed"):
        db.execute("UPDATE record SET body = ''")


def test_after_30_days_nothing_of_it_is_left(own: Store, calendar: Calendar) -> None:
    """Nothing in any table nor anywhere in the file, and nothing else is touched."""
    device, token = own.make_device()
    start(own, device)
    before = everything(own)
    slug = start(own, device, place="Schwarzwaldklinik", players=["Anna", "Ben", "Carla", "Dan"])
    own.new_score_key(slug, end_others=True, but_for=device)
    own.name_devices(slug, {f"device {device}": "Nokia of Schwarzwaldklinik"})
    calendar.go(days=-DAYS_IN_BIN - 0.01)
    own.delete(slug)
    assert own.empty_bin() == 1
    assert everything(own) == before
    assert own.empty_bin() == 0
    assert own.binned(slug) is None
    assert own.device(token) == device
    for file in own.database.path.parent.iterdir():
        assert b"Schwarzwaldklinik" not in file.read_bytes()
        assert slug.encode() not in file.read_bytes()
    with pytest.raises(UnknownMatch):
        own.load(slug)


def test_a_new_match_in_the_place_of_one_that_is_gone(own: Store, calendar: Calendar) -> None:
    """SQLite gives a number anew; what was in memory of the old match is not mixed in."""
    slug = start(own)
    assert own.load(slug).revision == 1
    own.save(slug, Save("a-third-deal", 1, "add", deal=deal_entry("Carla M", passed_out=True)), by="x")
    old = own.load(slug)
    calendar.go(days=-2 * DAYS_IN_BIN)
    own.delete(slug)
    own.empty_bin()
    new = own.load(start(own, title="Friday table"))
    assert new.id == old.id
    assert (new.revision, len(new.deals), new.file["title"]) == (1, 2, "Friday table")


def test_the_bin_is_emptied_once_a_day(own: Store, calendar: Calendar) -> None:
    calendar.go(days=-2 * DAYS_IN_BIN)
    own.delete(start(own))
    assert own.empty_bin_daily() == 1
    own.delete(start(own))
    assert own.empty_bin_daily() == 0
    calendar.go(days=-2 * DAYS_IN_BIN + 1)
    assert own.empty_bin_daily() == 1


def test_the_match_that_follows_may_be_in_the_bin(own: Store) -> None:
    """The first match leads to it no more, and another can follow."""
    slug = start(own)
    match = own.standing(slug)[1].match
    following = own.start_again(slug, match)
    own.delete(following)
    assert own.beside(slug).again == ""
    other = own.start_again(slug, match)
    assert other != following
    own.take_back(following)
    assert own.beside(slug).again == other


# The pages


@pytest.fixture
def scorer(client: FlaskClient) -> Phone:
    """The phone that keeps the score."""
    return Phone(client)


@pytest.fixture
def other(app: Flask) -> Phone:
    """Another phone at the table."""
    return Phone(app.test_client())


@pytest.fixture
def slug(scorer: Phone) -> str:
    """A match with one deal."""
    slug = scorer.start(title="Thursday table")
    scorer.send(scorer.next_deal(slug), contract="D", place_0=0, place_1=1, place_2=2, place_3=3)
    return slug


def delete(phone: Phone, slug: str, name: str = "Anna") -> Page:
    """Delete a match by its name."""
    return phone.send(phone.open(f"/m/{slug}/delete").form(), name=name)


def test_it_is_offered_where_things_are_put_right(scorer: Phone, slug: str, other: Phone) -> None:
    """And on no other page; the page that asks is its own, and has no bar to save with."""
    for address in "", "/deals/new", "/share", "/hand-over", "/history", "/settle", "/change/points":
        assert f"/m/{slug}/delete" not in scorer.open(f"/m/{slug}{address}").links
    assert scorer.open(f"/m/{slug}/change").links[-1] == f"/m/{slug}/delete"
    page = scorer.open(f"/m/{slug}/delete")
    assert page.heading == "Delete this match?"
    assert not list(page.elements.all(class_="save"))
    assert other.open(f"/m/{slug}/delete").address == f"/m/{slug}"
    assert scorer.open("/m/nowhere/delete").status == 404


def test_it_says_what_goes(scorer: Phone, slug: str, store: Store) -> None:
    text = unchanged(store, lambda: scorer.open(f"/m/{slug}/delete")).text
    for told in (
        *NAMES,
        "Thursday table",
        store.load(slug).file["date"],
        "1 deal",
        "Nobody can watch",
        "30 days",
    ):
        assert told in text


@pytest.mark.parametrize("typed", ["", " ", "Thursday", "Bert", "yes", "1", "\u200e", "An\nna", "x" * 5000])
def test_a_name_that_is_none_of_its_own(scorer: Phone, slug: str, store: Store, typed: str) -> None:
    page = unchanged(store, lambda: delete(scorer, slug, typed))
    assert page.status == 422
    assert page.wrong == {"name": ["That is neither its title nor one of its players."]}
    assert page.form("delete")["name"] == typed
    field = page.elements.one("input", name="name")
    assert (field.attributes["aria-invalid"], field.attributes["aria-describedby"]) == ("true", "wrong-name")


def test_a_match_without_a_title(scorer: Phone, store: Store) -> None:
    slug = scorer.start(title="")
    assert "title" not in scorer.open(f"/m/{slug}/delete").elements.one("label").text
    page = unchanged(store, lambda: delete(scorer, slug, "Barbu"))
    assert page.wrong == {"name": ["That is none of its players."]}
    assert delete(scorer, slug, "Dan").address == "/bin"


@pytest.mark.parametrize(
    "typed",
    [
        "Zoë's table",
        " zoe's  TABLE ",
        "Bartholomaus Maximilian von Hohenstaufen",
        "bartholomäus",
        "مريم",
        "\u2067מְרִים\u2069",
        "מרים",
        "👩‍👩‍👧‍👦",
    ],
)
def test_names_as_a_tired_player_types_them(scorer: Phone, store: Store, typed: str) -> None:
    """The title, a player, or the first word of one; capitals, accents and spaces do not matter."""
    names = ("Bartholomäus Maximilian von Hohenstaufen", "مريم عبد الرحمن", "מְרִים", "👩‍👩‍👧‍👦")
    slug = scorer.start(*names, title="Zoë's table")
    assert delete(scorer, slug, typed).address == "/bin"
    assert store.binned(slug)


def test_a_name_of_signs_that_are_not_seen() -> None:
    assert plain("\u0301") == plain(" \u0301 ") != ""
    assert plain(" \u200e ") == "\u200e"


@pytest.mark.parametrize("page", ["delete", "take-back"])
def test_only_by_who_may_score(slug: str, scorer: Phone, other: Phone, store: Store, page: str) -> None:
    """401 for a phone that holds nothing, 403 for one that scores another match, 400 without a token."""
    if page == "take-back":
        delete(scorer, slug)
    token = other.client.get("/csrf").get_json()["token"]
    for phone, status in (other, 401), (other, 403), (scorer, 400):
        data = {"csrf_token": token if phone is other else "wrong", "name": "Anna"}
        answer = unchanged(
            store,
            lambda: phone.client.post(f"/m/{slug}/{page}", data=data),  # noqa: B023
        )
        assert answer.status_code == status
        if status == 401:
            other.start()


def test_a_phone_whose_link_was_replaced(slug: str, scorer: Phone, other: Phone, store: Store) -> None:
    other.join(f"/join/{store.new_score_key(slug)}")
    device = scorer.client.get_cookie("scorepad_device")
    assert device
    store.new_score_key(slug, end_others=True, but_for=store.device(device.value))
    token = other.client.get("/csrf").get_json()["token"]
    assert (
        other.client.post(f"/m/{slug}/delete", data={"csrf_token": token, "name": "Anna"}).status_code == 403
    )
    delete(scorer, slug)
    assert other.client.post(f"/m/{slug}/take-back", data={"csrf_token": token}).status_code == 403
    assert other.open(f"/m/{slug}").status == 404
    assert slug not in other.open("/bin").html
    assert "/bin" not in other.open("/").links


def addresses(app: Flask, slug: str, deal_id: str) -> Iterator[tuple[str, str]]:
    """Every method and address of the app that belongs to a match, but for the one that takes it back."""
    values = {
        "slug": slug,
        "deal_id": deal_id,
        "kind": "points",
        "number": "1",
        "revision": "1",
        "side": "after",
        "player": "0",
    }
    for rule in app.url_map.iter_rules():
        if "slug" in rule.arguments and rule.endpoint != "deleting.take_back":
            address = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values[found[1]], rule.rule)
            yield from ((method, address) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"})


def test_every_address_of_a_deleted_match(
    app: Flask, slug: str, scorer: Phone, other: Phone, store: Store
) -> None:
    """Says when it was deleted to who could score it, with a way back, and nothing to anybody else."""
    deal_id = store.load(slug).deals[0].deal_id
    day = datetime.now(UTC).date()
    delete(scorer, slug)
    until = day + timedelta(DAYS_IN_BIN)
    told = f"This match was deleted on {day}. Whoever kept its score can take it back until {until}."
    seen = 0
    for method, address in addresses(app, slug, deal_id):
        token = scorer.client.get("/csrf").get_json()["token"]
        sent: dict[str, Any] = {"headers": {"X-CSRFToken": token}, "follow_redirects": True}
        if address.startswith("/api/") and method != "GET":
            sent["json"] = {}
        mine = unchanged(store, lambda: scorer.client.open(address, method=method, **sent))  # noqa: B023
        assert mine.status_code == 410, (method, address)
        if address.startswith("/api/"):
            assert mine.get_json() == {"error": "deleted", "message": told, "problems": []}
        else:
            page = Page(mine)
            assert told in page.text
            assert page.elements.one("form").attributes["action"] == f"/m/{slug}/take-back"
        theirs = unchanged(store, lambda: other.client.open(address, method=method, follow_redirects=True))  # noqa: B023
        assert theirs.status_code == (404 if method == "GET" else 401), (method, address)
        assert not any(name in theirs.text for name in NAMES)
        seen += 1
    assert seen > 30


def test_a_script_with_the_key(app: Flask, slug: str, scorer: Phone, other: Phone, store: Store) -> None:
    key = {"Authorization": f"Bearer {store.new_score_key(slug)}"}
    delete(scorer, slug)
    body = {"id": "too-late-for-it", "seen": 2, "deal": deal_entry("Ben M", passed_out=True)}
    for answer in (
        other.client.get(f"/api/matches/{slug}", headers=key),
        other.client.post(f"/api/matches/{slug}/deals", json=body, headers=key),
    ):
        assert (answer.status_code, answer.get_json()["error"]) == (410, "deleted")
    assert other.client.get(f"/api/matches/{slug}").status_code == 404
    wrong = other.client.get(f"/api/matches/{slug}", headers={"Authorization": "Bearer wrong"})
    assert wrong.status_code == 404


def test_home_and_the_bin(slug: str, scorer: Phone, other: Phone) -> None:
    second = scorer.start(title="Friday table")
    assert "/bin" not in scorer.open("/").links
    assert "no deleted match" in scorer.open("/bin").text
    page = delete(scorer, slug)
    assert (page.status, page.heading) == (200, "Deleted matches")
    until = datetime.now(UTC).date() + timedelta(DAYS_IN_BIN)
    for told in (*NAMES, "Thursday table", "1 deal", f"gone for good after {until}"):
        assert told in page.text
    assert "Friday table" not in page.text
    home = scorer.open("/")
    assert "/bin" in home.links
    assert f"/m/{second}" in home.links
    assert f"/m/{slug}" not in home.links
    assert slug not in other.open("/bin").html
    back = scorer.send(page.form())
    assert (back.status, back.address) == (200, f"/m/{slug}")
    assert f"/m/{slug}" in scorer.open("/").links
    assert "/bin" not in scorer.open("/").links
    assert other.open(f"/m/{slug}").status == 200
    assert scorer.send(page.form()).address == f"/m/{slug}"  # a second tap


def test_another_phone_of_the_match_can_take_it_back(
    slug: str, scorer: Phone, other: Phone, store: Store
) -> None:
    other.join(f"/join/{store.new_score_key(slug)}")
    page = other.open(f"/m/{slug}/delete")
    delete(scorer, slug)
    assert other.send(page.form(), name="Anna").status == 410  # both deleted it
    assert other.send(other.open(f"/m/{slug}").form()).address == f"/m/{slug}"
    assert scorer.open(f"/m/{slug}").status == 200


def test_the_scoring_link_of_a_deleted_match(slug: str, scorer: Phone, other: Phone, store: Store) -> None:
    """A new phone may join to take the match back; whoever runs the server can make the link."""
    delete(scorer, slug)
    link = f"/join/{store.new_score_key(slug)}"
    asked = other.open(link)
    assert (asked.status, asked.heading) == (200, "Keep the score on this phone?")
    assert "This match was deleted on" in asked.text
    page = other.send(asked.form())
    assert (page.status, page.heading) == (410, "This match was deleted")
    assert other.send(page.form()).status == 200
    assert "deleted" not in other.open(link).text


def test_a_form_that_was_open_all_the_time(slug: str, scorer: Phone, store: Store) -> None:
    form = scorer.next_deal(slug)
    delete(scorer, slug)
    page = unchanged(store, lambda: scorer.send(form, contract="M", passed_out=1))
    assert (page.status, page.heading) == (410, "This match was deleted")


def test_a_match_file_of_a_deleted_match_is_unknown(scorer: Phone, other: Phone) -> None:
    """To everybody, until it is taken back."""
    slug = scorer.start(title="unlike any other")
    file = scorer.client.get(f"/m/{slug}/match.json").data
    unknown = "This match is unknown here."
    for expected in False, True:
        for phone in scorer, other:
            token = phone.client.get("/csrf").get_json()["token"]
            sent = {"csrf_token": token, "file": (BytesIO(file), "match.json")}
            page = Page(phone.client.post("/verify", data=sent))
            assert page.status == 200
            assert (unknown in page.text) == expected
        if not expected:
            delete(scorer, slug)


def test_the_rules_of_a_deleted_match_are_not_offered(app: Flask, scorer: Phone) -> None:
    slug = scorer.start(preset="german")
    assert "As last time" in scorer.open("/new").text
    delete(scorer, slug)
    page = scorer.open("/new")
    assert page.status == 200
    assert "As last time" not in page.text


# Gone for good


def test_the_first_request_of_a_day_empties_the_bin(
    app: Flask, slug: str, scorer: Phone, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the PDFs that were made before the match was deleted."""
    maker: PdfMaker = app.extensions["pdf"]
    cache = Path(app.instance_path) / "sheets"
    cache.mkdir(exist_ok=True)
    old, new = cache / "old.pdf", cache / "new.pdf"
    for file in old, new:
        file.write_bytes(b"%PDF-1.7")
    an_age_ago = time.time() - (DAYS_IN_BIN + 1) * 86_400
    os.utime(old, (an_age_ago, an_age_ago))
    monkeypatch.setattr(
        store, "now", lambda: (TODAY - timedelta(DAYS_IN_BIN, 60)).isoformat(timespec="seconds")
    )
    delete(scorer, slug)
    assert scorer.open(f"/m/{slug}").status == 410
    monkeypatch.setattr(store, "now", lambda: (TODAY + timedelta(1)).isoformat(timespec="seconds"))
    assert scorer.open(f"/m/{slug}").status == 404
    assert store.binned(slug) is None
    assert "/bin" not in scorer.open("/").links
    assert (old.exists(), new.exists()) == (False, True)
    new.unlink()
    maker.forget(days=0)  # an empty folder is none to complain about


def test_a_request_does_not_fail_for_the_bin(
    app: Flask, slug: str, scorer: Phone, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or another process that writes: it is tried again the day after."""

    def fails(_: Store) -> int:
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(Store, "empty_bin", fails)
    monkeypatch.setattr(store, "now", lambda: (TODAY + timedelta(2)).isoformat(timespec="seconds"))
    assert scorer.open(f"/m/{slug}").status == 200


def test_a_database_from_before_there_was_a_bin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its matches stand as they stood, and can be deleted; their rows are as safe as those of new ones."""
    match = read_match(match_file(KING)).match
    assert match
    with monkeypatch.context() as earlier:
        names = [m.name for m in migrations._migrations]
        before = migrations._migrations[: names.index("bin_of_matches")]
        earlier.setattr(migrations, "_migrations", before)
        old = Store(tmp_path / "scorepad.db")
        slug, _ = old.start(match)
        old.database.close()
    store = Store(tmp_path / "scorepad.db")
    assert len(store.load(slug).deals) == 1
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"), store.database.writing() as db:
        db.execute("DELETE FROM record")
    store.delete(slug)
    assert store.binned(slug)


# The command line


def test_a_link_for_a_deleted_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path))
    store = Store(tmp_path / "scorepad.db")
    slug = start(store)
    store.delete(slug)
    made = CliRunner().invoke(main, ["links", slug])
    assert made.exit_code == 0
    assert store.slug_of_key(made.output.strip().removeprefix("/join/")) == slug
