"""What must be fetched during a run, because Dask discards it: profiles, and the series of the workers."""

from __future__ import annotations

import json
import threading
import time
import uuid
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from cremascope import executors, probe
from cremascope.task.measure import LONGEST_MESSAGE

Noting = Callable[[str], AbstractContextManager[None]]

#: [s] As roastcoffea's tracking, and as often as most workers report.
TRACK_EVERY = 1.0
#: [s] Between looks at what the scheduler's event loop executes.
LOOP_EVERY = 0.02
#: Changes of tasks' states, of some 25,000 tasks; what came before is forgotten but for the numbers of tasks in each state.
MOST_TRANSITIONS = 100_000
#: [s] Dask keeps 1,000 s; what a worker did since goes with it when it leaves.
PROFILE_EVERY = 30.0
#: Of the time, at most: profiles are asked for again when so much has passed since.
SHARE = 0.01
#: Ticks: beyond, every second one goes, and they are taken half as often.
MOST_TICKS = 2_000
#: [s] As long as a cycle of Dask's profiler, which is the finest that there is.
SLICE = 1.0
#: Beyond, slices become twice as long: half a percent of a run is as fine as anybody selects.
MOST_SLICES = 200
#: Of call trees in all slices, some megabytes of text: beyond, workers are no longer told apart.
MOST_NODES = 250_000
#: Of a thousand workers slices are longer: so many trees a second are put together at most.
MOST_AT_ONCE = 64
#: What is asked for while a run goes on ends [s] before now, so that clocks that differ lose nothing.
PROFILE_LAG = 2.0
#: A root of Dask's trees (distributed.profile.create).
ROOT = {"identifier": "root", "description": {"filename": "", "name": "", "line_number": 0, "line": ""}}


