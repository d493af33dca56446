"""A deal in the notation of the paper: initials, X for everybody, ² for a redouble, the tally in short."""

import pytest
from builders import ANNA, BEN, CARLA, DAN, deal

from scorepad.match import Deal, Suit
from scorepad.notation import doubles_declarer, written_contract, written_doubles, written_tally
from scorepad.table import PerSeat

INITIALS = PerSeat("A", "B", "C", "D")
LONG = PerSeat("Ann", "Anna", "B", "C")


@pytest.mark.parametrize(
    ("doubles", "anna", "ben", "carla", "dan"),
    [
        pytest.param("", "", "", "", "", id="nobody"),
        pytest.param("BA DC", "", "A", "", "C", id="one each"),
        pytest.param("BX", "", "X", "", "", id="everybody"),
        pytest.param("BA CB", "", "A", "B", "", id="two of three, the order is the table's"),
        pytest.param("DA DB", "", "", "", "AB", id="clockwise from the doubler"),
        pytest.param("BA AB", "B²", "A", "", "", id="the declarer speaks last, so he redoubles"),
        pytest.param("BX CB", "", "X", "B²", "", id="who speaks later redoubles"),
        pytest.param("BC CX", "", "C", "X B²", "", id="everybody, one of them redoubled"),
        pytest.param("BX CX DX AX", "X²", "X", "X B²", "X B² C²", id="everybody everybody"),
    ],
)
def test_doubles_are_initials(doubles: str, anna: str, ben: str, carla: str, dan: str) -> None:
    made = deal("Anna NQ", doubles)
    expected = {ANNA: anna, BEN: ben, CARLA: carla, DAN: dan}
    assert {s: written_doubles(made, s, INITIALS) for s in expected} == expected


def test_longer_labels_stand_apart() -> None:
    made = deal("Anna NQ", "BA BC CX")
    assert written_doubles(made, BEN, LONG) == "B Ann"
    assert written_doubles(made, CARLA, LONG) == "X Anna²"


def test_a_label_from_the_right_is_still_one_character() -> None:
    made = deal("Anna NQ", "DA DB")
    assert written_doubles(made, DAN, PerSeat("\u200eש\u200e", "B", "C", "D")) == "\u200eש\u200eB"


def test_the_declarer_among_those_doubled_is_underlined() -> None:
    made = deal("Anna NQ", "BA CX DC AB")
    assert [doubles_declarer(made, s) for s in (ANNA, BEN, CARLA, DAN)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("made", "contract", "tally"),
    [
        (deal("Anna B", king="Carla"), "B", "C"),
        (deal("Anna M", tricks=(4, 1, 6, 2)), "M", "4·1·6·2"),
        (deal("Anna NQ", queens=(1, 0, 1, 2)), "NQ", "1·0·1·2"),
        (deal("Anna NH", hearts=(3, 2, 6, 2), ace="Carla"), "NH", "3·2·6♥·2"),
        (deal("Anna NL2", last_two="B D"), "NL2", "B·D"),
        (deal("Anna T", tricks=(4, 1, 6, 2), trump=Suit.SPADES), "T ♠", "4·1·6·2"),
        (deal("Anna D", order="C A D B", start="10"), "D 10", "C·A·D·B"),
        (deal("Anna RC", most="B C"), "RC", "B·C"),
    ],
)
def test_contract_and_tally_in_short(made: Deal, contract: str, tally: str) -> None:
    assert made.tally is not None
    assert written_contract(made) == contract
    assert written_tally(made.tally, INITIALS) == tally


def test_an_order_of_longer_labels() -> None:
    made = deal("Anna D", order="C A D B")
    assert made.tally is not None
    assert written_tally(made.tally, LONG) == "B Ann C Anna"
