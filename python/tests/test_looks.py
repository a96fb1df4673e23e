"""What is seen of tasks while they run, against programs that know where they spend their time."""

from __future__ import annotations

import cProfile
import gc
import hashlib
import json
import math
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cremascope import carry, parts, section
from cremascope.parts import Part
from cremascope.task import looks, machine, usage
from cremascope.task.called import called_at
from cremascope.task.looks import text_of
from cremascope.task.running import Task, printed

#: Packs without holding Python's lock, so that threads do so at the same time.
BLOCK = bytes(4_000_000)


def hash_for(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        hashlib.sha256(BLOCK)


def wait_for(seconds: float) -> None:
    time.sleep(seconds)


def analyse(rounds: int) -> None:
    """Functions in sections, in real time."""
    for _ in range(rounds):
        with section("outer"):
            hash_for(0.2)
            with section("inner"):
                wait_for(0.25)
        with section("last"):
            hash_for(0.2)
            wait_for(0.2)


def measured(function: Any, *args: Any) -> tuple[Any, dict[str, Any]]:
    """What a task returns, and its row."""
    rows: list[dict[str, Any]] = []
    result = Task(function, {"executor": "x"}, "call", rows.extend)(*args)
    assert len(rows) == 1
    return result, rows[0]


def paths_of(row: dict[str, Any]) -> list[str]:
    paths: list[str] = []
    for parent, name, *_ in row["sections"]:
        paths.append(name if parent is None else f"{paths[parent]}/{name}")
    return paths


def seen(row: dict[str, Any], functions: set[str]) -> dict[tuple[str, str], list[float]]:
    """Looks, seconds and CPU seconds in each section of those functions, with what they call."""
    samples, paths = row["samples"], paths_of(row)
    found: dict[tuple[str, str], list[float]] = {}
    for place, innermost, *amounts in samples["seen"]:
        call = innermost
        while call is not None and samples["functions"][samples["calls"][call][1]][0] not in functions:
            call = samples["calls"][call][0]
        if call is None or place is None:
            continue
        key = paths[place], samples["functions"][samples["calls"][call][1]][0]
        sums = found.setdefault(key, [0.0, 0.0, 0.0])
        for number, amount in enumerate(amounts):
            sums[number] += amount or 0.0
    return found


Steps = Iterator[tuple[bool, float]]  # whether it computes, and for how many seconds


def computing(seconds: float) -> Steps:
    yield True, seconds


def waiting(seconds: float) -> Steps:
    yield False, seconds


def both(seconds: float) -> Steps:
    for _ in range(20):
        yield True, seconds * 0.4 / 20
        yield False, seconds * 0.6 / 20


def locked(seconds: float) -> Steps:
    """No look before it has ended."""
    yield True, seconds


class Program:
    """A task that spends known times of ``Clock``; it is seen where its innermost generator stands."""

    def __init__(self, ident: int, chance: random.Random, *, locks: bool) -> None:
        self.ident = self.clock = ident
        self.stop, self.peak, self.hook, self.most_at_once, self.begin = measured.__code__, 0, None, 1, None
        self.samples, self.sections = looks.Samples(), looks.Sections()
        self.truth: dict[tuple[str, str], list[float]] = {}
        self.cpu = self._left = 0.0
        self._chance, self._computes, self._where = chance, False, ("", "")
        self._steps = self._run(locks)

    def _run(self, locks: bool) -> Steps:
        for _ in range(6):
            with self.sections.section("outer"):
                yield from self._spend("outer", computing, 0.15)
                if locks:
                    yield from self._spend("outer", locked, 0.15)
                with self.sections.section("inner"):
                    yield from self._spend("outer/inner", waiting, 0.2)
                    yield from self._spend("outer/inner", both, 0.1)
            with self.sections.section("last"):
                yield from self._spend("last", computing, 0.1)
                yield from self._spend("last", waiting, 0.05)

    def _spend(self, where: str, function: Callable[[float], Steps], seconds: float) -> Steps:
        self._where = where, function.__name__
        yield from function(seconds * self._chance.uniform(0.5, 1.5))

    def advance(self, seconds: float) -> None:
        """Raises StopIteration where it ends before."""
        while seconds > 0:
            if self._left <= 0:
                self._computes, self._left = next(self._steps)
            spent = min(seconds, self._left)
            sums = self.truth.setdefault(self._where, [0.0, 0.0])
            for number, amount in enumerate((spent, spent * self._computes)):
                sums[number] += amount
            self.cpu += spent * self._computes
            self._left -= spent
            seconds -= spent

    def left_locked(self) -> float:
        return self._left if self._where[1] == "locked" and self._left > 0 else 0

    def frame(self) -> Any:
        steps: Any = self._steps
        while steps.gi_yieldfrom is not None:
            steps = steps.gi_yieldfrom
        return steps.gi_frame


class Clock:
    """Time, and what runs in it: it passes only while somebody sleeps, whatever else the machine does.

    A look takes ``cost`` seconds of CPU time, and no other.
    """

    def __init__(self, programs: list[Program], running: set[Any], cost: float) -> None:
        self._now, self._programs, self._running = 0.0, {one.ident: one for one in programs}, running
        self._cost, self._used, self._looked, self._has_waited = cost, 0.0, 0.0, False

    def sleep(self, seconds: float) -> None:
        while seconds > 0:
            self._pass(seconds)
            seconds = max((one.left_locked() for one in self._running), default=0)
            self._has_waited = seconds > 0 or (self._has_waited and bool(self._running))

    def _pass(self, seconds: float) -> None:
        self._now += seconds
        for program in list(self._running):
            try:
                program.advance(seconds)
            except StopIteration:
                self._running.discard(program)

    def run_delay(self) -> float:
        """Reading a file lets other threads run: a look that has waited has to see first where its threads are."""
        assert not self._has_waited
        return 0.0

    def getswitchinterval(self) -> float:
        return 0.005

    def perf_counter(self) -> float:
        return self._now

    def clock_gettime(self, clock: int) -> float:
        return self._programs[clock].cpu

    def thread_time(self) -> float:
        return self._used

    def _current_frames(self) -> dict[int, Any]:
        if self._now > self._looked + looks.GAP:  # and not once more in the same look
            self._used += self._cost
            self._looked = self._now
        self._has_waited = False
        return {one.ident: one.frame() for one in self._running}


@pytest.mark.parametrize("every", [looks.EVERY, 0.04])
@pytest.mark.parametrize("threads", [1, 4])
def test_seconds_of_a_function_in_a_section_are_what_it_spent(
    threads: int, every: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the intervals at 95 % as many hold the truth: of seconds, of those on a CPU and off it.

    The clock is the test's own, so that it says what looks tell, and not how busy the machine is. Looks take so long that
    they come ``every`` so many seconds.
    """
    chance, held = random.Random(11), []
    monkeypatch.setattr(looks, "random", SimpleNamespace(Random=lambda: random.Random(chance.random())))
    monkeypatch.setattr(looks, "TICK_EVERY", math.inf)
    monkeypatch.setattr(looks, "at_rest", [])
    for _ in range(100 // threads):
        programs = [Program(ident, chance, locks=threads == 1) for ident in range(threads)]
        running: set[Any] = set(programs)
        clock = Clock(programs, running, every * looks.SHARE)
        for name, mine in (("running", running), ("time", clock), ("sys", clock)):
            monkeypatch.setattr(looks, name, mine)
        monkeypatch.setattr(looks, "run_delay", clock.run_delay)
        monkeypatch.setattr(looks, "_looking", [threading.current_thread()])
        looks._look()
        for program in programs:
            row = {"samples": program.samples.told(program.cpu), "sections": program.sections.rows()}
            found = seen(row, {"computing", "waiting", "both", "locked"})
            whole = sum(wall for wall, _ in program.truth.values())
            assert sum(one[1] for one in found.values()) == pytest.approx(whole, abs=2 * every)
            for key, (wall, cpu) in program.truth.items():
                count, looked, on_cpu = found[key]
                # An end of a stretch of time is anywhere between two looks, which are 0.5 to 1.5 x ``every`` apart: this is the
                # variance of what is from there to the later one. There are 6 stretches.
                ends = 12 * every**2 * 71 / 576
                # Whether a look finds a thread on a CPU is as in drawing lots.
                lots = wall**2 * (cpu / wall) * (1 - cpu / wall) / count
                for true, estimate, variance in (
                    (wall, looked, ends),
                    (cpu, on_cpu, ends + lots),
                    (wall - cpu, looked - on_cpu, ends + lots),
                ):
                    held.append(abs(estimate - true) <= 1.96 * math.sqrt(variance))
    assert sum(held) >= 0.93 * len(held)


def test_looks_come_less_often_where_they_take_long() -> None:
    pace = looks.Pace(every=0.01, share=0.005)
    pace.took(20e-6)
    assert pace.every == 0.01
    for _ in range(300):
        pace.took(200e-6)
    assert pace.every == pytest.approx(0.04)  # in which 200 µs are 0.5 %
    waits = [pace.next() for _ in range(1000)]
    assert 0.02 <= min(waits) < max(waits) <= 0.06
    for _ in range(300):
        pace.took(1.0)
    assert pace.every == looks.RAREST


def test_threads_are_seen_in_what_they_do() -> None:
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda _: measured(analyse, 2)[1], range(4)))
    # looks come at least every 0.15 s
    places = {("outer", "hash_for"), ("outer/inner", "wait_for"), ("last", "hash_for"), ("last", "wait_for")}
    of_threads = [seen(row, {"hash_for", "wait_for"}) for row in rows]
    assert {place for found in of_threads for place in found} == places
    seconds = sum(wall for found in of_threads for _, wall, _ in found.values())
    assert seconds == pytest.approx(sum(row["wall"] for row in rows), rel=0.2)
    waits = [found["outer/inner", "wait_for"] for found in of_threads]
    assert sum(cpu for _, _, cpu in waits) < 0.2 * sum(wall for _, wall, _ in waits)  # one look may be off


def test_a_late_look_is_of_the_code_that_made_it_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that keeps the interpreter's lock is looked at as it enters a function of Python: that one has taken no time."""
    task: Any = SimpleNamespace(samples=looks.Samples(), sections=looks.Sections(), stop=measured.__code__, clock=0)
    cpu = iter([1.0, 1.0, 1.3, 1.3])
    monkeypatch.setattr(looks, "_cpu_at", lambda _: next(cpu))

    def trace(frame: Any, event: str, _: object) -> Any:
        if frame.f_code is entered.__code__ and event in ("call", "line"):
            looks._Look(task, frame, 0.4).add(0.5 if event == "call" else 0.0)
        return trace

    def entered() -> None: ...

    def kernel() -> None:
        entered()

    monkeypatch.setattr(task.samples, "cpu", 0.7)
    before = sys.gettrace()
    sys.settrace(trace)
    kernel()
    sys.settrace(before)
    told = task.samples.told()
    names = [told["functions"][told["calls"][call][1]][0] for _, call, *_ in told["seen"]]
    assert names == ["kernel", "entered"]
    # in 0.5 s its thread was on a CPU for 0.3; of the other look the time after it would tell
    assert [amounts for _, _, *amounts in told["seen"]] == [[1, 0.4, 0.24], [1, 0.4, None]]


def test_sections_are_a_tree_that_counts() -> None:
    def nested(_: Any) -> None:
        for _ in range(3):
            with section("a"), section("b"):
                pass
            with section("b"):
                time.sleep(0.01)

    _, row = measured(nested, None)
    assert paths_of(row) == ["a", "a/b", "b"]
    assert [calls for _, _, calls, _, _ in row["sections"]] == [3, 3, 3]
    assert 0.03 <= row["sections"][2][3] < row["wall"]
    with section("outside a task it does nothing"):
        pass


def test_roastcoffeas_sections_are_sections_too(monkeypatch: pytest.MonkeyPatch) -> None:
    instrumentation = pytest.importorskip("roastcoffea.instrumentation")
    pytest.importorskip("uproot")
    track_time = instrumentation.track_time  # by a name of the analysis' own
    cell = next(one for one in track_time.__closure__ if one.cell_contents is track_time.__wrapped__)
    monkeypatch.setattr(instrumentation, "unrelated", None, raising=False)

    def work(_: Any) -> None:
        with track_time(None, "selection"):
            time.sleep(0.01)

    _, row = measured(work, None)
    assert paths_of(row) == ["selection"]
    looks.end_looking()  # functions stay replaced until no task has run for a while
    assert cell.cell_contents is track_time.__wrapped__


def test_lines_and_callers_are_told_from_outside_in() -> None:
    def inner() -> None:
        time.sleep(0.2)

    def outer(_: Any) -> None:
        inner()

    _, row = measured(outer, None)
    samples = row["samples"]
    _, call, *_ = max(samples["seen"], key=lambda one: one[3])
    stack = []
    while call is not None:
        caller, function, line, _, text = samples["calls"][call]
        stack.append((samples["functions"][function][0], line - samples["functions"][function][2], text))
        call = caller
    assert [one[:2] for one in stack] == [("inner", 1), ("outer", 1)]
    assert stack[1][2] == "inner()"


def test_lines_of_the_analysis_alone_have_their_text(tmp_path: Path) -> None:
    analysis = tmp_path / "wz.py"
    analysis.write_text("def f():\n    x = 1\n" + "    " + "y" * 200 + "\n    login(Password='x')\n")
    assert text_of(str(analysis), 2) is None  # it has changed since the recorder is here
    os.utime(analysis, (0, 0))
    looks._is_as_begun.cache_clear()
    assert [text_of(str(analysis), line) for line in (2, 3, 4, 9)] == ["x = 1", "y" * 120, None, None]
    package = tmp_path / "site-packages" / "wz.py"
    package.parent.mkdir()
    package.write_text("x = 1\n")
    os.utime(package, (0, 0))
    assert [text_of(file, 1) for file in (str(package), os.__file__, "<string>", "nowhere.py")] == [None] * 4


def test_every_module_that_measures_goes_to_workers() -> None:
    folder = Path(looks.__file__).parent
    assert {module.__name__.rpartition(".")[2] for module in carry._MODULES} == {
        "task",
        *(path.stem for path in folder.glob("*.py") if path.stem != "__init__"),
    }


def test_a_call_of_c_has_the_name_that_the_code_gives_it() -> None:
    def text(rows: Any, other: Any) -> None:
        rows[0].sort(key=len)
        rows.db.execute("a", *other, k=3)
        text(rows, other)(3).go(min(1, 2))
        (rows or other)(3)
        sum(rows @ other)

    def named(executes: bool) -> list[str]:
        names = [called_at(text.__code__, at, executes) for at in range(0, len(text.__code__.co_code), 2)]
        return [name for name in names if name]

    assert named(executes=True) == ["operator []", "sort", "rows.db.execute", "text", "min", "go", "operator @", "sum"]
    # Who waited until one ended may have waited for the operator before it, after which no other thread can run.
    assert named(executes=False) == ["text", "min", "go"]


def test_what_one_cannot_have_is_the_others() -> None:
    assert looks.shared_out(1.8, [1.0, 0.4, 0.0], [1.0, 1.0, 1.0]) == pytest.approx([1.0, 0.8, 0.0])
    assert looks.shared_out(0.7, [1.0, 0.4, 0.0], [1.0, 1.0, 1.0]) == pytest.approx([0.5, 0.2, 0.0])
    assert looks.shared_out(9.0, [1.0, 0.4], [1.0, 1.0]) == [1.0, 1.0]


def seconds_told(run: Callable[[None], None]) -> dict[str | None, float]:
    """What looks at a task name: how long it was seen in each call, in none, and, as ``all``, how long it took."""
    _, row = measured(run, None)
    seconds: dict[str | None, float] = {"all": row["wall"]}
    # a look that waits for Python's lock all the time sees nothing
    samples = row.get("samples", {"calls": [], "seen": []})
    for _, call, _, wall, _ in samples["seen"]:
        name = None if call is None else samples["calls"][call][3]
        seconds[name] = seconds.get(name, 0.0) + wall
    return seconds


#: On a busy machine looks come late, or after the task, for want of a CPU: of so many tries one is enough.
TRIES = 5


@pytest.mark.parametrize(("work", "native"), [("time.sleep(0.3)", "time.sleep"), ("sum(range(20_000_000))", "sum")])
def test_the_call_that_executed_is_told_whether_or_not_it_keeps_the_lock(work: str, native: str) -> None:
    within: dict[str, Any] = {"time": time}
    exec(compile(f"def run(_):\n    {work}", "/analysis/work.py", "exec"), within)
    tries = [seconds_told(within["run"]) for _ in range(TRIES)]
    assert set().union(*tries) <= {native, None, "all"}
    assert any(seconds.get(native, 0.0) > 0.4 * seconds["all"] for seconds in tries)


@pytest.fixture
def full_machine() -> Iterator[None]:
    """All other cores compute, as those of a machine full of workers do: a look takes the core of the task it looks at."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range((os.cpu_count() or 1) - 1)]
    yield
    for other in others:
        other.kill()
        other.wait()


@pytest.mark.parametrize(("bytes_of_each", "least", "most"), [(40_000_000, 0.5, 1.2), (3_000, 0.0, 0.2)])
@pytest.mark.usefixtures("full_machine")
def test_a_call_is_told_by_how_long_it_executes(bytes_of_each: int, least: float, most: float) -> None:
    """While few bytes are digested, too, Python's lock is free: looks get it then, whatever the thread did before."""
    within: dict[str, Any] = {"data": b"x" * bytes_of_each, "sha256": hashlib.sha256, "clock": time.perf_counter}
    text = "def run(_):\n    end = clock() + 1\n    while clock() < end:\n        sum(range(20_000))\n        sha256(data)"
    exec(compile(text, "/analysis/work.py", "exec"), within)
    tries = [seconds_told(within["run"]) for _ in range(TRIES)]
    digesting, in_all = (sum(seconds.get(name, 0.0) for seconds in tries) for name in ("sha256", "all"))
    assert least * in_all <= digesting <= most * in_all


def test_no_call_is_told_of_python_that_calls_nothing_for_long() -> None:
    def run(_: Any) -> None:
        number, until = 0, time.perf_counter() + 0.4
        while time.perf_counter() < until:
            for digit in range(100):
                number += digit * digit % 7

    seconds = seconds_told(run)
    assert sum(seconds[name] for name in seconds if name not in (None, "all")) < 0.3 * seconds["all"]


def test_a_task_of_any_depth_and_variety_has_bounded_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "MOST_CALLS", 20)
    samples = looks.Samples()

    def deep(left: int) -> None:
        if left > 0:
            deep(left - 1)
        else:
            samples.add(looks.stack_of(sys._getframe(), None), -1, 0.25)

    deep(400)
    deep(399)
    told = samples.told()
    assert told is not None
    assert len(told["calls"]) <= 20
    assert sum(one[2] for one in told["seen"]) == 2
    assert sum(one[3] for one in told["seen"]) == pytest.approx(0.5)


def test_the_thread_ends_and_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "PATIENCE", 0.05)
    before = list(gc.callbacks)
    measured(time.sleep, 0.05)
    until = time.monotonic() + 10
    while any(one.name == "crema-looks" for one in threading.enumerate()) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(one.name == "crema-looks" for one in threading.enumerate())
    assert [one for one in gc.callbacks if one not in before] == []


