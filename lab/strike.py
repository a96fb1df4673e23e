"""How an analysis fails (failures.py): each strike is written down before it happens."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

_written: list[str] = []


def note(struck: str, file: str, entry: int | None) -> int:
    """Writes a line of what fails now; how many there were before for the same file and entry."""
    line = json.dumps([file, entry])
    path = Path(struck)
    before = path.read_text().splitlines().count(line) if path.exists() else 0
    with path.open("a") as lines:
        lines.write(line + "\n")
    return before


def strike(events: Any, how: dict[str, Any]) -> None:
    """Fails as ``how`` says, if this chunk is meant."""
    about = events.metadata
    file, entry = Path(str(about["filename"])).name, int(about["entrystart"])
    if how["how"] == "import" and "LACKS_PACKAGE" not in os.environ:
        return
    if (
        how.get("file", file) != file
        or how.get("entry", entry) != entry
        or how.get("dataset", about["dataset"]) != about["dataset"]
    ):
        return
    if how.get("each_worker"):
        if _written:
            return
        _written.append(file)
    path = Path(how["struck"])
    times = how.get("times")
    if times is not None and path.exists() and len(path.read_text().splitlines()) >= times:
        return
    note(how["struck"], file, entry)
    _WAYS[how["how"]]()


def _memory() -> None:
    kept = [np.ones(12_500_000) for _ in range(15)]
    time.sleep(4)
    del kept


def _killed() -> None:
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGKILL)


def _timeout() -> None:
    time.sleep(0.3)
    raise TimeoutError("conditions did not answer within 0.3 s")


def _key() -> None:
    weights = {"weights_2030": 1.0}
    print(weights["weights_2031"])


def _divide() -> None:
    passed = total = 0
    print(passed / total)


def _value() -> None:
    raise ValueError("cannot broadcast an array of 4000 with one of 3999")


def _import() -> None:
    import corrections_of_mine  # type: ignore[import-not-found]

    print(corrections_of_mine)


def _space() -> None:
    with open("/dev/full", "w") as file:  # noqa: PTH123
        file.write("events")


def _sandbox() -> None:
    Path("scratch").write_bytes(bytes(400_000_000))
    time.sleep(15)  # until its worker has looked


def _worker() -> int:
    """TaskVine's worker that runs this task."""
    import psutil

    return next(one.pid for one in psutil.Process().parents() if one.name() == "vine_worker")


def _signals(worker: int | None, task: int | None, node: int | None = None) -> Callable[[], None]:
    """Sends them, and waits for what becomes of that. Of the node the worker has other processes, too."""

    def send() -> None:
        if node is not None:
            os.killpg(_worker(), node)
            os.kill(os.getpid(), node)
        if worker is not None:
            os.kill(_worker(), worker)
        if task is not None:
            os.kill(os.getpid(), task)
        time.sleep(60)

    return send


_WAYS = {
    "memory": _memory,
    "killed": _killed,
    "timeout": _timeout,
    "key": _key,
    "divide": _divide,
    "value": _value,
    "import": _import,
    "space": _space,
    "evicted": _signals(signal.SIGTERM, None),
    "evicted with its task": _signals(signal.SIGTERM, signal.SIGTERM),
    "terminated": _signals(None, signal.SIGTERM),
    "node lost": _signals(None, None, signal.SIGKILL),
    "worker killed": _signals(signal.SIGKILL, None),
    "node silent": _signals(None, None, signal.SIGSTOP),
    "endless": _signals(None, None),
    "sandbox": _sandbox,
}
