"""The faults: of each what is done to a healthy run, the truth, what must be said, what must not, and what it costs.

A fault is a function that changes a plan by a magnitude and returns where that is and the cost by construction [core-s]
(None: only to be measured). Its table says the rest.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import site
from .cost import compute
from .plan import Plan

Where = dict[str, str]
Apply = Callable[[Plan, Any], tuple[Where, float | None]]


@dataclass(frozen=True)
class Fault:
    name: str
    done: str
    """what is done, with the magnitude's value"""
    values: tuple[Any, ...]
    """three magnitudes, weakest first"""
    say: str
    """what the first finding must say"""
    never: tuple[str, ...]
    """what no finding may claim"""
    apply: Apply


FAULTS: dict[str, Fault] = {}

PLACES = ("a slow worker", "a slow file", "a slow dataset", "a slow host")
STORAGE = ("storage is slow", "waiting for input")
OTHERS = ("foreign load", "too many threads for the cores")


def fault(done: str, values: tuple[Any, ...], say: str, never: tuple[str, ...]) -> Callable[[Apply], Apply]:
    """A fault by the name of the function that does it."""

    def declare(apply: Apply) -> Apply:
        name = apply.__name__.replace("_", "-")
        FAULTS[name] = Fault(name, done, values, say, never, apply)
        return apply

    return declare


def habit(plan: Plan, name: str, amount: Any, function: str) -> Where:
    """A habit of the analysis (habits.py), and where it is seen."""
    plan.setup.setdefault("habits", {})[name] = amount
    return {"function": function, "section": "checks"}


# --- habits of analyses


@fault("each chunk keeps {} MB in the worker", (4, 8, 16), "memory grows with every chunk", (*PLACES, *STORAGE))
def leak(plan: Plan, amount: float) -> tuple[Where, float | None]:
    return habit(plan, "remember_mb", amount, "remember"), None


@fault("{} pairs of objects that refer to each other", (30_000, 60_000, 120_000), "collecting takes time", PLACES)
def garbage(plan: Plan, count: int) -> tuple[Where, float | None]:
    return habit(plan, "link", count, "link_records"), None


@fault("{} events of a chunk one by one", (20, 40, 80), "a function goes event by event", (*PLACES, *STORAGE))
def event_loop(plan: Plan, count: int) -> tuple[Where, float | None]:
    return habit(plan, "one_by_one", count, "closest_pairs"), None


