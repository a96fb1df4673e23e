"""Writes rows of tasks as they come: numbered files of columns, listed in ``tasks.json`` (docs/format.md)."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cremascope.version import __version__
from cremascope.write import replace_file

#: [s] What a killed client loses at most is what came since.
FLUSH_EVERY = 1.0
#: So many small parts become one.
FOLD = 32
#: Rows of a part, at most.
MOST_ROWS = 10_000
#: Rows that wait while the disk takes none: beyond, the oldest are dropped, and counted.
MOST_WAITING = 50_000

INDEX = "tasks.json"
INDEX_FORMAT = "crema_task_index_v1"
PART_FORMAT = "crema_tasks_v1"

PHASES = ("unpack", "open", "read", "process", "serialise")
#: Columns of texts, which are numbers into the part's ``strings``.
TEXTS = frozenset(
    (
        *("kind", "executor", "function", "stage", "host", "worker", "status", "error", "message", "frame"),
        *("dataset", "file", "tree", "branch", "codec"),
    )
)
#: Columns of seconds: whole microseconds.
SECONDS = frozenset(
    (
        *("begin", "wall", "cpu", "user", "system", "cpu_of_process", "request_wait", "first_byte", "wait"),
        *(f"{phase}_{what}" for phase in PHASES for what in ("begin", "wall", "cpu")),
    )
)
TASKS = (
    *("kind", "executor", "function", "stage", "call", "host", "pid", "thread", "worker", "attempt", "status"),
    *("error", "message", "frame", "dataset", "file", "tree", "entry_start", "entry_stop", "events", "inputs", "out_bytes"),
    *("begin", "wall", "cpu", "user", "system", "cpu_of_process"),
    *(f"{phase}_{what}" for phase in PHASES for what in ("begin", "wall", "cpu")),
    *("rss_before", "rss_after", "rss_peak", "rss_peak_sampled", "at_once", "threads"),
    *("minor_faults", "major_faults", "voluntary_switches", "involuntary_switches"),
    *("rchar", "wchar", "syscr", "syscw", "read_bytes", "write_bytes"),
    *("requests", "requested_ranges", "requested_bytes", "request_wait", "first_byte"),
)
BRANCHES = (
    *("task", "branch", "baskets", "compressed", "uncompressed", "outside", "codec"),
    *("requests", "requested", "shared", "wait", "wall", "cpu"),
)
TABLES = {"tasks": TASKS, "branches": BRANCHES}


class Part:
    """Rows in columns."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.columns: dict[str, dict[str, list[Any]]] = {table: {name: [] for name in names} for table, names in TABLES.items()}
        self.processes: list[dict[str, Any]] = []
        self._texts: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.columns["tasks"]["kind"])

    def add(self, row: dict[str, Any]) -> None:
        flat = dict(row)
        for phase, (begin, wall, cpu) in (flat.pop("parts", None) or {}).items():
            flat |= {f"{phase}_begin": begin - row["begin"], f"{phase}_wall": wall, f"{phase}_cpu": cpu}
        place = len(self)
        for name, column in self.columns["tasks"].items():
            column.append(self._value(name, flat.get(name)))
        for branch in flat.get("branches") or ():
            for (name, column), value in zip(self.columns["branches"].items(), (place, *branch), strict=True):
                column.append(self._value(name, value))
        if "process" in flat:
            self.processes.append({name: flat[name] for name in ("host", "pid", "worker")} | flat["process"])

    def _value(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        if name in TEXTS:
            return self._texts.setdefault(without_secrets(str(value)), len(self._texts))
        if name == "begin":
            value -= self.epoch
        return round(value * 1e6) if name in SECONDS else int(value)

    def extend(self, other: Part) -> None:
        """Adds the rows of another part."""
        texts = {number: self._texts.setdefault(text, len(self._texts)) for text, number in other._texts.items()}
        shift, place = 1_000_000 * (other.epoch - self.epoch), len(self)
        for table, columns in self.columns.items():
            for name, column in columns.items():
                values: Iterable[Any] = other.columns[table][name]
                if name in TEXTS:
                    values = (None if value is None else texts[value] for value in values)
                elif name == "begin":
                    values = (None if value is None else value + shift for value in values)
                elif name == "task":
                    values = (value + place for value in values)
                column.extend(values)
        self.processes += other.processes

    def content(self) -> dict[str, Any]:
        """As it is saved: a column without a value is left out."""
        tables = {
            table: {name: column for name, column in columns.items() if any(value is not None for value in column)}
            for table, columns in self.columns.items()
        }
        rows = {"format": PART_FORMAT, "epoch": self.epoch, "rows": len(self), "strings": list(self._texts)}
        return rows | tables | {"processes": self.processes}

    @classmethod
    def read(cls, content: dict[str, Any]) -> Part:
        part = cls(content["epoch"])
        part._texts = {text: number for number, text in enumerate(content["strings"])}
        for table, columns in part.columns.items():
            found = content[table]
            count = max((len(column) for column in found.values()), default=0)
            for name in columns:
                columns[name] = found.get(name) or [None] * count
        part.processes = content["processes"]
        return part


class Store:
    """A folder that rows are written into while they come, by a thread of its own.

    With ``cluster`` somebody else records the workers, and when they came and left.
    """

    def __init__(self, folder: Path, *, cluster: bool = False) -> None:
        self.folder = folder
        self._cluster = cluster
        self._workers: dict[tuple[Any, ...], list[float]] = {}  # first begin, last end and threads of each process
        self.notes: list[str] = []
        self.rows = 0
        self.dropped = 0
        self.state = "running"
        self._begin = time.time()
        self._levels: list[tuple[int, str, int]] = []  # level, name and rows of each part, oldest first
        self._number = 0
        self._waiting: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="crema-rows", daemon=True)

    def start(self) -> None:
        """Raises OSError where the folder cannot be made."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write_index()
        self._thread.start()

    def put(self, rows: list[dict[str, Any]]) -> None:
        with self._lock:
            for row in rows:
                if row.get("pid") is not None and row.get("worker") != "client":
                    begin, end = row["begin"], row["begin"] + row["wall"]
                    key = (row.get("host"), row["pid"], row.get("worker"))
                    worker = self._workers.setdefault(key, [begin, end, 1])
                    worker[:] = min(worker[0], begin), max(worker[1], end), max(worker[2], row.get("at_once") or 1)
            self._waiting += rows
            if (beyond := len(self._waiting) - MOST_WAITING) > 0:
                del self._waiting[:beyond]
                self.dropped += beyond

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def finish(self, state: str = "complete") -> None:
        """Writes what is left and puts small parts together."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        self.state = state
        if self._flush():
            self._guarded(self._fold_all)
        self._guarded(self._write_index if self.rows else self._remove)
        if self.dropped:
            self.note(f"{self.dropped} tasks were not recorded, because they could not be written")

    def _run(self) -> None:
        while not self._stop.wait(FLUSH_EVERY):
            if self._flush():
                self._guarded(self._fold)
            self._guarded(self._write_index)

    def _guarded(self, write: Any) -> bool:
        try:
            write()
        except OSError as problem:  # a full disk: tried again with the next rows
            self.note(f"tasks could not be written: {problem.strerror or problem}")
            return False
        return True

    def _flush(self) -> bool:
        with self._lock:
            rows, self._waiting = self._waiting, []
        for first in range(0, len(rows), MOST_ROWS):
            part = Part(int(self._begin))
            for row in rows[first : first + MOST_ROWS]:
                try:
                    part.add(row)
                except (ArithmeticError, TypeError, ValueError, KeyError) as problem:
                    self.note(f"a task was not recorded: {type(problem).__name__} {problem}")
            if not self._guarded(lambda part=part: self._levels.append((0, *self._write(part)))):
                with self._lock:
                    self._waiting = rows[first:] + self._waiting
                return False
            self.rows += len(part)
        return True

    def _write(self, part: Part) -> tuple[str, int]:
        name = f"tasks-{self._number:06}.json.gz"
        text = json.dumps(part.content(), separators=(",", ":"), allow_nan=False)
        replace_file(self.folder / name, gzip.compress(text.encode(), 6, mtime=0))
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
        for _, name, rows in parts:
            if len(whole) and len(whole) + rows > MOST_ROWS:
                joined.append((level, *self._write(whole)))
                whole = Part(int(self._begin))
            whole.extend(Part.read(json.loads(gzip.decompress((self.folder / name).read_bytes()))))
        joined.append((level, *self._write(whole)))
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
            "notes": self.notes,
            "cluster": self._cluster,
            "workers": workers,
            "parts": [{"name": name, "rows": rows} for _, name, rows in self._levels],
        }
        replace_file(self.folder / INDEX, json.dumps(index, indent=1).encode())


def without_secrets(text: str) -> str:
    """Addresses without user, password and query: signed addresses carry keys."""
    return re.sub(r"\?[^\s'\"]*", "", re.sub(r"(\w+://)[^/@\s'\"]+@", r"\1", text)) if "://" in text else text
