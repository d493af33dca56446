"""The store: rows that are only ever added, saves that count once, drafts, and who may write."""

from __future__ import annotations

import hashlib
import itertools
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from builders import ANNA, BEN, CARLA, case_file, deal_entry, match_cases, match_file

from scorepad.matchfile import read, read_match, write_match
from scorepad.standing import standing
from scorepad.store import (
    Answer,
    Database,
    Draft,
    DraftTaken,
    IdReused,
    NumberTaken,
    Refused,
    Right,
    Save,
    Stale,
    Store,
    UnknownDeal,
    UnknownMatch,
)
from scorepad.store.database import NewerDatabase, migrations

BARBU = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Dan"})
MISERE = deal_entry(
    "Ben M", doubles={"Anna": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 1, "Carla": 6, "Dan": 2}}
)
DOMINOES = deal_entry("Carla D", result={"order": ["Ben", "Dan", "Anna", "Carla"]})
PASSED_OUT = deal_entry("Dan NH", passed_out=True)


class Clock:
    """Times for the record, each a second after the one before."""

    def __init__(self) -> None:
        self.seconds = itertools.count()

    def __call__(self) -> str:
        """The next second."""
        n = next(self.seconds)
        return f"2026-11-30T20:{n // 60:02}:{n % 60:02}+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database of this test is."""
    return tmp_path / "scorepad.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A store on a new file, with a clock that ticks at every look."""
    kept = Store(path, now=Clock())
    yield kept
    kept.database.close()


@pytest.fixture
def slug(store: Store) -> str:
    """A match that has just begun."""
    return start(store)


def start(store: Store, *deals: Any, **fields: Any) -> str:
    """Start a match of Anna, Ben, Carla and Dan; its slug."""
    match = read_match(match_file(*deals, **fields)).match
    assert match
    return store.start(match)[0]


numbers = itertools.count(1)


def new_id() -> str:
    """An id no save had before."""
    return f"save-{next(numbers):06}"


def add(store: Store, slug: str, deal: Any, **more: Any) -> Answer:
    """Save the next deal."""
    seen = more.pop("seen", store.load(slug).revision)
    return store.save(slug, Save(more.pop("id", new_id()), seen, "add", deal=deal, **more), by="tester")


def correct(store: Store, slug: str, deal_id: str, deal: Any, **more: Any) -> Answer:
    """Correct a deal."""
    seen = more.pop("seen", store.load(slug).revision)
    return store.save(slug, Save(more.pop("id", new_id()), seen, "correct", deal_id, deal), by="tester")


def remove(store: Store, slug: str, deal_id: str, **more: Any) -> Answer:
    """Remove a deal."""
    seen = more.pop("seen", store.load(slug).revision)
    return store.save(slug, Save(more.pop("id", new_id()), seen, "remove", deal_id), by="tester")


def totals(store: Store, slug: str) -> tuple[int, ...]:
    """The four totals of a match."""
    return tuple(store.standing(slug)[1].totals)


def deals(store: Store, slug: str) -> list[tuple[str, str]]:
    """The deals of a match: who declared what."""
    return [(d.body["declarer"], d.body["contract"]) for d in store.load(slug).deals]


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[tuple[int | None, str]]:
    """What was refused, by deal and code."""
    return [(p.deal, p.mistake.code) for p in refused.value.problems]


def other_connection(path: Path) -> sqlite3.Connection:
    """Somebody else's connection to the same file."""
    return sqlite3.connect(path, timeout=0.1)


def refuses_to_write(store: Store, slug: str, save: Callable[[], object]) -> None:
    """The save raises, and leaves the record and the match as they were."""
    before, draft = (store.rows(slug), store.load(slug)), store.draft(slug)
    with pytest.raises((Refused, Stale, NumberTaken, IdReused, UnknownDeal, UnknownMatch, DraftTaken)):
        save()
    assert (store.rows(slug), store.load(slug)) == before
    assert store.draft(slug) == draft


# The file


def test_a_new_file_gets_its_tables(store: Store, path: Path) -> None:
    with other_connection(path) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        applied = [name for (name,) in db.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]
    assert {"match", "record", "score_key", "device", "device_right", "draft", "match_setting"} <= names
    assert applied == [m.name for m in migrations._migrations]


def test_the_file_is_safe_against_power_cuts(store: Store) -> None:
    """The write-ahead log is on, every commit reaches the disk, and foreign keys are checked."""
    db = store.database.reading()
    asked = ("journal_mode", "synchronous", "foreign_keys")
    assert [db.execute(f"PRAGMA {name}").fetchone()[0] for name in asked] == ["wal", 2, 1]
    with pytest.raises(sqlite3.IntegrityError), store.database.writing() as writing:
        writing.execute("INSERT INTO draft VALUES (99, 1, '', 0, NULL, '')")


