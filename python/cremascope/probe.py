"""Functions that run inside Dask's scheduler and its workers, where Crema is not installed.

They are pickled by value (``pickled_by_value``): each imports what it needs, and of this module uses functions alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def pickled_by_value() -> Iterator[None]:
    """In this context the functions of this module are pickled with their code instead of by name."""
    import cloudpickle

    module = sys.modules[__name__]
    known = __name__ in cloudpickle.list_registry_pickle_by_value()
    if not known:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        if not known:
            cloudpickle.unregister_pickle_by_value(module)


def clock(dask_scheduler: Any) -> float:  # noqa: ARG001 - Dask finds it by its name
    """The scheduler's clock [epoch s], by which Dask cuts profiles."""
    import time

    return time.time()


def streamed(dask_scheduler: Any) -> int:
    """How many tasks Dask's stream has heard of, which there is from now on."""
    dask_scheduler.get_task_stream(start=0, stop=0)
    return int(dask_scheduler.plugins["task-stream"].index)


def task_stream(dask_scheduler: Any, first: int) -> tuple[int, list[dict[str, Any]]]:
    """What the stream has of the tasks from this number on, and the first one's number: of many it keeps the last.

    In the order in which the scheduler heard of them, whatever a worker's clock says: what Dask adds to it, to make it the
    scheduler's, is up to a second wrong where the worker began on a busy machine.
    """
    stream = dask_scheduler.plugins["task-stream"]
    kept = list(stream.buffer)
    first = max(first, stream.index - len(kept))
    return first, kept[len(kept) - (stream.index - first) :]


#: What is tracked of each worker, by the names of roastcoffea's series: bytes, threads, tasks, seconds, percent of a CPU.
TRACKED = (
    "worker_memory",
    "worker_memory_limit",
    "worker_active_tasks",
    "worker_cores",
    "worker_nbytes",
    "worker_occupancy",
    "worker_executing",
    "worker_last_seen",
    "worker_cpu",
)


