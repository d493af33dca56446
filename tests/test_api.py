"""The JSON API, row by row of the table in design.md."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
import records
from builders import case_file, deal_entry, expected_figures, match_cases, match_file
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorepad.cli import main
from scorepad.matchfile import parse, read, read_match, write_match
from scorepad.store import Store

Json = Any

BARBU = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Dan"})
MISERE = deal_entry(
    "Ben M", doubles={"Anna": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 1, "Carla": 6, "Dan": 2}}
)
DOMINOES = deal_entry("Carla D", result={"order": ["Ben", "Dan", "Anna", "Carla"]})
PLAYING = deal_entry("Anna B", doubles={"Ben": ["Anna"]})

LARGEST_BODY = 1_500_000

numbers = itertools.count(1)


def new_id() -> str:
    """An id no save had before."""
    return f"api-save-{next(numbers):06}"


class Script:
    """A script that uses the API: its key goes along with every call."""

    def __init__(self, client: FlaskClient, slug: str = "", key: str | None = None) -> None:
        self.client, self.slug, self.key = client, slug, key

    def call(self, method: str, path: str, body: Json = None, **more: Any) -> TestResponse:
        """Call with a body of JSON, or `data` as it is."""
        headers = {**more.pop("headers", {})}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        if body is not None:
            more |= {"data": json.dumps(body), "content_type": "application/json"}
        return self.client.open(f"/api/matches{path}", method=method, headers=headers, **more)

    def start(self, *deals: Json, **fields: Json) -> Script:
        """Start a match; the script that scores it."""
        made = self.call("POST", "", match_file(*deals, **fields)).get_json()
        return Script(self.client, made["slug"], made["score_key"])

    def get(self, path: str = "", **more: Any) -> TestResponse:
        """Read the match, or its figures."""
        return self.call("GET", f"/{self.slug}{path}", **more)

    @property
    def revision(self) -> int:
        """The revision of the match."""
        return int(self.get().get_json()["revision"])

    @property
    def deal_ids(self) -> list[str]:
        """The ids of the deals."""
        return [d["deal_id"] for d in self.get("/score").get_json()["deals"]]

    def add(self, deal: Json, **more: Json) -> TestResponse:
        """Save the next deal."""
        body = {"id": new_id(), "seen": self.revision, "deal": deal, **more}
        return self.call("POST", f"/{self.slug}/deals", body)

    def correct(self, deal_id: str, deal: Json, **more: Json) -> TestResponse:
        """Correct a deal."""
        body = {"id": new_id(), "seen": self.revision, "deal": deal, **more}
        return self.call("PUT", f"/{self.slug}/deals/{deal_id}", body)

    def remove(self, deal_id: str, **more: Json) -> TestResponse:
        """Remove a deal."""
        return self.call(
            "DELETE", f"/{self.slug}/deals/{deal_id}", {"id": new_id(), "seen": self.revision, **more}
        )

    def open(self, deal: Json, draft: int = 0, **more: Json) -> TestResponse:
        """Keep the open deal."""
        return self.call("PUT", f"/{self.slug}/open", {"draft": draft, "spoken": 4, "deal": deal, **more})

    def drop(self, draft: int, **more: Json) -> TestResponse:
        """Drop the open deal."""
        return self.call("DELETE", f"/{self.slug}/open", {"draft": draft, **more})


@pytest.fixture
def script(client: FlaskClient) -> Script:
    """A script that may score a match which has just begun."""
    return Script(client).start()


Unchanged = Callable[[Callable[[], TestResponse]], TestResponse]


@pytest.fixture
def unchanged(store: Store) -> Unchanged:
    """Makes a call, and checks that it has written nothing at all."""
    return lambda call: records.unchanged(store, call)


def is_error(answer: TestResponse, status: int, code: str) -> Json:
    """Whether this is the error, in the shape that all errors have; its JSON."""
    assert (answer.status_code, answer.mimetype) == (status, "application/json")
    told = answer.get_json()
    assert told["error"] == code
    assert isinstance(told["message"], str)
    assert isinstance(told["problems"], list)
    assert all({"deal", "code", "message"} <= p.keys() for p in told["problems"])
    return told


def problem_codes(told: Json) -> list[str]:
    """The codes of the problems."""
    return [p["code"] for p in told["problems"]]


# POST /api/matches


def test_a_match_is_started(client: FlaskClient) -> None:
    answer = Script(client).call("POST", "", match_file())
    made = answer.get_json()
    assert answer.status_code == 201
    assert made.keys() == {"slug", "watch_url", "score_url", "score_key", "revision"}
    assert made["revision"] == 1
    assert made["watch_url"] == f"http://localhost/m/{made['slug']}"
    assert made["score_url"] == f"http://localhost/join/{made['score_key']}"
    assert client.get(made["watch_url"]).status_code == client.get(made["score_url"]).status_code == 200
    assert answer.headers["Location"] == f"/api/matches/{made['slug']}"


def test_the_links_are_those_of_the_address_that_was_asked(client: FlaskClient) -> None:
    made = Script(client).call("POST", "", match_file(), base_url="https://pad.example:8443").get_json()
    for url in made["watch_url"], made["score_url"]:
        assert urlsplit(url)[:2] == ("https", "pad.example:8443")


@pytest.mark.parametrize("name", match_cases())
def test_a_match_is_started_with_its_deals(client: FlaskClient, name: str) -> None:
    made = Script(client).call("POST", "", parse(case_file(name))).get_json()
    found = Script(client, made["slug"]).get().get_json()
    match = read(case_file(name)).match
    assert match
    assert found == {**write_match(match), "revision": 1}
    assert read_match(found).match == match


def test_a_match_is_started_in_the_middle_of_a_hand(client: FlaskClient) -> None:
    """The open deal of a file becomes the open deal of the match, and the match goes on with it."""
    playing = deal_entry("Ben M", doubles={"Anna": ["Ben"]})
    script = Script(client).start(BARBU, playing)
    figures = script.get("/score").get_json()
    assert figures["open"]["deal"] == playing
    assert [d["open"] for d in figures["deals"]] == [False, True]
    assert figures["next"] == {"deal": 2, "declarer": "Ben", "must_double": {"M": []}}
    assert script.get().get_json()["deals"] == [BARBU, playing]
    assert script.open(playing, figures["open"]["draft"]).status_code == 200
    assert script.add(MISERE, number=2).status_code == 201
    assert script.get().get_json()["deals"] == [BARBU, MISERE]


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"players": ["Anna", "Ben", "Carla"]}, ["players_not_four"]),
        ({"players": ["Anna", "Ben", "Carla", ""]}, ["name_missing"]),
        ({"players": ["Ann", "ann ", "Carla", "Dan"]}, ["names_alike"]),
        ({"format": "scorepad-match/9"}, ["wrong_format"]),
        ({"rules": "of-my-own"}, ["unknown_value"]),
        ({"colour": "red"}, ["unknown_field"]),
        ({"deals": [deal_entry("Anna B", result={})] * 2}, ["field_missing", "field_missing"]),
        ({"deals": [BARBU, BARBU]}, ["contract_declared_twice"]),
    ],
)
def test_a_wrong_match_is_not_started(
    client: FlaskClient, unchanged: Unchanged, fields: Json, codes: list[str]
) -> None:
    told = is_error(
        unchanged(lambda: Script(client).call("POST", "", {**match_file(), **fields})), 422, "problems"
    )
    assert problem_codes(told) == codes
    assert told["message"] == told["problems"][0]["message"]
    assert all(p["message"] for p in told["problems"])


def test_every_problem_names_its_deal(client: FlaskClient) -> None:
    deals = [BARBU, deal_entry("Ben M", result={"tricks": {"Anna": 14}}), DOMINOES, BARBU]
    told = Script(client).call("POST", "", match_file(*deals)).get_json()
    assert [(p["deal"], p["code"]) for p in told["problems"]] == [
        (2, "tally_does_not_add_up"),
        (2, "nobody_doubled"),
        (4, "contract_declared_twice"),
    ]


BODIES_THAT_ARE_NO_JSON = {
    "nothing": b"",
    "words": b"Anna, Ben, Carla, Dan",
    "half": b'{"players": [',
    "nan": b'{"seen": NaN}',
    "twice": b'{"id": "a", "id": "b"}',
    "not UTF-8": b'{"id": "\xff"}',
    "half a character": b'{"id": "\\ud800"}',
    "deep": b"[" * 50_000,
    "a long number": b"9" * 10_000,
}


@pytest.mark.parametrize("name", BODIES_THAT_ARE_NO_JSON)
def test_a_body_that_is_no_json(client: FlaskClient, unchanged: Unchanged, name: str) -> None:
    sent = {"data": BODIES_THAT_ARE_NO_JSON[name], "content_type": "application/json"}
    answer = unchanged(lambda: Script(client).call("POST", "", **sent))
    assert answer.status_code == 400
    assert answer.get_json()["problems"]


@pytest.mark.parametrize("body", ["[]", "null", "3", '"text"', "true"])
def test_a_body_that_is_no_object(
    client: FlaskClient, script: Script, unchanged: Unchanged, body: str
) -> None:
    sent = {"data": body, "content_type": "application/json"}
    is_error(unchanged(lambda: Script(client).call("POST", "", **sent)), 422, "problems")
    for method, path in WRITES:
        is_error(unchanged(lambda: script.call(method, path.format(script.slug), **sent)), 422, "problems")  # noqa: B023


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_another_content_type(client: FlaskClient, script: Script, unchanged: Unchanged, kind: str) -> None:
    sent = {"data": json.dumps(match_file()), "content_type": kind}
    is_error(unchanged(lambda: Script(client).call("POST", "", **sent)), 415, "wrong_content_type")
    for method, path in WRITES:
        answer = unchanged(lambda: script.call(method, path.format(script.slug), **sent))  # noqa: B023
        is_error(answer, 415, "wrong_content_type")


def test_json_may_say_its_charset(client: FlaskClient) -> None:
    sent = {"data": json.dumps(match_file()), "content_type": "application/json; charset=utf-8"}
    assert Script(client).call("POST", "", **sent).status_code == 201


@pytest.mark.parametrize("size", [1_000_001, LARGEST_BODY + 1])
def test_a_body_that_is_too_large(
    client: FlaskClient, script: Script, unchanged: Unchanged, size: int
) -> None:
    sent = {"data": b" " * size, "content_type": "application/json"}
    answer = unchanged(lambda: Script(client).call("POST", "", **sent))
    assert (answer.status_code, answer.mimetype) == (413, "application/json")
    for method, path in WRITES:
        answer = unchanged(lambda: script.call(method, path.format(script.slug), **sent))  # noqa: B023
        assert (answer.status_code, answer.mimetype) == (413, "application/json")


def test_the_match_of_a_device_is_its_own(client: FlaskClient, csrf: Callable[[FlaskClient], str]) -> None:
    """A page of ours starts a match with the device's cookie and the token; without the token it may not."""
    joins(client, Script(client).start(), csrf)
    assert client.post("/api/matches", json=match_file()).status_code == 400
    made = client.post("/api/matches", json=match_file(), headers={"X-CSRFToken": csrf(client)}).get_json()
    assert f"/m/{made['slug']}" in client.get("/").text


