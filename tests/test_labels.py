"""Short names for the sheet: distinct, short, and made of whole characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorepad.labels import LONGEST_LABEL, graphemes, isolated, labels, shortened
from scorepad.match import looks_like
from scorepad.table import PerSeat


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param("Anna Ben Carla Dan", "A B C D", id="initials"),
        pytest.param("anna ben carla dan", "A B C D", id="capitals"),
        pytest.param("Anna Anne Alan Bob", "Anna Anne Al B", id="longer only where needed"),
        pytest.param("Ann Anna Ben Cleo", "Ann Anna B C", id="one name begins another"),
        pytest.param("Xavier Ann Ben Cleo", "Xa A B C", id="X is everybody"),
        pytest.param("X x1 Ann Ben", "X2 X1 A B", id="X is everybody, and there is no more of the name"),
        pytest.param("Christian Christina Christine Zoë", "Cn Ca Ce Z", id="letters that tell"),
        pytest.param("José Joséphine Jo J", "José Jp Jo J", id="a short name whole"),
        pytest.param("Emil Émile Eva Åsa", "Emil Ée Ev Å", id="accents alone are too little"),
        pytest.param("Émil Emil Ida Åsa", "É E I Å", id="unless there is nothing else"),
        pytest.param("Анна Anna Борис Boris", "Ан An Б B", id="Cyrillic that looks Latin"),
        pytest.param("שרה שמעון יעל דן", "שר שמ י ד", id="Hebrew"),
        pytest.param("🦊 👍🏽 👍🏿 🇫🇷", "🦊 👍🏽 👍🏿 🇫🇷", id="emoji"),
        pytest.param("👨‍👩‍👧 👨‍👩‍👦 🇫🇷 🇫🇮", "👨‍👩‍👧 👨‍👩‍👦 🇫🇷 🇫🇮", id="families and flags"),
        pytest.param("日本太郎 日本花子 王 李", "日本太 日本花 王 李", id="CJK"),
        pytest.param("1 2 3 4", "1 2 3 4", id="figures"),
        pytest.param("!!! ??? ... a", "! ? . A", id="punctuation"),
        pytest.param("(Ann) Ben Cleo ßen", "A B C ß", id="letters before punctuation"),
    ],
)
def test_labels_are_initials_or_a_little_more(names: str, expected: str) -> None:
    assert labels(PerSeat(*names.split())) == tuple(expected.split())


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Maximilian Adler", "Maximilian Bauer", "Max", "Mo"), ("MA", "MB", "Max", "Mo")),
        (("Player 1", "Player 2", "Player 3", "Player 4"), ("P1", "P2", "P3", "P4")),
        (("a" * 39 + "b", "a" * 39 + "c", "a" * 39, "a" * 40), ("Ab", "Ac", "A", "Aa")),
        (("Maria " + "e" * 34, "Maria " + "é" * 34, "Ida", "Leo"), ("M1", "M2", "I", "L")),
        (("Maria" + "e" * 35, "Maria" + "é" * 35, "Ida", "Leo"), ("M1", "M2", "I", "L")),
    ],
)
def test_names_that_begin_alike_are_told_apart(
    names: tuple[str, str, str, str], expected: tuple[str, ...]
) -> None:
    assert labels(PerSeat(*names)) == expected


names = st.text(
    st.characters(codec="utf-8", categories=("L", "M", "N", "P", "S", "Zs")), min_size=1, max_size=40
).filter(lambda name: looks_like(name) != "")
tables = st.lists(
    st.one_of(names, st.text("aáAäXxαа1 -", min_size=1, max_size=6).filter(lambda name: name.strip() != "")),
    min_size=4,
    max_size=4,
    unique_by=looks_like,
)


@given(tables)
def test_labels_are_always_distinct_and_short(found: list[str]) -> None:
    made = labels(PerSeat(*found))
    assert len(set(made)) == 4
    assert all(1 <= len(graphemes(label)) <= LONGEST_LABEL for label in made)
    assert "X" not in made


@given(tables)
def test_labels_do_not_depend_on_how_accents_are_written(found: list[str]) -> None:
    apart = [unicodedata.normalize("NFD", name) for name in found]
    whole = [unicodedata.normalize("NFC", name) for name in found]
    assert labels(PerSeat(*apart)) == labels(PerSeat(*whole))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zoe\u0308", ["Z", "o", "ë"]),
        ("👨‍👩‍👧‍👦a", ["👨‍👩‍👧‍👦", "a"]),
        ("👍🏽👍", ["👍🏽", "👍"]),
        ("🇫🇷🇩🇪🇫", ["🇫🇷", "🇩🇪", "🇫"]),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿!", ["🏴󠁧󠁢󠁳󠁣󠁴󠁿", "!"]),
        ("न‌ि", ["न‌ि"]),
        ("a\u200fb", ["a", "b"]),
        ("", []),
    ],
)
def test_what_a_reader_sees_as_one_character_stays_whole(text: str, expected: list[str]) -> None:
    assert list(graphemes(text)) == expected


def test_a_long_text_is_cut_between_characters() -> None:
    assert shortened("revoke", 6) == "revoke"
    assert shortened("revokes", 6) == "revok…"
    assert shortened("a revoke", 3) == "a…"
    assert shortened("👍🏽👍🏽👍🏽", 5) == "👍🏽👍🏽…"
    assert shortened("日本語", 6) == "日本語"
    assert shortened("", 6) == ""


def test_only_letters_from_the_right_are_held_in_place() -> None:
    assert isolated("Anna") == "Anna"
    assert isolated("שרה") == "\u200eשרה\u200e"
    assert isolated("علي") == "\u200eعلي\u200e"
