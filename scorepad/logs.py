"""What is logged names no scoring key and no code for a seat, even where the address of a request is told."""

from __future__ import annotations

import logging
import re

#: What writes addresses into the log: Flask for the app, and the server beneath it.
_LOGGERS = ("scorepad", "waitress", "waitress.queue")

_KEY = re.compile(r"(?<=/(?:join|sign)/)[^\s/?#\"']+")


class WithoutKeys(logging.Filter):
    """Leaves out of a line what follows /join/ or /sign/."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every line is written, without the key."""
        record.msg, record.args = _KEY.sub("…", record.getMessage()), ()
        return True


_WITHOUT_KEYS = WithoutKeys()


def keep_keys_out() -> None:
    """From now on no key is logged."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_WITHOUT_KEYS)
