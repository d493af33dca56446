"""Codes for seats: each lets whoever holds it sign once for one seat of a closed match, and nothing more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlite_utils

from scorepad.store.access import find_secret, hashed, new_key
from scorepad.table import Seat


class SeatCode(NamedTuple):
    """What a code opens; one that was used, replaced or ended opens nothing any more."""

    slug: str
    seat: Seat
    is_open: bool


def make_codes(
    db: sqlite_utils.Database, match_id: int, seats: Sequence[Seat], at: str
) -> tuple[tuple[Seat, str], ...]:
    """A fresh code for each of these seats; every older one is ended, and only hashes are kept."""
    end_codes(db, match_id, at)
    made = tuple((seat, new_key()) for seat in seats)
    for seat, code in made:
        db.execute(
            "INSERT INTO seat_code (hash, match_id, seat, made_at) VALUES (?, ?, ?, ?)",
            [hashed(code), match_id, seat.value, at],
        )
    return made


def end_codes(db: sqlite_utils.Database, match_id: int, at: str, seat: Seat | None = None) -> None:
    """End the codes of a match, or those for one seat."""
    db.execute(
        "UPDATE seat_code SET ended_at = ? "
        "WHERE match_id = ? AND ended_at IS NULL AND seat = ifnull(?, seat)",
        [at, match_id, None if seat is None else seat.value],
    )


def find_code(db: sqlite_utils.Database, code: str) -> SeatCode | None:
    """What a code opens, or opened; None for one that never was."""
    if (found := find_secret(db, "match_id, seat, ended_at", "seat_code", code)) is None:
        return None
    match_id, seat, ended_at = found
    slug = db.execute("SELECT slug FROM match WHERE id = ?", [match_id]).fetchone()[0]
    return SeatCode(str(slug), Seat(seat), ended_at is None)
