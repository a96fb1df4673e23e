"""What a run can be given as."""

from __future__ import annotations

import json
import math
import subprocess
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from cremascope.bundle import METRICS_KEYS, BundleError, bundle_of
from cremascope.encode import plain, to_json
from cremascope.reporting import report

from .conftest import native


def test_a_folder_is_its_files_under_its_own_name(recorded: Path) -> None:
    bundle = bundle_of(recorded)
    assert bundle.name == "local-4x1"
    assert bundle.files["local-4x1/metrics.json"] == (recorded / "metrics.json").read_bytes()
    assert set(bundle.files) == {f"local-4x1/{file.name}" for file in recorded.iterdir()}


def test_pictures_hidden_files_and_code_stay_out(tmp_path: Path) -> None:
    for name in ("metrics.json", "plots/a.png", ".ipynb_checkpoints/metrics.json", "run.py", "nano.root", "deep/stacks.folded"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    assert list(bundle_of(tmp_path, "r").files) == ["r/deep/stacks.folded", "r/metrics.json"]


@pytest.mark.parametrize(("inner", "expected"), [("run/metrics.json", "run/metrics.json"), ("metrics.json", "a/metrics.json")])
def test_an_archive_of_one_folder_is_that_folder(tmp_path: Path, inner: str, expected: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(inner, "{}")
        archive.writestr("__MACOSX/._metrics.json", "x")
    assert bundle_of(tmp_path / "a.zip").files == {expected: b"{}"}


def test_a_single_file(recorded: Path) -> None:
    bundle = bundle_of(recorded / "task_stream.json.gz")
    assert (bundle.name, list(bundle.files)) == ("task_stream", ["task_stream.json.gz"])


def test_metrics_as_the_collector_has_them() -> None:
    tick = datetime(2026, 11, 21, 1, 42, 50, 506123)
    metrics = {
        "data_rate_gbps": 1.5,
        "tracking_data": {"worker_counts": {tick: 4}, "worker_memory": {"tcp://a:1": [(tick, 64)]}},
        "raw_span_metrics": {("execute", "P", "thread-cpu", "seconds"): 2.5},
    }
    bundle = bundle_of(metrics)
    assert list(bundle.files) == ["metrics.json"]
    assert json.loads(bundle.files["metrics.json"]) == {
        "data_rate_gbps": 1.5,
        "tracking_data": {
            "worker_counts": {"2026-11-21T01:42:50.506123": 4},
            "worker_memory": {"tcp://a:1": [["2026-11-21T01:42:50.506123", 64]]},
        },
        "raw_span_metrics": {"('execute', 'P', 'thread-cpu', 'seconds')": 2.5},
    }
    assert list(bundle_of(metrics, "my run").files) == ["my run/metrics.json"]


class Collector:
    """The parts of roastcoffea's MetricsCollector that are read."""

    def __init__(self) -> None:
        self.t_start, self.t_end = 10.0, 25.5
        self.coffea_report = {"bytesread": 7, "entries": 3, "processtime": 1.0, "chunks": 1, "columns": {"b", "a"}}

    def get_metrics(self) -> dict[str, Any]:
        return {"num_chunks": 1, "data_rate_gbps": 1.5}


def test_a_collector_brings_its_clock_and_coffeas_report() -> None:
    files = bundle_of(Collector()).files
    assert files["start_end_time.txt"] == b"10.0,25.5\n"
    assert json.loads(files["metrics.json"]) == {"num_chunks": 1, "data_rate_gbps": 1.5}
    assert json.loads(files["report.json"])["columns"] == ["a", "b"]


@pytest.mark.parametrize("key", sorted(METRICS_KEYS))
def test_the_core_knows_metrics_by_the_same_keys(tmp_path: Path, key: str) -> None:
    (tmp_path / "some.json").write_text(json.dumps({key: {}}))
    done = subprocess.run([native(), "ask", tmp_path, "sources", "--csv"], capture_output=True, text=True, check=True)
    assert "roastcoffea metrics" in done.stdout or ",metrics," in done.stdout


class Unfinished:
    def get_metrics(self) -> dict[str, Any]:
        raise RuntimeError("Coffea report not set - call set_coffea_report() first")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("/no/such/run", "there is no such file or folder"),
        ("root://eos.cern.ch//run", "root://eos.cern.ch//run: addresses are not fetched: copy it to this machine first"),
        ({}, "the dict of metrics is empty"),
        ({"a": 1}, "these are no metrics of roastcoffea: a dict with 'a'"),
        (Unfinished(), "Coffea report not set"),
        (17, "int is no bundle: expected a path"),
    ],
)
def test_what_is_no_bundle_is_said(source: Any, sentence: str) -> None:
    with pytest.raises(BundleError, match=sentence):
        bundle_of(source)


def test_an_empty_folder_and_a_broken_archive_are_said(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="holds no file of a bundle"):
        bundle_of(tmp_path)
    good = tmp_path / "good.zip"
    with zipfile.ZipFile(good, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metrics.json", "{}" * 500)
    broken = bytearray(good.read_bytes())
    broken[45] ^= 0xFF
    (tmp_path / "broken.zip").write_bytes(broken)
    with pytest.raises(BundleError, match=r"broken\.zip: cannot be read"):
        bundle_of(tmp_path / "broken.zip")


def test_a_report_in_the_runs_folder_is_no_part_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "metrics.json").write_text('{"data_rate_gbps":1.5}')
    (tmp_path / "dask-report.html").write_text("<html>Dask's own page</html>")
    for _ in range(2):
        assert report(tmp_path, tmp_path / "run.html") == tmp_path / "run.html"
        names = [path.split("/")[1] for path in bundle_of(tmp_path).files]
        assert names == ["dask-report.html", "metrics.json"]
    # alone it is all there is
    (tmp_path / "alone").mkdir()
    (tmp_path / "run.html").rename(tmp_path / "alone" / "run.html")
    assert list(bundle_of(tmp_path / "alone").files) == ["alone/run.html"]


def test_what_json_does_not_know_is_made_plain() -> None:
    class Number:  # as NumPy's
        def tolist(self) -> list[int]:
            return [1, 2]

    given = {("a", 1): {3, 1}, None: Path("x"), "n": Number(), "b": b"\xff", "t": True}
    assert plain(given) == {"('a', 1)": [1, 3], "None": "x", "n": [1, 2], "b": "\ufffd", "t": True}
    assert to_json([math.nan, math.inf]) == b"[NaN,Infinity]"
