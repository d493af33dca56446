"""How often somebody may start a match, try a key, or have a file checked; and who is never held up."""

from __future__ import annotations

import io
import json
import logging
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import match_file
from conftest import Server
from flask import Flask
from flask.testing import FlaskClient
from limits.errors import StorageError
from limits.storage import MemoryStorage
from records import unchanged
from webpages import Page, Phone
from werkzeug.exceptions import TooManyRequests
from werkzeug.test import TestResponse

from scorepad import create_app, limits
from scorepad.limits import AN_HOUR, FewCounters, Limited
from scorepad.matchfile import read_match
from scorepad.settings import WRONG_KEYS_AN_HOUR
from scorepad.store import Store

HERE, ELSEWHERE = {"REMOTE_ADDR": "192.0.2.1"}, {"REMOTE_ADDR": "192.0.2.2"}


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Flask]:
    """An app that allows two of everything an hour."""
    two = dict.fromkeys(limits.SETTINGS.values(), 2)
    made = create_app(tmp_path, {"TESTING": True, **two})
    yield made
    made.extensions["pdf"].close()
    made.extensions["store"].database.close()


@pytest.fixture
def kept(strict: Flask) -> Store:
    """Its store."""
    store: Store = strict.extensions["store"]
    return store


def a_match(store: Store) -> tuple[str, str]:
    """A match there is, and its scoring key."""
    match = read_match(match_file()).match
    assert match
    return store.start(match)


def a_scorer(app: Flask, key: str) -> FlaskClient:
    """A phone that scores the match of this key."""
    phone = Phone(app.test_client())
    phone.join(f"/join/{key}")
    return phone.client


def start(client: FlaskClient, where: dict[str, str], **headers: str) -> TestResponse:
    """Start a match, as a page of a phone or as a script."""
    token = client.get("/csrf").get_json()["token"]
    return client.post(
        "/api/matches", json=match_file(), environ_base=where, headers={"X-CSRFToken": token, **headers}
    )


def check(client: FlaskClient, where: dict[str, str]) -> TestResponse:
    """Have a match file checked."""
    form = Page(client.get("/verify")).form()
    data = {**form.values, "file": (io.BytesIO(json.dumps(match_file()).encode()), "match.json")}
    return client.post("/verify", data=data, environ_base=where)


def is_too_many(answer: TestResponse, *, api: bool = False) -> None:
    """A page in words or JSON, that says when to come back."""
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= AN_HOUR
    if api:
        assert answer.get_json()["error"] == "too_many"
        assert "Wait 60 minutes." in answer.get_json()["message"]
    else:
        assert Page(answer).heading == "That is too much at once"
        assert "Wait 60 minutes." in Page(answer).text


# Starts


def test_each_address_has_its_own_count(strict: Flask, kept: Store) -> None:
    """Strangers are counted by address; what is refused is counted nowhere else."""
    clients = [strict.test_client() for _ in range(4)]
    assert [start(c, HERE).status_code for c in clients[:3]] == [201, 201, 429]
    is_too_many(unchanged(kept, lambda: start(clients[3], HERE)), api=True)
    assert start(clients[3], ELSEWHERE).status_code == 201


def test_who_scores_a_match_is_not_held_up_by_his_address(strict: Flask, kept: Store) -> None:
    _, key = a_match(kept)
    phone, script = a_scorer(strict, key), strict.test_client()
    while start(strict.test_client(), HERE).status_code != 429:
        pass
    assert start(phone, HERE).status_code == 201
    assert start(script, HERE, Authorization=f"Bearer {key}").status_code == 201
    is_too_many(start(script, HERE, Authorization="Bearer nothing"), api=True)
    assert start(phone, HERE).status_code == 201
    is_too_many(start(phone, ELSEWHERE), api=True)


def test_all_of_an_ipv6_network_is_one_address(strict: Flask) -> None:
    near = [{"REMOTE_ADDR": f"2001:db8:0:1::{n:x}"} for n in range(1, 4)]
    far = {"REMOTE_ADDR": "2001:db8:0:2::1"}
    assert [start(strict.test_client(), a).status_code for a in near] == [201, 201, 429]
    assert start(strict.test_client(), far).status_code == 201


