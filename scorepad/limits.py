"""How often an hour somebody may do what costs the server much, so that nobody fills it or keeps it busy."""

from __future__ import annotations

import heapq
import logging
import math
import time
from collections.abc import Mapping
from enum import StrEnum
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock

from flask import Flask, current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from limits import RateLimitItemPerHour
from limits.errors import StorageError
from limits.storage import MemoryStorage
from werkzeug.exceptions import TooManyRequests

from scorepad.messages import N_

log = logging.getLogger(__name__)

AN_HOUR = 3600

#: Where the counters are kept unless a setting says otherwise.
IN_MEMORY = "few-counters://"

#: Counters kept at once: some 4 MB.
MOST_COUNTERS = 10_000

#: Who has an IPv6 address has all addresses of its network.
IPV6_NETWORK = 64
LONGEST_ADDRESS = 64


class Limited(StrEnum):
    """What is counted."""

    START = "start"
    WRONG_KEY = "wrong-key"
    CHECK = "check"


#: The setting that says how often an hour.
SETTINGS: Mapping[Limited, str] = {
    Limited.START: "STARTS_AN_HOUR",
    Limited.WRONG_KEY: "WRONG_KEYS_AN_HOUR",
    Limited.CHECK: "CHECKS_AN_HOUR",
}

TOO_MANY: Mapping[Limited, str] = {
    Limited.START: N_("Very many matches were started from here lately. Nothing was changed."),
    Limited.WRONG_KEY: N_(
        "Very many wrong scoring links were tried from here lately. Right ones still work."
    ),
    Limited.CHECK: N_("Very many match files were checked from here lately."),
}


class FewCounters(MemoryStorage):
    """Counters in memory, no more than there is room for; those that would end next are forgotten first."""

    STORAGE_SCHEME = ["few-counters"]

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: str) -> None:
        """An empty storage."""
        super().__init__(uri, wrap_exceptions, **options)
        self._making_room = Lock()

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count, having made room for a counter that is new."""
        if len(self.storage) >= MOST_COUNTERS and key not in self.storage:
            with self._making_room:
                ends = self.expirations.copy()
                for old in heapq.nsmallest(MOST_COUNTERS // 10 + 1, ends, key=ends.__getitem__):
                    self.clear(old)
        return super().incr(key, expiry, amount)


def add_limits(app: Flask) -> None:
    """Give the app its counters, in memory or where its settings say."""
    app.extensions["limits"] = Limiter(
        get_remote_address,
        app=app,
        storage_uri=app.config["LIMITS_STORAGE"],
        storage_options={"wrap_exceptions": True},
        strategy="fixed-window",
    )


def address() -> str:
    """Where a request comes from: an address, or the network of an IPv6 address."""
    given = request.remote_addr or ""
    try:
        found = ip_address(given.partition("%")[0])
    except ValueError:
        return f"address {given[:LONGEST_ADDRESS]}"
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or ip_network((found, IPV6_NETWORK), strict=False).network_address
    return f"address {found}"


def count(what: Limited, who: str) -> None:
    """Count one more; ends the request with 429 and the seconds to wait when it was one too many.

    A storage that cannot be reached holds nobody up.
    """
    limiter: Limiter = current_app.extensions["limits"]
    most = RateLimitItemPerHour(current_app.config[SETTINGS[what]])
    try:
        if limiter.limiter.hit(most, what, who):
            return
        ends = limiter.limiter.get_window_stats(most, what, who).reset_time
    except StorageError as error:
        log.warning("nothing is counted: %s", error.storage_error)
        return
    seconds = min(max(math.ceil(ends - time.time()), 1), AN_HOUR)
    raise TooManyRequests(TOO_MANY[what], retry_after=seconds)
