"""The pages and the API: load, form, core, save, redirect or render."""

from __future__ import annotations

from flask import Flask

from scorepad.views import api, deal, errors, home, join, sheet, start, table


def register(app: Flask) -> None:
    """Add every page to the app."""
    for module in (home, start, table, deal, join, sheet, api):
        app.register_blueprint(module.pages)
    errors.register(app)
