"""A disk that does not take a save: told on the page and by the API, inputs kept, no restart needed."""

from __future__ import annotations

import http.client
import io
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from builders import NAMES, case_file, deal_entry, match_file
from conftest import Server
from disks import BoundServer, DiskServer, SmallDiskServer, ended
from flask import Flask
from flask.testing import FlaskClient
from saving import call, check_record, crowd, figures_of, start_table
from webpages import Form, Page, Phone
from werkzeug.test import Client
from werkzeug.wrappers import Request as WerkzeugRequest

from scorepad.matchfile import read_match
from scorepad.pdf import PdfMaker
from scorepad.store import NotSaved, Save, Store, Trouble
from scorepad.store.trouble import trouble_of
from scorepad.views.unsaved import TO_DO, WHY

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
MISERE = deal_entry("Ben M", doubles={"Anna": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 7, "Dan": 2}})


def wire(server: Server) -> Callable[..., list[bytes]]:
    """A WSGI app that hands every request to a real server, so that a phone without scripts can meet it."""

    def app(environ: dict[str, Any], start: Any) -> list[bytes]:
        asked = WerkzeugRequest(environ)
        headers = {n: v for n, v in asked.headers.items() if n not in {"Host", "Accept-Encoding"}}
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as line:
            line.request(asked.method, asked.full_path, asked.get_data(), headers)
            answer = line.getresponse()
            body = answer.read()
        start(f"{answer.status} {answer.reason}", [h for h in answer.getheaders() if h[0] != "Connection"])
        return [body]

    return app


def phone_at(server: Server) -> Phone:
    """A phone without scripts in front of a real server."""
    return Phone(cast("FlaskClient", Client(wire(server))))  # it is used as Flask's is


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DiskServer]:
    """A server whose disk can be made to refuse."""
    server = DiskServer(tmp_path_factory.mktemp("disk"))
    yield server
    server.stop()


@pytest.fixture
def server(running: DiskServer) -> Iterator[DiskServer]:
    """The same, with a disk that takes everything at first."""
    yield running
    running.allow()


@pytest.fixture
def phone(server: DiskServer) -> Phone:
    """A phone in front of it."""
    return phone_at(server)


def revision(server: Server, slug: str) -> int:
    """The revision at which a match stands."""
    return int(call(server.port, "GET", f"/api/matches/{slug}").body["revision"])


# The page of a deal, and the page that starts a match


def goes_through_later(server: Any, phone: Phone, why: str) -> str:
    """A deal that the disk refuses stays in its form; sent again it is saved, once, by the same server."""
    slug = phone.start()
    form = phone.next_deal(slug).fill(contract="B", doubles=["10"], king=1, note="kept")
    typed = form.typed()
    server.refuse("ENOSPC")
    for _ in range(2):
        page = phone.send(form)
        assert page.status == 503
        assert page.heading == "Anna declares"
        assert page.wrong["form"][0].startswith(why)
        assert page.form("deal").typed() == typed
        assert page.form("deal")["id"] == form["id"]
        assert revision(server, slug) == 1
        assert phone.open(f"/m/{slug}").status == 200
        form = page.form("deal")
    server.allow()
    assert "Deal 1 is saved" in phone.send(form).text
    assert call(server.port, "GET", f"/api/matches/{slug}/now").body["deal_ids"] == [form["id"]]
    assert phone.send(form).status == 200  # the same again changes nothing
    assert revision(server, slug) == 2
    return slug


def test_a_deal_on_a_full_disk(server: DiskServer, phone: Phone) -> None:
    goes_through_later(server, phone, WHY[Trouble.DISK_FULL])


@pytest.mark.skipif(not SmallDiskServer.can_be(), reason="only root may make a small filesystem")
def test_a_deal_on_a_small_filesystem_that_is_full(tmp_path: Path) -> None:
    with ended(SmallDiskServer(tmp_path)) as small:
        slug = goes_through_later(small, phone_at(small), WHY[Trouble.DISK_FULL])
        small.refuse("ENOSPC")
        assert call(small.port, "GET", f"/m/{slug}/sheet.pdf").body[:5] == b"%PDF-"
        assert not [*(small.filler.parent / "sheets").glob("*.pdf")]


