"""What the sheet's fonts can draw, and what stands for the rest."""

import io

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from scorepad.glyphs import drawn, missing, names_for_labels, printable
from scorepad.labels import labels
from scorepad.match import looks_like
from scorepad.paths import asset_dir
from scorepad.table import PerSeat

FONTS = asset_dir("static") / "fonts"


def test_the_list_of_characters_is_that_of_both_fonts() -> None:
    """docs/fonts.md says how it is made."""
    both = [
        {*TTFont(io.BytesIO((FONTS / f"pad-{cut}.ttf").read_bytes())).getBestCmap()}
        for cut in ("regular", "bold")
    ]
    assert drawn() == both[0] & both[1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Anna",
        "Zoe\u0308",
        "Łucja Nguyễn",
        "Анна",
        "Ελένη",
        "שרה",
        "علي",
        "♥\ufe0e",
        "−20 ½ ²",
        "a\u200db",
    ],
)
def test_what_the_fonts_have_stays_as_it_is(text: str) -> None:
    assert printable(text) == text
    assert missing([text]) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("🦊 Foxy", "[fox face] Foxy", id="emoji"),
        pytest.param("日本", "[U+65E5, U+672C]", id="a name that helps nobody"),
        pytest.param("日本太郎 Taro", "[U+65E5, U+672C, U+592A…] Taro", id="many in a row"),
        pytest.param("김", "[gim]", id="Korean"),
        pytest.param("た", "[ta]", id="Japanese"),
        pytest.param("न", "[na]", id="Indic"),
        pytest.param("🇫🇷🇩🇪", "[FR, DE]", id="flags"),
        pytest.param("👍🏽!", "[thumbs up sign]!", id="with a tone of skin"),
        pytest.param("\ue000", "[U+E000]", id="without a name"),
        pytest.param("a\u3000b", "a b", id="a wide space"),
        pytest.param("a\u0600b", "a[arabic number sign]b", id="a control that is seen"),
        pytest.param("😀", "😀\ufe0e", id="an emoji they have"),
        pytest.param("a\ufff9b\U000e0067", "ab", id="controls that are not"),
    ],
)
def test_what_they_lack_is_named_in_its_place(text: str, expected: str) -> None:
    assert printable(text) == expected


def test_each_missing_character_is_listed_once() -> None:
    assert missing(["日本", "Anna", "本日🦊"]) == ("日", "本", "🦊")


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=40))
def test_whatever_is_written_can_be_drawn(text: str) -> None:
    assert {*map(ord, printable(text))} <= drawn()


def test_labels_are_made_of_what_can_be_drawn() -> None:
    names = PerSeat("🦊", "日本", "Anna 🐺", "Anna 🐻")
    made = labels(names_for_labels(names))
    assert made[:2] == ("①", "②")
    assert len({*map(looks_like, made)}) == 4
    assert missing(made) == ()
