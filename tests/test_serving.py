"""The server on real sockets, and what it says about itself."""

import io
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address

import pytest
import segno

from scorepad import serving

LAN = "192.168.1.20"
OTHER_LAN = "10.0.0.5"

SERVES_HELLO = """
from scorepad.serving import serve

def hello(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"hello"]

serve(hello, "127.0.0.1", 0, page="/m/abc")
"""


class Terminal(io.StringIO):
    """Standard output that says it is a terminal, in an encoding of choice."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else listens at."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def pretend_own_addresses(monkeypatch: pytest.MonkeyPatch, *own: str) -> None:
    monkeypatch.setattr(serving, "_own_addresses", lambda: iter(own))


def no_route(*_: object) -> None:
    raise OSError("Network is unreachable")


# Addresses


@pytest.mark.parametrize("host", ["127.0.0.1", LAN, "::1", "localhost", "scores.example"])
def test_a_host_that_is_named_is_the_address(host: str) -> None:
    assert serving.addresses(host) == [host]


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::"])
def test_a_server_on_every_address_is_found_at_the_computers_own(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_own_addresses(monkeypatch, "127.0.1.1", LAN, "169.254.3.4", OTHER_LAN, LAN, "0.0.0.0")
    assert serving.addresses(host) == [LAN, OTHER_LAN]


def test_a_computer_in_no_network_has_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_own_addresses(monkeypatch, "127.0.1.1")
    assert serving.addresses("0.0.0.0") == ["127.0.0.1"]


def test_without_a_route_the_computers_name_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect", no_route)
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (LAN, 0))]
    )
    assert serving.addresses("0.0.0.0") == [LAN]


def test_without_a_route_or_a_name_it_still_has_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect", no_route)
    monkeypatch.setattr(socket, "getaddrinfo", no_route)
    assert serving.addresses("0.0.0.0") == ["127.0.0.1"]


def test_this_computers_addresses_can_be_listened_at() -> None:
    for address in serving.addresses("0.0.0.0"):
        assert IPv4Address(address).version == 4
        serving.listen(address, 0).close()


# Listening


def test_a_free_port_is_found() -> None:
    with serving.listen("127.0.0.1", 0) as listener:
        assert listener.getsockname()[1] > 0


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this computer has no IPv6")
@pytest.mark.parametrize("host", ["::", "::1"])
def test_ipv6_is_served_too(host: str) -> None:
    with serving.listen(host, 0) as listener:
        port = listener.getsockname()[1]
        socket.create_connection(("::1", port)).close()
        if host == "::":
            socket.create_connection(("127.0.0.1", port)).close()


def test_a_taken_port_is_refused_with_another_to_try(taken: int) -> None:
    with pytest.raises(serving.CannotListen, match=rf"^Port {taken} is taken.* --port {taken + 1}\.$"):
        serving.listen("127.0.0.1", taken)


@pytest.mark.parametrize("host", ["203.0.113.77", "no.such.host.invalid", "2001:db8::1"])
def test_a_host_of_somebody_else_is_refused(host: str) -> None:
    with pytest.raises(serving.CannotListen, match=f"^“{host}” is not an address of this computer"):
        serving.listen(host, 0)


def test_a_port_for_administrators_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", forbidden)
    with pytest.raises(serving.CannotListen, match="may not open port 80"):
        serving.listen("0.0.0.0", 80)


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_that_cannot_be_is_refused(port: int) -> None:
    with pytest.raises(serving.CannotListen, match=f"no port {port}"):
        serving.listen("127.0.0.1", port)


# What it says


def greeting(*hosts: str, page: str = "/", qr_code: bool = False) -> list[str]:
    return list(serving.greet(list(hosts), 8000, page=page, qr_code=qr_code))


def test_the_greeting_names_every_address_and_how_to_stop() -> None:
    assert greeting(LAN, OTHER_LAN, page="/m/abc") == [
        "scorepad is running. Open on a phone in the same network:",
        "",
        "    http://192.168.1.20:8000/m/abc",
        "    http://10.0.0.5:8000/m/abc",
        "",
        "On this computer: http://127.0.0.1:8000/m/abc",
        "Ctrl-C stops it.",
    ]


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("localhost", "http://localhost:8000/"),
        ("::1", "http://[::1]:8000/"),
    ],
)
def test_an_address_no_phone_can_open_is_not_offered_to_one(host: str, url: str) -> None:
    assert greeting(host, qr_code=True) == [
        "scorepad is running. Only this computer can open it:",
        "",
        f"    {url}",
        "",
        "Ctrl-C stops it.",
    ]


def test_the_code_holds_the_address() -> None:
    url = f"http://{LAN}:8000/"
    light = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    read = [[light[block][half] for block in line] for line in serving.qr_lines(url) for half in (0, 1)]
    expected = [list(row) for row in segno.make(url, error="m", micro=False).matrix_iter(border=4)]
    assert read[: len(expected)] == expected
    assert not any(any(row) for row in read[len(expected) :])


def test_a_terminal_shows_the_code_white_on_black(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdout", Terminal())
    lines = [line for line in greeting(LAN, qr_code=True) if line.startswith("\x1b[97;40m")]
    assert [line[8:-4] for line in lines] == serving.qr_lines(f"http://{LAN}:8000/")


def test_a_forced_code_in_a_file_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    assert serving.qr_lines(f"http://{LAN}:8000/")[0] in greeting(LAN, qr_code=True)


@pytest.mark.parametrize(("encoding", "columns"), [("ascii", "80"), ("utf-8", "30")])
def test_where_the_code_cannot_be_shown_it_is_left_out(
    encoding: str, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(sys, "stdout", Terminal(encoding))
    assert greeting(LAN, qr_code=True) == greeting(LAN, qr_code=False)


# The whole


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_stopped(ending: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", SERVES_HELLO], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            url = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout))).group()
            assert url.endswith("/m/abc")
            with urllib.request.urlopen(url, timeout=10) as answer:
                assert answer.read() == b"hello"
            os.kill(server.pid, ending)
            assert server.wait(timeout=10) == 0
        finally:
            server.kill()


def test_a_taken_port_ends_it_with_one_line(taken: int) -> None:
    program = SERVES_HELLO.replace('"127.0.0.1", 0', f'"127.0.0.1", {taken}')
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"Port {taken} is taken")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("shown", [True, False])
def test_the_code_can_be_asked_for(
    shown: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    pretend_own_addresses(monkeypatch, LAN)
    monkeypatch.setattr("waitress.serve", lambda *_, **__: None)
    before = signal.getsignal(signal.SIGTERM)
    try:
        serving.serve(lambda *_: [], "0.0.0.0", 0, qr_code=shown)
    finally:
        signal.signal(signal.SIGTERM, before)
    said = capsys.readouterr().out
    assert f"http://{LAN}:" in said
    assert ("█" in said) is shown


def test_in_a_thread_it_leaves_signals_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waitress.serve", lambda *_, **__: None)
    before = signal.getsignal(signal.SIGTERM)
    with ThreadPoolExecutor() as threads:
        threads.submit(serving.serve, lambda *_: [], "127.0.0.1", 0).result()
    assert signal.getsignal(signal.SIGTERM) is before
