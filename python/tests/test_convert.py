"""Runs made of what others keep, by tables and counts that can be checked by hand."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cremascope.conversion import convert
from tests.conftest import RECORDED, native

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


SCRAPED = RECORDED / "dask-metrics"


@pytest.fixture
def scrapes(tmp_path: Path) -> Path:
    """What a scheduler and two workers said at 0, 10, 20 and 30 s; a worker was retired before the last (tests/data)."""
    folder = tmp_path / "metrics"
    folder.mkdir()
    for file in SCRAPED.iterdir():
        shutil.copy(file, folder)
        when = T0.timestamp() + 10 * int(file.stem[-1])
        os.utime(folder / file.name, (when, when))
    return folder


def part_of(folder: Path) -> dict[str, Any]:
    part: dict[str, Any] = json.loads(gzip.decompress((folder / "tasks-000000.json.gz").read_bytes()))
    return part


def test_metrics_of_dask_have_states_workers_and_memory(scrapes: Path) -> None:
    [folder] = convert(scrapes)
    part, index = part_of(folder), json.loads((folder / "tasks.json").read_text())
    assert (index["begin"], index["until"]) == (T0.timestamp(), T0.timestamp() + 30)
    workers = [(one["worker"], one["begin"] - index["begin"], one["end"] - index["begin"]) for one in index["workers"]]
    assert workers == [("worker-0-0", 0, 30), ("worker-1-0", 0, 20)]
    assert [one["threads"] for one in index["workers"]] == [1, 1]
    machine = part["machine"]
    names = [part["strings"][worker] for worker in machine["worker"]]
    assert names == ["scheduler"] * 4 + ["worker-0-0"] * 4 + ["worker-1-0"] * 3
    assert machine["wall"][4:8] == [0, 10_000_000, 10_000_000, 10_000_000]
    assert machine["rss"][4:8] == [65_200_128, 67_297_280, 69_263_360, 75_403_264]  # process_resident_memory_bytes
    assert sum(machine["own"][4:8]) == 170_000  # process_cpu_seconds_total: from 0.48 to 0.65
    assert tasks_of(folder) == {}  # no task is told
    states = json.loads(gzip.decompress((folder / "transitions.json.gz").read_bytes()))
    before = {states["names"][state]: count for state, _, count in states["before"]}
    assert before == {"processing": 6, "queued": 2, "waiting": 1}
    changes = part["changes"]
    assert [part["strings"][change] for change in changes["change"]] == ["removed"]
    assert "worker" not in changes  # nobody says which
    assert (changes["begin"], changes["workers"]) == ([30_000_000], [1])


def test_metrics_of_dask_say_what_they_cannot_tell(scrapes: Path) -> None:
    [folder] = convert(scrapes)
    notes = " ".join(row["message"] for row in ask(folder, "quality"))
    assert "do not say which task ran when" in notes
    assert "2 workers at first, 2 at most, 1 at the end" in notes
    assert "by the scheduler's counts: 2 of fail; why is not told" in notes
    states = {row["state"]: row for row in ask(folder, "task_states")}
    # dask_scheduler_prefix_state_totals: all that ever were; of `waiting` one was left at the first moment, and one came
    entered = {state: row["entered"] for state, row in states.items()}
    assert entered == {"processing": 9, "memory": 5, "erred": 2, "queued": 2, "waiting": 2}
    assert states["processing"]["most"] == 6
    assert ask(folder, "failures") == []
    told = subprocess.run([native(), "ask", str(folder), "failures"], capture_output=True, text=True, check=True).stdout
    assert "A worker left (unknown), at 30 s" in told
    assert [(row["worker"], row["reason"]) for row in ask(folder, "worker_changes")] == [(None, "unknown")]
    ticks = ask(folder, "timeline")
    assert [row["memory_max"] for row in ticks] == [67_297_280, 69_263_360, 75_403_264]
    assert all(row["executing_tasks"] is None for row in ticks)  # unknown, and not 0
    assert all(row["cpus_others"] is None for row in ask(folder, "machines"))
    budget = {row["part"]: row["core_seconds"] for row in ask(folder, "budget")}
    assert budget["available"] == pytest.approx(50)  # one thread for 30 s, one for 20 s


def test_metrics_that_prometheus_collected_have_its_names_and_times(tmp_path: Path) -> None:
    """As of /federate: a worker at 0 and another at 4 s, the scheduler at 0 s. Lines of no meaning count nothing."""
    when = int(T0.timestamp() * 1000)
    (tmp_path / "federate.txt").write_text(
        f"""# TYPE dask_worker_threads untyped
