"""Links as keys: which device may write which match (design.md, decision 7)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from enum import Enum
from typing import Any, NamedTuple

import sqlite_utils

from scorepad.store.refusals import DeletedMatch, UnknownMatch

#: Random bytes in a key: 144 bits in 24 characters, 192 for what is kept in a cookie.
SLUG_BYTES = 18
KEY_BYTES = 24


class Right(Enum):
    """What a request may do with a match."""

    SCORE = "score"
    WRONG = "wrong"
    NONE = "none"


class Access(NamedTuple):
    """Who asks, and what he may do; `by` names device or key in the record without giving it away."""

    right: Right
    by: str = ""

    @property
    def may_score(self) -> bool:
        """Whether this request may write."""
        return self.right is Right.SCORE


def new_slug() -> str:
    """An address nobody can guess."""
    return secrets.token_urlsafe(SLUG_BYTES)


def new_key() -> str:
    """A key nobody can guess."""
    return secrets.token_urlsafe(KEY_BYTES)


def hashed(key: str) -> str:
    """What is stored of a key; a key has so many random bits that a plain hash cannot be turned back."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def name_of_key(key: str) -> str:
    """How the record names a key: it tells keys apart and gives none away."""
    return f"key {hashed(key)[:8]}"


def find_match(db: sqlite_utils.Database, slug: str) -> int | None:
    """The number of the match at this address, if there is one, be it in the bin."""
    found = db.execute("SELECT id FROM match WHERE slug = ?", [slug]).fetchone()
    return found and int(found[0])


def match_id_of(db: sqlite_utils.Database, slug: str) -> int:
    """The number of the match at this address; raises UnknownMatch, and DeletedMatch for one in the bin."""
    found = db.execute("SELECT id, deleted_at FROM match WHERE slug = ?", [slug]).fetchone()
    if found is None:
        raise UnknownMatch(slug)
    if found[1] is not None:
        raise DeletedMatch(slug)
    return int(found[0])


def make_key(db: sqlite_utils.Database, match_id: int, at: str) -> str:
    """Make a scoring key of a match; only its hash is kept."""
    key = new_key()
    db.execute(
        "INSERT INTO score_key (hash, match_id, made_at) VALUES (?, ?, ?)", [hashed(key), match_id, at]
    )
    return key


def end_keys(db: sqlite_utils.Database, match_id: int, at: str, but_for: int | None = None) -> None:
    """End every scoring key of a match, and the right of every device but one."""
    db.execute("UPDATE score_key SET ended_at = ? WHERE match_id = ? AND ended_at IS NULL", [at, match_id])
    db.execute(
        "UPDATE device_right SET may_score = 0 WHERE match_id = ? AND device_id IS NOT ?", [match_id, but_for]
    )


def find_secret(db: sqlite_utils.Database, columns: str, table: str, secret: str) -> tuple[Any, ...] | None:
    """The row of a key or of a device's token, found by the hash of it.

    The time that the index takes can tell no more than how a hash begins, and 192 random bits cannot be
    found from their hash. What was found is compared once more, all of it, in a time that says nothing.
    """
    asked = hashed(secret)
    query = f"SELECT hash, {columns} FROM {table} WHERE hash = ?"  # noqa: S608  nothing of it from outside
    found = db.execute(query, [asked]).fetchone()
    return tuple(found[1:]) if found and hmac.compare_digest(found[0], asked) else None


def match_of_key(db: sqlite_utils.Database, key: str) -> int | None:
    """The match a scoring key opens, or None."""
    found = find_secret(db, "match_id, ended_at", "score_key", key)
    return int(found[0]) if found and found[1] is None else None


def has_ended(db: sqlite_utils.Database, key: str) -> bool:
    """Whether this was a scoring key until others took its place."""
    found = find_secret(db, "ended_at", "score_key", key)
    return found is not None and found[0] is not None


def device_of(db: sqlite_utils.Database, token: str) -> int | None:
    """The device whose cookie this is, or None."""
    found = find_secret(db, "id", "device", token)
    return int(found[0]) if found else None


def make_device(db: sqlite_utils.Database, at: str) -> tuple[int, str]:
    """A new device and the token of its cookie; only the token's hash is kept."""
    token = new_key()
    db.execute("INSERT INTO device (hash, made_at) VALUES (?, ?)", [hashed(token), at])
    return int(db.execute("SELECT last_insert_rowid()").fetchone()[0]), token


def give_right(db: sqlite_utils.Database, device: int, match_id: int, at: str) -> None:
    """Let a device score a match."""
    db.execute(
        "INSERT INTO device_right (device_id, match_id, may_score, since) VALUES (?, ?, 1, ?) "
        "ON CONFLICT (device_id, match_id) DO UPDATE SET may_score = 1",
        [device, match_id, at],
    )


def give_same_rights(db: sqlite_utils.Database, old_id: int, new_id: int, at: str) -> None:
    """Let every device that may score one match score another."""
    db.execute(
        "INSERT OR IGNORE INTO device_right (device_id, match_id, may_score, since) "
        "SELECT device_id, ?, 1, ? FROM device_right WHERE match_id = ? AND may_score",
        [new_id, at, old_id],
    )


def scorers(db: sqlite_utils.Database, match_id: int) -> int:
    """How many devices may score a match."""
    query = "SELECT count(*) FROM device_right WHERE match_id = ? AND may_score"
    return int(db.execute(query, [match_id]).fetchone()[0])


def has_right(db: sqlite_utils.Database, device: int, match_id: int) -> bool:
    """Whether a device may score a match."""
    found = db.execute(
        "SELECT may_score FROM device_right WHERE device_id = ? AND match_id = ?", [device, match_id]
    ).fetchone()
    return bool(found and found[0])


def matches_of(db: sqlite_utils.Database, device: int) -> list[str]:
    """The slugs of the matches a device holds, the last one first."""
    rows = db.execute(
        "SELECT match.slug FROM device_right JOIN match ON match.id = device_right.match_id "
        "WHERE device_right.device_id = ? AND match.deleted_at IS NULL ORDER BY match.id DESC",
        [device],
    )
    return [slug for (slug,) in rows.fetchall()]


def deleted_of(db: sqlite_utils.Database, device: int) -> list[str]:
    """The slugs of the matches in the bin that a device may take back, the one deleted last first."""
    rows = db.execute(
        "SELECT match.slug FROM device_right JOIN match ON match.id = device_right.match_id "
        "WHERE device_right.device_id = ? AND may_score AND match.deleted_at IS NOT NULL "
        "ORDER BY match.deleted_at DESC, match.id DESC",
        [device],
    )
    return [slug for (slug,) in rows.fetchall()]
