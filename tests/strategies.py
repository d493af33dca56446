"""What a table may record, at random: house rules, doubles, tallies, and whole matches without problems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from scorepad.contracts import (
    QUEENS,
    Contract,
    Finished,
    HeartsTaken,
    KingTaken,
    LastTwoTaken,
    MostOfASuit,
    QueensTaken,
    Tally,
    TricksTaken,
    contracts_of,
    most_compulsory_doubles,
)
from scorepad.doubles import ALL_DOUBLES, Double, Doubles, mistake_in
from scorepad.match import RANKS, AgreedPoints, Deal, Match, Replacement, Stake, Suit, looks_like, passes_out
from scorepad.matchfile import write_match
from scorepad.rules import (
    PRESETS,
    RAVAGE_CITY_UNIT,
    Deck,
    Doubling,
    Play,
    PositivesCount,
    Rotation,
    Rules,
    Undoubled,
    Values,
)
from scorepad.standing import standing
from scorepad.table import SEATS, PerSeat, Points, Seat

EVERYBODY_PASSES = 0
EVERY_DOUBLE = 2 ** len(ALL_DOUBLES) - 1

#: Names that are hard on pages and files, beside plain ones; no two look alike.
TRICKY_NAMES = (
    "Anna",
    "Ben",
    "Chloé",
    "Dan",
    "<svg/onload=alert(1)>",
    "{{7*7}}",
    "{player}",
    "עדה",
    "مريم",
    "🃏",
    "👩‍👩‍👧",
    "M" * 40,
    'O\'Hara \\ "Bo"',
)

seats = st.sampled_from(SEATS)


def values() -> st.SearchStrategy[Values]:
    """What things are worth: any whole numbers, whatever their sign."""
    points = st.integers(-60, 60)
    shared = st.integers(-5, 5).map(lambda n: n * RAVAGE_CITY_UNIT)
    plain = {n: points for n in Values.__dataclass_fields__ if n not in {"dominoes", "ravage_city"}}
    return st.builds(Values, dominoes=st.tuples(points, points, points, points), ravage_city=shared, **plain)


@st.composite
def house_rules(draw: st.DrawFn) -> Rules:
    """House rules that can be scored: a preset, or a table's own."""
    if draw(st.booleans()):
        return draw(st.sampled_from(tuple(PRESETS.values())))
    rules = draw(
        st.builds(
            Rules,
            rotation=st.sampled_from(Rotation),
            doubling=st.sampled_from(Doubling),
            flank_doubles_in_positives=st.booleans(),
            declarer_may_open=st.booleans(),
            positives_count=st.sampled_from(PositivesCount),
            undoubled_negative=st.sampled_from(Undoubled),
            ravage_city=st.booleans(),
            deck=st.sampled_from(Deck),
            values=st.one_of(st.just(Values()), values()),
            play=st.builds(Play),
        )
    )
    return replace(rules, compulsory_doubles=draw(st.integers(0, most_compulsory_doubles(rules))))


def allowed_of(wanted: int, declarer: Seat, contract: Contract, rules: Rules) -> Doubles:
    """Those of the doubles wanted (bits of ALL_DOUBLES) that are allowed; the declarer speaks last."""
    made: Doubles = frozenset()
    chosen = [d for n, d in enumerate(ALL_DOUBLES) if wanted >> n & 1]
    for double in sorted(chosen, key=lambda d: d.doubler is declarer):
        if mistake_in(double, declarer, contract, rules, made) is None:
            made |= {double}
    return made


def legal_doubles(declarer: Seat, contract: Contract, rules: Rules) -> st.SearchStrategy[Doubles]:
    """Doubles that may be made in this contract, none at all more often than by chance."""
    wanted = st.one_of(st.just(EVERYBODY_PASSES), st.integers(EVERYBODY_PASSES, EVERY_DOUBLE))
    return wanted.map(lambda bits: allowed_of(bits, declarer, contract, rules))


