"""What the table page tells those who watch: the hand being played, and what it asks of each player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask_babel import gettext, ngettext

from scorepad import explain
from scorepad.contracts import Contract
from scorepad.doubles import Doubles
from scorepad.labels import isolated
from scorepad.match import Deal
from scorepad.messages import Words
from scorepad.standing import Standing
from scorepad.store import Draft
from scorepad.table import SEATS, Seat


@dataclass(frozen=True)
class Debt:
    """What one player owes one declarer, with that declarer's declarations left."""

    declarer: Seat
    owed: int
    left: int
    is_tight: bool
    shortfall: int


@dataclass(frozen=True)
class Now:
    """What happens at the table: the hand with its doubles, and who must double whom.

    `contract` is None before the declaration; until everybody has spoken, `is_played` is False.
    """

    contract: Contract | None
    is_played: bool
    doubles: tuple[str, ...]
    must: tuple[tuple[str, Seat, Seat], ...]


@dataclass(frozen=True)
class You:
    """What one player is told about himself: what he must do now, his business, and whom he owes what."""

    seat: Seat
    name: str
    must: tuple[str, ...]
    business: tuple[str, ...]
    debts: tuple[tuple[str, bool, Seat], ...]


def hand(where: Standing, draft: Draft) -> Deal | None:
    """The hand that is being declared, doubled or played."""
    return where.playing.playing if where.playing and draft.deal is not None else None


def has_everybody_spoken(draft: Draft) -> bool:
    """Whether the doubling is over and the hand is played."""
    return draft.spoken == len(SEATS)


def debts(where: Standing, player: Seat) -> tuple[Debt, ...]:
    """Whom this player still owes doubles, clockwise."""
    found = []
    for declarer in player.others:
        if owed := where.owed(player, declarer):
            left = where.left(declarer)
            chances = where.counted[declarer][player].chances(left, where.match.rules)
            short = where.shortfall(player, declarer)
            found.append(Debt(declarer, owed, len(left), owed >= chances, short))
    return tuple(found)


def now(where: Standing, draft: Draft, say: Words) -> Now | None:
    """What happens at the table, or None when there is nothing to say beside who declares."""
    deal, is_played = hand(where, draft), has_everybody_spoken(draft)
    must = () if deal and is_played else tuple(_must_double(where, deal, say))
    if deal is None:
        return Now(None, False, (), must) if must else None
    spoken = tuple(say(m) for m in explain.doubles_spoken(deal))
    if not deal.doubles and not is_played:
        spoken = (gettext("No double yet."),)
    return Now(deal.contract, is_played, spoken, must)


def forced_in(where: Standing, deal: Deal | None, player: Seat) -> tuple[Contract, ...]:
    """In which of the contracts that may be declared now this player must double and has not yet."""
    following = where.next
    if following is None or (deal and (player, deal.declarer) in deal.doubles):
        return ()
    return tuple(c for c, forced in following.must_double.items() if player in forced)


def _must_double(where: Standing, deal: Deal | None, say: Words) -> Iterator[tuple[str, Seat, Seat]]:
    """Who must double now: whatever is declared, or in some contracts only."""
    if (following := where.next) is None:
        return
    for player in following.declarer.others:
        if not (forced := forced_in(where, deal, player)):
            continue
        sentence = say(explain.forced_because(where, player, following.declarer, forced[0]))
        if len(forced) < len(following.must_double):
            sentence += " " + gettext("In:") + " " + ", ".join(say.write(c) for c in forced)
        yield sentence, player, following.declarer


def you(where: Standing, draft: Draft, say: Words, player: Seat) -> You:
    """What the page tells this player about himself."""
    deal = hand(where, draft)
    return You(
        player,
        where.match.names[player],
        tuple(_you_must(where, draft, say, player)),
        tuple(_your_business(deal, player, say, has_everybody_spoken(draft))) if deal else (),
        tuple(_your_debts(where, player)),
    )


def _you_must(where: Standing, draft: Draft, say: Words, player: Seat) -> Iterator[str]:
    """Whom this player must double now, in which contracts if not in all."""
    deal, following = hand(where, draft), where.next
    if following is None or not (forced := forced_in(where, deal, player)):
        return
    declarer = say.write(following.declarer)
    if deal and has_everybody_spoken(draft):
        yield gettext("You had to double %(declarer)s and did not.", declarer=declarer)
    elif len(forced) == len(following.must_double):
        yield gettext("You must double %(declarer)s now.", declarer=declarer)
    else:
        contracts = ", ".join(say.write(c) for c in forced)
        yield gettext(
            "You must double %(declarer)s now in: %(contracts)s.", declarer=declarer, contracts=contracts
        )


def _your_business(deal: Deal, player: Seat, say: Words, is_played: bool) -> Iterator[str]:
    """With whom this player is in business in the hand, and who doubled whom."""
    mine, theirs, both = (
        tuple(s for s in player.others if _kind(deal.doubles, player, s) == k) for k in KINDS
    )
    if both:
        yield gettext("You and %(names)s doubled each other.", names=say.listed([say.write(s) for s in both]))
    if mine:
        yield gettext("You doubled %(names)s.", names=say.write(mine))
    if theirs:
        yield gettext("%(names)s doubled you.", names=say.write(theirs))
    if not (mine or theirs or both):
        yield gettext("You have no business in this hand.") if is_played else gettext("No business yet.")


#: Who doubled whom in a pair: you, the other, both of you.
KINDS = ((True, False), (False, True), (True, True))


def _kind(made: Doubles, player: Seat, other: Seat) -> tuple[bool, bool]:
    """Whether this player doubled the other, and the other him."""
    return (player, other) in made, (other, player) in made


def _your_debts(where: Standing, player: Seat) -> Iterator[tuple[str, bool, Seat]]:
    """Each debt as a sentence, whether it presses, and to whom."""
    names = where.match.names.map(isolated)
    for debt in debts(where, player):
        name = names[debt.declarer]
        if debt.shortfall:
            short = gettext("Short of %(name)s by %(n)s: too late to make it.", name=name, n=debt.shortfall)
            yield short, True, debt.declarer
        else:
            left = ngettext(
                "You owe %(name)s %(owed)s: %(num)s declaration left.",
                "You owe %(name)s %(owed)s: %(num)s declarations left.",
                debt.left,
                name=name,
                owed=debt.owed,
            )
            yield left, debt.is_tight, debt.declarer
