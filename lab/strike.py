"""How an analysis fails (failures.py): each strike is written down before it happens."""

from __future__ import annotations

import json
import os
import signal
import time
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


_WAYS = {
    "memory": _memory,
    "killed": _killed,
    "timeout": _timeout,
    "key": _key,
    "divide": _divide,
    "value": _value,
    "import": _import,
    "space": _space,
}