def number_of_this_process() -> tuple[int, int]:
    """By the system's file of it, and by itself."""
    return int(usage.read_again("/proc/self/stat").split()[0]), os.getpid()


def test_a_fork_reads_of_itself_what_its_parent_has_read() -> None:
    if sys.platform == "linux":
        here = number_of_this_process()
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
            there = pool.submit(number_of_this_process).result()
        assert here[0] == here[1] != there[1] == there[0]


def test_a_file_that_somebody_closed_is_opened_again() -> None:
    if sys.platform == "linux":
        assert usage.rss_now() is not None
        os.close(usage._open["/proc/self/statm"])
        assert usage.rss_now() is None
        assert usage.rss_now() is not None


def test_a_machine_tells_what_it_did() -> None:
    _, row = measured(hash_for, 2.3)
    ticks = [dict(zip(machine.MACHINE, tick, strict=True)) for tick in row["machine"]]
    assert len(ticks) >= 2
    last = ticks[-1]
    assert last["wall"] == pytest.approx(1, abs=0.5)
    assert last["rss"] > 1e6
    assert last["threads"] >= 2
    if sys.platform == "linux":
        assert 0 < last["own"] <= last["busy"] + 0.05 <= last["cpus"] * last["wall"] * 1.1 + 0.1
        assert last["available"] <= last["memory"]
    assert last["recorder"] < 0.1 * last["wall"]


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="no clock of another thread")
def test_the_main_thread_has_its_own_part_of_the_cpu() -> None:
    def burn() -> None:
        until = time.thread_time() + 0.3
        while time.thread_time() < until:
            pass

    here = machine.Machine()
    beside = threading.Thread(target=burn)
    beside.start()
    beside.join()
    waited = dict(zip(machine.MACHINE, here.tick(), strict=True))
    burn()
    computed = dict(zip(machine.MACHINE, here.tick(), strict=True))
    assert waited["main"] < 0.1 < 0.3 <= waited["own"]
    assert 0.3 <= computed["main"] <= computed["own"] + 0.01


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="no clock of another thread")
def test_a_thread_beside_the_tasks_is_told_by_what_it_was_started_for() -> None:
    go, done = threading.Event(), threading.Event()

    def counts_objects() -> None:
        hash_for_cpu(0.3)
        done.set()
        go.wait()

    def hash_for_cpu(seconds: float) -> None:
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass

    def of_tick(name: str, *, with_tasks: bool = False) -> dict[str, Any]:
        done.clear(), go.clear()
        thread = threading.Thread(target=counts_objects, name=name)
        thread.start()
        done.wait()
        tick = dict(zip(machine.MACHINE, here.tick({thread.ident} if with_tasks else ()), strict=True))
        go.set()
        thread.join()
        return tick

    here = machine.Machine()
    beside = of_tick("watch")
    assert 0.3 <= beside["beside"] <= 0.4
    line = counts_objects.__code__.co_firstlineno
    assert beside["beside_in"] == f"{__file__}:{line} counts_objects"  # not what that calls
    assert of_tick("Dask-Default-Threads-1")["beside"] is None
    assert of_tick("runs tasks", with_tasks=True)["beside"] is None


