"""The form of a deal: with scripts it offers only what is allowed, without them it is one plain form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from builders import NAMES, deal_entry, match_file
from conftest import Server
from fingers import Hand, Json, hand_at, kept_deals, open_deal
from playwright.sync_api import Browser, Page, expect

from scorepad.matchfile import read_match
from scorepad.standing import Standing, standing
from scorepad.table import SEATS, Seat

pytestmark = pytest.mark.browser

PLAYERS = list(NAMES)
QUEENS = deal_entry("Anna NQ", doubles={"Ben": ["Anna"]}, result={"queens": {"Anna": 1, "Dan": 3}})


@pytest.fixture
def hand(phone: Page) -> Iterator[Hand]:
    """A phone in the hand; its console stays silent."""
    with Hand(phone) as held:
        yield held


@pytest.fixture
def plain(browser: Browser, server: Server) -> Iterator[Hand]:
    """A phone that runs no scripts."""
    with hand_at(browser, server, java_script_enabled=False) as held:
        yield held


def figures_of(file: Json) -> Standing:
    """What the core makes of a match file."""
    match, wrong = read_match(file)
    assert match is not None
    assert wrong == ()
    return standing(match)


# Without scripts

EIGHT_CONTRACTS: list[Json] = [
    deal_entry(
        "Anna NQ",
        doubles={"Ben": ["Anna", "Carla", "Dan"], "Carla": ["Anna"], "Anna": ["Carla"]},
        result={"queens": {"Anna": 1, "Carla": 1, "Dan": 2}},
    ),
    deal_entry("Ben M", passed_out=True),
    deal_entry(
        "Carla T", trump="S", note="a hand of ♠", result={"tricks": {"Anna": 4, "Ben": 1, "Carla": 8}}
    ),
    deal_entry("Dan B", doubles={"Anna": ["Ben", "Dan"], "Ben": ["Anna"]}, result={"king": "Ben"}),
    deal_entry(
        "Anna NH", doubles={"Dan": ["Anna"]}, result={"hearts": {"Anna": 3, "Ben": 2, "Dan": 8}, "ace": "Dan"}
    ),
    deal_entry("Ben NL2", doubles={"Carla": ["Ben", "Dan"]}, result={"last_two": ["Anna", "Carla"]}),
    deal_entry("Carla D", doubles={"Dan": ["Carla"]}, result={"order": ["Dan", "Anna", "Carla", "Ben"]}),
    deal_entry("Dan RC", doubles={"Carla": ["Dan"]}, result={"most": ["Ben", "Carla"]}),
    deal_entry("Anna M", doubles={"Ben": ["Anna"]}, result={"tricks": {"Ben": 5, "Carla": 8}}),
]


def fill_in_plainly(hand: Hand, deal: Json) -> None:
    """Fill in the form of a deal as it stands without scripts."""
    hand.declare(deal["contract"])
    for doubler, doubled in deal.get("doubles", {}).items():
        for name in doubled:
            hand.tap(hand.chip("doubles", f"{PLAYERS.index(doubler)}{PLAYERS.index(name)}"))
    if deal.get("passed_out"):
        hand.tap("input[name=passed_out]")
    if "note" in deal:
        hand.tap("details.more summary")
        hand.tap(hand.chip("trump", deal["trump"]))
        hand.page.fill("#note", deal["note"])
    tally_plainly(hand, deal.get("result", {}))


def tally_plainly(hand: Hand, result: Json) -> None:
    """Enter the tally: counts as digits, zeros too, and players by their chips."""
    for what in {"tricks", "queens", "hearts"} & result.keys():
        for place, name in enumerate(PLAYERS):
            hand.page.fill(f'input[name="{what}_{place}"]', str(result[what].get(name, 0)))
    if "order" in result:
        hand.pick("place_3", PLAYERS.index(result["order"][3]))
    hand.tally({what: v for what, v in result.items() if not isinstance(v, dict) and what != "ace"}, PLAYERS)
    if "ace" in result:
        hand.pick("ace", PLAYERS.index(result["ace"]))


def test_each_contract_and_a_pass_out_are_recorded_without_scripts(plain: Hand) -> None:
    plain.page.goto("/new")
    for place, name in enumerate(PLAYERS):
        plain.page.fill(f"#name_{place}", name)
    plain.tap(plain.chip("first", "0"))
    plain.tap(plain.chip("preset", "ravage-city"))
    plain.follow("button.save")
    table = plain.page.url
    plain.follow("a.save")
    for deal in EIGHT_CONTRACTS:
        fill_in_plainly(plain, deal)
        plain.save()
        expect(plain.page.locator("#read-back")).to_contain_text(f"{deal['declarer']} declared")
    where = figures_of(match_file(*EIGHT_CONTRACTS, first_declarer="Anna", rules="ravage-city"))
    plain.page.goto(table)
    assert plain.totals() == list(where.totals)
    assert [scores for _, scores in plain.deals()] == [list(d.score or ()) for d in where.deals]
    owed = [[str(where.owed(p, d)) if p is not d else "–" for d in SEATS] for p in SEATS]
    assert [row[1:] for row in plain.rows(".owed")[:4]] == owed
    plain.follow(plain.page.get_by_role("link", name="3 T Carla"))
    expect(plain.page.locator(".quote")).to_have_text("a hand of ♠")


def test_what_does_not_add_up_is_said_beside_the_field_and_kept(plain: Hand, server: Server) -> None:
    open_deal(plain, server, match_file())
    deal = deal_entry("Anna T", result={"tricks": {"Anna": 4, "Ben": 1, "Carla": 6, "Dan": 3}})
    fill_in_plainly(plain, deal)
    plain.save()
    expect(plain.page.get_by_role("alert")).to_have_text("The tricks must make 13; these make 14.")
    assert plain.counts("tricks") == ["4", "1", "6", "3"]
    assert plain.checked("contract") == {"T"}
    for wrong, said in (
        ("１３", "“１３” is not a whole number"),
        ("-1", "“-1” is not"),
        ("", "How many tricks"),
    ):
        plain.page.fill("input[name=tricks_3]", wrong)
        plain.save()
        expect(plain.page.get_by_role("alert")).to_contain_text(said)
        assert plain.counts("tricks") == ["4", "1", "6", wrong]
        assert plain.page.locator("input[name=tricks_3]").get_attribute("aria-invalid") == "true"
    plain.page.fill("input[name=tricks_3]", "2")
    plain.save()
    expect(plain.page.locator("#read-back")).to_contain_text("Anna declared Trumps;")


def test_a_forced_double_left_out_is_asked_about_without_scripts(plain: Hand, server: Server) -> None:
    slug = open_deal(plain, server, BEN_IS_FORCED)
    fill_in_plainly(plain, deal_entry("Anna NQ", doubles={"Dan": ["Anna"]}, result={"queens": {"Dan": 4}}))
    plain.save()
    expect(plain.page.get_by_role("alert")).to_contain_text("A forced double is missing.")
    plain.page.goto(f"/m/{slug}/deals/new")
    fill_in_plainly(plain, deal_entry("Anna NQ", doubles={"Dan": ["Anna"]}, result={"queens": {"Dan": 4}}))
    plain.save()
    plain.tap("input[name=without]")
    plain.save()
    plain.page.goto(f"/m/{slug}")
    expect(plain.page.locator("table.deals")).to_contain_text("Ben had to double Anna and did not.")


# What is offered


def test_nothing_is_asked_before_the_contract(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file(QUEENS))
    page = hand.page
    assert hand.offered("contract") == {"B", "M", "NQ", "NH", "NL2", "T", "D"}
    expect(page.locator("#save")).to_be_disabled()
    expect(page.locator("#why-not")).to_have_text("Choose the contract")
    for part in "#doubles", "#tally", "#play":
        expect(page.locator(part)).to_be_hidden()


def test_a_contract_that_was_declared_is_not_offered_again(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file(QUEENS, rules="seven-in-a-row"))
    assert hand.offered("contract") == {"B", "M", "NH", "NL2", "T", "D"}
    expect(hand.chip("contract", "NQ")).to_contain_text("deal 1")


@pytest.mark.parametrize("contract", ["T", "D"])
def test_flanks_cannot_be_doubled_in_a_positive_contract(hand: Hand, server: Server, contract: str) -> None:
    open_deal(hand, server, match_file())
    hand.declare(contract)
    assert hand.offered("doubles") == {"10", "20", "30"}
    hand.declare("NQ")
    assert hand.offered("doubles") == {"10", "12", "13", "20", "21", "23", "30", "31", "32"}


def test_where_a_table_allows_it_flanks_can_be_doubled_there_too(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file(rules={"flank_doubles_in_positives": True}))
    hand.declare("T")
    assert hand.offered("doubles") == {"10", "12", "13", "20", "21", "23", "30", "31", "32"}


def test_where_only_the_declarer_is_doubled_no_flank_is_offered(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file(rules={"doubling": "declarer-only"}))
    hand.declare("B")
    assert hand.offered("doubles") == {"10", "20", "30"}


def test_a_double_taken_off_the_page_by_another_contract_is_not_saved(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    hand.declare("NQ")
    hand.double({"Ben": ["Carla"], "Carla": ["Anna"]}, PLAYERS)
    hand.declare("T")
    assert hand.checked("doubles") == {"20"}
    hand.count("tricks", {"Anna": 13}, PLAYERS)
    hand.save()
    assert kept_deals(hand, slug)[0]["doubles"] == {"Carla": ["Anna"]}


def test_the_declarer_redoubles_only_who_doubled_him(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    hand.declare("NQ")
    own = hand.page.locator('.speak[data-doubler="0"]')
    expect(own).to_be_hidden()
    hand.tap(hand.chip("doubles", "10"))
    expect(own).to_be_visible()
    assert {pair for pair in hand.offered("doubles") if pair[0] == "0"} == {"01"}
    hand.tap(hand.chip("doubles", "30"))
    assert {pair for pair in hand.offered("doubles") if pair[0] == "0"} == {"01", "03"}


def test_a_redouble_falls_with_the_double_it_answers(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file())
    hand.declare("B")
    for pair in "10", "30", "01", "03", "10":
        hand.tap(hand.chip("doubles", pair))
    assert hand.checked("doubles") == {"30", "03"}
    hand.pick("king", Seat.NORTH)
    hand.save()
    assert kept_deals(hand, slug)[0]["doubles"] == {"Anna": ["Dan"], "Dan": ["Anna"]}


def test_a_declarer_who_may_open_doubles_unasked(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file(rules={"declarer_may_open": True}))
    hand.declare("NQ")
    assert {"01", "02", "03"} <= hand.offered("doubles")


def test_one_tap_doubles_everybody_or_both_flanks_and_takes_it_back(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    hand.declare("NQ")
    ben = hand.page.locator('.speak[data-doubler="1"]')
    hand.tap(ben.locator(".max"))
    assert hand.checked("doubles") == {"10", "12", "13"}
    hand.tap(ben.locator(".flanks"))
    assert hand.checked("doubles") == {"12", "13"}
    hand.tap(ben.locator(".flanks"))
    assert hand.checked("doubles") == set()
    hand.tap(ben.locator(".max"))
    hand.tap(ben.locator(".max"))
    assert hand.checked("doubles") == set()


# Forced doubles

#: Anna has declared three of five negatives and Ben has doubled none: he must double in the two left.
BEN_IS_FORCED = match_file(
    *(
        deal_entry(f"Anna {contract}", doubles={"Carla": ["Anna"], "Dan": ["Anna"]}, result=result)
        for contract, result in {
            "M": {"tricks": {"Ben": 13}},
            "NH": {"hearts": {"Ben": 13}, "ace": "Ben"},
            "NL2": {"last_two": ["Ben", "Ben"]},
        }.items()
    ),
    rules={"preset": "seven-in-a-row", "positives_count": "none"},
)


def test_a_forced_double_is_set_and_says_why(hand: Hand, server: Server) -> None:
    open_deal(hand, server, BEN_IS_FORCED)
    for contract, must in (("NQ", True), ("T", False), ("B", True), ("D", False)):
        expect(hand.chip("contract", contract).locator(".must")).to_have_count(int(must))
        hand.declare(contract)
        assert hand.checked("doubles") == ({"10"} if must else set())
        expect(hand.page.locator("#doubles .must")).to_have_count(int(must))
    hand.declare("NQ")
    expect(hand.page.locator('.speak[data-doubler="1"] .must')).to_contain_text("must double: owes 2,")


def test_a_forced_double_stays_when_the_flanks_are_doubled(hand: Hand, server: Server) -> None:
    open_deal(hand, server, BEN_IS_FORCED)
    hand.declare("NQ")
    hand.tap('.speak[data-doubler="1"] .flanks')
    assert hand.checked("doubles") == {"10", "12", "13"}


def test_a_forced_double_tapped_away_is_recorded_as_played_without(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, BEN_IS_FORCED)
    hand.declare("NQ")
    hand.tap(hand.chip("doubles", "10"))
    hand.double({"Dan": ["Anna"]}, PLAYERS)
    hand.count("queens", {"Dan": 4}, PLAYERS)
    hand.save()
    hand.page.goto(f"/m/{slug}")
    row = hand.page.locator("table.deals tbody tr").first
    expect(row.locator(".short")).to_have_text("Ben had to double Anna and did not.")
    assert kept_deals(hand, slug)[-1]["doubles"] == {"Dan": ["Anna"]}


def test_a_forced_double_set_for_one_contract_goes_with_it_but_one_that_was_tapped_stays(
    hand: Hand, server: Server
) -> None:
    open_deal(hand, server, BEN_IS_FORCED)
    hand.declare("T")
    hand.tap(hand.chip("doubles", "10"))
    hand.declare("NQ")
    hand.declare("T")
    assert hand.checked("doubles") == {"10"}


# The tally


def test_save_says_what_is_missing_until_the_facts_add_up(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    page = hand.page
    hand.declare("NH")
    expect(page.locator("#save")).to_have_text("Nobody doubled: save")
    hand.tap(hand.chip("doubles", "10"))
    expect(page.locator("#why-not")).to_have_text("13 hearts still to count")
    pad = page.locator('.counts[data-what="hearts"]')
    for n, missing in (
        ("3", "10 hearts still to count"),
        ("0", "10 hearts still to count"),
        ("4", "Who took the ace of hearts?"),
    ):
        expect(page.locator("#save")).to_be_disabled()
        hand.tap(pad.get_by_role("button", name=n, exact=True))
        expect(page.locator("#why-not")).to_have_text(missing)
    assert hand.counts("hearts") == ["3", "0", "4", "6"]
    assert hand.offered("ace") == {"0", "2", "3"}, "nobody without a heart has taken the ace"
    hand.pick("ace", 3)
    expect(page.locator("#save")).to_be_enabled()
    expect(page.locator("#why-not")).to_have_text("")


def test_the_pad_offers_no_more_than_is_left(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    hand.declare("T")
    pad = hand.page.locator('.counts[data-what="tricks"]')
    hand.tap(pad.get_by_role("button", name="9", exact=True))
    expect(pad.get_by_role("button", name="4", exact=True)).to_be_enabled()
    expect(pad.get_by_role("button", name="5", exact=True)).to_be_disabled()
    hand.tap(pad.get_by_role("button", name="4", exact=True))
    assert hand.counts("tricks") == ["9", "4", "0", "0"]
    hand.tap(pad.locator(".tile").nth(1))
    hand.tap(pad.get_by_role("button", name="1", exact=True))
    assert pad.locator(".running").inner_text() == "10 of 13 tricks"


def test_nobody_finishes_dominoes_twice(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    hand.declare("D")
    hand.pick("place_0", 2)
    assert hand.offered("place_1") == {"0", "1", "3"}
    hand.pick("place_1", 0)
    hand.pick("place_2", 3)
    assert hand.checked("place_3") == {"1"}
    expect(hand.page.locator("#save")).to_be_enabled()


# The evening at the table


def now_speaks(hand: Hand) -> str:
    """Whose turn it is to speak."""
    marked = hand.page.locator(".speak.now")
    if not marked.count():
        return ""
    expect(marked.locator(".reason")).to_contain_text("to speak")
    return marked.locator(".who bdi").inner_text()


def test_whose_turn_it_is_to_speak_is_marked(hand: Hand, server: Server) -> None:
    """From the declarer's left; whoever doubles has spoken, and so have those before him; or he passes."""
    slug = open_deal(hand, server, match_file())
    hand.declare("NQ")
    assert now_speaks(hand) == "Ben"
    hand.tap(".speak.now .pass")
    assert now_speaks(hand) == "Carla"
    hand.tap('.speak[data-doubler="2"] .flanks')
    assert now_speaks(hand) == "Dan"
    hand.tap(hand.chip("doubles", "30"))
    assert now_speaks(hand) == "Anna", "the declarer may redouble"
    hand.tap(".speak.now .pass")
    assert now_speaks(hand) == ""
    expect(hand.page.locator("#spoken")).to_have_text("all have spoken")
    hand.page.goto(f"/m/{slug}")
    expect(hand.page.locator(".now h2")).to_have_text("Being played")


