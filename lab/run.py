"""Carries out a plan, recorded as a user would."""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import data, site, vine
from .plan import Plan

ROOT = Path(__file__).parents[1]
LIMITS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@dataclass
class Running:
    """What actions of a plan can reach."""

    plan: Plan
    executor: Any
    """of coffea"""
    paths: list[str]
    cluster: Any = None
    client: Any = None
    """of Dask"""
    jobs: list[Any] = field(default_factory=list)
    """of a batch system"""
    begin: float = 0.0

    def pid(self, worker: str) -> int:
        address = self.address(worker)
        return int(self.client.run(os.getpid, workers=[address])[address])

    def address(self, worker: str) -> str:
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        return next(address for address, one in workers.items() if str(one["name"]) == worker)


def carry_out(plan: Plan, out: Path, files: Path) -> dict[str, Any]:
    """Records the plan's run into the folder ``out``; what happened when, and how long it took."""
    import cremascope as crema
    from coffea import processor
    from coffea.nanoevents import NanoAODSchema

    NanoAODSchema.warn_missing_crossrefs = False
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # workers import what is imported here
    paths = data.make_files(plan, files)
    happened: list[dict[str, Any]] = []
    with ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fileset = {
            dataset: {"files": {_address(path, dataset, plan, stack, files): "Events" for path in some}}
            for dataset, some in paths.items()
        }
        stack.enter_context(site.foreign_load(plan.foreign))
        running = _CLUSTERS[plan.executor](plan, out.parent, [str(path) for some in paths.values() for path in some], stack)
        runner = processor.Runner(
            executor=running.executor,
            schema=NanoAODSchema,
            chunksize=plan.chunk,
            savemetrics=True,
            metadata_cache={},
            **{name: plan.options[name] for name in ("skipbadfiles",) if name in plan.options},
        )
        with crema.record(running.client, out) as recording:
            running.begin = time.time()
            timers = [_timer(seconds, what, act, running, happened) for seconds, what, act in plan.actions]
            raised, output, report = None, {"events": None}, None
            try:
                output, report = runner(fileset, processor_instance=_processor(plan, files))
            except (Exception, KeyboardInterrupt) as problem:
                if not plan.raises:
                    raise
                raised = repr(problem)[:2000]
            if plan.after is not None:
                plan.after(output)
            elapsed = time.time() - running.begin
        if report is not None:
            recording.add(report)
        for timer in timers:
            timer.cancel()
    told = {
        "elapsed_s": round(elapsed, 3),
        "events": (output or {}).get("events"),
        "happened": happened,
        "notes": recording.notes,
    }
    return told if raised is None else told | {"raised": raised}


def _dask(plan: Plan, _: Path, paths: list[str], stack: ExitStack) -> Running:
    import dask
    from coffea.processor import DaskExecutor
    from distributed import Client, LocalCluster

    dask.config.set({"distributed.nanny.pre-spawn-environ": dict.fromkeys(LIMITS, "1") | plan.environment} | plan.settings)
    cluster = stack.enter_context(
        LocalCluster(n_workers=plan.workers, threads_per_worker=plan.threads, memory_limit=plan.memory, dashboard_address=":0")
    )
    client = stack.enter_context(Client(cluster))
    client.wait_for_workers(plan.workers)
    options = {name: plan.options[name] for name in ("retries", "treereduction") if name in plan.options}
    running = Running(plan, DaskExecutor(client=client, status=False, **options), paths, cluster, client)
    for start in plan.batch:
        job = start(running)
        stack.callback(job.wait)
        stack.callback(site.end_group, job.pid)
        client.wait_for_workers(plan.workers + len(running.jobs))
    for function, arguments, worker in plan.on_worker:
        client.run(function, *arguments, workers=None if worker is None else [running.address(worker)])
    return running


def _taskvine(plan: Plan, out: Path, paths: list[str], stack: ExitStack) -> Running:
    os.environ |= dict.fromkeys(LIMITS, "1")
    return Running(plan, stack.enter_context(vine.cluster(plan, out)), paths)


_CLUSTERS = {"dask": _dask, "taskvine": _taskvine}


def _processor(plan: Plan, files: Path) -> Any:
    """The plan's, or one of a module that only the client can import."""
    if plan.hidden_module is None:
        return plan.analysis.Processor(plan.setup)
    folder = files / "hidden"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{plan.hidden_module}.py").write_text(
        f"from {plan.analysis.__name__} import Processor as Base\n\n\nclass Processor(Base):\n    pass\n"
    )
    sys.path.insert(0, str(folder))
    return importlib.import_module(plan.hidden_module).Processor(plan.setup)


def _address(path: Path, dataset: str, plan: Plan, stack: ExitStack, files: Path) -> str:
    """The file's path, or its address where a server has it."""
    how = plan.server.get(dataset) or plan.server.get("*")
    if how is None:
        return str(path)
    if "address" not in how:
        how["address"] = stack.enter_context(site.server(str(files), how["latency"], how["rate"]))  # type: ignore[assignment]
    return f"{how['address']}/{path.relative_to(files)}"


def _timer(
    seconds: float, what: str, act: Callable[[Running], Any], running: Running, happened: list[dict[str, Any]]
) -> threading.Timer:
    def call() -> None:
        with suppress(Exception):  # the run has ended
            happened.append({"at_s": round(time.time() - running.begin, 3), "what": what})
            act(running)

    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer
