"""Settling up: what each player gets or pays at a stake, which can be tried out through the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.match import Stake, text_mistakes
from scorepad.matchfile import read_stake
from scorepad.messages import MINUS, Words
from scorepad.paying import in_currency, money, payments
from scorepad.rules import RuleError
from scorepad.settling import distances, settling
from scorepad.standing import Standing
from scorepad.store import KeptMatch
from scorepad.table import SEATS
from scorepad.views.common import access, store, words

pages = Blueprint("settle", __name__)

#: Stakes that need no typing.
COMMON = ("0.01", "0.05", "0.10", "0.25", "0.50", "1")

#: A decimal point as many phones have it on their keys of numbers.
COMMA = ","


@dataclass(frozen=True)
class Line:
    """One player: his total, how far it is from the mean, and what he gets (+) or pays (−)."""

    name: str
    total: int
    distance: str
    amount: str


@dataclass(frozen=True)
class SettlePage:
    """Everything the page shows; `payments` and amounts are empty while there is no stake."""

    slug: str
    title: str
    so_far: str
    stake: Stake | None
    is_recorded: bool
    may_score: bool
    a_point: str
    per_point: str
    currency: str
    lines: tuple[Line, ...]
    total: int
    mean: str
    whole_units: bool
    payments: tuple[str, ...]
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    common: tuple[str, ...] = COMMON


@pages.get("/m/<slug>/settle")
def settle(slug: str) -> ResponseReturnValue:
    """The amounts and payments for the totals as they stand, at the stake asked for or the one recorded."""
    kept, where = store().standing(slug)
    say = words(where.match.names)
    if not request.args.get("per_point", "").strip():
        stake = where.match.stake
        currency = request.args.get("currency", stake.currency if stake else "")
        return render_template("settle.html", page=_page(kept, where, say, stake, currency=currency))
    per_point, currency = request.args["per_point"].strip(), request.args.get("currency", "")
    asked, mistakes = _read(per_point, currency)
    errors: dict[str, tuple[str, ...]] = {}
    for mistake in mistakes:
        beside = "currency" if mistake.values.get("name") == "currency" else "per_point"
        errors[beside] = (*errors.get(beside, ()), say(mistake.message))
    page = _page(kept, where, say, asked, per_point=per_point, currency=currency, errors=errors)
    return render_template("settle.html", page=page), 422 if errors else 200


def _read(per_point: str, currency: str) -> tuple[Stake | None, list[RuleError]]:
    """The stake asked for, a comma taken for a point; or None, with everything that is wrong with it."""
    mistakes: list[RuleError] = []
    said = {"per_point": per_point.replace(COMMA, "."), "currency": currency}
    stake = read_stake("stake", said, mistakes)
    mistakes += text_mistakes(currency=stake.currency if stake else currency)
    return None if mistakes else stake, mistakes


def _page(
    kept: KeptMatch,
    where: Standing,
    say: Words,
    stake: Stake | None,
    *,
    per_point: str = "",
    currency: str,
    errors: Mapping[str, tuple[str, ...]] | None = None,
) -> SettlePage:
    """What the page shows at a stake, or at none."""
    match = where.match
    settled = settling(where.totals, stake) if stake else None
    apart = distances(where.totals)
    ranked = sorted(SEATS, key=lambda s: (where.ranks[s], s))
    return SettlePage(
        slug=kept.slug,
        title=match.title,
        so_far="" if where.is_over else _so_far(where),
        stake=stake,
        may_score=access(kept.slug).may_score,
        a_point=a_point(stake) if stake else "",
        is_recorded=stake is not None and stake == match.stake,
        per_point=per_point or (stake.per_point if stake else ""),
        currency=currency,
        lines=tuple(
            Line(
                match.names[s],
                where.totals[s],
                _points(apart[s], plus="+"),
                money(settled.amounts[s], settled, plus="+") if settled else "",
            )
            for s in ranked
        ),
        total=sum(where.totals),
        mean=_points(Fraction(sum(where.totals), len(SEATS))) if sum(where.totals) else "",
        whole_units=settled is not None and not settled.decimals,
        payments=payments(where, stake, say) if stake else (),
        errors=errors or {},
    )


def _so_far(where: Standing) -> str:
    """How far an unfinished match has come."""
    scored, in_all = where.deals_scored, where.deals_in_all
    return str(gettext("So far, after %(n)s of %(all)s deals", n=scored, all=in_all))


def a_point(stake: Stake) -> str:
    """What a point is worth, in words."""
    return str(gettext("%(amount)s a point", amount=in_currency(stake.per_point, stake)))


def _points(points: Fraction, *, plus: str = "") -> str:
    """Points, where the mean of four totals can leave quarters: 36.25, −36.5, 36."""
    whole, quarters = divmod(abs(points), 1)
    sign = MINUS if points < 0 else plus if points else ""
    return f"{sign}{whole}{['', '.25', '.5', '.75'][int(quarters * 4)]}"
