"""Makes PDFs of sheets, in a process of its own.

WeasyPrint is imported in that process only: the server stays small and quick, and a crash or a hang of the
libraries that it draws with does not take the scores along.
"""

import contextlib
import functools
import hashlib
import importlib.metadata
import logging
import mimetypes
import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

#: What the match file is called inside a PDF, where any reader of PDFs can take it out.
NAME_INSIDE = "match.json"

_log = logging.getLogger(__name__)

_KEPT = 500  # files in the cache: about 20 MB
_ATTEMPTS = 2  # a worker that was killed from outside says nothing about the sheet; a second one does
_PATIENCE = 2.0  # seconds that a worker is given to leave by itself
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)  # of the file inside: the same match makes the same PDF
_STINT = 100  # PDFs that a worker makes: it holds 70 MB, and each PDF leaves a quarter of one behind


class Reason(StrEnum):
    """Why there is no PDF."""

    LIBRARIES_MISSING = "libraries_missing"
    WORKER_CRASHED = "worker_crashed"
    TOOK_TOO_LONG = "took_too_long"
    BUSY = "busy"
    FAILED = "failed"


class PdfUnavailable(RuntimeError):
    """There is no PDF this time; `reason` is for the page to put into words, `detail` for the log."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)


class NotKept(PdfUnavailable):
    """The PDF was made, but the cache cannot keep it: `pdf` is what it would have kept."""

    def __init__(self, pdf: bytes, detail: str) -> None:
        super().__init__(Reason.FAILED, detail)
        self.pdf = pdf


class PdfMaker:
    """Makes PDFs one at a time and keeps them in the folder `cache`; any thread may ask."""

    def __init__(self, cache: Path, *, base: Path, timeout: float = 60, most: int = 5) -> None:
        """Pages may use the files below `base`, and get `timeout` seconds each.

        Of the threads that ask, `most` wait or are served; so many phones cannot hold up a server's others.
        """
        self._cache = cache
        self._base = base.resolve()
        self._timeout = timeout
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(most)
        self._worker: _Worker | None = None
        self._made: OrderedDict[Hashable, Path] = OrderedDict()
        self._lock_of_made = threading.Lock()

    def made_for(self, about: Hashable) -> Path | None:
        """The PDF that was made for this while the server runs, as long as it is kept."""
        path = self._made.get(about)
        return path if path and path.is_file() else None

    def make(self, html: str, carried: str = "", about: Hashable = None) -> Path:
        """The PDF of a page whose relative addresses start at `base`; made only if it is not there yet.

        `carried` is a match file that travels inside it, if there is one; `about` is what decides how the
        page turns out, for whoever wants to find the PDF again without the page.
        The file's stem stands for its content, so it may serve as an ETag. What WeasyPrint has to complain
        about goes to the logger "scorepad.pdf". Raises PdfUnavailable, NotKept if only the cache fails.
        """
        try:
            page = _Page(html, carried)
            path = self._cache / f"{self._key(page)}.pdf"
            if not path.is_file():
                with self._turn():
                    if not path.is_file():  # or made while this thread waited for its turn
                        _keep(path, self._render(page))
        except OSError as error:
            raise PdfUnavailable(Reason.FAILED, str(error)) from error
        if about is not None:
            self._remember(about, path)
        return path

    def _remember(self, about: Hashable, path: Path) -> None:
        with self._lock_of_made:
            self._made[about] = path
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)

    def warm(self) -> None:
        """Start the worker, so that the first PDF does not wait for the import; never raises or waits."""
        if not self._lock.acquire(blocking=False):
            return  # a PDF is being made, so there is a worker
        try:
            self._worker = self._worker_at_hand()
        except OSError as error:
            _log.warning("the PDF worker does not start: %s", error)
        finally:
            self._lock.release()

    def forget(self, *, days: int) -> None:
        """Delete the PDFs that were made so many days ago or earlier."""
        with contextlib.suppress(OSError):
            for path in _files(self._cache):
                if path.stat().st_mtime <= time.time() - days * 86_400:
                    path.unlink()

    def close(self) -> None:
        """Let the worker go, after the PDF it is making."""
        with self._lock:
            if self._worker:
                self._worker.stop()
                self._worker = None

    def _key(self, page: "_Page") -> str:
        """A name for all that decides how the PDF turns out."""
        digest = hashlib.sha256()
        for part in self._ingredients(page):
            digest.update(hashlib.sha256(part).digest())
        return digest.hexdigest()

    def _ingredients(self, page: "_Page") -> Iterator[bytes]:
        yield from (part.encode() for part in page)
        yield _version().encode()
        yield _digest(Path(__file__))  # says more than scorepad's version, and never forgets to change
        for path in sorted(path for path in self._base.rglob("*") if path.is_file()):
            yield bytes(path.relative_to(self._base))
            yield _digest(path)

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            raise PdfUnavailable(Reason.BUSY, "many sheets are being printed")
        try:
            if not self._lock.acquire(timeout=self._timeout):
                raise PdfUnavailable(Reason.TOOK_TOO_LONG, "other sheets are being printed")
            try:
                yield
            finally:
                self._lock.release()
        finally:
            self._places.release()

    def _render(self, page: "_Page") -> bytes:
        for _attempt in range(_ATTEMPTS):
            try:
                made = self._ask_worker(page)
            except TimeoutError as error:
                raise PdfUnavailable(Reason.TOOK_TOO_LONG, f"more than {self._timeout} s") from error
            except (EOFError, ConnectionError):  # how the end of a process looks from the other end of a pipe
                _log.warning("the PDF worker crashed")
                continue
            for warning in made.warnings:
                _log.warning("%s", warning)
            return made.pdf
        raise PdfUnavailable(Reason.WORKER_CRASHED)

    def _ask_worker(self, page: "_Page") -> "_Made":
        """What the worker answers; one that does not is never asked again."""
        worker, self._worker = self._worker_at_hand(), None
        try:
            made = worker.render(page, self._timeout)
            self._worker = worker
        finally:
            if self._worker is None:
                worker.stop()
        return made

    def _worker_at_hand(self) -> "_Worker":
        if self._worker:
            if self._worker.is_fit():
                return self._worker
            self._worker.stop()
        return _Worker(self._base)


@functools.cache
def _version() -> str:
    """The release of WeasyPrint, from which another PDF may come."""
    return importlib.metadata.version("weasyprint")


def _digest(path: Path) -> bytes:
    """A digest of a file; it is read again only when it was written since."""
    found = path.stat()
    return _digest_of(path, found.st_mtime_ns, found.st_size)


@functools.lru_cache(maxsize=512)
def _digest_of(path: Path, _written: int, _size: int) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _keep(path: Path, pdf: bytes) -> None:
    """Put a PDF into the cache; raises NotKept where there is no room for it."""
    try:
        _save(path, pdf)
    except OSError as error:
        raise NotKept(pdf, str(error)) from error


def _save(path: Path, content: bytes) -> None:
    """Write a file of the cache so that nobody ever sees half of it, and make room for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as out:
        new = Path(out.name)
        try:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
            out.close()
            new.replace(path)
        except OSError:
            new.unlink(missing_ok=True)
            raise
    with contextlib.suppress(OSError):  # another process tidies up too
        _drop_oldest(path.parent)


