"""What recording costs: recorded and unrecorded runs of one load in turns, differences of pairs with their 95 % interval.

    PYTHONPATH=python build/python/bin/python python/bench/cost.py --pairs 20

The load is the same number of hashes in each of 12 chunks, under each executor of coffea, and in 12 tasks of Dask alone.
CPU time is that of the client and of all processes that it started. What the run takes, and what it takes once to begin and to
save the recording, are apart: the first grows with the run, the second does not.
Of the pairs' differences the table has the median of their pairwise means (Hodges and Lehmann), with the interval by
Wilcoxon's signed ranks: a moment in which the machine did something else spoils one pair. On a busy machine intervals are
wide: they say so themselves. With as many ``--workers`` as there are processors, client and recorder take their time from the
tasks'; a client on a machine of its own is as with one worker less. TaskVine needs ndcctools and ``vine_worker`` in the path.

With ``--followed`` all runs are recorded, and what differs is that a page in a Chromium follows each second one: as in a
notebook, through a server of its own. Server and browser are other processes, of the lowest priority, and do not count. The
last columns are the CPU time of the recorder's own threads, and how many parts the page fetched of a run.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import math
import multiprocessing
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psutil
import uproot
from coffea import processor
from coffea.nanoevents import BaseSchema

import cremascope as crema

FILES, EVENTS, CHUNK = 2, 6_000, 1_000

#: Runs the load once.
Run = Callable[[], object]


def make_fileset(folder: Path) -> dict[str, Any]:
    random, files = np.random.default_rng(1), {}
    for number in range(FILES):
        path = folder / f"events_{number}.root"
        with uproot.recreate(path) as file:
            file.mktree("Events", {"pt": "float64"})
            file["Events"].extend({"pt": random.exponential(30, EVENTS)})
        files[str(path)] = "Events"
    return {"data": {"files": files}}


def make_work(hashes: int) -> Callable[[], None]:
    """Defined here inside, as the processor, so that it travels by value."""

    def work() -> None:
        import hashlib

        block = bytes(1 << 16)
        for _ in range(hashes):
            hashlib.sha256(block)

    return work


def make_processor(work: Callable[[], None]) -> Any:
    class Load(processor.ProcessorABC):  # type: ignore[misc]
        def process(self, events: Any) -> dict[str, int]:
            work()
            return {"events": len(np.asarray(events.pt))}

        def postprocess(self, accumulator: Any) -> Any:
            return accumulator

    return Load()


def run_of(executor: Any, folder: Path, work: Callable[[], None]) -> Run:
    """The analysis under an executor of coffea."""
    fileset, load = make_fileset(folder), make_processor(work)

    def run() -> object:
        runner = processor.Runner(executor=executor, schema=BaseSchema, chunksize=CHUNK, metadata_cache={})
        return runner(fileset, processor_instance=load, treename="Events")

    return run


@contextmanager
def iterative(folder: Path, work: Callable[[], None], _: int) -> Iterator[Run]:
    yield run_of(processor.IterativeExecutor(status=False), folder, work)


@contextmanager
def futures(folder: Path, work: Callable[[], None], workers: int) -> Iterator[Run]:
    yield run_of(processor.FuturesExecutor(workers=workers, status=False), folder, work)


@contextmanager
def cluster(workers: int) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as made, Client(made) as client:
        yield client


@contextmanager
def dask(folder: Path, work: Callable[[], None], workers: int) -> Iterator[Run]:
    with cluster(workers) as client:
        yield run_of(processor.DaskExecutor(client=client, status=False), folder, work)


@contextmanager
def plain(_: Path, work: Callable[[], None], workers: int) -> Iterator[Run]:
    """Dask without coffea."""
    with cluster(workers) as client:
        yield lambda: client.gather([client.submit(work, pure=False) for _ in range(FILES * EVENTS // CHUNK)])


@contextmanager
def parsl(folder: Path, work: Callable[[], None], workers: int) -> Iterator[Run]:
    import parsl as library
    from parsl.executors import HighThroughputExecutor
    from parsl.providers import LocalProvider

    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    provider = LocalProvider(init_blocks=1, max_blocks=1)
    pool = HighThroughputExecutor(label="load", max_workers_per_node=workers, provider=provider, address="127.0.0.1")
    library.load(library.Config(executors=[pool], run_dir=str(folder / "runinfo")))
    try:
        yield run_of(processor.ParslExecutor(status=False), folder, work)
    finally:
        library.dfk().cleanup()
        library.clear()


@contextmanager
def taskvine(folder: Path, work: Callable[[], None], workers: int) -> Iterator[Run]:
    """Each run is to be in a process of its own (``apart``): coffea makes a manager a run, which does not end before."""
    for name in ("here", "staging"):
        (folder / name).mkdir()
    executor = processor.TaskVineExecutor(status=False, filepath=str(folder / "staging"))
    analysis = run_of(executor, folder, work)
    before, interrupted = Path.cwd(), signal.getsignal(signal.SIGINT)  # which coffea replaces
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # its tasks run `python`

    def run() -> object:
        with socket.socket() as free:
            free.bind(("", 0))
            executor.port = free.getsockname()[1]
        command = ["vine_worker", "127.0.0.1", str(executor.port), "--cores", str(workers), "-s", tempfile.mkdtemp(dir=folder)]
        worker = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PATH": path},
            start_new_session=True,
        )
        try:
            return analysis()
        finally:
            os.killpg(worker.pid, signal.SIGKILL)  # with the process that it starts itself
            worker.wait()

    os.chdir(folder / "here")  # where TaskVine writes
    try:
        yield run
    finally:
        os.chdir(before)
        signal.signal(signal.SIGINT, interrupted)


EXECUTORS: dict[str, Callable[[Path, Callable[[], None], int], Any]] = {
    "taskvine": taskvine,  # first, as long as there are no threads that a fork would lose
    "iterative": iterative,
    "futures": futures,
    "dask": dask,
    "parsl": parsl,
    "plain dask": plain,
}


MARK = f"CREMA_COST_{os.getpid()}"  # in the environment of all that this process starts, whose parent may be gone


#: The server and the browser of a page that follows.
followers: list[psutil.Process] = []


def cpu_seconds() -> float:
    """Of this process, of those that it started, and of those of them that have ended; without followers."""
    total, own = 0.0, psutil.Process()
    others = {process for one in followers for process in (one, *one.children(recursive=True))}
    below = {own, *own.children(recursive=True)} - others
    for process in psutil.process_iter():
        try:
            # One with a title of its own has written it over its environment.
            if process not in below and MARK not in process.environ():
                continue
            used = process.cpu_times()
        except psutil.Error:  # it has ended, or is another's
            continue
        total += used.user + used.system + used.children_user + used.children_system
    return total


@contextmanager
def follower(recording: Any, root: Path) -> Iterator[Path]:
    """A page that follows it, in what ``crema.show`` puts into a cell. The log of its server."""
    before = Path.cwd()
    os.chdir(root)
    try:
        (root / "notebook.html").write_text(crema.show(recording)._repr_html_())
    finally:
        os.chdir(before)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address, log = f"http://127.0.0.1:{port}/notebook.html", root / "served.log"
    serve = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(root)]
    browse = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
    environment = {name: value for name, value in os.environ.items() if name != MARK}
    started = []
    with log.open("w") as written, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        try:
            for command in (serve, [*browse, f"--user-data-dir={profile}", address]):
                started.append(
                    subprocess.Popen(
                        ["nice", "-n", "19", *command],
                        stdout=subprocess.DEVNULL,
                        stderr=written if command is serve else subprocess.DEVNULL,
                        env=environment,
                        start_new_session=True,
                    )
                )
                followers.append(psutil.Process(started[-1].pid))
            while "tasks.json" not in log.read_text():  # it waits for the recording to begin
                time.sleep(0.1)
            yield log
            time.sleep(5)  # until it has seen the end
        finally:
            followers.clear()
            for process in started:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def recorder_seconds(out: Path) -> float:
    """CPU seconds of the threads that recorded."""
    total = 0.0
    for part in json.loads((out / "tasks.json").read_text())["parts"]:
        machine = json.loads(gzip.decompress((out / part["name"]).read_bytes())).get("machine", {})
        total += sum(value or 0 for value in machine.get("recorder", [])) / 1e6
    return total


class Taken(NamedTuple):
    """Elapsed seconds and CPU seconds of a run, and CPU seconds to begin and to save its recording."""

    elapsed: float
    cpu: float
    once: float
    recorder: float = 0
    fetched: int = 0


def run_followed(run: Run, out: Path, *, is_followed: bool) -> Taken:
    """A recorded run, in a folder of its own, as pages know parts by their names."""
    place = Path(tempfile.mkdtemp(dir=out.parent)) / "run"
    recording = crema.record(place)
    with follower(recording, place.parent) if is_followed else nullcontext() as log:
        taken = run_once(run, recording)
    fetched = {line.split()[6] for line in log.read_text().splitlines() if "/tasks-" in line} if log else ()
    return taken._replace(recorder=recorder_seconds(place), fetched=len(fetched))


def run_once(run: Run, out: Any) -> Taken:
    """``out``: where it is recorded, or a recording that has not begun; None: it is not."""
    cpu = [cpu_seconds()]
    with nullcontext() if out is None else crema.record(out) if isinstance(out, Path) else out:
        cpu.append(cpu_seconds())
        begin = time.perf_counter()
        with redirect_stdout(io.StringIO()):  # bars of progress
            run()
        elapsed = time.perf_counter() - begin
        cpu.append(cpu_seconds())
    cpu.append(cpu_seconds())
    return Taken(elapsed, cpu[2] - cpu[1], cpu[1] - cpu[0] + cpu[3] - cpu[2])


def apart(run: Run, out: Path | None) -> Taken:
    """``run_once`` in a process that ends with it."""
    processes = multiprocessing.get_context("fork")
    told, tell = processes.Pipe(duplex=False)
    process = processes.Process(target=lambda: tell.send(run_once(run, out)))
    process.start()
    tell.close()
    found: Taken = told.recv()
    process.join()
    return found


def interval(values: list[float]) -> tuple[float, float, float]:
    """The median of all pairwise means, and its 95 % interval."""
    count = len(values)
    means = sorted((one + other) / 2 for place, one in enumerate(values) for other in values[place:])
    spread = 1.96 * math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
    left = round(len(means) / 2 - spread)  # means that are out of the interval on each side
    if left < 1:
        return statistics.median(means), -math.inf, math.inf
    return statistics.median(means), means[left - 1], means[-left]


def main() -> None:
    parser = argparse.ArgumentParser(description="What recording costs.")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--hashes", type=int, default=6_000, help="of 64 KB, in each chunk (6,000: some 0.3 s)")
    parser.add_argument("--workers", type=int, default=2, help="tasks at once, but with IterativeExecutor")
    parser.add_argument("--executor", choices=EXECUTORS, action="append", help="default: all")
    parser.add_argument("--followed", action="store_true", help="what a page that follows a recording costs it")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    os.environ[MARK] = "1"
    work = make_work(chosen.hashes)
    print(f"{'executor':10} {'pairs':>5} {'elapsed':>26} {'CPU':>26}   CPU once   without: elapsed, CPU")
    for name in chosen.executor or EXECUTORS:
        if name == "taskvine" and not (find_spec("ndcctools") and shutil.which("vine_worker")):
            print(f"{name:10} needs ndcctools and vine_worker, which are not here")
            continue
        with tempfile.TemporaryDirectory() as scratch, EXECUTORS[name](Path(scratch), work, chosen.workers) as run:
            out = Path(scratch) / "run"
            if chosen.followed:

                def one(is_followed: bool, run: Run = run, out: Path = out) -> Taken:
                    return run_followed(run, out, is_followed=is_followed)
            else:
                once = apart if name == "taskvine" else run_once

                def one(recorded: bool, run: Run = run, out: Path = out, once: Any = once) -> Taken:
                    return once(run, out if recorded else None)

            print(measured(name, one, chosen.pairs), flush=True)


def measured(name: str, run: Callable[[bool], Taken], pairs: int) -> str:
    """A line of the table, of runs with what costs and without."""
    for first in (False, True):  # workers import what they need
        run(first)
    found: dict[bool, list[Taken]] = {True: [], False: []}
    for pair in range(pairs):
        for with_it in (pair % 2 == 0, pair % 2 == 1):
            found[with_it].append(run(with_it))
    shares = [
        interval([with_it[number] / without[number] - 1 for with_it, without in zip(found[True], found[False], strict=True)])
        for number in range(2)
    ]
    elapsed, cpu = (f"{value:8.2%} ({low:.2%} to {high:.2%})" for value, low, high in shares)
    median = [statistics.median(column) for column in zip(*found[False], strict=True)]
    apart_from_run = statistics.median(one.once for one in found[True])
    followed = ""
    if any(one.fetched for one in found[True]):
        own = [statistics.median(one.recorder for one in found[with_it]) for with_it in (False, True)]
        followed = f"   {own[0]:.2f} s, followed {own[1]:.2f} s   {statistics.median(one.fetched for one in found[True]):.0f}"
    costs = f"{name:10} {pairs:5} {elapsed:>26} {cpu:>26} {apart_from_run:8.2f} s"
    return f"{costs}   {median[0]:.2f} s, {median[1]:.2f} s{followed}"


if __name__ == "__main__":
    main()
