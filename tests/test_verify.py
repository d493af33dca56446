"""The fingerprint, and what a match file is found to be: in the store, on the command line, on the page."""

from __future__ import annotations

import copy
import hashlib
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import ANNA, case_file, deal_entry, match_file, match_of, played
from click.testing import CliRunner, Result
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from records import unchanged
from strategies import matches, reordered
from webpages import Page, Phone

from scorepad.cli import main
from scorepad.match import Match
from scorepad.matchfile import canonical, fingerprint, parse, read_match, short_hash, write_match
from scorepad.messages import Words
from scorepad.printing import sheet_html
from scorepad.store import Save, Store
from scorepad.verifying import Change, Difference, Finding, Verdict, finding_json, told_changes, verify

Json = Any

FULL = parse(case_file("full-match"))
CHANGED, ONLY_IN_FILE, ONLY_IN_RECORD = Difference


def match_in(file: Json) -> Match:
    """The match of a file in which nothing is wrong."""
    reading = read_match(file)
    assert reading.match
    assert not reading.problems
    return reading.match


def whole(**fields: Json) -> Json:
    """The whole match of the case files, with other fields."""
    return copy.deepcopy({**FULL, **fields})


# The fingerprint


@given(matches().flatmap(lambda m: st.tuples(st.just(m), reordered(write_match(m)))), st.integers(0, 99))
def test_any_file_that_reads_to_the_same_match_has_its_fingerprint(
    both: tuple[Match, Json], revision: int
) -> None:
    match, other = both
    short = {n: v for n, v in other.items() if v not in ("", [], False)} | {"deals": other["deals"]}
    for file in other, short, {**other, "revision": revision}:
        again = read_match(file).match
        assert again == match
        assert fingerprint(again) == fingerprint(match)