def test_an_address_that_starts_very_many_matches(
    app: Flask, client: FlaskClient, unchanged: Unchanged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, "STARTS_AN_HOUR", 2)

    def start(address: str) -> TestResponse:
        return Script(client).call("POST", "", match_file(), environ_base={"REMOTE_ADDR": address})

    assert [start("192.0.2.6").status_code for _ in range(2)] == [201, 201]
    is_error(unchanged(lambda: start("192.0.2.6")), 429, "too_many")
    assert start("192.0.2.7").status_code == 201


# GET


def test_the_match_file_comes_back(script: Script) -> None:
    script.add(BARBU)
    answer = script.get()
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    found = answer.get_json()
    assert (found["revision"], found["deals"]) == (2, [BARBU])
    reading = read_match(found)
    assert reading.match
    assert not reading.problems


def test_nobody_needs_a_key_to_read(script: Script, app: Flask) -> None:
    watcher = Script(app.test_client(), script.slug)
    assert [watcher.get(path).status_code for path in ("", "/score")] == [200, 200]
    assert script.key
    assert all(script.key not in watcher.get(path).text for path in ("", "/score"))


def test_an_unknown_match(client: FlaskClient) -> None:
    for path in "/nowhere", "/nowhere/score", "/../../etc/passwd", "/%00", "/" + "x" * 2_000:
        is_error(Script(client).call("GET", path), 404, "unknown")


