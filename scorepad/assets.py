"""Style sheets, modules and pictures: at addresses that change when they do, shortened and packed once."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable
from pathlib import Path

import brotli
import rcssmin
import rjsmin
from flask import Flask, Response, abort, request, url_for

from scorepad import __version__
from scorepad.settings import A_YEAR, COMPRESSED

#: Ways to pack an asset, the smallest first. Browsers offer Brotli under https and on the computer itself.
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda content: bytes(brotli.compress(content, quality=11)),
    "gzip": lambda content: gzip.compress(content, 9, mtime=0),
}

#: Ways to leave comments and spare blanks out of what is sent; licences stay.
SHORTENED: dict[str, Callable[[str], str]] = {
    "text/javascript": lambda code: str(rjsmin.jsmin(code, keep_bang_comments=True)),
    "text/css": lambda rules: str(rcssmin.cssmin(rules, keep_bang_comments=True)),
}


def assets_version(static: Path) -> str:
    """A short hash of all our style sheets, modules and pictures: part of their address."""
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(p for p in static.rglob("*") if p.is_file()):
        digest.update(str(path.relative_to(static)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:10]


def serve_assets(app: Flask, static: Path) -> None:
    """Serve the files of this folder, to be kept for a year at the addresses of this release."""
    version = app.config["ASSETS_VERSION"] = assets_version(static)
    files = {p.relative_to(static).as_posix(): p for p in static.rglob("*") if p.is_file()}
    ready: dict[tuple[str, str], bytes] = {}

    @app.get("/static/v-<kept_version>/<path:filename>")
    def asset(kept_version: str, filename: str) -> Response:
        if filename not in files:
            abort(404)
        kind = mimetypes.guess_type(filename)[0] or "application/octet-stream"
        packing = _packing() if kind in COMPRESSED else ""
        if (filename, packing) not in ready:
            content = _short(kind, files[filename].read_bytes())
            ready[filename, packing] = PACKED[packing](content) if packing else content
        answer = Response(ready[filename, packing], mimetype=kind)
        if packing:
            answer.headers["Content-Encoding"] = packing
        answer.headers["Vary"] = "Accept-Encoding"
        lasts = f"public, max-age={int(A_YEAR.total_seconds())}, immutable"
        answer.headers["Cache-Control"] = lasts if kept_version == version else "no-cache"
        return answer

    @app.template_global()
    def asset_url(filename: str) -> str:
        return url_for("asset", kept_version=version, filename=filename)


def _short(kind: str, content: bytes) -> bytes:
    """The content without what only its authors read."""
    return SHORTENED[kind](content.decode()).encode() if kind in SHORTENED else content


def _packing() -> str:
    """The smallest way of packing that whoever asks can unpack; nothing when there is none."""
    return next((name for name in PACKED if request.accept_encodings[name]), "")
