"""What the store refuses, one class for each reason; nothing was written."""

from __future__ import annotations

from typing import Any

from scorepad.standing import Problem

Json = Any


class UnknownMatch(LookupError):
    """No match has this address."""


class DeletedMatch(UnknownMatch):
    """The match at this address is in the bin."""


class UnknownDeal(LookupError):
    """The match has no deal of this id."""


class Refused(ValueError):
    """The rules refuse what should be saved; nothing was written."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep everything that is wrong."""
        super().__init__(problems)
        self.problems = problems


class SaveConflict(ValueError):
    """Somebody else's save stands in the way; both versions are kept for the table to choose."""

    code = "stale"

    def __init__(self, yours: Json, theirs: Json, revision: int, deal_id: str = "") -> None:
        """What should be saved, what stands, and the revision at which it stands."""
        super().__init__(self.code)
        self.yours, self.theirs, self.revision, self.deal_id = yours, theirs, revision, deal_id


class Stale(SaveConflict):
    """The deal was changed by somebody else since it was read."""


class NumberTaken(SaveConflict):
    """Another deal has the number that this one was to have."""


class IdReused(SaveConflict):
    """The same id was used for another save; the figures were changed and saved again."""

    code = "id_reused"


class Closed(ValueError):
    """The match is closed: nothing in it changes until it is reopened, and nothing was written."""


class NotClosed(ValueError):
    """Only a closed match is signed or reopened; nothing was written."""


class NotOver(ValueError):
    """Only a match that is over is closed; nothing was written."""


class UnknownCode(ValueError):
    """The code for a seat was used, replaced or ended, or never was one; nothing was written."""
