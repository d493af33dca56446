"""The sheet on the web: which paper, why on demand, the link's code, and what the record adds."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pypdf
import pytest
from builders import case_file
from flask.testing import FlaskClient

from scorepad.matchfile import read
from scorepad.pdf import PdfMaker
from scorepad.sheet import sheet_page
from scorepad.store import Save, Store
from scorepad.table import SEATS
from scorepad.views import sheet


@pytest.fixture
def slug(store: Store) -> str:
    """A whole match that is kept."""
    match = read(case_file("full-match")).match
    assert match is not None
    return store.start(match)[0]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The pages that PDFs were asked of; every PDF is the same small file."""
    made, pages = tmp_path / "made.pdf", list[str]()
    made.write_bytes(b"%PDF-1.7 made")

    def make(_: PdfMaker, html: str, *_more: object) -> Path:
        pages.append(html)
        return made

    monkeypatch.setattr(PdfMaker, "make", make)
    return pages


@pytest.mark.parametrize(
    ("address", "languages", "paper"),
    [
        ("", "", "a4"),
        ("", "de-AT,de;q=0.9,en-US;q=0.8", "a4"),
        ("", "en-GB,en", "a4"),
        ("", "en-US,en;q=0.9", "letter"),
        ("", "fr-CA,fr;q=0.9,en;q=0.8", "letter"),
        ("?paper=a4", "en-US", "a4"),
        ("?paper=letter", "de", "letter"),
        ("?paper=legal", "de", "a4"),
    ],
)
def test_the_paper_is_the_one_asked_for_or_that_of_the_readers_country(
    client: FlaskClient, slug: str, asked: list[str], address: str, languages: str, paper: str
) -> None:
    headers = {"Accept-Language": languages} if languages else {}
    with client.get(f"/m/{slug}/sheet.pdf{address}", headers=headers) as answer:
        assert answer.status_code == 200
        assert "Accept-Language" in answer.headers["Vary"]
    assert f'"sheet-paper sheet-on-{paper}"' in asked[0]
    assert f"sheet-on-{paper}" in client.get(f"/m/{slug}/sheet{address}", headers=headers).text


def test_the_page_offers_both_papers_and_the_reasons(client: FlaskClient, slug: str) -> None:
    page = client.get(f"/m/{slug}/sheet").text
    for address in "sheet.pdf?paper=a4", "sheet.pdf?paper=letter", "sheet.pdf?paper=a4&amp;why=1":
        assert f'href="/m/{slug}/{address}"' in page


def test_why_is_told_only_when_it_is_asked_for(client: FlaskClient, slug: str, asked: list[str]) -> None:
    for address in "", "?why=1":
        client.get(f"/m/{slug}/sheet.pdf{address}").close()
    assert ["Why each deal scored" in html for html in asked] == [False, True]


def test_the_code_leads_to_the_match(client: FlaskClient, slug: str, asked: list[str]) -> None:
    client.get(f"/m/{slug}/sheet.pdf", base_url="https://pad.example").close()
    assert f"This match: https://pad.example/m/{slug}" in asked[0]
    assert re.search(r'<svg[^>]+class="qr".*?<title>Code for the link of this match</title>', asked[0])


def test_what_was_corrected_is_counted_from_the_record(
    client: FlaskClient, store: Store, slug: str, asked: list[str]
) -> None:
    """Under its number of today, under every id that the deal has had."""
    kept = store.load(slug)
    first, second = kept.deals[:2]
    for note in "counted again", "and again":
        store.save(slug, save(store, slug, "correct", second.deal_id, {**second.body, "note": note}), by="")
    store.save(slug, save(store, slug, "remove", first.deal_id), by="")
    client.get(f"/m/{slug}/sheet.pdf").close()
    assert re.search(r"<li>Deal 1: [^<]*Corrected 2 times after it was saved\. and again</li>", asked[0])
    assert "Corrected once" not in asked[0]
    head, saved = store.load(slug), store.last_row(slug)["at"]
    assert f"record to row {head.revision}: {head.hash[:4]}" in asked[0]
    assert f"{saved[11:16]} UTC" in asked[0]
    assert len(SEATS) == asked[0].count('class="sheet-player"')


def test_a_whole_match_with_its_code_has_two_pages(client: FlaskClient, store: Store) -> None:
    """On the shorter paper, with the eighth contract."""
    match = read(case_file("full-match-ravage-city")).match
    assert match is not None
    slug, _ = store.start(match)
    with client.get(f"/m/{slug}/sheet.pdf?paper=letter") as answer:
        reader = pypdf.PdfReader(io.BytesIO(answer.data))
    first, second = (page.extract_text() for page in reader.pages)
    assert "How to read it" in first
    assert f"/m/{slug}" in second


def save(store: Store, slug: str, action: str, deal_id: str, body: object = None) -> Save:
    """A save about the match as it stands."""
    seen = store.load(slug).revision
    return Save(f"a-save-{seen:04}", seen, action, deal_id, body)


def test_a_sheet_that_was_made_is_found_without_laying_it_out_again(
    client: FlaskClient, slug: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its match changes, another paper or another address is asked for, or the file is gone."""
    laid_out = list[str]()

    def page(*given: Any, **more: Any) -> Any:
        laid_out.append("")
        return sheet_page(*given, **more)

    monkeypatch.setattr(sheet, "sheet_page", page)

    def asked(more: str = "", host: str = "pad.example") -> tuple[bytes, int]:
        before = len(laid_out)
        with client.get(f"/m/{slug}/sheet.pdf{more}", base_url=f"http://{host}") as answer:
            assert answer.status_code == 200
            return bytes(answer.data), len(laid_out) - before

    first = asked()[0]
    assert asked() == (first, 0)
    assert asked("?paper=letter")[1] == 1
    assert asked(host="localhost")[1] == 1, "the code leads to another address"
    store.save(slug, Save("another-title", 1, "amend", deal={"title": "Friday"}), by="a test")
    changed = asked()
    assert changed[0] != first
    assert changed[1] == 1
    assert asked() == (changed[0], 0)
    for path in (Path(client.application.instance_path) / "sheets").glob("*.pdf"):
        path.unlink()
    assert asked() == (changed[0], 1)
