"""Saves what is known of a run while it lasts as a bundle: by coffea's executors, by Dask."""

from __future__ import annotations

import html
import json
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Mapping
from contextlib import ContextDecorator, ExitStack, suppress
from datetime import datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from cremascope import executors
from cremascope.bundle import BundleError, checked_metrics, parts_of_collector
from cremascope.digest import write_digest
from cremascope.encode import plain, to_json
from cremascope.gather import Gatherer, Local
from cremascope.hide import Clean, Hider
from cremascope.labels import labels_of
from cremascope.parts import Store
from cremascope.place import open_place

if TYPE_CHECKING:
    import os

    from distributed import Client


def record(
    client: Client | str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    *,
    label: str | Mapping[str, object] | None = None,
    digest: str | os.PathLike[str] | None = None,
    hide_paths: bool = False,
    progress: bool = False,
) -> Recording:
    """Records what coffea's executors and a Dask cluster do in a ``with`` block, and saves it at the block's end::

        with crema.record("runs/zprime"):
            output, report = runner(fileset, processor_instance=processor)

    Every task of ``IterativeExecutor``, ``FuturesExecutor``, ``DaskExecutor``, ``ParslExecutor`` and ``TaskVineExecutor``
    leaves a row, written while the run lasts (docs/format.md). The executors and their results stay as they are.

    ``client`` is Dask's current one by default, and needed for nothing else: where there is none, the rows are all.
    ``out`` (or the first argument) is a folder, made if need be, a path ending in ``.zip``, or the
    address of one of them (``s3://…``, ``root://…``: whatever fsspec knows); by default ``crema-<date>_<time>`` in the
    working directory. A recording that lies there is replaced when the new one is whole, other files stay. Put it
    *before* roastcoffea's collector, whose clock then stops before the saving begins::

        with crema.record(client, "runs/zprime") as recording, MetricsCollector(client) as collector:
            output, report = runner(fileset, processor_instance=processor)
            collector.extract_metrics_from_output(output)
            collector.set_coffea_report(report)
        recording.add(collector)

    ``label`` is what a history calls the run: a text, or names with texts (``{"commit": "a2efe2c", "facility": "…"}``).
    Commit and branch are those of GitHub's, GitLab's or Jenkins' job where it runs in one.

    ``digest`` is a folder that keeps what can be compared of each run (docs/history.md): ``recording.add`` writes the
    run's digest there, as ``crema digest`` does.

    ``progress`` prints one line that says how many chunks are done and how long the rest will take, in place of the bars of
    coffea's executors (``status=False``).

    With ``hide_paths`` nothing that is written names folders, hosts and the user (docs/record.md).

    Of a Dask cluster are saved the profiles per worker and per task prefix, of the workers' and the scheduler's event
    loops, the task stream, the span of the block with its exact thread intervals and fine metrics, the workers and the
    versions in use.
    What cannot be had becomes a note (``Recording.notes``, in the bundle's ``config.json``, and a warning): a recording
    never breaks the run. Leaving the block takes a second or more: workers report that late.
    """
    return Recording(client, out, label=label, digest=digest, hide_paths=hide_paths, progress=progress)


def record_until_interrupted(
    scheduler: str,
    out: str | os.PathLike[str] | None = None,
    *,
    label: str | None = None,
    seconds: float | None = None,
    hide_paths: bool = False,
) -> Path:
    """Records what the cluster at ``scheduler`` does until Ctrl-C, or for so many seconds; returns the bundle's path."""
    from distributed import Client

    with Client(scheduler) as client:  # type: ignore[no-untyped-call]
        with record(client, out, label=label, hide_paths=hide_paths) as recording, suppress(KeyboardInterrupt):
            print(f"recording {scheduler}" + (f" for {seconds:g} s" if seconds else ": Ctrl-C ends"), file=sys.stderr)
            threading.Event().wait(seconds)
        return recording.path


