"""coffea's lazy way, by dask-awkward, recorded on a cluster and opened. It needs an older Dask than the other tests have, so it
has an environment of its own (requirements/dask_awkward.txt)."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any

import dask
import distributed
import pytest
from coffea.dataset_tools import apply_to_fileset, preprocess
from coffea.nanoevents import BaseSchema

import cremascope as crema

from ..test_convert import ask
from ..whole import job


def selected(events: Any) -> dict[str, Any]:
    import dask_awkward

    return {"events": dask_awkward.num(events, axis=0), "selected": dask_awkward.sum(events.pt > 20)}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> crema.Recording:
    folder = tmp_path_factory.mktemp("lazy")
    fileset = job.make_files(folder)
    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
        crema.record(client, folder / "toy") as recorded,
    ):
        warnings.simplefilter("ignore")
        runnable, _ = preprocess(fileset, step_size=job.CHUNK)
        (output,) = dask.compute(apply_to_fileset(selected, runnable, schemaclass=BaseSchema))
    assert sum(one["events"] for one in output.values()) == job.FILES * job.EVENTS
    return recorded


def test_its_tasks_are_there_by_their_prefixes(recording: crema.Recording) -> None:
    tasks = list(crema.open(recording).ask("tasks").rows())
    prefixes = {task["prefix"] for task in tasks}
    assert {"preprocess-data", "preprocess-signal"} < prefixes
    assert any("sum" in prefix for prefix in prefixes)  # how the graph is fused, Dask decides
    assert {task["status"] for task in tasks} == {"OK"}
    assert len({task["worker"] for task in tasks}) == 2


def test_its_core_time_is_split_by_them(recording: crema.Recording) -> None:
    rows = list(crema.open(recording).ask("core_time_tree").rows())
    available, *parts = [row for row in rows if row["depth"] <= 1]
    assert sum(row["core_seconds"] for row in parts) == pytest.approx(available["core_seconds"])
    assert "preprocess-data" in {row["label"] for row in rows}


def test_every_part_of_it_is_recognised(recording: crema.Recording) -> None:
    run = crema.open(recording)
    assert all(run.ask("sources")["format"])
    found = set(run.ask("quality")["id"])
    assert not found & {
        "not-recognised",
        "cut-off",
        "broken-json",
        "no-tracking",
        "no-fine-metrics",
        "no-profile",
        "cores-estimated",
    }


def test_reports_of_its_reads_are_converted(tmp_path: Path) -> None:
    fileset = job.make_files(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runnable, _ = preprocess(fileset, step_size=job.CHUNK, scheduler="synchronous")
        missing = next(iter(runnable["signal"]["files"]))
        options = {"allow_read_errors_with_report": True}
        lazy = apply_to_fileset(selected, runnable, schemaclass=BaseSchema, uproot_options=options)
        Path(missing).unlink()
        _, reports = dask.compute(*lazy, scheduler="synchronous")
    (tmp_path / "reports.json").write_text(json.dumps({name: report.to_list() for name, report in reports.items()}))
    [folder] = crema.convert(tmp_path / "reports.json")
    assert {(row["exception"], row["file"], row["dataset"]) for row in ask(folder, "failures")} == {
        ("FileNotFoundError", missing, "signal")
    }
    index = json.loads((folder / "tasks.json").read_text())
    part = json.loads(gzip.decompress((folder / index["parts"][0]["name"]).read_bytes()))
    asked = [bytes_ for bytes_ in part["tasks"]["requested_bytes"] if bytes_ is not None]
    counters = [read["performance_counters"] for report in reports.values() for read in report.to_list()]
    assert sum(asked) == sum(one["num_requested_bytes"] for one in counters if one) > 0
