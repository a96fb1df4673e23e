"""What TaskVine's manager writes of attempts that cannot tell of themselves, and of workers that come and go."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from cremascope.task.measure import LONGEST_MESSAGE

#: [byte] of the end of the manager's debug log, where is looked for why a worker has just left.
LAST_WORDS = 1 << 20
_WORDS = re.compile(r"info (vacating|wall_time_exhausted|disk_error) (\d+)|(hasn't responded to keepalive)")
_AGAIN = re.compile(r"Submitted recovery task (\d+) \((.*)\) to re-create")
_RAISED = re.compile(r"^(?P<error>[A-Za-z_][\w.]*)(?:: (?P<message>.*))?$", re.MULTILINE)


class ManagerLog:
    """The manager's log ``transactions``, read while it grows. Times are the manager's, in epoch seconds.

    A task that goes with its worker, or that the manager repeats by itself, does not come back to the client.
    What was before ``since`` is not told: a manager may be older than the recording.
    """

    def __init__(self, folder: str, since: float) -> None:
        self.again: dict[int, str] = {}
        """the command of tasks that the manager does again by itself, as their results went with a worker"""
        self._since = since
        self._debug = Path(folder) / "debug"
        self._lines = (Path(folder) / "transactions").open(errors="replace")
        self._sent: dict[int, tuple[float, str]] = {}  # when, and to which worker, by task
        self._ended: dict[int, dict[str, Any]] = {}  # how the last attempt at a task did, likewise
        self._connections: dict[str, str] = {}  # "host:port", by worker
        self._left: dict[str, str] = {}  # why, likewise
        self._where: dict[str, dict[str, Any]] = {}  # host, process and name in rows, likewise
        self._changes: list[dict[str, Any]] = []
        self._last: list[str] | None = None  # lines of the debug log, of one look at it

    def follow(self) -> list[tuple[int, dict[str, Any]]]:
        """Goes on to the log's end. Attempts since the last time that the manager repeats: number and row of each task."""
        repeated = []
        self._last = None
        for line in self._lines:
            words = line.split(None, 5)
            if len(words) < 6 or words[2] not in ("TASK", "WORKER"):
                continue
            when, name, event, rest = int(words[0]) / 1e6, words[3], words[4], words[5]
            if words[2] == "WORKER":
                self._worker(name, when, event, rest.strip())
                continue
            task = int(name)
            if event == "RUNNING":
                self._sent[task] = when, rest.split(None, 1)[0]
            elif event == "RETRIEVED" and task in self._sent:
                self._ended[task] = self._attempt(task, when) | _told(rest)
            elif event == "READY" and task in self._sent:
                told = self._ended.pop(task, None) or self._attempt(task, when) | self._why_repeated(task)
                del self._sent[task]
                if when >= self._since:
                    repeated.append((task, told))
        return repeated

    def end(self, task: int) -> dict[str, Any] | None:
        """The row of a task's last attempt, by the manager's word; None where it did not run. It is asked for once."""
        if self._sent.pop(task, None) is None:
            return None
        return self._ended.pop(task, None)

    def done_again(self, is_of_client: Callable[[int], bool]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Tasks that the manager did again by itself since the last time: number and row of each."""
        for task in [number for number in self._ended if not is_of_client(number)]:
            row = self.end(task)
            if row is not None and row["begin"] >= self._since:
                yield task, row

    def learn(self, task: int, row: dict[str, Any]) -> None:
        """A row by a task's own word says by which names its worker goes."""
        if task in self._sent:
            self._where.setdefault(self._sent[task][1], {name: row.get(name) for name in ("host", "pid", "worker")})

    def changes(self) -> Iterator[dict[str, Any]]:
        """Workers that came and left since the last time; of those that may still say their name later."""
        waiting, self._changes = self._changes, []
        for change in waiting:
            where = self._where.get(change["worker"])
            if where is not None:  # as rows have it: docs/format.md
                yield change | {"worker": f"{where['host']}/{where['pid']}"}
            elif change["worker"] in self._left:
                yield change
            else:
                self._changes.append(change)

    def _attempt(self, task: int, until: float) -> dict[str, Any]:
        begin, worker = self._sent[task]
        return {"begin": begin, "wall": until - begin} | self._where.get(worker, {"worker": worker})

    def _worker(self, worker: str, when: float, event: str, rest: str) -> None:
        if event == "CONNECTION":
            self._left.pop(worker, None)
            self._connections[worker] = rest
            change = {"change": "added", "reason": None}
        elif event == "DISCONNECTION" and worker in self._connections:
            self._left[worker] = self._last_word(self._connections.pop(worker)) or rest
            change = {"change": "removed", "reason": self._left[worker]}
        else:
            return
        if when >= self._since:
            self._changes.append({"begin": when, "worker": worker, **change, "workers": len(self._connections)})

    def _why_repeated(self, task: int) -> dict[str, Any]:
        worker = self._sent[task][1]
        if worker in self._left:
            return {"status": "lost", "error": "WorkerLost", "message": self._left[worker]}
        if any(f"Task {task} exhausted disk sandbox" in line for line in self._last_lines()):
            return {"status": "failed", "error": "SANDBOX_EXHAUSTION", "message": ""}
        return {"status": "lost", "error": "Requeued", "message": None}

    def _last_word(self, connection: str) -> str | None:
        """Why the worker left, by its own word or the manager's, which stands in the debug log only."""
        for line in self._last_lines():
            if f"({connection})" in line and (found := _WORDS.search(line)):
                said, number, _ = found.groups()
                return f"signal-{number}" if said == "vacating" else (said or "keepalive").replace("_", "-")
        return None

    def _last_lines(self) -> list[str]:
        """Of the debug log, the last first. It is read once for all that left at once."""
        if self._last is None:
            self._last = []
            with suppress(OSError), self._debug.open("rb") as file:
                file.seek(max(0, file.seek(0, 2) - LAST_WORDS))
                self._last = file.read().decode(errors="replace").splitlines()[::-1]
            self.again |= {int(found[1]): found[2] for line in self._last if (found := _AGAIN.search(line))}
        return self._last


def _told(retrieved: str) -> dict[str, Any]:
    """``RESULT EXIT_CODE {limits exceeded} {resources measured}`` as a row has it."""
    result, code, resources = retrieved.split(None, 2)
    if result == "SUCCESS" and code == "0":
        return {"status": "ok"}
    told: dict[str, Any] = {"status": "failed", "error": result, "message": f"exit code {code}"}
    if result == "SUCCESS":
        told |= {"error": f"exit code {code}", "message": f"as of signal {int(code) - 128}" if 128 < int(code) <= 192 else ""}
    elif result == "SIGNAL":
        told["message"] = f"signal {code}"
    with suppress(ValueError):
        limits, end = json.JSONDecoder().raw_decode(resources)
        if limits:
            told["message"] = " ".join(f"{name} {value:g} {unit}" for name, (value, unit) in limits.items())
        measured = json.loads(resources[end:])
        if "cpu_time" in measured:  # else it repeats what the task was given
            told["rss_peak"] = int(measured["memory"][0] * 1048576)
    return told


def raised(output: str) -> dict[str, str]:
    """What ended a Python program, by its last words: of a task that failed before it could tell of itself."""
    _, traceback, words = output.rpartition("Traceback (most recent call last):")
    if not traceback or (found := _RAISED.search(words)) is None:
        return {}
    return {"error": found["error"].rpartition(".")[2], "message": (found["message"] or "")[:LONGEST_MESSAGE]}
