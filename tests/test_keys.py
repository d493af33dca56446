"""Keys and cookies: long enough, kept as hashes, and told by no answer but the one that made them."""

from __future__ import annotations

import base64
import json
import logging
import os
import re
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import deal_entry, match_file
from click.testing import CliRunner
from conftest import Server
from fingers import send, start_match
from flask import Flask
from records import unchanged
from webpages import Page, Phone
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorepad import create_app
from scorepad.cli import main
from scorepad.matchfile import read_match
from scorepad.store import Draft, Save, Store
from scorepad.store.access import KEY_BYTES, SLUG_BYTES, find_secret, hashed, name_of_key, new_key, new_slug
from scorepad.table import Seat

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Dan"})
MISERE = deal_entry("Ben M", passed_out=True)

#: What stands for each part of an address, but for those that a table knows.
PARTS = {
    "kind": "points",
    "number": "1",
    "revision": "2",
    "side": "after",
    "player": "0",
    "filename": "pad.css",
    "kept_version": "v-0",
}

#: The answers that make a key, and tell it this once.
MAKES_A_KEY = {("POST", "api.start"), ("POST", "join.hand_over")}


class Table:
    """A match that a script and a phone score, and one phone no more; with all its secrets."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.store: Store = app.extensions["store"]
        match = read_match({**match_file(KING, MISERE), "title": "Thursday table"}).match
        assert match
        self.slug, self.key = self.store.start(match)
        self.ended = self.key
        self.joined, self.left, self.watcher = (Phone(app.test_client()) for _ in range(3))
        self.left.join(f"/join/{self.key}")
        self.key = self.store.new_score_key(self.slug, end_others=True)
        self.joined.join(f"/join/{self.key}")
        self.script = {"Authorization": f"Bearer {self.key}"}
        ((_, self.code),) = self.store.new_seat_codes(self.slug, (Seat.NORTH,))
        by = name_of_key(self.key)
        self.store.save(
            self.slug, Save("by-a-script", 1, "correct", "file-deal-01", {**KING, "note": "x"}), by=by
        )
        self.store.write_draft(self.slug, 0, Draft(0, by, 4, deal_entry("Carla NQ")))

    @property
    def secrets(self) -> tuple[str, ...]:
        """Both keys, a code for a seat, and what stands in the cookies of both phones."""
        cookies = [phone.client.get_cookie("scorepad_device") for phone in (self.joined, self.left)]
        return (self.key, self.ended, self.code, *(cookie.value for cookie in cookies if cookie))

    def address(self, rule: Rule) -> str:
        """An address by a rule of the app; a part of an address that is new here has to be added to PARTS."""
        parts = PARTS | {"slug": self.slug, "deal_id": "file-deal-01", "key": self.key, "code": self.code}
        return re.sub(r"<(?:[^:<>]+:)?(\w+)>", lambda found: parts[found[1]], rule.rule)


@pytest.fixture
def table(app: Flask) -> Table:
    """A match with secrets."""
    return Table(app)


def routes(app: Flask) -> Iterator[tuple[str, Rule]]:
    """Every method and address there is, those that only look first."""
    known = [(m, rule) for rule in app.url_map.iter_rules() for m in rule.methods or () if m != "OPTIONS"]
    yield from sorted(known, key=lambda one: one[0] not in {"GET", "HEAD"})


def is_silent(answer: TestResponse, table: Table, what: object) -> str:
    """Neither the answer nor its headers tell a secret, and cookies are not for scripts; all that is told."""
    told = f"{answer.headers}\n{answer.data.decode('utf-8', 'replace')}"
    for secret in table.secrets:
        assert secret not in told, what
    for cookie in answer.headers.getlist("Set-Cookie"):
        assert "HttpOnly" in cookie, what
    return told


# How long they are, and how they are kept


def test_how_long_they_are() -> None:
    """At least 128 bits from the system's randomness; a key and a cookie have 192."""
    assert SLUG_BYTES * 8 >= 128
    assert KEY_BYTES * 8 >= 192
    for made, size in (new_slug, SLUG_BYTES), (new_key, KEY_BYTES):
        many = [base64.urlsafe_b64decode(made()) for _ in range(2000)]
        assert {len(one) for one in many} == {size}
        assert len(set(many)) == len(many)
        for place in range(size):
            assert len({one[place] for one in many}) > 200  # no byte of it is given


