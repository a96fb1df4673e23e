"""Where a recording is saved, and what becomes of the one that was there."""

from __future__ import annotations

import gc
import gzip
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cremascope import place
from cremascope.bundle import BundleError
from cremascope.place import open_place

OLD = {"metadata.json": b"old", "metrics.json": b"old", "dask_profiles.json.gz": gzip.compress(b"old")}
NEW = {"metadata.json": b"new", "task_stream.json.gz": b"[]"}


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Holds an older recording, and something of the user's own."""
    path = tmp_path / "run"
    path.mkdir()
    for name, content in (OLD | {"plot.png": b"picture"}).items():
        (path / name).write_bytes(content)
    return path


def test_a_new_recording_replaces_the_old_one_and_nothing_else(folder: Path) -> None:
    saved = open_place(folder)
    saved.begin()
    assert contents(folder) == OLD | {"plot.png": b"picture"}
    saved.finish(NEW)
    compressed = gzip.compress(b"[]", 6, mtime=0)
    assert contents(folder) == {"metadata.json": b"new", "task_stream.json.gz": compressed, "plot.png": b"picture"}
    assert [path.name for path in folder.parent.iterdir()] == ["run"]


def test_what_roastcoffea_saved_meanwhile_stays(folder: Path) -> None:
    saved = open_place(folder)
    saved.begin()
    assert not saved.was_given("metrics.json")
    (folder / "metrics.json").unlink()
    (folder / "metrics.json").write_bytes(b"of this run")
    assert saved.was_given("metrics.json")
    saved.finish({"config.json": b"{}"})
    assert contents(folder) == {"config.json": b"{}", "metrics.json": b"of this run", "plot.png": b"picture"}


def test_where_saving_fails_the_old_recording_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    saved = open_place(folder)
    saved.begin()
    monkeypatch.setattr(place, "write_part", full)
    with pytest.raises(OSError, match="No space"):
        saved.finish(NEW)
    assert contents(folder) == OLD | {"plot.png": b"picture"}
    assert [path.name for path in folder.parent.iterdir()] == ["run"]


def test_where_saving_fails_rows_and_what_fits_are_in_a_folder_that_the_reason_names(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(folder: Path, name: str, content: bytes) -> None:
        if len(content) > 10:
            raise OSError(28, "No space left on device")
        (folder / name).write_bytes(content)

    saved = open_place(folder)
    saved.begin()
    saved.live.mkdir()
    (saved.live / "tasks.json").write_bytes(b"rows")
    monkeypatch.setattr(place, "write_part", small)
    said = f"No space left on device; not saved: task_stream.json.gz; what was recorded is in {folder}.unfinished"
    with pytest.raises(OSError, match=re.escape(said)):
        saved.finish({"config.json": b"{}", "task_stream.json.gz": bytes(100)})
    assert contents(saved.live) == {"config.json": b"{}", "tasks.json": b"rows"}
    assert contents(folder) == OLD | {"plot.png": b"picture"}


@pytest.mark.parametrize("out", ["run.zip", "memory://full/run"])
def test_what_does_not_get_where_it_belongs_is_kept_where_the_reason_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    if "://" in out:
        pytest.importorskip("fsspec")
    saved: Any = open_place(out if "://" in out else tmp_path / out)
    saved.begin()
    if "://" in out:
        monkeypatch.setattr(saved._system, "put_file", full)
    else:
        monkeypatch.setattr(place, "replace_file", full)
        monkeypatch.setattr(place, "write_part", lambda folder, name, content: (folder / name).write_bytes(content))
    with pytest.raises(OSError, match="No space left on device; what was recorded is in ") as raised:
        saved.finish({"config.json": b"{}"})
    kept = Path(str(raised.value.strerror).rpartition(" ")[2])
    del saved, raised
    gc.collect()
    try:
        assert [path.read_bytes() for path in kept.rglob("config.json")] == [b"{}"]
    finally:
        shutil.rmtree(kept)


def test_an_archive_is_replaced_as_a_whole(tmp_path: Path) -> None:
    for parts in (OLD, NEW):
        saved = open_place(tmp_path / "deep" / "run.zip")
        saved.begin()
        saved.finish(dict.fromkeys(parts, b"{}"))
    saved.add({"report.json": b"{}"})
    names = zipfile.ZipFile(tmp_path / "deep" / "run.zip").namelist()
    assert sorted(names) == ["run/metadata.json", "run/report.json", "run/task_stream.json"]


def test_a_place_that_cannot_be_written_is_said_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for out in ("file", "file/run", "file/run.zip"):
        with pytest.raises(OSError, match="file"):
            open_place(tmp_path / out).begin()


def test_an_address_that_nobody_can_write_is_refused() -> None:
    with pytest.raises(BundleError, match="nowhere://run: cannot be written"):
        open_place("nowhere://run")
