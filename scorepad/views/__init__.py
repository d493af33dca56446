"""The pages and the API: load, form, core, save, redirect or render."""

from __future__ import annotations

from flask import Flask

from scorepad.views import again, api, change, deal, errors, home, insert, install, join, sheet, start, table


def register(app: Flask) -> None:
    """Add every page to the app."""
    for module in (home, start, table, again, deal, change, insert, join, sheet, install, api):
        app.register_blueprint(module.pages)
    errors.register(app)
