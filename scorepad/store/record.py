"""The record of a match: rows that are only ever added, and the match as the fold of its rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from scorepad.match import Deal, Match
from scorepad.matchfile import (
    Players,
    canonical,
    fingerprint,
    read_deal,
    read_match,
    write_deal,
    write_match,
)
from scorepad.store.refusals import UnknownDeal
from scorepad.store.signatures import Signature, read_signature
from scorepad.table import PerSeat

Json = Any


class Brought(StrEnum):
    """What a match was brought in from when it was started."""

    FILE = "file"
    SHEET = "sheet"


class Save(NamedTuple):
    """A change of a match that a client asks for.

    `id` is made by the client and makes the save idempotent; `seen` is the revision it last read; `deal` is
    the body of a match file's deal; `number` is the place a new deal is meant to have, where it is known.
    To insert, `deal` is {"number", "deal"}, and for a removed deal "again", its id, with the fields of the
    match file that go back to what they were; to put deals in order, the list of their ids; to amend, fields
    of the match file, null for one to leave out. `brought` is noted with the start of a match.
    """

    id: str
    seen: int
    action: str
    deal_id: str = ""
    deal: Json = None
    number: int | None = None
    brought: Brought | None = None

    @property
    def body(self) -> str:
        """What is compared when the id comes again, and what is recorded."""
        return canonical(self.deal)


@dataclass(frozen=True, slots=True)
class KeptDeal:
    """One deal of the record: its id, which never changes, and the revision that last wrote it."""

    deal_id: str
    revision: int
    body: Json


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match as it stands in the record at one revision; `amended` is the last that changed its shape.

    `closed_at` is empty unless the match is closed; of the signatures the last for each seat is kept.
    """

    id: int
    slug: str
    revision: int = 0
    hash: str = ""
    file: Mapping[str, Json] = field(default_factory=dict)
    deals: tuple[KeptDeal, ...] = ()
    removed: Mapping[str, int] = field(default_factory=dict)
    amended: int = 0
    closed_at: str = ""
    signatures: tuple[Signature, ...] = ()

    @property
    def closed(self) -> bool:
        """Whether nothing changes the match until it is reopened."""
        return bool(self.closed_at)

    @property
    def fingerprint(self) -> str:
        """What a signature is put to; the hand being played is in no row of the record."""
        return fingerprint(self.read())

    @property
    def source(self) -> Json:
        """The match file's JSON value."""
        return {**self.file, "deals": [d.body for d in self.deals]}

    def read(self) -> Match:
        """The match itself, read anew; the record holds only what could be read."""
        match = read_match(self.source).match
        if match is None:
            raise ValueError("the record does not hold a match")
        return match

    def number_of(self, deal_id: str) -> int:
        """The place of a deal, 1, 2, …; raises UnknownDeal."""
        for number, kept in enumerate(self.deals, start=1):
            if kept.deal_id == deal_id:
                return number
        raise UnknownDeal(deal_id)


class Answer(NamedTuple):
    """What a save answers, the first time and every time it is sent again."""

    deal: int
    deal_id: str
    revision: int
    is_new: bool = True


def first_deal_ids(count: int) -> tuple[str, ...]:
    """The ids of the deals a match file brings along."""
    return tuple(f"file-deal-{number:02}" for number in range(1, count + 1))


# The fold: what each kind of row does to a match.


def _start(kept: KeptMatch, row: Mapping[str, Json], body: Json) -> KeptMatch:
    """The first row holds a whole match file."""
    deals = body.pop("deals")
    ids = first_deal_ids(len(deals))
    return replace(
        kept, file=body, deals=tuple(KeptDeal(i, row["revision"], d) for i, d in zip(ids, deals, strict=True))
    )


def _add(kept: KeptMatch, row: Mapping[str, Json], body: Json) -> KeptMatch:
    """A deal was played, and comes last."""
    return replace(kept, deals=(*kept.deals, KeptDeal(row["deal_id"], row["revision"], body)))


def _correct(kept: KeptMatch, row: Mapping[str, Json], body: Json) -> KeptMatch:
    """A deal was corrected where it stands."""
    changed = KeptDeal(row["deal_id"], row["revision"], body)
    return replace(kept, deals=tuple(changed if d.deal_id == changed.deal_id else d for d in kept.deals))


def _remove(kept: KeptMatch, row: Mapping[str, Json], _body: Json) -> KeptMatch:
    """A deal was removed; what stands after it moves up, and so do agreed points and replacements."""
    number = kept.number_of(row["deal_id"])
    return replace(
        kept,
        file=_moved(kept.file, lambda n: n - (n >= number), lambda n: n - (n > number)),
        deals=tuple(d for d in kept.deals if d.deal_id != row["deal_id"]),
        removed={**kept.removed, row["deal_id"]: row["revision"]},
        amended=row["revision"],
    )


def _insert(kept: KeptMatch, row: Mapping[str, Json], body: Json) -> KeptMatch:
    """A forgotten deal was put in before another; what stands from there on moves down.

    A deal that is brought back states those agreed points and replacements that its removal moved together.
    """
    number = body["number"]
    inserted = KeptDeal(row["deal_id"], row["revision"], body["deal"])
    moved = _moved(kept.file, lambda n: n + (n >= number), lambda n: n + (n >= number))
    return replace(
        kept,
        file={**moved, **{name: body[name] for name in ("agreed_points", "replaced") if name in body}},
        deals=(*kept.deals[: number - 1], inserted, *kept.deals[number - 1 :]),
        amended=row["revision"],
    )


