"""How long Python takes to open a run, and to have its chunks as a data frame [ms of processor time]: least and median of 7.

    node tests/bench/generate.mjs --workers 100 --ticks 1500 --chunks 100000 -o run/metrics.json
    python tests/bench/frames.py run           # with cremascope, pandas and pyarrow installed
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING

import cremascope as crema

if TYPE_CHECKING:
    from collections.abc import Callable


def measure(what: str, work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> None:
    taken = []
    for _ in range(7):
        begin = clock()
        work()
        taken.append(1000 * (clock() - begin))
    print(f"{what:44} {min(taken):7.1f} {median(taken):7.1f}")


def of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


path = sys.argv[1]
program = sys.argv[2] if len(sys.argv) > 2 else "build/native/crema"
measure("crema ask runs, the native program", lambda: subprocess.run([program, "ask", path, "runs"], stdout=-3), of_children)
measure("crema.open", lambda: crema.open(path))
runs = crema.open(path)
chunks = runs.ask("chunks")
print(f"{len(chunks)} chunks, {len(chunks.columns)} columns")
measure('ask("chunks")', lambda: runs.ask("chunks"))
measure("to_pandas()", chunks.to_pandas)
measure('ask("chunks").to_pandas()', lambda: runs.ask("chunks").to_pandas())
