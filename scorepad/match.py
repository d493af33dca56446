"""A match: what happened, as frozen records, and what can be wrong with each."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from scorepad.contracts import KINDS, Contract, Tally, contracts_of, passed_out, rules_mistakes
from scorepad.doubles import Doubles, doubles_mistakes
from scorepad.rules import LARGEST_VALUE, RuleError, Rules, Undoubled
from scorepad.table import PerSeat, Points, Seat

LONGEST_NAME = 40
LONGEST_TEXT = 200


class Suit(StrEnum):
    """A trump suit, where the table notes it."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


@dataclass(frozen=True, slots=True)
class Deal:
    """What happened in one deal: declaration and doubles, then the tally, or that it was passed out.

    With neither a tally nor `passed_out` the deal is open: the hand is being played.
    """

    declarer: Seat
    contract: Contract
    doubles: Doubles = frozenset()
    tally: Tally | None = None
    passed_out: bool = False
    trump: Suit | None = None
    start: str | None = None
    note: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the hand is still being played."""
        return self.tally is None and not self.passed_out


@dataclass(frozen=True, slots=True)
class BrokenDeal:
    """A deal that cannot be read: what is known of it, and everything that is wrong with it."""

    mistakes: tuple[RuleError, ...]
    declarer: Seat | None = None
    contract: Contract | None = None


@dataclass(frozen=True, slots=True)
class AgreedPoints:
    """Points the table agreed on, after a deal (0: before the first), with their reason."""

    after_deal: int
    points: Points
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """From this deal on somebody else sits here; the seat keeps its points and its debts."""

    from_deal: int
    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Stake:
    """What a point is worth: a decimal number as text, and the currency's name."""

    per_point: str
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """One match as it was recorded: players clockwise, house rules, deals in order, agreed points."""

    players: PerSeat[str]
    first_declarer: Seat = Seat.NORTH
    rules: Rules = field(default_factory=Rules)
    deals: tuple[Deal | BrokenDeal, ...] = ()
    agreed_points: tuple[AgreedPoints, ...] = ()
    title: str = ""
    date: str = ""
    place: str = ""
    stake: Stake | None = None
    replaced: tuple[Replacement, ...] = ()
    abandoned: bool = False

    def names_at(self, deal: int) -> PerSeat[str]:
        """Who sits where at the deal of this number, replacements counted."""
        names = self.players
        for r in sorted(self.replaced, key=lambda r: r.from_deal):
            if r.from_deal <= deal:
                names = names.put(r.seat, r.name)
        return names

    @property
    def names(self) -> PerSeat[str]:
        """Who sits where now."""
        return self.names_at(len(self.deals) + 1)


class NameMissing(RuleError, field="players"):
    """Every player needs a name (seat)."""


class NameTooLong(RuleError, field="players"):
    """A name is longer than fits (seat, most)."""


class NameNotPrintable(RuleError, field="players"):
    """A name with control characters cannot be written anywhere (seat)."""


class NamesAlike(RuleError, field="players"):
    """Two players whose names look the same would be taken for one another (name, other)."""


class TextTooLong(RuleError):
    """A title or note is longer than fits (name, most)."""


class TextNotPrintable(RuleError):
    """A title or note with control characters cannot be written anywhere (name)."""


class AgreedAfterNoDeal(RuleError, field="agreed_points"):
    """Agreed points stand after a deal there is, or before the first (after_deal, most)."""


class AgreedTooLarge(RuleError, field="agreed_points"):
    """Agreed points beyond what scorepad counts (most)."""


class ReplacedAtNoDeal(RuleError, field="replaced"):
    """A player is replaced from a deal there is, or from the next one (from_deal, most)."""


class ContractNotInGame(RuleError, field="contract"):
    """Ravage City is declared only at a table that plays it (contract)."""


class ContractDeclaredTwice(RuleError, field="contract"):
    """A declarer declares each contract once (declarer, contract, used)."""


class WrongTally(RuleError, field="result"):
    """The tally is that of another contract (contract)."""


class PassedOutWithResult(RuleError, field="passed_out"):
    """A deal that was passed out was not played, so it has no result."""


class PassedOutButDoubled(RuleError, field="passed_out"):
    """One double is enough for the deal to be played."""


class PositivePassedOut(RuleError, field="passed_out"):
    """A positive contract is always played (contract)."""


class PassedOutButPlayedHere(RuleError, field="passed_out"):
    """At this table a deal that nobody doubled is played (contract)."""


class NobodyDoubled(RuleError, field="passed_out"):
    """A negative deal that nobody doubled is passed out and has no result (contract)."""


class OpenButNotLast(RuleError, field="result"):
    """Only the last deal of a match may be open."""


