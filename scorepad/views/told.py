"""The rows of the record in words: what was done, what stood before and after, and what the totals did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask_babel import gettext, ngettext

from scorepad import meanings
from scorepad.house import house_rules
from scorepad.labels import isolated
from scorepad.match import AgreedPoints, Match
from scorepad.matchfile import short_hash
from scorepad.messages import N_, Words, signed
from scorepad.notation import SUITS
from scorepad.standing import Standing, standing
from scorepad.store import Brought, Draft, How, KeptMatch, Side, Step
from scorepad.store.history import SIDES, body_of, bring_back
from scorepad.store.record import ABOUT_SIGNING
from scorepad.table import SEATS, Seat
from scorepad.views.common import words
from scorepad.views.place import Place, deal_of, in_words
from scorepad.views.settle import a_point
from scorepad.views.signed import HOW

#: What each kind of row did.
WHAT: Mapping[str, str] = {
    "start": N_("The match was started."),
    "add": N_("Deal %(number)s was saved."),
    "correct": N_("Deal %(number)s was corrected."),
    "remove": N_("Deal %(number)s was removed."),
    "insert": N_("Deal %(number)s was put in."),
    "order": N_("The deals were put in another order."),
    "amend": N_("The match was changed."),
    "close": N_("The match was closed."),
    "reopen": N_("The match was reopened."),
    "sign": N_("%(name)s signed."),
}

#: What a match was brought in from.
BROUGHT: Mapping[Brought, str] = {
    Brought.FILE: N_("It was brought in from a match file."),
    Brought.SHEET: N_("It was brought in from the PDF of a sheet."),
}

#: The same of an amendment, by the fields that it changed.
CHANGED: Mapping[str, str] = {
    "players": N_("Names were written otherwise."),
    "first_declarer": N_("Somebody else declares first."),
    "rules": N_("The house rules were changed."),
    "agreed_points": N_("Agreed points were changed."),
    "replaced": N_("A seat was taken over, or given back."),
    "title": N_("The title was changed."),
    "date": N_("The day was changed."),
    "place": N_("The place was changed."),
    "stake": N_("The stake was changed."),
    "abandoned": N_("The match was abandoned, or gone on with."),
}


@dataclass(frozen=True)
class Shown:
    """What stood on one side of a row; `comes_back` says whether it can be brought back."""

    side: Side
    sentences: tuple[str, ...]
    comes_back: bool = False


@dataclass(frozen=True)
class Told:
    """One row of the record in words, the totals it moved (name, before, after), what doubles mean since."""

    revision: int
    at: str
    by: str
    what: tuple[str, ...]
    sides: tuple[Shown, ...]
    moved: tuple[tuple[str, int, int], ...] = field(default=())
    further: tuple[str, ...] = field(default=())


class Teller:
    """Puts rows into words; where the match stood after a row is worked out once."""

    def __init__(self, rows: tuple[Step, ...], names: Mapping[str, str]) -> None:
        """The rows, oldest first, and what the devices are called."""
        self.rows = rows
        self.names = names
        self._known: dict[int, Standing] = {}

    def where(self, kept: KeptMatch) -> Standing:
        """Where the match stood at a revision."""
        if kept.revision not in self._known:
            self._known[kept.revision] = standing(kept.read())
        return self._known[kept.revision]

    def told(self, step: Step) -> Told:
        """One row in words."""
        now = self.rows[-1].after
        sides = (
            Shown(side, sentences, side in SIDES[step.action] and bring_back(step, side, now) is not None)
            for side in Side
            if (sentences := self.sentences(step, side))
        )
        return Told(
            step.revision,
            step.at,
            self.names[step.by],
            what(step),
            tuple(sides),
            tuple(self._moved(step)),
            tuple(self._further(step)),
        )

    def _moved(self, step: Step) -> Iterator[tuple[str, int, int]]:
        """The totals that a row moved."""
        if step.action in ("start", *ABOUT_SIGNING):
            return
        before, after = self.where(step.before), self.where(step.after)
        for seat in SEATS:
            if before.totals[seat] != after.totals[seat]:
                yield after.match.names[seat], before.totals[seat], after.totals[seat]

    def _further(self, step: Step) -> Iterator[str]:
        """What doubles mean otherwise since a row; that a new deal pays debts is no news."""
        if step.action == "start":
            return
        before, after = self.where(step.before), self.where(step.after)
        say = words(after.match.names)
        for told in meanings.changes(before, after):
            if told.key != "owes_now" or step.action != "add":
                yield say(told)

    def sentences(self, step: Step, side: Side) -> tuple[str, ...]:
        """What stood on one side of a row, as far as the row changed it."""
        if step.action == "start":
            return self._start(step) if side is Side.AFTER else ()
        if step.action in ABOUT_SIGNING:
            return _signed(step) if side is Side.AFTER else ()
        if step.action == "order":
            return self._order(step, side)
        if step.action == "amend":
            matches = self.where(step.side(side)).match, self.where(step.side(other(side))).match
            return tuple(s for name in step.fields if name in IN_WORDS for s in IN_WORDS[name](*matches))
        body = body_of(step.side(side), step.deal_id)
        return () if body is None else self._deal(step.side(side), step.number, body)

    def _start(self, step: Step) -> tuple[str, ...]:
        """What it was brought in from, who plays by which rules, and how many deals came along."""
        match = self.where(step.after).match
        say, deals = words(match.names), len(step.after.deals)
        brought = (gettext(BROUGHT[step.brought]),) if step.brought else ()
        names = gettext("%(names)s play; %(first)s declares first.")
        told = names % {"names": say.write(SEATS), "first": say.write(match.first_declarer)}
        came = (ngettext("%(num)s deal came along.", "%(num)s deals came along.", deals),) if deals else ()
        return (*brought, told, gettext("%(rules)s.", rules=house_rules(match.rules, say)), *came)

    def _order(self, step: Step, side: Side) -> tuple[str, ...]:
        """The deals that stood elsewhere, in their order."""
        kept, was = step.side(side), step.side(other(side))
        moved = (
            n for n, (a, b) in enumerate(zip(kept.deals, was.deals, strict=True), 1) if a.deal_id != b.deal_id
        )
        return tuple(s for n in moved for s in self._deal(kept, n, kept.deals[n - 1].body)[:1])

    def _deal(self, kept: KeptMatch, number: int, body: Any) -> tuple[str, ...]:
        """A deal in sentences, with all that was noted of it."""
        place = Place(kept, self.where(kept), Draft(), number)
        deal = deal_of(place, body)
        if deal is None:
            return (gettext("Deal %(number)s could not be read.", number=number),)
        noted = []
        if deal.trump:
            noted.append(gettext("Trump suit: %(suit)s.", suit=SUITS[deal.trump]))
        if deal.start:
            noted.append(gettext("Starting rank: %(rank)s.", rank=deal.start))
        if deal.note:
            noted.append(gettext("Note: %(note)s", note=deal.note))
        return (*in_words(place, body), *noted)


def other(side: Side) -> Side:
    """The other side of a row."""
    return Side.AFTER if side is Side.BEFORE else Side.BEFORE


def what(step: Step) -> tuple[str, ...]:
    """What a row did."""
    if step.again:
        return (gettext("Deal %(number)s was brought back.", number=step.number),)
    changed = tuple(gettext(text) for name, text in CHANGED.items() if name in step.fields)
    name = isolated(step.written["name"]) if step.action == "sign" else ""
    return changed or (gettext(WHAT[step.action], number=step.number, name=name),)


def _signed(step: Step) -> tuple[str, ...]:
    """What was signed, and on which phone; nothing for a match that was closed or reopened."""
    if step.action != "sign":
        return ()
    digits, how = short_hash(step.written["fingerprint"]), gettext(HOW[How(step.written["how"])])
    return (gettext("Fingerprint %(fingerprint)s, %(how)s.", fingerprint=digits, how=how),)


def called(rows: Iterable[Step], given: Mapping[str, str], asking: str) -> dict[str, str]:
    """What each device or key that saved is called, in the order of their first saves."""
    names: dict[str, str] = {}
    for by in dict.fromkeys(step.by for step in rows):
        kind, _, rest = by.partition(" ")
        if by in given:
            names[by] = given[by]
        elif by == asking:
            names[by] = gettext("this phone")
        elif kind == "key":
            names[by] = gettext("scoring key %(key)s", key=rest)
        else:
            names[by] = gettext("phone %(number)s", number=len(names) + 1)
    return names


# The fields beside the deals, as a match has them where another has something else.


def _players(match: Match, was: Match) -> Iterator[str]:
    """The names that are written otherwise."""
    say, changed = words(match.players), tuple(s for s in SEATS if match.players[s] != was.players[s])
    yield gettext("Names: %(names)s.", names=say.write(changed))


def _first(match: Match, _was: Match) -> Iterator[str]:
    """Who declares first."""
    yield gettext("%(name)s declares first.", name=words(match.players).write(match.first_declarer))


def _rules(match: Match, _was: Match) -> Iterator[str]:
    """The house rules."""
    yield gettext("%(rules)s.", rules=house_rules(match.rules, words(match.names)))


def _agreed(match: Match, was: Match) -> Iterator[str]:
    """The agreed points that the other has not."""
    say, own = words(match.names), [a for a in match.agreed_points if a not in was.agreed_points]
    if not own:
        yield gettext("Without the agreed points.")
    for line in own:
        yield _agreed_line(line, say)


def _agreed_line(line: AgreedPoints, say: Words) -> str:
    """Points with their reason."""
    points = ", ".join(f"{say.write(s)} {signed(n)}" for s, n in line.points.seats() if n)
    told = gettext("After deal %(number)s: %(points)s.", number=line.after_deal, points=points)
    return f"{told} {gettext('What for: %(reason)s', reason=line.reason)}" if line.reason else told


def _replaced(match: Match, was: Match) -> Iterator[str]:
    """Who took a seat over where in the other he did not."""
    say, own = words(match.players), [r for r in match.replaced if r not in was.replaced]
    if not own:
        yield gettext("Nobody had taken the seat over.")
    for line in own:
        values = {"number": line.from_deal, "name": isolated(line.name), "player": say.write(Seat(line.seat))}
        yield gettext("From deal %(number)s on %(name)s has the seat of %(player)s.", **values)


def _title(match: Match, _was: Match) -> Iterator[str]:
    """The title."""
    yield gettext("Title: %(title)s", title=match.title) if match.title else gettext("No title.")


def _date(match: Match, _was: Match) -> Iterator[str]:
    """The day."""
    yield gettext("Day: %(day)s", day=match.date) if match.date else gettext("No day.")


def _place(match: Match, _was: Match) -> Iterator[str]:
    """The place."""
    yield gettext("Place: %(place)s", place=match.place) if match.place else gettext("No place.")


def _stake(match: Match, _was: Match) -> Iterator[str]:
    """What a point is worth."""
    yield gettext("Stake: %(stake)s", stake=a_point(match.stake)) if match.stake else gettext("No stake.")


def _abandoned(match: Match, _was: Match) -> Iterator[str]:
    """Whether the match was abandoned."""
    yield gettext("The match was abandoned.") if match.abandoned else gettext("The match goes on.")


IN_WORDS: Mapping[str, Callable[[Match, Match], Iterator[str]]] = {
    "players": _players,
    "first_declarer": _first,
    "rules": _rules,
    "agreed_points": _agreed,
    "replaced": _replaced,
    "title": _title,
    "date": _date,
    "place": _place,
    "stake": _stake,
    "abandoned": _abandoned,
}
