"""The scoring core on the phone, in a real browser: it agrees with Python on every figure of every match."""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from conftest import CASES, case
from flask import Flask
from generated import random_matches

from scorepad import explain
from scorepad.figures import standing_json
from scorepad.match import Deal, Match
from scorepad.matchfile import FORMAT, read_match, write_match
from scorepad.messages import Words
from scorepad.rules import PRESETS
from scorepad.standing import problems, standing
from scorepad.views.phone import contract_facts, sentences

pytestmark = pytest.mark.browser

GENERATED = 5_000
AT_ONCE = 100

#: Compares in the browser; answers those matches on which the two differ.
COMPARE = """
async ([address, text]) => {
  const cases = JSON.parse(text);
  const { standing } = await import(address);
  const sorted = (value) =>
    Array.isArray(value) ? value.map(sorted)
    : value && typeof value === "object"
      ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
      : value;
  const same = (a, b) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
  return cases.filter(({ file, expected }) => {
    const { mustDouble, ...figures } = standing(file);
    return !same(figures, expected);
  });
}
"""


def figures(match: Match) -> dict[str, Any]:
    """The figures as the mirror gives them: warnings by their codes, and no problems."""
    made = standing_json(standing(match), Words(match.players))
    del made["problems"]
    for deal in made["deals"]:
        deal["warnings"] = [warning["code"] for warning in deal["warnings"]]
    return made


#: Says in the browser what Python has said; answers what differs.
SAY = """
async ([address, text, texts]) => {
  const cases = JSON.parse(text);
  const { sentences, contracts } = JSON.parse(texts);
  const { standing } = await import(`${address}/score.js`);
  const { Words, doublesSpoken, readBack, whoDeals } = await import(`${address}/say.js`);
  return cases.flatMap(({ file, said }) => {
    const words = new Words(sentences, Object.fromEntries(file.players.map((p) => [p, p])), contracts);
    const { deals } = standing(file);
    return said.flatMap(([back, doubles, roles], at) => {
      const deal = file.deals[at];
      const own = [
        words.one(readBack(deals[at], deal, file)),
        words.one(doublesSpoken(deal, file)),
        words.say(whoDeals(deal.declarer, file)),
      ];
      const python = [back, doubles, roles];
      return own.every((sentence, n) => sentence === python[n]) ? [] : [[own, python]];
    });
  });
}
"""


def sayings(match: Match) -> list[tuple[str, str, str]]:
    """What is said of each deal: read back, the doubles before the lead, who deals."""
    say, said = Words(match.players), []
    for result in standing(match).deals:
        deal = result.deal
        assert isinstance(deal, Deal)
        said.append(
            (
                say.one(explain.read_back(result)),
                say.one(explain.doubles_spoken(deal)),
                say(explain.who_deals(deal.declarer, match.rules)),
            )
        )
    return said


def as_text(matches: Iterable[Match]) -> str:
    """Matches with their figures, as the browser gets them."""
    return json.dumps([{"file": write_match(m), "expected": figures(m)} for m in matches])


def generated_text(seed: int) -> str:
    """So many generated matches; made in a process of its own, since Python is the slower of the two."""
    return as_text(random_matches(seed, AT_ONCE))


def differing(page: Any, text: str) -> list[Any]:
    """The matches on which the browser and Python differ."""
    differ: list[Any] = page.evaluate(COMPARE, [ADDRESS, text])
    return differ


@pytest.fixture
def page(phone: Any) -> Any:
    """A page of ours, which may load our modules."""
    phone.goto("/healthz")
    return phone


ADDRESS = "/static/js/score.js"


def whole_cases() -> list[Match]:
    """The whole matches of the case files."""
    paths = sorted((CASES / "matches").glob("*.json"))
    read = [read_match(case(f"matches/{p.stem}")) for p in paths if "expected" not in p.name]
    return [reading.match for reading in read if reading.match]


def single_cases() -> list[Match]:
    """The single deals of the case files."""
    singles = case("worked-deals")["cases"] + case("more-deals")["cases"]
    files = [
        {"format": FORMAT, "players": c["players"], "rules": c["rules"], "deals": [c["deal"]]}
        for c in singles
    ]
    return [reading.match for reading in map(read_match, files) if reading.match]


def test_the_mirror_agrees_on_the_cases(page: Any) -> None:
    """The cases whose figures have a source."""
    matches = whole_cases() + single_cases()
    assert len(matches) > 30
    assert differing(page, as_text(matches)) == []


def test_the_mirror_agrees_on_generated_matches(page: Any) -> None:
    """Thousands of matches of all house rules."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as makers:
        for text in makers.map(generated_text, range(GENERATED // AT_ONCE)):
            assert differing(page, text) == []


def test_the_phone_says_what_python_says(page: Any, app: Flask) -> None:
    """The doubles in one sentence, the deal read back, who deals, cuts and leads; in every kind of match."""
    with app.test_request_context():
        texts = json.dumps({"sentences": sentences(), "contracts": contract_facts(PRESETS["ravage-city"])})
    matches = [*whole_cases(), *single_cases(), *random_matches(11, 400)]
    told = json.dumps([{"file": write_match(m), "said": sayings(m)} for m in matches])
    differing_sayings = page.evaluate(SAY, ["/static/js", told, texts])
    assert not differing_sayings, differing_sayings[0]
    wrong = json.dumps([{"file": write_match(matches[0]), "said": [["", "", ""]]}])
    assert page.evaluate(SAY, ["/static/js", wrong, texts])


def test_a_wrong_mirror_would_be_found(page: Any) -> None:
    """The comparison sees a single point's difference."""
    match = next(m for m in random_matches(1, 50) if standing(m).deals_scored)
    wrong = figures(match)
    wrong["deals"][0]["score"]["Anna"] += 1
    assert page.evaluate(COMPARE, [ADDRESS, json.dumps([{"file": write_match(match), "expected": wrong}])])


def test_generated_matches_are_matches() -> None:
    """They have no problems, and many rules are among them."""
    matches = list(random_matches(7, 300))
    assert not [m for m in matches if problems(m)]
    assert len({m.rules for m in matches}) > 100
