"""The fingerprint of a match: the same for every file that reads to the same match, and for no other."""

from __future__ import annotations

import hashlib

from scorepad.match import Match
from scorepad.matchfile.writing import canonical, write_match

#: Of the 64 hexadecimal digits of a hash so many are printed, in groups that can be read out.
SHORT_DIGITS, GROUP = 16, 4


def fingerprint(match: Match) -> str:
    """SHA-256 over the canonical match file, as 64 hexadecimal digits.

    The canonical file states every field and no revision, by RFC 8785; deals that could not be read are not
    in it. Any program that makes SHA-256 gets the same digits (design.md, "The match file").
    """
    return hashlib.sha256(canonical(write_match(match)).encode()).hexdigest()


def short_hash(digits: str) -> str:
    """The beginning of a hash for people to compare: 3f2a 91bc 0d4e 77aa.

    64 bits are enough that nobody finds another match for a given beginning. Hexadecimal digits have no O,
    I or l among them.
    """
    return " ".join(digits[n : n + GROUP] for n in range(0, SHORT_DIGITS, GROUP))
