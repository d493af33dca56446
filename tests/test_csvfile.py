"""The deals for a spreadsheet, read back and compared with the core; and the names of files."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from typing import Any

import pytest
from builders import NAMES, deal_entry, match_cases, match_file, match_of
from conftest import case
from flask import Flask
from flask.testing import FlaskClient
from generated import random_matches
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import matches
from webpages import Phone

from scorepad.csvfile import BYTE_ORDER_MARK, COLUMNS, csv_text, defused
from scorepad.exporting import file_name
from scorepad.match import BrokenDeal, Deal, Match
from scorepad.matchfile import read_match, write_match
from scorepad.standing import Standing, standing
from scorepad.store import Draft, Store
from scorepad.table import SEATS

Line = dict[str, str]


def lines_of(text: str, **how: Any) -> list[Line]:
    """The lines of a file as the csv module reads them, strictly."""
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True, **how))


def agrees_with_the_core(where: Standing) -> None:
    """Every figure, name and total is what the core says, and nothing is missing."""
    lines = lines_of(csv_text(where, mark=False))
    totals = defaultdict(int, {line["seat"]: int(line["agreed"]) for line in lines if line["deal"] == "0"})
    played = [line for line in lines if line["deal"] != "0"]
    assert len(played) == 4 * len(where.deals)
    for n, line in enumerate(played):
        result, seat = where.deals[n // 4], SEATS[n % 4]
        names = where.match.names_at(result.number)
        assert (line["deal"], line["seat"]) == (str(result.number), str(seat.value + 1))
        assert line["player"] == defused(names[seat])
        assert line["date"] == where.match.date
        for name in "basic", "adjustment", "score":
            figures = getattr(result, name)
            assert line[name] == ("" if figures is None else str(figures[seat]))
        totals[line["seat"]] += int(line["score"] or 0)
        assert int(line["total"]) == result.totals[seat] == totals[line["seat"]]
        totals[line["seat"]] += int(line["agreed"])
        if isinstance(result.deal, Deal):
            doubled = [defused(names[s]) for s in seat.others if (seat, s) in result.deal.doubles]
            assert line["doubles"] == defused(", ".join(doubled).replace(", '", ", "))
            assert line["contract"] == result.deal.contract.value
            assert line["passed_out"] == ("" if result.deal.is_open else str(int(result.deal.passed_out)))
    if where.deals:
        assert [totals[str(s.value + 1)] for s in SEATS] == list(where.totals)


def test_random_matches_agree_with_the_core() -> None:
    for match in random_matches(seed=11, how_many=60):
        agrees_with_the_core(standing(match))


@settings(max_examples=40)
@given(matches())
def test_any_match_agrees_with_the_core(match: Match) -> None:
    """With replacements, names that are hard on files, and points agreed at any time."""
    agrees_with_the_core(standing(match))


@pytest.mark.parametrize("name", match_cases())
def test_what_was_taken_adds_up_to_the_tally(name: str) -> None:
    """The columns of what was taken say the same as the results of the match file."""
    file = case(f"matches/{name}")
    match = read_match(file).match
    assert match
    by_deal: dict[str, dict[str, Line]] = defaultdict(dict)
    for line in lines_of(csv_text(standing(match), mark=False)):
        by_deal[line["deal"]][line["player"]] = line
    for number, deal in enumerate(write_match(match)["deals"], 1):
        lines, result = by_deal[str(number)], deal.get("result", {})
        taken = {player: line["taken"] for player, line in lines.items()}
        including = {player for player, line in lines.items() if line["including"]}
        if counts := result.get("tricks") or result.get("queens") or result.get("hearts"):
            assert taken == {player: str(counts.get(player, 0)) for player in taken}
            assert including == ({result["ace"]} if "ace" in result else set())
        elif "king" in result:
            assert taken == {player: str(int(player == result["king"])) for player in taken}
        elif "last_two" in result:
            assert taken == {player: str(result["last_two"].count(player)) for player in taken}
            assert including == {result["last_two"][1]}
        elif "order" in result:
            assert taken == {player: str(result["order"].index(player) + 1) for player in taken}
        elif "most" in result:
            assert taken == {player: str(int(player in result["most"])) for player in taken}
        else:
            assert set(taken.values()) == {""}


def test_a_deal_in_words() -> None:
    """One deal, every column."""
    file = match_file(
        deal_entry(
            "Anna NH",
            doubles={"Ben": ["Anna", "Carla"], "Anna": ["Ben"]},
            result={"hearts": {"Anna": 3, "Ben": 10}, "ace": "Ben"},
            note='a note, with “quotes” and "these"',
        ),
        title="Thursday",
        date="2026-11-26",
        agreed_points=[{"after_deal": 0, "points": {"Dan": 3}}, {"after_deal": 1, "points": {"Ben": -7}}],
    )
    match = read_match(file).match
    assert match
    text = csv_text(standing(match), mark=False)
    assert text.split("\r\n")[0] == ",".join(COLUMNS)
    assert text.split("\r\n")[5] == (
        '2026-11-26,Thursday,1,Anna,NH,0,1,Anna,Ben,3,,-6,36,30,30,0,"a note, with “quotes” and ""these"""'
    )
    before, ben = lines_of(text)[3], lines_of(text)[5]
    assert (before["deal"], before["player"], before["agreed"], before["total"]) == ("0", "Dan", "3", "0")
    assert ben == {
        "date": "2026-11-26",
        "title": "Thursday",
        "deal": "1",
        "declarer": "Anna",
        "contract": "NH",
        "passed_out": "0",
        "seat": "2",
        "player": "Ben",
        "doubles": "Carla, Anna",
        "taken": "10",
        "including": "ace",
        "basic": "-24",
        "adjustment": "-60",
        "score": "-84",
        "total": "-84",
        "agreed": "-7",
        "note": 'a note, with “quotes” and "these"',
    }


