"""Sheets of 28 deals: the first, again, another; and what other pages take while sheets are rendered."""

from __future__ import annotations

import threading
import time
from itertools import count
from typing import Any

from conftest import Server
from saving import call

from benchmarks import report
from benchmarks.serving import FULL

SECONDS = 20.0

#: What is asked for meanwhile, by what it is called.
OTHERS = {"the table page": "/m/{slug}", "the page of its figures": "/api/matches/{slug}/score", "home": "/"}

PAUSE = 0.01


def measure(server: Server, seconds: float = SECONDS) -> None:
    """All of it, at a server that has printed nothing yet."""
    report.heading("Sheets of 28 deals")
    slug, other = start(server, "first"), start(server, "other")
    for what, path, bar, times in (
        ("the first PDF", f"/m/{slug}/sheet.pdf", "1500 ms", 1),
        ("the same again", f"/m/{slug}/sheet.pdf", "10 ms", 60),
        ("another, worker ready", f"/m/{other}/sheet.pdf", "1500 ms", 1),
        ("a blank one", "/sheet/blank.pdf", "–", 1),
    ):
        report.times(what, [ask(server, path) for _ in range(times)], bar)
    quiet = {what: asked(server, path.format(slug=slug), 2.0) for what, path in OTHERS.items()}
    for what, took in quiet.items():
        report.times(f"{what}, nothing else going on", took, "–")
    while_rendering(server, slug, seconds)


def start(server: Server, title: str) -> str:
    """Start a match of 28 deals."""
    body: dict[str, Any] = {**FULL, "title": title}
    return str(call(server.port, "POST", "/api/matches", body).body["slug"])


def ask(server: Server, path: str) -> float:
    """How many milliseconds an answer takes."""
    answer = call(server.port, "GET", path)
    assert answer.status == 200, (path, answer.status)
    return answer.took * 1000


def asked(server: Server, path: str, seconds: float) -> list[float]:
    """How long the answers took, asked for again and again for so long."""
    took, until = list[float](), time.monotonic() + seconds
    while time.monotonic() < until:
        took.append(ask(server, path))
        time.sleep(PAUSE)
    return took


def while_rendering(server: Server, slug: str, seconds: float) -> None:
    """What the other pages take while one new sheet is rendered after another."""
    is_over, rendered = threading.Event(), list[float]()

    def render() -> None:
        for number in count():
            if is_over.is_set():
                return
            rendered.append(ask(server, f"/m/{start(server, f'sheet {number}')}/sheet.pdf"))

    printing = threading.Thread(target=render)
    printing.start()
    for what, path in OTHERS.items():
        took = asked(server, path.format(slug=slug), seconds / len(OTHERS))
        report.times(f"{what} while sheets render", took, "p99 20 ms")
    is_over.set()
    printing.join()
    report.times(f"sheets rendered meanwhile: {len(rendered)}", rendered, "–")
