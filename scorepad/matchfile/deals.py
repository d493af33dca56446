"""Reading one deal of a match file: players by name, doubles, and the result of each contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from scorepad.contracts import (
    Contract,
    Finished,
    HeartsTaken,
    KingTaken,
    LastTwoTaken,
    MostOfASuit,
    QueensTaken,
    Tally,
    TricksTaken,
)
from scorepad.doubles import Double, Doubles
from scorepad.match import RANKS, BrokenDeal, Deal, Suit
from scorepad.matchfile.fields import (
    FieldMissing,
    Fields,
    Json,
    T,
    UnknownValue,
    WrongKind,
    each,
    listed,
    one_of,
    short,
    text,
    whole,
    yes_or_no,
)
from scorepad.rules import RuleError
from scorepad.table import SEATS, PerSeat, Points, Seat


class CountMissing(RuleError, field="result"):
    """Every player's count is needed, 0 too (player, what)."""


class UnknownPlayer(RuleError):
    """Somebody who is not at the table (name)."""


class NamedTwice(RuleError):
    """The same player twice in one list (name)."""


class ResultAndPassedOut(RuleError, field="passed_out"):
    """A deal is either passed out or has a result."""


class Players:
    """The four players of a match file, found by the names it uses for them."""

    def __init__(self, names: PerSeat[str], *also: tuple[str, Seat]) -> None:
        """`also` are the names of those who replaced somebody."""
        self.seats = dict(reversed([*((n, s) for s, n in names.seats()), *also]))

    def seat(self, name: str, value: Json) -> Seat:
        """The seat of the player named; UnknownPlayer when nobody at the table is called so."""
        named = text(name, value)
        if named not in self.seats:
            raise UnknownPlayer(name=short(named))
        return self.seats[named]

    def listed(self, name: str, value: Json) -> tuple[Seat, ...]:
        """The seats of the players listed, each once."""
        seats: list[Seat] = []

        def one(entry: Json) -> None:
            if (seat := self.seat(name, entry)) in seats:
                raise NamedTwice(name=short(entry), seat=seat)
            seats.append(seat)

        each(name, listed(name, value), one)
        return tuple(seats)

    def mapped(self, name: str, value: Json, parse: Callable[[str, Json], T]) -> dict[Seat, T]:
        """What an object says of each player."""
        if not isinstance(value, dict):
            raise WrongKind(name=name, wanted="object")
        said: dict[Seat, T] = {}

        def one(entry: tuple[str, Json]) -> None:
            if (seat := self.seat(name, entry[0])) in said:
                raise NamedTwice(name=short(entry[0]), seat=seat)
            said[seat] = parse(*entry)

        each(name, value.items(), one)
        return said

    def points(self, name: str, value: Json) -> Points:
        """A whole number for each player; 0 for those left out."""
        said = self.mapped(name, value, whole)
        return PerSeat.of(lambda s: said.get(s, 0))

    def counts(self, name: str, value: Json) -> Points:
        """How much each player took; 0 for those left out, but not for those left empty."""

        def count(player: str, entry: Json) -> int:
            if entry == "":
                raise CountMissing(player=self.seats[text(name, player)], what=name)
            try:
                return whole(player, entry)
            except RuleError as mistake:
                mistake.values = {**mistake.values, "player": self.seats[text(name, player)], "what": name}
                raise

        said = self.mapped(name, value, count)
        return PerSeat.of(lambda s: said.get(s, 0))


def _start(name: str, value: Json) -> str:
    """The rank at which Dominoes starts."""
    if value not in RANKS:
        raise UnknownValue(name=name, found=short(value), allowed=RANKS)
    return str(value)


def _needed(read: T | None) -> T:
    """What was read; the mistake is noted already when nothing was."""
    if read is None:
        raise _AlreadyNoted
    return read


class _AlreadyNoted(Exception):
    """What cannot be read is in the list of mistakes."""


def _king(result: Fields, players: Players) -> Tally:
    return KingTaken(_needed(result.read("king", players.seat, None)))


