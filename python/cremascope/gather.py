"""Asks a Dask cluster for what it knows of a run. Whatever fails leaves a note and nothing else."""

from __future__ import annotations

import math
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from importlib import metadata
from typing import TYPE_CHECKING, Any

from cremascope import probe, sample
from cremascope.parts import Store
from cremascope.sample import OnScheduler, Profiles, Sampler, Warnings, hear_pulse, rows_of_dask, tracking_data
from cremascope.task.machine import ENVIRONMENT
from cremascope.version import __version__

if TYPE_CHECKING:
    from distributed import Client

#: Packages whose versions are recorded besides those that Dask reports.
_PACKAGES = ("coffea", "awkward", "uproot", "hist", "roastcoffea")
#: [s] In a shorter run Dask's profiles of event loops may be empty.
SHORT = 30.0
#: The keys of a worker's `meta` in dask_profiles.json.
_META = ("name", "host", "nthreads", "memory_limit")


class Local:
    """What a recording says besides the rows of tasks where there is no cluster: versions, labels, notes."""

    def __init__(self, labels: dict[str, str], notes: list[str]) -> None:
        self.incomplete: str | None = None
        self._labels = labels
        self._notes = notes
        self._environments: Mapping[Any, Mapping[str, str]] = {}

    def begin(self, _: ExitStack, store: Store) -> None:
        """Nothing runs beside the block; ``store`` hears what processes say of themselves."""
        self._environments = store.environments

    def end(self, context: ExitStack) -> None:
        context.close()

    def parts(self) -> dict[str, Any]:
        packages = {name: _version(name) for name in (*_PACKAGES, "dask", "distributed", "numpy")}
        packages["python"] = platform.python_version()
        about: dict[str, Any] = {
            "recorded_by": f"crema {__version__}",
            "versions": {"client": {"packages": {name: text for name, text in packages.items() if text}}},
        }
        if self._environments:
            by_process = {
                process: {name: environment.get(name) for name in ENVIRONMENT}
                for process, environment in self._environments.items()
            }
            about["settings"] = _counted(by_process, "settings")
        if self.incomplete is not None:
            about["incomplete"] = self.incomplete
        if self._labels:
            about["labels"] = self._labels
        return {"config.json": about | {"notes": self._notes}}


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