@pytest.mark.parametrize("error", ["EROFS", "EIO", "EDQUOT"])
def test_other_disks_that_refuse(server: DiskServer, phone: Phone, error: str) -> None:
    slug = phone.start()
    form = phone.next_deal(slug).fill(contract="B", doubles=["10"], king=1)
    server.refuse(error)
    page = phone.send(form)
    assert (page.status, page.wrong["form"][0]) == (
        503,
        f"{WHY[Trouble.DISK_FAILED]} {TO_DO[Trouble.DISK_FAILED]}",
    )
    server.allow()
    assert "Deal 1 is saved" in phone.send(page.form("deal")).text


def test_a_new_match_on_a_full_disk(server: DiskServer, phone: Phone) -> None:
    form = phone.open("/new").form("start").fill(name_0="Anna", name_1="Ben", name_2="Carla", name_3="Dan")
    form.fill(first=2, preset="german", title="Thursday", compulsory_doubles=1)
    typed = form.typed()
    server.refuse("ENOSPC")
    page = phone.send(form)
    assert (page.status, page.heading) == (503, "New match")
    assert page.wrong["form"][0].startswith(WHY[Trouble.DISK_FULL])
    assert page.form("start").typed() == typed
    server.allow()
    table = phone.send(page.form("start"))
    assert table.status == 200
    assert "Thursday" in table.text


def test_a_match_file_on_a_full_disk(server: DiskServer, phone: Phone) -> None:
    token = phone.open("/new").form("bring")["csrf_token"]
    server.refuse("ENOSPC")

    def bring() -> Page:
        file = (io.BytesIO(case_file("full-match")), "match.json")
        sent = {"csrf_token": token, "file": file}
        return Page(phone.client.post("/import", data=sent, follow_redirects=True))

    page = bring()
    assert (page.status, page.heading) == (503, "New match")
    assert page.wrong[""][0].startswith(WHY[Trouble.DISK_FULL])
    server.allow()
    assert bring().status == 200


# Every other form


PLAYED = match_file(KING, MISERE, title="Thursday")


def forms(phone: Phone, slug: str, deal_id: str) -> Iterator[tuple[str, Form]]:
    """Every form that writes, filled in, and the id that the form has when it is shown again."""
    deal = phone.next_deal(slug).fill(contract="B", doubles=["12"], king=0)
    yield "deal", deal.fill(do="play")
    yield "deal", phone.next_deal(slug).fill(do="drop")
    looked = phone.send(phone.open(f"/m/{slug}/deals/{deal_id}").form("deal"), note="corrected")
    yield "deal", looked.form("deal")
    forgotten = phone.open(f"/m/{slug}/deals/insert/1").form("deal")
    forgotten.fill(contract="D", declarer=3, place_0=0, place_1=1, place_2=2, place_3=3)
    yield "deal", phone.send(forgotten).form("deal")
    looked = phone.send(phone.open(f"/m/{slug}/change/about").form("change"), place="Zoë’s")
    yield "change", looked.form("change").fill(do="save")
    yield "again", phone.open(f"/m/{slug}/undo").form()
    yield "again", phone.open(f"/m/{slug}/history").form("devices").fill(name_0="Anna’s <phone>")
    yield "again", phone.open(f"/m/{slug}/hand-over").form("hand-over").fill(end_others=1)
    yield "again", phone.open(f"/m/{slug}/deals/{deal_id}/remove").form()
    stakes = next(
        f for f in phone.open(f"/m/{slug}").elements.all("form") if "stakes" in f.attributes["action"]
    )
    yield "again", Form(stakes, stakes, "")


