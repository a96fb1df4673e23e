"""What of folders and archives counts: the same cases that the core is held to (tests/core/test_source_policy.cpp)."""

import json
from pathlib import Path, PurePosixPath

import pytest

from cremascope.bundle import MOST_ENTRIES, archive_folder, counts_as_file, entry_path, may_unpack

CASES = json.loads((Path(__file__).parents[2] / "tests" / "source_policy.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["files"], ids=lambda case: case["path"])
def test_files_that_count(case):
    assert counts_as_file(case["path"]) == case["counts"]


@pytest.mark.parametrize("case", CASES["entries"], ids=lambda case: case["name"])
def test_paths_of_entries(case):
    assert entry_path(case["name"]) == case["path"]


@pytest.mark.parametrize("case", [case for case in CASES["archives"] if case["archive"].lower().endswith(".zip")])
def test_single_folders_of_archives(case):
    name = PurePosixPath(case["archive"]).stem
    assert archive_folder(name, case["entries"]) == case["folder"]


@pytest.mark.parametrize("case", CASES["sizes"])
def test_how_much_may_be_unpacked(case):
    assert may_unpack(case["unpacked"], case["packed"]) == case["allowed"]


def test_how_many_files():
    assert CASES["mostEntries"] == MOST_ENTRIES
