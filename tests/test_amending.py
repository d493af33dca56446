"""Changes of the match itself: a forgotten deal, another order, names, replacements, agreed points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import deal_entry, match_file
from records import everything

from scorepad.matchfile import read_match, write_match, write_rules
from scorepad.rules import PRESETS
from scorepad.standing import standing
from scorepad.store import Refused, Save, SaveConflict, Store

KING = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Ben"})
TRUMPS = deal_entry("Ben T", doubles={"Dan": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 6, "Dan": 3}})
HEARTS = deal_entry("Carla NH", doubles={"Ben": ["Carla"]}, result={"hearts": {"Anna": 13}, "ace": "Anna"})
AGREED = [{"after_deal": 2, "points": {"Anna": 0, "Ben": -10, "Carla": 10, "Dan": 0}, "reason": "revoke"}]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    made = Store(tmp_path / "scorepad.db")
    yield made
    made.database.close()


def start(store: Store, *deals: Any, **more: Any) -> str:
    """Start a match with these deals."""
    match = read_match(match_file(*deals, **more)).match
    assert match
    return store.start(match)[0]


def save(
    store: Store, slug: str, action: str, deal: Any, *, called: str = "a-save-of-mine", **more: Any
) -> Any:
    """Save a change of a match, having seen it as it is."""
    seen = more.pop("seen", store.load(slug).revision)
    return store.save(slug, Save(called, seen, action, deal=deal, **more), by="a test")


def totals(store: Store, slug: str) -> list[int]:
    """The totals of a match."""
    return list(store.standing(slug)[1].totals)


def totals_of(*deals: Any, **more: Any) -> list[int]:
    """What the core makes of these deals."""
    match = read_match(match_file(*deals, **more)).match
    assert match
    return list(standing(match).totals)


def contracts(store: Store, slug: str) -> list[str]:
    """The contracts of the deals in their order."""
    return [d.body["contract"] for d in store.load(slug).deals]


def test_a_forgotten_deal_is_put_in_before_another(store: Store) -> None:
    slug = start(store, KING, HEARTS, agreed_points=AGREED)
    answer = save(store, slug, "insert", {"number": 2, "deal": TRUMPS})
    assert (answer.deal, answer.deal_id) == (2, "a-save-of-mine")
    assert contracts(store, slug) == ["B", "T", "NH"]
    assert store.load(slug).file["agreed_points"][0]["after_deal"] == 3, "they stay after the same deal"
    moved = [{**AGREED[0], "after_deal": 3}]
    assert totals(store, slug) == totals_of(KING, TRUMPS, HEARTS, agreed_points=moved)


def test_a_forgotten_deal_sent_twice_counts_once(store: Store) -> None:
    slug = start(store, KING, HEARTS)
    first = save(store, slug, "insert", {"number": 1, "deal": TRUMPS})
    again = save(store, slug, "insert", {"number": 1, "deal": TRUMPS})
    assert again == first._replace(is_new=False)
    assert contracts(store, slug) == ["T", "B", "NH"]


@pytest.mark.parametrize("number", [0, 3, 99])
def test_a_forgotten_deal_stands_before_one_that_is_there(store: Store, number: int) -> None:
    slug = start(store, KING, HEARTS)
    with pytest.raises(SaveConflict):
        save(store, slug, "insert", {"number": number, "deal": TRUMPS})


def test_a_forgotten_deal_that_cannot_be_is_refused(store: Store) -> None:
    slug = start(store, KING, HEARTS)
    with pytest.raises(Refused) as refused:
        save(store, slug, "insert", {"number": 2, "deal": {**KING, "result": {"king": "Dan"}}})
    assert [(p.deal, p.mistake.code) for p in refused.value.problems] == [(2, "contract_declared_twice")]
    assert contracts(store, slug) == ["B", "NH"]


def test_deals_are_put_in_another_order(store: Store) -> None:
    slug = start(store, HEARTS, KING, TRUMPS)
    ids = [d.deal_id for d in store.load(slug).deals]
    save(store, slug, "order", [ids[1], ids[2], ids[0]])
    assert contracts(store, slug) == ["B", "T", "NH"]
    assert totals(store, slug) == totals_of(KING, TRUMPS, HEARTS)
    where = store.standing(slug)[1]
    assert not [w for d in where.deals for w in d.warnings], "nobody declared out of turn after all"


def test_an_order_names_every_deal_once(store: Store) -> None:
    slug = start(store, KING, TRUMPS)
    ids = [d.deal_id for d in store.load(slug).deals]
    for wrong in ([ids[0]], [ids[0], ids[0]], [*ids, "another"]):
        with pytest.raises(SaveConflict):
            save(store, slug, "order", wrong)
    assert contracts(store, slug) == ["B", "T"]


def test_a_renamed_player_is_renamed_everywhere(store: Store) -> None:
    slug = start(store, KING, TRUMPS, agreed_points=AGREED, first_declarer="Ben")
    before = totals(store, slug)
    save(store, slug, "amend", {"players": ["Anna", "Bennet", "Carla", "Dan"]})
    match = store.standing(slug)[1].match
    assert match.players[1] == "Bennet"
    assert "Ben" not in str(write_match(match)).replace("Bennet", "")
    assert totals(store, slug) == before
    assert match.first_declarer == 1
    save(store, slug, "add", {**HEARTS, "doubles": {"Bennet": ["Carla"]}}, called="the-next-deal")
    assert len(store.load(slug).deals) == 3


def test_two_players_may_change_names(store: Store) -> None:
    slug = start(store, KING)
    save(store, slug, "amend", {"players": ["Ben", "Anna", "Carla", "Dan"]})
    deal = store.load(slug).deals[0].body
    assert (deal["declarer"], deal["result"]) == ("Ben", {"king": "Anna"})


def test_names_that_look_alike_are_refused(store: Store) -> None:
    slug = start(store, KING)
    with pytest.raises(Refused) as refused:
        save(store, slug, "amend", {"players": ["Anna", "Anna", "Carla", "Dan"]})
    assert "names_alike" in [p.mistake.code for p in refused.value.problems]


def test_another_player_takes_the_seat_from_a_deal_on(store: Store) -> None:
    slug = start(store, KING, TRUMPS)
    save(store, slug, "amend", {"replaced": [{"from_deal": 2, "seat": 2, "name": "Eva"}]})
    match = store.standing(slug)[1].match
    assert match.names_at(1)[1] == "Ben"
    assert match.names_at(2)[1] == "Eva"
    save(store, slug, "add", {**HEARTS, "doubles": {"Eva": ["Carla"]}}, called="the-next-deal")
    assert totals(store, slug) == totals_of(KING, TRUMPS, HEARTS)


def test_agreed_points_are_written_and_taken_back(store: Store) -> None:
    slug = start(store, KING, TRUMPS)
    save(store, slug, "amend", {"agreed_points": AGREED})
    assert totals(store, slug) == totals_of(KING, TRUMPS, agreed_points=AGREED)
    save(store, slug, "amend", {"agreed_points": []}, called="taken-back")
    assert totals(store, slug) == totals_of(KING, TRUMPS)


def test_rules_are_changed_and_every_total_with_them(store: Store) -> None:
    slug = start(store, KING)
    change = Save("other-rules", 1, "amend", deal={"rules": write_rules(PRESETS["german-other-values"])})
    before, after = store.preview(slug, change)
    assert list(before.totals) == totals_of(KING)
    assert list(after.totals) == totals_of(KING, rules="german-other-values")
    assert totals(store, slug) == totals_of(KING), "a look writes nothing"
    store.save(slug, change, by="a test")
    assert totals(store, slug) == totals_of(KING, rules="german-other-values")


def test_rules_that_a_deal_breaks_are_refused(store: Store) -> None:
    slug = start(store, deal_entry("Anna M", passed_out=True))
    with pytest.raises(Refused):
        save(store, slug, "amend", {"rules": write_rules(PRESETS["german"])})


def test_a_field_is_left_out_again(store: Store) -> None:
    slug = start(store, KING, stake={"per_point": "0.05", "currency": "EUR"})
    save(store, slug, "amend", {"stake": None, "abandoned": True})
    match = store.standing(slug)[1].match
    assert match.stake is None
    assert match.abandoned
    assert store.standing(slug)[1].next is None


@pytest.mark.parametrize(
    ("action", "change"),
    [
        ("amend", {"title": "Another"}),
        ("order", ["file-deal-02", "file-deal-01"]),
        ("insert", {"number": 1, "deal": HEARTS}),
    ],
)
def test_a_change_that_did_not_see_the_last_one_is_refused(store: Store, action: str, change: Any) -> None:
    slug = start(store, KING, TRUMPS)
    save(store, slug, "amend", {"title": "First"}, called="the-first-one")
    before = everything(store)
    with pytest.raises(SaveConflict):
        save(store, slug, action, change, called="too-late-now", seen=1)
    assert everything(store) == before


def test_a_deal_saved_meanwhile_is_no_conflict(store: Store) -> None:
    slug = start(store, KING)
    save(store, slug, "add", TRUMPS, called="the-next-deal")
    save(store, slug, "amend", {"title": "Thursday"}, seen=1)
    assert store.standing(slug)[1].match.title == "Thursday"


def test_the_record_reads_back_after_all_of_it(store: Store, tmp_path: Path) -> None:
    slug = start(store, HEARTS, KING)
    save(store, slug, "insert", {"number": 2, "deal": TRUMPS}, called="insert-it")
    save(store, slug, "amend", {"players": ["Ada", "Ben", "Carla", "Dan"]}, called="rename-her")
    ids = [d.deal_id for d in store.load(slug).deals]
    save(store, slug, "order", [ids[2], ids[1], ids[0]], called="order-them")
    again = Store(tmp_path / "scorepad.db")
    assert again.load(slug) == store.load(slug)
    assert list(again.standing(slug)[1].totals) == totals_of(KING, TRUMPS, HEARTS)
    again.database.close()
