"""The table: four seats, clockwise, and one value per seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Seat(IntEnum):
    """A place at the table; the value is its place clockwise, and a match never changes its seats."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def left(self) -> Seat:
        """The next seat clockwise."""
        return SEATS[self - 3]

    @property
    def right(self) -> Seat:
        """The seat before, clockwise."""
        return SEATS[self - 1]

    @property
    def others(self) -> tuple[Seat, Seat, Seat]:
        """The three other seats, clockwise from the left."""
        return _OTHERS[self]


SEATS: tuple[Seat, Seat, Seat, Seat] = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST)
_OTHERS = tuple((s.left, s.left.left, s.right) for s in SEATS)

#: The six pairs of players; each pair settles once.
PAIRS: tuple[tuple[Seat, Seat], ...] = tuple((a, b) for a in SEATS for b in SEATS if a < b)


def clockwise_from(seat: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """All four seats, clockwise, beginning with this one."""
    return (seat, *seat.others)


class PerSeat(NamedTuple, Generic[T]):
    """One value for each of the four seats, in the order of the seats; none can be missing."""

    north: T
    east: T
    south: T
    west: T

    @classmethod
    def of(cls, value: Callable[[Seat], T]) -> PerSeat[T]:
        """The record whose value at each seat is what the function says."""
        return cls(value(Seat.NORTH), value(Seat.EAST), value(Seat.SOUTH), value(Seat.WEST))

    @classmethod
    def all(cls, value: T) -> PerSeat[T]:
        """The same value at every seat."""
        return cls(value, value, value, value)

    def seats(self) -> Iterator[tuple[Seat, T]]:
        """Each seat with its value, clockwise."""
        return zip(SEATS, self, strict=True)

    def map(self, change: Callable[[T], U]) -> PerSeat[U]:
        """The record of what the function makes of each value."""
        return PerSeat(change(self.north), change(self.east), change(self.south), change(self.west))

    def put(self, seat: Seat, value: T) -> PerSeat[T]:
        """The same record with another value at one seat."""
        return PerSeat.of(lambda s: value if s is seat else self[s])


Points = PerSeat[int]


def plus(a: Points, b: Points) -> Points:
    """Two records of points, added seat by seat."""
    return PerSeat(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


NOTHING: Points = PerSeat(0, 0, 0, 0)
