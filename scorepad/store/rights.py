"""Who may write a match: devices, scoring keys, how a right is handed on, and what devices are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scorepad.store import access, seatcodes
from scorepad.store.access import Access, Right, find_match, match_id_of
from scorepad.store.beside import NAME_OF, put_setting, read_device_names
from scorepad.store.database import Database
from scorepad.store.refusals import UnknownMatch
from scorepad.store.seatcodes import SeatCode
from scorepad.table import Seat


class Rights:
    """The rights that a database keeps: which device and which key may score which match."""

    database: Database
    now: Callable[[], str]

    def access_by_key(self, slug: str, key: str) -> Access:
        """What the bearer of this key may do with a match."""
        db = self.database.reading()
        opened = access.match_of_key(db, key)
        if opened is None or opened != find_match(db, slug):
            return Access(Right.WRONG)
        return Access(Right.SCORE, access.name_of_key(key))

    def access_by_device(self, slug: str, token: str | None) -> Access:
        """What the device with this cookie may do with a match."""
        db = self.database.reading()
        device = access.device_of(db, token) if token else None
        if device is None:
            return Access(Right.NONE)
        match_id = find_match(db, slug)
        if match_id is None or not access.has_right(db, device, match_id):
            return Access(Right.WRONG)
        return Access(Right.SCORE, f"device {device}")

    def device(self, token: str | None) -> int | None:
        """The device with this cookie, if it is known."""
        return access.device_of(self.database.reading(), token) if token else None

    def make_device(self) -> tuple[int, str]:
        """A new device and the token for its cookie."""
        with self.database.writing() as db:
            return access.make_device(db, self.now())

    def slug_of_key(self, key: str) -> str | None:
        """The match that a scoring key opens."""
        db = self.database.reading()
        match_id = access.match_of_key(db, key)
        if match_id is None:
            return None
        return str(db.execute("SELECT slug FROM match WHERE id = ?", [match_id]).fetchone()[0])

    def has_ended(self, key: str) -> bool:
        """Whether this was a scoring key until others took its place."""
        return access.has_ended(self.database.reading(), key)

    def join(self, key: str, device: int) -> str | None:
        """Let a device score the match that this key opens; answers its slug, or None for a wrong key."""
        with self.database.writing() as db:
            match_id = access.match_of_key(db, key)
            if match_id is None:
                return None
            access.give_right(db, device, match_id, self.now())
        return self.slug_of_key(key)

    def new_score_key(self, slug: str, *, end_others: bool = False, but_for: int | None = None) -> str:
        """A fresh scoring key of a match, be it in the bin; raises UnknownMatch.

        `end_others` ends all others and every device's right but one's.
        """
        with self.database.writing() as db:
            if (match_id := find_match(db, slug)) is None:
                raise UnknownMatch(slug)
            if end_others:
                access.end_keys(db, match_id, self.now(), but_for)
            return access.make_key(db, match_id, self.now())

    def new_seat_codes(self, slug: str, seats: Sequence[Seat]) -> tuple[tuple[Seat, str], ...]:
        """A fresh code for each of these seats, by which one signs; all older ones are ended."""
        with self.database.writing() as db:
            return seatcodes.make_codes(db, match_id_of(db, slug), seats, self.now())

    def seat_of_code(self, code: str) -> SeatCode | None:
        """What a code for a seat opens, or opened before it ended."""
        return seatcodes.find_code(self.database.reading(), code)

    def device_names(self, slug: str) -> Mapping[str, str]:
        """The names that devices and keys were given, by what the record calls them; raises UnknownMatch."""
        db = self.database.reading()
        return read_device_names(db, match_id_of(db, slug))

    def name_devices(self, slug: str, names: Mapping[str, str]) -> None:
        """Give devices and keys names, "" for none; raises UnknownMatch."""
        with self.database.writing() as db:
            match_id = match_id_of(db, slug)
            for by, name in names.items():
                put_setting(db, match_id, f"{NAME_OF}{by}", name)
