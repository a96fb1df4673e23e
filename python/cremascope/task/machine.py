"""What a machine and this process do, from one moment to the next, and what limits them."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from _tracemalloc import is_tracing  # of which tracemalloc is the part that a task has no use for
from collections.abc import Collection
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

from .usage import clock_of, memory_and_threads, of_thread, read_again, rss_now, run_delay

#: [s] Between ticks.
TICK_EVERY = 1.0

#: What a tick has, in this order, besides where it was taken. Seconds, bytes and counts are those since the tick before.
MACHINE = (
    *("begin", "wall", "busy", "own", "main", "children", "recorder", "throttled", "cpus", "usable", "quota"),
    *("memory", "available", "swap_used", "rss", "threads"),
    *("pressure_cpu", "pressure_memory", "pressure_io"),
    *("disk_read", "disk_written", "received", "sent"),
    *("collections", "collecting"),
    *("beside", "beside_in"),
    *("lag", "longest_lag", "ended", "bound_to_workers", "bound_to_resources"),  # told by Dask's scheduler alone
)
_SUMS: tuple[str, ...] = ("busy", "own", "main", "children", "recorder", "throttled")
_SUMS += ("pressure_cpu", "pressure_memory", "pressure_io")
_SUMS += ("disk_read", "disk_written", "received", "sent", "collections", "collecting")

#: What may be recorded of the environment: numbers, flags, and names of CPUs and their features, which decide how fast
#: numeric libraries, allocators and Python are. No variable whose value can be a secret or a path.
ENVIRONMENT = (
    *("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_PROC_BIND", "OMP_WAIT_POLICY"),  # openmp.org
    "KMP_BLOCKTIME",  # of LLVM and Intel
    *("MKL_NUM_THREADS", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "MKL_DEBUG_CPU_TYPE"),
    *("OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "BLIS_NUM_THREADS", "BLIS_ARCH_TYPE", "VECLIB_MAXIMUM_THREADS"),
    *("NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES", "NUMEXPR_NUM_THREADS"),
    *("NUMBA_NUM_THREADS", "NUMBA_DISABLE_JIT", "NUMBA_OPT", "NUMBA_LOOP_VECTORIZE", "NUMBA_BOUNDSCHECK"),
    *("NUMBA_ENABLE_AVX", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_DISABLE_INTEL_SVML", "NUMBA_DEBUG"),
    *("ONEDNN_MAX_CPU_ISA", "ATEN_CPU_CAPABILITY", "ARROW_USER_SIMD_LEVEL"),  # machine learning, pyarrow
    *("MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_CHECK_", "MALLOC_PERTURB_"),
    "GLIBC_TUNABLES",
    *("PYTHONMALLOC", "PYTHONDEVMODE", "PYTHONTRACEMALLOC", "PYTHONASYNCIODEBUG", "PYTHONPROFILEIMPORTTIME"),
    "PYTHONDONTWRITEBYTECODE",
)


def is_own(file: str) -> bool:
    """Whether this package's functions are there; on workers all its modules have one name for a file."""
    return file.startswith(_PACKAGE)


def is_foreign(file: str) -> bool:
    """Whether code of that file is Python's, this package's or an installed package's: none of the analysis."""
    folders = ("site-packages", "dist-packages")
    return is_own(file) or file.startswith(("<frozen", _LIBRARY)) or any(folder in file for folder in folders)


_LIBRARY = os.path.dirname(os.__file__)  # noqa: PTH120 - on a worker, where little is imported
_PACKAGE = __file__.removesuffix("machine.py")


