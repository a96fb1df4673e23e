"""The same small analysis under coffea's executors, recorded: results as without, and a row for all that ran."""

from __future__ import annotations

import concurrent.futures
import gc
import gzip
import http.server
import json
import os
import pickle
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import psutil
import pytest
import uproot
from coffea import processor
from coffea.nanoevents import BaseSchema

import cremascope as crema
from cremascope import parts

from ..conftest import ROOT, native
from ..test_columns import Parts, ask, check, check_flame

SCHEMAS = ROOT / "docs" / "schema"
FILES, EVENTS, CHUNK = 3, 4000, 1000
CHUNKS = FILES * EVENTS // CHUNK


@pytest.fixture(scope="module")
def fileset(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Files with 4 baskets for each branch of a TTree; one chunk is as long as a basket, but not as one of ``eta``."""
    folder = tmp_path_factory.mktemp("files")
    random = np.random.default_rng(7)
    found: dict[str, Any] = {"data": {"files": {}}, "signal": {"files": {}}}
    for number in range(FILES):
        path = folder / f"events_{number}.root"
        with uproot.recreate(path, compression=uproot.ZSTD(3)) as file:
            file.mktree("Events", {"pt": "float64", "eta": "float32", "charge": "int32"})
            for first in range(0, EVENTS, 800):
                count = min(800, EVENTS - first)
                columns = {"pt": random.exponential(30, count), "eta": random.normal(0, 2, count).astype("f4")}
                file["Events"].extend(columns | {"charge": np.ones(count, "i4")})
        found["signal" if number == 0 else "data"]["files"][str(path)] = "Events"
    return found


def counted(fileset: Any) -> dict[str, int]:
    """What the analysis finds, by the files alone."""
    files = [file for dataset in fileset.values() for file in dataset["files"]]
    pt, eta = (
        np.concatenate([uproot.open(file)["Events"][name].array(library="np") for file in files]) for name in ("pt", "eta")
    )
    return {"events": len(pt), "selected": int((pt > 20).sum()), "central": int((abs(eta) < 1).sum())}


def make_processor(marks: str | None = None, wrong: str = "", killed: str | None = None, pause: float = 0.1) -> Any:
    """Defined here inside, so that it travels by value. With ``marks``, a folder, each chunk fails once.

    With ``killed``, a file, the third chunk of events_2.root kills its process, once, and leaves there which and when; the
    others leave in ``done`` beside it which process has done them.
    """

    def is_deadly(about: Any) -> bool:
        return (Path(about["filename"]).name, about["entrystart"]) == ("events_2.root", 2 * CHUNK)

    class Toy(processor.ProcessorABC):  # type: ignore[misc]
        def process(self, events: Any) -> dict[str, Any]:
            about = events.metadata
            if wrong and wrong in about["filename"]:
                raise ZeroDivisionError("the file is wrong\nand more")
            if marks is not None:
                mark = Path(marks) / f"{Path(about['filename']).name}-{about['entrystart']}"
                if not mark.exists():
                    mark.touch()
                    raise ValueError("the first time it fails")
            if killed is not None and not Path(killed).exists() and is_deadly(about):
                time.sleep(0.5)
                Path(killed).write_text(f"{os.getpid()} {time.time()}")
                os.kill(os.getpid(), signal.SIGKILL)
            pt, eta = np.asarray(events.pt), np.asarray(events.eta)
            time.sleep(pause)
            if killed is not None:
                with Path(killed).with_name("done").open("a") as done:
                    done.write(f"{os.getpid()} {about['filename']} {about['entrystart']}\n")
            return {"events": len(pt), "selected": int((pt > 20).sum()), "central": int((abs(eta) < 1).sum())}

        def postprocess(self, accumulator: Any) -> Any:
            return accumulator

    return Toy()


@contextmanager
def iterative(_: Path, **options: Any) -> Iterator[Any]:
    yield processor.IterativeExecutor(status=False, **options)


@contextmanager
def futures(_: Path, **options: Any) -> Iterator[Any]:
    yield processor.FuturesExecutor(workers=2, status=False, **options)


@contextmanager
def merging(_: Path, **options: Any) -> Iterator[Any]:
    yield processor.FuturesExecutor(workers=2, status=False, merging=(2, 2, 4), mergepool=1, **options)


@contextmanager
def threads(_: Path, **options: Any) -> Iterator[Any]:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        yield processor.FuturesExecutor(pool=pool, status=False, **options)


@contextmanager
def dask(_: Path, **options: Any) -> Iterator[Any]:
    import distributed

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield processor.DaskExecutor(client=client, status=False, **options)


@contextmanager
def parsl(folder: Path, **options: Any) -> Iterator[Any]:
    import parsl as library
    from parsl.executors import HighThroughputExecutor
    from parsl.providers import LocalProvider

    scripts = str(Path(sys.executable).parent)  # where Parsl's own programs are
    os.environ["PATH"] = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    provider = LocalProvider(init_blocks=1, max_blocks=1)
    pool = HighThroughputExecutor(label="toy", max_workers_per_node=2, provider=provider, address="127.0.0.1")
    library.load(library.Config(executors=[pool], run_dir=str(folder / "runinfo")))
    try:
        yield processor.ParslExecutor(status=False, **options)
    finally:
        library.dfk().cleanup()
        library.clear()


EXECUTORS: list[Callable[..., Any]] = [iterative, futures, merging, threads, dask, parsl]


def run(executor: Any, fileset: Any, toy: Any, **options: Any) -> Any:
    return runner_of(executor, **options)(fileset, processor_instance=toy, treename="Events")


def runner_of(executor: Any, **options: Any) -> Any:
    settings = {"schema": BaseSchema, "chunksize": CHUNK, "savemetrics": True, "metadata_cache": {}} | options
    return processor.Runner(executor=executor, **settings)


def settings_of(executor: Any) -> dict[str, Any]:
    """What the user set: ``heavy_input`` is the pickled processor, which coffea makes anew for each run."""
    return {name: value for name, value in vars(executor).items() if name != "heavy_input"}


def contents_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The parts of a recording."""
    index = json.loads((folder / "tasks.json").read_text())
    jsonschema.validate(index, json.loads((SCHEMAS / "task_index.json").read_text()))
    for listed in index["parts"]:
        content = json.loads(gzip.decompress((folder / listed["name"]).read_bytes()))
        jsonschema.validate(content, json.loads((SCHEMAS / "tasks.json").read_text()))
        yield content


def parts_of(folder: Path) -> Iterator[dict[str, list[dict[str, Any]]]]:
    """The tables of each part of a recording, by rows, with texts and seconds."""
    for content in contents_of(folder):

        def plain(name: str, value: Any, content: dict[str, Any] = content) -> Any:
            if value is None:
                return None
            if name == "begin":
                return content["epoch"] + value / 1e6
            return content["strings"][value] if name in parts.TEXTS else value / 1e6 if name in parts.SECONDS else value

        yield {
            table: [
                {name: plain(name, value) for name, value in zip(columns, values, strict=True)}
                for values in zip(*columns.values(), strict=True)
            ]
            for table, columns in content.items()
            if table in parts.TABLES
        }


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """The rows of a recording, each with its branches."""
    found = []
    for tables in parts_of(folder):
        for place, row in enumerate(tables["tasks"]):
            row["branches"] = {one["branch"]: one for one in tables["branches"] if one["task"] == place}
            found.append(row)
    return found


def stacks_of(tables: dict[str, list[dict[str, Any]]], table: str = "client") -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Each row of what was seen, with the names of its functions, innermost first."""
    for row in tables[table]:
        call, names = row["call"], []
        while call is not None:
            names.append(tables["functions"][tables["calls"][call]["called"]]["name"])
            call = tables["calls"][call].get("caller")
        yield row, names


@contextmanager
def recording(out: Path | str, **options: Any) -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(out, **options) as recorded:
            yield recorded


@pytest.mark.parametrize("make", EXECUTORS)
def test_results_are_the_same_and_every_task_has_a_row(make: Any, fileset: Any, tmp_path: Path) -> None:
    toy = make_processor()
    with make(tmp_path) as executor:
        expected, _ = run(executor, fileset, toy)
        before, called = settings_of(executor), type(executor).__call__
        for _ in range(3):  # coffea's clock and ours are read one after the other: not thrice on a busy machine
            with recording(tmp_path / "run"):
                output, report = run(executor, fileset, toy)
            rows = rows_of(tmp_path / "run")
            seconds = sum(row["process_wall"] for row in rows if row["kind"] == "chunk")
            if seconds == pytest.approx(report["processtime"], rel=0.01):
                break
        else:
            pytest.fail(f"three times {seconds} s of process() instead of {report['processtime']} s")
        assert settings_of(executor) == before
        assert type(executor).__call__ is called
    assert output == expected == counted(fileset)
    assert {row["executor"] for row in rows} == {type(executor).__name__}
    assert {row["status"] for row in rows} == {"ok"}
    assert sorted(row["file"] for row in rows if row["kind"] == "file") == sorted(
        file for dataset in fileset.values() for file in dataset["files"]
    )
    chunks = [row for row in rows if row["kind"] == "chunk"]
    assert len({(row["file"], row["entry_start"]) for row in chunks}) == len(chunks) == CHUNKS
    assert {row["dataset"] for row in chunks} == {"data", "signal"}
    assert sum(row["events"] for row in chunks) == output["events"] == FILES * EVENTS
    planned = json.loads((tmp_path / "run" / "tasks.json").read_text())["planned"]
    done = Counter((row["kind"], row["dataset"]) for row in rows if row["kind"] in ("file", "chunk"))
    assert {(one["kind"], one["dataset"]): one["tasks"] for one in planned} == done
    assert sum(one.get("events", 0) for one in planned) == FILES * EVENTS
    level = None if type(executor).__name__ == "IterativeExecutor" else getattr(executor, "compression", None)
    assert {one.get("compression") for one in planned if one["kind"] == "chunk"} == {level}
    assert any(row["kind"] == "merge" for row in rows)
    # what coffea itself adds up: bytes of its sources
    assert sum(row["requested_bytes"] for row in chunks) == report["bytesread"]
    for row in chunks:
        assert row["wall"] >= row["process_wall"] >= row["read_wall"] >= 0
        assert row["wall"] >= row["open_wall"] + row["process_wall"]
        assert 0 < row["cpu"] <= row["wall"] * 1.05
        assert row["user"] + row["system"] == pytest.approx(row["cpu"], abs=0.02)
        assert row["rss_peak"] >= max(row["rss_before"], row["rss_after"]) > 5e7
        assert set(row["branches"]) == {"pt", "eta"}
        assert row["attempt"] == 1
    if make is dask:  # which has a clock and a list of tasks of its own
        assert check_flame(tmp_path / "run", Parts(tmp_path / "run")) > 0
    else:
        answered = {question for question, count in check(tmp_path / "run").items() if count > 0}
        expected = {"flame", "tasks", "chunks", "input", "branches"}
        assert answered >= (expected if make is iterative else expected | {"client"})  # the client's thread runs the tasks


def test_seconds_of_tasks_are_those_of_dask(fileset: Any, tmp_path: Path) -> None:
    with dask(tmp_path) as executor, recording(tmp_path / "run"):
        run(executor, fileset, make_processor(pause=1.0))
    stream = json.loads(gzip.decompress((tmp_path / "run" / "task_stream.json.gz").read_bytes()))
    own = [one for task in stream for one in task["startstops"] if one["action"] == "compute"]
    rows = [row for row in rows_of(tmp_path / "run") if row["worker"] != "client"]
    assert len(rows) == len(own)
    assert sum(row["wall"] for row in rows) == pytest.approx(sum(one["stop"] - one["start"] for one in own), rel=0.01)


@pytest.mark.parametrize("make", EXECUTORS)
def test_a_second_recording_knows_what_limits_the_processes_too(
    make: Any, fileset: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    with make(tmp_path) as executor:
        for name in ("first", "second"):
            with recording(tmp_path / name):
                run(executor, fileset, make_processor())
    for name in ("first", "second"):
        processes = [
            (one["host"], one["pid"], one["worker"]) for part in contents_of(tmp_path / name) for one in part["processes"]
        ]
        tasks = {(row["host"], row["pid"], row["worker"]) for row in rows_of(tmp_path / name)}
        assert set(processes) == tasks
        assert len(processes) == len(tasks)  # each once
        (settings,) = json.loads((tmp_path / name / "config.json").read_text())["settings"]
        assert settings["settings"]["NUMBA_NUM_THREADS"] == "3"


@pytest.fixture
def taskvine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Its executor, with two workers of one core."""
    pytest.importorskip("ndcctools.taskvine", reason="TaskVine is not in pip's registry")
    program = shutil.which("vine_worker") or pytest.skip("there is no vine_worker")
    for name in ("marks", "here", "staging"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # its tasks run `python`
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    # A manager leaves its port in the environment of its process as the only one there is: a worker that inherits that
    # finds none to send files from, while the manager has it, and leaves again and again.
    environment = {name: value for name, value in os.environ.items() if name not in ("TCP_LOW_PORT", "TCP_HIGH_PORT")}
    workers = [
        subprocess.Popen(
            [program, "127.0.0.1", str(port), "--cores", "1", "-s", str(tmp_path / f"worker-{number}")],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for number in range(2)
    ]
    before = signal.getsignal(signal.SIGINT)  # which coffea replaces
    try:
        yield processor.TaskVineExecutor(status=False, port=port, filepath=str(tmp_path / "staging"), retries=2)
    finally:
        signal.signal(signal.SIGINT, before)
        for worker in workers:
            with suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)  # with the process that it starts itself
            worker.wait()


def test_tasks_of_taskvine_have_rows_too(taskvine: Any, fileset: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from coffea.processor.taskvine_executor import CoffeaVine

    own: list[float] = []  # seconds that TaskVine itself counts for each task

    def wait(*args: Any, wait: Any = CoffeaVine.wait, **kwargs: Any) -> Any:
        if (task := wait(*args, **kwargs)) is not None:
            own.append(task.get_metric("time_workers_execute_last") / 1e6)
        return task

    monkeypatch.setattr(CoffeaVine, "wait", wait)
    with recording(tmp_path / "run"):
        output, report = run(taskvine, fileset, make_processor(str(tmp_path / "marks")))
    assert output == counted(fileset)
    rows = rows_of(tmp_path / "run")
    chunks = [row for row in rows if row["kind"] == "chunk"]
    assert sorted(row["status"] for row in chunks) == ["failed"] * CHUNKS + ["ok"] * CHUNKS
    assert {row["error"] for row in chunks} == {None, "ValueError"}
    assert sum(row["requested_bytes"] for row in chunks if row["status"] == "ok") == report["bytesread"]
    assert {row["kind"] for row in rows} == {"file", "chunk", "merge"}
    assert len({(row["pid"], row["worker"]) for row in chunks}) <= 2
    assert all(row["worker"].startswith("vine_worker-") for row in chunks)
    assert sum(row["wall"] for row in rows) == pytest.approx(sum(own), rel=0.01)
    first = [row for row in rows if row["attempt"] in (1, None)]
    assert all(0 < row["start_wall"] < row["wall"] for row in first)
    check(tmp_path / "run")


def test_runs_of_taskvine_after_each_other_have_rows_of_their_own(taskvine: Any, fileset: Any, tmp_path: Path) -> None:
    """The manager of the second run is older than its recording."""
    with recording(tmp_path / "first"):
        run(taskvine, fileset, make_processor())
    gc.collect()  # manager and tasks of coffea refer to each other, recorded or not: until then it has the port
    runner = runner_of(taskvine)
    items = list(runner.preprocess(fileset, treename="Events"))
    with recording(tmp_path / "second"):
        runner(items, make_processor())
    places = {(file, start) for one in fileset.values() for file in one["files"] for start in range(0, EVENTS, CHUNK)}
    for name, files, came in ("first", FILES, [1, 2]), ("second", 0, []):
        rows = rows_of(tmp_path / name)
        chunks = [row for row in rows if row["kind"] == "chunk"]
        assert {(row["file"], row["entry_start"]) for row in chunks} == places
        assert [(row["attempt"], row["status"]) for row in chunks] == [(1, "ok")] * CHUNKS
        assert sum(row["kind"] == "file" for row in rows) == files
        changes = [change for tables in parts_of(tmp_path / name) for change in tables["changes"]]
        assert sorted(change["workers"] for change in changes if change["change"] == "added") == came


@pytest.mark.parametrize("ends", ["stopped", "killed", "killed alone"])
def test_what_a_worker_of_taskvine_took_along_has_a_row_with_the_reason(
    ends: str, taskvine: Any, fileset: Any, tmp_path: Path
) -> None:
    """And what it had done is done again. The batch system stops or kills it, or the kernel kills it alone: then its transfer
    server lives on and holds the connection, and the manager waits for a sign of life, by default for a quarter of an hour.
    """

    class Evicted(processor.ProcessorABC):  # type: ignore[misc]
        def __init__(self, mark: str) -> None:
            self.mark = mark

        def process(self, events: Any) -> dict[str, int]:
            about = events.metadata
            mark = Path(self.mark)
            if Path(about["filename"]).name == "events_2.root" and about["entrystart"] == 2 * CHUNK and not mark.exists():
                time.sleep(0.5)
                mark.write_text(str(time.time()))
                own = psutil.Process()
                worker = next(one for one in own.parents() if one.name() == "vine_worker")
                if ends == "stopped":
                    worker.terminate()
                    time.sleep(60)
                beside = [one for one in worker.children() if one != own]
                for one in [worker] if ends == "killed alone" else [worker, *beside, own]:
                    one.kill()
            return {"events": len(events)}

        def postprocess(self, accumulator: Any) -> Any:
            return accumulator

    def hasten(manager: Any) -> None:
        manager.tune("keepalive-interval", 1)
        manager.tune("keepalive-timeout", 3)

    mark = tmp_path / "marks" / "evicted"
    if ends == "killed alone":
        taskvine.custom_init = hasten
    with recording(tmp_path / "run"):
        output, _ = run(taskvine, fileset, Evicted(str(mark)))
    assert output["events"] == FILES * EVENTS
    rows = rows_of(tmp_path / "run")
    [lost] = [row for row in rows if row["status"] == "lost"]
    assert (Path(lost["file"]).name, lost["entry_start"], lost["entry_stop"]) == ("events_2.root", 2 * CHUNK, 3 * CHUNK)
    reason = {"stopped": "signal-15", "killed": "FAILURE", "killed alone": "keepalive"}[ends]
    assert (lost["error"], lost["message"]) == ("WorkerLost", reason)
    [left] = [change for tables in parts_of(tmp_path / "run") for change in tables["changes"] if change["change"] == "removed"]
    assert left["reason"] == reason
    assert left["worker"] == (f"{lost['host']}/{lost['pid']}" if lost["pid"] else lost["worker"])
    assert float(mark.read_text()) < lost["begin"] + lost["wall"] < float(mark.read_text()) + 8
    done: dict[Any, list[Any]] = {}  # by which workers each chunk, in order
    for row in sorted(rows, key=lambda row: row["begin"]):
        if (row["kind"], row["status"]) == ("chunk", "ok"):
            done.setdefault((row["file"], row["entry_start"]), []).append(row["pid"])
    assert len(done) == CHUNKS
    again = {place for place, workers in done.items() if len(workers) > 1}
    assert again == {place for place, workers in done.items() if workers[0] == lost["pid"]} != set()  # their results lay there
    assert done[lost["file"], lost["entry_start"]] == [next(pid for one in done.values() for pid in one if pid != lost["pid"])]
    assert "1 task ended without a row of its own" in notes_of(tmp_path / "run")


@pytest.mark.parametrize("make", EXECUTORS)
def test_every_attempt_has_a_row_with_its_reason(make: Any, fileset: Any, tmp_path: Path) -> None:
    (tmp_path / "marks").mkdir()
    with make(tmp_path, retries=2) as executor:
        with recording(tmp_path / "run"):
            output, _ = run(executor, fileset, make_processor(str(tmp_path / "marks")))
    assert output["events"] == FILES * EVENTS
    chunks = [row for row in rows_of(tmp_path / "run") if row["kind"] == "chunk"]
    attempts = sorted((row["file"], row["entry_start"], row["attempt"], row["status"]) for row in chunks)
    places = sorted({(row["file"], row["entry_start"]) for row in chunks})
    assert attempts == [(*place, *end) for place in places for end in ((1, "failed"), (2, "ok"))]
    failed = [row for row in chunks if row["status"] == "failed"]
    assert {(row["error"], row["message"]) for row in failed} == {("ValueError", "the first time it fails")}
    assert all(row["frame"].endswith(" process") and "test_executors.py" in row["frame"] for row in failed)


@pytest.mark.parametrize("make", [iterative, futures, dask])
def test_a_checkpointer_gets_the_users_processor_and_chunks_their_times(make: Any, fileset: Any, tmp_path: Path) -> None:
    class OfProcessor(processor.SimpleCheckpointer):  # type: ignore[misc]
        def filepath(self, metadata: Any, processor_instance: Any) -> str:
            return f"{super().filepath(metadata, processor_instance)}.{type(processor_instance).__name__}"

    kept = tmp_path / "kept"
    with make(tmp_path) as executor, recording(tmp_path / "run"):
        output, _ = run(executor, fileset, make_processor(), checkpointer=OfProcessor(str(kept)))
    assert output["events"] == FILES * EVENTS
    chunks = [row for row in rows_of(tmp_path / "run") if row["kind"] == "chunk"]
    assert len(list(kept.rglob("*.Toy"))) == len(chunks) == FILES * EVENTS // CHUNK
    assert all(0 < row["process_wall"] < row["wall"] and row["events"] == CHUNK for row in chunks)


@pytest.mark.parametrize("make", [iterative, futures, dask])
def test_skipped_files_are_skipped_and_have_rows(make: Any, fileset: Any, tmp_path: Path) -> None:
    wrong = next(iter(fileset["signal"]["files"]))
    with make(tmp_path, retries=0) as executor:
        with recording(tmp_path / "run"):
            output, _ = run(executor, fileset, make_processor(wrong=wrong), skipbadfiles=(ZeroDivisionError,))
    assert output["events"] == (FILES - 1) * EVENTS
    skipped = [row for row in rows_of(tmp_path / "run") if row["status"] == "skipped"]
    assert {row["file"] for row in skipped} == {wrong}
    assert [row["entry_start"] for row in sorted(skipped, key=lambda row: row["entry_start"])] == [0, 1000, 2000, 3000]
    assert {(row["error"], row["message"]) for row in skipped} == {("ZeroDivisionError", "the file is wrong")}


@pytest.mark.parametrize("make", EXECUTORS)
def test_a_failing_run_fails_as_ever(make: Any, fileset: Any, tmp_path: Path) -> None:
    wrong = next(iter(fileset["signal"]["files"]))
    raised = []
    with make(tmp_path, retries=0) as executor:
        toy, called = make_processor(wrong=wrong), type(executor).__call__
        for block in (warnings.catch_warnings(), recording(tmp_path / "run")):
            before = settings_of(executor)
            with pytest.raises(Exception, match="the file is wrong") as caught, block:
                run(executor, fileset, toy)
            raised.append(caught.value)
        assert settings_of(executor) == before
        assert type(executor).__call__ is called
    assert type(raised[0]) is type(raised[1])
    assert "crema_rows" not in vars(raised[1])
    failed = [row for row in rows_of(tmp_path / "run") if row["status"] == "failed"]
    assert failed
    assert {(row["file"], row["error"]) for row in failed} == {(wrong, "ZeroDivisionError")}
    assert json.loads((tmp_path / "run" / "tasks.json").read_text())["state"] == "interrupted"


def test_nothing_of_uproot_and_coffea_stays_replaced(fileset: Any, tmp_path: Path) -> None:
    from coffea.nanoevents import NanoEventsFactory
    from coffea.nanoevents.mapping.uproot import UprootSourceMapping
    from coffea.processor import executor as module

    owners = [
        *(uproot, uproot.source.fsspec.FSSpecSource, uproot.models.TBasket.Model_TBasket, NanoEventsFactory),
        *(UprootSourceMapping, module, module.IterativeExecutor, uproot.models.RNTuple.Model_ROOT_3a3a_RNTuple),
    ]
    before = [dict(vars(owner)) for owner in owners]
    with recording(tmp_path / "run"):
        run(processor.IterativeExecutor(status=False), fileset, make_processor())
        assert uproot.open is not before[0]["open"]  # replaced once, and not for each task
    assert [dict(vars(owner)) for owner in owners] == before


def test_recordings_within_one_another_have_what_ran_in_each(fileset: Any, tmp_path: Path) -> None:
    executor, toy = processor.IterativeExecutor(status=False), make_processor()
    with recording(tmp_path / "outer"):
        run(executor, fileset, toy)
        with recording(tmp_path / "inner"):
            run(executor, fileset, toy)
    counts = {name: sum(row["kind"] == "chunk" for row in rows_of(tmp_path / name)) for name in ("outer", "inner")}
    assert counts == {"outer": 2 * CHUNKS, "inner": CHUNKS}


def test_the_same_name_twice(fileset: Any, tmp_path: Path) -> None:
    """After another the new one takes its place; within one another each has its own."""
    executor, toy = processor.IterativeExecutor(status=False), make_processor()
    with recording(tmp_path / "run"):
        run(executor, fileset, toy)
        run(executor, fileset, toy)
    with recording(tmp_path / "run"):
        run(executor, fileset, toy)
        # as long as it lasts, the one before is there
        assert sum(row["kind"] == "chunk" for row in rows_of(tmp_path / "run")) == 2 * CHUNKS
    assert sum(row["kind"] == "chunk" for row in rows_of(tmp_path / "run")) == CHUNKS
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    with recording(tmp_path / "new") as outer:
        with recording(tmp_path / "new") as inner:
            run(executor, fileset, toy)
    assert (outer.path, inner.path) == (tmp_path / "new", tmp_path / "new-2")
    assert all(sum(row["kind"] == "chunk" for row in rows_of(path)) == CHUNKS for path in (outer.path, inner.path))
    assert "new is being recorded into: this recording is in" in notes_of(inner.path)


def test_an_archive_has_the_rows_too(fileset: Any, tmp_path: Path) -> None:
    import zipfile

    with recording(tmp_path / "run.zip"):
        run(processor.IterativeExecutor(status=False), fileset, make_processor())
    assert [path.name for path in tmp_path.iterdir()] == ["run.zip"]
    with zipfile.ZipFile(tmp_path / "run.zip") as archive:
        archive.extractall(tmp_path)
    assert sum(row["kind"] == "chunk" for row in rows_of(tmp_path / "run")) == CHUNKS


def test_a_recording_names_no_folder_no_host_and_nothing_of_the_environment(
    fileset: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "do-not-tell")
    monkeypatch.setattr("getpass.getuser", lambda: "toy-user")
    out = tmp_path / "of toy-user" / "run"
    with dask(tmp_path) as executor:
        wrong = next(iter(fileset["signal"]["files"]))
        with suppress(Exception), recording(out, hide_paths=True, label="by toy-user") as recorded:
            run(executor, fileset, make_processor(wrong=wrong))
    recorded.add({"bytesread": 1, "entries": 1, "processtime": 1.0, "chunks": {wrong: 1}})
    texts = {
        path.name: (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
        for path in out.iterdir()
    }
    assert {"tasks.json", "config.json", "dask_profiles.json.gz", "scheduler_info.json", "report.json"} <= set(texts)
    folders = (
        tmp_path,
        Path(wrong).parent,
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(__file__).parent,
        Path.home(),
        Path.cwd(),
    )
    for name, text in texts.items():
        for hidden in (*(f"{folder}/" for folder in folders if folder != Path("/")), "toy-user", "do-not-tell"):
            assert hidden not in text, name
        assert not re.search(rf"(?<![A-Za-z0-9]){re.escape(socket.gethostname())}(?![A-Za-z0-9])", text), name
    rows = rows_of(out)
    assert {row["file"].rpartition("/")[2] for row in rows if row["file"]} == {
        f"events_{number}.root" for number in range(FILES)
    }
    assert any(row["status"] == "failed" and "test_executors.py" in row["frame"] for row in rows)


def merge_by_hand(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        sum(range(1000))


def test_tasks_that_are_bound_to_workers_are_counted(fileset: Any, tmp_path: Path) -> None:
    """By worker_affinity, and by a resource of Dask's that a worker has; each chunk once."""
    import dask
    import distributed

    def chunks_and_bound(name: str) -> tuple[int, int, int]:
        rows: list[Any] = []
        bound = [0, 0]
        for tables in parts_of(tmp_path / name):
            rows += [row for row in tables["tasks"] if row["kind"] == "chunk"]
            for row in tables["machine"]:
                bound[0] += row.get("bound_to_workers") or 0
                bound[1] += row.get("bound_to_resources") or 0
        return len(rows), *bound

    workers = {
        name: {"cls": distributed.Nanny, "options": {"nthreads": 1, "resources": resources}}
        for name, resources in (("big", {"BIG": 1}), ("small", {}))
    }
    scheduler = {"cls": distributed.Scheduler, "options": {"host": "127.0.0.1", "dashboard_address": ":0"}}
    with distributed.SpecCluster(workers=workers, scheduler=scheduler) as cluster, distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        for name, affinity, resources in (("any", False, {}), ("affinity", True, {}), ("big", False, {"BIG": 1})):
            with recording(tmp_path / name), dask.annotate(resources=resources) if resources else nullcontext():
                executor = processor.DaskExecutor(client=client, status=False, worker_affinity=affinity)
                run(executor, fileset, make_processor(), chunksize=CHUNK // 5)
                time.sleep(1.2)  # the scheduler tells each second
    chunks, *bound = chunks_and_bound("any")
    assert bound == [0, 0]
    assert chunks_and_bound("affinity")[1:] == (chunks, 0)
    assert chunks_and_bound("big")[2] >= chunks


def test_the_scheduler_the_client_and_changes_of_workers_are_told(fileset: Any, tmp_path: Path) -> None:
    """The scheduler is blocked for 1.2 s, a worker retired, one killed, and the client computes when all tasks are done."""
    import distributed

    with (
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        addresses = list(client.scheduler_info(n_workers=-1)["workers"])
        with recording(tmp_path / "run"):
            # long enough for a second's row of each worker
            run(processor.DaskExecutor(client=client, status=False), fileset, make_processor(), chunksize=CHUNK // 5)
            ended = time.time()
            client.run_on_scheduler(lambda: time.sleep(1.2))
            client.retire_workers([addresses[0]])
            os.kill(client.run(os.getpid, workers=[addresses[1]])[addresses[1]], signal.SIGKILL)
            merge_by_hand(1.5)
            client.wait_for_workers(2)
    machine, changes, seen = [], [], []
    for tables in parts_of(tmp_path / "run"):
        machine += tables["machine"]
        changes += tables["changes"]
        seen += stacks_of(tables)
    loop = [row for row in machine if row["worker"] == "scheduler"]
    assert 1.1 < max(row["longest_lag"] for row in loop) <= sum(row["lag"] for row in loop)
    assert {"scheduler", "client"} < {row["worker"] for row in machine} <= {"scheduler", "client", *addresses}
    removed = {row["worker"]: row["reason"] for row in changes if row["change"] == "removed"}
    assert removed[addresses[0]] in ("retire-workers", "scheduler-remove-worker")
    assert removed[addresses[1]] == "signal-9"
    assert any(row["change"] == "added" and row["worker"] not in addresses for row in changes)  # the nanny's new one
    assert min(row["workers"] for row in changes) == 1
    merging = [row for row, names in seen if "merge_by_hand" in names]
    assert max(row["begin"] for row in merging) > ended
    assert 1.2 < sum(row["cpu"] for row in merging) < 1.7
    waiting = [row for row, names in seen if "run_on_scheduler" in names]
    assert sum(row["wall"] for row in waiting) > 1
    assert sum(row["cpu"] for row in waiting) < 0.5 * sum(row["wall"] for row in waiting)


CLIENT = """
import signal, sys, time, warnings
import distributed
sys.path.insert(0, {tests!r})
import cremascope as crema
from coffea import processor
from coffea.nanoevents import BaseSchema
import numpy as np
class Slow(processor.ProcessorABC):
    def process(self, events):
        time.sleep(0.1)
        return {{"events": len(np.asarray(events.pt))}}
    def postprocess(self, accumulator):
        return accumulator
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which is not Python's where a shell runs it in the background
    executor = {executor}
    runner = processor.Runner(executor=executor, schema=BaseSchema, chunksize=40)
    with crema.record({out!r}):
        print("begins", flush=True)
        runner({fileset!r}, processor_instance=Slow(), treename="Events")
"""


@pytest.mark.parametrize(
    ("executor", "ends"),
    [
        ("processor.IterativeExecutor(status=False)", signal.SIGKILL),
        ("processor.FuturesExecutor(workers=2, status=False)", signal.SIGKILL),
        ("processor.DaskExecutor(client=distributed.Client(n_workers=2, threads_per_worker=1), status=False)", signal.SIGKILL),
        ("processor.IterativeExecutor(status=False)", signal.SIGINT),
    ],
)
def test_a_client_that_ends_early_leaves_what_was_until_two_seconds_before(
    executor: str, ends: int, fileset: Any, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    code = CLIENT.format(tests=str(Path(__file__).parent), executor=executor, out=str(out), fileset=fileset)
    script = tmp_path / "client.py"
    script.write_text(code)
    client = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert client.stdout is not None
    assert client.stdout.readline() == b"begins\n"
    index = out / "tasks.json"
    while not (index.exists() and json.loads(index.read_text())["rows"] > 40):
        assert client.poll() is None
        time.sleep(0.1)
    client.send_signal(ends)
    killed = time.time()
    client.wait()
    with suppress(ProcessLookupError):  # the pool's processes, where they have not ended by themselves
        os.killpg(client.pid, signal.SIGKILL)
    state = json.loads(index.read_text())
    assert state["state"] == ("running" if ends == signal.SIGKILL else "interrupted")
    assert abs(killed - state["until"]) < 3  # a second more for a busy machine: tests/test_parts.py has the bound
    assert ("killed" if ends == signal.SIGKILL else "KeyboardInterrupt") in notes_of(out)
    chunks = [row for row in rows_of(out) if row["kind"] == "chunk"]
    assert len(chunks) > 10
    if ends == signal.SIGINT:
        assert chunks[-1]["error"] == "KeyboardInterrupt"
        assert "KeyboardInterrupt" in json.loads((out / "config.json").read_text())["incomplete"]


def notes_of(run: Path) -> str:
    """What the core says of the recording's quality."""
    return subprocess.run([native(), "ask", run, "quality"], capture_output=True, text=True, check=True).stdout


def kill_when_busy(folder: Path, pid: int) -> float:
    """Kills the process when some rows are recorded; when."""
    until = time.monotonic() + 120
    rows = 0
    while time.monotonic() < until and rows < 40:
        time.sleep(0.05)
        with suppress(OSError):
            rows = json.loads((folder / "tasks.json").read_text())["rows"]
    now = time.time()
    os.kill(pid, signal.SIGKILL)
    return now


def check_killed(rows: list[dict[str, Any]], killed: Path) -> dict[str, Any]:
    """What the killed process ran has one row that says where, what and how long; returns it. What it had done has its own."""
    pid, when = killed.read_text().split()
    (lost,) = [row for row in rows if row["status"] == "lost" and row["pid"] == int(pid)]
    assert (lost["kind"], Path(lost["file"]).name) == ("chunk", "events_2.root")
    assert (lost["entry_start"], lost["entry_stop"]) == (2 * CHUNK, 3 * CHUNK)
    assert lost["host"] == socket.gethostname()
    assert float(when) - 10 < lost["begin"] < float(when) - 0.5  # on a busy machine the pause takes longer
    assert lost["begin"] + lost["wall"] > float(when) - 0.1
    done = {tuple(line.split()) for line in killed.with_name("done").read_text().splitlines()}
    ok = {
        (str(row["pid"]), row["file"], str(row["entry_start"]))
        for row in rows
        if (row["kind"], row["status"]) == ("chunk", "ok")
    }
    assert {one for one in done if one[0] == pid} == {one for one in ok if one[0] == pid} != set()
    return lost


def test_a_killed_worker_of_dask_loses_only_what_it_ran(fileset: Any, tmp_path: Path) -> None:
    with dask(tmp_path) as executor, recording(tmp_path / "run"):
        output, _ = run(executor, fileset, make_processor(killed=str(tmp_path / "killed")))
    assert output["events"] == FILES * EVENTS
    rows = [row for row in rows_of(tmp_path / "run") if row["kind"] == "chunk"]
    lost = check_killed(rows, tmp_path / "killed")
    assert (lost["attempt"], lost["error"], lost["message"]) == (1, "WorkerLost", "signal-9")
    attempts: dict[tuple[str, int], list[int]] = {}
    for row in rows:
        if row["status"] == "ok":
            attempts.setdefault((row["file"], row["entry_start"]), []).append(row["attempt"])
    assert set(attempts) == {
        (file, start) for one in fileset.values() for file in one["files"] for start in range(0, EVENTS, CHUNK)
    }
    assert attempts[lost["file"], lost["entry_start"]] == [2]
    changes = [row for tables in parts_of(tmp_path / "run") for row in tables["changes"]]
    assert ("removed", "signal-9") in {(row["change"], row["reason"]) for row in changes if row["worker"] == lost["worker"]}
    told = [(row["worker"], row["change"], row["reason"], row["workers"]) for row in ask(tmp_path / "run", "worker_changes")]
    assert Counter(told) == Counter((row["worker"], row["change"], row["reason"], row["workers"]) for row in changes)


def test_a_killed_worker_of_parsl_leaves_what_it_ran(fileset: Any, tmp_path: Path) -> None:
    with parsl(tmp_path, recoverable=False) as executor, recording(tmp_path / "run"):
        with pytest.raises(Exception, match="worker"):
            run(executor, fileset, make_processor(killed=str(tmp_path / "killed")))
    rows = rows_of(tmp_path / "run")
    check_killed(rows, tmp_path / "killed")
    assert {row["error"] for row in rows if row["status"] == "lost"} == {"WorkerLost"}


def test_a_killed_process_of_a_pool_is_a_lost_task(fileset: Any, tmp_path: Path) -> None:
    with futures(tmp_path, recoverable=False) as executor, recording(tmp_path / "run"):
        with pytest.raises(Exception, match="terminated"):
            run(executor, fileset, make_processor(killed=str(tmp_path / "killed")))
    rows = rows_of(tmp_path / "run")
    check_killed(rows, tmp_path / "killed")
    lost = [row for row in rows if row["status"] == "lost"]
    assert len(lost) <= 2  # of two processes; what waited was no attempt
    assert {row["error"] for row in lost} == {"TerminatedWorkerError"}
    check(tmp_path / "run")  # answers are what these rows say
    assert (
        "recorded_tasks"
        in subprocess.run([native(), "ask", tmp_path / "run", "sources"], capture_output=True, text=True, check=True).stdout
    )


PLAIN = """
import time
import cremascope as crema
import distributed
def slow(number):
    time.sleep(0.1)
    return number
if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        with distributed.Client(cluster) as client, crema.record({out!r}):
            print("begins", flush=True)
            client.gather(client.map(slow, range(10_000)))
"""


def test_a_killed_client_of_plain_dask_leaves_what_was_until_two_seconds_before(tmp_path: Path) -> None:
    out, script = tmp_path / "run", tmp_path / "client.py"
    script.write_text(PLAIN.format(out=str(out)))
    client = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert client.stdout is not None
    assert client.stdout.readline() == b"begins\n"
    killed = kill_when_busy(out, client.pid)
    client.wait()
    with suppress(ProcessLookupError):  # its workers
        os.killpg(client.pid, signal.SIGKILL)
    assert json.loads((out / "tasks.json").read_text())["state"] == "running"
    rows = rows_of(out)
    assert {(row["executor"], row["kind"], row["function"], row["status"]) for row in rows} == {("Dask", "call", "slow", "ok")}
    assert len({row["worker"] for row in rows}) == 2
    assert all(0.1 <= row["wall"] < 2 for row in rows)
    assert killed - max(row["begin"] + row["wall"] for row in rows) < 3  # a second more for a busy machine
    assert "killed" in notes_of(out)
    answer = subprocess.run([native(), "ask", out, "tasks", "--json"], capture_output=True, text=True, check=True)
    assert answer.stdout.count('"slow"') > 0


def test_rows_of_plain_dask_are_its_task_stream(fileset: Any, tmp_path: Path) -> None:
    """Each task that does not tell of itself has one row: failed ones with their reason, and what a killed worker ran."""
    import distributed

    def work(number: int) -> int:
        time.sleep(0.05)
        return 10 // number

    def endless() -> None:
        time.sleep(600)

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        with recording(tmp_path / "run"):
            run(processor.DaskExecutor(client=client, status=False), fileset, make_processor())
            distributed.wait(client.map(work, range(-5, 5)))
            future = client.submit(endless)
            time.sleep(2)  # a worker tells every half second what it runs
            address = next(address for address, keys in client.processing().items() if keys)
            os.kill(client.run(os.getpid, workers=[address])[address], signal.SIGKILL)
            killed = time.time()
            while address in client.scheduler_info(n_workers=-1)["workers"]:
                time.sleep(0.05)
            future.cancel()
    rows = [row for row in rows_of(tmp_path / "run") if row["executor"] == "Dask"]
    assert all(row["kind"] == "call" for row in rows)
    assert sorted((row["function"], row["status"], row["error"]) for row in rows) == [
        ("endless", "lost", "WorkerLost"),
        ("work", "failed", "ZeroDivisionError"),
        *[("work", "ok", None)] * 9,
    ]
    (lost,) = [row for row in rows if row["status"] == "lost"]
    assert (lost["worker"], lost["message"]) == (address, "handle-worker-cleanup")
    assert killed - 10 < lost["begin"] < killed - 1
    assert lost["begin"] + lost["wall"] > killed - 0.1
    stream = json.loads(gzip.decompress((tmp_path / "run" / "task_stream.json.gz").read_bytes()))
    times = {one["start"] for task in stream if task["key"].startswith("work-") for one in task["startstops"]}
    assert {round(row["begin"], 6) for row in rows if row["function"] == "work"} <= {round(start, 6) for start in times}


def test_tasks_are_there_whatever_the_clocks_of_workers_say(tmp_path: Path) -> None:
    """Dask measures them while a worker registers, which on a busy machine takes a second."""
    import distributed

    def work(number: int) -> int:
        time.sleep(0.05)
        return number

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        for address, delay in zip(client.scheduler_info(n_workers=-1)["workers"], (-9.0, 9.0), strict=True):
            client.run(lambda dask_worker, delay=delay: setattr(dask_worker, "scheduler_delay", delay), workers=[address])
        with recording(tmp_path / "run"):
            distributed.wait(client.map(work, range(10), key="before"))
        with recording(tmp_path / "run"):
            distributed.wait(client.map(work, range(20), key="work"))
    stream = json.loads(gzip.decompress((tmp_path / "run" / "task_stream.json.gz").read_bytes()))
    assert len(stream) == 20
    assert len({task["worker"] for task in stream}) == 2
    rows = rows_of(tmp_path / "run")
    assert [(row["function"], row["status"]) for row in rows] == [("work", "ok")] * 20
    assert all(0.05 <= row["wall"] < 2 for row in rows)


# --- input, by a source that counts


class CountingSource(uproot.source.fsspec.FSSpecSource):  # type: ignore[misc]
    """Counts by itself what it is asked for: the file and the ranges of each request."""

    asked: list[tuple[str, list[tuple[int, int]]]] = []  # noqa: RUF012 - one for all

    def chunk(self, start: int, stop: int) -> Any:
        self.asked.append((Path(self.file_path).name, [(start, stop)]))
        return super().chunk(start, stop)

    def chunks(self, ranges: list[tuple[int, int]], notifications: Any) -> Any:
        self.asked.append((Path(self.file_path).name, list(ranges)))
        return super().chunks(ranges, notifications)


@pytest.fixture(scope="module")
def ntuples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An RNTuple of 5 clusters, which are no chunks."""
    path = tmp_path_factory.mktemp("ntuples") / "ntuple.root"
    random = np.random.default_rng(7)
    with uproot.recreate(path, compression=uproot.ZSTD(3)) as file:
        file.mkrntuple("Events", {"pt": "float64", "eta": "float64", "charge": "int32"})
        for _ in range(0, EVENTS, 800):
            columns = {"pt": random.exponential(30, 800), "eta": random.normal(0, 2, 800)}
            file["Events"].extend(columns | {"charge": np.ones(800, "i4")})
    return {"data": {"files": {str(path): "Events"}}}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Serves files of this machine over HTTP, in ranges."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory="/")

        def do_GET(self) -> None:
            content = Path(self.path).read_bytes()
            first, _, last = self.headers.get("Range", f"bytes=0-{len(content) - 1}").removeprefix("bytes=").partition("-")
            part = content[int(first) : int(last) + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(part)))
            self.end_headers()
            self.wfile.write(part)

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def branches_by_place(file: str) -> dict[tuple[int, int], str]:
    """Whose bytes these are, by the file's own tables: of each basket, of each page of an RNTuple."""
    with uproot.open(file) as opened:
        events = opened["Events"]
        if isinstance(events, uproot.TTree):
            return {
                (int(seek), int(seek + amount)): branch.name
                for branch in events.branches
                for seek, amount in zip(branch.member("fBasketSeek"), branch.member("fBasketBytes"), strict=True)
            }
        return {
            (page.locator.offset, page.locator.offset + page.locator.num_bytes): events.field_records[
                record.field_id
            ].field_name
            for columns in events.page_link_list
            for record, column in zip(events.column_records, columns, strict=True)
            for page in column.pages
        }


def stored(file: str, name: str) -> list[tuple[int, int, int, int, int]]:
    """What is read of a branch as a whole, likewise: first and last event, baskets or pages, bytes compressed and not."""
    with uproot.open(file) as opened:
        events = opened["Events"]
        if isinstance(events, uproot.TTree):
            branch = events[name]
            baskets = map(branch.basket, range(branch.num_baskets))
            return [
                (*branch.basket_entry_start_stop(number), 1, basket.compressed_bytes, basket.uncompressed_bytes)
                for number, basket in enumerate(baskets)
            ]
        fields = [events.field_records[record.field_id].field_name for record in events.column_records]
        found = []
        for cluster, columns in zip(events.cluster_summaries, events.page_link_list, strict=True):
            first, pages = cluster.num_first_entry, columns[fields.index(name)].pages
            compressed = sum(page.locator.num_bytes for page in pages)
            found.append((first, first + cluster.num_entries, len(pages), compressed, 8 * cluster.num_entries))
        return found


@pytest.mark.parametrize("where", ["here", "http"])
@pytest.mark.parametrize("kind", ["tree", "bulk", "ntuple"])
def test_input_is_what_a_counting_source_counts(
    kind: str, where: str, fileset: Any, ntuples: Any, server: str, tmp_path: Path
) -> None:
    given = ntuples if kind == "ntuple" else fileset
    files = {Path(file).name: file for dataset in given.values() for file in dataset["files"]}
    if where == "http":
        given = {name: {"files": {f"{server}{file}": "Events" for file in one["files"]}} for name, one in given.items()}
    if kind == "bulk":
        given = {name: dataset | {"preload": ["pt", "eta"]} for name, dataset in given.items()}
    runner = runner_of(processor.IterativeExecutor(status=False))
    items = list(runner.preprocess(given, treename="Events"))
    CountingSource.asked.clear()
    with recording(tmp_path / "run"):
        runner(items, make_processor(), uproot_options={"handler": CountingSource})
    counted = list(CountingSource.asked)
    chunks = [row for row in rows_of(tmp_path / "run") if row["kind"] == "chunk"]
    assert sum(row["requests"] for row in chunks) == len(counted)
    assert sum(row["requested_ranges"] for row in chunks) == sum(len(ranges) for _, ranges in counted)
    assert sum(row["requested_bytes"] for row in chunks) == sum(stop - start for _, ranges in counted for start, stop in ranges)
    assert all(0 < row["first_byte"] <= row["wall"] and 0 < row["request_wait"] <= row["wall"] for row in chunks)
    # of each branch, by what lies in the ranges that were asked for
    places = {name: branches_by_place(file) for name, file in files.items()}
    requests: Counter[str] = Counter()
    amounts: Counter[str] = Counter()
    for file, ranges in counted:
        found = [(places[file][one], one[1] - one[0]) for one in ranges if one in places[file]]
        requests.update({branch for branch, _ in found})
        for branch, amount in found:
            amounts[branch] += amount
    assert set(amounts) == {"pt", "eta"}
    for name in amounts:
        told = [row["branches"][name] for row in chunks]
        assert sum(one["requested"] for one in told) == amounts[name]
        assert sum(one["requests"] for one in told) == (0 if kind == "bulk" else requests[name])
    # and in each chunk, by the file's own tables
    for row in chunks:
        assert set(row["branches"]) == {"pt", "eta"}
        for name, branch in row["branches"].items():
            first, stop = row["entry_start"], row["entry_stop"]
            touched = [one for one in stored(files[Path(row["file"]).name], name) if one[0] < stop and one[1] > first]
            assert branch["baskets"] == sum(count for _, _, count, _, _ in touched)
            assert branch["compressed"] == branch["requested"] == sum(amount for *_, amount, _ in touched)
            assert branch["uncompressed"] == sum(amount for *_, amount in touched)
            outside = sum(
                amount * (1 - (min(stop, end) - max(first, begin)) / (end - begin)) for begin, end, _, amount, _ in touched
            )
            assert branch["outside"] == pytest.approx(outside, abs=1)
            assert branch["again"] == 0
            assert branch["ahead"] == (branch["compressed"] if kind == "bulk" else 0)
            assert branch["codec"] == "zstd 3"
            assert branch["shared"] == (kind == "bulk")
            assert branch["requests"] == {"tree": 1, "bulk": 0, "ntuple": branch["baskets"]}[kind]


def test_what_a_task_reads_twice_is_told(fileset: Any, tmp_path: Path) -> None:
    class OpensAgain(processor.ProcessorABC):  # type: ignore[misc]
        def process(self, events: Any) -> dict[str, Any]:
            about = events.metadata
            with uproot.open(about["filename"]) as opened:
                pt = opened["Events"]["pt"].array(entry_start=about["entrystart"], entry_stop=about["entrystop"])
            return {"events": len(np.asarray(events.pt)) + len(np.asarray(events.eta)) + len(pt)}

        def postprocess(self, accumulator: Any) -> Any:
            return accumulator

    runner = runner_of(processor.IterativeExecutor(status=False))
    items = list(runner.preprocess(fileset, treename="Events"))
    with recording(tmp_path / "run"):
        runner(items, OpensAgain())
    chunks = [row for row in rows_of(tmp_path / "run") if row["kind"] == "chunk"]
    assert chunks
    for row in chunks:
        assert 2 * row["branches"]["pt"]["again"] == row["branches"]["pt"]["compressed"] > 0
        assert row["branches"]["eta"]["again"] == 0


def test_metrics_that_coffea_returned_are_converted(fileset: Any, tmp_path: Path) -> None:
    import coffea.util

    output, metrics = run(processor.IterativeExecutor(status=False), fileset, make_processor())
    coffea.util.save((output, metrics), tmp_path / "saved.coffea")
    (tmp_path / "pickled.pkl").write_bytes(pickle.dumps({"output": output, "metrics": metrics}))
    (tmp_path / "text.json").write_text(json.dumps(metrics))
    for name in ("saved.coffea", "pickled.pkl", "text.json"):
        [folder] = crema.convert(tmp_path / name)
        report = json.loads((folder / "report.json").read_text())
        assert report == metrics | {"columns": sorted(metrics["columns"])}
        assert (report["entries"], report["chunks"]) == (FILES * EVENTS, CHUNKS)
        ok = subprocess.run([native(), "ask", str(folder), "summary", "--json"], capture_output=True, text=True, check=True)
        columns = {column["name"]: column["values"] for column in json.loads(ok.stdout)["columns"]}
        told = dict(zip(columns["id"], columns["value"], strict=True))
        assert told["total_events"] == metrics["entries"]
        assert told["total_bytes_read"] == metrics["bytesread"]
        assert told["total_cpu_time"] == pytest.approx(metrics["processtime"])
