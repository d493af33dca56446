"""The figures of a match as JSON: what the command line and the API answer."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from builders import NAMES, Json, case_file, deal, expected_figures, match_cases, match_file, match_of, played
from hypothesis import given, settings
from strategies import matches

from scorepad.figures import figures, standing_json
from scorepad.match import AgreedPoints, Match
from scorepad.matchfile import Reading, read
from scorepad.messages import Words
from scorepad.standing import problems, standing
from scorepad.table import PerSeat

TOP = {
    "players",
    "deals",
    "totals",
    "ranks",
    "owed",
    "declared",
    "left",
    "next",
    "complete",
    "zero_check",
    "shortfalls",
    "problems",
}
OF_A_DEAL = {
    "deal",
    "declarer",
    "contract",
    "passed_out",
    "open",
    "basic",
    "pairs",
    "adjustment",
    "score",
    "totals",
    "contract_total",
    "forced",
    "warnings",
}
OF_A_PAIR = {"pair", "doubles", "difference", "winner", "loser", "points"}


def figures_of(match: Match) -> Json:
    """The figures of a match, as whoever asks for them reads them."""
    return json.loads(json.dumps(figures(Reading(match, problems(match)))))


@pytest.mark.parametrize("name", match_cases())
def test_the_example_matches_have_their_published_figures(name: str) -> None:
    found, expected = figures(read(case_file(name))), expected_figures(name)
    assert found["problems"] == []
    assert found["totals"] == expected["totals"]
    assert found["owed"] == expected["owed"]
    for number, (one, wanted) in enumerate(zip(found["deals"], expected["deals"], strict=True), start=1):
        assert one["deal"] == number
        assert set(one["forced"]) == set(wanted["forced"])
        for figure in "basic", "adjustment", "score", "totals", "contract_total":
            assert one[figure] == wanted[figure]


@settings(max_examples=20, deadline=None)
@given(matches())
def test_all_fields_are_there_whatever_the_match(match: Match) -> None:
    found = figures_of(match)
    assert found.keys() == TOP
    assert found["players"] == list(match.players)
    check = found["zero_check"]
    assert check["actual"] == check["expected"] + check["agreed"] == sum(found["totals"].values())
    for player in match.players:
        assert (
            len(found["declared"][player]) + len(found["left"][player]) == standing(match).deals_in_all // 4
        )
    for one in found["deals"]:
        assert one.keys() == OF_A_DEAL
        assert len(one["pairs"]) == (0 if one["open"] else 6)
        assert all(p.keys() == OF_A_PAIR for p in one["pairs"])
        assert [one[f] is None for f in ("basic", "adjustment", "score", "contract_total")] == [
            one["open"]
        ] * 4


def test_one_deal_figure_by_figure() -> None:
    """The No Queens example of seed 004."""
    (one,) = figures_of(match_of(deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2))))["deals"]
    assert {**one, "pairs": None} == {
        "deal": 1,
        "declarer": "Anna",
        "contract": "NQ",
        "passed_out": False,
        "open": False,
        "basic": {"Anna": -6, "Ben": 0, "Carla": -6, "Dan": -12},
        "pairs": None,
        "adjustment": {"Anna": -6, "Ben": 24, "Carla": -6, "Dan": -12},
        "score": {"Anna": -12, "Ben": 24, "Carla": -12, "Dan": -24},
        "totals": {"Anna": -12, "Ben": 24, "Carla": -12, "Dan": -24},
        "contract_total": -24,
        "forced": [],
        "warnings": [],
    }
    assert one["pairs"][:2] == [
        {
            "pair": ["Anna", "Ben"],
            "doubles": 1,
            "difference": -6,
            "winner": "Ben",
            "loser": "Anna",
            "points": 6,
        },
        {
            "pair": ["Anna", "Carla"],
            "doubles": 2,
            "difference": 0,
            "winner": None,
            "loser": None,
            "points": 0,
        },
    ]


def test_ranks_and_what_is_owed() -> None:
    found = figures_of(match_of(deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2))))
    assert found["ranks"] == {"Anna": 2, "Ben": 1, "Carla": 2, "Dan": 4}
    assert found["owed"]["Ben"] == {"Anna": 1, "Carla": 2, "Dan": 2}
    assert found["declared"] == {"Anna": ["NQ"], "Ben": [], "Carla": [], "Dan": []}
    assert found["left"]["Anna"] == ["B", "M", "NH", "NL2", "T", "D"]
    assert found["next"]["deal"] == 2
    assert found["next"]["declarer"] == "Ben"
    assert found["next"]["must_double"] == {contract: [] for contract in found["left"]["Ben"]}
    assert found["complete"] is False
    assert found["shortfalls"] == {}


def test_who_must_double_what_next_and_who_falls_short() -> None:
    five = [played(f"Anna {c}", "CX DX") for c in ("B", "M", "NQ", "NH", "NL2")]
    where = standing_json(standing(match_of(*five, played("Anna T", "CA DA"))), Words(NAMES))
    last = where["deals"][-1]
    assert last["forced"] == ["Ben"]
    assert last["warnings"] == [
        {"code": "declared_out_of_turn", "message": "Anna declared out of turn; it was Ben’s turn."},
        {"code": "forced_double_missing", "message": "Ben had to double Anna and did not."},
    ]
    assert where["shortfalls"] == {"Ben": {"Anna": 1}}


def test_an_open_deal_has_no_figures_and_is_next() -> None:
    found = figures_of(match_of(deal("Anna B", passed_out=True), deal("Ben NQ", "CB")))
    passed, playing = found["deals"]
    assert (passed["passed_out"], passed["open"]) == (True, False)
    assert (playing["passed_out"], playing["open"]) == (False, True)
    assert playing["score"] is None
    assert playing["pairs"] == []
    assert playing["totals"] == passed["totals"]
    assert found["next"] == {"deal": 2, "declarer": "Ben", "must_double": {"NQ": []}}
    assert "NQ" in found["declared"]["Ben"]


def test_a_broken_deal_says_what_is_known_of_it_and_its_problems() -> None:
    file = match_file({"declarer": "Ben", "contract": "XX"}, "nothing")
    found = figures(read(json.dumps(file)))
    first, second = found["deals"]
    assert (first["declarer"], first["contract"], first["open"]) == ("Ben", None, False)
    assert (second["declarer"], second["contract"], second["score"]) == (None, None, None)
    assert found["problems"] == [
        {
            "deal": 1,
            "code": "unknown_value",
            "message": "“contract” cannot be “XX”. It can be: B, M, NQ, NH, NL2, T, D, RC.",
        },
        {"deal": 2, "code": "wrong_kind", "message": "“deal” should hold a group of fields in { }."},
    ]
    assert found["next"]["deal"] == 3


def test_agreed_points_stand_in_the_zero_check() -> None:
    penalty = AgreedPoints(1, PerSeat(0, -10, 0, 0), "revoke")
    found = figures_of(match_of(deal("Anna NQ", passed_out=True), agreed_points=(penalty,)))
    assert found["zero_check"] == {"expected": -24, "agreed": -10, "actual": -34}
    assert found["deals"][0]["totals"]["Ben"] == -8
    assert found["totals"]["Ben"] == -18


def test_a_match_that_is_over_has_no_next_deal() -> None:
    found = figures(read(case_file("full-match")))
    assert found["complete"] is True
    assert found["next"] is None
    assert found["left"] == {name: [] for name in found["players"]}
    assert found["zero_check"] == {"expected": 0, "agreed": 0, "actual": 0}


def test_a_file_that_cannot_be_read_still_answers_with_its_one_problem() -> None:
    found = figures(read(b"Anna 12"))
    assert found.keys() == TOP
    assert (found["players"], found["deals"], found["next"], found["zero_check"]) == ([], [], None, None)
    assert found["problems"] == [
        {
            "deal": None,
            "code": "file_not_json",
            "message": "This is not a match file: it stops being JSON at line 1, column 1.",
        }
    ]


def test_problems_of_names_can_be_told_without_names() -> None:
    found = figures(read(json.dumps(match_file(players=["Anna", "Ben", "Carla"]))))
    assert [p["message"] for p in found["problems"]] == ["Barbu is for four players; 3 are named."]


def test_problems_are_told_in_the_readers_language() -> None:
    found = figures(read(b"\xff"), lambda names: Words(names, str.upper))
    assert found["problems"][0]["message"].startswith("THIS IS NOT A MATCH FILE")


def test_players_who_look_alike_are_answered_too() -> None:
    match = replace(match_of(deal("Anna B", passed_out=True)), players=PerSeat("A", "A", "B", "C"))
    found = figures_of(match)
    assert [p["code"] for p in found["problems"]] == ["names_alike"]
    assert found["players"] == ["A", "A", "B", "C"]
