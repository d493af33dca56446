"""What an error looks like: a page for people, JSON for the API."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask_babel import gettext, ngettext
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, TooManyRequests

from scorepad.messages import N_
from scorepad.store import UnknownDeal, UnknownMatch

Answer = tuple[Response | str, int]

#: For each status its code for programs, a title and what to do.
ERRORS: dict[int, tuple[str, str, str]] = {
    400: (
        "bad_request",
        N_("That did not get through"),
        N_("Open the page again and repeat it. Nothing was changed."),
    ),
    401: (
        "no_credential",
        N_("This phone does not keep the score"),
        N_("Open the scoring link of the match on this phone first. Nothing was changed."),
    ),
    403: (
        "wrong_credential",
        N_("This phone does not keep the score of this match"),
        N_("Ask the scorer for the scoring link. Nothing was changed."),
    ),
    404: (
        "unknown",
        N_("There is nothing here"),
        N_("The address may be mistyped or cut short, or the deal was removed."),
    ),
    405: ("wrong_method", N_("That cannot be done here"), N_("Go back and try another way.")),
    410: (
        "ended",
        N_("This code can no longer be used"),
        N_("It was used, replaced or ended, and signs nothing any more. Ask the scorer for a fresh one."),
    ),
    413: (
        "too_large",
        N_("That is too large"),
        N_("A match file is far smaller. Nothing was changed."),
    ),
    415: (
        "wrong_content_type",
        N_("That is not JSON"),
        N_("Send it as application/json. Nothing was changed."),
    ),
    429: (
        "too_many",
        N_("That is too much at once"),
        N_("Wait a while, then try again."),
    ),
    500: (
        "failed",
        N_("Something went wrong here"),
        N_("It is not your fault, and what was saved is safe. Try again."),
    ),
    503: (
        "unavailable",
        N_("The matches cannot be read just now"),
        N_("Nothing was changed. Try again in a moment; what the server prints says why."),
    ),
}


def answer(status: int, told: str = "") -> Answer:
    """The page, or the JSON, for a status; what is told stands in place of the usual advice."""
    code, title, advice = ERRORS.get(status, ERRORS[400])
    told = told or gettext(advice)
    if request.path.startswith("/api/"):
        return error_json(status, code, f"{gettext(title)}. {told}")
    return render_template("error.html", title=gettext(title), advice=told), status


def error_json(status: int, code: str, message: str, problems: Any = (), **more: Any) -> Answer:
    """The JSON of an error."""
    return jsonify({"error": code, "message": message, "problems": list(problems), **more}), status


def register(app: Flask) -> None:
    """Answer every error in one way."""

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Answer | Response:
        if error.code is None or error.code < 400:
            return Response(error.get_body(), error.code or 500, error.get_headers())
        return answer(error.code)

    @app.errorhandler(TooManyRequests)
    def too_many(error: TooManyRequests) -> Response:
        seconds = error.retry_after
        if not error.description or not isinstance(seconds, int):
            return make_response(*answer(429))
        minutes = (seconds + 59) // 60
        wait = ngettext("Wait a minute.", "Wait %(num)d minutes.", minutes)
        told = f"{gettext(error.description)} {wait}"
        return make_response(*answer(429, told), {"Retry-After": seconds})

    @app.errorhandler(CSRFError)
    def csrf_error(_error: CSRFError) -> Answer:
        return answer(400)

    @app.errorhandler(UnknownMatch)
    @app.errorhandler(UnknownDeal)
    def unknown(_error: LookupError) -> Answer:
        return answer(404)
