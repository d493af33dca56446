"""The match file: read, everything wrong in it said, written, and its schema."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import jsonschema
import pytest
from builders import (
    ANNA,
    BEN,
    CARLA,
    DAN,
    NAMES,
    Json,
    case_file,
    codes,
    deal,
    deal_entry,
    match_cases,
    match_file,
    match_of,
    played,
    single_deal_cases,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from mistakes import BAD_FILES, BadFile, every_mistake
from strategies import TRICKY_NAMES, house_rules, json_values, matches, reordered, spoilt_files

from scorepad.figures import figures
from scorepad.match import BrokenDeal, Match, Replacement, Stake
from scorepad.matchfile import (
    Players,
    Reading,
    canonical,
    parse,
    read,
    read_deal,
    read_match,
    read_rules,
    schema,
    write_deal,
    write_match,
    write_rules,
)
from scorepad.rules import PRESETS, STANDARD, Deck, PositivesCount, RuleError, Rules, Values
from scorepad.standing import problems, standing
from scorepad.table import PerSeat


def accepted(source: Json) -> Match:
    """The match of a file that nothing is wrong with."""
    match, wrong = read(json.dumps(source))
    assert wrong == ()
    assert match is not None
    return match


# What is wrong


@pytest.mark.parametrize("bad", BAD_FILES, ids=lambda bad: bad.name)
def test_everything_wrong_with_a_file_is_listed_with_its_deal(bad: BadFile) -> None:
    assert codes(read(bad.data).problems) == bad.problems


def test_every_mistake_the_core_knows_is_among_the_examples() -> None:
    def below(kind: type[RuleError]) -> set[str]:
        _, module, *_ = kind.__module__.split(".")
        ours = {kind.code} if module in {"contracts", "doubles", "match", "matchfile"} else set()
        return ours.union(*(below(k) for k in kind.__subclasses__()))

    assert every_mistake().keys() == below(RuleError)


def test_a_contract_declared_twice_names_the_deal_where_it_was_used() -> None:
    file = match_file(*[deal_entry("Anna B", passed_out=True)] * 2)
    (problem,) = read(json.dumps(file)).problems
    assert (problem.deal, problem.mistake.values["used"]) == (2, 1)


@pytest.mark.parametrize(
    ("count", "code"), [("", "count_missing"), (6.5, "not_a_whole_number"), (10**9, "number_too_large")]
)
def test_what_is_wrong_with_a_count_says_whose_and_of_what(count: Json, code: str) -> None:
    result = {"tricks": {"Anna": 13, "Carla": count}}
    file = match_file(deal_entry("Ben M", doubles={"Dan": ["Ben"]}, result=result))
    (problem,) = read(json.dumps(file)).problems
    assert problem.mistake.code == code
    assert problem.mistake.values["player"] is CARLA
    assert problem.mistake.values["what"] == "tricks"


def test_what_is_found_is_shown_short() -> None:
    file = match_file(deal_entry("Anna B", doubles={"x" * 500: []}), **{"y" * 500: 1})
    shown = [p.mistake.values["name"] for p in read(json.dumps(file)).problems]
    assert all(len(name) <= 41 for name in shown)


def test_where_json_stops_is_told() -> None:
    (problem,) = read('{"format":\n  "scorepad-match/1",,}').problems
    assert problem.mistake.values == {"line": 2, "column": 22}


def test_a_field_twice_among_very_many_is_found_at_once() -> None:
    fields = ",".join(f'"{n}":0' for n in range(50_000))
    start = time.perf_counter()
    (problem,) = read(f'{{{fields},"49999":0}}').problems
    assert problem.mistake.values == {"name": "49999"}
    assert time.perf_counter() - start < 5


def test_a_file_without_readable_names_has_no_match() -> None:
    assert read(json.dumps(match_file(players=["Anna", "Ben"]))).match is None


def test_a_deal_that_cannot_be_read_leaves_the_others() -> None:
    first, second = deal_entry("Anna B", king="Ben"), deal_entry("Ben B", passed_out=True)
    match, wrong = read(json.dumps(match_file(first, second)))
    assert codes(wrong) == [(1, "unknown_field")]
    assert match is not None
    broken, whole = match.deals
    assert isinstance(broken, BrokenDeal)
    assert whole == deal("Ben B", passed_out=True)
    assert standing(match).totals == (-7, 1, -7, -7)


# What is accepted


def test_the_least_a_file_needs() -> None:
    assert accepted(match_file()) == match_of()


def test_names_are_taken_as_they_stand() -> None:
    for n in range(len(TRICKY_NAMES) - 3):
        names = list(TRICKY_NAMES[n : n + 4])
        match = accepted(match_file(players=names, first_declarer=names[2]))
        assert list(match.players) == names
        assert match.first_declarer is CARLA


def test_names_match_after_composing_and_trimming() -> None:
    decomposed = "Zoe\N{COMBINING DIAERESIS}"
    result = {"king": " Zoë "}
    entry = deal_entry("Anna B", doubles={decomposed: ["Anna "]}, result=result)
    match = accepted(match_file(entry, players=[" Anna", decomposed, "Carla", "Dan"]))
    assert match.players[BEN] == "Zoë"
    assert match.deals == (deal("Anna B", "BA", king="Ben"),)


def test_a_byte_order_mark_is_no_matter() -> None:
    assert read(b"\xef\xbb\xbf" + json.dumps(match_file()).encode()) == Reading(match_of(), ())


def test_a_text_is_read_like_its_bytes() -> None:
    assert read(json.dumps(match_file())) == read(json.dumps(match_file()).encode())


def test_who_is_left_out_of_a_count_took_nothing() -> None:
    entry = deal_entry("Anna NQ", doubles={"Ben": ["Anna"], "Dan": []}, result={"queens": {"Dan": 4}})
    assert accepted(match_file(entry)).deals == (deal("Anna NQ", "BA", queens=(0, 0, 0, 4)),)


def test_a_deal_may_be_passed_out_or_not_in_so_many_words() -> None:
    entry = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, passed_out=False, result={"king": "Dan"})
    assert accepted(match_file(entry)).deals == (deal("Anna B", "BA", king="Dan"),)


def test_the_revision_is_read_and_ignored() -> None:
    assert accepted(match_file(revision=7)) == accepted(match_file())


def test_somebody_new_is_known_by_name_too_and_sits_where_another_sat() -> None:
    entry = deal_entry("Eve B", doubles={"Dan": ["Eve"]}, result={"king": "Ben"})
    for seat in (2, "Ben"):
        match = accepted(match_file(entry, replaced=[{"from_deal": 1, "seat": seat, "name": "Eve"}]))
        assert match.replaced == (Replacement(1, BEN, "Eve"),)
        assert match.deals == (deal("Ben B", "DB", king="Ben"),)


def test_a_name_means_the_player_of_the_start_when_somebody_new_has_the_same() -> None:
    match = match_of(played("Ben B"), replaced=(Replacement(1, BEN, "Eve"), Replacement(1, DAN, "Ben")))
    assert accepted(write_match(match)) == match


def test_sixty_four_deals_are_looked_at_and_sixty_four_lines() -> None:
    lines = [{"after_deal": 0, "points": {"Ben": 1}}] * 64
    assert len(accepted(match_file(agreed_points=lines)).agreed_points) == 64


@pytest.mark.parametrize("date", ["", "2026-11-26", "2024-02-29", " 2026-11-26 "])
def test_a_day_of_the_calendar(date: str) -> None:
    assert accepted(match_file(date=date)).date == date.strip()


@pytest.mark.parametrize("per_point", ["1", "0.05", "100000", "0.000001"])
def test_a_stake(per_point: str) -> None:
    match = accepted(match_file(stake={"per_point": per_point, "currency": "EUR"}))
    assert match.stake == Stake(per_point, "EUR")


# House rules


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_by_its_name_or_in_an_object(name: str) -> None:
    assert accepted(match_file(rules=name)).rules == PRESETS[name]
    assert accepted(match_file(rules={"preset": name})).rules == PRESETS[name]


def test_no_rules_are_the_standard_ones() -> None:
    assert accepted(match_file()).rules == accepted(match_file(rules={})).rules == STANDARD


def test_fields_override_a_preset_and_any_subset_of_values_the_rest() -> None:
    rules: Json = {
        "preset": "german-other-values",
        "deck": 32,
        "positives_count": "one",
        "values": {"queen": -5, "dominoes": [9, 8, 7, 6]},
        "play": {"low_ace": True},
    }
    read_ = accepted(match_file(rules=rules)).rules
    german = PRESETS["german-other-values"]
    assert read_ == replace(
        german,
        deck=Deck.SMALL,
        positives_count=PositivesCount.ONE,
        values=replace(german.values, queen=-5, dominoes=(9, 8, 7, 6)),
        play=replace(german.play, low_ace=True),
    )
    assert read_.values.king == -15


@settings(max_examples=100, deadline=None)
@given(house_rules())
def test_rules_are_written_with_every_field_and_read_back(rules: Rules) -> None:
    written = write_rules(rules)
    assert read_rules("rules", json.loads(json.dumps(written))) == (rules, [])
    assert written.keys() == set(Rules.__dataclass_fields__)
    assert written["values"].keys() == set(Values.__dataclass_fields__)


# There and back


@settings(max_examples=60, deadline=None)
@given(matches())
def test_a_match_that_was_written_reads_the_same(match: Match) -> None:
    text = canonical(write_match(match))
    assert read(text) == Reading(match, ())
    assert read(text.encode()) == Reading(match, ())
    assert canonical(write_match(accepted(json.loads(text)))) == text


@settings(max_examples=20, deadline=None)
@given(st.data(), matches(most_deals=4))
def test_the_order_of_fields_changes_nothing(data: st.DataObject, match: Match) -> None:
    file = write_match(match)
    shuffled = data.draw(reordered(file))
    assert canonical(shuffled) == canonical(file)
    assert read(json.dumps(shuffled, indent=2)) == Reading(match, ())


@pytest.mark.parametrize("name", match_cases())
def test_the_example_matches_are_written_and_read_back(name: str) -> None:
    match, wrong = read(case_file(name))
    assert wrong == ()
    assert match is not None
    assert read(canonical(write_match(match))).match == match


def test_a_written_file_states_what_was_left_to_the_defaults() -> None:
    written = write_match(match_of(deal("Anna NQ", "BA", queens=(0, 0, 0, 4))))
    assert written == {
        "format": "scorepad-match/1",
        "title": "",
        "date": "",
        "place": "",
        "players": list(NAMES),
        "first_declarer": "Anna",
        "rules": write_rules(STANDARD),
        "deals": [
            {
                "declarer": "Anna",
                "contract": "NQ",
                "doubles": {"Ben": ["Anna"]},
                "result": {"queens": {"Anna": 0, "Ben": 0, "Carla": 0, "Dan": 4}},
            }
        ],
        "agreed_points": [],
        "replaced": [],
        "abandoned": False,
    }


def test_a_deal_is_written_by_the_names_of_the_players() -> None:
    one = deal("Dan D", "AD DA", order="Carla Ben Dan Anna", start="10", note="late")
    body = write_deal(one, NAMES)
    assert body == {
        "declarer": "Dan",
        "contract": "D",
        "doubles": {"Anna": ["Dan"], "Dan": ["Anna"]},
        "start": "10",
        "result": {"order": ["Carla", "Ben", "Dan", "Anna"]},
        "note": "late",
    }
    assert read_deal(body, Players(NAMES)) == one


def test_the_canonical_form_is_that_of_rfc_8785() -> None:
    """Keys by their UTF-16 code units (the example of its section 3.2.3), no spaces, plain characters."""
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "ö"]
    ordered = list(json.loads(canonical({k: [True, None, "é\n\x1f"] for k in keys})))
    assert ordered == ["\r", "1", "\u0080", "ö", "\u20ac", "\U0001f600", "\ufb33"]
    assert canonical({"b": [1, "é\x1f"], "a": {}}) == '{"a":{},"b":[1,"é\\u001f"]}'


# Never an exception


def all_figures(reading: Reading) -> str:
    """The figures of whatever was read, as JSON text that can be sent."""
    return json.dumps(figures(reading))


@settings(max_examples=150, deadline=None)
@given(spoilt_files())
def test_a_spoilt_file_is_read_and_answered(file: Json) -> None:
    reading = read(json.dumps(file))
    assert all_figures(reading)
    direct = read_match(file)
    assert all_figures(direct)
    if reading.match is not None and not reading.problems:
        assert problems(reading.match) == ()


@settings(max_examples=100, deadline=None)
@given(json_values())
def test_any_json_is_answered(value: Json) -> None:
    assert all_figures(read(json.dumps(value)))
    assert all_figures(
        read(json.dumps(match_file(value, agreed_points=[value], replaced=[value], rules=value)))
    )


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.binary(max_size=60), st.text(max_size=60)))
def test_any_bytes_and_any_text_are_answered(data: bytes | str) -> None:
    reading = read(data)
    assert reading.match is None
    assert len(reading.problems) == 1


@pytest.mark.parametrize("depth", [5, 20, 200, 960, 970, 980, 990, 1000, 2000, 100_000])
@pytest.mark.parametrize(
    "around",
    ['{"format": %s}', '{"format":"scorepad-match/1","players":["A","B","C","D"],"deals":[],"revision":%s}'],
)
def test_lists_in_lists_however_deep_are_answered(around: str, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    assert all_figures(read(around % nested))


def test_what_is_no_text_at_all_never_reaches_the_reader() -> None:
    """Whatever is read can be written as UTF-8."""
    for data in (b'["\\ud800"]', b'{"\\udfff": 1}', '"\ud800"'):
        assert codes(read(data).problems) == [(None, "file_not_utf8")]
    assert parse(b'"\\ud83c\\udccf"') == "\N{PLAYING CARD BLACK JOKER}"


# The schema

SCHEMA: Json = schema()


def fits(file: Json) -> bool:
    """Whether a file has the shape the schema tells."""
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(file))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


@pytest.mark.parametrize("name", match_cases())
def test_the_example_matches_fit_the_schema(name: str) -> None:
    jsonschema.validate(json.loads(case_file(name)), SCHEMA)


@pytest.mark.parametrize("case", single_deal_cases(), ids=lambda case: case["id"])
def test_the_example_deals_fit_the_schema(case: Json) -> None:
    jsonschema.validate(match_file(case["deal"], players=case["players"], rules=case["rules"]), SCHEMA)


@settings(max_examples=15, deadline=None)
@given(matches(most_deals=6))
def test_a_written_match_fits_the_schema(match: Match) -> None:
    jsonschema.validate(json.loads(canonical(write_match(match))), SCHEMA)


@pytest.mark.parametrize(
    "file",
    [
        match_file(winner="Anna"),
        match_file(players=["Anna", "Ben"]),
        match_file(deal_entry("Anna X")),
        match_file(deal_entry("Anna B", king="Ben")),
        match_file(deal_entry("Anna B", result={"king": None})),
        match_file(rules={"deck": 40}),
        match_file(rules="english"),
        match_file(title="x" * 201),
        match_file(date="yesterday"),
        {"format": "scorepad-match/1"},
    ],
)
def test_what_does_not_fit_the_schema_is_a_problem_too(file: Json) -> None:
    assert not fits(file)
    assert read(json.dumps(file)).problems


def test_the_schema_lists_the_codes_of_problems_and_warnings() -> None:
    listed = set(SCHEMA["description"].replace(".", ",").replace(" ", ",").split(","))
    assert every_mistake().keys() <= listed
    where = standing(match_of(played("Ben NQ"), *[deal(f"Anna {c}", passed_out=True) for c in ("B", "M")]))
    assert {w.key for d in where.deals for w in d.warnings} <= listed
    assert "forced_double_missing" in listed


def test_the_seats_of_the_schema_are_those_of_the_reader() -> None:
    for seat in (1, 2, 3, 4, "Dan"):
        replaced = [{"from_deal": 1, "seat": seat, "name": "Eve"}]
        assert fits(match_file(replaced=replaced))
        assert accepted(match_file(replaced=replaced)).replaced[0].seat is (
            DAN if seat == "Dan" else PerSeat(ANNA, BEN, CARLA, DAN)[int(seat) - 1]
        )
