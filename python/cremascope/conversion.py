"""Makes a run of what others keep: Parsl's monitoring, Dask's state, logs and metrics, reports of graphed, uproot, coffea."""

from __future__ import annotations

import ast
import gzip
import json
import pickle
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from cremascope import probe
from cremascope.parts import INDEX, INDEX_FORMAT, MOST_ROWS, Part
from cremascope.sample import MOST_TRANSITIONS, warnings_by_kind
from cremascope.scrapes import Labels, Scrape, is_scrape, scrapes_of
from cremascope.task.machine import MACHINE
from cremascope.version import __version__
from cremascope.write import replace_file


@dataclass
class Converted:
    """A run on its way into our format (docs/format.md): times in epoch seconds."""

    name: str
    begin: float
    until: float
    rows: Iterable[dict[str, Any]]
    """of ``tasks``"""
    workers: list[dict[str, Any]]
    """of ``tasks.json``"""
    changes: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_running: bool = False
    config: dict[str, Any] = field(default_factory=dict)
    """of ``config.json``: what workers warned of"""
    report: dict[str, Any] | None = None
    """coffea's, where that is all there is"""
    ticks: list[dict[str, Any]] = field(default_factory=list)
    """of ``machine``"""
    states: dict[str, Any] | None = None
    """of ``transitions.json.gz``"""


def convert(source: str | Path, out: str | Path | None = None) -> list[Path]:
    """Writes each run of ``source`` into a folder of its own and returns them, to be opened like recordings.

    ``source``: ``monitoring.db`` of Parsl's MonitoringHub; what Dask's ``client.dump_cluster_state()`` wrote
    (``.msgpack.gz`` or ``.yaml``); a log of Dask's scheduler or of a worker, or a folder of them; what ``/metrics`` of Dask's
    scheduler or workers said to Prometheus, as text, a file for each time, or a folder of them; JSON of graphed's
    ``RunReport.to_json()``, or of the report that ``uproot.dask(..., allow_read_errors_with_report=True)`` makes
    (``json.dump(report.compute().to_list(), file)``; of ``apply_to_fileset`` a dictionary of these by dataset); the metrics of
    coffea's ``Runner(savemetrics=True)``, as JSON, in a pickle or in what ``coffea.util.save`` wrote. The content decides.
    ``out``: the folder for one run, or for the folders of several; default: the file's name without endings, beside it.
    Raises ValueError where the file is none of these.
    """
    path = Path(source).expanduser()
    runs = list(_reader_of(path)(path))
    if not runs:
        raise ValueError(f"{path} holds no run")
    folder = Path(out).expanduser() if out is not None else path.with_name(path.name.split(".")[0] + "-run")
    folders = [folder] if len(runs) == 1 else [folder / run.name for run in runs]
    for run, into in zip(runs, folders, strict=True):
        _write(run, into)
    return folders


def _reader_of(path: Path) -> Callable[[Path], Iterator[Converted]]:
    if path.is_dir():
        return _folder
    with path.open("rb") as file:
        head = file.read(64)
    if head.startswith((_PICKLE, _LZ4)):
        return _coffea
    if head.startswith(b"SQLite format 3\0"):
        return _parsl
    if head.startswith(b"\x1f\x8b") or path.suffix in (".yaml", ".yml"):
        return _dask
    if _is_log(path):
        return _dask_logs
    if is_scrape(path):
        return _dask_metrics
    if head.lstrip()[:1] in (b"{", b"["):
        return _report
    raise ValueError(
        f"{path} is no database of Parsl's monitoring, no dump, log or metrics of Dask, no report of graphed, uproot or coffea"
    )


def _folder(path: Path) -> Iterator[Converted]:
    yield from _dask_logs(path)
    yield from _dask_metrics(path)


