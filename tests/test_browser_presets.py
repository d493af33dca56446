"""A whole match by touch for each set of house rules: totals, file and sheet are those of the core."""

from __future__ import annotations

import io
from collections.abc import Iterator
from random import Random

import pypdf
import pytest
from conftest import Server
from fingers import Hand, hand_at, join, start_match
from generated import random_deal
from playwright.sync_api import Browser

from scorepad.match import Match
from scorepad.matchfile import write_match
from scorepad.messages import signed
from scorepad.rules import PRESETS
from scorepad.standing import problems, standing
from scorepad.table import PerSeat

pytestmark = pytest.mark.browser

PLAYERS = PerSeat("Anna", "Ben", "Carla", "Dan")


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """The phone that keeps the score."""
    with hand_at(browser, server) as held:
        yield held


def whole_match(preset: str) -> Match:
    """A match that was played to its end by the rules of a preset; the same each time."""
    random, match = Random(preset), Match(PLAYERS, rules=PRESETS[preset])
    while (where := standing(match)).next:
        match = Match(PLAYERS, rules=match.rules, deals=(*match.deals, random_deal(random, where)))
    assert not problems(match)
    return match


SLOW = [pytest.param(preset, marks=pytest.mark.slow) for preset in PRESETS if preset != "ravage-city"]


@pytest.mark.parametrize("preset", ["ravage-city", *SLOW])
def test_a_whole_match_of_each_preset(hand: Hand, server: Server, preset: str) -> None:
    match = whole_match(preset)
    file, expected = write_match(match), standing(match)
    started = start_match(server, {**file, "deals": []})
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}/deals/new")
    for deal in file["deals"]:
        seat = str(match.players.index(deal["declarer"]))
        if hand.page.locator("input[name=declarer]").input_value() != seat:
            hand.tap("text=Somebody else declared?")
            hand.tap(hand.page.locator("#others").get_by_role("button", name=deal["declarer"]))
        hand.record(deal, list(PLAYERS))
    hand.page.goto(f"/m/{started['slug']}")
    assert hand.totals() == list(expected.totals)
    kept = hand.page.request.get(f"/m/{started['slug']}/match.json").json()
    assert [d["contract"] for d in kept["deals"]] == [d["contract"] for d in file["deals"]]
    assert kept["rules"] == file["rules"]
    sheet = hand.page.request.get(f"/m/{started['slug']}/sheet.pdf")
    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(sheet.body())).pages)
    for name, total in zip(PLAYERS, expected.totals, strict=True):
        assert signed(total) in text.split(), name
