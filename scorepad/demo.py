"""An example match to look at: the first deals of a match, with the hand of the next one being played."""

from __future__ import annotations

from typing import Any

from flask import Flask, url_for

from scorepad.match import Match
from scorepad.matchfile import read_match
from scorepad.store import Draft, Store

PLAYERS = ["Anna", "Ben", "Carla", "Dan"]

DEALS: list[dict[str, Any]] = [
    {
        "declarer": "Anna",
        "contract": "NQ",
        "doubles": {"Ben": ["Anna", "Carla", "Dan"], "Carla": ["Anna"], "Anna": ["Carla"]},
        "result": {"queens": {"Anna": 1, "Carla": 1, "Dan": 2}},
    },
    {"declarer": "Ben", "contract": "M", "passed_out": True},
    {
        "declarer": "Carla",
        "contract": "T",
        "trump": "S",
        "doubles": {"Anna": ["Carla"], "Dan": ["Carla"]},
        "result": {"tricks": {"Anna": 4, "Ben": 1, "Carla": 6, "Dan": 2}},
    },
    {
        "declarer": "Dan",
        "contract": "NH",
        "doubles": {"Anna": ["Dan", "Ben"], "Carla": ["Dan"], "Ben": ["Anna"]},
        "result": {"hearts": {"Anna": 2, "Ben": 5, "Carla": 1, "Dan": 5}, "ace": "Ben"},
    },
    {
        "declarer": "Anna",
        "contract": "D",
        "start": "8",
        "doubles": {"Carla": ["Anna"]},
        "result": {"order": ["Anna", "Dan", "Carla", "Ben"]},
    },
    {
        "declarer": "Ben",
        "contract": "B",
        "doubles": {"Carla": ["Ben", "Dan"], "Dan": ["Ben"], "Ben": ["Dan"]},
        "result": {"king": "Dan"},
    },
    {
        "declarer": "Carla",
        "contract": "NL2",
        "doubles": {"Dan": ["Carla"], "Ben": ["Anna"]},
        "result": {"last_two": ["Anna", "Carla"]},
    },
]

PLAYING: dict[str, Any] = {
    "declarer": "Dan",
    "contract": "M",
    "doubles": {"Anna": ["Dan"], "Ben": ["Dan", "Carla"], "Dan": ["Anna"]},
}


def demo_page(app: Flask) -> str:
    """Where the example match is; it is added when the data folder holds none."""
    store: Store = app.extensions["store"]
    slug = store.any_slug() or _start(store)
    with app.test_request_context():
        return url_for("join.ask", key=store.new_score_key(slug))


def example() -> Match:
    """The example match."""
    source = {
        "format": "scorepad-match/1",
        "title": "Example",
        "players": PLAYERS,
        "first_declarer": "Anna",
        "deals": DEALS,
    }
    reading = read_match(source)
    if reading.match is None or reading.problems:
        raise ValueError(reading.problems)
    return reading.match


def _start(store: Store) -> str:
    """Start the example match, with an open deal."""
    slug, _ = store.start(example())
    store.write_draft(slug, 0, Draft(0, "demo", 4, PLAYING))
    return slug
