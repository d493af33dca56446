"""How a deal is written on paper: the contract's initial, doubles by initials, the tally in short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
from scorepad.doubles import speaking_order
from scorepad.labels import EVERYBODY, graphemes
from scorepad.match import Deal, Suit
from scorepad.table import PerSeat, Points, Seat

#: Set behind a player who is redoubled: the pair counts twice.
REDOUBLED = "²"

#: Set behind the hearts of the player who took the ace.
WITH_ACE = "♥"

SUITS: Mapping[Suit, str] = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}

_BETWEEN = "·"


def written_contract(deal: Deal) -> str:
    """The contract's initial, with the trump suit or the starting rank where the table noted it."""
    noted = SUITS[deal.trump] if deal.trump else deal.start
    return f"{deal.contract} {noted}" if noted else str(deal.contract)


def written_doubles(deal: Deal, seat: Seat, labels: PerSeat[str]) -> str:
    """Whom a player doubled: the initials clockwise, X for all three others, those redoubled marked."""
    whom = [s for s in seat.others if (seat, s) in deal.doubles]
    again = {s for s in whom if is_redouble(deal, seat, s)}
    marked = [labels[s] + REDOUBLED * (s in again) for s in whom]
    if len(whom) < len(seat.others):
        return joined(marked, "")
    if len(again) == len(whom):
        return EVERYBODY + REDOUBLED
    return joined([EVERYBODY, *(m for m in marked if m.endswith(REDOUBLED))], " ")


def is_redouble(deal: Deal, doubler: Seat, doubled: Seat) -> bool:
    """Whether this double answers one of the other player, who spoke earlier (rules.md section 3)."""
    order = speaking_order(deal.declarer)
    both = {(doubler, doubled), (doubled, doubler)} <= deal.doubles
    return both and order.index(doubler) > order.index(doubled)


def doubles_declarer(deal: Deal, seat: Seat) -> bool:
    """Whether the declarer is among those doubled: what the paper underlines."""
    return (seat, deal.declarer) in deal.doubles


def written_tally(tally: Tally, labels: PerSeat[str]) -> str:
    """What the table counted, as short as the paper has it; counts are clockwise from the first seat."""
    match tally:
        case KingTaken(taker):
            return labels[taker]
        case TricksTaken(counts) | QueensTaken(counts):
            return _counted(counts)
        case HeartsTaken(counts, ace):
            return _counted(counts, ace)
        case LastTwoTaken(second_last, last):
            return joined([labels[second_last], labels[last]])
        case Finished(order):
            return joined([labels[s] for s in order])
        case MostOfASuit(takers):
            return joined([labels[s] for s in takers])


def joined(labels: Iterable[str], between: str = _BETWEEN) -> str:
    """Labels in a row: as on paper if each is one character, else with room to tell them apart."""
    each = list(labels)
    is_short = all(len(graphemes(label.removesuffix(REDOUBLED))) == 1 for label in each)
    return (between if is_short else " ").join(each)


def _counted(counts: Points, ace: Seat | None = None) -> str:
    """Four counts, the one with the ace of hearts marked."""
    return _BETWEEN.join(f"{n}{WITH_ACE}" if s is ace else str(n) for s, n in counts.seats())
