"""Looks at tasks while they run: what their threads execute, in which section, and whether on a CPU; at memory and machine.

One thread of the process does it, off the threads of the tasks, and ends when none has run for a while. Looks come at
irregular times, so that they fall into step with nothing; each stands for the time from when the one before it was due.
"""

from __future__ import annotations

import linecache
import os
import random
import re
import sys
import threading
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from opcode import opmap
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Protocol

from .called import called_at
from .machine import TICK_EVERY, Machine, collecting, hook_of_all, hook_of_frame, is_own
from .usage import clock_of, of_thread, rss_now, run_delay

#: [s] Between looks, on average, where they cost little. On a machine whose cores are all taken each look interrupts a task
#: twice: at the pace of Dask's profiler, 0.01 s, they cost a run 2 to 4 %, and take 0.5 % of a processor (docs/record.md).
EVERY = 0.04
#: Of a processor's time, at most: where looks take more, they come less often.
SHARE = 0.005
#: [s] Between looks, on average, at most.
RAREST = 0.1
#: [s] After a look, in which the CPU time of a thread tells whether it is on a CPU.
GAP = 0.001
#: [s] What a thread that has moved on used in a longer time, it perhaps used elsewhere: the look says nothing of its CPU.
LONGEST_GAP = 0.003
#: [s] What makes a look wait for longer is compiled code that keeps the interpreter's lock: Python's own gives it away after
#: ``sys.getswitchinterval()``, 0.005 s.
LATE = 0.01
#: [s] A look that came sooner found the lock free: a sleeping thread takes 0.1 to 0.3 ms to wake up. One that came later has
#: waited until the thread gave it away, often in a call that takes no time.
AT_ONCE = 0.0005
#: One look in so many also reads the memory, and whether a profiler or debugger is on.
MEMORY_EVERY = 5
#: Characters of a line of the analysis.
LONGEST_LINE = 120
_PYTHON = f"{Path(os.__file__).parent}{os.sep}"
_BEGUN = time.time()
_SECRET = re.compile("passw|secret|token|credential|api_?key", re.IGNORECASE)
#: [s] Without a task after which the thread ends.
PATIENCE = 2.0
#: Calls of a stack that are kept, innermost first.
DEEPEST = 200
#: Different calls that are kept of a task: beyond, what is new counts for its caller.
MOST_CALLS = 2_000
#: Ticks of the machine that wait for a task to end.
MOST_TICKS = 1_000


class Looked(Protocol):
    """A task as it is looked at."""

    ident: int
    clock: int | None
    stop: CodeType
    peak: int
    hook: str | None
    most_at_once: int
    samples: Samples
    sections: Sections
    begin: Any  # its Usage


lock = threading.RLock()
#: The tasks that run in this process.
running: set[Any] = set()
#: What is called when nobody looks any more.
at_rest: list[Callable[[], None]] = []
#: Of each thread, whichever version of this package measures it: so ``cremascope.section`` finds it.
by_thread: dict[int, Any] = vars(sys).setdefault("_crema_running", {})
#: Of the machine, since a task took them along.
ticks: deque[list[Any]] = deque(maxlen=MOST_TICKS)


def _forked() -> None:
    """A fork has the tasks of its parent, but not their threads, one of which may have held the lock."""
    lock._at_fork_reinit()  # type: ignore[attr-defined]
    running.clear()
    by_thread.clear()
    ticks.clear()
    _looking.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class Sections:
    """The sections that a task entered: a tree of names, with how often and for how long."""

    def __init__(self) -> None:
        self.open = -1
        """the innermost one that is open; -1: none"""
        self._rows: list[list[Any]] = []  # parent, name, calls, wall, cpu
        self._places: dict[tuple[int, str], int] = {}

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        outer = self.open
        place = self._places.setdefault((outer, name), len(self._rows))
        if place == len(self._rows):
            self._rows.append([outer, name, 0, 0.0, 0.0])
        row = self._rows[place]
        clock, cpu = time.perf_counter(), time.thread_time()
        self.open = place
        try:
            yield
        finally:
            self.open = outer
            row[2] += 1
            row[3] += time.perf_counter() - clock
            row[4] += time.thread_time() - cpu

    def rows(self) -> list[list[Any]]:
        """Parent (its place among these, or None), name, times it was left, seconds and CPU seconds of each."""
        return [
            [None if parent < 0 else parent, name, calls, round(wall, 6), round(cpu, 6)]
            for parent, name, calls, wall, cpu in self._rows
        ]


