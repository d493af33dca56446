"""The deal that the README scores by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

from scorepad.matchfile import FORMAT, read_match
from scorepad.messages import signed
from scorepad.standing import standing

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def rows_of_the_table() -> dict[str, list[str]]:
    """The rows of the README's table by their first cell."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines() if "|" in line
    ]
    return {cells[0]: cells[1:] for cells in rows}


def number(cell: str) -> int:
    """A cell's figure; an empty one is nothing."""
    return int(cell.replace("−", "-") or 0)


def test_the_deal_scored_by_hand() -> None:
    """The README's figures are those of the core, and its lines add up to its score."""
    found = re.search(r"```json\n(.*?)```", README, re.DOTALL)
    assert found
    rows = rows_of_the_table()
    players = rows[""]
    match = read_match({"format": FORMAT, "players": players, "deals": [json.loads(found[1])]}).match
    assert match
    result = standing(match).deals[0]
    assert result.basic
    assert result.score
    assert [signed(p) for p in result.basic] == rows["basic score"]
    assert [signed(p) for p in result.score] == rows["score"]
    lines = [cells for label, cells in rows.items() if label and label != "score" and "-" not in label]
    assert [sum(number(cells[s]) for cells in lines) for s in range(4)] == [number(c) for c in rows["score"]]


def test_the_commands_of_the_readme_exist() -> None:
    """Each command named in the README is one of the Makefile or of the command line."""
    from scorepad.cli import main  # noqa: PLC0415  clicks

    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([a-z-]+)", README)) - {"the"}:
        assert re.search(rf"^\.PHONY:.*\b{target}\b|^{target}[ :]", makefile, re.MULTILINE), target
    for command in set(re.findall(r"^scorepad ([a-z-]+)", README, re.MULTILINE)):
        assert command in main.commands
