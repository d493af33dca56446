"""Whatever is sent, the server answers it, quickly and in words, and the record stays whole.

A short run belongs to every check; `make fuzz` looks for ten minutes.
"""

from __future__ import annotations

import gc
import json
import os
import re
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from builders import case_file, match_cases, match_file
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from strategies import json_values, spoilt_files
from webpages import Form, Phone, elements
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorepad import create_app
from scorepad.figures import figures
from scorepad.matchfile import read, read_match
from scorepad.matchfile.fields import MOST_BYTES
from scorepad.pdf import PdfMaker, PdfUnavailable, Reason
from scorepad.settings import LARGEST_FORM
from scorepad.standing import problems
from scorepad.store import Store
from scorepad.store.record import row_hash

#: Seconds of this thread's own work, so that a busy machine is no failure.
LONGEST = 1.0

#: Bytes that one request may hold at a time: some copies of the largest body.
MOST_MEMORY = 60_000_000

#: So many examples of each test, a multiple of them when `make fuzz` says so.
TIMES = float(os.environ.get("SCOREPAD_FUZZ", "1"))

NO_CHECKS = list(HealthCheck)

Draw = Callable[[st.SearchStrategy[Any]], Any]


def fuzz(examples: int) -> settings:
    """The settings of a test that is run with so many examples in every check."""
    return settings(
        max_examples=max(1, int(examples * TIMES)),
        deadline=None,
        suppress_health_check=NO_CHECKS,
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    )


@contextmanager
def quick() -> Iterator[None]:
    """What is done here takes no longer than it may."""
    began = time.thread_time()
    yield
    took = time.thread_time() - began
    assert took < LONGEST, f"took {took:.2f} s"


@contextmanager
def small() -> Iterator[None]:
    """What is done here takes no more memory than it may, and gives it back."""
    gc.collect()
    tracemalloc.start()
    try:
        yield
        gc.collect()
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MOST_MEMORY
    assert left < MOST_MEMORY // 10


# The reader of match files


@cache
def seeds() -> tuple[bytes, ...]:
    """Match files there are."""
    return tuple(case_file(name) for name in match_cases())


@st.composite
def changed_bytes(draw: st.DrawFn) -> bytes:
    """A match file in which bytes were replaced, left out or put in."""
    data = bytearray(draw(st.sampled_from(seeds())))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        put = st.binary(max_size=8) | st.sampled_from(TOKENS)
        data[start:end] = draw(put)
    return bytes(data)


#: What is hard on readers of JSON: depth, size, numbers, halves of characters, things twice.
TOKENS = (
    *(b"[" * 5000, b'{"a":' * 5000, b"]" * 50, b"9" * 5000, b"-" + b"9" * 400, b"1e999", b"-1e-999", b"0.1"),
    *(b"NaN", b"Infinity", b"-Infinity", b"null", b"true", b'"\\ud800"', b'"\\udc00\\ud800"', b"\xff\xfe"),
    *(
        b"\xed\xa0\x80",
        b"\x00",
        b'"deals":[],',
        b'"players":1,',
        b'"\\u0000"',
        b"\xef\xbb\xbf",
        b"\xe2\x80\xae",
    ),
)


def is_answered(data: bytes) -> None:
    """The file is read quickly, and what is wrong with it can be said."""
    with quick():
        reading = read(data)
        told = figures(reading)
        json.dumps(told, ensure_ascii=False, allow_nan=False).encode()
    assert reading.match or reading.problems
    if reading.match and not reading.problems:
        assert sum(told["totals"].values()) == told["zero_check"]["actual"]


@fuzz(60)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
def test_any_bytes(data: bytes) -> None:
    is_answered(data)


@fuzz(80)
@given(changed_bytes())
def test_a_match_file_with_other_bytes(data: bytes) -> None:
    is_answered(data)


@fuzz(60)
@given(spoilt_files() | json_values())
def test_a_match_file_with_other_values(source: Any) -> None:
    is_answered(json.dumps(source).encode("utf-8", "surrogatepass"))


def large(**fields: Any) -> bytes:
    """A match file with something large in it, nearly as large as is read."""
    return json.dumps({**match_file(), **fields}, ensure_ascii=False).encode()[: MOST_BYTES + 1]


