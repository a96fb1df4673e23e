"""``npm run lab``: records runs with known causes. See README.md."""

from __future__ import annotations

import argparse
import copy
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from . import machine
from .catalogue import FAULTS
from .failures import DATASETS, FAILURES
from .plan import Plan
from .run import ROOT, carry_out

ANALYSES = ("columnar", "loop")
#: Healthy runs: how they differ, which is fine.
HEALTHY: dict[str, dict[str, Any]] = {
    "healthy": {},
    "healthy-chunks": {"chunk": 6_000},
    "healthy-zlib": {"compression": {"*": "zlib"}},
    "healthy-lz4": {"compression": {"*": "lz4"}},
    "healthy-baskets": {"basket": 2_000},
    "healthy-one-worker": {"workers": 1},
    "healthy-threads": {"workers": 1, "threads": 2},
    "healthy-few-files": {"datasets": {"muons": [60_000], "ttbar": [40_000]}},
    "healthy-one-dataset": {"datasets": {"muons": [30_000, 30_000, 30_000]}},
    "healthy-skewed": {"datasets": {"muons": [70_000], "ttbar": [20_000, 8_000], "signal": [4_000]}},
    "healthy-server": {"server": {"*": {"latency": 0.0, "rate": 0.0}}},
    "healthy-retries": {"options": {"retries": 5, "treereduction": 8}},
}
NEVER = ["a slow worker", "a slow file", "a slow dataset", "a slow host", "lost work", "memory trouble", "stragglers", "a tail"]
LONGEST = 180  # [s] of a run


def plan_of(
    name: str, analysis: str, magnitude: int, seed: int, out: Path = Path(), executor: str = "dask"
) -> tuple[Plan, dict[str, Any]]:
    """The run to be carried out, and what is true of it."""
    plan = Plan(importlib.import_module(f"lab.{analysis}"), random.Random(f"{name} {analysis} {magnitude} {seed}"))
    parts = [name.replace(" + ", "+"), analysis, *([] if executor == "dask" else [executor]), str(magnitude)]
    truth: dict[str, Any] = {"name": "-".join(parts), "analysis": f"lab/{analysis}.py"}
    if name in FAILURES:
        plan.executor = executor
        plan.datasets, plan.chunk, plan.basket = copy.deepcopy(DATASETS[executor]), 2_000, 2_000
        plan.struck = str(out / "struck")
        told = FAILURES[name].apply(plan, magnitude)
        for how in plan.setup.get("habits", {}).values():
            how["struck"] = plan.struck
        return plan, truth | {
            "cause": name,
            "variant": magnitude,
            "done": FAILURES[name].done[executor][magnitude - 1],
            "seed": seed,
        } | vars(told)
    if name in HEALTHY:
        for key, value in HEALTHY[name].items():
            setattr(plan, key, copy.deepcopy(value))
        told = ("none", {}, "nothing is wrong", "Nothing needs acting on.", NEVER, 0.0, 0)
    else:
        fault = FAULTS[name]
        value = fault.values[magnitude - 1]
        where, cost = fault.apply(plan, value)
        told = (name, where, fault.done.format(value), fault.say, list(fault.never), cost, magnitude)
    keys = (
        "cause",
        "where",
        "magnitude",
        "expected_first_diagnosis",
        "must_not_be_claimed",
        "expected_extra_core_seconds",
        "strength",
    )
    return plan, truth | dict(zip(keys, told, strict=True)) | {"seed": seed}


def record_one(name: str, analysis: str, magnitude: int, seed: int, out: Path, executor: str) -> None:
    """In a process of its own: the run in ``out/run``, and ``out/truth.json``."""
    plan, truth = plan_of(name, analysis, magnitude, seed, out, executor)
    plan.raises = plan.raises or executor == "taskvine"
    truth["recording"] = carry_out(plan, out / "run", out.parent / "files")
    if (out / "struck").exists():
        truth["struck"] = [json.loads(line) for line in (out / "struck").read_text().splitlines()]
    (out / "truth.json").write_text(json.dumps(truth, indent=1))