@pytest.mark.parametrize("encoding", ["", "gzip", "br", "zstd, br, gzip"])
@pytest.mark.parametrize("path", ["", "/score"])
def test_what_was_seen_already_is_not_sent_again(script: Script, path: str, encoding: str) -> None:
    """The ETag counts the record and the open deal, also when the answer is compressed."""
    accepted = {"Accept-Encoding": encoding}
    tags = set[str]()
    for change in (
        lambda: None,
        lambda: script.open(PLAYING),
        lambda: script.add(BARBU),
        lambda: script.remove(script.deal_ids[0]),
    ):
        change()
        tag = script.get(path, headers=accepted).headers["ETag"]
        assert tag not in tags
        tags.add(tag)
        again = script.get(path, headers=accepted | {"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        other = script.get(path, headers=accepted | {"If-None-Match": '"something-else"'})
        assert other.status_code == 200


@pytest.mark.parametrize("name", match_cases())
def test_the_score_is_that_of_the_command_line(client: FlaskClient, name: str) -> None:
    source = parse(case_file(name))
    script = Script(client).start(*source.pop("deals"), **source)
    found = script.get("/score").get_json()
    printed = json.loads(CliRunner().invoke(main, ["score", "--json", "-"], input=case_file(name)).output)
    assert found.pop("revision") == 1
    assert found.pop("open") == {"draft": 0, "spoken": 0, "deal": None}
    assert found.pop("closed") is False
    ids = [d.pop("deal_id") for d in found["deals"]]
    assert len(set(ids)) == len(ids) == len(found["deals"])
    assert found == printed


def test_the_score_of_an_open_deal_is_that_of_the_command_line(script: Script) -> None:
    script.add(BARBU)
    playing = deal_entry("Ben M", doubles={"Anna": ["Ben"]})
    script.open(playing, spoken=2)
    found = script.get("/score").get_json()
    file = json.dumps(match_file(BARBU, playing))
    printed = json.loads(CliRunner().invoke(main, ["score", "--json", "-"], input=file).output)
    assert found.pop("open") == {"draft": 1, "spoken": 2, "deal": playing}
    assert (found.pop("revision"), found.pop("closed")) == (2, False)
    assert [d.pop("deal_id") for d in found["deals"]] == [script.deal_ids[0], None]
    assert found == printed


# Deals


def test_a_deal_is_saved(script: Script) -> None:
    answer = script.add(BARBU, id="from-a-script", number=1)
    assert answer.status_code == 201
    assert answer.get_json() == {"deal": 1, "deal_id": "from-a-script", "revision": 2}
    assert script.add(MISERE).get_json()["deal"] == 2


def test_a_deal_sent_again_gets_the_same_answer(script: Script, unchanged: Unchanged) -> None:
    first = script.add(BARBU, id="sent-twice", seen=1)
    script.add(MISERE)
    again = unchanged(lambda: script.add(BARBU, id="sent-twice", seen=1))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == again.get_json()


def test_an_id_with_another_body(script: Script, unchanged: Unchanged) -> None:
    saved = script.add(BARBU, id="used-before").get_json()
    yours = BARBU | {"result": {"king": "Ben"}}
    told = is_error(unchanged(lambda: script.add(yours, id="used-before", seen=1)), 409, "id_reused")
    assert (told["yours"], told["theirs"]) == (yours, BARBU)
    assert (told["revision"], told["deal_id"]) == (2, saved["deal_id"])


def test_a_deal_that_somebody_changed_meanwhile(script: Script, unchanged: Unchanged) -> None:
    deal_id = script.add(BARBU).get_json()["deal_id"]
    theirs, yours = BARBU | {"result": {"king": "Ben"}}, BARBU | {"result": {"king": "Carla"}}
    assert script.correct(deal_id, theirs).get_json() == {"deal": 1, "deal_id": deal_id, "revision": 3}
    told = is_error(unchanged(lambda: script.correct(deal_id, yours, seen=2)), 409, "stale")
    assert (told["yours"], told["theirs"]) == (yours, theirs)
    assert (told["revision"], told["deal_id"]) == (3, deal_id)
    told = is_error(unchanged(lambda: script.remove(deal_id, seen=2)), 409, "stale")
    assert (told["yours"], told["theirs"]) == (None, theirs)
    assert script.correct(deal_id, yours, seen=3).status_code == 200


def test_a_number_that_is_taken(script: Script, unchanged: Unchanged) -> None:
    saved = script.add(BARBU, number=1).get_json()
    told = is_error(unchanged(lambda: script.add(MISERE, number=1, seen=1)), 409, "stale")
    assert (told["yours"], told["theirs"], told["deal_id"]) == (MISERE, BARBU, saved["deal_id"])
    assert script.add(MISERE, seen=1).status_code == 201


def test_a_number_that_is_taken_by_the_same_deal(script: Script) -> None:
    """The answer was lost, and the phone sends the deal again: same id, same body, same number."""
    assert script.add(BARBU, id="the-same-one", number=1, seen=1).status_code == 201
    assert script.add(BARBU, id="the-same-one", number=1, seen=1).status_code == 200


def test_a_deal_is_corrected_and_removed(script: Script) -> None:
    first, second = (script.add(deal).get_json()["deal_id"] for deal in (BARBU, MISERE))
    before = script.get("/score").get_json()
    corrected = script.correct(first, BARBU | {"result": {"king": "Ben"}})
    assert (corrected.status_code, corrected.get_json()["deal"]) == (200, 1)
    after = script.get("/score").get_json()
    assert before["deals"][1]["totals"] != after["deals"][1]["totals"]
    removed = script.remove(first)
    assert (removed.status_code, removed.get_json()) == (200, {"deal": 1, "deal_id": first, "revision": 5})
    assert script.deal_ids == [second]
    assert script.get().get_json()["deals"] == [MISERE]


def test_a_correction_and_a_removal_sent_again(script: Script, unchanged: Unchanged) -> None:
    deal_id = script.add(BARBU).get_json()["deal_id"]
    changed = BARBU | {"note": "recounted"}
    sends: tuple[Callable[[], TestResponse], ...] = (
        lambda: script.correct(deal_id, changed, id="correction", seen=2),
        lambda: script.remove(deal_id, id="removal-1", seen=3),
    )
    for send in sends:
        first, again = send(), unchanged(send)
        assert (first.status_code, again.status_code) == (200, 200)
        assert first.get_json() == again.get_json()


def test_an_unknown_deal(script: Script, unchanged: Unchanged) -> None:
    for deal_id in "no-such-deal", "x" * 2_000, "..", "%00":
        is_error(unchanged(lambda: script.correct(deal_id, BARBU)), 404, "unknown")  # noqa: B023
        is_error(unchanged(lambda: script.remove(deal_id)), 404, "unknown")  # noqa: B023


#: Deals that cannot be, with the codes they get; the match has Anna's Barbu already.
IMPOSSIBLE: dict[str, tuple[Json, str]] = {
    "14 tricks": (MISERE | {"result": {"tricks": {"Anna": 14}}}, "tally_does_not_add_up"),
    "12 tricks": (MISERE | {"result": {"tricks": {"Anna": 12}}}, "tally_does_not_add_up"),
    "five queens": (
        deal_entry("Ben NQ", doubles={"Anna": ["Ben"]}, result={"queens": {"Anna": 5}}),
        "tally_does_not_add_up",
    ),
    "no king": (deal_entry("Ben B", doubles={"Anna": ["Ben"]}, result={}), "field_missing"),
    "two kings": (
        deal_entry("Ben B", doubles={"Anna": ["Ben"]}, result={"king": ["Anna", "Ben"]}),
        "wrong_kind",
    ),
    "a float": (MISERE | {"result": {"tricks": {"Anna": 3.5, "Ben": 9}}}, "not_a_whole_number"),
    "a float that is whole": (MISERE | {"result": {"tricks": {"Anna": 13.0}}}, "not_a_whole_number"),
    "other digits": (MISERE | {"result": {"tricks": {"Anna": "１３"}}}, "not_a_whole_number"),
    "text": (MISERE | {"result": {"tricks": {"Anna": "13"}}}, "not_a_whole_number"),
    "true": (MISERE | {"result": {"tricks": {"Anna": True, "Ben": 12}}}, "not_a_whole_number"),
    "an empty count": (MISERE | {"result": {"tricks": {"Anna": "", "Ben": 13}}}, "count_missing"),
    "null": (MISERE | {"result": None}, "wrong_kind"),
    "a negative count": (MISERE | {"result": {"tricks": {"Anna": -1, "Ben": 14}}}, "count_is_negative"),
    "a huge count": (MISERE | {"result": {"tricks": {"Anna": 10**30}}}, "number_too_large"),
    "the ace without hearts": (
        deal_entry(
            "Ben NH", doubles={"Anna": ["Ben"]}, result={"hearts": {"Anna": 13, "Ben": 0}, "ace": "Ben"}
        ),
        "ace_without_hearts",
    ),
    "an order that names twice": (
        deal_entry("Ben D", result={"order": ["Ben", "Ben", "Anna", "Carla"]}),
        "order_names_twice",
    ),
    "an order of three": (deal_entry("Ben D", result={"order": ["Ben", "Dan", "Anna"]}), "wrong_kind"),
    "declared twice": (deal_entry("Anna B", passed_out=True), "contract_declared_twice"),
    "a double of oneself": (MISERE | {"doubles": {"Anna": ["Anna"]}}, "double_of_oneself"),
    "a double twice": (MISERE | {"doubles": {"Anna": ["Ben", "Ben"]}}, "named_twice"),
    "a flank in a positive": (DOMINOES | {"doubles": {"Ben": ["Dan"]}}, "flank_double_not_allowed"),
    "a declarer nobody doubled": (
        MISERE | {"doubles": {"Anna": ["Ben"], "Ben": ["Carla"]}},
        "declarer_may_only_redouble",
    ),
    "a stranger doubles": (MISERE | {"doubles": {"Eve": ["Ben"]}}, "unknown_player"),
    "a stranger declares": (MISERE | {"declarer": "Eve"}, "unknown_player"),
    "another contract": (MISERE | {"contract": "XX"}, "unknown_value"),
    "not at this table": (
        deal_entry("Ben RC", doubles={"Anna": ["Ben"]}, result={"most": ["Anna"]}),
        "contract_not_in_game",
    ),
    "no result": (deal_entry("Ben M", doubles={"Anna": ["Ben"]}), "result_missing"),
    "nobody doubled": (MISERE | {"doubles": {}}, "nobody_doubled"),
    "doubled and passed out": (
        deal_entry("Ben M", doubles={"Anna": ["Ben"]}, passed_out=True),
        "passed_out_but_doubled",
    ),
    "a positive passed out": (deal_entry("Ben T", passed_out=True), "positive_passed_out"),
    "a field of nothing": (MISERE | {"colour": "red"}, "unknown_field"),
    "a long note": (MISERE | {"note": "x" * 201}, "text_too_long"),
    "a list": ([], "wrong_kind"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_deal_that_cannot_be(client: FlaskClient, unchanged: Unchanged, name: str) -> None:
    deal, code = IMPOSSIBLE[name]
    script, complete = Script(client).start(BARBU), Script(client).start(BARBU, MISERE)
    second = complete.deal_ids[1]
    for save in (lambda: script.add(deal)), (lambda: complete.correct(second, deal)):
        told = is_error(unchanged(save), 422, "problems")
        assert problem_codes(told)[0] == code
        assert {p["deal"] for p in told["problems"]} == {2}


def test_a_contract_declared_twice_names_the_deal(client: FlaskClient) -> None:
    script = Script(client).start(MISERE, BARBU)
    (problem,) = script.add(deal_entry("Anna B", passed_out=True)).get_json()["problems"]
    assert problem["message"] == (
        "Anna declared Barbu in deal 2 already. Choose another contract, or correct deal 2."
    )
    assert (problem["deal"], problem["field"]) == (3, "contract")


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"id": "short"}, "bad_id"),
        ({"id": "x" * 65}, "bad_id"),
        ({"id": "with spaces in it"}, "bad_id"),
        ({"id": "ünïcödé-id"}, "bad_id"),
        ({"id": None}, "wrong_kind"),
        ({"id": 12345678}, "wrong_kind"),
        ({"seen": "1"}, "not_a_whole_number"),
        ({"seen": 1.0}, "not_a_whole_number"),
        ({"seen": None}, "not_a_whole_number"),
        ({"seen": True}, "not_a_whole_number"),
        ({"seen": 10**40}, "number_too_large"),
        ({"number": "1"}, "not_a_whole_number"),
        ({"number": None}, "not_a_whole_number"),
        ({"colour": "red"}, "unknown_field"),
    ],
)
def test_a_save_that_says_something_wrong(
    script: Script, unchanged: Unchanged, sent: Json, code: str
) -> None:
    told = is_error(unchanged(lambda: script.add(BARBU, **sent)), 422, "problems")
    assert problem_codes(told) == [code]


