"""Clients that save over the API, each save with an id of its own, until the server says that it has it."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from generated import random_tally

from scorepad.match import Deal, Match
from scorepad.matchfile import read_match, write_deal
from scorepad.standing import standing
from scorepad.store import Store
from scorepad.store.record import row_hash

Json = Any

#: Seconds for one answer, more than the server takes to give a PDF up.
PATIENCE = 90


class NoAnswer(OSError):
    """The connection broke before there was an answer."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and how long it took in seconds."""

    status: int
    body: Json
    took: float
    headers: Any


def call(port: int, method: str, path: str, body: Json = None, *, key: str = "", **more: str) -> Answered:
    """Send one request; raises NoAnswer when the connection breaks."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    start = time.perf_counter()
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
            line.request(method, path, None if body is None else json.dumps(body), {**headers, **more})
            answer = line.getresponse()
            raw, kind = answer.read(), answer.headers.get_content_type()
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(str(error)) from error
    took = time.perf_counter() - start
    return Answered(
        answer.status, json.loads(raw) if kind == "application/json" else raw, took, answer.headers
    )


class Request(NamedTuple):
    """What a client asks for, the same each time it asks."""

    method: str
    path: str
    body: Json


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A save that the server said it has: the match, the id, and the revision it answered with."""

    slug: str
    id: str
    revision: int


@dataclass
class Table:
    """A match as one client knows it: what it may do, what it has seen, and each deal as it last saved it."""

    slug: str
    key: str
    seen: int
    planned: tuple[Deal, ...]
    players: Any
    ids: list[str] = field(default_factory=list)
    deals: list[Deal] = field(default_factory=list)

    def next_save(self, save_id: str, random: Random, *, own: range | None = None) -> Request:
        """What to save next: the next deal while one is left, else mostly corrections, seldom a removal.

        A client that shares the match corrects its own deals only.
        """
        if own is None and len(self.deals) < len(self.planned):
            return self._add(save_id)
        if own is None and random.random() < 0.1:
            return self._remove(save_id)
        at = random.choice(own or range(len(self.deals)))
        self.deals[at] = tallied_anew(random, self.deals[at])
        body = {"id": save_id, "seen": self.seen, "deal": write_deal(self.deals[at], self.players)}
        return Request("PUT", f"/api/matches/{self.slug}/deals/{self.ids[at]}", body)

    def _add(self, save_id: str) -> Request:
        """The next deal."""
        deal, number = self.planned[len(self.deals)], len(self.deals) + 1
        self.deals.append(deal)
        self.ids.append(save_id)
        body = {"id": save_id, "seen": self.seen, "deal": write_deal(deal, self.players), "number": number}
        return Request("POST", f"/api/matches/{self.slug}/deals", body)

    def _remove(self, save_id: str) -> Request:
        """The last deal, taken out again."""
        self.deals.pop()
        path = f"/api/matches/{self.slug}/deals/{self.ids.pop()}"
        return Request("DELETE", path, {"id": save_id, "seen": self.seen})


def tallied_anew(random: Random, deal: Deal) -> Deal:
    """The same deal with another tally, and a note that sets it apart."""
    noted = replace(deal, note=f"{random.getrandbits(64):x}")
    if deal.passed_out:
        return noted
    return replace(noted, tally=random_tally(random, deal.contract, RULES))


FULL: Json = json.loads((Path(__file__).parent / "cases/matches/full-match.json").read_text(encoding="utf-8"))
_read = read_match(FULL).match
assert _read
MATCH: Match = _read
RULES = MATCH.rules
PLANNED: tuple[Deal, ...] = tuple(d for d in MATCH.deals if isinstance(d, Deal))


def start_table(port: int, *, deals: bool = False) -> Table:
    """Start a match over the API, with all its deals or none."""
    file = {**FULL, "deals": FULL["deals"] if deals else []}
    made = call(port, "POST", "/api/matches", file).body
    table = Table(made["slug"], made["score_key"], 1, PLANNED, MATCH.players)
    if deals:
        table.ids = [f"file-deal-{n:02}" for n in range(1, len(PLANNED) + 1)]
        table.deals = list(PLANNED)
    return table


