"""Reading a whole match file, and checking the match it describes."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from typing import NamedTuple

from scorepad.match import AgreedPoints, BrokenDeal, Deal, Match, Replacement, Stake
from scorepad.matchfile.deals import Players, read_deal
from scorepad.matchfile.fields import (
    Fields,
    Json,
    T,
    UnknownValue,
    listed,
    parse,
    short,
    text,
    too_many,
    whole,
    yes_or_no,
)
from scorepad.matchfile.houserules import read_rules
from scorepad.rules import RuleError
from scorepad.standing import Problem, problems
from scorepad.table import SEATS, PerSeat, Seat

FORMAT = "scorepad-match/1"
MOST_DEALS = 64


class WrongFormat(RuleError, field="format"):
    """The file is of another format, or of none (found)."""


class PlayersNotFour(RuleError, field="players"):
    """Barbu is a game for four (counted)."""


class NotADate(RuleError, field="date"):
    """A date is written as year-month-day (found)."""


class NotAnAmount(RuleError, field="stake"):
    """A stake is a decimal number, written as text (found)."""


class TooManyDeals(RuleError, field="deals"):
    """No match has so many deals (counted, most)."""


class Reading(NamedTuple):
    """What a match file says: the match as far as it can be read, and everything that is wrong with it."""

    match: Match | None
    problems: tuple[Problem, ...]


def _date(name: str, value: Json) -> str:
    """A day as year-month-day, or nothing."""
    day = text(name, value)
    found = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", day)
    if day and not (found and _is_day(*(int(part) for part in found.groups()))):
        raise NotADate(found=short(day))
    return day


def _is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has this day."""
    return year > 0 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


def read(data: bytes | str) -> Reading:
    """Read a match file; never raises: what is wrong is in the list."""
    try:
        return read_match(parse(data))
    except RuleError as mistake:
        return Reading(None, (Problem(None, mistake),))


def read_match(source: Json) -> Reading:
    """Read a match file's JSON value, and check the match it describes."""
    found = source.get("format") if isinstance(source, dict) else None
    if found != FORMAT:
        return Reading(None, (Problem(None, WrongFormat(found=short(found), wanted=FORMAT)),))
    mistakes: list[RuleError] = []
    file = Fields(source, "match", mistakes)
    file.need("players", "deals")
    file.read("format", text, "")
    file.read("revision", whole, 0)
    names = file.read("players", _names, None)
    if names is None:
        return Reading(None, tuple(Problem(None, m) for m in mistakes))
    match = _match(file, names, mistakes)
    file.end()
    return Reading(match, (*(Problem(None, m) for m in mistakes), *problems(match)))


def _match(file: Fields, names: PerSeat[str], mistakes: list[RuleError]) -> Match:
    """The match as far as it can be read; mistakes outside its deals are noted."""
    seated = Players(names)
    nobody: tuple[Replacement, ...] = ()
    replaced = file.read("replaced", lambda n, v: _each(n, v, mistakes, _replacement(seated)), nobody)
    players = Players(names, *((r.name, r.seat) for r in replaced))
    rules, wrong = read_rules("rules", file.read("rules", lambda _, v: v, {}))
    mistakes += wrong
    return Match(
        players=names,
        first_declarer=file.read("first_declarer", players.seat, Seat.NORTH),
        rules=rules,
        deals=file.read("deals", lambda n, v: _deals(n, v, players, mistakes), ()),
        agreed_points=file.read("agreed_points", lambda n, v: _each(n, v, mistakes, _agreed(players)), ()),
        title=file.read("title", text, ""),
        date=file.read("date", _date, ""),
        place=file.read("place", text, ""),
        stake=file.read("stake", lambda n, v: read_stake(n, v, mistakes), None),
        replaced=replaced,
        abandoned=file.read("abandoned", yes_or_no, False),
    )


def _names(name: str, value: Json) -> PerSeat[str]:
    """The names of the four players."""
    names = [text(name, v) for v in listed(name, value)]
    if len(names) != len(SEATS):
        raise PlayersNotFour(counted=len(names))
    return PerSeat(*names)


def _deals(
    name: str, value: Json, players: Players, mistakes: list[RuleError]
) -> tuple[Deal | BrokenDeal, ...]:
    """The deals, no more than are looked at."""
    bodies = listed(name, value)
    if len(bodies) > MOST_DEALS:
        mistakes.append(TooManyDeals(counted=len(bodies), most=MOST_DEALS))
    return tuple(read_deal(body, players) for body in bodies[:MOST_DEALS])


def _each(
    name: str, value: Json, mistakes: list[RuleError], parse: Callable[[Fields], T | None]
) -> tuple[T, ...]:
    """The entries of a list of objects; those that cannot be read are left out, and noted."""
    made: list[T] = []
    mistakes += too_many(name, listed(name, value), MOST_DEALS)
    for entry in value[:MOST_DEALS]:
        before = len(mistakes)
        item = parse(fields := Fields(entry, name, mistakes))
        fields.end()
        if item is not None and len(mistakes) == before:
            made.append(item)
    return tuple(made)


def _agreed(players: Players) -> Callable[[Fields], AgreedPoints | None]:
    """Reads one line of agreed points."""

    def parse(fields: Fields) -> AgreedPoints | None:
        fields.need("after_deal", "points")
        return AgreedPoints(
            fields.read("after_deal", whole, 0),
            fields.read("points", players.points, PerSeat.all(0)),
            fields.read("reason", text, ""),
        )

    return parse


def _replacement(players: Players) -> Callable[[Fields], Replacement | None]:
    """Reads who sits down in whose place; the seat is 1 to 4, clockwise, or its first player's name."""

    def seat(name: str, value: Json) -> Seat:
        if isinstance(value, str):
            return players.seat(name, value)
        if (place := whole(name, value)) not in range(1, len(SEATS) + 1):
            raise UnknownValue(name=name, found=str(place), allowed=("1", "2", "3", "4"))
        return SEATS[place - 1]

    def parse(fields: Fields) -> Replacement | None:
        fields.need("from_deal", "seat", "name")
        taken = fields.read("seat", seat, None)
        from_deal = fields.read("from_deal", whole, 0)
        name = fields.read("name", text, "")
        return None if taken is None else Replacement(from_deal, taken, name)

    return parse


def read_stake(name: str, value: Json, mistakes: list[RuleError]) -> Stake | None:
    """What a point is worth, or None with the mistakes noted."""
    fields = Fields(value, name, mistakes)
    fields.need("per_point")
    per_point, currency = fields.read("per_point", _amount, ""), fields.read("currency", text, "")
    fields.end()
    return Stake(per_point, currency) if per_point else None


def _amount(name: str, value: Json) -> str:
    """A decimal number as text, such as 0.05."""
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", value):
        raise NotAnAmount(name=name, found=short(value))
    return value
