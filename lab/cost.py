"""What functions of the analyses cost besides their own work: known seconds of CPU or of waiting, at a known place."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

_calls: Counter[str] = Counter()  # of each function, in this worker


def worker_name() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().name)
    except ValueError:
        return ""


def spend(setup: dict[str, Any], function: str, metadata: dict[str, Any], events: int) -> None:
    """Costs what ``setup["spend"][function]`` says.

    Each is ``cpu`` or ``wait`` [s] for a chunk, ``cpu_per_event`` [s], and applies where all that it names are so: ``dataset``,
    ``file``, ``entry`` (within the chunk), ``worker``, ``first`` (that many calls of this worker). With ``grow`` it grows by
    that factor of itself with each call.
    """
    _calls[function] += 1
    for how in setup.get("spend", {}).get(function, ()):
        if any(
            (
                how.get("dataset", metadata["dataset"]) != metadata["dataset"],
                not metadata["filename"].endswith(how.get("file", "")),
                not metadata["entrystart"] <= how.get("entry", metadata["entrystart"]) < metadata["entrystop"],
                "worker" in how and how["worker"] != worker_name(),
                _calls[function] > how.get("first", _calls[function]),
            )
        ):
            continue
        factor = 1 + how.get("grow", 0.0) * (_calls[function] - 1)
        compute(factor * (how.get("cpu", 0.0) + how.get("cpu_per_event", 0.0) * events))
        time.sleep(factor * how.get("wait", 0.0))


def compute(seconds: float) -> None:
    """Computes for so many seconds of this thread's CPU time, without Python's lock for most of them."""
    import hashlib

    block = bytes(1 << 20)
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        hashlib.sha256(block)
