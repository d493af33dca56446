"""What is at stake in a hand: seed 000's examples, and that stakes add up to what the deal scores."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorepad.contracts import Contract
from scorepad.doubles import ALL_DOUBLES, Double
from scorepad.ledger import adjustments
from scorepad.match import Deal
from scorepad.rules import STANDARD
from scorepad.stakes import moved, stakes
from scorepad.table import NOTHING, SEATS, PerSeat, Seat, plus

SOUTH, WEST, NORTH, EAST = Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST


def test_north_maxes() -> None:
    """You declare Barbu, North maxes: +20 if North takes the king, 0 for the others, −40 for you."""
    deal = Deal(SOUTH, Contract.B, frozenset(Double(NORTH, other) for other in NORTH.others))
    (king,) = stakes(deal, STANDARD)
    assert {taker: king.moves[taker][SOUTH] for taker in SEATS} == {NORTH: 20, EAST: 0, SOUTH: -40, WEST: 0}


def test_equal_business() -> None:
    """North declared Barbu and you maxed: you gain the same whoever else gets the king."""
    deal = Deal(NORTH, Contract.B, frozenset(Double(SOUTH, other) for other in SOUTH.others))
    (king,) = stakes(deal, STANDARD)
    assert {king.moves[taker][SOUTH] for taker in SOUTH.others} == {20}


def test_each_contract_names_what_can_be_taken() -> None:
    """The keys and values of each contract's stakes."""
    said = {c: [(s.what.key, s.value) for s in stakes(Deal(NORTH, c), STANDARD)] for c in Contract}
    assert said == {
        Contract.B: [("stake_king", -20)],
        Contract.M: [("stake_trick", -2)],
        Contract.NQ: [("stake_queen", -6)],
        Contract.NH: [("stake_heart", -2), ("stake_ace", -6)],
        Contract.NL2: [("stake_trick_number", -10), ("stake_trick_number", -20)],
        Contract.T: [("stake_trick", 5)],
        Contract.D: [("stake_place", 45), ("stake_place", 20), ("stake_place", 5), ("stake_place", -5)],
        Contract.RC: [("stake_most", -36)],
    }


@given(
    doubles=st.frozensets(st.sampled_from(ALL_DOUBLES)),
    basic=st.tuples(*[st.integers(-40, 40)] * 4),
)
def test_stakes_add_up_to_the_score(doubles: frozenset[Double], basic: tuple[int, int, int, int]) -> None:
    """Taking things one after another moves in all what the deal scores."""
    points = PerSeat(*basic)
    together = NOTHING
    for taker in SEATS:
        together = plus(together, moved(points[taker], taker, doubles))
    assert together == plus(points, adjustments(points, doubles))
