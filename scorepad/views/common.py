"""What several pages share: the store, who asks, what he may do, and the words at the table."""

from __future__ import annotations

from typing import Any, NoReturn

from flask import Response, abort, current_app, g, make_response, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext
from markupsafe import Markup
from werkzeug.exceptions import Forbidden, Unauthorized

from scorepad.labels import isolated
from scorepad.limits import Limited, address, count
from scorepad.messages import N_, Words
from scorepad.settings import A_YEAR, cookie_path, csrf
from scorepad.store import Access, Beside, Draft, KeptMatch, Right, Store
from scorepad.store.access import name_of_key
from scorepad.table import SEATS, PerSeat, Seat

DEVICE_COOKIE = "scorepad_device"

CLOSED = N_("This match is closed: nothing in it changes until it is reopened.")


def store() -> Store:
    """The store of this app."""
    kept: Store = current_app.extensions["store"]
    return kept


class PageWords(Words):
    """Words for a page: a name that is written from the right does not rearrange what stands beside it."""

    def write(self, value: Any) -> str:
        """One value of a sentence."""
        written = super().write(value)
        return isolated(written) if isinstance(value, Seat) else written


def words(names: PerSeat[str]) -> Words:
    """The words of the reader's language for a page, with the names at the table."""
    return PageWords(names, gettext, ngettext)


def plain_words(names: PerSeat[str]) -> Words:
    """The same for programs to read."""
    return Words(names, gettext, ngettext)


def bearer() -> str | None:
    """The scoring key that a script sends along."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


def access(slug: str) -> Access:
    """What this request may do with a match."""
    if (key := bearer()) is not None:
        asked = store().access_by_key(slug, key)
        if asked.right is Right.WRONG and store().slug_of_key(key) is None:
            count_wrong_key()
        return asked
    return store().access_by_device(slug, request.cookies.get(DEVICE_COOKIE))


def require_score(slug: str) -> Access:
    """Who writes; ends the request with 401 without a credential, 403 with a wrong one, 400 without token."""
    asked = access(slug)
    if asked.right is Right.NONE:
        raise Unauthorized
    if asked.right is Right.WRONG:
        raise Forbidden
    if bearer() is None:
        csrf.protect()
    return asked


def told_closed(slug: str) -> Markup:
    """Why nothing was written, and the way to reopen the match."""
    link = Markup('{} <a href="{}">{}</a>')
    return link.format(gettext(CLOSED), url_for("signing.ask_to_reopen", slug=slug), gettext("Reopen it"))


def live_tag(kept: KeptMatch, draft: Draft, beside: Beside, asked: Access) -> str:
    """What is another string as soon as the table looks different to whoever asks."""
    seen = (kept.revision, draft.version, beside.scorers, beside.shows_stakes, beside.again != "")
    return "-".join(str(int(part)) for part in (*seen, asked.may_score))


def device() -> int | None:
    """The device that asks, if it is known."""
    return store().device(request.cookies.get(DEVICE_COOKIE))


def device_or_new() -> int:
    """The device that asks; a new one gets its cookie with the answer."""
    known = device()
    if known is None:
        known, g.new_device_token = store().make_device()
    return known


def with_cookie(answer: ResponseReturnValue) -> Response:
    """The answer with the cookie of a new device, which scripts on the page cannot read."""
    made = make_response(answer)
    if token := g.pop("new_device_token", None):
        made.set_cookie(
            DEVICE_COOKIE,
            token,
            max_age=A_YEAR,
            path=cookie_path(),
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
        )
    return made


def caller() -> str:
    """Whom a limit counts: who scores a match alone, so that nobody else at his address holds him up."""
    if (known := device()) is not None:
        return f"device {known}"
    key = bearer()
    return name_of_key(key) if key and store().slug_of_key(key) else address()


def allow_start() -> None:
    """Count a match that is about to start; ends the request with 429 when they are very many."""
    count(Limited.START, caller())


def count_wrong_key() -> None:
    """Count a request with a key that opens nothing; ends it with 429 when its address sends very many."""
    if not g.get("has_wrong_key"):
        g.has_wrong_key = True
        count(Limited.WRONG_KEY, address())


def seat_numbered(number: int) -> Seat:
    """The seat of this number, 1 to 4 as in a match file; ends the request with 404 where nobody sits."""
    if not 1 <= number <= len(SEATS):
        not_found()
    return SEATS[number - 1]


def not_found() -> NoReturn:
    """End the request: there is no such page."""
    abort(404)