def test_what_a_device_gets_is_as_long(table: Table) -> None:
    for secret in table.secrets:
        assert len(base64.urlsafe_b64decode(secret)) == KEY_BYTES


def test_no_file_holds_them(tmp_path: Path) -> None:
    """The database, its log beside it, the secret of the sessions: only hashes."""
    app = create_app(tmp_path, {"TESTING": True})
    table = Table(app)
    fresh = re.search(r"/join/([\w-]{32})", hand_over(table.joined, table.slug).html)
    assert fresh
    kept = {file.name: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert {"scorepad.db", "scorepad.db-wal"} <= set(kept)
    both = kept["scorepad.db"] + kept["scorepad.db-wal"]
    for secret in (*table.secrets, fresh[1]):
        assert hashed(secret).encode() in both
        for name, content in kept.items():
            assert secret.encode() not in content, name
            assert base64.urlsafe_b64decode(secret) not in content, name
    table.store.database.close()


def test_a_key_is_found_by_all_of_its_hash(table: Table) -> None:
    """What begins or ends like a key, its hash, or a pattern is none."""
    db = table.store.database.reading()
    assert find_secret(db, "match_id", "score_key", table.key)
    for wrong in (table.key[:-1], table.key + "=", table.key.swapcase(), hashed(table.key), "%", "", "\x00"):
        assert find_secret(db, "match_id", "score_key", wrong) is None
        assert table.store.slug_of_key(wrong) is None
        assert table.watcher.open(f"/join/{wrong.replace('%', '%25').replace(chr(0), '%00')}").status == 404


def test_the_hash_of_what_was_found_is_compared_once_more(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[str, str]] = []

    def differs(one: str, other: str) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr("scorepad.store.access.hmac.compare_digest", differs)
    assert table.store.slug_of_key(table.key) is None
    assert compared == [(hashed(table.key),) * 2]


# What is told


def hand_over(phone: Phone, slug: str, **values: str) -> Page:
    """Make a scoring link on its own page."""
    return phone.send(phone.open(f"/m/{slug}/hand-over").form(), **values)


def test_no_answer_tells_a_secret(table: Table) -> None:
    """Every address of the app, by every method, for all who may ask, with what is right and what is not."""
    asked = 0
    for method, rule in routes(table.app):
        for who in table.joined, table.left, table.watcher, None:
            client = (who or Phone(table.app.test_client())).client
            headers = {
                "X-CSRFToken": client.get("/csrf").get_json()["token"],
                **({} if who else table.script),
            }
            for sent in sendings(method, rule):
                answer = client.open(
                    table.address(rule), method=method, headers=headers, buffered=True, **sent
                )
                told = is_silent(answer, table, (method, rule, answer.status))
                asked += 1
                if who is table.joined and method == "GET":
                    assert answer.status_code < 400, rule  # else it would say nothing anyway
                if (method, rule.endpoint) not in MAKES_A_KEY:
                    assert not re.search(r"/join/[\w-]{20,}", told), (method, rule)
                    assert not re.search(r'key"?\s*[:=]\s*"[\w-]{32}"', told), (method, rule)
    assert asked > 300


def sendings(method: str, rule: Rule) -> Iterator[dict[str, Any]]:
    """What is sent along: nothing, and for what writes something that is nearly right."""
    yield {}
    if method in {"POST", "PUT", "DELETE"}:
        bodies: dict[str, Any] = {
            "api.start": match_file(KING),
            "api.correct": {"id": "corrected", "seen": 2, "deal": MISERE},
            "api.add": {"id": "added-last", "seen": 2, "deal": deal_entry("Carla M", passed_out=True)},
            "api.write_open": {"draft": 0, "deal": deal_entry("Carla NQ")},
        }
        if rule.rule.startswith("/api/"):
            yield {"json": bodies.get(rule.endpoint, {"id": "something", "seen": 0, "draft": 0})}
        else:
            yield {"data": {"id": "something", "seen": "2", "do": "save", "contract": "M", "name": "nobody"}}


def test_the_answer_that_makes_a_key_tells_that_one_only(table: Table) -> None:
    page = hand_over(table.joined, table.slug)
    (fresh,) = set(re.findall(r"/join/([\w-]+)", page.html))
    assert fresh not in table.secrets
    for phone in table.joined, table.watcher:
        for address in f"/m/{table.slug}/hand-over", f"/m/{table.slug}", "/", f"/m/{table.slug}/history":
            assert fresh not in phone.open(address).html
    made = table.watcher.client.post("/api/matches", json=match_file(KING))
    told = made.get_json()
    assert told["score_url"].endswith(f"/join/{told['score_key']}")
    assert made.headers["Location"] == f"/api/matches/{told['slug']}"
    is_silent(made, table, "a new match")


def test_after_joining_the_key_is_in_no_address(table: Table) -> None:
    phone = Phone(table.app.test_client())
    page = phone.open(f"/join/{table.key}")
    assert table.key not in page.html  # the form goes to the address of the page
    form = page.form()
    answer = phone.client.post(form.action, data=form.values)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/m/{table.slug}")
    is_silent(answer, table, "joining")
    for address in [f"/m/{table.slug}", *phone.open(f"/m/{table.slug}").links]:
        assert table.key not in address


def test_joining_over_https_when_only_the_server_is_told(table: Table) -> None:
    """The check of forms needs to know from which server a form comes, and no more."""
    secure = {"base_url": "https://localhost"}
    for referer, status in ("https://localhost/", 302), ("https://elsewhere.example/", 400), (None, 400):
        client = table.app.test_client()
        token = client.get("/csrf", **secure).get_json()["token"]
        headers = {"Referer": referer} if referer else {}
        answer = client.post(f"/join/{table.key}", data={"csrf_token": token}, headers=headers, **secure)
        assert answer.status_code == status


def test_a_session_knows_no_key(table: Table) -> None:
    """It is signed and not encrypted: nothing but the token of the forms is in it."""
    session = table.joined.client.get_cookie("scorepad")
    assert session
    assert session.http_only
    with table.joined.client.session_transaction() as kept:
        assert set(kept) <= {"csrf_token", "_permanent"}


def test_the_history_names_a_key_by_a_part_of_its_hash(table: Table) -> None:
    rows = {row["by"] for row in table.store.rows(table.slug)}
    assert name_of_key(table.key) in rows
    assert name_of_key(table.key) == f"key {hashed(table.key)[:8]}"
    for phone in table.joined, table.watcher:
        assert hashed(table.key)[:12] not in phone.open(f"/m/{table.slug}/history").html


def test_what_is_taken_away_tells_no_key(table: Table) -> None:
    """The match file, the sheet, the PDF with all that is packed in it, and the folder of the PDFs."""
    client = table.joined.client
    made = client.get(f"/m/{table.slug}/sheet.pdf", buffered=True)
    assert made.mimetype == "application/pdf"
    packed = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", made.data, re.DOTALL)
    texts = [made.data, *(unpacked(stream) for stream in packed)]
    texts += [client.get(f"/m/{table.slug}/{name}").data for name in ("match.json", "sheet")]
    cache = Path(table.app.instance_path) / "sheets"
    texts += [file.name.encode() + file.read_bytes() for file in cache.iterdir()]
    for secret in table.secrets:
        assert not any(secret.encode() in text for text in texts)


def unpacked(stream: bytes) -> bytes:
    """A stream of a PDF as it was before it was packed."""
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


# The log


class Logging(Server):
    """A server whose every word is kept."""

    def start(self) -> None:
        """Start the process with its outputs in a file."""
        self.log = self.data / "log.txt"
        command = [sys.executable, "-W", "default", "-m", "scorepad", "serve", "--port", str(self.port)]
        environment = {**os.environ, "SCOREPAD_DATA": str(self.data), "PYTHONDEVMODE": "1"}
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                [*command, "--host", "127.0.0.1"], env=environment, stdout=out, stderr=subprocess.STDOUT
            )
        while not self.answers():
            assert self.process.poll() is None


