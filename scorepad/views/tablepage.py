"""What the table page shows: totals, ranks, whose declaration, contracts left, debts, the deals so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import request
from flask_babel import gettext

from scorepad import explain
from scorepad.contracts import Contract, contracts_of
from scorepad.labels import isolated
from scorepad.match import AgreedPoints, Deal, Match
from scorepad.matchfile import fingerprint, short_hash
from scorepad.messages import CONTRACT_NAMES, PRESET_NAMES, Words
from scorepad.paying import payments
from scorepad.rules import Rules, preset_of
from scorepad.signed import Signed
from scorepad.stakes import stakes
from scorepad.standing import DealResult, Standing
from scorepad.store import Access, Beside, Draft, KeptMatch
from scorepad.store.record import without_open
from scorepad.table import SEATS, PerSeat, Seat
from scorepad.views.common import live_tag, words
from scorepad.views.settle import a_point
from scorepad.views.signed import signatures
from scorepad.views.totals import why_address
from scorepad.views.watching import Debt, Now, You, debts, hand, now, you


@dataclass(frozen=True)
class PlayerLine:
    """One player on the table page."""

    seat: Seat
    name: str
    rank: int
    total: int
    declares: bool
    debts: tuple[Debt, ...]
    tight: str
    loose: str


@dataclass(frozen=True)
class DealLine:
    """One deal on the table page."""

    result: DealResult
    deal_id: str
    declarer: str
    is_passed_out: bool
    warnings: tuple[str, ...]
    agreed: tuple[str, ...]


@dataclass(frozen=True)
class LastSave:
    """The last save, which can be undone: what it did, to which deal, and when."""

    action: str
    deal: int
    at: str


@dataclass(frozen=True)
class TablePage:
    """Everything the table page shows."""

    slug: str
    match: Match
    names: PerSeat[str]
    standing: Standing
    may_score: bool
    beside: Beside
    suggests_second: bool
    drawn: bool
    lines: tuple[PlayerLine, ...]
    contracts: tuple[Contract, ...]
    contract_names: Mapping[Contract, str]
    rules_name: str
    deals: tuple[DealLine, ...]
    whys: Mapping[int, str]
    declarer: str
    now: Now | None
    you: tuple[You, ...]
    stakes: tuple[tuple[str, PerSeat[PerSeat[int]]], ...]
    live: str
    read_back: str
    last_why: str
    winners: str
    a_point: str
    payments: tuple[str, ...]
    fingerprint: str
    revision: int
    closed_at: str
    signed: tuple[Signed, ...]
    last_save: LastSave | None = None
    seats: tuple[Seat, ...] = SEATS

    @property
    def is_over(self) -> bool:
        """Whether no deal of this match will be played any more."""
        return self.standing.is_over


def contract_names() -> dict[Contract, str]:
    """The contracts' names in the reader's language."""
    return {c: gettext(name) for c, name in CONTRACT_NAMES.items()}


def table_page(kept: KeptMatch, where: Standing, draft: Draft, beside: Beside, asked: Access) -> TablePage:
    """What the table page shows."""
    match, say = where.match, words(where.match.names)
    following = where.next
    preset = preset_of(match.rules)
    last = where.deals[len(kept.deals) - 1] if kept.deals else None
    whys = {result.number: why_address(kept, result) for result in where.deals}
    return TablePage(
        slug=kept.slug,
        match=match,
        names=match.names,
        standing=where,
        may_score=asked.may_score,
        beside=beside,
        suggests_second=asked.may_score and not kept.deals and beside.scorers == 1,
        drawn="drawn" in request.args and not kept.deals,
        lines=tuple(_player(where, s) for s in sorted(SEATS, key=lambda s: (where.ranks[s], s))),
        contracts=contracts_of(match.rules),
        contract_names=contract_names(),
        rules_name=gettext(PRESET_NAMES[preset]) if preset else gettext("House rules"),
        deals=tuple(_deal(kept, result, match.agreed_points, say) for result in reversed(where.deals)),
        whys=whys,
        declarer=match.names[following.declarer] if following else "",
        now=now(where, draft, say),
        you=tuple(you(where, draft, say, s) for s in SEATS),
        stakes=_stakes(hand(where, draft), say, match.rules) if beside.shows_stakes else (),
        live=live_tag(kept, draft, beside, asked),
        read_back=say.one(explain.read_back(last)) if last else "",
        last_why=whys[last.number] if last else "",
        winners=say.write(where.winners) if where.is_complete else "",
        a_point=a_point(match.stake) if match.stake else "",
        payments=payments(where, match.stake, say) if match.stake and where.is_over else (),
        fingerprint=short_hash(fingerprint(without_open(match)[0])),
        revision=kept.revision,
        closed_at=kept.closed_at,
        signed=signatures(kept),
    )


def _player(where: Standing, seat: Seat) -> PlayerLine:
    """One player's line."""
    owed = debts(where, seat)
    following = where.next
    names = where.match.names.map(isolated)
    possible = [d for d in owed if not d.shortfall]
    return PlayerLine(
        seat,
        where.match.names[seat],
        where.ranks[seat],
        where.totals[seat],
        following is not None and following.declarer is seat,
        owed,
        ", ".join(names[d.declarer] for d in possible if d.is_tight),
        ", ".join(f"{names[d.declarer]}\N{NO-BREAK SPACE}{d.owed}" for d in possible if not d.is_tight),
    )


def _stakes(deal: Deal | None, say: Words, rules: Rules) -> tuple[tuple[str, PerSeat[PerSeat[int]]], ...]:
    """What one thing taken by each player would move, in the hand being played."""
    return tuple((say(s.what), s.moves) for s in stakes(deal, rules)) if deal else ()


def _deal(
    kept: KeptMatch, result: DealResult, agreed_points: tuple[AgreedPoints, ...], say: Words
) -> DealLine:
    """One deal's line."""
    deal = result.deal
    agreed = tuple(
        a.reason or gettext("agreed points") for a in agreed_points if a.after_deal == result.number
    )
    is_kept = result.number <= len(kept.deals)
    return DealLine(
        result,
        kept.deals[result.number - 1].deal_id if is_kept else "",
        "" if deal.declarer is None else say.names[deal.declarer],
        isinstance(deal, Deal) and deal.passed_out,
        tuple(say(w) for w in result.warnings),
        agreed,
    )
