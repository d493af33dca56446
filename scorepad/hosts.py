"""Which names the server answers to, so that no page from elsewhere passes for it under its own name."""

from __future__ import annotations

import socket
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request
from flask_babel import gettext


def named(hosts: str) -> tuple[str, ...]:
    """The names in a list with commas between them."""
    return tuple(name for part in hosts.split(",") if (name := part.strip().lower().rstrip(".")))


def is_trusted(host: str, allowed: Collection[str]) -> bool:
    """Whether the server answers to the Host of a request.

    Nobody elsewhere can make an address, a name without dots, a name of the local network or this computer's
    own lead first to a page of his and then here; any other name has to be allowed.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    is_local = bool(name) and ("." not in name or name.endswith((".local", ".localhost")))
    own = socket.gethostname().lower()
    return is_local or _is_address(name) or name == own or name in allowed


def _is_address(name: str) -> bool:
    """Whether a name is an address in figures."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def refuse_other_names(app: Flask) -> None:
    """Answer only to names that are trusted, and say to others what to do."""

    @app.before_request
    def check_host() -> Response | None:
        if is_trusted(request.host, current_app.config["ALLOWED_HOSTS"]):
            return None
        told = gettext(
            "This scorepad does not answer to the name in the address. Whoever runs it can allow the name: "
            "scorepad serve --allow-host NAME, or SCOREPAD_HOSTS=NAME."
        )
        return Response(told + "\n", 400, mimetype="text/plain")