class Samples:
    """What a task's thread was seen at: its stacks as a tree of calls, and how long each was seen in which section."""

    def __init__(self) -> None:
        # Of calls, by caller, code, instruction, and whether this executed compiled code, or just had, where that is known
        self._places: dict[tuple[int, int, int, bool | None], int] = {}
        self._calls: list[tuple[int, CodeType, int, bool | None]] = []
        # by section and innermost call: looks, seconds, those of which CPU time is known, their CPU seconds
        self._seen: dict[tuple[int, int], list[float]] = {}
        self.cpu: float | None = None
        """[s] of the thread at the last look"""

    def add(self, stack: list[tuple[CodeType, int]], section: int, seconds: float, executes: bool | None = None) -> list[float]:
        """Adds a look that stands for ``seconds``; the innermost instruction ``executes`` compiled code, or just did.

        What it returns is for the seconds of which the CPU time is known.
        """
        place, innermost = -1, len(stack) - 1
        for depth, (code, instruction) in enumerate(reversed(stack)):
            native = executes if depth == innermost else None
            key = (place, id(code), instruction, native)
            found = self._places.get(key)
            if found is None:
                if len(self._calls) >= MOST_CALLS:
                    break
                found = self._places[key] = len(self._calls)
                self._calls.append((place, code, instruction, native))
            place = found
        seen = self._seen.setdefault((section, place), [0, 0.0, 0.0, 0.0])
        seen[0] += 1
        seen[1] += seconds
        return seen

    def told(self, cpu_in_all: float | None = None) -> dict[str, Any] | None:
        """``functions``: name, file and first line of each; ``calls``: caller (or None), function, line, what has no frame
        and is called there (or None), and the text of the line (or None) of each, callers first; ``seen``: section,
        innermost call, looks, seconds, CPU seconds. None where nothing was seen.

        CPU seconds are made to be ``cpu_in_all`` together: a busy machine lets this thread look when another has its turn.
        """
        if not self._seen:
            return None
        functions: dict[tuple[str, str, int], int] = {}
        calls: dict[tuple[int | None, int, int, str | None], int] = {}
        place_of: list[int | None] = []
        for caller, code, instruction, executes in self._calls:
            place = None if caller < 0 else place_of[caller]
            if not is_own(code.co_filename):
                about = (code.co_name, code.co_filename, code.co_firstlineno)
                function = functions.setdefault(about, len(functions))
                native = None if executes is None else called_at(code, instruction, executes)
                place = calls.setdefault((place, function, _line_of(code, instruction), native), len(calls))
            place_of.append(place)
        seen: dict[tuple[int | None, int | None], list[float]] = {}
        for (section, call), amounts in self._seen.items():
            key = (None if section < 0 else section, None if call < 0 else place_of[call])
            sums = seen.setdefault(key, [0, 0.0, 0.0, 0.0])
            for number, amount in enumerate(amounts):
                sums[number] += amount
        looked = [wall * cpu / known if known > 0 else 0.0 for _, wall, known, cpu in seen.values()]
        on_cpu = shared_out(sum(looked) if cpu_in_all is None else cpu_in_all, looked, [wall for _, wall, *_ in seen.values()])
        rows = [
            [*key, looks, round(wall, 6), round(cpu, 6) if known > 0 else None]
            for (key, (looks, wall, known, _)), cpu in zip(seen.items(), on_cpu, strict=True)
            if looks > 0
        ]
        files = [file for _, file, _ in functions]
        told = [[*one, text_of(files[one[1]], one[2])] for one in calls]
        return {"functions": [list(one) for one in functions], "calls": told, "seen": rows}


def shared_out(amount: float, weights: list[float], most: list[float]) -> list[float]:
    """An amount by weights, none having more than its ``most``: what one cannot have is the others'."""
    shares, left = [0.0] * len(weights), {place for place, weight in enumerate(weights) if weight > 0}
    while left and amount > 0:
        scale = amount / sum(weights[place] for place in left)
        settled = {place for place in left if scale * weights[place] >= most[place]} or set(left)
        for place in settled:
            shares[place] = min(most[place], scale * weights[place])
            amount -= shares[place]
        left -= settled
    return shares


def text_of(file: str, line: int) -> str | None:
    """A line of the analysis, without its indentation.

    None of Python's own code, of a package, of what has no file, and of what may say a secret.
    """
    if file.startswith(("<", _PYTHON)) or "-packages" in file or not _is_as_begun(file):
        return None
    text = linecache.getline(file, line).strip()
    return None if _SECRET.search(text) else text[:LONGEST_LINE] or None


@lru_cache(maxsize=1_000)
def _is_as_begun(file: str) -> bool:
    """Whether a file has not changed since this process has the recorder: the lines are those that run."""
    try:
        return Path(file).stat().st_mtime < _BEGUN
    except OSError:
        return False


def stack_of(frame: FrameType | None, stop: CodeType | None) -> list[tuple[CodeType, int]]:
    """Code and instruction of each call, innermost first."""
    stack: list[tuple[CodeType, int]] = []
    while frame is not None and frame.f_code is not stop and len(stack) < DEEPEST:
        stack.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return stack


