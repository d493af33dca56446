"""What the phone's own modules know: the match as it stands, and the words to speak of it."""

from __future__ import annotations

from typing import Any

from flask import request, url_for
from flask_babel import get_locale, gettext, ngettext

from scorepad.contracts import contracts_of
from scorepad.doubles import may_double_flanks
from scorepad.labels import isolated
from scorepad.match import passes_out
from scorepad.matchfile import write_match
from scorepad.messages import AND, CONTRACT_NAMES, NN_, SENTENCES, THEN
from scorepad.rules import Rules
from scorepad.standing import Standing
from scorepad.store import Access, Draft, KeptMatch

#: The sentences that the phone says by itself, by their keys.
SPOKEN = (
    "doubled", "doubled_everybody", "redoubled", "doubled_and_redoubled", "no_doubles",
    "took_king", "took_tricks", "took_queens", "took_hearts", "took_hearts_and_ace",
    "took_last_two", "took_second_last", "took_last", "finished", "held_most", "was_passed_out", "is_open",
    "read_back", "moved", "moved_twice", "moved_nothing", "who_deals",
)  # fmt: skip

#: Enough numbers to meet every plural form of a language.
NUMBERS = range(200)


def match_now(kept: KeptMatch, where: Standing, draft: Draft, asked: Access) -> dict[str, Any]:
    """The match file, each deal's id and the open deal; `where` is the standing without the open deal."""
    return {
        "slug": kept.slug,
        "revision": kept.revision,
        "closed": kept.closed,
        "file": write_match(where.match),
        "deal_ids": [d.deal_id for d in kept.deals],
        "draft": {
            "version": draft.version,
            "spoken": draft.spoken,
            "deal": draft.deal,
            "mine": draft.deal is not None and draft.holder == asked.by,
        },
        "may_score": asked.may_score,
        "totals": dict(zip(where.match.players, where.totals, strict=True)),
    }


def contract_facts(rules: Rules) -> dict[str, Any]:
    """What the form has to know about each contract of the game."""
    return {
        c.value: {
            "name": gettext(CONTRACT_NAMES[c]),
            "flanks": may_double_flanks(c, rules),
            "passesOut": passes_out(c, rules),
        }
        for c in contracts_of(rules)
    }


def sentences() -> dict[str, Any]:
    """Every sentence that the phone says by itself, in the reader's language, and how to join them."""
    said = {key: _in_all_forms(SENTENCES[key]) for key in SPOKEN}
    return {"and": gettext(AND), "then": gettext(THEN), "said": said}


def _in_all_forms(text: str | tuple[str, str]) -> str | dict[str, str]:
    """A text, or its form for each plural category of the language (one, few, many, other, …)."""
    return gettext(text) if isinstance(text, str) else plural(*text)


def plural(one: str, many: str) -> dict[str, str]:
    """A text with a number `n` in it, by the plural category of the number."""
    category = get_locale().plural_form
    samples = {category(n): n for n in reversed(NUMBERS)}
    return {name: ngettext(one, many, n) for name, n in samples.items()}


def shown_names(file: dict[str, Any]) -> dict[str, str]:
    """Every name of a match file as a page shows it inside a sentence."""
    names = [*file["players"], *(r["name"] for r in file["replaced"])]
    return {name: isolated(name) for name in names}


def waiting_texts() -> dict[str, Any]:
    """What every page has to know to say which deals are kept on the phone: of one match, or of all."""
    return {
        "slug": (request.view_args or {}).get("slug"),
        "root": url_for("home.home"),
        "contracts": {c.value: gettext(name) for c, name in CONTRACT_NAMES.items()},
        "texts": {
            "kept": plural(
                *NN_(
                    "{n} deal kept on this phone, not sent yet", "{n} deals kept on this phone, not sent yet"
                )
            ),
            "line": gettext("{time}: deal {n}, {name} declared {contract}."),
            "look": gettext("Look at it"),
            "goesOut": gettext("They go out by themselves, in order, as soon as the server can be reached."),
            "refused": gettext(
                "Deal {n} was refused; what stands behind it waits until it is mended or dropped."
            ),
            "unsafe": gettext(
                "This browser forgets them when the page is closed: leave it open, or save a file."
            ),
        },
    }
