"""Writes rows of tasks as they come: numbered files of columns, listed in ``tasks.json`` (docs/format.md)."""

from __future__ import annotations

import gzip
import json
import math
import os
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cremascope.hide import Clean
from cremascope.task.looks import Pace, Watch
from cremascope.task.machine import MACHINE, Machine, collecting
from cremascope.version import __version__
from cremascope.write import replace_file

#: [s] What a killed client loses at most is what came since.
FLUSH_EVERY = 1.0
#: [s] Between looks at the client's own thread.
LOOK_EVERY = 0.05
#: Of a processor's time, at most: where they take more, they come less often.
LOOK_SHARE = 0.001
#: So many small parts become one.
FOLD = 32
#: Rows of a part, at most.
MOST_ROWS = 10_000
#: Samples of a part, at most: beyond, those of tasks of one process and function are added up.
MOST_SAMPLES = 50_000
#: Ticks of a part, at most: beyond, those of a process are put together.
MOST_OF_MACHINES = 20_000
#: Rows that wait while the disk takes none: beyond, the oldest are dropped, and counted.
MOST_WAITING = 50_000
#: Ticks of this machine that wait for a row; they are written at once when there are so many.
MOST_TICKS, MANY_TICKS = 3_600, 10

#: Bytes that are kept free, for a full disk: a quarter lets the index say so at once, a quarter is for the rows that wait at
#: the end, the rest for what says at the end what happened.
RESERVE = 1 << 16

INDEX = "tasks.json"
INDEX_FORMAT = "crema_task_index_v1"
PART_FORMAT = "crema_tasks_v1"

PHASES = ("start", "unpack", "open", "read", "process", "serialise")
#: Columns of texts, which are numbers into the part's ``strings``.
TEXTS = frozenset(
    (
        *("kind", "executor", "function", "stage", "host", "worker", "status", "error", "message", "frame"),
        *("dataset", "file", "tree", "branch", "codec", "name", "change", "reason", "item"),
        *("hook", "collector", "beside_in", "native", "text"),
    )
)
#: Columns of seconds, and of CPUs by quota: whole millionths.
SECONDS = frozenset(
    (
        *("busy", "own", "main", "children", "recorder", "throttled", "quota"),
        *("pressure_cpu", "pressure_memory", "pressure_io", "collecting", "collecting_called"),
        *("beside", "lag", "longest_lag"),
        *("begin", "wall", "cpu", "user", "system", "cpu_of_process", "request_wait", "first_byte", "wait", "run_delay"),
        *(f"{phase}_{what}" for phase in PHASES for what in ("begin", "wall", "cpu")),
    )
)
TASKS = (
    *("kind", "executor", "function", "stage", "call", "host", "pid", "thread", "worker", "attempt", "status"),
    *("error", "message", "frame", "dataset", "file", "tree", "entry_start", "entry_stop", "events", "inputs", "out_bytes"),
    *("begin", "wall", "cpu", "user", "system", "cpu_of_process"),
    *(f"{phase}_{what}" for phase in PHASES for what in ("begin", "wall", "cpu")),
    *("rss_before", "rss_after", "rss_peak", "rss_peak_sampled", "at_once", "threads"),
    *("collections", "collecting", "collecting_called", "collector"),
    *("minor_faults", "major_faults", "voluntary_switches", "involuntary_switches", "run_delay"),
    *("rchar", "wchar", "syscr", "syscw", "read_bytes", "write_bytes"),
    *("requests", "requested_ranges", "requested_bytes", "request_wait", "first_byte"),
    "hook",
    "item",  # of converted logs
)
BRANCHES = (
    *("task", "branch", "baskets", "compressed", "uncompressed", "outside", "again", "ahead", "codec"),
    *("requests", "requested", "shared", "wait", "wall", "cpu"),
)
#: Sections of tasks: a tree, each after its parent.
SECTIONS = ("task", "parent", "name", "calls", "wall", "cpu")
#: What tasks were seen at: functions, calls of them (a tree, each after its caller), and how long each was innermost.
FUNCTIONS = ("name", "file", "first_line")
CALLS = ("caller", "called", "line", "native", "text")
SAMPLES = ("task", "section", "call", "looks", "wall", "cpu")
#: What the client's thread was seen at that entered the block, in the second or so after ``begin``.
CLIENT = ("begin", "call", "looks", "wall", "cpu")
#: Workers that came or went, and how many there are since.
CHANGES = ("begin", "worker", "change", "reason", "workers")
#: What tells processes apart.
_PROCESS = ("host", "pid", "worker")
TABLES = {
    "tasks": TASKS,
    "branches": BRANCHES,
    "sections": SECTIONS,
    "functions": FUNCTIONS,
    "calls": CALLS,
    "samples": SAMPLES,
    "machine": (*_PROCESS, *MACHINE),
    "client": CLIENT,
    "changes": CHANGES,
}
#: Of ticks that are put together the smallest value, or the largest; all else is summed.
SMALLEST = frozenset(("begin", "usable", "quota", "available"))
LARGEST = frozenset(("cpus", "memory", "swap_used", "rss", "threads", "longest_lag"))
#: Columns that are rows of another table.
_ROWS_OF = {"task": "tasks", "section": "sections", "parent": "sections"}