def _line_of(code: CodeType, instruction: int) -> int:
    known = _lines.get(id(code))
    if known is None or known[0] is not code:
        if len(_lines) > 5_000:
            _lines.clear()
        lines = [(start, line) for start, _, line in code.co_lines() if line is not None]
        known = _lines[id(code)] = (code, [start for start, _ in lines], [line for _, line in lines])
    place = bisect_right(known[1], instruction) - 1
    return known[2][place] if place >= 0 else code.co_firstlineno


_lines: dict[int, tuple[CodeType, list[int], list[int]]] = {}
_RESUME = opmap.get("RESUME")


def _has_begun(code: CodeType, instruction: int) -> bool:
    """False of a function only just entered: at RESUME, which lets other threads run, or before the first instruction."""
    first = -1 if _RESUME is None else 2 * code.co_code[::2].find(_RESUME)
    return instruction > first


def _cpu_at(clock: int | None) -> float | None:
    if clock is None:
        return None
    with suppress(OSError):  # a thread that has ended
        return time.clock_gettime(clock)
    return None


def _since(delayed: float | None) -> float:
    """[s] for which this thread waited for a CPU since it had waited for ``delayed``; 0 where the system does not say it."""
    now = run_delay()
    return now - delayed if now is not None and delayed is not None else 0.0


def _waits() -> int | None:
    """How often this thread has waited; None where the system does not say it.

    For Python's lock it does so once in ``sys.getswitchinterval()``, if no thread gives it away.
    """
    return getattr(of_thread(), "ru_nvcsw", None)


def _waits_since(before: int | None) -> int | None:
    now = _waits()
    return None if now is None or before is None else now - before


def _is_once_each(count: int, times: float) -> bool:
    return times / 2 - 3 <= count <= 2 * times + 3


def begin_looking() -> None:
    """Lets a thread look, where none does; with ``lock`` held."""
    if not _looking:
        thread = threading.Thread(target=_look, name="crema-looks", daemon=True)
        with suppress(RuntimeError):  # there may be no more threads
            thread.start()
            _looking.append(thread)


def end_looking() -> None:
    """Lets no thread look, unless a task runs."""
    with lock:
        if not running:
            _looking.clear()
            for rest in at_rest:
                rest()


_looking: list[threading.Thread] = []  # the one that looks, if any


class Pace:
    """How long it is to the next look, so that looks take a bounded share of the time."""

    def __init__(self, every: float, share: float) -> None:
        self._every, self._share = every, share
        self._cost, self._heard = 0.0, 0
        self._chance = random.Random()

    @property
    def every(self) -> float:
        """[s] Between looks, on average."""
        return max(self._every, min(RAREST, self._cost / self._share))

    def next(self) -> float:
        return self.every * (0.5 + self._chance.random())

    def took(self, seconds: float) -> None:
        """Hears what a look took; the average of some twenty counts."""
        self._heard += 1
        self._cost += max(0.05, 1 / self._heard) * (seconds - self._cost)


def _look() -> None:
    pace, machine = Pace(EVERY, SHARE), Machine()
    due = ticked = busy = time.perf_counter()
    used, number, wait = time.thread_time(), 0, pace.next()
    with_tasks: set[int] = set()  # threads that ran any since the last tick
    with collecting:
        while True:
            last, due, delayed, woken = due, due + wait, run_delay(), _waits()
            time.sleep(max(0.0, due - time.perf_counter()))
            number += 1
            with lock:
                if threading.current_thread() not in _looking:
                    return
                now, looked = time.perf_counter(), []
                waited = _waits_since(woken)
                late, wait = now - due, pace.next()
                while due + wait < now:  # what made this look wait has those that were due meanwhile
                    due, wait = due + wait, pace.next()
                if running:
                    busy = now
                    with_tasks |= {task.ident for task in running}
                    # Nothing between these may let other threads run, as reading a file does.
                    frames = sys._current_frames()
                    looked = [_Look(task, frames[task.ident], due - last) for task in running if task.ident in frames]
                    if late > AT_ONCE:
                        late -= _since(delayed)
                    for look in looked:
                        look.add(late, was_kept=waited is None or _is_once_each(waited, late / sys.getswitchinterval()))
                    if number % MEMORY_EVERY == 0:
                        rss, seen = rss_now(), hook_of_all()
                        for task in running:
                            task.peak = max(task.peak, rss or 0)
                            task.hook = seen or hook_of_frame(frames.get(task.ident)) or task.hook
                    del frames
                elif now - busy >= PATIENCE:
                    end_looking()
                    return
            took = time.perf_counter() - now
            if looked:
                woken = _waits()
                time.sleep(GAP)
                waited, woke = _waits_since(woken), time.perf_counter()
                for look in looked:
                    look.tell_cpu(was_free=waited is not None and waited <= 1)
                del looked
                took += time.perf_counter() - woke
            used, before = time.thread_time(), used
            pace.took(took + used - before)  # a task may wait for Python's lock, and a processor is taken
            if now - ticked >= TICK_EVERY and now == busy:
                ticked = now
                with suppress(Exception):  # the machine is worth less than its tasks
                    ticks.append(machine.tick(with_tasks))
                with_tasks = set()


