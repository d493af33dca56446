"""A signature in words, for pages and for the sheet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signed:
    """Who signed which figures, on which phone and when; void when it was an earlier state of the match."""

    name: str
    fingerprint: str
    how: str
    at: str
    is_void: bool