MANY = {f"{n:06}": 0 for n in range(64_000)}
ACCENTS = "a" + "\u0301\u0316" * 40_000
DECLARED = {"declarer": "Anna", "contract": "NQ"}

#: Files that take a careless reader long.
LARGE: dict[str, bytes] = {
    "fields nobody knows": large(**MANY),
    "rules nobody knows": large(rules=MANY),
    "values nobody knows": large(rules={"values": MANY}),
    "deals of nothing": large(deals=[0] * 300_000),
    "deals of everything": large(deals=[{f"{n:05}": 0 for n in range(1000)}] * 64),
    "players nobody can seat": large(players=["a"] * 150_000),
    "doublers nobody knows": large(deals=[{**DECLARED, "doubles": MANY}]),
    "doubled by one": large(deals=[{**DECLARED, "doubles": {"Ben": ["x"] * 180_000}}]),
    "doubled again": large(deals=[{**DECLARED, "doubles": {"Ben": ["Anna"] * 80_000}}]),
    "tricks of nobody": large(deals=[{"declarer": "Anna", "contract": "T", "result": {"tricks": MANY}}]),
    "points of nobody": large(agreed_points=[{"after_deal": 0, "points": MANY}]),
    "points often": large(agreed_points=[{"after_deal": 0, "points": dict(list(MANY.items())[:1000])}] * 60),
    "replaced often": large(replaced=[{"from_deal": 1, "seat": 1, "name": "x"}] * 20_000),
    "Dominoes of many": large(rules={"values": {"dominoes": [0] * 300_000}}),
    "a title of accents": large(title=ACCENTS * 5),
    "names of accents": large(players=[ACCENTS, f"b{ACCENTS}", f"c{ACCENTS}", f"d{ACCENTS}"]),
    "notes of accents": large(deals=[{**DECLARED, "note": ACCENTS[:799]}] * 600),
    "doubles of accents": large(deals=[{**DECLARED, "doubles": {"Ben": [ACCENTS[:799]] * 9}}] * 64),
    "a name of a megabyte": large(players=["x" * 900_000, "Ben", "Carla", "Dan"]),
    "a format of lists": large(format=[["x"] * 10] * 20_000),
    "the same field": b"{" + b'"a":1,' * 140_000 + b'"a":1}',
    "brackets": b"[" * 999_999,
    "objects": b'{"a":' * 190_000,
    "lists of lists": b"[" + b"[[[[[[[[[[]]]]]]]]]]," * 20_000 + b"[]]",
    "digits": b"9" * 999_999,
    "decimals": b"0." + b"9" * 999_990,
    "blanks": b" " * 999_999,
    "escapes": b'"' + b"\\u0041" * 160_000 + b'"',
}


def a_form(content: bytes, name: str = "match.json") -> dict[str, Any]:
    """A form with a file in it, as a browser sends it."""
    named = name.encode("utf-8", "surrogatepass").translate(None, b'\r\n"')
    head = b'Content-Disposition: form-data; name="file"; filename="' + named + b'"'
    body = b"--line\r\n" + head + b"\r\n\r\n" + content + b"\r\n--line--\r\n"
    return {"data": body, "content_type": "multipart/form-data; boundary=line"}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_refused_quickly(name: str, client: FlaskClient) -> None:
    """By each way in, and with no more words than a person can read."""
    token = client.get("/csrf").get_json()["token"]
    ways: list[tuple[str, dict[str, Any]]] = [(a, a_form(LARGE[name])) for a in ("/import",)]
    ways += [("/api/matches", {"data": LARGE[name], "content_type": "application/json"})]
    for address, sent in ways:
        with quick():
            answer = client.post(address, headers={"X-CSRFToken": token}, buffered=True, **sent)
        assert answer.status_code in {400, 413, 422}, address
        assert len(answer.data) < 2_000_000, address


@pytest.mark.parametrize("name", ["fields nobody knows", "names of accents", "brackets"])
def test_a_large_file_takes_little_memory(name: str) -> None:
    with small():
        read(LARGE[name])


