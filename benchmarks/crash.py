"""A server that is killed again and again while four clients save: what is left, and how soon it answers."""

from __future__ import annotations

import statistics
import time

from conftest import Server
from killing import CLIENTS, SAVES, save_through
from saving import check_record, figures_of

from benchmarks import report

KILLS = 20
SEED = 1


def measure(server: Server) -> None:
    """Whether every acknowledged save is there once, and how soon a killed server answers again."""
    report.heading(f"{SAVES} saves by {CLIENTS} clients, the server killed {KILLS} times")
    clients = save_through(server, KILLS, SEED)
    figures = figures_of(server.port, clients)
    check_record(server.data, clients, figures)
    saves = sum(len(client.acknowledged) for client in clients)
    report.line("acknowledged, each in the record once", f"{saves:9,} of {SAVES}", "all")
    again = sum(client.repeated for client in clients)
    report.line("sent again, since the answer did not come", f"{again:9,} requests", "–")
    report.times("from the kill to the first answer", [restart(server) for _ in range(5)], "–")
    took = [answer.took * 1000 for client in clients for answer in client.answers]
    report.line("a save, seen by its client, meanwhile", f"{statistics.median(took):9.2f} ms", "–")


def restart(server: Server) -> float:
    """How long it takes, in milliseconds."""
    start = time.perf_counter()
    server.kill()
    server.start()
    return (time.perf_counter() - start) * 1000
