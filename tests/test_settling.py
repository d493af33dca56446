"""Settling up: nothing is lost or made, amounts are as near as they can be, payments are as few."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from builders import ANNA, BEN, CARLA, DAN
from hypothesis import given
from hypothesis import strategies as st

from scorepad.match import Stake
from scorepad.settling import Payment, distances, fewest_payments, rounded, settling
from scorepad.table import NOTHING, SEATS, PerSeat, Points, Seat

points = st.builds(PerSeat, *[st.integers(-2000, 2000)] * 4)
three = st.tuples(*[st.integers(-20, 20)] * 3)
#: Four whole amounts that sum to 0; small ones, so that some are opposite and some 0.
balanced = three.map(lambda n: PerSeat(n[0], n[1], n[2], -sum(n)))
whole_stakes = st.integers(0, 999_999).map(str)
stakes = st.one_of(
    st.sampled_from(["0.01", "0.05", "0.10", "0.25", "0.50", "1", "0.005", "0.000001", "0.333333", "0"]),
    st.tuples(whole_stakes, st.from_regex("[0-9]{1,6}", fullmatch=True)).map(".".join),
    whole_stakes,
).map(Stake)


def test_totals_that_sum_to_nothing_are_paid_as_they_are() -> None:
    settled = settling(PerSeat(120, -80, -60, 20), Stake("0.05", "EUR"))
    assert settled.decimals == 2
    assert settled.amounts == (600, -400, -300, 100)
    assert settled.payments == (
        Payment(BEN, ANNA, 400),
        Payment(CARLA, ANNA, 200),
        Payment(CARLA, DAN, 100),
    )


def test_a_match_of_ravage_city_is_measured_from_its_mean() -> None:
    """The totals sum to −144: whoever stands at −36 gets and pays nothing."""
    settled = settling(PerSeat(-36, 64, -136, -36), Stake("0.10"))
    assert settled.distances == PerSeat(0, 100, -100, 0).map(Fraction)
    assert settled.amounts == (0, 1000, -1000, 0)
    assert settled.payments == (Payment(CARLA, BEN, 1000),)


def test_quarters_of_a_point_are_split_without_loss() -> None:
    """The totals sum to 1; a cent a point leaves quarters of a cent."""
    settled = settling(PerSeat(1, 0, 0, 0), Stake("0.01"))
    assert settled.distances == PerSeat(Fraction(3, 4), *[Fraction(-1, 4)] * 3)
    assert settled.amounts == (1, 0, 0, -1), "the last seat loses the tie"


def test_a_stake_smaller_than_a_cent_is_rounded_to_cents() -> None:
    settled = settling(PerSeat(7, -7, 0, 0), Stake("0.005"))
    assert (settled.decimals, settled.amounts) == (2, (4, -4, 0, 0))


def test_a_stake_without_decimals_is_settled_in_whole_units() -> None:
    settled = settling(PerSeat(3, -1, -1, 0), Stake("20", "Kč"))
    assert settled.decimals == 0
    assert settled.amounts == (55, -25, -25, -5)
    assert settling(PerSeat(3, -1, -1, 0), Stake("20.0")).amounts == (5500, -2500, -2500, -500)


@pytest.mark.parametrize("stake", ["0", "0.00"])
def test_a_stake_of_nothing_moves_nothing(stake: str) -> None:
    settled = settling(PerSeat(120, -80, -60, 20), Stake(stake))
    assert (settled.amounts, settled.payments) == (NOTHING, ())


def test_two_pairs_settle_in_two_payments() -> None:
    assert fewest_payments(PerSeat(5, 3, -5, -3)) == (Payment(CARLA, ANNA, 5), Payment(DAN, BEN, 3))
    assert len(fewest_payments(PerSeat(5, 5, -5, -5))) == 2
    assert len(fewest_payments(PerSeat(-1, 1, 7, -7))) == 2


def test_one_who_owes_all_the_others_pays_each() -> None:
    assert fewest_payments(PerSeat(1, 2, -6, 3)) == (
        Payment(CARLA, ANNA, 1),
        Payment(CARLA, BEN, 2),
        Payment(CARLA, DAN, 3),
    )


def paid(payments: tuple[Payment, ...]) -> dict[Seat, int]:
    """What each player has got in the end."""
    got = dict.fromkeys(SEATS, 0)
    for payment in payments:
        got[payment.payer] -= payment.amount
        got[payment.payee] += payment.amount
    return got


def partitions(seats: tuple[Seat, ...]) -> Iterator[list[list[Seat]]]:
    """Every way to part some players into groups."""
    if not seats:
        yield []
        return
    first, *others = seats
    for groups in partitions(tuple(others)):
        yield [[first], *groups]
        for n, group in enumerate(groups):
            yield [*groups[:n], [first, *group], *groups[n + 1 :]]


def least(amounts: Points) -> int:
    """The least number of payments: a group whose amounts sum to 0 needs one fewer than it has members."""
    return min(
        sum(len(group) - 1 for group in groups)
        for groups in partitions(SEATS)
        if all(sum(amounts[s] for s in group) == 0 for group in groups)
    )


@given(balanced)
def test_payments_settle_and_are_as_few_as_can_be(amounts: Points) -> None:
    payments = fewest_payments(amounts)
    assert paid(payments) == dict(amounts.seats())
    assert all(p.amount > 0 and p.payer is not p.payee for p in payments)
    assert len(payments) == least(amounts)


@given(points, stakes)
def test_nothing_is_lost_or_made(totals: Points, stake: Stake) -> None:
    settled = settling(totals, stake)
    per_unit = Fraction(stake.per_point) * 10**settled.decimals
    assert sum(settled.amounts) == 0
    for seat in SEATS:
        exact = (totals[seat] - Fraction(sum(totals), 4)) * per_unit
        assert abs(settled.amounts[seat] - exact) < 1
        assert exact.denominator > 1 or settled.amounts[seat] == exact
    assert paid(settled.payments) == dict(settled.amounts.seats())
    assert len(settled.payments) == least(settled.amounts) <= 3


@given(st.one_of(points, st.builds(PerSeat, *[st.integers(-2, 2)] * 4)), stakes)
def test_more_points_never_get_less(totals: Points, stake: Stake) -> None:
    amounts = settling(totals, stake).amounts
    for one in SEATS:
        assert all(amounts[one] >= amounts[s] for s in one.others if totals[one] > totals[s])


def test_a_point_more_is_a_cent_more() -> None:
    assert settling(PerSeat(0, 0, 0, 1), Stake("0.01")).amounts == (0, 0, -1, 1)


@given(points)
def test_everyone_with_everyone_is_four_times_as_much(totals: Points) -> None:
    apart = distances(totals)
    for seat in SEATS:
        assert sum(totals[seat] - totals[other] for other in seat.others) == 4 * apart[seat]


@given(st.builds(PerSeat, *[st.fractions(-50, 50, max_denominator=400)] * 3, st.just(Fraction(0))))
def test_any_amounts_are_rounded_without_loss(three_amounts: PerSeat[Fraction]) -> None:
    exact = three_amounts.put(DAN, -sum(three_amounts, Fraction(0)))
    units = rounded(exact)
    assert sum(units) == 0
    assert all(abs(units[s] - exact[s]) < 1 for s in SEATS)