@pytest.mark.parametrize("missing", ["id", "seen", "deal"])
def test_a_save_that_leaves_something_out(script: Script, unchanged: Unchanged, missing: str) -> None:
    body = {"id": new_id(), "seen": 1, "deal": BARBU}
    del body[missing]
    told = is_error(unchanged(lambda: script.call("POST", f"/{script.slug}/deals", body)), 422, "problems")
    assert problem_codes(told) == ["field_missing"]
    assert missing in told["message"]


# The open deal


def test_the_open_deal_is_kept_and_dropped(script: Script) -> None:
    assert script.open(PLAYING, 0).get_json() == {"draft": 1}
    assert script.open(PLAYING | {"doubles": {}}, 1, spoken=1).get_json() == {"draft": 2}
    assert script.get("/score").get_json()["open"] == {
        "draft": 2,
        "spoken": 1,
        "deal": PLAYING | {"doubles": {}},
    }
    dropped = script.drop(2)
    assert (dropped.status_code, dropped.get_json()) == (200, {"draft": 3})
    assert script.get("/score").get_json()["open"] == {"draft": 3, "spoken": 0, "deal": None}
    assert script.revision == 1


def test_saving_ends_the_open_deal(script: Script) -> None:
    script.open(PLAYING)
    script.add(BARBU)
    assert script.get("/score").get_json()["open"] == {"draft": 2, "spoken": 0, "deal": None}


