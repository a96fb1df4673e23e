"""Measures a task while it runs: a row for each attempt at it."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import CodeType
from typing import Any

from .looks import Samples, Sections, begin_looking, by_thread, lock, running, take_ticks
from .machine import collecting, facts, hook, is_foreign
from .usage import IO, Usage, clock_of, usage

#: Characters that are kept of an exception's first line.
LONGEST_MESSAGE = 300

_local = threading.local()  # .measure: of the task that this thread runs
by_source: dict[int, Measure] = {}  # of uproot's sources that are open, by their id()
_told: set[tuple[Any, ...]] = set()  # processes whose facts went with a row, and what called: a fork tells its own


class Branch:
    """What one branch, or field of an RNTuple, cost in one task."""

    def __init__(self) -> None:
        self.baskets = self.compressed = self.uncompressed = 0
        self.outside = 0.0
        self.again = 0  # of `compressed`, what was read before: by file and place in it
        self.ahead = 0  # of `compressed`, what was read while the file was opened
        self._places: set[tuple[str | None, int]] = set()
        self.requests = self.requested = 0
        self.wait = self.wall = self.cpu = 0.0
        self.codec: str | None = None
        self.shared = False

    def add(self, file: str | None, place: int, packed: int, unpacked: int) -> None:
        """A basket, or page, at a byte of a file."""
        self.baskets += 1
        self.compressed += packed
        self.uncompressed += unpacked
        self.again += packed if (file, place) in self._places else 0
        self._places.add((file, place))

    def row(self, name: str) -> list[Any]:
        codec = self.codec
        return [
            *(name, self.baskets, self.compressed, self.uncompressed, round(self.outside), self.again, self.ahead, codec),
            *(self.requests, self.requested, self.shared, _rounded(self.wait), _rounded(self.wall), _rounded(self.cpu)),
        ]


class Measure:
    """A task that runs: what it has used and read so far in this attempt, and the rows of those before.

    It began at ``begin``, by default now. To each ``hearer`` the process tells once what limits it.
    """

    def __init__(self, about: dict[str, Any], begin: Usage | None = None, hearer: str = "") -> None:
        self.about = about
        self.hearer = hearer
        self.rows: list[dict[str, Any]] = []
        self.attempts = 0
        self.depth = 0  # in functions of a source that call each other
        self.branch: str | None = None
        self.in_page = False  # of an RNTuple
        self.within: str | None = None  # the part of the task, the outermost one
        self.problem: BaseException | None = None  # that ended the last attempt
        # what is looked at by another thread
        self.ident = threading.get_ident()
        self.clock = clock_of(self.ident)
        self.stop: CodeType = sys._getframe().f_code  # whose calls are the task
        self._start(begin or usage())

    def _start(self, now: Usage) -> None:
        self.begin = now
        self.peak = now.rss or 0
        self.hook: str | None = None  # that was seen while it ran
        self.most_at_once = 1
        self.samples = Samples()
        self.sections = Sections()
        self._collected = collecting.collections, collecting.seconds, dict(collecting.calls)
        self.parts: dict[str, list[float]] = {}
        self.sources: list[Any] = []
        self.branches: dict[str, Branch] = {}
        self.wait = self.first_byte = 0.0
        self.events: int | None = None
        self.failure: dict[str, Any] | None = None

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Adds what the block takes to a part of the task."""
        now, clock, cpu = time.time(), time.perf_counter(), time.thread_time()
        around, self.within = self.within, self.within or name
        try:
            yield
        finally:
            self.within = around
            part = self.parts.setdefault(name, [now, 0.0, 0.0])
            part[1] += time.perf_counter() - clock
            part[2] += time.thread_time() - cpu

    def section(self, name: str) -> AbstractContextManager[None]:
        return self.sections.section(name)

    def requested(self) -> tuple[int, int, int]:
        """Requests, ranges and bytes that the task's sources were asked for."""
        counts = [(one.num_requests or 0, one.num_requested_chunks or 0, one.num_requested_bytes or 0) for one in self.sources]
        return sum(one[0] for one in counts), sum(one[1] for one in counts), sum(one[2] for one in counts)

    @contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """Adds what the block takes and requests to a branch."""
        branch = self.branches.setdefault(name, Branch())
        requests, _, amount = self.requested()
        wait, clock, cpu = self.wait, time.perf_counter(), time.thread_time()
        self.branch = name
        try:
            with self.part("read"):
                yield
        finally:
            self.branch = None
            now = self.requested()
            branch.requests += now[0] - requests
            branch.requested += now[2] - amount
            branch.wait += self.wait - wait
            branch.wall += time.perf_counter() - clock
            branch.cpu += time.thread_time() - cpu

    def mark(self) -> dict[str, Any]:
        """That the task has begun, and where: what is known of it if its worker dies."""
        pid, worker = _process()
        where = {"host": socket.gethostname(), "pid": pid, "thread": threading.get_native_id(), "worker": worker}
        return self.about | where | {"status": "running", "begin": self.begin.time}

    def fail(self, problem: BaseException) -> None:
        """Ends the attempt with a row that says why; once for each problem."""
        if problem is self.problem:
            return
        self.problem = cause = problem
        while cause.__cause__ is not None:
            cause = cause.__cause__
        lines = str(cause).strip().splitlines()
        self.failure = {
            "error": type(cause).__name__,
            "message": lines[0][:LONGEST_MESSAGE] if lines else "",
            "frame": _own_frame(cause) or _own_frame(problem),
        }
        self.end_attempt("failed")

    def end_attempt(self, status: str) -> None:
        """Makes a row of what was since the last one, and begins the next."""
        now = usage()
        self.attempts += 1
        then = self.begin
        rose = now.high_water is not None and then.high_water is not None and now.high_water > then.high_water
        pid, worker = _process()
        collector, called = collecting.called_most(self._collected[2])
        row = {
            **self.about,
            "begin": then.time,
            "wall": now.clock - then.clock,
            "cpu": now.cpu - then.cpu,
            **{name: _difference(now, then, name) for name in Usage._fields[3:10]},
            "cpu_of_process": now.process_cpu - then.process_cpu,
            "rss_before": then.rss,
            "rss_after": now.rss,
            "rss_peak": now.high_water if rose else max(self.peak, now.rss or 0) or None,
            "rss_peak_sampled": not rose if now.rss is not None else None,
            "at_once": self.most_at_once,
            "threads": now.threads,
            "hook": hook() or self.hook,
            "collections": collecting.collections - self._collected[0],
            "collecting": collecting.seconds - self._collected[1],
            "collecting_called": called,
            "collector": collector if called > 0 else None,
            "host": socket.gethostname(),
            "pid": pid,
            "thread": threading.get_native_id(),
            "worker": worker,
            "attempt": self.attempts,
            "status": status,
            "events": self.events,
            "parts": {name: [part[0], _rounded(part[1]), _rounded(part[2])] for name, part in self.parts.items()},
            **(self.failure or {}),
        }
        if now.io is not None and then.io is not None:
            row |= {name: new - old for name, new, old in zip(IO, now.io, then.io, strict=True)}
        if self.sources:
            names = ("requests", "requested_ranges", "requested_bytes")
            row |= dict(zip(names, self.requested(), strict=True))
            row |= {"request_wait": self.wait, "first_byte": self.first_byte}
            row["branches"] = [branch.row(name) for name, branch in self.branches.items()]
        with lock:
            samples = self.samples.told(now.cpu - then.cpu)
        if (sections := self.sections.rows()) or samples is not None:
            row |= {"sections": sections, "samples": samples}
        if ticks := take_ticks():
            row["machine"] = ticks
        key = (pid, worker, self.hearer, self.about.get("call"))
        if key not in _told:
            _told.add(key)
            row["process"] = facts()
        self.rows.append(row)
        with lock:
            for source in self.sources:
                by_source.pop(id(source), None)
        self._start(now)


