"""Takes the README's picture: serve the demo on port 8000, then `python docs/phone.py /join/…`."""

import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
PHONE = {"width": 390, "height": 844}


def take(page: Page, key: str) -> list[Path]:
    """The deal page with its tally entered, and the table page."""
    page.goto(f"http://127.0.0.1:8000{key}")
    page.tap(".save")
    page.wait_for_url("**/m/*")
    table = HERE / "table.png"
    page.screenshot(path=table)
    page.tap(".save")
    page.wait_for_url("**/deals/new")
    for n in (3, 2, 5):
        page.locator(".counts:visible .key").nth(n).tap()
    page.evaluate("window.scrollTo(0, 640)")
    page.wait_for_timeout(200)
    deal = HERE / "deal.png"
    page.screenshot(path=deal)
    return [deal, table]


def main() -> None:
    """Put the two pages side by side; the path that joins the match (/join/…) is the first argument."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True)
        paths = take(context.new_page(), sys.argv[1])
        browser.close()
    pictures = [Image.open(path) for path in paths]
    width, height = pictures[0].size
    both = Image.new("RGB", (2 * width + 40, height), "white")
    for place, picture in enumerate(pictures):
        both.paste(picture, (place * (width + 40), 0))
        paths[place].unlink()
    both.quantize(128).save(HERE / "phone.png", optimize=True)


main()
