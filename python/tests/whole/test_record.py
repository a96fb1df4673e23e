"""``record`` on a real cluster, and what the core makes of the recording."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import distributed
import pytest

import cremascope as crema
from cremascope import sample

from ..conftest import ask
from . import job


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as connected,
    ):
        yield connected


def _make_busy() -> Callable[[float], int]:
    def busy(seconds: float) -> int:
        until, rounds = time.perf_counter() + seconds, 0
        while time.perf_counter() < until:
            rounds += sum(range(500))
        return rounds

    return busy


#: Defined inside, so that it travels by value: workers cannot import tests.
busy = _make_busy()


@pytest.fixture(scope="module")
def coffea_bundle(client: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Coffea job under roastcoffea's collector and a recording."""
    import roastcoffea

    folder = tmp_path_factory.mktemp("coffea")
    toy, fileset = job.make_processor(), job.make_files(folder)
    with (
        warnings.catch_warnings(),
        crema.record(client, folder / "toy") as recording,
        roastcoffea.MetricsCollector(client, processor_instance=toy) as collector,
    ):
        warnings.simplefilter("ignore")
        output, report = job.run(client, fileset, toy)
        collector.extract_metrics_from_output(output)
        collector.set_coffea_report(report)
    assert output["events"] == job.FILES * job.EVENTS
    return recording.add(collector)


def test_every_part_of_a_coffea_recording_is_recognised(coffea_bundle: Path) -> None:
    formats = {row["file"].removeprefix("toy/"): row["format"] for row in ask(coffea_bundle, "sources")}
    expected = {
        "config.json": "config",
        "dask_profiles.json": "worker_profiles",
        "metadata.json": "metadata",
        "metrics.json": "metrics",
        "profile_by_key.json": "profile_map",
        "profile_slices.json": "profile_slices",
        "report.json": "report",
        "scheduler_info.json": "scheduler_info",
        "span_object.json": "spans",
        "start_end_time.txt": "start_end_time",
        "task_stream.json": "task_stream",
        "tasks.json": "task_index",
        "transitions.json": "transitions",
    }
    # Dask takes none of its own loops on 3.11, and in a short run there may be none to take
    loops = {name: formats.pop(name, "profile_tree") for name in ("profile_server.json", "profile_scheduler.json")}
    assert set(loops.values()) == {"profile_tree"}
    parts = [name for name in formats if name.startswith("tasks-")]
    assert {formats.pop(name) for name in parts} == {"recorded_tasks"}
    assert formats == expected


def test_a_coffea_recording_has_no_fault_that_recording_could_mend(coffea_bundle: Path) -> None:
    found = {row["id"] for row in ask(coffea_bundle, "quality")}
    assert not found & {
        "not-recognised",
        "cut-off",
        "broken-json",
        "wrong-type",
        "more-spans",
        "no-metrics",
        "no-tracking",
        "no-chunks",
        "no-fine-metrics",
        "no-profile",
        "no-elapsed",
        "cores-estimated",
        "task-stream-cut",
        "second-of-its-kind",
    }


def test_a_recording_knows_the_cpus_of_its_workers(coffea_bundle: Path) -> None:
    workers = json.loads((coffea_bundle / "scheduler_info.json").read_text())["workers"]
    assert len(workers) == 2
    for worker in workers.values():
        machine = worker["machine"]
        assert machine["cpus"] == os.cpu_count()
        assert 1 <= machine["usable"] <= machine["cpus"]
        # what the worker used is of what its host used
        assert 0 < machine["own"] <= machine["busy"] <= machine["cpus"] * 1.05


def test_the_core_reads_the_same_numbers_from_every_part(coffea_bundle: Path) -> None:
    chunks = job.FILES * job.EVENTS // job.CHUNK
    summary = {row["id"]: row["value"] for row in ask(coffea_bundle, "summary")}
    assert float(summary["num_chunks"]) == chunks
    assert float(summary["total_events"]) == job.FILES * job.EVENTS
    # of the task stream: every chunk is one task
    tasks = ask(coffea_bundle, "tasks")
    assert len({row["key"] for row in tasks if row["prefix"] == "ToyProcessor"}) == chunks
    # of the span: two threads, all along
    (span,) = json.loads((coffea_bundle / "span_object.json").read_text())
    assert {threads for _, _, threads in span["nthreads_intervals"]} == {2}
    assert span["enqueued"] <= span["start"] < span["stop"]
    # of the profiles: the line that works is the processor's own
    assert "ToyProcessor" in {row["label"] for row in ask(coffea_bundle, "profiles")}


