"""What of a call's tasks runs now, as far as workers tell: one that goes without a word leaves at least what it ran."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

#: What a work item is known by.
ITEM = ("dataset", "file", "tree", "entry_start", "entry_stop")
_THREAD = ("host", "pid", "thread")


class Marks:
    """The last task that each thread has begun, by its own word, and not ended.

    Words come as rows (``begun``), or lie in files of ``folder``, one for each thread, where workers see this file system.
    """

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._running: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._ended: dict[tuple[Any, ...], float] = {}  # begin of the last attempt that ended

    def folder(self) -> str | None:
        """Where workers may write, from now until ``close``."""
        with suppress(OSError):
            self._folder = self._folder or tempfile.TemporaryDirectory(prefix="crema-marks-", ignore_cleanup_errors=True)
        return self._folder.name if self._folder else None

    def begun(self, row: dict[str, Any]) -> None:
        self._running[tuple(row.get(name) for name in _THREAD)] = row

    def ended(self, row: dict[str, Any]) -> None:
        self._ended[tuple(row.get(name) for name in _THREAD)] = row["begin"]

    def are_heard(self) -> bool:
        """Whether workers tell what they begin: what none has told has not begun."""
        self._read()
        return bool(self._running)

    def runs(self) -> bool:
        """Whether any task runs."""
        return any(row["begin"] > self._ended.get(thread, 0.0) for thread, row in self._running.items())

    def take(self, is_wanted: Callable[[dict[str, Any]], bool], at_most: int | None = None) -> list[dict[str, Any]]:
        """The wanted ones of the tasks that run, newest first; they count as running no more."""
        self._read()
        running = [(thread, row) for thread, row in self._running.items() if row["begin"] > self._ended.get(thread, 0.0)]
        running.sort(key=lambda one: one[1]["begin"], reverse=True)
        taken = [(thread, row) for thread, row in running if is_wanted(row)][:at_most]
        self._ended |= {thread: row["begin"] for thread, row in taken}
        return [row for _, row in taken]

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def _read(self) -> None:
        if self._folder is None:
            return
        for file in Path(self._folder.name).glob("*"):
            with suppress(OSError, ValueError, KeyError):  # one that is being written
                row = json.loads(file.read_bytes())
                thread = tuple(row[name] for name in _THREAD)
                if row["begin"] >= self._running.get(thread, row)["begin"]:
                    self._running[thread] = row


def item_of(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in ITEM)
