"""What is deployed is locked: every library that scorepad runs with, in a version it allows, with hashes."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


def locked() -> list[Requirement]:
    """Each library of the lock file with its version and where it is needed."""
    lines = re.sub(r"\\\n", "", LOCK).splitlines()
    named = (line.partition("--hash")[0] for line in lines if re.match("[a-z]", line))
    return [Requirement(line) for line in named]


def asked_for() -> list[Requirement]:
    """What scorepad itself says it runs with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(line) for line in project["dependencies"]]


@pytest.mark.parametrize("wanted", asked_for(), ids=str)
def test_every_library_is_locked_in_a_version_that_is_allowed(wanted: Requirement) -> None:
    found = [r for r in locked() if canonicalize_name(r.name) == canonicalize_name(wanted.name)]
    assert found, "make lock writes it anew"
    for one in found:
        (pin,) = one.specifier
        assert pin.operator == "=="
        assert pin.version in wanted.specifier


def test_everything_is_pinned_and_has_hashes() -> None:
    for part in re.split(r"\n(?=[a-z])", LOCK.strip()):
        assert re.match(r"[a-z0-9-]+==[0-9]", part)
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", part)


def test_no_place_is_named_from_which_it_comes() -> None:
    assert not re.search(r"://|file:|index-url|find-links| @ ", LOCK)


def test_what_runs_here_is_locked() -> None:
    """Everything the libraries of scorepad need in turn, on this Python and this system."""
    names = {canonicalize_name(r.name) for r in locked() if r.marker is None or r.marker.evaluate()}
    waiting, seen = [r.name for r in asked_for()], set[str]()
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in seen:
            continue
        seen.add(name)
        assert name in names, f"{name} is not in the lock file: make lock writes it anew"
        needed = (Requirement(line) for line in requires(name) or ())
        waiting += [r.name for r in needed if r.marker is None or r.marker.evaluate({"extra": ""})]


@pytest.mark.slow
def test_the_lock_installs(tmp_path: Path) -> None:
    """Takes the libraries from the registry, so this needs the network."""
    venv.create(tmp_path, with_pip=True)
    python = str(tmp_path / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--require-hashes"]
    subprocess.run([*pip, "--requirement", str(ROOT / "requirements.lock")], check=True, cwd=tmp_path)
    names = "import flask, flask_limiter, sqlite_utils, waitress, segno, flask_babel"
    subprocess.run([python, "-c", names], check=True, cwd=tmp_path)
