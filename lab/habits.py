"""Habits of analyses that cost more than they seem to. No function is called after what is wrong with it."""

from __future__ import annotations

import logging
import tempfile
import time
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np

from .strike import strike

_remembered: list[Any] = []


def remember(values: Any, megabytes: float) -> None:
    """Keeps something of every chunk for later."""
    _remembered.append(np.resize(values, int(megabytes * 1e6 / 8)).copy())


class Node:
    """One of two that know each other."""

    def __init__(self, value: float) -> None:
        self.value = value
        self.other: Any = None


def link_records(values: Any, count: int) -> int:
    """Pairs of objects that refer to each other, all of which are known for a while."""
    pairs = []
    for value in np.resize(values, count).tolist():
        first, second = Node(value), Node(-value)
        first.other, second.other = second, first
        pairs.append(first)
    return sum(pair.value > 0 for pair in pairs)


def closest_pairs(events: Any, count: int) -> float:
    """Goes through events one by one."""
    total = 0.0
    for event in events.Jet[:count]:
        for jet in event:
            total += float(jet.pt) * float(jet.eta)
    return total


def read_tables(seconds: float) -> dict[int, float]:
    """Makes the tables of corrections that each chunk needs."""
    from .cost import compute

    compute(seconds)
    return dict.fromkeys(range(100), 1.0)


def expand(values: Any, megabytes: float) -> float:
    """All combinations at once."""
    many = np.resize(values, int(megabytes * 1e6 / 8))
    return float(np.sqrt(many * many + 1.0).sum() - np.abs(many - many.mean()).sum())


def to_frame(events: Any, times: int) -> float:
    """A data frame of all jets, to group by event."""
    import pandas

    total = 0.0
    for _ in range(times):
        records = ak.to_list(events.Jet[:1500])
        rows = [{"event": number, **jet} for number, jets in enumerate(records) for jet in jets]
        total += float(pandas.DataFrame(rows).groupby("event")["pt"].max().sum())
    return total


def note_each(values: Any, count: int) -> None:
    """A line for every event, to be able to look later."""
    log = logging.getLogger("analysis.events")
    if not log.handlers:
        path = Path(tempfile.gettempdir()) / f"events-{time.time_ns()}.log"
        log.addHandler(logging.FileHandler(path))
        log.handlers[0].setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
        log.setLevel(logging.DEBUG)
        log.propagate = False
        path.unlink()
    for number, value in enumerate(np.resize(values, count).tolist()):
        log.debug("event %d has %.6f", number, value)


def sum_columns(events: Any, times: int) -> float:
    """Sums of every column that there is, for checks by hand later."""
    total = 0.0
    for name in events.fields * times:
        column = events[name]
        for field in column.fields or [None]:
            total += float(ak.sum(column[field] if field else column))
    return total


def decompose(size: int) -> float:
    """Singular values of a covariance matrix."""
    return float(np.linalg.svd(np.random.default_rng(2).normal(size=(size, size)), compute_uv=False)[0])


def count_slowly(values: Any, rounds: int) -> int:
    """A loop in plain Python."""
    found, few = 0, values[:500].tolist()
    for _ in range(rounds):
        for value in few:
            if value * value > 0.25:
                found += 1
    return found


def in_turn(seconds: float) -> None:
    """One worker at a time looks up conditions."""
    from distributed import Lock

    with Lock("conditions"):
        time.sleep(seconds)


#: By their names in a plan: what each does with events and with values of them.
_HABITS: dict[str, tuple[str, Any]] = {
    "remember_mb": ("values", remember),
    "link": ("values", link_records),
    "one_by_one": ("events", closest_pairs),
    "tables_s": ("", read_tables),
    "expand_mb": ("values", expand),
    "frames": ("events", to_frame),
    "lines": ("values", note_each),
    "all_columns": ("events", sum_columns),
    "matrix": ("", decompose),
    "python_rounds": ("values", count_slowly),
    "in_turn_s": ("", in_turn),
    "strike": ("events", strike),
}


def follow(setup: dict[str, Any], events: Any, values: Any) -> None:
    """Does what ``setup["habits"]`` says, as much of it as is said there."""
    for name, amount in setup.get("habits", {}).items():
        of, function = _HABITS[name]
        given = {"events": [events], "values": [values]}.get(of, [])
        function(*given, amount)
