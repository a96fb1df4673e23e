"""What a run of the laboratory consists of: a fault of the catalogue changes a healthy plan."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

#: Events of each file, by dataset: skewed, as filesets are.
DATASETS: dict[str, list[int]] = {
    "muons": [24_000, 20_000, 16_000],
    "ttbar": [28_000, 12_000],
    "signal": [8_000],
}
CHUNK = 4_000  # events


@dataclass
class Plan:
    """A healthy run, until a fault has changed it. Seconds, bytes, events."""

    analysis: Any  # module: columnar or loop
    chance: random.Random
    """decides places, by the seed"""
    datasets: dict[str, list[int]] = field(default_factory=lambda: {name: list(sizes) for name, sizes in DATASETS.items()})
    chunk: int = CHUNK
    compression: dict[str, str] = field(default_factory=dict)
    """codec by dataset or file, where it is not ZSTD: zlib, lz4, lzma"""
    basket: int = 4_000
    """events of a basket"""
    workers: int = 2
    threads: int = 1
    memory: str | int = 0
    """limit of a worker; 0: none"""
    environment: dict[str, str] = field(default_factory=dict)
    setup: dict[str, Any] = field(default_factory=dict)
    """what the analysis is told (cost.py, columnar.py, loop.py)"""
    on_worker: list[tuple[Callable[..., Any], tuple[Any, ...], str | None]] = field(default_factory=list)
    """called before the run: function, arguments, name of the worker (None: all)"""
    actions: list[tuple[float, str, Callable[[Any], Any]]] = field(default_factory=list)
    """when [s], what in words, and what it does with the ``Running``"""
    server: dict[str, dict[str, float]] = field(default_factory=dict)
    """datasets ("*": all) whose files come over HTTP: latency [s] of a request, rate [byte/s]"""
    foreign: int = 0
    """processes beside the run that compute"""
    executor: str = "dask"
    """or taskvine"""
    worker_options: dict[int, list[str]] = field(default_factory=dict)
    """of TaskVine's workers, by number"""
    tunes: dict[str, float] = field(default_factory=dict)
    """of TaskVine's manager"""
    limits: dict[str, dict[str, float]] = field(default_factory=dict)
    """of TaskVine's tasks, by category"""
    options: dict[str, Any] = field(default_factory=dict)
    """of the executor and the runner: retries, skipbadfiles, treereduction"""
    bad_file: str | None = None
    """a file that cannot be read"""
    damage: str = "cut"
    """what that file is: cut, overwritten, missing"""
    settings: dict[str, Any] = field(default_factory=dict)
    """of Dask"""
    batch: list[Callable[[Any], Any]] = field(default_factory=list)
    """start workers as a batch system does"""
    hidden_module: str | None = None
    """the processor is of a module by this name that workers lack"""
    raises: bool = False
    """the run may end with an exception"""
    struck: str = ""
    """where failures write that they happened"""
    after: Callable[[Any], Any] | None = None
    """what the client does with each result of the run, in the recorded block"""

    def file(self, dataset: str | None = None) -> str:
        """A file by chance, of the dataset or of one of several files."""
        name = dataset or self.chance.choice([one for one, sizes in self.datasets.items() if len(sizes) > 1])
        return f"{name}_{self.chance.randrange(len(self.datasets[name])) + 1}.root"

    def dataset(self) -> str:
        return self.chance.choice([name for name, sizes in self.datasets.items() if sum(sizes) > 30_000])

    def worker(self) -> str:
        return str(self.chance.randrange(self.workers))

    def spend(self, role: str, **how: Any) -> dict[str, str]:
        """Lets the function of that role cost more (cost.py), and says where that is."""
        function, section = self.analysis.ROLES[role]
        self.setup.setdefault("spend", {}).setdefault(function, []).append(how)
        return {"function": function, "section": section}

    def longer(self, times: int) -> None:
        """So many times as many events."""
        for sizes in self.datasets.values():
            sizes.extend(sizes * (times - 1))

    def chunks(self, dataset: str | None = None) -> int:
        """How many chunks there are, as coffea cuts files."""
        sizes = [size for name, sizes in self.datasets.items() if dataset in (None, name) for size in sizes]
        return sum(max(1, round(size / self.chunk)) for size in sizes)

    def events(self, dataset: str | None = None) -> int:
        return sum(sum(sizes) for name, sizes in self.datasets.items() if dataset in (None, name))
