"""The table of a match, why a deal scored as it did, what the table sets, and the match file."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import Blueprint, Response, json, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorepad import explain
from scorepad.carried import written
from scorepad.match import Deal, Match
from scorepad.messages import Words
from scorepad.standing import DealResult
from scorepad.table import PerSeat
from scorepad.views.calculator import address_of_deal
from scorepad.views.common import access, not_found, require_score, store, words
from scorepad.views.tablepage import LastSave, table_page

pages = Blueprint("table", __name__)


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
    say: Words
    before: PerSeat[int]
    may_score: bool
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
    """The last save of a match; its start is none that could be undone."""
    row = store().last_row(slug)
    if row["action"] == "start":
        return None
    return LastSave(row["action"], json.loads(row["answer"])["deal"], row["at"])


@pages.post("/m/<slug>/stakes")
def show_stakes(slug: str) -> ResponseReturnValue:
    """Show what is at stake in a hand, or not, on every phone that watches this match."""
    require_score(slug)
    store().show_stakes(slug, on=request.form.get("show") == "1")
    return redirect(url_for("table.table", slug=slug, _anchor="more"))


@pages.get("/m/<slug>/deals/<deal_id>/why")
def why(slug: str, deal_id: str) -> str:
    """Why a deal scored as it did, pair by pair."""
    kept, where = store().standing(slug)
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
        say=say,
        before=PerSeat.of(lambda s: result.totals[s] - (result.score or result.totals)[s]),
        may_score=access(slug).may_score,
        question=address_of_deal(result.deal, where.match.rules, say.names),
    )
    return render_template("why.html", page=page)


@pages.get("/m/<slug>/match.json")
def match_file(slug: str) -> Response:
    """The match file, to keep or to take to another scorepad."""
    kept, where, _ = store().standing_with_draft(slug)
    answer = Response(written(where.match, kept.revision), mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{file_name(where.match)}.json"'
    return answer


def file_name(match: Match) -> str:
    """A name for files of a match that every system can keep."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in match.title.lower())
    return "-".join(part for part in ("barbu", match.date, *plain.split("-")) if part)[:60]
