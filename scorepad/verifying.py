"""What a match file is: a kept match as it stands, as it stood, changed in some places, or none of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

from scorepad.match import BrokenDeal, Match
from scorepad.matchfile import canonical, fingerprint, write_match
from scorepad.messages import N_, Words
from scorepad.store import KeptDeal, KeptMatch, Store
from scorepad.store.record import without_open

Json = Any

#: Of matches with the same players and day, or title, so many of the last are looked at, at some
#: milliseconds each. A match that starts on a page has its day, and four players have one match or two a day.
MOST_LOOKED_AT = 200

#: Somebody who does not hold a match must show so many of its deals before he is told what differs.
ENOUGH_DEALS = 4


class Verdict(StrEnum):
    """What a match file is found to be."""

    STANDS = "stands"
    STOOD = "stood"
    CHANGED = "changed"
    UNKNOWN = "unknown"


class Difference(StrEnum):
    """In what way a place of the file differs from the record."""

    CHANGED = "changed"
    ONLY_IN_FILE = "only-in-file"
    ONLY_IN_RECORD = "only-in-record"


@dataclass(frozen=True, slots=True)
class Change:
    """One place that differs: fields of a deal, a whole deal, or (without a number) fields of the match."""

    difference: Difference
    deal: int | None = None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a match file; `slug` is empty when no match is like it, `row` the nearest row."""

    verdict: Verdict
    fingerprint: str
    slug: str = ""
    row: int = 0
    rows: int = 0
    changes: tuple[Change, ...] = ()
    same_deals: int = 0
    deals: int = 0

    @property
    def is_a_state(self) -> bool:
        """Whether the file is what a record held at some row."""
        return self.verdict in (Verdict.STANDS, Verdict.STOOD)

    @property
    def shows_the_match(self) -> bool:
        """Whether the file holds so much of the match that its bearer may be told what differs."""
        return self.same_deals >= max(ENOUGH_DEALS, (self.deals + 1) // 2)


def is_whole(match: Match) -> bool:
    """Whether every deal was read, so that a match can be compared; its rules may be broken."""
    return not any(isinstance(deal, BrokenDeal) for deal in match.deals)


def unknown(match: Match) -> Finding:
    """The finding of a file that is like no match."""
    return Finding(Verdict.UNKNOWN, fingerprint(without_open(match)[0]))


def verify(store: Store, match: Match) -> Finding:
    """Find the match that a file is a state of, or the state nearest to it.

    The deal being played is in no row of a record, so it is left aside. Only matches of the same players and
    day are folded, then those of the same players and title.
    """
    played, _ = without_open(match)
    digits, file = fingerprint(played), write_match(played)
    histories = _histories(store, played, "date", match.date)
    for states in histories:
        if row := _same(states, len(file["deals"]), digits):
            verdict = Verdict.STANDS if row == states[-1].revision else Verdict.STOOD
            return Finding(verdict, digits, states[-1].slug, row, states[-1].revision)
    histories = histories or _histories(store, played, "title", match.title)
    nearest = max((_nearest(states, file) for states in histories), default=None, key=_nearness)
    if nearest is None or not _is_near(nearest, file):
        return unknown(match)
    return _changed(nearest, file, digits, histories)


def _histories(store: Store, match: Match, name: str, value: str) -> list[list[KeptMatch]]:
    """Every state of every match that may be meant."""
    slugs = store.slugs_with(list(match.players), name, value, MOST_LOOKED_AT)
    return [store.states(slug) for slug in slugs]


def _same(states: Sequence[KeptMatch], deals: int, digits: str) -> int:
    """The last row at which the match had this fingerprint, or 0."""
    alike = (s for s in reversed(states) if len(s.deals) == deals)
    return next((s.revision for s in alike if fingerprint(s.read()) == digits), 0)


@dataclass(frozen=True, slots=True)
class _Near:
    """A state and how near it is to a file."""

    state: KeptMatch
    same_deals: int
    apart: int
    same_fields: int


def _nearest(states: Sequence[KeptMatch], file: Mapping[str, Json]) -> _Near:
    """The state of one match that is nearest to a file; a deal is written once for all rows it stands in."""
    theirs = Counter(_as_text(d) for d in file["deals"])
    written = {id(d.body): _as_text(d.body) for state in states for d in _last_written(state)}
    return max((_near(s, file, theirs, written) for s in states), key=_nearness)


def _as_text(deal: Json) -> str:
    """The same text for the same deal: quicker than the canonical form, and kept nowhere."""
    return json.dumps(deal, sort_keys=True)


def _last_written(state: KeptMatch) -> Sequence[KeptDeal]:
    """The deals that this very row wrote; all of them where it may have renamed a player."""
    return (
        state.deals
        if state.amended == state.revision
        else [d for d in state.deals if d.revision == state.revision]
    )


def _near(
    state: KeptMatch, file: Mapping[str, Json], theirs: Counter[str], written: Mapping[int, str]
) -> _Near:
    """How near a state is to a file, by what the record holds of it."""
    ours = Counter(written[id(d.body)] for d in state.deals)
    same_fields = sum(state.file.get(name) == value for name, value in file.items())
    return _Near(state, (ours & theirs).total(), abs(len(state.deals) - len(file["deals"])), same_fields)


def _nearness(near: _Near) -> tuple[int, int, int, int]:
    """Most deals the same, then least missing or added, then most fields the same, then the last."""
    return near.same_deals, -near.apart, near.same_fields, near.state.revision


def _is_near(near: _Near, file: Mapping[str, Json]) -> bool:
    """Another match of the same four has no deal in common with this one."""
    return bool(near.same_deals) or not (near.state.deals and file["deals"])


def _changed(near: _Near, file: Mapping[str, Json], digits: str, histories: list[list[KeptMatch]]) -> Finding:
    """What differs from the nearest state."""
    rows = next(h[-1].revision for h in histories if h[-1].slug == near.state.slug)
    record = write_match(near.state.read())
    changes = (*_changed_deals(file["deals"], record["deals"]), *_changed_fields(file, record))
    return Finding(
        Verdict.CHANGED,
        digits,
        near.state.slug,
        near.state.revision,
        rows,
        changes,
        near.same_deals,
        len(file["deals"]),
    )


def _differing(file: Mapping[str, Json], record: Mapping[str, Json]) -> tuple[str, ...]:
    """The fields that are not the same in both."""
    return tuple(n for n in dict.fromkeys((*file, *record)) if file.get(n) != record.get(n))


def _changed_fields(file: Mapping[str, Json], record: Mapping[str, Json]) -> Iterator[Change]:
    """What differs beside the deals."""
    if names := tuple(n for n in _differing(file, record) if n != "deals"):
        yield Change(Difference.CHANGED, fields=names)


def _changed_deals(file: Sequence[Json], record: Sequence[Json]) -> Iterator[Change]:
    """The deals that differ, each by its number in the file; in the record where the file lacks it."""
    ours, theirs = [canonical(d) for d in record], [canonical(d) for d in file]
    for _, i, i_end, j, j_end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        both = min(i_end - i, j_end - j)
        for n in range(both):
            if fields := _differing(file[j + n], record[i + n]):
                yield Change(Difference.CHANGED, j + n + 1, fields)
        yield from (Change(Difference.ONLY_IN_FILE, n + 1) for n in range(j + both, j_end))
        yield from (Change(Difference.ONLY_IN_RECORD, n + 1) for n in range(i + both, i_end))


# In words


#: What the fields of the match file are called; deals and the match share none but notes.
FIELDS: Mapping[str, str] = {
    "title": N_("title"),
    "date": N_("date"),
    "place": N_("place"),
    "players": N_("players"),
    "first_declarer": N_("first declarer"),
    "rules": N_("house rules"),
    "agreed_points": N_("agreed points"),
    "replaced": N_("seats taken over"),
    "abandoned": N_("whether it was abandoned"),
    "stake": N_("stake"),
    "declarer": N_("declarer"),
    "contract": N_("contract"),
    "doubles": N_("doubles"),
    "trump": N_("trump suit"),
    "start": N_("starting rank"),
    "passed_out": N_("whether it was passed out"),
    "result": N_("result"),
    "note": N_("note"),
}

VERDICTS: Mapping[Verdict, str] = {
    Verdict.STANDS: N_("This is a match that is kept here, as it stands: row {row} of its record."),
    Verdict.STOOD: N_("This is a match that is kept here, as it stood at row {row} of {rows} of its record."),
    Verdict.CHANGED: N_(
        "This is no match that is kept here, but one is like it. "
        "These places differ from row {row} of its record:"
    ),
    Verdict.UNKNOWN: N_("This match is unknown here."),
}

CHANGES: Mapping[Difference, str] = {
    Difference.CHANGED: N_("Deal {number}: {fields}."),
    Difference.ONLY_IN_FILE: N_("Deal {number} is in the file only."),
    Difference.ONLY_IN_RECORD: N_("Deal {number} of the record is not in the file."),
}
MATCH_CHANGED = N_("Of the match: {fields}.")


def told(finding: Finding, say: Words) -> str:
    """The verdict in a sentence."""
    return say.fill(VERDICTS[finding.verdict], {"row": finding.row, "rows": finding.rows})


def told_changes(finding: Finding, say: Words) -> tuple[str, ...]:
    """Each place that differs, in a sentence that names the field and shows neither value."""
    return tuple(_told_change(change, say) for change in finding.changes)


def finding_json(finding: Finding) -> dict[str, Json]:
    """What was found, as JSON; `match` is null when no match is like the file."""
    return {
        "verdict": finding.verdict.value,
        "fingerprint": finding.fingerprint,
        "match": finding.slug or None,
        "row": finding.row or None,
        "rows": finding.rows or None,
        "changes": [
            {"deal": c.deal, "difference": c.difference.value, "fields": list(c.fields)}
            for c in finding.changes
        ],
    }


def _told_change(change: Change, say: Words) -> str:
    """One place that differs."""
    fields = say.listed([say.gettext(FIELDS[name]) for name in change.fields])
    text = MATCH_CHANGED if change.deal is None else CHANGES[change.difference]
    return say.fill(text, {"number": change.deal, "fields": fields})
