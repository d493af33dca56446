"""What the page of a deal shows: what may be declared and doubled, what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import request, url_for
from flask_babel import gettext

from scorepad import explain
from scorepad.contracts import QUEENS, Contract, contracts_of
from scorepad.doubles import speaking_order
from scorepad.forms import DealForm
from scorepad.match import RANKS, Suit
from scorepad.messages import CONTRACT_NAMES, N_, Words
from scorepad.standing import Problem, Standing
from scorepad.store import KeptMatch
from scorepad.table import PerSeat, Seat, clockwise_from
from scorepad.views.common import access, store
from scorepad.views.dealtexts import texts
from scorepad.views.effects import Effect
from scorepad.views.phone import contract_facts, match_now, sentences, shown_names

#: What to do about a part of the result that was left empty.
MISSING = {
    "contract": N_("Choose the contract."),
    "king": N_("Say who took the king of hearts."),
    "ace": N_("Say who took the ace of hearts."),
    "last_two": N_("Say who took each of the last two tricks."),
    "order": N_("Name all four players in the order they finished."),
    "most": N_("Say who holds most cards of a suit."),
}


#: The parts of the form that a problem can stand beside; all others stand above the form.
BESIDE = {"contract", "doubles", "passed_out", "result"}


@dataclass(frozen=True)
class ContractChoice:
    """A contract on the page: whether it is used, and who would have to double it."""

    contract: Contract
    name: str
    used: int | None
    must: tuple[tuple[Seat, str], ...]
    used_id: str = ""


@dataclass(frozen=True)
class Conflict:
    """Two versions of a deal that stand against each other, in sentences."""

    code: str
    yours: tuple[str, ...]
    theirs: tuple[str, ...]


@dataclass(frozen=True)
class DealPage:
    """Everything the page of a deal shows."""

    slug: str
    title: str
    number: int
    deals_in_all: int
    deal_id: str
    form: DealForm
    action: str
    names: PerSeat[str]
    declarer: Seat
    order: tuple[Seat, ...]
    clockwise: tuple[Seat, ...]
    others: tuple[tuple[Seat, str], ...]
    choices: tuple[ContractChoice, ...]
    tricks: int
    queens: int
    is_playing: bool
    is_open: bool
    was_forgotten: bool
    saved: str
    saved_number: int
    saved_id: str
    who_deals: str
    data: Mapping[str, Any]
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: tuple[Seat, ...] = ()
    conflict: Conflict | None = None
    effect: Effect | None = None
    suits: tuple[str, ...] = tuple(s.value for s in Suit)
    ranks: tuple[str, ...] = RANKS


@dataclass(frozen=True)
class RemovePage:
    """Asks before a deal is removed."""

    slug: str
    deal_id: str
    number: int
    told: tuple[str, ...]
    effect: Effect | None
    id: str
    seen: int
    wrong: str


def deal_page(
    kept: KeptMatch,
    where: Standing,
    number: int,
    deal_id: str,
    form: DealForm,
    say: Words,
    action: str,
    *,
    is_playing: bool = False,
    is_open: bool = False,
    was_forgotten: bool = False,
    **more: Any,
) -> DealPage:
    """The page of the deal with this number; `deal_id` is empty for a new one."""
    rules = where.match.rules
    chosen = form.declarer.data or ""
    declarer = Seat(int(chosen)) if chosen in {"0", "1", "2", "3"} else Seat.NORTH
    choices = tuple(
        _choice(kept, where, declarer, c, 0 if was_forgotten else number) for c in contracts_of(rules)
    )
    able = declarer.others if deal_id else tuple(s for s in declarer.others if where.left(s))
    saved, saved_number = _saved(kept, where, say)
    return DealPage(
        slug=kept.slug,
        title=where.match.title,
        number=number,
        deals_in_all=where.deals_in_all,
        deal_id=deal_id,
        form=form,
        action=action,
        names=say.names,
        declarer=declarer,
        order=speaking_order(declarer),
        clockwise=clockwise_from(declarer),
        others=() if is_open else tuple((s, say.names[s]) for s in able),
        choices=choices,
        tricks=rules.deck.tricks,
        queens=QUEENS,
        is_playing=is_playing,
        is_open=is_open,
        was_forgotten=was_forgotten,
        saved=saved,
        saved_number=saved_number,
        saved_id=request.args.get("saved", "") if saved else "",
        who_deals=say(explain.who_deals(declarer, rules)),
        data=_data(kept, where, deal_id) | {"forgotten": number if was_forgotten else None},
        **more,
    )


def _choice(
    kept: KeptMatch, where: Standing, declarer: Seat, contract: Contract, number: int
) -> ContractChoice:
    """One contract: used in another deal, or open to this declarer with those who must double it."""
    used = where.used[declarer].get(contract)
    if used == number:
        used = None
    is_new = number > len(where.deals) and used is None
    forced = where.must_double(declarer, contract) if is_new else ()
    must = tuple((s, _reason(where, s, declarer)) for s in forced)
    used_id = kept.deals[used - 1].deal_id if used and used <= len(kept.deals) else ""
    return ContractChoice(contract, gettext(CONTRACT_NAMES[contract]), used, must, used_id)


def _reason(where: Standing, seat: Seat, declarer: Seat) -> str:
    """Why a player must double, in short: what he owes and in how many declarations."""
    owed, left = where.owed(seat, declarer), len(where.left(declarer))
    return str(gettext("must double: owes %(owed)s, %(left)s left", owed=owed, left=left))


def _saved(kept: KeptMatch, where: Standing, say: Words) -> tuple[str, int]:
    """The deal that was just saved, to be said aloud, and its number; nothing and 0 when none was."""
    deal_id = request.args.get("saved", "")
    for number, deal in enumerate(kept.deals, start=1):
        if deal.deal_id == deal_id:
            return say.one(explain.read_back(where.deals[number - 1])), number
    return "", 0


def _data(kept: KeptMatch, where: Standing, deal_id: str) -> dict[str, Any]:
    """What the page's modules have to know: the match, the deal to be corrected, addresses and words."""
    slug = kept.slug
    now = match_now(kept, where, store().draft(slug), access(slug))
    return {
        "now": now,
        "dealId": deal_id or None,
        "contracts": contract_facts(where.match.rules),
        "shown": shown_names(now["file"]),
        "urls": {
            "root": url_for("home.home"),
            "now": url_for("api.now", slug=slug),
            "open": url_for("api.write_open", slug=slug),
            "csrf": url_for("home.token"),
            "table": url_for("table.table", slug=slug),
            "next": url_for("deal.new", slug=slug),
            "reopen": url_for("signing.ask_to_reopen", slug=slug),
            "deals": url_for("deal.new", slug=slug).removesuffix("new"),
            "effects": url_for("api.add", slug=slug) + "/",
        },
        "sentences": sentences(),
        "texts": texts(),
    }


def errors_of(problems: tuple[Problem, ...], say: Words, number: int) -> dict[str, tuple[str, ...]]:
    """What is wrong, by the field of the form it belongs beside; what concerns other deals comes first."""
    errors: dict[str, tuple[str, ...]] = {}
    for problem in problems:
        where, sentence = _beside(problem, say)
        if problem.deal not in (number, None):
            where = "form"
            sentence = gettext("Deal %(number)s: %(sentence)s", number=problem.deal, sentence=sentence)
        errors[where] = (*errors.get(where, ()), sentence)
    return errors


def _beside(problem: Problem, say: Words) -> tuple[str, str]:
    """The field a problem belongs beside, and its sentence."""
    mistake, values = problem.mistake, problem.mistake.values
    name = str(values.get("name", ""))
    if name in MISSING and mistake.code in {"field_missing", "wrong_kind", "unknown_value"}:
        return name, gettext(MISSING[name])
    sentence = say(mistake.message)
    if isinstance(values.get("player"), Seat) and "what" in values:
        return f"{values['what']}_{values['player'].value}", sentence
    if mistake.code == "ace_without_hearts":
        return "ace", sentence
    return mistake.field if mistake.field in BESIDE else "note" if name == "note" else "form", sentence