def test_every_form_is_kept_and_goes_through_later(server: DiskServer, phone: Phone) -> None:
    made = call(server.port, "POST", "/api/matches", PLAYED).body
    slug = made["slug"]
    phone.join(f"/join/{made['score_key']}")
    first = revision(server, slug)
    for shown, form in forms(phone, slug, "file-deal-01"):
        before = revision(server, slug)
        server.refuse("ENOSPC")
        page = phone.send(form)
        assert page.status == 503, form.action
        assert WHY[Trouble.DISK_FULL] in page.text, form.action
        again = page.form(shown)
        assert again.typed() == form.typed(), form.action
        assert revision(server, slug) == before
        server.allow()
        sent = phone.send(again, **({"do": form["do"]} if "do" in form.values else {}))
        assert sent.status == 200, form.action
    assert revision(server, slug) == first + 5


def test_joining_on_a_full_disk(server: DiskServer, phone: Phone) -> None:
    """A phone that nobody knows yet gets its cookie when it is on disk."""
    made = call(server.port, "POST", "/api/matches", PLAYED).body
    form = phone.open(f"/join/{made['score_key']}").form()
    server.refuse("ENOSPC")
    page = phone.send(form)
    assert (page.status, page.heading) == (503, "Not saved")
    server.allow()
    assert phone.send(page.form("again")).status == 200
    assert phone.open(f"/m/{made['slug']}/deals/new").heading == "Carla declares"


def test_again_with_these_four_on_a_full_disk(server: DiskServer, phone: Phone) -> None:
    made = call(server.port, "POST", "/api/matches", {**PLAYED, "abandoned": True}).body
    table = phone.join(f"/join/{made['score_key']}")
    form = next(f for f in table.elements.all("form") if f.attributes["action"].endswith("/again"))
    server.refuse("ENOSPC")
    page = phone.send(Form(form, form, ""))
    assert (page.status, page.heading) == (503, "Not saved")
    server.allow()
    following = phone.send(page.form("again"))
    assert following.status == 200
    assert made["slug"] not in following.address


def test_pages_open_on_a_full_disk(server: DiskServer, phone: Phone) -> None:
    made = call(server.port, "POST", "/api/matches", PLAYED).body
    slug = made["slug"]
    phone.join(f"/join/{made['score_key']}")
    server.refuse("ENOSPC")
    stranger = phone_at(server)
    for address in (
        "/",
        "/new",
        f"/m/{slug}",
        f"/m/{slug}/history",
        f"/m/{slug}/sheet",
        f"/join/{made['score_key']}",
    ):
        assert stranger.open(address).status == 200, address
        assert phone.open(address).status == 200, address
    for address in (
        f"/m/{slug}/deals/new",
        f"/m/{slug}/undo",
        f"/m/{slug}/change/points",
        f"/m/{slug}/hand-over",
    ):
        assert phone.open(address).status == 200, address


# The API


def test_the_api_on_a_full_disk(server: DiskServer) -> None:
    table = start_table(server.port)
    save = table.next_save("on-a-full-disk", Random(1))
    path, open_deal = f"/api/matches/{table.slug}/open", {k: v for k, v in KING.items() if k != "result"}
    names = dict(zip(NAMES, table.players, strict=True))
    declared = {"declarer": names["Anna"], "contract": open_deal["contract"]}
    server.refuse("ENOSPC")
    writing: list[tuple[str, str, Any]] = [
        tuple(save),
        ("PUT", path, {"draft": 0, "spoken": 0, "deal": declared}),
        ("DELETE", path, {"draft": 0}),
        ("POST", "/api/matches", match_file()),
    ]
    for asked in writing:
        answer = call(server.port, *asked, key=table.key)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "10"), asked
        assert answer.body == {
            "error": "not_saved",
            "message": WHY[Trouble.DISK_FULL],
            "reason": "disk_full",
            "problems": [],
        }
    server.allow()
    assert call(server.port, *save, key=table.key).status == 201
    assert call(server.port, *save, key=table.key).status == 200
    assert revision(server, table.slug) == 2


