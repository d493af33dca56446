"""Tiny builders for tests: deals, matches and match files in a line, and the case files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scorepad.contracts import (
    Contract,
    Finished,
    HeartsTaken,
    KingTaken,
    LastTwoTaken,
    MostOfASuit,
    QueensTaken,
    Tally,
    TricksTaken,
)
from scorepad.doubles import Double, Doubles
from scorepad.match import BrokenDeal, Deal, Match, Suit
from scorepad.rules import RuleError, Rules
from scorepad.standing import Problem
from scorepad.table import SEATS, PerSeat, Seat

Json = Any

CASES = Path(__file__).parent / "cases"

NAMES = PerSeat("Anna", "Ben", "Carla", "Dan")
ANNA, BEN, CARLA, DAN = SEATS

#: One finished tally of each contract, for tests that need any.
SOME_TALLY: dict[Contract, Tally] = {
    Contract.B: KingTaken(BEN),
    Contract.M: TricksTaken(PerSeat(4, 1, 6, 2)),
    Contract.NQ: QueensTaken(PerSeat(1, 0, 1, 2)),
    Contract.NH: HeartsTaken(PerSeat(3, 2, 6, 2), CARLA),
    Contract.NL2: LastTwoTaken(ANNA, BEN),
    Contract.T: TricksTaken(PerSeat(1, 3, 6, 3)),
    Contract.D: Finished((BEN, DAN, ANNA, CARLA)),
    Contract.RC: MostOfASuit((BEN, CARLA)),
}


def seat(name: str) -> Seat:
    """The seat of Anna, Ben, Carla or Dan, by name or initial."""
    return next(s for s, full in NAMES.seats() if full.startswith(name))


def seats(names: str) -> tuple[Seat, ...]:
    """Several seats, by names or initials with spaces between."""
    return tuple(seat(name) for name in names.split())


def doubles(pairs: str) -> Doubles:
    """Doubles as pairs of initials, "BA CA": Ben doubled Anna, Carla doubled Anna; X is everybody."""
    made = set[Double]()
    for pair in pairs.split():
        doubler, doubled = seat(pair[0]), pair[1]
        made |= {Double(doubler, s) for s in (doubler.others if doubled == "X" else [seat(doubled)])}
    return frozenset(made)


def deal(
    declared: str,
    doubled: str = "",
    *,
    king: str = "",
    tricks: tuple[int, int, int, int] | None = None,
    queens: tuple[int, int, int, int] | None = None,
    hearts: tuple[int, int, int, int] | None = None,
    ace: str = "",
    last_two: str = "",
    order: str = "",
    most: str = "",
    passed_out: bool = False,
    trump: Suit | None = None,
    start: str | None = None,
    note: str = "",
) -> Deal:
    """A deal such as `deal("Anna NQ", "BX CA AC", queens=(1, 0, 1, 2))`; without an ending it is open."""
    declarer, contract = declared.split()
    tally: Tally | None = None
    if king:
        tally = KingTaken(seat(king))
    elif tricks:
        tally = TricksTaken(PerSeat(*tricks))
    elif queens:
        tally = QueensTaken(PerSeat(*queens))
    elif hearts:
        tally = HeartsTaken(PerSeat(*hearts), seat(ace))
    elif last_two:
        tally = LastTwoTaken(*seats(last_two))
    elif order:
        first, second, third, fourth = seats(order)
        tally = Finished((first, second, third, fourth))
    elif most:
        tally = MostOfASuit(seats(most))
    return Deal(seat(declarer), Contract(contract), doubles(doubled), tally, passed_out, trump, start, note)


def played(declared: str, doubled: str = "BX CX DX") -> Deal:
    """A deal that was played, with any tally; in T and D only the declarer is doubled."""
    declarer, contract = declared.split()
    made = doubles(doubled)
    if Contract(contract).is_positive:
        made = frozenset(d for d in made if d.doubled is seat(declarer))
    made = frozenset(d for d in made if d.doubler is not seat(declarer))
    return Deal(seat(declarer), Contract(contract), made, SOME_TALLY[Contract(contract)])


def match_of(*deals: Deal | BrokenDeal, rules: Rules | None = None, **more: Any) -> Match:
    """A match of Anna, Ben, Carla and Dan with these deals."""
    return Match(NAMES, rules=rules or Rules(), deals=deals, **more)


def match_file(*deals: Json, **fields: Json) -> dict[str, Json]:
    """The JSON of a match file with these deals; further fields add to it or replace what it has."""
    return {"format": "scorepad-match/1", "players": list(NAMES), "deals": list(deals), **fields}


def deal_entry(declared: str, **fields: Json) -> dict[str, Json]:
    """The JSON of one deal of a match file."""
    declarer, contract = declared.split()
    return {"declarer": declarer, "contract": contract, **fields}


def codes(problems: Iterable[Problem]) -> list[tuple[int | None, str]]:
    """Each problem as the number of its deal and its code."""
    return [(p.deal, p.mistake.code) for p in problems]


def codes_of(mistakes: Iterable[RuleError]) -> list[str]:
    """The code of each mistake."""
    return [m.code for m in mistakes]


def by_name(values: PerSeat[int] | None) -> dict[str, int]:
    """Figures by the names of the players."""
    assert values is not None
    return {NAMES[s]: n for s, n in values.seats()}


def single_deal_cases() -> list[Json]:
    """The single deals of the case files, with the figures expected."""
    found: list[Json] = []
    for name in "worked-deals.json", "more-deals.json":
        found += json.loads((CASES / name).read_text(encoding="utf-8"))["cases"]
    return found


def match_cases() -> list[str]:
    """The names of the whole matches among the case files."""
    return sorted(p.stem for p in (CASES / "matches").glob("*.json") if ".expected" not in p.name)


def case_file(name: str) -> bytes:
    """A whole match of the case files, as it stands in its file."""
    return (CASES / "matches" / f"{name}.json").read_bytes()


def expected_figures(name: str) -> Json:
    """The figures expected of a whole match of the case files."""
    return json.loads((CASES / "matches" / f"{name}.expected.json").read_text(encoding="utf-8"))
