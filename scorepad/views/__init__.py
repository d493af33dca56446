"""The pages and the API: load, form, core, save, redirect or render."""

from __future__ import annotations

from flask import Flask

from scorepad.views import (
    again,
    api,
    byhand,
    calculator,
    card,
    change,
    deal,
    deleting,
    errors,
    history,
    home,
    insert,
    install,
    join,
    settle,
    sheet,
    signing,
    start,
    table,
    take,
    totals,
    unsaved,
    verify,
)


def register(app: Flask) -> None:
    """Add every page to the app."""
    modules = (
        home,
        start,
        table,
        totals,
        again,
        deal,
        change,
        insert,
        deleting,
        history,
        settle,
        join,
        signing,
        sheet,
        take,
        byhand,
        card,
        calculator,
        verify,
        install,
        api,
    )
    for module in modules:
        app.register_blueprint(module.pages)
    errors.register(app)
    unsaved.register(app)
