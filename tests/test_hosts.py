"""Which names the server answers to."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from scorepad import cli, create_app, serving
from scorepad.hosts import is_trusted, named


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8000", "127.0.0.1:8000", "192.168.1.7", "[::1]:8000", "[fe80::1]"),
        *("pad.local", "PAD.local.:8000", "pad", "pad:8000", "scores.example", "Scores.Example:443"),
    ],
)
def test_addresses_local_names_and_allowed_names_are_trusted(host: str) -> None:
    assert is_trusted(host, named("scores.example, other.example"))


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "scores.example.evil.example", "sub.scores.example", "local.evil.example", ""),
        *("127.0.0.1.evil.example", "[::1", "[]", "pad.local.evil.example:80", ":8000"),
    ],
)
def test_other_names_are_not(host: str) -> None:
    assert not is_trusted(host, named("scores.example"))


def test_the_computers_own_name_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Pad.Home.Example")
    assert is_trusted("pad.home.example:8000", ())


@pytest.mark.parametrize("path", ["/", "/new", "/healthz", "/api/matches", "/nowhere", "/static/pad.css"])
def test_another_name_is_refused_and_told_what_to_do(client: FlaskClient, path: str) -> None:
    answer = client.get(path, base_url="http://evil.example")
    assert (answer.status_code, answer.mimetype) == (400, "text/plain")
    assert "--allow-host NAME" in answer.text
    assert "evil.example" not in answer.text
    assert "Set-Cookie" not in answer.headers


def test_a_name_is_allowed_by_the_environment_and_when_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREPAD_HOSTS", "one.example,Two.example.")
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path))
    served: list[Flask] = []
    monkeypatch.setattr(serving, "serve", lambda app, *_, **__: served.append(app))
    done = CliRunner().invoke(
        cli.main, ["serve", "--allow-host", "three.example", "--allow-host", "four.example"]
    )
    assert done.exit_code == 0, done.output
    (app,) = served
    for name in "one", "two", "three", "four":
        assert app.test_client().get("/healthz", base_url=f"https://{name}.example").status_code == 200
    assert app.test_client().get("/healthz", base_url="http://five.example").status_code == 400
    app.extensions["pdf"].close()
    app.extensions["store"].database.close()


def test_behind_a_proxy_the_name_it_was_asked_by_counts(tmp_path: Path) -> None:
    app = create_app(tmp_path, {"TESTING": True, "BEHIND_PROXY": True, "ALLOWED_HOSTS": ("scores.example",)})
    for name, status in ("scores.example", 200), ("evil.example", 400):
        answer = app.test_client().get("/healthz", headers={"X-Forwarded-Host": name})
        assert answer.status_code == status
    app.extensions["pdf"].close()
    app.extensions["store"].database.close()
