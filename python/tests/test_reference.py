"""docs/python-api.md has every public name, as the docstrings say it."""

import re
import runpy
from typing import Any

import cremascope

from .conftest import ROOT

REFERENCE = runpy.run_path(str(ROOT / "python" / "reference.py"))
PAGE = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")


def test_it_is_up_to_date() -> None:
    assert REFERENCE["page"]() == PAGE, "python3 python/reference.py renews it"


def test_every_public_name_has_a_heading_and_a_sentence() -> None:
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
    assert set(sections) == set(cremascope.__all__)
    for name, text in sections.items():
        sentences = re.sub(r"```.*?```", "", text, flags=re.S)
        assert re.search(r"[a-z]\.", sentences), name


def test_every_public_method_has_a_heading() -> None:
    for kind in (cremascope.Answer, cremascope.Figure, cremascope.Recording, cremascope.Runs, cremascope.Shown):
        public = [name for name, it in methods(kind) if not name.startswith("_")]
        for name in public:
            assert f"### {kind.__name__}.{name}\n" in PAGE


def methods(kind: type) -> list[tuple[str, Any]]:
    of_package = [base for base in kind.__mro__ if base.__module__.startswith("cremascope")]
    return [pair for base in of_package for pair in vars(base).items()]


def test_a_call_is_written_as_it_is_given() -> None:
    assert "show(\n    source: Any,\n    *,\n    name: str | None = None,\n" in PAGE
    assert "section(name: str) -> AbstractContextManager[None]" in PAGE
    assert ".to_json(*, explain: bool = False) -> str" in PAGE
