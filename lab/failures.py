"""Failures: of each kind three variants, what is done, and what must and must not be said of it.

A failure changes a healthy plan as a fault does (catalogue.py), and says by patterns what the answers must name. What
fails notes that it did (``struck``), so that attempts are counted by what made them fail.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import site
from .plan import Plan


@dataclass
class Truth:
    """Patterns of what is said: each of ``names`` must be there, none of ``never``."""

    names: list[str]
    never: list[str] = field(default_factory=list)
    where: dict[str, str] = field(default_factory=dict)
    logs: list[str] = field(default_factory=list)
    """what TaskVine's logs alone must name; nothing where they cannot tell"""


@dataclass(frozen=True)
class Failure:
    name: str
    done: dict[str, tuple[str, ...]]
    """what is done, by executor and variant"""
    apply: Callable[[Plan, int], Truth]


FAILURES: dict[str, Failure] = {}

_GONE = r"worker[^.]*(lost|left|killed|stopped|given up|closed)"
#: A process that is killed tells Dask nothing: that its end is unexplained has to be said.
_UNSAID = r"unknown why"
_STOPPED = r"SIGTERM|signal 15|stopped from outside"
_NO_WORKER = r"killed|worker lost|memory limit"
#: TaskVine's manager knows of an exception only that the task's program failed.
_EXIT = r"exit code 1"


#: Smaller than a healthy run's: events of each file, by dataset, in chunks of 2,000. TaskVine starts Python for each of them.
DATASETS = {
    "dask": {"muons": [6_000, 6_000, 8_000], "ttbar": [6_000, 4_000]},
    "taskvine": {"muons": [6_000], "ttbar": [4_000]},
}


def failure(
    *done: str, taskvine: tuple[str, ...] = ()
) -> Callable[[Callable[[Plan, int], Truth]], Callable[[Plan, int], Truth]]:
    def declare(apply: Callable[[Plan, int], Truth]) -> Callable[[Plan, int], Truth]:
        name = apply.__name__.replace("_", "-")
        FAILURES[name] = Failure(name, {"dask": done, "taskvine": taskvine or done}, apply)
        return apply

    return declare


def _chunk(plan: Plan) -> tuple[str, str]:
    """A file of at least three chunks and the entries of its second."""
    file = plan.file("muons")
    return file, "2,000 to 4,000"


def _strike(plan: Plan, how: str, **where: Any) -> None:
    """The analysis fails so in its section "checks" (strike.py)."""
    plan.setup["habits"] = {"strike": {"how": how, **where}}


@failure(
    "one chunk takes 1.5 GB, and workers have 1 GB: each attempt kills a worker",
    "one chunk takes 1.5 GB once, and workers have 1 GB",
    "one chunk's worker is killed once as Linux does without memory, and no limit is set",
    taskvine=(
        "one chunk takes 1.5 GB, and tasks may have 1 GB: each attempt is ended",
        "one chunk takes 1.5 GB once, and tasks may have 1 GB: coffea splits it",
        "one chunk's task is killed once as Linux does without memory, and no limit is set",
    ),
)
def memory_kill(plan: Plan, variant: int) -> Truth:
    file, entries = _chunk(plan)
    if plan.executor == "taskvine":
        plan.memory = "" if variant == 3 else "1GB"
        plan.options["split_on_exhaustion"] = variant == 2
        _strike(plan, "killed" if variant == 3 else "memory", file=file, entry=2_000, times=None if variant == 1 else 1)
        killed = r"signal 9|exit code 137" if variant == 3 else "limit of memory"
        return Truth([file, entries, killed], ["limit of memory"] if variant == 3 else [], {"file": file}, [killed])
    plan.memory = 0 if variant == 3 else "1GB"
    plan.settings["distributed.scheduler.allowed-failures"] = 1
    plan.raises = variant == 1
    _strike(plan, "killed" if variant == 3 else "memory", file=file, entry=2_000, times=None if variant == 1 else 1)
    named = [_GONE, file, entries]
    return (
        Truth([*named, r"memory"], where={"file": file})
        if variant < 3
        else Truth([*named, _UNSAID], [r"memory limit"], {"file": file})
    )


@failure(
    "one file ends in its middle, and is skipped", "one file's middle is overwritten", "one file is missing, and is skipped"
)
def unreadable_file(plan: Plan, variant: int) -> Truth:
    file = plan.bad_file = plan.file("muons")
    plan.damage = ("cut", "overwritten", "missing")[variant - 1]
    plan.options |= {"skipbadfiles": variant != 2, "retries": 0}
    plan.raises = variant == 2
    error = (r"OSError", r"DecompressionError", r"FileNotFoundError")[variant - 1]
    return Truth([file, error], [_NO_WORKER], {"file": file}, [_EXIT] if variant == 2 else [])