def test_a_tick_keeps_nothing_of_what_other_threads_hold() -> None:
    class Held:
        pass

    begun, go, kept = threading.Event(), threading.Event(), []

    def holds() -> None:
        held = Held()
        kept.append(weakref.ref(held))
        begun.set()
        go.wait()

    thread = threading.Thread(target=holds)
    gc.disable()  # a ring would keep it until then
    try:
        thread.start()
        begun.wait()
        machine.Machine().tick(())
        go.set()
        thread.join()
        assert kept[0]() is None
    finally:
        gc.enable()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_what_a_process_starts_is_its_own_work_while_it_runs_and_when_it_ended() -> None:
    burn = "import sys, time\nwhile time.process_time() < 0.6: pass\nprint(flush=True)\nsys.stdin.read()"
    here = machine.Machine()
    with subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()  # it has used 0.6 s
        running = dict(zip(machine.MACHINE, here.tick(), strict=True))
    ended = dict(zip(machine.MACHINE, here.tick(), strict=True))
    assert 0.55 <= running["children"] + ended["children"] <= 1.5
    assert ended["children"] < 0.3  # nothing counts again when it has ended
    if any(Path("/proc/self/task").glob("*/children")):
        assert running["children"] >= 0.55


def test_a_process_that_traces_this_one_is_named(tmp_path: Path) -> None:
    status, name = tmp_path / "status", Path("/proc/self/comm").read_text().strip()
    for tracer, named in [(0, None), (os.getpid(), f"ptrace: {name}"), (99999999, "ptrace: process 99999999")]:
        status.write_text(f"Name:\tpython\nTracerPid:\t{tracer}\nUid:\t0\n")
        assert machine.tracer(str(status)) == named
    assert machine.tracer(str(tmp_path / "none")) is None


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no sys.monitoring")
def test_a_profiler_that_is_on_while_a_task_runs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "MEMORY_EVERY", 1)
    _, row = measured(lambda: cProfile.Profile().runcall(hash_for, 0.5))
    assert row["hook"] == "sys.monitoring: cProfile"
    _, row = measured(hash_for, 0.5)
    assert row["hook"] is None