def test_opening_again_changes_nothing(store: Store, slug: str, path: Path) -> None:
    add(store, slug, BARBU)
    again = Store(path)
    assert again.rows(slug) == store.rows(slug)
    assert again.load(slug) == store.load(slug)
    again.database.close()


def test_a_database_of_a_later_release_is_left_alone(store: Store, path: Path) -> None:
    with store.database.writing() as db:
        db.table("_sqlite_migrations").insert(
            {"migration_set": "scorepad", "name": "of_next_year", "applied_at": ""}
        )
    with pytest.raises(NewerDatabase, match="of_next_year"):
        Store(path)


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    store: Store, slug: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(db: sqlite_utils.Database) -> None:
        db.execute("CREATE TABLE half_made (id INTEGER)")
        raise RuntimeError("no")

    monkeypatch.setattr(migrations, "_migrations", list(migrations._migrations))
    migrations(name="fails")(fails)
    with pytest.raises(RuntimeError, match="no"):
        Database(path)
    with other_connection(path) as db:
        assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'half_made'").fetchall()
        assert not db.execute("SELECT 1 FROM _sqlite_migrations WHERE name = 'fails'").fetchall()


def test_a_later_migration_keeps_what_is_there(
    store: Store, slug: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, slug, BARBU)
    monkeypatch.setattr(migrations, "_migrations", list(migrations._migrations))
    migrations(name="adds_an_index")(lambda db: db.execute("CREATE INDEX record_at ON record (at)"))
    later = Store(path)
    assert later.rows(slug) == store.rows(slug)
    later.database.close()


def test_two_processes_may_make_the_file_at_once(tmp_path: Path) -> None:
    """Whoever comes second finds the tables made; nobody sees a lock."""
    code = "import sys; from pathlib import Path; from scorepad.store import Store; Store(Path(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(tmp_path / "new.db")]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    errors = [process.communicate(timeout=30)[1] for process in both]
    assert errors == [b"", b"", b""]


# The record


def test_rows_are_never_changed_nor_deleted(store: Store, slug: str, path: Path) -> None:
    add(store, slug, BARBU)
    before = store.rows(slug)
    for statement in ("UPDATE record SET body = '{}'", "DELETE FROM record", "UPDATE record SET hash = ''"):
        with other_connection(path) as db, pytest.raises(sqlite3.IntegrityError, match="never"):
            db.execute(statement)
    with other_connection(path) as db, pytest.raises(sqlite3.IntegrityError, match="never"):
        db.execute("INSERT OR REPLACE INTO record SELECT * FROM record WHERE revision = 1")
    assert store.rows(slug) == before


