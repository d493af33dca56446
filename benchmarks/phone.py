"""A phone: taps for each deal of a whole match, how soon a tap is answered, and what a first visit weighs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conftest import Server, case
from fingers import Hand, Json, hand_at, open_deal
from playwright.sync_api import Browser
from test_browser_match import taps_allowed
from test_browser_weight import first_visits

from benchmarks import report
from scorepad.contracts import Contract
from scorepad.messages import CONTRACT_NAMES

FILE = case("matches/full-match")
EXPECTED = case("matches/full-match.expected")

#: Notes for each tap how long it took from the finger's leaving the glass until the last change of what the
#: form says was painted, and how many frames passed between its click and that change. A message that is
#: sent while a frame is made arrives after that frame.
STOPWATCH = """(() => {
  const taps = [];
  window.takeTaps = () => taps.splice(0);
  let frame = 0;
  const count = () => { frame += 1; requestAnimationFrame(count); };
  requestAnimationFrame(count);
  const wait = (tap) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (tap.took = performance.now() - tap.at);
    port2.postMessage("");
  });
  addEventListener("pointerup", (event) => {
    taps.push({ at: event.timeStamp, took: 0, frames: 0 });
    wait(taps.at(-1));
  }, true);
  addEventListener("click", () => { if (taps.length) taps.at(-1).clicked ??= frame; }, true);
  let said = "";
  new MutationObserver(() => {
    const before = said, tap = taps.at(-1);
    said = [...document.querySelectorAll("form section")].map((section) => section.textContent).join();
    if (!tap || said === before) return;
    tap.frames = frame - (tap.clicked ?? frame);
    wait(tap);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})()"""


@dataclass(frozen=True, slots=True)
class Tap:
    """How soon a tap was answered: milliseconds until the paint, and frames that passed before it."""

    took: float
    frames: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """One deal as it was recorded: taps, the most that are allowed, and how soon the page answered."""

    deal: Json
    taps: int
    allowed: int
    answers: tuple[Tap, ...]

    @property
    def kind(self) -> str:
        """Its contract, or that nobody doubled."""
        return (
            "passed out" if self.deal.get("passed_out") else CONTRACT_NAMES[Contract(self.deal["contract"])]
        )


def measure(browser: Browser, server: Server) -> None:
    """All of it, against a real server."""
    recorded = a_match(browser, server)
    report.heading("Taps to record a deal, over a whole match")
    for kind in sorted({deal.kind for deal in recorded}):
        taps([deal for deal in recorded if deal.kind == kind])
    report.heading("The phone")
    answers = [tap for deal in recorded for tap in deal.answers]
    report.times("from a tap on doubles or tally to its paint", [tap.took for tap in answers], "–")
    at_once = sum(tap.frames == 0 for tap in answers)
    report.line("the same, in the very next frame", f"{at_once} of {len(answers)} taps", "all")
    for page, weights in first_visits(browser, server).items():
        what = f"first visit to the {page} page, {len(weights)} things"
        report.line(what, f"{weights.total() / 1000:9.1f} kB", "60 kB")


def a_match(browser: Browser, server: Server) -> list[Recorded]:
    """Record the whole match by touch."""
    with hand_at(browser, server) as hand:
        hand.page.context.add_init_script(STOPWATCH)
        open_deal(hand, server, {**FILE, "deals": []})
        return [
            record(hand, deal, expected["forced"])
            for deal, expected in zip(FILE["deals"], EXPECTED["deals"], strict=True)
        ]


def record(hand: Hand, deal: Json, forced: Sequence[str]) -> Recorded:
    """Record one deal; the stopwatch runs from the contract to the tally."""
    before = hand.taps
    hand.declare(deal["contract"])
    stop_the_watch(hand)
    hand.double(deal.get("doubles", {}), FILE["players"])
    hand.tally(deal.get("result", {}), FILE["players"])
    answers = stop_the_watch(hand)
    hand.save()
    return Recorded(deal, hand.taps - before, taps_allowed(deal, forced), answers)


def stop_the_watch(hand: Hand) -> tuple[Tap, ...]:
    """The taps since the last time."""
    hand.page.wait_for_timeout(100)
    return tuple(Tap(tap["took"], tap["frames"]) for tap in hand.page.evaluate("() => takeTaps()"))


def taps(deals: Sequence[Recorded]) -> None:
    """One line: the fewest and the most for these deals, beside what each of them may take."""
    counted, allowed = [deal.taps for deal in deals], [deal.allowed for deal in deals]
    over = sum(deal.taps > deal.allowed for deal in deals)
    measured = f"{min(counted)} to {max(counted)} taps, {len(deals)} deals" + (
        f", {over} too many" if over else ""
    )
    report.line(deals[0].kind, measured, f"{min(allowed)} to {max(allowed)}")
