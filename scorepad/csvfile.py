"""The deals of a match as a table for spreadsheets: one line for each deal and player (CSV, RFC 4180)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from scorepad.contracts import (
    Finished,
    HeartsTaken,
    KingTaken,
    LastTwoTaken,
    MostOfASuit,
    QueensTaken,
    Tally,
    TricksTaken,
)
from scorepad.match import BrokenDeal
from scorepad.standing import DealResult, Standing
from scorepad.table import SEATS, Seat

#: The columns, in the words of the match file; they are the same in every language, as programs read them.
COLUMNS = (
    *("date", "title", "deal", "declarer", "contract", "passed_out", "seat", "player", "doubles"),
    *("taken", "including", "basic", "adjustment", "score", "total", "agreed", "note"),
)

#: What a spreadsheet takes for the beginning of a formula; after a semicolon too, since many take one for
#: the end of a cell.
FORMULA = re.compile(r"(^|;)(?=\s*[=+\-@＝＋－＠]|[\t\r])")

#: Without it spreadsheets read names with accents in another encoding.
BYTE_ORDER_MARK = "\N{BYTE ORDER MARK}"

#: The number of the lines before the first deal, which there are only where points were agreed then.
BEFORE = 0


Line = dict[str, str | int]


def csv_text(where: Standing, *, mark: bool = True) -> str:
    """The whole file; `mark` begins it with a byte order mark. What is not known is empty."""
    out = io.StringIO(newline="")
    out.write(BYTE_ORDER_MARK if mark else "")
    table = csv.DictWriter(out, COLUMNS, restval="")
    table.writeheader()
    table.writerows(_lines(where))
    return out.getvalue()


def defused(text: str) -> str:
    """What a person has typed, with an apostrophe before what a spreadsheet would take for a formula."""
    return FORMULA.sub(r"\1'", text)


def _lines(where: Standing) -> Iterator[Line]:
    """Every line, a deal at a time, clockwise from the first seat."""
    if any(agreed.after_deal == BEFORE for agreed in where.match.agreed_points):
        for seat in SEATS:
            yield _who(where, BEFORE, seat) | {"total": 0}
    for result in where.deals:
        for seat in SEATS:
            yield _who(where, result.number, seat) | _figures(result, seat) | _played(where, result, seat)


def _who(where: Standing, number: int, seat: Seat) -> Line:
    """Which match, deal and player, and what was agreed for him after the deal."""
    match = where.match
    return {
        "date": match.date,
        "title": defused(match.title),
        "deal": number,
        "seat": seat.value + 1,
        "player": defused(match.names_at(number)[seat]),
        "agreed": sum(a.points[seat] for a in match.agreed_points if a.after_deal == number),
    }


def _figures(result: DealResult, seat: Seat) -> Line:
    """What a deal was worth to a player; only his total while the hand is being played."""
    made = {"basic": result.basic, "adjustment": result.adjustment, "score": result.score}
    return {"total": result.totals[seat], **{n: figures[seat] for n, figures in made.items() if figures}}


def _played(where: Standing, result: DealResult, seat: Seat) -> Line:
    """What was declared, whom a player doubled, clockwise from him, and what he took."""
    deal, names = result.deal, where.match.names_at(result.number)
    line: Line = {"contract": deal.contract or ""}
    if deal.declarer is not None:
        line["declarer"] = defused(names[deal.declarer])
    if isinstance(deal, BrokenDeal):
        return line
    line["doubles"] = defused(", ".join(names[s] for s in seat.others if (seat, s) in deal.doubles))
    line["note"] = defused(deal.note)
    if not deal.is_open:
        line["passed_out"] = int(deal.passed_out)
    if deal.tally:
        line["taken"], line["including"] = _taken(deal.tally, seat)
    return line


def _taken(tally: Tally, seat: Seat) -> tuple[int, str]:
    """How much a player took of what counts (in Dominoes his place), and what was among it."""
    match tally:
        case KingTaken(taker):
            return int(taker is seat), ""
        case TricksTaken(counts) | QueensTaken(counts):
            return counts[seat], ""
        case HeartsTaken(counts, ace):
            return counts[seat], "ace" if ace is seat else ""
        case LastTwoTaken(second_last, last):
            return (second_last is seat) + (last is seat), "last" if last is seat else ""
        case Finished(order):
            return order.index(seat) + 1, ""
        case MostOfASuit(takers):
            return int(seat in takers), ""
