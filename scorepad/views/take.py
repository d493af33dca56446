"""Taking a match along: every way out of it on one page, and the result as text for a chat."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from flask import Blueprint, Response, render_template, url_for
from flask_babel import gettext

from scorepad.chart import DASHES, chart
from scorepad.exporting import file_name
from scorepad.labels import labels
from scorepad.messages import Words, signed
from scorepad.paying import in_currency, money
from scorepad.settling import settling
from scorepad.standing import Standing
from scorepad.summary import fingerprint_of, how_far, in_order, summary
from scorepad.views.common import plain_words, store

pages = Blueprint("take", __name__)


@dataclass(frozen=True)
class TakePage:
    """Every way out of a match; `picture` is what `static/js/picture.js` draws."""

    slug: str
    title: str
    file_name: str
    url: str
    text: str
    picture: dict[str, Any]


@pages.get("/m/<slug>/take")
def take(slug: str) -> str:
    """Every way out of a match."""
    _, where = store().standing(slug)
    page = TakePage(
        slug=slug,
        title=where.match.title,
        file_name=file_name(where.match),
        url=_link(slug),
        text=_text(slug, where),
        picture=_picture(where, plain_words(where.match.names)),
    )
    return render_template("take.html", page=page)


@pages.get("/m/<slug>/summary.txt")
def summary_file(slug: str) -> Response:
    """The result as plain text."""
    _, where = store().standing(slug)
    answer = Response(f"{_text(slug, where)}\n", mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'inline; filename="{file_name(where.match)}.txt"'
    answer.headers["Cache-Control"] = "no-cache, private"
    return answer


def _link(slug: str) -> str:
    """The link to watch."""
    return url_for("table.table", slug=slug, _external=True)


def _text(slug: str, where: Standing) -> str:
    """The result for a chat, with the link to watch at its end."""
    return summary(where, plain_words(where.match.names), link=_link(slug))


def _picture(where: Standing, say: Words) -> dict[str, Any]:
    """What the picture shows, the players from the first rank on."""
    match = where.match
    drawn = chart(where, labels(match.names))
    settled = settling(where.totals, match.stake) if match.stake and where.is_over else None
    amounts = settled.amounts.map(lambda a: money(a, settled, plus="+")) if settled else None
    return {
        "title": match.title or gettext("Barbu"),
        "when": " · ".join(part for part in (match.date, match.place) if part),
        "texts": {
            "told": how_far(where, say),
            "foot": fingerprint_of(where.match, say),
        },
        "lines": [
            {
                "seat": s,
                "rank": where.ranks[s],
                "won": where.is_complete and where.ranks[s] == 1,
                "name": match.names[s],
                "total": signed(where.totals[s]),
                "amount": in_currency(amounts[s], match.stake) if amounts and match.stake else "",
                "dash": DASHES[s],
            }
            for s in in_order(where)
        ],
        "chart": asdict(drawn) if drawn else None,
    }
