"""PDFs made for real, and what happens when that fails."""

import errno
import io
import itertools
import logging
import multiprocessing
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pypdf
import pytest

from scorepad import pdf
from scorepad.pdf import PdfMaker, PdfUnavailable, Reason, own_file

STATIC = Path(__file__).parents[1] / "static"
FONTS = STATIC / "fonts"

FACES = """
@font-face { font-family: Pad; src: url(fonts/pad-regular.ttf) }
@font-face { font-family: Pad; src: url(fonts/pad-bold.ttf); font-weight: bold }
@page { size: A4 }
body { font: 10pt Pad }
"""

numbers = itertools.count()


def page(body: str = "", *, head: str = "") -> str:
    """A page like no other one made here, unless both parts are."""
    return f'<!doctype html><html lang="en"><title>Sheet</title><style>{FACES}</style>{head}<body>{body}'


def new_page() -> str:
    return page(f"Sheet {next(numbers)}")


def text(path: Path) -> str:
    return "\n".join(sheet.extract_text() for sheet in pypdf.PdfReader(path).pages)


def fonts_in(path: Path) -> set[str]:
    """The fonts that the first page's text is set in, all of them embedded."""
    resources: Any = pypdf.PdfReader(path).pages[0]["/Resources"]
    (*fonts,) = (font["/DescendantFonts"][0] for font in resources["/Font"].values())
    assert all("/FontFile2" in font["/FontDescriptor"] for font in fonts)
    return {font["/BaseFont"].partition("+")[2] for font in fonts}


def workers() -> set[int]:
    return {child.pid or 0 for child in multiprocessing.active_children() if child.name == "scorepad-pdf"}


def the_worker(others: set[int]) -> int:
    (pid,) = workers() - others
    return pid


def copy_of_static(folder: Path) -> Path:
    shutil.copytree(FONTS, folder / "static" / "fonts")
    return folder / "static"


@pytest.fixture(scope="module")
def shared_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A static folder that may be added to."""
    return copy_of_static(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, shared_base: Path) -> Iterator[PdfMaker]:
    """One maker for all who do not mind a worker that has been at work before."""
    maker = PdfMaker(tmp_path_factory.mktemp("shared") / "pdf", base=shared_base, most=8)
    yield maker
    maker.close()


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A static folder to play tricks in."""
    return copy_of_static(tmp_path)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "instance" / "pdf"


@pytest.fixture
def maker(cache: Path, base: Path) -> Iterator[PdfMaker]:
    maker = PdfMaker(cache, base=base)
    yield maker
    maker.close()


@pytest.fixture
def others(shared: PdfMaker) -> set[int]:
    """The workers there are before the test starts one."""
    return workers()


# What it makes


def test_a_sheet_can_be_read_back(shared: PdfMaker, caplog: pytest.LogCaptureFixture) -> None:
    names = "♠♥&#xFE0E;♦♣ Éva Жанна Ελένη Łódź Nguyễn −30 ✓ ½"
    path = shared.make(page(f"<p>{names}</p><p><b>{names}</b></p><p>שרה</p>"))
    (sheet,) = pypdf.PdfReader(path).pages
    read = sheet.extract_text().replace("\ufe0e", "")
    assert read.splitlines() == [names.replace("&#xFE0E;", "")] * 2 + ["שרה"]
    assert (round(sheet.mediabox.width), round(sheet.mediabox.height)) == (595, 842)
    assert not caplog.records


def test_our_fonts_and_no_others_are_embedded(shared: PdfMaker) -> None:
    names = "♠♥♦♣♤♡♢♧ Éva Жанна Ελένη Łódź Nguyễn −30 ✓✗→ ½ שרה محمد Հայկ ნინო"
    path = shared.make(page(f"{names} <b>{names}</b>"))
    assert fonts_in(path) == {"Pad-Semi-Condensed", "Pad-Bold-Semi-Condensed"}


