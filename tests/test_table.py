"""Four seats, clockwise, and one value per seat."""

import pytest
from builders import ANNA, BEN, CARLA, DAN, NAMES

from scorepad.table import NOTHING, PAIRS, SEATS, PerSeat, Seat, clockwise_from, plus


def test_left_is_clockwise_all_round_the_table() -> None:
    assert [s.left for s in SEATS] == [BEN, CARLA, DAN, ANNA]


@pytest.mark.parametrize("seat", SEATS)
def test_right_undoes_left(seat: Seat) -> None:
    assert seat.left.right is seat
    assert seat.right.left is seat


def test_the_others_come_clockwise_from_the_left() -> None:
    assert CARLA.others == (DAN, ANNA, BEN)
    assert clockwise_from(CARLA) == (CARLA, DAN, ANNA, BEN)


@pytest.mark.parametrize("seat", SEATS)
def test_nobody_is_among_the_others_of_himself(seat: Seat) -> None:
    assert {seat, *seat.others} == set(SEATS)


def test_each_two_players_are_one_pair() -> None:
    assert len(PAIRS) == 6
    assert {frozenset(pair) for pair in PAIRS} == {frozenset((a, b)) for a in SEATS for b in a.others}


def test_a_record_has_a_value_for_each_seat() -> None:
    assert NAMES[CARLA] == "Carla"
    assert list(NAMES.seats()) == [(ANNA, "Anna"), (BEN, "Ben"), (CARLA, "Carla"), (DAN, "Dan")]


def test_a_record_cannot_leave_a_seat_out() -> None:
    with pytest.raises(TypeError):
        PerSeat(1, 2, 3)  # type: ignore[call-arg]


def test_records_are_made_seat_by_seat() -> None:
    assert PerSeat.of(lambda s: s * 10) == (0, 10, 20, 30)
    assert PerSeat.all("same") == ("same",) * 4


def test_changing_a_record_leaves_the_old_one() -> None:
    before = PerSeat(1, 2, 3, 4)
    assert before.put(BEN, 9) == (1, 9, 3, 4)
    assert before.map(str) == ("1", "2", "3", "4")
    assert before == (1, 2, 3, 4)


def test_points_are_added_seat_by_seat() -> None:
    assert plus(PerSeat(1, 2, 3, 4), PerSeat(-1, 0, 10, -10)) == (0, 2, 13, -6)
    assert plus(PerSeat(1, 2, 3, 4), NOTHING) == (1, 2, 3, 4)
