"""A recording's digest, by the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cremascope.digest import write_digest


def _program(folder: Path, script: str) -> None:
    program = folder / "crema"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="a script of the shell stands for the program")
def test_the_command_line_is_asked_and_what_it_says_is_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    _program(tmp_path, f'echo "$@" > {tmp_path}/asked')
    assert write_digest(tmp_path / "run", "history") == ""
    assert (tmp_path / "asked").read_text() == f"digest {tmp_path}/run -o history --force\n"
    _program(tmp_path, 'echo "crema: no such folder" >&2; exit 2')
    assert write_digest(tmp_path / "run", "history") == "there is no digest: crema: no such folder"


def test_without_the_command_line_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert write_digest(tmp_path, tmp_path) == "there is no digest: the command line, crema, is not on the PATH"
