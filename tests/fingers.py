"""A hand at a phone: it declares, doubles, tallies and saves by touch, counts taps, and reads the page."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

from conftest import Server
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page

Json = Any

#: A small iPhone, held upright.
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 664},
    "device_scale_factor": 1,
    "is_mobile": True,
    "has_touch": True,
}

#: What Chromium says about an answer that refuses a save, which is no complaint about the page.
REFUSED = re.compile(r"the server responded with a status of (4(01|03|04|09|10|22)|503)")


class Hand:
    """A hand at one phone. Only what is tapped counts; a name that is typed does not."""

    def __init__(self, page: Page) -> None:
        """Take a phone in hand, and hear what its console says from now on."""
        self.page = page
        self.taps = 0
        #: Whether requests fail because a test cuts the line; the browser's word of it is no complaint then.
        self.is_cut = False
        self.complaints: list[str] = []
        page.set_default_timeout(15_000)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        """Keep what the console complains of: errors, and breaches of the content security policy."""
        if self.is_cut and "net::ERR_" in message.text:
            return
        if message.type in {"error", "warning"} and not REFUSED.search(message.text):
            self.complaints.append(f"{self.page.url}: {message.text}")

    def __enter__(self) -> Self:
        """Take the phone."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Put it down again: nothing was wrong on any page."""
        assert kind or not self.complaints, self.complaints

    # Tapping

    def tap(self, where: Locator | str) -> None:
        """One tap."""
        target = self.page.locator(where) if isinstance(where, str) else where
        target.tap()
        self.taps += 1

    def follow(self, where: Locator | str) -> None:
        """One tap that leads to another page."""
        with self.page.expect_navigation():
            self.tap(where)

    def chip(self, name: str, value: str) -> Locator:
        """The chip of a choice in the form of a deal."""
        return self.page.locator(f'label:has(input[name="{name}"][value="{value}"])')

    def checked(self, name: str) -> set[str]:
        """What is chosen of a field of the form."""
        return self._values(f'input[name="{name}"]:checked')

    def offered(self, name: str) -> set[str]:
        """What can be tapped of a field of the form."""
        return self._values(f'label:visible > input[name="{name}"]:enabled')

    def _values(self, selector: str) -> set[str]:
        """The values of some fields."""
        return set(self.page.locator(selector).evaluate_all("fields => fields.map((field) => field.value)"))

    # One deal

    def record(self, deal: Json, names: Sequence[str]) -> int:
        """Record a deal of a match file on the page of the next deal; answers how many taps it took."""
        before = self.taps
        self.fill_in(deal, names)
        self.save()
        return self.taps - before

    def fill_in(self, deal: Json, names: Sequence[str]) -> None:
        """Declare, double and tally, as far as the deal goes."""
        self.declare(deal["contract"])
        self.double(deal.get("doubles", {}), names)
        self.tally(deal.get("result", {}), names)

    def declare(self, contract: str) -> None:
        """Choose the contract."""
        self.tap(self.chip("contract", contract))

    def double(self, doubles: Mapping[str, Sequence[str]], names: Sequence[str]) -> None:
        """Speak in turn, the declarer last: the maximum and the flanks by one tap, others one by one."""
        declarer, made = int(self.page.locator("input[name=declarer]").input_value()), self.checked("doubles")
        for doubler in [(declarer + step) % 4 for step in (1, 2, 3, 4)]:
            mine = {pair for pair in made if pair[0] == str(doubler)}
            wanted = {f"{doubler}{names.index(name)}" for name in doubles.get(names[doubler], ())}
            if mine != wanted:
                self._speak(doubler, declarer, mine, wanted)

    def _speak(self, doubler: int, declarer: int, mine: set[str], wanted: set[str]) -> None:
        """One player's doubles, with as few taps as the page allows."""
        row = self.page.locator(f'.speak[data-doubler="{doubler}"]')
        may = {pair for pair in self.offered("doubles") if pair[0] == str(doubler)}
        flanks = {pair for pair in may if pair[1] != str(declarer)}
        if wanted == may and len(may) > 1:
            self.tap(row.locator(".group.max"))
        elif wanted - mine == flanks and mine <= wanted and len(flanks) > 1:
            self.tap(row.locator(".group.flanks"))
        else:
            for pair in sorted(mine ^ wanted):
                self.tap(self.chip("doubles", pair))

    def tally(self, result: Mapping[str, Json], names: Sequence[str]) -> None:
        """Enter who took what."""
        match result:
            case {"king": taker}:
                self.pick("king", names.index(taker))
            case {"hearts": hearts, "ace": taker}:
                self.count("hearts", hearts, names)
                self.pick("ace", names.index(taker))
            case {"last_two": [second_last, last]}:
                self.pick("second_last", names.index(second_last))
                self.pick("last", names.index(last))
            case {"order": order}:
                for place, name in enumerate(order[:3]):
                    self.pick(f"place_{place}", names.index(name))
            case {"most": holders}:
                for name in holders:
                    self.pick("most", names.index(name))
            case {**counts}:
                for what, taken in counts.items():
                    self.count(what, taken, names)

    def pick(self, field: str, seat: int) -> None:
        """Say which player it was."""
        self.tap(self.chip(field, str(seat)))

    def count(self, what: str, taken: Mapping[str, int], names: Sequence[str]) -> None:
        """Tap each player's number on the pad, until it has filled in the rest."""
        pad = self.page.locator(f'.counts[data-what="{what}"]')
        while (now := pad.locator(".tile.now input")).count():
            seat = int((now.get_attribute("name") or "").removeprefix(f"{what}_"))
            self.tap(pad.get_by_role("button", name=str(taken.get(names[seat], 0)), exact=True))

    def counts(self, what: str) -> list[str]:
        """The numbers on the tiles, in the order of the seats."""
        return [self.page.locator(f'input[name="{what}_{seat}"]').input_value() for seat in range(4)]

    def save(self) -> None:
        """Save, and wait until the server has it, has refused it, or another page is there.

        A deal of the past is looked at first.
        """
        if not self.page.locator("html.js").count():
            self.follow("#save")
            return
        before = self.page.url
        number = self.deal_number()
        self.look()
        self.tap("#save")
        done = f'#read-back[data-state="saved"][data-deal="{number}"], #refused:visible, #live'
        self.page.locator(done).first.wait_for(state="attached")
        if self.page.url != before:
            self.page.wait_for_load_state()

    def look(self) -> None:
        """See what a correction does, if the page asks for that before it saves."""
        if self.page.locator("#save").inner_text() == "See what it does":
            self.tap("#save")
            self.page.locator("#effect").wait_for()

    def keep(self) -> None:
        """Save without a connection: the deal is kept on this phone, and the next one is there."""
        number = self.deal_number()
        self.look()
        self.tap("#save")
        self.page.locator(f'#read-back[data-state="kept"][data-deal="{number}"]').wait_for()

    def play(self) -> None:
        """The doubles are spoken: the hand is on."""
        if self.page.locator("html.js").count():
            self.tap("#play")
        else:
            self.follow("#play")

    def deal_number(self) -> int:
        """The number of the deal on the page."""
        found = re.search(r"\d+", self.page.locator("#about").inner_text())
        assert found
        return int(found[0])

    # Reading

    def totals(self) -> list[int]:
        """The totals on the table page, in the order of the seats."""
        shown = self.page.locator("[data-total]")
        by_seat: dict[str, str] = shown.evaluate_all(
            "figures => Object.fromEntries(figures.map((f) => [f.dataset.total, f.innerText]))"
        )
        return [number(by_seat[str(seat)]) for seat in range(4)]

    def rows(self, table: str) -> list[list[str]]:
        """The rows of a table without its head, each with the text that heads it first."""
        shown: list[list[str]] = self.page.locator(f"{table} tbody tr").evaluate_all(
            "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
        )
        return [[tidy(cell) for cell in row] for row in shown]

    def deals(self) -> list[tuple[str, list[int]]]:
        """The deals on the table page, the first one first: what heads the row, and the four scores."""
        rows = self.rows("table.deals")
        return [(head, [number(cell) for cell in cells]) for head, *cells in reversed(rows)]