def counts(total: int) -> st.SearchStrategy[Points]:
    """Four counts that make this number."""

    def between(cuts: list[int]) -> Points:
        a, b, c = sorted(cuts)
        return PerSeat(a, b - a, c - b, total - c)

    return st.lists(st.integers(0, total), min_size=3, max_size=3).map(between)


def _hearts(total: int) -> st.SearchStrategy[Tally]:
    """Hearts, with the ace at one of those who took some."""
    return counts(total).flatmap(
        lambda taken: st.sampled_from([s for s in SEATS if taken[s]]).map(lambda ace: HeartsTaken(taken, ace))
    )


def _finished(order: list[Seat]) -> Finished:
    """A finishing order."""
    first, second, third, fourth = order
    return Finished((first, second, third, fourth))


def tallies(contract: Contract, rules: Rules) -> st.SearchStrategy[Tally]:
    """What the table may have counted in this contract."""
    tricks = rules.deck.tricks
    match contract:
        case Contract.B:
            return seats.map(KingTaken)
        case Contract.M | Contract.T:
            return counts(tricks).map(TricksTaken)
        case Contract.NQ:
            return counts(QUEENS).map(QueensTaken)
        case Contract.NH:
            return _hearts(tricks)
        case Contract.NL2:
            return st.builds(LastTwoTaken, seats, seats)
        case Contract.D:
            return st.permutations(SEATS).map(_finished)
        case Contract.RC:
            return st.sets(seats, min_size=1).map(lambda takers: MostOfASuit(tuple(sorted(takers))))


@st.composite
def endings(draw: st.DrawFn, deal: Deal, rules: Rules) -> Deal:
    """The deal finished: passed out where nobody doubled, else with a tally, and what may be noted."""
    if not deal.doubles and passes_out(deal.contract, rules):
        return replace(deal, passed_out=True)
    noted: dict[str, Any] = {}
    if deal.contract is Contract.T:
        noted["trump"] = draw(st.sampled_from([None, *Suit]))
    if deal.contract is Contract.D:
        noted["start"] = draw(st.sampled_from([None, *RANKS]))
    return replace(deal, tally=draw(tallies(deal.contract, rules)), **noted)


@st.composite
def finished_deals(draw: st.DrawFn, rules: Rules) -> Deal:
    """One finished deal under these rules."""
    declarer, contract = draw(seats), draw(st.sampled_from(contracts_of(rules)))
    return draw(endings(Deal(declarer, contract, draw(legal_doubles(declarer, contract, rules))), rules))


def _forced_doubles(match: Match, declarer: Seat, contract: Contract) -> Doubles:
    """The doubles that must be made if this contract is declared now."""
    return frozenset(Double(s, declarer) for s in standing(match).must_double(declarer, contract))


@st.composite
def deals_in_order(
    draw: st.DrawFn,
    match: Match,
    *,
    number: int,
    in_turn: bool,
    dutiful: bool,
    open_last: bool,
) -> tuple[Deal, ...]:
    """So many deals of a match, each declared by one who may still declare.

    In turn the rotation says who declares; otherwise anybody may. A dutiful table makes every forced
    double; another one forgets some.
    """
    rules = match.rules
    left = {s: list(contracts_of(rules)) for s in SEATS}
    deals: list[Deal] = []
    for n in range(1, number + 1):
        proposed = standing(replace(match, deals=tuple(deals))).proposed if in_turn else None
        waiting = [s for s in SEATS if left[s]]
        declarer = proposed if proposed is not None else draw(st.sampled_from(waiting))
        contract = draw(st.sampled_from(left[declarer]))
        left[declarer].remove(contract)
        made = draw(legal_doubles(declarer, contract, rules))
        if dutiful:
            made |= _forced_doubles(replace(match, deals=tuple(deals)), declarer, contract)
        deal = Deal(declarer, contract, made)
        deals.append(deal if open_last and n == number else draw(endings(deal, rules)))
    return tuple(deals)


