"""Where pages' files and matches are, in a checkout and in an installed package."""

import sys
from pathlib import Path

import pytest

from scorepad import paths


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout that scorepad seems to run from."""
    for folder in "scorepad", "templates", "static":
        (tmp_path / folder).mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path / "scorepad")
    monkeypatch.setattr(paths, "_CHECKOUT", tmp_path)
    monkeypatch.delenv("SCOREPAD_DATA", raising=False)
    return tmp_path


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that was installed from a wheel."""
    package = tmp_path / "scorepad"
    for folder in "templates", "static":
        (package / folder).mkdir(parents=True)
    monkeypatch.setattr(paths, "_PACKAGE", package)
    monkeypatch.setattr(paths, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    for name in "SCOREPAD_DATA", "XDG_DATA_HOME", "LOCALAPPDATA":
        monkeypatch.delenv(name, raising=False)
    return package


def test_a_checkout_has_its_files_beside_the_package(checkout: Path) -> None:
    assert paths.in_checkout()
    assert paths.asset_dir("templates") == checkout / "templates"
    assert paths.data_dir() == checkout / "instance"


def test_an_installed_package_carries_its_files(installed: Path) -> None:
    assert not paths.in_checkout()
    assert paths.asset_dir("static") == installed / "static"


def test_these_tests_run_from_a_checkout() -> None:
    assert paths.in_checkout()
    assert paths.asset_dir("templates").parent == Path(__file__).resolve().parent.parent


def test_an_installation_without_pages_is_refused(installed: Path) -> None:
    (installed / "static").rmdir()
    with pytest.raises(FileNotFoundError, match="static is missing"):
        paths.asset_dir("static")


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", ".local/share/scorepad"),
        ("darwin", "Library/Application Support/scorepad"),
        ("win32", "AppData/Local/scorepad"),
    ],
)
def test_an_installed_package_keeps_matches_with_the_users_data(
    platform: str, expected: str, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert paths.data_dir() == Path("/home/anna") / expected


@pytest.mark.parametrize(("platform", "name"), [("linux", "XDG_DATA_HOME"), ("win32", "LOCALAPPDATA")])
def test_the_system_may_name_another_place_for_data(
    platform: str, name: str, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(name, "/elsewhere")
    assert paths.data_dir() == Path("/elsewhere/scorepad")


def test_scorepad_data_comes_before_everything(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREPAD_DATA", str(checkout / "kept" / ".." / "here"))
    assert paths.data_dir() == checkout / "here"


def test_scorepad_data_may_start_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    monkeypatch.setenv("SCOREPAD_DATA", "~/barbu")
    assert paths.data_dir() == Path("/home/anna/barbu")
