"""Serves the app on the local network and says how a phone gets there."""

import errno
import gettext
import logging
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, ip_address
from types import FrameType
from typing import TextIO
from wsgiref.types import WSGIApplication

import segno
import waitress

_ = gettext.gettext

_THREADS = 8
_LARGEST_BODY = 8 * 1024 * 1024  # far above any match file; keeps a careless upload off the disk
_LAST_PORT = 65535
_ANY_HOST = {"", "0.0.0.0", "::"}  # noqa: S104
_THIS_COMPUTER = "127.0.0.1"
_OUTSIDE = ("192.0.2.1", 9)  # RFC 5737: an address kept for documentation, which nobody has
_QUIET_ZONE = 4  # light modules round a QR code, as its standard asks
_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


class CannotListen(OSError):
    """The server cannot have the host and port asked for; the message says what to mend."""

    @classmethod
    def because(cls, error: OSError, *, host: str, port: int) -> "CannotListen":
        """The refusal for what the system said when it was asked for `host` and `port`."""
        where = {"host": host, "port": port, "other": min(port + 1, _LAST_PORT)}
        if error.errno == errno.EADDRINUSE:
            said = _("Port %(port)d is taken, perhaps by another scorepad. Try --port %(other)d.")
        elif error.errno == errno.EACCES:
            said = _("This user may not open port %(port)d. Try --port 8000.")
        else:
            said = _("“%(host)s” is not an address of this computer. Try --host 0.0.0.0.")
        return cls(said % where)


def serve(
    app: WSGIApplication, host: str, port: int, *, page: str = "/", qr_code: bool | None = None
) -> None:
    """Serve `app` until Ctrl-C, having said at which address a phone finds `page`.

    A QR code of that address is shown when standard output is a terminal; `qr_code` says otherwise.
    Leaves the program with one line and exit status 1 when the host and port cannot be had.
    """
    try:
        listener = listen(host, port)
    except CannotListen as refusal:
        sys.exit(str(refusal))
    with listener:
        show = sys.stdout.isatty() if qr_code is None else qr_code
        greeting = greet(addresses(host), listener.getsockname()[1], page=page, qr_code=show)
        print(*greeting, sep="\n", flush=True)
        _stop_on_sigterm()
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that some requests wait is no trouble
        waitress.serve(
            app,
            sockets=[listener],
            threads=_THREADS,
            max_request_body_size=_LARGEST_BODY,
            ident="scorepad",
            clear_untrusted_proxy_headers=False,  # the app reads them with --behind-proxy only
            _quiet=True,
        )


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at `host` and `port` (0: any free one).

    Raises CannotListen.
    """
    if not 0 <= port <= _LAST_PORT:
        raise CannotListen(_("There is no port %(port)d. Try --port 8000.") % {"port": port})
    try:
        if ":" in host:
            both = host == "::" and socket.has_dualstack_ipv6()
            return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=both)
        return socket.create_server((host, port))
    except OSError as error:
        raise CannotListen.because(error, host=host, port=port) from error


def addresses(host: str) -> list[str]:
    """The addresses at which a server bound to `host` is found, the one to try first in front.

    For a server on every address these are the computer's own in its network, or only 127.0.0.1 when it
    is in none. Nothing is sent over the network to find out.
    """
    if host not in _ANY_HOST:
        return [host]
    return list(dict.fromkeys(_in_the_network(_own_addresses()))) or [_THIS_COMPUTER]


def _own_addresses() -> Iterator[str]:
    """The address that packets leave by; only without one, those that the computer's name stands for."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)  # picks a route; a datagram socket sends nothing on connecting
        except OSError:
            pass
        else:
            yield probe.getsockname()[0]
            return
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return
    yield from (str(address[0]) for *_kind, address in found)


def _in_the_network(candidates: Iterable[str]) -> Iterator[str]:
    """Those of the addresses that another computer could reach."""
    for candidate in candidates:
        address = IPv4Address(candidate)
        if not (address.is_loopback or address.is_link_local or address.is_unspecified):
            yield candidate


def greet(hosts: list[str], port: int, *, page: str, qr_code: bool) -> Iterator[str]:
    """The lines that say where to open `page`, and how to stop."""
    first, *others = [_url(host, port, page) for host in hosts]
    if _is_this_computer(hosts[0]):
        yield _("scorepad is running. Only this computer can open it:")
    else:
        yield _("scorepad is running. Open on a phone in the same network:")
    yield from ("", f"    {first}", *(f"    {other}" for other in others), "")
    if qr_code and not _is_this_computer(hosts[0]):
        yield from _shown_code(first, sys.stdout)
    if not _is_this_computer(hosts[0]):
        yield _("On this computer: %(url)s") % {"url": _url(_THIS_COMPUTER, port, page)}
    yield _("Ctrl-C stops it.")


def _url(host: str, port: int, page: str) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{page}"


def _is_this_computer(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _shown_code(text: str, out: TextIO) -> list[str]:
    """A QR code and an empty line, or nothing where `out` has no block characters or too little room."""
    lines = qr_lines(text)
    try:
        "".join(lines).encode(out.encoding)
    except UnicodeEncodeError:
        return []
    if len(lines[0]) > shutil.get_terminal_size().columns:
        return []
    return [*(_black_on_white(line) for line in lines), ""] if out.isatty() else [*lines, ""]


def qr_lines(text: str) -> list[str]:
    """`text` as a QR code, two rows of modules to a line: blocks are light, gaps are dark."""
    code = segno.make(text, error="m", micro=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=_QUIET_ZONE)]
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def _black_on_white(line: str) -> str:
    """The line with its colours fixed, so that a light terminal does not turn the code inside out."""
    return f"\x1b[97;40m{line}\x1b[0m"


def _stop_on_sigterm() -> None:
    """Make `kill` and a service manager end the server as Ctrl-C does, its PDF worker with it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _leave)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