def _agreed(deals: int) -> st.SearchStrategy[tuple[AgreedPoints, ...]]:
    """A few lines of agreed points, after deals there are or before the first."""
    points = st.builds(PerSeat, *[st.integers(-30, 30)] * 4)
    lines = st.builds(
        AgreedPoints, st.integers(0, deals), points, st.sampled_from(("", "revoke", "späte Karte"))
    )
    return st.lists(lines, max_size=2).map(tuple)


def _replaced(deals: int) -> st.SearchStrategy[tuple[Replacement, ...]]:
    """Now and then somebody else sits down."""
    somebody = st.builds(Replacement, st.integers(1, deals + 1), seats, st.just("Eve"))
    return st.lists(somebody, max_size=1).map(tuple)


def tricky_names() -> st.SearchStrategy[PerSeat[str]]:
    """Four names that do not look alike, some of them hard on pages and files."""
    four = st.lists(st.sampled_from(TRICKY_NAMES), min_size=4, max_size=4, unique_by=looks_like)
    return four.map(lambda names: PerSeat(*names))


@st.composite
def matches(
    draw: st.DrawFn,
    *,
    rules: Rules | None = None,
    whole: bool = False,
    in_turn: bool | None = None,
    dutiful: bool | None = None,
    most_deals: int = 32,
) -> Match:
    """A match without problems, whole or partial, regular or not, unless the caller says which."""
    rules = draw(house_rules()) if rules is None else rules
    in_all = len(SEATS) * len(contracts_of(rules))
    number = in_all if whole else draw(st.integers(0, min(most_deals, in_all)))
    match = Match(draw(tricky_names()), draw(seats), rules)
    deals = draw(
        deals_in_order(
            match,
            number=number,
            in_turn=draw(st.booleans()) if in_turn is None else in_turn,
            dutiful=draw(st.booleans()) if dutiful is None else dutiful,
            open_last=not whole and draw(st.booleans()),
        )
    )
    return replace(
        match,
        deals=deals,
        agreed_points=draw(_agreed(number)),
        replaced=draw(_replaced(number)),
        title=draw(st.sampled_from(("", "Thursday table", "Würfel & Karten"))),
        date=draw(st.sampled_from(("", "2026-11-26", "2024-02-29"))),
        place=draw(st.sampled_from(("", "Café Ütopia"))),
        stake=draw(st.sampled_from((None, Stake("0.05", "EUR"), Stake("1")))),
        abandoned=draw(st.booleans()) and not whole,
    )


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, those that look like what is wanted among them."""
    texts = st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            ("Anna", "anna", "１３", "", "NQ", "standard", "\ud800", "x" * 300, "{name}", "\x00")
        ),
    )
    numbers = st.one_of(
        st.integers(-20, 20), st.sampled_from((10**9, -(10**30), 2.0, 1e300, 0.5, float("inf")))
    )
    leaves = st.one_of(st.none(), st.booleans(), numbers, texts)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
        max_leaves=5,
    )


def _places(value: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where in a JSON value something stands that could be replaced, the whole itself first."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner += value.items()
    if isinstance(value, list):
        inner += enumerate(value)
    return [place, *(p for key, v in inner for p in _places(v, (*place, key)))]


def _put(value: Any, place: tuple[str | int, ...], new: Any) -> Any:
    """The JSON value with something else in that place."""
    if not place:
        return new
    key, *further = place
    changed = value.copy()
    changed[key] = _put(value[key], tuple(further), new)
    return changed


@st.composite
def spoilt_files(draw: st.DrawFn) -> Any:
    """The JSON of a match file in which one to three things were replaced by anything."""
    file: Any = write_match(draw(matches(most_deals=5)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(_places(file)[1:] or [()]))
        file = _put(file, place, draw(json_values()))
        if not isinstance(file, dict | list):
            break
    return file


@st.composite
def reordered(draw: st.DrawFn, value: Any) -> Any:
    """The same JSON value with the fields of its objects in another order."""
    if isinstance(value, dict):
        return {k: draw(reordered(value[k])) for k in draw(st.permutations(list(value)))}
    return [draw(reordered(v)) for v in value] if isinstance(value, list) else value
