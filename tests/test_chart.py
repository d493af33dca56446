"""The chart of the running totals: every point inside, labels apart, levels in round numbers."""

from itertools import pairwise

import pytest
from builders import ANNA, deal, match_of
from generated import random_matches

from scorepad.chart import LABEL_HEIGHT, chart
from scorepad.match import AgreedPoints
from scorepad.standing import standing
from scorepad.table import PerSeat

INITIALS = PerSeat("A", "B", "C", "D")
TIED = deal("Anna NQ", "BC", queens=(1, 1, 1, 1))


def test_with_fewer_than_two_deals_there_is_nothing_to_draw() -> None:
    assert chart(standing(match_of()), INITIALS) is None
    assert chart(standing(match_of(TIED)), INITIALS) is None
    assert chart(standing(match_of(TIED, deal("Ben M", passed_out=True))), INITIALS) is not None


def test_equal_totals_have_labels_that_do_not_overlap() -> None:
    ben = deal("Ben NQ", "AC", queens=(1, 1, 1, 1))
    drawn = chart(standing(match_of(TIED, ben)), INITIALS)
    assert drawn is not None
    assert len({c.points for c in drawn.curves}) == 1
    heights = sorted(c.label_y for c in drawn.curves)
    assert all(low + LABEL_HEIGHT <= high for low, high in pairwise(heights))
    assert [c.total for c in drawn.curves] == ["−12"] * 4


@pytest.mark.parametrize("seed", range(20))
def test_everything_is_inside_and_levels_are_round(seed: int) -> None:
    for match in random_matches(seed, 3):
        where = standing(match)
        drawn = chart(where, INITIALS)
        if drawn is None:
            assert where.deals_scored < 2
            continue
        points = [p.split(",") for c in drawn.curves for p in (c.points + " " + c.leader).split()]
        assert all(0 <= float(x) <= drawn.width and 0 <= float(y) <= drawn.height for x, y in points)
        assert all(0 <= c.label_y <= drawn.height for c in drawn.curves)
        levels = [int(level.replace("−", "-")) for _, level in drawn.rules]
        assert 2 <= len(levels) <= 8
        assert len({b - a for a, b in pairwise(levels)}) == 1
        assert 0 in levels
        assert max(where.totals) <= levels[-1]
        assert min(where.totals) >= levels[0]


def test_long_figures_and_labels_have_room() -> None:
    agreed = AgreedPoints(2, PerSeat(-1234567, 0, 0, 7654321))
    match = match_of(TIED, deal("Ben M", passed_out=True), agreed_points=(agreed,))
    drawn = chart(standing(match), PerSeat("Anna", "Annb", "Annc", "Annd"))
    assert drawn is not None
    widest = max(len(f"{c.label} {c.total}") for c in drawn.curves)
    assert drawn.label_x + widest * 5 <= drawn.width
    assert 5 * max(len(level) for _, level in drawn.rules) <= drawn.left - 5


def test_each_line_is_told_apart_without_colour() -> None:
    drawn = chart(standing(match_of(TIED, deal("Ben M", passed_out=True))), INITIALS)
    assert drawn is not None
    assert len({c.dash for c in drawn.curves}) == 4


def test_agreed_points_after_the_last_deal_are_in_the_last_point() -> None:
    agreed = AgreedPoints(2, PerSeat(100, 0, 0, 0))
    drawn = chart(standing(match_of(TIED, deal("Ben M", passed_out=True), agreed_points=(agreed,))), INITIALS)
    assert drawn is not None
    assert drawn.curves[ANNA].total == "+85"
