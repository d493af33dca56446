"""What holds for every address of the app, now and later: headers, cookies, tokens, large bodies."""

from __future__ import annotations

import http.client
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from builders import case_file
from conftest import Server
from flask import Flask
from flask.testing import FlaskClient
from records import unchanged
from webpages import Form, Phone, elements
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorepad.matchfile import parse, read_match
from scorepad.pdf import PdfMaker, PdfUnavailable, Reason
from scorepad.settings import LARGEST_BODY
from scorepad.store import Store

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

#: Addresses of our own files, which are no pages.
ASSETS = {"asset"}

#: What needs neither form nor token: the address itself says all.
HARMLESS = {"GET", "HEAD", "OPTIONS"}


class Place(NamedTuple):
    """A match that is over, who scores it, and what can stand in the addresses of its pages."""

    store: Store
    scorer: FlaskClient
    values: dict[str, Any]


@pytest.fixture
def place(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A whole match and the phone that scores it; no PDF is made."""

    def none(*_: object) -> Path:
        raise PdfUnavailable(Reason.FAILED)

    monkeypatch.setattr(PdfMaker, "make", none)
    store: Store = app.extensions["store"]
    match = read_match(parse(case_file("full-match"))).match
    assert match
    slug, key = store.start(match)
    phone = Phone(app.test_client())
    phone.join(f"/join/{key}")
    values = {
        "slug": slug,
        "key": key,
        "deal_id": store.load(slug).deals[0].deal_id,
        "number": 1,
        "player": 1,
        "code": "wrong",
        "kind": "names",
        "revision": 1,
        "side": "after",
        "filename": "pad.css",
        "kept_version": app.config["ASSETS_VERSION"],
    }
    return Place(store, phone.client, values)


BAD: dict[str, Any] = {
    "slug": "nowhere",
    "key": "wrong",
    "deal_id": "nothing",
    "number": 99_999,
    "player": 99_999,
    "code": "wrong",
    "kind": "nothing",
    "revision": 99_999,
    "side": "beside",
    "filename": "nothing.css",
    "kept_version": "0",
}


def rules(app: Flask, *methods: str) -> Iterator[Rule]:
    """The addresses of the app that answer to one of these methods."""
    for rule in app.url_map.iter_rules():
        if not methods or set(methods) & (rule.methods or set()):
            yield rule


def address(app: Flask, rule: Rule, values: dict[str, Any]) -> str:
    """The path of an address with these values."""
    adapter = app.url_map.bind("localhost")
    return adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments}, force_external=False)


def answers(app: Flask, place: Place, **more: Any) -> Iterator[tuple[str, Rule, TestResponse]]:
    """Everything there is to ask, by a phone that scores and by a stranger, rightly and wrongly."""
    for rule in rules(app):
        for values in place.values, BAD:
            path = address(app, rule, values)
            for method in METHODS:
                client = place.scorer if method in HARMLESS else app.test_client()
                answer = client.open(path, method=method, buffered=True, **more)
                yield f"{method} {path}: {answer.status_code}", rule, answer


def policy_of(answer: TestResponse) -> dict[str, str]:
    """The parts of the policy by their names."""
    parts = answer.headers["Content-Security-Policy"].split(";")
    return dict(part.strip().partition(" ")[::2] for part in parts)


def has_headers(answer: TestResponse) -> None:
    """Every header that keeps a page to itself."""
    policy = policy_of(answer)
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert not [part for part in policy.values() if "unsafe-" in part or "*" in part or "http" in part]
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] in {"same-origin", "strict-origin"}  # the latter where a key is


def test_every_answer_has_its_headers(app: Flask, place: Place) -> None:
    """Pages, files, JSON, redirects and errors alike; an asset is no page, and needs one of them only."""
    seen = set[int]()
    for asked, rule, answer in answers(app, place):
        assert answer.status_code < 500 or ".pdf" in asked, asked
        assert answer.headers["X-Content-Type-Options"] == "nosniff", asked
        if rule.endpoint not in ASSETS or answer.status_code != 200:
            has_headers(answer)
        seen.add(answer.status_code)
    assert {200, 302, 400, 401, 404, 405} <= seen


@pytest.mark.parametrize(("scheme", "is_secure"), [("http", False), ("https", True)])
def test_every_cookie_is_kept_from_scripts_and_other_sites(
    app: Flask, place: Place, scheme: str, *, is_secure: bool
) -> None:
    """Under https a cookie is for https only."""
    set_by = set[str]()
    client = app.test_client()
    joins = client.get(f"/join/{place.values['key']}", base_url=f"{scheme}://localhost")
    token = Form(elements(joins.text), elements(joins.text).one("form"), "").values["csrf_token"]
    headers = {"Referer": f"{scheme}://localhost/"}
    joined = client.post(
        f"/join/{place.values['key']}",
        data={"csrf_token": token},
        base_url=f"{scheme}://localhost",
        headers=headers,
    )
    strangers = (
        app.test_client().get(address(app, rule, place.values), base_url=f"{scheme}://localhost")
        for rule in rules(app, "GET")
    )
    for answer in (joins, joined, *strangers):
        for cookie in answer.headers.getlist("Set-Cookie"):
            name, *flags = cookie.split("; ")
            set_by.add(name.partition("=")[0])
            assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(flags), cookie
            assert ("Secure" in flags) is is_secure, cookie
        answer.close()
    assert set_by == {"scorepad", "scorepad_device"}


# Tokens


def writes(app: Flask) -> list[tuple[str, Rule]]:
    """Every method and address that may write."""
    return [(m, rule) for rule in rules(app) for m in sorted((rule.methods or set()) - HARMLESS)]


def test_nothing_is_written_without_the_token(app: Flask, place: Place) -> None:
    """Every form and call of a phone that scores: without a token, with a wrong one, with a stranger's."""
    strangers = app.test_client().get("/csrf").get_json()["token"]
    for method, rule in writes(app):
        path = address(app, rule, place.values)
        for token in None, "", "wrong", strangers:
            headers = {} if token is None else {"X-CSRFToken": token}
            body: dict[str, Any] = (
                {"json": {}} if path.startswith("/api/") else {"data": headers_as_form(token)}
            )

            def send() -> TestResponse:
                return place.scorer.open(path, method=method, headers=headers, **body)  # noqa: B023

            assert unchanged(place.store, send).status_code == 400, f"{method} {path} {token}"


def headers_as_form(token: str | None) -> dict[str, str]:
    """The field of a form that holds the token."""
    return {} if token is None else {"csrf_token": token}


def test_with_the_token_they_are_let_in(app: Flask, place: Place) -> None:
    """What was refused above was refused for want of it: an empty form has other mistakes, or none."""
    for method, rule in writes(app):
        if rule.endpoint in {"start.start", "start.bring", "again.again"}:
            continue  # an empty one of these starts a match, or says what is wrong: tested on their own
        path = address(app, rule, place.values)
        token = place.scorer.get("/csrf").get_json()["token"]
        body: dict[str, Any] = {"json": {}} if path.startswith("/api/") else {"data": {"csrf_token": token}}
        answer = place.scorer.open(path, method=method, headers={"X-CSRFToken": token}, **body)
        assert answer.status_code in {200, 201, 302, 404, 409, 422}, f"{method} {path} {answer.status_code}"


def test_a_token_alone_gives_no_right(app: Flask, place: Place) -> None:
    """Whoever has opened a page has a token; only a phone that scores may write to a match."""
    stranger = app.test_client()
    token = stranger.get("/csrf").get_json()["token"]
    guarded = [(m, rule) for m, rule in writes(app) if "slug" in rule.arguments]
    assert len(guarded) > 10
    for method, rule in guarded:
        path = address(app, rule, place.values)

        def send() -> TestResponse:
            form = {"csrf_token": token}
            return stranger.open(path, method=method, data=form, headers={"X-CSRFToken": token})  # noqa: B023

        assert unchanged(place.store, send).status_code == 401, f"{method} {path}"


def test_every_form_that_is_sent_has_its_token(app: Flask, place: Place) -> None:
    """As the phone that scores sees them; a form that asks only (GET) has none in its address."""
    forms = 0
    for rule in rules(app, "GET"):
        answer = place.scorer.get(address(app, rule, place.values), buffered=True)
        if answer.mimetype != "text/html" or answer.status_code == 302:
            continue
        page = elements(answer.text)
        for element in page.all("form"):
            form = Form(page, element, answer.request.path)
            assert ("csrf_token" in form.values) is (form.method == "POST"), answer.request.path
            forms += form.method == "POST"
    assert forms > 10


# Large bodies


def test_a_large_body_is_refused_wherever_it_is_sent(app: Flask, place: Place) -> None:
    token = place.scorer.get("/csrf").get_json()["token"]
    for method, rule in writes(app):
        path = address(app, rule, place.values)
        is_api = path.startswith("/api/")
        kind = "application/json" if is_api else "application/x-www-form-urlencoded"

        def send() -> TestResponse:
            large = b"a" * (LARGEST_BODY + 1)
            headers = {"X-CSRFToken": token}
            return place.scorer.open(path, method=method, data=large, content_type=kind, headers=headers)  # noqa: B023

        answer = unchanged(place.store, send)
        assert answer.status_code == 413, f"{method} {path}"
        assert answer.mimetype == ("application/json" if is_api else "text/html")


def chunks(size: int) -> Iterator[bytes]:
    """A body of so many bytes in pieces."""
    piece = b"a" * 65_536
    for _ in range(size // len(piece)):
        yield piece


def memory_of(server: Server) -> int:
    """The memory of a server process, in kB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


Body = Callable[[], dict[str, Any]]

LARGE: dict[str, Body] = {
    "2 MB": lambda: {"body": b"a" * 2_000_000},
    "2 MB in chunks": lambda: {"body": chunks(2_000_000), "encode_chunked": True},
}


@pytest.mark.parametrize("how", LARGE)
@pytest.mark.parametrize("path", ["/new", "/import", "/verify", "/api/matches"])
def test_a_real_server_refuses_a_large_body_in_words(server: Server, how: str, path: str) -> None:
    sent = LARGE[how]()
    kind = "application/json" if path.startswith("/api/") else "application/x-www-form-urlencoded"
    headers = {"Content-Type": kind} | ({"Transfer-Encoding": "chunked"} if "chunks" in how else {})
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    line.request("POST", path, headers=headers, **sent)
    answer = line.getresponse()
    said = answer.read().decode()
    line.close()
    assert answer.status == 413
    assert "too large" in said


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process as Linux tells it")
def test_a_huge_body_is_refused_before_it_has_come(server: Server) -> None:
    """By its length at once, in chunks as soon as it is too long; the server keeps none of it in memory."""
    before = memory_of(server)
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(b"POST /import HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 413")
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(b"POST /import HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        sent = 0
        try:
            for piece in chunks(200_000_000):
                line.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
                sent += len(piece)
        except OSError:  # the server has hung up
            pass
    assert sent < 100_000_000
    assert memory_of(server) - before < 30_000
    assert server.answers()
