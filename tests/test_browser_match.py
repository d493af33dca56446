"""A whole match by touch: every figure on the pages, on the sheet, and how many taps each deal takes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pypdf
import pytest
from conftest import Server, case
from fingers import Hand, Json, hand_at, number, tidy
from playwright.sync_api import Browser

from scorepad import explain
from scorepad.matchfile import read_match
from scorepad.messages import Words, signed
from scorepad.standing import standing

pytestmark = pytest.mark.browser

FILE = case("matches/full-match")
EXPECTED = case("matches/full-match.expected")
NAMES: list[str] = FILE["players"]
CONTRACTS = ["B", "M", "NQ", "NH", "NL2", "T", "D"]

#: Taps for the tally of each contract; the last player fills in by himself.
TALLY_TAPS = {"B": 1, "M": 3, "NQ": 3, "NH": 4, "NL2": 2, "T": 3, "D": 3}


@dataclass
class Recorded:
    """The match as it was recorded: its table, taps, who had to double, what was foreseen and read back."""

    hand: Hand
    url: str = ""
    taps: list[int] = field(default_factory=list)
    forced: list[list[str]] = field(default_factory=list)
    foreseen: list[dict[str, dict[str, int]]] = field(default_factory=list)
    read_back: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def recorded(browser: Browser, server: Server) -> Iterator[Recorded]:
    """The whole match, from four names to the last save."""
    with hand_at(browser, server) as hand:
        done = Recorded(hand)
        start(hand)
        done.url = hand.page.url
        hand.follow("a.save")
        for deal in FILE["deals"]:
            record(done, deal)
        assert hand.page.url.split("?")[0] == done.url, "the last save leads to the table"
        yield done


def start(hand: Hand) -> None:
    """Start the match through the pages, the first declarer chosen by a tap."""
    hand.page.goto("/")
    hand.follow("a.save")
    for place, name in enumerate(NAMES):
        hand.page.fill(f"#name_{place}", name)
    hand.page.fill("#title", FILE["title"])
    hand.tap(hand.chip("first", str(NAMES.index(FILE["first_declarer"]))))
    hand.follow("button.save")


def record(done: Recorded, deal: Json) -> None:
    """One deal, from the page where the last save led."""
    hand, before = done.hand, done.hand.taps
    hand.declare(deal["contract"])
    done.forced.append([tidy(n) for n in hand.page.locator(".who:has(.reason.must) > bdi").all_inner_texts()])
    hand.double(deal.get("doubles", {}), NAMES)
    hand.tally(deal.get("result", {}), NAMES)
    done.foreseen.append(preview(hand, deal["declarer"]))
    hand.save()
    done.taps.append(hand.taps - before)
    said = hand.page.locator("#read-back summary, #read-back .aloud").all_inner_texts()
    done.read_back.append(tidy(" ".join(said)))


def preview(hand: Hand, declarer: str) -> dict[str, dict[str, int]]:
    """What the page says the deal will bring: its rows by their heads, figures by name."""
    first = NAMES.index(declarer)
    columns = NAMES[first:] + NAMES[:first]
    rows = hand.rows("#preview table")
    return {head: dict(zip(columns, map(number, cells), strict=True)) for head, *cells in rows}


def in_order(figures: dict[str, int]) -> list[int]:
    """Figures by name, in the order of the seats."""
    return [figures[name] for name in NAMES]


def test_the_totals_on_the_table_are_those_expected(recorded: Recorded) -> None:
    recorded.hand.page.goto(recorded.url)
    assert recorded.hand.totals() == in_order(EXPECTED["totals"])
    assert "Björn won." in recorded.hand.page.inner_text(".won")


def test_every_deal_has_its_row(recorded: Recorded) -> None:
    recorded.hand.page.goto(recorded.url)
    shown = recorded.hand.deals()
    assert [scores for _, scores in shown] == [in_order(d["score"]) for d in EXPECTED["deals"]]
    for place, (deal, (head, _)) in enumerate(zip(FILE["deals"], shown, strict=True), start=1):
        passed_out = " passed out" if deal.get("passed_out") else ""
        assert head == f"{place} {deal['contract']} {deal['declarer']}{passed_out}"


def test_nobody_owes_a_double(recorded: Recorded) -> None:
    recorded.hand.page.goto(recorded.url)
    shown = recorded.hand.rows(".owed")
    for place, name in enumerate(NAMES):
        owed = {**EXPECTED["owed"][name], name: "–"}
        assert shown[place] == [name, *(str(owed[declarer]) for declarer in NAMES)]
    assert shown[4] == ["Declarations left", "0", "0", "0", "0"]


def test_the_grid_names_the_deal_of_each_declaration(recorded: Recorded) -> None:
    recorded.hand.page.goto(recorded.url)
    shown = recorded.hand.rows(".grid:not(.owed)")
    declared = {(d["declarer"], d["contract"]): n for n, d in enumerate(FILE["deals"], start=1)}
    assert [[cell.split(" ")[0] for cell in row] for row in shown] == [
        [name, *(str(declared[name, contract]) for contract in CONTRACTS)] for name in NAMES
    ]


def test_why_shows_the_figures_of_every_deal(recorded: Recorded) -> None:
    """Basic, by doubling, score and running total of each deal, from the row that is tapped."""
    page = recorded.hand.page
    page.goto(recorded.url)
    links = page.locator("table.deals th a").evaluate_all("links => links.map((link) => link.href)")
    for link, expected in zip(reversed(links), EXPECTED["deals"], strict=True):
        page.goto(link)
        shown = {head: [number(cell) for cell in cells] for head, *cells in recorded.hand.rows("table.sums")}
        assert shown["Basic"] == in_order(expected["basic"])
        assert shown["Doubles"] == in_order(expected["adjustment"])
        assert shown["Score"] == in_order(expected["score"])
        assert shown["Total"] == in_order(expected["totals"])


def test_the_page_foresaw_what_the_server_made_of_each_deal(recorded: Recorded) -> None:
    heads = {"Basic": "basic", "Doubles": "adjustment", "Score": "score", "Total": "totals"}
    assert recorded.foreseen == [
        {head: expected[key] for head, key in heads.items()} for expected in EXPECTED["deals"]
    ]


def test_forced_doubles_are_those_expected(recorded: Recorded) -> None:
    assert [sorted(names) for names in recorded.forced] == [sorted(d["forced"]) for d in EXPECTED["deals"]]


def test_each_deal_was_read_back(recorded: Recorded) -> None:
    """The phone says, in one sentence, what Python says of the same deal."""
    match = read_match(FILE).match
    assert match
    say, results = Words(match.players), standing(match).deals
    for place, (result, said) in enumerate(zip(results[:-1], recorded.read_back[:-1], strict=True), 1):
        assert said == f"Deal {place} is saved. Say it aloud {say.one(explain.read_back(result))}"


def test_the_match_file_is_the_one_that_was_played(recorded: Recorded) -> None:
    page = recorded.hand.page
    page.goto(f"{recorded.url}/take")
    link = page.get_by_role("link", name="Match file", exact=True).get_attribute("href")
    kept = page.request.get(link or "").json()
    assert kept["players"] == NAMES
    assert kept["first_declarer"] == FILE["first_declarer"]
    assert [plain(deal) for deal in kept["deals"]] == [plain(deal) for deal in FILE["deals"]]


def plain(deal: Json) -> Json:
    """A deal without what was left out: zeros, empty lists, the order in which doubles were written."""
    doubles = {who: sorted(whom) for who, whom in deal.get("doubles", {}).items() if whom}
    result = {
        what: {who: n for who, n in taken.items() if n} if isinstance(taken, dict) else taken
        for what, taken in deal.get("result", {}).items()
    }
    stated = deal["declarer"], deal["contract"], deal.get("passed_out", False)
    return *stated, doubles, result


def test_the_sheet_carries_the_same_totals(recorded: Recorded) -> None:
    """The text of the PDF that is taken along: names with totals, and each deal's running totals."""
    page = recorded.hand.page
    page.goto(f"{recorded.url}/take")
    link = page.get_by_role("link", name="PDF", exact=True).get_attribute("href")
    answer = page.request.get(link or "")
    assert answer.headers["content-type"] == "application/pdf"
    text = "\n".join(p.extract_text() for p in pypdf.PdfReader(io.BytesIO(answer.body())).pages)
    words = text.split()
    for name, total in EXPECTED["totals"].items():
        assert (name, signed(total)) in pairwise(words), name
    rows = [line.split() for line in text.splitlines()]
    for place, (deal, expected) in enumerate(zip(FILE["deals"], EXPECTED["deals"], strict=True), start=1):
        opening = [str(place), deal["declarer"][0], deal["contract"]]
        (row,) = [row for row in rows if row[:3] == opening]
        assert stand_in_order([signed(n) for n in in_order(expected["totals"])], row), row


