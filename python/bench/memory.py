"""Whether `memory` foretells larger chunks: six small analyses, recorded with chunks of one, two and four times a size.

    PYTHONPATH=python build/python/bin/python python/bench/memory.py build/native/crema

From the recording with the smallest chunks `crema ask RUN memory` says what chunks of 2 and 4 times the size take; the other
recordings say what they took. Printed: how many of their chunks are within the band (asked: 85 of 100), and of limits from half
of the smallest to twice the largest chunks' peaks, whether a typical chunk passes, where the answer decides (asked: 95 of 100).
"""

from __future__ import annotations

import gzip
import json
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import uproot

CHUNK = 12_500
#: Of each file. A dataset has small files, too, and only chunks of different sizes tell what an event takes.
EVENTS = (200_000, 200_000, 7_000, 4_000)
SIZES = (1, 2, 4)
LIMITS = 12
ALIKE = 0.2  # chunks of a size have that many events more or less


def columns(events: Any) -> Any:
    """Whole columns, and a few temporaries of them."""
    pt = ak.to_numpy(ak.flatten(events.pt))
    return sum(float(np.sqrt(pt * scale).sum()) for scale in (1.0, 1.1))


def dense(events: Any) -> Any:
    """Each event's jets in 60 places of a matrix."""
    table = ak.to_numpy(ak.fill_none(ak.pad_none(events.pt, 60, clip=True), 0.0))
    return float((table * table).sum())


def pairs(events: Any) -> Any:
    """All pairs of jets of an event."""
    first, second = ak.unzip(ak.combinations(events.pt, 2))
    return float(ak.sum(first * second))


def table(events: Any) -> Any:
    """A table of 120 MB whatever the events, and little for each."""
    bins = np.zeros(15_000_000) + 1.0
    return float(bins[: len(events)].sum() + ak.sum(events.met))


def variations(events: Any) -> Any:
    """Eight variations of all jets, kept until the end of the chunk."""
    return float(sum(ak.sum(one) for one in [events.pt * (1 + 0.01 * step) for step in range(8)]))


def tails(events: Any) -> Any:
    """Temporaries that depend on the hardest jet of the chunk: chunks of one size differ."""
    hardest = float(ak.max(events.pt))
    return float(np.ones(int(len(events) * hardest)).sum())


ANALYSES: dict[str, Callable[[Any], Any]] = {one.__name__: one for one in (columns, dense, pairs, table, variations, tails)}


def make_files(folder: Path) -> dict[str, Any]:
    chance, files = np.random.default_rng(3), {}
    for number, events in enumerate(EVENTS):
        path = folder / f"events_{number}.root"
        with uproot.recreate(path) as file:
            counts = chance.poisson(6, events)
            jets = ak.unflatten(chance.exponential(30, counts.sum()), counts)
            file.mktree("Events", {"pt": jets.type.content, "met": "float64"})
            file["Events"].extend({"pt": jets, "met": chance.exponential(40, events)})
        files[str(path)] = "Events"
    return {"data": {"files": files}}


def record(name: str, times: int, files: str, out: str) -> None:
    """In a process of its own, whose memory nothing was in."""
    from coffea import processor
    from coffea.nanoevents import BaseSchema

    import cremascope as crema

    class Processor(processor.ProcessorABC):  # type: ignore[misc]
        def process(self, events: Any) -> dict[str, float]:
            return {"sum": ANALYSES[name](events)}

        def postprocess(self, accumulator: Any) -> Any:
            return accumulator

    warnings.simplefilter("ignore")
    executor = processor.IterativeExecutor(status=False)
    runner = processor.Runner(executor=executor, schema=BaseSchema, chunksize=CHUNK * times)
    with crema.record(out):
        runner(json.loads(files), processor_instance=Processor())


def peaks(run: Path, times: int) -> list[float]:
    """[byte] Of each chunk of that size, as recorded."""
    found = []
    for path in sorted(run.glob("tasks-*.json.gz")):
        part = json.loads(gzip.decompress(path.read_bytes()))
        tasks = part["tasks"]
        for kind, peak, events in zip(tasks["kind"], tasks["rss_peak"], tasks["events"], strict=True):
            if part["strings"][kind] == "chunk" and peak is not None and abs(events / (CHUNK * times) - 1) <= ALIKE:
                found.append(float(peak))
    return found


def ask(program: str, run: Path, **options: float) -> dict[str, Any]:
    given = [f"--option={key}={value}" for key, value in options.items()]
    told = subprocess.run([program, "ask", str(run), "memory", *given, "--json"], capture_output=True, text=True, check=True)
    return {column["name"]: column["values"][0] for column in json.loads(told.stdout)["columns"]}


def main() -> int:
    if len(sys.argv) == 6:
        record(sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5])
        return 0
    program = sys.argv[1]
    within = of = right = decided = asked = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files = json.dumps(make_files(folder))
        for name in ANALYSES:
            runs = {times: folder / f"{name}-{times}" for times in SIZES}
            for times, run in runs.items():
                command = [sys.executable, __file__, "record", name, str(times), files, str(run)]
                subprocess.run(command, check=True)
            measured = {times: peaks(run, times) for times, run in runs.items()}
            low, high = (statistics.median(measured[times]) for times in (SIZES[0], SIZES[-1]))
            line = []
            for times in SIZES[1:]:
                band = ask(program, runs[1], times=times)
                inside = sum(band["memory_low"] <= peak <= band["memory_high"] for peak in measured[times])
                within, of = within + inside, of + len(measured[times])
                line.append(
                    f"{times} x: {inside} of {len(measured[times])} in {band['memory_low'] / 2**20:.0f} to "
                    f"{band['memory_high'] / 2**20:.0f} MiB, median {statistics.median(measured[times]) / 2**20:.0f}"
                )
                for limit in np.geomspace(low / 2, 2 * high, LIMITS):
                    above = ask(program, runs[1], times=times, limit=round(limit))
                    asked += 1
                    if above["above_low"] > 0.5 or above["above_high"] < 0.5:
                        decided += 1
                        passes = statistics.median(measured[times]) > limit
                        right += (above["above_low"] > 0.5) == passes
            print(f"{name:12} {'; '.join(line)}", flush=True)
    print(f"in the 90 % band           {within} of {of} chunks")
    print(f"killed or not, as foretold {right} of {decided} decided, {asked} asked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