@contextmanager
def hand_at(browser: Browser, server: Server, **differences: Any) -> Iterator[Hand]:
    """A phone of its own, with what sets it apart from others."""
    context = browser.new_context(base_url=server.url, **{**PHONE, **differences})
    try:
        with Hand(context.new_page()) as hand:
            yield hand
    finally:
        context.close()


def start_match(server: Server, file: Json) -> dict[str, str]:
    """Start a match from a match file; answers its slug, links and key."""
    started: dict[str, str] = send(server, "POST", "/api/matches", file)
    return started


def send(server: Server, method: str, path: str, body: Json, *, key: str = "") -> Json:
    """Call the API as a script does."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    request = urllib.request.Request(f"{server.url}{path}", json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def join(hand: Hand, score_url: str) -> None:
    """Open a scoring link on this phone, and say yes."""
    hand.page.goto(score_url)
    hand.follow("button.save")


def open_deal(hand: Hand, server: Server, file: Json) -> str:
    """Start a match from a match file and open the page of its next deal; answers the slug."""
    started = start_match(server, file)
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    return started["slug"]


def kept_deals(hand: Hand, slug: str) -> list[Json]:
    """The deals in the record, as the match file has them."""
    deals: list[Json] = hand.page.request.get(f"/api/matches/{slug}").json()["deals"]
    return deals


def tidy(text: str) -> str:
    """A text in one line, with single spaces."""
    return " ".join(text.split())


def number(text: str) -> int:
    """A figure as it is shown: +5, 0, −12."""
    return int(text.strip().replace("−", "-"))
