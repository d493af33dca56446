"""A full room for a minute: eight clients save, twenty phones watch, and one PDF is made after another."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from conftest import Server
from room import Measured, check, fill

from benchmarks import report

SECONDS = 60.0
COLUMNS = ("answers", "p50", "p95", "p99", "worst", "failed")


def measure(server: Server, seconds: float = SECONDS) -> None:
    """Latencies in milliseconds by kind of request, and whether the figures are right at the end."""
    report.heading(f"A full room for {seconds:g} s: 8 clients save, 20 watch, PDFs without a pause")
    print(f"  {'':<28}" + "".join(f"{name:>10}" for name in COLUMNS))
    room, clients = fill(server.port, seconds)
    for kind, measured in sorted(room.measured().items()):
        print(f"  {kind:<28}" + "".join(f"{cell:>10}" for cell in cells(measured)))
    check(server.data, server.port, clients)
    saves = sum(len(client.acknowledged) for client in clients)
    print(f"  {saves:,} saves: each in the record once, chain and figures right")


def cells(measured: Measured) -> tuple[str, ...]:
    """One line of the table."""
    took = sorted(seconds * 1000 for seconds in measured.took)
    shown = (statistics.median(took), at(took, 0.95), at(took, 0.99), took[-1])
    return f"{len(took):,}", *(f"{one:,.1f}" for one in shown), str(len(measured.failed))


def at(ordered: Sequence[float], part: float) -> float:
    """The value that this part of all does not exceed."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
