"""Where the pages' files are found and where matches are kept.

In a checkout `templates/`, `static/` and `instance/` stand beside the package. An installed wheel carries
the first two inside the package, and must not keep matches there: the next upgrade would throw them away.
"""

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent


def in_checkout() -> bool:
    """True when this code runs from its repository (as it is, or installed with `pip install -e`)."""
    return (
        not (_PACKAGE / "templates").is_dir()
        and (_CHECKOUT / "pyproject.toml").is_file()
        and (_CHECKOUT / "templates").is_dir()
    )


def asset_dir(name: str) -> Path:
    """The folder `name` ("templates" or "static") of this installation.

    Raises FileNotFoundError when it is not there, since no page could be shown without it.
    """
    folder = (_CHECKOUT if in_checkout() else _PACKAGE) / name
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is missing: scorepad is not installed completely")
    return folder


def data_dir() -> Path:
    """The folder that holds the matches and the secret key; it need not exist yet.

    `SCOREPAD_DATA` if set, else `instance/` in a checkout, else the place this system keeps for a
    user's data.
    """
    if chosen := os.environ.get("SCOREPAD_DATA"):
        return Path(chosen).expanduser().resolve()
    if in_checkout():
        return _CHECKOUT / "instance"
    return _user_data_dir() / "scorepad"


def _user_data_dir() -> Path:
    home = Path.home()
    match sys.platform:
        case "win32":
            return Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local")
        case "darwin":
            return home / "Library/Application Support"
        case _:
            return Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
