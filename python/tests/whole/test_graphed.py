"""What graphed's executors run, in a recording."""

from __future__ import annotations

import json
import operator
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from graphed.core import Partition, Plan, SequentialRunner, Task
from graphed_executors.local import ProcessPoolExecutor, ThreadExecutor

from cremascope.graphed import Monitor

from ..conftest import ROOT
from .test_executors import recording, rows_of

ENTRIES = 1000


def process(partition: Partition, _: Any) -> int:
    time.sleep(0.05)
    if partition.entry_start == 3 * ENTRIES:
        raise ValueError("no jets")
    return partition.n_entries


def plan(tasks: int) -> Plan[int]:
    partitions = [Partition("/store/muons.root", "Events", k * ENTRIES, (k + 1) * ENTRIES) for k in range(tasks)]
    return Plan(process, operator.add, int, [Task(k, partition) for k, partition in enumerate(partitions)])


@pytest.mark.parametrize("executor", [SequentialRunner, ThreadExecutor, ProcessPoolExecutor])
def test_each_task_leaves_a_row(executor: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "python")])  # where processes of a pool find this module
    before = time.time()
    options = {} if executor is SequentialRunner else {"max_workers": 2}
    with recording(tmp_path / "run"):
        result = executor(monitor=Monitor(), **options).run(plan(3))
    assert result.value == 3 * ENTRIES
    rows = sorted(rows_of(tmp_path / "run"), key=lambda row: row["entry_start"])
    assert [(row["kind"], row["file"], row["tree"], row["entry_start"], row["entry_stop"]) for row in rows] == [
        ("chunk", "/store/muons.root", "Events", k * ENTRIES, (k + 1) * ENTRIES) for k in range(3)
    ]
    assert {(row["status"], row["attempt"], row["events"]) for row in rows} == {("ok", 1, ENTRIES)}
    for row in rows:
        assert before <= row["begin"] < row["begin"] + 0.05 <= row["begin"] + row["wall"] + 0.001 <= time.time()
    workers = json.loads((tmp_path / "run" / "tasks.json").read_text())["workers"]
    assert {worker["worker"] for worker in workers} == {row["worker"] for row in rows}


def test_a_failed_task_says_how_and_another_monitor_hears_all(tmp_path: Path) -> None:
    phases: list[str] = []

    class Other(Monitor):
        def on_task(self, event: Any) -> None:
            phases.append(str(event.phase))
            raise RuntimeError("which breaks no run")

    with recording(tmp_path / "run"), pytest.raises(Exception, match="no jets"):
        SequentialRunner(monitor=Monitor(Other())).run(plan(5))
    rows = rows_of(tmp_path / "run")
    assert [row["status"] for row in rows] == ["ok"] * 3 + ["failed"]
    assert (rows[3]["error"], rows[3]["message"], rows[3]["entry_start"]) == ("ValueError", "no jets", 3 * ENTRIES)
    assert phases == ["submitted"] * 5 + ["started", "finished"] * 3 + ["started", "errored"]


def test_the_clock_of_another_machine_is_taken_from_when_its_words_arrive() -> None:
    from cremascope.graphed import _epoch_of

    assert _epoch_of(time.perf_counter(), time.time()) == pytest.approx(time.time() - time.perf_counter(), abs=0.01)
    assert _epoch_of(5e6, 1.8e9) == 1.8e9 - 5e6
