"""What is signed, and who has signed it: the figures of a match, and its signatures in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask_babel import gettext

from scorepad.labels import isolated
from scorepad.match import Deal
from scorepad.matchfile import short_hash
from scorepad.messages import N_
from scorepad.signed import Signed
from scorepad.standing import Standing
from scorepad.store import How, KeptMatch, Signature
from scorepad.table import SEATS, PerSeat, Seat

#: On which phone a player signed. Whose phone it was nobody can say.
HOW: Mapping[How, str] = {
    How.SCORING_PHONE: N_("on the scoring phone"),
    How.OWN_PHONE: N_("by the code for the seat"),
}


@dataclass(frozen=True)
class SeatLine:
    """One player with his rank and total, and what was signed for his seat."""

    seat: Seat
    name: str
    rank: int
    total: int
    signed: Signed | None

    @property
    def has_signed(self) -> bool:
        """Whether these very figures were signed for him."""
        return self.signed is not None and not self.signed.is_void


@dataclass(frozen=True)
class FigureRow:
    """A deal with its scores, or agreed points with their reason, which have no number."""

    points: PerSeat[int] | None
    said: str = ""
    number: int = 0
    contract: str = ""
    declarer: str = ""


@dataclass(frozen=True)
class Figures:
    """All that a signature is put to: names and totals, the best first, every deal, and the fingerprint."""

    names: PerSeat[str]
    lines: tuple[SeatLine, ...]
    rows: tuple[FigureRow, ...]
    fingerprint: str

    @property
    def short(self) -> str:
        """The fingerprint as people compare it."""
        return short_hash(self.fingerprint)

    def line(self, seat: Seat) -> SeatLine:
        """The line of one player."""
        return next(line for line in self.lines if line.seat is seat)


def figures(kept: KeptMatch, where: Standing) -> Figures:
    """The figures of a match as it stands, and who has signed them."""
    digits = kept.fingerprint
    by_seat = {s.seat: s for s in kept.signatures}

    def line(seat: Seat) -> SeatLine:
        told = _told(by_seat[seat], digits) if seat in by_seat else None
        return SeatLine(seat, where.match.names[seat], where.ranks[seat], where.totals[seat], told)

    lines = tuple(line(seat) for seat in sorted(SEATS, key=lambda s: (where.ranks[s], s)))
    return Figures(where.match.names, lines, tuple(_rows(where)), digits)


def signatures(kept: KeptMatch) -> tuple[Signed, ...]:
    """The last signature for each seat that has one, in the order of the seats."""
    if not kept.signatures:
        return ()
    digits = kept.fingerprint
    return tuple(_told(s, digits) for s in sorted(kept.signatures, key=lambda s: s.seat))


def _told(signature: Signature, digits: str) -> Signed:
    """A signature in words, beside the fingerprint of the match as it stands."""
    return Signed(
        isolated(signature.name),
        short_hash(signature.fingerprint),
        gettext(HOW[signature.how]),
        signature.at,
        signature.fingerprint != digits,
    )


def _rows(where: Standing) -> Iterator[FigureRow]:
    """The deals in order, points agreed after each behind it."""
    for number in range(len(where.deals) + 1):
        if number:
            result = where.deals[number - 1]
            deal = result.deal
            passed = gettext("passed out") if isinstance(deal, Deal) and deal.passed_out else ""
            contract = deal.contract.value if deal.contract else ""
            declarer = "" if deal.declarer is None else where.match.names_at(number)[deal.declarer]
            yield FigureRow(result.score, passed, number, contract, declarer)
        for agreed in where.match.agreed_points:
            if agreed.after_deal == number:
                yield FigureRow(agreed.points, agreed.reason or gettext("agreed points"))
