"""What has to be asked while a run goes on, because Dask forgets it: profiles, and how the workers are."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from cremascope import probe

T = TypeVar("T")
Noting = Callable[[str], AbstractContextManager[None]]

#: [s] As roastcoffea's tracking, and as often as most workers report.
TRACK_EVERY = 1.0
#: [s] Dask keeps 1,000 s; what a worker did since goes with it when it leaves.
PROFILE_EVERY = 30.0
#: Of the time, at most: profiles are asked for again when so much has passed since.
SHARE = 0.01
#: Ticks: beyond, every second one goes, and they are taken half as often.
MOST_TICKS = 2_000
#: Profiles are asked for one by one, so that a worker that fails costs its own only; so many at a time.
_REQUESTS = 8


class Profiles:
    """Dask's profiles of one recording, put together from those of parts of the time."""

    def __init__(self, client: Any, noting: Noting) -> None:
        self.workers: dict[str, Any] = {}
        """by address, also of workers that have left"""
        self.keys: dict[str, Any] = {}
        """by task prefix, over all workers"""
        self.loops: dict[str, Any] = {}
        """of the event loops: "the workers'" and "the scheduler's" """
        self.until: float | None = None
        """[epoch s] by the scheduler's clock: what was before is in here"""
        self._client = client
        self._noting = noting

    def ask(self, workers: Iterable[str], prefixes: Iterable[str], until: float | None) -> None:
        """Adds what ran from ``self.until`` to ``until`` (None: now)."""
        span = {"start": self.until, "stop": until}
        client = self._client
        for address, tree in self._each("the profile of worker", workers, lambda name: client.profile(workers=[name], **span)):
            _add(self.workers, address, tree)
        for key, tree in self._each("the profile of task", prefixes, lambda name: client.profile(key=name, **span)):
            _add(self.keys, key, tree)
        for what, options in (("the workers'", {"server": True}), ("the scheduler's", {"scheduler": True})):
            with self._noting(f"the profile of {what} event loop"):
                _add(self.loops, what, client.profile(**options, **span))
        self.until = until

    def _each(self, what: str, names: Iterable[str], ask: Callable[[str], T]) -> Iterator[tuple[str, T]]:
        """The answers with their names, as they come in order; a name whose question fails is noted and left out."""
        pool = ThreadPoolExecutor(_REQUESTS, thread_name_prefix="crema")
        try:
            asked = {name: pool.submit(ask, name) for name in names}
            for name, answer in asked.items():
                with self._noting(f"{what} {name}"):
                    yield name, answer.result()
        finally:  # nobody waits for the rest where the saving was interrupted
            pool.shutdown(wait=False, cancel_futures=True)


def _add(trees: dict[str, Any], name: str, tree: Any) -> None:
    from distributed.profile import merge

    trees[name] = merge(trees[name], tree) if name in trees else tree


class Tracking:
    """How the workers are, noted by the scheduler."""

    def __init__(self, client: Any, noting: Noting) -> None:
        self._client = client
        self._noting = noting
        self._name = f"crema-{uuid.uuid4().hex}"
        self._ticks: list[tuple[str, dict[str, list[Any]]]] = []

    def start(self) -> None:
        with self._noting("how the workers are"), probe.travelling():
            self._client.run_on_scheduler(
                probe.start_tracking, name=self._name, names=probe.TRACKED, every=TRACK_EVERY, most=MOST_TICKS
            )

    def stop(self) -> None:
        with self._noting("how the workers were"), probe.travelling():
            self._ticks = self._client.run_on_scheduler(probe.stop_tracking, name=self._name)

    def data(self) -> dict[str, Any]:
        """The ticks in roastcoffea's form; empty where there were none."""
        if not self._ticks:
            return {}
        data: dict[str, Any] = {"worker_counts": {when: len(workers) for when, workers in self._ticks}}
        for place, name in enumerate(probe.TRACKED):
            series: dict[str, list[Any]] = {}
            for when, workers in self._ticks:
                for address, values in workers.items():
                    series.setdefault(address, []).append([when, values[place]])
            data[name] = series
        return data


class Warnings:
    """What Dask warned of on the workers: pauses, garbage collections, event loops that stood still."""

    #: Lines of one worker: more say nothing new.
    MOST = 200

    def __init__(self, client: Any, noting: Noting) -> None:
        self._client = client
        self._noting = noting
        self._name = f"crema-{uuid.uuid4().hex}"
        self._events: list[tuple[Any, Any]] | None = None

    def start(self) -> None:
        with self._noting("the workers' warnings"), probe.travelling():
            self._client.register_plugin(probe.listener(self._name, self.MOST), name=self._name)
            self._events = []

    def stop(self) -> None:
        if self._events is None:
            return
        with self._noting("the workers' warnings"):
            self._client.unregister_worker_plugin(self._name)
            self._events = list(self._client.get_events(self._name))

    def by_kind(self) -> dict[str, dict[str, Any]] | None:
        """How often, on how many workers, and the first line, by kind; None where nobody listened."""
        if self._events is None:
            return None
        found: dict[str, dict[str, Any]] = {}
        for _, event in self._events:
            kind = found.setdefault(event["kind"], {"times": 0, "workers": set(), "first": event["text"]})
            kind["times"] += 1
            kind["workers"].add(event.get("worker"))
        return {name: kind | {"workers": len(kind["workers"])} for name, kind in found.items()}


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
        with probe.travelling():
            until, workers, prefixes = self._client.run_on_scheduler(probe.overview)
        self.workers |= workers
        self._profiles.ask(workers, prefixes, until)
