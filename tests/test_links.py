"""Links as keys: who may watch, who may score, and how scoring is handed over (design.md, decision 7)."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie

import pytest
from flask import Flask
from flask.testing import FlaskClient
from records import everything, unchanged
from webpages import NAMES, Page, Phone

from scorepad.store import Store


@pytest.fixture
def scorer(client: FlaskClient) -> Phone:
    """The phone that keeps the score."""
    return Phone(client)


@pytest.fixture
def slug(scorer: Phone) -> str:
    """Its match."""
    return scorer.start(title="Thursday table")


@pytest.fixture
def other(app: Flask) -> Phone:
    """Another phone at the table."""
    return Phone(app.test_client())


def path(url: str) -> str:
    """The path of an absolute address of ours."""
    assert url.startswith("http://localhost/")
    return url.removeprefix("http://localhost")


def scoring_link(page: Page) -> str:
    """The scoring link on a page."""
    (link,) = {link for link in page.links if "/join/" in link}
    return path(link)


def hand_over(phone: Phone, slug: str, **values: str) -> str:
    """Make a scoring link on its own page."""
    page = phone.send(phone.open(f"/m/{slug}/hand-over").form(), **values)
    assert page.status == 200
    return scoring_link(page)


def may_score(phone: Phone, slug: str) -> bool:
    """Whether the phone gets to the form of the next deal, and whether it may send it."""
    page = phone.open(f"/m/{slug}/deals/new")
    offered = page.address == f"/m/{slug}/deals/new"
    answer = phone.client.post(f"/m/{slug}/deals/new", data={"do": "save"})
    assert answer.status_code == (400 if offered else answer.status_code)
    assert answer.status_code in {400, 401, 403}
    return offered


# Watching


def test_the_watch_link_shows_everything_and_changes_nothing(
    scorer: Phone, slug: str, other: Phone, store: Store
) -> None:
    page = other.open(f"/m/{slug}")
    assert page.status == 200
    assert all(name in page.text for name in NAMES)
    assert not any("/deals/new" in link for link in page.links)
    assert not list(page.elements.all("form"))
    unchanged(store, lambda: may_score(other, slug))
    assert not may_score(other, slug)
    assert may_score(scorer, slug)


def test_the_share_page_shows_the_watch_link_and_its_code(slug: str, scorer: Phone, other: Phone) -> None:
    for phone, leads_on in (scorer, True), (other, False):
        page = phone.open(f"/m/{slug}/share")
        assert f"http://localhost/m/{slug}" in page.text
        assert f"http://localhost/m/{slug}" in page.links
        assert len(list(page.elements.all("svg", class_="qr"))) == 1
        assert not list(page.elements.all("form"))
        assert (f"/m/{slug}/hand-over" in page.links) is leads_on
        assert "/join/" not in page.html


def test_the_table_leads_to_both_pages(slug: str, scorer: Phone, other: Phone) -> None:
    for phone, may_hand_over in (scorer, True), (other, False):
        links = phone.open(f"/m/{slug}").links
        assert f"/m/{slug}/share" in links
        assert (f"/m/{slug}/hand-over" in links) is may_hand_over


def test_handing_over_is_asked_on_a_page_of_its_own(
    slug: str, scorer: Phone, other: Phone, store: Store
) -> None:
    """It explains, and makes nothing yet; who may not score is led to the table."""
    page = unchanged(store, lambda: scorer.open(f"/m/{slug}/hand-over"))
    assert page.heading == "Hand over scoring"
    assert page.form().choices["end_others"] == ["1"]
    assert "/join/" not in page.html
    assert other.open(f"/m/{slug}/hand-over").address == f"/m/{slug}"
    assert scorer.open("/m/nowhere/hand-over").status == 404


def test_no_page_shows_a_key(slug: str, scorer: Phone, other: Phone) -> None:
    """The key of the first scoring link is nowhere: the phone that started the match holds a cookie."""
    for address in "", "/share", "/hand-over", "/deals/new", "/sheet", "/match.json":
        for phone in scorer, other:
            assert "/join/" not in phone.client.get(f"/m/{slug}{address}").text


# Joining


def test_opening_a_scoring_link_asks(scorer: Phone, slug: str, other: Phone, store: Store) -> None:
    link = hand_over(scorer, slug)
    page = unchanged(store, lambda: other.open(link))
    assert page.heading == "Keep the score on this phone?"
    assert "Thursday table" in page.text
    assert all(name in page.text for name in NAMES)
    assert not may_score(other, slug)


def test_saying_yes_joins_and_leaves_the_key_behind(scorer: Phone, slug: str, other: Phone) -> None:
    link = hand_over(scorer, slug)
    page = other.join(link)
    key = link.removeprefix("/join/")
    assert (page.status, page.address) == (200, f"/m/{slug}")
    assert key not in page.html
    assert may_score(other, slug)
    assert may_score(scorer, slug)
    assert f"/m/{slug}" in other.open("/").links
    assert key not in other.open("/").html


def test_a_link_may_be_used_by_several_phones_and_twice(
    scorer: Phone, slug: str, other: Phone, app: Flask
) -> None:
    link = hand_over(scorer, slug)
    third = Phone(app.test_client())
    for phone in other, third, other, scorer:
        assert phone.join(link).address == f"/m/{slug}"
        assert may_score(phone, slug)


def test_the_device_cookie(scorer: Phone, slug: str, app: Flask) -> None:
    """HttpOnly, same-site, for a year, and only over HTTPS where the server is reached by it."""
    link = hand_over(scorer, slug)
    for base, secure in ("http://localhost", False), ("https://localhost", True):
        client = app.test_client()
        page = client.get(link, base_url=base)
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
        assert token
        answer = client.post(
            link, data={"csrf_token": token[1]}, base_url=base, headers={"Referer": f"{base}{link}"}
        )
        (cookie,) = (c for c in answer.headers.getlist("Set-Cookie") if c.startswith("scorepad_device="))
        morsel = SimpleCookie(cookie)["scorepad_device"]
        assert (morsel["httponly"], bool(morsel["secure"])) == (True, secure)
        assert (morsel["samesite"], morsel["path"]) == ("Lax", "/")
        assert int(morsel["max-age"]) >= 31_000_000
        assert len(morsel.value) == 32


def test_a_phone_has_one_cookie_for_all_its_matches(scorer: Phone, slug: str, store: Store) -> None:
    before = len(everything(store)["device"])
    second = scorer.start()
    assert may_score(scorer, slug)
    assert may_score(scorer, second)
    assert len(everything(store)["device"]) == before


@pytest.mark.parametrize("key", ["wrong", "x" * 32, "x" * 3_000, "%00", "..%2f", "é"])
def test_a_wrong_key(slug: str, other: Phone, store: Store, key: str) -> None:
    for method in "GET", "POST":
        token = other.client.get("/csrf").get_json()["token"]
        answer = unchanged(
            store,
            lambda: other.client.open(f"/join/{key}", method=method, data={"csrf_token": token}),  # noqa: B023
        )
        assert answer.status_code == 404
        assert answer.mimetype == "text/html"
    assert not may_score(other, slug)


@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_another_site_cannot_make_a_phone_join(
    scorer: Phone, slug: str, other: Phone, store: Store, token: str | None
) -> None:
    link = hand_over(scorer, slug)
    data = {} if token is None else {"csrf_token": token}
    answer = unchanged(store, lambda: other.client.post(link, data=data))
    assert answer.status_code == 400
    assert not may_score(other, slug)


def test_the_address_of_a_key_is_not_told_to_others(scorer: Phone, slug: str, other: Phone) -> None:
    """No request that the page makes carries its address, and no cache keeps it."""
    link = hand_over(scorer, slug)
    token = other.client.get("/csrf").get_json()["token"]
    for method in "GET", "POST":
        answer = other.client.open(link, method=method, data={"csrf_token": token})
        assert answer.headers["Referrer-Policy"] == "strict-origin"
        assert answer.headers["Cache-Control"] == "no-store"


# Handing over


def test_handing_over_makes_a_fresh_key_each_time(scorer: Phone, slug: str) -> None:
    links = {hand_over(scorer, slug) for _ in range(3)}
    assert len(links) == 3
    assert len({link.removeprefix("/join/") for link in links}) == 3


def test_the_key_is_shown_once(scorer: Phone, slug: str) -> None:
    link = hand_over(scorer, slug)
    for page in "/hand-over", "/share", "":
        assert link not in scorer.open(f"/m/{slug}{page}").html


def test_the_code_of_a_scoring_link(scorer: Phone, slug: str) -> None:
    page = scorer.send(scorer.open(f"/m/{slug}/hand-over").form())
    assert "shown this once" in page.text
    assert len(list(page.elements.all("svg", class_="qr"))) == 1


def test_ending_the_older_links(scorer: Phone, slug: str, other: Phone, app: Flask, store: Store) -> None:
    """Who joined by an older link may no longer write; the phone that ended them may."""
    old = hand_over(scorer, slug)
    other.join(old)
    fresh = hand_over(scorer, slug, end_others="1")
    assert (may_score(other, slug), may_score(scorer, slug)) == (False, True)
    late = Phone(app.test_client())
    page = late.open(old)
    assert (page.status, page.heading) == (410, "This scoring link was replaced")
    token = late.client.get("/csrf").get_json()["token"]
    assert late.client.post(old, data={"csrf_token": token}).status_code == 410
    assert not may_score(late, slug)
    assert late.join(fresh).address == f"/m/{slug}"
    assert may_score(late, slug)
    page = other.open(f"/m/{slug}/deals/new")
    assert page.address == f"/m/{slug}"
    assert other.open(f"/m/{slug}/hand-over").address == f"/m/{slug}"


def test_ending_the_links_of_one_match_leaves_the_others(scorer: Phone, slug: str, other: Phone) -> None:
    second = scorer.start()
    other.join(hand_over(scorer, second))
    hand_over(scorer, slug, end_others="1")
    assert may_score(other, second)


def test_only_who_scores_may_hand_over(slug: str, other: Phone, store: Store) -> None:
    """401 for a phone that holds nothing, 403 for one that scores another match; nothing is made."""
    token = other.client.get("/csrf").get_json()["token"]
    for status in 401, 403:
        answer = unchanged(
            store,
            lambda: other.client.post(
                f"/m/{slug}/hand-over",
                data={"csrf_token": token, "end_others": "1"},
            ),
        )
        assert answer.status_code == status
        assert "/join/" not in answer.text
        other.start()


# Pages that refuse


@pytest.mark.parametrize(
    ("method", "page"),
    [
        ("POST", "/deals/new"),
        ("POST", "/deals/{deal}"),
        ("POST", "/deals/{deal}/remove"),
        ("POST", "/hand-over"),
        ("POST", "/stakes"),
        ("POST", "/again"),
    ],
)
def test_writing_without_the_right(
    scorer: Phone, slug: str, other: Phone, store: Store, method: str, page: str
) -> None:
    """401 and 403 are pages with advice, also for deals and matches that are not there, and write nothing."""
    scorer.send(scorer.next_deal(slug), contract="D", place_0=0, place_1=1, place_2=2, place_3=3)
    deal_id = store.load(slug).deals[0].deal_id
    elsewhere = [f"/m/{s}{page.format(deal=d)}" for s in (slug, "nowhere") for d in (deal_id, "nothing")]
    for status, heading in (
        (401, "This phone does not keep the score"),
        (403, "This phone does not keep the score of this match"),
    ):
        for address in elsewhere:
            for data in {}, {"csrf_token": "wrong"}, {"contract": "B", "king": "0"}:
                shown = unchanged(
                    store,
                    lambda: Page(other.client.open(address, method=method, data=data)),  # noqa: B023
                )
                assert (shown.status, shown.heading) == (status, heading)
                assert "Nothing was changed" in shown.text
        other.start()


def test_the_record_says_which_device_wrote(scorer: Phone, slug: str, other: Phone, store: Store) -> None:
    other.join(hand_over(scorer, slug))
    for phone in scorer, other:
        form = phone.next_deal(slug)
        phone.send(form, contract="D", place_0=0, place_1=1, place_2=2, place_3=3)
    wrote = [row["by"] for row in store.rows(slug)]
    assert wrote[0] == wrote[1]
    assert wrote[1] != wrote[2]
    assert all(re.fullmatch(r"device [0-9]+", by) for by in wrote)


def test_a_forged_cookie_opens_nothing(slug: str, app: Flask, store: Store) -> None:
    """The cookie is a secret of 192 bits, not the device's number."""
    device = everything(store)["device"][-1]
    for token in ("1", str(device[0]), str(device[1])):
        client = app.test_client()
        client.set_cookie("scorepad_device", token)
        assert not may_score(Phone(client), slug)