def _difference(now: Usage, then: Usage, name: str) -> Any:
    new, old = getattr(now, name), getattr(then, name)
    return None if new is None or old is None else new - old


def _rounded(seconds: float) -> float:
    return round(seconds, 6)


def _own_frame(problem: BaseException) -> str | None:
    """The last line of the analysis that an exception went through."""
    found, frame = None, problem.__traceback__
    while frame is not None:
        file = frame.tb_frame.f_code.co_filename
        if not is_foreign(file):
            found = f"{file}:{frame.tb_lineno} {frame.tb_frame.f_code.co_name}"
        frame = frame.tb_next
    return found


def _process() -> tuple[int, str]:
    """The number and the name of the worker. TaskVine's starts a process for each task, and is the worker itself."""
    if os.getpid() not in _vine:
        _vine.clear()
        _vine[os.getpid()] = _ancestor("vine_worker")
    vine = _vine[os.getpid()]
    return (os.getpid(), _worker_name()) if vine is None else (vine, f"vine_worker-{vine}")


_vine: dict[int, int | None] = {}  # of this process: a fork finds its own


def _ancestor(name: str) -> int | None:
    """The process of that name that started this one, over a shell or two."""
    pid = os.getppid()
    with suppress(OSError, ValueError, IndexError):
        for _ in range(4):
            called, rest = Path(f"/proc/{pid}/stat").read_text().split("(", 1)[1].rsplit(")", 1)
            if called == name:
                return pid
            pid = int(rest.split()[1])
    return None


def _worker_name() -> str:
    if (dask := dask_worker()) is not None:
        return str(dask.address)
    if "PARSL_WORKER_RANK" in os.environ:
        return f"{os.environ.get('PARSL_WORKER_POOL_ID', '')}/{os.environ['PARSL_WORKER_RANK']}"
    process = sys.modules.get("multiprocessing")
    return str(process.current_process().name) if process is not None else "MainProcess"


def dask_worker() -> Any:
    if (distributed := sys.modules.get("distributed")) is None:
        return None
    with suppress(Exception):
        return distributed.get_worker()
    return None


def begin(about: dict[str, Any], since: Usage | None = None, hearer: str = "") -> Measure:
    """Measures a task that the calling function runs, in its thread, since then.

    Where it began before now, its process had to start for it.
    """
    measure = Measure(about, since, hearer)
    if since is not None:
        measure.parts["start"] = [since.time, time.perf_counter() - since.clock, time.thread_time()]
    measure.stop = sys._getframe(1).f_code
    by_thread[measure.ident] = measure
    _local.measure = measure
    with lock:
        running.add(measure)
        for one in running:
            one.most_at_once = max(one.most_at_once, len(running))
        begin_looking()
    return measure


def end(measure: Measure) -> None:
    _local.measure = None
    by_thread.pop(measure.ident, None)
    with lock:
        running.discard(measure)


def current() -> Measure | None:
    """Of the task that this thread runs."""
    return getattr(_local, "measure", None)