def _files(cache: Path) -> list[Path]:
    """The files of the cache; raises OSError when there is none."""
    return [path for path in cache.iterdir() if path.suffix in {".pdf", ".tmp"}]


def _drop_oldest(cache: Path) -> None:
    files = _files(cache)
    files.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[_KEPT:]:
        path.unlink(missing_ok=True)


class _Page(NamedTuple):
    """What is to become a PDF, and the match file that travels inside it."""

    html: str
    carried: str


@dataclass(frozen=True, slots=True)
class _Made:
    """A finished PDF, and what WeasyPrint complained about, each complaint once."""

    pdf: bytes
    warnings: tuple[str, ...]


class _Worker:
    """The process that renders, seen from the server."""

    def __init__(self, base: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, far_end = context.Pipe()
        scratch = tempfile.mkdtemp(prefix="scorepad-")
        self._tidy = weakref.finalize(self, shutil.rmtree, scratch, ignore_errors=True)
        self._process = context.Process(
            target=_work, args=(far_end, base, scratch), name="scorepad-pdf", daemon=True
        )
        with far_end:
            self._process.start()
        self._has_imported = False
        self._left = _STINT

    def is_fit(self) -> bool:
        """True if it may be asked once more."""
        return self._left > 0 and self._process.is_alive()

    def render(self, page: _Page, timeout: float) -> _Made:
        """Its answer, or TimeoutError, PdfUnavailable, or EOFError or ConnectionError if it has crashed."""
        deadline = time.monotonic() + timeout
        if not self._has_imported:
            self._receive(deadline)
            self._has_imported = True
        self._left -= 1
        self._line.send(page)
        made: _Made = self._receive(deadline)
        return made

    def _receive(self, deadline: float) -> Any:
        if not self._line.poll(max(0, deadline - time.monotonic())):
            raise TimeoutError
        answer = self._line.recv()
        if isinstance(answer, PdfUnavailable):
            raise answer
        return answer

    def stop(self) -> None:
        """End it: by itself if it notices that it is wanted no more, or else by force."""
        self._line.close()
        self._process.join(_PATIENCE)
        self._process.kill()
        self._process.join()
        self._tidy()


# What follows runs in the worker.


def _work(line: Connection, base: Path, scratch: str) -> None:
    """Answer each page with its PDF until the server has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both; the server decides
    tempfile.tempdir = scratch  # WeasyPrint leaves fonts there if it is stopped
    with contextlib.suppress(ConnectionError):
        try:
            with contextlib.redirect_stdout(None):  # WeasyPrint prints a page of advice if this fails
                render = _renderer(base)
        except (ImportError, OSError) as error:
            line.send(PdfUnavailable(Reason.LIBRARIES_MISSING, str(error)))
            return
        line.send(None)
        for page in _pages(line):
            line.send(_answer(render, page, Path(scratch)))


def _pages(line: Connection) -> Iterator[_Page]:
    with contextlib.suppress(EOFError):
        while True:
            yield line.recv()


def _answer(render: Callable[[_Page], _Made], page: _Page, scratch: Path) -> _Made | PdfUnavailable:
    try:
        scratch.mkdir(mode=0o700, exist_ok=True)  # some systems clear away what has long lain in /tmp
        return render(page)
    except OSError as error:  # no room for WeasyPrint's temporary files
        return PdfUnavailable(Reason.FAILED, str(error))


def _renderer(base: Path) -> Callable[[_Page], _Made]:
    """WeasyPrint, held to the files below `base`; raises OSError without Pango."""
    from weasyprint import HTML, Attachment
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class OwnFiles(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: dict[str, str] | None = None) -> Any:
            if urlsplit(url).scheme == "data":
                return super().fetch(url, headers)
            path = own_file(url, base)
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})

    fetcher = OwnFiles(allowed_protocols=["data"])
    complaints = _Complaints(logging.WARNING)
    logging.getLogger("weasyprint").addHandler(complaints)

    def render(page: _Page) -> _Made:
        document = HTML(string=page.html, base_url=f"{base.as_uri()}/", url_fetcher=fetcher)
        inside = Attachment(
            string=page.carried,
            name=NAME_INSIDE,
            description="scorepad-match/1",
            created=_NO_TIME,
            modified=_NO_TIME,
            relationship="Source",
        )
        attached = [inside] if page.carried else None
        pdf: bytes = document.write_pdf(pdf_variant="pdf/ua-1", attachments=attached)
        return _Made(pdf, complaints.take())

    return render


def own_file(url: str, base: Path) -> Path:
    """The file that a file: address means; ValueError unless it is below `base`, links followed."""
    parts = urlsplit(url)
    path = Path(url2pathname(parts.path)).resolve()
    if parts.scheme != "file" or parts.netloc or not path.is_relative_to(base):
        raise ValueError("a sheet may only use scorepad's own files")
    return path


class _Complaints(logging.Handler):
    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._heard.append(record.getMessage())

    def take(self) -> tuple[str, ...]:
        """What was heard since the last time, each once."""
        heard, self._heard = tuple(dict.fromkeys(self._heard)), []
        return heard
