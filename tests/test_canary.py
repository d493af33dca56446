"""A sheet asks nobody for anything: a server listens where everything in it points to, and hears nothing."""

from __future__ import annotations

import base64
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pypdf
import pytest
from builders import deal_entry, match_file

from scorepad.matchfile import read_match
from scorepad.messages import Words
from scorepad.paths import asset_dir
from scorepad.pdf import PdfMaker
from scorepad.printing import sheet_html

SECRET = "the-secret-word"


class Canary:
    """A server on this computer that notes whatever it is asked for."""

    def __init__(self) -> None:
        """Listen."""
        self.heard = heard = list[str]()

        class Notes(BaseHTTPRequestHandler):
            """Notes the address and answers with a text."""

            def do_GET(self) -> None:
                """Any address."""
                heard.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(SECRET.encode())

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Notes)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Listen no more."""
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def canary() -> Iterator[Canary]:
    """A server that ought to hear nothing."""
    made = Canary()
    yield made
    made.close()


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PdfMaker]:
    """What makes PDFs of our own sheets."""
    made = PdfMaker(tmp_path_factory.mktemp("sheets"), base=asset_dir("static"))
    yield made
    made.close()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that is none of ours."""
    path = tmp_path / "secret.svg"
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg"><text y="9">{SECRET}</text></svg>')
    return path


def text_of(path: Path) -> str:
    """All that is written in a PDF."""
    return "\n".join(sheet.extract_text() for sheet in pypdf.PdfReader(path).pages)


def test_what_people_have_typed_stays_text(
    canary: Canary, maker: PdfMaker, secret: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Markup and addresses in names, title, place, notes and reasons are written as they stand."""
    url, file = canary.url, secret.as_uri()
    names = [
        f"<img src={url}>"[:40],
        "@import url(//127.0.0.1)",
        "<link rel=attachment href=/etc>",
        "{{7*7}}",
    ]
    a, b, c, _ = names
    source = match_file(
        deal_entry(
            "Anna T", result={"tricks": {a: 13}}, note=f'<img src="{url}/note.png"><iframe src="{file}">'
        )
        | {"declarer": a},
        deal_entry("Ben D", result={"order": names}, note=f'"><style>@import "{url}/note.css"</style>')
        | {"declarer": b},
        players=names,
        first_declarer=a,
        title=f'</title><link rel=stylesheet href="{url}/title.css"><base href="{url}">',
        place=f'<a rel=attachment href="{file}">',
        stake={"per_point": "1", "currency": f"<img src={url}/currency>"},
        agreed_points=[{"after_deal": 1, "points": {c: 5}, "reason": f'<embed src="{url}/reason">'}],
        replaced=[{"from_deal": 2, "seat": 4, "name": f"<img src={url}/e>"[:40]}],
    )
    reading = read_match(source)
    assert reading.match
    assert not reading.problems
    html = sheet_html(reading.match, Words(reading.match.players))
    made = maker.make(html)
    assert canary.heard == []
    assert not caplog.records
    said = "".join(text_of(made).split())
    assert SECRET not in said
    assert "<embedsrc=" in said
    attached = pypdf.PdfReader(made).attachments
    assert not [name for name, (content, *_) in attached.items() if SECRET.encode() in content]


VECTORS = (
    '<link rel="stylesheet" href="{url}/1.css">',
    '<link rel="attachment" href="{file}">',
    '<style>@import url("{url}/2.css"); body {{ background: url({url}/3.png) }}</style>',
    "<style>@font-face {{ font-family: Theirs; src: url({url}/4.ttf) }} p {{ font-family: Theirs }}</style>",
    '<style>p::before {{ content: url("{file}") }} li {{ list-style-image: url({url}/5.png) }}</style><li>1',
    '<p style="background-image: url({url}/6.png); border-image: url({file})">styled</p>',
    '<img src="{url}/7.png" srcset="{url}/8.png 2x"><img src="{file}"><img src="//127.0.0.1/9.png">',
    '<object data="{file}"></object><embed src="{url}/10.svg"><iframe src="{file}"></iframe>',
    '<a rel="attachment" href="{file}">theirs</a><a rel="attachment" href="{url}/11">theirs</a>',
    '<svg width="9" height="9"><image href="{file}" width="9"/><use href="{file}#a"/></svg>',
    '<img src="data:image/svg+xml;base64,{svg}">',
    '<link rel="stylesheet" href="data:text/css,@import%20url({url}/12.css)">',
    '<base href="{url}/"><img src="13.png"><link rel="stylesheet" href="14.css">',
    '<meta http-equiv="refresh" content="0; url={url}/15">',
)


def test_even_a_page_of_somebody_elses_making_fetches_nothing(
    canary: Canary, maker: PdfMaker, secret: Path
) -> None:
    """Were markup ever let through, what it points to would still stay outside, pictures in pictures too."""
    inner = (
        f'<!DOCTYPE svg [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<style>@import url({canary.url}/16.css);</style><image xlink:href="{canary.url}/17.png"/>'
        f'<image href="{secret.as_uri()}"/><text>&amp;x;</text></svg>'
    )
    svg = base64.b64encode(inner.encode()).decode()
    for vector in VECTORS:
        markup = vector.format(url=canary.url, file=secret.as_uri(), svg=svg)
        made = maker.make(f"<!doctype html><html lang=en><title>Theirs</title><body>{markup}")
        assert canary.heard == [], vector
        assert SECRET not in text_of(made), vector
        assert not pypdf.PdfReader(made).attachments, vector
        assert SECRET.encode() not in made.read_bytes(), vector


def test_the_canary_hears() -> None:
    """It would have noticed."""
    canary = Canary()
    try:
        urllib.request.urlopen(f"{canary.url}/here").close()
    finally:
        canary.close()
    assert canary.heard == ["/here"]
