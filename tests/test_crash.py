"""Answered means on disk: the server is killed again and again while four clients save."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from conftest import Server
from disks import DiskServer, ended
from killing import SAVES, save_through
from saving import NoAnswer, call, check_record, figures_of, start_table

SEED = 20261130


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed and started again."""
    running = Server(tmp_path / "data")
    yield running
    running.kill()


@pytest.mark.parametrize(
    ("kills", "seed"),
    [(5, SEED), *(pytest.param(40, SEED + n, marks=pytest.mark.slow) for n in (1, 2))],
)
def test_what_was_acknowledged_survives_every_kill(killed: Server, kills: int, seed: int) -> None:
    clients = save_through(killed, kills, seed)
    assert sum(len(c.acknowledged) for c in clients) == SAVES
    assert sum(c.repeated for c in clients) >= kills  # else nobody was saving when it died
    assert not [r for c in clients for r in c.refused]
    figures = figures_of(killed.port, clients)
    killed.kill()
    check_record(killed.data, clients, figures)


def test_killed_in_the_middle_of_a_commit(tmp_path: Path) -> None:
    """Half of a row is in the log: there is no answer, no half of a save, and the same save goes through."""
    with ended(DiskServer(tmp_path)) as server:
        _killed_in_a_commit(server)


def _killed_in_a_commit(server: DiskServer) -> None:
    """The fourth save meets its end in the write of its row."""
    table = start_table(server.port)
    for number in itertools.count():
        asked = table.next_save(f"in-the-middle-{number}", Random(number))
        if number == 3:
            break
        table.seen = call(server.port, *asked, key=table.key).body["revision"]
    server.refuse("KILL")
    with pytest.raises(NoAnswer):
        call(server.port, *asked, key=table.key)
    assert server.process.wait(10) < 0
    server.allow()
    server.start()
    assert call(server.port, "GET", f"/api/matches/{table.slug}").body["revision"] == 4
    assert call(server.port, *asked, key=table.key).status == 201
    again = call(server.port, *asked, key=table.key)
    assert (again.status, again.body["revision"]) == (200, 5)


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("strace"), reason="there is no strace to look at the calls of the system"
)
def test_the_log_reaches_the_disk_before_the_answer_leaves(killed: Server, tmp_path: Path) -> None:
    """As the kernel sees it: the log is written, then synced, and only then does the answer go out."""
    table = start_table(killed.port)
    calls = tmp_path / "calls.txt"
    watched = "trace=pwrite64,fsync,fdatasync,sendto"
    command = ["strace", "-f", "-y", "-e", watched, "-o", str(calls), "-p", str(killed.process.pid)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as tracing:
        assert tracing.stderr
        tracing.stderr.readline()  # it has taken hold
        asked = table.next_save("looked-at-closely", Random(1))
        assert call(killed.port, *asked, key=table.key).status == 201
        tracing.terminate()
    lines = calls.read_text(encoding="utf-8").splitlines()
    answered = next(n for n, line in enumerate(lines) if "201 CREATED" in line)
    written = max(n for n, line in enumerate(lines[:answered]) if "pwrite64" in line and "-wal>" in line)
    assert any("sync(" in line and "-wal>" in line for line in lines[written:answered])