def test_the_open_deal_was_changed_meanwhile(script: Script, unchanged: Unchanged) -> None:
    theirs = PLAYING | {"doubles": {"Carla": ["Anna"]}}
    script.open(theirs)
    for call in (lambda: script.open(PLAYING, 0), lambda: script.open(PLAYING, 2), lambda: script.drop(0)):
        told = is_error(unchanged(call), 409, "draft_taken")
        assert {name: told[name] for name in ("draft", "spoken", "deal")} == {
            "draft": 1,
            "spoken": 4,
            "deal": theirs,
        }


def test_another_holder_has_to_take_over(
    script: Script, app: Flask, csrf: Callable[[FlaskClient], str], unchanged: Unchanged
) -> None:
    script.open(PLAYING)
    phone = app.test_client()
    headers = joins(phone, script, csrf)
    body = {"draft": 1, "spoken": 4, "deal": PLAYING | {"doubles": {}}}
    address = f"/api/matches/{script.slug}/open"
    told = is_error(unchanged(lambda: phone.put(address, json=body, headers=headers)), 409, "draft_taken")
    assert told["deal"] == PLAYING
    taken = phone.put(address, json=body | {"take_over": True}, headers=headers)
    assert (taken.status_code, taken.get_json()) == (200, {"draft": 2})
    is_error(unchanged(lambda: script.drop(2)), 409, "draft_taken")
    assert script.drop(2, take_over=True).status_code == 200


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        (PLAYING | {"doubles": {"Anna": ["Ben"]}}, "declarer_may_only_redouble"),
        (PLAYING | {"declarer": "Eve"}, "unknown_player"),
        (PLAYING | {"contract": ""}, "unknown_value"),
        (PLAYING | {"result": {"king": "Dan"}}, "open_with_result"),
        (deal_entry("Anna B", passed_out=True), "open_with_result"),
        (None, "wrong_kind"),
        ("x", "wrong_kind"),
    ],
)
def test_an_open_deal_that_cannot_be(script: Script, unchanged: Unchanged, deal: Json, code: str) -> None:
    told = is_error(unchanged(lambda: script.open(deal)), 422, "problems")
    assert code in problem_codes(told)