def _write(run: Converted, folder: Path) -> None:
    if (folder / INDEX).exists():
        raise ValueError(f"{folder} holds a recording")
    folder.mkdir(parents=True, exist_ok=True)
    if run.report is not None:
        replace_file(folder / "report.json", json.dumps(run.report, indent=1).encode())
        return
    parts: list[dict[str, Any]] = []

    def write(part: Part) -> None:
        name = f"tasks-{len(parts):06}.json.gz"
        text = json.dumps(part.content(), separators=(",", ":"), allow_nan=False)
        replace_file(folder / name, gzip.compress(text.encode(), 6, mtime=0))
        parts.append({"name": name, "rows": len(part)})

    part = Part(int(run.begin))
    for change in run.changes:
        part.add_change(change)
    for tick in run.ticks:
        part.add_tick([None, None, tick["worker"]], [tick.get(name) for name in MACHINE])
    for row in run.rows:
        part.add(row)
        if len(part) >= MOST_ROWS:
            write(part)
            part = Part(int(run.begin))
    write(part)
    index = {
        "format": INDEX_FORMAT,
        "recorded_by": f"crema {__version__}",
        "state": "running" if run.is_running else "complete",
        "begin": run.begin,
        "until": run.until,
        "rows": sum(one["rows"] for one in parts),
        "dropped": 0,
        "notes": run.notes,
        "cluster": False,
        "workers": run.workers,
        "planned": [],
        "parts": parts,
    }
    replace_file(folder / INDEX, json.dumps(index, indent=1).encode())
    config = {"recorded_by": f"crema {__version__}", "notes": run.notes} | run.config
    replace_file(folder / "config.json", json.dumps(config, indent=1).encode())
    if run.states is not None:
        text = json.dumps(run.states, separators=(",", ":"), allow_nan=False)
        replace_file(folder / "transitions.json.gz", gzip.compress(text.encode(), 6, mtime=0))
    replace_file(folder / "start_end_time.txt", f"{run.begin},{run.until}\n".encode())


# --- Parsl


def _moment(text: Any) -> float | None:
    """Epoch seconds of a time as Parsl writes it: local, without a zone."""
    if isinstance(text, int | float):
        return float(text)
    return None if text is None else datetime.fromisoformat(str(text)).timestamp()


def _parsl(path: Path) -> Iterator[Converted]:
    with closing(sqlite3.connect(f"file:{path.resolve().as_posix()}?mode=ro", uri=True)) as base:
        base.row_factory = sqlite3.Row
        tables = {row["name"] for row in base.execute("select name from sqlite_master where type = 'table'")}
        if not {"workflow", "task", "try", "status"} <= tables:
            raise ValueError(f"{path} is no database of Parsl's monitoring: it lacks its tables")
        for workflow in base.execute("select * from workflow order by time_began"):
            yield _workflow(base, workflow, tables)


def _workflow(base: sqlite3.Connection, workflow: sqlite3.Row, tables: set[str]) -> Converted:
    run = workflow["run_id"]
    began, ended = _moment(workflow["time_began"]), _moment(workflow["time_completed"])
    nodes = list(base.execute("select * from node where run_id = ?", (run,))) if "node" in tables else []
    memory: dict[tuple[int, int], float] = {}
    if "resource" in tables:
        for row in base.execute(
            "select task_id, try_id, max(psutil_process_memory_resident) as memory from resource where run_id = ?"
            " group by task_id, try_id",
            (run,),
        ):
            memory[row["task_id"], row["try_id"]] = row["memory"]
    states: dict[tuple[int, int], set[str]] = {}
    for row in base.execute("select task_id, try_id, task_status_name from status where run_id = ?", (run,)):
        states.setdefault((row["task_id"], row["try_id"]), set()).add(row["task_status_name"])
    rows: list[dict[str, Any]] = []
    for row in base.execute(
        "select try.*, task.task_func_name from try join task on task.task_id = try.task_id and task.run_id = try.run_id"
        " where try.run_id = ? order by task_try_time_launched",
        (run,),
    ):
        key = row["task_id"], row["try_id"]
        if (made := _try(row, states.get(key, set()), memory.get(key), ended is None)) is not None:
            rows.append(made)
    first = min((row["begin"] for row in rows), default=0.0)
    last = max((row["begin"] + (row["wall"] or 0.0) for row in rows), default=first)
    begin, until = began if began is not None else first, ended if ended is not None else last
    threads: dict[str, float] = {}
    pools: dict[tuple[str, str], float] = {}  # workers of each manager of a node
    seen: dict[str, list[float]] = {}
    for node in nodes:
        host = node["hostname"]
        pools[host, node["uid"]] = max(pools.get((host, node["uid"]), 0), node["worker_count"] or 0)
        moments = [moment for moment in (_moment(node["timestamp"]), _moment(node["last_heartbeat"])) if moment is not None]
        seen.setdefault(host, []).extend(moments)
    for (host, _), count in pools.items():
        threads[host] = threads.get(host, 0) + count
    for attempt in rows:
        if attempt["host"]:
            seen.setdefault(attempt["host"], []).extend((attempt["begin"], attempt["begin"] + (attempt["wall"] or 0.0)))
    workers = [
        {
            "host": host,
            "worker": host,
            "begin": max(begin, min(moments)),
            "end": min(until, max(moments)),
            "threads": threads[host],
        }
        for host, moments in seen.items()
        if moments and threads.get(host)
    ]
    notes = ["times are those of the host that ran Parsl, in the time zone of the one that converted them"]
    if not workers:
        notes.append("Parsl did not record its workers: how many cores there were is not known")
    notes.append(
        "CPU time of tasks is not known: Parsl counts that of the process, which runs one after the other"
        if memory
        else "Parsl's resource monitoring was off: CPU time and memory of tasks are not known"
    )
    name = Path(workflow["rundir"] or str(run)).name
    return Converted(name, begin, until, rows, workers, notes=notes, is_running=ended is None)


