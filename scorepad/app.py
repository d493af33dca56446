"""Puts the web app together: settings, store, pages, assets and headers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask, Response, request, session, url_for
from flask_babel import Babel, get_locale
from flask_compress import Compress

from scorepad import __version__, messages, views
from scorepad.labels import isolated
from scorepad.paths import asset_dir, data_dir
from scorepad.pdf import PdfMaker
from scorepad.settings import A_YEAR, HEADERS, LANGUAGES, csrf, settings
from scorepad.starts import Starts
from scorepad.store import Store

#: What needs no session: answers that are kept, or asked for again and again.
PAGES_WITHOUT_SESSION = {"static", "asset", "home.healthz"}


def make_app(data: Path | None, config: Mapping[str, Any]) -> Flask:
    """The app with its data in one folder; `config` overrides the settings."""
    folder = data or data_dir()
    folder.mkdir(parents=True, exist_ok=True)
    static = asset_dir("static")
    app = Flask(
        "scorepad",
        template_folder=str(asset_dir("templates")),
        static_folder=str(static),
        static_url_path="/static",
        instance_path=str(folder),
    )
    app.config.update(settings(folder))
    app.config.update(config)
    csrf.init_app(app)
    Compress(app)
    Babel(app, locale_selector=lambda: request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0])
    app.extensions["store"] = Store(folder / "scorepad.db")
    app.extensions["starts"] = Starts(app.config["STARTS_AN_HOUR"])
    app.extensions["pdf"] = PdfMaker(folder / "sheets", base=static)
    _serve_assets(app, static)
    _add_headers(app)
    _fill_templates(app)
    views.register(app)
    return app


def assets_version(static: Path) -> str:
    """A short hash of all our style sheets, modules and pictures: part of their address."""
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(p for p in static.rglob("*") if p.is_file()):
        digest.update(str(path.relative_to(static)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:10]


def _serve_assets(app: Flask, static: Path) -> None:
    """Serve assets at addresses that change when they do, so that a phone may keep them for a year."""
    version = assets_version(static)

    @app.get("/static/v-<kept_version>/<path:filename>")
    def asset(kept_version: str, filename: str) -> Response:
        answer = app.send_static_file(filename)
        answer.direct_passthrough = False
        answer.make_sequence()  # a stream would not be compressed for everybody
        if kept_version == version:
            answer.headers["Cache-Control"] = f"public, max-age={int(A_YEAR.total_seconds())}, immutable"
        return answer

    @app.template_global()
    def asset_url(filename: str) -> str:
        return url_for("asset", kept_version=version, filename=filename)


def _add_headers(app: Flask) -> None:
    """Keep the session for a year, and every page to a strict policy."""

    @app.before_request
    def keep_session() -> None:
        if request.endpoint in PAGES_WITHOUT_SESSION or request.blueprint == "api":
            return
        if not session.permanent:
            session.permanent = True

    @app.after_request
    def add_headers(answer: Response) -> Response:
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if answer.mimetype in ("text/html", "application/json"):
            answer.headers.setdefault("Cache-Control", "no-cache, private")
        return answer


def _fill_templates(app: Flask) -> None:
    """What every template may use."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(signed=messages.signed, isolated=isolated)
    app.jinja_env.globals.update(get_locale=get_locale, version=__version__)