def test_a_sheet_says_its_language_and_title_and_is_tagged(shared: PdfMaker) -> None:
    reader = pypdf.PdfReader(shared.make(page("<table><tr><th>1<td>2</table>")))
    assert reader.metadata is not None
    assert reader.metadata.title == "Sheet"
    assert str(reader.root_object["/Lang"]) == "en"
    assert "/StructTreeRoot" in reader.root_object


def test_a_sheet_may_use_a_stylesheet_beside_the_fonts(shared: PdfMaker, shared_base: Path) -> None:
    (shared_base / "mine.css").write_text(
        "@font-face { font-family: Mine; src: url(fonts/pad-bold.ttf?v=2) }"
    )
    link = '<link rel="stylesheet" href="mine.css">'
    path = shared.make(page('<p style="font-family: Mine">Éva', head=link))
    assert fonts_in(path) == {"Mine-Bold-Semi-Condensed"}


def test_complaints_are_logged_once(shared: PdfMaker, caplog: pytest.LogCaptureFixture) -> None:
    path = shared.make(page('<p style="colour: red">1<p style="colour: red">2'))
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("scorepad.pdf", logging.WARNING)
    assert "colour" in record.getMessage()
    assert "2" in text(path)


# What it keeps


def test_the_second_time_it_comes_from_the_cache(shared: PdfMaker) -> None:
    html = new_page()
    path = shared.make(html)
    made = path.stat()
    assert shared.make(html) == path
    assert path.stat() == made
    assert re.fullmatch(r"[0-9a-f]{64}\.pdf", path.name)
    assert not [*path.parent.glob("*.tmp")]


def test_the_same_page_gives_the_same_bytes_in_another_process(
    shared: PdfMaker, shared_base: Path, cache: Path
) -> None:
    html = page("♠ Éva <b>−30</b>")
    path = shared.make(html)
    other = PdfMaker(cache, base=shared_base)
    other.make(page("♥ another page first"))
    again = other.make(html)
    other.close()
    assert again != path
    assert again.name == path.name
    assert again.read_bytes() == path.read_bytes()


def test_another_font_or_stylesheet_makes_another_pdf(shared: PdfMaker, shared_base: Path) -> None:
    html = page("Éva", head='<link rel="stylesheet" href="size.css">')
    paths = set()
    for size in 10, 20:
        (shared_base / "size.css").write_text(f"body {{ font-size: {size}pt }}")
        paths.add(shared.make(html))
    assert len({path.read_bytes() for path in paths}) == 2


def test_eight_threads_that_ask_for_the_same_cause_one_render(
    shared: PdfMaker, caplog: pytest.LogCaptureFixture
) -> None:
    html = page('<p style="once: 1">Éva')  # each render complains
    with ThreadPoolExecutor(8) as pool:
        paths = set(pool.map(shared.make, [html] * 8))
    assert len(paths) == 1
    assert len(caplog.records) == 1


def test_threads_that_ask_for_different_pages_get_their_own(shared: PdfMaker) -> None:
    with ThreadPoolExecutor(4) as pool:
        paths = list(pool.map(shared.make, [page(f"Thread {number}") for number in range(4)]))
    assert [text(path) for path in paths] == [f"Thread {number}" for number in range(4)]


def test_the_cache_keeps_the_newest_500_files(shared: PdfMaker) -> None:
    cache = shared.make(new_page()).parent
    for age in range(1, 506):
        old = cache / f"{age}{'.tmp' if age % 2 else '.pdf'}"
        old.touch()
        os.utime(old, (1e9 - age, 1e9 - age))
    (cache / "notes.txt").touch()  # not ours
    newest = shared.make(new_page())
    left = {path.name for path in cache.iterdir()}
    assert len(left) == 501
    assert {newest.name, "notes.txt", "1.tmp"} <= left
    assert "505.tmp" not in left


def test_a_cache_that_cannot_be_written_is_said_to_have_failed(shared: PdfMaker) -> None:
    cache = shared.make(page()).parent
    cache.rename(cache.with_name("aside"))
    cache.touch()
    with pytest.raises(PdfUnavailable, match=r"^failed: .*File exists") as refused:
        shared.make(new_page())
    assert refused.value.reason is Reason.FAILED
    cache.unlink()
    cache.with_name("aside").rename(cache)