class Recording(ContextDecorator):
    """One recorded block; see ``record``. As a decorator it records each call of a function."""

    def __init__(
        self,
        client: Client | str | os.PathLike[str] | None = None,
        out: str | os.PathLike[str] | None = None,
        *,
        label: str | Mapping[str, object] | None = None,
        digest: str | os.PathLike[str] | None = None,
        hide_paths: bool = False,
        progress: bool = False,
    ) -> None:
        if isinstance(client, (str, PathLike)):
            if out is not None:
                raise TypeError(f'the client comes first: crema.record(client, "runs/zprime"), and not {client!r} and {out!r}')
            client, out = None, client
        if out is not None and not isinstance(out, (str, PathLike)):
            raise TypeError(f"out is a path, such as crema.record(out='runs/zprime'), and not {type(out).__name__}")
        if digest is not None and not isinstance(digest, (str, PathLike)):
            raise TypeError(f"digest is a folder, and not {type(digest).__name__}")
        if isinstance(out, str) and out.partition("://")[0] in _SCHEDULERS:
            raise ValueError(f'{out} is a scheduler: crema.record(Client("{out}"), "runs/zprime")')
        if client is not None:
            _check_client(client)
        self._given = {
            "client": client,
            "out": out,
            "label": label,
            "digest": digest,
            "hide_paths": hide_paths,
            "progress": progress,
        }
        self._place = open_place(out or f"crema-{datetime.now():%Y-%m-%d_%H-%M-%S}")
        self.notes: list[str] = []
        """What could not be recorded, and why: one sentence each."""
        self._client: Client | None = client
        self._labels = labels_of(label)
        self._digests = digest
        self._clean = Hider() if hide_paths else Clean()
        self._progress = progress
        self._watching: subprocess.Popen[bytes] | None = None
        self._context = ExitStack()
        self._begin = 0.0
        self._ended = False

    def _recreate_cm(self) -> Recording:
        """As a decorator each call of the function is a recording of its own."""
        again: Any = Recording
        recording: Recording = again(**self._given)
        return recording

    @property
    def path(self) -> Path:
        """The folder or the archive; for an address, its local copy."""
        return self._place.path

    @property
    def growing(self) -> list[Path]:
        """Where the rows are while the block lasts, also before it begins, then where they will be; none at its end."""
        return [] if self._ended else self._place.growing()

    @property
    def _waits(self) -> bool:
        """Whether its block has not begun."""
        return self._begin == 0.0 and not self._ended

    def __enter__(self) -> Recording:
        client = self._client or _current_client()
        if client is not None:
            _check_client(client)
        elif not executors.can_record():
            raise RuntimeError(
                "there is nothing to record: neither is there a client of Dask, nor is coffea imported; "
                "make the client, or import coffea, before crema.record"
            )
        self._gatherer = Gatherer(client, self._labels, self.notes) if client is not None else Local(self._labels, self.notes)
        asked = self._place.path
        self._place.begin()  # a place that cannot be written fails before the run, not after
        if self._place.path != asked:
            self.notes.append(f"{asked} is being recorded into: this recording is in {self._place.path}")
        self._store = Store(self._place.live, cluster=client is not None, clean=self._clean)
        self._store.start()
        self._gatherer.begin(self._context, self._store)
        self._too_early = not executors.can_record()
        executors.begin(self._store, client)
        if self._progress:  # another process: it takes no time of this one's interpreter
            watch = [sys.executable, "-m", "cremascope", "watch", "--line", "--every", "1", str(self._place.live)]
            self._watching = subprocess.Popen(watch)
        self._begin = time.perf_counter()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        end = time.perf_counter()
        executors.end(self._store)
        if self._too_early and executors.can_record():
            self.notes.append("coffea was imported inside the recorded block, so its tasks left no rows: import it before")
        if problem is not None:
            self._gatherer.incomplete = f"{type(problem).__name__}: {problem}".strip(": ")
        stopped: KeyboardInterrupt | None = None
        try:
            self._gatherer.end(self._context)
        except KeyboardInterrupt as interruption:
            self.notes.append("saving was interrupted: parts that had not arrived are missing")
            stopped = interruption
        try:
            self._store.finish("complete" if problem is None else "interrupted")
            self._stop_watching()
            self.notes += self._store.notes
            parts = {name: to_json(self._clean.all(plain(content))) for name, content in self._gatherer.parts().items()}
            # if roastcoffea saved here already, its own files say more
            if self._place.was_given("metrics.json"):
                parts.pop("metrics.json", None)
            else:
                parts |= self._times(self._begin, end)
            self._place.finish(parts)
        except Exception as failure:  # the run is worth more than its recording
            reason = getattr(failure, "strerror", None) or f"{type(failure).__name__} {failure}"
            self.notes.append(f"{self._place}: cannot be written ({reason})")
            with suppress(Exception):  # at least that
                about = plain(self._gatherer.parts()["config.json"])
                self._place.add({"config.json": to_json(self._clean.all(about))})
        self._ended = True
        said = [f"the recorded block ended with {self._gatherer.incomplete}"] if problem is not None else []
        if said := said + self.notes:
            warnings.warn("crema.record: " + "; ".join(said), stacklevel=2)
        if stopped is not None and problem is None:
            raise stopped

    def add(self, metrics: Any) -> Path:
        """Adds metrics of roastcoffea or coffea: a ``MetricsCollector`` after its run, its metrics, or coffea's report.

        Returns the bundle's path. Raises BundleError for anything else.
        """
        if isinstance(metrics, Mapping):
            # coffea's report, and not the metrics, which have none of these keys
            is_report = len({"bytesread", "entries", "processtime", "chunks"} & metrics.keys()) > 2
            parts = {"report.json": to_json(metrics)} if is_report else {"metrics.json": to_json(checked_metrics(metrics))}
        elif hasattr(metrics, "get_metrics"):
            parts = parts_of_collector(metrics)
        else:
            raise BundleError(
                f"{type(metrics).__name__} cannot be added: expected a MetricsCollector, its metrics or coffea's report"
            )
        if isinstance(self._clean, Hider):
            documents = {name: json.loads(part) for name, part in parts.items() if name.endswith(".json")}
            parts |= {name: to_json(self._clean.all(document)) for name, document in documents.items()}
        self._place.add(parts)
        if self._digests is not None and "metrics.json" in parts:
            reason = write_digest(self.path, self._digests)
            if reason:
                self.notes.append(reason)
                warnings.warn(f"crema.record: {reason}", stacklevel=2)
        return self.path

    def _stop_watching(self) -> None:
        """The line says itself that the recording has ended, as soon as it sees that."""
        if self._watching is None:
            return
        try:
            self._watching.wait(3)
        except subprocess.TimeoutExpired:
            self._watching.kill()
            self._watching.wait()

    def _repr_html_(self) -> str:
        """What a notebook shows of it: the page, which follows it until it is complete."""
        from cremascope.notebook import show

        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        try:
            return notes + show(self)._repr_html_()
        except BundleError:
            return f"{notes}<p>{html.escape(repr(self))}: nothing is recorded yet</p>"

    def __repr__(self) -> str:
        notes = f", {len(self.notes)} notes" if self.notes else ""
        return f"<Recording {str(self._place)!r}{notes}>"

    @staticmethod
    def _times(begin: float, end: float) -> dict[str, bytes]:
        about = {"timestamp": datetime.now(), "elapsed_time_seconds": end - begin, "format": "crema_recording_v1"}
        return {"start_end_time.txt": f"{begin},{end}\n".encode(), "metadata.json": to_json(about)}