def stand_in_order(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether some words stand among others, one after the other."""
    rest = iter(words)
    return all(word in rest for word in wanted)


def taps_allowed(deal: Json, forced: Sequence[str]) -> int:
    """The most taps of design.md: contract, doubles spoken, tally, save; a forced double is set already."""
    if deal.get("passed_out"):
        return 2
    spoken = sum(
        doubles_taps(who, whom, deal["declarer"], is_forced=who in forced)
        for who, whom in deal.get("doubles", {}).items()
    )
    return 1 + spoken + TALLY_TAPS[deal["contract"]] + 1


def doubles_taps(who: str, whom: Sequence[str], declarer: str, *, is_forced: bool) -> int:
    """One for the maximum, one for the flanks, else one for each double."""
    spoken = [name for name in whom if not (is_forced and name == declarer)]
    is_flanks = len(spoken) == 2 and declarer not in (who, *spoken)
    return 1 if len(whom) == 3 or is_flanks else len(spoken)


def test_no_deal_takes_more_taps_than_it_may(recorded: Recorded) -> None:
    allowed = [taps_allowed(d, e["forced"]) for d, e in zip(FILE["deals"], EXPECTED["deals"], strict=True)]
    too_many = [
        f"deal {place}, {deal['contract']}: {taken} taps, {most} allowed"
        for place, (deal, taken, most) in enumerate(
            zip(FILE["deals"], recorded.taps, allowed, strict=True), start=1
        )
        if taken > most
    ]
    assert not too_many
