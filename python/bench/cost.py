"""What recording costs: recorded and unrecorded runs of one load in turns, differences of pairs with their 95 % interval.

    PYTHONPATH=python build/python/bin/python python/bench/cost.py --pairs 20

The load is the same number of hashes in each of 24 chunks. Elapsed time is the run's; CPU time is that of the client and of all
processes that it started, until the recording is saved. On a busy machine intervals are wide: they say so themselves.
"""

from __future__ import annotations

import argparse
import io
import math
import os
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import uproot
from coffea import processor
from coffea.nanoevents import BaseSchema
from scipy.stats import t as student

import cremascope as crema

FILES, EVENTS, CHUNK = 4, 6_000, 1_000


def make_fileset(folder: Path) -> dict[str, Any]:
    random, files = np.random.default_rng(1), {}
    for number in range(FILES):
        path = folder / f"events_{number}.root"
        with uproot.recreate(path) as file:
            file.mktree("Events", {"pt": "float64"})
            file["Events"].extend({"pt": random.exponential(30, EVENTS)})
        files[str(path)] = "Events"
    return {"data": {"files": files}}


def make_processor(hashes: int) -> Any:
    """Defined here inside, so that it travels by value."""

    class Load(processor.ProcessorABC):  # type: ignore[misc]
        def process(self, events: Any) -> dict[str, int]:
            import hashlib

            block = bytes(1 << 16)
            for _ in range(hashes):
                hashlib.sha256(block)
            return {"events": len(np.asarray(events.pt))}

        def postprocess(self, accumulator: Any) -> Any:
            return accumulator

    return Load()


@contextmanager
def iterative(_: Path) -> Iterator[Any]:
    yield processor.IterativeExecutor(status=False)


@contextmanager
def futures(_: Path) -> Iterator[Any]:
    yield processor.FuturesExecutor(workers=2, status=False)


@contextmanager
def dask(_: Path) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        yield processor.DaskExecutor(client=client, status=False)


@contextmanager
def parsl(folder: Path) -> Iterator[Any]:
    import parsl as library
    from parsl.executors import HighThroughputExecutor
    from parsl.providers import LocalProvider

    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    provider = LocalProvider(init_blocks=1, max_blocks=1)
    pool = HighThroughputExecutor(label="load", max_workers_per_node=2, provider=provider, address="127.0.0.1")
    library.load(library.Config(executors=[pool], run_dir=str(folder / "runinfo")))
    try:
        yield processor.ParslExecutor(status=False)
    finally:
        library.dfk().cleanup()
        library.clear()


EXECUTORS: dict[str, Callable[[Path], Any]] = {"iterative": iterative, "futures": futures, "dask": dask, "parsl": parsl}


def cpu_seconds() -> float:
    """Of this process, of those that it started, and of those of them that have ended."""
    total, own = 0.0, psutil.Process()
    for process in (own, *own.children(recursive=True)):
        try:
            used = process.cpu_times()
        except psutil.Error:  # it has ended
            continue
        total += used.user + used.system + used.children_user + used.children_system
    return total


def run_once(executor: Any, fileset: Any, load: Any, out: Path | None) -> tuple[float, float]:
    """Elapsed seconds of the run, CPU seconds of all."""
    runner = processor.Runner(executor=executor, schema=BaseSchema, chunksize=CHUNK, metadata_cache={})
    cpu = cpu_seconds()
    with crema.record(out) if out is not None else nullcontext():
        begin = time.perf_counter()
        with redirect_stdout(io.StringIO()):  # bars of progress
            runner(fileset, processor_instance=load, treename="Events")
        elapsed = time.perf_counter() - begin
    return elapsed, cpu_seconds() - cpu


def interval(values: list[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval."""
    if len(values) < 2:
        return values[0], math.inf
    error = statistics.stdev(values) / math.sqrt(len(values))
    return statistics.mean(values), float(student.ppf(0.975, len(values) - 1)) * error


def main() -> None:
    parser = argparse.ArgumentParser(description="What recording costs.")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--hashes", type=int, default=6_000, help="of 64 KB, in each chunk (6,000: some 0.3 s)")
    parser.add_argument("--executor", choices=EXECUTORS, action="append", help="default: all")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    load = make_processor(chosen.hashes)
    print(f"{'executor':10} {'pairs':>5} {'elapsed':>9} {'± 95 %':>8} {'CPU':>9} {'± 95 %':>8}   unrecorded: elapsed, CPU")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        fileset = make_fileset(folder)
        for name in chosen.executor or EXECUTORS:
            differences: list[list[float]] = [[], []]
            plain: list[tuple[float, float]] = []
            with EXECUTORS[name](folder) as executor:
                run_once(executor, fileset, load, None)  # workers import what they need
                run_once(executor, fileset, load, folder / "run")
                for pair in range(chosen.pairs):
                    both: dict[bool, tuple[float, float]] = {}
                    for recorded in (pair % 2 == 0, pair % 2 == 1):
                        both[recorded] = run_once(executor, fileset, load, folder / "run" if recorded else None)
                    plain.append(both[False])
                    for number in range(2):
                        differences[number].append(both[True][number] / both[False][number] - 1)
            (elapsed, elapsed_error), (cpu, cpu_error) = map(interval, differences)
            mean = [statistics.mean(one[number] for one in plain) for number in range(2)]
            print(
                f"{name:10} {chosen.pairs:5} {elapsed:9.2%} {elapsed_error:8.2%} {cpu:9.2%} {cpu_error:8.2%}"
                f"   {mean[0]:.2f} s, {mean[1]:.2f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