def _tricks(result: Fields, players: Players) -> Tally:
    return TricksTaken(result.read("tricks", players.counts, PerSeat.all(0)))


def _queens(result: Fields, players: Players) -> Tally:
    return QueensTaken(result.read("queens", players.counts, PerSeat.all(0)))


def _hearts(result: Fields, players: Players) -> Tally:
    counts = result.read("hearts", players.counts, PerSeat.all(0))
    return HeartsTaken(counts, _needed(result.read("ace", players.seat, None)))


def _last_two(result: Fields, players: Players) -> Tally:
    def two(name: str, value: Json) -> tuple[Seat, ...]:
        if len(listed(name, value)) != 2:
            raise WrongKind(name=name, wanted="two players")
        return tuple(each(name, value, partial(players.seat, name)))

    return LastTwoTaken(*_needed(result.read("last_two", two, None)))


def _order(result: Fields, players: Players) -> Tally:
    def four(name: str, value: Json) -> tuple[Seat, ...]:
        if len(listed(name, value)) != len(SEATS):
            raise WrongKind(name=name, wanted="four players")
        return tuple(each(name, value, partial(players.seat, name)))

    order = _needed(result.read("order", four, None))
    return Finished((order[0], order[1], order[2], order[3]))


def _most(result: Fields, players: Players) -> Tally:
    return MostOfASuit(tuple(sorted(_needed(result.read("most", players.listed, None)))))


#: What the result of each contract says, by its fields, and how it is read.
RESULTS: Mapping[Contract, tuple[tuple[str, ...], Callable[[Fields, Players], Tally]]] = {
    Contract.B: (("king",), _king),
    Contract.M: (("tricks",), _tricks),
    Contract.NQ: (("queens",), _queens),
    Contract.NH: (("hearts", "ace"), _hearts),
    Contract.NL2: (("last_two",), _last_two),
    Contract.T: (("tricks",), _tricks),
    Contract.D: (("order",), _order),
    Contract.RC: (("most",), _most),
}


def read_deal(body: Json, players: Players) -> Deal | BrokenDeal:
    """One deal of a match file; a BrokenDeal, with everything wrong in it, when it cannot be read."""
    mistakes: list[RuleError] = []
    deal = Fields(body, "deal", mistakes)
    deal.need("declarer", "contract")
    declarer = deal.read("declarer", players.seat, None)
    contract = deal.read("contract", one_of(Contract), None)
    no_doubles: Doubles = frozenset()
    doubles = deal.read("doubles", lambda n, v: _doubles(n, v, players), no_doubles)
    passed_out = deal.read("passed_out", yes_or_no, False)
    trump = deal.read("trump", one_of(Suit), None)
    start = deal.read("start", _start, None)
    note = deal.read("note", text, "")
    result = deal.read("result", lambda _, v: v, None)
    tally = _tally(result, contract, players, mistakes) if contract and "result" in deal.fields else None
    deal.end()
    if passed_out and "result" in deal.fields:
        mistakes.append(ResultAndPassedOut())
    if mistakes or declarer is None or contract is None:
        return BrokenDeal(tuple(mistakes), declarer, contract)
    return Deal(declarer, contract, doubles, tally, passed_out, trump, start, note)


def _doubles(name: str, value: Json, players: Players) -> Doubles:
    """The doubles of a deal: who doubled whom."""
    said = players.mapped(name, value, players.listed)
    return frozenset(Double(doubler, doubled) for doubler, list_ in said.items() for doubled in list_)


def _tally(source: Json, contract: Contract, players: Players, mistakes: list[RuleError]) -> Tally | None:
    """The tally of a deal of this contract, or None with the mistakes noted."""
    names, parse = RESULTS[contract]
    result = Fields(source, "result", mistakes)
    if isinstance(source, dict):
        mistakes += [FieldMissing(name=n, what="result") for n in names if n not in source]
    try:
        tally = parse(result, players)
    except _AlreadyNoted:
        tally = None
    result.end()
    return tally
