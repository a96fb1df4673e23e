"""A small Coffea job: generated ROOT files, a processor that roastcoffea tracks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

EVENTS, FILES, CHUNK = 4000, 3, 1000


def make_files(folder: Path) -> dict[str, Any]:
    """A fileset of two datasets, 3 files of 4,000 events: 12 chunks."""
    import uproot

    random = np.random.default_rng(7)
    fileset: dict[str, Any] = {"data": {"files": {}}, "signal": {"files": {}}}
    for number in range(FILES):
        path = folder / f"events_{number}.root"
        with uproot.recreate(path) as file:
            file.mktree("Events", {"pt": "float64", "eta": "float64"})
            file["Events"].extend({"pt": random.exponential(30, EVENTS), "eta": random.normal(0, 2, EVENTS)})
        fileset["signal" if number == 0 else "data"]["files"][str(path)] = "Events"
    return fileset


def make_processor() -> Any:
    """Defined here inside, so that it travels to the workers by value: they cannot import tests."""
    import time

    from coffea import processor
    from roastcoffea import track_metrics, track_time

    class ToyProcessor(processor.ProcessorABC):  # type: ignore[misc]
        @track_metrics  # type: ignore[untyped-decorator]
        def process(self, events: Any) -> dict[str, Any]:
            with track_time(self, "selection"):
                pt = np.asarray(events.pt)
                selected = int((pt > 20).sum())
            with track_time(self, "busy"):
                until = time.perf_counter() + 0.15
                while time.perf_counter() < until:
                    np.sort(pt)
            return {"events": len(pt), "selected": selected}

        def postprocess(self, accumulator: Any) -> Any:
            return accumulator

    return ToyProcessor()


def run(client: Any, fileset: dict[str, Any], toy: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The accumulated output and coffea's report."""
    from coffea import processor
    from coffea.nanoevents import BaseSchema

    runner = processor.Runner(
        executor=processor.DaskExecutor(client=client, status=False), schema=BaseSchema, chunksize=CHUNK, savemetrics=True
    )
    output, report = runner(fileset, processor_instance=toy, treename="Events")
    return output, report