def test_an_open_deal_of_a_contract_that_is_used(client: FlaskClient, unchanged: Unchanged) -> None:
    script = Script(client).start(BARBU)
    told = is_error(unchanged(lambda: script.open(PLAYING)), 422, "problems")
    assert problem_codes(told) == ["contract_declared_twice"]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"draft": "0"}, "not_a_whole_number"),
        ({"draft": None}, "not_a_whole_number"),
        ({"spoken": 5}, "unknown_value"),
        ({"spoken": -1}, "unknown_value"),
        ({"spoken": 1.5}, "not_a_whole_number"),
        ({"take_over": "yes"}, "wrong_kind"),
        ({"colour": "red"}, "unknown_field"),
    ],
)
def test_an_open_deal_that_says_something_wrong(
    script: Script, unchanged: Unchanged, sent: Json, code: str
) -> None:
    told = is_error(unchanged(lambda: script.open(PLAYING, **{"draft": 0, **sent})), 422, "problems")
    assert problem_codes(told) == [code]


def test_an_open_deal_without_its_version(script: Script, unchanged: Unchanged) -> None:
    for method in "PUT", "DELETE":
        answer = unchanged(lambda: script.call(method, f"/{script.slug}/open", {"deal": PLAYING}))  # noqa: B023
        assert problem_codes(is_error(answer, 422, "problems")) == ["field_missing"]


