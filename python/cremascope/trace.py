"""Trace events of a run, as ui.perfetto.dev and chrome://tracing open them: tasks by thread, series by worker."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from cremascope.runs import Runs

#: The series of workers that become counters, and their units.
SERIES = {"memory": "byte", "cpu": "cores", "nbytes": "byte", "executing": "tasks", "active_tasks": "tasks", "occupancy": "s"}


def trace_events(run: Runs) -> list[dict[str, Any]]:
    """The events, times in microseconds since the run's beginning.

    A worker is a process, each of its threads one of that. Computations lie on the threads; what else is done for a task
    (transfers, reading from disk) overlaps with them and has tracks of its own. A counter is written where it changes.
    """
    processes: dict[str, int] = {}
    events: list[dict[str, Any]] = []

    def process(worker: str) -> int:
        if worker not in processes:
            processes[worker] = len(processes) + 1
            events.append({"ph": "M", "pid": processes[worker], "name": "process_name", "args": {"name": worker}})
        return processes[worker]

    done: dict[float, float] = {}  # by thread, what was computed on it until now
    tasks = [task for task in run.ask("tasks").rows() if task["t0"] is not None and task["t1"] is not None]
    for number, task in enumerate(sorted(tasks, key=lambda task: task["t0"])):
        begin, end = task["t0"], task["t1"]
        about = {name: task[name] for name in ("key", "status", "nbytes", "exception") if task[name] is not None}
        is_computed = task["action"] == "compute"
        if is_computed:
            # Dask corrects times by the worker's clock of the moment: a task may begin a few ms before the last one's end,
            # and events of a thread must not overlap.
            begin = max(begin, done.get(task["lane"], begin))
            end = max(begin, end)
            done[task["lane"]] = end
        event = {
            "pid": process(task["worker"]),
            "tid": int(task["lane"]) + 1,
            "cat": task["action"],
            "name": task["prefix"] if is_computed else f"{task['action']}: {task['prefix']}",
            "ts": begin * 1e6,
        }
        if is_computed:
            events.append({**event, "ph": "X", "dur": (end - begin) * 1e6, "args": about})
        else:
            events.append({**event, "ph": "b", "id": number, "args": about})
            events.append({**event, "ph": "e", "id": number, "ts": end * 1e6})

    ticks = run.ask("timeline")["t"]
    for name, unit in SERIES.items():
        series = run._answer("worker_matrix", {"series": name, "stat": "tick"})
        first = int(series.notes.get("first_tick", 0))
        for row in series.rows():
            last = None
            for tick, value in zip(ticks[first:], row[name], strict=False):
                if value is not None and value != last:
                    counter = {"ph": "C", "pid": process(row["worker"]), "name": name, "ts": tick * 1e6, "args": {unit: value}}
                    events.append(counter)
                    last = value
    return events


def save_trace(run: Runs, path: str | os.PathLike[str]) -> Path:
    """Writes the events to a file of that name, packed where it ends in ``.gz``."""
    target = Path(path).expanduser()
    content = json.dumps({"traceEvents": trace_events(run)}, ensure_ascii=False, separators=(",", ":")).encode()
    target.write_bytes(gzip.compress(content) if target.suffix == ".gz" else content)
    return target