class Collecting:
    """Counts garbage collections of the process and their seconds, while it is entered by anybody.

    Python begins one by itself when more objects were made than its threshold: others were called. Where they were called
    stands in ``calls``, with their seconds.
    """

    def __init__(self) -> None:
        self.collections = 0
        self.seconds = 0.0
        self.calls: dict[str, float] = {}
        self._caller: str | None = None
        self._users = 0
        self._began = 0.0
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                gc.callbacks.append(self._heard)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._heard in gc.callbacks:
                gc.callbacks.remove(self._heard)

    def _heard(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            is_called = about.get("generation") == 2 and gc.get_count()[0] <= gc.get_threshold()[0]
            self._caller = _line_of_analysis(sys._getframe().f_back) if is_called else None
            self._began = time.perf_counter()
        else:
            seconds = time.perf_counter() - self._began
            self.collections += 1
            self.seconds += seconds
            if self._caller is not None:
                self.calls[self._caller] = self.calls.get(self._caller, 0.0) + seconds

    def called_most(self, before: dict[str, float]) -> tuple[str | None, float]:
        """Where most seconds were called since ``calls`` was that, and the seconds of all that were called."""
        since = {place: seconds - before.get(place, 0.0) for place, seconds in list(self.calls.items())}
        return max(since, key=lambda place: since[place], default=None), sum(since.values())


def _line_of_analysis(frame: FrameType | None) -> str | None:
    """The innermost line of the analysis in that stack."""
    while frame is not None and is_foreign(frame.f_code.co_filename):
        frame = frame.f_back
    return None if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}"


def _begun_by(frame: FrameType | None) -> str | None:
    """The outermost function of the analysis in that stack: what its thread was started for."""
    found = None
    while frame is not None:
        code = frame.f_code
        if not is_foreign(code.co_filename):
            found = f"{code.co_filename}:{code.co_firstlineno} {code.co_name}"
        frame = frame.f_back
    return found


collecting = Collecting()


class Machine:
    """Takes ticks, each of the time since the one before; the first ``tick`` is that since this was made."""

    def __init__(self) -> None:
        self._last = self._counters()
        self._threads: dict[int, float] = {}
        self._beside(frozenset())

    def tick(self, with_tasks: Collection[int] = ()) -> list[Any]:
        """The values of ``MACHINE``; None is what this system does not say. ``with_tasks``: threads that ran tasks since."""
        then, now = self._last, self._counters()
        self._last = now
        amounts = {name: _difference(now[name], then[name]) for name in _SUMS}
        found = {"begin": then["time"], "wall": now["clock"] - then["clock"], **amounts, **_levels()}
        found |= self._beside(with_tasks)
        return [found.get(name) for name in MACHINE]

    def _beside(self, with_tasks: Collection[int]) -> dict[str, Any]:
        """The thread that used most CPU time of those that the analysis, or a preload, started beside its tasks."""
        before, self._threads = self._threads, {}
        used: dict[str, float] = {}
        frames = sys._current_frames()
        # This very frame holds them: the ring would keep what every thread holds until garbage is collected.
        del frames[threading.get_ident()]
        for thread in threading.enumerate():
            ident = thread.ident
            # Threads that Dask names run its tasks, some of which are not measured.
            is_known = thread is threading.main_thread() or thread.name.startswith(("Dask-", "crema-"))
            if is_known or ident is None or (clock := clock_of(ident)) is None:
                continue
            with suppress(OSError):  # it has just ended
                self._threads[ident] = now = time.clock_gettime(clock)
                where = None if ident in with_tasks else _begun_by(frames.get(ident))
                if where is not None:
                    used[where] = used.get(where, 0.0) + now - before.get(ident, 0.0)
        most = max(used, key=lambda where: used[where], default=None)
        return {} if most is None else {"beside": used[most], "beside_in": most}

    @staticmethod
    def _counters() -> dict[str, Any]:
        return {
            "time": time.time(),
            "clock": time.perf_counter(),
            "busy": _busy(),
            "own": time.process_time(),
            "main": _main(),
            "children": _children(),
            "recorder": time.thread_time(),  # of the thread that takes ticks, which does nothing but record
            "throttled": _throttled(),
            **{f"pressure_{kind}": _pressure(kind) for kind in ("cpu", "memory", "io")},
            **dict(zip(("disk_read", "disk_written"), _disks(), strict=True)),
            **dict(zip(("received", "sent"), _network(), strict=True)),
            "collections": collecting.collections,
            "collecting": collecting.seconds,
        }


def _difference(now: Any, then: Any) -> Any:
    return None if now is None or then is None else max(0, now - then)


