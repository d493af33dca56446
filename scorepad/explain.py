"""Sentences for every figure, as keys and values that a page or a sheet puts into words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
from scorepad.doubles import ALL_DOUBLES, Counted, Doubles, speaking_order
from scorepad.ledger import Settlement
from scorepad.match import Deal
from scorepad.rules import Cutter, Dealer, Leader, Message, Rules, Values
from scorepad.standing import DealResult, Standing
from scorepad.table import PerSeat, Points, Seat


@dataclass(frozen=True, slots=True)
class Why:
    """Why a deal scored as it did: what was taken, each basic score, each pair, the row's check."""

    doubles: tuple[Message, ...]
    tally: tuple[Message, ...]
    basic: PerSeat[Message]
    pairs: tuple[Message, ...]
    check: Message
    duties: tuple[Message, ...]


def why(result: DealResult, rules: Rules) -> Why | None:
    """The sentences behind the figures of a deal, or None while it has none."""
    deal, pairs = result.deal, result.settlements
    if not isinstance(deal, Deal) or pairs is None or result.basic is None:
        return None
    values = {"contract": deal.contract, "total": result.contract_total}
    return Why(
        doubles=doubles_spoken(deal),
        tally=tuple(tally(deal)),
        basic=basic(deal, result.basic, rules),
        pairs=tuple(pair(p, deal.doubles, result.basic) for p in pairs),
        check=Message("row_check", values),
        duties=tuple(duties(result, deal, rules)),
    )


def tally(deal: Deal) -> Iterator[Message]:
    """What the table counted, one sentence for each player who took something."""
    match deal.tally:
        case None:
            yield Message("was_passed_out" if deal.passed_out else "is_open", {"contract": deal.contract})
        case KingTaken(taker):
            yield Message("took_king", {"player": taker})
        case TricksTaken(counts):
            yield from _taken("took_tricks", counts)
        case QueensTaken(counts):
            yield from _taken("took_queens", counts)
        case HeartsTaken(counts, ace):
            yield from _taken("took_hearts", counts, ace)
        case LastTwoTaken(second_last, last) if second_last is last:
            yield Message("took_last_two", {"player": last})
        case LastTwoTaken(second_last, last):
            yield Message("took_second_last", {"player": second_last})
            yield Message("took_last", {"player": last})
        case Finished(order):
            yield Message("finished", {"first": order[0], "then": order[1:]})
        case most:
            yield Message("held_most", {"players": most.takers, "n": len(most.takers)})


def _taken(key: str, counts: Points, ace: Seat | None = None) -> Iterator[Message]:
    """A sentence for each player who took something; the taker of the ace has one of its own."""
    for seat, n in counts.seats():
        if n:
            yield Message(f"{key}_and_ace" if seat is ace else key, {"player": seat, "n": n})


def basic(deal: Deal, points: Points, rules: Rules) -> PerSeat[Message]:
    """The arithmetic of each basic score."""
    values = rules.values

    def counted(seat: Seat, n: int, each: int) -> Message:
        return Message("basic_count", {"player": seat, "n": n, "each": each, "basic": points[seat]})

    def sentence(seat: Seat) -> Message:
        match deal.tally:
            case TricksTaken(counts):
                each = values.trump_trick if deal.contract is Contract.T else values.trick
                return counted(seat, counts[seat], each)
            case QueensTaken(counts):
                return counted(seat, counts[seat], values.queen)
            case HeartsTaken(counts, ace) if seat is ace:
                said = {"player": seat, "n": counts[seat] - 1, "each": values.heart, "ace": values.ace}
                return Message("basic_hearts_and_ace", {**said, "basic": points[seat]})
            case HeartsTaken(counts):
                return counted(seat, counts[seat], values.heart)
            case Finished(order):
                place = order.index(seat) + 1
                return Message("basic_place", {"player": seat, "place": place, "basic": points[seat]})
            case None:
                key = "basic_passed_out_declarer" if seat is deal.declarer else "basic_passed_out"
                return Message(key, {"player": seat, "basic": points[seat]})
            case _:
                return _not_counted(deal.tally, seat, points[seat], values)

    return PerSeat.of(sentence)


def _not_counted(tally: Tally, seat: Seat, points: int, values: Values) -> Message:
    """The basic score where nothing is counted: what was taken at once, or shared."""
    told = {"player": seat, "basic": points}
    match tally:
        case LastTwoTaken(second_last, last) if seat is second_last is last:
            both = {"second_last": values.second_last_trick, "last": values.last_trick}
            return Message("basic_last_two", {**told, **both})
        case MostOfASuit(takers) if seat in takers and len(takers) > 1:
            return Message("basic_shared", {**told, "all": values.ravage_city, "n": len(takers)})
    return Message("basic_plain", told)


def pair(settled: Settlement, made: Doubles, points: Points) -> Message:
    """How one pair settled, also when nothing moved, and why."""
    a, b = settled.first, settled.second
    doubler, doubled = (a, b) if (a, b) in made else (b, a)
    values = {
        "doubler": doubler,
        "doubled": doubled,
        "doubler_basic": points[doubler],
        "doubled_basic": points[doubled],
        "difference": abs(settled.difference),
        "n": settled.points,
        "winner": settled.winner,
        "loser": settled.loser,
    }
    if not settled.doubles:
        return Message("pair_without_business", {"first": a, "second": b})
    key = "pair_doubled" if settled.doubles == 1 else "pair_redoubled"
    return Message(key if settled.points else key + "_equal", values)