def status(address: str) -> int:
    """How the server answers at an address."""
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_the_log_of_a_server_names_no_key(tmp_path: Path) -> None:
    """Nor when something fails while a scoring link is opened: the address is told without it."""
    server = Logging(tmp_path)
    try:
        made = start_match(server, match_file(KING))
        key, slug = made["score_key"], made["slug"]
        body = {"id": "by-a-script", "seen": 1, "deal": MISERE}
        send(server, "POST", f"/api/matches/{slug}/deals", body, key=key)
        addresses = (made["score_url"], f"{made['score_url']}x", f"{server.url}/m/{slug}?{key}")
        assert [status(address) for address in addresses] == [200, 404, 200]
        with sqlite3.connect(tmp_path / "scorepad.db") as db:
            db.execute("ALTER TABLE score_key RENAME COLUMN ended_at TO broken")
        assert status(made["score_url"]) == 500
    finally:
        server.stop()
    log = server.log.read_text()
    assert "Exception on /join/… [GET]" in log
    assert "OperationalError" in log
    assert key not in log


@pytest.mark.parametrize("name", ["scorepad", "waitress", "waitress.queue"])
def test_a_line_of_the_log_without_its_key(app: Flask, caplog: pytest.LogCaptureFixture, name: str) -> None:
    logger = logging.getLogger(name)
    logger.error("while serving %s for %d s", "/path/join/SECRET-key_1?x=1", 3)
    logger.error("100 % of “/join/SECRET”, /joinery/oak, /m/slug")
    said = [record.getMessage() for record in caplog.records]
    assert said[0] == "while serving /path/join/…?x=1 for 3 s"
    assert "SECRET" not in said[1]
    assert said[1].endswith("/joinery/oak, /m/slug")
    del app


