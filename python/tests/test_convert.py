"""Runs made of Parsl's monitoring, by tables that can be checked by hand."""

from __future__ import annotations

import gzip
import json
import pickle
import random
import sqlite3
import subprocess
import sys
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cremascope.convert import convert
from tests.conftest import native

T0 = datetime(2026, 5, 1, 12, 0, 0)


def at(seconds: float | None) -> str | None:
    return None if seconds is None else str(T0 + timedelta(seconds=seconds))


def database(path: Path, *, ended: bool = True) -> Path:
    """Two workers on one node, there from 0 to 20 s.

    Task 0 runs from 2 to 5 s; task 1 fails at 4 s after 2 s and succeeds from 6 to 9 s, with 300 MB at most;
    task 2 depends on what failed for good and never ran; task 3 ran from 10 s on, nobody says until when.
    """
    base = sqlite3.connect(path)
    base.executescript(
        """
        create table workflow (run_id, workflow_name, time_began, time_completed, host, user, rundir, tasks_completed_count);
        create table task (task_id, run_id, task_func_name, task_time_invoked, task_fail_count);
        create table "try" (try_id, task_id, run_id, block_id, hostname, task_executor, task_try_time_launched,
          task_try_time_running, task_try_time_returned, task_fail_history, task_joins);
        create table status (task_id, task_status_name, timestamp, run_id, try_id);
        create table resource (try_id, task_id, run_id, timestamp, psutil_process_memory_resident);
        create table node (run_id, hostname, uid, block_id, cpu_count, total_memory, active, worker_count, timestamp,
          last_heartbeat);
        """
    )
    rows: dict[str, list[tuple[Any, ...]]] = {
        "workflow": [("r", "toy.py", at(0), at(20) if ended else None, "head", "me", "runinfo/000", 2)],
        "task": [
            (0, "r", "fill", at(1), 0),
            (1, "r", "fill", at(1), 1),
            (2, "r", "merge", at(1), 1),
            (3, "r", "fill", at(1), 0),
        ],
        "try": [
            (0, 0, "r", 0, "node-1", "htex", at(1), at(2), at(5), None, None),
            (0, 1, "r", 0, "node-1", "htex", at(1), at(2), at(4), "ValueError('no jets')", None),
            (1, 1, "r", 0, "node-1", "htex", at(5), at(6), at(9), None, None),
            (0, 2, "r", None, None, "htex", at(9), None, None, "DependencyError(...)", None),
            (0, 3, "r", 0, "node-1", "htex", at(9), at(10), None, None, None),
        ],
        "status": [
            (0, "exec_done", at(5), "r", 0),
            (1, "fail_retryable", at(4), "r", 0),
            (1, "exec_done", at(9), "r", 1),
            (2, "dep_fail", at(9), "r", 0),
            (3, "running", at(10), "r", 0),
        ],
        "resource": [(1, 1, "r", at(7), 200_000_000), (1, 1, "r", at(9), 300_000_000)],
        "node": [("r", "node-1", "a", 0, 4, 8_000_000_000, 1, 2, at(0), at(20))],
    }
    for table, values in rows.items():
        marks = ",".join("?" * len(values[0]))
        base.executemany(f'insert into "{table}" values ({marks})', values)
    base.commit()
    base.close()
    return path


def tasks_of(folder: Path) -> dict[str, list[Any]]:
    """The columns of the only part, texts as texts."""
    index = json.loads((folder / "tasks.json").read_text())
    assert len(index["parts"]) == 1
    part = json.loads(gzip.decompress((folder / index["parts"][0]["name"]).read_bytes()))
    texts = {"kind", "executor", "function", "host", "worker", "status", "error", "message", "item"}
    return {
        name: [None if value is None else part["strings"][value] for value in column] if name in texts else column
        for name, column in part["tasks"].items()
    }


