"""Makes every icon from `static/icon.svg`; run it in the root of the repository after changing that file."""

import re
import shutil
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

STATIC = Path("static")

#: Phones may cut a maskable icon to a circle four fifths as wide; at this scale the artwork stays inside.
INSIDE_A_CIRCLE = 0.9
COLOURS = 48


def on_full_ground(svg: str, scale: float) -> str:
    """The artwork at this scale, on a ground that goes to the edge."""
    found = re.fullmatch(
        r'(<svg[^>]*viewBox="0 0 (\d+) \d+">)(<rect[^>]*?) rx="\d+"(.*?/>)(.*)</svg>\s*', svg
    )
    if not found:
        raise ValueError("the first element of icon.svg is no longer its ground")
    head, size, rect, colour, artwork = found.groups()
    moved = f"{int(size) * (1 - scale) / 2:g}"
    return (
        f'{head}{rect}{colour}<g transform="translate({moved} {moved}) scale({scale})">{artwork}</g></svg>\n'
    )


def draw(browser: Browser, svg: str, size: int, name: str) -> None:
    """Draw the artwork, in as few colours as it needs."""
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px;height:{size}px}}</style>{svg}")
    picture = Image.open(BytesIO(page.screenshot(omit_background=True)))
    picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(STATIC / name, optimize=True)
    page.close()


def main() -> None:
    """Write them all."""
    svg = (STATIC / "icon.svg").read_text(encoding="utf-8")
    maskable = on_full_ground(svg, INSIDE_A_CIRCLE)
    (STATIC / "icon-maskable.svg").write_text(maskable, encoding="utf-8")
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or playwright.chromium.executable_path
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        draw(browser, svg, 192, "icon-192.png")
        draw(browser, svg, 512, "icon-512.png")
        draw(browser, maskable, 512, "icon-maskable-512.png")
        draw(browser, maskable, 180, "apple-touch-icon.png")
        browser.close()


main()