def test_a_function_that_traces_lines_while_a_task_runs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "MEMORY_EVERY", 1)

    def at_each_line(*_: object) -> Any:
        return at_each_line

    def traced() -> None:
        sys.settrace(at_each_line)
        try:
            hash_for(0.5)
        finally:
            sys.settrace(None)

    _, row = measured(traced)
    assert row["hook"] == "sys.settrace: at_each_line"


def test_collections_of_a_task_are_counted() -> None:
    measured(time.sleep, 0.05)  # until the thread listens

    def collect(_: Any) -> None:
        time.sleep(0.02)
        gc.collect()
        gc.collect()

    _, row = measured(collect, None)
    assert row["collections"] >= 2
    assert 0 < row["collecting"] <= row["wall"]
    assert 0 < row["collecting_called"] <= row["collecting"]
    first = collect.__code__.co_firstlineno
    assert row["collector"] in {f"{__file__}:{first + line} collect" for line in (2, 3)}


def test_collections_that_python_begins_are_called_by_nobody() -> None:
    measured(time.sleep, 0.05)  # until the thread listens

    def make(_: Any) -> None:
        time.sleep(0.02)
        kept = [[[]] for _ in range(200_000)]
        assert kept

    _, row = measured(make, None)
    assert row["collections"] > 0
    assert row["collecting_called"] == 0
    assert row["collector"] is None