def ask(folder: Path, question: str) -> list[dict[str, Any]]:
    told = subprocess.run([native(), "ask", str(folder), question, "--json"], capture_output=True, text=True, check=True)
    columns = {column["name"]: column["values"] for column in json.loads(told.stdout)["columns"]}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_attempts_of_parsl_are_rows(tmp_path: Path) -> None:
    [folder] = convert(database(tmp_path / "monitoring.db"))
    assert folder == tmp_path / "monitoring-run"
    tasks = tasks_of(folder)
    assert tasks["status"] == ["ok", "failed", "ok", "lost"]  # the second task's inputs had failed: it never ran
    assert tasks["wall"] == [3_000_000, 2_000_000, 3_000_000, None]
    assert tasks["error"] == [None, "ValueError", None, None]
    assert tasks["message"] == [None, "no jets", None, None]
    assert tasks["attempt"] == [1, 1, 2, 1]
    assert tasks["item"][1] == tasks["item"][2] != tasks["item"][0]
    assert tasks["rss_peak"] == [None, None, 300_000_000, None]
    index = json.loads((folder / "tasks.json").read_text())
    assert index["until"] - index["begin"] == 20
    assert [(worker["worker"], worker["threads"]) for worker in index["workers"]] == [("node-1", 2)]


def test_what_was_not_monitored_is_said_and_not_zero(tmp_path: Path) -> None:
    path = database(tmp_path / "monitoring.db", ended=False)
    base = sqlite3.connect(path)
    base.executescript("drop table resource; delete from node;")
    base.close()
    [folder] = convert(path, tmp_path / "out")
    tasks, index = tasks_of(folder), json.loads((folder / "tasks.json").read_text())
    assert tasks["status"] == ["ok", "failed", "ok"]  # the last still runs, as the workflow does
    assert "rss_peak" not in tasks
    assert index["state"] == "running"
    assert index["workers"] == []
    assert any("how many cores" in note for note in index["notes"])
    assert any("resource monitoring" in note for note in index["notes"])


def test_converted_runs_are_not_written_over_and_other_files_are_refused(tmp_path: Path) -> None:
    path = database(tmp_path / "monitoring.db")
    convert(path)
    with pytest.raises(ValueError, match="holds a recording"):
        convert(path)
    (tmp_path / "other.db").write_bytes(b"no database")
    with pytest.raises(ValueError, match="no database"):
        convert(tmp_path / "other.db")
    sqlite3.connect(tmp_path / "empty.db").executescript("create table a (b)")
    with pytest.raises(ValueError, match="lacks its tables"):
        convert(tmp_path / "empty.db")


def test_the_core_reads_what_was_converted(tmp_path: Path) -> None:
    [folder] = convert(database(tmp_path / "monitoring.db"))
    budget = {row["part"]: row["core_seconds"] for row in ask(folder, "budget")}
    assert budget["available"] == pytest.approx(40)  # two workers for 20 s
    [failure] = [row for row in ask(folder, "failures") if row["exception"]]
    assert (failure["exception"], failure["message"], failure["attempts"]) == ("ValueError", "no jets", 1)
    assert failure["recovered"] == 1
    [memory] = ask(folder, "memory")
    assert memory["memory"] == 300_000_000


def test_reports_of_graphed_say_how_long_tasks_took_and_how_they_failed(tmp_path: Path) -> None:
    def task(key: int, state: str, seconds: float | None, error: str | None = None) -> dict[str, Any]:
        return {
            "key": key,
            "partition": f"/d/a.root:Events:{key}000-{key + 1}000",
            "worker": "w1",
            "state": state,
            "duration_s": seconds,
            "error": error,
        }

    tasks = [task(0, "finished", 2.0), task(1, "errored", 0.5, "ValueError: no jets"), task(2, "submitted", None)]
    report = {"version": 1, "outcome": "failed", "n_partitions": 3, "wall_s": 4.0, "tasks": tasks, "environment_digest": "x"}
    (tmp_path / "report.json").write_text(json.dumps(report))
    [folder] = convert(tmp_path / "report.json")
    rows = tasks_of(folder)
    assert rows["status"] == ["ok", "failed", "lost"]
    assert rows["wall"] == [2_000_000, 500_000, None]
    assert "begin" not in rows  # nobody says when
    index = json.loads((folder / "tasks.json").read_text())
    assert index["until"] - index["begin"] == pytest.approx(4)
    assert any("not when" in note for note in index["notes"])
    assert any("not when" in row["message"] for row in ask(folder, "quality"))
    failures = {row["exception"]: row for row in ask(folder, "failures")}
    failure = failures["ValueError"]
    assert (failure["message"], failure["core_seconds"], failure["file"], failure["entry_start"]) == (
        "no jets",
        0.5,
        "/d/a.root",
        1000,
    )
    assert ask(folder, "progress")[0]["done"] == 1
    assert all(part["core_seconds"] is None for part in ask(folder, "budget"))  # nobody says how many cores there were


