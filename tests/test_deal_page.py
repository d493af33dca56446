"""One deal as one plain form: saved, refused, corrected and removed on a phone without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest
from builders import case_file, deal_entry, expected_figures, match_cases, match_file
from flask import Flask
from flask.testing import FlaskClient
from records import everything, unchanged
from webpages import NAMES, Form, Page, Phone

from scorepad.forms import form_values
from scorepad.match import Deal
from scorepad.matchfile import parse, read, read_match
from scorepad.messages import signed
from scorepad.store import Store

Values = dict[str, Any]

BARBU = deal_entry("Anna B", doubles={"Ben": ["Anna"]}, result={"king": "Dan"})
MISERE = deal_entry(
    "Ben M", doubles={"Anna": ["Ben"]}, result={"tricks": {"Anna": 4, "Ben": 1, "Carla": 6, "Dan": 2}}
)

#: One way to fill in each contract; "10" is Ben’s double of Anna, who declares.
FILLED: dict[str, Values] = {
    "B": {"doubles": ["10"], "king": 3},
    "M": {"doubles": ["10", "31"], "tricks_0": 4, "tricks_1": 1, "tricks_2": 6, "tricks_3": 2},
    "NQ": {"doubles": ["10", "01"], "queens_0": 1, "queens_1": 0, "queens_2": 1, "queens_3": 2},
    "NH": {"doubles": ["12"], "hearts_0": 3, "hearts_1": 2, "hearts_2": 6, "hearts_3": 2, "ace": 2},
    "NL2": {"doubles": ["10", "20", "30"], "second_last": 0, "last": 0},
    "T": {"doubles": ["10"], "trump": "H", "tricks_0": 1, "tricks_1": 3, "tricks_2": 6, "tricks_3": 3},
    "D": {"start": "8", "place_0": 1, "place_1": 3, "place_2": 0, "place_3": 2},
    "RC": {"doubles": ["20"], "most": ["1", "2"]},
}


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """The phone that keeps the score."""
    return Phone(client)


@pytest.fixture
def slug(phone: Phone) -> str:
    """Its match of Anna, Ben, Carla and Dan; Anna declares."""
    return phone.start()


def holding(phone: Phone, store: Store, *deals: Any, **fields: Any) -> str:
    """A match with these deals, scored on this phone; its slug."""
    match = read_match(match_file(*deals, **fields)).match
    assert match
    slug, key = store.start(match)
    assert phone.join(f"/join/{key}").status == 200
    return slug


def another(app: Flask, store: Store, slug: str) -> Phone:
    """Another phone that scores the same match."""
    phone = Phone(app.test_client())
    assert phone.join(f"/join/{store.new_score_key(slug)}").status == 200
    return phone


def deal_ids(store: Store, slug: str) -> list[str]:
    """The ids of the deals of a match."""
    return [d.deal_id for d in store.load(slug).deals]


def bodies(store: Store, slug: str) -> list[Any]:
    """The deals of a match as the record has them."""
    return [d.body for d in store.load(slug).deals]


def shown_totals(page: Page) -> dict[str, str]:
    """The totals on a table page, by name."""
    scores = page.elements.all("div", class_="score")
    return {next(s.all("bdi")).text: s.one("b", class_="total").text for s in scores}


def totals(store: Store, slug: str) -> dict[str, str]:
    """The totals as they follow from the record."""
    where = store.standing(slug)[1]
    return {where.match.players[s]: signed(n) for s, n in where.totals.seats()}


def edit(phone: Phone, slug: str, deal_id: str) -> Form:
    """The form of a past deal."""
    return phone.open(f"/m/{slug}/deals/{deal_id}").form("deal")


# A deal is saved


@pytest.mark.parametrize("contract", FILLED)
def test_a_deal_of_each_contract(phone: Phone, store: Store, contract: str) -> None:
    """Saved as it was filled in, read back, and the next player declares."""
    slug = phone.start(preset="ravage-city")
    page = phone.send(phone.next_deal(slug), contract=contract, **FILLED[contract])
    assert (page.status, page.heading) == (200, "Ben declares")
    assert page.address.startswith(f"/m/{slug}/deals/new")
    assert "is saved." in page.text
    assert "Deal 1: Anna declared" in page.text
    (kept,) = store.standing(slug)[1].match.deals
    assert isinstance(kept, Deal)
    assert {n: sorted(v) for n, v in form_values(kept).to_dict(flat=False).items()} == {
        "declarer": ["0"],
        "contract": [contract],
        "note": [""],
        "trump": ["H" if contract == "T" else ""],
        "start": ["8" if contract == "D" else ""],
        **{
            name: sorted(value) if isinstance(value, list) else [str(value)]
            for name, value in FILLED[contract].items()
        },
    }
    table = phone.open(f"/m/{slug}")
    assert shown_totals(table) == totals(store, slug)


@pytest.mark.parametrize("contract", ["B", "M", "NQ", "NH", "NL2"])
def test_a_deal_is_passed_out(phone: Phone, slug: str, store: Store, contract: str) -> None:
    page = phone.send(phone.next_deal(slug), contract=contract, passed_out=1)
    assert page.status == 200
    assert "Nobody doubled: passed out." in page.text
    assert bodies(store, slug) == [deal_entry(f"Anna {contract}", doubles={}, passed_out=True)]


def test_fields_of_other_contracts_are_not_read(phone: Phone, slug: str, store: Store) -> None:
    """Somebody changed his mind about the contract: what he filled in before does not matter."""
    everything_else = {"tricks_0": 99, "queens_1": 7, "ace": 2, "trump": "H", "start": "8", "place_0": 1}
    page = phone.send(phone.next_deal(slug), contract="B", **{**everything_else, **FILLED["B"]})
    assert page.status == 200
    assert bodies(store, slug) == [BARBU]


def test_spaces_around_a_count_do_not_matter(phone: Phone, slug: str, store: Store) -> None:
    page = phone.send(phone.next_deal(slug), contract="M", **{**FILLED["M"], "tricks_0": " 4 "})
    assert page.status == 200


def test_a_note_is_kept_and_shown(phone: Phone, slug: str, store: Store) -> None:
    note = "Ben <b>revoked</b> & “paid” {n} %s"
    phone.send(phone.next_deal(slug), contract="B", note=note, **FILLED["B"])
    (deal_id,) = deal_ids(store, slug)
    assert note in phone.open(f"/m/{slug}/deals/{deal_id}/why").text
    assert edit(phone, slug, deal_id)["note"] == note


def test_somebody_else_declared(phone: Phone, slug: str, store: Store) -> None:
    """Out of turn: recorded so, marked, and the match goes on in order."""
    page = phone.open(f"/m/{slug}/deals/new")
    (carla,) = (a for a in page.elements.all("a", class_="chip") if a.text == "Carla")
    form = phone.open(carla.attributes["href"]).form("deal")
    page = phone.send(form, contract="B", doubles=["02"], king=0)
    assert page.status == 200
    assert bodies(store, slug)[0]["declarer"] == "Carla"
    assert "Carla declared out of turn; it was Anna’s turn." in phone.open(f"/m/{slug}").text
    assert page.heading == "Anna declares"


@pytest.mark.parametrize("declarer", ["4", "x", "-1", "００", ""])
def test_an_address_that_names_no_declarer(phone: Phone, slug: str, declarer: str) -> None:
    page = phone.open(f"/m/{slug}/deals/new?declarer={declarer}")
    assert (page.status, page.heading) == (200, "Anna declares")


def form_of(deal: Deal, form: Form) -> Form:
    """The form filled in as this deal was played."""
    values = form_values(deal).to_dict(flat=False)
    return form.fill(**values)


@pytest.mark.parametrize("name", match_cases())
def test_a_whole_match_through_the_form(phone: Phone, store: Store, name: str) -> None:
    source = parse(case_file(name))
    match = read(case_file(name)).match
    assert match
    slug = holding(phone, store, **{**source, "deals": []})
    for number, deal in enumerate(match.deals, start=1):
        assert isinstance(deal, Deal)
        form = phone.open(f"/m/{slug}/deals/new?declarer={deal.declarer.value}").form("deal")
        assert form["number"] == str(number)
        page = phone.send(form_of(deal, form))
        assert page.status == 200, page.wrong
    assert store.standing(slug)[1].match == match
    expected = expected_figures(name)["totals"]
    assert shown_totals(phone.open(f"/m/{slug}")) == {n: signed(t) for n, t in expected.items()}


def test_a_match_that_is_over(phone: Phone, store: Store) -> None:
    source = parse(case_file("full-match"))
    slug = holding(phone, store, *source.pop("deals"), **source)
    page = phone.open(f"/m/{slug}/deals/new")
    assert page.address == f"/m/{slug}"
    assert "Finished" in page.text
    token = phone.client.get("/csrf").get_json()["token"]
    sent = {"csrf_token": token, "id": "one-too-many", "number": "29", "contract": "B", "declarer": "0"}
    page = unchanged(
        store, lambda: Page(phone.client.post(f"/m/{slug}/deals/new", data={**sent, "king": "1"}))
    )
    assert page.status == 422


# What will not do


TRICKS = {"tricks_0": 4, "tricks_1": 1, "tricks_2": 6, "tricks_3": 2}

#: What is sent, the fields it is said beside, and a part of what is said; Anna declares, and Ben doubled her.
BAD_DEALS: dict[str, tuple[Values, dict[str, str]]] = {
    "14 tricks": ({"contract": "M", **TRICKS, "tricks_0": 5}, {"result": "must make 13; these make 14"}),
    "12 tricks": ({"contract": "M", **TRICKS, "tricks_0": 3}, {"result": "must make 13; these make 12"}),
    "five queens": (
        {"contract": "NQ", "queens_0": 5, "queens_1": 0, "queens_2": 0, "queens_3": 0},
        {"result": "must make 4; these make 5"},
    ),
    "14 hearts": (
        {"contract": "NH", "hearts_0": 14, "hearts_1": 0, "hearts_2": 0, "hearts_3": 0, "ace": 0},
        {"result": "must make 13; these make 14"},
    ),
    "nobody took the king": ({"contract": "B"}, {"king": "who took the king"}),
    "two took the king": ({"contract": "B", "king": ["1", "2"]}, {"king": "who took the king"}),
    "a float": ({"contract": "M", **TRICKS, "tricks_2": "3.5"}, {"tricks_2": "“3.5” is not a whole"}),
    "a comma": ({"contract": "M", **TRICKS, "tricks_2": "3,5"}, {"tricks_2": "“3,5” is not a whole"}),
    "other digits": ({"contract": "M", **TRICKS, "tricks_0": "１３"}, {"tricks_0": "“１３” is not a whole"}),
    "words": ({"contract": "M", **TRICKS, "tricks_0": "four"}, {"tricks_0": "“four” is not a whole"}),
    "an exponent": ({"contract": "M", **TRICKS, "tricks_0": "1e1"}, {"tricks_0": "“1e1” is not a whole"}),
    "a plus": ({"contract": "M", **TRICKS, "tricks_0": "+4"}, {"tricks_0": "“+4” is not a whole"}),
    "negative": ({"contract": "M", **TRICKS, "tricks_3": "-1"}, {"tricks_3": "“-1” is not a whole"}),
    "a true minus": ({"contract": "M", **TRICKS, "tricks_3": "−1"}, {"tricks_3": "“−1” is not a whole"}),
    "huge": ({"contract": "M", **TRICKS, "tricks_3": "9" * 500}, {"tricks_3": "is not a whole"}),
    "large": ({"contract": "M", **TRICKS, "tricks_3": "9999"}, {"result": "must make 13"}),
    "empty": ({"contract": "M", **TRICKS, "tricks_1": ""}, {"tricks_1": "How many tricks did Ben take?"}),
    "all empty": (
        {"contract": "NQ"},
        {f"queens_{n}": f"How many queens did {name} take?" for n, name in enumerate(NAMES)},
    ),
    "an ace without hearts": (
        {"contract": "NH", "hearts_0": 13, "hearts_1": 0, "hearts_2": 0, "hearts_3": 0, "ace": 2},
        {"ace": "Carla took the ace of hearts, so Carla took at least one heart"},
    ),
    "no ace": (
        {"contract": "NH", "hearts_0": 13, "hearts_1": 0, "hearts_2": 0, "hearts_3": 0},
        {"ace": "who took the ace"},
    ),
    "one of the last two": ({"contract": "NL2", "last": 2}, {"last_two": "each of the last two tricks"}),
    "none of the last two": ({"contract": "NL2"}, {"last_two": "each of the last two tricks"}),
    "two for the last": (
        {"contract": "NL2", "second_last": 1, "last": ["1", "2"]},
        {"last_two": "each of the last two tricks"},
    ),
    "named twice in the order": (
        {"contract": "D", "place_0": 1, "place_1": 1, "place_2": 0, "place_3": 2, "doubles": []},
        {"result": "Ben is named twice in the finishing order"},
    ),
    "three in the order": (
        {"contract": "D", "place_0": 1, "place_1": 3, "place_2": 0},
        {"order": "all four players"},
    ),
    "nobody in the order": ({"contract": "D"}, {"order": "all four players"}),
    "a double of oneself": (
        {"contract": "B", "king": 3, "doubles": ["10", "11"]},
        {"doubles": "Ben cannot double Ben"},
    ),
    "a double twice": (
        {"contract": "B", "king": 3, "doubles": ["10", "10"]},
        {"form": "Anna is named twice"},
    ),
    "a flank in a positive": (
        {"contract": "T", **TRICKS, "doubles": ["10", "12"]},
        {"doubles": "Ben may double only the declarer, Anna, here; not Carla"},
    ),
    "a declarer who was not doubled": (
        {"contract": "B", "king": 3, "doubles": ["10", "02"]},
        {"doubles": "may double only those who doubled Anna; Carla did not"},
    ),
    "a stranger doubled": ({"contract": "B", "king": 3, "doubles": ["10", "17"]}, {"form": "“7” is not at"}),
    "a stranger doubles": ({"contract": "B", "king": 3, "doubles": ["10", "x0"]}, {"form": "“x” is not at"}),
    "a double of nothing": ({"contract": "B", "king": 3, "doubles": [""]}, {"form": "“” is not at"}),
    "a seat that is none": ({"contract": "B", "king": "7"}, {"form": "“7” is not at this table"}),
    "a seat in letters": ({"contract": "B", "king": "x"}, {"form": "“x” is not at this table"}),
    "a seat in other digits": ({"contract": "B", "king": "１"}, {"form": "“１” is not at this table"}),
    "a declarer who is none": ({"contract": "B", "king": 3, "declarer": "7"}, {"form": "“7” is not at"}),
    "a declarer in letters": ({"contract": "B", "king": 3, "declarer": "x"}, {"form": "“x” is not at"}),
    "no declarer": ({"contract": "B", "king": 3, "declarer": ""}, {"form": "“” is not at"}),
    "no contract": ({"king": 3}, {"contract": "Choose the contract"}),
    "another contract": ({"contract": "XX", "king": 3}, {"contract": "Choose the contract"}),
    "a contract not played here": (
        {"contract": "RC", "most": ["1"]},
        {"contract": "Ravage City is not played at this table"},
    ),
    "doubled and passed out": (
        {"contract": "B", "passed_out": 1},
        {"passed_out": "Somebody doubled, so the deal was played"},
    ),
    "played and passed out": (
        {"contract": "B", "passed_out": 1, "doubles": [], "king": 3},
        {"passed_out": "A deal that was passed out has no result. Keep one of the two."},
    ),
    "a positive passed out": (
        {"contract": "T", "passed_out": 1, "doubles": []},
        {"passed_out": "Trumps is always played"},
    ),
    "nobody doubled": (
        {"contract": "B", "king": 3, "doubles": []},
        {"passed_out": "Nobody doubled, so Barbu is passed out"},
    ),
    "another suit": ({"contract": "T", **TRICKS, "trump": "X"}, {"form": "cannot be “X”"}),
    "another rank": (
        {"contract": "D", "place_0": 1, "place_1": 3, "place_2": 0, "place_3": 2, "start": "1"},
        {"form": "cannot be “1”"},
    ),
    "a long note": ({"contract": "B", "king": 3, "note": "x" * 201}, {"note": "at most 200 characters"}),
    "a note with a bell": ({"contract": "B", "king": 3, "note": "\x07"}, {"note": "control characters"}),
    "an id that is too short": ({"contract": "B", "king": 3, "id": "x"}, {"form": "needs an id"}),
    "a giant id": ({"contract": "B", "king": 3, "id": "x" * 10_000}, {"form": "needs an id"}),
    "no id": ({"contract": "B", "king": 3, "id": ""}, {"form": "needs an id"}),
}


def kept_of(form: Form, shown: Form) -> dict[str, list[str]]:
    """Of what was typed, all that the form can show: a choice it does not offer cannot stay chosen."""
    return {
        name: offered
        for name, values in form.typed().items()
        if (offered := [v for v in values if name not in shown.choices or v in shown.choices[name]])
    }


@pytest.mark.parametrize("name", BAD_DEALS)
def test_a_deal_that_will_not_do(phone: Phone, slug: str, store: Store, name: str) -> None:
    """A sentence beside the field, what was filled in is still there, and nothing was written."""
    values, wrong = BAD_DEALS[name]
    form = phone.next_deal(slug).fill(**{"doubles": ["10"], **values})
    page = unchanged(store, lambda: phone.send(form))
    assert page.status == 422
    assert page.wrong.keys() == wrong.keys()
    for field, part in wrong.items():
        assert part in " ".join(page.wrong[field])
    shown = page.form("deal")
    sent = kept_of(form, shown)
    sent.pop("declarer", None)
    if name in {"two took the king", "two for the last"}:
        sent = {n: v for n, v in sent.items() if len(v) == 1}
    kept = shown.typed()
    assert {n: kept.get(n) for n in sent if n != "doubles"} == {
        n: v for n, v in sent.items() if n != "doubles"
    }
    assert set(sent.get("doubles", [])) <= set(kept.get("doubles", []))


@pytest.mark.parametrize("name", BAD_DEALS)
def test_a_correction_that_will_not_do(phone: Phone, store: Store, name: str) -> None:
    """The same is refused for a past deal."""
    slug = holding(phone, store, deal_entry("Anna NQ", passed_out=True), MISERE)
    values, wrong = BAD_DEALS[name]
    form = edit(phone, slug, deal_ids(store, slug)[0])
    blank: Values = {field: [] for field in form.choices}
    form.fill(**{**blank, "doubles": ["10"], **values})
    page = unchanged(store, lambda: phone.send(form))
    assert page.status == 422
    assert page.wrong.keys() == wrong.keys()
    for field, part in wrong.items():
        assert part in " ".join(page.wrong[field])


def test_a_mended_deal_goes_through(phone: Phone, slug: str, store: Store) -> None:
    page = phone.send(phone.next_deal(slug), contract="M", doubles=["10"], **{**TRICKS, "tricks_0": 5})
    page = phone.send(page.form("deal"), tricks_0=4)
    assert page.status == 200
    assert len(store.rows(slug)) == 2


def test_a_contract_declared_twice_names_the_deal(phone: Phone, store: Store) -> None:
    slug = holding(phone, store, MISERE, BARBU, first_declarer="Ben")
    form = phone.open(f"/m/{slug}/deals/new?declarer=0").form("deal")
    assert "B" not in form.choices["contract"]
    page = unchanged(store, lambda: phone.send(form, contract="B", doubles=["10"], king=3))
    assert page.status == 422
    assert page.wrong == {
        "contract": ["Anna declared Barbu in deal 2 already. Choose another contract, or correct deal 2."]
    }
    shown = page.form("deal")
    assert (shown["contract"], shown["king"]) == ("B", "3")


def test_a_correction_to_a_contract_that_a_later_deal_used(phone: Phone, store: Store) -> None:
    slug = holding(phone, store, deal_entry("Anna NQ", passed_out=True), MISERE, BARBU)
    form = edit(phone, slug, deal_ids(store, slug)[0])
    page = unchanged(store, lambda: phone.send(form, contract="B", doubles=["10"], king=3, passed_out=[]))
    assert page.status == 422
    assert page.wrong["contract"][0].startswith("Anna declared Barbu in deal 3 already.")


@pytest.mark.parametrize("field", ["id", "seen", "number", "draft", "declarer", "contract", "do"])
@pytest.mark.parametrize("value", ["", "x", "-1", "１", "9" * 30, "\x00", "<b>", "x" * 70_000])
def test_hidden_fields_that_somebody_changed(
    phone: Phone, slug: str, store: Store, field: str, value: str
) -> None:
    """Never a failure of the server: saved, or refused with the form again."""
    form = phone.next_deal(slug).fill(contract="B", doubles=["10"], king=3)
    page = phone.send(form, **{field: value})
    assert page.status in {200, 409, 422}
    assert len(store.rows(slug)) == 1 + (page.status == 200)
    if page.status != 200:
        assert page.form("deal").typed()["king"] == ["3"]


def test_a_form_with_nothing_in_it(phone: Phone, store: Store) -> None:
    slug = holding(phone, store, BARBU)
    token = phone.client.get("/csrf").get_json()["token"]
    for address in "deals/new", f"deals/{deal_ids(store, slug)[0]}":
        for do in {}, {"do": "play"}, {"do": "save"}:
            answer = unchanged(
                store,
                lambda: phone.client.post(f"/m/{slug}/{address}", data={"csrf_token": token, **do}),  # noqa: B023
            )
            assert answer.status_code in {409, 422}


@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_another_site_cannot_save(phone: Phone, store: Store, token: str | None) -> None:
    """400 without the token of the page, for every form, and nothing is written."""
    slug = holding(phone, store, BARBU)
    form = phone.next_deal(slug).fill(contract="M", passed_out=1)
    data: dict[str, Any] = {n: v for n, v in form.values.items() if n != "csrf_token"}
    if token is not None:
        data["csrf_token"] = token
    deal = deal_ids(store, slug)[0]
    for address in "deals/new", f"deals/{deal}", f"deals/{deal}/remove", "hand-over":
        for do in "save", "play", "drop":
            page = unchanged(
                store,
                lambda: Page(phone.client.post(f"/m/{slug}/{address}", data=data | {"do": do})),  # noqa: B023
            )
            assert (page.status, page.heading) == (400, "That did not get through")


# Once, however often it is sent


def test_a_form_sent_twice_makes_one_deal(phone: Phone, slug: str, store: Store) -> None:
    form = phone.next_deal(slug).fill(contract="B", **FILLED["B"])
    first, second = phone.send(form), phone.send(form)
    assert (first.status, second.status) == (200, 200)
    assert first.address == second.address
    assert bodies(store, slug) == [BARBU]
    assert len(store.rows(slug)) == 2


def test_back_change_and_save_again(phone: Phone, slug: str, store: Store) -> None:
    """Both versions are shown, the inputs are kept, and one tap saves it as a correction."""
    form = phone.next_deal(slug).fill(contract="B", **FILLED["B"])
    phone.send(form)
    page = unchanged(store, lambda: phone.send(form, king=1, note="recounted"))
    assert page.status == 409
    assert "Saved already, with other figures" in page.text
    (stands, yours) = (dd.text for dd in page.elements.all("dd"))
    assert "Dan took the king of hearts." in stands
    assert "Ben took the king of hearts." in yours
    shown = page.form("deal")
    assert shown.typed() == form.typed()
    assert shown.action == f"/m/{slug}/deals/{deal_ids(store, slug)[0]}"
    assert phone.send(shown).status == 200
    assert bodies(store, slug) == [BARBU | {"result": {"king": "Ben"}, "note": "recounted"}]
    assert [row["action"] for row in store.rows(slug)] == ["start", "add", "correct"]


def test_back_and_another_contract_is_no_question_of_forced_doubles(phone: Phone, store: Store) -> None:
    """The id is looked at first: a double that would be forced in the other contract does not hide it."""
    slug = nearly_forced(phone, store)
    form = phone.next_deal(slug).fill(contract="T", doubles=["10", "20", "30"], **TRICKS)
    assert phone.send(form).status == 200
    page = unchanged(store, lambda: phone.send(form, contract="NL2", second_last=0, last=0, doubles=["12"]))
    assert page.status == 409
    assert "Saved already, with other figures" in page.text


def test_back_after_the_deal_was_removed(phone: Phone, slug: str, store: Store, app: Flask) -> None:
    """The other version is gone meanwhile: what was filled in is kept, and can be saved as a new deal."""
    form = phone.next_deal(slug).fill(contract="B", **FILLED["B"])
    phone.send(form)
    remove(another(app, store, slug), slug, deal_ids(store, slug)[0])
    page = unchanged(store, lambda: phone.send(form, king=1))
    assert page.status == 409
    assert page.form("deal").typed() == form.typed()
    assert phone.send(page.form("deal")).status == 200
    assert bodies(store, slug) == [BARBU | {"result": {"king": "Ben"}}]


# Two phones


def test_two_phones_enter_the_same_deal(phone: Phone, slug: str, store: Store, app: Flask) -> None:
    other = another(app, store, slug)
    mine, theirs = phone.next_deal(slug), other.next_deal(slug)
    phone.send(mine, contract="B", **FILLED["B"])
    theirs.fill(contract="B", doubles=["10"], king=1)
    page = unchanged(store, lambda: other.send(theirs))
    assert page.status == 409
    assert "Somebody else changed this meanwhile" in page.text
    stands, yours = (dd.text for dd in page.elements.all("dd"))
    assert "Dan took the king of hearts." in stands
    assert "Ben took the king of hearts." in yours
    assert page.form("deal").typed() == theirs.typed()
    assert other.send(page.form("deal")).status == 200
    assert bodies(store, slug) == [BARBU | {"result": {"king": "Ben"}}]


def test_two_phones_enter_the_same_deal_alike(phone: Phone, slug: str, store: Store, app: Flask) -> None:
    other = another(app, store, slug)
    mine, theirs = phone.next_deal(slug), other.next_deal(slug)
    phone.send(mine, contract="B", **FILLED["B"])
    page = other.send(theirs, contract="B", **FILLED["B"])
    assert page.status in {200, 409}
    assert bodies(store, slug) == [BARBU]


def test_two_phones_correct_the_same_deal(phone: Phone, store: Store, app: Flask) -> None:
    slug = holding(phone, store, BARBU, MISERE)
    other = another(app, store, slug)
    deal_id = deal_ids(store, slug)[0]
    mine, theirs = edit(phone, slug, deal_id), edit(other, slug, deal_id)
    assert phone.send_seen(mine, king=1).status == 200
    page = unchanged(store, lambda: other.send(theirs, king=2))
    assert page.status == 409
    stands, yours = (dd.text for dd in page.elements.all("dd"))
    assert "Ben took the king of hearts." in stands
    assert "Carla took the king of hearts." in yours
    assert page.form("deal").typed() == theirs.typed()
    assert other.send(page.form("deal")).status == 200
    assert bodies(store, slug)[0] == BARBU | {"result": {"king": "Carla"}}


def test_two_phones_correct_different_deals(phone: Phone, store: Store, app: Flask) -> None:
    slug = holding(phone, store, BARBU, MISERE)
    other = another(app, store, slug)
    first, second = deal_ids(store, slug)
    mine, theirs = edit(phone, slug, first), edit(other, slug, second)
    assert phone.send_seen(mine, king=1).status == 200
    assert other.send_seen(theirs, note="recounted").status == 200
    assert len(store.rows(slug)) == 3


def test_a_correction_of_a_deal_that_was_removed_meanwhile(phone: Phone, store: Store, app: Flask) -> None:
    slug = holding(phone, store, BARBU, MISERE)
    other = another(app, store, slug)
    deal_id = deal_ids(store, slug)[0]
    theirs = edit(other, slug, deal_id)
    remove(phone, slug, deal_id)
    page = unchanged(store, lambda: other.send(theirs, king=2))
    assert page.status == 409
    assert "The deal was removed." in page.text
    assert "Carla took the king of hearts." in page.text
    assert page.form("deal").typed() == theirs.typed()
    assert other.send(page.form("deal")).status == 200
    assert bodies(store, slug)[1] == BARBU | {"result": {"king": "Carla"}}


def test_a_removal_of_a_deal_that_changed_meanwhile(phone: Phone, store: Store, app: Flask) -> None:
    """It is not removed unseen: the page asks again and shows the deal as it is now."""
    slug = holding(phone, store, BARBU)
    other = another(app, store, slug)
    (deal_id,) = deal_ids(store, slug)
    theirs = other.open(f"/m/{slug}/deals/{deal_id}/remove").form()
    phone.send_seen(edit(phone, slug, deal_id), king=1)
    page = unchanged(store, lambda: other.send(theirs))
    assert page.status == 409
    assert "Somebody else changed this deal meanwhile" in page.text
    assert "Ben took the king of hearts." in page.text
    assert other.send(page.form()).status == 200
    assert bodies(store, slug) == []


# The open deal

PLAYING = deal_entry("Anna B", doubles={"Ben": ["Anna"]})


def play(phone: Phone, slug: str, **values: Any) -> Page:
    """Keep declaration and doubles while the hand is played."""
    return phone.send(phone.next_deal(slug), do="play", **values)


def test_the_hand_is_played(phone: Phone, slug: str, store: Store, app: Flask) -> None:
    """The doubles wait on the server: everybody sees them, and the form comes back filled in."""
    page = play(phone, slug, contract="B", doubles=["10"])
    assert (page.status, page.address) == (200, f"/m/{slug}/deals/new")
    assert "being played" in page.text
    form = page.form("deal")
    assert (form["contract"], form.values["doubles"]) == ("B", ["10"])
    assert store.draft(slug).deal == PLAYING
    assert len(store.rows(slug)) == 1
    watched = Phone(app.test_client()).open(f"/m/{slug}")
    assert "Being played" in watched.text
    assert "Barbu" in watched.text
    assert "Ben doubled Anna." in watched.text
    page = phone.send(form, king=3)
    assert page.status == 200
    assert bodies(store, slug) == [BARBU]
    assert store.draft(slug).deal is None


def test_the_doubles_are_changed_while_the_hand_is_played(phone: Phone, slug: str, store: Store) -> None:
    play(phone, slug, contract="B", doubles=["10"])
    page = play(phone, slug, contract="B", doubles=["10", "20"])
    assert page.status == 200
    assert store.draft(slug).deal["doubles"] == {"Ben": ["Anna"], "Carla": ["Anna"]}
    assert store.draft(slug).version == 2


def test_a_misdeal_drops_the_open_deal(phone: Phone, slug: str, store: Store) -> None:
    play(phone, slug, contract="B", doubles=["10"])
    page = phone.send(phone.next_deal(slug), do="drop")
    assert (page.status, page.heading) == (200, "Anna declares")
    assert store.draft(slug).deal is None
    assert page.form("deal")["contract"] == ""
    assert len(store.rows(slug)) == 1


def test_a_result_is_not_needed_to_play(phone: Phone, slug: str, store: Store) -> None:
    """What stands in the fields of the result does not matter yet."""
    assert play(phone, slug, contract="M", doubles=["10"], tricks_0="x").status == 200
    assert "result" not in store.draft(slug).deal


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"doubles": ["10"]}, "contract"),
        ({"contract": "RC"}, "contract"),
        ({"contract": "B", "doubles": ["01"]}, "doubles"),
        ({"contract": "T", "doubles": ["12"]}, "doubles"),
        ({"contract": "B", "declarer": "7"}, "form"),
    ],
)
def test_a_hand_that_cannot_be_played(
    phone: Phone, slug: str, store: Store, values: Values, field: str
) -> None:
    page = unchanged(store, lambda: play(phone, slug, **values))
    assert page.status == 422
    assert page.wrong.keys() == {field}


def test_two_phones_change_the_open_deal(phone: Phone, slug: str, store: Store, app: Flask) -> None:
    other = another(app, store, slug)
    mine, theirs = phone.next_deal(slug), other.next_deal(slug)
    phone.send(mine, do="play", contract="B", doubles=["10"])
    theirs.fill(contract="M", doubles=["30"])
    page = unchanged(store, lambda: other.send(theirs, do="play"))
    assert page.status == 409
    assert "Another phone changed the open deal" in page.text
    stands, yours = (dd.text for dd in page.elements.all("dd"))
    assert "Barbu" in stands
    assert "Misère" in yours
    shown = page.form("deal")
    assert shown.typed() == theirs.typed()
    assert other.send(shown, do="play").status == 200
    assert store.draft(slug).deal["contract"] == "M"


def test_the_open_deal_was_dropped_meanwhile(phone: Phone, slug: str, store: Store, app: Flask) -> None:
    play(phone, slug, contract="B", doubles=["10"])
    other = another(app, store, slug)
    theirs = other.next_deal(slug)
    phone.send(phone.next_deal(slug), do="drop")
    page = unchanged(store, lambda: other.send(theirs, do="play"))
    assert page.status == 409
    assert "The open deal was dropped." in page.text
    assert page.form("deal").typed() == theirs.typed()


def test_an_open_deal_that_changed_meanwhile_is_not_dropped(
    phone: Phone, slug: str, store: Store, app: Flask
) -> None:
    play(phone, slug, contract="B", doubles=["10"])
    other = another(app, store, slug)
    theirs = other.next_deal(slug)
    play(phone, slug, contract="B", doubles=["10", "20"])
    page = unchanged(store, lambda: other.send(theirs, do="drop"))
    assert page.status == 409
    assert "Carla doubled Anna." in page.text


def test_a_hand_whose_deal_was_saved_meanwhile(phone: Phone, slug: str, store: Store, app: Flask) -> None:
    """Another phone saved deal 1: this one does not open it again as deal 2."""
    other = another(app, store, slug)
    theirs = other.next_deal(slug)
    phone.send(phone.next_deal(slug), contract="B", **FILLED["B"])
    page = unchanged(store, lambda: other.send(theirs, do="play", contract="M", doubles=["10"]))
    assert page.status == 409
    assert "Somebody else changed this meanwhile" in page.text


# Forced doubles


def nearly_forced(phone: Phone, store: Store, **rules: Any) -> str:
    """Anna has Trumps, Dominoes and No Last Two left, and nobody has doubled her yet."""
    passed = [deal_entry(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH")]
    return holding(phone, store, *passed, rules={"preset": "seven-in-a-row", **rules})


def forced(phone: Phone, store: Store) -> str:
    """Anna has Trumps and Dominoes left, and everybody owes her two doubles."""
    passed = [deal_entry(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH", "NL2")]
    return holding(phone, store, *passed, rules="seven-in-a-row")


def test_the_page_says_who_must_double(phone: Phone, store: Store) -> None:
    slug = forced(phone, store)
    page = phone.open(f"/m/{slug}/deals/new")
    assert page.text.count("must double: owes 2, 2 left") == 2 * 3
    table = phone.open(f"/m/{slug}")
    assert "Must double now" in table.text
    assert "Ben must double Anna: owes 2, 2 left." in table.text


def test_the_page_says_who_must_double_in_some_contracts_only(phone: Phone, store: Store) -> None:
    """Where positives do not count, a double in Trumps is not forced."""
    slug = nearly_forced(phone, store, positives_count="none")
    assert "Ben must double Anna: owes 2, 3 left. In: No Last Two" in phone.open(f"/m/{slug}").text
    page = phone.send(phone.next_deal(slug), contract="T", doubles=[], **TRICKS)
    assert page.status == 200


def test_a_forced_double_that_is_missing(phone: Phone, store: Store) -> None:
    """It is asked once; then the deal can be saved as it was played, with a warning and the shortfall."""
    slug = forced(phone, store)
    form = phone.next_deal(slug).fill(contract="T", doubles=["10"], **TRICKS)
    page = unchanged(store, lambda: phone.send(form))
    assert page.status == 422
    assert "Forced doubles are missing." in page.text
    shown = page.form("deal")
    assert shown.typed() == form.typed()
    assert shown.choices["without"] == ["2", "3"]
    page = unchanged(store, lambda: phone.send(shown, without=["2"]))
    assert page.status == 422
    assert page.form("deal").choices["without"] == ["3"]
    assert phone.send(page.form("deal"), without=["2", "3"]).status == 200
    table = phone.open(f"/m/{slug}").text
    assert "Carla had to double Anna and did not." in table
    assert "short of Anna by 1" in table


def test_a_forced_double_that_is_made_after_all(phone: Phone, store: Store) -> None:
    slug = forced(phone, store)
    page = phone.send(phone.next_deal(slug), contract="T", doubles=["10", "20"], **TRICKS)
    assert "A forced double is missing." in page.text
    assert phone.send(page.form("deal"), doubles=["10", "20", "30"]).status == 200
    assert "had to double" not in phone.open(f"/m/{slug}").text


def test_a_pass_out_without_a_forced_double(phone: Phone, store: Store) -> None:
    """Also a pass-out can be recorded as it was played."""
    passed = [deal_entry(f"Anna {c}", passed_out=True) for c in ("B", "M", "NQ", "NH")]
    trumps = deal_entry("Anna T", result={"tricks": {"Anna": 13}})
    slug = holding(phone, store, *passed, trumps, rules="seven-in-a-row")
    page = phone.send(phone.next_deal(slug), contract="NL2", passed_out=1)
    assert page.status == 422
    assert phone.send(page.form("deal"), without=["1", "2", "3"]).status == 200
    assert bodies(store, slug)[-1]["passed_out"] is True


def test_other_mistakes_come_with_the_question_or_after_it(phone: Phone, store: Store) -> None:
    slug = forced(phone, store)
    page = phone.send(phone.next_deal(slug), contract="T", doubles=[], **{**TRICKS, "tricks_0": 9})
    assert page.status == 422
    page = unchanged(store, lambda: phone.send(page.form("deal"), without=["1", "2", "3"]))
    assert page.status == 422
    assert "must make 13" in page.wrong["result"][0]


# Correct and remove


def remove(phone: Phone, slug: str, deal_id: str) -> Page:
    """Remove a deal, having been asked."""
    return phone.send(phone.open(f"/m/{slug}/deals/{deal_id}/remove").form())


def test_a_past_deal_comes_back_filled_in(phone: Phone, store: Store) -> None:
    """Sent as it is, the form changes nothing of the deal, whatever the contract."""
    slug = phone.start(preset="ravage-city")
    for contract, values in FILLED.items():
        form = phone.open(f"/m/{slug}/deals/new?declarer=0").form("deal")
        assert phone.send(form, contract=contract, note="x", without=["1", "2", "3"], **values).status == 200
    before = bodies(store, slug)
    for deal_id in deal_ids(store, slug):
        page = phone.open(f"/m/{slug}/deals/{deal_id}")
        assert page.heading.startswith("Correct deal ")
        assert phone.send(page.form("deal")).status == 200
    assert bodies(store, slug) == before


def test_a_correction_recomputes_everything_after_it(phone: Phone, store: Store) -> None:
    slug = holding(phone, store, BARBU, MISERE, deal_entry("Carla D", result={"order": list(NAMES)}))
    before = shown_totals(phone.open(f"/m/{slug}"))
    page = phone.send_seen(edit(phone, slug, deal_ids(store, slug)[0]), king=1, doubles=["10", "20"])
    assert "Deal 1: Anna declared Barbu; Ben took the king of hearts;" in page.text
    table = phone.open(f"/m/{slug}")
    assert shown_totals(table) == totals(store, slug)
    assert shown_totals(table) != before
    rows = [r.text for r in table.elements.one("table", class_="deals").all("tr")]
    figures = [[signed(n) for n in d.score or ()] for d in store.standing(slug)[1].deals]
    assert [row.split()[-4:] for row in rows[:0:-1]] == figures


def test_a_removal_moves_the_later_deals_up(phone: Phone, store: Store) -> None:
    source = parse(case_file("eleven-deals"))
    slug = holding(phone, store, *source.pop("deals"), **source)
    ids, before = deal_ids(store, slug), bodies(store, slug)
    page = phone.open(f"/m/{slug}/deals/{ids[3]}/remove")
    assert page.heading == "Remove deal 4?"
    page = phone.send(page.form())
    assert page.address == f"/m/{slug}"
    assert bodies(store, slug) == before[:3] + before[4:]
    assert shown_totals(page) == totals(store, slug)
    assert phone.open(f"/m/{slug}/deals/{ids[4]}/why").heading == "Deal 4: why?"
    assert len(store.rows(slug)) == 2


def test_asking_to_remove_removes_nothing(phone: Phone, store: Store) -> None:
    slug = holding(phone, store, BARBU)
    page = unchanged(store, lambda: phone.open(f"/m/{slug}/deals/{deal_ids(store, slug)[0]}/remove"))
    assert "Dan took the king of hearts." in page.text


def test_a_removal_sent_twice(phone: Phone, store: Store) -> None:
    slug = holding(phone, store, BARBU, MISERE)
    form = phone.open(f"/m/{slug}/deals/{deal_ids(store, slug)[0]}/remove").form()
    assert phone.send(form).status == phone.send(form).status == 200
    assert bodies(store, slug) == [MISERE]
    assert len(store.rows(slug)) == 2


def test_a_removal_with_a_wrong_id(phone: Phone, store: Store) -> None:
    slug = holding(phone, store, BARBU)
    form = phone.open(f"/m/{slug}/deals/{deal_ids(store, slug)[0]}/remove").form()
    for values in {"id": ""}, {"id": "x" * 100}, {"seen": ""}, {"seen": "x"}:
        page = unchanged(store, lambda: phone.send(form, **values))  # noqa: B023
        assert page.status == 409
        form = page.form()
    assert phone.send(form).status == 200


def test_a_deal_that_is_gone(phone: Phone, store: Store) -> None:
    slug = holding(phone, store, BARBU, MISERE)
    gone = deal_ids(store, slug)[0]
    remove(phone, slug, gone)
    for deal_id in gone, "nothing":
        for page in "", "/why", "/remove":
            shown = phone.open(f"/m/{slug}/deals/{deal_id}{page}")
            assert (shown.status, shown.heading) == (404, "There is nothing here")


def test_a_watcher_is_led_to_what_he_may_see(phone: Phone, store: Store, app: Flask) -> None:
    slug = holding(phone, store, BARBU)
    (deal_id,) = deal_ids(store, slug)
    watcher = Phone(app.test_client())
    before = everything(store)
    assert watcher.open(f"/m/{slug}/deals/new").address == f"/m/{slug}"
    assert watcher.open(f"/m/{slug}/deals/{deal_id}").address == f"/m/{slug}/deals/{deal_id}/why"
    assert watcher.open(f"/m/{slug}/deals/{deal_id}/remove").address == f"/m/{slug}"
    assert everything(store) == before
