"""Puts the web app together: settings, store, pages, assets and headers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask, Response, request, session
from flask_babel import Babel, get_locale
from flask_compress import Compress
from werkzeug.middleware.proxy_fix import ProxyFix

from scorepad import __version__, messages, views
from scorepad.assets import serve_assets
from scorepad.hosts import refuse_other_names
from scorepad.inuse import Hold
from scorepad.labels import isolated
from scorepad.limits import add_limits
from scorepad.logs import keep_keys_out
from scorepad.paths import asset_dir, data_dir
from scorepad.pdf import PdfMaker
from scorepad.settings import ASSET_HEADERS, HEADERS, LANGUAGES, LARGEST_FORM, Sessions, csrf, settings
from scorepad.store import Store

#: What needs no session: answers that are kept, or asked for again and again.
PAGES_WITHOUT_SESSION = {
    "static",
    "asset",
    "home.healthz",
    "install.worker",
    "install.manifest",
    "install.offline",
}

#: How browsers send a form without files in it, which is read whole.
FORM = "application/x-www-form-urlencoded"


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
    keep_keys_out()
    app.config.update(settings(folder))
    app.config.update(config)
    app.session_interface = Sessions()
    if app.config["BEHIND_PROXY"]:
        fixed = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1, x_prefix=1)
        app.wsgi_app = fixed  # type: ignore[method-assign]
    refuse_other_names(app)
    csrf.init_app(app)
    Compress(app)
    Babel(app, locale_selector=lambda: request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0])
    app.extensions["hold"] = Hold(folder)
    app.extensions["store"] = Store(folder / "scorepad.db")
    add_limits(app)
    app.extensions["pdf"] = PdfMaker(folder / "sheets", base=static)
    serve_assets(app, static)
    _add_headers(app)
    _fill_templates(app)
    views.register(app)
    return app


def _add_headers(app: Flask) -> None:
    """Keep the session for a year, every form to its size, and every page to a strict policy."""

    @app.before_request
    def limit_form() -> None:
        if request.mimetype == FORM:
            request.max_content_length = LARGEST_FORM

    @app.before_request
    def keep_session() -> None:
        if request.endpoint in PAGES_WITHOUT_SESSION or request.blueprint == "api":
            return
        if not session.permanent:
            session.permanent = True

    @app.after_request
    def add_headers(answer: Response) -> Response:
        is_asset = request.endpoint == "asset" and answer.status_code == 200
        for name, value in (ASSET_HEADERS if is_asset else HEADERS).items():
            answer.headers.setdefault(name, value)
        if answer.mimetype in ("text/html", "application/json"):
            answer.headers.setdefault("Cache-Control", "no-cache, private")
        return answer


def _fill_templates(app: Flask) -> None:
    """What every template may use."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(signed=messages.signed, isolated=isolated)
    app.jinja_env.globals.update(get_locale=get_locale, version=__version__)