def _moved(
    file: Mapping[str, Json], agreed_after: Callable[[int], int], replaced_from: Callable[[int], int]
) -> Mapping[str, Json]:
    """The match file with its agreed points and replacements after and from other deals."""
    agreed = [{**a, "after_deal": agreed_after(a["after_deal"])} for a in file["agreed_points"]]
    replaced = [{**r, "from_deal": replaced_from(r["from_deal"])} for r in file["replaced"]]
    return {**file, "agreed_points": agreed, "replaced": replaced}


def _order(kept: KeptMatch, row: Mapping[str, Json], body: Json) -> KeptMatch:
    """The deals were put in another order; agreed points and replacements stay at their numbers."""
    by_id = {d.deal_id: d for d in kept.deals}
    return replace(kept, deals=tuple(by_id[deal_id] for deal_id in body), amended=row["revision"])


def _amend(kept: KeptMatch, row: Mapping[str, Json], body: Json) -> KeptMatch:
    """Fields of the match file beside its deals were written; a renamed player is renamed in every deal."""
    file = {name: value for name, value in {**kept.file, **body}.items() if value is not None}
    after = replace(kept, file=file, amended=row["revision"])
    return _renamed(kept, after) if "players" in body else after


def _renamed(kept: KeptMatch, after: KeptMatch) -> KeptMatch:
    """Every deal and every agreed point under the new names."""
    match = replace(kept.read(), players=PerSeat(*after.file["players"]))
    written = write_match(match)
    bodies = written.pop("deals")
    agreed = written["agreed_points"]
    first = {"first_declarer": written["first_declarer"]}
    return replace(
        after,
        file={**after.file, **first, "agreed_points": agreed},
        deals=tuple(replace(d, body=body) for d, body in zip(kept.deals, bodies, strict=True)),
    )


def _close(kept: KeptMatch, row: Mapping[str, Json], _body: Json) -> KeptMatch:
    """The match is over, and nothing changes it until it is reopened."""
    return replace(kept, closed_at=row["at"])


def _reopen(kept: KeptMatch, _row: Mapping[str, Json], _body: Json) -> KeptMatch:
    """The match may be changed again; what was signed stays signed until a figure changes."""
    return replace(kept, closed_at="")


def _sign(kept: KeptMatch, row: Mapping[str, Json], body: Json) -> KeptMatch:
    """A player confirmed the figures; what was signed for his seat before is not shown any more."""
    signed = read_signature(body, row)
    others = (s for s in kept.signatures if s.seat is not signed.seat)
    return replace(kept, signatures=(*others, signed))


ACTIONS: Mapping[str, Callable[[KeptMatch, Mapping[str, Json], Json], KeptMatch]] = {
    "start": _start,
    "add": _add,
    "correct": _correct,
    "remove": _remove,
    "insert": _insert,
    "order": _order,
    "amend": _amend,
    "close": _close,
    "reopen": _reopen,
    "sign": _sign,
}

#: Actions that make a deal, whose id is that of the save.
MAKING = ("add", "insert")
#: Actions about the shape of the match, or what stands beside its deals.
ABOUT_MATCH = ("insert", "order", "amend")
#: Actions that change nothing that is scored.
ABOUT_SIGNING = ("close", "reopen", "sign")


def fold(kept: KeptMatch, row: Mapping[str, Json]) -> KeptMatch:
    """The match after one more row."""
    changed = ACTIONS[row["action"]](kept, row, json.loads(row["body"])["written"])
    return replace(changed, revision=row["revision"], hash=row["hash"])


def tidy_deal(match: Match, body: Json) -> Json:
    """A deal's body as the record keeps it, every count stated; as it came when it cannot be read."""
    deal = read_deal(body, players_of(match))
    return write_deal(deal, match.players) if isinstance(deal, Deal) else body


def tidy(match: Match, save: Save) -> Save:
    """The save with its deal as the record keeps it."""
    if save.action in ("add", "correct"):
        return save._replace(deal=tidy_deal(match, save.deal))
    if save.action == "insert":
        return save._replace(deal={**save.deal, "deal": tidy_deal(match, save.deal["deal"])})
    return save


def without_open(match: Match) -> tuple[Match, Json]:
    """A match without the deal that is being played, and that deal's body, or None."""
    *played, last = match.deals or (None,)
    if not isinstance(last, Deal) or not last.is_open:
        return match, None
    agreed = tuple(replace(a, after_deal=min(a.after_deal, len(played))) for a in match.agreed_points)
    replaced = tuple(replace(r, from_deal=min(r.from_deal, len(played) + 1)) for r in match.replaced)
    record = replace(match, deals=match.deals[:-1], agreed_points=agreed, replaced=replaced)
    return record, write_deal(last, match.players)


def players_of(match: Match) -> Players:
    """The players of a match by every name they go by."""
    return Players(match.players, *((r.name, r.seat) for r in match.replaced))


def row_hash(row: Mapping[str, Json]) -> str:
    """The hash of a row over everything in it, the hash of the row before included."""
    hashed = {name: row[name] for name in HASHED}
    return hashlib.sha256(canonical(hashed).encode()).hexdigest()


HASHED = ("revision", "id", "at", "by", "action", "deal_id", "body", "answer", "previous")