class Tree:
    """A call tree that grows, in columns. Node 0 is its root; parents come before their children."""

    def __init__(self) -> None:
        self.parent = [-1]
        self.frame = [0]
        self.count = [0]
        self._place = {(-1, "root"): 0}  # of a function under a parent

    def add(self, nodes: Iterable[int], frames: Sequence[int], names: Sequence[str]) -> None:
        """Adds a tree of ``probe.profiles``, whose frames are ``frames`` here; ``names`` are the identifiers of those."""
        path: list[int] = []
        each = iter(nodes)
        for depth, frame, count in zip(each, each, each, strict=True):
            del path[depth:]
            here = frames[frame]
            parent = path[-1] if path else -1
            node = self._place.setdefault((parent, names[here]), len(self.parent))
            if node == len(self.parent):
                self.parent.append(parent)
                self.frame.append(here)
                self.count.append(0)
            self.count[node] += count
            path.append(node)

    def flat(self) -> list[int]:
        """``depth, frame, samples`` of each node in preorder, one after the other, as ``add`` takes them."""
        children: list[list[int]] = [[] for _ in self.parent]
        for node in range(len(self.parent) - 1, 0, -1):
            children[self.parent[node]].append(node)
        nodes: list[int] = []
        path = [(0, 0)]
        while path:
            depth, node = path.pop()
            nodes += (depth, self.frame[node], self.count[node])
            path += [(depth + 1, child) for child in children[node]]
        return nodes

    def nested(self, frames: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The tree in Dask's own form."""
        nodes = [frames[frame] | {"count": count, "children": {}} for frame, count in zip(self.frame, self.count, strict=True)]
        for node, parent in zip(nodes[1:], self.parent[1:], strict=True):
            nodes[parent]["children"][node["identifier"]] = node
        return nodes[0]


class Profiles:
    """Dask's profiles of one recording, put together from those of parts of the time."""

    def __init__(self, client: Any, noting: Noting) -> None:
        self.workers: dict[str, Tree] = {}
        """by address, also of workers that have left"""
        self.keys: dict[str, Tree] = {}
        """by task prefix, over all workers"""
        self.slices: dict[tuple[int, str | None, str | None], Tree] = {}
        """by number (``width`` times it is the slice's begin), worker (None: all of them) and task prefix"""
        self.width = SLICE
        """[s] of a slice"""
        self.loops: dict[str, Any] = {}
        """of the workers' event loops, as Dask has it"""
        self.frames: list[dict[str, Any]] = []
        """nodes of Dask's without samples and children; the first is a tree's root"""
        self.until: float | None = None
        """[epoch s] by the scheduler's clock: what was before is in here"""
        self._begin: float | None = None
        self._names: list[str] = []  # identifiers of the frames
        self._known: dict[tuple[str, int], int] = {}  # frames by identifier and line
        self._workers_apart = True
        self._frame(ROOT)
        self._client = client
        self._noting = noting

    def ask(self, workers: int, until: float | None) -> None:
        """Adds what ran from ``self.until`` to ``until`` (None: now); so many ``workers`` are there."""
        begin, client = self.until, self._client
        if begin is not None:
            self._begin = self._begin or begin
            while self.width * MOST_AT_ONCE < workers * SLICE:
                self._widen()
            asked = self.width
            with self._noting("the profiles of the workers"), probe.pickled_by_value():
                found = client.run(probe.profiles, since=begin, until=until, width=asked, on_error="return")
                for address, sampled in found.items():
                    with self._noting(f"the profile of worker {address}"):
                        if isinstance(sampled, BaseException):
                            raise sampled
                        self._add(address, sampled, asked)
            self._bound()
        with self._noting("the profile of the workers' event loop"):
            from distributed.profile import merge

            found = client.profile(server=True, start=begin, stop=until)
            self.loops = merge(self.loops, found) if self.loops else found
        self.until = until

    def sliced(self, end: float) -> dict[str, Any]:
        """The slices as they are saved (docs/record.md), until ``end`` [epoch s] by the scheduler's clock."""
        return {
            "format": "crema_profile_slices_v1",
            "frames": [[frame["identifier"], frame["description"]["line_number"]] for frame in self.frames],
            "slices": [
                {
                    "start": max(n * self.width, self._begin or 0),
                    "stop": min((n + 1) * self.width, end),
                    "worker": worker,
                    "key": key,
                    "nodes": tree.flat(),
                }
                for (n, worker, key), tree in sorted(self.slices.items(), key=lambda one: one[0][0])
                if tree.count[0] > 0
            ],
        }

    def _add(self, address: str, sampled: dict[str, Any], asked: float) -> None:
        while self.width < sampled["cycle"]:  # what is sampled in one cycle cannot be told apart
            self._widen()
        frames = [self._frame(frame) for frame in sampled["frames"]]
        self.workers.setdefault(address, Tree())
        for n, prefix, nodes in sampled["trees"]:
            place = int((n + 0.5) * asked // self.width)
            worker = address if self._workers_apart else None
            trees = [self.workers[address], self.slices.setdefault((place, worker, prefix), Tree())]
            if prefix is not None:
                trees.append(self.keys.setdefault(prefix, Tree()))
            for tree in trees:
                tree.add(nodes, frames, self._names)

    def _frame(self, frame: dict[str, Any]) -> int:
        key = (frame["identifier"], frame["description"]["line_number"])
        place = self._known.setdefault(key, len(self.frames))
        if place == len(self.frames):
            self.frames.append(frame)
            self._names.append(frame["identifier"])
        return place

    def _bound(self) -> None:
        """Keeps the slices few: longer ones first, then all workers together, then longer ones again."""
        while len({n for n, _, _ in self.slices}) > MOST_SLICES:
            self._widen()
        if self._nodes() > MOST_NODES and self._workers_apart:
            self._workers_apart = False
            self._fold(lambda n, _, key: (n, None, key))
        while self._nodes() > MOST_NODES and len({n for n, _, _ in self.slices}) > 1:
            self._widen()

    def _nodes(self) -> int:
        return sum(len(tree.parent) for tree in self.slices.values())

    def _widen(self) -> None:
        self.width *= 2
        self._fold(lambda n, worker, key: (n // 2, worker, key))

    def _fold(self, to: Callable[[int, str | None, str | None], tuple[int, str | None, str | None]]) -> None:
        slices, self.slices = self.slices, {}
        for name, tree in slices.items():
            self.slices.setdefault(to(*name), Tree()).add(tree.flat(), range(len(self.frames)), self._names)


class OnScheduler:
    """Something that the scheduler does while the block lasts: ``begin`` starts it there, ``end`` ends it."""

    def __init__(self, client: Any, noting: Noting, what: str, begin: Callable[..., Any], end: Callable[..., Any]) -> None:
        self.found: Any = None
        """what ``end`` returned"""
        self.name = f"crema-{uuid.uuid4().hex}"
        self._client = client
        self._noting = noting
        self._what = what
        self._begin = begin
        self._end = end

    def start(self, **options: Any) -> None:
        with self._noting(self._what), probe.pickled_by_value():
            self._client.run_on_scheduler(self._begin, name=self.name, **options)

    def stop(self) -> None:
        with self._noting(self._what), probe.pickled_by_value():
            self.found = self._client.run_on_scheduler(self._end, name=self.name)


def tracking_data(ticks: list[tuple[str, dict[str, list[Any]]]]) -> dict[str, Any]:
    """The ticks of ``probe.start_tracking`` in roastcoffea's form."""
    data: dict[str, Any] = {"worker_counts": {when: len(workers) for when, workers in ticks}}
    for place, name in enumerate(probe.TRACKED):
        series: dict[str, list[Any]] = {}
        for when, workers in ticks:
            for address, values in workers.items():
                series.setdefault(address, []).append([when, values[place]])
        data[name] = series
    return data


def hear_pulse(store: Any, within: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Callable[[tuple[Any, Any]], None]:
    """Takes what ``probe.start_pulse`` tells; ``within`` says what of rows is the block's."""

    def hear(event: tuple[Any, dict[str, Any]]) -> None:
        told = event[1]
        if "tick" in told:
            store.put_tick(told["where"], told["tick"])
        elif "rows" in told:
            store.put(within(rows_of_dask(told["rows"])))
        else:
            change = told["change"]
            store.put_change(change)
            if change["change"] == "removed":
                executors.worker_left(change["worker"], change["begin"], change["reason"])

    return hear


def rows_of_dask(packed: bytes) -> list[dict[str, Any]]:
    """Rows of tasks of which the scheduler told, not their functions, and when it heard: ``probe.start_pulse``."""
    found = []
    for function, worker, thread, begin, wall, status, size, error, heard in json.loads(zlib.decompress(packed)):
        row = {"kind": "call", "executor": "Dask", "function": function, "worker": worker, "thread": thread, "status": status}
        row |= {"begin": begin, "wall": wall, "out_bytes": size, "heard": heard}
        if status == "lost":
            row |= {"error": "WorkerLost", "message": error}
        elif status == "failed":  # as ValueError('the reason')
            kind, _, text = str(error or "").partition("(")
            row |= {"error": kind, "message": text.removesuffix(")").strip("'\"").split("\\n")[0][:LONGEST_MESSAGE]}
        found.append(row)
    return found


def warnings_by_kind(events: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """How often, on how many workers, and the first line, by kind."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        if event["kind"] == "resumed":  # ends a pause
            continue
        kind = found.setdefault(event["kind"], {"times": 0, "workers": set(), "first": event["text"]})
        kind["times"] += 1
        kind["workers"].add(event.get("worker"))
    return {name: kind | {"workers": len(kind["workers"])} for name, kind in found.items()}


class Warnings:
    """What Dask warned of on the workers: pauses, garbage collections, event loops that stood still."""

    #: Lines of one worker: more say nothing new.
    MOST = 200
    #: Of all workers that are kept one by one.
    MOST_EVENTS = 10_000

    def __init__(self, client: Any, noting: Noting) -> None:
        self._client = client
        self._noting = noting
        self._name = f"crema-{uuid.uuid4().hex}"
        self._events: list[tuple[Any, Any]] | None = None

    def start(self) -> None:
        with self._noting("the workers' warnings"), probe.pickled_by_value():
            self._client.register_plugin(probe.listener(self._name, self.MOST), name=self._name)
            self._events = []
        with self._noting("the nannies' last words"), probe.pickled_by_value():
            self._client.register_plugin(probe.nanny_listener(), name=self._name)

    def stop(self) -> None:
        if self._events is None:
            return
        with self._noting("the workers' warnings"):
            self._client.unregister_worker_plugin(self._name)
            self._events = list(self._client.get_events(self._name))
        with self._noting("the nannies' last words"):
            self._client.unregister_worker_plugin(self._name, nanny=True)

    def events(self) -> list[dict[str, Any]]:
        """Each, with the scheduler's time [epoch s]; ``value`` is percent, of an event loop seconds."""
        return [
            {"time": when, "worker": event.get("worker"), "kind": event["kind"], "value": event.get("value")}
            for when, event in (self._events or [])[: self.MOST_EVENTS]
        ]

    def by_kind(self) -> dict[str, dict[str, Any]] | None:
        """How often, on how many workers, and the first line, by kind; None where nobody listened."""
        return None if self._events is None else warnings_by_kind(event for _, event in self._events)


class Sampler:
    """A thread that asks for the profiles so far, and ends with the client."""

    def __init__(self, client: Any, noting: Noting, profiles: Profiles) -> None:
        self.workers: dict[str, Any] = {}
        """what the scheduler said of each worker when it was asked, also of those that have left"""
        self._client = client
        self._noting = noting
        self._profiles = profiles
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="crema-sampler", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Waits for the question that is under way, but not for ever."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(60)

    def _run(self) -> None:
        took = 0.0
        while not self._stop.wait(max(PROFILE_EVERY, took / SHARE)):
            if getattr(self._client, "status", "running") in ("closed", "closing"):
                return
            began = time.monotonic()
            with self._noting("the profiles so far"):
                self._ask()
            took = time.monotonic() - began

    def _ask(self) -> None:
        with probe.pickled_by_value():
            now, workers = self._client.run_on_scheduler(probe.overview)
        self.workers |= workers
        self._profiles.ask(len(workers), now - PROFILE_LAG)