def doubles_spoken(deal: Deal) -> tuple[Message, ...]:
    """Who doubled whom, in the order of speaking; one sentence says so when nobody did.

    Doubling somebody who has spoken and doubled you is a redouble (rules.md, 3.3 and 3.4).
    """
    said, spoken = [], list[Seat]()
    for seat in speaking_order(deal.declarer):
        whom = tuple(d.doubled for d in ALL_DOUBLES if d.doubler is seat and d in deal.doubles)
        back = tuple(s for s in whom if s in spoken and (s, seat) in deal.doubles)
        first = tuple(s for s in whom if s not in back)
        spoken.append(seat)
        if whom == seat.others and first:
            said.append(Message("doubled_everybody", {"player": seat}))
        elif first and back:
            said.append(Message("doubled_and_redoubled", {"player": seat, "whom": first, "back": back}))
        elif whom:
            said.append(Message("redoubled" if back else "doubled", {"player": seat, "whom": whom}))
    return tuple(said) or (Message("no_doubles"),)


def duties(result: DealResult, deal: Deal, rules: Rules) -> Iterator[Message]:
    """What each compulsory double of this deal was: made, forced and missing, or made but not counted."""
    for seat in deal.declarer.others:
        if told := duty(result, deal, seat, rules):
            yield told


def duty(result: DealResult, deal: Deal, player: Seat, rules: Rules) -> Message | None:
    """What one player's double of the declarer was to his duty; None where he did not have to and passed."""
    done = result.counted[player]
    values = {"player": player, "declarer": deal.declarer, "n": done.owed(rules)}
    if (player, deal.declarer) in deal.doubles:
        forced = player in result.forced
        left = done.after(deal.contract).owed(rules)
        key = "double_was_forced" if forced else _duty_done(done, deal.contract, rules)
        return Message(key, {**values, "contract": deal.contract, "left": left})
    return Message("double_forced_but_missing", values) if player in result.forced else None


def _duty_done(done: Counted, contract: Contract, rules: Rules) -> str:
    """What a double of the declarer that was not forced is worth to his duty."""
    if not done.owed(rules):
        return "double_not_needed"
    return "double_counts" if done.would_count(contract, rules) else "double_does_not_count"


def read_back(result: DealResult) -> tuple[Message, ...]:
    """The deal said aloud after it was saved: what was declared, who took what, what each business moved.

    The clauses of one sentence: `Words.one` joins them.
    """
    deal = result.deal
    if not isinstance(deal, Deal):
        return ()
    opening = Message(
        "read_back", {"number": result.number, "declarer": deal.declarer, "contract": deal.contract}
    )
    business = [_moved(s) for s in result.settlements or () if s.doubles]
    spoken = doubles_spoken(deal) if deal.is_open and deal.doubles else ()
    return (opening, *tally(deal), *spoken, *business)


def _moved(settled: Settlement) -> Message:
    """What the business of one pair moved."""
    if not settled.points:
        return Message("moved_nothing", {"first": settled.first, "second": settled.second})
    key = "moved" if settled.doubles == 1 else "moved_twice"
    return Message(key, {"n": settled.points, "loser": settled.loser, "winner": settled.winner})


def who_deals(declarer: Seat, rules: Rules) -> Message:
    """Who deals, who cuts and who leads when this player declares."""
    play = rules.play
    dealer = declarer if play.dealer is Dealer.DECLARER else declarer.right
    cutter = {
        Cutter.RIGHT_OF_DEALER: dealer.right,
        Cutter.OPPOSITE_DECLARER: declarer.left.left,
        Cutter.LEFT_OF_DEALER: dealer.left,
    }[play.cutter]
    leader = declarer if play.leader is Leader.DECLARER else dealer.left
    return Message("who_deals", {"dealer": dealer, "cutter": cutter, "leader": leader})


def forced_because(standing: Standing, player: Seat, declarer: Seat, contract: Contract) -> Message:
    """Why a player must double this declarer in this contract."""
    left = standing.left(declarer)
    return Message(
        "must_double",
        {
            "player": player,
            "declarer": declarer,
            "n": standing.owed(player, declarer),
            "left": len(left) + (contract not in left),
        },
    )


def counted_deals(
    standing: Standing, player: Seat, declarer: Seat, *, before: int | None = None
) -> Iterator[Message]:
    """Which deals of a declarer, before one or all, counted as this player's compulsory doubles."""
    for result in standing.deals[: None if before is None else before - 1]:
        deal = result.deal
        if not isinstance(deal, Deal) or deal.declarer is not declarer or result.mistakes:
            continue
        values = {"number": result.number, "contract": deal.contract, "player": player}
        yield Message(_how_counted(result, deal, player, standing.match.rules), values)


def _how_counted(result: DealResult, deal: Deal, player: Seat, rules: Rules) -> str:
    """Whether a deal counted as one of a player's compulsory doubles, or why not."""
    done, forced = result.counted[player], "_forced" if player in result.forced else ""
    if (player, deal.declarer) in deal.doubles:
        if not done.would_count(deal.contract, rules):
            return "deal_positive_not_counted"
        return "deal_counted" if done.owed(rules) else "deal_not_needed"
    if deal.is_open:
        return "deal_open"
    return ("deal_passed_out" if deal.passed_out else "deal_not_doubled") + forced
