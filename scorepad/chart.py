"""The running totals as lines to draw: where each goes, told apart without colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorepad.messages import signed
from scorepad.standing import Standing
from scorepad.table import NOTHING, SEATS, PerSeat, Points

# All lengths are points on paper, the origin at the top left.
WIDTH, HEIGHT = 544, 215
LEFT, RIGHT, TOP, BOTTOM = 30, 52, 6, 16  # more where figures or labels are long
LETTER = 5.6  # how wide a bold figure is at most
LEADER = 15  # from the last deal to the labels
LABEL_HEIGHT = 10
MOST_RULES = 7
FEWEST_DEALS = 2  # with fewer there is nothing to follow

#: How each seat's line is dashed: solid, long, dotted, long and short.
DASHES: PerSeat[str] = PerSeat("none", "7 3", "1.5 2.5", "8 2.5 1.5 2.5")


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's line, from the first deal to where his label stands."""

    label: str
    total: str
    dash: str
    points: str
    leader: str
    label_y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The running totals of a match; `rules` are the levels, `ticks` the deals that are numbered."""

    width: int
    height: int
    left: float
    right: float
    label_x: float
    tick_y: int
    rules: tuple[tuple[float, str], ...]
    ticks: tuple[tuple[float, str], ...]
    curves: tuple[Curve, ...]


def chart(where: Standing, labels: PerSeat[str]) -> Chart | None:
    """The chart of a match, or None while there are too few deals to draw."""
    series = _series(where)
    if len(series) <= FEWEST_DEALS:
        return None
    levels = _levels([n for totals in series for n in totals])
    left = max(LEFT, 8 + LETTER * max(len(signed(level)) for level in levels))
    longest = max(len(labels[s]) + 1 + len(signed(series[-1][s])) for s in SEATS)
    step = (WIDTH - left - max(RIGHT, LEADER + LETTER * longest)) / max(where.deals_in_all, len(series) - 1)
    scale = (HEIGHT - TOP - BOTTOM) / (levels[-1] - levels[0])

    def x(number: int) -> float:
        return round(left + number * step, 1)

    def y(points: int) -> float:
        return round(TOP + (levels[-1] - points) * scale, 1)

    end = x(len(series) - 1)
    label_ys = _apart(series[-1].map(y))
    return Chart(
        width=WIDTH,
        height=HEIGHT,
        left=round(left, 1),
        right=x(max(where.deals_in_all, len(series) - 1)),
        label_x=end + LEADER,
        tick_y=HEIGHT - 3,
        rules=tuple((y(level), signed(level)) for level in levels),
        ticks=tuple((x(n), str(n)) for n in range(len(SEATS), len(series), len(SEATS))),
        curves=tuple(
            Curve(
                label=labels[s],
                total=signed(series[-1][s]),
                dash=DASHES[s],
                points=" ".join(f"{x(n)},{y(totals[s])}" for n, totals in enumerate(series)),
                leader=f"{end},{y(series[-1][s])} {end + 13},{label_ys[s]}",
                label_y=label_ys[s],
            )
            for s in SEATS
        ),
    )


def _series(where: Standing) -> tuple[Points, ...]:
    """The totals before the first deal and after each that is scored, the last with all agreed points."""
    after = [result.totals for result in where.deals if result.score is not None]
    return (NOTHING, *after[:-1], where.totals) if after else (NOTHING,)


def _levels(values: Sequence[int]) -> tuple[int, ...]:
    """Round numbers, evenly spaced, that span all values and 0."""
    low, high = min(0, *values), max(0, *values)
    step = next(s for s in _steps() if high // s + -low // s + 2 <= MOST_RULES)
    return tuple(range(low // step * step, high + step, step))


def _steps() -> Iterator[int]:
    """10, 20, 50, 100, 200, 500 and so on."""
    ten = 10
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10


def _apart(wanted: PerSeat[float]) -> PerSeat[float]:
    """The heights of the labels: those wanted, moved apart where they would overlap."""
    order = sorted(SEATS, key=lambda s: wanted[s])
    placed: dict[int, float] = {}
    lowest = 0.0
    for seat in order:
        placed[seat] = lowest = max(wanted[seat], lowest)
        lowest += LABEL_HEIGHT
    highest = HEIGHT - BOTTOM + 2.0
    for seat in reversed(order):
        placed[seat] = min(placed[seat], highest)
        highest = placed[seat] - LABEL_HEIGHT
    return PerSeat.of(lambda s: round(placed[s], 1))
