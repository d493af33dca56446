"""The store: load a match, save a change, keep the open deal, ask what a device may do."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

import sqlite_utils

from scorepad.match import Match
from scorepad.matchfile import canonical, write_match
from scorepad.standing import Problem, Standing, standing
from scorepad.store import access
from scorepad.store.access import Access, Right
from scorepad.store.database import Database
from scorepad.store.drafts import Draft, drop_draft, read_draft, write_draft
from scorepad.store.record import (
    Answer,
    KeptDeal,
    KeptMatch,
    Refused,
    Save,
    UnknownMatch,
    fold,
    row_hash,
    tidy_deal,
    without_open,
)
from scorepad.store.saving import CLIENT_ID, BadId, changed, check_id, check_seen, repeated
from scorepad.table import SEATS

#: Matches kept ready in memory; each is a few kilobytes.
KEPT_READY = 200

COLUMNS = ("revision", "id", "at", "by", "action", "deal_id", "body", "answer", "previous", "hash")


def utc_now() -> str:
    """The time as it is written in the record: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Store:
    """All matches of one database file. Answers come after the disk has them."""

    def __init__(self, path: Path, *, now: Callable[[], str] = utc_now) -> None:
        """Open the database at this path, or make it."""
        self.database = Database(path)
        self.now = now
        self._ready: OrderedDict[int, tuple[KeptMatch, Standing]] = OrderedDict()
        self._lock = Lock()

    # Matches

    def start(self, match: Match, *, device: int | None = None) -> tuple[str, str]:
        """Record a new match; answers its slug and its scoring key, which is not kept.

        An open deal in it becomes the open deal of the match, which stands beside the record.
        """
        at, slug = self.now(), access.new_slug()
        match, playing = without_open(match)
        save = Save(access.new_key(), 0, "start", deal=write_match(match))
        with self.database.writing() as db:
            db.execute("INSERT INTO match (slug, started_at) VALUES (?, ?)", [slug, at])
            kept = KeptMatch(int(db.execute("SELECT last_insert_rowid()").fetchone()[0]), slug)
            key = access.make_key(db, kept.id, at)
            by = access.name_of_key(key) if device is None else f"device {device}"
            self._append(db, kept, save, Answer(0, "", 1), by=by)
            if playing is not None:
                write_draft(db, kept.id, 0, Draft(0, by, len(SEATS), playing, at))
            if device is not None:
                access.give_right(db, device, kept.id, at)
        return slug, key

    def load(self, slug: str) -> KeptMatch:
        """The match at this address as it stands; raises UnknownMatch."""
        return self._load(self.database.reading(), slug)[0]

    def standing(self, slug: str) -> tuple[KeptMatch, Standing]:
        """The match at this address with everything derived from it; raises UnknownMatch."""
        return self._load(self.database.reading(), slug)

    def standing_with_draft(self, slug: str) -> tuple[KeptMatch, Standing, Draft]:
        """The same with its open deal, read at one moment.

        An open deal that a correction has made impossible meanwhile is not counted in.
        """
        db = self.database.reading()
        db.conn.execute("BEGIN")
        try:
            kept, where = self._load(db, slug)
            draft = read_draft(db, kept.id)
        finally:
            db.rollback()
        if draft.deal is None:
            return kept, where, draft
        playing = replace(kept, deals=(*kept.deals, KeptDeal("", kept.revision, draft.deal)))
        with_playing = standing(playing.read())
        return kept, with_playing if with_playing.playing else where, draft

    def rows(self, slug: str) -> list[Mapping[str, Any]]:
        """Every row of the record of a match, oldest first; raises UnknownMatch."""
        db = self.database.reading()
        match_id = _match_id(db, slug)
        found = db.execute(
            f"SELECT {', '.join(COLUMNS)} FROM record WHERE match_id = ? ORDER BY revision",  # noqa: S608
            [match_id],
        )
        return [dict(zip(COLUMNS, row, strict=True)) for row in found.fetchall()]

    def _load(self, db: sqlite_utils.Database, slug: str) -> tuple[KeptMatch, Standing]:
        """The match as its rows make it; rows that were folded before are not read again."""
        match_id = _match_id(db, slug)
        with self._lock:
            kept, where = self._ready.get(match_id, (KeptMatch(match_id, slug), None))
        query = (
            f"SELECT {', '.join(COLUMNS)} FROM record WHERE match_id = ? AND revision > ? ORDER BY revision"  # noqa: S608
        )
        rows = db.execute(query, [match_id, kept.revision]).fetchall()
        for row in rows:
            kept = fold(kept, dict(zip(COLUMNS, row, strict=True)))
        if rows or where is None:
            where = standing(kept.read())
            self._keep_ready(kept, where)
        return kept, where

    def _find_row(self, db: sqlite_utils.Database, match_id: int, save_id: str) -> Mapping[str, Any] | None:
        """The row that a save of this id has written, if it has."""
        query = f"SELECT {', '.join(COLUMNS)} FROM record WHERE match_id = ? AND id = ?"  # noqa: S608
        found = db.execute(query, [match_id, save_id]).fetchone()
        return found and dict(zip(COLUMNS, found, strict=True))

    def _keep_ready(self, kept: KeptMatch, where: Standing) -> None:
        """Keep a match that is on disk in memory, and let go of the one longest not asked for."""
        with self._lock:
            before = self._ready.pop(kept.id, None)
            newer = before if before and before[0].revision > kept.revision else (kept, where)
            self._ready[kept.id] = newer
            while len(self._ready) > KEPT_READY:
                self._ready.popitem(last=False)

    # Saving

    def save(self, slug: str, save: Save, *, by: str) -> Answer:
        """Record a change of a deal, once; the answer is the same however often it is sent.

        Raises UnknownMatch, UnknownDeal, IdReused, Stale, NumberTaken (nothing is written), and Refused with
        everything that is wrong.
        """
        if not CLIENT_ID.fullmatch(save.id):
            raise Refused((Problem(None, BadId(found=save.id[:40])),))
        with self.database.writing() as db:
            kept, where = self._load(db, slug)
            if save.deal is not None:
                save = save._replace(deal=tidy_deal(where.match, save.deal))
            if row := self._find_row(db, kept.id, save.id):
                return repeated(row, save)
            check_id(kept, save)
            check_seen(kept, save)
            _, answer = changed(kept, save, kept.revision + 1)
            self._append(db, kept, save, answer, by=by)
            if save.action == "add":
                drop_draft(db, kept.id, by, self.now())
        return answer

    def _append(
        self, db: sqlite_utils.Database, kept: KeptMatch, save: Save, answer: Answer, *, by: str
    ) -> None:
        """Add one row to the record of a match."""
        spoken_at = read_draft(db, kept.id).changed_at if save.action == "add" else ""
        row: dict[str, Any] = {
            "revision": kept.revision + 1,
            "id": save.id,
            "at": self.now(),
            "by": by,
            "action": save.action,
            "deal_id": answer.deal_id,
            "body": canonical({"written": save.deal, "doubles_changed_at": spoken_at}),
            "answer": canonical(
                {"deal": answer.deal, "deal_id": answer.deal_id, "revision": answer.revision}
            ),
            "previous": kept.hash,
        }
        row["hash"] = row_hash(row)
        db.table("record").insert({"match_id": kept.id, **row})

    # The open deal

    def draft(self, slug: str) -> Draft:
        """The open deal of a match; raises UnknownMatch."""
        db = self.database.reading()
        return read_draft(db, _match_id(db, slug))

    def write_draft(self, slug: str, seen: int, draft: Draft, *, take_over: bool = False) -> Draft:
        """Keep the open deal, or drop it; raises DraftTaken."""
        with self.database.writing() as db:
            draft = draft._replace(changed_at=self.now())
            return write_draft(db, _match_id(db, slug), seen, draft, take_over=take_over)

    # Who may write

    def access_by_key(self, slug: str, key: str) -> Access:
        """What the bearer of this key may do with a match."""
        db = self.database.reading()
        opened = access.match_of_key(db, key)
        if opened is None or opened != _find(db, slug):
            return Access(Right.WRONG)
        return Access(Right.SCORE, access.name_of_key(key))

    def access_by_device(self, slug: str, token: str | None) -> Access:
        """What the device with this cookie may do with a match."""
        db = self.database.reading()
        device = access.device_of(db, token) if token else None
        if device is None:
            return Access(Right.NONE)
        match_id = _find(db, slug)
        if match_id is None or not access.has_right(db, device, match_id):
            return Access(Right.WRONG)
        return Access(Right.SCORE, f"device {device}")

    def device(self, token: str | None) -> int | None:
        """The device with this cookie, if it is known."""
        return access.device_of(self.database.reading(), token) if token else None

    def make_device(self) -> tuple[int, str]:
        """A new device and the token for its cookie."""
        with self.database.writing() as db:
            return access.make_device(db, self.now())

    def slug_of_key(self, key: str) -> str | None:
        """The match that a scoring key opens."""
        db = self.database.reading()
        match_id = access.match_of_key(db, key)
        if match_id is None:
            return None
        return str(db.execute("SELECT slug FROM match WHERE id = ?", [match_id]).fetchone()[0])

    def join(self, key: str, device: int) -> str | None:
        """Let a device score the match that this key opens; answers its slug, or None for a wrong key."""
        with self.database.writing() as db:
            match_id = access.match_of_key(db, key)
            if match_id is None:
                return None
            access.give_right(db, device, match_id, self.now())
        return self.slug_of_key(key)

    def new_score_key(self, slug: str, *, end_others: bool = False, but_for: int | None = None) -> str:
        """A fresh scoring key of a match; `end_others` ends all others and every device's right but one's."""
        with self.database.writing() as db:
            match_id = _match_id(db, slug)
            if end_others:
                access.end_keys(db, match_id, self.now(), but_for)
            return access.make_key(db, match_id, self.now())

    def any_slug(self) -> str | None:
        """The first match there is, if there is one."""
        found = self.database.reading().execute("SELECT slug FROM match ORDER BY id LIMIT 1").fetchone()
        return found and str(found[0])

    def matches_of(self, device: int | None) -> list[tuple[KeptMatch, Standing]]:
        """The matches a device holds, the last one first."""
        if device is None:
            return []
        db = self.database.reading()
        return [self._load(db, slug) for slug in access.matches_of(db, device)]


def _find(db: sqlite_utils.Database, slug: str) -> int | None:
    """The number of the match at this address, if there is one."""
    found = db.execute("SELECT id FROM match WHERE slug = ?", [slug]).fetchone()
    return found and int(found[0])


def _match_id(db: sqlite_utils.Database, slug: str) -> int:
    """The number of the match at this address; raises UnknownMatch."""
    if (found := _find(db, slug)) is None:
        raise UnknownMatch(slug)
    return found