def a_row_hash(row: Mapping[str, Any]) -> str:
    """The hash of a row, computed here anew: SHA-256 over all its other fields as canonical JSON."""
    named = {name: row[name] for name in row if name != "hash"}
    text = json.dumps(named, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def test_each_row_carries_the_hash_of_the_row_before(store: Store, slug: str) -> None:
    first = add(store, slug, BARBU)
    add(store, slug, MISERE | {"note": "Änderung ♥ 😀"})
    correct(store, slug, first.deal_id, BARBU | {"result": {"king": "Ben"}})
    remove(store, slug, first.deal_id)
    rows = store.rows(slug)
    assert [r["revision"] for r in rows] == [1, 2, 3, 4, 5]
    assert [r["action"] for r in rows] == ["start", "add", "add", "correct", "remove"]
    assert [r["previous"] for r in rows] == ["", *[r["hash"] for r in rows[:-1]]]
    assert [r["hash"] for r in rows] == [a_row_hash(r) for r in rows]
    assert store.load(slug).hash == rows[-1]["hash"]


def test_each_row_says_who_wrote_what_when(store: Store, slug: str) -> None:
    saved = add(store, slug, BARBU, id="from-a-phone")
    row = store.rows(slug)[-1]
    assert row["id"] == row["deal_id"] == saved.deal_id == "from-a-phone"
    assert row["by"] == "tester"
    assert row["at"] > store.rows(slug)[0]["at"]
    assert json.loads(row["body"])["written"] == BARBU
    assert json.loads(row["answer"]) == {"deal": 1, "deal_id": "from-a-phone", "revision": 2}


def test_a_row_says_when_its_doubles_were_spoken(store: Store, slug: str) -> None:
    playing = {k: v for k, v in BARBU.items() if k != "result"}
    draft = store.write_draft(slug, 0, Draft(0, "tester", 4, playing))
    add(store, slug, BARBU)
    row = store.rows(slug)[-1]
    assert json.loads(row["body"])["doubles_changed_at"] == draft.changed_at < row["at"]
    add(store, slug, MISERE)
    assert json.loads(store.rows(slug)[-1]["body"])["written"] == MISERE


@pytest.mark.parametrize("name", match_cases())
def test_a_match_file_is_kept_as_it_is(store: Store, name: str) -> None:
    match = read(case_file(name)).match
    assert match
    slug, _ = store.start(match)
    kept, where = store.standing(slug)
    assert where.match == match == kept.read()
    assert where == standing(match)
    assert (kept.revision, len({d.deal_id for d in kept.deals})) == (1, len(match.deals))


@pytest.mark.parametrize("name", match_cases())
def test_deal_by_deal_is_the_same_as_the_file(store: Store, name: str) -> None:
    """A match saved deal by deal is the match of its file, also when it is folded afresh."""
    match = read(case_file(name)).match
    assert match
    whole = write_match(match)
    begun = read_match(whole | {"deals": [], "agreed_points": [], "replaced": []}).match
    assert begun
    slug, _ = store.start(begun)
    saved = [d for d in whole["deals"] if "result" in d or "passed_out" in d]
    for number, deal in enumerate(saved, start=1):
        assert add(store, slug, deal, number=number).deal == number
    kept, where = store.standing(slug)
    fresh = Store(store.database.path)
    assert fresh.standing(slug) == (kept, where)
    expected = read_match(whole | {"deals": saved, "agreed_points": [], "replaced": []}).match
    assert where.match == expected
    fresh.database.close()


def test_the_match_in_memory_is_that_of_the_rows(store: Store, path: Path) -> None:
    """After any changes the fold that was kept ready equals a fold from the first row."""
    slug = start(store, BARBU, MISERE)
    first, second = (d.deal_id for d in store.load(slug).deals)
    changes: list[Callable[[], Answer]] = [
        lambda: add(store, slug, DOMINOES),
        lambda: correct(store, slug, second, MISERE | {"note": "recounted"}),
        lambda: remove(store, slug, first),
        lambda: add(store, slug, PASSED_OUT),
        lambda: correct(store, slug, second, MISERE),
    ]
    for change in changes:
        change()
        fresh = Store(path)
        assert fresh.standing(slug) == store.standing(slug)
        assert fresh.load(slug).read() == store.load(slug).read()
        fresh.database.close()


def test_many_matches_do_not_stay_in_memory(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorepad.store.store.KEPT_READY", 3)
    slugs = [start(store, BARBU, title=f"Match {n}") for n in range(6)]
    assert [store.standing(s)[1].match.title for s in slugs] == [f"Match {n}" for n in range(6)]
    assert len(store._ready) == 3
    assert store.standing(slugs[0])[1].match.title == "Match 0"


def test_an_unknown_match(store: Store) -> None:
    for ask in (store.load, store.standing, store.standing_with_draft, store.rows, store.draft):
        with pytest.raises(UnknownMatch):
            ask("nowhere")
    with pytest.raises(UnknownMatch):
        store.save("nowhere", Save(new_id(), 0, "add", deal=BARBU), by="tester")
    with pytest.raises(UnknownMatch):
        store.new_score_key("nowhere")
    with pytest.raises(UnknownMatch):
        store.write_draft("nowhere", 0, Draft())


# Once, however often it is sent


def test_the_same_save_sent_again_makes_one_row(store: Store, slug: str) -> None:
    save = Save("double-tap", 1, "add", deal=BARBU, number=1)
    first = store.save(slug, save, by="tester")
    again = store.save(slug, save, by="another phone")
    assert (first.is_new, again.is_new) == (True, False)
    assert again == first._replace(is_new=False) == Answer(1, "double-tap", 2, is_new=False)
    assert len(store.rows(slug)) == 2


def test_the_first_answer_stays_the_answer(store: Store, slug: str) -> None:
    """A retry gets what the first try got, whatever happened since."""
    save = Save("the-retried", 1, "add", deal=BARBU, number=1)
    first = store.save(slug, save, by="tester")
    add(store, slug, MISERE)
    remove(store, slug, first.deal_id)
    assert store.save(slug, save, by="tester") == first._replace(is_new=False)
    assert deals(store, slug) == [("Ben", "M")]


def test_the_same_body_may_be_written_in_another_way(store: Store, slug: str) -> None:
    """Counts of 0 left out, empty doubles and the order of the fields make no other body."""
    first = add(store, slug, MISERE, id="spelled-out")
    other = {
        "result": {"tricks": {"Dan": 2, "Carla": 6, "Ben": 1, "Anna": 4}},
        "doubles": {"Anna": ["Ben"], "Dan": []},
        "contract": "M",
        "declarer": " Ben ",
    }
    assert add(store, slug, other, id="spelled-out", seen=1) == first._replace(is_new=False)


@pytest.mark.parametrize("deal", [BARBU | {"result": {"king": "Ben"}}, BARBU | {"note": "x"}, {}, None, "x"])
def test_the_same_id_with_another_body_is_refused(store: Store, slug: str, deal: Any) -> None:
    """Also with a body that the rules would refuse: the id is looked at first."""
    saved = add(store, slug, BARBU, id="went-back")
    refuses_to_write(store, slug, lambda: add(store, slug, deal, id="went-back", seen=1))
    with pytest.raises(IdReused) as reused:
        add(store, slug, deal, id="went-back", seen=1)
    assert reused.value.code == "id_reused"
    assert (reused.value.yours, reused.value.theirs) == (deal, BARBU)
    assert (reused.value.revision, reused.value.deal_id) == (2, saved.deal_id)


def test_the_same_id_for_another_kind_of_change(store: Store, slug: str) -> None:
    saved = add(store, slug, BARBU, id="used-before")
    with pytest.raises(IdReused):
        correct(store, slug, saved.deal_id, BARBU, id="used-before")
    with pytest.raises(IdReused):
        remove(store, slug, saved.deal_id, id="used-before")
    assert len(store.rows(slug)) == 2


def test_a_correction_and_a_removal_are_saved_once(store: Store, slug: str) -> None:
    saved, second = add(store, slug, BARBU), add(store, slug, MISERE)
    changed = BARBU | {"result": {"king": "Ben"}}
    first = correct(store, slug, saved.deal_id, changed, id="correction")
    assert correct(store, slug, saved.deal_id, changed, id="correction", seen=2) == first._replace(
        is_new=False
    )
    with pytest.raises(IdReused):
        correct(store, slug, second.deal_id, changed, id="correction")
    gone = remove(store, slug, saved.deal_id, id="removal-1")
    assert remove(store, slug, saved.deal_id, id="removal-1", seen=4) == gone._replace(is_new=False)
    with pytest.raises(IdReused):
        remove(store, slug, second.deal_id, id="removal-1")
    assert deals(store, slug) == [("Ben", "M")]


def test_the_id_of_a_deal_that_a_file_brought_along(store: Store) -> None:
    """No two deals of a match ever have one id, not even after one of them was removed."""
    slug = start(store, BARBU)
    (kept,) = store.load(slug).deals
    for _ in range(2):
        with pytest.raises(IdReused) as reused:
            add(store, slug, MISERE, id=kept.deal_id)
        if store.load(slug).deals:
            assert reused.value.theirs == BARBU
            remove(store, slug, kept.deal_id)
    assert [row["action"] for row in store.rows(slug)] == ["start", "remove"]


def test_ids_are_unique_per_match_only(store: Store, slug: str) -> None:
    other = start(store)
    assert add(store, slug, BARBU, id="same-name").is_new
    assert add(store, other, BARBU | {"note": "other"}, id="same-name").is_new


@pytest.mark.parametrize(
    "wrong", ["", "short", "x" * 65, "with space", "ünïcödé-id", "a/b/c/d/e", "id\n" * 4]
)
def test_an_id_that_is_none(store: Store, slug: str, wrong: str) -> None:
    with pytest.raises(Refused) as refused:
        add(store, slug, BARBU, id=wrong)
    assert codes(refused) == [(None, "bad_id")]
    assert refused.value.problems[0].mistake.field == "id"
    assert len(store.rows(slug)) == 1


# What was seen


def test_a_save_about_a_deal_that_changed_meanwhile_is_refused(store: Store, slug: str) -> None:
    saved = add(store, slug, BARBU)
    theirs = BARBU | {"result": {"king": "Ben"}}
    correct(store, slug, saved.deal_id, theirs)
    yours = BARBU | {"result": {"king": "Carla"}}
    refuses_to_write(store, slug, lambda: correct(store, slug, saved.deal_id, yours, seen=2))
    with pytest.raises(Stale) as stale:
        correct(store, slug, saved.deal_id, yours, seen=2)
    assert stale.value.code == "stale"
    assert (stale.value.yours, stale.value.theirs) == (yours, theirs)
    assert (stale.value.revision, stale.value.deal_id) == (3, saved.deal_id)
    assert correct(store, slug, saved.deal_id, yours, seen=3).revision == 4


def test_what_was_seen_comes_before_the_rules(store: Store, slug: str) -> None:
    saved = add(store, slug, BARBU)
    correct(store, slug, saved.deal_id, BARBU | {"note": "new"})
    with pytest.raises(Stale):
        correct(store, slug, saved.deal_id, {"declarer": "Nobody"}, seen=2)


def test_a_save_about_another_deal_goes_through(store: Store, slug: str) -> None:
    first, second = add(store, slug, BARBU), add(store, slug, MISERE)
    correct(store, slug, first.deal_id, BARBU | {"note": "seen by nobody else"})
    assert correct(store, slug, second.deal_id, MISERE | {"note": "mine"}, seen=3).revision == 5
    assert add(store, slug, DOMINOES, seen=2).deal == 3
    assert remove(store, slug, second.deal_id, seen=5).revision == 7


def test_a_deal_that_was_removed_meanwhile(store: Store, slug: str) -> None:
    saved = add(store, slug, BARBU)
    remove(store, slug, saved.deal_id)
    refuses_to_write(store, slug, lambda: correct(store, slug, saved.deal_id, BARBU, seen=2))
    with pytest.raises(Stale) as stale:
        correct(store, slug, saved.deal_id, BARBU, seen=2)
    assert (stale.value.yours, stale.value.theirs, stale.value.revision) == (BARBU, None, 3)
    with pytest.raises(Stale):
        remove(store, slug, saved.deal_id, seen=2)
    with pytest.raises(UnknownDeal):
        correct(store, slug, saved.deal_id, BARBU, seen=3)


def test_a_revision_that_does_not_exist_yet(store: Store, slug: str) -> None:
    saved = add(store, slug, BARBU)
    changes: list[Callable[[], Answer]] = [
        lambda: add(store, slug, MISERE, seen=3),
        lambda: correct(store, slug, saved.deal_id, BARBU, seen=99),
        lambda: remove(store, slug, saved.deal_id, seen=99),
    ]
    for change in changes:
        with pytest.raises(Stale):
            change()
    assert store.load(slug).revision == 2


def test_an_unknown_deal(store: Store, slug: str) -> None:
    with pytest.raises(UnknownDeal):
        correct(store, slug, "no-such-deal", BARBU)
    with pytest.raises(UnknownDeal):
        remove(store, slug, "no-such-deal")


def test_a_number_that_is_taken(store: Store, slug: str) -> None:
    """Two phones enter deal 1; the second is shown the first one's, and nothing is written."""
    saved = add(store, slug, BARBU, number=1)
    yours = BARBU | {"result": {"king": "Ben"}}
    refuses_to_write(store, slug, lambda: add(store, slug, yours, number=1, seen=1))
    with pytest.raises(NumberTaken) as taken:
        add(store, slug, yours, number=1, seen=1)
    assert taken.value.code == "stale"
    assert (taken.value.yours, taken.value.theirs) == (yours, BARBU)
    assert (taken.value.revision, taken.value.deal_id) == (2, saved.deal_id)


@pytest.mark.parametrize("number", [3, 99, 0, -1])
def test_a_number_that_is_not_the_next(store: Store, slug: str, number: int) -> None:
    add(store, slug, BARBU)
    refuses_to_write(store, slug, lambda: add(store, slug, MISERE, number=number))
    with pytest.raises(NumberTaken) as taken:
        add(store, slug, MISERE, number=number)
    assert (taken.value.theirs, taken.value.deal_id) == (None, "")


# What the rules refuse


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        (deal_entry("Ben M", result={"tricks": {"Anna": 14}}), "tally_does_not_add_up"),
        (deal_entry("Ben M"), "result_missing"),
        (deal_entry("Anna B", passed_out=True), "contract_declared_twice"),
        (deal_entry("Eve B", passed_out=True), "unknown_player"),
        ({"contract": "B"}, "field_missing"),
        ("nothing", "wrong_kind"),
        (None, "wrong_kind"),
    ],
)
def test_a_deal_that_the_rules_refuse(store: Store, deal: Any, code: str) -> None:
    slug = start(store, BARBU)
    refuses_to_write(store, slug, lambda: add(store, slug, deal))
    with pytest.raises(Refused) as refused:
        add(store, slug, deal)
    assert (2, code) in codes(refused)


