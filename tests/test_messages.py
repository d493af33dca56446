"""Every key of the core has its sentence, and values are written as players write them."""

from __future__ import annotations

import inspect
import string
from collections.abc import Iterator
from dataclasses import replace

import pytest
from builders import ANNA, BEN, CARLA, DAN, NAMES, case_file, deal, match_cases, match_of, played
from hypothesis import given, settings
from hypothesis import strategies as st
from mistakes import every_mistake
from strategies import tricky_names

from scorepad import debts, explain, meanings
from scorepad.contracts import Contract
from scorepad.match import Match
from scorepad.matchfile import read
from scorepad.matchfile.schema import WARNING_CODES
from scorepad.messages import (
    CONTRACT_NAMES,
    MISTAKES,
    PRESET_NAMES,
    SENTENCES,
    WARNINGS,
    WORDS,
    Words,
    signed,
    unsigned,
)
from scorepad.rules import PRESETS, STANDARD, Message, PositivesCount
from scorepad.standing import problems, standing
from scorepad.table import SEATS, PerSeat

say = Words(NAMES)
EVERY_MISTAKE = every_mistake()


def placeholders(text: str) -> set[str]:
    """The values that a sentence names."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


# Mistakes


@pytest.mark.parametrize("code", EVERY_MISTAKE)
def test_every_mistake_has_a_sentence_that_can_be_said(code: str) -> None:
    sentence = say(EVERY_MISTAKE[code].message)
    assert sentence[0].isupper() or sentence[0] in "“01234567890"
    assert sentence[-1] in ".?"
    assert "Seat." not in sentence
    assert "None" not in sentence


@pytest.mark.parametrize("code", EVERY_MISTAKE)
def test_a_sentence_names_only_values_that_its_mistake_has(code: str) -> None:
    assert placeholders(MISTAKES[code]) <= EVERY_MISTAKE[code].values.keys()


def test_what_a_field_should_hold_is_said_in_words() -> None:
    wanted = {m.values[k] for m in EVERY_MISTAKE.values() for k in ("wanted", "what") if k in m.values}
    wanted -= {"scorepad-match/1"}
    assert wanted <= WORDS.keys()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (
            "contract_declared_twice",
            "Anna declared Barbu in deal 1 already. Choose another contract, or correct deal 1.",
        ),
        (
            "declarer_may_only_redouble",
            "Anna declares, so Anna may double only those who doubled Anna; Ben did not.",
        ),
        ("flank_double_not_allowed", "Ben may double only the declarer, Anna, here; not Carla."),
        ("count_missing", "How many tricks did Anna take? 0 counts too."),
        ("count_is_negative", "Anna cannot take −1 tricks. The least is 0."),
        (
            "ace_without_hearts",
            (
                "Ben took the ace of hearts, so Ben took at least one heart. "
                "Correct the hearts, or who took the ace."
            ),
        ),
        ("order_names_twice", "Ben is named twice in the finishing order. Everybody finishes once."),
    ],
)
def test_a_mistake_says_what_to_mend(code: str, sentence: str) -> None:
    assert say(EVERY_MISTAKE[code].message) == sentence


def test_counts_that_do_not_add_up_say_both_numbers() -> None:
    (problem,) = problems(match_of(deal("Anna M", "BA", tricks=(5, 1, 6, 2))))
    assert say(problem.mistake.message) == "The tricks must make 13; these make 14."


def test_what_is_allowed_is_listed() -> None:
    values = {"name": "deck", "found": "40", "allowed": ("52", "32")}
    assert say(Message("unknown_value", values)) == "“deck” cannot be “40”. It can be: 52, 32."


# Warnings and sentences


def everything_told(match: Match) -> Iterator[Message]:
    """All that the core has to tell of a match."""
    where = standing(match)
    for result in where.deals:
        yield from result.warnings
        yield from explain.read_back(result)
        if result.deal.declarer is not None:
            yield explain.who_deals(result.deal.declarer, match.rules)
        if told := explain.why(result, match.rules):
            yield from (*told.doubles, *told.tally, *told.basic, *told.pairs, told.check, *told.duties)
        for duty in debts.duties(where, result):
            yield from (duty.told, *duty.because)
        if result.playing and where.next:
            declarer = where.next.declarer
            yield explain.forced_because(where, declarer.left, declarer, result.playing.contract)
    for player in SEATS:
        for declarer in player.others:
            yield from explain.counted_deals(where, player, declarer)
            yield from debts.debt(where, player, declarer)


def irregular_matches() -> list[Match]:
    """Matches with all that the example files leave out."""
    one_positive = replace(STANDARD, positives_count=PositivesCount.ONE)
    missing = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
    return [
        match_of(*missing, played("Anna T", "BA"), deal("Ben NQ", "CB")),
        match_of(*missing, played("Anna D", "CA"), deal("Anna T", "CA")),
        match_of(*missing[:4], rules=one_positive),
        match_of(*missing, played("Anna D", "CA"), played("Anna T", "CA")),
        match_of(played("Anna T", "BA"), played("Anna D", "BA"), rules=one_positive),
        match_of(deal("Anna NQ", "BA AB CD", queens=(1, 1, 1, 1))),
        match_of(deal("Anna NQ", "BA AB CA", queens=(0, 1, 0, 3))),
        match_of(*[played(f"Anna {c}", "BX") for c in ("B", "M", "NQ")]),
        match_of(deal("Anna NH", "BA", hearts=(12, 1, 0, 0), ace="Ben")),
        match_of(deal("Anna NL2", "BA", last_two="Dan Dan")),
        match_of(deal("Anna RC", "BA", most="Ben"), rules=PRESETS["ravage-city"]),
    ]


def example_matches() -> list[Match]:
    """The whole matches of the case files, and the irregular ones."""
    read_ = (read(case_file(name)).match for name in match_cases())
    return [*(m for m in read_ if m is not None), *irregular_matches()]


def test_the_examples_tell_everything_the_core_can_tell() -> None:
    matches = example_matches()
    keys = {m.key for match in matches for m in everything_told(match)}
    keys |= {m.key for a in matches for b in matches for m in meanings.changes(standing(a), standing(b))}
    source = "".join(inspect.getsource(module) for module in (explain, debts, meanings))
    untold = {key for key in SENTENCES.keys() | WARNINGS.keys() if key not in keys}
    assert not [key for key in untold if f'"{key}"' in source or key in WARNINGS]


def test_everything_the_core_tells_can_be_said() -> None:
    told = [m for match in example_matches() for m in everything_told(match)]
    for message in told:
        sentence = say(message)
        assert "Seat." not in sentence
        assert "None" not in sentence
        assert "{" not in sentence


def test_warnings_are_those_of_the_schema() -> None:
    assert set(WARNING_CODES) == WARNINGS.keys()


def test_a_warning_says_who_was_to_do_what() -> None:
    (result, *_) = standing(match_of(deal("Ben B", passed_out=True))).deals
    assert say.all(result.warnings) == "Ben declared out of turn; it was Anna’s turn."
    six = [deal(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
    warned = standing(match_of(*six, played("Anna T", "BA CA"))).deals[-1].warnings
    assert say(warned[-1]) == "Dan had to double Anna and did not."


def test_every_contract_and_every_preset_has_a_name() -> None:
    assert CONTRACT_NAMES.keys() == set(Contract)
    assert PRESET_NAMES.keys() == PRESETS.keys()


# How values are written


def test_points_have_their_sign_and_a_true_minus() -> None:
    assert [signed(n) for n in (6, 0, -6)] == ["+6", "0", "−6"]
    assert [unsigned(n) for n in (6, 0, -6)] == ["6", "0", "−6"]


def test_players_are_listed_with_and_before_the_last() -> None:
    assert say.write(()) == ""
    assert say.write((ANNA,)) == "Anna"
    assert say.write((ANNA, BEN)) == "Anna and Ben"
    assert say.write((ANNA, BEN, DAN)) == "Anna, Ben and Dan"


def test_a_contract_is_written_by_its_name() -> None:
    assert say.write(Contract.NL2) == "No Last Two"


def test_one_trick_is_told_from_several() -> None:
    assert say(Message("took_tricks", {"player": CARLA, "n": 1})) == "Carla took 1 trick."
    assert say(Message("took_tricks", {"player": CARLA, "n": 2})) == "Carla took 2 tricks."


@settings(max_examples=50, deadline=None)
@given(tricky_names(), st.sampled_from(SEATS))
def test_a_name_is_written_as_it_is_whatever_it_looks_like(names: PerSeat[str], seat: int) -> None:
    sentence = Words(names)(Message("took_king", {"player": SEATS[seat]}))
    assert sentence == f"{names[seat]} took the king of hearts."


def test_the_readers_language() -> None:
    """Sentences, the names of contracts and the word before the last are all translated."""
    german = {
        "Deal {number}: {declarer} declared {contract}.": "Spiel {number}: {declarer} sagt {contract} an.",
        "No Queens": "Keine Damen",
        "{first} and {last}": "{first} und {last}",
        "{player} doubled {whom}.": "{player} kontriert {whom}.",
        "{player} took {n} queens.": "{player} bekommt {n} Damen.",
        "The {what:word} must make {expected}; these make {counted}.": (
            "{what:word}: {counted} statt {expected}."
        ),
        "queens": "Damen",
    }

    def gettext(text: str) -> str:
        return german.get(text, text)

    def ngettext(one: str, many: str, n: int) -> str:
        return gettext(one if n == 1 else many)

    sagt = Words(NAMES, gettext, ngettext)
    assert sagt(Message("read_back", {"number": 3, "declarer": ANNA, "contract": Contract.NQ})) == (
        "Spiel 3: Anna sagt Keine Damen an."
    )
    assert sagt(Message("doubled", {"player": BEN, "whom": (CARLA, DAN)})) == "Ben kontriert Carla und Dan."
    assert sagt(Message("took_queens", {"player": BEN, "n": 2})) == "Ben bekommt 2 Damen."
    wrong = Message("tally_does_not_add_up", {"what": "queens", "expected": 4, "counted": 5})
    assert sagt(wrong) == "Damen: 5 statt 4."
