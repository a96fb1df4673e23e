"""Records what Dask knows of a run, and nobody saves, into a bundle."""

from __future__ import annotations

import gzip
import io
import tempfile
import time
import warnings
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from crema.bundle import BundleError, parts_of_collector
from crema.encode import to_json
from crema.gather import Gatherer
from crema.write import replace_file, write_part, zip_files

if TYPE_CHECKING:
    import os

    from distributed import Client


def record(client: Client, out: str | os.PathLike[str] | None = None) -> Recording:
    """Records everything that ``client``'s cluster does in a ``with`` block, and saves it at the block's end.

    ``out`` is a folder, made if need be, or a path ending in ``.zip``; by default ``crema-<date>_<time>`` in the working
    directory. Put it *before* roastcoffea's collector, whose clock then stops before the saving begins::

        with crema.record(client, "runs/zprime") as recording, MetricsCollector(client) as collector:
            output, report = runner(fileset, processor_instance=processor)
            collector.extract_metrics_from_output(output)
            collector.set_coffea_report(report)
        recording.add(collector)

    Saved are Dask's profiles per worker and per task prefix, of the workers' and the scheduler's event loops, the task
    stream, the span of the block with its exact thread intervals and fine metrics, the workers and the versions in use.
    What cannot be had becomes a note (``Recording.notes``, in the bundle's ``config.json``, and a warning): a recording
    never breaks the run. Leaving the block takes a second or more: workers report that late.
    """
    return Recording(client, out)


class Recording:
    """One recorded block; see ``record``."""

    def __init__(self, client: Client, out: str | os.PathLike[str] | None = None) -> None:
        if getattr(client, "asynchronous", False):
            raise TypeError("crema.record needs a synchronous client: Client(..., asynchronous=False)")
        self.path = Path(out or f"crema-{datetime.now():%Y-%m-%d_%H-%M-%S}").expanduser().absolute()
        """the folder or the archive"""
        self._zipped = self.path.suffix.lower() == ".zip"
        self._temporary = tempfile.TemporaryDirectory(prefix="crema-") if self._zipped else None
        self._folder = Path(self._temporary.name) if self._temporary else self.path
        self._gatherer = Gatherer(client)
        self._context = ExitStack()
        self._begin = 0.0

    @property
    def notes(self) -> list[str]:
        """What could not be recorded, and why: one sentence each."""
        return self._gatherer.notes

    def __enter__(self) -> Recording:
        self._folder.mkdir(parents=True, exist_ok=True)  # a place that cannot be written is said before the run, not after
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._gatherer.begin(self._context)
        self._begin = time.perf_counter()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        end = time.perf_counter()
        if problem is not None:
            self.notes.append(f"the recorded block ended with {type(problem).__name__}: the run is incomplete")
        try:
            for name, content in self._gatherer.end(self._context).items():
                write_part(self._folder, name, to_json(content))
            # roastcoffea's own, where it saved into this folder already, say more
            if not (self._folder / "metrics.json").exists():
                self._save_times(self._begin, end)
            self._pack()
        except Exception as failure:  # the run is worth more than its recording
            reason = getattr(failure, "strerror", None) or f"{type(failure).__name__} {failure}"
            self.notes.append(f"{self.path}: cannot be written ({reason})")
        if self.notes:
            warnings.warn("crema.record: " + "; ".join(self.notes), stacklevel=2)

    def add(self, metrics: Any) -> Path:
        """Adds what roastcoffea or coffea has: a ``MetricsCollector`` after its run, its metrics, or coffea's report.

        Returns the bundle's path. Raises BundleError for anything else.
        """
        if isinstance(metrics, Mapping):
            # coffea's report, and not the metrics, which have none of these keys
            is_report = len({"bytesread", "entries", "processtime", "chunks"} & metrics.keys()) > 2
            parts = {"report.json" if is_report else "metrics.json": to_json(metrics)}
        elif hasattr(metrics, "get_metrics"):
            parts = parts_of_collector(metrics)
        else:
            raise BundleError(
                f"a {type(metrics).__name__} cannot be added: expected a MetricsCollector, its metrics or coffea's report"
            )
        for name, content in parts.items():
            write_part(self._folder, name, content)
        self._pack()
        return self.path

    def __repr__(self) -> str:
        notes = f", {len(self.notes)} notes" if self.notes else ""
        return f"<Recording {str(self.path)!r}{notes}>"

    def _save_times(self, begin: float, end: float) -> None:
        write_part(self._folder, "start_end_time.txt", f"{begin},{end}\n".encode())
        about = {"timestamp": datetime.now(), "elapsed_time_seconds": end - begin, "format": "crema_recording_v1"}
        write_part(self._folder, "metadata.json", to_json(about))

    def _pack(self) -> None:
        if not self._zipped:
            return
        files = {
            f"{self.path.stem}/{file.name.removesuffix('.gz')}": _unpacked(file) for file in sorted(self._folder.iterdir())
        }
        draft = io.BytesIO()
        zip_files(files, draft)
        replace_file(self.path, draft.getvalue())


def _unpacked(file: Path) -> bytes:
    """An archive compresses by itself."""
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content
