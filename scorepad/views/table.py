"""The table: totals, ranks, whose declaration, contracts left, doubles owed, the deals so far; and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, json, render_template, request
from flask_babel import gettext

from scorepad import explain
from scorepad.contracts import Contract, contracts_of
from scorepad.labels import isolated
from scorepad.match import AgreedPoints, Deal, Match
from scorepad.matchfile import write_match
from scorepad.messages import CONTRACT_NAMES, PRESET_NAMES, Words
from scorepad.rules import Rules, preset_of
from scorepad.stakes import stakes
from scorepad.standing import DealResult, Standing
from scorepad.store import Draft, KeptMatch
from scorepad.table import PAIRS, SEATS, PerSeat, Seat
from scorepad.views.common import access, not_found, store, words

pages = Blueprint("table", __name__)


@dataclass(frozen=True)
class Debt:
    """What one player owes one declarer, with that declarer's declarations left."""

    declarer: Seat
    owed: int
    left: int
    is_tight: bool
    shortfall: int


@dataclass(frozen=True)
class PlayerLine:
    """One player on the table page."""

    seat: Seat
    name: str
    rank: int
    total: int
    declares: bool
    debts: tuple[Debt, ...]
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
class TablePage:
    """Everything the table page shows."""

    slug: str
    match: Match
    names: PerSeat[str]
    standing: Standing
    may_score: bool
    drawn: bool
    lines: tuple[PlayerLine, ...]
    contracts: tuple[Contract, ...]
    contract_names: Mapping[Contract, str]
    rules_name: str
    deals: tuple[DealLine, ...]
    declarer: str
    must_now: tuple[str, ...]
    playing: tuple[str, ...]
    stakes: tuple[tuple[str, PerSeat[PerSeat[int]]], ...]
    live: str
    read_back: tuple[str, ...]
    winners: str
    seats: tuple[Seat, ...] = SEATS


@dataclass(frozen=True)
class WhyPage:
    """Why one deal scored as it did."""

    slug: str
    title: str
    names: PerSeat[str]
    result: DealResult
    deal_id: str
    contract: str
    why: explain.Why
    say: Words
    before: PerSeat[int]
    moved: PerSeat[PerSeat[int]]
    may_score: bool


def contract_names() -> dict[Contract, str]:
    """The contracts' names in the reader's language."""
    return {c: gettext(name) for c, name in CONTRACT_NAMES.items()}


@pages.get("/m/<slug>")
def table(slug: str) -> str:
    """The table of a match."""
    kept, where, draft = store().standing_with_draft(slug)
    return render_template("table.html", page=table_page(kept, where, draft))


def table_page(kept: KeptMatch, where: Standing, draft: Draft) -> TablePage:
    """What the table page shows."""
    match, say = where.match, words(where.match.names)
    following, playing = where.next, where.playing
    preset = preset_of(match.rules)
    last = where.deals[len(kept.deals) - 1] if kept.deals else None
    return TablePage(
        slug=kept.slug,
        match=match,
        names=match.names,
        standing=where,
        may_score=access(kept.slug).may_score,
        drawn="drawn" in request.args and not kept.deals,
        lines=tuple(_player(where, s) for s in sorted(SEATS, key=lambda s: (where.ranks[s], s))),
        contracts=contracts_of(match.rules),
        contract_names=contract_names(),
        rules_name=gettext(PRESET_NAMES[preset]) if preset else gettext("House rules"),
        deals=tuple(_deal(kept, result, match.agreed_points, say) for result in reversed(where.deals)),
        declarer=match.names[following.declarer] if following else "",
        must_now=_must_now(where, say),
        playing=_playing(playing, say, match) if draft.deal is not None else (),
        stakes=_stakes(playing, say, match.rules) if draft.deal is not None else (),
        live=f"{kept.revision}-{draft.version}",
        read_back=tuple(say(m) for m in explain.read_back(last, match.rules)) if last else (),
        winners=say.write(where.winners) if where.is_complete else "",
    )


