"""What a thread and its process use."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, NamedTuple

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

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
    run_delay: float | None
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


def of_thread() -> Any:
    """What the system says that this thread has used; None where it tells of processes only."""
    return resource.getrusage(resource.RUSAGE_THREAD) if hasattr(resource, "RUSAGE_THREAD") else None


def run_delay() -> float | None:
    """Seconds for which this thread could have run and waited for a CPU (Linux: sched_info.run_delay)."""
    try:
        with Path("/proc/thread-self/schedstat").open("rb") as file:
            return int(file.read().split()[1]) * 1e-9
    except (OSError, ValueError, IndexError):
        return None


def usage() -> Usage:
    now, clock, cpu = time.time(), time.perf_counter(), time.thread_time()
    used = of_thread()
    names = ("ru_utime", "ru_stime", "ru_minflt", "ru_majflt", "ru_nvcsw", "ru_nivcsw")
    thread = [getattr(used, name, None) for name in names]
    return Usage._make([now, clock, cpu, *thread, run_delay(), time.process_time(), rss_now(), _io()])
