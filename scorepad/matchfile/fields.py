"""Reading JSON field by field: every mistake is noted, none stops the reading."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from enum import Enum
from itertools import islice
from typing import Any, TypeVar

from scorepad.rules import RuleError

MOST_BYTES = 1_000_000
LARGEST_NUMBER = 1_000_000
LONGEST_SHOWN = 40
DEEPEST_NESTING = 20

#: No list of players and no object has so many entries; what stands behind them is not looked at.
MOST_ENTRIES = 20

#: Composing takes long where thousands of accents stand on one letter; no text so long is ever kept.
LONGEST_COMPOSED = 800

Json = Any
T = TypeVar("T")
D = TypeVar("D")
S = TypeVar("S")
E = TypeVar("E", bound=Enum)


class FileTooLarge(RuleError):
    """A match file is never as large as this (most)."""


class FileNotUtf8(RuleError):
    """The file is not UTF-8 text."""


class FileNotJson(RuleError):
    """The text is not JSON (line, column)."""


class FieldTwice(RuleError):
    """A field stands twice in one object, so that one of the two would be lost (name)."""


class FieldMissing(RuleError):
    """A field that must be there is not (name)."""


class UnknownField(RuleError):
    """A field that scorepad does not know (name)."""


class WrongKind(RuleError):
    """A field holds another kind of thing than it should (name, wanted)."""


class UnknownValue(RuleError):
    """A field holds none of the values it may have (name, found, allowed)."""


class NotAWholeNumber(RuleError):
    """A number that has to be whole and written in plain digits (name, found)."""


class NumberTooLarge(RuleError):
    """A number beyond what scorepad counts (name, most)."""


class TooManyEntries(RuleError):
    """A list or an object has more entries than one of its kind ever has (name, counted, most)."""


class SeveralMistakes(Exception):
    """More than one thing is wrong with a field."""

    def __init__(self, mistakes: list[RuleError]) -> None:
        """Keep all of them."""
        super().__init__(mistakes)
        self.mistakes = mistakes


def each(name: str, entries: Collection[S], parse: Callable[[S], T]) -> list[T]:
    """What is read of each entry; raises all that is wrong with them, not the first."""
    read: list[T] = []
    mistakes: list[RuleError] = too_many(name, entries, MOST_ENTRIES)
    for entry in islice(entries, MOST_ENTRIES):
        try:
            read.append(parse(entry))
        except RuleError as mistake:
            mistakes.append(mistake)
        except SeveralMistakes as several:
            mistakes += several.mistakes
    if mistakes:
        raise SeveralMistakes(mistakes)
    return read


def too_many(name: str, entries: Collection[Json], most: int) -> list[RuleError]:
    """The mistake of a list or object that has more entries than are looked at."""
    return [TooManyEntries(name=name, counted=len(entries), most=most)] if len(entries) > most else []


class Fields:
    """A JSON object being read field by field; mistakes are gathered, none stops the reading."""

    def __init__(self, source: Json, name: str, mistakes: list[RuleError]) -> None:
        self.name, self.mistakes, self.known = name, mistakes, set[str]()
        self.is_object = isinstance(source, dict)
        self.fields: Mapping[str, Json] = source if self.is_object else {}
        if not self.is_object:
            mistakes.append(WrongKind(name=name, wanted="object"))

    def read(self, name: str, parse: Callable[[str, Json], T], default: D) -> T | D:
        """The field's value, or the default when it is absent or wrong (which is noted)."""
        self.known.add(name)
        if name not in self.fields:
            return default
        try:
            return parse(name, self.fields[name])
        except RuleError as mistake:
            self.mistakes.append(mistake)
        except SeveralMistakes as several:
            self.mistakes += several.mistakes
        return default

    def need(self, *names: str) -> None:
        """Note the fields that must be there and are not."""
        if self.is_object:
            self.mistakes += [FieldMissing(name=n) for n in names if n not in self.fields]

    def end(self) -> None:
        """Note the fields nobody asked for."""
        unknown = [name for name in self.fields if name not in self.known]
        self.mistakes += [UnknownField(name=short(name)) for name in unknown[:MOST_ENTRIES]]
        self.mistakes += too_many(self.name, unknown, MOST_ENTRIES)


def text(name: str, value: Json) -> str:
    """A text, in the composed form and without spaces at its ends."""
    if not isinstance(value, str):
        raise WrongKind(name=name, wanted="text")
    composed = unicodedata.normalize("NFC", value) if len(value) <= LONGEST_COMPOSED else value
    return composed.strip()


def yes_or_no(name: str, value: Json) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise WrongKind(name=name, wanted="boolean")
    return value


def whole(name: str, value: Json) -> int:
    """A whole number of a size that scorepad counts."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotAWholeNumber(name=name, found=short(value))
    if abs(value) > LARGEST_NUMBER:
        raise NumberTooLarge(name=name, most=LARGEST_NUMBER)
    return value


def short(value: Json) -> str:
    """A value as it stands in the file, cut to what a sentence can hold."""
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "…"


def listed(name: str, value: Json) -> list[Json]:
    """A list of anything."""
    if not isinstance(value, list):
        raise WrongKind(name=name, wanted="list")
    return value


def one_of(kind: type[E]) -> Callable[[str, Json], E]:
    """Reads one value of a closed set."""

    def parse(name: str, value: Json) -> E:
        if not isinstance(value, bool):
            for member in kind:
                if member.value == value and type(value) is type(member.value):
                    return member
        raise UnknownValue(name=name, found=short(value), allowed=tuple(str(m.value) for m in kind))

    return parse


def _object_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object in which no field stands twice."""
    made = dict(pairs)
    if len(made) != len(pairs):
        counted = Counter(name for name, _ in pairs)
        raise FieldTwice(name=short(next(name for name, n in counted.items() if n > 1)))
    return made


def _no_constant(name: str) -> Json:
    """NaN and Infinity are no JSON."""
    raise json.JSONDecodeError(name, "", 0)


def _is_nested_too_deep(value: Json) -> bool:
    """Whether lists and objects stand in one another deeper than in any match file."""
    level = [value]
    for _ in range(DEEPEST_NESTING):
        level = [
            inner
            for v in level
            if isinstance(v, dict | list)
            for inner in (v.values() if isinstance(v, dict) else v)
        ]
    return bool(level)


def parse(data: bytes | str) -> Json:
    """The JSON value of a file; raises a RuleError that says why it is none."""
    if len(data) > MOST_BYTES:
        raise FileTooLarge(most=MOST_BYTES)
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        value = json.loads(text, object_pairs_hook=_object_once, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()  # an escaped half of a character is no text
    except UnicodeError:
        raise FileNotUtf8 from None
    except json.JSONDecodeError as wrong:
        raise FileNotJson(line=wrong.lineno, column=wrong.colno) from None
    except RuleError:
        raise
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        raise FileNotJson(line=1, column=1) from None
    if _is_nested_too_deep(value):
        raise FileNotJson(line=1, column=1)
    return value
