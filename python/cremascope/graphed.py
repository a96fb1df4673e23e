"""A monitor for graphed's executors: what they run leaves rows in the recordings of ``crema.record``.

Nothing of graphed is imported: a monitor is whatever has its four methods.
"""

from __future__ import annotations

import os
import re
import socket
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from cremascope import executors

#: [s] Clocks of one machine agree better than this, those of two that were started at other times do not.
_ONE_MACHINE = 60.0


class Monitor:
    """Records each task of an executor of graphed while a block of ``crema.record`` lasts::

        with crema.record("runs/zprime"):
            result = ProcessPoolExecutor(monitor=Monitor()).run(plan)

    A row says when the task ran, where, on which entries of which file, and how it failed (docs/format.md). What a monitor is
    not told is absent: CPU time, memory, sections. All is passed on to ``inner``, another monitor.
    """

    complete_events = True
    """graphed hands over all events of a run before it returns"""

    def __init__(self, inner: Any = None) -> None:
        self._inner = inner
        self._begun: dict[int, float] = {}
        self._attempts: Counter[int] = Counter()
        self._clocks: dict[str, float] = {}

    def on_task(self, event: Any) -> None:
        with suppress(Exception):  # the run is worth more than a row
            self._record(event)
        if self._inner is not None:
            self._inner.on_task(event)

    def on_profile(self, worker: str, payload: bytes) -> None:
        if self._inner is not None:
            self._inner.on_profile(worker, payload)

    def on_combine(self, leaves_done: int) -> None:
        if self._inner is not None:
            self._inner.on_combine(leaves_done)

    def worker_profiler_factory(self) -> Any:
        return self._inner.worker_profiler_factory() if self._inner is not None else None

    def _record(self, event: Any) -> None:
        phase, worker = str(event.phase), event.worker
        if phase == "submitted":
            return
        now = time.time()
        clock = self._clocks.setdefault(worker, _epoch_of(event.t, now))
        if phase == "started":
            self._begun[event.key] = event.t
            return
        begin = self._begun.pop(event.key, None)
        self._attempts[event.key] += 1
        row = described(event.key, event.partition) | failed(event.error)
        row |= {"worker": worker, "status": "failed" if phase == "errored" else "ok", "attempt": self._attempts[event.key]}
        row |= {"begin": clock + (event.t if begin is None else begin), "wall": None if begin is None else event.t - begin}
        if "://" not in worker:  # a thread of this process, or the number of one of this machine
            row |= {"host": socket.gethostname(), "pid": int(worker) if worker.isdigit() else os.getpid()}
        if phase == "finished":
            row |= {"events": event.n_entries or None, "requested_bytes": event.bytes_read}
        executors.put([row])


def _epoch_of(moment: float, now: float) -> float:
    """The epoch seconds at which a clock of ``perf_counter`` that shows ``moment`` just now or a little earlier was 0."""
    here = time.time() - time.perf_counter()
    return here if abs(now - moment - here) < _ONE_MACHINE else now - moment


def described(key: int, partition: str) -> dict[str, Any]:
    """What a row says of a task of graphed: its number, and the file, tree and entries in its ``partition``."""
    row: dict[str, Any] = {"kind": "call", "executor": "graphed", "function": "partition", "item": str(key)}
    if found := re.fullmatch(r"(.+):([^:]*):(\d+)-(\d+)", partition):
        row |= {"kind": "chunk", "file": found[1], "tree": found[2], "entry_start": int(found[3]), "entry_stop": int(found[4])}
    return row


def failed(error: str | None) -> dict[str, Any]:
    """What it says of graphed's words for an exception."""
    if not error:
        return {}
    kind, _, message = error.partition(": ")
    return {"error": kind, "message": message.split("\n")[0][:300]}