def test_a_deal_that_cannot_be_read_has_no_figures() -> None:
    where = standing(match_of(BrokenDeal(())))
    for line in lines_of(csv_text(where, mark=False)):
        assert line["total"] == "0"
        assert not any(line[name] for name in ("declarer", "contract", "doubles", "taken", "score", "note"))


# What a spreadsheet might run


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        (" =1", "' =1"),
        ("＝1", "'＝1"),
        ('";=HYPERLINK("http://localhost")', '";\'=HYPERLINK("http://localhost")'),
        ("a; -1", "a;' -1"),
        ("a - b", "a - b"),
        ("Anna", "Anna"),
        ("1=1", "1=1"),
        ("", ""),
    ],
)
def test_what_looks_like_a_formula_is_defused(typed: str, written: str) -> None:
    assert defused(typed) == written


@given(st.text("=+-@;,\"' a＝", max_size=12) | st.text(max_size=12), st.sampled_from([",", ";"]))
def test_no_cell_begins_like_a_formula(typed: str, delimiter: str) -> None:
    """Whether the spreadsheet ends its cells at commas or at semicolons; true numbers stay numbers."""
    names = ["=1", "+A", "-B", "@C"]
    order = {"order": names}
    deals = [{"declarer": "+A", "contract": "D", "doubles": {"=1": ["+A"]}, "result": order, "note": typed}]
    reading = read_match({**match_file(*deals), "players": names, "title": f"={typed}"})
    assume(not reading.problems)
    assert reading.match
    text = csv_text(standing(reading.match), mark=False)
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        for cell in row:
            is_number = re.fullmatch(r"-?[0-9]+", cell)
            assert is_number or not cell.lstrip().startswith(tuple("=+-@\t\r＝＋－＠")), row
    assert {"-5"} <= {line["score"] for line in lines_of(text)}


# On the page


def test_it_is_offered_beside_the_match_file(client: FlaskClient) -> None:
    phone = Phone(client)
    slug = phone.start(title="Würfel / Karten", place="")
    links = phone.open(f"/m/{slug}/take").links
    assert f"/m/{slug}/deals.csv" in links
    answer = client.get(f"/m/{slug}/deals.csv")
    assert (answer.status_code, answer.content_type) == (200, "text/csv; charset=utf-8")
    assert re.fullmatch(
        r'attachment; filename="barbu-\d{4}-\d\d-\d\d-w-rfel-karten\.csv"',
        answer.headers["Content-Disposition"],
    )
    assert answer.headers["Cache-Control"] == "no-cache, private"
    assert client.get("/m/nowhere/deals.csv").status_code == 404


def test_the_mark_can_be_left_out(app: Flask, store: Store) -> None:
    """The open deal is in it; a spreadsheet reads accents right with the mark, a program may do without."""
    names = ["Zoë", "Ben", "Carla", "Dan"]
    match = read_match({**match_file(), "players": names}).match
    assert match
    slug, _ = store.start(match)
    store.write_draft(slug, 0, Draft(0, "a phone", 1, {"declarer": "Zoë", "contract": "B", "doubles": {}}))
    client = app.test_client()
    marked, plain = (client.get(f"/m/{slug}/deals.csv{more}").data for more in ("", "?bom=0"))
    assert marked == BYTE_ORDER_MARK.encode() + plain
    assert client.get(f"/m/{slug}/deals.csv?bom=1").data == marked
    (first, *_) = lines_of(plain.decode())
    assert (first["player"], first["contract"], first["passed_out"]) == ("Zoë", "B", "")
    assert first["score"] == first["taken"] == ""


# Names of files

HELL = [
    *("", " ", ".", "..", "../../etc/passwd", "..\\..\\windows", "/", "\\", "C:\\x", ".hidden", "-rf", "~"),
    *("CON", "nul", "a\x00b", "a\nb", "a\r\nSet-Cookie: x=1", 'a"; filename="b', "a;b", "a%00b", "a%2fb"),
    *(
        "\u202egnp.exe",
        "\u200f\u202b",
        "x" * 300,
        "ü" * 200,
        "é́",
        "李小龍",
        "🃏",
        "a" * 47 + "  -- b",
        "$(x)`y`",
    ),
]


@pytest.mark.parametrize("title", HELL)
@pytest.mark.parametrize("date", ["", "2026-11-26"])
def test_the_name_of_a_file_is_safe_everywhere(title: str, date: str) -> None:
    """Plain letters, digits and single dashes; never a name of a device, and never too long."""
    name = file_name(Match(NAMES, title=title, date=date))
    assert re.fullmatch(r"barbu(-[a-z0-9]+)*", name)
    assert len(name) <= 60
    assert name.startswith(f"barbu-{date}" if date else "barbu")


@given(st.text(max_size=300))
def test_any_title_makes_a_safe_name(title: str) -> None:
    assert re.fullmatch(r"barbu(-[a-z0-9]+)*", file_name(Match(NAMES, title=title)))


@pytest.mark.parametrize("title", [t for t in HELL if t.isprintable() and len(t) <= 200])
def test_the_header_of_a_file_is_whole(app: Flask, store: Store, title: str) -> None:
    """The name stands in the header as it is, and nothing else."""
    match = read_match({**match_file(), "title": title}).match
    assert match
    slug, _ = store.start(match)
    for file, ending in ("match.json", "json"), ("deals.csv", "csv"):
        answer = app.test_client().get(f"/m/{slug}/{file}")
        named = answer.headers["Content-Disposition"]
        assert named == f'attachment; filename="{file_name(match)}.{ending}"'
