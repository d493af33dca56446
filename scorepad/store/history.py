"""What each row of the record did, and the save that brings back what stood before or after it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from scorepad.match import Deal
from scorepad.matchfile import canonical, read_deal, write_deal, write_match
from scorepad.store.record import (
    ABOUT_SIGNING,
    ACTIONS,
    Brought,
    Json,
    KeptDeal,
    KeptMatch,
    Save,
    fold,
    players_of,
)


class Side(StrEnum):
    """The match before a row of the record, or after it."""

    BEFORE = "before"
    AFTER = "after"


#: What can be brought back of a row: a new deal was nowhere before, a removed one is nowhere after.
SIDES: Mapping[str, tuple[Side, ...]] = {
    "start": (),
    "add": (Side.AFTER,),
    "insert": (Side.AFTER,),
    "remove": (Side.BEFORE,),
    "correct": (Side.BEFORE, Side.AFTER),
    "order": (Side.BEFORE, Side.AFTER),
    "amend": (Side.BEFORE, Side.AFTER),
    "close": (),
    "reopen": (),
    "sign": (),
}


class Change(NamedTuple):
    """What brings something back, as a save has it; a deal that is put in again gets the id of its save."""

    action: str
    deal_id: str = ""
    deal: Json = None

    def save(self, save_id: str, seen: int) -> Save:
        """The save that makes this change, about the match as it stood at a revision."""
        return Save(save_id, seen, self.action, self.deal_id, self.deal)


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the record between the match before it and after it; `number` is that of its deal."""

    at: str
    by: str
    action: str
    deal_id: str
    number: int
    written: Json
    before: KeptMatch
    after: KeptMatch
    brought: Brought | None = None

    @property
    def revision(self) -> int:
        """The number of the row."""
        return self.after.revision

    def side(self, side: Side) -> KeptMatch:
        """The match on one side of the row."""
        return self.before if side is Side.BEFORE else self.after

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the match file that an amendment changed."""
        if self.action != "amend":
            return ()
        before, after = self.before.file, self.after.file
        return tuple(name for name in self.written if before.get(name) != after.get(name))

    @property
    def again(self) -> str:
        """The id under which a deal that the row put in stood before it was removed, "" for other rows."""
        return str(self.written.get("again", "")) if self.action == "insert" else ""

    def is_about(self, deal_ids: frozenset[str]) -> bool:
        """Whether the row made, corrected or removed a deal of these ids."""
        if self.action == "start":
            return any(d.deal_id in deal_ids for d in self.after.deals)
        return self.deal_id in deal_ids


def steps(empty: KeptMatch, rows: Iterable[Mapping[str, Json]]) -> tuple[Step, ...]:
    """Every row of a match with what it changed, oldest first; the rows are folded once."""
    told = []
    kept = empty
    for row in rows:
        before, kept = kept, fold(kept, row)
        body, number = json.loads(row["body"]), json.loads(row["answer"])["deal"]
        brought = Brought(body["brought"]) if "brought" in body else None
        about = row["at"], row["by"], row["action"], row["deal_id"]
        told.append(Step(*about, number, body["written"], before, kept, brought))
    return tuple(told)


def body_of(kept: KeptMatch, deal_id: str) -> Json:
    """A deal as it stands, or None where there is none of this id."""
    return next((d.body for d in kept.deals if d.deal_id == deal_id), None)


def ids_of(rows: Iterable[Step], deal_id: str) -> frozenset[str]:
    """Every id that a deal has had: one that was removed and brought back has two."""
    ids = {deal_id}
    pairs = [(step.again, step.deal_id) for step in rows if step.again]
    for _ in pairs:
        ids |= {i for pair in pairs if ids & set(pair) for i in pair}
    return frozenset(ids)


def bring_back(step: Step, side: Side, now: KeptMatch) -> Change | None:
    """What makes the match as it is now agree with one side of a row, or None where it does."""
    was = step.side(side)
    if step.action in ("start", *ABOUT_SIGNING):
        return None
    if step.action == "order":
        return _order_back(was, now)
    if step.action == "amend":
        return _amend_back(tuple(step.written), was, now)
    return _deal_back(step, was, now)


def undo(step: Step) -> Change | None:
    """What takes back a row that is the last; its start is never taken back, its closing by reopening."""
    return bring_back(step, Side.BEFORE, step.after)


def _order_back(was: KeptMatch, now: KeptMatch) -> Change | None:
    """The deals in the order they had; those that were not there keep their places."""
    ids = [d.deal_id for d in now.deals]
    known = iter([d.deal_id for d in was.deals if d.deal_id in ids])
    were = {d.deal_id for d in was.deals}
    order = [next(known) if deal_id in were else deal_id for deal_id in ids]
    return None if order == ids else Change("order", deal=order)


def _amend_back(names: tuple[str, ...], was: KeptMatch, now: KeptMatch) -> Change | None:
    """Fields of the match file as they were; what names players names them as they are called now."""
    file = was.file
    if "players" not in names and file["players"] != now.file["players"]:
        file = write_match(replace(was.read(), players=now.read().players))
    fields = {name: file.get(name) for name in names}
    is_so = all(now.file.get(name) == value for name, value in fields.items())
    return None if is_so else Change("amend", deal=fields)


def _deal_back(step: Step, was: KeptMatch, now: KeptMatch) -> Change | None:
    """A deal as it was: corrected, put in again, or removed where it was not there."""
    body = _renamed(body_of(was, step.deal_id), was, now)
    standing = _same_deal(step.deal_id, body, now)
    if body is None:
        return Change("remove", standing.deal_id) if standing else None
    if standing is None:
        return Change("insert", deal=_inserted(step, body, was, now))
    return None if standing.body == body else Change("correct", standing.deal_id, body)


def _renamed(body: Json, was: KeptMatch, now: KeptMatch) -> Json:
    """A deal under the names the players have now."""
    if body is None or was.file["players"] == now.file["players"]:
        return body
    deal = read_deal(body, players_of(was.read()))
    return write_deal(deal, now.read().players) if isinstance(deal, Deal) else body


def _same_deal(deal_id: str, body: Json, now: KeptMatch) -> KeptDeal | None:
    """The deal of this id, or the one that was put in for it: a contract is declared once by each player."""
    for kept in now.deals:
        if kept.deal_id == deal_id:
            return kept
    declared = body and (body.get("declarer"), body.get("contract"))
    same = (d for d in now.deals if body and (d.body.get("declarer"), d.body.get("contract")) == declared)
    return next(same, None)


def _inserted(step: Step, body: Json, was: KeptMatch, now: KeptMatch) -> Json:
    """A removed deal after the one it came after; agreed points and replacements go back where they stood."""
    before = [d.deal_id for d in was.deals[: was.number_of(step.deal_id) - 1]]
    standing = [d.deal_id for d in now.deals]
    number = next((standing.index(i) + 2 for i in reversed(before) if i in standing), 1)
    written = {"number": number, "deal": body, "again": step.deal_id}
    moved = ACTIONS["insert"](now, {"deal_id": "", "revision": 0}, written).file
    is_old_place = step.action == "remove" and number == step.number
    for name in ("agreed_points", "replaced"):
        is_untouched = is_old_place and now.file[name] == step.after.file[name]
        if is_untouched and canonical(moved[name]) != canonical(was.file[name]):
            written[name] = was.file[name]
    return written