def test_the_table_is_told_who_deals_cuts_and_leads(hand: Hand, server: Server) -> None:
    rules = {"preset": "standard", "play": {"cutter": "opposite-declarer"}}
    open_deal(hand, server, match_file(QUEENS, rules=rules))
    hand.declare("NQ")
    expect(hand.page.locator("#roles")).to_have_text("Ben deals, Dan cuts, Ben leads.")


def test_the_doubles_are_read_back_in_one_sentence_before_the_lead(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    hand.declare("NQ")
    said = hand.page.locator("#said")
    expect(said).to_be_hidden()
    hand.double({"Ben": ["Anna", "Carla", "Dan"], "Dan": ["Anna"], "Anna": ["Ben"]}, PLAYERS)
    expect(said).to_have_text("Ben doubled everybody; Dan doubled Anna; Anna redoubled Ben.")
    hand.tap(hand.chip("doubles", "30"))
    expect(said).to_have_text("Ben doubled everybody; Anna redoubled Ben.")


def test_a_count_that_adds_up_can_be_mended(hand: Hand, server: Server) -> None:
    """The figure stays until another is tapped; who must follow is asked, or named by one more tap."""
    open_deal(hand, server, match_file())
    hand.declare("T")
    hand.count("tricks", {"Anna": 4, "Ben": 6, "Carla": 1, "Dan": 2}, PLAYERS)
    pad = hand.page.locator('.counts[data-what="tricks"]')
    expect(pad.locator(".keys")).to_be_hidden()
    hand.tap(pad.locator('.tile:has(input[name="tricks_3"])'))
    assert hand.counts("tricks") == ["4", "6", "1", "2"]
    hand.tap(pad.get_by_role("button", name="3", exact=True))
    expect(hand.page.locator("#why-not")).to_have_text("1 too many")
    hand.tap(pad.locator('.tile:has(input[name="tricks_1"])'))
    hand.tap(pad.get_by_role("button", name="The rest to Ben: 5"))
    assert hand.counts("tricks") == ["4", "5", "1", "3"]
    expect(hand.page.locator("#save")).to_be_enabled()
    expect(pad.locator(".keys")).to_be_hidden()


def test_a_claim_gives_one_player_the_rest(hand: Hand, server: Server) -> None:
    open_deal(hand, server, match_file())
    hand.declare("T")
    pad = hand.page.locator('.counts[data-what="tricks"]')
    hand.tap(pad.get_by_role("button", name="4", exact=True))
    expect(pad.locator(".claim")).to_have_text("The rest to Ben: 9")
    hand.tap(pad.locator('.tile:has(input[name="tricks_2"])'))
    hand.tap(pad.get_by_role("button", name="The rest to Carla: 9"))
    assert hand.counts("tricks") == ["4", "0", "9", "0"]
    expect(hand.page.locator("#save")).to_be_enabled()


def test_who_declares_can_be_another_player(hand: Hand, server: Server) -> None:
    """The form is laid out for him where it stands; what was tapped stays as far as it may."""
    slug = open_deal(hand, server, match_file())
    hand.tap("text=Somebody else declared?")
    hand.tap(hand.page.locator("#others").get_by_role("button", name="Carla"))
    expect(hand.page.locator("h1")).to_have_text("Carla declares")
    hand.record({**QUEENS, "declarer": "Carla", "doubles": {"Dan": ["Carla"]}}, PLAYERS)
    assert kept_deals(hand, slug)[0]["declarer"] == "Carla"
    expect(hand.page.locator("h1")).to_have_text("Anna declares")


def test_the_declarer_of_a_past_deal_is_corrected(hand: Hand, server: Server) -> None:
    slug = open_deal(hand, server, match_file({**QUEENS, "doubles": {"Dan": ["Anna", "Ben"]}}))
    hand.page.goto(f"/m/{slug}/deals/file-deal-01")
    hand.tap("text=Somebody else declared?")
    hand.tap(hand.page.locator("#others").get_by_role("button", name="Ben"))
    hand.save()
    kept = kept_deals(hand, slug)[0]
    assert (kept["declarer"], kept["result"]) == (
        "Ben",
        {"queens": {"Anna": 1, "Ben": 0, "Carla": 0, "Dan": 3}},
    )


def test_a_double_tap_does_not_enlarge_the_page(hand: Hand, server: Server) -> None:
    """Taps follow each other fast on the pad."""
    open_deal(hand, server, match_file())
    hand.declare("T")
    loose = hand.page.locator("button:visible:not(.hidden), .chip:visible, .tile:visible").evaluate_all(
        "all => all.filter((one) => getComputedStyle(one).touchAction !== 'manipulation')"
        ".map((one) => one.outerHTML)"
    )
    assert loose == []