def test_a_full_disk_leaves_nothing_half_written(shared: PdfMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    html = new_page()
    cache = shared.make(page()).parent
    before = {*cache.iterdir()}

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PdfUnavailable) as refused:
        shared.make(html)
    assert refused.value.reason is Reason.FAILED
    assert {*cache.iterdir()} == before
    monkeypatch.undo()
    assert "Sheet" in text(shared.make(html))


def test_a_lost_folder_for_temporary_files_is_made_again_or_said_to_have_failed(
    maker: PdfMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    maker.warm()
    (scratch,) = tmp_path.glob("scorepad-*")
    scratch.rmdir()
    assert maker.make(new_page()).is_file()
    shutil.rmtree(scratch)
    scratch.touch()
    with pytest.raises(PdfUnavailable, match="File exists") as refused:
        maker.make(new_page())
    assert refused.value.reason is Reason.FAILED


# What it may read


def test_a_sheet_reads_nothing_but_our_own_files(
    shared: PdfMaker, shared_base: Path, caplog: pytest.LogCaptureFixture
) -> None:
    secret = shared_base.parent / "secret.css"
    secret.write_text("body::before { content: 'LEAKED' }")
    (shared_base / "inside.css").write_text("body::before { content: 'INSIDE' }")
    (shared_base / "link.css").symlink_to(secret)
    with socket.create_server(("127.0.0.1", 0)) as server:
        web = f"http://127.0.0.1:{server.getsockname()[1]}"
        outside = [
            "../secret.css", "%2e%2e/secret.css", "fonts/../../secret.css", "link.css", secret.as_uri(),
            secret.as_uri().replace("file", "FILE"), f"file://localhost{secret}", f"{web}/a.css",
        ]  # fmt: skip
        head = "".join(f'<link rel="stylesheet" href="{url}">' for url in ["inside.css", *outside])
        head += f'<link rel="attachment" href="../secret.css"><style>@import "{secret}";</style>'
        head += '<link rel="stylesheet" href="data:text/css,body::after{content:%22DATA%22}">'
        body = f'Éva<img src="{web}/a.png"><img src="file:///etc/passwd"><object data="{web}/b.png"></object>'
        path = shared.make(page(body, head=head))
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert text(path) == "INSIDEÉvaDATA"
    assert not pypdf.PdfReader(path).attachments
    refused = [record for record in caplog.records if "scorepad's own files" in record.getMessage()]
    assert len(refused) == len(caplog.records) == 11  # three of these addresses are one, written differently


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/a.css",
        "https://localhost/a.css",
        "ftp://localhost/a.css",
        "file:///etc/passwd",
        "file:relative.css",
        "file://localhost{base}/a.css",
        "file://{base}/../a.css",
        "file://{base}/%2e%2e/a.css",
        "file://{base}-other/a.css",
        "{base}/a.css",
        "javascript:1",
        "",
    ],
)
def test_only_a_path_below_the_base_is_ours(url: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="own files"):
        own_file(url.replace("{base}", tmp_path.as_posix()), tmp_path)


def test_a_path_below_the_base_is_ours(tmp_path: Path) -> None:
    assert own_file(f"{tmp_path.as_uri()}/%C3%89va/a.css?v=1#x", tmp_path) == tmp_path / "Éva" / "a.css"


# When the worker fails


def test_a_worker_that_crashes_over_a_sheet_is_replaced(
    maker: PdfMaker, base: Path, others: set[int], caplog: pytest.LogCaptureFixture
) -> None:
    pipe = base / "sheet.css"
    os.mkfifo(pipe)  # whoever reads it waits for a writer
    with ThreadPoolExecutor(1) as pool:
        html = page("Éva", head='<link rel="stylesheet" href="sheet.css">')
        asked = pool.submit(maker.make, html)
        writer = wait_for_reader(pipe)
        first = the_worker(others)
        pipe.unlink()
        pipe.write_text("body { color: red }")
        os.kill(first, signal.SIGSEGV)
        path = asked.result(60)
        os.close(writer)
    assert text(path) == "Éva"
    assert the_worker(others) != first
    assert [record.getMessage() for record in caplog.records] == ["the PDF worker crashed"]


