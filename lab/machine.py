"""Whether the machine is quiet: what others compute while the laboratory does, from /proc/stat."""

from __future__ import annotations

import os
import time
from pathlib import Path

#: Cores that others may use beside a run.
MOST_FOREIGN = 0.15


def busy_and_stolen() -> tuple[float, float]:
    """Seconds that all CPUs were busy so far, and that a hypervisor took from them."""
    values = [int(value) for value in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    tick = os.sysconf("SC_CLK_TCK")
    return (values[0] + values[1] + values[2] + values[5] + values[6]) / tick, values[7] / tick


def own_seconds() -> float:
    """CPU seconds of this process and its children that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def foreign_cores(seconds: float) -> float:
    """Cores that others use, over so many seconds in which this process waits."""
    busy, own, begin = busy_and_stolen()[0], own_seconds(), time.monotonic()
    time.sleep(seconds)
    return max(0.0, busy_and_stolen()[0] - busy - (own_seconds() - own)) / (time.monotonic() - begin)


def is_quiet(patience: float) -> bool:
    """Waits for two quiet seconds, at most ``patience`` seconds."""
    until = time.monotonic() + patience
    while foreign_cores(2) > MOST_FOREIGN:
        if time.monotonic() > until:
            return False
    return True