class Client:
    """One client: saves one thing after the other, and sends each again until it is acknowledged."""

    def __init__(
        self, port: int, name: str, own: Table, shared: Table | None, mine: range, seed: int
    ) -> None:
        """Its own match, a shared one, and which deals of that one are its own."""
        self.port, self.name, self.own, self.mine = port, name, own, mine
        self.shared = shared and replace(shared, ids=list(shared.ids), deals=list(shared.deals))
        self.random = Random(f"{seed} {name}")
        self.acknowledged: list[Acknowledged] = []
        self.repeated = 0
        self.answers: list[Answered] = []

    def save(self, number: int) -> None:
        """One save, until it is acknowledged."""
        is_shared = self.shared is not None and self.random.random() < 0.25
        table = self.shared if self.shared and is_shared else self.own
        save_id = f"{self.name}-save-{number:04}"
        asked = table.next_save(save_id, self.random, own=self.mine if is_shared else None)
        while True:
            try:
                answer = call(self.port, *asked, key=table.key)
            except NoAnswer:
                self.repeated += 1
                time.sleep(0.05)
                continue
            self.answers.append(answer)
            if answer.status in {200, 201}:
                break
            if answer.status < 500:
                raise AssertionError(answer)
        table.seen = answer.body["revision"]
        self.acknowledged.append(Acknowledged(table.slug, save_id, table.seen))

    @property
    def refused(self) -> list[Answered]:
        """The answers that acknowledge nothing."""
        return [a for a in self.answers if a.status not in {200, 201}]

    def saves(self, count: int) -> Iterator[int]:
        """So many saves, one after the other; each number once it is acknowledged."""
        for number in range(count):
            self.save(number)
            yield number


def crowd(port: int, count: int, seed: int) -> list[Client]:
    """So many clients, each with a match of its own, and one match that they share deal by deal."""
    shared = start_table(port, deals=True)
    return [
        Client(port, f"client-{n}", start_table(port), shared, range(n, len(PLANNED), count), seed)
        for n in range(count)
    ]


def check_record(data: Path, clients: list[Client], figures: dict[str, Json]) -> None:
    """Every acknowledged save is in the record once, nothing else is, the chain holds, and totals are right.

    `figures` is what the server answers for each match.
    """
    store = Store(data / "scorepad.db")
    db = store.database.reading()
    try:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        acknowledged = [a for c in clients for a in c.acknowledged]
        for slug in {a.slug for a in acknowledged}:
            rows = store.rows(slug)
            assert [r["revision"] for r in rows] == list(range(1, len(rows) + 1))
            assert [r["previous"] for r in rows] == ["", *[r["hash"] for r in rows[:-1]]]
            assert [r["hash"] for r in rows] == [row_hash(r) for r in rows]
            told = sorted((a.revision, a.id) for a in acknowledged if a.slug == slug)
            assert [(r["revision"], r["id"]) for r in rows[1:]] == told
            assert totals(figures[slug]) == totals_of(expected_deals(slug, clients))
    finally:
        store.database.close()


def expected_deals(slug: str, clients: list[Client]) -> list[Deal]:
    """The deals of a match as the clients last saved them."""
    for client in clients:
        if client.own.slug == slug:
            return client.own.deals
    shared = [client.shared for client in clients if client.shared]
    by_deal = {at: c.shared.deals[at] for c in clients if c.shared for at in c.mine}
    assert shared
    assert sorted(by_deal) == list(range(len(PLANNED)))
    return [by_deal[at] for at in sorted(by_deal)]


def totals_of(deals: list[Deal]) -> list[int]:
    """What the core makes of these deals."""
    return list(standing(replace(MATCH, deals=tuple(deals))).totals)


def totals(figures: Json) -> list[int]:
    """The totals that the server answered with."""
    return [figures["totals"][player] for player in figures["players"]]


def figures_of(port: int, clients: list[Client]) -> dict[str, Json]:
    """What the server answers for every match of these clients."""
    slugs = {c.own.slug for c in clients} | {c.shared.slug for c in clients if c.shared}
    return {slug: call(port, "GET", f"/api/matches/{slug}/score").body for slug in slugs}