def test_a_file_of_ten_megabytes_is_not_even_read() -> None:
    """Nor one that is nested without end."""
    huge = b'{"a":' + b"[" * 10_000_000
    with small():
        began = time.thread_time()
        (problem,) = read(huge).problems
        assert time.thread_time() - began < 0.05
    assert problem.mistake.code == "file_too_large"
    began = time.thread_time()
    (problem,) = read(b"[" * 900_000).problems
    assert time.thread_time() - began < 0.2
    assert problem.mistake.code == "file_not_json"


# The API and the forms


class Target:
    """An app with a match of some deals, the phone that scores it, and its scoring key."""

    def __init__(self, folder: Path) -> None:
        """A match with six deals, agreed points and a replacement."""
        often = dict.fromkeys(("STARTS_AN_HOUR", "WRONG_KEYS_AN_HOUR", "CHECKS_AN_HOUR"), 10**9)
        self.app: Flask = create_app(folder, {"PROPAGATE_EXCEPTIONS": False, **often})
        self.store: Store = self.app.extensions["store"]
        source = json.loads(seeds()[-1])
        match = read_match({**source, "deals": source["deals"][:6]}).match
        assert match
        self.slug, self.key = self.store.start(match)
        self.phone = Phone(self.app.test_client())
        self.phone.join(f"/join/{self.key}")
        self.client = self.phone.client
        self.token = str(self.client.get("/csrf").get_json()["token"])
        self.values = {
            "slug": self.slug,
            "key": self.key,
            "deal_id": self.store.load(self.slug).deals[0].deal_id,
            "kind": "names",
            "side": "after",
            "number": 1,
            "revision": 1,
        }
        self.rows = 0

    def rules(self, *, api: bool) -> list[Rule]:
        """The addresses of the API, or those of the pages."""
        rules = sorted(
            self.app.url_map.iter_rules(), key=lambda rule: (rule.rule, sorted(rule.methods or ()))
        )
        return [r for r in rules if r.rule.startswith("/api/") is api and "static" not in r.rule]

    def send(self, method: str, path: str, **sent: Any) -> TestResponse:
        """Ask, and look at what every answer has to be."""
        with quick():
            answer = self.client.open(path, method=method, buffered=True, **sent)
        assert answer.status_code < 500 or path.endswith(".pdf"), f"{method} {path}: {answer.status_code}"
        if path.startswith("/api/") and answer.status_code >= 400:
            assert answer.is_json or method == "HEAD"
        self.is_whole()
        return answer

    def is_whole(self) -> None:
        """Every match still folds without problems, and the chain of its rows holds."""
        db = self.store.database.reading()
        (rows,) = db.execute("SELECT count(*) FROM record").fetchone()
        if rows == self.rows:
            return
        self.rows = int(rows)
        for (slug,) in db.execute("SELECT slug FROM match ORDER BY id DESC LIMIT 3").fetchall():
            hashes = [row["hash"] for row in self.store.rows(slug)]
            assert hashes == [row_hash(row) for row in self.store.rows(slug)]
            assert [row["previous"] for row in self.store.rows(slug)][1:] == hashes[:-1]
            assert not problems(self.store.load(slug).read())


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """An app of its own; no PDF is made."""

    def none(*_: object) -> Path:
        raise PdfUnavailable(Reason.FAILED)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PdfMaker, "make", none)
        made = Target(tmp_path_factory.mktemp("fuzzed"))
        yield made
        made.app.extensions["pdf"].close()
        made.store.database.close()


ODD_PARTS = (
    "nothing",
    "0",
    "-1",
    "9" * 30,
    "%00",
    "%ff",
    "..",
    "%2e%2e%2f",
    "a b",
    "é",
    "%22",
    "🃏",
    "x" * 3000,
)


def path_of(draw: Draw, target: Target, rule: Rule) -> str:
    """The path of an address, mostly with what is there, else with anything."""
    path = rule.rule
    for name in rule.arguments:
        known = target.values.get(name, "x")
        part = known if draw(st.integers(0, 3)) else draw(st.sampled_from(ODD_PARTS))
        path = re.sub(rf"<([a-z]+:)?{name}>", lambda _, part=part: str(part), path)  # type: ignore[misc]
    return path


