"""What the rules card says: the rules of a table in short sentences, every number from the rules record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.contracts import KINDS, Contract, contract_total, contracts_of, match_total, passed_out
from scorepad.explain import who_deals
from scorepad.house import departures
from scorepad.match import passes_out
from scorepad.messages import CONTRACT_NAMES, N_, NN_, PRESET_NAMES, Words, signed
from scorepad.rules import (
    Doubling,
    LeadingHearts,
    PositivesCount,
    Redoubles,
    Rotation,
    Rules,
    Trumping,
    Undoubled,
    preset_of,
)
from scorepad.stakes import THINGS
from scorepad.table import SEATS, PerSeat, Seat

#: The players as somebody at the table sees them from the declarer.
ROLES = PerSeat(
    N_("the declarer"),
    N_("the player to the declarer’s left"),
    N_("the player opposite the declarer"),
    N_("the player to the declarer’s right"),
)
DECLARER = Seat.NORTH

HOUSE_RULES = N_("House rules")
WORTH = N_("{what} {value:+}")
BETWEEN = N_(", ")
ACE_INSTEAD = N_("{worth} instead")
SHARED = N_("{worth}, shared by those who tie")
BY_PLACE = N_("{worth} in the order of finishing")
PASSED_OUT = N_("{declarer:+} / {other:+}")
ALWAYS_PLAYED = N_("played")

DEALS = N_("Each player declares each of the {contracts} contracts once: {deals} deals.")
SUMS = N_("One player’s {contracts} make {set:+}, a whole match {match:+}.")
CARDS = N_("{cards} cards, {each} to each player, the ace highest.")
MAY_STOP = N_("{contracts} may stop as soon as all that counts is taken.")

ROTATIONS: Mapping[Rotation, str] = {
    Rotation.EVERY_DEAL: N_("After every deal the declaration goes to the next player, clockwise."),
    Rotation.SEVEN_IN_A_ROW: N_("Each player declares all his contracts in a row, then the next, clockwise."),
}

SPEAKING = N_("After the declaration each player speaks once, from the declarer’s left, the declarer last.")
MAY_DOUBLE: Mapping[tuple[Doubling, bool], str] = {
    (Doubling.ANYONE, False): N_(
        "In a negative contract one may double any of the others, in Trumps and Dominoes only the declarer; "
        "{declarer}"
    ),
    (Doubling.ANYONE, True): N_("In every contract one may double any of the others; {declarer}"),
    (Doubling.DECLARER_ONLY, False): N_("One may double only the declarer; {declarer}"),
    (Doubling.DECLARER_ONLY, True): N_("One may double only the declarer; {declarer}"),
}
DECLARER_MAY: Mapping[bool, str] = {
    False: N_("the declarer may only double back those who doubled him."),
    True: N_("the declarer may double anyone."),
}
SETTLEMENT = N_(
    "Two players between whom a double stands settle the difference of their basic scores, after a redouble "
    "(each doubled the other) twice that, and the better of the two gets it."
)
SECOND_ROUND = N_("Redoubles are spoken in a second round.")

NO_COMPULSORY = N_("No double is compulsory.")
COMPULSORY = NN_(
    "Each player must double each other player, as declarer, at least once.",
    "Each player must double each other player, as declarer, at least {n} times.",
)
POSITIVES: Mapping[PositivesCount, str] = {
    PositivesCount.ALL: N_("Doubles in Trumps and Dominoes count."),
    PositivesCount.NONE: N_("Doubles in Trumps and Dominoes do not count."),
    PositivesCount.ONE: N_("Of the doubles in Trumps and Dominoes one counts."),
}
FORCED = N_("Whoever owes a declarer as many doubles as he can still make must make the next one now.")

UNDOUBLED: Mapping[Undoubled, str] = {
    Undoubled.PASSED_OUT: N_(
        "A negative deal that nobody doubles is passed out: it is not played, and its contract is used. "
        "Each other player gets a third of its total, rounded down, the declarer the rest."
    ),
    Undoubled.PLAYED: N_("A negative deal that nobody doubles is played all the same."),
}

TRUMPING: Mapping[Trumping, str] = {
    Trumping.MUST_OVERTRUMP: N_(
        "In Trumps, whoever cannot follow suit must trump, and beat the trumps already played if he can."
    ),
    Trumping.FREE: N_("In Trumps, whoever cannot follow suit may play what he likes."),
}
LEADING_HEARTS: Mapping[LeadingHearts, str] = {
    LeadingHearts.ONLY_HEARTS_LEFT: N_(
        "In Barbu and No Hearts nobody leads a heart while he holds another suit."
    ),
    LeadingHearts.ONCE_BROKEN: N_(
        "In Barbu and No Hearts nobody leads a heart before one has been thrown on another suit."
    ),
}
DOMINOES = N_(
    "In Dominoes the declarer names the rank every suit starts at; suits grow up and down card by card, and "
    "whoever can play must."
)
LOW_ACE: Mapping[bool, str] = {
    False: N_("The ace comes after the king."),
    True: N_("The ace comes after the king or before the lowest card."),
}


@dataclass(frozen=True, slots=True)
class CardLine:
    """One contract on the card: its values, what a deal of it makes, what passing it out is worth.

    `passed_out` is empty at a table that plays every deal.
    """

    contract: Contract
    name: str
    worth: str
    total: str
    passed_out: str


@dataclass(frozen=True, slots=True)
class Card:
    """Everything the rules card says; `departures` is in what the rules are not Standard."""

    name: str
    departures: tuple[str, ...]
    negatives: tuple[CardLine, ...]
    positives: tuple[CardLine, ...]
    can_pass_out: bool
    match: tuple[str, ...]
    doubling: tuple[str, ...]
    compulsory: tuple[str, ...]
    undoubled: str
    roles: tuple[tuple[str, str], ...]
    play: tuple[str, ...]


def card(rules: Rules, words: Words) -> Card:
    """The rules card of a table."""
    lines = tuple(_line(c, rules, words) for c in contracts_of(rules))
    preset = preset_of(rules)
    text = words.gettext
    return Card(
        name=text(PRESET_NAMES[preset] if preset else HOUSE_RULES),
        departures=tuple(departures(rules, words)),
        negatives=tuple(line for line in lines if not line.contract.is_positive),
        positives=tuple(line for line in lines if line.contract.is_positive),
        can_pass_out=any(passes_out(c, rules) for c in contracts_of(rules)),
        match=tuple(_match(rules, words)),
        doubling=(
            text(SPEAKING),
            words.fill(
                MAY_DOUBLE[rules.doubling, rules.flank_doubles_in_positives],
                {"declarer": text(DECLARER_MAY[rules.declarer_may_open])},
            ),
            text(SETTLEMENT),
            *([text(SECOND_ROUND)] if rules.play.redoubles is Redoubles.SECOND_ROUND else []),
        ),
        compulsory=tuple(_compulsory(rules, words)),
        undoubled=text(UNDOUBLED[rules.undoubled_negative]),
        roles=_roles(rules, words),
        play=(
            text(TRUMPING[rules.play.trumping]),
            text(LEADING_HEARTS[rules.play.leading_hearts]),
            text(DOMINOES),
            text(LOW_ACE[rules.play.low_ace]),
        ),
    )


def _line(contract: Contract, rules: Rules, words: Words) -> CardLine:
    """One contract with its values."""
    out = ""
    if contract.is_positive:
        out = words.gettext(ALWAYS_PLAYED)
    elif passes_out(contract, rules):
        points = passed_out(contract, DECLARER, rules)
        out = words.fill(PASSED_OUT, {"declarer": points[DECLARER], "other": points[DECLARER.left]})
    return CardLine(
        contract=contract,
        name=words.gettext(CONTRACT_NAMES[contract]),
        worth=_worth(contract, rules, words),
        total=signed(contract_total(contract, rules)),
        passed_out=out,
    )


def _worth(contract: Contract, rules: Rules, words: Words) -> str:
    """What each thing taken is worth in this contract."""
    things = THINGS[contract](rules)
    if contract is Contract.D:
        worth = [signed(value) for _, value in things]
    else:
        worth = [words.fill(WORTH, {"what": words(what), "value": value}) for what, value in things]
    said = words.gettext(BETWEEN).join(worth)
    more = {Contract.NH: ACE_INSTEAD, Contract.RC: SHARED, Contract.D: BY_PLACE}.get(contract)
    return words.fill(more, {"worth": said}) if more else said


def _match(rules: Rules, words: Words) -> Iterator[str]:
    """The cards, how many deals there are, who declares when, and what they sum to."""
    contracts = contracts_of(rules)
    numbers: Mapping[str, Any] = {
        "cards": int(rules.deck),
        "each": rules.deck.tricks,
        "contracts": len(contracts),
        "deals": len(SEATS) * len(contracts),
        "set": match_total(rules) // len(SEATS),
        "match": match_total(rules),
    }
    yield words.fill(CARDS, numbers)
    yield words.fill(DEALS, numbers)
    yield words.gettext(ROTATIONS[rules.rotation])
    yield words.fill(SUMS, numbers)
    stopping = tuple(words.gettext(CONTRACT_NAMES[c]) for c in contracts if KINDS[c].may_stop_early)
    yield words.fill(MAY_STOP, {"contracts": words.listed(list(stopping))})


def _compulsory(rules: Rules, words: Words) -> Iterator[str]:
    """How often each declarer must be doubled, what counts, and when a double is forced."""
    if not rules.compulsory_doubles:
        yield words.gettext(NO_COMPULSORY)
        return
    yield words.fill_counted(COMPULSORY, {"n": rules.compulsory_doubles})
    yield words.gettext(POSITIVES[rules.positives_count])
    yield words.gettext(FORCED)


def _roles(rules: Rules, words: Words) -> tuple[tuple[str, str], ...]:
    """Who deals, who cuts and who leads, seen from the declarer."""
    who = who_deals(DECLARER, rules).values
    labels = (("dealer", N_("Deals")), ("cutter", N_("Cuts")), ("leader", N_("Leads")))
    return tuple((words.gettext(label), words.gettext(ROLES[who[role]])) for role, label in labels)
