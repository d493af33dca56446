"""Where matches are kept: SQLite, an append-only record of each match, drafts, and who may write."""

from scorepad.store.access import Access, Right
from scorepad.store.beside import Beside
from scorepad.store.bin import Binned
from scorepad.store.database import Database
from scorepad.store.drafts import Draft, DraftTaken
from scorepad.store.history import Change, Side, Step
from scorepad.store.record import Answer, Brought, KeptDeal, KeptMatch, Save
from scorepad.store.refusals import (
    Closed,
    DeletedMatch,
    IdReused,
    NotClosed,
    NotOver,
    NumberTaken,
    Refused,
    SaveConflict,
    Stale,
    UnknownCode,
    UnknownDeal,
    UnknownMatch,
)
from scorepad.store.signatures import How, Signature
from scorepad.store.store import Store
from scorepad.store.trouble import NotSaved, Trouble

__all__ = [
    "Access",
    "Answer",
    "Beside",
    "Binned",
    "Brought",
    "Change",
    "Closed",
    "Database",
    "DeletedMatch",
    "Draft",
    "DraftTaken",
    "How",
    "IdReused",
    "KeptDeal",
    "KeptMatch",
    "NotClosed",
    "NotOver",
    "NotSaved",
    "NumberTaken",
    "Refused",
    "Right",
    "Save",
    "SaveConflict",
    "Side",
    "Signature",
    "Stale",
    "Step",
    "Store",
    "Trouble",
    "UnknownCode",
    "UnknownDeal",
    "UnknownMatch",
]
