"""The house rules as a page asks for them: each field with its name, one plain sentence, and its choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scorepad.contracts import Contract
from scorepad.messages import N_
from scorepad.rules import RAVAGE_CITY_UNIT

NO, YES = "no", "yes"


@dataclass(frozen=True, slots=True)
class Asked:
    """One field of the form: what it is called, what it does, and what can be chosen.

    A field without choices holds a number that goes up and down by `step`; one of several `parts` has
    its name in the form `name_0`, `name_1` and so on.
    """

    name: str
    label: str
    about: str
    choices: tuple[tuple[str, str], ...] = ()
    step: int = 1
    parts: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names it has in the form, one for each part."""
        return tuple(f"{self.name}_{n}" for n in range(len(self.parts))) or (self.name,)


DOUBLING: tuple[Asked, ...] = (
    Asked(
        "doubling",
        N_("Doubles in negative contracts"),
        N_("Each player doubles any of the other three, or the declarer alone."),
        (("anyone", N_("Anyone")), ("declarer-only", N_("Declarer only"))),
    ),
    Asked(
        "flank_doubles_in_positives",
        N_("Flanks in Trumps and Dominoes"),
        N_("In positive contracts too the players may double each other, and not just the declarer."),
        ((NO, N_("Not doubled")), (YES, N_("May be doubled"))),
    ),
    Asked(
        "declarer_may_open",
        N_("Declarer’s doubles"),
        N_("The declarer answers those who doubled him, or doubles anyone he likes."),
        ((NO, N_("Only answers")), (YES, N_("May open"))),
    ),
    Asked(
        "undoubled_negative",
        N_("Nobody doubles a negative contract"),
        N_("The deal is scored at once without being played, or it is played like any other."),
        (("passed-out", N_("Passed out")), ("played", N_("Played"))),
    ),
)

COMPULSORY: tuple[Asked, ...] = (
    Asked(
        "compulsory_doubles",
        N_("Doubles of each declarer"),
        N_("So often each player must double each other player as declarer; 0 for never."),
    ),
    Asked(
        "positives_count",
        N_("Doubles in Trumps and Dominoes"),
        N_("How many of them count as compulsory doubles of one declarer."),
        (("all", N_("All count")), ("one", N_("At most one")), ("none", N_("None"))),
    ),
)

GAME: tuple[Asked, ...] = (
    Asked(
        "rotation",
        N_("Who declares next"),
        N_("After every deal the next player, or each player all his contracts in a row."),
        (("every-deal", N_("Every deal")), ("seven-in-a-row", N_("Seven in a row"))),
    ),
    Asked(
        "deck",
        N_("Deck"),
        N_("With 32 cards there are 8 tricks and 8 hearts; the last two are tricks 7 and 8."),
        (("52", N_("52 cards")), ("32", N_("32 cards"))),
    ),
)

RAVAGE_CITY = Asked(
    "ravage_city",
    N_("Eighth contract"),
    N_("Whoever holds most cards of one suit takes its value; a tie shares it. 32 deals."),
    ((NO, N_("Not played")), (YES, N_("Played"))),
)

#: What each contract is worth, by the fields of the form that say so.
VALUES: Mapping[Contract, tuple[Asked, ...]] = MappingProxyType(
    {
        Contract.B: (Asked("value_king", N_("King of hearts"), N_("For taking it.")),),
        Contract.M: (Asked("value_trick", N_("Each trick"), N_("For every trick taken.")),),
        Contract.NQ: (Asked("value_queen", N_("Each queen"), N_("For every queen taken.")),),
        Contract.NH: (
            Asked("value_heart", N_("Each heart"), N_("For every heart taken but the ace.")),
            Asked("value_ace", N_("Ace of hearts"), N_("For the ace, instead of a heart’s value.")),
        ),
        Contract.NL2: (
            Asked("value_second_last_trick", N_("Second last trick"), N_("For taking it.")),
            Asked("value_last_trick", N_("Last trick"), N_("For taking it.")),
        ),
        Contract.T: (Asked("value_trump_trick", N_("Each trick"), N_("For every trick won.")),),
        Contract.D: (
            Asked(
                "value_dominoes",
                N_("Places"),
                N_("For finishing first, second, third and fourth: four values."),
                parts=(N_("First"), N_("Second"), N_("Third"), N_("Fourth")),
            ),
        ),
        Contract.RC: (
            Asked(
                "value_ravage_city",
                N_("Most of a suit"),
                N_("A multiple of 12, so that two, three or four can share it."),
                step=RAVAGE_CITY_UNIT,
            ),
        ),
    }
)

PLAY: tuple[Asked, ...] = (
    Asked(
        "play_dealer",
        N_("Who deals"),
        N_("The declarer deals his own hands, or the player to his right does."),
        (("declarer", N_("Declarer")), ("right-of-declarer", N_("Right of the declarer"))),
    ),
    Asked(
        "play_cutter",
        N_("Who cuts"),
        N_("Who cuts the cards before they are dealt."),
        (
            ("right-of-dealer", N_("Right of the dealer")),
            ("opposite-declarer", N_("Opposite the declarer")),
            ("left-of-dealer", N_("Left of the dealer")),
        ),
    ),
    Asked(
        "play_leader",
        N_("Who leads"),
        N_("Who leads to the first trick."),
        (("declarer", N_("Declarer")), ("left-of-dealer", N_("Left of the dealer"))),
    ),
    Asked(
        "play_redoubles",
        N_("Redoubles"),
        N_("Each player has one turn for everything, or redoubles are spoken in a round of their own."),
        (("in-turn", N_("In turn")), ("second-round", N_("Second round"))),
    ),
    Asked(
        "play_trumping",
        N_("Overtrumping"),
        N_("Whether a trump must be beaten by whoever can."),
        (("must-overtrump", N_("Must overtrump")), ("free", N_("As one likes"))),
    ),
    Asked(
        "play_low_ace",
        N_("Ace in Dominoes"),
        N_("The ace ends a suit above the king, or may stand below the two instead."),
        ((NO, N_("High only")), (YES, N_("May be low"))),
    ),
    Asked(
        "play_leading_hearts",
        N_("Leading hearts"),
        N_("When hearts may be led in Barbu and No Hearts."),
        (("only-hearts-left", N_("Only hearts left")), ("once-broken", N_("Once they are broken"))),
    ),
)


@dataclass(frozen=True, slots=True)
class Group:
    """Some fields of the form under a heading."""

    title: str
    about: str
    fields: tuple[Asked, ...]


BEFORE_VALUES: tuple[Group, ...] = (
    Group(N_("Doubling"), "", DOUBLING),
    Group(N_("Compulsory doubles"), "", COMPULSORY),
    Group(N_("Contracts and values"), "", GAME),
)
AFTER_VALUES: tuple[Group, ...] = (
    Group(
        N_("At the table"),
        N_("These change no score. They stand at the table and on the sheet."),
        PLAY,
    ),
)


def asked_fields() -> Iterator[Asked]:
    """Every field the form asks for."""
    for group in (*BEFORE_VALUES, *AFTER_VALUES):
        yield from group.fields
    yield RAVAGE_CITY
    for fields in VALUES.values():
        yield from fields


SUMS_TO_ZERO = N_("The match sums to 0.")
SUMS_TO = N_("The match sums to {total}.")
DOES_NOT_SUM_TO_ZERO = N_("The match does not sum to 0: {total}.")
SET_OF = N_("All {n} contracts")
FOUR_VALUES = N_("Dominoes has four values: fill in all of them, or none.")
