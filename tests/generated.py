"""Random whole and partial matches of every house rule, from a seed: quick, and the same on every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

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
    most_compulsory_doubles,
)
from scorepad.doubles import Double, Doubles, may_double, speaking_order
from scorepad.match import AgreedPoints, Deal, Match, passes_out
from scorepad.rules import PRESETS, Deck, Doubling, PositivesCount, Rotation, Rules, Undoubled, Values
from scorepad.standing import Standing, standing
from scorepad.table import SEATS, PerSeat, Points, Seat

NAMES = PerSeat("Anna", "Ben", "Carla", "Dan")


def random_matches(seed: int, how_many: int) -> Iterator[Match]:
    """So many matches without problems; some end early, some with a hand being played."""
    random = Random(seed)
    for _ in range(how_many):
        yield random_match(random)


def random_match(random: Random) -> Match:
    """One match: declarers mostly in turn, doubles at random, forced ones mostly made."""
    rules = random_rules(random)
    match = Match(NAMES, random.choice(SEATS), rules)
    where = standing(match)
    for _ in range(random.randrange(0, where.deals_in_all + 1)):
        match = replace(match, deals=(*match.deals, random_deal(random, where)))
        where = standing(match)
    if random.random() < 0.3 and (following := where.next) is not None:
        contract = random.choice(list(following.must_double))
        doubles = random_doubles(random, where, following.declarer, contract)
        match = replace(match, deals=(*match.deals, Deal(following.declarer, contract, doubles)))
    return replace(match, agreed_points=random_agreed(random, len(match.deals)))


def random_rules(random: Random) -> Rules:
    """A preset, or any house rules that can be scored."""
    if random.random() < 0.3:
        return random.choice(list(PRESETS.values()))
    rules = Rules(
        rotation=random.choice(list(Rotation)),
        doubling=random.choice(list(Doubling)),
        flank_doubles_in_positives=random.random() < 0.5,
        declarer_may_open=random.random() < 0.5,
        positives_count=random.choice(list(PositivesCount)),
        undoubled_negative=random.choice(list(Undoubled)),
        ravage_city=random.random() < 0.5,
        deck=random.choice(list(Deck)),
        values=random_values(random),
    )
    return replace(rules, compulsory_doubles=random.randint(0, most_compulsory_doubles(rules)))


def random_values(random: Random) -> Values:
    """The standard values, or any others."""
    if random.random() < 0.5:
        return Values()
    king, trick, queen, heart, ace, second_last, last, trump = (random.randint(-30, 30) for _ in range(8))
    a, b, c, d = (random.randint(-50, 50) for _ in range(4))
    return Values(king, trick, queen, heart, ace, second_last, last, trump, (a, b, c, d), -24)


def random_deal(random: Random, where: Standing) -> Deal:
    """The next deal, finished; now and then somebody declares out of turn."""
    following, rules = where.next, where.match.rules
    assert following is not None
    waiting = [s for s in SEATS if where.left(s)]
    declarer = random.choice(waiting) if random.random() < 0.1 else following.declarer
    contract = random.choice(where.left(declarer))
    deal = Deal(declarer, contract, random_doubles(random, where, declarer, contract))
    if not deal.doubles and passes_out(contract, rules):
        return replace(deal, passed_out=True)
    return replace(deal, tally=random_tally(random, contract, rules))


def random_doubles(random: Random, where: Standing, declarer: Seat, contract: Contract) -> Doubles:
    """Legal doubles in the order of speaking, those that are forced mostly among them."""
    made: set[Double] = set()
    if random.random() < 0.9:
        made |= {Double(s, declarer) for s in where.must_double(declarer, contract)}
    eagerness = random.choice([0, 0.1, 0.4, 0.8])
    for seat in speaking_order(declarer):
        for other in may_double(seat, declarer, contract, where.match.rules, frozenset(made)):
            if random.random() < eagerness:
                made.add(Double(seat, other))
    return frozenset(made)


def random_counts(random: Random, total: int) -> Points:
    """Four counts that make this number."""
    a, b, c = sorted(random.randint(0, total) for _ in range(3))
    return PerSeat(a, b - a, c - b, total - c)


def random_tally(random: Random, contract: Contract, rules: Rules) -> Tally:
    """What the table may have counted."""
    order = random.sample(SEATS, 4)
    match contract:
        case Contract.B:
            return KingTaken(order[0])
        case Contract.M | Contract.T:
            return TricksTaken(random_counts(random, rules.deck.tricks))
        case Contract.NQ:
            return QueensTaken(random_counts(random, QUEENS))
        case Contract.NH:
            counts = random_counts(random, rules.deck.tricks)
            return HeartsTaken(counts, random.choice([s for s in SEATS if counts[s]]))
        case Contract.NL2:
            return LastTwoTaken(random.choice(SEATS), random.choice(SEATS))
        case Contract.D:
            return Finished((order[0], order[1], order[2], order[3]))
        case Contract.RC:
            return MostOfASuit(tuple(sorted(order[: random.randint(1, 4)])))


def random_agreed(random: Random, deals: int) -> tuple[AgreedPoints, ...]:
    """Now and then points were agreed."""
    if random.random() < 0.8:
        return ()
    points = PerSeat(*[random.randint(-20, 20) for _ in SEATS])
    return (AgreedPoints(random.randint(0, deals), points, "agreed"),)