def _player(where: Standing, seat: Seat) -> PlayerLine:
    """One player's line."""
    debts = []
    for declarer in seat.others:
        owed = where.owed(seat, declarer)
        left = len(where.left(declarer))
        if owed:
            chances = where.counted[declarer][seat].chances(where.left(declarer), where.match.rules)
            debts.append(Debt(declarer, owed, left, owed >= chances, where.shortfall(seat, declarer)))
    following = where.next
    names = where.match.names.map(isolated)
    loose = [f"{names[d.declarer]} {d.owed}" for d in debts if not (d.is_tight or d.shortfall)]
    return PlayerLine(
        seat,
        where.match.names[seat],
        where.ranks[seat],
        where.totals[seat],
        following is not None and following.declarer is seat,
        tuple(debts),
        ", ".join(loose),
    )


def _must_now(where: Standing, say: Words) -> tuple[str, ...]:
    """Who is forced now: whatever is declared, or in some contracts only."""
    following = where.next
    if following is None:
        return ()
    sentences = []
    for seat in following.declarer.others:
        forced = [c for c, who in following.must_double.items() if seat in who]
        if not forced:
            continue
        sentence = say(explain.forced_because(where, seat, following.declarer, forced[0]))
        if len(forced) < len(following.must_double):
            sentence += " " + gettext("In:") + " " + ", ".join(say.write(c) for c in forced)
        sentences.append(sentence)
    return tuple(sentences)


def _playing(result: DealResult | None, say: Words, match: Match) -> tuple[str, ...]:
    """The declaration and the doubles of the hand being played."""
    if result is None or not isinstance(result.deal, Deal):
        return ()
    deal = result.deal
    return (say.write(deal.contract), *(say(m) for m in explain.doubles_spoken(deal, match.rules)))


def _stakes(
    result: DealResult | None, say: Words, rules: Rules
) -> tuple[tuple[str, PerSeat[PerSeat[int]]], ...]:
    """What one thing taken by each player would move, in the hand being played."""
    if result is None or not isinstance(result.deal, Deal):
        return ()
    return tuple((say(s.what), s.moves) for s in stakes(result.deal, rules))


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


@pages.get("/m/<slug>/deals/<deal_id>/why")
def why(slug: str, deal_id: str) -> str:
    """Why a deal scored as it did, pair by pair."""
    kept, where = store().standing(slug)
    result = where.deals[kept.number_of(deal_id) - 1]
    explained = explain.why(result, where.match.rules)
    if explained is None or result.score is None or result.deal.contract is None:
        not_found()
    say = words(where.match.names_at(result.number))
    page = WhyPage(
        slug=slug,
        title=where.match.title,
        names=say.names,
        result=result,
        deal_id=deal_id,
        contract=say.write(result.deal.contract),
        why=explained,
        say=say,
        before=PerSeat.of(lambda s: result.totals[s] - (result.score or result.totals)[s]),
        moved=_moved(result),
        may_score=access(slug).may_score,
    )
    return render_template("why.html", page=page)


def _moved(result: DealResult) -> PerSeat[PerSeat[int]]:
    """What each player won from each other by doubling."""
    won = dict.fromkeys(PAIRS, 0)
    for settled in result.settlements or ():
        won[settled.first, settled.second] = settled.difference * settled.doubles
    return PerSeat.of(lambda a: PerSeat.of(lambda b: won.get((a, b), 0) if a < b else -won.get((b, a), 0)))


@pages.get("/m/<slug>/match.json")
def match_file(slug: str) -> Response:
    """The match file, to keep or to take to another scorepad."""
    kept, where, _ = store().standing_with_draft(slug)
    body = json.dumps(
        {**write_match(where.match), "revision": kept.revision}, ensure_ascii=False, indent=1, sort_keys=False
    )
    answer = Response(body + "\n", mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{file_name(where.match)}.json"'
    return answer


def file_name(match: Match) -> str:
    """A name for files of a match that every system can keep."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in match.title.lower())
    return "-".join(part for part in ("barbu", match.date, *plain.split("-")) if part)[:60]
