"""What a finger takes along: text, picture, files; the share sheet of the phone; an app with no way back."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import BROWSER_ARGUMENTS, Server, browser_path, case
from fingers import Hand, Json, hand_at, join, start_match
from playwright.sync_api import Browser, expect
from test_browser_layout import NAMES, renamed

pytestmark = pytest.mark.browser

FILE = case("matches/full-match")
PNG, PDF = "\x89PNG\r\n\x1a\n", "%PDF-"

#: A share sheet that takes texts, pictures, PDFs and CSV files; `refusals` names what it throws first.
SHARE_SHEET = """(() => {
  window.refusals = [];
  window.shared = [];
  const kinds = ["image/png", "application/pdf", "text/csv"];
  const read = async (file) => {
    const bytes = new Uint8Array(await file.slice(0, 32).arrayBuffer());
    return { name: file.name, type: file.type, head: String.fromCharCode(...bytes) };
  };
  navigator.canShare = ({ files }) => files.every((file) => kinds.includes(file.type));
  navigator.share = async ({ text, files = [] }) => {
    if (window.refusals.length) throw new DOMException("refused", window.refusals.shift());
    window.shared.push({ text, files: await Promise.all(files.map(read)) });
  };
})()"""

#: Notes every text that is drawn: where it ends, and from which side it is written.
DRAWN = """(() => {
  window.drawn = [];
  const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const width = this.measureText(text).width;
    const left = { left: x, right: x - width, center: x - width / 2 }[this.textAlign];
    window.drawn.push({ text, left, right: left + width, y, direction: this.direction });
    fill.call(this, text, x, y);
  };
})()"""


@pytest.fixture
def hand(browser: Browser, server: Server) -> Iterator[Hand]:
    """A phone that watches."""
    with hand_at(browser, server) as held:
        yield held


@pytest.fixture
def app_hand(browser: Browser, server: Server, tmp_path: Path) -> Iterator[Hand]:
    """A phone on which scorepad is an app: a window of its own, without the buttons of a browser."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "profile",
        executable_path=browser_path(),
        args=[*BROWSER_ARGUMENTS, f"--app={server.url}/offline"],
        ignore_default_args=["about:blank"],
        base_url=server.url,
        has_touch=True,
    )
    (page,) = context.pages
    with Hand(page) as held:
        page.add_init_script(SHARE_SHEET)
        yield held
    context.close()


def take(hand: Hand, server: Server, file: Json = FILE) -> str:
    """Open the page with every way out of a match; its slug."""
    slug = start_match(server, file)["slug"]
    hand.page.goto(f"/m/{slug}/take")
    hand.page.locator("#as-picture").wait_for()
    return slug


def button(hand: Hand, name: str) -> Any:
    """A button by its words."""
    return hand.page.get_by_role("button", name=name, exact=True)


def shared(hand: Hand, so_many: int = 1) -> list[Json]:
    """What the share sheet was given."""
    hand.page.wait_for_function("n => shared.length === n", arg=so_many)
    given: list[Json] = hand.page.evaluate("() => shared")
    return given


# Text


def test_the_text_is_copied(hand: Hand, server: Server) -> None:
    hand.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    slug = take(hand, server)
    hand.tap(button(hand, "Copy"))
    expect(hand.page.locator("[data-of=summary] [role=status]")).to_have_text("Copied.")
    text = hand.page.evaluate("() => navigator.clipboard.readText()")
    assert text + "\n" == hand.page.request.get(f"/m/{slug}/summary.txt").text()
    hand.tap(button(hand, "Copy the address"))
    expect(hand.page.locator("[data-text] [role=status]")).to_have_text("Copied.")
    assert hand.page.evaluate("() => navigator.clipboard.readText()") == f"{server.url}/m/{slug}"


def test_the_text_is_copied_without_https_too(hand: Hand, server: Server) -> None:
    """Where there is no clipboard to write to; another page reads what is in it."""
    hand.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    take(hand, server)
    hand.tap(button(hand, "Copy"))
    expect(hand.page.locator("[data-of=summary] [role=status]")).to_have_text("Copied.")
    expect(hand.page.locator("textarea")).to_have_count(0)
    other = hand.page.context.new_page()
    other.goto("/healthz")
    other.bring_to_front()
    assert "1. Björn +203\n" in other.evaluate("() => navigator.clipboard.readText()")


# The picture


def test_the_picture_is_saved(hand: Hand, server: Server, tmp_path: Path) -> None:
    """Under our own policy, as a PNG with a name that says what it is."""
    take(hand, server)
    with hand.page.expect_download() as saving:
        hand.tap(button(hand, "Save the picture"))
    assert saving.value.suggested_filename == "barbu-2026-11-26-thursday-table.png"
    saving.value.save_as(tmp_path / "picture.png")
    data = (tmp_path / "picture.png").read_bytes()
    assert data[:8].decode("latin-1") == PNG
    width, height = struct.unpack(">II", data[16:24])
    assert width == 1080
    assert 1200 < height < 1500


