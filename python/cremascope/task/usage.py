"""What a thread and its process use, and what limits them."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

#: What may be recorded of the environment: limits of numeric libraries and of the allocator, and nothing else.
ENVIRONMENT = (
    "OMP_NUM_THREADS",
    "OMP_THREAD_LIMIT",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "MALLOC_ARENA_MAX",
    "MALLOC_TRIM_THRESHOLD_",
)

IO = ("rchar", "wchar", "syscr", "syscw", "read_bytes", "write_bytes")


class Usage(NamedTuple):
    """What a thread and its process had used at a moment. None is what this system does not say."""

    time: float
    clock: float
    cpu: float
    user: float | None
    system: float | None
    minor_faults: int | None
    major_faults: int | None
    voluntary_switches: int | None
    involuntary_switches: int | None
    process_cpu: float
    rss: int | None
    io: tuple[int, ...] | None


def rss_now() -> int | None:
    try:
        with Path("/proc/self/statm").open("rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def high_water_and_threads() -> tuple[int | None, int | None]:
    """The most memory that the process has had so far [bytes], and its threads."""
    try:
        with Path("/proc/self/status").open("rb") as file:
            text = file.read()
        most, threads = (text[text.index(name) + len(name) :].split(None, 1)[0] for name in (b"VmHWM:", b"Threads:"))
        return int(most) * 1024, int(threads)
    except (OSError, ValueError):
        return None, None


def _io() -> tuple[int, ...] | None:
    try:
        with Path("/proc/self/io").open("rb") as file:
            found = dict(line.split(b": ") for line in file.read().splitlines())
        return tuple(int(found[name.encode()]) for name in IO)
    except (OSError, ValueError, KeyError):
        return None


def usage() -> Usage:
    now, clock, cpu = time.time(), time.perf_counter(), time.thread_time()
    used = resource.getrusage(resource.RUSAGE_THREAD) if hasattr(resource, "RUSAGE_THREAD") else None
    names = ("ru_utime", "ru_stime", "ru_minflt", "ru_majflt", "ru_nvcsw", "ru_nivcsw")
    thread = [getattr(used, name, None) for name in names]
    return Usage._make([now, clock, cpu, *thread, time.process_time(), rss_now(), _io()])


def facts() -> dict[str, Any]:
    """What limits the process: it does not change while it lives."""
    found: dict[str, Any] = {
        "python": ".".join(map(str, sys.version_info[:3])),
        "cpus": os.cpu_count(),
        "usable": None,
        "quota": None,
        "environment": {name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
    }
    with suppress(AttributeError, OSError):
        found["usable"] = len(os.sched_getaffinity(0))
    with suppress(OSError, ValueError), Path("/sys/fs/cgroup/cpu.max").open() as file:
        most, period = file.read().split()
        if most != "max":
            found["quota"] = int(most) / int(period)
    return found
