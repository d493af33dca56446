"""What lets a phone install scorepad and start it offline: service worker, manifest, the offline page."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app, json, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import get_locale, gettext

pages = Blueprint("install", __name__)

#: What a kept page may need, by its ending; only the sheet uses the large fonts, and it is not kept.
KEPT_KINDS = {".css", ".js", ".svg", ".woff2"}
WORKER = "sw.js"
NOT_KEPT = {WORKER, "sheet.css", "byhand.css", "icon-maskable.svg"}

#: What most visits never need, and whose page does without it or is not kept.
NOT_BROUGHT = {
    *("js/start.js", "js/houserules.js", "js/change.js"),
    *("js/take.js", "js/picture.js", "js/file.js", "take.css"),
}

#: The felt of `static/pad.css`: the bar of the phone, and what is seen before the first page.
THEME, GROUND = "#14493a", "#0d3429"

#: The icons made from `static/icon.svg` (docs/icons.md): file, size, and what a phone may do with it.
ICONS = (
    ("icon.svg", "any", "any"),
    ("icon-maskable.svg", "any", "maskable"),
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable-512.png", "512x512", "maskable"),
)
KINDS = {".svg": "image/svg+xml", ".png": "image/png"}


@pages.get("/sw.js")
def worker() -> Response:
    """The service worker; its first line changes with every release, which is how a phone notices one."""
    release = {"version": current_app.config["ASSETS_VERSION"], "assets": _kept_assets()}
    code = (_static() / WORKER).read_text(encoding="utf-8")
    return _fresh(f"const RELEASE = {json.dumps(release)};\n{code}", "text/javascript")


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """How scorepad looks on a home screen."""
    made = {
        "id": url_for("home.home"),
        "name": "scorepad",
        "short_name": "scorepad",
        "description": gettext("The score pad for Barbu: doubles, settlements, debts and a printed sheet."),
        "lang": str(get_locale()),
        "start_url": ".",
        "scope": ".",
        "display": "standalone",
        "theme_color": THEME,
        "background_color": GROUND,
        "icons": [
            {"src": _address(file), "sizes": size, "type": KINDS[Path(file).suffix], "purpose": purpose}
            for file, size, purpose in ICONS
        ],
    }
    return _fresh(json.dumps(made, ensure_ascii=False, indent=1), "application/manifest+json")


@pages.get("/offline")
def offline() -> ResponseReturnValue:
    """The page that is shown when there is no connection and the page asked for is not kept."""
    return render_template("offline.html")


def _static() -> Path:
    """The folder of our assets."""
    return Path(current_app.static_folder or "")


def _kept_assets() -> list[str]:
    """The addresses of all that kept pages need."""
    static = _static()
    files = [f.relative_to(static).as_posix() for f in sorted(static.rglob("*")) if f.suffix in KEPT_KINDS]
    return [_address(file) for file in files if file not in NOT_KEPT | NOT_BROUGHT]


def _address(file: str) -> str:
    """The address of an asset in this release."""
    return url_for("asset", kept_version=current_app.config["ASSETS_VERSION"], filename=file)


def _fresh(text: str, mimetype: str) -> Response:
    """An answer that is asked for anew each time, and is short when nothing has changed."""
    made = Response(text, mimetype=mimetype)
    made.headers["Cache-Control"] = "no-cache"
    made.add_etag()
    made.make_conditional(request)
    return made