def _try(row: sqlite3.Row, states: set[str], memory: float | None, goes_on: bool) -> dict[str, Any] | None:
    """A row of an attempt; None where it never ran, such as one whose inputs failed, or runs still."""
    running, returned = _moment(row["task_try_time_running"]), _moment(row["task_try_time_returned"])
    begin = running if running is not None else _moment(row["task_try_time_launched"])
    failure = row["task_fail_history"]
    if begin is None or states & {"memo_done", "dep_fail"} or (returned is None and goes_on):
        return None
    made: dict[str, Any] = {
        "kind": "call",
        "executor": row["task_executor"],
        "function": row["task_func_name"],
        "item": f"{row['run_id']}-{row['task_id']}",
        "host": row["hostname"] or None,
        "worker": row["hostname"] or None,
        "attempt": row["try_id"] + 1,
        "status": "failed" if failure else "ok" if "exec_done" in states else "lost",
        "begin": begin,
        "wall": None if returned is None else returned - begin,
    }
    if failure:
        made["error"], made["message"] = _exception(failure)
    if memory is not None:
        made |= {"rss_peak": memory, "rss_peak_sampled": 1}
    return made


def _exception(text: str) -> tuple[str, str]:
    """``ValueError("no jets")`` as type and first line."""
    kind, _, rest = str(text).partition("(")
    return kind.strip(), rest.rstrip(")").strip("'\"").split("\n")[0][:300]


# --- Dask


def _dask(path: Path) -> Iterator[Converted]:
    state = _load(path)
    if not isinstance(state, dict) or not {"scheduler", "workers"} <= state.keys():
        raise ValueError(f"{path} is no dump of a Dask cluster's state")
    scheduler, workers = state["scheduler"], state["workers"]
    known = scheduler.get("tasks") or {}
    rows: list[dict[str, Any]] = []
    running = silent = 0
    ends: list[float] = []
    infos: list[dict[str, Any]] = []
    for address, worker in workers.items():
        if not isinstance(worker, dict):  # why it did not answer
            silent += 1
            continue
        about = (scheduler.get("workers") or {}).get(address, {})
        where = {"host": about.get("host") or _host(address), "pid": about.get("pid"), "worker": address}
        ran, open_tasks, moments = _executions(worker.get("log") or [], where, known)
        rows += ran
        running += open_tasks
        ends += moments
        threads = about.get("nthreads") or worker.get("nthreads") or (worker.get("state") or {}).get("nthreads")
        infos.append(where | {"threads": threads})
    ends += [float(entry[-1]) for entry in scheduler.get("transition_log") or [] if isinstance(entry[-1], int | float)]
    if not ends:
        return
    begin, until = min(ends), max(ends)
    changes = _joined_and_left(scheduler.get("events"))
    since = {change["worker"]: change["begin"] for change in changes if change["change"] == "added"}
    for info in infos:
        info |= {"begin": max(begin, since.get(info["worker"], begin)), "end": until}
    notes = ["what workers had run that have left is not in a dump, and of others the last 100,000 changes of tasks"]
    if running:
        notes.append(f"{running} tasks ran when the state was dumped; they are left out")
    if silent:
        notes.append(f"{silent} workers did not answer when the state was dumped")
    yield Converted(path.name.split(".")[0], begin, until, sorted(rows, key=lambda row: row["begin"]), infos, changes, notes)


def _load(path: Path) -> Any:
    """What the dump holds; its libraries are Dask's own."""
    try:
        if path.suffix in (".yaml", ".yml"):
            import yaml

            with path.open() as text:
                return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        import msgpack

        with gzip.open(path, "rb") as packed:
            return msgpack.unpack(packed, strict_map_key=False)
    except ImportError as problem:
        raise ValueError(f"{path} needs {problem.name}, which Dask installs") from problem
    except Exception as problem:  # whatever the libraries raise of damage
        raise ValueError(f"{path} cannot be read: {problem}") from problem


