"""Writing a match file: every field stated, and its canonical form."""

from __future__ import annotations

import json

from scorepad.contracts import (
    Finished,
    HeartsTaken,
    KingTaken,
    LastTwoTaken,
    QueensTaken,
    Tally,
    TricksTaken,
)
from scorepad.match import Deal, Match
from scorepad.matchfile.fields import Json
from scorepad.matchfile.houserules import write_rules
from scorepad.matchfile.reading import FORMAT
from scorepad.table import SEATS, PerSeat, Points


def write_result(tally: Tally, names: PerSeat[str]) -> dict[str, Json]:
    """The result of a deal as the match file says it, every count stated."""

    def counts(points: Points) -> dict[str, int]:
        return {names[s]: n for s, n in points.seats()}

    match tally:
        case KingTaken(taker):
            return {"king": names[taker]}
        case TricksTaken(taken):
            return {"tricks": counts(taken)}
        case QueensTaken(taken):
            return {"queens": counts(taken)}
        case HeartsTaken(taken, ace):
            return {"hearts": counts(taken), "ace": names[ace]}
        case LastTwoTaken(second_last, last):
            return {"last_two": [names[second_last], names[last]]}
        case Finished(order):
            return {"order": [names[s] for s in order]}
        case most:
            return {"most": [names[s] for s in most.takers]}


def write_deal(deal: Deal, names: PerSeat[str]) -> dict[str, Json]:
    """A deal as the match file says it; what was not noted is left out."""
    body: dict[str, Json] = {"declarer": names[deal.declarer], "contract": deal.contract.value}
    doubled = {s: [names[d.doubled] for d in sorted(deal.doubles) if d.doubler is s] for s in SEATS}
    body["doubles"] = {names[s]: whom for s, whom in doubled.items() if whom}
    body |= {"trump": deal.trump.value} if deal.trump else {}
    body |= {"start": deal.start} if deal.start else {}
    body |= {"passed_out": True} if deal.passed_out else {}
    body |= {"result": write_result(deal.tally, names)} if deal.tally else {}
    return body | ({"note": deal.note} if deal.note else {})


def write_match(match: Match) -> dict[str, Json]:
    """The match file of a match without problems, every field stated."""
    names = match.players
    file: dict[str, Json] = {
        "format": FORMAT,
        "title": match.title,
        "date": match.date,
        "place": match.place,
        "players": list(names),
        "first_declarer": names[match.first_declarer],
        "rules": write_rules(match.rules),
        "deals": [write_deal(d, names) for d in match.deals if isinstance(d, Deal)],
        "agreed_points": [
            {
                "after_deal": a.after_deal,
                "points": {names[s]: n for s, n in a.points.seats()},
                "reason": a.reason,
            }
            for a in match.agreed_points
        ],
        "replaced": [{"from_deal": r.from_deal, "seat": r.seat + 1, "name": r.name} for r in match.replaced],
        "abandoned": match.abandoned,
    }
    if match.stake:
        file["stake"] = {"per_point": match.stake.per_point, "currency": match.stake.currency}
    return file


def canonical(value: Json) -> str:
    """JSON by RFC 8785: keys in the order of their UTF-16 code units, no spaces."""

    def ordered(v: Json) -> Json:
        if isinstance(v, dict):
            return {k: ordered(v[k]) for k in sorted(v, key=lambda k: k.encode("utf-16-be", "surrogatepass"))}
        return [ordered(item) for item in v] if isinstance(v, list) else v

    return json.dumps(ordered(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
