"""The table's house rules as one frozen record; presets; the base error of the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple


class Message(NamedTuple):
    """A sentence as a key and its values; the edges put it into the reader's language."""

    key: str
    values: Mapping[str, Any] = MappingProxyType({})


class RuleError(ValueError):
    """A fact that the rules of Barbu do not allow; one subclass for each mistake, built from its data.

    The code of a mistake is its class name in lower case with underscores; the edges hold the sentence
    for each code. `field` names what has to be mended, for the page to put the sentence beside it.
    """

    code: ClassVar[str] = "rule_error"
    field: ClassVar[str] = ""

    def __init_subclass__(cls, *, field: str = "") -> None:
        """Give each mistake its code, made of its name, and the field it concerns."""
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        cls.field = field or cls.field

    def __init__(self, **values: Any) -> None:
        """Keep the values that the sentence names."""
        super().__init__(f"{self.code} {values}")
        self.values: Mapping[str, Any] = values

    @property
    def message(self) -> Message:
        """The sentence that tells a player what to mend, as a key and its values."""
        return Message(self.code, self.values)


class Rotation(StrEnum):
    """Who declares next: after every deal the next player, or each player all his contracts in a row."""

    EVERY_DEAL = "every-deal"
    SEVEN_IN_A_ROW = "seven-in-a-row"


class Doubling(StrEnum):
    """Whom a player may double in a negative contract."""

    ANYONE = "anyone"
    DECLARER_ONLY = "declarer-only"


class PositivesCount(StrEnum):
    """How many doubles in Trumps and Dominoes count as compulsory doubles of one declarer."""

    ALL = "all"
    NONE = "none"
    ONE = "one"


class Undoubled(StrEnum):
    """What becomes of a negative deal that nobody doubled."""

    PASSED_OUT = "passed-out"
    PLAYED = "played"


class Deck(IntEnum):
    """How many cards are dealt; the number of tricks and of hearts follows from it."""

    FULL = 52
    SMALL = 32

    @property
    def tricks(self) -> int:
        """Tricks in a deal, which is also the number of hearts."""
        return self // 4


class Dealer(StrEnum):
    """Who deals (no effect on scoring)."""

    DECLARER = "declarer"
    RIGHT_OF_DECLARER = "right-of-declarer"


class Cutter(StrEnum):
    """Who cuts (no effect on scoring)."""

    RIGHT_OF_DEALER = "right-of-dealer"
    OPPOSITE_DECLARER = "opposite-declarer"
    LEFT_OF_DEALER = "left-of-dealer"


class Leader(StrEnum):
    """Who leads to the first trick (no effect on scoring)."""

    DECLARER = "declarer"
    LEFT_OF_DEALER = "left-of-dealer"


class Redoubles(StrEnum):
    """When redoubles are spoken (no effect on scoring)."""

    IN_TURN = "in-turn"
    SECOND_ROUND = "second-round"


class Trumping(StrEnum):
    """Whether one must overtrump (no effect on scoring)."""

    MUST_OVERTRUMP = "must-overtrump"
    FREE = "free"


class LeadingHearts(StrEnum):
    """When hearts may be led in Barbu and No Hearts (no effect on scoring)."""

    ONLY_HEARTS_LEFT = "only-hearts-left"
    ONCE_BROKEN = "once-broken"


@dataclass(frozen=True, slots=True)
class Values:
    """What each thing taken is worth, in points (rules.md sections 2 and 5)."""

    king: int = -20
    trick: int = -2
    queen: int = -6
    heart: int = -2
    ace: int = -6
    second_last_trick: int = -10
    last_trick: int = -20
    trump_trick: int = 5
    dominoes: tuple[int, int, int, int] = (45, 20, 5, -5)
    ravage_city: int = -36


@dataclass(frozen=True, slots=True)
class Play:
    """Ways of playing that scoring does not depend on; the rules card, the table and the sheet show them."""

    dealer: Dealer = Dealer.DECLARER
    cutter: Cutter = Cutter.RIGHT_OF_DEALER
    leader: Leader = Leader.DECLARER
    redoubles: Redoubles = Redoubles.IN_TURN
    trumping: Trumping = Trumping.MUST_OVERTRUMP
    low_ace: bool = False
    leading_hearts: LeadingHearts = LeadingHearts.ONLY_HEARTS_LEFT


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of one match, fixed when it starts (rules.md section 5).

    `rotation` says who declares next. `doubling` and `flank_doubles_in_positives` say whom a player who
    is not the declarer may double; `declarer_may_open` lets the declarer double without having been
    doubled. `compulsory_doubles` is how often each player must double each other player as declarer, and
    `positives_count` which doubles in Trumps and Dominoes count towards that. `undoubled_negative` says
    what becomes of a negative deal nobody doubled. `ravage_city` adds the eighth contract; `deck` is 52
    or 32 cards. `values` holds the points, `play` what has no effect on scoring.
    """

    rotation: Rotation = Rotation.EVERY_DEAL
    doubling: Doubling = Doubling.ANYONE
    flank_doubles_in_positives: bool = False
    declarer_may_open: bool = False
    compulsory_doubles: int = 2
    positives_count: PositivesCount = PositivesCount.ALL
    undoubled_negative: Undoubled = Undoubled.PASSED_OUT
    ravage_city: bool = False
    deck: Deck = Deck.FULL
    values: Values = field(default_factory=Values)
    play: Play = field(default_factory=Play)


#: The largest value, up or down, of anything: totals stay far inside what a phone counts exactly.
LARGEST_VALUE = 10_000

#: A shared Ravage City must leave whole points to one, two, three or four players.
RAVAGE_CITY_UNIT = 12

STANDARD = Rules()
_IN_A_ROW = replace(STANDARD, rotation=Rotation.SEVEN_IN_A_ROW)
_GERMAN = replace(_IN_A_ROW, undoubled_negative=Undoubled.PLAYED)

#: The sets a table can choose by name (rules.md section 5, last line).
PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        "standard": STANDARD,
        "seven-in-a-row": _IN_A_ROW,
        "german": _GERMAN,
        "german-other-values": replace(_GERMAN, values=Values(king=-15, dominoes=(40, 20, 10, -10))),
        "ravage-city": replace(STANDARD, ravage_city=True),
    }
)


def preset_of(rules: Rules) -> str | None:
    """The name of the preset these rules are, or None when the table has changed something."""
    return next((name for name, preset in PRESETS.items() if preset == rules), None)