def test_a_draft_that_a_correction_has_made_impossible(client: FlaskClient) -> None:
    """Deal 1 is corrected to the contract being played: the record comes first, and the draft waits apart."""
    script = Script(client).start(deal_entry("Anna NQ", passed_out=True))
    script.open(PLAYING)
    assert script.correct(script.deal_ids[0], BARBU).status_code == 200
    figures = script.get("/score").get_json()
    assert figures["open"]["deal"] == PLAYING
    assert [d["open"] for d in figures["deals"]] == [False]
    assert not read_match(script.get().get_json()).problems
    assert client.get(f"/m/{script.slug}").status_code == 200


# Who may write, before anything else is looked at

WRITES = [
    ("POST", "/{}/deals"),
    ("PUT", "/{}/deals/some-deal"),
    ("DELETE", "/{}/deals/some-deal"),
    ("PUT", "/{}/open"),
    ("DELETE", "/{}/open"),
]

WHATEVER_BODY: list[Json] = [
    {"json": {"id": "a-good-id", "seen": 1, "deal": BARBU}},
    {"json": {"draft": 0, "spoken": 4, "deal": PLAYING}},
    {"json": {}},
    {"data": b"no JSON", "content_type": "application/json"},
    {"data": b"no JSON", "content_type": "text/plain"},
    {"data": b" " * (LARGEST_BODY + 1), "content_type": "application/json"},
    {},
]


def joins(client: FlaskClient, script: Script, csrf: Callable[[FlaskClient], str]) -> dict[str, str]:
    """Let a phone join; the header its pages send along."""
    token = csrf(client)
    assert client.post(f"/join/{script.key}", data={"csrf_token": token}).status_code == 302
    return {"X-CSRFToken": csrf(client)}


@pytest.mark.parametrize("body", WHATEVER_BODY)
@pytest.mark.parametrize(("method", "path"), WRITES)
def test_without_a_credential(
    script: Script, app: Flask, unchanged: Unchanged, method: str, path: str, body: Json
) -> None:
    """401, whatever is sent and wherever; also with a token, and with a scheme that is not ours."""
    for slug in script.slug, "nowhere":
        for headers in {}, {"Authorization": f"Basic {script.key}"}, {"Authorization": script.key or ""}:
            stranger = app.test_client()
            address = f"/api/matches{path.format(slug)}"
            answer = unchanged(
                lambda: stranger.open(address, method=method, headers=headers, **body)  # noqa: B023
            )
            is_error(answer, 401, "no_credential")


@pytest.mark.parametrize("body", WHATEVER_BODY)
@pytest.mark.parametrize(("method", "path"), WRITES)
def test_with_a_wrong_credential(
    script: Script, app: Flask, unchanged: Unchanged, method: str, path: str, body: Json
) -> None:
    """403 for a key that is none, and for one of another match."""
    other = Script(app.test_client()).start()
    for slug in script.slug, "nowhere":
        for key in "wrong", "", other.key:
            address = f"/api/matches{path.format(slug)}"
            headers = {"Authorization": f"Bearer {key}"}
            answer = unchanged(
                lambda: app.test_client().open(address, method=method, headers=headers, **body)  # noqa: B023
            )
            is_error(answer, 403, "wrong_credential")


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_device_that_scores_another_match(
    script: Script,
    app: Flask,
    csrf: Callable[[FlaskClient], str],
    unchanged: Unchanged,
    method: str,
    path: str,
) -> None:
    phone = app.test_client()
    token = joins(phone, Script(app.test_client()).start(), csrf)
    for slug in script.slug, "nowhere":
        for headers in token, {}:
            address = f"/api/matches{path.format(slug)}"
            answer = unchanged(
                lambda: phone.open(address, method=method, headers=headers, json={})  # noqa: B023
            )
            is_error(answer, 403, "wrong_credential")


@pytest.mark.parametrize(("method", "path"), WRITES)
@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_a_device_without_the_token(
    script: Script,
    app: Flask,
    csrf: Callable[[FlaskClient], str],
    unchanged: Unchanged,
    method: str,
    path: str,
    token: str | None,
) -> None:
    """Another site may make the phone send its cookie, but not the token: 400."""
    phone = app.test_client()
    joins(phone, script, csrf)
    headers = {} if token is None else {"X-CSRFToken": token}
    body = {"id": new_id(), "seen": 1, "deal": BARBU}
    address = f"/api/matches{path.format(script.slug)}"
    answer = unchanged(lambda: phone.open(address, method=method, headers=headers, json=body))
    is_error(answer, 400, "bad_request")


def test_a_token_of_another_phone(script: Script, app: Flask, csrf: Callable[[FlaskClient], str]) -> None:
    phone, other = app.test_client(), app.test_client()
    joins(phone, script, csrf)
    headers = {"X-CSRFToken": csrf(other)}
    body = {"id": new_id(), "seen": 1, "deal": BARBU}
    answer = phone.post(f"/api/matches/{script.slug}/deals", json=body, headers=headers)
    assert answer.status_code == 400