def test_reports_of_uproot_name_files_and_entries_of_what_could_not_be_read(tmp_path: Path) -> None:
    counters = {"num_requested_bytes": 3000, "num_requests": 4, "num_requested_chunks": 9}
    read = {"call_time": None, "duration": 0.25, "performance_counters": counters, "exception": None, "message": None}
    read |= {"args": ["'/data/a.root'", "'Events'", "0", "1000", "True"], "kwargs": [], "fqdn": None, "hostname": None}
    bad = read | {
        "call_time": 1_800_000_000_500_000_000,
        "duration": None,
        "performance_counters": None,
        "fqdn": "n",
        "hostname": "n",
    }
    bad |= {"args": ["'/data/b.root'", "'Events'", "1000", "2000", "True"], "exception": "OSError", "message": "Expired\nat …"}
    (tmp_path / "report.json").write_text(json.dumps([read, bad]))
    [folder] = convert(tmp_path / "report.json")
    rows = tasks_of(folder)
    assert rows["wall"] == [250_000, None]
    assert rows["requested_bytes"] == [3000, None]
    [failure] = ask(folder, "failures")
    assert (failure["file"], failure["entry_start"], failure["entry_stop"]) == ("/data/b.root", 1000, 2000)
    assert (failure["exception"], failure["message"]) == ("OSError", "Expired")
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(ValueError, match="no report"):
        convert(tmp_path / "other.json")


def test_reports_by_dataset_name_it(tmp_path: Path) -> None:
    counters = {"num_requested_bytes": 3000, "num_requests": 4, "num_requested_chunks": 9}
    read = {"call_time": None, "duration": 0.25, "performance_counters": counters, "exception": None, "message": None}
    read |= {"args": ["'/data/a.root'", "'Events'", "0", "1000", "True"], "kwargs": [], "fqdn": None, "hostname": None}
    (tmp_path / "reports.json").write_text(json.dumps({"muons": [read], "ttbar": [read, read]}))
    [folder] = convert(tmp_path / "reports.json")
    rows = tasks_of(folder)
    assert rows["requested_bytes"] == [3000, 3000, 3000]
    part = json.loads(gzip.decompress((folder / "tasks-000000.json.gz").read_bytes()))
    assert [part["strings"][name] for name in rows["dataset"]] == ["muons", "ttbar", "ttbar"]


METRICS = {"bytesread": 3000, "entries": 400, "processtime": 2.5, "columns": {"pt", "eta"}, "chunks": 4}


class Histogram:
    """Of an analysis that nobody who converts has; its pickle ends the program that runs it."""

    def __init__(self) -> None:
        self.values = [1, 2]

    def __reduce__(self) -> Any:
        return sys.exit, ("it was run",), {"values": self.values}


@pytest.mark.parametrize("content", [METRICS, ({"h": [Histogram()]}, METRICS), {"out": Histogram(), "metrics": METRICS}])
def test_metrics_of_coffea_are_found_in_a_pickle_of_which_nothing_is_run(tmp_path: Path, content: Any) -> None:
    (tmp_path / "output.pkl").write_bytes(pickle.dumps(content))
    [folder] = convert(tmp_path / "output.pkl")
    assert json.loads((folder / "report.json").read_text()) == METRICS | {"columns": ["eta", "pt"]}
    summary = {row["id"]: row["value"] for row in ask(folder, "summary")}
    assert (summary["report_num_chunks"], summary["total_events"]) == (4, 400)


def test_pickles_without_metrics_and_broken_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "output.pkl").write_bytes(pickle.dumps({"h": Histogram()}))
    with pytest.raises(ValueError, match="holds no metrics of coffea"):
        convert(tmp_path / "output.pkl")
    whole = pickle.dumps(METRICS)
    for end in range(1, len(whole)):
        (tmp_path / "output.pkl").write_bytes(whole[:end])
        with pytest.raises(ValueError, match="cannot be read"):
            convert(tmp_path / "output.pkl")

    chance = random.Random(3)
    for _ in range(2_000):
        damaged = bytearray(pickle.dumps(({"h": Histogram()}, METRICS), protocol=chance.choice((2, 5))))
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(1, len(damaged))] = chance.randrange(256)
        (tmp_path / "output.pkl").write_bytes(damaged)
        with suppress(ValueError):  # whatever else it raises is wrong
            convert(tmp_path / "output.pkl")
