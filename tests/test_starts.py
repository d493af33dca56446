"""How many matches one address may start."""

from __future__ import annotations

import pytest

from scorepad import starts
from scorepad.starts import AN_HOUR, Starts


class Clock:
    """A time that the test sets."""

    seconds = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.seconds


def test_each_address_has_its_own_count() -> None:
    clock = Clock()
    kept = Starts(2, now=clock)
    assert [kept.may_start("one") for _ in range(3)] == [True, True, False]
    assert kept.may_start("other")


def test_after_an_hour_there_is_room_again() -> None:
    clock = Clock()
    kept = Starts(2, now=clock)
    assert kept.may_start("one")
    clock.seconds = 10
    assert kept.may_start("one")
    clock.seconds = AN_HOUR - 1
    assert not kept.may_start("one")
    clock.seconds = AN_HOUR
    assert [kept.may_start("one"), kept.may_start("one")] == [True, False]


def test_not_every_address_is_remembered_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starts, "ADDRESSES", 3)
    kept = Starts(1, now=Clock())
    assert all(kept.may_start(str(n)) for n in range(5))
    assert not kept.may_start("4")
    assert kept.may_start("0")