def test_a_contract_declared_twice_names_the_other_deal(store: Store) -> None:
    """Whether the other deal stands before or after it: the deal just written is at fault."""
    slug = start(store, BARBU, MISERE)
    first, second = (d.deal_id for d in store.load(slug).deals)
    for deal_id, other in ((first, 2), (second, 1)):
        twice = MISERE if deal_id == first else BARBU
        with pytest.raises(Refused) as refused:
            correct(store, slug, deal_id, twice)
        number = 3 - other
        assert codes(refused) == [(number, "contract_declared_twice")]
        assert refused.value.problems[0].mistake.values["used"] == other


def test_a_correction_that_would_leave_a_deal_open(store: Store) -> None:
    slug = start(store, BARBU, MISERE)
    for kept in store.load(slug).deals:
        open_again = {k: v for k, v in kept.body.items() if k != "result"}
        with pytest.raises(Refused) as refused:
            correct(store, slug, kept.deal_id, open_again)
        assert [code for _, code in codes(refused)] == ["result_missing"]


# Correct and remove


def test_a_correction_changes_every_total_after_it(store: Store) -> None:
    slug = start(store, BARBU, MISERE, DOMINOES)
    before = store.standing(slug)[1]
    deal_id = store.load(slug).deals[0].deal_id
    saved = correct(store, slug, deal_id, BARBU | {"result": {"king": "Ben"}})
    assert saved == Answer(1, deal_id, 2)
    after = store.standing(slug)[1]
    assert after == standing(store.load(slug).read())
    assert before.deals[0].score != after.deals[0].score
    assert before.deals[1].score == after.deals[1].score
    for one, other in zip(before.deals, after.deals, strict=True):
        assert one.totals != other.totals