def figures(value: Json, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where the whole numbers of a JSON value stand."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from figures(inner, (*place, key))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield place


@given(matches(), st.data())
def test_another_figure_makes_another_fingerprint(match: Match, data: st.DataObject) -> None:
    file = write_match(match)
    *path, last = data.draw(st.sampled_from(list(figures(file))))
    inner: Json = file
    for key in path:
        inner = inner[key]
    inner[last] += 1
    other = read_match(file).match
    assert other is None or other == match or fingerprint(other) != fingerprint(match)


def test_different_matches_have_different_fingerprints() -> None:
    first = match_of(played("Anna NQ"))
    others = (
        replace(first, title="x"),
        replace(first, first_declarer=ANNA.others[0]),
        replace(first, abandoned=True),
        match_of(played("Anna NQ", "BX")),
        match_of(replace(played("Anna NQ"), note="x")),
        match_of(),
    )
    assert len({fingerprint(m) for m in (first, *others)}) == 7


def test_the_fingerprint_is_plain_sha_256() -> None:
    """So that it can be made by any program, in any year."""
    file = write_match(match_in(FULL))
    text = json.dumps(file, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert text == canonical(file)
    digits = fingerprint(match_in(FULL))
    assert digits == hashlib.sha256(text.encode()).hexdigest()
    assert short_hash(digits).replace(" ", "") == digits[:16]
    assert [len(group) for group in short_hash(digits).split(" ")] == [4, 4, 4, 4]


# What a file is found to be


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    store = Store(tmp_path / "scorepad.db")
    yield store
    store.database.close()


def deal_by_deal(store: Store, file: Json) -> str:
    """Record a match as it was played; row n has n - 1 deals."""
    slug, _ = store.start(match_in({**file, "deals": [], "agreed_points": [], "replaced": []}))
    for n, body in enumerate(file["deals"], start=1):
        store.save(slug, Save(f"save-{n:04}", n, "add", deal=body), by="a phone")
    return slug


def found(store: Store, file: Json) -> Finding:
    """What a file is found to be; nothing is written."""
    match = read_match(file).match
    assert match
    return unchanged(store, lambda: verify(store, match))


def test_every_state_is_known_by_its_row(kept: Store) -> None:
    slug = deal_by_deal(kept, whole(deals=FULL["deals"][:6]))
    for deals in range(7):
        finding = found(kept, whole(deals=FULL["deals"][:deals]))
        verdict = Verdict.STANDS if deals == 6 else Verdict.STOOD
        assert (finding.verdict, finding.slug, finding.row, finding.rows) == (verdict, slug, deals + 1, 7)
        assert finding.fingerprint == fingerprint(match_in(whole(deals=FULL["deals"][:deals])))
        assert finding.is_a_state


def test_what_was_undone_stands_again(kept: Store) -> None:
    slug = deal_by_deal(kept, whole(deals=FULL["deals"][:2]))
    kept.save(slug, Save("remove-0001", 3, "remove", kept.load(slug).deals[1].deal_id), by="a phone")
    assert found(kept, whole(deals=FULL["deals"][:1])).row == 4
    assert found(kept, whole(deals=FULL["deals"][:1])).verdict is Verdict.STANDS
    assert found(kept, whole(deals=FULL["deals"][:2])).row == 3


def test_the_hand_being_played_is_in_no_row(kept: Store) -> None:
    deal_by_deal(kept, whole(deals=FULL["deals"][:2]))
    playing = {k: v for k, v in FULL["deals"][2].items() if k not in {"result", "passed_out"}}
    assert found(kept, whole(deals=[*FULL["deals"][:2], playing])).verdict is Verdict.STANDS


def test_changed_places_are_named(kept: Store) -> None:
    slug = deal_by_deal(kept, FULL)
    file = whole(place="elsewhere", date=FULL.get("date", ""))
    file["deals"][2]["note"] = "late"
    file["deals"][2]["doubles"] = {}
    played_deals = [d for d in file["deals"] if not d.get("passed_out")]
    assert played_deals
    del file["deals"][10]
    finding = found(kept, file)
    assert (finding.verdict, finding.slug, finding.row, finding.is_a_state) == (
        Verdict.CHANGED,
        slug,
        29,
        False,
    )
    assert Change(ONLY_IN_RECORD, 11) in finding.changes
    assert Change(CHANGED, None, ("place",)) in finding.changes
    (of_third,) = [c for c in finding.changes if c.deal == 3]
    assert set(of_third.fields) <= {"doubles", "note"}
    assert "note" in of_third.fields
    say = Words(match_in(FULL).players)
    assert "Deal 11 of the record is not in the file." in told_changes(finding, say)
    assert "Of the match: place." in told_changes(finding, say)


def test_the_nearest_state_is_the_one_with_most_deals_in_common(kept: Store) -> None:
    deal_by_deal(kept, whole(deals=FULL["deals"][:9]))
    file = whole(deals=FULL["deals"][:5])
    file["deals"][4]["note"] = "late"
    finding = found(kept, file)
    assert (finding.row, finding.changes) == (6, (Change(CHANGED, 5, ("note",)),))
    more = whole(deals=FULL["deals"][:10])
    assert found(kept, more).changes == (Change(ONLY_IN_FILE, 10),)


def test_a_renamed_player_and_another_day(kept: Store) -> None:
    slug = deal_by_deal(kept, whole(deals=FULL["deals"][:3], date="2026-11-26", title="Thursday"))
    names = FULL["players"]
    other = ["Nora", *names[1:]]
    before = whole(deals=FULL["deals"][:3], date="2026-11-26", title="Thursday")
    kept.save(slug, Save("amend-0001", 4, "amend", deal={"players": other}), by="a phone")
    assert found(kept, before).row == 4
    now = json.loads(json.dumps(before).replace(json.dumps(names[0]), json.dumps("Nora")))
    assert found(kept, now).verdict is Verdict.STANDS
    moved = found(kept, {**now, "date": "2026-11-27"})
    assert (moved.verdict, moved.changes) == (Verdict.CHANGED, (Change(CHANGED, None, ("date",)),))


@pytest.mark.parametrize(
    "file",
    [
        match_file(),
        whole(players=["Anna", "Ben", "Carla", "Dan"], deals=[], first_declarer="Anna"),
        whole(date="2020-02-02", title="another", deals=[]),
    ],
)
def test_what_was_never_kept_is_unknown(kept: Store, file: Json) -> None:
    deal_by_deal(kept, whole(deals=FULL["deals"][:3]))
    finding = found(kept, file)
    assert (finding.verdict, finding.slug, finding.changes) == (Verdict.UNKNOWN, "", ())


def test_another_match_of_the_same_evening_is_not_this_one_changed(kept: Store) -> None:
    deal_by_deal(kept, whole(deals=FULL["deals"][:3]))
    assert found(kept, whole(deals=FULL["deals"][3:6])).verdict is Verdict.UNKNOWN


@given(match=matches(most_deals=3))
def test_names_of_every_kind_are_found(tmp_path_factory: pytest.TempPathFactory, match: Match) -> None:
    store = Store(tmp_path_factory.mktemp("names") / "scorepad.db")
    slug, _ = store.start(match)
    finding = verify(store, match)
    assert (finding.verdict, finding.slug) == (Verdict.STANDS, slug)
    store.database.close()


# On the command line


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the program keeps its matches in."""
    folder = tmp_path / "kept here"
    monkeypatch.setenv("SCOREPAD_DATA", str(folder))
    return folder


def run(file: Json, *options: str) -> Result:
    """Run `scorepad verify` on a file; it leaves by an exit status, whatever goes wrong."""
    given = file if isinstance(file, bytes) else json.dumps(file).encode()
    done = CliRunner().invoke(main, ["verify", "-", *options], input=given)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_the_program_tells_a_state_from_a_change(data: Path) -> None:
    store = Store(data / "scorepad.db")
    slug = deal_by_deal(store, whole(deals=FULL["deals"][:5]))
    stands = run(whole(deals=FULL["deals"][:5]))
    assert stands.exit_code == 0
    assert "as it stands" in stands.output
    assert f"/m/{slug}" in stands.output
    assert short_hash(fingerprint(match_in(whole(deals=FULL["deals"][:5])))) in stands.output
    stood = run(whole(deals=FULL["deals"][:3]))
    assert (stood.exit_code, "row 4 of 6" in stood.output) == (0, True)
    file = whole(deals=FULL["deals"][:5])
    file["deals"][1]["note"] = "late"
    changed = run(file)
    assert (changed.exit_code, "Deal 2: note." in changed.output) == (1, True)
    assert json.loads(run(file, "--json").output) == {
        **finding_json(found(store, file)),
        "problems": [],
    }
    assert json.loads(run(file, "--json").output)["changes"] == [
        {"deal": 2, "difference": "changed", "fields": ["note"]}
    ]
    store.database.close()


def test_a_file_that_breaks_the_rules_is_compared_all_the_same(data: Path) -> None:
    store = Store(data / "scorepad.db")
    king = deal_entry("Anna M", doubles={"Ben": ["Anna"]}, result={"tricks": {"Anna": 6, "Ben": 7}})
    store.start(match_in(match_file(king)))
    king["result"]["tricks"]["Anna"] = 5
    done = run(match_file(king))
    assert done.exit_code == 1
    assert done.output.startswith("This match is unknown here.")
    assert "must make 13" in done.output
    store.database.close()


def test_without_a_database_everything_is_unknown_and_none_is_made(data: Path) -> None:
    done = run(FULL)
    assert (done.exit_code, done.output.partition("\n")[0]) == (1, "This match is unknown here.")
    assert json.loads(run(FULL, "--json").output)["verdict"] == "unknown"
    assert not data.exists()


@pytest.mark.parametrize("file", [b"", b"{", b"%PDF-1.7", b"\xff", {}, match_file({"declarer": "Anna"})])
def test_a_file_that_cannot_be_read_is_said_so(data: Path, file: Json) -> None:
    done = run(file)
    assert done.exit_code == 1
    assert done.output
    answer = json.loads(run(file, "--json").output)
    assert answer["verdict"] is None
    assert answer["problems"]


def test_no_file_and_no_database_are_one_line(data: Path) -> None:
    for options in [], ["--json"]:
        done = CliRunner().invoke(main, ["verify", str(data / "nowhere.json"), *options])
        assert done.exit_code == 1
        assert "No such file" in done.output
    data.mkdir()
    (data / "scorepad.db").write_bytes(b"this is no database" * 100)
    done = run(FULL)
    assert (done.exit_code, len(done.output.splitlines())) == (1, 1)
    assert json.loads(run(FULL, "--json").output)["problems"][0]["code"] == "cannot_verify"


# On the page


Check = Callable[[Phone, Json], Page]


@pytest.fixture
def check(store: Store) -> Check:
    """Gives a file to the page; nothing is written."""

    def check(phone: Phone, file: Json) -> Page:
        given = file if isinstance(file, bytes) else json.dumps(file).encode()
        token = phone.open("/verify").form("verify")["csrf_token"]
        fields = {"csrf_token": token, "file": (io.BytesIO(given), "match.json")}
        answer = unchanged(store, lambda: phone.client.post("/verify", data=fields))
        answer.request.input_stream.close()  # a large body is a file, which the client leaves open
        return Page(answer)

    return check


@pytest.fixture
def stranger(client: FlaskClient) -> Phone:
    """A phone that holds no match."""
    return Phone(client)


def evening(title: str, deals: int) -> Json:
    """A match of so many deals that no other test has."""
    return whole(title=title, date="2026-10-01", deals=FULL["deals"][:deals])


def test_a_stranger_learns_what_his_file_is(stranger: Phone, store: Store, check: Check) -> None:
    slug = deal_by_deal(store, evening("one", 6))
    for deals, said in (6, "as it stands"), (4, "row 5 of 7"):
        page = check(stranger, evening("one", deals))
        assert page.status == 200
        assert said in page.text
        assert slug not in page.html
    file = evening("one", 6)
    file["deals"][1]["note"] = "late"
    page = check(stranger, file)
    assert "Deal 2: note." in page.text
    assert slug not in page.html


def test_the_table_and_the_sheet_show_the_same_fingerprint(
    stranger: Phone, store: Store, check: Check
) -> None:
    slug = deal_by_deal(store, evening("two", 3))
    short = short_hash(fingerprint(match_in(evening("two", 3))))
    head = short_hash(store.load(slug).hash)
    assert f"Record to row 4, fingerprint {short}." in stranger.open(f"/m/{slug}").text
    sheet = stranger.open(f"/m/{slug}/sheet").text
    assert f"Fingerprint {short} · record to row 4: {head}" in sheet
    assert short in check(stranger, evening("two", 3)).text


def test_the_sheet_of_a_bare_file_names_no_record() -> None:
    match = match_in(FULL)
    html = sheet_html(match, Words(match.players))
    assert f"Fingerprint {short_hash(fingerprint(match))}" in html
    assert "record to row" not in html


def test_who_holds_the_match_is_led_to_it(app: Flask, store: Store, check: Check) -> None:
    phone, file = Phone(app.test_client()), evening("three", 0)
    slug, key = store.start(match_in(file))
    phone.join(f"/join/{key}")
    assert f"/m/{slug}" in check(phone, file).links
    page = check(phone, {**file, "place": "elsewhere"})
    assert "Of the match: place." in page.text
    assert f"/m/{slug}" in page.links


def test_a_guess_tells_a_stranger_nothing(stranger: Phone, store: Store, check: Check) -> None:
    """Who knows the players and the day learns neither that they played nor what."""
    deal_by_deal(store, evening("four", 12))
    for deals in 0, 1, 3:
        guess = {**evening("a guess", deals)}
        page = check(stranger, guess)
        assert "This match is unknown here." in page.text
    mixed = evening("four", 4)
    mixed["deals"] += [{**d, "note": "made up"} for d in FULL["deals"][4:12]]
    assert "This match is unknown here." in check(stranger, mixed).text


@pytest.mark.parametrize(
    ("file", "status", "said"),
    [
        (b"", 422, "Choose a match file first."),
        (b"%PDF-1.7", 422, "This PDF cannot be read"),
        (b"{", 422, "This is not a match file"),
        (b"\xff\xfe", 422, "not UTF-8"),
        (b" " * 1_000_001, 422, "larger than"),
        (b"[" * 100_000, 422, "This is not a match file"),
        (b" " * 2_000_000, 413, "That is too large"),
        ({**FULL, "players": ["<b>"]}, 422, "Barbu is for four players"),
        (match_file({"declarer": "Anna"}), 422, "Deal 1: “contract” is missing."),
        (whole(colour="red"), 422, "“colour” is not a field"),
    ],
)
def test_a_bad_file_is_answered_in_sentences(
    stranger: Phone, check: Check, file: Json, status: int, said: str
) -> None:
    page = check(stranger, file)
    assert page.status == status
    assert said in page.text


def test_a_form_without_a_file(stranger: Phone) -> None:
    page = stranger.send(stranger.open("/verify").form("verify"))
    assert (page.status, "Choose a match file first." in page.text) == (422, True)


def test_a_form_from_elsewhere_is_not_read(client: FlaskClient) -> None:
    assert client.post("/verify", data={"file": (io.BytesIO(b"{}"), "match.json")}).status_code == 400