def _host(address: str) -> str:
    return address.rpartition("://")[2].rpartition(":")[0]


def _executions(log: list[Any], where: dict[str, Any], known: dict[str, Any]) -> tuple[list[dict[str, Any]], int, list[float]]:
    """Rows of what a worker executed, by its log; how many still ran; when something happened."""
    begun: dict[Any, float] = {}
    attempts: dict[Any, int] = {}
    rows: list[dict[str, Any]] = []
    moments: list[float] = []
    for entry in log:
        if len(entry) < 7:  # no change of a state
            continue
        key, start, _, finish, _, _, when = entry[:7]
        key = str(key)
        moments.append(float(when))
        if finish == "executing" and start != "executing":
            begun.setdefault(key, float(when))
        elif key in begun and finish in ("memory", "error", "released", "rescheduled"):
            begin = begun.pop(key)
            attempts[key] = attempts.get(key, 0) + 1
            task = known.get(key) or {}
            row = where | {
                "kind": "call",
                "executor": "Dask",
                "function": _prefix(key),
                "item": key,
                "attempt": attempts[key],
                "status": "ok" if finish == "memory" else "failed",
                "begin": begin,
                "wall": float(when) - begin,
                "out_bytes": task.get("nbytes") if finish == "memory" and (task.get("nbytes") or 0) > 0 else None,
            }
            if finish == "error":
                row["error"], row["message"] = _exception(task.get("exception_text") or "unknown")
            elif finish != "memory":
                row["error"], row["message"] = finish.capitalize(), "the scheduler took it back"
            rows.append(row)
    return rows, len(begun), moments


def _prefix(key: str) -> str:
    from dask.utils import key_split

    return str(key_split(key))


_CHANGES = {"add-worker": "added", "remove-worker": "removed"}


def _joined_and_left(topics: Any) -> list[dict[str, Any]]:
    """Workers that were added or removed, in order of time."""
    found: list[dict[str, Any]] = []
    events = topics.get("all") if isinstance(topics, dict) else None
    if not isinstance(events, dict | list):  # newer ones have the name of an object
        return []
    for when, event in events.get("events", []) if isinstance(events, dict) else events:
        change = _CHANGES.get(str(event.get("action"))) if isinstance(event, dict) else None
        if change:
            reason = re.match(r"[a-z-]*[a-z]", event.get("stimulus_id") or "") if change == "removed" else None
            found.append(
                {"begin": float(when), "worker": event.get("worker"), "change": change, "reason": reason[0] if reason else None}
            )
    return _counted(found)