@failure("the first request of one file fails", "the first three requests of one file fail", "each request of one file fails")
def flaky_file(plan: Plan, variant: int) -> Truth:
    file = plan.file("muons")
    plan.options |= {"retries": 4 if variant < 3 else 1}
    plan.raises = variant == 3
    plan.on_worker.append((site.failing_file, (file, (1, 3, None)[variant - 1], "OSError", plan.struck), None))
    return Truth([file, "OSError", r"Operation expired"], [_NO_WORKER], {"file": file}, [_EXIT] if variant == 3 else [])


@failure(
    "one file's storage does not answer once", "one file's storage never answers", "a service does not answer for one dataset"
)
def timeout(plan: Plan, variant: int) -> Truth:
    file = plan.file("muons")
    plan.options |= {"retries": 2 if variant == 1 else 0}
    plan.raises = variant > 1
    if variant < 3:
        plan.on_worker.append((site.failing_file, (file, (1, None)[variant - 1], "TimeoutError", plan.struck), None))
        return Truth([file, "TimeoutError"], [_NO_WORKER], {"file": file}, [_EXIT] if variant == 2 else [])
    _strike(plan, "timeout", dataset="ttbar")
    return Truth(["ttbar", "TimeoutError", "conditions"], [_NO_WORKER], {"dataset": "ttbar"}, [_EXIT])


