"""A full room for a while: clients that save, phones that watch, and PDFs, one after another."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from saving import Answered, Client, Table, call, check_record, crowd, figures_of

#: Seconds between two questions of `static/js/live.js` and `deal.js`.
EVERY = 2.0

#: Seconds between two saves of a client, far less than anybody needs to enter a deal.
PAUSE = 0.05

#: How many ask for PDFs, each as soon as it has the last one.
EXPORTS = 2

GOOD = {200, 201, 304}


@dataclass(frozen=True, slots=True)
class Measured:
    """How long each request of a kind took, in seconds, and the answers that were no good."""

    took: tuple[float, ...]
    failed: tuple[Answered, ...]


@dataclass
class Room:
    """What goes on in a room until it is over: every answer, by the kind of its request."""

    port: int
    until: float
    answers: dict[str, list[Answered]] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether everybody goes home."""
        return time.monotonic() > self.until

    def get(self, kind: str, path: str, *, key: str = "", **headers: str) -> Answered:
        """Ask for something, and note the answer."""
        answer = call(self.port, "GET", path, key=key, **headers)
        self.answers.setdefault(kind, []).append(answer)
        return answer

    def measured(self) -> Mapping[str, Measured]:
        """The figures of each kind."""
        return {
            kind: Measured(tuple(a.took for a in answers), tuple(a for a in answers if a.status not in GOOD))
            for kind, answers in self.answers.items()
        }


def watch(room: Room, slug: str, late: float) -> None:
    """Ask every two seconds whether anything has changed, and fetch the page anew when it has."""
    tag = '""'
    time.sleep(late)
    while not room.is_over:
        asked = room.get("has anything changed?", f"/api/matches/{slug}/score", **{"If-None-Match": tag})
        if asked.status == 200:
            tag = asked.headers["ETag"]
            room.get("the table page", f"/m/{slug}")
        time.sleep(EVERY)


def score(room: Room, client: Client) -> None:
    """Save one deal after the other; ask how the match stands, and open the page of a deal, now and then."""
    table, asked = client.own, 0.0
    for number in count():
        if room.is_over:
            return
        client.save(number)
        if table.ids and time.monotonic() > asked + EVERY:
            asked = time.monotonic()
            room.get("how does the match stand?", f"/api/matches/{table.slug}/now", key=table.key)
            room.get("the page of a deal", f"/m/{table.slug}/deals/{table.ids[-1]}", key=table.key)
        time.sleep(PAUSE)


def export(room: Room, tables: list[Table]) -> None:
    """One PDF after another, of matches that change meanwhile."""
    for number in count():
        if room.is_over:
            return
        room.get("a PDF", f"/m/{tables[number % len(tables)].slug}/sheet.pdf")


def fill(port: int, seconds: float, *, clients: int = 8, watchers: int = 20) -> tuple[Room, list[Client]]:
    """A room for so long, and the clients that saved in it."""
    random = Random(clients)
    saving = crowd(port, clients, seed=clients)
    tables = [client.own for client in saving]
    room = Room(port, time.monotonic() + seconds)
    work: list[Callable[[], None]] = [partial(score, room, client) for client in saving]
    work += [partial(watch, room, tables[n % clients].slug, random.random() * EVERY) for n in range(watchers)]
    work += [partial(export, room, tables[half::EXPORTS]) for half in range(EXPORTS)]
    with ThreadPoolExecutor(len(work)) as pool:
        for done in [pool.submit(one) for one in work]:
            done.result()
    room.answers["a save"] = [answer for client in saving for answer in client.answers]
    return room, saving


def check(data: Path, port: int, clients: list[Client]) -> None:
    """Every save is in the record once, and the server's figures are those of the core."""
    check_record(data, clients, figures_of(port, clients))
