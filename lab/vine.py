"""A small TaskVine cluster, as users start one: a manager in the client, and workers from a batch system."""

from __future__ import annotations

import base64
import contextlib
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import site
from .plan import Plan

#: What Python does first in each task of a worker: what ``Plan.on_worker`` says.
_FIRST = "import lab.vine\nlab.vine.prepare()\n"
_PREPARE = "LAB_ON_WORKER"
#: [s] in which coffea's executor, which never ends once a task has failed for good, may still finish something.
PATIENCE = 6.0


def prepare() -> None:
    """Called in each task, before the analysis is imported."""
    for function, arguments in pickle.loads(base64.b64decode(os.environ.get(_PREPARE, ""))):
        function(*arguments)


def _megabytes(plan: Plan) -> int:
    return int(str(plan.memory or 0).removesuffix("GB")) * 1000


def _start_worker(plan: Plan, folder: Path, port: int, number: int) -> subprocess.Popen[bytes]:
    """A worker with one core."""
    program = shutil.which("vine_worker")
    if program is None:
        raise SystemExit("lab: there is no vine_worker in the path")
    (folder / "first").mkdir(parents=True, exist_ok=True)
    (folder / "first" / "sitecustomize.py").write_text(_FIRST)
    todo = [(function, arguments) for function, arguments, worker in plan.on_worker if worker in (None, str(number))]
    environment = os.environ | plan.environment | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # tasks run `python3`
        "PYTHONPATH": os.pathsep.join([str(folder / "first"), *sys.path]),
        _PREPARE: base64.b64encode(pickle.dumps(todo)).decode(),
    }  # fmt: skip
    disk = plan.options["disk"] + 100 if "disk" in plan.options else 4000  # a task alone is given all of it
    limits = ["--cores", "1", "--memory", str(_megabytes(plan) or 4000), "--disk", str(disk)]
    command = [program, "127.0.0.1", str(port), *limits, "-s", str(folder), *plan.worker_options.get(number, [])]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def _end_worker(worker: subprocess.Popen[bytes]) -> None:
    """With the tasks that it runs, each a group of processes of its own."""
    import psutil

    with contextlib.suppress(psutil.Error):
        for process in psutil.Process(worker.pid).children(recursive=True):
            site.end_group(process.pid)
    site.end_group(worker.pid)
    worker.wait()


@contextlib.contextmanager
def cluster(plan: Plan, out: Path) -> Iterator[Any]:
    """Coffea's executor, with workers. The manager's logs are in ``out / "logs"`` then."""
    from coffea.processor import TaskVineExecutor

    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    here, folder = out / "here", out.parent / "workers"
    here.mkdir(parents=True)
    before, interrupted = Path.cwd(), signal.getsignal(signal.SIGINT)  # which coffea replaces
    os.chdir(here)  # where TaskVine writes
    monitored = {"memory": _megabytes(plan), "resource_monitor": "watchdog"} if plan.memory else {}
    options = monitored | {name: plan.options[name] for name in _OPTIONS if name in plan.options}
    executor = TaskVineExecutor(
        status=False, port=port, filepath=str(here), custom_init=lambda manager: _limit(manager, plan), **options
    )
    jobs = [_start_worker(plan, folder / str(number), port, number) for number in range(plan.workers)]
    threading.Thread(target=_interrupt, daemon=True).start()
    try:
        yield executor
    finally:
        for job in jobs:
            _end_worker(job)
        signal.signal(signal.SIGINT, interrupted)
        os.chdir(before)
        for logs in here.glob("vine-run-info/2*/vine-logs"):
            shutil.copytree(logs, out / "logs", dirs_exist_ok=True)
        shutil.rmtree(here)
        shutil.rmtree(folder, ignore_errors=True)


_OPTIONS = ("retries", "treereduction", "disk", "split_on_exhaustion")


def _limit(manager: Any, plan: Plan) -> None:
    for name, value in plan.tunes.items():
        manager.tune(name, value)
    for category, limits in plan.limits.items():
        manager.set_category_resources_max(category, limits)


def _interrupt() -> None:
    """Interrupts the client as its user does: coffea's executor waits for ever once it has given up a task."""
    from coffea.processor import taskvine_executor

    while not taskvine_executor.early_terminate:
        time.sleep(0.5)
    time.sleep(PATIENCE)
    os.kill(os.getpid(), signal.SIGINT)
