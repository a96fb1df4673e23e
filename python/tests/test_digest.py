"""A recording's digest, by the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cremascope.digest import write_digest


def test_the_digest_of_a_run_is_written_anew(recorded: Path, tmp_path: Path) -> None:
    assert write_digest(recorded, tmp_path) == ""
    assert write_digest(recorded, tmp_path) == ""
    assert sorted(file.name for file in tmp_path.iterdir()) == ["index.json", "local-4x1.digest.json"]


def test_what_is_wrong_is_handed_on(tmp_path: Path) -> None:
    reason = write_digest(tmp_path / "run", tmp_path / "history")
    assert reason.startswith("there is no digest: crema: ")
    assert "there is no such file or folder" in reason


def test_without_the_core_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cremascope._core", None)
    assert write_digest(tmp_path, tmp_path).startswith(
        "there is no digest: this installation of cremascope has no compiled core"
    )