def test_a_correction_of_the_doubles_changes_what_is_owed(store: Store) -> None:
    slug = start(store, BARBU)
    deal_id = store.load(slug).deals[0].deal_id
    assert [store.standing(slug)[1].owed(s, ANNA) for s in (BEN, CARLA)] == [1, 2]
    correct(store, slug, deal_id, BARBU | {"doubles": {"Carla": ["Anna"]}})
    assert [store.standing(slug)[1].owed(s, ANNA) for s in (BEN, CARLA)] == [2, 1]


def test_a_correction_may_take_another_contract(store: Store) -> None:
    """What the deal itself used is free for it again."""
    slug = start(store, BARBU, MISERE)
    deal_id = store.load(slug).deals[1].deal_id
    correct(store, slug, deal_id, deal_entry("Ben NQ", passed_out=True))
    correct(store, slug, deal_id, MISERE)
    assert deals(store, slug) == [("Anna", "B"), ("Ben", "M")]


def test_a_removed_deal_is_gone_and_stays_in_the_record(store: Store) -> None:
    slug = start(store, BARBU, MISERE, DOMINOES)
    first = store.load(slug).deals[0].deal_id
    assert remove(store, slug, first) == Answer(1, first, 2)
    assert deals(store, slug) == [("Ben", "M"), ("Carla", "D")]
    assert totals(store, slug) == tuple(standing(store.load(slug).read()).totals)
    assert store.load(slug).number_of(store.load(slug).deals[0].deal_id) == 1
    start_row, removal = store.rows(slug)
    assert json.loads(start_row["body"])["written"]["deals"][0]["contract"] == "B"
    assert removal["deal_id"] == first
    add(store, slug, BARBU)
    assert deals(store, slug)[-1] == ("Anna", "B")