def test_parts_keep_sections_and_samples_in_any_cut() -> None:
    rows = [measured(analyse, 1)[1] | {"kind": "call", "host": "h", "pid": 1, "worker": "w"} for _ in range(3)]
    whole, joined = Part(1_790_000_000), Part(1_790_000_000)
    for row in rows:
        whole.add(row)
        part = Part(1_790_000_007)
        part.add(row)
        joined.extend(Part.read(json.loads(json.dumps(part.content()))))
    assert joined.content() == whole.content()
    tables = whole.content()
    assert sum(tables["samples"]["looks"]) == sum(one[2] for row in rows for one in row["samples"]["seen"])
    texts, sections = tables["strings"], tables["sections"]
    assert [texts[name] for name in sections["name"]] == ["outer", "inner", "last"] * 3
    assert sections["parent"] == [None, 0, None, None, 3, None, None, 6, None]


def test_too_many_samples_of_a_part_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [measured(analyse, 1)[1] | {"kind": "call", "host": "h", "pid": 1, "worker": "w"} for _ in range(4)]
    monkeypatch.setattr(parts, "MOST_SAMPLES", 12)
    part = Part(1_790_000_000)
    for row in rows:
        part.add(row)
    samples = part.content()["samples"]
    assert sum(samples["looks"]) == sum(one[2] for row in rows for one in row["samples"]["seen"])
    assert len(samples["task"]) <= 24
    assert min(samples["task"]) == 0


