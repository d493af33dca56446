"""The sheet to write on by hand: a blank one, or that of a match which is to go on without a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from scorepad.card import Card, card
from scorepad.contracts import contracts_of
from scorepad.glyphs import SEATS_IN_CIRCLES
from scorepad.match import Match
from scorepad.messages import N_, Words
from scorepad.rules import Rotation, Rules
from scorepad.sheet import ON_A4, Edition, Head, Paper, SheetPage, sheet_page
from scorepad.sheetlines import Cell, Line, LineKind
from scorepad.sheettables import Row
from scorepad.standing import Standing, proposed_after, standing
from scorepad.table import SEATS, PerSeat, Seat

#: A compulsory double as a small square: still to be made, and made.
TO_MAKE, MADE = "☐", "☑"

#: Squares that stand in a row; more stand in two, and smaller.
MOST_IN_A_ROW = 3

#: Rows of deals beside which the contracts and the doubles owed fit on the same page.
MOST_ON_ONE_PAGE: Mapping[Paper, int] = {Paper.A4: 28, Paper.LETTER: 0}

GO_ON = N_("Go on by hand from deal {number} of {all}")
BLANK = N_("{all} deals")


@dataclass(frozen=True, slots=True)
class ByHandPage:
    """A sheet with empty rows for the deals to come; `is_blank` when it is of no match.

    `sheet` is what is known so far, `lines` are its lines and the empty ones, `owed` the squares to tick.
    `is_on_one_page` says that there is room below the deals for what is looked at in every deal.
    """

    sheet: SheetPage
    is_blank: bool
    opening: str
    lines: tuple[Line, ...]
    owed: PerSeat[Row] | None
    card: Card
    is_on_one_page: bool


def blank_page(rules: Rules, words: Words, *, edition: Edition = ON_A4) -> ByHandPage:
    """A blank sheet for these rules, the first declarer in the first column."""
    match = Match(SEATS_IN_CIRCLES, rules=rules)
    page = by_hand_page(match, replace(words, names=match.names), edition=edition)
    opening = words.fill(BLANK, {"all": len(page.lines)})
    return replace(page, is_blank=True, opening=opening)


def by_hand_page(
    match: Match,
    words: Words,
    *,
    edition: Edition = ON_A4,
    head: Head | None = None,
    day: Callable[[str], str] = str,
) -> ByHandPage:
    """The sheet of a match that goes on by hand: its deals so far, and rows for those to come."""
    where = standing(match)
    sheet = sheet_page(match, words, edition=edition, head=head, day=day)
    short = sheet.players.map(lambda player: player.label)
    first = where.playing.number if where.playing else len(where.deals) + 1
    lines = (*map(_writable, sheet.lines), *_to_come(where, short))
    return ByHandPage(
        sheet=sheet,
        is_blank=False,
        opening=words.fill(GO_ON, {"number": first, "all": where.deals_in_all}),
        lines=lines,
        owed=_squares(where, sheet.owed) if sheet.owed else None,
        card=card(match.rules, words),
        is_on_one_page=len(lines) <= MOST_ON_ONE_PAGE[sheet.paper],
    )


def _writable(line: Line) -> Line:
    """A line as it is on the sheet, but that the result of the hand being played can be written in."""
    return replace(line, kind=LineKind.DEAL) if line.kind is LineKind.PLAYING else line


def _to_come(where: Standing, short: PerSeat[str]) -> Iterator[Line]:
    """An empty line for each deal that has not been declared yet, with its declarer by the rotation."""
    contracts = len(contracts_of(where.match.rules))
    in_a_round = contracts if where.match.rules.rotation is Rotation.SEVEN_IN_A_ROW else len(SEATS)
    declared, number = where.used.map(len), len(where.deals)
    while (declarer := proposed_after(declared, where.match)) is not None:
        declared, number = declared.put(declarer, declared[declarer] + 1), number + 1
        yield _empty(number, declarer, short, ends_round=number % in_a_round == 0)


def _empty(number: int, declarer: Seat, short: PerSeat[str], *, ends_round: bool) -> Line:
    """An empty line, the declarer's cells shaded."""
    return Line(
        kind=LineKind.DEAL,
        cells=PerSeat.of(lambda seat: Cell(declares=seat is declarer)),
        number=str(number),
        declarer=short[declarer],
        ends_round=ends_round,
    )


def _squares(where: Standing, owed: PerSeat[Row]) -> PerSeat[Row]:
    """A square for each compulsory double of each player against each declarer, those made ticked."""
    most = where.match.rules.compulsory_doubles

    def cell(player: Seat, declarer: Seat) -> str:
        if player is declarer:
            return owed[player].cells[declarer]
        left = where.owed(player, declarer)
        row = MADE * (most - left) + TO_MAKE * left
        half = (most + 1) // 2
        return row if most <= MOST_IN_A_ROW else f"{row[:half]} {row[half:]}"

    return PerSeat.of(lambda s: replace(owed[s], cells=tuple(cell(s, d) for d in SEATS)))