@pytest.mark.parametrize(
    ("given", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("unix:", "unix:"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_what_an_address_is_counted_as(strict: Flask, given: str, counted: str) -> None:
    with strict.test_request_context(environ_base={"REMOTE_ADDR": given}):
        assert limits.address() == f"address {counted}"


# Keys


def test_wrong_links_are_told_to_stop_and_right_ones_work(strict: Flask, kept: Store) -> None:
    slug, key = a_match(kept)
    stranger = strict.test_client()
    for wrong in "/join/wrong0", "/sign/wrong1":
        assert stranger.get(wrong, environ_base=HERE).status_code == 404
    refused = stranger.get("/join/wrong2", environ_base=HERE)
    is_too_many(refused)
    assert "Right ones still work." in Page(refused).text
    token = {"csrf_token": stranger.get("/csrf").get_json()["token"]}
    for wrong in "/join/wrong3", "/sign/wrong3":
        is_too_many(stranger.post(wrong, data=token, environ_base=HERE))
    assert stranger.get("/join/wrong4", environ_base=ELSEWHERE).status_code == 404
    assert stranger.get(f"/join/{key}", environ_base=HERE).status_code == 200
    joined = stranger.post(f"/join/{key}", data=token, environ_base=HERE)
    assert (joined.status_code, joined.location) == (302, f"/m/{slug}")


def test_wrong_bearers_are_counted_and_right_ones_work(strict: Flask, kept: Store) -> None:
    """Also where nobody needs a key, so that no page tells more often which keys are right."""
    (slug, key), (_, other) = a_match(kept), a_match(kept)
    client = strict.test_client()

    def ask(path: str, bearer: str, method: str = "DELETE") -> TestResponse:
        headers = {"Authorization": f"Bearer {bearer}"}
        return client.open(
            f"/api/matches/{slug}/{path}",
            method=method,
            json={"draft": 0},
            headers=headers,
            environ_base=HERE,
        )

    assert [ask("open", other).status_code for _ in range(5)] == [403] * 5
    assert ask("open", "wrong").status_code == 403
    assert ask("now", "wrong", "GET").status_code == 200
    is_too_many(ask("open", "wrong"), api=True)
    is_too_many(ask("now", "wrong", "GET"), api=True)
    assert ask("open", key).status_code == 200
    assert ask("now", key, "GET").get_json()["may_score"]
    assert client.get(f"/api/matches/{slug}/now", environ_base=HERE).status_code == 200


# Checks of match files


def test_checks_are_counted_and_who_scores_a_match_is_not_held_up(strict: Flask, kept: Store) -> None:
    phone = a_scorer(strict, a_match(kept)[1])
    assert [check(strict.test_client(), HERE).status_code for _ in range(2)] == [200, 200]
    is_too_many(check(strict.test_client(), HERE))
    assert check(strict.test_client(), ELSEWHERE).status_code == 200
    assert check(phone, HERE).status_code == 200


# Behind a proxy


@pytest.mark.parametrize("believed", [True, False])
def test_the_address_is_the_phones_only_behind_a_proxy(tmp_path: Path, *, believed: bool) -> None:
    """Without a proxy anybody could name another address for each try."""
    app = create_app(tmp_path, {"TESTING": True, "BEHIND_PROXY": believed, "STARTS_AN_HOUR": 1})
    codes = [
        app.test_client()
        .post("/api/matches", json=match_file(), headers={"X-Forwarded-For": f"203.0.113.9, 192.0.2.{n}"})
        .status_code
        for n in (1, 2, 2)
    ]
    app.extensions["store"].database.close()
    assert codes == ([201, 201, 429] if believed else [201, 429, 429])


def test_a_real_server_believes_no_forwarded_address(tmp_path: Path) -> None:
    """The server hands the header on, and the app leaves it alone."""
    server = Server(tmp_path)
    codes = set()
    try:
        for n in range(WRONG_KEYS_AN_HOUR + 1):
            said = {"X-Forwarded-For": f"192.0.2.{n}"}
            try:
                urllib.request.urlopen(urllib.request.Request(f"{server.url}/join/wrong", headers=said))
            except urllib.error.HTTPError as error:
                codes.add(error.code)
                error.close()
    finally:
        server.stop()
    assert codes == {404, 429}


# The counters


def test_a_window_ends_after_an_hour(strict: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = time.time()
    monkeypatch.setattr("time.time", lambda: clock)
    with strict.test_request_context():
        for _ in range(2):
            limits.count(Limited.CHECK, "somebody")
    clock += AN_HOUR - 10
    with strict.test_request_context(), pytest.raises(TooManyRequests) as refused:
        limits.count(Limited.CHECK, "somebody")
    assert refused.value.retry_after == 10
    clock += 11
    with strict.test_request_context():
        limits.count(Limited.CHECK, "somebody")


def test_no_more_counters_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_COUNTERS", 100)
    counters = FewCounters()
    for n in range(1000):
        assert counters.incr(f"key {n}", AN_HOUR) == 1
        assert len(counters.storage) <= 100
        assert len(counters.expirations) <= 100
        assert len(counters.locks) <= 101
    assert counters.incr("key 999", AN_HOUR) == 2
    assert counters.incr("key 0", AN_HOUR) == 1


def test_counters_are_shared_by_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room is made by several threads at once, and nothing is lost of what is counted meanwhile."""
    monkeypatch.setattr(limits, "MOST_COUNTERS", 50)
    counters = FewCounters()

    def many(name: int) -> None:
        for n in range(300):
            counters.incr(f"{name} {n}", AN_HOUR)

    threads = [threading.Thread(target=many, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(counters.storage) <= 50 + len(threads)


def test_a_storage_that_is_gone_holds_nobody_up(
    strict: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(*_: object, **__: object) -> int:
        raise StorageError(ConnectionError("gone"))

    monkeypatch.setattr(FewCounters, "incr", gone)
    with caplog.at_level(logging.WARNING, "scorepad.limits"):
        assert [start(strict.test_client(), HERE).status_code for _ in range(3)] == [201, 201, 201]
    assert "nothing is counted: gone" in caplog.text


def test_the_storage_is_a_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for given, kind in (None, FewCounters), ("memory://", MemoryStorage):
        if given:
            monkeypatch.setenv("SCOREPAD_LIMITS", given)
        app = create_app(tmp_path, {"TESTING": True})
        app.extensions["store"].database.close()
        assert type(app.extensions["limits"].storage) is kind