def wait_for_reader(pipe: Path) -> int:
    """The pipe, open for writing, once somebody is reading it."""
    for _tick in range(600):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.05)
    pytest.fail("nobody reads it")


def test_who_finds_no_place_in_the_line_does_not_wait(cache: Path, base: Path, others: set[int]) -> None:
    """So that threads are left for everybody who asks for no PDF."""
    pipe = base / "sheet.css"
    os.mkfifo(pipe)
    maker = PdfMaker(cache, base=base, most=2)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(maker.make, page("Éva", head='<link rel="stylesheet" href="sheet.css">'))
        writer = wait_for_reader(pipe)
        both = [pool.submit(maker.make, page(name)) for name in ("Ida", "Ada")]
        done, (waiting,) = wait(both, 60, FIRST_COMPLETED)
        os.close(writer)
        (refused,) = (asked.exception() for asked in done)
        assert isinstance(refused, PdfUnavailable)
        assert refused.reason is Reason.BUSY
        assert text(first.result(60)) == "Éva"
        assert text(waiting.result(60)) in {"Ida", "Ada"}
    assert {text(maker.make(page(name))) for name in ("Ida", "Ada")} == {"Ida", "Ada"}
    maker.close()


def test_a_worker_that_hangs_is_killed(cache: Path, base: Path, others: set[int]) -> None:
    os.mkfifo(base / "sheet.css")
    maker = PdfMaker(cache, base=base, timeout=4)
    with pytest.raises(PdfUnavailable, match="more than 4 s") as refused:
        maker.make(page("Éva", head='<link rel="stylesheet" href="sheet.css">'))
    assert refused.value.reason is Reason.TOOK_TOO_LONG
    assert workers() == others
    assert text(maker.make(page("Ida"))) == "Ida"
    maker.close()


def test_a_sheet_does_not_wait_for_ever_for_its_turn(cache: Path) -> None:
    maker = PdfMaker(cache, base=STATIC, timeout=0.05)
    with maker._turn(), pytest.raises(PdfUnavailable) as refused:
        maker.make(new_page())
    assert refused.value.reason is Reason.TOOK_TOO_LONG


def test_a_worker_that_was_killed_while_idle_is_not_missed(
    maker: PdfMaker, others: set[int], caplog: pytest.LogCaptureFixture
) -> None:
    maker.make(new_page())
    os.kill(the_worker(others), signal.SIGKILL)
    while workers() != others:
        time.sleep(0.01)
    assert maker.make(new_page()).is_file()
    assert not caplog.records


def stand_in(folder: Path, code: str) -> str:
    """A folder with another WeasyPrint, for the front of the path."""
    (folder / "weasyprint").mkdir(parents=True)
    (folder / "weasyprint" / "__init__.py").write_text(code)
    return str(folder)