#: Deals that can be saved, and what goes with them.
DEALS: tuple[Any, ...] = tuple(deal for seed in (1, 4) for deal in json.loads(seeds()[seed])["deals"][:12])

ids = st.sampled_from(["fuzz-save-1", "fuzz-save-2", "", "x" * 65]) | st.uuids().map(str)
numbers = st.integers(-1, 40) | st.sampled_from([2**31, 2**63, 2**64, 10**30, 1.5, -0.0, True, None, "7"])


@st.composite
def bodies(draw: st.DrawFn) -> Any:
    """A body of the API: what is wanted, with any part replaced; or anything."""
    if not draw(st.integers(0, 5)):
        return draw(json_values())
    body = {
        "id": draw(ids),
        "seen": draw(numbers),
        "deal": draw(st.sampled_from(DEALS) | spoilt_files() | json_values()),
        "draft": draw(numbers),
        "spoken": draw(numbers),
        "number": draw(numbers),
        "take_over": draw(st.booleans() | json_values()),
    }
    kept = draw(st.sets(st.sampled_from(sorted(body)), max_size=len(body)))
    return {name: value for name, value in body.items() if name in kept}


HEADERS: dict[str, tuple[str, ...]] = {
    "Accept-Language": ("de", "*", ";;q=,", "en;q=9e9", "x" * 3000),
    "If-None-Match": ("*", '"', 'W/"x"', "x" * 3000),
    "Range": ("bytes=0-", "bytes=9-1", "bytes=-", "x"),
    "Accept-Encoding": ("br", "gzip;q=x", "*", "zstd, br;q=0"),
    "Cookie": ("scorepad_device=\xff", "scorepad=x.y.z", "scorepad_device=" + "x" * 3000, "=;=;"),
    "Content-Type": (
        "application/json",
        "text/plain",
        "application/json; charset=x",
        "multipart/form-data",
        "/",
    ),
    "X-Forwarded-For": ("x", "127.0.0.1, ::1", "," * 100),
    "X-HTTP-Method-Override": ("DELETE",),
    "Date": ("x",),
    "Referer": ("x", "https://localhost/\x80"),
}


def headers_of(draw: Draw) -> dict[str, str]:
    """Some headers, few of them as they should be."""
    names = draw(st.sets(st.sampled_from(sorted(HEADERS)), max_size=2))
    return {name: draw(st.sampled_from(HEADERS[name])) for name in names}


@fuzz(80)
@given(st.data())
def test_the_api_answers_anything(target: Target, data: st.DataObject) -> None:
    """Any method and body at any address, with the key, a wrong one, the cookie, or nothing."""
    draw = data.draw
    rule = draw(st.sampled_from(target.rules(api=True)))
    method = draw(st.sampled_from(sorted(rule.methods or ()) * 3 + ["PATCH", "TRACE"]))
    body = draw(bodies() if "slug" in rule.arguments else spoilt_files() | json_values())
    text = json.dumps(body).encode("utf-8", "surrogatepass")
    who = [f"Bearer {target.key}", f"Bearer {target.key}", "Bearer wrong", "Bearer", "Basic eDp5", "\xff"]
    headers = {"Content-Type": "application/json", **headers_of(draw)}
    if (credential := draw(st.sampled_from([*who, None]))) is not None:
        headers["Authorization"] = credential
    else:
        headers["X-CSRFToken"] = target.token
    answer = target.send(method, path_of(draw, target, rule), data=text, headers=headers)
    if answer.status_code >= 400 and method != "HEAD":
        assert answer.get_json()["error"]


#: What a field of a form is filled with.
TYPED = (
    "",
    "0",
    "1",
    "3",
    "13",
    "-5",
    "abc",
    "１３",
    "9" * 40,
    "\x00",
    "=1+1",
    "<b>",
    "🃏",
    "a\u0301" * 300,
    "NQ",
    "T",
)


Entries = list[tuple[str | int, list[str]]]