# Replacing the scoring link


def test_replacing_ends_the_old_link_at_once(app: Flask, table: Table) -> None:
    """With the very next request of each device and script, also from a page that was open; one goes on."""
    other = Phone(app.test_client())
    other.join(f"/join/{table.key}")
    forms = {
        "deal": other.next_deal(table.slug).fill(contract="M", passed_out=1),
        "points": other.open(f"/m/{table.slug}/change/points").form("change"),
        "hand over": other.open(f"/m/{table.slug}/hand-over").form(),
        "delete": other.open(f"/m/{table.slug}/delete").form().fill(name="Anna"),
    }
    token = {"X-CSRFToken": other.client.get("/csrf").get_json()["token"]}
    fresh = re.search(r"/join/[\w-]{32}", hand_over(table.joined, table.slug, end_others="1").html)
    assert fresh
    body = {"id": "too-late-for-it", "seen": 2, "deal": deal_entry("Carla M", passed_out=True)}
    api = f"/api/matches/{table.slug}"

    def tries() -> list[int]:
        sent = [other.send(form).status for form in forms.values()]
        for headers in token, table.script:
            sent.append(other.client.post(f"{api}/deals", json=body, headers=headers).status_code)
            for deal in f"{api}/deals/file-deal-01", f"{api}/open":
                for method in "PUT", "DELETE":
                    answer = other.client.open(deal, method=method, json=body, headers=headers)
                    sent.append(answer.status_code)
        return sent

    assert set(unchanged(table.store, tries)) == {403}
    page = other.open(f"/join/{table.key}")
    assert (page.status, page.heading) == (410, "This scoring link was replaced")
    assert "/deals/new" not in " ".join(other.open(f"/m/{table.slug}").links)
    assert other.client.get(f"{api}/now").get_json()["may_score"] is False
    saved = table.joined.send(
        table.joined.next_deal(table.slug), contract="D", place_0=0, place_1=1, place_2=2, place_3=3
    )
    assert saved.status == 200
    assert len(table.store.load(table.slug).deals) == 3
    late = Phone(app.test_client())
    late.join(fresh[0])
    assert late.open(f"/m/{table.slug}/deals/new").address == f"/m/{table.slug}/deals/new"


def test_a_link_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands beside the older ones, unless those are to end: then every phone ends with them."""
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path))
    table = Table(create_app(tmp_path, {"TESTING": True}))

    def link(*options: str) -> str:
        made = CliRunner().invoke(main, ["links", table.slug, *options])
        assert made.exit_code == 0
        assert re.fullmatch(r"/join/[\w-]{32}\n", made.output)
        return made.output.strip()

    first = link()
    assert table.watcher.join(first).address == f"/m/{table.slug}"
    assert table.joined.open(f"/join/{table.key}").status == 200
    assert table.joined.open(f"/m/{table.slug}/delete").address.endswith("/delete")
    assert table.left.open(f"/join/{table.ended}").status == 410
    second = link("--end-others")
    for old in first, f"/join/{table.key}":
        assert table.watcher.open(old).status == 410
    for phone in table.joined, table.watcher, table.left:
        assert phone.open(f"/m/{table.slug}/delete").address == f"/m/{table.slug}"
    assert table.joined.join(second).status == 200
    assert table.joined.open(f"/m/{table.slug}/delete").address.endswith("/delete")
    assert json.loads(table.joined.client.get(f"/api/matches/{table.slug}/now").text)["may_score"]
    table.store.database.close()