@pytest.mark.parametrize("kind", NAMES)
def test_what_is_drawn_has_its_place(hand: Hand, server: Server, kind: str) -> None:
    """Names end before their totals, cut with an ellipsis where they are long; nothing leaves the picture."""
    hand.page.add_init_script(DRAWN)
    file = {**renamed(NAMES[kind], 28), "title": "T" * 200, "stake": {"per_point": "0.05", "currency": "EUR"}}
    take(hand, server, file)
    drawn = hand.page.evaluate("() => drawn")
    assert all(text["left"] >= 56 and text["right"] <= 1080 - 56 for text in drawn)
    names = [text for text in drawn if text["left"] == 252]
    for name, total in zip(names, ("+203", "−28", "−44", "−131"), strict=True):
        beside = min((t for t in drawn if t["text"] == total), key=lambda t: abs(t["y"] - name["y"]))
        assert name["right"] < beside["left"]
    by_rank = [NAMES[kind][seat] for seat in (3, 1, 0, 2)]
    for name, whole in zip(names, by_rank, strict=True):
        assert name["text"] == whole or (
            name["text"].endswith("…") and whole.startswith(name["text"][:-1].rstrip())
        )
        assert name["direction"] == ("rtl" if whole in NAMES["foreign"][:2] else "ltr")
    assert any(name["text"].endswith("…") for name in names) is (kind == "long")
    texts = [text["text"] for text in drawn]
    assert f"{by_rank[0]} won after 28 deals." in texts
    assert "+10.15\N{NO-BREAK SPACE}EUR" in texts
    assert next(text for text in texts if text.startswith("TTT")).endswith("…")


def test_without_scripts_there_is_no_picture_and_all_else(browser: Browser, server: Server) -> None:
    slug = start_match(server, FILE)["slug"]
    with hand_at(browser, server, java_script_enabled=False) as hand:
        hand.page.goto(f"/m/{slug}/take")
        expect(hand.page.locator("#as-picture")).to_be_hidden()
        expect(hand.page.locator("main button:visible")).to_have_count(0)
        expect(hand.page.locator("#summary")).to_contain_text("1. Björn +203")


# The share sheet


def test_nothing_is_shared_where_the_phone_cannot(hand: Hand, server: Server) -> None:
    hand.page.add_init_script("delete Navigator.prototype.share")
    take(hand, server)
    expect(hand.page.locator("[data-shares]:visible")).to_have_count(0)


def test_files_are_not_shared_where_only_texts_can_be(hand: Hand, server: Server) -> None:
    hand.page.add_init_script("navigator.share = async () => {}; navigator.canShare = () => false;")
    take(hand, server)
    expect(hand.page.locator("[data-shares]:visible")).to_have_text(["Share the text"])


def test_text_picture_and_pdf_are_shared(hand: Hand, server: Server) -> None:
    hand.page.add_init_script(SHARE_SHEET)
    slug = take(hand, server)
    for n, what in enumerate(("text", "picture", "PDF"), start=1):
        hand.tap(button(hand, f"Share the {what}"))
        given = shared(hand, n)
    text, picture, sheet = given
    assert text["text"] + "\n" == hand.page.request.get(f"/m/{slug}/summary.txt").text()
    for shown, kind, ending, head in (
        (picture, "image/png", "png", PNG),
        (sheet, "application/pdf", "pdf", PDF),
    ):
        (file,) = shown["files"]
        assert (file["type"], file["name"]) == (kind, f"barbu-2026-11-26-thursday-table.{ending}")
        assert file["head"].startswith(head)


def test_a_pdf_that_took_too_long_is_shared_by_a_second_tap(hand: Hand, server: Server) -> None:
    """A phone opens its share sheet only shortly after a tap; what was fetched is not fetched again."""
    hand.page.add_init_script(SHARE_SHEET)
    take(hand, server)
    asked: list[str] = []
    hand.page.on("request", lambda request: asked.append(request.url))
    hand.page.evaluate("() => refusals.push('NotAllowedError')")
    told = hand.page.locator(".way:has([data-file]) [data-again]")
    hand.tap(button(hand, "Share the PDF"))
    expect(told).to_have_text("Ready: tap once more to share it.", timeout=15_000)
    hand.tap(button(hand, "Share the PDF"))
    shared(hand)
    expect(told).to_have_text("")
    assert len([url for url in asked if url.endswith("sheet.pdf")]) == 1
    hand.tap(button(hand, "Share the PDF"))
    shared(hand, 2)
    assert len([url for url in asked if url.endswith("sheet.pdf")]) == 2, "a sheet of later is another"


