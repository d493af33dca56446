"""A save before it becomes a row: checked in the order id, seen, rules (design.md, decision 3)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from scorepad.match import ContractDeclaredTwice, Deal, ResultMissing
from scorepad.matchfile import read_match
from scorepad.rules import RuleError
from scorepad.standing import Problem, Standing
from scorepad.store.record import (
    ABOUT_MATCH,
    ABOUT_SIGNING,
    ACTIONS,
    MAKING,
    Answer,
    Json,
    KeptDeal,
    KeptMatch,
    Save,
)
from scorepad.store.refusals import Closed, IdReused, NotClosed, NotOver, NumberTaken, Refused, Stale

#: What a client may call a save: 8 to 64 letters, digits, hyphens and underscores.
CLIENT_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


class BadId(RuleError, field="id"):
    """A save needs an id of 8 to 64 letters, digits, - and _ (found)."""


class OpenWithResult(RuleError, field="result"):
    """While its hand is being played a deal has no result, and is not passed out."""


def check_client_id(save: Save) -> None:
    """Refuse a save whose id is none."""
    if not CLIENT_ID.fullmatch(save.id):
        raise Refused((Problem(None, BadId(found=save.id[:40])),))


def repeated(row: Mapping[str, Json], save: Save) -> Answer:
    """The first answer again, for a save whose id is in the record; raises IdReused for another body."""
    if (row["action"], json.loads(row["body"])["written"]) != (save.action, json.loads(save.body)) or (
        save.action not in MAKING and row["deal_id"] != save.deal_id
    ):
        theirs = json.loads(row["body"])["written"]
        raise IdReused(save.deal, theirs, row["revision"], row["deal_id"])
    return Answer(**json.loads(row["answer"]), is_new=False)


def check_id(kept: KeptMatch, save: Save) -> None:
    """Refuse a new deal under the id of a deal that a match file brought along."""
    if save.action not in MAKING:
        return
    for deal in kept.deals:
        if deal.deal_id == save.id:
            raise IdReused(save.deal, deal.body, kept.revision, save.id)
    if save.id in kept.removed:
        raise IdReused(save.deal, None, kept.revision, save.id)


def check_closed(kept: KeptMatch, where: Standing, save: Save) -> None:
    """Refuse what cannot be done while a match is closed, while it is not, or before it is over."""
    if save.action in ("reopen", "sign"):
        if not kept.closed:
            raise NotClosed
    elif kept.closed:
        raise Closed
    elif save.action == "close" and not where.is_over:
        raise NotOver


def check_seen(kept: KeptMatch, save: Save) -> None:
    """Refuse a save about a deal that somebody else changed since it was read."""
    if save.action in ABOUT_SIGNING:
        return _check_signed(kept, save)
    if save.action == "add":
        return _check_number(kept, save)
    if save.action in ABOUT_MATCH:
        return _check_match(kept, save)
    changed = kept.removed.get(save.deal_id)
    if changed is not None and save.seen < changed:
        raise Stale(save.deal, None, kept.revision, save.deal_id)
    standing_deal = kept.deals[kept.number_of(save.deal_id) - 1]
    if save.seen < standing_deal.revision or save.seen > kept.revision:
        raise Stale(save.deal, standing_deal.body, kept.revision, save.deal_id)
    return None


def _check_number(kept: KeptMatch, save: Save) -> None:
    """A new deal that says its number gets that number, or none; deals removed meanwhile let it move up."""
    following = len(kept.deals) + 1
    if save.seen > kept.revision:
        raise Stale(save.deal, None, kept.revision)
    gone = sum(revision > save.seen for revision in kept.removed.values())
    if save.number is not None and save.number not in (following, following + gone):
        taken = kept.deals[save.number - 1] if 1 <= save.number < following else None
        theirs, deal_id = (taken.body, taken.deal_id) if taken else (None, "")
        raise NumberTaken(save.deal, theirs, kept.revision, deal_id)


def _check_signed(kept: KeptMatch, save: Save) -> None:
    """Refuse a signature under other figures than those that stand."""
    if save.action == "sign" and save.deal["fingerprint"] != kept.fingerprint:
        raise Stale(save.deal, None, kept.revision)


def _check_match(kept: KeptMatch, save: Save) -> None:
    """Refuse to change the match when its shape was changed since it was read."""
    ids = sorted(d.deal_id for d in kept.deals)
    is_other = save.action == "order" and sorted(save.deal) != ids
    is_other |= save.action == "insert" and not _is_place(kept, save.deal)
    if is_other or not kept.amended <= save.seen <= kept.revision:
        raise Stale(save.deal, None, kept.revision)


def _is_place(kept: KeptMatch, inserted: Json) -> bool:
    """Whether a deal can be put in there: before another, and after the last only if it was removed."""
    is_back = inserted.get("again") in kept.removed
    return inserted["number"] in range(1, len(kept.deals) + 1 + is_back)


def changed(kept: KeptMatch, save: Save, revision: int) -> tuple[KeptMatch, Answer]:
    """The match after the save, and its answer; raises Refused when the rules do not allow it."""
    deal_id = save.id if save.action in MAKING else save.deal_id
    row = {"deal_id": deal_id, "revision": revision, "at": "", "by": ""}
    number = _number(kept, save)
    after = ACTIONS[save.action](kept, row, save.deal)
    if found := problems_of(after, None if save.action == "remove" else number):
        raise Refused(found)
    return after, Answer(number or 0, deal_id, revision)


def _number(kept: KeptMatch, save: Save) -> int | None:
    """The number of the deal a save is about, none when it is about the match."""
    if save.action == "add":
        return len(kept.deals) + 1
    if save.action == "insert":
        return int(save.deal["number"])
    return kept.number_of(save.deal_id) if save.deal_id else None


def problems_of(kept: KeptMatch, number: int | None) -> tuple[Problem, ...]:
    """Everything wrong with a match of which deal `number` was just written."""
    reading = read_match(kept.source)
    found = list(reading.problems)
    if reading.match and number and number <= len(reading.match.deals):
        deal = reading.match.deals[number - 1]
        if isinstance(deal, Deal) and deal.is_open:
            found = [p for p in found if p.mistake.code != "open_but_not_last"]
            found.append(Problem(number, ResultMissing(contract=deal.contract)))
    return tuple(_used_later(p, number) for p in found)


def _used_later(problem: Problem, number: int | None) -> Problem:
    """A contract that a later deal has used already is the fault of the deal just written."""
    mistake = problem.mistake
    if (
        isinstance(mistake, ContractDeclaredTwice)
        and mistake.values["used"] == number
        and problem.deal != number
    ):
        return Problem(number, ContractDeclaredTwice(**{**mistake.values, "used": problem.deal}))
    return problem


def problems_of_open(kept: KeptMatch, body: Json) -> tuple[Problem, ...]:
    """Everything wrong with a deal whose hand is about to be played."""
    playing = replace(kept, deals=(*kept.deals, KeptDeal("", kept.revision, body)))
    found = problems_of(playing, None)
    if isinstance(body, dict) and ("result" in body or "passed_out" in body):
        found = (*found, Problem(len(playing.deals), OpenWithResult()))
    return found
