"""What stands around an analysis: storage that is late or flaky, clocks that are wrong, machines that are slow or busy."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# --- called on workers


def late_storage(end: str, seconds: float) -> None:
    """Each request for a file whose name ends so waits so long."""
    from fsspec.implementations.local import LocalFileSystem

    for name in ("cat_ranges", "cat_file"):
        original = getattr(LocalFileSystem, name)

        def waiting(self: Any, *args: Any, original: Any = original, **options: Any) -> Any:
            path = args[0] if args else options.get("paths", options.get("path"))
            first = path if isinstance(path, str) else path[0]
            if str(first).endswith(end):
                time.sleep(seconds)
            return original(self, *args, **options)

        setattr(LocalFileSystem, name, waiting)


def flaky_storage(every: int) -> None:
    """Each so-manieth bulk request of a worker fails as a storage fails that is overloaded."""
    from fsspec.implementations.local import LocalFileSystem

    original, asked = LocalFileSystem.cat_ranges, 0

    def failing(self: Any, *args: Any, **options: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked % every == 0:
            time.sleep(0.3)
            raise OSError("[ERROR] Operation expired")
        return original(self, *args, **options)

    LocalFileSystem.cat_ranges = failing


def failing_file(end: str, times: int | None, error: str, struck: str) -> None:
    """The first so many requests for a file whose name ends so fail (None: all), over all workers."""
    from fsspec.implementations.local import LocalFileSystem

    from .strike import note

    original = LocalFileSystem.cat_ranges

    def failing(self: Any, paths: Any, *args: Any, **options: Any) -> Any:
        if str(paths[0]).endswith(end):
            happened = Path(struck).read_text().count("\n") if Path(struck).exists() else 0
            if times is None or happened < times:
                note(struck, end, None)
                time.sleep(0.3)
                if error == "OSError":
                    raise OSError("[ERROR] Operation expired")
                raise TimeoutError("[ERROR] Request timed out after 0.3 s")
        return original(self, paths, *args, **options)

    LocalFileSystem.cat_ranges = failing


def lacks_package() -> None:
    os.environ["LACKS_PACKAGE"] = "1"


def wrong_clock(step: float, drift: float) -> None:
    """This process's clock is ``step`` seconds ahead and gains ``drift`` seconds a second."""
    right, begin = time.time, time.time()
    time.time = lambda: right() + step + drift * (right() - begin)  # type: ignore[assignment]


def drop_caches(paths: list[str]) -> None:
    """Takes files out of the page cache."""
    for path in paths:
        with open(path, "rb") as file:  # noqa: PTH123
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def block_loop(seconds: float) -> None:
    """The event loop of the process that calls it stands still; it is said to be the scheduler's."""
    time.sleep(seconds)


# --- called by the client


class Turns:
    """Gives processes a part of a core: they are stopped and continued in turns."""

    def __init__(self, pids: list[int], share: float, turn: float = 0.02) -> None:
        self._pids, self._share, self._turn = pids, share, turn
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            for what, seconds in ((signal.SIGSTOP, 1 - self._share), (signal.SIGCONT, self._share)):
                for pid in self._pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, what)
                time.sleep(seconds * self._turn)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()


def end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


@contextlib.contextmanager
def foreign_load(processes: int) -> Iterator[None]:
    """So many processes beside the run that compute all the time."""
    code = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(10_000_000))"
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


@contextlib.contextmanager
def server(folder: str, latency: float, rate: float) -> Iterator[str]:
    """Serves files over HTTP in ranges, by a process of its own: ``latency`` [s] of each request, ``rate`` [byte/s] of all."""
    command = [sys.executable, "-m", "lab.server", folder, str(latency), str(rate)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(running.stdout.readline())}"
    finally:
        running.kill()
        running.wait()