def profiles(dask_worker: Any, since: float, until: float | None, width: float) -> dict[str, Any]:
    """What the worker's profiler saw in the cycles that ended in (``since``, ``until``] (None: and what it sees now).

    Times are the scheduler's epoch seconds. ``{"cycle": s, "frames": [node], "trees": [[slice, prefix, nodes]]}``: slice ``n``
    has the cycles whose middle is in [n, n + 1) x ``width``; of a tree the nodes in preorder, ``depth, frame, samples`` of
    each, one after the other; a frame is a node of Dask's without children and samples, once in ``frames``.
    Each sample is in one tree: of its moment, and of its task's prefix.
    """
    import time

    from distributed.profile import merge

    now = time.time() + dask_worker.scheduler_delay
    callback = dask_worker.periodic_callbacks.get("profile-cycle")  # none where profiles are off
    cycle = callback.callback_time / 1000 if callback is not None else width
    # Dask does not split samples of native code (low-level) by prefix
    low_level = getattr(dask_worker, "low_level_profiler", False)
    history = list(dask_worker.profile_history if low_level else dask_worker.profile_keys_history)
    if until is None:
        history.append((now, dask_worker.profile_recent if low_level else dict(dask_worker.profile_keys)))
        until = now
    parts: dict[tuple[int, Any], list[Any]] = {}
    begin = since
    for end, sampled in history:
        if since < end <= until:
            place = int((max(begin, end - cycle) + end) / 2 // width)
            for prefix, tree in ({None: sampled} if low_level else sampled).items():
                parts.setdefault((place, prefix), []).append(tree)
        begin = end
    frames: dict[tuple[str, int], int] = {}
    described: list[dict[str, Any]] = []

    def flat(tree: dict[str, Any]) -> list[int]:
        nodes: list[int] = []
        open_nodes = [(0, tree)]
        while open_nodes:
            depth, node = open_nodes.pop()
            about = node["description"]
            key = (node["identifier"], about["line_number"])
            if key not in frames:
                frames[key] = len(described)
                described.append({"identifier": key[0], "description": about})
            nodes += (depth, frames[key], node["count"])
            open_nodes += [(depth + 1, child) for child in reversed(node["children"].values())]
        return nodes

    # most have one cycle, which need not be copied
    trees = [[place, prefix, flat(merge(*some) if some[1:] else some[0])] for (place, prefix), some in parts.items()]
    return {"cycle": cycle, "frames": described, "trees": trees}


def start_tracking(dask_scheduler: Any, name: str, names: tuple[str, ...], every: float, most: int) -> None:
    """Begins to note ``names`` (``TRACKED``) of each worker every ``every`` seconds, under ``name``.

    Beyond ``most`` ticks every second one goes, and they are taken half as often. Asking from outside every second would
    write as many lines into the scheduler's log.
    """
    from datetime import datetime

    from tornado.ioloop import PeriodicCallback

    def values(state: Any) -> list[Any]:
        metrics = state.metrics
        running = metrics.get("task_counts", metrics)  # older Dask has the count itself
        found = {
            "worker_memory": metrics.get("memory", 0),
            "worker_memory_limit": state.memory_limit or 0,
            "worker_active_tasks": len(state.processing),
            "worker_cores": state.nthreads,
            "worker_nbytes": state.nbytes,
            "worker_occupancy": state.occupancy,
            "worker_executing": running.get("executing", 0),
            "worker_last_seen": state.last_seen,
            "worker_cpu": metrics.get("cpu", 0),
        }
        return [found[one] for one in names]

    ticks: list[Any] = []

    def track() -> None:
        workers = {address: values(state) for address, state in dask_scheduler.workers.items()}
        ticks.append((datetime.now().isoformat(), workers))
        if len(ticks) > most:
            del ticks[1::2]
            callback.callback_time *= 2

    track()
    callback: Any = PeriodicCallback(track, every * 1000)
    dask_scheduler.periodic_callbacks[name] = callback
    callback.crema_ticks = ticks
    callback.start()


def stop_tracking(dask_scheduler: Any, name: str) -> list[Any]:
    """Ends what ``start_tracking`` began; its ticks: the scheduler's local time, and the values of each worker."""
    callback = dask_scheduler.periodic_callbacks.pop(name)
    callback.stop()
    found: list[Any] = callback.crema_ticks
    return found


def start_transitions(dask_scheduler: Any, name: str, most: int) -> None:
    """Begins to note, under ``name``, the last ``most`` changes of tasks between the scheduler's states.

    What a plugin raises would be logged again and again: this one raises nothing, and counts.
    """
    import time
    from collections import Counter, deque

    from dask.utils import key_split
    from distributed import SchedulerPlugin

    class Transitions(SchedulerPlugin):  # type: ignore[misc]
        def __init__(self) -> None:
            self.begin = time.time()
            self.ring: deque[tuple[Any, ...]] = deque()
            self.forgotten = self.failed = 0
            tasks = dask_scheduler.tasks.items()
            #: where those tasks are that are being processed
            self.at = {key: state.processing_on.address for key, state in tasks if state.processing_on}
            #: of tasks by state and worker, before the first of the ring
            self.before = Counter((state.state, self.at.get(key)) for key, state in tasks)

        def transition(self, key: Any, start: str, finish: str, *_: Any, stimulus_id: str = "", **__: Any) -> None:
            try:
                left, worker = self.at.pop(key, None), None
                if finish == "processing":
                    self.at[key] = worker = dask_scheduler.tasks[key].processing_on.address
                if len(self.ring) == most:
                    _, _, a, b, out_of, into, _ = self.ring.popleft()
                    self.before[(a, out_of)] -= 1
                    self.before[(b, into)] += 1
                    self.forgotten += 1
                cause = stimulus_id.rpartition("-")[0]  # without its time
                self.ring.append((time.time(), key_split(key), start, finish, left, worker, cause))
            except Exception:
                self.failed += 1

    dask_scheduler.add_plugin(Transitions(), name=name)


def stop_transitions(dask_scheduler: Any, name: str) -> dict[str, Any]:
    """Ends what ``start_transitions`` began, and what it noted, as it is saved (docs/record.md)."""
    plugin = dask_scheduler.plugins[name]
    dask_scheduler.remove_plugin(name=name)
    names: dict[str, int] = {}

    def number(text: str | None) -> int:
        return -1 if text is None else names.setdefault(text, len(names))

    changes = [[round(when - plugin.begin, 4), *map(number, about)] for when, *about in plugin.ring]
    before = [[number(state), number(worker), count] for (state, worker), count in plugin.before.items() if count > 0]
    return {
        "format": "crema_transitions_v1",
        "start": plugin.begin,
        "forgotten": plugin.forgotten,
        "failed": plugin.failed,
        "names": list(names),
        "before": before,
        "transitions": changes,
    }


def start_pulse(dask_scheduler: Any, name: str, every: float) -> None:
    """Begins to tell under ``name`` how late the scheduler's event loop is, which workers come and go and why, and what ran.

    Told as ``{"tick": …}`` and ``{"change": …}`` (docs/format.md: machine, changes), and ``{"rows": …}``, packed JSON of tasks
    whose functions do not tell of themselves: ``[prefix, worker, thread, begin, wall, status, bytes, error, heard]``, each
    second; ``heard`` is when, by the scheduler's clock, as ``task_stream`` says why.
    Seconds, epoch seconds, bytes.

    What the event loop executes is looked at each ``every`` seconds: Dask's own profile of it has one look a second.
    """
    import json
    import os
    import socket
    import sys
    import threading
    import time
    import zlib
    from contextlib import suppress

    from dask.utils import key_split
    from distributed import SchedulerPlugin, profile

    where = [socket.gethostname(), os.getpid(), "scheduler"]

    class Pulse(SchedulerPlugin):  # type: ignore[misc]
        def __init__(self) -> None:
            self.begin, self.clock, self.own = time.time(), time.perf_counter(), time.process_time()
            self.beaten = self.clock
            self.lag = self.longest = 0.0
            self.ends = {"ended": 0, "bound_to_workers": 0, "bound_to_resources": 0}  # of tasks
            self.rows: list[list[Any]] = []
            # Dask's own, every 20 ms: another one would wake the loop as often again
            self.timer: Any = dask_scheduler.periodic_callbacks["tick"]
            self.often = self.timer.callback_time / 1000
            self.ticked, self.timer.callback = self.timer.callback, self.tick
            self.mine = self.timer.callback
            self.is_over = False
            self.looks = profile.create()
            threading.Thread(target=self.look, args=[threading.get_ident()], name="crema-looks-at-loop", daemon=True).start()

        def look(self, loop: int) -> None:
            while not self.is_over and (frame := sys._current_frames().get(loop)):
                with suppress(Exception):  # a look is worth less than the run
                    profile.process(frame, None, self.looks, omit=("selectors.py",))  # where it waits
                del frame
                time.sleep(every)

        def tick(self) -> Any:
            told = self.ticked()
            if not self.is_over:
                self.beat()
            return told

        def stop(self) -> None:
            self.is_over = True
            if self.timer.callback is self.mine:  # else another recording has it, and goes on
                self.timer.callback = self.ticked

        def beat(self) -> None:
            clock = time.perf_counter()
            late = max(0.0, clock - self.beaten - 1.5 * self.often)  # a callback that is skipped comes with the next
            self.beaten = clock
            self.lag += late
            self.longest = max(self.longest, late)
            if clock - self.clock >= 1:
                tick = {"begin": self.begin, "wall": clock - self.clock, "lag": self.lag, "longest_lag": self.longest}
                own = time.process_time()
                self.tell(where=where, tick=tick | {"own": own - self.own} | self.ends)
                self.ends = dict.fromkeys(self.ends, 0)
                self.begin, self.clock, self.own, self.lag, self.longest = time.time(), clock, own, 0.0, 0.0
                if self.rows:
                    self.tell(rows=self.take())

        def take(self) -> bytes:
            rows, self.rows = self.rows, []
            return zlib.compress(json.dumps(rows).encode(), 1)

        def transition(self, key: Any, start: str, finish: str, *_: Any, **told: Any) -> None:
            try:
                if start != "processing" or finish not in ("memory", "erred"):
                    return
                task = dask_scheduler.tasks.get(key)
                self.ends["ended"] += 1
                if kind := self.bound(task):
                    self.ends[kind] += 1
                if self.tells(task):
                    return
                worker, error = told.get("worker"), told.get("exception_text") if finish == "erred" else None
                times = [one for one in told.get("startstops") or () if one["action"] == "compute"]
                if not times and finish == "memory":
                    return
                begin = times[0]["start"] if times else time.time()
                wall = times[-1]["stop"] - begin if times else None
                status = "ok" if finish == "memory" else "failed" if error is not None else "lost"
                about = [key_split(key), worker, told.get("thread"), begin, wall]
                self.rows.append([*about, status, told.get("nbytes"), error, time.time()])
            except Exception:  # this row is worth less than the run
                return

        def bound(self, task: Any) -> str | None:
            """What kept the task from some of the workers that there are."""
            workers = len(dask_scheduler.workers)
            needed = getattr(task, "resource_restrictions", None) or ()
            if any(len(dask_scheduler.resources.get(name, ())) < workers for name in needed):
                return "bound_to_resources"
            if getattr(task, "loose_restrictions", False):
                return None
            named = getattr(task, "worker_restrictions", None) or getattr(task, "host_restrictions", None)
            return "bound_to_workers" if named and len(named) < workers else None

        def tells(self, task: Any) -> bool:
            """Whether the task's function tells of itself: ``cremascope.executors``."""
            return "crema_rows" in (getattr(task, "annotations", None) or {})

        def log_event(self, topic: str, event: Any) -> None:
            """A worker goes: what it ran when it was last heard of is lost. What waited there is not."""
            try:
                if topic != "all" or event.get("action") != "remove-worker":
                    return
                now = time.time()
                for key in event["processing-tasks"]:
                    task = dask_scheduler.tasks.get(key)
                    worker = getattr(task, "processing_on", None)
                    if worker is not None and task in worker.executing and not self.tells(task):
                        begin = min(now, worker.last_seen - worker.executing[task])
                        about = [key_split(key), event["worker"], None, begin, now - begin]
                        self.rows.append([*about, "lost", None, event["stimulus_id"].rpartition("-")[0], now])
            except Exception:  # an older Dask
                return

        def tell(self, **what: Any) -> None:
            dask_scheduler.log_event(name, what)

        def add_worker(self, scheduler: Any, worker: str) -> None:  # noqa: ARG002 - Dask's signature
            count = len(dask_scheduler.workers)
            self.tell(change={"begin": time.time(), "worker": worker, "change": "added", "reason": None, "workers": count})

        def remove_worker(self, scheduler: Any, worker: str, *, stimulus_id: str = "", **_: Any) -> None:  # noqa: ARG002
            told = {"begin": time.time(), "worker": worker, "change": "removed"} | {"workers": len(dask_scheduler.workers)}
            known = stimulus_id.rpartition("-")[0] or None

            def tell(looks: int) -> None:
                reason = self.reason(worker)
                if reason or known != "handle-worker-cleanup" or looks == 0:
                    self.tell(change=told | {"reason": reason or known})
                else:  # the connection broke: what its nanny says of it comes after that
                    dask_scheduler.loop.call_later(0.1, tell, looks - 1)

            tell(10)

        def reason(self, worker: str) -> str | None:
            """What the worker or its nanny said of it in the last seconds."""
            try:
                since = time.time() - 10
                for when, told in reversed(list(dask_scheduler.get_events("worker-restart-memory"))):
                    if when > since and told.get("worker") == worker:
                        return "memory-limit"
                for _, told in reversed(list(dask_scheduler.get_events(worker))):
                    if told.get("action") == "closing-worker":
                        return str(told.get("reason"))
            except Exception:  # an older Dask
                return None
            return None

    dask_scheduler.add_plugin(Pulse(), name=name)


def stop_pulse(dask_scheduler: Any, name: str) -> tuple[bytes, dict[str, Any]]:
    """Ends what ``start_pulse`` began; the rows that it has not told yet, and the event loop's profile, in Dask's form."""
    plugin = dask_scheduler.plugins[name]
    plugin.stop()
    dask_scheduler.remove_plugin(name=name)
    return plugin.take(), plugin.looks


def settings(environment: tuple[str, ...]) -> dict[str, Any]:
    """Of the worker that runs it: what decides how it works, of Dask's configuration and of the named ``environment``."""
    import os

    import dask

    found: dict[str, Any] = {
        "compression": dask.config.get("distributed.comm.compression", None),
        "system-monitor.interval": dask.config.get("distributed.admin.system-monitor.interval", None),
    }
    for group in ("memory", "profile", "connections"):
        for name, value in (dask.config.get(f"distributed.worker.{group}", None) or {}).items():
            if not isinstance(value, dict):
                found[f"{group}.{name}"] = value
    return found | {name: os.environ.get(name) for name in environment}


def warning_in(text: str) -> dict[str, Any] | None:
    """What Dask warns of in a line of its logs: ``{"kind", "text", "value"}``, the first number: percent, or seconds."""
    import re

    # of distributed.worker.memory, .gc, .core
    kinds = {
        "Pausing worker": "paused",
        "Resuming worker": "resumed",
        "garbage collections took": "collecting",
        "Event loop was unresponsive": "unresponsive",
    }
    kind = next((kind for part, kind in kinds.items() if part in text), None)
    if kind is None:
        return None
    amount = re.search(r"[0-9]+(\.[0-9]+)?", text)
    return {"kind": kind, "text": text[:300], "value": float(amount.group()) if amount else None}


def listener(topic: str, most: int) -> Any:
    """A plugin by which each worker tells the scheduler, under ``topic``, what Dask warns of there: at most ``most`` times.

    Told as ``warning_in`` has it. The events stay where the worker goes; it costs nothing where nothing is wrong.
    """
    import logging

    from distributed import WorkerPlugin

    class Listener(WorkerPlugin):  # type: ignore[misc]
        def setup(self, worker: Any) -> None:
            logger, told = logging.getLogger("distributed"), 0
            if any(handler.name == topic for handler in logger.handlers):
                return  # workers of one process share its logs

            class Handler(logging.Handler):
                def emit(self, record: logging.LogRecord) -> None:
                    nonlocal told
                    try:
                        text = record.getMessage()
                        said, _, number = text.removesuffix(")").partition(" (")
                        if said in ("Received signal SIGTERM", "Received signal SIGINT"):  # Dask closes with no word of it
                            worker.log_event(worker.address, {"action": "closing-worker", "reason": f"signal-{number}"})
                        event = warning_in(text)
                        if event is None or told >= most:
                            return
                        told += 1
                        worker.log_event(topic, event)
                    except Exception:  # a worker that is closing: this line matters less than the run
                        return

            handler = Handler(logging.INFO)
            handler.name = topic
            logger.addHandler(handler)

        def teardown(self, worker: Any) -> None:  # noqa: ARG002 - Dask's signature
            logger = logging.getLogger("distributed")
            for handler in [one for one in logger.handlers if one.name == topic]:
                logger.removeHandler(handler)

    return Listener()


def nanny_listener() -> Any:
    """A plugin by which each nanny tells the scheduler which signal ended its worker, as a worker tells why it closes."""
    from contextlib import suppress

    from distributed.diagnostics.plugin import NannyPlugin

    class Listener(NannyPlugin):  # type: ignore[misc]
        def setup(self, nanny: Any) -> None:
            exited, close = nanny._on_worker_exit_sync, nanny.close

            def last_word(reason: str) -> Any:
                return {"topic": nanny.worker_address, "msg": {"action": "closing-worker", "reason": reason}}

            def exit_told(code: int) -> None:
                with suppress(Exception):
                    if code < 0:
                        nanny.log_event(**last_word(f"signal{code}"))
                exited(code)

            async def close_told(*args: Any, **kwargs: Any) -> Any:
                if str(kwargs.get("reason")).startswith("signal-"):  # later its own connections are closed
                    with suppress(Exception):
                        await nanny.scheduler.log_event(**last_word(kwargs["reason"]))
                return await close(*args, **kwargs)

            nanny._on_worker_exit_sync, nanny.close = exit_told, close_told
            if nanny.process is not None:
                nanny.process.on_exit = exit_told

        def teardown(self, nanny: Any) -> None:
            for name in ("_on_worker_exit_sync", "close"):
                vars(nanny).pop(name, None)
            if nanny.process is not None:
                nanny.process.on_exit = nanny._on_worker_exit_sync

    return Listener()


def overview(dask_scheduler: Any) -> tuple[float, dict[str, dict[str, Any]]]:
    """The scheduler's clock [epoch s], and its workers by address."""
    import time

    workers = {
        address: {
            "name": state.name,
            "host": state.host,
            "nthreads": state.nthreads,
            "memory_limit": state.memory_limit,
        }
        for address, state in dask_scheduler.workers.items()
    }
    return time.time(), workers


def machine() -> dict[str, Any]:
    """Of the worker that runs it: what its host has, and the CPU seconds spent there up to ``time`` [s].

    ``cpus`` are the host's, ``cores`` the physical ones (None if unknown), ``usable`` how many of them this process
    may use: by its affinity, or its container. ``busy`` are all processes' seconds, with what a hypervisor took, ``own``
    those of this process.
    """
    import time

    import psutil
    from dask.system import cpu_count

    all_of_them = psutil.cpu_times()
    own = psutil.Process().cpu_times()
    return {
        "cpus": psutil.cpu_count(),
        "cores": psutil.cpu_count(logical=False),
        "usable": cpu_count(),
        "time": time.monotonic(),
        "busy": sum(getattr(all_of_them, name, 0.0) for name in ("user", "nice", "system", "irq", "softirq", "steal")),
        "own": own.user + own.system,
    }


def activities(dask_scheduler: Any) -> tuple[float, dict[Any, float] | None]:
    """The scheduler's clock [epoch s], and the fine metrics of all spans so far; None where Dask has no spans."""
    import time

    extension = dask_scheduler.extensions.get("spans")
    if extension is None:
        return time.time(), None
    found: dict[Any, float] = {}
    for one in extension.spans.values():
        for key, value in one._cumulative_worker_metrics.items():
            found[key] = found.get(key, 0) + value
    return time.time(), found


def span(
    dask_scheduler: Any, span_id: str | None, begin: float, end: float, before: dict[Any, float], until: dict[Any, float] | None
) -> dict[str, Any] | None:
    """What the cluster did from ``begin`` to ``end`` (the scheduler's epoch seconds), as a span; None where it did nothing.

    Dask's own span of that id, where all of it is in there. Tasks of the name of earlier ones that are still known count for
    those' span, and another client's for none of ours: then it is what all spans together have more than ``before``.
    ``until`` is what they had at the end, where tasks ran on.
    ``nthreads_intervals`` are ``[begin, end, threads of the cluster]``.
    """
    import itertools

    extension = dask_scheduler.extensions["spans"]
    found = extension.spans.get(span_id)
    if until is None:
        now: dict[Any, float] = {}
        for one in extension.spans.values():
            for key, value in one._cumulative_worker_metrics.items():
                now[key] = now.get(key, 0) + value
        own = {} if found is None else found.cumulative_worker_metrics
        more = {key: value - before.get(key, 0) for key, value in now.items()}
        if found is not None and all(abs(value - own.get(key, 0)) <= 1e-9 * abs(now[key]) for key, value in more.items()):
            record: dict[str, Any] = {"id": found.id, "name": list(found.name)}
            for name in (
                *("enqueued", "start", "stop", "done", "duration", "nthreads_intervals"),
                *("active_cpu_seconds", "states", "all_durations", "nbytes_total"),
            ):
                try:
                    value = getattr(found, name)
                except Exception:  # an older or a newer Dask: what it does not have is left out
                    continue
                if isinstance(value, dict):
                    value = dict(value)
                elif isinstance(value, (list, tuple)):
                    value = [list(one) for one in value]
                record[name] = value
            record["cumulative_worker_metrics"] = {str(key): value for key, value in own.items()}
            return record
    else:
        more = {key: value - before.get(key, 0) for key, value in until.items()}
    more = {key: value for key, value in more.items() if value > 0}
    if not more:
        return None
    history = [*dask_scheduler.total_nthreads_history, (end, 0)]
    intervals = [
        [max(begin, since), min(end, till), threads]
        for (since, threads), (till, _) in itertools.pairwise(history)
        if min(end, till) > max(begin, since)
    ]
    cores = sum((till - since) * threads for since, till, threads in intervals)
    executed = sum(value for key, value in more.items() if key[0] == "execute" and key[-1] == "seconds")
    more["execute", "N/A", "idle or other spans", "seconds"] = max(0.0, cores - executed)
    return {
        "id": span_id,
        "name": ["crema"],
        "enqueued": begin,
        "start": begin,
        "stop": end,
        "nthreads_intervals": intervals,
        "active_cpu_seconds": cores,
        "cumulative_worker_metrics": {str(key): value for key, value in more.items()},
    }


def call(pickled: bytes) -> None:
    """Calls a function that was pickled before."""
    import pickle

    pickle.loads(pickled)()


def caller(pickled: bytes) -> Any:
    """A plugin by which each worker calls a function that was pickled before, also those that come later."""
    from distributed import WorkerPlugin

    class Caller(WorkerPlugin):  # type: ignore[misc]
        def setup(self, worker: Any) -> None:  # noqa: ARG002 - Dask's signature
            import pickle

            pickle.loads(pickled)()

    return Caller()
