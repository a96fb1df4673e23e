"""What a thread and its process use."""

from __future__ import annotations

import os
import time
from contextlib import suppress
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
    high_water: int | None  # the most memory that the process has had so far
    threads: int | None
    io: tuple[int, ...] | None


def read_again(path: str) -> bytes:
    """What a file of the system says now. It stays open: opening it takes five times as long as reading it.

    Raises OSError.
    """
    file = _open.get(path)
    if file is None:
        file = _open[path] = os.open(path, os.O_RDONLY)
    try:
        found = part = os.pread(file, _MOST, 0)
        while len(part) == _MOST or (part and path in _IN_PIECES):
            part = os.pread(file, _MOST, len(found))
            found += part
    except OSError:  # somebody has closed all files, or the file is gone
        _open.pop(path, None)
        raise
    return found


_MOST = 1 << 14
_IN_PIECES = {"/proc/diskstats", "/proc/self/net/dev"}  # of which the system gives a page at a time
_open: dict[str, int] = {}

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_open.clear)  # what a fork has open tells of its parent


def clock_of(ident: int) -> int | None:
    """The system's number of the CPU clock of a thread that runs, which other threads can read; None where there is none."""
    with suppress(AttributeError, OSError):
        return time.pthread_getcpuclockid(ident)
    return None


def rss_now() -> int | None:
    try:
        return int(read_again("/proc/self/statm").split(None, 2)[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def memory_and_threads() -> tuple[int | None, int | None, int | None]:
    """The memory of the process, the most that it has had so far [bytes], and its threads."""
    try:
        text = read_again("/proc/self/status")
        most, rss, threads = (int(text[text.index(name) + len(name) :].split(None, 1)[0]) for name in _STATUS)
    except (OSError, ValueError):
        return None, None, None
    return rss * 1024, most * 1024, threads


_STATUS = (b"VmHWM:", b"VmRSS:", b"Threads:")


def _io() -> tuple[int, ...] | None:
    try:
        words = read_again("/proc/self/io").split()
        found = dict(zip(words[::2], words[1::2], strict=True))
        return tuple(int(found[name]) for name in _IO)
    except (OSError, ValueError, KeyError):
        return None


_IO = tuple(f"{name}:".encode() for name in IO)


def of_thread() -> Any:
    """What the system says that this thread has used; None where it tells of processes only."""
    return resource.getrusage(resource.RUSAGE_THREAD) if hasattr(resource, "RUSAGE_THREAD") else None


def run_delay() -> float | None:
    """Seconds for which this thread could have run and waited for a CPU (Linux: sched_info.run_delay)."""
    try:
        file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)  # of each thread another one, so it does not stay open
        try:
            return int(os.read(file, 100).split()[1]) * 1e-9
        finally:
            os.close(file)
    except (OSError, ValueError, IndexError):
        return None


def process_start() -> Usage | None:
    """When this process began, with nothing used yet; None where the system does not say it."""
    try:
        with open("/proc/self/stat") as file:  # noqa: PTH123 - on a worker, where little is imported
            ticks = int(file.read().rsplit(")", 1)[1].split()[19])  # proc(5), (22) starttime
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None
    now = usage()
    nothing: dict[str, Any] = {name: None if getattr(now, name) is None else 0 for name in Usage._fields[3:10]}
    nothing |= {"cpu": 0.0, "process_cpu": 0.0, "rss": None, "high_water": 0, "threads": 1}
    nothing["io"] = None if now.io is None else (0,) * len(IO)
    return now._replace(time=now.time - age, clock=now.clock - age, **nothing)


def usage() -> Usage:
    now, clock, cpu = time.time(), time.perf_counter(), time.thread_time()
    used = of_thread()
    names = ("ru_utime", "ru_stime", "ru_minflt", "ru_majflt", "ru_nvcsw", "ru_nivcsw")
    thread = [getattr(used, name, None) for name in names]
    return Usage._make([now, clock, cpu, *thread, run_delay(), time.process_time(), *memory_and_threads(), _io()])