#: What addresses of Dask's schedulers begin with.
_SCHEDULERS = {"tcp", "tls", "ucx", "ucxx", "ws", "wss", "inproc"}


def _check_client(client: Any) -> None:
    """Raises TypeError or ValueError for what cannot be asked."""
    if not hasattr(client, "run_on_scheduler"):
        made = "Client(cluster)" if hasattr(client, "scale") or hasattr(client, "scheduler_address") else "Client(...)"
        raise TypeError(f"crema.record needs a client of Dask, {made}, and not {type(client).__name__}")
    if getattr(client, "asynchronous", False):
        raise TypeError("crema.record needs a synchronous client: Client(..., asynchronous=False)")
    if getattr(client, "status", "running") in ("closed", "closing"):
        raise ValueError("the client is closed: make a new one before crema.record")


def _current_client() -> Client | None:
    """Dask's current client, or the only one that there is. Raises ValueError where it could be any of several."""
    if (distributed := sys.modules.get("distributed")) is None:
        return None
    try:
        found: Client = distributed.default_client()
    except ValueError:
        running = [client for client in list(distributed.Client._instances) if client.status == "running"]
        if len(running) > 1:
            raise ValueError(
                f'there are {len(running)} clients, and none is the current one: crema.record(client, "runs/zprime")'
            ) from None
        return running[0] if running else None
    return found
