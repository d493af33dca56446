"""Everything that can be wrong with a match, one example each: files, and matches made without one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import NamedTuple

from builders import ANNA, NAMES, SOME_TALLY, Json, deal, deal_entry, match_file, match_of, played

from scorepad.contracts import Contract
from scorepad.match import BrokenDeal, Match, ResultMissing
from scorepad.matchfile import read
from scorepad.rules import STANDARD, RuleError, Values
from scorepad.standing import problems
from scorepad.table import PerSeat

#: Problems as the number of the deal (None: the match) and the code.
Codes = list[tuple[int | None, str]]


class BadFile(NamedTuple):
    """A match file that something is wrong with, and everything that is."""

    name: str
    data: bytes
    problems: Codes


class BadMatch(NamedTuple):
    """A match that something is wrong with, and everything that is."""

    name: str
    match: Match
    problems: Codes


def _file(name: str, source: Json, *problems: tuple[int | None, str]) -> BadFile:
    """A file made of this JSON value."""
    return BadFile(name, json.dumps(source, ensure_ascii=False).encode(), list(problems))


def _whole(name: str, code: str, *deals: Json, **fields: Json) -> BadFile:
    """A file with one mistake outside its deals."""
    return _file(name, match_file(*deals, **fields), (None, code))


def _deal(name: str, code: str, declared: str, *, rules: Json = "standard", **fields: Json) -> BadFile:
    """A file whose only deal has one mistake."""
    return _file(name, match_file(deal_entry(declared, **fields), rules=rules), (1, code))


def _result(name: str, code: str, declared: str, result: Json) -> BadFile:
    """A file whose only deal, doubled by Ben, has one mistake in its result."""
    declarer, _ = declared.split()
    return _deal(name, code, declared, doubles={"Ben": [declarer]}, result=result)


def _players(name: str, code: str, *players: Json) -> BadFile:
    """A file with one mistake in its names."""
    return _whole(name, code, players=list(players))


def _bytes(name: str, data: bytes, code: str) -> BadFile:
    """A file that cannot be read at all."""
    return BadFile(name, data, [(None, code)])


def _valid() -> bytes:
    return json.dumps(match_file()).encode()


def _without(field: str) -> Json:
    """A match file that lacks a field."""
    return {name: value for name, value in match_file().items() if name != field}


UNREADABLE = [
    _bytes("an empty file", b"", "file_not_json"),
    _bytes("not JSON", b"Anna 12, Ben -3", "file_not_json"),
    _bytes("cut short", _valid()[:-1], "file_not_json"),
    _bytes("something after the end", _valid() + b"}", "file_not_json"),
    _bytes("Latin-1", '{"format": "Chloé"}'.encode("latin-1"), "file_not_utf8"),
    _bytes("UTF-16", _valid().decode().encode("utf-16"), "file_not_utf8"),
    _bytes("half a character", b'{"format": "scorepad-match/1", "title": "\\ud83c"}', "file_not_utf8"),
    _bytes("half a character as a field", b'{"\\ud83c": 1}', "file_not_utf8"),
    _bytes("a hundred thousand brackets", b"[" * 100_000, "file_not_json"),
    _bytes("as many, closed", b"[" * 100_000 + b"]" * 100_000, "file_not_json"),
    _bytes("nested deeper than a match", b'{"format":' + b"[" * 30 + b"]" * 30 + b"}", "file_not_json"),
    _bytes("not a number", b'{"format": NaN}', "file_not_json"),
    _bytes("infinity", b'{"format": -Infinity}', "file_not_json"),
    _bytes("a number of 5000 digits", b'{"format": ' + b"9" * 5000 + b"}", "file_not_json"),
    _bytes("a field twice", b'{"format": "scorepad-match/1", "format": "scorepad-match/1"}', "field_twice"),
    _bytes("a megabyte and more", b" " * 1_000_001, "file_too_large"),
    _file("of no format", {}, (None, "wrong_format")),
    _file("of a later format", match_file(format="scorepad-match/2"), (None, "wrong_format")),
    _file("the format is no text", match_file(format=["scorepad-match/1"]), (None, "wrong_format")),
    _file("a list", [], (None, "wrong_format")),
    _file("null", None, (None, "wrong_format")),
    _file("a number", 1e300, (None, "wrong_format")),
]

NAMES_WRONG = [
    _file("no players", _without("players"), (None, "field_missing")),
    _players("three players", "players_not_four", "Anna", "Ben", "Carla"),
    _players("five players", "players_not_four", *NAMES, "Eve"),
    _whole("players are no list", "wrong_kind", players={"Anna": 1}),
    _players("a player is a number", "wrong_kind", "Anna", "Ben", "Carla", 4),
    _players("an empty name", "name_missing", "", "Ben", "Carla", "Dan"),
    _players("a name of spaces", "name_missing", "Anna", " \u2003 ", "Carla", "Dan"),
    _players("a name that cannot be seen", "name_missing", "Anna", "Ben", "\u200b\u2060", "Dan"),
    _players("a name of 200 characters", "name_too_long", "Anna", "Ben", "Carla", "D" * 200),
    _players("a name with a control character", "name_not_printable", "Anna", "Be\x00n", "Carla", "Dan"),
    _players("a name on two lines", "name_not_printable", "Anna", "Ben\nBen", "Carla", "Dan"),
    _players("a name with a line separator", "name_not_printable", "An\u2028na", "Ben", "Carla", "Dan"),
    _players("the same name twice", "names_alike", "Ann", "Ben", "Ann", "Dan"),
    _players("the same letter twice", "names_alike", "A", "B", "C", "A"),
    _players("two in different case", "names_alike", "Ann", "ann ", "Carla", "Dan"),
    _players("two of different width", "names_alike", "Ann", "Ａnn", "Carla", "Dan"),
    _players("two that differ in what cannot be seen", "names_alike", "Ann", "An\u200bn", "Carla", "Dan"),
    _players("two that differ in spaces", "names_alike", "Ann B", "Ann  B", "Carla", "Dan"),
    _players("ß and ss", "names_alike", "Groß", "GROSS", "Carla", "Dan"),
]

MATCH_WRONG = [
    _file("no deals", _without("deals"), (None, "field_missing")),
    _whole("deals are no list", "wrong_kind", deals={}),
    _whole("an unknown field", "unknown_field", winner="Anna"),
    _file(
        "more unknown fields than are told",
        match_file(**{f"field {n}": n for n in range(25)}),
        *[(None, "unknown_field")] * 20,
        (None, "too_many_entries"),
    ),
    _whole("an unknown first declarer", "unknown_player", first_declarer="Eve"),
    _whole("the first declarer is a number", "wrong_kind", first_declarer=1),
    _whole("a title too long", "text_too_long", title="x" * 201),
    _whole("a title with a control character", "text_not_printable", title="a\x07b"),
    _whole("a title that is no text", "wrong_kind", title=None),
    _whole("a place on two lines", "text_not_printable", place="here\nthere"),
    _whole("a day that is not in the calendar", "not_a_date", date="2026-02-30"),
    _whole("a month that is none", "not_a_date", date="2026-13-01"),
    _whole("a day written otherwise", "not_a_date", date="26.11.2026"),
    _whole("a day in other digits", "not_a_date", date="２０２６-11-26"),
    _whole("a year nobody had", "not_a_date", date="0000-01-01"),
    _whole("a date that is a number", "wrong_kind", date=20261126),
    _whole("abandoned is no text", "wrong_kind", abandoned="yes"),
    _whole("the revision is no number", "not_a_whole_number", revision="7"),
    _whole("a stake that is no object", "wrong_kind", stake="0.05"),
    _whole("a stake as a number", "not_an_amount", stake={"per_point": 0.05}),
    _whole("a stake with a comma", "not_an_amount", stake={"per_point": "0,05"}),
    _whole("a stake of nothing known", "field_missing", stake={"currency": "EUR"}),
    _whole("a stake of more than is asked", "unknown_field", stake={"per_point": "1", "tax": "1"}),
    _whole("a currency too long", "text_too_long", stake={"per_point": "1", "currency": "x" * 201}),
]


def _rules(name: str, code: str, rules: Json) -> BadFile:
    """A file with one mistake in its house rules."""
    return _whole(name, code, rules=rules)


RULES_WRONG = [
    _rules("a preset nobody knows", "unknown_value", "english"),
    _rules("a preset that is a number", "unknown_value", {"preset": 1}),
    _rules("no rules", "wrong_kind", None),
    _rules("an unknown rule", "unknown_field", {"jokers": 2}),
    _rules("a rotation nobody knows", "unknown_value", {"rotation": "widdershins"}),
    _rules("a deck of forty", "unknown_value", {"deck": 40}),
    _rules("a deck as text", "unknown_value", {"deck": "52"}),
    _rules("a deck that is true", "unknown_value", {"deck": True}),
    _rules("Ravage City as text", "wrong_kind", {"ravage_city": "yes"}),
    _rules("too many compulsory doubles", "too_many_compulsory_doubles", {"compulsory_doubles": 8}),
    _rules("fewer than none", "too_many_compulsory_doubles", {"compulsory_doubles": -1}),
    _rules("compulsory doubles as a fraction", "not_a_whole_number", {"compulsory_doubles": 2.0}),
    _rules("compulsory doubles that are true", "not_a_whole_number", {"compulsory_doubles": True}),
    _rules("values that are no object", "wrong_kind", {"values": -20}),
    _rules("a value nobody knows", "unknown_field", {"values": {"jack": -1}}),
    _rules("a value as text", "not_a_whole_number", {"values": {"king": "-20"}}),
    _rules("a value too large", "value_too_large", {"values": {"king": -10_001}}),
    _rules("a value far too large", "number_too_large", {"values": {"king": -(10**9)}}),
    _rules("Dominoes for three", "wrong_kind", {"values": {"dominoes": [45, 20, 5]}}),
    _rules("Dominoes in words", "not_a_whole_number", {"values": {"dominoes": [45, 20, 5, "-5"]}}),
    _rules(
        "Ravage City that cannot be shared", "ravage_city_does_not_divide", {"values": {"ravage_city": -40}}
    ),
    _rules("a way of playing nobody knows", "unknown_value", {"play": {"leader": "youngest"}}),
]


def _agreed(name: str, code: str, /, **line: Json) -> BadFile:
    """A file with one mistake in its agreed points."""
    return _whole(name, code, agreed_points=[{"after_deal": 0, "points": {"Ben": -10}, **line}])


def _replaced(name: str, code: str, /, **line: Json) -> BadFile:
    """A file with one mistake in its replacements."""
    return _whole(name, code, replaced=[{"from_deal": 1, "seat": 2, "name": "Eve", **line}])


AROUND_WRONG = [
    _agreed("points after a deal there is not", "agreed_after_no_deal", after_deal=1),
    _agreed("points before the match", "agreed_after_no_deal", after_deal=-1),
    _agreed("points too large", "agreed_too_large", points={"Ben": 10_001}),
    _agreed("points to somebody else", "unknown_player", points={"Eve": 1}),
    _agreed("points in halves", "not_a_whole_number", points={"Ben": 0.5}),
    _agreed("points to nobody", "wrong_kind", points=[1, 2, 3, 4]),
    _agreed("a reason too long", "text_too_long", reason="x" * 201),
    _agreed("a line with more than is asked", "unknown_field", by="Anna"),
    _whole("a line of nothing", "wrong_kind", agreed_points=[None]),
    _whole("lines that are no list", "wrong_kind", agreed_points={}),
    _whole("too many lines", "too_many_entries", agreed_points=[{"after_deal": 0, "points": {}}] * 65),
    _replaced("somebody new before the match", "replaced_at_no_deal", from_deal=0),
    _replaced("somebody new too late", "replaced_at_no_deal", from_deal=2),
    _replaced("a fifth seat", "unknown_value", seat=5),
    _replaced("the seat of somebody else", "unknown_player", seat="Eve"),
    _replaced("the seat of nobody", "not_a_whole_number", seat=None),
    _replaced("somebody new of the same name", "names_alike", name="carla"),
    _replaced("somebody new without a name", "name_missing", name=" "),
]

DEALS_WRONG = [
    _file("a deal that is no object", match_file("Anna NQ"), (1, "wrong_kind")),
    _file("a deal without a declarer", match_file({"contract": "B"}), (1, "field_missing")),
    _file("a deal without a contract", match_file({"declarer": "Ben"}), (1, "field_missing")),
    _deal("a declarer who is not at the table", "unknown_player", "Eve B"),
    _deal("a contract nobody knows", "unknown_value", "Anna nq"),
    _deal("Ravage City where it is not played", "contract_not_in_game", "Anna RC"),
    _deal("a field nobody knows", "unknown_field", "Anna B", winner="Ben"),
    _deal("a note too long", "text_too_long", "Anna B", note="x" * 201),
    _deal("a trump suit that is none", "unknown_value", "Anna T", trump="X"),
    _deal("a trump suit in No Queens", "noted_elsewhere", "Anna NQ", trump="S"),
    _deal("a starting rank that is none", "unknown_value", "Anna D", start="1"),
    _deal("a starting rank as a number", "unknown_value", "Anna D", start=9),
    _deal("a starting rank in Trumps", "noted_elsewhere", "Anna T", start="9"),
    _deal("a double of oneself", "double_of_oneself", "Anna NQ", doubles={"Ben": ["Ben"]}),
    _deal("the same double twice", "named_twice", "Anna NQ", doubles={"Ben": ["Anna", "Anna"]}),
    _deal("a doubler twice", "named_twice", "Anna NQ", doubles={"Ben": ["Anna"], "Ben ": ["Dan"]}),
    _deal("a double of a flank in Trumps", "flank_double_not_allowed", "Anna T", doubles={"Ben": ["Carla"]}),
    _deal("a declarer who opens", "declarer_may_only_redouble", "Anna NQ", doubles={"Anna": ["Ben"]}),
    _deal("a doubler who is not at the table", "unknown_player", "Anna NQ", doubles={"Eve": ["Anna"]}),
    _deal("a double of nobody at the table", "unknown_player", "Anna NQ", doubles={"Ben": ["Eve"]}),
    _deal("doubles as a list", "wrong_kind", "Anna NQ", doubles=["Ben"]),
    _deal("a double without a list", "wrong_kind", "Anna NQ", doubles={"Ben": "Anna"}),
    _file(
        "more doubled than are looked at",
        match_file(deal_entry("Anna NQ", doubles={"Ben": ["Eve"] * 25})),
        (1, "too_many_entries"),
        *[(1, "unknown_player")] * 20,
    ),
    _deal("passed out is no text", "wrong_kind", "Anna NQ", passed_out="yes"),
    _deal(
        "passed out though doubled",
        "passed_out_but_doubled",
        "Anna B",
        passed_out=True,
        doubles={"Ben": ["Dan"]},
    ),
    _deal("Trumps passed out", "positive_passed_out", "Anna T", passed_out=True),
    _deal(
        "passed out at a German table",
        "passed_out_but_played_here",
        "Anna B",
        rules="german",
        passed_out=True,
    ),
    _deal("played though nobody doubled", "nobody_doubled", "Anna B", result={"king": "Ben"}),
    _deal(
        "passed out with a result", "result_and_passed_out", "Anna B", passed_out=True, result={"king": "Ben"}
    ),
]

RESULTS_WRONG = [
    _result("fourteen tricks", "tally_does_not_add_up", "Anna M", {"tricks": {"Anna": 7, "Ben": 7}}),
    _result("twelve tricks", "tally_does_not_add_up", "Anna T", {"tricks": {"Anna": 6, "Ben": 6}}),
    _result("no tricks", "tally_does_not_add_up", "Anna M", {"tricks": {}}),
    _result("five queens", "tally_does_not_add_up", "Anna NQ", {"queens": {"Ben": 2, "Dan": 3}}),
    _result("fourteen hearts", "tally_does_not_add_up", "Anna NH", {"hearts": {"Dan": 14}, "ace": "Dan"}),
    _result("no taker of the king", "field_missing", "Anna B", {}),
    _result("nobody as taker of the king", "wrong_kind", "Anna B", {"king": None}),
    _result("two takers of the king", "wrong_kind", "Anna B", {"king": ["Ben", "Carla"]}),
    _result("a taker who is not at the table", "unknown_player", "Anna B", {"king": "Eve"}),
    _result("a fraction", "not_a_whole_number", "Anna M", {"tricks": {"Anna": 6.5}}),
    _result("a whole fraction", "not_a_whole_number", "Anna M", {"tricks": {"Anna": 13.0}}),
    _result("wide digits", "not_a_whole_number", "Anna M", {"tricks": {"Anna": "１３"}}),
    _result("digits in quotes", "not_a_whole_number", "Anna M", {"tricks": {"Anna": "13"}}),
    _result("true", "not_a_whole_number", "Anna NQ", {"queens": {"Anna": True, "Ben": 3}}),
    _result("a list as a count", "not_a_whole_number", "Anna NQ", {"queens": {"Anna": [1, 2], "Ben": 3}}),
    _result("an empty field", "count_missing", "Anna M", {"tricks": {"Anna": "", "Ben": 13}}),
    _result("a negative count", "count_is_negative", "Anna M", {"tricks": {"Anna": -1, "Ben": 14}}),
    _result("a number beyond counting", "number_too_large", "Anna M", {"tricks": {"Anna": 10**9}}),
    _result("counts as a list", "wrong_kind", "Anna M", {"tricks": [4, 1, 6, 2]}),
    _result("a count of somebody else", "unknown_player", "Anna M", {"tricks": {"Anna": 13, "Eve": 0}}),
    _result("a player counted twice", "named_twice", "Anna M", {"tricks": {"Anna": 6, "Anna ": 7}}),
    _result(
        "the ace to one without hearts",
        "ace_without_hearts",
        "Anna NH",
        {"hearts": {"Dan": 13}, "ace": "Ben"},
    ),
    _result("hearts without the ace", "field_missing", "Anna NH", {"hearts": {"Dan": 13}}),
    _result(
        "an order naming somebody twice",
        "order_names_twice",
        "Anna D",
        {"order": ["Ben", "Ben", "Dan", "Anna"]},
    ),
    _result("an order of three", "wrong_kind", "Anna D", {"order": ["Ben", "Dan", "Anna"]}),
    _result("an order of one name", "wrong_kind", "Anna D", {"order": "Ben"}),
    _result(
        "an order with somebody else", "unknown_player", "Anna D", {"order": ["Ben", "Eve", "Dan", "Anna"]}
    ),
    _result("three takers of two tricks", "wrong_kind", "Anna NL2", {"last_two": ["Ben", "Dan", "Ben"]}),
    _result("a last trick of nobody", "unknown_player", "Anna NL2", {"last_two": ["Ben", "Eve"]}),
    _result("a result of nothing", "wrong_kind", "Anna B", None),
    _result("more than is asked", "unknown_field", "Anna B", {"king": "Ben", "queens": {}}),
    _file(
        "most of a suit with nobody",
        match_file(
            deal_entry("Anna RC", doubles={"Ben": ["Anna"]}, result={"most": []}), rules="ravage-city"
        ),
        (1, "most_names_nobody"),
    ),
    _file(
        "the result of another contract",
        match_file(deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"queens": {"Ben": 4}})),
        (1, "field_missing"),
        (1, "unknown_field"),
    ),
]


def _endless() -> list[Json]:
    """Sixty-five deals, the same twenty-eight over and over."""
    results: dict[str, Json] = {"T": {"tricks": {"Anna": 13}}, "D": {"order": list(NAMES)}}
    contracts = ("B", "M", "NQ", "NH", "NL2", "T", "D")
    declared = [f"{NAMES[n % 4]} {contracts[n // 4 % 7]}" for n in range(65)]
    return [
        deal_entry(d, result=results[d.split()[1]])
        if d.split()[1] in results
        else deal_entry(d, passed_out=True)
        for d in declared
    ]


ORDER_WRONG = [
    _file(
        "an open deal in the middle",
        match_file(deal_entry("Anna B"), deal_entry("Ben M", passed_out=True)),
        (1, "open_but_not_last"),
    ),
    _file(
        "a contract declared twice",
        match_file(*[deal_entry("Anna B", passed_out=True)] * 2),
        (2, "contract_declared_twice"),
    ),
    _file(
        "a contract declared again after a deal that cannot be read",
        match_file(deal_entry("Anna B", result={}), deal_entry("Anna B", passed_out=True)),
        (1, "field_missing"),
        (2, "contract_declared_twice"),
    ),
    _file(
        "sixty-five deals",
        match_file(*_endless()),
        (None, "too_many_deals"),
        *((n, "contract_declared_twice") for n in range(29, 65)),
    ),
    _file(
        "much at once, all of it listed",
        match_file(
            deal_entry("Anna B", doubles={"Ben": ["Eve", "Ann"]}, result={"king": "Adam"}, nte=""),
            deal_entry("Ben M", doubles={"Ben": ["Ben"], "Dan": ["Ben"]}, result={"tricks": {"Anna": -1}}),
            "nothing",
            deal_entry("Ben M", passed_out=True, trump="S"),
            title="x" * 300,
            date="yesterday",
            rules={"deck": 40, "values": {"king": 0.5}},
            first_declarer="Eve",
        ),
        (None, "unknown_value"),
        (None, "not_a_whole_number"),
        (None, "unknown_player"),
        (None, "not_a_date"),
        (None, "text_too_long"),
        (1, "unknown_player"),
        (1, "unknown_player"),
        (1, "unknown_player"),
        (1, "unknown_field"),
        (2, "double_of_oneself"),
        (2, "count_is_negative"),
        (2, "tally_does_not_add_up"),
        (3, "wrong_kind"),
        (4, "noted_elsewhere"),
        (4, "contract_declared_twice"),
    ),
]

BAD_FILES = [
    *UNREADABLE,
    *NAMES_WRONG,
    *MATCH_WRONG,
    *RULES_WRONG,
    *AROUND_WRONG,
    *DEALS_WRONG,
    *RESULTS_WRONG,
    *ORDER_WRONG,
]

#: What a match file cannot say, but a form can.
BAD_MATCHES = [
    BadMatch(
        "the tally of another contract",
        match_of(replace(played("Anna NQ"), tally=SOME_TALLY[Contract.B])),
        [(1, "wrong_tally")],
    ),
    BadMatch(
        "a tally though passed out",
        match_of(deal("Anna B", passed_out=True, king="Ben")),
        [(1, "passed_out_with_result")],
    ),
    BadMatch(
        "passed out in every wrong way",
        match_of(deal("Anna T", "BA", passed_out=True, tricks=(13, 0, 0, 0))),
        [(1, "positive_passed_out"), (1, "passed_out_but_doubled"), (1, "passed_out_with_result")],
    ),
    BadMatch(
        "a name that is half a character",
        replace(match_of(), players=PerSeat("\ud83c", "Ben", "Carla", "Dan")),
        [(None, "name_not_printable")],
    ),
    BadMatch(
        "a broken deal",
        match_of(BrokenDeal((ResultMissing(contract=Contract.B),), ANNA, Contract.B)),
        [(1, "result_missing")],
    ),
    BadMatch(
        "rules and deals at once",
        match_of(
            deal("Anna RC", "BA", most="Ben Carla"),
            deal("Ben B", "AB"),
            deal("Carla NQ", "DC", queens=(0, 0, 0, 5), note="\x1b"),
            rules=replace(STANDARD, compulsory_doubles=-2, values=Values(ravage_city=7)),
        ),
        [
            (None, "ravage_city_does_not_divide"),
            (None, "too_many_compulsory_doubles"),
            (1, "contract_not_in_game"),
            (2, "open_but_not_last"),
            (3, "text_not_printable"),
            (3, "tally_does_not_add_up"),
        ],
    ),
]


def every_mistake() -> dict[str, RuleError]:
    """The first example of each mistake the core knows, by its code."""
    found = [p.mistake for bad in BAD_FILES for p in read(bad.data).problems]
    found += [p.mistake for bad in BAD_MATCHES for p in problems(bad.match)]
    return {mistake.code: mistake for mistake in reversed(found)}