def test_whoever_runs_it_is_told_once(tmp_path: Path) -> None:
    with ended(DiskServer(tmp_path)) as server:
        table = start_table(server.port)
        save = table.next_save("told-once", Random(1))
        server.refuse("ENOSPC")
        assert [call(server.port, *save, key=table.key).status for _ in range(20)] == [503] * 20
        server.allow()
        assert call(server.port, *save, key=table.key).status == 201
    said = (tmp_path / "complaints.txt").read_text(encoding="utf-8").splitlines()
    path = server.data / "scorepad.db"
    assert said == [
        f"nothing can be saved in {path}: database or disk is full",
        f"saving in {path} works again",
    ]


def test_a_disk_that_is_full_again_and_again(server: DiskServer) -> None:
    """Clients that repeat what was not saved lose nothing, and nothing is saved twice."""
    clients = crowd(server.port, 3, 7)
    with ThreadPoolExecutor(3) as pool:
        saving = [pool.submit(lambda c: list(c.saves(30)), client) for client in clients]
        while not all(work.done() for work in saving):
            server.refuse("ENOSPC")
            time.sleep(0.04)
            server.allow()
            time.sleep(0.04)
        for work in saving:
            work.result()
    refused = [answer for c in clients for answer in c.refused]
    assert refused
    assert {(r.status, r.body["error"]) for r in refused} == {(503, "not_saved")}
    check_record(server.data, clients, figures_of(server.port, clients))


# A database that may not be written