def test_a_removal_moves_agreed_points_and_replacements_along(store: Store) -> None:
    agreed = [{"after_deal": n, "points": {"Anna": n + 1}} for n in range(4)]
    replaced = [
        {"from_deal": 1, "seat": 4, "name": "Dora"},
        {"from_deal": 2, "seat": 3, "name": "Cleo"},
        {"from_deal": 3, "seat": 2, "name": "Berta"},
        {"from_deal": 4, "seat": 1, "name": "Alma"},
    ]
    slug = start(store, BARBU, MISERE, DOMINOES, agreed_points=agreed, replaced=replaced)
    remove(store, slug, store.load(slug).deals[1].deal_id)
    match = store.standing(slug)[1].match
    assert [(a.after_deal, a.points[ANNA]) for a in match.agreed_points] == [(0, 1), (1, 2), (1, 3), (2, 4)]
    assert [(r.from_deal, r.name) for r in match.replaced] == [
        (1, "Dora"),
        (2, "Cleo"),
        (2, "Berta"),
        (3, "Alma"),
    ]
    assert not read_match(store.load(slug).source).problems


def test_all_deals_may_be_removed(store: Store) -> None:
    slug = start(store, BARBU, MISERE, agreed_points=[{"after_deal": 2, "points": {"Anna": 5}}])
    for kept in store.load(slug).deals:
        remove(store, slug, kept.deal_id)
    assert (deals(store, slug), totals(store, slug)) == ([], (5, 0, 0, 0))


# The open deal

PLAYING = deal_entry("Anna B", doubles={"Ben": ["Anna"]})


def test_a_match_begins_without_an_open_deal(store: Store, slug: str) -> None:
    assert store.draft(slug) == Draft(version=0, holder="", spoken=0, deal=None)


def test_the_open_deal_has_a_version_of_its_own(store: Store, slug: str) -> None:
    revision = store.load(slug).revision
    first = store.write_draft(slug, 0, Draft(0, "phone 1", 1, PLAYING))
    second = store.write_draft(slug, 1, Draft(0, "phone 1", 4, PLAYING))
    assert (first.version, second.version) == (1, 2)
    assert first.changed_at < second.changed_at
    assert store.draft(slug) == second
    assert store.load(slug).revision == revision
    assert len(store.rows(slug)) == 1


def test_the_open_deal_is_seen_with_the_match(store: Store, slug: str) -> None:
    store.write_draft(slug, 0, Draft(0, "phone 1", 4, PLAYING))
    kept, where, draft = store.standing_with_draft(slug)
    assert (len(kept.deals), len(where.deals), draft.deal) == (0, 1, PLAYING)
    assert where.playing is not None
    assert not store.standing(slug)[1].deals


@pytest.mark.parametrize("seen", [0, 2])
def test_the_open_deal_is_not_written_over_unseen(store: Store, slug: str, seen: int) -> None:
    held = store.write_draft(slug, 0, Draft(0, "phone 1", 4, PLAYING))
    for take_over in (False, True):
        with pytest.raises(DraftTaken) as taken:
            store.write_draft(slug, seen, Draft(0, "phone 1", 4, None), take_over=take_over)
        assert taken.value.draft == held == store.draft(slug)


