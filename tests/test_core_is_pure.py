"""The rules of Barbu are pure functions: what each core module may import, and how long it may be."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import scorepad

PACKAGE = Path(scorepad.__file__).parent

#: The core, each module after those it may import (design.md, "The shape of the code").
CORE = (
    "table",
    "rules",
    "contracts",
    "doubles",
    "ledger",
    "match",
    "settling",
    "standing",
    "explain",
    "debts",
    "meanings",
    "matchfile",
)

#: The modules of the match file, each after those of its own package that it may import.
MATCHFILE = ("fields", "houserules", "deals", "reading", "schema", "writing", "fingerprint", "__init__")

#: No clock, no chance, nothing outside the program, nothing that runs beside it.
FORBIDDEN = frozenset(
    {
        *("datetime", "time", "zoneinfo"),
        *("random", "secrets", "uuid"),
        *("glob", "io", "os", "pathlib", "shutil", "sqlite3", "tempfile"),
        *("http", "socket", "ssl", "urllib"),
        *("asyncio", "multiprocessing", "signal", "subprocess", "threading"),
        *(
            "builtins",
            "ctypes",
            "gc",
            "importlib",
            "inspect",
            "locale",
            "logging",
            "pickle",
            "platform",
            "sys",
        ),
    }
)

#: Built-in functions that reach outside.
REACHING_OUT = frozenset({"open", "print", "input", "exec", "eval", "__import__", "breakpoint", "globals"})

LONGEST_MODULE = 300


def core_files() -> list[Path]:
    """Every file of the core."""
    single = [PACKAGE / f"{name}.py" for name in CORE if name != "matchfile"]
    return [*single, *sorted((PACKAGE / "matchfile").glob("*.py"))]


def imports(file: Path) -> Iterator[str]:
    """The modules a file imports, by their full names."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}: write imports in full"
            assert node.module is not None
            names = [f"scorepad.{alias.name}" for alias in node.names]
            yield from names if node.module == "scorepad" else [node.module]


def place(file: Path) -> str:
    """Which module of the core a file belongs to."""
    return "matchfile" if file.parent.name == "matchfile" else file.stem


every_core_file = pytest.mark.parametrize("file", core_files(), ids=lambda f: str(f.relative_to(PACKAGE)))


@every_core_file
def test_the_core_needs_the_standard_library_only(file: Path) -> None:
    outside = {name.partition(".")[0] for name in imports(file)} - {"scorepad"}
    assert outside <= sys.stdlib_module_names


@every_core_file
def test_the_core_knows_no_clock_no_chance_and_no_files(file: Path) -> None:
    assert {name.partition(".")[0] for name in imports(file)}.isdisjoint(FORBIDDEN)
    tree = ast.parse(file.read_text(encoding="utf-8"))
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    assert called.isdisjoint(REACHING_OUT)


@every_core_file
def test_a_core_module_imports_only_those_before_it(file: Path) -> None:
    allowed = set(CORE[: CORE.index(place(file))])
    for name in imports(file):
        top, _, ours = name.partition(".")
        if top != "scorepad":
            continue
        first, _, inside = ours.partition(".")
        if first == "matchfile" and place(file) == "matchfile":
            assert inside in MATCHFILE[: MATCHFILE.index(file.stem)]
        else:
            assert first in allowed


@every_core_file
def test_a_core_module_can_be_read_in_one_sitting(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) < LONGEST_MODULE


def test_every_file_of_the_match_file_has_its_place() -> None:
    assert {f.stem for f in (PACKAGE / "matchfile").glob("*.py")} == set(MATCHFILE)
