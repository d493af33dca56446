"""Where matches are kept: SQLite, an append-only record of each match, drafts, and who may write."""

from scorepad.store.access import Access, Right
from scorepad.store.beside import Beside
from scorepad.store.bin import Binned
from scorepad.store.database import Database
from scorepad.store.drafts import Draft, DraftTaken
from scorepad.store.history import Change, Side, Step
from scorepad.store.record import (
    Answer,
    Brought,
    DeletedMatch,
    IdReused,
    KeptDeal,
    KeptMatch,
    NumberTaken,
    Refused,
    Save,
    SaveConflict,
    Stale,
    UnknownDeal,
    UnknownMatch,
)
from scorepad.store.store import Store
from scorepad.store.trouble import NotSaved, Trouble

__all__ = [
    "Access",
    "Answer",
    "Beside",
    "Binned",
    "Brought",
    "Change",
    "Database",
    "DeletedMatch",
    "Draft",
    "DraftTaken",
    "IdReused",
    "KeptDeal",
    "KeptMatch",
    "NotSaved",
    "NumberTaken",
    "Refused",
    "Right",
    "Save",
    "SaveConflict",
    "Side",
    "Stale",
    "Step",
    "Store",
    "Trouble",
    "UnknownDeal",
    "UnknownMatch",
]