def test_a_phone_saves_with_its_cookie_and_the_token(
    script: Script, app: Flask, csrf: Callable[[FlaskClient], str], store: Store
) -> None:
    phone = app.test_client()
    headers = joins(phone, script, csrf)
    body = {"id": new_id(), "seen": 1, "deal": BARBU}
    answer = phone.post(f"/api/matches/{script.slug}/deals", json=body, headers=headers)
    assert answer.status_code == 201
    assert re.fullmatch(r"device [0-9]+", store.rows(script.slug)[-1]["by"])


def test_a_script_needs_no_token_and_leaves_its_key_nowhere(script: Script, store: Store) -> None:
    assert script.add(BARBU).status_code == 201
    by = store.rows(script.slug)[-1]["by"]
    assert re.fullmatch(r"key [0-9a-f]{8}", by)
    assert script.key
    assert script.key not in json.dumps(store.rows(script.slug))


def test_a_wrong_key_is_not_saved_by_a_right_cookie(
    script: Script, app: Flask, csrf: Callable[[FlaskClient], str]
) -> None:
    phone = app.test_client()
    headers = joins(phone, script, csrf) | {"Authorization": "Bearer wrong"}
    body = {"id": new_id(), "seen": 1, "deal": BARBU}
    assert phone.post(f"/api/matches/{script.slug}/deals", json=body, headers=headers).status_code == 403


def test_a_key_that_was_ended(script: Script, store: Store, unchanged: Unchanged) -> None:
    fresh = store.new_score_key(script.slug, end_others=True)
    is_error(unchanged(lambda: script.add(BARBU)), 403, "wrong_credential")
    assert Script(script.client, script.slug, fresh).add(BARBU).status_code == 201


def test_the_order_of_the_checks(script: Script, app: Flask, unchanged: Unchanged) -> None:
    """Credential, then id, then what was seen, then the rules: each hides what comes after it."""
    deal_id = script.add(BARBU, id="first-save").get_json()["deal_id"]
    script.correct(deal_id, BARBU | {"note": "new"})
    nonsense = {"declarer": "Nobody"}
    stranger = Script(app.test_client(), script.slug)
    is_error(
        unchanged(lambda: stranger.call("PUT", f"/{script.slug}/deals/{deal_id}", {"id": "x"})),
        401,
        "no_credential",
    )
    told = is_error(unchanged(lambda: script.correct(deal_id, nonsense, id="x", seen=2)), 422, "problems")
    assert problem_codes(told) == ["bad_id"]
    is_error(unchanged(lambda: script.correct(deal_id, nonsense, id="first-save", seen=2)), 409, "id_reused")
    is_error(unchanged(lambda: script.correct(deal_id, nonsense, seen=2)), 409, "stale")
    is_error(unchanged(lambda: script.correct(deal_id, nonsense, seen=3)), 422, "problems")
    is_error(unchanged(lambda: script.add(nonsense, number=1)), 409, "stale")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("PUT", ""),
        ("POST", "/{}"),
        ("DELETE", "/{}"),
        ("POST", "/{}/score"),
        ("GET", "/{}/deals"),
        ("POST", "/{}/deals/some-deal"),
        ("GET", "/{}/open"),
        ("GET", "/{}/nothing"),
    ],
)
def test_calls_that_are_not_in_the_table(script: Script, method: str, path: str) -> None:
    answer = script.call(method, path.format(script.slug))
    assert answer.status_code in {404, 405}
    assert answer.get_json()["error"] in {"unknown", "wrong_method"}


# A whole match


@pytest.fixture(params=match_cases())
def replayed(request: pytest.FixtureRequest, client: FlaskClient) -> tuple[Script, str]:
    """A match of the case files, saved deal by deal as a phone does it: played openly first."""
    source = parse(case_file(request.param))
    deals = source.pop("deals")
    script = Script(client).start(**source)
    for number, deal in enumerate(deals, start=1):
        draft = script.get("/score").get_json()["open"]["draft"]
        playing = {k: v for k, v in deal.items() if k not in {"result", "passed_out"}}
        assert script.open(playing, draft).status_code == 200
        saved = script.add(deal, number=number)
        assert (saved.status_code, saved.get_json()["deal"]) == (201, number)
    return script, request.param


def test_a_whole_match_has_its_published_figures(replayed: tuple[Script, str]) -> None:
    script, name = replayed
    found, expected = script.get("/score").get_json(), expected_figures(name)
    assert found["totals"] == expected["totals"]
    assert found["owed"] == expected["owed"]
    for one, wanted in zip(found["deals"], expected["deals"], strict=True):
        assert set(one["forced"]) == set(wanted["forced"])
        for figure in "basic", "adjustment", "score", "totals", "contract_total":
            assert one[figure] == wanted[figure]
    match = read(case_file(name)).match
    assert match
    assert read_match(script.get().get_json()).match == match
    assert found["complete"] is (len(match.deals) in {28, 32})
