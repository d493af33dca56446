"""The figures of a match as the JSON that the command line and the API answer (design.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scorepad.contracts import Contract, contracts_of
from scorepad.ledger import Settlement
from scorepad.match import Deal
from scorepad.matchfile import Reading
from scorepad.messages import Words
from scorepad.rules import Message
from scorepad.standing import DealResult, Problem, Standing, standing
from scorepad.table import SEATS, PerSeat, Seat

Json = dict[str, Any]


def problem_json(problem: Problem, words: Words) -> Json:
    """One problem: the deal's number or null, its code, its sentence."""
    return {"deal": problem.deal, "code": problem.mistake.code, "message": words(problem.mistake.message)}


def figures(reading: Reading, words: Callable[[PerSeat[str]], Words] = Words) -> Json:
    """All figures of a match file; what cannot be read leaves them empty, with its problems listed."""
    if reading.match is None:
        say = words(PerSeat("", "", "", ""))
        return {
            "players": [],
            "deals": [],
            "totals": {},
            "ranks": {},
            "owed": {},
            "declared": {},
            "left": {},
            "next": None,
            "complete": False,
            "zero_check": None,
            "shortfalls": {},
            "problems": [problem_json(p, say) for p in reading.problems],
        }
    say = words(reading.match.players)
    return standing_json(standing(reading.match), say) | {
        "problems": [problem_json(p, say) for p in reading.problems]
    }


def standing_json(where: Standing, words: Words) -> Json:
    """Where a match stands, by the names of its players."""
    names = where.match.players

    def by_name(value: Callable[[Seat], Any]) -> Json:
        return {names[s]: value(s) for s in SEATS}

    def of_others(value: Callable[[Seat, Seat], int]) -> Callable[[Seat], Json]:
        return lambda player: {names[d]: value(player, d) for d in SEATS if d is not player}

    all_contracts = contracts_of(where.match.rules)
    return {
        "players": list(names),
        "deals": [_deal(result, words) for result in where.deals],
        "totals": _map(where.totals, names),
        "ranks": _map(where.ranks, names),
        "owed": by_name(of_others(where.owed)),
        "declared": by_name(lambda s: [c.value for c in all_contracts if c in where.used[s]]),
        "left": by_name(lambda s: [c.value for c in where.left(s)]),
        "next": _next(where),
        "complete": where.is_complete,
        "zero_check": {
            "expected": where.expected,
            "agreed": where.agreed,
            "actual": sum(where.totals),
        },
        "shortfalls": {
            player: short
            for player, owed in by_name(of_others(where.shortfall)).items()
            if (short := {declarer: n for declarer, n in owed.items() if n})
        },
        "problems": [],
    }


def _map(values: PerSeat[int] | None, names: PerSeat[str]) -> Json | None:
    """A figure for each player by his name, or null."""
    return None if values is None else {names[s]: v for s, v in values.seats()}


def _next(where: Standing) -> Json | None:
    """The deal to come or being played."""
    if (following := where.next) is None:
        return None
    names = where.match.players
    return {
        "deal": following.deal,
        "declarer": names[following.declarer],
        "must_double": {c.value: [names[s] for s in who] for c, who in following.must_double.items()},
    }


def _deal(result: DealResult, words: Words) -> Json:
    """One deal with its figures."""
    names, deal = words.names, result.deal
    declarer: Seat | None = deal.declarer
    contract: Contract | None = deal.contract
    return {
        "deal": result.number,
        "declarer": None if declarer is None else names[declarer],
        "contract": contract and contract.value,
        "passed_out": isinstance(deal, Deal) and deal.passed_out,
        "open": result.playing is not None,
        "basic": _map(result.basic, names),
        "pairs": [_pair(p, names) for p in result.settlements or ()],
        "adjustment": _map(result.adjustment, names),
        "score": _map(result.score, names),
        "totals": _map(result.totals, names),
        "contract_total": result.contract_total,
        "forced": [names[s] for s in result.forced],
        "warnings": [_warning(w, words) for w in result.warnings],
    }


def _pair(settled: Settlement, names: PerSeat[str]) -> Json:
    """How one pair settled."""
    return {
        "pair": [names[settled.first], names[settled.second]],
        "doubles": settled.doubles,
        "difference": settled.difference,
        "winner": None if settled.winner is None else names[settled.winner],
        "loser": None if settled.loser is None else names[settled.loser],
        "points": settled.points,
    }


def _warning(warning: Message, words: Words) -> Json:
    """What is true of a deal but irregular."""
    return {"code": warning.key, "message": words(warning)}
