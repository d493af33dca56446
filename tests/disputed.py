"""A match of ten deals in which a correction of the third changes what doubles mean further on."""

from __future__ import annotations

from typing import Any

from builders import deal_entry, match_file

PASSED = {c: deal_entry(f"Anna {c}", passed_out=True) for c in ("B", "M", "NH", "NL2")}
QUEENS = deal_entry(
    "Anna NQ",
    doubles={"Ben": ["Anna"], "Carla": ["Anna"], "Dan": ["Anna"]},
    result={"queens": {"Anna": 1, "Ben": 0, "Carla": 1, "Dan": 2}},
)
TRUMPS = deal_entry(
    "Anna T",
    doubles={"Ben": ["Anna"], "Carla": ["Anna"], "Dan": ["Anna"]},
    result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}},
)
DOMINOES = deal_entry(
    "Anna D",
    doubles={"Carla": ["Anna"], "Dan": ["Anna"]},
    result={"order": ["Ben", "Anna", "Dan", "Carla"]},
)

#: Anna's seven, and the first three of Ben's.
TEN = [
    PASSED["B"],
    PASSED["M"],
    QUEENS,
    PASSED["NH"],
    PASSED["NL2"],
    TRUMPS,
    DOMINOES,
    *(deal_entry(f"Ben {c}", passed_out=True) for c in ("B", "M", "NQ")),
]

#: The third deal without Ben's double, and what that does: to the totals of Anna and Ben, and further on.
WITHOUT = {**QUEENS, "doubles": {"Carla": ["Anna"], "Dan": ["Anna"]}}
MOVED = 6
FURTHER = [
    "Deal 6: Ben’s double of Anna is forced now.",
    "Deal 7: Ben now had to double Anna, and did not.",
    "Ben is now short of Anna by 1.",
]


def ten_deals(*, third: Any = QUEENS, **more: Any) -> dict[str, Any]:
    """The match file; seven deals in a row."""
    return match_file(*TEN[:2], third, *TEN[3:], rules="seven-in-a-row", **more)