def _batch(*options: str) -> Callable[[Any], Any]:
    """A worker as a batch system starts one: a program of its own."""

    def start(running: Any) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", running.cluster.scheduler_address]
        job = subprocess.Popen(
            [*command, "--nthreads", "1", "--name", "batch", "--no-dashboard", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        running.jobs.append(job)
        return job

    return start


def _signal(number: int) -> Callable[[Any], Any]:
    return lambda running: os.killpg(running.jobs[0].pid, number)


@failure(
    "the batch system stops a worker with a nanny: SIGTERM",
    "the same without a nanny",
    "the worker's process alone gets SIGTERM",
    taskvine=(
        "the batch system stops a worker: SIGTERM",
        "the batch system stops a worker and its task: SIGTERM",
        "the task's process alone gets SIGTERM",
    ),
)
def eviction(plan: Plan, variant: int) -> Truth:
    if plan.executor == "taskvine":
        how = ("evicted", "evicted with its task", "terminated")[variant - 1]
        stopped = [_GONE, _STOPPED] if variant == 1 else [_STOPPED]
        return _in_chunk(plan, how, stopped, [r"memory limit", r"lifetime"])
    plan.longer(2)
    if variant == 3:
        worker = plan.worker()
        plan.actions.append((3.0, "SIGTERM", lambda running: os.kill(running.pid(worker), signal.SIGTERM)))
        return Truth([_GONE, _STOPPED], [r"memory limit", r"lifetime"], {"worker": worker})
    plan.workers = 1
    plan.batch.append(_batch(*([] if variant == 1 else ["--no-nanny"])))
    plan.actions.append((3.0, "SIGTERM", _signal(signal.SIGTERM)))
    return Truth([_GONE, _STOPPED], [r"memory limit", r"lifetime"], {"worker": "batch"})


@failure(
    "a worker's lifetime ends after 4 s",
    "the same without a nanny",
    "the same, of 5 s",
    taskvine=(
        "the walltime of one of two workers ends after 20 s",
        "the walltime of two of three workers ends after 14 s",
        "one chunk takes longer than its task may",
    ),
)
def walltime(plan: Plan, variant: int) -> Truth:
    if plan.executor == "taskvine":
        if variant == 3:
            plan.limits["processing"] = {"cores": 1, "wall_time": 25}
            return _in_chunk(plan, "endless", [r"limit of wall time"], [r"memory limit", r"worker[^.]*lost"])
        plan.longer(2)
        plan.workers = variant + 1
        seconds = (20, 14)[variant - 1]
        plan.worker_options = {number: ["--wall-time", str(seconds)] for number in range(variant)}
        named = [r"worker[^.]*wall-?time"]
        return Truth(named, [r"memory limit", r"killed"], {}, named)
    plan.longer(2)
    plan.workers = 1
    lifetime = ["--lifetime", "5s" if variant == 3 else "4s"]
    plan.batch.append(_batch(*lifetime, *(["--no-nanny"] if variant == 2 else [])))
    return Truth([r"worker[^.]*(lifetime|walltime)"], [r"memory limit", r"killed"], {"worker": "batch"})


@failure(
    "a worker and its nanny get SIGKILL",
    "a worker without a nanny gets SIGKILL",
    "a worker and its nanny are stopped and silent",
    taskvine=(
        "a worker and its task get SIGKILL",
        "a worker alone gets SIGKILL",
        "a worker and its task are stopped and silent",
    ),
)
def node_loss(plan: Plan, variant: int) -> Truth:
    if plan.executor == "taskvine":
        plan.tunes |= {} if variant == 1 else {"keepalive-interval": 2, "keepalive-timeout": 8}
        how = ("node lost", "worker killed", "node silent")[variant - 1]
        # Who has the worker's connection after it was killed alone keeps it open: it is silent then.
        why = (_UNSAID, f"{_UNSAID}|silent", "silent")[variant - 1]
        return _in_chunk(plan, how, [_GONE, why], [r"memory limit", r"wall-time"])
    plan.longer(2)
    plan.workers = 1
    plan.settings["distributed.scheduler.worker-ttl"] = "3s"
    plan.batch.append(_batch(*(["--no-nanny"] if variant == 2 else [])))
    number = signal.SIGSTOP if variant == 3 else signal.SIGKILL
    plan.actions.append((3.0, number.name, _signal(number)))
    return Truth([_GONE, "silent" if variant == 3 else _UNSAID], [r"memory limit", r"lifetime"], {"worker": "batch"})


def _in_chunk(plan: Plan, how: str, named: list[str], never: list[str]) -> Truth:
    """It happens once, while a chunk is processed."""
    file, entries = _chunk(plan)
    _strike(plan, how, file=file, entry=2_000, times=1)
    return Truth([*named, file, entries], never, {"file": file}, named)


@failure("each chunk of one dataset raises KeyError", "one chunk divides by zero", "one chunk raises ValueError once")
def own_exception(plan: Plan, variant: int) -> Truth:
    file, entries = _chunk(plan)
    plan.options |= {"retries": (0, 1, 2)[variant - 1]}
    plan.raises = variant < 3
    if variant == 1:
        _strike(plan, "key", dataset="ttbar")
        return Truth(["KeyError", "ttbar", "weights_2031", r"strike\.py:\d+"], [_NO_WORKER], {"dataset": "ttbar"}, [_EXIT])
    _strike(plan, ("divide", "value")[variant - 2], file=file, entry=2_000, times=(None, 1)[variant - 2])
    error = ("ZeroDivisionError", "ValueError")[variant - 2]
    return Truth([error, file, entries, r"strike\.py:\d+"], [_NO_WORKER], {"file": file}, [_EXIT] if variant == 2 else [])


@failure(
    "workers lack a package that process() imports", "workers lack the processor's own module", "one worker lacks a package"
)
def import_error(plan: Plan, variant: int) -> Truth:
    plan.options |= {"retries": 0 if variant < 3 else 6}
    plan.raises = True
    if variant == 2:
        plan.hidden_module = "analysis_of_mine"
        return Truth([r"ModuleNotFoundError", "analysis_of_mine"], [_NO_WORKER], {}, [_EXIT])
    worker = plan.worker() if variant == 3 else None
    plan.on_worker.append((site.lacks_package, (), worker))
    _strike(plan, "import")
    where = {} if worker is None else {"worker": worker}
    return Truth([r"ModuleNotFoundError", "corrections_of_mine"], [_NO_WORKER], where, [_EXIT])


@failure(
    "no space is left where one dataset's chunks write",
    "no space is left for the first chunk of each worker",
    "no space is left for one chunk",
    taskvine=(
        "no space is left where one dataset's chunks write",
        "no space is left for the first attempt at each chunk",
        "one chunk writes more than its task may, once",
    ),
)
def disk_full(plan: Plan, variant: int) -> Truth:
    file, entries = _chunk(plan)
    plan.options |= {"retries": 0 if variant != 2 else 3}
    plan.raises = variant != 2
    space = r"No space left on device"
    if variant == 1:
        _strike(plan, "space", dataset="ttbar")
        return Truth(["OSError", "ttbar", space], [_NO_WORKER], {"dataset": "ttbar"}, [_EXIT])
    if variant == 2:
        _strike(plan, "space", each_worker=True)
        return Truth(["OSError", space], [_NO_WORKER])
    if plan.executor == "taskvine":
        plan.options["disk"] = 200
        return _in_chunk(plan, "sandbox", [r"limit of disk"], [_NO_WORKER])
    _strike(plan, "space", file=file, entry=2_000)
    return Truth(["OSError", file, entries, space], [_NO_WORKER], {"file": file})