def test_alone_a_recording_is_a_run_in_one_archive(client: Any, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "alone.zip"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began = time.perf_counter()
        with crema.record(client, out) as recording:
            assert all(client.gather(client.map(busy, [0.2] * 12, pure=False)))
        took = time.perf_counter() - began
    assert recording.path == out
    names = zipfile.ZipFile(out).namelist()
    assert {name.split("/")[0] for name in names} == {"alone"}
    assert all(row["format"] for row in ask(out, "sources"))
    summary = {row["id"]: row["value"] for row in ask(out, "summary")}
    # two threads need 1.2 s for it, however fast they are
    assert 1.1 < float(summary["elapsed_time_seconds"]) <= took
    # the exact time of the span and not a guess from the number of workers
    assert "cores-estimated" not in {row["id"] for row in ask(out, "quality")}
    assert recording.add({"bytesread": 1, "entries": 12, "processtime": 2.4, "chunks": 12}) == out
    assert "alone/report.json" in zipfile.ZipFile(out).namelist()


def test_work_before_the_block_is_not_recorded(client: Any, tmp_path: Path) -> None:
    def before(seconds: float) -> None:
        time.sleep(seconds)

    client.gather(client.map(before, [0.1] * 4, pure=False))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(client, tmp_path / "r"):
            client.gather(client.map(busy, [0.1] * 4, pure=False))
    assert {row["prefix"] for row in ask(tmp_path / "r", "tasks")} == {"busy"}


def test_a_failing_run_fails_as_ever_and_is_recorded_so_far(client: Any, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="ended with ZeroDivisionError"), pytest.raises(ZeroDivisionError):
        with crema.record(client, tmp_path / "r"):
            client.submit(lambda: 1 / 0).result()
    tasks = ask(tmp_path / "r", "tasks")
    assert [row["status"] for row in tasks] == ["error"]
    (note,) = [row for row in ask(tmp_path / "r", "quality") if row["id"] == "incomplete"]
    assert "ZeroDivisionError: division by zero" in note["message"]
    (finding,) = [row for row in ask(tmp_path / "r", "findings") if row["id"] == "failed-tasks"]
    assert finding["title"] == "1 of 1 task failed: ZeroDivisionError"


def test_ctrl_c_while_saving_loses_nothing_that_had_come(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def profile(**_: Any) -> Any:  # of the event loops, which are asked last
        raise KeyboardInterrupt

    monkeypatch.setattr(client, "profile", profile)
    with pytest.warns(UserWarning, match="saving was interrupted"), pytest.raises(KeyboardInterrupt):
        with crema.record(client, tmp_path / "r") as recording:
            client.gather(client.map(busy, [0.1] * 4, pure=False))
    assert {row["prefix"] for row in ask(recording.path, "tasks")} == {"busy"}
    assert len(json.loads(gzip.decompress((recording.path / "dask_profiles.json.gz").read_bytes()))) == 2


def test_a_second_recording_in_the_same_place_holds_nothing_of_the_first(client: Any, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(client, tmp_path / "r") as recording:
            client.gather(client.map(busy, [0.1] * 4, pure=False))
        recording.add({"data_rate_gbps": 1.5})
        with pytest.raises(ZeroDivisionError), crema.record(client, tmp_path / "r"):
            client.submit(lambda: 1 / 0).result()
    # the tracking of the second, and not the metrics of the first
    assert list(json.loads((tmp_path / "r" / "metrics.json").read_text())) == ["tracking_data"]
    assert [row["status"] for row in ask(tmp_path / "r", "tasks")] == ["error"]


def test_without_a_client_the_current_one_is_recorded(client: Any, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(out=tmp_path / "r"):
            client.submit(busy, 0.1).result()
    assert len(ask(tmp_path / "r", "tasks")) == 1


def test_an_address_is_written_too_and_its_old_parts_go() -> None:
    import fsspec

    from cremascope.place import open_place

    system = fsspec.filesystem("memory")
    system.pipe({"/season/run/metrics.json": b"old", "/season/run/notes.txt": b"the user's"})
    for out in ("memory://season/run", "memory://season/run.zip"):
        saved = open_place(out)
        saved.begin()
        saved.finish({"metadata.json": b"new"})
        saved.add({"report.json": b"{}"})
        assert saved.path.exists()  # what page and reports show
    there = {path: system.cat(path) for path in system.find("/season/run")}
    assert there == {
        "/season/run/metadata.json": b"new",
        "/season/run/notes.txt": b"the user's",
        "/season/run/report.json": b"{}",
    }
    with system.open("/season/run.zip") as stored:
        assert sorted(zipfile.ZipFile(stored).namelist()) == ["run/metadata.json", "run/report.json"]


@pytest.mark.parametrize("closed", ["client", "cluster"])
def test_what_is_closed_inside_the_block_is_asked_before(closed: str, tmp_path: Path) -> None:
    """8 tasks of 0.1 s."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # nothing is to be warned of
        cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0")
        connected = distributed.Client(cluster)
        with crema.record(connected, tmp_path / "r") as recording:
            connected.gather(connected.map(busy, [0.1] * 8, pure=False))
            (connected if closed == "client" else cluster).close()
        connected.close()
        cluster.close()
    assert recording.notes == []
    assert len(ask(tmp_path / "r", "tasks")) == 8
    assert {"span_object.json", "dask_profiles.json.gz", "metrics.json"} <= {path.name for path in recording.path.iterdir()}
    assert sum(fine_seconds(tmp_path / "r").values()) >= 0.8


def fine_seconds(bundle: Path) -> dict[str, float]:
    """Seconds of the tasks `busy` by activity, of Dask's fine metrics."""
    return {row["activity"]: float(row["value"]) for row in ask(bundle, "fine") if row["prefix"] == "busy"}


def parts_of_core_time(bundle: Path) -> dict[str, float]:
    """Core-seconds by part."""
    return {row["part"]: float(row["core_seconds"]) for row in ask(bundle, "budget")}


def test_every_recording_of_a_session_has_its_own_seconds_and_fine_metrics(client: Any, tmp_path: Path) -> None:
    """4 tasks of 0.2 s, then 8 of the same name while the results of the first are kept: Dask counts all 12 for the first."""
    kept = []
    for name, count in (("first", 4), ("second", 8)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with crema.record(client, tmp_path / name) as recording:
                kept.append(client.map(busy, [0.2] * count, pure=False))
                client.gather(kept[-1])
        assert not any("span" in note for note in recording.notes)
        fine = fine_seconds(tmp_path / name)
        # the task stream says how long they took on a busy machine
        taken = [float(row["duration"]) for row in ask(tmp_path / name, "tasks") if row["prefix"] == "busy"]
        assert len(taken) == count
        assert fine["thread-cpu"] + fine["thread-noncpu"] == pytest.approx(sum(taken), rel=0.1)
        (span,) = json.loads((tmp_path / name / "span_object.json").read_text())
        assert {threads for _, _, threads in span["nthreads_intervals"]} == {2}


def test_another_clients_tasks_are_recorded(client: Any, tmp_path: Path) -> None:
    """As `crema record tcp://…` does: 4 tasks of 0.2 s."""
    with distributed.Client(client.scheduler.address, set_as_default=False) as watching:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            with crema.record(watching, tmp_path / "r"):
                client.gather(client.map(busy, [0.2] * 4, pure=False))
    fine = fine_seconds(tmp_path / "r")
    assert fine["thread-cpu"] + fine["thread-noncpu"] >= 0.8


def test_tasks_are_cut_where_the_block_ends(client: Any, tmp_path: Path) -> None:
    """Ctrl-C after 1 s: two tasks of 1.6 s run on, and six wait."""
    running: list[Any] = []

    def work() -> None:
        running.extend(client.map(busy, [1.6] * 8, pure=False))
        time.sleep(1)
        raise KeyboardInterrupt

    for _ in range(3):  # Dask sets the workers' clocks by messages, on a busy machine some hundredths of a second wrong
        with pytest.warns(UserWarning, match="KeyboardInterrupt"), pytest.raises(KeyboardInterrupt):
            with crema.record(client, tmp_path / "r"):
                work()
        running.clear()
        seconds = parts_of_core_time(tmp_path / "r")
        found = {row["id"] for row in ask(tmp_path / "r", "quality")}
        if all(0 <= part <= seconds["available"] * 1.001 for part in seconds.values()) and "negative-part" not in found:
            break
        time.sleep(2)  # until what ran on has ended
    else:
        pytest.fail(f"three times {seconds}, {found}")


class Old:
    """A client of which nothing works: every question ends in an error of its own."""

    asynchronous = False
    status = "running"

    def run_on_scheduler(self, *_: Any, **__: Any) -> Any:
        raise AttributeError("this Dask has no run_on_scheduler")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this Dask has no {name}")


def test_whatever_cannot_be_had_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    with pytest.warns(UserWarning), crema.record(Old(), tmp_path / "r") as recording:  # type: ignore[arg-type]
        pass
    notes = json.loads((tmp_path / "r" / "config.json").read_text())["notes"]
    assert notes == recording.notes
    for part in ("versions", "task stream", "fine metrics at the start", "workers at the end", "scheduler's event loop"):
        assert any(part in note and "this Dask has no" in note for note in notes), part


class Bookkeeping(distributed.SchedulerPlugin):  # type: ignore[misc]
    """A plugin that holds the event loop up at each change of a task."""

    def transition(self, *_: Any, **__: Any) -> None:
        end = time.perf_counter() + 0.05
        while time.perf_counter() < end:
            pass


def test_what_holds_the_scheduler_up_is_looked_at_often(client: Any, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(client, tmp_path / "r"):
            client.register_plugin(Bookkeeping(), name="bookkeeping")
            client.gather(client.map(busy, [0.01] * 10, pure=False))
            client.unregister_scheduler_plugin("bookkeeping")
    tree = json.loads(gzip.decompress((tmp_path / "r" / "profile_scheduler.json.gz").read_bytes()))

    def looks_in(node: dict[str, Any]) -> int:
        if node["identifier"].startswith("transition;") and "test_record.py" in node["identifier"]:
            return int(node["count"])
        return sum(map(looks_in, node["children"].values()))

    # ten tasks of three changes each or more: 1.5 s, in which Dask would look once or twice
    assert looks_in(tree) > 15


def test_what_a_leaving_worker_did_is_kept_and_how_the_workers_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "PROFILE_EVERY", 0.5)
    monkeypatch.setattr(sample, "TRACK_EVERY", 0.1)
    monkeypatch.setattr(sample, "SHARE", 1.0)
    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as connected,
        crema.record(connected, tmp_path / "r"),
    ):
        warnings.simplefilter("ignore")
        connected.gather(connected.map(busy, [0.2] * 20, pure=False))
        time.sleep(2)  # a profile's cycle, and a question
        connected.retire_workers([next(iter(connected.scheduler_info()["workers"]))])
        connected.gather(connected.map(busy, [0.2] * 10, pure=False))
    trees = json.loads(gzip.decompress((tmp_path / "r" / "dask_profiles.json.gz").read_bytes()))
    assert len(trees) == 2
    assert all(worker["profile"]["count"] > 0 and worker["meta"]["nthreads"] == 1 for worker in trees.values())
    # parts of the time make the whole: 30 tasks of 0.2 s, a sample every 10 ms at best, none twice
    keyed = json.loads(gzip.decompress((tmp_path / "r" / "profile_by_key.json.gz").read_bytes()))
    assert 30 < keyed["busy"]["count"] <= 620
    assert 30 < sum(worker["profile"]["count"] for worker in trees.values()) <= 620
    summary = {row["id"]: row["value"] for row in ask(tmp_path / "r", "summary")}
    assert float(summary["peak_memory_bytes"]) > 5e7
    assert float(summary["peak_workers"]) == 2


def _make_lazy() -> Callable[[float], None]:
    def lazy(seconds: float) -> None:
        time.sleep(seconds)

    return lazy


def functions(bundle: Path, *more: str) -> dict[str, float]:
    """Samples by function."""
    return {row["name"]: float(row["total"]) for row in ask(bundle, "frames", *more)}


def test_a_profile_knows_when_its_samples_were_taken(client: Any, tmp_path: Path) -> None:
    """2 s of one function, then 3 s of another, on both workers."""
    lazy = _make_lazy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(client, tmp_path / "r"):
            client.gather(client.map(busy, [0.2] * 20, pure=False))
            client.gather(client.map(lazy, [0.2] * 30, pure=False))
    sliced = json.loads(gzip.decompress((tmp_path / "r" / "profile_slices.json.gz").read_bytes()))
    assert {one["worker"] for one in sliced["slices"]} == set(client.scheduler_info()["workers"])
    assert {one["key"] for one in sliced["slices"]} == {"busy", "lazy"}
    # each sample is in one slice
    (whole,) = [float(row["total"]) for row in ask(tmp_path / "r", "profiles") if row["profile"] == "all"]
    assert sum(one["nodes"][2] for one in sliced["slices"]) == whole > 100
    # a slice is a second, and begins at any time: 1 s is in two of them at most
    assert "lazy" not in functions(tmp_path / "r", "--select", "0:0.5")
    assert "busy" not in functions(tmp_path / "r", "--select", "3.5:4.5")
    late = functions(tmp_path / "r", "--select", "3.5:4.5")["lazy"]
    assert 100 < late <= 420
    # and a worker of that time
    one = next(iter(client.scheduler_info()["workers"]))
    assert 0 < functions(tmp_path / "r", "--select", "3.5:4.5", "--worker", one)["lazy"] < late


def tree(*stacks: str) -> list[int]:
    """A call tree of one sample per stack of one-letter functions, as it travels; a frame is a letter's number."""
    flat = sample.Tree()
    names = ["root", *"abc"]
    for stack in stacks:
        nodes = [0, 0, 1]
        for depth, letter in enumerate(stack, 1):
            nodes += (depth, names.index(letter), 1)
        flat.add(nodes, range(4), names)
    return flat.flat()


def test_trees_are_added_by_function_and_come_back_in_preorder() -> None:
    assert tree("ab", "ac", "b", "ab") == [0, 0, 4, 1, 1, 3, 2, 2, 2, 2, 3, 1, 1, 2, 1]


def test_slices_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [sample.ROOT] + [{"identifier": name, "description": {"line_number": 1}} for name in "abc"]

    def gathered(slices: int) -> sample.Profiles:
        profiles = sample.Profiles(None, None)  # type: ignore[arg-type]
        for n in range(slices):
            for worker in ("one", "two"):
                profiles._add(worker, {"cycle": 1, "frames": frames, "trees": [[n, "key", tree("ab", "ac")]]}, 1.0)
        profiles._bound()
        return profiles

    monkeypatch.setattr(sample, "MOST_SLICES", 4)
    # 7 s become four slices of 2 s, still by worker
    profiles = gathered(7)
    assert profiles.width == 2
    assert sorted(profiles.slices) == [(n, worker, "key") for n in range(4) for worker in ("one", "two")]
    # of 4 nodes each: then all workers together
    monkeypatch.setattr(sample, "MOST_NODES", 16)
    profiles = gathered(7)
    assert sorted(profiles.slices) == [(n, None, "key") for n in range(4)]
    # then longer ones; what was sampled stays
    monkeypatch.setattr(sample, "MOST_NODES", 9)
    profiles = gathered(7)
    assert profiles.width == 4
    assert [tree.count[0] for tree in profiles.slices.values()] == [2 * 2 * 4, 2 * 2 * 3]
    assert sum(tree.count[0] for tree in profiles.workers.values()) == 2 * 2 * 7


def test_ticks_are_bounded(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "MOST_TICKS", 8)
    monkeypatch.setattr(sample, "TRACK_EVERY", 0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(client, tmp_path / "r"):
            client.gather(client.map(busy, [0.2] * 8, pure=False))
    data = json.loads((tmp_path / "r" / "metrics.json").read_text())["tracking_data"]
    assert 4 <= len(data["worker_counts"]) <= 8
    # all series have the same ticks, and the last ones are as far apart as a bounded number must be
    assert all([when for when, _ in pairs] == list(data["worker_counts"]) for pairs in data["worker_cpu"].values())
    begin, *_, last = (datetime.fromisoformat(when) for when in data["worker_counts"])
    assert (last - begin).total_seconds() > 0.3


def test_running_tasks_are_those_that_heartbeats_tell(client: Any, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(client, tmp_path / "r"):
            client.gather(client.map(time.sleep, [2.5, 2.6], pure=False))
    data = json.loads((tmp_path / "r" / "metrics.json").read_text())["tracking_data"]
    assert max(count for pairs in data["worker_executing"].values() for _, count in pairs) >= 1


def test_a_wrong_call_fails_with_one_sentence_before_anything_runs(client: Any, tmp_path: Path) -> None:
    connected: Any = Old()
    connected.asynchronous = True
    closed: Any = Old()
    closed.status = "closed"
    wrong: list[tuple[tuple[Any, ...], str]] = [
        ((connected,), "needs a synchronous client"),
        ((closed,), "the client is closed"),
        ((client.cluster,), r"needs a client of Dask, Client\(cluster\), and not LocalCluster"),
        ((17,), r"needs a client of Dask, Client\(...\), and not int"),
        (("runs/zprime", client), "the client comes first"),
        ((client, 17), "out is a path"),
        ((client.scheduler.address,), r"is a scheduler: crema.record\(Client\("),
    ]
    for given, sentence in wrong:
        with pytest.raises((TypeError, ValueError), match=sentence) as refused:
            crema.record(*given)
        assert "\n" not in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_where_there_is_nothing_to_record_it_is_refused(tmp_path: Path) -> None:
    code = "import cremascope as crema\nwith crema.record('runs/zprime'): print('ran')"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith("RuntimeError: there is nothing to record: neither is there a client")
    assert not list(tmp_path.iterdir())


def test_a_worker_that_left_and_a_collector_outside_are_noted(tmp_path: Path) -> None:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", processes=False) as cluster,
        distributed.Client(cluster) as connected,
        distributed.span("coffea-processing"),  # as roastcoffea's collector has it
        pytest.warns(UserWarning, match="crema.record"),
        crema.record(connected, tmp_path / "r") as recording,
    ):
        connected.gather(connected.map(busy, [0.1] * 6, pure=False))
        leaving = next(iter(connected.scheduler_info()["workers"]))
        connected.retire_workers([leaving])
    left = "workers that left before the end: 1; their last samples are missing, 1 of them have no profile"
    assert left in recording.notes
    assert any("put record() outside" in note for note in recording.notes)
    # the cluster's threads are known all along all the same
    (span,) = json.loads((tmp_path / "r" / "span_object.json").read_text())
    assert 2 in {threads for _, _, threads in span["nthreads_intervals"]}
    assert "cores-estimated" not in {row["id"] for row in ask(tmp_path / "r", "quality")}


def test_what_workers_warn_of_is_recorded(client: Any, tmp_path: Path) -> None:
    def warn(pause: bool) -> None:
        import logging

        text = "Worker is at %d%% memory usage. " + ("Pausing" if pause else "Resuming") + " worker."
        logging.getLogger("distributed.worker.memory").warning(text, 82 if pause else 60)
        logging.getLogger("distributed.worker").warning("something else")

    def handlers() -> int:
        import logging

        return len(logging.getLogger("distributed").handlers)

    before = client.run(handlers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(client, tmp_path / "run") as recording:
            client.submit(busy, 0.1).result()
            client.run(warn, True)
            time.sleep(0.5)
            client.run(warn, False)
            client.submit(busy, 0.1).result()
    assert client.run(handlers) == before
    about = json.loads((recording.path / "config.json").read_text())
    assert about["warnings"] == {
        "paused": {"times": 2, "workers": 2, "first": "Worker is at 82% memory usage. Pausing worker."}
    }
    events = about["worker_events"]
    assert sorted(event["kind"] for event in events) == ["paused", "paused", "resumed", "resumed"]
    assert {event["value"] for event in events} == {82.0, 60.0}
    assert {event["worker"] for event in events} == set(client.scheduler_info()["workers"])
    found = {row["id"]: row["evidence"] for row in ask(recording.path, "findings")}
    assert re.match(r"Worker [01] was paused for (5\d\d ms|[6-9]\d\d ms|1\.\d+ s) at 82 %", found["memory-near-limit"])
    assert "2 times in the workers' logs; the first:" in found["memory-near-limit"]


def test_the_workers_settings_are_kept_and_told_where_they_differ(client: Any, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with crema.record(client, tmp_path / "run"):
            client.submit(busy, 0.1).result()
    path = tmp_path / "run" / "config.json"
    about = json.loads(path.read_text())
    (kind,) = about["settings"]
    assert kind["workers"] == 2
    assert kind["settings"]["memory.pause"] == 0.8
    assert "settings-differ" not in {row["id"] for row in ask(tmp_path / "run", "quality")}
    about["settings"] = [kind | {"workers": 1}, {"settings": kind["settings"] | {"memory.pause": 0.5}, "workers": 1}]
    path.write_text(json.dumps(about))
    (note,) = [row for row in ask(tmp_path / "run", "quality") if row["id"] == "settings-differ"]
    assert note["message"] == "workers have different settings: memory.pause: 0.5 on 1 worker, 0.8 on 1 worker"


def test_how_tasks_went_from_state_to_state(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def states(out: Path) -> dict[str, dict[str, str]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with crema.record(client, out):
                client.gather(client.map(busy, [0.1] * 12, pure=False))
        return {row["state"]: row for row in ask(out, "task_states", "--option", "bins=1")}

    found = states(tmp_path / "all")
    # each of 12 tasks was assigned once and ran; Dask assigns a worker of one thread two at most
    assert [float(found[state]["entered"]) for state in ("waiting", "processing", "memory")] == [12, 12, 12]
    assert 2 <= float(found["processing"]["most"]) <= 4
    assert float(found["queued"]["most"]) == 12 - float(found["processing"]["most"])
    # what the ring has forgotten is known as a number
    monkeypatch.setattr(sample, "MOST_TRANSITIONS", 20)
    found = states(tmp_path / "last")
    noted = json.loads(gzip.decompress((tmp_path / "last" / "transitions.json.gz").read_bytes()))
    assert len(noted["transitions"]) == 20 < noted["forgotten"]
    assert noted["failed"] == 0
    assert float(found["processing"]["entered"]) < 12
    assert float(found["memory"]["most"]) == 12


def test_as_a_decorator_each_call_is_recorded_and_a_notebook_shows_it(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    @crema.record(out=tmp_path / "run")
    def work() -> int:
        return int(client.submit(sum, [1, 2]).result())

    assert work() == 3
    assert work() == 3
    with crema.record(out=tmp_path / "shown") as recording:
        client.submit(sum, [3, 4]).result()
    assert "task_stream.json.gz" in {file.name for file in (tmp_path / "run").iterdir()}
    assert 'href="crema-reports/shown-' in recording._repr_html_()
    assert len(crema.open(recording).ask("tasks")) >= 1


def test_the_magic_records_a_cell_and_shows_it(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    monkeypatch.chdir(tmp_path)
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "cremascope")
    shell.user_ns["client"] = client
    shown = shell.run_cell_magic("crema", "cell --view timelines", "seen = client.submit(sum, [1, 2]).result()")
    assert shell.user_ns["seen"] == 3
    assert shown.url.startswith("crema-reports/cell-")
    assert shell.run_line_magic("crema", "cell").path == shown.path
    InteractiveShell.clear_instance()


def test_a_cluster_is_recorded_from_outside(client: Any, tmp_path: Path) -> None:
    from cremascope.recording import record_until_interrupted

    address = client.scheduler.address
    assert record_until_interrupted(address, tmp_path / "run", seconds=0.2) == tmp_path / "run"
    assert json.loads((tmp_path / "run" / "scheduler_info.json").read_text())["workers"]
