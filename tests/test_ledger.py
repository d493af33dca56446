"""Settlements of the six pairs, adjustments, and ranks."""

import pytest
from builders import ANNA, BEN, CARLA, DAN, doubles
from hypothesis import given, settings
from hypothesis import strategies as st

from scorepad.doubles import ALL_DOUBLES, Double
from scorepad.ledger import adjustments, ranks, settle
from scorepad.table import PAIRS, SEATS, PerSeat, Points, Seat

points = st.builds(PerSeat, *[st.integers(-100, 100)] * 4)
any_doubles = st.frozensets(st.sampled_from(ALL_DOUBLES))

NO_QUEENS = PerSeat(-6, 0, -6, -12)


def test_the_no_queens_example_pair_by_pair() -> None:
    """Seed 004: Ben has a maximum, Carla doubled Anna, Anna redoubled Carla."""
    settled = {(s.first, s.second): s for s in settle(NO_QUEENS, doubles("BX CA AC"))}
    assert settled.keys() == set(PAIRS)
    moved = {pair: (s.loser, s.winner, s.points) for pair, s in settled.items() if s.points}
    assert moved == {
        (ANNA, BEN): (ANNA, BEN, 6),
        (BEN, CARLA): (CARLA, BEN, 6),
        (BEN, DAN): (DAN, BEN, 12),
    }
    assert adjustments(NO_QUEENS, doubles("BX CA AC")) == (-6, 24, -6, -12)


def test_equal_scores_move_nothing_even_redoubled() -> None:
    between_anna_and_carla = settle(NO_QUEENS, doubles("CA AC"))[PAIRS.index((ANNA, CARLA))]
    assert between_anna_and_carla.doubles == 2
    assert between_anna_and_carla.difference == 0
    assert between_anna_and_carla.points == 0
    assert between_anna_and_carla.winner is None
    assert between_anna_and_carla.loser is None


def test_a_redouble_moves_the_difference_twice() -> None:
    """Seed 000: you take two tricks, North five; +6 for one double, +12 when both doubled."""
    misere = PerSeat(-4, -6, -10, -6)
    assert adjustments(misere, doubles("AC")) == (6, 0, -6, 0)
    assert adjustments(misere, doubles("CA")) == (6, 0, -6, 0)
    assert adjustments(misere, doubles("AC CA")) == (12, 0, -12, 0)


def test_the_difference_is_the_first_minus_the_second() -> None:
    (worse, *_) = settle(PerSeat(-20, 0, 0, 0), doubles("BA"))
    assert (worse.first, worse.second, worse.difference) == (ANNA, BEN, -20)
    assert (worse.winner, worse.loser, worse.points) == (BEN, ANNA, 20)


@settings(deadline=None)
@given(points, any_doubles)
def test_doubling_moves_points_but_never_makes_them(basic: Points, made: frozenset[Double]) -> None:
    assert sum(adjustments(basic, made)) == 0


@settings(deadline=None)
@given(points, any_doubles)
def test_adjustments_are_what_the_pairs_settle(basic: Points, made: frozenset[Double]) -> None:
    gained: dict[Seat, int] = dict.fromkeys(SEATS, 0)
    for settled in settle(basic, made):
        if settled.winner is not None and settled.loser is not None:
            assert basic[settled.winner] > basic[settled.loser]
            gained[settled.winner] += settled.points
            gained[settled.loser] -= settled.points
    assert adjustments(basic, made) == tuple(gained.values())


@settings(deadline=None)
@given(points, any_doubles, st.integers(1, 3))
def test_turning_the_table_turns_the_adjustments(basic: Points, made: frozenset[Double], by: int) -> None:
    def turned(seat: Seat) -> Seat:
        return SEATS[(seat + by) % 4]

    turned_basic = PerSeat.of(lambda s: basic[SEATS[s - by]])
    turned_doubles = frozenset(Double(turned(a), turned(b)) for a, b in made)
    before, after = adjustments(basic, made), adjustments(turned_basic, turned_doubles)
    assert [after[turned(s)] for s in SEATS] == list(before)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ((10, 30, 20, -60), (3, 1, 2, 4)),
        ((30, 30, 20, 10), (1, 1, 3, 4)),
        ((30, 20, 20, 10), (1, 2, 2, 4)),
        ((0, 0, 0, 0), (1, 1, 1, 1)),
        ((-5, -5, -5, 15), (2, 2, 2, 1)),
    ],
)
def test_ties_share_a_rank(totals: tuple[int, int, int, int], expected: tuple[int, ...]) -> None:
    assert ranks(PerSeat(*totals)) == expected


def test_a_maximum_against_everybody_is_won_and_lost_alike() -> None:
    """Seed 000, North maxes: he loses 60 with the king himself, and gains 20 when somebody else has it."""
    max_of_ben = doubles("BX")
    with_the_king = [adjustments(PerSeat.all(0).put(taker, -20), max_of_ben)[BEN] for taker in SEATS]
    assert with_the_king == [20, -60, 20, 20]
    assert adjustments(PerSeat.all(0).put(DAN, -20), max_of_ben) == (0, 20, 0, -20)
