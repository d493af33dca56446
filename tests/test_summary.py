"""The result as plain text: what stands on each line, in every state of a match and with every name."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from builders import CASES, case_file, deal_entry, match_cases, match_file
from click.testing import CliRunner

from scorepad.cli import main
from scorepad.matchfile import fingerprint, parse, read_match, short_hash
from scorepad.messages import Words, signed
from scorepad.standing import Standing, standing
from scorepad.summary import how_far, in_order, summary

FULL = parse(case_file("full-match"))
CENTS = {"per_point": "0.05", "currency": "EUR"}
LINK = "https://pad.example/m/slug"
LRM = "\N{LEFT-TO-RIGHT MARK}"


def of(file: dict[str, Any]) -> Standing:
    """Where the match of a file stands."""
    match = read_match(file).match
    assert match
    return standing(match)


def told(file: dict[str, Any], link: str = "") -> str:
    """The summary of a match file."""
    where = of(file)
    return summary(where, Words(where.match.names), link=link)


def test_a_finished_match_with_a_stake() -> None:
    file = {**FULL, "stake": CENTS, "place": "Zoë’s"}
    text = told(file, LINK).replace("\N{NO-BREAK SPACE}", " ")
    assert text == "\n".join(
        (
            "Barbu: Thursday table",
            "2026-11-26, Zoë’s",
            "Björn won after 28 deals.",
            "",
            "1. Björn +203",
            "2. José −28",
            "3. Marta −44",
            "4. Zoë −131",
            "",
            "At 0.05 EUR a point:",
            "Marta pays Björn 2.20 EUR.",
            "José pays Björn 1.40 EUR.",
            "Zoë pays Björn 6.55 EUR.",
            "",
            f"Fingerprint {short_hash(fingerprint(of(file).match))}",
            LINK,
        )
    )


def test_a_match_that_goes_on_says_what_is_owed_and_of_no_money() -> None:
    text = told({**FULL, "deals": FULL["deals"][:13], "stake": CENTS}).replace("\N{NO-BREAK SPACE}", " ")
    assert text.split("\n\n")[:3] == [
        "Barbu: Thursday table\n2026-11-26\nAfter 13 of 28 deals.",
        "1. Björn +121\n2. José +1\n3. Marta −82\n4. Zoë −208",
        (
            "Doubles still owed:\nMarta: José 2, Zoë 2, Björn 2\nJosé: Björn 2, Marta 2\n"
            "Zoë: Björn 2, Marta 1\nBjörn: Marta 2, José 1, Zoë 2"
        ),
    ]
    assert "pays" not in text


def test_an_abandoned_match_is_settled_and_owes_nothing_more() -> None:
    text = told({**FULL, "deals": FULL["deals"][:9], "abandoned": True, "stake": CENTS})
    assert "\nAbandoned after 9 of 28 deals.\n" in text
    assert " pays " in text
    assert "owed" not in text
    assert "won" not in text


@pytest.mark.parametrize("name", match_cases())
def test_every_player_has_his_line_with_his_rank_and_total(name: str) -> None:
    where = of(parse(case_file(name)))
    lines = summary(where, Words(where.match.names)).split("\n")
    for seat, player in where.match.names.seats():
        rank, total = where.ranks[seat], where.totals[seat]
        tied = "=" if list(where.ranks).count(rank) > 1 else ""
        assert lines.count(f"{tied}{rank}. {player} {signed(total)}") == 1
    assert f"{where.deals_scored} " in how_far(where, Words(where.match.names))


def test_ranks_that_are_shared_are_marked_so_that_no_list_is_numbered_anew() -> None:
    won = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Carla"})
    lines = told(match_file(won)).split("\n")
    assert [line for line in lines if ". " in line and line[0] in "=1234"] == [
        "=1. Anna 0",
        "=1. Ben 0",
        "=1. Dan 0",
        "4. Carla −20",
    ]


def test_all_winners_are_named() -> None:
    where = of({**FULL, "agreed_points": [{"after_deal": 28, "points": {"Zoë": 334}}]})
    assert [where.match.names[s] for s in in_order(where)][:2] == ["Zoë", "Björn"]
    assert how_far(where, Words(where.match.names)) == "Zoë and Björn won after 28 deals."


def test_doubles_that_can_no_longer_be_made_are_told_to_the_end() -> None:
    """Whoever never doubled in a whole match is short, and the sheet says so too."""
    deals = [
        {**deal, "doubles": {"José": ["Zoë"]}} if n == 0 else deal for n, deal in enumerate(FULL["deals"])
    ]
    passed = [
        {"declarer": deal["declarer"], "contract": deal["contract"], "passed_out": True}
        if deal["contract"] not in {"T", "D"}
        else {k: v for k, v in deal.items() if k != "doubles"}
        for deal in deals
    ]
    text = told({**FULL, "deals": passed})
    assert text.count(" is 2 doubles short of ") == 12
    assert "Marta is 2 doubles short of José." in text


NAMES = ["مريم", "דָּנִי", "a\u202eb", "\u2066x\u2067"]


def test_names_from_the_right_and_turning_signs_rearrange_nothing() -> None:
    """The lines of a name begin from the left, and no sign in a name reaches what follows it."""
    text = told({**match_file(), "players": NAMES, "title": "\u202eערב", "place": "x\u202e"})
    for name in NAMES[:2]:
        assert f"=1. {LRM}{name}{LRM} 0" in text
    assert "=1. ab 0" in text
    assert text.startswith(f"Barbu: {LRM}ערב{LRM}\n")
    assert not {unicodedata.bidirectional(c) for c in text} & {
        "RLO",
        "LRO",
        "RLE",
        "LRE",
        "RLI",
        "LRI",
        "FSI",
    }


def test_the_command_prints_it_and_tells_problems_beside_it() -> None:
    file = CASES / "matches" / "eleven-deals.json"
    answer = CliRunner().invoke(main, ["score", str(file), "--summary"])
    assert answer.exit_code == 0
    assert answer.output.rstrip("\n") == told(parse(file.read_bytes()))


def test_a_match_with_a_broken_deal_has_no_fingerprint() -> None:
    file = {**FULL, "deals": [{**FULL["deals"][0], "result": {}}, *FULL["deals"][1:]]}
    text = told(file)
    assert "Fingerprint" not in text
    assert "After 27 of 28 deals." in text
