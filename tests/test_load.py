"""Eight clients save, twenty phones watch and PDFs are made at once: nothing fails, the figures are right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Server
from disks import ended
from room import check, fill

KINDS = {
    "a save",
    "a PDF",
    "has anything changed?",
    "how does the match stand?",
    "the page of a deal",
    "the table page",
}


class TalkingServer(Server):
    """A server of which every complaint is kept."""

    def __init__(self, folder: Path) -> None:
        """Its data and its complaints are in this folder."""
        self.complaints = folder / "complaints.txt"
        super().__init__(folder / "data")


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[TalkingServer]:
    """A server process with a data folder of its own."""
    with ended(TalkingServer(tmp_path)) as running:
        yield running


@pytest.mark.parametrize("seconds", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_a_full_room(busy: TalkingServer, seconds: int) -> None:
    room, clients = fill(busy.port, seconds)
    measured = room.measured()
    assert set(measured) == KINDS
    assert {kind: m.failed for kind, m in measured.items() if m.failed} == {}
    assert not any(client.repeated for client in clients)  # no connection broke
    check(busy.data, busy.port, clients)
    assert busy.complaints
    assert busy.complaints.read_text(encoding="utf-8") == ""
