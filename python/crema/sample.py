"""What has to be asked while a run goes on, because Dask forgets it: profiles, and how the workers are."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from crema import probe

T = TypeVar("T")
Noting = Callable[[str], AbstractContextManager[None]]

#: [s] As roastcoffea's tracking, and as often as most workers report.
TRACK_EVERY = 1.0
#: [s] Dask keeps 1,000 s; what a worker did since goes with it when it leaves.
PROFILE_EVERY = 30.0
#: Of the time, at most: a question is asked again after so many times what it took.
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


class Sampler:
    """A thread that asks the cluster from time to time, and stops with the client."""

    def __init__(self, client: Any, noting: Noting, profiles: Profiles) -> None:
        self.ticks: list[tuple[str, dict[str, list[Any]]]] = []
        """the scheduler's local time, and of each worker what ``probe.TRACKED`` names"""
        self.workers: dict[str, Any] = {}
        """what the scheduler said of each worker when profiles were asked for, also of those that have left"""
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

    def tracking_data(self) -> dict[str, Any]:
        """The ticks in roastcoffea's form; empty where there were none."""
        if not self.ticks:
            return {}
        data: dict[str, Any] = {"worker_counts": {when: len(workers) for when, workers in self.ticks}}
        for place, name in enumerate(probe.TRACKED):
            series: dict[str, list[Any]] = {}
            for when, workers in self.ticks:
                for address, values in workers.items():
                    series.setdefault(address, []).append([when, values[place]])
            data[name] = series
        return data

    def _run(self) -> None:
        tracking = _Turn(TRACK_EVERY, first=0)
        profiling = _Turn(PROFILE_EVERY, first=PROFILE_EVERY)
        while not self._stop.wait(max(0.0, min(tracking.due, profiling.due) - time.monotonic())):
            if getattr(self._client, "status", "running") in ("closed", "closing"):
                return
            if tracking.is_due():
                with tracking, self._noting("how the workers are"):
                    self._track(tracking)
            elif profiling.is_due():
                with profiling, self._noting("the profiles so far"):
                    self._profile()

    def _track(self, turn: _Turn) -> None:
        with probe.travelling():
            self.ticks.append(self._client.run_on_scheduler(probe.track))
        if len(self.ticks) > MOST_TICKS:
            del self.ticks[1::2]
            turn.least *= 2

    def _profile(self) -> None:
        with probe.travelling():
            until, workers, prefixes = self._client.run_on_scheduler(probe.overview)
        self.workers |= workers
        self._profiles.ask(workers, prefixes, until)


class _Turn:
    """When a question is asked next: every ``least`` seconds, or less often where asking takes long."""

    def __init__(self, least: float, first: float) -> None:
        self.least = least
        self.due = time.monotonic() + first
        self._began = 0.0

    def is_due(self) -> bool:
        return time.monotonic() >= self.due

    def __enter__(self) -> None:
        self._began = time.monotonic()

    def __exit__(self, *_: object) -> None:
        took = time.monotonic() - self._began
        self.due = self._began + max(self.least, took / SHARE)
