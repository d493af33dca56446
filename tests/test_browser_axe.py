"""Every page as it is heard and reached: axe-core finds nothing wrong, and a keyboard gets everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files

import pytest
from conftest import Server
from fingers import hand_at, open_deal, send
from playwright.sync_api import Browser, Page
from test_browser_layout import (
    NAMES,
    PAGES,
    TALLIES,
    Evening,
    a_correction,
    an_evening,
    renamed,
    the_start_refused,
)

pytestmark = pytest.mark.browser

#: axe-core itself, as the package carries it. Evaluated it runs under the page's own security policy.
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

#: Each violation: the rule, the element, and what to mend.
RUN = """async (tags) => {
  const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary}`));
}"""

#: What can be tapped on the page as it is shown, in words; the choices of a radio group are one stop.
STOPS = """() => {
  window.stopName = (stop) => {
    const words = (stop.labels?.[0] ?? stop).innerText || stop.ariaLabel || "";
    const group = stop.closest("[role=group]")?.ariaLabel ?? "";
    const name = [stop.localName, stop.type === "radio" ? stop.name : words, group].join(" ");
    return name.trim().replace(/\\s+/g, " ");
  };
  const all = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  return [...document.querySelectorAll(all)]
    .filter((stop) => !stop.matches(":disabled, .skip, [tabindex='-1']"))
    .filter((stop) => stop.checkVisibility({ visibilityProperty: true }))
    .map(window.stopName);
}"""

#: Puts the keyboard before everything on the page.
TOP = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""

#: Where the keyboard is, and whether that is seen: the element or the chip round it has an outline.
FOCUS = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const isOutlined = (element) => {
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && opacity > 0;
  };
  return [window.stopName(at), [at, at.closest("label")].some((element) => element && isOutlined(element))];
}"""


@pytest.fixture(scope="module")
def evening(browser: Browser, server: Server) -> Iterator[Evening]:
    """A phone with matches of every length."""
    yield from an_evening(browser, server, NAMES["short"])


def violations(page: Page) -> list[str]:
    """What axe-core finds on a page, light and dark."""
    page.evaluate(AXE)
    found: list[str] = []
    page.emulate_media(color_scheme="light")
    found += [f"light: {said}" for said in page.evaluate(RUN, TAGS)]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {said}" for said in page.evaluate(RUN, TAGS)]
    page.emulate_media(color_scheme="light")
    return found


def check(page: Page) -> None:
    """Nothing on the page is hard to see, to hear or to understand."""
    found = violations(page)
    assert not found, "\n".join(found)


# With scripts


def test_axe_finds_what_is_wrong(evening: Evening) -> None:
    evening.hand.page.goto("/")
    evening.hand.page.evaluate(
        "() => { document.documentElement.lang = ''; document.querySelector('h1').style.color = '#14503a'; }"
    )
    found = " ".join(violations(evening.hand.page))
    assert "light: html-has-lang" in found
    assert "dark: html-has-lang" in found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_axe_finds_nothing_wrong(evening: Evening, page: Callable[[Evening], None]) -> None:
    page(evening)
    check(evening.hand.page)


def test_axe_finds_nothing_wrong_where_no_match_is_yet(browser: Browser, server: Server) -> None:
    with hand_at(browser, server) as hand:
        hand.page.goto("/")
        check(hand.page)


def test_axe_finds_nothing_wrong_before_the_contract(evening: Evening) -> None:
    evening.go(0, "/deals/new")
    check(evening.hand.page)


@pytest.mark.parametrize("contract", TALLIES)
def test_axe_finds_nothing_wrong_in_a_deal_that_is_filled_in(evening: Evening, contract: str) -> None:
    """With each player's maximum, which leaves the declarer redoubles, and with what can be noted."""
    e = evening
    open_deal(e.hand, e.server, renamed(e.names, 2))
    e.hand.declare(contract)
    for group in e.hand.page.locator(".group.max").all():
        if group.is_visible():
            e.hand.tap(group)
    e.hand.tally(TALLIES[contract](e.names), e.names)
    e.hand.tap("details.more summary")
    check(e.hand.page)


# Without scripts


@contextmanager
def no_scripts(page: Page) -> Iterator[None]:
    """What is opened meanwhile runs no scripts; afterwards they can run again, so that axe-core does."""
    switch = page.context.new_cdp_session(page)
    switch.send("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        yield
    finally:
        switch.send("Emulation.setScriptExecutionDisabled", {"value": False})
        switch.detach()


def plain_deal(e: Evening) -> None:
    """The form of a deal in which two must double."""
    e.go(20, "/deals/new")
    e.hand.declare("M")


def plain_refusal(e: Evening) -> None:
    """Tricks that do not add up, and a forced double that is missing."""
    plain_deal(e)
    for seat in range(4):
        e.hand.page.fill(f"input[name=tricks_{seat}]", "14")
    e.hand.follow("#save")
    e.hand.page.locator(".wrong:visible").first.wait_for()


def plain_conflict(e: Evening) -> None:
    """A correction of what another phone has corrected meanwhile."""
    a_correction(e)
    link, deal_id = e.links[14], e.hand.page.url.split("/")[-1]
    path = f"/api/matches/{link['slug']}"
    kept = e.hand.page.request.get(path).json()
    deal = {**kept["deals"][11], "note": f"corrected {kept['revision']}"}
    body = {"id": f"elsewhere-{kept['revision']}", "seen": kept["revision"], "deal": deal}
    send(e.server, "PUT", f"{path}/deals/{deal_id}", body, key=link["score_key"])
    e.hand.tap(e.hand.chip("last", "0"))
    e.hand.follow("#save")
    e.hand.page.locator(".conflict:visible").wait_for()


@pytest.mark.parametrize(
    "page", [the_start_refused, plain_deal, plain_refusal, plain_conflict], ids=lambda page: page.__name__
)
def test_axe_finds_nothing_wrong_without_scripts(evening: Evening, page: Callable[[Evening], None]) -> None:
    with no_scripts(evening.hand.page):
        page(evening)
    assert evening.hand.page.locator("html.no-js").count(), "no script has run"
    check(evening.hand.page)


# By keyboard


def table(e: Evening) -> None:
    """The table of a hand being played."""
    e.go(3)


def deal(e: Evening) -> None:
    """A deal with its doubles and the pad of numbers."""
    open_deal(e.hand, e.server, renamed(e.names, 2))
    e.hand.declare("NH")


@pytest.mark.parametrize("page", [table, deal], ids=lambda page: page.__name__)
def test_a_keyboard_gets_everywhere_and_it_is_seen_where(
    evening: Evening, page: Callable[[Evening], None]
) -> None:
    page(evening)
    wanted = set(evening.hand.page.evaluate(STOPS))
    stops = dict(walk(evening.hand.page, most=len(wanted) + 20))
    assert wanted <= stops.keys(), f"not reached: {wanted - stops.keys()}"
    assert all(stops.values()), f"nothing shows the keyboard at: {[s for s in stops if not stops[s]]}"


def walk(page: Page, *, most: int) -> Iterator[tuple[str, bool]]:
    """From the top of the page by Tab: each stop, and whether it is seen that the keyboard is there."""
    page.evaluate(TOP)
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop is None:
            return
        yield stop[0], stop[1]
