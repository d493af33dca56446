"""The match file `scorepad-match/1`: read it, say everything that is wrong with it, write it."""

from scorepad.matchfile.deals import Players, read_deal
from scorepad.matchfile.fields import parse
from scorepad.matchfile.fingerprint import fingerprint, short_hash
from scorepad.matchfile.houserules import read_rules, write_rules
from scorepad.matchfile.reading import FORMAT, Reading, read, read_match, read_stake
from scorepad.matchfile.schema import schema
from scorepad.matchfile.writing import canonical, write_deal, write_match, write_result

__all__ = [
    "FORMAT",
    "Players",
    "Reading",
    "canonical",
    "fingerprint",
    "parse",
    "read",
    "read_deal",
    "read_match",
    "read_rules",
    "read_stake",
    "schema",
    "short_hash",
    "write_deal",
    "write_match",
    "write_result",
    "write_rules",
]
