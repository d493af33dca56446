"""Settings of the web app that more than one of its parts needs."""

from __future__ import annotations

import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface
from flask_wtf.csrf import CSRFProtect

from scorepad.hosts import named
from scorepad.limits import IN_MEMORY

csrf = CSRFProtect()

LANGUAGES = ("en",)
A_YEAR = timedelta(days=365)
LARGEST_BODY = 1_500_000

#: Without the files in it; the longest form of ours has some hundred fields.
LARGEST_FORM = 100_000

#: Far more than a club needs; behind a proxy all its visitors share one address.
STARTS_AN_HOUR = 500

#: A key cannot be guessed in any number of tries; whoever tries is told to stop.
WRONG_KEYS_AN_HOUR = 100

#: Each check of a match file may fold hundreds of matches.
CHECKS_AN_HOUR = 200

COMPRESSED = (
    "text/html",
    "text/css",
    "text/javascript",
    "application/json",
    "image/svg+xml",
    "application/manifest+json",
)

#: Everything a page needs comes from our own address; nothing inline runs.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}

#: An asset is no page: what it holds runs by the policy of the page that asks for it.
ASSET_HEADERS = {"X-Content-Type-Options": "nosniff"}


def settings(folder: Path) -> dict[str, Any]:
    """The settings of an app whose data is in this folder."""
    return {
        "SECRET_KEY": load_secret(folder),
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_CHECK_DEFAULT": False,  # the views check it, after the credential
        "PERMANENT_SESSION_LIFETIME": A_YEAR,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_NAME": "scorepad",
        "SESSION_REFRESH_EACH_REQUEST": False,
        "STARTS_AN_HOUR": STARTS_AN_HOUR,
        "WRONG_KEYS_AN_HOUR": WRONG_KEYS_AN_HOUR,
        "CHECKS_AN_HOUR": CHECKS_AN_HOUR,
        "LIMITS_STORAGE": os.environ.get("SCOREPAD_LIMITS") or IN_MEMORY,
        "BEHIND_PROXY": os.environ.get("SCOREPAD_BEHIND_PROXY") == "1",
        "ALLOWED_HOSTS": named(os.environ.get("SCOREPAD_HOSTS", "")),
        "MAX_CONTENT_LENGTH": LARGEST_BODY,
        "MAX_FORM_MEMORY_SIZE": LARGEST_FORM,
        "COMPRESS_ALGORITHM": ["br", "zstd", "gzip"],
        "COMPRESS_BR_LEVEL": 5,
        "COMPRESS_MIMETYPES": list(COMPRESSED),
    }


def cookie_path() -> str:
    """The path of our cookies: that of the app, so that another app on the same host never sees them."""
    return request.script_root or "/"


class Sessions(SecureCookieSessionInterface):
    """Sessions whose cookie keeps to the app's own path, and under https to https."""

    def get_cookie_path(self, app: Flask) -> str:
        """The path of the cookie."""
        return cookie_path()

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie is for https only: when the page was asked for by https."""
        return request.is_secure or super().get_cookie_secure(app)


def load_secret(folder: Path) -> str:
    """The key that signs sessions: made once, also when two processes start together, kept in the folder."""
    path = folder / "secret_key"
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    key = secrets.token_hex(32)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key)
    return key
