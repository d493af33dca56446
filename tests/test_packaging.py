"""What a wheel holds, and that one installed elsewhere serves."""

import os
import re
import shutil
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest

from scorepad import __version__

CHECKOUT = Path(__file__).resolve().parent.parent
INTO_THE_WHEEL = ("scorepad", "templates", "static")
DIST_INFO = f"scorepad-{__version__}.dist-info"
CATALOGUE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "trick"\nmsgstr "pli"\n'


def copy_of_the_checkout(to: Path) -> Path:
    """What git would carry, without git; with a language, a match and a test that must stay out."""
    for folder in INTO_THE_WHEEL:
        shutil.copytree(CHECKOUT / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for file in CHECKOUT.glob("*.*"):
        if file.is_file() and file.name != ".coverage":
            shutil.copy(file, to)
    shutil.copy(CHECKOUT / ".gitignore", to)
    for name, text in {
        "scorepad/translations/fr/LC_MESSAGES/messages.po": CATALOGUE,
        "instance/scorepad.db": "a match",
        "tests/test_nothing.py": "",
    }.items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_text(text, encoding="utf-8")
    return to


def pip(*arguments: str | Path, python: str | Path = sys.executable) -> None:
    command = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=plain_environment())
    assert ended.returncode == 0, ended.stderr


def plain_environment() -> dict[str, str]:
    """The environment, but for what measures this test's coverage and what sets scorepad up."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("COV", "SCOREPAD"))}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built with the tools of this environment."""
    source = copy_of_the_checkout(tmp_path_factory.mktemp("source"))
    target = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", target, source)
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def files_in(folder: str, suffixes: set[str]) -> set[str]:
    found = (path for path in (CHECKOUT / folder).rglob("*") if path.suffix in suffixes)
    return {path.relative_to(CHECKOUT).as_posix() for path in found}


def test_every_module_is_in_the_wheel(contents: set[str]) -> None:
    assert files_in("scorepad", {".py"}) - {"scorepad/_build_mo.py"} <= contents


@pytest.mark.parametrize("folder", ["templates", "static"])
def test_the_pages_files_are_inside_the_package(folder: str, contents: set[str]) -> None:
    files = [path for path in (CHECKOUT / folder).rglob("*") if path.is_file()]
    assert files
    assert {f"scorepad/{path.relative_to(CHECKOUT).as_posix()}" for path in files} <= contents


def test_translations_are_compiled(contents: set[str]) -> None:
    assert "scorepad/translations/fr/LC_MESSAGES/messages.mo" in contents


def test_nothing_else_is_in_the_wheel(contents: set[str]) -> None:
    assert {name.split("/")[0] for name in contents} == {"scorepad", DIST_INFO}
    assert not [name for name in contents if re.search(r"instance/|tests/|\.db$|_build_mo|\.pyc$", name)]


def test_the_wheel_brings_the_command(wheel: Path) -> None:
    entry_points = ConfigParser()
    with ZipFile(wheel) as archive:
        entry_points.read_string(archive.read(f"{DIST_INFO}/entry_points.txt").decode())
    assert entry_points["console_scripts"]["scorepad"] == "scorepad.__main__:main"


@contextmanager
def serving(command: list[str], data: Path) -> Iterator[str]:
    """The address at which the command serves, with its matches in `data`."""
    environment = {**plain_environment(), "XDG_DATA_HOME": str(data), "HOME": str(data)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=data, env=environment) as server:
        assert server.stdout
        try:
            found = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)), None)
            assert found, "it said no address"
            yield found.group()
        finally:
            server.terminate()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="where data goes is set for Linux here")
def test_an_installed_wheel_serves(wheel: Path, tmp_path: Path) -> None:
    """Takes the libraries from the registry, so this needs the network."""
    home = tmp_path / "home"
    home.mkdir()
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    pip("install", wheel, python=environment / "bin" / "python")

    command = [str(environment / "bin" / "scorepad"), "serve", "--host", "127.0.0.1", "--port", "0"]
    with serving(command, home) as url:
        for page in "", "healthz":
            with urllib.request.urlopen(url + page, timeout=20) as answer:
                assert answer.status == 200
    assert (home / "scorepad").is_dir(), "matches go to the user's data, not into the environment"
