"""scorepad: the score pad for Barbu. `create_app` makes the web app."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

__version__ = "0.1.0"


def create_app(data: Path | None = None, config: Mapping[str, Any] | None = None) -> Flask:
    """The web app, with its matches in the folder `data` (else where `scorepad.paths.data_dir` says)."""
    from scorepad.app import make_app  # noqa: PLC0415  the core is read without the web

    return make_app(data, config or {})
