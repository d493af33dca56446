"""The store: load a match, save a change, keep the open deal and what else stands beside the record."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any

import sqlite_utils

from scorepad.match import Match
from scorepad.matchfile import canonical, write_match
from scorepad.standing import Standing, standing
from scorepad.store import access, seatcodes
from scorepad.store.access import match_id_of
from scorepad.store.beside import AGAIN, OFF, ON, STAKES, Beside, put_setting, read_beside
from scorepad.store.bin import Bin
from scorepad.store.database import Database
from scorepad.store.drafts import Draft, drop_draft, read_draft, write_draft
from scorepad.store.finding import Finding
from scorepad.store.history import Step, steps
from scorepad.store.record import (
    ABOUT_SIGNING,
    Answer,
    Brought,
    KeptDeal,
    KeptMatch,
    Save,
    fold,
    row_hash,
    tidy,
    without_open,
)
from scorepad.store.refusals import Closed, Stale, UnknownCode
from scorepad.store.rights import Rights
from scorepad.store.saving import changed, check_client_id, check_closed, check_id, check_seen, repeated
from scorepad.table import SEATS, Seat

#: Matches kept ready in memory; each is a few kilobytes.
KEPT_READY = 200

COLUMNS = ("revision", "id", "at", "by", "action", "deal_id", "body", "answer", "previous", "hash")


def utc_now() -> str:
    """The time as it is written in the record: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _seat(save: Save) -> Seat | None:
    """The seat that a save signs for, if it signs."""
    return Seat(save.deal["seat"] - 1) if save.action == "sign" else None


