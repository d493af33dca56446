"""Check a match file: whether it is a match that is kept here, as it stands or stood, or what differs."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorepad.carried import read_file
from scorepad.labels import isolated
from scorepad.limits import Limited, count
from scorepad.match import LONGEST_TEXT, Match
from scorepad.matchfile import Reading, short_hash
from scorepad.matchfile.fields import MOST_BYTES
from scorepad.messages import Words
from scorepad.settings import csrf
from scorepad.verifying import Finding, Verdict, is_whole, told, told_changes, unknown, verify
from scorepad.views.common import caller, device, store, words
from scorepad.views.start import players_of, told_problem

pages = Blueprint("verify", __name__)


@dataclass(frozen=True)
class VerifyPage:
    """The page that checks a file: what the file says of itself, what it was found to be, what is wrong.

    Of a match that this device does not hold it shows nothing that does not stand in the file.
    """

    about: str = ""
    verdict: str = ""
    is_a_state: bool = False
    changes: tuple[str, ...] = ()
    fingerprint: str = ""
    slug: str = ""
    wrong: tuple[str, ...] = ()


@pages.get("/verify")
def ask() -> str:
    """The empty form."""
    return render_template("verify.html", page=VerifyPage())


@pages.post("/verify")
def check() -> ResponseReturnValue:
    """What the file is; nothing is written."""
    csrf.protect()
    data = _sent()
    if not data:
        return _refused(gettext("Choose a match file first."))
    reading = read_file(data)
    say = words(players_of(reading))
    wrong = tuple(told_problem(p, say) for p in reading.problems)
    if reading.match is None or not is_whole(reading.match):
        return _refused(*wrong)
    count(Limited.CHECK, caller())
    page = _page(reading, say, wrong)
    return render_template("verify.html", page=page), 422 if wrong else 200


def _sent() -> bytes:
    """The file that was sent, no further than it is looked at."""
    file = request.files.get("file")
    if file is None:
        return b""
    with file.stream as stream:
        return bytes(stream.read(MOST_BYTES + 1))


def _refused(*sentences: str) -> ResponseReturnValue:
    """The page with what is wrong with the file."""
    return render_template("verify.html", page=VerifyPage(wrong=sentences)), 422


def _page(reading: Reading, say: Words, wrong: tuple[str, ...]) -> VerifyPage:
    """The page about a file that was read."""
    assert reading.match is not None  # noqa: S101
    finding = _found(reading.match)
    return VerifyPage(
        about=_about(reading.match),
        verdict=told(finding, say),
        is_a_state=finding.is_a_state,
        changes=told_changes(finding, say),
        fingerprint=short_hash(finding.fingerprint),
        slug=finding.slug if store().holds(device(), finding.slug) else "",
        wrong=wrong,
    )


def _found(match: Match) -> Finding:
    """What this device may be told: a match is named to whoever holds it, or has its deals in the file."""
    finding = verify(store(), match)
    may_be_told = finding.is_a_state or finding.shows_the_match or store().holds(device(), finding.slug)
    return finding if may_be_told or finding.verdict is Verdict.UNKNOWN else unknown(match)


def _about(match: Match) -> str:
    """What the file says it is: title, date, players."""
    title, *names = (isolated(text[:LONGEST_TEXT]) for text in (match.title, *match.players))
    return " · ".join(part for part in (title, match.date, ", ".join(names)) if part)