class Watch:
    """Looks at a thread that runs no task, as often as somebody asks."""

    def __init__(self, ident: int) -> None:
        self._ident = ident
        self._clock = clock_of(ident)
        self._samples = Samples()
        self.begin = self._last = time.time(), time.perf_counter(), _cpu_at(self._clock)

    def look(self) -> None:
        """Adds what it does now, and its CPU time since the last look; nothing while it runs a task."""
        now = time.time(), time.perf_counter(), _cpu_at(self._clock)
        frame = None if self._ident in by_thread else sys._current_frames().get(self._ident)
        if frame is not None:
            wall = now[1] - self._last[1]
            seen = self._samples.add(stack_of(frame, None), -1, wall)
            if now[2] is not None and self._last[2] is not None:
                seen[2] += wall
                seen[3] += max(0.0, now[2] - self._last[2])
        self._last = now

    def take(self) -> tuple[float, dict[str, Any]] | None:
        """What was seen since the last time [epoch s], and that time; None where nothing was."""
        begin, samples = self.begin[0], self._samples
        self.begin, self._samples = self._last, Samples()
        told = samples.told()
        return None if told is None else (begin, told)


class _Look:
    """One look at one task, until the time after it tells whether the thread was on a CPU."""

    def __init__(self, task: Looked, frame: FrameType, seconds: float) -> None:
        self.task = task
        self._seconds = seconds
        self._then, self._cpu = time.perf_counter(), _cpu_at(task.clock)
        self._stack, self._section = stack_of(frame, task.stop), task.sections.open
        self._place = id(frame), frame.f_lasti
        # Python's lock is here meanwhile: a thread that computes is in a call of compiled code that needs none.
        cpu = _cpu_at(task.clock)
        self._computes = cpu is not None and self._cpu is not None and cpu - self._cpu > (time.perf_counter() - self._then) / 4
        self._before, task.samples.cpu = task.samples.cpu, self._cpu
        self._seen: list[float] = []
        self._is_told = self._may_call = False

    def add(self, late: float, *, was_kept: bool = True) -> None:
        """Adds it to what the task was seen at. ``late``: seconds for which code made it wait for Python's lock.

        ``was_kept``: one call kept it; else it was given away, and taken back before the thread that looks had it."""
        # That code ran before the function was entered.
        is_late = late > LATE
        has_begun = not self._stack or _has_begun(*self._stack[0])
        stack = self._stack[1:] if is_late and not has_begun else self._stack
        executes = False if is_late and has_begun and was_kept and not self._computes else None
        if late < AT_ONCE:
            executes, self._may_call = self._computes or None, not self._computes
        self._seen = self.task.samples.add(stack, self._section, self._seconds, executes)
        if is_late and self._cpu is not None and self._before is not None:
            self._is_told = True
            self._seen[2] += self._seconds
            self._seen[3] += self._seconds * min(1.0, (self._cpu - self._before) / late)

    def tell_cpu(self, *, was_free: bool = False) -> None:
        """The CPU time since. ``was_free``: this has not waited for Python's lock, and so for no call that gives it away."""
        if self._is_told:
            return
        now, cpu = time.perf_counter(), _cpu_at(self.task.clock)
        if cpu is None or self._cpu is None or not (now - self._then <= LONGEST_GAP or self._stayed()):
            return
        share = min(1.0, max(0.0, (cpu - self._cpu) / (now - self._then)))
        # Of a thread that computes the look may have taken the CPU. One that waited for the lock has moved on.
        if self._may_call and (was_free or share < 0.5) and self._stayed():
            self._add_as_called()
        self._seen[2] += self._seconds
        self._seen[3] += self._seconds * share

    def _add_as_called(self) -> None:
        """What the thread called executes or waits: the look is of that call."""
        with lock:
            if self.task in running:  # a task that has ended has told its samples
                self._seen[0] -= 1
                self._seen[1] -= self._seconds
                self._seen = self.task.samples.add(self._stack, self._section, self._seconds, True)

    def _stayed(self) -> bool:
        frame = sys._current_frames().get(self.task.ident)
        return frame is not None and self._place == (id(frame), frame.f_lasti)


def take_ticks() -> list[list[Any]]:
    """The ticks of the machine that no task has taken along."""
    taken = []
    with suppress(IndexError):
        while True:
            taken.append(ticks.popleft())
    return taken