@pytest.mark.parametrize("error", ["OSError", "ImportError"])
def test_missing_libraries_are_told_from_other_failures(
    error: str,
    maker: PdfMaker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    code = f"print('advice')\nraise {error}('cannot load library libpango')"
    monkeypatch.syspath_prepend(stand_in(tmp_path / "path", code))  # a spawned process gets this one's path
    for _time in range(2):
        with pytest.raises(PdfUnavailable, match="libraries_missing: cannot load") as refused:
            maker.make(new_page())
        assert refused.value.reason is Reason.LIBRARIES_MISSING
    assert capfd.readouterr() == ("", "")


def test_libraries_that_are_installed_meanwhile_are_found(
    maker: PdfMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(stand_in(tmp_path / "path", "raise OSError"))
    maker.warm()
    with pytest.raises(PdfUnavailable, match=r"^libraries_missing$"):
        maker.make(new_page())
    monkeypatch.undo()
    assert maker.make(new_page()).is_file()


def test_a_worker_that_crashes_every_time_is_given_up(
    maker: PdfMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    code = "import os\nos.kill(os.getpid(), 9)"
    monkeypatch.syspath_prepend(stand_in(tmp_path / "path", code))
    with pytest.raises(PdfUnavailable, match=r"^worker_crashed$") as refused:
        maker.make(new_page())
    assert refused.value.reason is Reason.WORKER_CRASHED
    assert len(caplog.records) == 2


def test_a_worker_that_cannot_be_started_is_said_to_have_failed(
    maker: PdfMaker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*, prefix: str) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), prefix)

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    maker.warm()
    assert "does not start" in caplog.text
    with pytest.raises(PdfUnavailable) as refused:
        maker.make(new_page())
    assert refused.value.reason is Reason.FAILED


# How the worker lives


def test_it_is_warmed_once_and_closed_without_a_trace(
    maker: PdfMaker,
    others: set[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    maker.warm()
    warmed = the_worker(others)
    maker.warm()
    with maker._turn():
        maker.warm()  # does not wait
    maker.make(new_page())
    assert the_worker(others) == warmed
    assert [*scratch.iterdir()]
    maker.close()
    maker.close()
    assert workers() == others
    maker.warm()
    maker.close()  # while it imports
    assert not [*scratch.iterdir()]
    assert capfd.readouterr() == ("", "")


def test_a_worker_stays_until_it_has_grown_fat(
    maker: PdfMaker, others: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "_STINT", 2)
    seen = []
    for _time in range(3):
        maker.make(new_page())
        seen.append(the_worker(others))
        os.kill(seen[-1], signal.SIGINT)  # Ctrl-C, which is left to the server
    assert seen[0] == seen[1] != seen[2]


def test_the_server_stays_small() -> None:
    code = "import sys, scorepad.pdf; sys.exit(bool({'weasyprint', 'flask'} & {*sys.modules}))"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=STATIC.parent)


# The fonts


@pytest.mark.parametrize("file", ["pad-regular.ttf", "pad-bold.ttf"])
@pytest.mark.parametrize(
    "letters",
    [
        "♠♥♦♣♤♡♢♧\ufe0e",
        "éüñßłžğőæøåçÉÜÑŁŽĞŐÆØÅÇ",
        "ЖанаїєЙ",
        "Ελένηάώ",
        "Nguyễn Văn Đ",
        "Հայկ ნინო",
        "אבגדהוזחטיכלמנסעפצקרשתםןץףך",
        "محمدابتثجحخدذرزسشصضطظعغفقكلمنهوي",
        "−–—×½…“”‘’„«»·•°№€£",
        "←↑→↓↔✓✔✗✘★☆▲▼■□●○",
        "0123456789+-*/=()[]%&@#!?",
        "😀🂡①\N{REPLACEMENT CHARACTER}",
    ],
)
def test_the_fonts_have_what_a_sheet_may_hold(file: str, letters: str) -> None:
    assert {*map(ord, letters)} <= glyphs(file)


def test_the_phone_gets_the_suits_only() -> None:
    assert glyphs("suits.woff2") == {*map(ord, "♠♡♢♣♤♥♦♧\ufe0e")}
    assert (FONTS / "suits.woff2").stat().st_size < 3000


@pytest.mark.parametrize("file", ["pad-regular.ttf", "pad-bold.ttf", "suits.woff2"])
def test_a_changed_font_bears_its_copyright_but_not_the_protected_names(file: str) -> None:
    names = {entry.nameID: str(entry) for entry in open_font(file)["name"].names}
    assert "Bitstream" in names.pop(0)
    assert all(word not in names[number] for word in ("Bitstream", "Vera") for number in (1, 3, 4, 6))


def test_the_licence_goes_with_the_fonts() -> None:
    assert "Permission is hereby granted" in (FONTS / "LICENSE-DejaVu.txt").read_text(encoding="utf-8")


def open_font(file: str) -> Any:
    return pytest.importorskip("fontTools.ttLib").TTFont(io.BytesIO((FONTS / file).read_bytes()))


def glyphs(file: str) -> set[int]:
    return {*open_font(file).getBestCmap()}
