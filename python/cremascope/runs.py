"""Opens runs and asks the core about them: what ``crema ask`` answers, in Python."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cremascope.answer import Answer
from cremascope.bundle import BundleError, bundle_of
from cremascope.core import core
from cremascope.figure import Figure, figure_of, standing_in
from cremascope.questions import Asking

#: Filters by their names here, and what a request of the core calls them.
FILTERS = {"dataset": "datasets", "file": "files", "host": "hosts", "worker": "workers", "prefix": "prefixes"}


def open(*sources: Any) -> Runs:
    """Opens runs, to be asked.

    Each source is a path (a folder, an archive, a file, also in a list), roastcoffea's metrics as a dict, a
    ``MetricsCollector``, a ``Recording`` or ``Runs``. A folder may hold several runs; files that are given one by one make
    one run, as on the command line.
    Raises BundleError where there is nothing to show, CoreMissingError where the package has no compiled part.
    """
    runs = Runs()
    runs._open(sources)
    return runs


class Runs(Asking):
    """Runs that are open. ``len(runs)`` says how many, ``runs[0]`` is the first alone, ``runs[:2]`` are the first two.

    ``runs["before"]`` is that of the title, ``"before" in runs`` says whether there is one; ``with crema.open(...) as runs``
    closes them at the block's end.
    """

    def __init__(self) -> None:
        self._session = core().Session()
        self._ids: list[int] = []
        self.sources: list[Any] = []
        """What was opened, as it was given."""
        self.data_notes: list[str] = []
        """What of it could not be used; the question ``quality`` says more of each run."""

    def _open(self, sources: Sequence[Any]) -> list[int]:
        begin = len(self._ids)
        paths: list[str] = []

        def opened(result: tuple[list[int], list[str]]) -> None:
            self._ids += result[0]
            self.data_notes += result[1]

        def open_paths() -> None:
            if paths:
                opened(self._session.open(paths))
                paths.clear()

        try:
            for source in _flat(sources):
                self.sources.append(source)
                path = source if isinstance(source, str | os.PathLike) else getattr(source, "path", None)
                if isinstance(path, str | os.PathLike):
                    # Path would make one / of the two in an address, which the core refuses as one
                    paths.append(path if "://" in (path := os.fspath(path)) else str(Path(path).expanduser()))
                    continue
                open_paths()
                opened(self._session.open_files(bundle_of(source).files))
            open_paths()
        except core().CoreError as problem:
            raise BundleError(str(problem)) from None
        if begin == len(self._ids):
            raise BundleError("nothing was given to open: crema.open('runs/zprime')")
        return self._ids[begin:]

    def _part(self, ids: list[int]) -> Runs:
        part = Runs.__new__(Runs)
        part._session, part._ids = self._session, ids
        part.sources, part.data_notes = self.sources, self.data_notes
        return part

    @property
    def titles(self) -> list[str]:
        """What each is called, as far as tells them apart."""
        return [self._session.title(run) for run in self._ids]

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, which: int | slice | str) -> Runs:
        """The runs of these places, or the one of that title. Raises IndexError, or KeyError with the titles that there are."""
        if isinstance(which, str):
            if which not in self.titles:
                raise KeyError(f"there is no run {which!r}; there are {', '.join(self.titles)}")
            return self._part([self._ids[self.titles.index(which)]])
        if isinstance(which, slice):
            return self._part(self._ids[which])
        try:
            return self._part([self._ids[which]])
        except IndexError:
            raise IndexError(f"there is no run {which}: {len(self)} are open") from None

    def __contains__(self, title: object) -> bool:
        """Whether a run of that title is open."""
        return title in self.titles

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, *_: object) -> None:
        """Closes them: there are none afterwards, and their memory is free."""
        self._session = core().Session()
        self._ids = []

    def __iter__(self) -> Iterator[Runs]:
        return (self._part([run]) for run in self._ids)

    def __repr__(self) -> str:
        return f"<Runs {', '.join(self.titles)}>"

    def _repr_html_(self) -> str:
        return standing_in(self)

    def plot(self, what: str = "core_time") -> Figure:
        """A picture for slides: ``"core_time"`` is a bar for each run, of the parts of its core-time.

        ``"datasets"``, ``"sections"`` and ``"functions"`` are a bar for each, of its time in ``process()``;
        ``"over_time"`` is how many cores each part of the core-time had at each moment. Raises ValueError for another,
        and where what it shows was not recorded.
        """
        return figure_of(self, what)

    def preload(self) -> dict[str, list[str]]:
        """The branches that each chunk of a dataset read, by dataset, of one run.

        To be asked for at once: ``fileset[dataset]["preload"]`` of coffea. Empty where branches were not recorded.
        """
        self._alone("preload")
        lists = {}
        for dataset in self._answer("datasets", {})["name"]:
            of_it = self._answer("branches", {"dataset": dataset or ""})
            lists[dataset or ""] = [row["branch"] for row in of_it.rows() if row["share_of_chunks"] == 1]
        return {dataset: branches for dataset, branches in lists.items() if branches}

    def save_trace(self, path: str | os.PathLike[str]) -> Path:
        """Writes tasks and workers' series of one run as trace events, which https://ui.perfetto.dev opens.

        Packed where the name ends in ``.gz``. Returns the path.
        """
        self._alone("save_trace")
        target = Path(path).expanduser()
        content = self._session.trace(self._ids[0])
        target.write_bytes(gzip.compress(content, mtime=0) if target.suffix == ".gz" else content)
        return target

    def _alone(self, what: str) -> None:
        if len(self) != 1:
            raise ValueError(f"{what} takes one run, and these are {len(self)}: runs[0].{what}(...)")

    def _answer(self, question: str, given: Mapping[str, Any]) -> Answer:
        selection: dict[str, Any] = {}
        options: dict[str, str] = {}
        for name, value in given.items():
            if value is None:
                continue
            if name == "select":
                selection["time"] = _range(value)
            elif name == "ranges":
                selection["ranges"] = [{"column": column, "lo": least, "hi": most} for column, (least, most) in value.items()]
            elif name in FILTERS:
                selection[FILTERS[name]] = [value] if isinstance(value, str) else list(value)
            else:
                options[name] = _text(value)
        request = {"question": question, "runs": self._ids, "selection": selection, "options": options}
        return Answer(self._session.ask(json.dumps(request)))


def _range(value: Any) -> list[float]:
    """Begin and end in seconds. Raises ValueError for anything else."""
    try:
        begin, end = map(float, value)
    except (TypeError, ValueError):
        raise ValueError(f"select is begin and end in seconds since the start, such as (10, 60), and not {value!r}") from None
    return [begin, end]


def _text(value: Any) -> str:
    """An option's value as the command line takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def _flat(sources: Sequence[Any]) -> Iterator[Any]:
    for source in sources:
        if isinstance(source, Runs):
            yield from source.sources
        elif isinstance(source, list | tuple):
            yield from _flat(source)
        else:
            yield source


