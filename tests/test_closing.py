"""A closed match in the store: what is refused, signatures and what voids them, and the codes for seats."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from builders import ANNA, BEN, CARLA, NAMES, deal_entry, match_file
from records import everything, unchanged

from scorepad.matchfile import fingerprint, read_match
from scorepad.store import (
    Answer,
    Closed,
    Draft,
    How,
    IdReused,
    NotClosed,
    NotOver,
    Save,
    Side,
    Stale,
    Store,
    UnknownCode,
)
from scorepad.store.history import SIDES, bring_back, undo
from scorepad.store.record import ACTIONS, row_hash, without_open
from scorepad.store.signatures import written
from scorepad.table import SEATS, Seat
from scorepad.verifying import Verdict, verify

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", doubles={"Ben": ["Carla"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})
QUEENS = deal_entry("Dan NQ", doubles={"Anna": ["Dan"]}, result={"queens": {"Ben": 3, "Dan": 1}})
KING_OF_DAN = {**KING, "result": {"king": "Dan"}}

#: One save of each kind that changes the match; each would be taken were it not closed.
CHANGES: dict[str, tuple[str, Any]] = {
    "add": ("", QUEENS),
    "correct": ("file-deal-01", KING_OF_DAN),
    "remove": ("file-deal-01", None),
    "insert": ("", {"number": 1, "deal": QUEENS}),
    "order": ("", ["file-deal-02", "file-deal-01", "file-deal-03"]),
    "amend": ("", {"abandoned": False}),
}


class Table:
    """A match that was abandoned after three deals, and what is done with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.times = count()
        self.store = Store(path, now=lambda: f"2026-11-30T20:{next(self.times) % 60:02}:00+00:00")
        match = read_match(match_file(KING, TRUMPS, HEARTS, abandoned=True)).match
        assert match
        self.slug, self.key = self.store.start(match)
        self.saves = count(1)

    def save(self, action: str, deal_id: str = "", deal: Any = None, **more: Any) -> Answer:
        """Save something about the match as it stands; `id` unless another is given."""
        how = {"by": "device 1", "id": f"save-number-{next(self.saves)}", **more}
        save = Save(how.pop("id"), self.store.load(self.slug).revision, action, deal_id, deal)
        return self.store.save(self.slug, save, **how)

    def sign(self, seat: Seat, *, digits: str = "", how: How = How.SCORING_PHONE, **more: Any) -> Answer:
        """Sign the figures as they stand, or others."""
        digits = digits or self.store.load(self.slug).fingerprint
        return self.save("sign", deal=written(seat, NAMES[seat], digits, how), **more)

    def standing(self) -> dict[str, bool]:
        """Who has signed, and whether it stands."""
        kept = self.store.load(self.slug)
        return {s.name: s.fingerprint == kept.fingerprint for s in kept.signatures}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A match that is over, and not closed yet."""
    made = Table(tmp_path / "scorepad.db")
    yield made
    made.store.database.close()


@pytest.fixture
def closed(table: Table) -> Table:
    """The same, closed."""
    table.save("close")
    return table


# Closing


def test_every_kind_of_change_is_tried_here() -> None:
    assert {*CHANGES, "start", "close", "reopen", "sign"} == set(ACTIONS) == set(SIDES)


@pytest.mark.parametrize("action", CHANGES)
def test_a_closed_match_refuses_every_change(closed: Table, action: str) -> None:
    deal_id, deal = CHANGES[action]
    with pytest.raises(Closed):
        unchanged(closed.store, lambda: closed.save(action, deal_id, deal))
    save = Save("only-looked-at", 2, action, deal_id, deal)
    with pytest.raises(Closed):
        closed.store.preview(closed.slug, save)
    closed.save("reopen")
    assert closed.save(action, deal_id, deal).is_new


def test_a_closed_match_keeps_no_open_deal(table: Table) -> None:
    hand = deal_entry("Dan B")
    table.store.write_draft(table.slug, 0, Draft(0, "device 2", 4, hand))
    table.save("close")
    draft = table.store.draft(table.slug)
    assert draft.deal is None
    with pytest.raises(Closed):
        unchanged(
            table.store,
            lambda: table.store.write_draft(table.slug, draft.version, Draft(0, "device 2", 4, hand)),
        )


def test_only_a_match_that_is_over_is_closed(table: Table) -> None:
    table.save("amend", deal={"abandoned": False})
    with pytest.raises(NotOver):
        unchanged(table.store, lambda: table.save("close"))


def test_a_match_is_closed_once(closed: Table) -> None:
    with pytest.raises(Closed):
        unchanged(closed.store, lambda: closed.save("close"))


@pytest.mark.parametrize("action", ["reopen", "sign"])
def test_only_a_closed_match_is_reopened_or_signed(table: Table, action: str) -> None:
    with pytest.raises(NotClosed):
        unchanged(table.store, lambda: table.sign(ANNA) if action == "sign" else table.save("reopen"))


def test_it_says_since_when(table: Table) -> None:
    assert not table.store.load(table.slug).closed
    table.save("close")
    assert table.store.load(table.slug).closed_at == table.store.last_row(table.slug)["at"]
    table.save("reopen")
    assert not table.store.load(table.slug).closed


def test_closing_signing_and_reopening_are_saved_once(table: Table) -> None:
    calls: list[Callable[[], Answer]] = [
        lambda: table.save("close", id="closed-once"),
        lambda: table.sign(ANNA, id="signed-once"),
        lambda: table.save("reopen", id="opened-once"),
    ]
    for call in calls:
        first = call()
        again = unchanged(table.store, call)
        assert (first.is_new, again) == (True, first._replace(is_new=False))


def test_a_save_that_was_written_before_answers_as_it_did(table: Table) -> None:
    first = table.save("correct", "file-deal-01", KING_OF_DAN, id="before-closing")
    table.save("close")
    again = unchanged(
        table.store, lambda: table.save("correct", "file-deal-01", KING_OF_DAN, id="before-closing")
    )
    assert again == first._replace(is_new=False)


def test_rows_of_signing_are_in_the_chain_and_leave_the_fingerprint(table: Table) -> None:
    before = table.store.load(table.slug)
    table.save("close")
    table.sign(ANNA)
    table.save("reopen")
    after = table.store.load(table.slug)
    assert (after.fingerprint, after.source) == (before.fingerprint, before.source)
    assert after.fingerprint == fingerprint(without_open(table.store.standing(table.slug)[1].match)[0])
    previous = ""
    for row in table.store.rows(table.slug):
        assert row["previous"] == previous
        assert row["hash"] == row_hash(row)
        previous = row["hash"]
    assert [row["action"] for row in table.store.rows(table.slug)] == ["start", "close", "sign", "reopen"]
    other = sqlite3.connect(table.path)
    with pytest.raises(sqlite3.IntegrityError):
        other.execute("DELETE FROM record WHERE action = 'sign'")
    other.close()


def test_another_process_folds_the_same(closed: Table) -> None:
    closed.sign(ANNA)
    other = Store(closed.path)
    assert other.load(closed.slug) == closed.store.load(closed.slug)
    other.database.close()


# Signing


def test_a_signature_says_who_what_when_and_how(closed: Table) -> None:
    closed.sign(BEN, by="device 7", how=How.OWN_PHONE)
    (signature,) = closed.store.load(closed.slug).signatures
    row = closed.store.last_row(closed.slug)
    assert (signature.seat, signature.name, signature.how) == (BEN, "Ben", How.OWN_PHONE)
    assert signature.fingerprint == closed.store.load(closed.slug).fingerprint
    assert (signature.at, signature.by) == (row["at"], "device 7")


def test_other_figures_than_those_that_stand_are_not_signed(closed: Table) -> None:
    seen = closed.store.load(closed.slug).fingerprint
    closed.save("reopen")
    closed.save("correct", "file-deal-01", KING_OF_DAN)
    closed.save("close")
    for digits in seen, "0" * 64:
        with pytest.raises(Stale):
            unchanged(closed.store, lambda: closed.sign(ANNA, digits=digits))  # noqa: B023


def test_the_same_id_for_another_seat(closed: Table) -> None:
    closed.sign(ANNA, id="signed-once")
    with pytest.raises(IdReused):
        unchanged(closed.store, lambda: closed.sign(BEN, id="signed-once"))


def test_a_correction_voids_every_signature_until_the_figures_are_back(closed: Table) -> None:
    closed.sign(ANNA)
    closed.sign(BEN)
    closed.save("reopen")
    assert closed.standing() == {"Anna": True, "Ben": True}, "nothing has changed yet"
    closed.save("correct", "file-deal-01", KING_OF_DAN)
    assert closed.standing() == {"Anna": False, "Ben": False}
    closed.save("close")
    closed.sign(BEN)
    assert closed.standing() == {"Anna": False, "Ben": True}
    assert len(closed.store.load(closed.slug).signatures) == 2, "the last for each seat"
    closed.save("reopen")
    closed.save("correct", "file-deal-01", KING)
    assert closed.standing() == {"Anna": True, "Ben": False}


def test_a_file_is_verified_across_such_rows(closed: Table) -> None:
    closed.sign(ANNA)
    match = closed.store.standing(closed.slug)[1].match
    found = verify(closed.store, match)
    assert (found.verdict, found.row) == (Verdict.STANDS, 3)
    closed.save("reopen")
    closed.save("correct", "file-deal-01", KING_OF_DAN)
    found = verify(closed.store, match)
    assert (found.verdict, found.row, found.rows) == (Verdict.STOOD, 4, 5)


def test_nothing_brings_back_or_undoes_them(closed: Table) -> None:
    closed.sign(ANNA)
    closed.save("reopen")
    for step in closed.store.history(closed.slug)[1:]:
        assert SIDES[step.action] == ()
        assert undo(step) is None
        assert all(bring_back(step, side, step.after) is None for side in Side)


# Codes for seats


def codes(table: Table, *seats: Seat) -> list[str]:
    """Fresh codes for these seats."""
    return [code for _, code in table.store.new_seat_codes(table.slug, seats)]


def test_a_code_is_long_and_kept_as_a_hash(closed: Table) -> None:
    made = codes(closed, *SEATS)
    assert len(set(made)) == 4
    assert all(len(code) * 6 >= 128 for code in made), "six random bits in each character"
    assert not any(code in str(everything(closed.store)) for code in made)
    assert [closed.store.seat_of_code(code) for code in made] == [(closed.slug, s, True) for s in SEATS]
    assert closed.store.seat_of_code("nothing") is None


def test_a_code_is_good_for_one_signature(closed: Table) -> None:
    anna, ben = codes(closed, ANNA, BEN)
    first = closed.sign(ANNA, code=anna, id="signed-once")
    assert unchanged(closed.store, lambda: closed.sign(ANNA, code=anna, id="signed-once")) == first._replace(
        is_new=False
    ), "an answer that was lost"
    with pytest.raises(UnknownCode):
        unchanged(closed.store, lambda: closed.sign(ANNA, code=anna))
    with pytest.raises(UnknownCode):
        unchanged(closed.store, lambda: closed.sign(CARLA, code=ben))
    assert closed.sign(BEN, code=ben).is_new
    with pytest.raises(UnknownCode):
        unchanged(closed.store, lambda: closed.sign(CARLA, code="nothing"))


@pytest.mark.parametrize("ending", ["replaced", "reopened", "signed on the scoring phone"])
def test_a_code_ends(closed: Table, ending: str) -> None:
    anna, ben = codes(closed, ANNA, BEN)
    if ending == "replaced":
        codes(closed, BEN)
    elif ending == "reopened":
        closed.save("reopen")
        closed.save("close")
    else:
        closed.sign(ANNA)
    found = closed.store.seat_of_code(anna)
    assert found
    assert not found.is_open
    with pytest.raises(UnknownCode):
        unchanged(closed.store, lambda: closed.sign(ANNA, code=anna))
    still = closed.store.seat_of_code(ben)
    assert still
    assert still.is_open == ending.startswith("signed"), "that of another seat"


def test_the_codes_of_another_match_stay(closed: Table) -> None:
    match = closed.store.standing(closed.slug)[1].match
    other, _ = closed.store.start(match)
    (code,) = codes(closed, ANNA)
    closed.store.new_seat_codes(other, SEATS)
    found = closed.store.seat_of_code(code)
    assert found
    assert found.is_open
