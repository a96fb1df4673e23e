"""The laboratory: its faults are what they say, and one of them costs what it must by construction."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ROOT
from .test_executors import parts_of, stacks_of


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    import lab.__main__

    return lab.__main__


def test_every_fault_changes_a_plan_and_tells_a_truth(lab: Any) -> None:
    from lab import columnar, cost, habits, loop

    code = {
        name: "".join(map(inspect.getsource, (module, cost, habits)))
        for name, module in (("columnar", columnar), ("loop", loop))
    }
    assert len(lab.FAULTS) >= 45
    for name, fault in lab.FAULTS.items():
        assert len(fault.values) == 3
        for analysis in lab.ANALYSES:
            for magnitude in (1, 2, 3):
                plan, truth = lab.plan_of(name, analysis, magnitude, 5)
                healthy, _ = lab.plan_of("healthy", analysis, 1, 5)
                assert {**vars(plan), "chance": None} != {**vars(healthy), "chance": None}
                assert json.loads(json.dumps(truth)) == truth
                assert "{" not in truth["magnitude"]
                assert truth["where"]
                assert truth["must_not_be_claimed"]
                expected = truth["expected_extra_core_seconds"]
                assert expected is None or expected > 0
                assert f"def {truth['where'].get('function', 'spend')}(" in code[analysis]
                assert lab.plan_of(name, analysis, magnitude, 5)[1] == truth


def test_no_function_of_an_analysis_is_called_after_a_fault(lab: Any) -> None:
    from lab import habits

    words = {word for name in lab.FAULTS for word in name.replace(" + ", "-").split("-")} - {"read", "columns", "one", "file"}
    names = [name for name, one in vars(habits).items() if inspect.isfunction(one)]
    assert not [name for name in names if set(name.split("_")) & (words - {"all", "per", "to", "first"})]


def test_a_fault_costs_what_it_must(tmp_path: Path) -> None:
    """0.2 s in each of 27 chunks, in one function of one section: that is seen there, and nowhere else."""
    command = [sys.executable, "-m", "lab", "setup-per-chunk", "--analysis", "columnar", "--out", tmp_path, "--beside-load"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    (line,) = (tmp_path / "truth.jsonl").read_text().splitlines()
    truth = json.loads(line)
    with zipfile.ZipFile(tmp_path / truth["file"]) as archive:
        archive.extractall(tmp_path)
        assert json.loads(archive.read("setup-per-chunk-columnar-2/truth.json")) | {"file": truth["file"]} == truth
    found = []
    for tables in parts_of(tmp_path / "setup-per-chunk-columnar-2"):
        for row, names in stacks_of(tables, "samples"):
            if truth["where"]["function"] in names:
                assert tables["sections"][row["section"]]["name"] == truth["where"]["section"]
                found.append(row["cpu"] or 0.0)
    assert sum(found) == pytest.approx(truth["expected_extra_core_seconds"], rel=0.15)
