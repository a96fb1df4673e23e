"""Runs made of what Dask and Parsl themselves left: by the tools' own totals, and by logs that can be checked by hand."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cremascope.conversion import convert
from tests.conftest import RECORDED
from tests.test_convert import T0, ask, tasks_of


def test_logs_of_dask_say_what_failed_and_why_workers_ended(tmp_path: Path) -> None:
    """Of a scheduler and two workers of 400 MB, as Dask wrote them: three tasks raised, one took all memory of its worker."""
    [folder] = convert(RECORDED / "dask-logs", tmp_path / "run")
    failures = {(row["task"], row["exception"], row["message"]) for row in ask(folder, "failures")}
    assert failures == {
        ("hog", "KilledWorker", "1 workers died while trying to run it"),
        *(("bad", "ValueError", f"no jets in event {number}") for number in range(3)),
    }
    changes = [(row["worker"], row["change"], row["reason"], row["workers"]) for row in ask(folder, "worker_changes")]
    assert changes == [
        ("tcp://127.0.0.1:42481", "added", None, 1),
        ("tcp://127.0.0.1:43281", "added", None, 2),
        ("tcp://127.0.0.1:42481", "removed", "memory-limit", 1),
        ("tcp://127.0.0.1:36247", "added", None, 2),  # its nanny started another
        ("tcp://127.0.0.1:36247", "removed", "scheduler-close", 1),
        ("tcp://127.0.0.1:43281", "removed", "scheduler-close", 0),
    ]
    config = json.loads((folder / "config.json").read_text())
    assert config["warnings"]["paused"]["times"] == 2
    assert [(event["kind"], event["value"]) for event in config["worker_events"]] == [
        ("paused", 81),
        ("resumed", 16),
        ("paused", 80),
    ]


def test_a_dump_of_older_dask_tells_who_came_and_went(tmp_path: Path) -> None:
    """A worker runs a task from 1 to 3 s, and one from 3 to 4 s that raises; a third still runs. Another one left."""

    def change(key: str, start: str, finish: str, when: float) -> list[Any]:
        return [key, start, finish, finish, {}, "stimulus", T0.timestamp() + when]

    here = "tcp://10.0.0.1:1000"
    log = [
        ["a-1", "compute-task", "released", "stimulus", T0.timestamp() + 1],
        change("a-1", "ready", "executing", 1),
        change("a-1", "executing", "memory", 3),
        change("b-1", "ready", "executing", 3),
        change("b-1", "executing", "error", 4),
        change("a-2", "ready", "executing", 4),
    ]
    events = [
        [T0.timestamp(), {"action": "add-worker", "worker": here}],
        [T0.timestamp(), {"action": "add-worker", "worker": "tcp://10.0.0.2:1000"}],
        [
            T0.timestamp() + 2,
            {"action": "remove-worker", "worker": "tcp://10.0.0.2:1000", "stimulus_id": "retire-workers-17.5"},
        ],
    ]
    state = {
        "scheduler": {
            "workers": {here: {"host": "10.0.0.1", "pid": 7, "nthreads": 1}},
            "tasks": {"a-1": {"nbytes": 28}, "b-1": {"exception_text": "ValueError('no jets')"}},
            "events": {"all": events},
        },
        "workers": {here: {"log": log}},
    }
    (tmp_path / "dump.yaml").write_text(json.dumps(state))  # which is YAML, too
    [folder] = convert(tmp_path / "dump.yaml")
    tasks = tasks_of(folder)
    assert (tasks["function"], tasks["status"]) == (["a", "b"], ["ok", "failed"])
    assert (tasks["wall"], tasks["error"], tasks["out_bytes"]) == ([2_000_000, 1_000_000], [None, "ValueError"], [28, None])
    notes = json.loads((folder / "tasks.json").read_text())["notes"]
    assert any(note.startswith("1 tasks ran") for note in notes)
    changes = [(row["worker"], row["change"], row["reason"], row["workers"]) for row in ask(folder, "worker_changes")]
    assert changes[-1] == ("tcp://10.0.0.2:1000", "removed", "retire-workers", 1)


def test_a_dump_of_a_cluster_has_what_its_task_stream_has(tmp_path: Path) -> None:
    import distributed

    def inc(x: int) -> int:
        time.sleep(0.05)
        return x + 1

    def bad(x: int) -> int:
        raise ValueError(f"no jets in event {x}")

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        with distributed.get_task_stream(client) as stream:
            client.gather(client.map(inc, range(20), pure=False))
            for future in (failing := client.map(bad, range(3), pure=False)):
                future.exception()
            client.dump_cluster_state(str(tmp_path / "dump"))
            client.dump_cluster_state(str(tmp_path / "dump"), format="yaml")
        del failing
    ran: dict[str, float] = {}
    for task in stream.data:
        ran[task["key"]] = sum(step["stop"] - step["start"] for step in task["startstops"] if step["action"] == "compute")
    [packed], [text] = convert(tmp_path / "dump.msgpack.gz", tmp_path / "a"), convert(tmp_path / "dump.yaml", tmp_path / "b")
    tasks = tasks_of(packed)
    assert tasks == tasks_of(text)
    assert len(tasks["item"]) == 23
    assert set(tasks["item"]) == set(ran)
    assert sorted(tasks["status"]) == ["failed"] * 3 + ["ok"] * 20
    seconds = sum(tasks["wall"]) / 1e6
    assert sum(ran.values()) <= seconds <= sum(ran.values()) + 23 * 0.05  # until the worker's loop heard of it
    [failed] = {row["message"] for row in ask(packed, "failures") if row["message"] == "no jets in event 2"}
    assert failed


def test_parsl_monitoring_has_what_parsl_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import parsl
    from parsl.executors import HighThroughputExecutor
    from parsl.monitoring.monitoring import MonitoringHub
    from parsl.providers import LocalProvider

    @parsl.python_app  # type: ignore[untyped-decorator]
    def fill(number: int) -> int:
        import time

        time.sleep(0.3)
        return number

    @parsl.python_app  # type: ignore[untyped-decorator]
    def flaky(mark: str) -> int:
        from pathlib import Path

        if not Path(mark).exists():
            Path(mark).touch()
            raise ValueError("no jets in file")
        return 1

    @parsl.python_app  # type: ignore[untyped-decorator]
    def broken() -> int:
        raise OSError("file x.root did not open")

    @parsl.python_app  # type: ignore[untyped-decorator]
    def merge(inputs: Any = ()) -> int:
        return len(inputs)

    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))  # where workers find this module
    pool = HighThroughputExecutor(
        label="toy", max_workers_per_node=2, provider=LocalProvider(init_blocks=1, max_blocks=1), address="127.0.0.1"
    )
    hub = MonitoringHub(
        hub_address="127.0.0.1", resource_monitoring_interval=0.2, logging_endpoint=f"sqlite:///{tmp_path}/monitoring.db"
    )
    parsl.load(parsl.Config(executors=[pool], monitoring=hub, retries=1, run_dir=str(tmp_path / "runinfo")))
    try:
        filled = [fill(number) for number in range(6)]
        assert merge(inputs=filled).result() == 6
        assert flaky(str(tmp_path / "mark")).result() == 1
        lost = broken()
        with pytest.raises(Exception, match="Dependency failure"):
            merge(inputs=[lost]).result()
    finally:
        parsl.dfk().cleanup()
        parsl.clear()
    with closing(sqlite3.connect(tmp_path / "monitoring.db")) as base:
        [(completed,)] = base.execute("select tasks_completed_count from workflow")
        [(seconds,)] = base.execute(
            "select sum(julianday(task_try_time_returned) - julianday(task_try_time_running)) * 86400 from try"
        )
    [folder] = convert(tmp_path / "monitoring.db")
    tasks = tasks_of(folder)
    done = {item for item, status in zip(tasks["item"], tasks["status"], strict=True) if status == "ok"}
    assert len(done) == completed == 8
    assert sum(tasks["wall"]) / 1e6 == pytest.approx(seconds, abs=0.01)
    assert sorted(tasks["status"]) == ["failed"] * 3 + ["ok"] * 8  # each of the two that raised, and its repetition
    failures = {(row["task"], row["exception"]): row for row in ask(folder, "failures")}
    assert failures["flaky", "ValueError"]["recovered"] == 1
    assert failures["broken", "OSError"]["attempts"] == 2
    assert all(peak > 10_000_000 for peak in tasks.get("rss_peak", []) if peak is not None)
