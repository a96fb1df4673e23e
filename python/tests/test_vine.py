"""What the log of TaskVine's manager tells beside the tasks themselves, by a log that can be checked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cremascope.vine import ManagerLog, raised


def line(seconds: float, event: str) -> str:
    return f"{int(seconds * 1e6)} 77 {event}\n"


def log_of(folder: Path, since: float = 0) -> Any:
    """The log, and what adds lines to it."""
    (folder / "transactions").write_text("# time manager_pid MANAGER manager_pid START|END time_from_origin\n")

    def write(*lines: str) -> None:
        with (folder / "transactions").open("a") as file:
            file.writelines(lines)

    return ManagerLog(str(folder), since), write


def test_an_attempt_that_goes_with_its_worker_has_a_row(tmp_path: Path) -> None:
    log, write = log_of(tmp_path)
    (tmp_path / "debug").write_text("… vine: rx from node (10.0.0.1:9000): info vacating 15\n")
    write(
        line(1, "WORKER w1 CONNECTION 10.0.0.1:9000"),
        line(1, "WORKER w2 CONNECTION 10.0.0.2:9000"),
        line(2, 'TASK 1 READY processing FIRST_RESOURCES 1 {"cores":[1,"cores"]}'),
        line(3, 'TASK 1 RUNNING w1  FIRST_RESOURCES {"cores":[1,"cores"]}'),
    )
    assert log.follow() == []
    assert list(log.changes()) == []  # neither worker has said its name yet
    write(line(5, "WORKER w1 DISCONNECTION FAILURE"), line(5, "TASK 1 READY processing FIRST_RESOURCES 2 {}"))
    lost = {"status": "lost", "error": "WorkerLost", "message": "signal-15", "worker": "w1", "begin": 3, "wall": 2}
    assert log.follow() == [(1, lost)]
    assert [(change["change"], change["reason"], change["workers"]) for change in log.changes()] == [
        ("added", None, 1),
        ("removed", "signal-15", 1),
    ]
    write(line(6, "TASK 1 RUNNING w2  FIRST_RESOURCES {}"), line(8, 'TASK 1 RETRIEVED SUCCESS  0  {} {"memory":[10,"MB"]}'))
    assert log.follow() == []
    log.learn(1, {"host": "node2", "pid": 9, "worker": "vine_worker-9"})
    assert log.end(1)["status"] == "ok"
    assert [(change["worker"], change["begin"]) for change in log.changes()] == [("node2/9", 1)]


def test_what_was_before_the_recording_is_not_told(tmp_path: Path) -> None:
    log, write = log_of(tmp_path, since=10)
    for begin in (1, 11):  # worker 2 stays, worker 1 comes, leaves with its task, and comes again
        write(
            *[line(1, "WORKER w2 CONNECTION 10.0.0.2:9000")] * (begin == 1),
            line(begin, "WORKER w1 CONNECTION 10.0.0.1:9000"),
            line(begin + 1, f"TASK {begin} RUNNING w1  FIRST_RESOURCES {{}}"),
            line(begin + 2, "WORKER w1 DISCONNECTION FAILURE"),
            line(begin + 2, f"TASK {begin} READY processing FIRST_RESOURCES 2 {{}}"),
        )
    assert [(task, row["begin"]) for task, row in log.follow()] == [(11, 12)]
    assert [(change["begin"], change["change"], change["workers"]) for change in log.changes()] == [
        (11, "added", 2),
        (13, "removed", 1),
    ]


def test_a_task_that_fills_its_sandbox_is_given_back_by_a_worker_that_stays(tmp_path: Path) -> None:
    log, write = log_of(tmp_path)
    (tmp_path / "debug").write_text("… vine: Task 1 exhausted disk sandbox on node (10.0.0.1:9000).\n")
    for task in (1, 2):
        write(
            line(2, f"TASK {task} RUNNING w1  FIRST_RESOURCES {{}}"),
            line(4, f"TASK {task} READY processing MAX_RESOURCES 2 {{}}"),
        )
    assert [(task, row["status"], row["error"]) for task, row in log.follow()] == [
        (1, "failed", "SANDBOX_EXHAUSTION"),
        (2, "lost", "Requeued"),
    ]


def test_what_the_manager_does_again_by_itself_is_told(tmp_path: Path) -> None:
    log, write = log_of(tmp_path, since=1)
    (tmp_path / "debug").write_text(
        "… vine: Submitted recovery task 7 (python3 w_a f_a) to re-create lost temporary file temp-1.\n"
    )
    write(
        line(1, "WORKER w1 CONNECTION 10.0.0.1:9000"),
        line(5, "WORKER w1 DISCONNECTION FAILURE"),
        line(6, "TASK 7 RUNNING w2  FIRST_RESOURCES {}"),
        line(8, "TASK 7 RETRIEVED SUCCESS  0  {} {}"),
        line(6, "TASK 2 RUNNING w3  FIRST_RESOURCES {}"),
        line(9, "TASK 2 RETRIEVED SUCCESS  0  {} {}"),
    )
    assert log.follow() == []
    assert list(log.done_again({2}.__contains__)) == [(7, {"status": "ok", "worker": "w2", "begin": 6, "wall": 2})]
    assert log.again == {7: "python3 w_a f_a"}
    assert list(log.done_again({2}.__contains__)) == []


def test_limits_and_signals_are_told_by_the_manager(tmp_path: Path) -> None:
    log, write = log_of(tmp_path)
    results = {
        1: 'RESOURCE_EXHAUSTION  147  {"memory":[1000,"MB"]} {"cpu_time":[1,"s"],"memory":[1500,"MB"]}',
        2: 'SIGNAL  9  {} {"memory":[10,"MB"]}',
        3: "MAX_WALL_TIME  9  {} {}",
        4: "SUCCESS  1  {} {}",
        5: "SUCCESS  137  {} {}",
        6: "SUCCESS  193  {} {}",  # there are 64 signals
    }
    for task, result in results.items():
        write(line(1, f"TASK {task} RUNNING w1  FIRST_RESOURCES {{}}"), line(2, f"TASK {task} RETRIEVED {result}"))
    assert log.follow() == []
    told = {task: log.end(task) for task in results}
    assert {task: (row["error"], row["message"]) for task, row in told.items()} == {
        1: ("RESOURCE_EXHAUSTION", "memory 1000 MB"),
        2: ("SIGNAL", "signal 9"),
        3: ("MAX_WALL_TIME", "exit code 9"),
        4: ("exit code 1", ""),
        5: ("exit code 137", "as of signal 9"),
        6: ("exit code 193", ""),
    }
    assert told[1]["rss_peak"] == 1500 * 1048576
    assert "rss_peak" not in told[2]  # what the task was given, and not what it took
    assert log.end(1) is None


def test_a_program_that_fails_before_it_can_tell_is_told_by_its_last_words() -> None:
    output = (
        "Traceback (most recent call last):\n  File \"w_1\", line 9, in <module>\nModuleNotFoundError: No module named 'mine'\n"
    )
    assert raised(output) == {"error": "ModuleNotFoundError", "message": "No module named 'mine'"}
    assert raised("lz4.Frame: no") == {}
