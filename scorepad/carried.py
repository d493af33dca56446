"""The match file that travels inside the PDF of a sheet: what is put in, and how any file is read back."""

from __future__ import annotations

import json
import logging
from io import BytesIO

from scorepad.match import Match
from scorepad.matchfile import Reading, read, write_match
from scorepad.matchfile.fields import MOST_BYTES, FileTooLarge, Json
from scorepad.pdf import NAME_INSIDE
from scorepad.rules import RuleError
from scorepad.standing import Problem

#: The first bytes of a PDF; some programs write a little in front of them.
PDF_MARK, PDF_MARK_WITHIN = b"%PDF-", 1024

logging.getLogger("pypdf").addHandler(logging.NullHandler())  # what is wrong is said by our own sentences


class PdfNotReadable(RuleError):
    """The PDF is broken, cut short or locked."""


class NoMatchInPdf(RuleError):
    """The PDF holds no match file: it was printed by something else, or saved anew on the way."""


def written(match: Match, revision: int | None = None) -> str:
    """A match file as people keep it, with the revision of its record if it has one."""
    source: dict[str, Json] = write_match(match)
    if revision is not None:
        source["revision"] = revision
    return json.dumps(source, ensure_ascii=False, indent=1) + "\n"


def read_file(data: bytes) -> Reading:
    """Read a match file, or the one inside a PDF; never raises: what is wrong is in the list."""
    try:
        return read(match_inside(data) if is_pdf(data) else data)
    except RuleError as mistake:
        return Reading(None, (Problem(None, mistake),))


def is_pdf(data: bytes) -> bool:
    """Whether a file is a PDF, whatever it is called."""
    return PDF_MARK in data[:PDF_MARK_WITHIN]


def match_inside(pdf: bytes) -> bytes:
    """The match file inside a PDF; raises FileTooLarge, PdfNotReadable or NoMatchInPdf."""
    from pypdf import PdfReader  # noqa: PLC0415  few requests need it

    if len(pdf) > MOST_BYTES:
        raise FileTooLarge(most=MOST_BYTES)
    try:
        found = PdfReader(BytesIO(pdf), strict=True).attachments.get(NAME_INSIDE, [])
    except Exception:  # noqa: BLE001  pypdf raises whatever a broken PDF trips it up with
        raise PdfNotReadable from None
    if not found:
        raise NoMatchInPdf
    return bytes(found[0])