def test_one_phone_holds_the_open_deal_until_another_takes_over(store: Store, slug: str) -> None:
    held = store.write_draft(slug, 0, Draft(0, "phone 1", 4, PLAYING))
    with pytest.raises(DraftTaken) as taken:
        store.write_draft(slug, 1, Draft(0, "phone 2", 4, None))
    assert taken.value.draft == held
    assert store.write_draft(slug, 1, Draft(0, "phone 2", 4, PLAYING), take_over=True).holder == "phone 2"
    with pytest.raises(DraftTaken):
        store.write_draft(slug, 2, Draft(0, "phone 1", 4, PLAYING))


def test_a_dropped_deal_keeps_its_version(store: Store, slug: str) -> None:
    store.write_draft(slug, 0, Draft(0, "phone 1", 4, PLAYING))
    assert store.write_draft(slug, 1, Draft(0, "phone 1")).version == 2
    assert store.draft(slug).deal is None
    assert store.write_draft(slug, 2, Draft(0, "phone 2", 4, PLAYING)).version == 3


def test_saving_the_deal_ends_the_draft(store: Store, slug: str) -> None:
    store.write_draft(slug, 0, Draft(0, "phone 1", 4, PLAYING))
    add(store, slug, BARBU)
    assert (store.draft(slug).version, store.draft(slug).deal) == (2, None)
    with pytest.raises(DraftTaken):
        store.write_draft(slug, 1, Draft(0, "phone 1", 4, PLAYING))


def test_a_correction_leaves_the_draft(store: Store) -> None:
    slug = start(store, MISERE)
    store.write_draft(slug, 0, Draft(0, "phone 1", 4, PLAYING))
    deal_id = store.load(slug).deals[0].deal_id
    correct(store, slug, deal_id, MISERE | {"note": "recounted"})
    remove(store, slug, deal_id)
    assert (store.draft(slug).version, store.draft(slug).deal) == (1, PLAYING)


# Who may write


def test_a_key_opens_its_own_match_only(store: Store) -> None:
    match = read_match(match_file()).match
    assert match
    (mine, my_key), (other, _) = store.start(match), store.start(match)
    assert store.access_by_key(mine, my_key).may_score
    assert store.access_by_key(other, my_key).right is Right.WRONG
    assert store.access_by_key(mine, my_key + "x").right is Right.WRONG
    assert store.access_by_key("nowhere", my_key).right is Right.WRONG
    assert store.access_by_key(mine, "").right is Right.WRONG
    assert (store.slug_of_key(my_key), store.slug_of_key("wrong")) == (mine, None)


def test_a_device_joins_by_a_key(store: Store, slug: str) -> None:
    device, token = store.make_device()
    other = start(store)
    assert store.device(token) == device
    assert store.access_by_device(slug, token).right is Right.WRONG
    assert store.join("wrong key", device) is None
    assert store.join(store.new_score_key(slug), device) == slug
    assert store.access_by_device(slug, token).may_score
    assert store.access_by_device(slug, token).by == f"device {device}"
    assert store.access_by_device(other, token).right is Right.WRONG
    assert store.access_by_device("nowhere", token).right is Right.WRONG


@pytest.mark.parametrize("token", [None, "", "unknown", "\ud800", "x" * 10_000])
def test_an_unknown_device(store: Store, slug: str, token: str | None) -> None:
    assert store.access_by_device(slug, token).right is Right.NONE
    assert store.device(token) is None
    assert store.matches_of(store.device(token)) == []


def test_ending_the_keys_ends_every_right(store: Store) -> None:
    match = read_match(match_file()).match
    assert match
    device, token = store.make_device()
    slug, first = store.start(match, device=device)
    other = start(store)
    store.join(store.new_score_key(other), device)
    second = store.new_score_key(slug)
    assert store.access_by_key(slug, first).may_score
    third = store.new_score_key(slug, end_others=True)
    assert [store.access_by_key(slug, k).may_score for k in (first, second, third)] == [False, False, True]
    assert store.slug_of_key(first) is None
    assert store.access_by_device(slug, token).right is Right.WRONG
    assert store.access_by_device(other, token).may_score
    assert store.join(third, device) == slug
    assert store.access_by_device(slug, token).may_score


def test_the_device_that_ends_the_keys_keeps_its_right(store: Store, slug: str) -> None:
    (mine, my_token), (theirs, their_token) = store.make_device(), store.make_device()
    for device in mine, theirs:
        store.join(store.new_score_key(slug), device)
    store.new_score_key(slug, end_others=True, but_for=mine)
    assert store.access_by_device(slug, my_token).may_score
    assert store.access_by_device(slug, their_token).right is Right.WRONG