def _levels() -> dict[str, Any]:
    memory = _named("/proc/meminfo", 1024)
    swap = _difference(memory.get("SwapTotal:"), memory.get("SwapFree:"))
    usable, quota = cpus()
    rss, _, threads = memory_and_threads()
    return {
        "cpus": os.cpu_count(),
        "usable": usable,
        "quota": quota,
        "memory": memory.get("MemTotal:"),
        "available": memory.get("MemAvailable:"),
        "swap_used": swap,
        "rss": rss,
        "threads": threads,
    }


def hook() -> str | None:
    """What Python calls, or does, at each step of this thread, which makes all code slower; None: nothing."""
    for name, function in (("sys.settrace", sys.gettrace()), ("sys.setprofile", sys.getprofile())):
        if function is not None:
            return _named_hook(name, function)
    return hook_of_all() or ("tracemalloc" if is_tracing() else None)


def _named_hook(name: str, function: Any) -> str:
    return f"{name}: {getattr(function, '__name__', type(function).__name__)}"


def hook_of_frame(frame: FrameType | None) -> str | None:
    """The function of ``sys.settrace`` that is called at each line of this frame, or of a caller (it is not traced itself)."""
    for _ in range(8):
        if frame is None:
            return None
        if frame.f_trace is not None:
            return _named_hook("sys.settrace", frame.f_trace)
        frame = frame.f_back
    return None


def tracer(status: str = "/proc/self/status") -> str | None:
    """The process that traces this one by ptrace, as strace does; None: none, or the system does not say it."""
    with suppress(OSError, ValueError, IndexError):
        pid = int(read_again(status).split(b"TracerPid:")[1].split()[0])
        if pid > 0:
            with suppress(OSError):
                return f"ptrace: {read_again(f'/proc/{pid}/comm').decode().strip()}"
            return f"ptrace: process {pid}"
    return None


def hook_of_all() -> str | None:
    """The tool that Python calls at each step of all threads, since Python 3.12, or a process that traces this one."""
    monitoring: Any = getattr(sys, "monitoring", None)
    with suppress(ValueError):  # a tool that has just been given up
        for tool in range(6) if monitoring is not None else ():
            if (called := monitoring.get_tool(tool)) is not None and monitoring.get_events(tool):
                return f"sys.monitoring: {called}"
    return tracer()


def cpus() -> tuple[int | None, float | None]:
    """CPUs that this process may use by its affinity, and by the quota of its container (None: no limit, or not known)."""
    usable = quota = None
    with suppress(AttributeError, OSError):
        usable = len(os.sched_getaffinity(0))
    for file in _of_groups("cpu.max"):
        with suppress(OSError, ValueError):
            most, period = read_again(file).split()
            if most != b"max":
                quota = min(int(most) / int(period), quota or float("inf"))
    for file in _of_groups("cpu.cfs_quota_us"):  # version 1
        with suppress(OSError, ValueError):
            allowed = int(read_again(file))
            if allowed > 0:
                quota = min(allowed / int(read_again(file.replace("quota", "period"))), quota or float("inf"))
    return usable, quota


def facts() -> dict[str, Any]:
    """What limits the process: it does not change while it lives."""
    usable, quota = cpus()
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "cpus": os.cpu_count(),
        "usable": usable,
        "quota": quota,
        "absent": _absent(),
        "environment": {name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
    }


def _absent() -> dict[str, str]:
    """What cannot be had here, by columns, and why."""
    found = {
        "user, system, faults, switches": (of_thread() is not None, "this system does not tell of a single thread"),
        "run_delay": (run_delay() is not None, "there is no /proc/thread-self/schedstat"),
        "samples.cpu": (hasattr(time, "pthread_getcpuclockid"), "this system has no clock of another thread's CPU time"),
        "rss": (rss_now() is not None, "there is no /proc/self/statm"),
        "rchar … write_bytes": (os.access("/proc/self/io", os.R_OK), "/proc/self/io cannot be read"),
        "machine.busy": (_busy() is not None, "there is no /proc/stat"),
        "machine.throttled": (_throttled() is not None, "no control group tells its quota"),
        "machine.pressure": (_pressure("cpu") is not None, "there is no /proc/pressure"),
    }
    return {name: reason for name, (there, reason) in found.items() if not there}


