"""The lines of the score sheet: one for each deal, and one for each time points were agreed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from scorepad.contracts import contracts_of
from scorepad.labels import isolated, shortened
from scorepad.match import AgreedPoints, Deal
from scorepad.messages import N_, NN_, Words, signed
from scorepad.notation import doubles_declarer, written_contract, written_doubles, written_tally
from scorepad.rules import Rotation
from scorepad.standing import DealResult, Standing
from scorepad.table import NOTHING, SEATS, PerSeat, Points, Seat, plus

LONGEST_REASON = 26  # characters that fit beside the points; the whole of it is in the notes
NOTHING_HERE = "–"

AGREED = N_("Agreed: {reason}")
AGREED_WITHOUT_REASON = N_("Agreed points")
CORRECTED = NN_("Corrected once after it was saved.", "Corrected {n} times after it was saved.")


class LineKind(StrEnum):
    """What a line of the sheet is about; the template sets each kind in its own way."""

    DEAL = "deal"
    PASSED_OUT = "passed-out"
    PLAYING = "playing"
    UNSCORED = "unscored"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class Cell:
    """One player's part of a line; `underlined` when the declarer is among those he doubled."""

    doubles: str = ""
    underlined: bool = False
    declares: bool = False
    basic: str = ""
    adjustment: str = ""
    score: str = ""
    total: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sheet: a deal, or agreed points, whose reason is in `text`."""

    kind: LineKind
    cells: PerSeat[Cell]
    number: str = ""
    declarer: str = ""
    contract: str = ""
    text: str = ""
    has_note: bool = False
    ends_round: bool = False


def sheet_lines(
    where: Standing, short: PerSeat[str], say: Words, corrected: Mapping[int, int]
) -> Iterator[Line]:
    """The deals in order, points agreed after each on lines of their own.

    `corrected` says how often a deal was corrected, by its number.
    """
    totals = NOTHING
    contracts = len(contracts_of(where.match.rules))
    in_a_round = contracts if where.match.rules.rotation is Rotation.SEVEN_IN_A_ROW else len(SEATS)
    for number in range(len(where.deals) + 1):
        if number:
            result = where.deals[number - 1]
            totals = result.totals
            line = _deal_line(result, short, ends_round=number % in_a_round == 0)
            yield replace(line, has_note=any(deal_notes(result, say, corrected)))
        for agreed in where.match.agreed_points:
            if agreed.after_deal == number:
                totals = plus(totals, agreed.points)
                yield _agreed_line(agreed, totals, say)


def _deal_line(result: DealResult, short: PerSeat[str], *, ends_round: bool) -> Line:
    """The line of a deal."""
    deal = result.deal
    contract = deal.contract.value if deal.contract else NOTHING_HERE
    return Line(
        kind=_kind(result),
        cells=PerSeat.of(lambda s: _cell(result, s, short)),
        number=str(result.number),
        declarer=NOTHING_HERE if deal.declarer is None else short[deal.declarer],
        contract=written_contract(deal) if isinstance(deal, Deal) else contract,
        text=written_tally(deal.tally, short)
        if isinstance(deal, Deal) and deal.tally and result.score
        else "",
        ends_round=ends_round,
    )


def _kind(result: DealResult) -> LineKind:
    """How far a deal has come."""
    if result.playing:
        return LineKind.PLAYING
    if result.score is None or not isinstance(result.deal, Deal):
        return LineKind.UNSCORED
    return LineKind.PASSED_OUT if result.deal.passed_out else LineKind.DEAL


def _cell(result: DealResult, seat: Seat, short: PerSeat[str]) -> Cell:
    """One player's doubles and figures in a deal."""
    deal = result.deal
    if not isinstance(deal, Deal):
        return Cell()
    spoken = Cell(
        written_doubles(deal, seat, short), doubles_declarer(deal, seat), declares=seat is deal.declarer
    )
    if result.basic is None or result.adjustment is None or result.score is None:
        return spoken
    had_business = any(seat in double for double in deal.doubles)
    return replace(
        spoken,
        basic=signed(result.basic[seat]),
        adjustment=signed(result.adjustment[seat]) if had_business else "",
        score=signed(result.score[seat]),
        total=signed(result.totals[seat]),
    )


def _agreed_line(agreed: AgreedPoints, totals: Points, say: Words) -> Line:
    """The line of agreed points, with their reason as far as there is room."""
    reason = shortened(agreed.reason, LONGEST_REASON)
    text = say.fill(AGREED, {"reason": isolated(reason)}) if reason else say.gettext(AGREED_WITHOUT_REASON)
    return Line(
        kind=LineKind.AGREED,
        cells=PerSeat.of(
            lambda s: Cell(
                score=signed(agreed.points[s]) if agreed.points[s] else "", total=signed(totals[s])
            )
        ),
        text=text,
        has_note=True,
    )


def deal_notes(result: DealResult, say: Words, corrected: Mapping[int, int]) -> Iterator[str]:
    """What has to be said of a deal: what was irregular, wrong or corrected, what the table noted."""
    for message in (*result.warnings, *(m.message for m in result.mistakes)):
        yield say(message)
    if n := corrected.get(result.number):
        yield say.fill_counted(CORRECTED, {"n": n})
    if isinstance(result.deal, Deal) and result.deal.note:
        yield isolated(result.deal.note)