def _counted(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """In order of time, with how many workers there are since."""
    count = 0
    ordered = sorted(changes, key=lambda one: one["begin"])
    for change in ordered:
        count += 1 if change["change"] == "added" else -1
        change["workers"] = max(count, 0)
    return ordered


# --- Dask's logs

_LINE = re.compile(
    r"(?P<when>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) - (?P<logger>distributed[\w.]*) - [A-Z]+ - (?P<text>.*)", re.DOTALL
)


def _is_log(path: Path) -> bool:
    with path.open(errors="replace") as lines:
        return any(_LINE.match(line) for _, line in zip(range(100), lines, strict=False))


def _records(path: Path) -> Iterator[tuple[float, str, str]]:
    """When, by whom and what, of each entry: a line with those that belong to it. Times are local, as in the log."""
    entry: list[str] = []

    def told() -> Iterator[tuple[float, str, str]]:
        if entry and (found := _LINE.match("".join(entry))):
            when = datetime.strptime(found["when"], "%Y-%m-%d %H:%M:%S,%f").timestamp()
            yield when, found["logger"], found["text"].rstrip()

    with path.open(errors="replace") as lines:
        for line in lines:
            if _LINE.match(line):
                yield from told()
                entry = [line]
            elif entry and len(entry) < 100:
                entry.append(line)
        yield from told()


def _dask_logs(path: Path) -> Iterator[Converted]:
    files = sorted(one for one in path.iterdir() if one.is_file() and _is_log(one)) if path.is_dir() else [path]
    rows: list[dict[str, Any]] = []
    joined: dict[str, float] = {}
    left: dict[str, tuple[float, str]] = {}
    why: dict[str, tuple[float, str]] = {}  # workers ended, by their own word or their nanny's
    warned: list[dict[str, Any]] = []
    moments: list[float] = []
    for file in files:
        here: str | None = None  # the worker whose log it is
        for when, logger, text in _records(file):
            moments.append(when)
            if found := re.match(r"\s*Start worker at:\s+(\S+)", text):
                here = found[1].strip("'")
                joined.setdefault(here, when)
            elif found := re.match(r"Register worker (?:addr: |<WorkerState ')(\S+?)'?,? ", text):
                joined[found[1]] = when
            elif found := re.match(r"Remove worker (?:addr: |<WorkerState ')(\S+?)'?,? ", text):
                stimulus = re.search(r"stimulus_id='([a-z-]*[a-z])", text)
                left[found[1]] = when, stimulus[1] if stimulus else "unknown"
            elif found := re.match(r"Worker (\S+) \(pid=\d+\) exceeded \d+% memory budget", text):
                why[found[1]] = when, "memory-limit"
            elif found := re.match(r"Stopping worker at (\S+)\. Reason: (\S+)", text):
                why.setdefault(found[1], (when, found[2]))
            elif text.startswith("Compute Failed"):
                rows.append(_failed(when, here, dict(re.findall(r"^(\w+):\s+(.*)$", text, re.MULTILINE))))
            elif found := re.match(r"Task (.*) marked as failed because (.*)", text):
                rows.append(_failed(when, None, {"Key": found[1]}) | {"error": "KilledWorker", "message": found[2]})
            elif event := probe.warning_in(text):
                warned.append(event | {"time": when, "worker": here if logger != "distributed.core" or here else None})
    if not moments:
        return
    for worker, (when, reason) in why.items():
        left[worker] = left.get(worker, (when,))[0], reason
    changes = [{"begin": when, "worker": worker, "change": "added", "reason": None} for worker, when in joined.items()]
    changes += [
        {"begin": when, "worker": worker, "change": "removed", "reason": reason} for worker, (when, reason) in left.items()
    ]
    config = {
        "warnings": warnings_by_kind(warned),
        "worker_events": [{key: one[key] for key in ("time", "worker", "kind", "value")} for one in warned],
    }
    notes = ["times are the local time of the hosts that wrote the logs, in the time zone of the one that converted them"]
    begin, until = min(moments), max(moments)
    yield Converted(path.name.split(".")[0], begin, until, rows, [], _counted(changes), notes, config=config)


def _failed(when: float, worker: str | None, about: dict[str, str]) -> dict[str, Any]:
    """A row of a task that failed; a log says when, not for how long it had run."""
    key = about.get("Key", "unknown")
    error, message = _exception(about.get("Exception", "unknown").strip("\"'"))
    return {
        "kind": "call",
        "executor": "Dask",
        "function": _prefix(key),
        "item": key,
        "host": _host(worker) if worker else None,
        "worker": worker,
        "status": "failed",
        "error": error,
        "message": message,
        "begin": when,
    }


# --- Dask's metrics: what its processes told Prometheus, from time to time


def _dask_metrics(path: Path) -> Iterator[Converted]:
    files = sorted(one for one in path.iterdir() if one.is_file() and is_scrape(one)) if path.is_dir() else [path]
    scrapes = sorted((scrape for file in files for scrape in scrapes_of(file)), key=lambda one: one.when)
    if not scrapes:
        return
    begin, until = scrapes[0].when, scrapes[-1].when
    processes, unnamed = _by_process(scrapes)
    ticks: list[dict[str, Any]] = []
    workers: list[dict[str, Any]] = []
    for name, seen in processes.items():
        ticks += _ticks(name, seen)
        threads = max((one.sum("dask_worker_threads") or 0 for one in seen), default=0)
        if threads > 0:
            workers.append({"worker": name, "begin": seen[0].when, "end": seen[-1].when, "threads": int(threads)})
    of_scheduler = [scrape for scrape in scrapes if scrape.is_of_scheduler]
    notes = [
        f"metrics were read at {len({scrape.when for scrape in scrapes})} moments, "
        + ("which stand behind the values" if all(one.is_timed for one in scrapes) else "when the files were last changed")
        + ": of what was between them, such as a peak of memory, only what Dask counts is known",
        "Dask's metrics do not say which task ran when, where and for how long, why it failed, why workers left,"
        " nor their hosts and memory limits",
    ]
    if not workers:
        notes.append("no metrics of workers were saved: how many cores there were and their memory are not known")
    if unnamed:
        notes.append(f"{unnamed} readings of workers do not say of which process they are, and are left out")
    notes += _told_by_scheduler(of_scheduler)
    states = _states(of_scheduler) if of_scheduler else None
    name = f"{path.name.split('.')[0]}-metrics"
    changes = _counts_of_workers(of_scheduler)
    yield Converted(name, begin, until, [], workers, changes, notes, ticks=ticks, states=states)


def _by_process(scrapes: list[Scrape]) -> tuple[dict[str, list[Scrape]], int]:
    """Scrapes of each process by a name for it; how many are of a worker that cannot be told from others.

    A worker is called as Prometheus calls it, or else as the first file that has it. Asked itself it says when it began.
    """
    names: dict[Any, str] = {}
    processes: dict[str, list[Scrape]] = {}
    unnamed = 0
    for scrape in scrapes:
        began = scrape.sum("process_start_time_seconds")
        if scrape.is_of_scheduler:
            name = "scheduler"
        elif scrape.instance or began is not None:
            key = scrape.instance or (began, re.sub(r"\d+$", "", scrape.file))
            name = names.setdefault(key, scrape.instance or scrape.file)
        else:
            unnamed += 1
            continue
        processes.setdefault(name, []).append(scrape)
    return processes, unnamed


def _grown(before: Scrape, now: Scrape, name: str) -> dict[Labels, float]:
    """How much each counter of that name grew; one that is smaller began anew."""
    old = before.values.get(name, {})
    found = now.values.get(name, {})
    return {labels: value - was if value >= (was := old.get(labels, 0.0)) else value for labels, value in found.items()}


#: [s] Between ticks of the event loop, as Dask has it unless configured; lateness below counts as none (docs/format.md).
_LOOP_TICK, _LEAST_LAG = 0.02, 0.01


def _ticks(name: str, scrapes: list[Scrape]) -> Iterator[dict[str, Any]]:
    """What a process used from one scrape to the next, and what it held at the end; the first is a moment."""
    for before, now in zip([scrapes[0], *scrapes], scrapes, strict=False):
        began = now.sum("process_start_time_seconds") == before.sum("process_start_time_seconds")
        kind = "scheduler" if now.is_of_scheduler else "worker"
        tick: dict[str, Any] = {"worker": name, "begin": before.when if began else now.when}
        tick["wall"] = now.when - tick["begin"]
        for column, counter in (
            ("own", "process_cpu_seconds_total"),
            ("collections", "python_gc_collections_total"),
            ("collecting", f"dask_{kind}_gc_collection_seconds_total"),
        ):
            if counter in before.values and counter in now.values:
                tick[column] = sum(_grown(before, now, counter).values()) if began else 0
        memory = now.by("type", "dask_worker_memory_bytes")
        if (rss := now.sum("process_resident_memory_bytes")) is not None:
            tick["rss"] = int(rss)
        elif {"managed", "unmanaged"} <= memory.keys():
            tick["rss"] = int(memory["managed"] + memory["unmanaged"])
        if kind == "scheduler" and began:
            counted = sum(_grown(before, now, "dask_scheduler_tick_count_total").values())
            if counted > 0:
                tick["lag"] = max(tick["wall"] - counted * _LOOP_TICK, 0.0)
            # Despite its name it is the age of the last tick: distributed up to 2026.8 looks its maximum up by a wrong key.
            late = (now.sum("dask_scheduler_tick_duration_maximum_seconds") or 0.0) - _LOOP_TICK
            if late >= _LEAST_LAG:
                tick["longest_lag"] = late
        yield tick


def _counts_of_workers(scrapes: list[Scrape]) -> list[dict[str, Any]]:
    """Workers that the scheduler counted as added and removed by each scrape: nobody says which they are."""
    changes: list[dict[str, Any]] = []
    for before, now in pairwise(scrapes):
        added, removed = (
            int(min(sum(_grown(before, now, f"dask_scheduler_workers_{what}_total").values()), MOST_ROWS))
            for what in ("added", "removed")
        )
        count = int(now.sum("dask_scheduler_workers") or 0) - added + removed
        for change in ["removed"] * removed + ["added"] * added:
            count += 1 if change == "added" else -1
            reason = "unknown" if change == "removed" else None
            changes.append({"begin": now.when, "worker": None, "change": change, "reason": reason, "workers": max(count, 0)})
    return changes


def _states(scrapes: list[Scrape]) -> dict[str, Any]:
    """How many tasks were in each state, as changes of tasks' states at the moment of each scrape (docs/record.md).

    What a task was before, or became, is not told: it is ``released``, which is not counted. Of how many entered a state in
    between the scheduler has a sum.
    """
    counts = [scrape.by("state", "dask_scheduler_tasks") for scrape in scrapes]
    names = ["released", *sorted({state for count in counts for state in count} - {"released", "forgotten"})]
    held = {state: int(counts[0].get(state, 0)) for state in names[1:]}
    moves: list[tuple[float, str, int]] = []  # at a moment, of a state, so many tasks more or less
    for before, now, was, count in zip(scrapes, scrapes[1:], counts, counts[1:], strict=False):
        entered: dict[str, float] = {}
        for labels, value in _grown(before, now, "dask_scheduler_prefix_state_totals_total").items():
            state = dict(labels).get("state", "")
            entered[state] = entered.get(state, 0.0) + value
        came = {state: int(max(entered.get(state, 0), count.get(state, 0) - was.get(state, 0), 0)) for state in names[1:]}
        moves += [(now.when, state, int(count.get(state, 0) - was.get(state, 0)) - came[state]) for state in names[1:]]
        moves += [(now.when, state, came[state]) for state in names[1:]]
    rows: list[list[Any]] = []
    forgotten = 0
    for when, state, by in reversed(moves):
        kept = min(abs(by), MOST_TRANSITIONS - len(rows))
        place = names.index(state)
        rows += [[when - scrapes[0].when, -1, *((0, place) if by > 0 else (place, 0)), -1, -1, -1]] * kept
        forgotten += abs(by) - kept
        held[state] += by + kept if by < 0 else by - kept
    return {
        "format": "crema_transitions_v1",
        "start": scrapes[0].when,
        "forgotten": forgotten,
        "failed": 0,
        "names": names,
        "before": [[names.index(state), -1, count] for state, count in held.items() if count],
        "transitions": rows[::-1],
    }


def _told_by_scheduler(scrapes: list[Scrape]) -> list[str]:
    if not scrapes:
        return ["no metrics of the scheduler were saved: how many workers and tasks it knew is not known"]
    counts = [int(scrape.sum("dask_scheduler_workers") or 0) for scrape in scrapes]
    notes = [f"the scheduler knew {counts[0]} workers at first, {max(counts)} at most, {counts[-1]} at the end"]
    for state in ("paused", "retiring"):
        if most := max(int(scrape.by("state", "dask_scheduler_workers").get(state, 0)) for scrape in scrapes):
            notes.append(f"up to {most} workers were {state}")
    notes.append(
        "the lag of the scheduler's event loop is the time of ticks that are missing, at 20 ms each, as Dask has it unless"
        " configured otherwise; the longest is known only where the metrics were read meanwhile"
    )
    erred: dict[str, float] = {}
    for labels, value in scrapes[-1].values.get("dask_scheduler_prefix_state_totals_total", {}).items():
        if dict(labels).get("state") == "erred":
            erred[dict(labels).get("task_prefix_name", "unknown")] = value
    if told := _listed(erred):
        notes.append(f"tasks that erred, or needed one that did, by the scheduler's counts: {told}; why is not told")
    if told := _listed(scrapes[-1].by("task_prefix_name", "dask_scheduler_tasks_suspicious_total")):
        notes.append(f"times a worker was lost with a task that it ran, by the scheduler's counts: {told}")
    return notes


def _listed(counts: dict[str, float]) -> str:
    return ", ".join(f"{int(count)} of {name}" for name, count in sorted(counts.items()) if count > 0)


# --- Reports of graphed and uproot: how long each task took and how it failed, and mostly not when. Of coffea: sums


def _report(path: Path) -> Iterator[Converted]:
    try:
        report = json.loads(path.read_bytes())
    except ValueError as problem:
        raise ValueError(f"{path} cannot be read: {problem}") from problem
    if isinstance(report, dict) and {"outcome", "tasks", "environment_digest"} <= report.keys():
        rows, elapsed = [_graphed_task(task) for task in report["tasks"]], float(report["wall_s"])
        note = "graphed's report says how long tasks took, not when they ran"
    elif (sums := _metrics_in(report)) is not None:
        yield Converted(path.stem, 0.0, 0.0, [], [], report=sums)
        return
    elif reads := _uproot_reads(report):
        rows, elapsed = [_uproot_read(read) | {"dataset": dataset} for dataset, read in reads], 0.0
        note = "uproot's report says how long reads took, not when they were; what failed has its moment only"
    else:
        raise ValueError(f"{path} is no report of graphed, uproot or coffea")
    until = path.stat().st_mtime
    begin = min([until - elapsed, *(row["begin"] for row in rows if "begin" in row)])
    yield Converted(
        path.stem, begin, until, rows, [], notes=[note, "the run is taken to have ended when its report was written"]
    )


def _graphed_task(task: dict[str, Any]) -> dict[str, Any]:
    from cremascope import graphed  # who has imported it records graphed's executors: cremascope.executors

    ended = {"finished": "ok", "errored": "failed"}.get(task["state"], "lost")
    row = graphed.described(task["key"], task["partition"]) | graphed.failed(task["error"])
    return row | {"worker": task["worker"] or None, "status": ended, "wall": task["duration_s"]}


def _uproot_reads(report: Any) -> list[tuple[str | None, dict[str, Any]]]:
    """Each read with its dataset, where reports come by dataset; none where it is no report of uproot."""
    by_dataset = report if isinstance(report, dict) else {None: report}
    reads = [(name, read) for name, some in by_dataset.items() for read in (some if isinstance(some, list) else [some])]
    return reads if all(isinstance(read, dict) and "performance_counters" in read for _, read in reads) else []


def _uproot_read(read: dict[str, Any]) -> dict[str, Any]:
    """``args`` are Python's words for the file, the tree in it, and the entries or, with ``is_chunk`` False, steps of them."""
    args = [_literal(one) for one in read["args"]]
    file = args[0] if args and isinstance(args[0], str) else None
    row: dict[str, Any] = {"kind": "chunk", "executor": "uproot", "function": "read", "host": read["hostname"]}
    row |= {"file": file, "status": "failed" if read["exception"] else "ok", "wall": read["duration"]}
    if len(args) > 4 and args[4] is True:
        row |= {"entry_start": args[2], "entry_stop": args[3]}
    else:
        row["item"] = " ".join(map(str, read["args"]))
    if read["exception"]:
        row |= {"error": read["exception"], "message": (read["message"] or "").split("\n")[0][:300]}
    if read["call_time"]:
        row["begin"] = read["call_time"] / 1e9
    if counters := read["performance_counters"]:
        row |= {"requested_bytes": counters["num_requested_bytes"], "requests": counters["num_requests"]}
    return row


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None


# --- coffea's metrics

_PICKLE, _LZ4 = b"\x80", b"\x04\x22\x4d\x18"
_METRICS = ("bytesread", "entries", "processtime", "chunks", "columns")


class _Other(dict[Any, Any]):
    """Stands for an object of any class, of which only what it holds by name is kept."""

    def __new__(cls, *_: Any, **__: Any) -> _Other:
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__()

    def __setstate__(self, state: Any) -> None:
        for part in state if isinstance(state, tuple) else (state,):
            if isinstance(part, dict):
                self.update(part)

    def __call__(self, *_: Any, **__: Any) -> _Other:
        return _Other()

    def append(self, _: Any) -> None: ...

    def extend(self, _: Any) -> None: ...

    def add(self, _: Any) -> None: ...

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__  # type: ignore[assignment]


class _Plain(pickle._Unpickler):
    """Makes only what Python itself has, so that a pickle of somebody else's runs nothing.

    In Python: the one in C takes as much memory as a damaged byte asks for.
    """

    def find_class(self, module: str, name: str) -> Any:
        return {"set": set, "frozenset": frozenset}.get(name, _Other) if module == "builtins" else _Other

    def persistent_load(self, _: Any) -> Any:
        return _Other()


def _coffea(path: Path) -> Iterator[Converted]:
    try:
        with path.open("rb") as file:
            if file.read(1) == _PICKLE:
                file.seek(0)
                found = _Plain(file).load()
            else:
                import lz4.frame

                with lz4.frame.open(path) as unpacked:
                    found = _Plain(unpacked).load()
    except ImportError as problem:
        raise ValueError(f"{path} needs lz4, which coffea installs") from problem
    except Exception as problem:  # whatever a damaged pickle raises
        raise ValueError(f"{path} cannot be read: {problem}") from problem
    metrics = _metrics_in(found)
    if metrics is None:
        raise ValueError(f"{path} holds no metrics of coffea: Runner(savemetrics=True) returns them beside the output")
    yield Converted(path.stem, 0.0, 0.0, [], [], report=metrics)


def _metrics_in(found: Any, depth: int = 3) -> dict[str, Any] | None:
    """Coffea's metrics, which may stand beside the output or in what holds both."""
    if isinstance(found, dict) and len(set(_METRICS) & found.keys()) > 2:
        columns = found.get("columns")
        known = {name: found[name] for name in _METRICS[:4] if isinstance(found.get(name), int | float)}
        return known | ({"columns": sorted(map(str, columns))} if isinstance(columns, list | set | tuple) else {})
    for part in found.values() if isinstance(found, dict) else found if isinstance(found, list | tuple) else ():
        if depth > 0 and (metrics := _metrics_in(part, depth - 1)) is not None:
            return metrics
    return None
