"""What a run is called."""

from __future__ import annotations

import pytest

from cremascope.labels import _VARIABLES, labels_of


@pytest.fixture(autouse=True)
def _no_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [variable for variables in _VARIABLES.values() for variable in variables]:
        monkeypatch.delenv(name, raising=False)


def test_a_text_is_the_label_and_a_mapping_names_them() -> None:
    assert labels_of(None) == {}
    assert labels_of("jet cleaning rewritten") == {"label": "jet cleaning rewritten"}
    assert labels_of({"facility": "here", "version": 3}) == {"facility": "here", "version": "3"}


def test_the_systems_that_run_jobs_tell_commit_and_branch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_SHA", "a2efe2c1d4a8b0c9e7f6a5b4c3d2e1f0a9b8c7d6")
    monkeypatch.setenv("GITHUB_REF_NAME", "main")
    assert labels_of("nightly") == {"label": "nightly", "commit": "a2efe2c1d4a8", "branch": "main"}
    # a pull request has the name of its branch elsewhere, and what was given counts
    monkeypatch.setenv("GITHUB_HEAD_REF", "faster")
    assert labels_of({"commit": "b2"}) == {"commit": "b2", "branch": "faster"}


def test_anything_else_is_refused() -> None:
    with pytest.raises(TypeError, match="label is a text"):
        labels_of(3)  # type: ignore[arg-type]