def _of_groups(name: str) -> list[str]:
    """Files of that name of the control groups that limit the CPU time of this process, innermost first."""
    if name not in _known:
        _known[name] = [str(folder / name) for folder in _groups() if (folder / name).is_file()]
    return _known[name]


_known: dict[str, list[str]] = {}


def _groups() -> list[Path]:
    if sys.platform != "linux":
        return []
    folders = []
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == "" or "cpu" in controllers.split(","):
                top = Path("/sys/fs/cgroup") / controllers
                inner = top / path.lstrip("/")
                folders += [one for one in (inner, *inner.parents) if one == top or top in one.parents]
    return list(dict.fromkeys(folders))


def _throttled() -> float | None:
    """Seconds for which the container's quota has kept its threads from running."""
    for file in _of_groups("cpu.stat"):
        stat = _named(file, 1)
        for name, unit in (("throttled_usec", 1e-6), ("throttled_time", 1e-9)):
            if name in stat:
                return stat[name] * unit
    return None


def _main() -> float | None:
    """CPU seconds of the main thread, which runs the event loop of a Dask worker."""
    thread = threading.main_thread()
    clock = clock_of(thread.ident) if thread.ident and thread.is_alive() else None
    if clock is None:
        return None
    with suppress(OSError):  # it has just ended
        return time.clock_gettime(clock)
    return None


def _children() -> float:
    """CPU seconds of processes that this one started: those that it has waited for, and of others what ``/proc`` tells."""
    ended = os.times()
    ticks = 0
    with suppress(OSError, ValueError):  # no /proc, or one without them
        for thread in Path("/proc/self/task").iterdir():
            for child in (thread / "children").read_text().split():
                with suppress(OSError):  # it has ended meanwhile
                    # proc_pid_stat(5): utime, stime, and the same of its own children that have ended
                    ticks += sum(map(int, Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ended.children_user + ended.children_system + ticks / os.sysconf("SC_CLK_TCK")


def _busy() -> float | None:
    """CPU seconds of all processes of the machine, with what its hypervisor took."""
    with suppress(OSError, ValueError, AttributeError):
        words = read_again("/proc/stat").split(None, 9)
        user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, words[1:9])
        return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return None


def _pressure(kind: str) -> float | None:
    """Seconds in which some thread of the machine waited for this."""
    with suppress(OSError, ValueError, IndexError):
        return int(_lines(f"/proc/pressure/{kind}")[0].rpartition(b"total=")[2]) * 1e-6
    return None


def _disks() -> tuple[int | None, int | None]:
    """Bytes that the machine's disks have read and written; a partition is part of its disk."""
    with suppress(OSError, ValueError, IndexError):
        disks = [fields for fields in map(bytes.split, _lines("/proc/diskstats")) if _is_disk(fields[2])]
        return 512 * sum(int(one[5]) for one in disks), 512 * sum(int(one[9]) for one in disks)
    return None, None


def _is_disk(name: bytes) -> bool:
    if name not in _disk_names:
        device = Path("/sys/block") / os.fsdecode(name)
        _disk_names[name] = device.is_dir() and not name.startswith((b"loop", b"ram", b"dm-", b"md"))
    return _disk_names[name]


_disk_names: dict[bytes, bool] = {}


def _network() -> tuple[int | None, int | None]:
    """Bytes that came and went by the network, without what stayed on the machine."""
    with suppress(OSError, ValueError, IndexError):
        rows = [line.partition(b":") for line in _lines("/proc/self/net/dev")[2:]]
        sides = [values.split() for name, _, values in rows if name.strip() != b"lo"]
        return sum(int(one[0]) for one in sides), sum(int(one[8]) for one in sides)
    return None, None


def _lines(path: str) -> list[bytes]:
    return read_again(path).splitlines()


def _named(path: str, unit: int) -> dict[str, int]:
    """Numbers of a file of names, each with its number after it."""
    found: dict[str, int] = {}
    with suppress(OSError):
        words = read_again(path).split()
        for name, value in pairwise(words):
            if value.isdigit():
                found[name.decode()] = int(value) * unit
    return found