dask_worker_threads{{instance="a}}\\"b:1",job="d"}} 2 {when}
dask_worker_threads{{instance="c:1",job="d"}} 1 {when + 4000}
dask_worker_memory_bytes{{instance="c:1",type="managed"}} 1e3 {when + 4000}
dask_worker_memory_bytes{{instance="c:1",type="unmanaged"}} 2e3 {when + 4000}
dask_worker_latency_seconds{{instance="c:1"}} NaN {when + 4000}
dask_scheduler_workers{{instance="s:1",state="idle"}} 2 {when}
dask_scheduler_tasks{{instance="s:1",state="waiting"}} +Inf {when}
dask_scheduler_tasks{{instance="s:1",state="no-worker"}} 9007199254740992 {when}
no sample at all
dask_worker_threads{{instance="c:1
"""
    )
    [folder] = convert(tmp_path / "federate.txt")
    part, index = part_of(folder), json.loads((folder / "tasks.json").read_text())
    assert (index["begin"], index["until"]) == (T0.timestamp(), T0.timestamp() + 4)
    assert [(one["worker"], one["threads"]) for one in index["workers"]] == [('a}"b:1', 2), ("c:1", 1)]
    assert dict(zip([part["strings"][one] for one in part["machine"]["worker"]], part["machine"]["rss"], strict=True)) == {
        "scheduler": None,
        'a}"b:1': None,
        "c:1": 3000,
    }
    assert any("stand behind the values" in note for note in index["notes"])
    states = json.loads(gzip.decompress((folder / "transitions.json.gz").read_bytes()))
    assert states["before"] == [[states["names"].index("no-worker"), -1, 2**53]]


def scheduler_at(folder: Path, seconds: int, text: str) -> None:
    file = folder / f"scheduler-{seconds}.prom"
    file.write_text(text)
    os.utime(file, (T0.timestamp() + seconds, T0.timestamp() + seconds))


def test_of_many_changes_of_states_the_last_are_kept(tmp_path: Path) -> None:
    scheduler_at(tmp_path, 0, 'dask_scheduler_tasks{state="waiting"} 5\n')
    scheduler_at(tmp_path, 1, 'dask_scheduler_tasks{state="waiting"} 9e15\n')
    scheduler_at(tmp_path, 2, 'dask_scheduler_tasks{state="waiting"} 8999999999999999\n')
    [folder] = convert(tmp_path, tmp_path / "run")
    states = json.loads(gzip.decompress((folder / "transitions.json.gz").read_bytes()))
    assert len(states["transitions"]) == 100_000
    assert states["forgotten"] == 9 * 10**15 - 5 + 1 - 100_000
    assert states["before"] == [[1, -1, 9 * 10**15 - 99_999]]  # 99,999 came after
    assert states["transitions"][-1] == [2, -1, 1, 0, -1, -1, -1]


def test_ticks_that_are_missing_are_the_lag_of_the_event_loop(tmp_path: Path) -> None:
    scheduler_at(tmp_path, 0, "dask_scheduler_tick_count_total 100\ndask_scheduler_tick_duration_maximum_seconds 0.01\n")
    scheduler_at(tmp_path, 10, "dask_scheduler_tick_count_total 500\ndask_scheduler_tick_duration_maximum_seconds 0.5\n")
    scheduler_at(tmp_path, 20, "dask_scheduler_tick_count_total 1001\ndask_scheduler_tick_duration_maximum_seconds 0.02\n")
    [folder] = convert(tmp_path, tmp_path / "run")
    machine = part_of(folder)["machine"]
    assert machine["lag"] == [None, 2_000_000, 0]  # 400 ticks of 20 ms are 8 s of 10
    assert machine["longest_lag"] == [None, 480_000, None]  # seen, or unknown


def test_a_scheduler_that_began_anew_counts_from_0(tmp_path: Path) -> None:
    scheduler_at(tmp_path, 0, "dask_scheduler_workers_added_total 5\ndask_scheduler_workers 5\n")
    scheduler_at(tmp_path, 9, "dask_scheduler_workers_added_total 2\ndask_scheduler_workers 2\n")
    [folder] = convert(tmp_path, tmp_path / "run")
    assert part_of(folder)["changes"]["workers"] == [1, 2]


def test_workers_that_cannot_be_told_apart_are_left_out_and_logs_beside_are_a_run_of_their_own(tmp_path: Path) -> None:
    for number in range(2):  # as on macOS, where a process does not say when it began
        (tmp_path / f"worker-{number}.prom").write_text("dask_worker_threads 4\n")
    (tmp_path / "log.txt").write_text("2026-05-01 12:00:00,000 - distributed.scheduler - INFO - State start\n")
    logs, metrics = convert(tmp_path, tmp_path / "run")
    assert metrics.name == f"{logs.name}-metrics"
    index = json.loads((metrics / "tasks.json").read_text())
    assert index["workers"] == []
    assert "2 readings of workers do not say of which process they are, and are left out" in index["notes"]


def test_damaged_metrics_are_read_as_far_as_they_are_sound(tmp_path: Path) -> None:
    whole = (SCRAPED / "scheduler-2.prom").read_bytes()
    chance = random.Random(5)
    for number in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 40)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        (tmp_path / "scheduler-1.prom").write_bytes(damaged[: chance.randrange(len(damaged))])
        with suppress(ValueError):  # whatever else it raises is wrong
            convert(tmp_path / "scheduler-1.prom", tmp_path / str(number))
