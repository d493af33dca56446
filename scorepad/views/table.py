"""The table of a match, why a deal scored as it did, what the table sets, and the match as a file."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorepad import debts, explain
from scorepad.carried import written
from scorepad.csvfile import csv_text
from scorepad.exporting import file_name
from scorepad.match import Deal
from scorepad.messages import Words
from scorepad.standing import DealResult
from scorepad.store.record import ABOUT_SIGNING
from scorepad.table import PerSeat
from scorepad.views.calculator import address_of_deal
from scorepad.views.common import access, not_found, require_score, store, words
from scorepad.views.dealform import whole
from scorepad.views.tablepage import LastSave, table_page

pages = Blueprint("table", __name__)

#: What is shorter is the number of a deal.
SHORTEST_ID = 8


@dataclass(frozen=True)
class WhyPage:
    """Why one deal scored as it did."""

    slug: str
    title: str
    names: PerSeat[str]
    result: DealResult
    deal_id: str
    contract: str
    why: explain.Why
    duties: tuple[debts.Duty, ...]
    say: Words
    before: PerSeat[int]
    may_score: bool
    closed: bool
    question: str


@pages.get("/m/<slug>")
def table(slug: str) -> str:
    """The table of a match."""
    kept, where, draft = store().standing_with_draft(slug)
    page = table_page(kept, where, draft, store().beside(slug), asked := access(slug))
    if asked.may_score:
        page = replace(page, last_save=_last_save(slug))
    return render_template("table.html", page=page)


def _last_save(slug: str) -> LastSave | None:
    """The last save of a match; its start, closing and signatures are none that could be undone."""
    row = store().last_row(slug)
    if row["action"] in ("start", *ABOUT_SIGNING):
        return None
    return LastSave(row["action"], json.loads(row["answer"])["deal"], row["at"])


@pages.post("/m/<slug>/stakes")
def show_stakes(slug: str) -> ResponseReturnValue:
    """Show what is at stake in a hand, or not, on every phone that watches this match."""
    require_score(slug)
    store().show_stakes(slug, on=request.form.get("show") == "1")
    return redirect(url_for("table.table", slug=slug, _anchor="more"))


@pages.get("/m/<slug>/deals/<deal_id>/why")
def why(slug: str, deal_id: str) -> ResponseReturnValue:
    """Why a deal scored as it did, pair by pair; its number leads to where it is."""
    kept, where = store().standing(slug)
    if (number := whole(deal_id)) and len(deal_id) < SHORTEST_ID:
        if number > len(kept.deals):
            not_found()
        return redirect(url_for("table.why", slug=slug, deal_id=kept.deals[number - 1].deal_id))
    result = where.deals[kept.number_of(deal_id) - 1]
    explained = explain.why(result, where.match.rules)
    if explained is None or result.score is None or not isinstance(result.deal, Deal):
        not_found()
    say = words(where.match.names_at(result.number))
    page = WhyPage(
        slug=slug,
        title=where.match.title,
        names=say.names,
        result=result,
        deal_id=deal_id,
        contract=say.write(result.deal.contract),
        why=explained,
        duties=tuple(debts.duties(where, result)),
        say=say,
        before=PerSeat.of(lambda s: result.totals[s] - (result.score or result.totals)[s]),
        may_score=access(slug).may_score,
        closed=kept.closed,
        question=address_of_deal(result.deal, where.match.rules, say.names),
    )
    return render_template("why.html", page=page)


@pages.get("/m/<slug>/match.json")
def match_file(slug: str) -> Response:
    """The match file, to keep or to take to another scorepad."""
    kept, where, _ = store().standing_with_draft(slug)
    return _file(written(where.match, kept.revision), "application/json", f"{file_name(where.match)}.json")


@pages.get("/m/<slug>/deals.csv")
def deals_file(slug: str) -> Response:
    """The deals for a spreadsheet; `bom=0` leaves out the mark that spreadsheets need for accents."""
    _, where, _ = store().standing_with_draft(slug)
    text = csv_text(where, mark=request.args.get("bom") != "0")
    return _file(text, "text/csv", f"{file_name(where.match)}.csv")


def _file(text: str, kind: str, name: str) -> Response:
    """A file to keep, asked for anew each time."""
    answer = Response(text, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["Cache-Control"] = "no-cache, private"
    return answer
