"""What a phone needs to install scorepad and start it offline; and scorepad under a path behind a proxy."""

from __future__ import annotations

import json
import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from builders import match_file
from click.testing import CliRunner
from conftest import Server
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from webpages import Page, Phone

from scorepad import app as making
from scorepad import cli, create_app, serving
from scorepad.paths import asset_dir
from scorepad.store import Store
from scorepad.views.install import NOT_BROUGHT

PREFIX = "/barbu"
LARGEST_PICTURE = 12_000


class Prefixed:
    """A proxy that serves the app under a path, as nginx and Caddy do, by https or by http."""

    def __init__(self, app: WSGIApplication, scheme: str = "http") -> None:
        self.app, self.scheme = app, scheme

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Any:
        """Take the prefix off the path, and say so in the headers."""
        if not environ["PATH_INFO"].startswith(f"{PREFIX}/"):
            start("404 Not Found", [])
            return [b"another app"]
        environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(PREFIX)
        environ["HTTP_X_FORWARDED_PREFIX"] = PREFIX
        environ["HTTP_X_FORWARDED_PROTO"] = self.scheme
        environ["HTTP_X_FORWARDED_FOR"] = "192.0.2.7"
        return self.app(environ, start)


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Flask]:
    """The app under a path behind a proxy."""
    made = create_app(tmp_path, {"TESTING": True, "BEHIND_PROXY": True})
    made.wsgi_app = Prefixed(made.wsgi_app)  # type: ignore[method-assign, assignment]
    yield made
    made.extensions["pdf"].close()
    made.extensions["store"].database.close()


def release_of(client: FlaskClient, path: str = "/sw.js") -> Any:
    """What the first line of the worker says."""
    first = client.get(path).text.partition("\n")[0]
    found = re.fullmatch(r"const RELEASE = (\{.*\});", first)
    assert found
    return json.loads(found[1])


def set_cookies(client: FlaskClient, address: str) -> list[str]:
    """The cookies that an answer sets."""
    return client.get(address).headers.getlist("Set-Cookie")


# The worker