class Part:
    """Rows in columns; ``clean`` makes their texts fit to be recorded."""

    def __init__(self, epoch: int, clean: Clean | None = None) -> None:
        self.epoch = epoch
        self._clean = clean or Clean()
        self.columns: dict[str, dict[str, list[Any]]] = {table: {name: [] for name in names} for table, names in TABLES.items()}
        self.processes: dict[tuple[Any, ...], dict[str, Any]] = {}  # by host, number and worker
        self._texts: dict[str, int] = {}
        self._added_up = 0  # samples that were left when they were last added up
        self._put_together = 0  # and ticks
        self._functions: dict[tuple[int, ...], int] = {}
        self._calls: dict[tuple[int, ...], int] = {}

    def __len__(self) -> int:
        return len(self.columns["tasks"]["kind"])

    def size(self, table: str) -> int:
        return max(map(len, self.columns[table].values()))

    def add(self, row: dict[str, Any]) -> None:
        flat = dict(row)
        for phase, (begin, wall, cpu) in (flat.pop("parts", None) or {}).items():
            flat |= {f"{phase}_begin": begin - row["begin"], f"{phase}_wall": wall, f"{phase}_cpu": cpu}
        place = len(self)
        self._append("tasks", [flat.get(name) for name in TASKS])
        for branch in flat.get("branches") or ():
            self._append("branches", [place, *branch])
        first = self.size("sections")
        for parent, *section in flat.get("sections") or ():
            self._append("sections", [place, None if parent is None else first + parent, *section])
        if samples := flat.get("samples"):
            self._add_samples(samples, place, first)
        where = [flat.get(name) for name in _PROCESS]
        for tick in flat.get("machine") or ():
            self.add_tick(where, tick)
        if "process" in flat:
            self._add_process(dict(zip(_PROCESS, where, strict=True)) | flat["process"])

    def _add_process(self, about: dict[str, Any]) -> None:
        clean = self._clean.all(about)
        self.processes.setdefault(tuple(clean[name] for name in _PROCESS), clean)

    def add_tick(self, where: list[Any], tick: list[Any]) -> None:
        """Adds what a machine did: ``where`` are host, process and worker, ``tick`` is of ``Machine``."""
        self._append("machine", [*where, *tick])
        self._bound_ticks()

    def add_client(self, begin: float, samples: dict[str, Any]) -> None:
        """Adds what the client's thread was seen at since ``begin``: of ``Watch``."""
        calls = self._calls_of(samples)
        for _, call, *amounts in samples["seen"]:
            self._append("client", [begin, None if call is None else calls[call], *amounts])

    def add_change(self, change: dict[str, Any]) -> None:
        """Adds that a worker came or went."""
        self._append("changes", [change.get(name) for name in CHANGES])

    def _calls_of(self, samples: dict[str, Any]) -> list[int]:
        """The rows that the calls of ``samples`` have here."""
        functions = [
            self._function([self._value("name", name), self._value("file", file), line])
            for name, file, line in samples["functions"]
        ]
        calls: list[int] = []
        for caller, function, line, *texts in samples["calls"]:
            at = [None if caller is None else calls[caller], functions[function], line]
            calls.append(self._call([*at, *map(self._value, ("native", "text"), texts)]))
        return calls

    def _add_samples(self, samples: dict[str, Any], place: int, first: int) -> None:
        calls = self._calls_of(samples)
        for section, call, *amounts in samples["seen"]:
            at = [None if section is None else first + section, None if call is None else calls[call]]
            self._append("samples", [place, *at, *amounts])
        self._bound_samples()

    def _function(self, about: list[Any]) -> int:
        return self._once("functions", self._functions, about)

    def _call(self, about: list[Any]) -> int:
        return self._once("calls", self._calls, about)

    def _once(self, table: str, known: dict[tuple[Any, ...], int], row: list[Any]) -> int:
        """The place of a row that a table has once; its texts are numbers already."""
        place = known.setdefault(tuple(row), len(known))
        if place == self.size(table):
            for column, value in zip(self.columns[table].values(), row, strict=True):
                column.append(value)
        return place

    def _append(self, table: str, row: list[Any]) -> None:
        # None of them is kept where one cannot be.
        values = [self._value(name, value) for name, value in zip(TABLES[table], row, strict=True)]
        for column, value in zip(self.columns[table].values(), values, strict=True):
            column.append(value)

    def _value(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        if name in TEXTS:
            clean = self._clean.path if name == "file" else self._clean
            return self._texts.setdefault(clean(str(value)), len(self._texts))
        if name == "begin":
            value -= self.epoch
        return round(value * 1e6) if name in SECONDS else int(value)

    def _bound_samples(self) -> None:
        """Where there are too many samples, adds up those in one section and call of tasks of one process and function."""
        samples = self.columns["samples"]
        if len(samples["task"]) <= max(MOST_SAMPLES, 2 * self._added_up):
            return
        tasks, sections = self.columns["tasks"], self.columns["sections"]
        alike = [tasks[name] for name in ("kind", "function", "host", "pid", "worker")]
        alike.append([wall is None for wall in tasks["process_wall"]])  # what is not in process() is all of the task, or a part
        first_task: dict[tuple[Any, ...], int] = {}
        task_of = [first_task.setdefault(key, place) for place, key in enumerate(zip(*alike, strict=True))]
        first_section: dict[tuple[Any, ...], int] = {}
        section_of: list[int] = []
        for place, (task, parent, name) in enumerate(zip(sections["task"], sections["parent"], sections["name"], strict=True)):
            path = (task_of[task], None if parent is None else section_of[parent], name)
            section_of.append(first_section.setdefault(path, place))
        sums: dict[tuple[Any, ...], list[Any]] = {}
        for task, section, call, *amounts in zip(*samples.values(), strict=True):
            key = (task_of[task], None if section is None else section_of[section], call)
            if (known := sums.get(key)) is None:
                sums[key] = amounts
            else:
                known[:] = [None if None in pair else sum(pair) for pair in zip(known, amounts, strict=True)]
        for name, *column in zip(SAMPLES, *((*key, *amounts) for key, amounts in sums.items()), strict=True):
            samples[name] = column
        self._added_up = len(sums)

    def _bound_ticks(self) -> None:
        """Where there are too many ticks, puts those of a process together that began in the same 2, 4, 8, … seconds."""
        machine = self.columns["machine"]
        if len(machine["begin"]) <= max(MOST_OF_MACHINES, 2 * self._put_together):
            return
        seconds = sum(filter(None, machine["wall"])) / 1e6 / MOST_OF_MACHINES
        window = 1_000_000 * 2 ** math.ceil(math.log2(max(2, seconds)))
        joined: dict[tuple[Any, ...], list[Any]] = {}
        for host, pid, worker, *tick in zip(*machine.values(), strict=True):
            known = joined.setdefault((host, pid, worker, tick[0] // window), tick)
            if known is not tick:
                known[:] = map(_of_both, MACHINE, known, tick)
        self._put_together = len(joined)
        rows = ((*key[:-1], *tick) for key, tick in joined.items())
        for name, *column in zip(machine, *rows, strict=True):
            machine[name] = column

    def extend(self, other: Part) -> None:
        """Adds the rows of another part."""
        texts = {number: self._texts.setdefault(text, len(self._texts)) for text, number in other._texts.items()}
        shift = 1_000_000 * (other.epoch - self.epoch)
        before = {table: self.size(table) for table in TABLES}
        functions = [
            self._function([texts[name], texts[file], line])
            for name, file, line in zip(*other.columns["functions"].values(), strict=True)
        ]
        calls: list[int] = []
        for caller, called, line, *told in zip(*other.columns["calls"].values(), strict=True):
            at = [None if caller is None else calls[caller], functions[called], line]
            calls.append(self._call([*at, *(None if text is None else texts[text] for text in told)]))
        for table, columns in self.columns.items():
            if table in ("functions", "calls"):
                continue
            for name, column in columns.items():
                values: Iterable[Any] = other.columns[table][name]
                if name in TEXTS:
                    values = (None if value is None else texts[value] for value in values)
                elif name == "begin":
                    values = (None if value is None else value + shift for value in values)
                elif table in ("samples", "client") and name == "call":
                    values = (None if value is None else calls[value] for value in values)
                elif name in _ROWS_OF:
                    place = before[_ROWS_OF[name]]
                    values = (None if value is None else value + place for value in values)
                column.extend(values)
        self.processes = other.processes | self.processes
        self._bound_samples()
        self._bound_ticks()

    def content(self) -> dict[str, Any]:
        """As it is saved: a column without a value is left out."""
        tables = {
            table: {name: column for name, column in columns.items() if any(value is not None for value in column)}
            for table, columns in self.columns.items()
        }
        rows = {"format": PART_FORMAT, "epoch": self.epoch, "rows": len(self), "strings": list(self._texts)}
        return rows | tables | {"processes": list(self.processes.values())}

    @classmethod
    def read(cls, content: dict[str, Any]) -> Part:
        part = cls(content["epoch"])
        part._texts = {text: number for number, text in enumerate(content["strings"])}
        for table, columns in part.columns.items():
            found = content.get(table, {})
            count = max((len(column) for column in found.values()), default=0)
            for name in columns:
                columns[name] = found.get(name) or [None] * count
        part.processes = {tuple(one[name] for name in _PROCESS): one for one in content["processes"]}
        for table, known in (("functions", part._functions), ("calls", part._calls)):
            known |= {row: place for place, row in enumerate(zip(*part.columns[table].values(), strict=True))}
        return part


def _of_both(name: str, one: Any, other: Any) -> Any:
    """The value that two ticks of a process have together."""
    if one is None or other is None:
        return other if one is None else one
    if name == "beside_in":  # of two threads neither has all of it
        return one if one == other else None
    return min(one, other) if name in SMALLEST else max(one, other) if name in LARGEST else one + other


class Besides(NamedTuple):
    """What a part has besides rows of tasks."""

    ticks: list[list[Any]]
    """host, process, its name, and what it did: ``MACHINE``"""
    seen: list[tuple[float, dict[str, Any]]]
    """of ``Watch``"""
    changes: list[dict[str, Any]]
    """``CHANGES``"""


class Store:
    """A folder that rows are written into while they come, by a thread of its own.

    With ``cluster`` somebody else records the workers, and when they came and left. ``clean`` makes texts fit
    to be recorded.
    """

    def __init__(self, folder: Path, *, cluster: bool = False, clean: Clean | None = None) -> None:
        self.folder = folder
        self._reserve = folder / ".reserve"
        self._cluster = cluster
        self._clean = clean or Clean()
        self._workers: dict[tuple[Any, ...], list[float]] = {}  # first begin, last end and threads of each process
        self.environments: dict[tuple[Any, ...], dict[str, str]] = {}
        """settings of each process that ran tasks, by host, number and worker"""
        self.notes: list[str] = []
        self.planned: list[dict[str, Any]] = []
        self.rows = 0
        self.dropped = 0
        self.state = "running"
        self._begin = time.time()
        self._client = [socket.gethostname(), os.getpid(), "client"]
        self._levels: list[tuple[int, str, int]] = []  # level, name and rows of each part, oldest first
        self._number = 0
        self._waiting: list[dict[str, Any]] = []
        self._ticks: deque[list[Any]] = deque(maxlen=MOST_TICKS)  # each after host, process and worker
        self._seen: deque[tuple[float, dict[str, Any]]] = deque(maxlen=MOST_TICKS)
        self._changes: deque[dict[str, Any]] = deque(maxlen=MOST_TICKS)
        self._problem: str | None = None  # why the disk did not take something
        self._told = False  # that it did not
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._rests = threading.Event()  # the thread has done what was due
        self._due = 0.0  # when it has something to do again, by time.monotonic()
        self._thread = threading.Thread(target=self._run, name="crema-rows", daemon=True)

    def start(self) -> None:
        """Raises OSError where the folder cannot be made, or has no room."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            self._reserve.write_bytes(os.urandom(RESERVE))
            self._write_index()
        except OSError as problem:
            self._reserve.unlink(missing_ok=True)
            raise OSError(problem.errno, problem.strerror, str(self.folder)) from problem
        self._watch = Watch(threading.get_ident())
        self._thread.start()

    def put_tick(self, where: list[Any], tick: dict[str, Any]) -> None:
        """Adds what a process did that runs no tasks: ``where`` are host, process and its name."""
        self._ticks.append([*where, *(tick.get(name) for name in MACHINE)])

    def put_change(self, change: dict[str, Any]) -> None:
        """Adds that a worker came or went: ``CHANGES``."""
        self._changes.append(change)

    def put(self, rows: list[dict[str, Any]]) -> None:
        with self._lock:
            for row in rows:
                self._clean.learn(row.get("host") or "")
                if row.get("pid") is not None and row.get("worker") != "client":
                    begin, end = row["begin"], row["begin"] + (row.get("wall") or 0.0)
                    key = tuple(row.get(name) for name in _PROCESS)
                    if "process" in row:
                        self.environments[key] = row["process"]["environment"]
                    worker = self._workers.setdefault(key, [begin, end, 1])
                    worker[:] = min(worker[0], begin), max(worker[1], end), max(worker[2], row.get("at_once") or 1)
            self._waiting += rows
            if (beyond := len(self._waiting) - MOST_WAITING) > 0:
                del self._waiting[:beyond]
                self.dropped += beyond

    def plan(self, tasks: list[dict[str, Any]]) -> None:
        """Adds what a call of an executor is about to do."""
        self.planned = self.planned + tasks  # the index may be being written

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def give_turn(self, seconds: float) -> None:
        """Lets the thread do what is due, for so long at most: for one that holds the interpreter otherwise."""
        self._rests.clear()
        if time.monotonic() >= self._due:
            self._rests.wait(seconds)

    def finish(self, state: str = "complete") -> None:
        """Writes what is left and puts small parts together."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        self.state = state
        written = self._flush()
        if not written:
            self._keep_free(RESERVE // 2)
            written = any(self._flush(most) for most in (1_000, 100, 10, 1))  # what fits
        self._reserve.unlink(missing_ok=True)
        if written:
            with suppress(OSError):  # then there are more files
                self._fold_all()
        self.dropped += len(self._waiting)
        if self.dropped:
            self.note(f"{self.dropped} tasks were not recorded, because they could not be written: {self._problem}")
        elif self._problem is not None:
            self.note(f"for a while tasks could not be written ({self._problem}): they waited, and none is missing")
        if not self._guarded(self._write_index if self.rows or self.dropped else self._remove):
            self.note(f"{INDEX} is not complete: {self._problem}")

    def _run(self) -> None:
        machine, pace = Machine(), Pace(LOOK_EVERY, LOOK_SHARE)
        flushed = time.monotonic()
        with collecting:
            while not self._stop.wait(self._rest(pace.next())):
                before = time.perf_counter()
                self._watch.look()
                pace.took(time.perf_counter() - before)
                if time.monotonic() - flushed >= FLUSH_EVERY:
                    flushed = time.monotonic()
                    self._write_due(machine)
            self._take(machine)

    def _rest(self, seconds: float) -> float:
        self._due = time.monotonic() + seconds
        self._rests.set()
        return seconds

    def _write_due(self, machine: Machine) -> None:
        self._take(machine)
        if self._flush():
            with suppress(OSError):  # tried again with the next rows
                self._fold()
        else:
            self._tell()
        self._guarded(self._write_index)

    def _take(self, machine: Machine) -> None:
        """What this process did since the last time."""
        self._ticks.append([*self._client, *machine.tick()])
        if (seen := self._watch.take()) is not None:
            self._seen.append(seen)

    def _now(self) -> list[str]:
        """A note of what may change: that rows wait."""
        with self._lock:
            waiting = len(self._waiting) if self._problem is not None and self.state == "running" else 0
        return [f"{waiting} tasks cannot be written now, and wait: {self._problem}"] if waiting else []

    def _tell(self) -> None:
        """Says once that rows wait, so that somebody may make room."""
        if self._told:
            return
        self._told = True
        self._keep_free(RESERVE * 3 // 4)
        said = f"crema.record: {self.folder}: tasks cannot be written now ({self._problem}), and wait"
        print(said, file=sys.stderr, flush=True)

    def _keep_free(self, size: int) -> None:
        with suppress(OSError):
            os.truncate(self._reserve, min(size, self._reserve.stat().st_size))

    def _guarded(self, write: Any) -> bool:
        try:
            write()
        except OSError as problem:  # a full disk: tried again with the next rows
            self._problem = problem.strerror or str(problem)
            return False
        return True

    def _flush(self, most: int = MOST_ROWS) -> bool:
        """Writes what waits, in parts of so many rows at most, until one cannot be written; whether all were."""
        with self._lock:
            rows, self._waiting = self._waiting, []
        many = max(len(self._ticks), len(self._seen)) >= MANY_TICKS or self._changes
        if not rows and self.rows and (self.state != "running" or many):
            return self._write_rows([])
        for first in range(0, len(rows), most):
            if not self._write_rows(rows[first : first + most]):
                with self._lock:
                    self._waiting = rows[first:] + self._waiting
                return False
        return True

    def _write_rows(self, rows: list[dict[str, Any]]) -> bool:
        """Makes a part of rows and of the ticks that wait."""
        part = Part(int(self._begin), self._clean)
        besides = Besides(list(self._ticks), list(self._seen), list(self._changes))
        for row in rows:
            try:
                part.add(row)
            except (ArithmeticError, TypeError, ValueError, KeyError) as problem:
                self.note(f"a task was not recorded: {type(problem).__name__} {problem}")
        for tick in besides.ticks:
            part.add_tick(tick[:3], tick[3:])
        for begin, samples in besides.seen:
            part.add_client(begin, samples)
        for change in besides.changes:
            part.add_change(change)
        if not self._guarded(lambda: self._levels.append((0, *self._write(part)))):
            return False
        self.rows += len(part)
        written: list[tuple[deque[Any], int]] = [
            (self._ticks, len(besides.ticks)),
            (self._seen, len(besides.seen)),
            (self._changes, len(besides.changes)),
        ]
        for waiting, count in written:
            for _ in range(count):
                waiting.popleft()
        return True

    def _write(self, part: Part) -> tuple[str, int]:
        name = f"tasks-{self._number:06}.json.gz"
        text = json.dumps(part.content(), separators=(",", ":"), allow_nan=False)
        # A run that goes on takes little time for what is put together at its end.
        replace_file(self.folder / name, gzip.compress(text.encode(), 1 if self.state == "running" else 6, mtime=0))
        self._number += 1
        return name, len(part)

    def _fold(self) -> None:
        """Puts the parts of a level together when there are many: so a long run has few files."""
        for level in range(3):
            parts = [one for one in self._levels if one[0] == level]
            if len(parts) >= FOLD:
                self._join(parts, level + 1)

    def _fold_all(self) -> None:
        if len(self._levels) > 1:
            self._join(list(self._levels), 9)

    def _join(self, parts: list[tuple[int, str, int]], level: int) -> None:
        joined: list[tuple[int, str, int]] = []
        whole = Part(int(self._begin))
        try:
            for _, name, rows in parts:
                if len(whole) and len(whole) + rows > MOST_ROWS:
                    joined.append((level, *self._write(whole)))
                    whole = Part(int(self._begin))
                whole.extend(Part.read(json.loads(gzip.decompress((self.folder / name).read_bytes()))))
            joined.append((level, *self._write(whole)))
        except OSError:  # a full disk has no room for both
            for _, name, _ in joined:
                (self.folder / name).unlink(missing_ok=True)
            raise
        first = self._levels.index(parts[0])
        self._levels[first : first + len(parts)] = joined
        self._write_index()  # before the old ones go: what it lists is always there
        for _, name, _ in parts:
            (self.folder / name).unlink(missing_ok=True)

    def _remove(self) -> None:
        """Nothing ran: there is nothing to say."""
        (self.folder / INDEX).unlink(missing_ok=True)

    def _write_index(self) -> None:
        with self._lock:
            workers = [
                {"host": host, "pid": pid, "worker": worker, "begin": begin, "end": end, "threads": threads}
                for (host, pid, worker), (begin, end, threads) in self._workers.items()
            ]
        index = {
            "format": INDEX_FORMAT,
            "recorded_by": f"crema {__version__}",
            "state": self.state,
            "begin": self._begin,
            "until": time.time(),
            "client": {"host": socket.gethostname(), "pid": os.getpid()},
            "rows": self.rows,
            "dropped": self.dropped,
            "notes": self.notes + self._now(),
            "cluster": self._cluster,
            "workers": workers,
            "planned": self.planned,
            "parts": [{"name": name, "rows": rows} for _, name, rows in self._levels],
        }
        replace_file(self.folder / INDEX, json.dumps(self._clean.all(index)).encode())
