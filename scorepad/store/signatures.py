"""What a player has confirmed of a closed match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scorepad.table import Seat


class How(StrEnum):
    """On which phone a player signed."""

    SCORING_PHONE = "scoring-phone"
    OWN_PHONE = "own-phone"


@dataclass(frozen=True, slots=True)
class Signature:
    """The figures of this fingerprint, confirmed for a seat by whoever held a phone at that time."""

    seat: Seat
    name: str
    fingerprint: str
    how: How
    at: str
    by: str


def written(seat: Seat, name: str, fingerprint: str, how: How) -> Mapping[str, Any]:
    """What the record keeps of a signature beside the time and the device of its row."""
    return {"seat": seat.value + 1, "name": name, "fingerprint": fingerprint, "how": how.value}


def read_signature(written: Mapping[str, Any], row: Mapping[str, Any]) -> Signature:
    """The signature of a row of the record."""
    return Signature(
        Seat(written["seat"] - 1),
        written["name"],
        written["fingerprint"],
        How(written["how"]),
        row["at"],
        row["by"],
    )
