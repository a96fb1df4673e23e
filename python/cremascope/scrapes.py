"""Reads what was saved of Dask's ``/metrics``: Prometheus' text format 0.0.4."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_OF_DASK = re.compile(rb"^dask_(?:scheduler|worker)_\w+[{ \t]", re.MULTILINE)
_SAMPLE = re.compile(
    r'(?P<name>[a-zA-Z_:][\w:]*)\s*(?:\{(?P<labels>(?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?'
    r"\s*(?<=[\s}])(?P<value>[^\s{}]+)(?:\s+(?P<when>\d{1,15}))?$"
)
_LABEL = re.compile(r'(\w+)\s*=\s*"((?:[^"\\]|\\.)*)"')
#: Larger values are no counts of anything, and NaN and infinity say nothing.
_MOST = 2.0**53

Labels = tuple[tuple[str, str], ...]


@dataclass
class Scrape:
    """What a process told at a moment, in epoch seconds."""

    when: float
    file: str
    """name without ending"""
    instance: str
    """as Prometheus calls the process; empty where the process itself was asked"""
    is_timed: bool = False
    """whether the moment is behind the values; otherwise it is when the file was last changed"""
    values: dict[str, dict[Labels, float]] = field(default_factory=dict)

    @property
    def is_of_scheduler(self) -> bool:
        return any(name.startswith("dask_scheduler_") for name in self.values)

    @property
    def is_of_worker(self) -> bool:
        return not self.is_of_scheduler and any(name.startswith("dask_worker_") for name in self.values)

    def sum(self, name: str) -> float | None:
        """Of all labels; None where the name is absent."""
        return sum(self.values[name].values()) if name in self.values else None

    def by(self, label: str, name: str) -> dict[str, float]:
        """Sums by the values of a label."""
        sums: dict[str, float] = {}
        for labels, value in self.values.get(name, {}).items():
            key = dict(labels).get(label, "")
            sums[key] = sums.get(key, 0.0) + value
        return sums


def is_scrape(path: Path) -> bool:
    with path.open("rb") as file:
        return _OF_DASK.search(file.read(1 << 16)) is not None


def scrapes_of(path: Path) -> Iterator[Scrape]:
    """One for each process that the file tells of: several where Prometheus was asked for all (``/federate``)."""
    found: dict[str, Scrape] = {}
    changed = path.stat().st_mtime
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            sample = None if line.startswith("#") else _SAMPLE.match(line.strip())
            if sample is None or (value := _number(sample["value"])) is None:
                continue
            labels = {name: re.sub(r"\\(.)", _unescaped, text) for name, text in _LABEL.findall(sample["labels"] or "")}
            instance = labels.get("instance", "")
            scrape = found.setdefault(instance, Scrape(changed, path.stem, instance))
            if sample["when"]:
                when = int(sample["when"]) / 1000
                scrape.when = max(scrape.when, when) if scrape.is_timed else when
                scrape.is_timed = True
            scrape.values.setdefault(sample["name"], {})[tuple(sorted(labels.items()))] = value
    yield from (scrape for scrape in found.values() if scrape.is_of_scheduler or scrape.is_of_worker)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) <= _MOST else None


def _unescaped(found: re.Match[str]) -> str:
    return "\n" if found[1] == "n" else found[1]
