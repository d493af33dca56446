"""What was measured, in lines, each beside the bar of the design."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence


def milliseconds(work: Callable[[], object], times: int) -> list[float]:
    """How long each of so many runs took."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append((time.perf_counter() - start) * 1000)
    return took


def heading(what: str) -> None:
    """What the next lines are about."""
    print(f"\n{what}")


def times(what: str, took: Sequence[float], bar: str) -> None:
    """One line: median, 99th percentile and worst, in milliseconds."""
    ordered = sorted(took)
    slow = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    middle = statistics.median(ordered)
    line(what, f"{middle:9.2f} ms   p99 {slow:8.2f}   worst {ordered[-1]:8.2f}", bar)


def line(what: str, measured: str, bar: str) -> None:
    """One line of anything else."""
    print(f"  {what:<46} {measured:<46} bar: {bar}")
