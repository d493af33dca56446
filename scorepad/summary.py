"""The result as plain text to paste into a chat: a line for each player, who pays whom, what is still owed.

Chats set text in proportional letters, so nothing stands in columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from scorepad.labels import isolated
from scorepad.match import BrokenDeal, Match
from scorepad.matchfile import fingerprint, short_hash
from scorepad.messages import N_, NN_, Words
from scorepad.paying import in_currency, payments
from scorepad.standing import Standing
from scorepad.store.record import without_open
from scorepad.table import SEATS, Seat

#: Signs that turn all text after them around; a chat has no box to keep them in.
TURNS_ROUND = re.compile("[\N{LEFT-TO-RIGHT EMBEDDING}-\N{RIGHT-TO-LEFT OVERRIDE}\u2066-\u2069]")

#: A rank that is shared begins with a sign, so that chats which number lists anew leave it as it is.
RANKED = N_("{rank}. {player} {total:+}")
RANKED_ALIKE = N_("={rank}. {player} {total:+}")

FINGERPRINT = N_("Fingerprint {digits}")

SHORT = NN_("{player} is {n} double short of {declarer}.", "{player} is {n} doubles short of {declarer}.")


def summary(where: Standing, say: Words, *, link: str = "") -> str:
    """The whole text, without a line break at its end."""
    say = replace(say, names=where.match.names.map(plain))
    paragraphs = (
        (*_head(where, say), how_far(where, say)),
        _ranks(where, say),
        _payments(where, say),
        _owed(where, say),
        (fingerprint_of(where.match, say), link),
    )
    texts = ("\n".join(filter(None, lines)) for lines in paragraphs)
    return "\n\n".join(filter(None, texts))


def plain(text: str) -> str:
    """What a person typed, so that it rearranges nothing that stands beside or after it."""
    return isolated(TURNS_ROUND.sub("", text))


def fingerprint_of(match: Match, say: Words) -> str:
    """The fingerprint as it is printed; a match of which a deal cannot be read has none."""
    if any(isinstance(deal, BrokenDeal) for deal in match.deals):
        return ""
    return say.fill(FINGERPRINT, {"digits": short_hash(fingerprint(without_open(match)[0]))})


def how_far(where: Standing, say: Words) -> str:
    """Who won; or after how many deals the match stands so, or was abandoned."""
    values = {"winners": where.winners, "n": where.deals_scored, "all": where.deals_in_all}
    if where.is_complete:
        return say.fill(N_("{winners} won after {n} deals."), values)
    if where.match.abandoned:
        return say.fill(N_("Abandoned after {n} of {all} deals."), values)
    return say.fill(N_("After {n} of {all} deals."), values)


def in_order(where: Standing) -> list[Seat]:
    """The players from the first rank on."""
    return sorted(SEATS, key=lambda s: (where.ranks[s], s))


def _head(where: Standing, say: Words) -> Iterator[str]:
    """What was played, when and where."""
    match = where.match
    title = plain(match.title)
    yield say.fill(N_("Barbu: {title}"), {"title": title}) if title else say.gettext(N_("Barbu"))
    yield ", ".join(part for part in (match.date, plain(match.place)) if part)


def _ranks(where: Standing, say: Words) -> tuple[str, ...]:
    """A line for each player: rank, name, total."""
    shared = {rank for rank in where.ranks if list(where.ranks).count(rank) > 1}
    return tuple(
        say.fill(
            RANKED_ALIKE if where.ranks[s] in shared else RANKED,
            {"rank": where.ranks[s], "player": s, "total": where.totals[s]},
        )
        for s in in_order(where)
    )


def _payments(where: Standing, say: Words) -> tuple[str, ...]:
    """Who pays whom, when no deal will change it any more and there is a stake."""
    stake = where.match.stake
    if stake is None or not where.is_over:
        return ()
    a_point = {"amount": in_currency(stake.per_point, stake)}
    return say.fill(N_("At {amount} a point:"), a_point), *payments(where, stake, say)


def _owed(where: Standing, say: Words) -> Iterator[str]:
    """Whom each player must still double while the match goes on, and what can no longer be made."""
    owing = [] if where.is_over else [_owing(where, say, s) for s in SEATS]
    if any(owing):
        yield say.gettext(N_("Doubles still owed:"))
        yield from filter(None, owing)
    for player in SEATS:
        for declarer in player.others:
            if n := where.shortfall(player, declarer):
                yield say.fill_counted(SHORT, {"player": player, "declarer": declarer, "n": n})


def _owing(where: Standing, say: Words, player: Seat) -> str:
    """Whom one player must still double and how often; nothing when that is nobody."""
    owed = [(say.write(d), where.owed(player, d)) for d in player.others if where.owed(player, d)]
    listed = ", ".join(f"{name}\N{NO-BREAK SPACE}{n}" for name, n in owed)
    return say.fill(N_("{player}: {list}"), {"player": player, "list": listed}) if owed else ""
