"""Answers as data frames of other packages."""

from __future__ import annotations

import sys
from pathlib import Path

import awkward
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import cremascope as crema

from ..conftest import RECORDED


@pytest.fixture(scope="module")
def chunks() -> crema.Answer:
    return crema.open(RECORDED / "local-4x1").ask("chunks")


def test_pandas_has_numbers_texts_and_what_units_they_have(chunks: crema.Answer) -> None:
    frame = chunks.to_pandas()
    assert frame.shape == (214, len(chunks.columns))
    assert frame.events.sum() == 2_139_123
    assert set(frame[frame.dataset == "ttbar"].file) == set(
        crema.open(RECORDED / "local-4x1").ask("chunks", dataset="ttbar")["file"]
    )
    assert frame.attrs["units"]["duration"] == "s"
    assert frame.attrs["formulas"]["seconds_per_event"] == "duration / events"


@pytest.mark.parametrize("question", ["chunks", "summary", "worker_matrix", "tasks", "findings"])
def test_without_pyarrow_the_frame_is_the_same(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = crema.open(RECORDED / "local-4x1")._answer(question, {})
    frame = answer.to_pandas()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    plain = answer.to_pandas()
    for name in plain.columns:  # the cells of a matrix are arrays in one and lists in the other
        if isinstance(plain[name].iloc[0], list):
            plain[name] = plain[name].map(tuple)
            frame[name] = frame[name].map(tuple)
    # a column in which nothing was recorded has no type of its own
    recorded = plain.columns[plain.notna().any()]
    assert list(frame.columns[frame.notna().any()]) == list(recorded)
    pandas.testing.assert_frame_equal(frame[recorded], plain[recorded], check_dtype=False)


def test_others_take_it_by_arrows_own_interface(chunks: crema.Answer) -> None:
    table = pyarrow.table(chunks)
    table.validate(full=True)
    assert table.schema.field("duration").metadata == {b"unit": b"s"}
    assert table.schema.metadata[b"question"] == b"chunks"
    assert polars.DataFrame(chunks)["events"].sum() == 2_139_123
    assert awkward.sum(awkward.from_arrow(table).events) == 2_139_123


def test_parquet_and_arrow_files_have_the_same_with_units(chunks: crema.Answer, tmp_path: Path) -> None:
    chunks.to_parquet(tmp_path / "chunks.parquet")
    chunks.to_arrow(tmp_path / "chunks.arrow")
    expected = pyarrow.table(chunks)
    read = [
        pyarrow.parquet.read_table(tmp_path / "chunks.parquet"),
        pyarrow.ipc.open_file(tmp_path / "chunks.arrow").read_all(),
    ]
    for table in read:
        assert table.to_pylist() == expected.to_pylist()
        assert table.field("duration").metadata[b"unit"] == b"s"