def test_a_device_holds_the_matches_it_started_or_joined(store: Store) -> None:
    match = read_match(match_file()).match
    assert match
    device, _ = store.make_device()
    other_device, _ = store.make_device()
    first, _ = store.start(match, device=device)
    second = start(store)
    third, _ = store.start(match, device=other_device)
    store.join(store.new_score_key(second), device)
    assert [kept.slug for kept, _ in store.matches_of(device)] == [second, first]
    assert [kept.slug for kept, _ in store.matches_of(other_device)] == [third]


def test_keys_and_tokens_are_not_in_the_file(store: Store, path: Path) -> None:
    match = read_match(match_file()).match
    assert match
    device, token = store.make_device()
    slug, key = store.start(match, device=device)
    later = store.new_score_key(slug)
    store.join(later, device)
    add(store, slug, BARBU)
    files = [path, Path(f"{path}-wal")]
    assert all(f.exists() for f in files)
    written = b"".join(f.read_bytes() for f in files)
    assert slug.encode() in written
    for secret in (key, later, token):
        assert len(secret) == 32
        assert secret.encode() not in written


def test_slugs_and_keys_are_all_different(store: Store) -> None:
    match = read_match(match_file()).match
    assert match
    made = [store.start(match) for _ in range(50)]
    assert len({text for pair in made for text in pair}) == 100
    assert {len(slug) for slug, _ in made} == {24}


# Several at once


def test_an_answer_comes_after_the_row_is_on_disk(store: Store, slug: str, path: Path) -> None:
    with other_connection(path) as db:
        for number, deal in enumerate((BARBU, MISERE, DOMINOES), start=1):
            saved = add(store, slug, deal)
            found = db.execute("SELECT revision FROM record WHERE id = ?", [saved.deal_id]).fetchone()
            assert found == (saved.revision,) == (number + 1,)


def test_an_error_in_a_save_writes_nothing(
    store: Store, slug: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong after the row was inserted, the whole save is undone and nobody is locked out."""
    store.write_draft(slug, 0, Draft(0, "phone 1", 4, PLAYING))
    before = store.rows(slug)

    def fails(*_: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as broken:
        broken.setattr("scorepad.store.store.drop_draft", fails)
        with pytest.raises(OSError, match="disk full"):
            add(store, slug, BARBU)
    assert store.rows(slug) == before
    assert store.draft(slug).deal == PLAYING
    with other_connection(path) as db:
        db.execute("BEGIN IMMEDIATE")
        db.rollback()
    assert add(store, slug, BARBU).revision == 2


def test_a_match_that_cannot_be_recorded_is_not_started(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> str:
        raise OSError("disk full")

    with monkeypatch.context() as broken:
        broken.setattr("scorepad.store.access.make_key", fails)
        with pytest.raises(OSError, match="disk full"):
            start(store)
    with other_connection(path) as db:
        counted = [db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("match", "record")]
    assert counted == [0, 0]


def test_two_stores_on_one_file_see_each_other(store: Store, slug: str, path: Path) -> None:
    other = Store(path)
    add(store, slug, BARBU)
    assert deals(other, slug) == [("Anna", "B")]
    add(other, slug, MISERE)
    assert deals(store, slug) == [("Anna", "B"), ("Ben", "M")]
    assert store.standing(slug) == other.standing(slug)
    other.database.close()


def test_many_saves_at_once_are_all_kept(path: Path) -> None:
    """Eight threads over two stores correct one deal: every save has its row, none sees a lock."""
    stores = [Store(path), Store(path)]
    slug = start(stores[0], BARBU)
    deal_id = stores[0].load(slug).deals[0].deal_id
    each = 12

    def work(worker: int) -> int:
        store, saved = stores[worker % 2], 0
        for n in range(each):
            note = BARBU | {"note": f"{worker} {n}"}
            while True:
                try:
                    correct(store, slug, deal_id, note, id=f"worker-{worker}-{n}")
                except Stale:
                    continue
                saved += 1
                break
        store.database.close()
        return saved

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [each] * 8
    rows = stores[0].rows(slug)
    assert [r["revision"] for r in rows] == list(range(1, 8 * each + 2))
    assert [r["previous"] for r in rows] == ["", *[r["hash"] for r in rows[:-1]]]
    assert stores[0].standing(slug) == stores[1].standing(slug)
    for store in stores:
        store.database.close()


def test_the_same_save_from_many_threads_makes_one_row(path: Path) -> None:
    stores = [Store(path), Store(path)]
    slug = start(stores[0])
    save = Save("everybody-taps", 1, "add", deal=BARBU, number=1)

    def work(worker: int) -> Answer:
        answer = stores[worker % 2].save(slug, save, by=f"phone {worker}")
        stores[worker % 2].database.close()
        return answer

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(work, range(16)))
    assert [a.is_new for a in answers].count(True) == 1
    assert len({a[:3] for a in answers}) == 1
    assert len(stores[0].rows(slug)) == 2
    for store in stores:
        store.database.close()