class Gatherer:
    """Collects the parts of one recording: ``begin`` before the run, ``end`` after it."""

    def __init__(self, client: Client, labels: dict[str, str], notes: list[str]) -> None:
        self.notes = notes
        """gets a sentence for each part that could not be had"""
        self._labels = labels
        self.incomplete: str | None = None
        """what ended the run before its end"""
        self._client: Any = client  # only parts of it are typed
        self._asked_last: float | None = None
        self._end = math.inf
        """when the block ended, by the scheduler's clock [epoch s]"""
        self._before: tuple[float, dict[Any, float] | None] | None = None
        self._until: dict[Any, float] | None = None
        """the fine metrics of all spans before the block, and when it ended"""
        self._span: str | None = None
        self._first: int | None = None
        self._heard = 0
        """how many tasks Dask's stream had before the block, and at its end"""
        self._is_asked = False
        self._ran_on = False
        """whether tasks ran when the block ended"""
        self._info: dict[str, Any] = {}
        self._parts: dict[str, Any] = {}
        self._profiles = Profiles(client, self._noting)
        self._sampler = Sampler(client, self._noting, self._profiles)
        beside = partial(OnScheduler, client, self._noting)
        self._tracking = beside("the series of the workers", probe.start_tracking, probe.stop_tracking)
        self._transitions = beside("the tasks' states", probe.start_transitions, probe.stop_transitions)
        self._pulse = beside("the scheduler's event loop and changes of workers", probe.start_pulse, probe.stop_pulse)
        self._warnings = Warnings(client, self._noting)
        self._versions: dict[str, Any] = {}
        self._settings: list[dict[str, Any]] = []
        self._machines: dict[str, dict[str, Any]] = {}
        """of the workers at the start, by address"""

    @contextmanager
    def _noting(self, what: str) -> Iterator[None]:
        try:
            yield
        except Exception as problem:  # the run is worth more than any part of its recording
            reason = " ".join(f"{type(problem).__name__} {problem}".split())
            note = f"{what} could not be recorded: {reason[:200]}"
            if note not in self.notes:  # some things are asked for again and again
                self.notes.append(note)

    def begin(self, context: ExitStack, store: Store) -> None:
        """Starts what must run during the block: the task stream and a span, which ``context`` closes.

        ``store`` gets what is told while it lasts.
        """
        client = self._client
        with self._noting("the start of the run on the scheduler's clock"), probe.pickled_by_value():
            self._profiles.until = float(client.run_on_scheduler(probe.clock))
        with self._noting("the workers at the start"):
            self._info = _scheduler_info(client)
        with self._noting("the workers' machines at the start"):
            self._machines = _machines(client)
        with self._noting("the versions"):
            self._versions = _condensed(client.get_versions(packages=list(_PACKAGES)))
        with self._noting("the workers' settings"), probe.pickled_by_value():
            self._settings = _counted(client.run(probe.settings, ENVIRONMENT, on_error="ignore"), "settings")
        with self._noting("the task stream"), probe.pickled_by_value():
            self._first = client.run_on_scheduler(probe.streamed)
        with self._noting("the span"):
            import dask
            from distributed import span

            current: Any = dask.get_annotations()  # type: ignore[attr-defined]
            outer = (current.get("span") or {}).get("name", ())
            if "coffea-processing" in outer:
                self.notes.append(
                    "record() is inside the MetricsCollector, so the time for saving counts as the run's: put record() outside"
                )
            self._span = context.enter_context(span("crema"))
        with self._noting("the fine metrics at the start"), probe.pickled_by_value():
            self._before = client.run_on_scheduler(probe.activities)
        self._store = store
        with self._noting("the scheduler's event loop"):
            client.subscribe_topic(self._pulse.name, hear_pulse(store, self._within))
        self._pulse.start(every=sample.LOOP_EVERY)
        self._ask_before_closing(context)
        self._tracking.start(names=probe.TRACKED, every=sample.TRACK_EVERY, most=sample.MOST_TICKS)
        self._transitions.start(most=sample.MOST_TRANSITIONS)
        self._warnings.start()
        self._sampler.start()

    def end(self, context: ExitStack) -> None:
        """Asks the cluster for everything; ``parts`` has what came, also where this was interrupted."""
        try:
            self._ask()
        finally:
            with self._noting("the end of the span"):
                context.close()

    def _ask_before_closing(self, context: ExitStack) -> None:
        """Until ``context`` ends, client and cluster are asked for everything before they are closed."""

        def ask_first(close: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(close)
            def closing(*args: Any, **kwargs: Any) -> Any:
                if not getattr(self._client, "asynchronous", False):  # its own loop cannot wait for itself
                    self._ask()
                return close(*args, **kwargs)

            return closing

        for owner in (self._client, getattr(self._client, "cluster", None)):
            for name in ("close", "shutdown"):
                close = getattr(owner, name, None)
                if close is not None:
                    setattr(owner, name, ask_first(close))
                    context.callback(vars(owner).pop, name, None)

    def _ask(self) -> None:
        """Asks the cluster for everything, once."""
        if self._is_asked:
            return
        self._is_asked = True
        self._sampler.stop()
        if self._is_closed():
            self.notes.append("the client was closed before the recording ended: the cluster's data is lost")
            return
        with self._noting("the end of the run on the scheduler's clock"), probe.pickled_by_value():
            self._end, self._until = self._client.run_on_scheduler(probe.activities)
            self._heard = self._client.run_on_scheduler(probe.streamed)
        self._tracking.stop()
        self._settle()
        self._pulse.stop()
        with self._noting("the scheduler's event loop"):
            self._client.unsubscribe_topic(self._pulse.name)
        if self._pulse.found:
            rows, loop = self._pulse.found
            self._store.put(self._within(rows_of_dask(rows)))
            if loop["count"]:
                self._parts["profile_scheduler.json.gz"] = loop
        self._transitions.stop()
        self._warnings.stop()
        self._gather()

    def parts(self) -> dict[str, Any]:
        """All that came, by file name."""
        parts = dict(self._parts)
        if self._tracking.found:
            parts["metrics.json"] = {"tracking_data": tracking_data(self._tracking.found)}
        if (self._transitions.found or {}).get("transitions"):
            parts["transitions.json.gz"] = self._transitions.found
        if self._info:
            parts["scheduler_info.json"] = self._info
        parts["config.json"] = self._about()
        return parts

    def _is_closed(self) -> bool:
        return getattr(self._client, "status", "running") in ("closed", "closing")

    def _settle(self) -> None:
        """Waits for the workers' next report, and for the profiler's next cycle."""
        with self._noting("the last reports of the workers"):
            from distributed.scheduler import heartbeat_interval

            time.sleep(max(1.0, heartbeat_interval(len(self._info.get("workers", ())))) + 0.1)

    def _gather(self) -> None:
        client, parts = self._client, self._parts
        self._asked_last = self._profiles.until
        with self._noting("the workers at the end"):
            self._info = _scheduler_info(client)
        with self._noting("the workers' machines"):
            for address, machine in _machines(client).items():
                if worker := self._info.get("workers", {}).get(address):
                    worker["machine"] = _load(machine, self._machines.get(address))
        tasks: list[dict[str, Any]] = []
        with self._noting("the task stream"):
            tasks = self._task_stream()
            if tasks:
                parts["task_stream.json.gz"] = tasks
        with self._noting("the span"), probe.pickled_by_value():
            self._ask_span()
        with self._noting("the profiles"):
            self._ask_profiles()
        self._note_gaps(tasks)

    def _task_stream(self) -> list[dict[str, Any]]:
        if self._first is None:
            return []
        with probe.pickled_by_value():
            first, tasks = self._client.run_on_scheduler(probe.task_stream, first=self._first)
        # `type` is a pickle, the traceback of a failed task too; their text stands beside them
        binary = ("type", "exception", "traceback")
        found = []
        for number, task in enumerate(tasks, first):
            times = [dict(one) for one in task["startstops"]]
            if number >= self._heard:  # it ran on
                self._ran_on |= any(one["stop"] > self._end for one in times)
                times = [one | {"stop": min(one["stop"], self._end)} for one in times if one["start"] < self._end]
            if times:
                kept = {key: str(value) if key == "key" else value for key, value in task.items() if key not in binary}
                found.append(kept | {"startstops": times})
        return found

    def _within(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those that were heard of before the block ended, or began before, cut there."""
        kept = [row for row in rows if row["heard"] <= self._end or row["begin"] < self._end]
        for row in kept:
            if row["heard"] > self._end and row["wall"] is not None and row["begin"] + row["wall"] > self._end:
                row["wall"] = self._end - row["begin"]
        return kept

    def _ask_span(self) -> None:
        """The span of the block; after the task stream, which knows whether tasks ran on."""
        if self._before is None:
            return
        begin, before = self._before
        if before is None:
            self.notes.append("there is no span, and no fine metrics: this Dask is older than 2023.6")
            return
        until = self._until if self._ran_on else None
        told = {"span_id": self._span, "begin": begin, "end": min(self._end, time.time()), "before": before, "until": until}
        span = self._client.run_on_scheduler(probe.span, **told)
        if span is not None:
            self._parts["span_object.json"] = [span]

    def _ask_profiles(self) -> None:
        profiles = self._profiles
        end = time.time()
        with self._noting("the end of the run on the scheduler's clock"), probe.pickled_by_value():
            end = float(self._client.run_on_scheduler(probe.clock))
        try:
            profiles.ask(len(self._info.get("workers", {})), None)
        finally:  # also what came before an interruption
            known = self._sampler.workers | self._info.get("workers", {})
            by_worker = {
                address: {
                    "meta": {"address": address, **{key: known[address].get(key) for key in _META}},
                    "profile": tree.nested(profiles.frames),
                }
                for address, tree in profiles.workers.items()
                if address in known
            }
            found: dict[str, dict[str, Any] | None] = {
                "dask_profiles.json.gz": by_worker,
                "profile_by_key.json.gz": {key: tree.nested(profiles.frames) for key, tree in profiles.keys.items()},
                "profile_slices.json.gz": profiles.sliced(end) if profiles.slices else None,
                "profile_server.json.gz": profiles.loops,
            }
            self._parts |= {name: part for name, part in found.items() if part and part.get("count", 1)}
        # of a short run there may be nothing to tell
        is_idle = profiles.loops and not profiles.loops["count"]
        if is_idle and self._before is not None and self._end - self._before[0] > SHORT:
            why = ": Dask records none on Python 3.11" if sys.version_info[:2] == (3, 11) else ""
            self.notes.append(f"the profile of the workers' event loop is empty{why}")

    def _note_gaps(self, tasks: list[dict[str, Any]]) -> None:
        """What Dask has forgotten by now."""
        gone = {task.get("worker") for task in tasks} - self._info.get("workers", {}).keys() - {None}
        if gone:
            kept = gone & self._profiles.workers.keys()
            bare = f", {len(gone - kept)} of them have no profile" if gone - kept else ""
            self.notes.append(f"workers that left before the end: {len(gone)}; their last samples are missing{bare}")
        with self._noting("the limits of Dask's buffers"):
            import dask
            from dask.utils import parse_timedelta

            setting = dask.config.get
            cycle = parse_timedelta(setting("distributed.worker.profile.cycle"), default="ms")
            kept = cycle * setting("distributed.admin.low-level-log-length")
            asked = self._asked_last
            if asked is not None and time.time() - asked > kept:
                self.notes.append(f"Dask keeps the last {kept:.0f} s of its profiles: they do not cover the whole run")
            longest = setting("distributed.scheduler.dashboard.tasks.task-stream-length")
            if len(tasks) >= longest:
                self.notes.append(f"Dask keeps the last {longest} tasks: the task stream does not cover the whole run")

    def _about(self) -> dict[str, Any]:
        about: dict[str, Any] = {"recorded_by": f"crema {__version__}", "versions": self._versions}
        with self._noting("the settings of Dask's profiler"):
            import dask

            about["profile"] = {
                name: dask.config.get(f"distributed.worker.profile.{name}") for name in ("enabled", "interval", "cycle")
            }
        if self.incomplete is not None:
            about["incomplete"] = self.incomplete
        if (warned := self._warnings.by_kind()) is not None:
            about["warnings"] = warned
            about["worker_events"] = self._warnings.events()
        if self._settings:
            about["settings"] = self._settings
        if self._labels:
            about["labels"] = self._labels
        about["notes"] = self.notes
        return about


def _scheduler_info(client: Client) -> dict[str, Any]:
    try:
        info = client.scheduler_info(n_workers=-1)
    except TypeError:  # Dask before 2025 gives all workers without being asked
        info = client.scheduler_info()
    return dict(info)


def _machines(client: Client) -> dict[str, dict[str, Any]]:
    """What ``probe.machine`` says of each worker, by address; one that fails has none."""
    with probe.pickled_by_value():
        found: dict[str, Any] = client.run(probe.machine, on_error="ignore")
    return found


def _load(now: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
    """A worker's machine with CPUs in use on average since ``before``: by all, and by the worker (None: not known)."""
    load = dict.fromkeys(("busy", "own"))
    if before is not None and now["time"] > before["time"]:
        load = {name: (now[name] - before[name]) / (now["time"] - before["time"]) for name in load}
    return {name: now[name] for name in ("cpus", "cores", "usable")} | load


def _condensed(versions: dict[str, Any]) -> dict[str, Any]:
    """The versions with equal workers counted together: a thousand of them mostly have one environment."""
    kinds = _counted(versions.get("workers", {}), "environment")
    return {"client": versions.get("client"), "scheduler": versions.get("scheduler"), "workers": kinds}


def _counted(by_worker: Mapping[Any, Any], name: str) -> list[dict[str, Any]]:
    """Equal ones once, under ``name``, with how many ``workers`` have it."""
    kinds: list[dict[str, Any]] = []
    for one in by_worker.values():
        kind = next((known for known in kinds if known[name] == one), None)
        if kind is None:
            kinds.append({name: one, "workers": 1})
        else:
            kind["workers"] += 1
    return kinds
