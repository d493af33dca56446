"""Measures everything, on whatever machine this is.

`make bench ARGS=phone` measures only one part; `make bench ARGS="load 10"` fills the room for ten seconds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from conftest import BROWSER_ARGUMENTS, Server
from playwright.sync_api import sync_playwright

from benchmarks import crash, lighthouse, load, phone, serving, sheets

PARTS = ("server", "sheets", "crash", "load", "phone", "lighthouse")
IN_A_BROWSER = {"phone", "lighthouse"}


def main(parts: list[str]) -> None:
    """Measure these parts, or all; without a browser only the server. A number is the seconds of the load."""
    seconds = [float(part) for part in parts if part.isdigit()]
    parts = [part for part in parts if not part.isdigit()]
    if wrong := [part for part in parts if part not in PARTS]:
        sys.exit(f"There is no {wrong[0]} to measure, but {', '.join(PARTS)}.")
    parts = parts or list(PARTS)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if "server" in parts:
            serving.measure(Path(folder))
        if "sheets" in parts:
            of_sheets(Path(folder))
        if "crash" in parts:
            while_it_dies(Path(folder))
        if "load" in parts:
            under_load(Path(folder), *seconds)
        if IN_A_BROWSER & set(parts):
            in_a_browser(parts, Path(folder))


def of_sheets(folder: Path) -> None:
    """What sheets take, and what pages take meanwhile, in front of a real server."""
    server = Server(folder / "printing")
    sheets.measure(server)
    server.stop()


def while_it_dies(folder: Path) -> None:
    """What is left of a server that is killed while it saves."""
    server = Server(folder / "killed")
    crash.measure(server)
    server.stop()


def under_load(folder: Path, *seconds: float) -> None:
    """What is measured while many ask a real server at once."""
    server = Server(folder / "loaded")
    load.measure(server, *seconds)
    server.stop()


def in_a_browser(parts: list[str], folder: Path) -> None:
    """What is measured in a browser, in front of a real server."""
    found = subprocess.run(["sh", ".ci/browser"], capture_output=True, text=True, check=False)
    chromium = found.stdout.strip()
    if not chromium:
        print("\nThere is no Chrome or Chromium to measure the pages with.")
        return
    server = Server(folder / "served")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=BROWSER_ARGUMENTS)
        if "phone" in parts:
            phone.measure(browser, server)
        if "lighthouse" in parts:
            lighthouse.measure(browser, server, chromium, folder)
        browser.close()
    server.stop()


main(sys.argv[1:])