def test_who_closes_the_share_sheet_is_told_nothing(hand: Hand, server: Server) -> None:
    hand.page.add_init_script(SHARE_SHEET)
    take(hand, server)
    hand.page.evaluate("() => refusals.push('AbortError', 'DataError')")
    told = hand.page.locator(".way:has(#summary) [data-again]")
    for said in "", "That did not work. Try once more.":
        hand.tap(button(hand, "Share the text"))
        expect(button(hand, "Share the text")).to_be_enabled()
        expect(told).to_have_text(said)


# In an app on the home screen


def test_in_an_app_a_file_is_shared_instead_of_opened(app_hand: Hand, server: Server) -> None:
    """On whatever page: the sheet from the bar of the table, the CSV file from the page of them all."""
    hand = app_hand
    started = start_match(server, FILE)
    join(hand, started["score_url"])
    hand.page.goto(f"/m/{started['slug']}")
    hand.page.wait_for_load_state("networkidle")
    hand.tap(hand.page.get_by_role("link", name="Print the sheet"))
    ((file,),) = (given["files"] for given in shared(hand))
    assert file["head"].startswith(PDF)
    assert hand.page.url == f"{server.url}/m/{started['slug']}"
    hand.page.goto(f"/m/{started['slug']}/take")
    hand.page.wait_for_load_state("networkidle")
    expect(button(hand, "Save the picture")).to_be_hidden()
    hand.tap(hand.page.get_by_role("link", name="CSV file"))
    ((file,),) = (given["files"] for given in shared(hand))
    assert (file["type"], file["name"]) == ("text/csv", "barbu-2026-11-26-thursday-table.csv")
    assert [page.url for page in hand.page.context.pages] == [f"{server.url}/m/{started['slug']}/take"]


def test_in_an_app_what_cannot_be_shared_opens_beside_it(app_hand: Hand, server: Server) -> None:
    """A match file where the share sheet takes none, and a text; the page of the app stays as it is."""
    hand = app_hand
    take(hand, server)
    hand.page.wait_for_load_state("networkidle")
    with hand.page.context.expect_page() as opened:
        hand.tap(hand.page.get_by_role("link", name="Text file"))
    assert opened.value.url.endswith("/summary.txt")
    with hand.page.expect_popup():
        hand.tap(hand.page.get_by_role("link", name="Match file"))
    assert hand.page.url.endswith("/take")
    assert hand.page.evaluate("() => shared") == []


def test_in_an_app_on_a_phone_without_a_share_sheet_the_sheet_opens_beside_it(
    app_hand: Hand, server: Server
) -> None:
    hand = app_hand
    hand.page.add_init_script("navigator.share = navigator.canShare = undefined")
    slug = start_match(server, FILE)["slug"]
    hand.page.goto(f"/m/{slug}")
    hand.page.wait_for_load_state("networkidle")
    with hand.page.context.expect_page():
        hand.tap(hand.page.get_by_role("link", name="Print the sheet"))
    assert hand.page.url.endswith(slug)
    hand.page.goto(f"/m/{slug}/take")
    expect(button(hand, "Save the picture")).to_be_visible()


def test_in_an_app_the_reason_why_there_is_no_file_leads_back(app_hand: Hand, server: Server) -> None:
    """A server without PDFs answers with a page; without a connection nothing is left, and it is said."""
    hand = app_hand
    slug = take(hand, server)
    hand.page.wait_for_load_state("networkidle")
    hand.is_cut = True
    hand.page.route("**/sheet.pdf", lambda route: route.abort())
    hand.tap(hand.page.get_by_role("link", name="PDF", exact=True))
    expect(hand.page.locator("#as-of")).to_have_text("The server cannot be reached.")
    assert hand.page.url.endswith("/take")
    hand.page.unroute("**/sheet.pdf")
    sheet = hand.page.request.get(f"/m/{slug}/sheet").text()
    hand.page.route(
        "**/sheet.pdf", lambda route: route.fulfill(status=503, body=sheet, content_type="text/html")
    )
    with hand.page.expect_navigation():
        hand.tap(hand.page.get_by_role("link", name="PDF", exact=True))
    expect(hand.page.get_by_role("link", name="To the table")).to_be_visible()


def test_in_a_browser_a_file_is_opened_as_ever(hand: Hand, server: Server) -> None:
    hand.page.add_init_script(SHARE_SHEET)
    take(hand, server)
    with hand.page.expect_download() as saving:
        hand.tap(hand.page.get_by_role("link", name="Match file"))
    assert saving.value.suggested_filename == "barbu-2026-11-26-thursday-table.json"
    assert hand.page.evaluate("() => shared") == []
    assert len(hand.page.context.pages) == 1
