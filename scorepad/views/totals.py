"""Why the totals are what they are, deal by deal; and the debts, with the deals that counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from flask import Blueprint, render_template, url_for
from flask_babel import gettext

from scorepad import debts, explain
from scorepad.labels import isolated
from scorepad.messages import N_
from scorepad.rules import PositivesCount, Rules
from scorepad.standing import DealResult, Standing
from scorepad.store import KeptMatch
from scorepad.table import NOTHING, SEATS, PerSeat, Points, Seat, plus
from scorepad.views.common import not_found, seat_numbered, store, words

pages = Blueprint("totals", __name__)

#: Whether a double in Trumps or Dominoes counts.
POSITIVES: Mapping[PositivesCount, str] = {
    PositivesCount.ALL: N_("In Trumps and Dominoes it counts too."),
    PositivesCount.ONE: N_("Of those in Trumps and Dominoes, one counts."),
    PositivesCount.NONE: N_("In Trumps and Dominoes it does not count."),
}


@dataclass(frozen=True)
class TotalLine:
    """What a deal brought, or points agreed after one, and the totals then; a deal being played has none.

    `result` is None and `agreed` the reason where points were agreed.
    """

    brought: Points | None
    totals: Points
    result: DealResult | None = None
    why: str = ""
    declarer: str = ""
    agreed: str = ""


@dataclass(frozen=True)
class TotalsPage:
    """The totals, line by line, and the check that they add up."""

    slug: str
    title: str
    names: PerSeat[str]
    lines: tuple[TotalLine, ...]
    totals: Points
    expected: int
    agreed: int
    seats: tuple[Seat, ...] = SEATS


@dataclass(frozen=True)
class Debt:
    """What a player owes one declarer: the deals that counted and those that did not, and what follows.

    Each deal has the address of its why, "" while it is being played.
    """

    declarer: Seat
    name: str
    deals: tuple[tuple[str, str], ...]
    follows: tuple[str, ...]


@dataclass(frozen=True)
class OwedPage:
    """Whom one player owes doubles."""

    slug: str
    title: str
    names: PerSeat[str]
    player: Seat
    rule: str
    replaced: tuple[str, ...]
    debts: tuple[Debt, ...]
    seats: tuple[Seat, ...] = SEATS


@pages.get("/m/<slug>/totals")
def totals(slug: str) -> str:
    """Every deal with what it brought each player, and the totals after it."""
    kept, where, _ = store().standing_with_draft(slug)
    page = TotalsPage(
        slug,
        where.match.title,
        where.match.names,
        tuple(_lines(kept, where)),
        where.totals,
        where.expected,
        where.agreed,
    )
    return render_template("totals.html", page=page)


def _lines(kept: KeptMatch, where: Standing) -> Iterator[TotalLine]:
    """The deals in order, agreed points after theirs."""
    running = NOTHING
    for line in _brought(kept, where):
        running = plus(running, line.brought or NOTHING)
        yield replace(line, totals=running)


def _brought(kept: KeptMatch, where: Standing) -> Iterator[TotalLine]:
    """The same before they are summed."""
    names = where.match.names
    yield from _agreed(where, 0)
    for result in where.deals:
        declarer = result.deal.declarer
        name = "" if declarer is None else names[declarer]
        yield TotalLine(result.score, NOTHING, result, why_address(kept, result), name)
        yield from _agreed(where, result.number)


def _agreed(where: Standing, after_deal: int) -> Iterator[TotalLine]:
    """The points agreed after a deal."""
    for agreed in where.match.agreed_points:
        if agreed.after_deal == after_deal:
            yield TotalLine(agreed.points, NOTHING, agreed=agreed.reason or gettext("agreed points"))


def why_address(kept: KeptMatch, result: DealResult) -> str:
    """Where a deal is explained; "" while it has no figures."""
    if result.score is None:
        return ""
    return url_for("table.why", slug=kept.slug, deal_id=kept.deals[result.number - 1].deal_id)


@pages.get("/m/<slug>/owed/<int:number>")
def owed(slug: str, number: int) -> str:
    """Which deals counted as a player's compulsory doubles and which did not; his seat is 1 to 4."""
    seat = seat_numbered(number)
    kept, where, _ = store().standing_with_draft(slug)
    match = where.match
    if not match.rules.compulsory_doubles:
        not_found()
    page = OwedPage(
        slug=slug,
        title=match.title,
        names=match.names,
        player=seat,
        rule=_rule(match.rules),
        replaced=tuple(_replaced(where)),
        debts=tuple(_debt(kept, where, seat, declarer) for declarer in seat.others),
    )
    return render_template("owed.html", page=page)


def _debt(kept: KeptMatch, where: Standing, player: Seat, declarer: Seat) -> Debt:
    """What a player owes one declarer."""
    say = words(where.match.names)
    deals = tuple(
        (say(told), why_address(kept, where.deals[told.values["number"] - 1]))
        for told in explain.counted_deals(where, player, declarer)
    )
    follows = tuple(say(told) for told in debts.debt(where, player, declarer))
    return Debt(declarer, where.match.names[declarer], deals, follows)


def _rule(rules: Rules) -> str:
    """Which doubles are compulsory at this table, and which count."""
    least = gettext(
        "Each player doubles each other player, when that one declares, at least %(n)s times.",
        n=rules.compulsory_doubles,
    )
    counts = gettext("A double of a player who does not declare counts for none of it, nor does a pass-out.")
    return f"{least} {gettext(POSITIVES[rules.positives_count])} {counts}"


def _replaced(where: Standing) -> Iterator[str]:
    """Who took a seat over, and its debts with it."""
    say = words(where.match.players)
    for line in where.match.replaced:
        yield gettext(
            "From deal %(number)s on %(name)s has the seat of %(player)s, and its debts.",
            number=line.from_deal,
            name=isolated(line.name),
            player=say.write(Seat(line.seat)),
        )