def record(name: str, analysis: str, magnitude: int, chosen: argparse.Namespace) -> bool:
    """Records a run beside nothing else, and packs it with its truth; whether that went well."""
    _, truth = plan_of(name, analysis, magnitude, chosen.seed, executor=chosen.executor)
    scratch = chosen.out / f".{truth['name']}"
    if not chosen.beside_load and not machine.is_quiet(patience=60):
        raise SystemExit(f"lab: other programs use more than {machine.MOST_FOREIGN} cores; --beside-load records all the same")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    busy, stolen, own, begin = *machine.busy_and_stolen(), machine.own_seconds(), time.monotonic()
    command = [
        sys.executable,
        "-m",
        "lab",
        name,
        "--analysis",
        analysis,
        "--magnitude",
        str(magnitude),
        "--seed",
        str(chosen.seed),
        "--executor",
        chosen.executor,
    ]
    with (chosen.out / f"{truth['name']}.txt").open("w") as log:
        running = subprocess.Popen([*command, "--into", str(scratch)], stdout=log, stderr=log, cwd=ROOT, start_new_session=True)
        try:
            status = running.wait(LONGEST)
        except subprocess.TimeoutExpired:
            status = -1
    with_children = machine.own_seconds() - own
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)  # what a broken run left behind
    seconds = time.monotonic() - begin
    now = machine.busy_and_stolen()
    if status != 0 or not (scratch / "truth.json").exists():
        print(f"{truth['name']:40} FAILED: see {log.name}")
        shutil.rmtree(scratch)
        return False
    truth = json.loads((scratch / "truth.json").read_text())
    foreign = max(0.0, now[0] - busy - with_children) / seconds
    truth["recording"] |= {"foreign_cores": round(foreign, 3), "stolen_cores": round((now[1] - stolen) / seconds, 3)}
    pack(scratch / "run", chosen.out / f"{truth['name']}.zip", truth)
    if truth.get("logs") and (scratch / "logs").exists():  # of TaskVine
        of_logs = {name: value for name, value in truth.items() if name != "struck"} | {"names": truth["logs"]}
        pack(scratch / "logs", chosen.out / f"{truth['name']}-logs.zip", of_logs)
    with (chosen.out / "truth.jsonl").open("a") as lines:
        lines.write(json.dumps({"file": f"{truth['name']}.zip"} | truth) + "\n")
    shutil.rmtree(scratch)
    Path(log.name).unlink()
    expected = truth.get("expected_extra_core_seconds")
    cost = "" if expected is None else f"  {expected:.1f} core-s by construction"
    print(f"{truth['name']:40} {truth['recording']['elapsed_s']:6.1f} s  {foreign:.2f} foreign cores{cost}", flush=True)
    return True


def pack(folder: Path, archive: Path, truth: dict[str, Any]) -> None:
    from cremascope.write import zip_files

    files: dict[str, bytes | Path] = {f"{archive.stem}/{file.name}": file for file in sorted(folder.iterdir())}
    zip_files(files | {f"{archive.stem}/truth.json": json.dumps(truth, indent=1).encode()}, archive)


def main() -> int:
    parser = argparse.ArgumentParser(prog="npm run lab --", description="Records runs with known causes.")
    parser.add_argument("names", nargs="*", help="faults, or healthy runs (default: all; --list names them)")
    parser.add_argument("--list", action="store_true", help="what there is")
    parser.add_argument("--failures", action="store_true", help="failures in place of faults: three variants of each kind")
    parser.add_argument("--executor", choices=tuple(DATASETS), default="dask", help="of failures (default: dask)")
    parser.add_argument("--analysis", choices=ANALYSES, action="append", help="default: both")
    parser.add_argument("--magnitude", type=int, choices=(1, 2, 3), action="append", help="default: 2")
    parser.add_argument("--seed", type=int, default=1, help="decides which file, dataset or worker it is (default: 1)")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "lab", help="default: build/lab")
    parser.add_argument("--beside-load", action="store_true", help="record also beside programs of others")
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.names if name not in {**FAULTS, **HEALTHY, **FAILURES}]:
        parser.error(f"there is no {', '.join(unknown)}")
    if chosen.list:
        for name in HEALTHY:
            print(f"{name:32} nothing is wrong")
        for name, fault in FAULTS.items():
            print(f"{name:32} {fault.done.format(*[fault.values[1]] * 2)}")
        for name, kind in FAILURES.items():
            print(f"{name:32} {'; '.join(kind.done['dask'])}")
        return 0
    analyses, magnitudes = chosen.analysis or ANALYSES, chosen.magnitude or (2,)
    if chosen.failures:
        analyses, magnitudes = chosen.analysis or ANALYSES[:1], chosen.magnitude or (1, 2, 3)
    if chosen.into is not None:
        record_one(chosen.names[0], analyses[0], magnitudes[0], chosen.seed, chosen.into, chosen.executor)
        return 0
    chosen.out = chosen.out.absolute()
    chosen.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in chosen.names or (FAILURES if chosen.failures else [*HEALTHY, *FAULTS]):
        for analysis in analyses:
            for magnitude in magnitudes if name in FAULTS or name in FAILURES else (1,):
                failed += not record(name, analysis, magnitude, chosen)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