@fault("tables take {} s in each chunk", (0.1, 0.2, 0.4), "a fixed cost per chunk", (*PLACES, *STORAGE))
def setup_per_chunk(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    return habit(plan, "tables_s", seconds, "read_tables"), seconds * plan.chunks()


@fault("the first chunk of a worker computes {} s more", (1.0, 2.0, 4.0), "first chunks of workers", (*PLACES, *STORAGE))
def warm_up(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    return plan.spend("first", cpu=seconds, first=1), seconds * plan.workers


@fault("arrays of {} MB for a moment", (50, 100, 200), "large temporary arrays", (*PLACES, *STORAGE, "leak"))
def big_temporaries(plan: Plan, amount: float) -> tuple[Where, float | None]:
    return habit(plan, "expand_mb", amount, "expand"), None


@fault("{} lines of log in each chunk", (5_000, 10_000, 20_000), "writing a log", (*PLACES, "reading input"))
def logging(plan: Plan, count: int) -> tuple[Where, float | None]:
    return habit(plan, "lines", count, "note_each"), None


@fault("histograms with {0}² times the bins", (10, 15, 20), "large results", (*PLACES, *STORAGE))
def heavy_merge(plan: Plan, factor: int) -> tuple[Where, float | None]:
    plan.setup["bins"] = factor
    return {"prefix": "reduce, also packing results outside process()"}, None


@fault("jets of 1,500 events into a data frame {} times", (1, 2, 4), "converting to pandas", (*PLACES, *STORAGE))
def to_pandas(plan: Plan, times: int) -> tuple[Where, float | None]:
    return habit(plan, "frames", times, "to_frame"), None


@fault("every column is read, and summed {} times", (1, 3, 9), "columns that nothing else uses", (*PLACES, "slow storage"))
def read_all_branches(plan: Plan, times: int) -> tuple[Where, float | None]:
    return habit(plan, "all_columns", times, "sum_columns"), None


@fault("the heavy function computes {} s more a chunk", (0.1, 0.3, 0.6), "that function", (*PLACES, *STORAGE))
def slow_section(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    return plan.spend("heavy", cpu=seconds), seconds * plan.chunks()


@fault("each event leaves {} numbers", (20, 40, 80), "large results", (*PLACES, *STORAGE))
def heavy_output(plan: Plan, count: int) -> tuple[Where, float | None]:
    plan.setup["keep_rows"] = count
    return {"prefix": "reduce, transfer, also packing results outside process()"}, None


@fault("the processor holds {} MB", (10, 20, 40), "the processor object is large", (*PLACES, *STORAGE))
def large_processor(plan: Plan, amount: int) -> tuple[Where, float | None]:
    plan.setup["tables"] = os.urandom(amount * 1_000_000)
    return {"phase": "before process(), in each chunk"}, None


# --- the same work, in another place


@fault("the heavy function computes {} s more a chunk of one dataset", (0.3, 0.6, 1.2), "that dataset", STORAGE)
def slow_dataset_cpu(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    dataset = plan.dataset()
    return {"dataset": dataset} | plan.spend("heavy", cpu=seconds, dataset=dataset), seconds * plan.chunks(dataset)


@fault("one worker computes {} s more a chunk", (0.3, 0.6, 1.2), "that worker", (*STORAGE, "a slow file", "a slow dataset"))
def slow_worker(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    worker = plan.worker()
    plan.spend("heavy", cpu=seconds, worker=worker)
    return {"worker": worker}, None


@fault("one chunk computes {} s more", (3.0, 5.0, 8.0), "that chunk", (*STORAGE, "a slow worker", "a slow dataset"))
def straggler_chunk(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    file = plan.file()
    place = plan.spend("heavy", cpu=seconds, file=file, entry=plan.chunk + 1)
    return {"file": file, "entry": str(plan.chunk + 1)} | place, seconds


@fault("each chunk of a worker computes {} of a tenth of a second longer", (0.5, 1.0, 2.0), "grows with every chunk", PLACES)
def trend(plan: Plan, factor: float) -> tuple[Where, float | None]:
    return plan.spend("vary", cpu=0.05, grow=factor), None


# --- input


@fault(
    "each request for one file waits {} s", (0.05, 0.1, 0.2), "that file", ("a slow worker", "a slow dataset", "a slow host")
)
def slow_file(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    file = plan.file()
    plan.on_worker.append((site.late_storage, (file, seconds), None))
    return {"file": file}, None


@fault(
    "storage of one worker answers after {} s", (0.03, 0.06, 0.12), "storage of that worker", ("a slow file", "a slow dataset")
)
def slow_disk(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    worker = plan.worker()
    plan.on_worker.append((site.late_storage, (".root", seconds), worker))
    return {"worker": worker}, None


@fault(
    "each request over HTTP waits {} s", (0.02, 0.04, 0.08), "latency of storage", ("a slow worker", "a slow dataset", *OTHERS)
)
def latency(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    plan.server["*"] = {"latency": seconds, "rate": 0.0}
    return {"host": "127.0.0.1"}, None


@fault("all files share {} byte/s", (6e6, 3e6, 1.5e6), "bandwidth of storage", ("a slow worker", "a slow dataset", *OTHERS))
def bandwidth_limited(plan: Plan, rate: float) -> tuple[Where, float | None]:
    plan.server["*"] = {"latency": 0.001, "rate": rate}
    return {"host": "127.0.0.1"}, None


@fault(
    "files of one dataset are packed with LZMA; {} is the codec",
    ("lzma", "lzma", "lzma"),
    "the codec",
    ("a slow worker", *OTHERS),
)
def slow_compression(plan: Plan, codec: str) -> tuple[Where, float | None]:
    dataset = plan.dataset()
    plan.compression = {"*": "lz4", dataset: codec}
    return {"dataset": dataset}, None


@fault("files of {} events", (2_000, 1_000, 500), "many small files", PLACES)
def small_files(plan: Plan, events: int) -> tuple[Where, float | None]:
    plan.datasets = {name: [events] * (sum(sizes) // events // 2) for name, sizes in plan.datasets.items()}
    return {"phase": "pre-processing, and opening outside process()"}, None


@fault("a basket has {} events", (12_000, 20_000, 30_000), "baskets are read again by each chunk", PLACES)
def basket_rereads(plan: Plan, events: int) -> tuple[Where, float | None]:
    plan.basket, plan.chunk = events, 2_000
    return {"files": "all of them"}, None


@fault("each {}th request fails once", (60, 40, 25), "attempts failed with OSError", ("a worker is lost", "a slow dataset"))
def flaky_storage(plan: Plan, every: int) -> tuple[Where, float | None]:
    plan.on_worker.append((site.flaky_storage, (every,), None))
    plan.options |= {"retries": 3}
    return {"error": "OSError"}, None


@fault("one file ends in its middle, and is skipped", (1, 1, 1), "that file was skipped", ("a worker is lost", *STORAGE))
def bad_file(plan: Plan, _: int) -> tuple[Where, float | None]:
    plan.bad_file = plan.file()
    plan.options |= {"skipbadfiles": True, "retries": 0}
    return {"file": plan.bad_file}, None


@fault("requests to the host of one dataset wait {} s", (0.03, 0.06, 0.12), "that host", ("a slow worker", *OTHERS))
def slow_host(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    slow = plan.dataset()
    for dataset in plan.datasets:
        plan.server[dataset] = {"latency": seconds if dataset == slow else 0.0, "rate": 0.0}
    return {"host": "127.0.0.1", "dataset": slow}, None


# --- chunks


@fault("chunks of {} events", (1_000, 500, 300), "chunks are too small", (*PLACES, *STORAGE))
def chunks_too_small(plan: Plan, events: int) -> tuple[Where, float | None]:
    plan.chunk = events
    return {"setting": "chunksize"}, None


@fault("chunks of {} events", (12_000, 20_000, 30_000), "chunks are too large", (*PLACES, *STORAGE))
def chunks_too_large(plan: Plan, events: int) -> tuple[Where, float | None]:
    plan.chunk = events
    return {"setting": "chunksize", "time": "end of the run"}, None


@fault(
    "one file has {} events in one chunk",
    (30_000, 50_000, 70_000),
    "one chunk is longer than the others together",
    ("a slow worker",),
)
def giant_file(plan: Plan, events: int) -> tuple[Where, float | None]:
    plan.datasets = {"muons": [4_000] * 6, "ttbar": [4_000] * 4, "signal": [events]}
    plan.chunk = 80_000
    return {"file": "signal_1.root", "time": "end of the run"}, None


# --- the machine


@fault("{} processes beside the run compute", (1, 2, 4), "other programs use the CPUs", (*PLACES, *STORAGE, "the function"))
def foreign_load(plan: Plan, processes: int) -> tuple[Where, float | None]:
    plan.foreign = processes
    return {"host": "all CPUs"}, None


@fault("two processes compute for {} s in the middle", (2.0, 4.0, 6.0), "that moment", (*PLACES, *STORAGE))
def slow_moment(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    def load(_: Any) -> None:
        with site.foreign_load(2):
            time.sleep(seconds)

    plan.actions.append((3.0, "two processes compute", load))
    return {"time": f"from 3 s for {seconds} s"}, None


@fault("{} workers on two CPUs", (3, 4, 6), "more threads than CPUs", (*STORAGE, "foreign load", "locks"))
def oversubscribed(plan: Plan, workers: int) -> tuple[Where, float | None]:
    plan.workers = workers
    return {"cluster": f"{workers} workers on 2 CPUs"}, None


@fault("singular values of {}² with four threads each", (150, 220, 300), "threads of numeric libraries", (*PLACES, *STORAGE))
def blas_threads(plan: Plan, size: int) -> tuple[Where, float | None]:
    plan.environment = {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4"}
    return habit(plan, "matrix", size, "decompose"), None


@fault(
    "{} rounds of plain Python in four threads of one process",
    (30, 60, 120),
    "Python's lock",
    (*PLACES, *STORAGE, "foreign load"),
)
def gil(plan: Plan, rounds: int) -> tuple[Where, float | None]:
    plan.workers, plan.threads = 1, 4
    return habit(plan, "python_rounds", rounds, "count_slowly"), None


@fault("one worker at a time, for {} s of each chunk", (0.2, 0.4, 0.6), "a lock", (*STORAGE, "foreign load"))
def lock_contention(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    return habit(plan, "in_turn_s", seconds, "in_turn"), None


@fault("workers have {} of a core", (0.7, 0.5, 0.3), "workers get less than a core", (*STORAGE, *PLACES, "locks"))
def cpu_quota(plan: Plan, share: float) -> tuple[Where, float | None]:
    plan.actions.append((0.0, "turns begin", lambda running: _turns(running, share)))
    return {"cluster": "all workers"}, None


def _turns(running: Any, share: float) -> None:
    turns = site.Turns([running.pid(str(worker)) for worker in range(running.plan.workers)], share)
    while running.client.status == "running" and time.time() < running.begin + 60:
        time.sleep(0.1)
        if not running.client.futures and time.time() > running.begin + 3:
            break
    turns.stop()


@fault("the clock of one worker is {} s ahead", (5, 20, 60), "that worker's clock", ("lost work", "a slow worker", *STORAGE))
def worker_clock_skew(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    worker = plan.worker()
    plan.on_worker.append((site.wrong_clock, (seconds, 0.0), worker))
    return {"worker": worker}, None


@fault("the clock of one worker gains {} s a second", (0.05, 0.1, 0.3), "that worker's clock", ("a slow worker", *STORAGE))
def clock_drift(plan: Plan, drift: float) -> tuple[Where, float | None]:
    worker = plan.worker()
    plan.on_worker.append((site.wrong_clock, (0.0, drift), worker))
    return {"worker": worker}, None


@fault("files are not in the page cache", (1, 1, 1), "files were read from disk", ("a slow worker", *OTHERS))
def cold_cache(plan: Plan, _: int) -> tuple[Where, float | None]:
    plan.actions.append((0.0, "files leave the page cache", lambda running: site.drop_caches(running.paths)))
    return {"time": "begin of the run"}, None


# --- the cluster


@fault(
    "the scheduler stands still for {} s, three times", (0.7, 1.0, 1.5), "the scheduler", (*PLACES, *STORAGE, "clocks disagree")
)
def blocked_scheduler(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    for at in (3.0, 5.0, 7.0):
        plan.actions.append(
            (at, "the scheduler stands still", lambda running: running.client.run_on_scheduler(site.block_loop, seconds))
        )
    return {"process": "scheduler"}, 3 * seconds * plan.workers


@fault(
    "the client computes {} s with the result",
    (2.0, 4.0, 8.0),
    "the client computes when all tasks are done",
    (*PLACES, *STORAGE),
)
def slow_client(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    plan.after = lambda _: compute(seconds)
    return {"process": "client", "time": "end of the run", "function": "compute"}, seconds * plan.workers


@fault("workers have {} MB, and chunks leave megabytes", (460, 410, 380), "memory near its limit", (*PLACES, *STORAGE))
def memory_pressure(plan: Plan, megabytes: int) -> tuple[Where, float | None]:
    plan.memory = f"{megabytes}MB"
    plan.setup["keep_rows"] = 30
    return {"cluster": "memory limit"}, None


@fault("the second worker comes after {} s", (2.0, 4.0, 6.0), "a worker came late", (*STORAGE, "lost work"))
def late_workers(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    plan.workers = 1
    plan.actions.append((seconds, "a second worker is asked for", lambda running: running.cluster.scale(2)))
    return {"time": "begin of the run"}, None


@fault(
    "a worker is killed after {} s; its nanny starts another",
    (3.0, 5.0, 7.0),
    "a worker was lost",
    (*STORAGE, "clocks disagree"),
)
def lost_worker(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    worker = plan.worker()
    plan.actions.append((seconds, "kill -9", lambda running: os.kill(running.pid(worker), signal.SIGKILL)))
    return {"worker": worker}, None


@fault("a worker is retired after {} s", (2.0, 3.0, 5.0), "a worker left", (*STORAGE, "a worker was killed"))
def retired_worker(plan: Plan, seconds: float) -> tuple[Where, float | None]:
    worker = plan.worker()
    plan.actions.append(
        (seconds, "a worker is retired", lambda running: running.client.retire_workers([running.address(worker)]))
    )
    return {"worker": worker}, None


@fault("results are merged {} at a time", (200, 400, 800), "merging at the end", (*PLACES, *STORAGE))
def tree_reduction(plan: Plan, count: int) -> tuple[Where, float | None]:
    plan.options["treereduction"] = count
    plan.setup["bins"] = 8
    return {"prefix": "reduce", "time": "end of the run"}, None


# --- two at once


def both(first: str, second: str) -> None:
    """Two faults in one run, each as strong as it is alone."""
    one, other = FAULTS[first], FAULTS[second]

    def apply(plan: Plan, values: tuple[Any, Any]) -> tuple[Where, float | None]:
        places, costs = zip(one.apply(plan, values[0]), other.apply(plan, values[1]), strict=True)
        known = None if None in costs else sum(costs)
        return {**places[1], **places[0]}, known

    done = f"{one.done.replace('{}', '{0[0]}')}; {other.done.replace('{}', '{0[1]}')}"
    never = tuple(one_claim for one_claim in one.never if one_claim in other.never)
    values = tuple(zip(one.values, other.values, strict=True))
    name = f"{first} + {second}"
    FAULTS[name] = Fault(name, done, values, f"{one.say}; {other.say}", never, apply)


both("slow-dataset-cpu", "late-workers")
both("slow-file", "setup-per-chunk")
both("straggler-chunk", "slow-client")
both("warm-up", "latency")