@pytest.mark.parametrize("ends", [Server.stop, Server.kill])
def test_a_database_that_may_not_be_written(tmp_path: Path, ends: Callable[[Server], None]) -> None:
    """The server starts and shows what there is; it saves as soon as it may, without being started again."""
    with ended(BoundServer(tmp_path)) as server:
        phone = phone_at(server)
        slug = phone.start()
        ends(server)
        server.protect()
        server.start()
        for _ in range(12):  # each of the server's threads
            form = phone.next_deal(slug).fill(contract="B", doubles=["10"], king=1)
        page = phone.send(form)
        why = f"{WHY[Trouble.READ_ONLY]} {TO_DO[Trouble.READ_ONLY]}"
        assert (page.status, page.wrong["form"][0]) == (503, why)
        assert page.form("deal").typed() == form.typed()
        for _ in range(12):  # each of the server's threads
            refused = call(server.port, "POST", "/api/matches", match_file())
            assert (refused.status, refused.body["reason"]) == (503, "read_only")
        server.allow()
        for _ in range(12):
            sent = phone.send(page.form("deal"))
            assert sent.status == 200, sent.wrong
            assert call(server.port, "POST", "/api/matches", match_file()).status == 201
        assert revision(server, slug) == 2
    assert "Traceback" not in (tmp_path / "complaints.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("made", ["a folder", "no database"])
def test_a_database_that_cannot_be_opened_ends_the_start_with_one_line(tmp_path: Path, made: str) -> None:
    if made == "a folder":
        (tmp_path / "scorepad.db").mkdir()
    else:
        (tmp_path / "scorepad.db").write_bytes(b"no database at all" * 100)
    command = [sys.executable, "-m", "scorepad", "serve", "--host", "127.0.0.1", "--port", "0"]
    ended = subprocess.run(
        command,
        env={**os.environ, "SCOREPAD_DATA": str(tmp_path)},
        capture_output=True,
        check=False,
        text=True,
        timeout=30,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.splitlines()[-1].startswith(f"Error: {tmp_path}")
    assert "Traceback" not in ended.stderr


# The store by itself


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    made = Store(tmp_path / "scorepad.db")
    yield made
    made.database.close()


def start(store: Store, *deals: Any) -> str:
    """A match with these deals."""
    match = read_match(match_file(*deals)).match
    assert match
    return store.start(match)[0]


def test_after_a_full_disk_the_connection_goes_on(store: Store) -> None:
    """SQLite's own limit of pages says the same as a full disk, in the middle of a transaction."""
    slug = start(store)
    db = store.database.reading()
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    long = {**KING, "note": "n" * 200}
    with pytest.raises(NotSaved) as refused:
        all(start(store, long) for _ in range(200))
    assert refused.value.trouble is Trouble.DISK_FULL
    assert not db.conn.in_transaction
    assert store.database.reading() is db
    db.execute("PRAGMA max_page_count = 1000000")
    assert store.save(slug, Save("after-that", 1, "add", deal=KING), by="phone").revision == 2


def test_a_database_that_somebody_else_keeps_busy(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    slug = start(store)
    monkeypatch.setattr("scorepad.store.database.PATIENCE", 0.05)
    impatient = Store(store.database.path)
    save = Save("after-that", 1, "add", deal=KING)
    with store.database.writing():
        with pytest.raises(NotSaved) as refused:
            impatient.save(slug, save, by="phone")
        assert refused.value.trouble is Trouble.BUSY
    assert impatient.save(slug, save, by="phone").revision == 2
    impatient.database.close()


def test_what_is_no_fault_of_the_disk_stays_what_it_is(store: Store) -> None:
    start(store)
    for wrong in (
        "SELECT nothing",
        "UPDATE record SET by = ''",
        "INSERT INTO draft VALUES (99, 1, '', 0, NULL, '')",
    ):
        with pytest.raises(sqlite3.Error) as error, store.database.writing() as db:
            db.execute(wrong)
        assert trouble_of(error.value) is None
    assert not store.database.reading().conn.in_transaction


def test_reading_that_fails_is_told_too(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    store: Store = app.extensions["store"]
    slug = start(store)

    def fails(*_: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
        raise error

    monkeypatch.setattr("scorepad.store.store.match_id_of", fails)
    client = app.test_client()
    page = Page(client.get(f"/m/{slug}"))
    assert (page.status, page.heading) == (503, "The matches cannot be read just now")
    answer = client.get(f"/api/matches/{slug}")
    assert (answer.status_code, answer.get_json()["error"]) == (503, "unavailable")


def test_reading_that_fails_for_another_reason_is_our_fault(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("no such column")

    monkeypatch.setattr("scorepad.store.store.Store.standing_with_draft", fails)
    monkeypatch.setitem(app.config, "TESTING", False)
    monkeypatch.setitem(app.config, "PROPAGATE_EXCEPTIONS", False)
    assert app.test_client().get("/m/anything").status_code == 500


@pytest.mark.parametrize("arguments", [("links", "SLUG"), ("serve", "--demo", "--host", "127.0.0.1")])
def test_a_command_that_cannot_write_says_so_in_one_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with ended(BoundServer(tmp_path)) as server:
        slug = phone_at(server).start()
    server.protect()
    asked = [slug if a == "SLUG" else a for a in arguments]
    ended_with = subprocess.run(
        [sys.executable, *server.program, *asked],
        env={**os.environ, "SCOREPAD_DATA": str(server.data)},
        capture_output=True,
        check=False,
        text=True,
        timeout=30,
    )
    assert ended_with.returncode == 1
    assert ended_with.stderr.splitlines()[-1].startswith(f"Error: {server.data}")
    assert "Traceback" not in ended_with.stderr


# The PDF


def test_a_pdf_that_cannot_be_kept_is_answered_all_the_same(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder of the sheets is no folder, as good as a full one."""
    store: Store = app.extensions["store"]
    slug, maker = start(store), app.extensions["pdf"]
    assert isinstance(maker, PdfMaker)
    (tmp_path / "sheets").touch()
    monkeypatch.setattr(maker, "_cache", tmp_path / "sheets")
    answer = app.test_client().get(f"/m/{slug}/sheet.pdf")
    assert (answer.status_code, answer.mimetype, answer.data[:5]) == (200, "application/pdf", b"%PDF-")
