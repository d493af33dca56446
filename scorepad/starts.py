"""How many matches may be started from one address, so that nobody fills the disk."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Lock

AN_HOUR = 3600

#: Addresses remembered at once; the one longest not seen is forgotten first.
ADDRESSES = 10_000


class Starts:
    """The matches that each address has started within the last hour."""

    def __init__(self, most: int, *, now: Callable[[], float] = time.monotonic) -> None:
        """`most` starts an hour for each address."""
        self.most, self.now = most, now
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def may_start(self, address: str) -> bool:
        """Whether this address may start one more match, which is counted."""
        now = self.now()
        with self._lock:
            times = self._times.setdefault(address, deque())
            self._times.move_to_end(address)
            while times and times[0] <= now - AN_HOUR:
                times.popleft()
            if len(self._times) > ADDRESSES:
                self._times.popitem(last=False)
            if len(times) >= self.most:
                return False
            times.append(now)
            return True