def test_the_worker_is_served_where_it_may_serve_every_page(client: FlaskClient) -> None:
    answer = client.get("/sw.js")
    assert (answer.status_code, answer.mimetype) == (200, "text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in answer.headers
    assert answer.text.endswith((asset_dir("static") / "sw.js").read_text(encoding="utf-8"))
    again = client.get("/sw.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_worker_is_short(client: FlaskClient) -> None:
    assert len(client.get("/sw.js").text.splitlines()) < 80


def test_every_page_names_the_worker_and_the_manifest(client: FlaskClient) -> None:
    for address in "/", "/new", "/offline", "/nothing":
        page = Page(client.get(address))
        assert page.elements.one("html").attributes["data-worker"] == "/sw.js"
        assert page.elements.one("link", rel="manifest").attributes["href"] == "/manifest.webmanifest"
        assert page.html.count("<html ") == 1, "where the worker writes when a page was kept"


def test_what_the_worker_keeps_beforehand(client: FlaskClient, store: Store) -> None:
    """All that pages ask for, at the addresses they ask for, each for good; no match, no large font."""
    phone = Phone(client)
    slug = phone.start()
    assets = release_of(client)["assets"]
    wanted = {urljoin("/static/v-x/", "js/install.js")}
    for address in "/", "/new", f"/m/{slug}", f"/m/{slug}/deals/new", f"/m/{slug}/share", "/offline":
        for element in phone.open(address).elements.all():
            if element.tag in {"script", "use"} or element.attributes.get("rel") in {"stylesheet", "icon"}:
                named = element.attributes.get("src") or element.attributes.get("href", "")
                wanted.add(named.partition("#")[0])
    wanted -= {"", "/static/v-x/js/install.js"}
    wanted = {address for address in wanted if not address.endswith(tuple(NOT_BROUGHT))}
    assert wanted <= set(assets)
    assert len(assets) == len(set(assets))
    for address in assets:
        answer = client.get(address, buffered=True)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        assert not address.endswith((".ttf", ".png", "/sw.js", "/sheet.css", "/byhand.css"))
    assert any(address.endswith("fonts/suits.woff2") for address in assets)
    modules = {a.partition("/js/")[2] for a in assets if "/js/" in a}
    folder = asset_dir("static") / "js"
    ours = {f.relative_to(folder).as_posix() for f in folder.rglob("*.js")}
    assert modules == {name for name in ours if f"js/{name}" not in NOT_BROUGHT}
    assert slug not in client.get("/sw.js").text


def test_all_that_the_worker_brings_is_small(client: FlaskClient) -> None:
    """With the worker itself and the pages of a deal, everything a phone ever fetches is at most 60 kB."""
    slug = Phone(client).start()
    pages = ["/", f"/m/{slug}", f"/m/{slug}/deals/new", "/offline", "/sw.js", "/manifest.webmanifest"]
    sizes = {}
    for address in [*pages, *release_of(client)["assets"]]:
        answer = client.get(address, headers={"Accept-Encoding": "br"}, buffered=True)
        sizes[address] = len(answer.data)
    assert sum(sizes.values()) < 60_000, sizes


def test_a_new_release_is_another_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The version changes with any asset, the worker itself among them, and with nothing else."""
    copy = tmp_path / "static"
    shutil.copytree(asset_dir("static"), copy)
    monkeypatch.setattr(making, "asset_dir", lambda name: copy if name == "static" else asset_dir(name))

    def version() -> str:
        made = create_app(tmp_path / "data", {"TESTING": True})
        made.extensions["store"].database.close()
        release = release_of(made.test_client())
        assert all(f"/v-{release['version']}/" in address for address in release["assets"])
        return str(release["version"])

    seen = [version(), version()]
    assert seen[0] == seen[1]
    for file in "js/page.js", "pad.css", "sw.js":
        (copy / file).write_text((copy / file).read_text() + "\n", encoding="utf-8")
        seen.append(version())
    assert len(set(seen)) == len(seen) - 1


# The manifest


def test_the_manifest(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert (answer.status_code, answer.mimetype) == (200, "application/manifest+json")
    assert "Set-Cookie" not in answer.headers
    manifest = json.loads(answer.text)
    assert manifest["name"] == manifest["short_name"] == "scorepad"
    assert (manifest["start_url"], manifest["scope"], manifest["id"]) == (".", ".", "/")
    assert manifest["display"] == "standalone"
    css = (asset_dir("static") / "pad.css").read_text(encoding="utf-8")
    assert f"--felt: {manifest['theme_color']};" in css
    assert f"--felt-deep: {manifest['background_color']};" in css
    page = Page(client.get("/"))
    light = page.elements.one("meta", name="theme-color", media="(prefers-color-scheme: light)")
    assert light.attributes["content"] == manifest["theme_color"]


def test_the_icons(client: FlaskClient) -> None:
    """In every form that phones ask for, each as large as it says, and small to fetch."""
    icons = json.loads(client.get("/manifest.webmanifest").text)["icons"]
    kinds = {(i["type"], i["sizes"], i["purpose"]) for i in icons}
    assert {("image/svg+xml", "any", "any"), ("image/svg+xml", "any", "maskable")} <= kinds
    assert {("image/png", "192x192", "any"), ("image/png", "512x512", "any")} <= kinds
    apple = Page(client.get("/")).elements.one("link", rel="apple-touch-icon").attributes["href"]
    for icon in [*icons, {"src": apple, "sizes": "180x180", "type": "image/png"}]:
        answer = client.get(icon["src"], buffered=True)
        assert (answer.status_code, answer.mimetype) == (200, icon["type"])
        assert len(answer.data) < LARGEST_PICTURE
        if icon["type"] == "image/png":
            with Image.open(asset_dir("static") / icon["src"].rpartition("/")[2]) as picture:
                assert "{}x{}".format(*picture.size) == icon["sizes"]


# The page without connection


def test_the_offline_page(client: FlaskClient) -> None:
    """A page of ours that knows nobody: no cookie, no form, and a way to the matches."""
    answer = client.get("/offline")
    page = Page(answer)
    assert (page.status, page.heading) == (200, "No connection")
    assert "Set-Cookie" not in answer.headers
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    assert "/" in page.links
    assert not list(page.elements.all("form"))
    assert not [e for e in page.elements.all() if "style" in e.attributes or e.tag == "style"]


def test_bars_and_banners_are_hidden_until_there_is_something_to_say(client: FlaskClient) -> None:
    page = Page(client.get("/"))
    for name in "release", "as-of":
        assert "hidden" in page.elements.one(id=name).attributes
    assert "{time}" in page.elements.one(id="as-of").attributes["data-text"]


# Under a path, behind a proxy


def addresses_in(page: Page) -> Iterator[str]:
    """Every address of this server in a page."""
    for element in page.elements.all():
        for name in "href", "src", "action", "data-url", "data-worker":
            address = element.attributes.get(name, "").removeprefix("http://localhost")
            if address and not address.startswith("#"):
                yield address
        if element.tag == "script" and element.inside:
            yield from re.findall(r'"(/[^"]*)"', str(element.inside[0]))


def test_every_address_begins_with_the_path_of_the_app(behind: Flask) -> None:
    phone = Phone(behind.test_client())
    form = phone.open(f"{PREFIX}/new").form("start")
    page = phone.send(form, **{f"name_{n}": name for n, name in enumerate("ABCD")}, first=0)
    assert page.status == 200
    table = page.address.partition("?")[0]
    assert table.startswith(f"{PREFIX}/m/")
    saved = phone.send(phone.open(f"{table}/deals/new").form("deal"), contract="B", passed_out=1)
    seen = {p.address: p for p in (page, saved)}
    to_see = [f"{PREFIX}/", f"{PREFIX}/offline", f"{PREFIX}/nothing", table, f"{table}/deals/new"]
    while to_see:
        if (address := to_see.pop()) not in seen:
            page = seen[address] = phone.open(address)
            links = [link.partition("#")[0] for link in page.links]
            to_see += [a for a in links if a and not urlsplit(a).path.endswith((".pdf", ".json", ".csv"))]
    assert len(seen) > 10
    for page in seen.values():
        found = list(addresses_in(page))
        assert found
        assert not [a for a in found if not a.startswith(f"{PREFIX}/")], page.address
    worker = phone.client.get(f"{PREFIX}/sw.js")
    assert worker.status_code == 200
    assert all(
        a.startswith(f"{PREFIX}/static/v-") for a in release_of(phone.client, f"{PREFIX}/sw.js")["assets"]
    )
    manifest = json.loads(phone.client.get(f"{PREFIX}/manifest.webmanifest").text)
    assert manifest["id"] == f"{PREFIX}/"
    assert all(i["src"].startswith(f"{PREFIX}/static/v-") for i in manifest["icons"])


def test_cookies_keep_to_the_path_of_the_app(behind: Flask) -> None:
    client = behind.test_client()
    (session,) = set_cookies(client, f"{PREFIX}/new")
    assert f"Path={PREFIX}" in session.split("; ")
    assert "Secure" not in session.split("; ")
    form = Page(client.get(f"{PREFIX}/new")).form("start")
    form.fill(**{f"name_{n}": name for n, name in enumerate("ABCD")}, first=0)
    made = client.post(form.action, data=form.values).headers.getlist("Set-Cookie")
    (device,) = [c for c in made if c.startswith("scorepad_device=")]
    assert f"Path={PREFIX}" in device.split("; ")


def test_under_https_cookies_are_for_https_only(behind: Flask) -> None:
    """And a form is taken when it says where it comes from, as browsers do."""
    behind.wsgi_app.scheme = "https"  # type: ignore[attr-defined]
    client = behind.test_client()
    assert "Secure" in set_cookies(client, f"{PREFIX}/new")[0].split("; ")
    form = Page(client.get(f"{PREFIX}/new")).form("start")
    form.fill(**{f"name_{n}": name for n, name in enumerate("ABCD")}, first=0)
    answer = client.post(form.action, data=form.values, headers={"Referer": f"https://localhost{PREFIX}/new"})
    assert answer.status_code == 302
    assert all("Secure" in c.split("; ") for c in answer.headers.getlist("Set-Cookie"))
    share = Page(client.get(f"{answer.headers['Location'].partition('?')[0]}/share"))
    assert f"https://localhost{PREFIX}/m/" in share.text


def test_at_the_root_cookies_have_the_root(client: FlaskClient) -> None:
    (session,) = set_cookies(client, "/new")
    assert "Path=/" in session.split("; ")


def test_without_a_proxy_nobody_is_believed(client: FlaskClient) -> None:
    said = {"X-Forwarded-Prefix": PREFIX, "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    answer = client.get("/new", headers=said)
    assert PREFIX not in answer.text
    assert "evil.example" not in answer.text
    assert "Secure" not in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(("environment", "arguments"), [("", ["--behind-proxy"]), ("1", [])])
def test_how_a_proxy_is_told_of(
    environment: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Flask] = []
    monkeypatch.setattr(serving, "serve", lambda app, *_, **__: served.append(app))
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path))
    monkeypatch.setenv("SCOREPAD_BEHIND_PROXY", environment)
    for given, expected in (arguments, True), ([], environment == "1"):
        done = CliRunner().invoke(cli.main, ["serve", *given])
        assert done.exit_code == 0, done.output
        made = served.pop()
        made.extensions["store"].database.close()
        assert made.config["BEHIND_PROXY"] is expected


def test_the_server_itself_passes_on_what_the_proxy_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREPAD_BEHIND_PROXY", "1")
    server = Server(tmp_path)
    try:
        said = {"X-Forwarded-Prefix": PREFIX, "X-Forwarded-Proto": "https"}
        with urllib.request.urlopen(urllib.request.Request(f"{server.url}/new", headers=said)) as answer:
            cookie = answer.headers["Set-Cookie"].split("; ")
    finally:
        server.stop()
    assert f"Path={PREFIX}" in cookie
    assert "Secure" in cookie


def test_too_many_starts_say_when_to_come_back(tmp_path: Path) -> None:
    made = create_app(tmp_path, {"TESTING": True, "STARTS_AN_HOUR": 0})
    answer = made.test_client().post("/api/matches", json=match_file())
    made.extensions["store"].database.close()
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "3600"
    assert answer.get_json()["error"] == "too_many"