class Store(Rights, Bin, Finding):
    """All matches of one database file. Answers come after the disk has them."""

    def __init__(self, path: Path, *, now: Callable[[], str] = utc_now) -> None:
        """Open the database at this path, or make it."""
        self.database = Database(path)
        self.now = now
        self._ready: OrderedDict[str, tuple[KeptMatch, Standing]] = OrderedDict()
        self._lock = Lock()

    # Matches

    def start(
        self, match: Match, *, device: int | None = None, brought: Brought | None = None
    ) -> tuple[str, str]:
        """Record a new match; answers its slug and its scoring key, which is not kept.

        An open deal in it becomes the open deal of the match, which stands beside the record; `brought` is
        what the match comes from, for its history.
        """
        with self.database.writing() as db:
            kept, key = self._start(db, match, device, brought)
        return kept.slug, key

    def start_again(self, slug: str, match: Match, *, device: int | None = None) -> str:
        """Record the match that follows another, once; answers its slug however often it is asked.

        Whoever may score the other may score this one too. Raises UnknownMatch.
        """
        with self.database.writing() as db:
            old_id = match_id_of(db, slug)
            if again := read_beside(db, old_id).again:
                return again
            kept, _ = self._start(db, match, device)
            access.give_same_rights(db, old_id, kept.id, self.now())
            put_setting(db, old_id, AGAIN, kept.slug)
        return kept.slug

    def _start(
        self, db: sqlite_utils.Database, match: Match, device: int | None, brought: Brought | None = None
    ) -> tuple[KeptMatch, str]:
        """Add a match and its first row; answers where it is kept, and its scoring key."""
        at, slug = self.now(), access.new_slug()
        match, playing = without_open(match)
        save = Save(access.new_key(), 0, "start", deal=write_match(match), brought=brought)
        db.execute("INSERT INTO match (slug, started_at) VALUES (?, ?)", [slug, at])
        kept = KeptMatch(int(db.execute("SELECT last_insert_rowid()").fetchone()[0]), slug)
        key = access.make_key(db, kept.id, at)
        by = access.name_of_key(key) if device is None else f"device {device}"
        self._append(db, kept, save, Answer(0, "", 1), by=by)
        if playing is not None:
            write_draft(db, kept.id, 0, Draft(0, by, len(SEATS), playing, at))
        if device is not None:
            access.give_right(db, device, kept.id, at)
        return kept, key

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
        match_id = match_id_of(db, slug)
        found = db.execute(
            f"SELECT {', '.join(COLUMNS)} FROM record WHERE match_id = ? ORDER BY revision",  # noqa: S608
            [match_id],
        )
        return [dict(zip(COLUMNS, row, strict=True)) for row in found.fetchall()]

    def states(self, slug: str) -> list[KeptMatch]:
        """The match at this address as it stood at every row, oldest first; raises UnknownMatch."""
        rows = self.rows(slug)
        kept = KeptMatch(match_id_of(self.database.reading(), slug), slug)
        return list(accumulate(rows, fold, initial=kept))[1:]

    def history(self, slug: str) -> tuple[Step, ...]:
        """What each row of the record of a match did, oldest first; raises UnknownMatch."""
        match_id = match_id_of(self.database.reading(), slug)
        return steps(KeptMatch(match_id, slug), self.rows(slug))

    def last_row(self, slug: str) -> Mapping[str, Any]:
        """The last row of the record of a match; raises UnknownMatch."""
        db = self.database.reading()
        match_id = match_id_of(db, slug)
        query = f"SELECT {', '.join(COLUMNS)} FROM record WHERE match_id = ? ORDER BY revision DESC LIMIT 1"  # noqa: S608
        return dict(zip(COLUMNS, db.execute(query, [match_id]).fetchone(), strict=True))

    def _load(self, db: sqlite_utils.Database, slug: str) -> tuple[KeptMatch, Standing]:
        """The match as it stands, unless it is in the bin; raises UnknownMatch."""
        return self._folded(db, match_id_of(db, slug), slug)

    def _folded(self, db: sqlite_utils.Database, match_id: int, slug: str) -> tuple[KeptMatch, Standing]:
        """The match as its rows make it; rows that were folded before are not read again."""
        with self._lock:
            kept, where = self._ready.get(slug, (KeptMatch(match_id, slug), None))
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
            before = self._ready.pop(kept.slug, None)
            newer = before if before and before[0].revision > kept.revision else (kept, where)
            self._ready[kept.slug] = newer
            while len(self._ready) > KEPT_READY:
                self._ready.popitem(last=False)

    # Saving

    def save(
        self, slug: str, save: Save, *, by: str, nothing_since: bool = False, code: str | None = None
    ) -> Answer:
        """Record a change of a deal, once; the answer is the same however often it is sent.

        With `nothing_since` it is stale as soon as anything at all was saved after what it has seen; with a
        seat's `code` it counts only while that is good. Raises UnknownMatch, UnknownDeal, UnknownCode,
        IdReused, Closed, NotClosed, NotOver, Stale, NumberTaken (nothing is written), and Refused with
        everything that is wrong.
        """
        check_client_id(save)
        with self.database.writing() as db:
            kept, where = self._load(db, slug)
            save = tidy(where.match, save)
            if row := self._find_row(db, kept.id, save.id):
                return repeated(row, save)
            if code is not None and seatcodes.find_code(db, code) != (slug, _seat(save), True):
                raise UnknownCode
            check_closed(kept, where, save)
            if nothing_since and save.seen != kept.revision:
                raise Stale(save.deal, None, kept.revision, save.deal_id)
            check_id(kept, save)
            check_seen(kept, save)
            _, answer = changed(kept, save, kept.revision + 1)
            self._append(db, kept, save, answer, by=by)
            if save.action in ("add", "close"):
                drop_draft(db, kept.id, by, self.now())
            if save.action in ABOUT_SIGNING:
                seatcodes.end_codes(db, kept.id, self.now(), _seat(save))
        return answer

    def preview(self, slug: str, save: Save) -> tuple[Standing, Standing]:
        """Where the match stands, and where it would stand after a save; nothing is written.

        Raises as `save` does.
        """
        check_client_id(save)
        kept, where = self._load(self.database.reading(), slug)
        save = tidy(where.match, save)
        check_closed(kept, where, save)
        check_seen(kept, save)
        after, _ = changed(kept, save, kept.revision + 1)
        return where, standing(after.read())

    def _append(
        self, db: sqlite_utils.Database, kept: KeptMatch, save: Save, answer: Answer, *, by: str
    ) -> None:
        """Add one row to the record of a match."""
        spoken_at = read_draft(db, kept.id).changed_at if save.action == "add" else ""
        body = {"written": save.deal, "doubles_changed_at": spoken_at}
        if save.brought:
            body["brought"] = save.brought
        row: dict[str, Any] = {
            "revision": kept.revision + 1,
            "id": save.id,
            "at": self.now(),
            "by": by,
            "action": save.action,
            "deal_id": answer.deal_id,
            "body": canonical(body),
            "answer": canonical(
                {"deal": answer.deal, "deal_id": answer.deal_id, "revision": answer.revision}
            ),
            "previous": kept.hash,
        }
        row["hash"] = row_hash(row)
        db.table("record").insert({"match_id": kept.id, **row})

    # Beside the record

    def beside(self, slug: str) -> Beside:
        """What stands beside the record of a match; raises UnknownMatch."""
        db = self.database.reading()
        return read_beside(db, match_id_of(db, slug))

    def show_stakes(self, slug: str, *, on: bool) -> None:
        """Show what is at stake in a hand, or not, for everybody at the table; raises UnknownMatch."""
        with self.database.writing() as db:
            put_setting(db, match_id_of(db, slug), STAKES, ON if on else OFF)

    # The open deal

    def draft(self, slug: str) -> Draft:
        """The open deal of a match; raises UnknownMatch."""
        db = self.database.reading()
        return read_draft(db, match_id_of(db, slug))

    def write_draft(self, slug: str, seen: int, draft: Draft, *, take_over: bool = False) -> Draft:
        """Keep the open deal, or drop it; raises DraftTaken and Closed."""
        with self.database.writing() as db:
            kept, _ = self._load(db, slug)
            if kept.closed:
                raise Closed
            draft = draft._replace(changed_at=self.now())
            return write_draft(db, kept.id, seen, draft, take_over=take_over)
