"""docs/tutorial.md: what its reader runs, is told, mends and measures."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import cremascope as crema

from ..conftest import ROOT

DOCS = ROOT / "docs"


def analysis() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "zprime.py"), run_name="zprime")


def mended() -> dict[str, Any]:
    source = (DOCS / "zprime.py").read_text()
    found = re.search(r"```python\n(def best_mass.*?)```", (DOCS / "tutorial.md").read_text(), re.DOTALL)
    assert found
    begin, end = source.index("def best_mass"), source.index("def bootstrap")
    names: dict[str, Any] = {"__name__": "zprime"}
    exec(compile(f"{source[:begin]}{found[1]}\n\n{source[end:]}", str(DOCS / "zprime.py"), "exec"), names)
    return names


def run(names: dict[str, Any], fileset: Any, to: Path) -> Any:
    from coffea import processor
    from coffea.nanoevents import BaseSchema

    executor = processor.IterativeExecutor(status=False)
    runner = processor.Runner(executor, schema=BaseSchema, chunksize=500)
    with crema.record(str(to)):
        return runner(fileset, treename="Events", processor_instance=names["Search"]())


def test_the_finding_names_the_function_whose_mending_saves_what_was_promised(tmp_path: Path) -> None:
    slow, fast = analysis(), mended()
    fileset = slow["toy_events"](tmp_path / "toy-events", files=1, count=2000)
    before, after = (run(names, fileset, tmp_path / to) for names, to in ((slow, "before"), (fast, "after")))
    assert before["events"] == after["events"] == 4000
    assert (before["spectrum"].values() == after["spectrum"].values()).all()
    titles = crema.open(tmp_path / "before").ask("findings")["title"]
    assert any("best_mass, which goes through an awkward array item by item" in title for title in titles)
    # for each of 4,000 events some loops of Python, and then none
    seconds = {
        to: dict(zip(*(tree[name] for name in ("label", "core_seconds")), strict=True))
        for to in ("before", "after")
        for tree in [crema.open(tmp_path / to).ask("core_time_tree", under="available/inside_process", depth=1)]
    }
    assert seconds["before"]["best_mass"] > 5 * seconds["after"].get("best_mass", 0)