class ResultMissing(RuleError, field="result"):
    """A deal that is saved needs its result, or that it was passed out (contract)."""


class NotedElsewhere(RuleError, field="contract"):
    """A trump suit belongs to Trumps, a starting rank to Dominoes (name, contract)."""


def looks_like(name: str) -> str:
    """What two names share when a reader would take them for one: case, width and spaces do not count."""
    composed = unicodedata.normalize("NFKC", name[:LONGEST_TEXT])  # more is too long for a name anyway
    shown = "".join(c for c in composed if unicodedata.category(c) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", shown.casefold()).split())


def _has_controls(text: str) -> bool:
    """Whether a text has characters that cannot be written: controls, line breaks, half characters."""
    return not text.isprintable() and any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in text)


def name_mistakes(names: PerSeat[str]) -> Iterator[RuleError]:
    """What is wrong with the names of the four players."""
    for seat, name in names.seats():
        if not looks_like(name):
            yield NameMissing(seat=seat)
        if len(name) > LONGEST_NAME:
            yield NameTooLong(seat=seat, most=LONGEST_NAME)
        if _has_controls(name):
            yield NameNotPrintable(seat=seat)
    seen: dict[str, str] = {}
    for name in names:
        if (alike := looks_like(name)) in seen:
            yield NamesAlike(name=name, other=seen[alike])
        elif alike:
            seen[alike] = name


def text_mistakes(**texts: str) -> Iterator[RuleError]:
    """Titles, places, notes and reasons that are too long."""
    for name, text in texts.items():
        if len(text) > LONGEST_TEXT:
            yield TextTooLong(name=name, most=LONGEST_TEXT)
        if _has_controls(text):
            yield TextNotPrintable(name=name)


def deal_mistakes(deal: Deal, rules: Rules) -> Iterator[RuleError]:
    """Everything that is wrong with a deal looked at by itself."""
    if deal.contract not in contracts_of(rules):
        yield ContractNotInGame(contract=deal.contract)
    for name, noted, where in (("trump", deal.trump, Contract.T), ("start", deal.start, Contract.D)):
        if noted and deal.contract is not where:
            yield NotedElsewhere(name=name, contract=deal.contract)
    yield from text_mistakes(note=deal.note)
    yield from doubles_mistakes(deal.doubles, deal.declarer, deal.contract, rules)
    yield from _ending_mistakes(deal, rules)


def _ending_mistakes(deal: Deal, rules: Rules) -> Iterator[RuleError]:
    """What is wrong with how a deal ended: passed out, or with a tally."""
    if deal.passed_out:
        if deal.contract.is_positive:
            yield PositivePassedOut(contract=deal.contract)
        elif rules.undoubled_negative is Undoubled.PLAYED:
            yield PassedOutButPlayedHere(contract=deal.contract)
        if deal.doubles:
            yield PassedOutButDoubled()
        if deal.tally is not None:
            yield PassedOutWithResult()
    elif deal.tally is not None:
        if not isinstance(deal.tally, KINDS[deal.contract].tally):
            yield WrongTally(contract=deal.contract)
        else:
            yield from deal.tally.mistakes(rules)
        if not deal.doubles and passes_out(deal.contract, rules):
            yield NobodyDoubled(contract=deal.contract)


def passes_out(contract: Contract, rules: Rules) -> bool:
    """Whether a deal of this contract that nobody doubles is not played."""
    return not contract.is_positive and rules.undoubled_negative is Undoubled.PASSED_OUT


def basic_scores(deal: Deal, rules: Rules) -> Points:
    """The four basic scores of a finished deal without mistakes, in points."""
    if deal.tally is None:
        return passed_out(deal.contract, deal.declarer, rules)
    return deal.tally.basic(deal.contract, rules)


def match_mistakes(match: Match) -> Iterator[RuleError]:
    """Everything that is wrong with a match outside its deals."""
    yield from name_mistakes(match.players)
    yield from rules_mistakes(match.rules)
    yield from text_mistakes(title=match.title, place=match.place)
    if match.stake:
        yield from text_mistakes(currency=match.stake.currency)
    deals = len(match.deals)
    for agreed in match.agreed_points:
        if not 0 <= agreed.after_deal <= deals:
            yield AgreedAfterNoDeal(after_deal=agreed.after_deal, most=deals)
        if any(abs(p) > LARGEST_VALUE for p in agreed.points):
            yield AgreedTooLarge(most=LARGEST_VALUE)
        yield from text_mistakes(reason=agreed.reason)
    for replaced in match.replaced:
        if not 1 <= replaced.from_deal <= deals + 1:
            yield ReplacedAtNoDeal(from_deal=replaced.from_deal, most=deals + 1)
        else:
            yield from name_mistakes(match.names_at(replaced.from_deal))