def _sides(before: Any, after: Any, question: str, given: Mapping[str, Any]) -> Answer:
    runs = Runs()
    first = runs._open([before])
    runs._open([after])
    of_a = {"runs_of_a": len(first)} if len(runs) > 2 else {}
    return runs._answer(question, {**of_a, **given})


def compare(before: Any, after: Any, **how: Any) -> Answer:
    """What changed from ``before`` to ``after``, number by number: the question ``compare`` of two runs.

    A side is whatever ``open`` takes; a list of runs are replicates of one work. ``how`` narrows it and has options, as in
    ``Runs.ask``. Raises BundleError and ValueError likewise.
    """
    return _sides(before, after, "compare", how)


def verdict(before: Any, after: Any, **how: Any) -> Answer:
    """Why one is slower than the other: the question ``verdict``, as ``compare``. The sentences are in its notes."""
    return _sides(before, after, "verdict", how)


def check(baseline: Any, candidate: Any, rules: str | Sequence[str], **how: Any) -> Answer:
    """Holds the candidate against rules (docs/gate.md), such as ``"event_rate_core_khz not worse"``.

    The column ``state`` says of each condition and rule whether it is kept; ``kept`` is None where a number is missing.
    """
    return _sides(baseline, candidate, "check", {"rules": rules if isinstance(rules, str) else "\n".join(rules), **how})


def history(*sources: Any, **how: Any) -> Answer:
    """Since when runs of one work are slower: the levels of each number over recordings and digests, and their changes."""
    return open(*sources)._answer("history_levels", how)