def test_samples_of_tasks_whose_process_was_measured_are_not_added_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    row = measured(analyse, 1)[1] | {"kind": "call", "host": "h", "pid": 1, "worker": "w"}
    looks = sum(one[2] for one in row["samples"]["seen"])
    monkeypatch.setattr(parts, "MOST_SAMPLES", 1)
    part = Part(1_790_000_000)
    for process_wall in (None, 1.0, None, 1.0):
        part.add(row | {"process_wall": process_wall})
    samples = part.content()["samples"]
    measured_or_not = Counter[int]()
    for task, count in zip(samples["task"], samples["looks"], strict=True):
        measured_or_not[task % 2] += count
    assert measured_or_not == {0: 2 * looks, 1: 2 * looks}
    assert 2 not in samples["task"]  # it was added to the first


def test_a_section_travels_to_a_process_without_crema(tmp_path: Path) -> None:
    pytest.importorskip("cloudpickle")
    (tmp_path / "section").write_bytes(pickle.dumps(section))
    code = """
import pickle, sys
section = pickle.load(open(sys.argv[1], "rb"))
with section("a"):
    print("cremascope" in sys.modules)
"""
    found = subprocess.run([sys.executable, "-c", code, tmp_path / "section"], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
    assert carry.NAME.startswith("crema_task_")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_a_task_with_a_process_of_its_own_began_with_it() -> None:
    # 0.3 s pass, and 0.1 s of CPU, before the task is called, as where TaskVine starts Python for each.
    program = f"""
import sys, time
sys.path.insert(0, {str(Path(usage.__file__).parents[2])!r})
from cremascope.task.running import Task
time.sleep(0.2)
until = time.thread_time() + 0.1
while time.thread_time() < until:
    pass
Task(time.sleep, {{}}, "print")(0.1)
"""
    before = time.time()
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    took = time.time() - before
    (row,) = printed(run.stdout)
    begin, wall, cpu = row["parts"]["start"]
    assert begin == row["begin"] == pytest.approx(before, abs=0.1)
    assert 0.3 <= wall <= row["wall"] - 0.1
    assert row["wall"] <= took
    assert 0.1 <= cpu <= row["cpu"]
    assert row["rss_peak"] > 0
    assert row["rss_before"] is None