def entries() -> st.SearchStrategy[Entries]:
    """What is typed into a form: fields by name or by their place, since a form changes with the record."""
    values = st.lists(st.sampled_from(TYPED) | st.text(max_size=9), max_size=3)
    return st.lists(st.tuples(st.sampled_from(FIELDS) | st.integers(0, 99), values), max_size=6)


def filled(target: Target, path: str, typed: Entries) -> dict[str, list[str]]:
    """The fields of the forms on a page, as they stand but for what is typed."""
    page = target.client.get(path, buffered=True)
    form: dict[str, list[str]] = {}
    if page.mimetype == "text/html" and page.status_code == 200:
        document = elements(page.text)
        for element in document.all("form"):
            form |= Form(document, element, path).values
    names = sorted(form) or list(FIELDS)
    for field, values in typed:
        form[names[field % len(names)] if isinstance(field, int) else field] = values
    return {**form, "csrf_token": [target.token]}


#: Fields of all forms, for pages that show none.
FIELDS = (
    *(
        "do",
        "seen",
        "draft",
        "number",
        "declarer",
        "contract",
        "doubles",
        "without",
        "passed_out",
        "king",
        "ace",
    ),
    *(
        "last",
        "second_last",
        "place_0",
        "tricks_0",
        "tricks_1",
        "queens_2",
        "hearts_3",
        "most",
        "trump",
        "start",
    ),
    *(
        "note",
        "name_0",
        "first",
        "preset",
        "title",
        "place",
        "looked",
        "per_point",
        "currency",
        "show",
        "points_0",
    ),
    *("order", "from_deal", "seat", "after_deal", "reason", "date", "end_others", "value_king", "rotation"),
)


@fuzz(80)
@given(st.data())
def test_the_pages_answer_anything(target: Target, data: st.DataObject) -> None:
    """Any form, filled with anything, and any address with anything behind its question mark."""
    draw = data.draw
    rule = draw(st.sampled_from(target.rules(api=False)))
    path = path_of(draw, target, rule)
    if "POST" in (rule.methods or ()):
        form = filled(target, path, draw(entries())) | {"id": [draw(ids)]}
        target.send("POST", path, data=form, headers=headers_of(draw))
    else:
        query = draw(st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(TYPED), max_size=4))
        target.send("GET", path, query_string=query, headers=headers_of(draw))


@fuzz(30)
@given(
    st.sampled_from(("/import", "/verify")), changed_bytes() | st.binary(max_size=300), st.text(max_size=20)
)
def test_a_file_that_is_sent_is_answered(target: Target, address: str, content: bytes, name: str) -> None:
    """Whatever is in it, and whatever it is called."""
    target.send("POST", address, headers={"X-CSRFToken": target.token}, **a_form(content, name))


@fuzz(20)
@given(st.binary(max_size=400), st.sampled_from(("multipart/form-data; boundary=x", "multipart/form-data")))
def test_a_form_in_pieces_is_answered(target: Target, content: bytes, kind: str) -> None:
    """A form whose parts are cut short or never end."""
    for body in (
        content,
        b"--x\r\n" + content,
        b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n" + content,
    ):
        headers = {"X-CSRFToken": target.token}
        target.send("POST", "/new", data=body, content_type=kind, headers=headers)


@pytest.mark.parametrize("field", ["doubles=01", "order=1", "f%05d="])
@pytest.mark.parametrize(("size", "status"), [(LARGEST_FORM - 1000, None), (LARGEST_FORM + 1, 413)])
def test_a_form_of_very_many_fields_is_answered(
    target: Target, field: str, size: int, status: int | None
) -> None:
    """As many as are read, and one more than that."""
    begins = urlencode({"csrf_token": target.token, "declarer": "0", "contract": "NQ", "id": "many-fields"})
    many = "&".join(field % n if "%" in field else field for n in range(size // 8 + 1))
    body = f"{begins}&{many}"[:size]
    for path in "/new", f"/m/{target.slug}/deals/new", f"/m/{target.slug}/change/order":
        sent = {"data": body.ljust(size, "&"), "content_type": "application/x-www-form-urlencoded"}
        answer = target.send("POST", path, **sent)
        assert (answer.status_code == 413) is (status == 413)
