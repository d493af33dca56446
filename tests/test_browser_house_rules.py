"""House rules by touch: presets fill the fields in, steppers change them, and a set is kept on the phone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from conftest import Server
from fingers import Hand, hand_at, tidy
from playwright.sync_api import Browser, expect
from test_browser_axe import check
from test_browser_layout import look
from webpages import NAMES

from scorepad.contracts import contract_total, contracts_of, match_total, most_compulsory_doubles
from scorepad.matchfile import read_rules
from scorepad.messages import CONTRACT_NAMES, Words, signed
from scorepad.rules import PRESETS, STANDARD, Deck, PositivesCount, Rules, Values
from scorepad.rulesform import NAMES as FIELDS
from scorepad.rulesform import sentence_of, stated
from scorepad.table import PerSeat

pytestmark = pytest.mark.browser

SAY = Words(PerSeat("", "", "", ""))

#: The fields of the form as they stand.
STATED = """(names) => Object.fromEntries(names.map((name) =>
  [name, document.getElementById("start").elements.namedItem(name).value]))"""

#: Makes the browser refuse to keep anything in the local storage, or to keep more than there is.
REFUSE_ALL = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })"
REFUSE_MORE = "Storage.prototype.setItem = () => { throw new Error('no room'); }"


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """A phone that has never been here, on the page that starts a match."""
    with hand_at(browser, server) as made:
        made.page.goto("/new")
        yield made


def open_rules(hand: Hand) -> None:
    """Show the fields."""
    hand.tap("#rules > summary")


def step(hand: Hand, field: str, times: int) -> None:
    """Tap plus, or minus for a number below 0."""
    button = hand.page.locator(f".stepper:has(#{field}) button").nth(int(times > 0))
    for _ in range(abs(times)):
        hand.tap(button)


def fields(hand: Hand) -> dict[str, str]:
    """Every field as it stands."""
    found: dict[str, str] = hand.page.evaluate(STATED, list(FIELDS))
    return found


def shows(hand: Hand, rules: Rules) -> None:
    """The fields state these rules, and the sums are those of Python."""
    assert fields(hand) == stated(rules).to_dict()
    worths: dict[str, str] = hand.page.locator(".worth").evaluate_all(
        "all => Object.fromEntries(all.map((one) =>"
        " [one.dataset.contract, one.querySelector('output').textContent]))"
    )
    assert worths == {c.value: signed(contract_total(c, rules)) for c in CONTRACT_NAMES}
    played = contracts_of(rules)
    total = signed(sum(contract_total(c, rules) for c in played))
    sentence = SAY.fill(sentence_of(rules), {"total": signed(match_total(rules))})
    shown = tidy(hand.page.locator(".rules-sums").text_content() or "")
    assert shown == f"All {len(played)} contracts: {total} {sentence}"
    more = hand.page.locator(".stepper:has(#compulsory_doubles) button").nth(1)
    assert more.is_disabled() == (rules.compulsory_doubles >= most_compulsory_doubles(rules))


def start(hand: Hand) -> Rules:
    """Fill in the names and start; the rules of the match."""
    for seat, name in enumerate(NAMES):
        hand.page.fill(f"#name_{seat}", name)
    hand.follow("button.save")
    slug = hand.page.url.split("/m/")[1].partition("?")[0]
    file: Mapping[str, Any] = hand.page.request.get(f"/m/{slug}/match.json").json()
    rules, mistakes = read_rules("rules", file["rules"])
    assert not mistakes
    return rules


def preset_chip(hand: Hand, text: str) -> Any:
    """A chip of the house rules by its name."""
    return hand.page.locator(".presets label", has=hand.page.locator("b", has_text=text))


def test_a_standard_table_starts_with_one_tap(hand: Hand) -> None:
    assert not hand.page.locator("#rules[open]").count()
    assert not hand.page.locator(".rules-fields").is_visible()
    assert start(hand) == STANDARD
    assert hand.taps == 1


def test_a_preset_fills_in_every_field(hand: Hand) -> None:
    open_rules(hand)
    for key, rules in [*PRESETS.items(), ("standard", STANDARD)]:
        hand.tap(hand.chip("preset", key))
        shows(hand, rules)
        assert not hand.page.locator("#changed").inner_text()


def test_values_are_changed_by_steppers(hand: Hand) -> None:
    """One tap a point; nought and other signs are reached without a minus key; the sums go along."""
    open_rules(hand)
    step(hand, "value_king", 5)
    step(hand, "value_dominoes_0", -5)
    step(hand, "value_heart", 3)
    rules = replace(STANDARD, values=Values(king=-15, dominoes=(40, 20, 5, -5), heart=1))
    shows(hand, rules)
    assert hand.page.locator("#changed").inner_text() == "3 changes"
    hand.tap(hand.chip("ravage_city", "yes"))
    step(hand, "value_ravage_city", 3)
    hand.tap(hand.chip("deck", "32"))
    hand.tap(hand.chip("positives_count", "none"))
    step(hand, "compulsory_doubles", 4)
    rules = replace(
        rules,
        ravage_city=True,
        deck=Deck.SMALL,
        positives_count=PositivesCount.NONE,
        compulsory_doubles=6,
        values=replace(rules.values, ravage_city=0),
    )
    shows(hand, rules)
    hand.page.fill("#value_trick", "-4")
    rules = replace(rules, values=replace(rules.values, trick=-4))
    assert fields(hand)["value_trick"] == "-4"
    assert start(hand) == rules


def test_a_button_that_is_held_goes_on(hand: Hand) -> None:
    open_rules(hand)
    button = hand.page.locator(".stepper:has(#value_trick) button").nth(1)
    button.scroll_into_view_if_needed()
    button.dispatch_event("pointerdown")
    expect(hand.page.locator("#value_trick")).to_have_value(re.compile(r"\+\d+"))
    button.dispatch_event("pointerup")
    button.dispatch_event("click")
    reached = fields(hand)["value_trick"]
    hand.page.wait_for_timeout(300)
    assert fields(hand)["value_trick"] == reached


def test_a_shared_value_steps_to_what_can_be_shared(hand: Hand) -> None:
    open_rules(hand)
    hand.page.fill("#value_ravage_city", "-30")
    step(hand, "value_ravage_city", 1)
    assert fields(hand)["value_ravage_city"] == "−24"
    hand.page.fill("#value_ravage_city", "-30")
    step(hand, "value_ravage_city", -1)
    assert fields(hand)["value_ravage_city"] == "−36"


def test_what_is_refused_comes_back_as_it_was_typed(hand: Hand) -> None:
    open_rules(hand)
    hand.page.fill("#value_dominoes_3", "")
    hand.page.fill("#value_ravage_city", "-30")
    step(hand, "value_king", 1)
    hand.page.fill("#name_0", "Anna")
    hand.follow("button.save")
    assert hand.page.locator("#wrong-value_ravage_city").is_visible()
    assert hand.page.locator("#wrong-value_dominoes_3").is_visible()
    assert hand.page.locator(".wrong[id^=wrong-value]").count() == 2
    shown = fields(hand)
    assert [shown[f"value_{n}"] for n in ("ravage_city", "dominoes_3", "king")] == ["-30", "", "−19"]
    look(hand)
    check(hand.page)
    hand.page.fill("#value_ravage_city", "-24")
    hand.page.fill("#value_dominoes_3", "-5")
    assert start(hand) == replace(STANDARD, values=Values(king=-19, ravage_city=-24))


def test_the_changes_are_undone(hand: Hand) -> None:
    hand.tap(hand.chip("preset", "german-other-values"))
    open_rules(hand)
    assert not hand.page.locator("#undo").is_visible()
    step(hand, "value_king", -1)
    hand.tap(hand.chip("play_trumping", "free"))
    assert hand.page.locator("#changed").inner_text() == "2 changes"
    hand.tap("#undo")
    shows(hand, PRESETS["german-other-values"])


OWN = replace(STANDARD, compulsory_doubles=1, values=Values(king=-18))


def keep_own(hand: Hand, name: str) -> None:
    """Change two fields, and keep the rules under a name."""
    open_rules(hand)
    step(hand, "compulsory_doubles", -1)
    step(hand, "value_king", 2)
    hand.page.fill("#keep-name", name)
    hand.tap("#keep")
    assert preset_chip(hand, name).locator("input").is_checked()


def test_a_set_is_kept_on_the_phone_and_used_again(hand: Hand) -> None:
    keep_own(hand, "Café <b> {n}")
    assert "is kept on this phone" in hand.page.locator("#keep-said").inner_text()
    look(hand)
    hand.page.reload()
    assert hand.page.locator('[name="preset"][value="standard"]').first.is_checked()
    shows(hand, STANDARD)
    hand.tap(preset_chip(hand, "Café <b> {n}"))
    shows(hand, OWN)
    assert not hand.page.locator("#changed").inner_text()
    assert start(hand) == OWN
    hand.page.goto("/new")
    assert preset_chip(hand, "As last time: Café <b> {n}").count() == 1
    hand.tap(preset_chip(hand, "As last time"))
    shows(hand, OWN)
    assert start(hand) == OWN


def test_a_set_is_forgotten_and_taken_back(hand: Hand) -> None:
    hand.page.locator("#rules > summary").tap()
    hand.tap("#keep")
    assert "name" in hand.page.locator("#keep-said").inner_text()
    hand.tap("#rules > summary")
    keep_own(hand, "Ours")
    keep_own_again = preset_chip(hand, "Ours")
    hand.tap(".kept-rules button")
    assert keep_own_again.count() == 0
    hand.tap(".kept-rules button")
    hand.page.reload()
    assert keep_own_again.count() == 1
    hand.tap(".kept-rules button")
    hand.page.reload()
    assert keep_own_again.count() == 0


@pytest.mark.parametrize("refusal", [REFUSE_ALL, REFUSE_MORE])
def test_a_phone_that_keeps_nothing(hand: Hand, refusal: str) -> None:
    """The set can be chosen until the page is left, and the page says so."""
    hand.page.add_init_script(refusal)
    hand.page.reload()
    keep_own(hand, "Ours")
    assert "keeps nothing" in hand.page.locator("#keep-said").inner_text()
    hand.tap(hand.chip("preset", "german"))
    hand.tap(preset_chip(hand, "Ours"))
    shows(hand, OWN)
    assert start(hand) == OWN


def test_what_another_release_has_kept_does_no_harm(hand: Hand) -> None:
    old = {"name": "Old", "rules": {"deck": 32, "rotation": "sideways", "values": {"king": -1}}}
    kept = json.dumps([old, 7, None, {"name": 3}, {"name": "None", "rules": None}])
    hand.page.evaluate("(kept) => localStorage.setItem('scorepad:rules', kept)", kept)
    hand.page.reload()
    hand.tap(preset_chip(hand, "Old"))
    assert start(hand) == replace(STANDARD, deck=Deck.SMALL, values=Values(king=-1))


def test_last_time_is_offered_by_one_tap(hand: Hand) -> None:
    hand.tap(hand.chip("preset", "seven-in-a-row"))
    start(hand)
    hand.page.goto("/new")
    hand.tap(preset_chip(hand, "As last time: Seven in a row"))
    assert start(hand) == PRESETS["seven-in-a-row"]


def test_without_scripts_what_is_typed_counts(browser: Browser, server: Server) -> None:
    with hand_at(browser, server, java_script_enabled=False) as plain:
        plain.page.goto("/new")
        assert not plain.page.locator(".rules-sums").is_visible()
        plain.tap(plain.chip("preset", "german"))
        open_rules(plain)
        plain.page.fill("#value_king", "−15")
        plain.tap(plain.chip("play_low_ace", "yes"))
        plain.page.fill("#name_0", "Anna")
        plain.follow('button[value="sums"]')
        assert tidy(plain.page.locator(".rules-sums").inner_text()).endswith("does not sum to 0: +20.")
        expected = PRESETS["german"]
        assert start(plain) == replace(
            expected, values=Values(king=-15), play=replace(expected.play, low_ace=True)
        )


def test_a_page_whose_script_does_not_arrive_works_all_the_same(hand: Hand) -> None:
    """A kept page may be shown without it: the fields are those of a page without scripts."""
    hand.is_cut = True
    hand.page.route("**/js/start.js", lambda route: route.abort())
    hand.page.reload()
    open_rules(hand)
    assert hand.chip("deck", "").is_visible()
    hand.tap(hand.chip("preset", "german"))
    hand.tap(hand.chip("deck", "32"))
    assert start(hand) == replace(PRESETS["german"], deck=Deck.SMALL)


def test_enter_starts_the_match_and_back_is_a_fresh_page(browser: Browser, server: Server) -> None:
    """Also without scripts, where the form has a button of its own for sums; Back mixes no old choices in."""
    for is_scripted in True, False:
        with hand_at(browser, server, java_script_enabled=is_scripted) as at:
            at.page.goto("/new")
            at.tap(at.chip("preset", "german"))
            open_rules(at)
            for seat, name in enumerate(NAMES):
                at.page.fill(f"#name_{seat}", name)
            at.page.fill("#value_king", "-15")
            with at.page.expect_navigation(url="**/m/**"):
                at.page.press("#value_king", "Enter")
            at.page.go_back()
            assert at.page.locator("label", has_text="As last time").count() == 1
            assert at.checked("preset") == {"standard"}
            if is_scripted:
                shows(at, STANDARD)
            else:
                assert not any(fields(at).values())
