"""What a run can be given as - a folder, an archive, a file, metrics, a collector - and the files that it consists of."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from cremascope.encode import to_json

#: What lies beside the files of a bundle and is no part of it, by ending.
_PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf"}
_DATA = {".root", ".parquet", ".pkl", ".pickle", ".coffea", ".npz", ".h5", ".zip", ".tar"}
_CODE = {".py", ".pyc", ".ipynb", ".so"}
_OTHER = _PICTURES | _DATA | _CODE


class BundleError(ValueError):
    """What was given is no bundle, or cannot be read; the message says which file and why."""


@dataclass
class Bundle:
    """The files of one or more runs, in memory."""

    name: str
    """what to call it: the name of the folder, the archive or the file"""
    files: dict[str, bytes] = field(default_factory=dict)
    """the contents by path, with ``/`` between folders, the name of the bundle's own folder first"""


def bundle_of(source: Any, name: str | None = None) -> Bundle:
    """The bundle that ``source`` is or holds.

    ``source`` is a path (folder, ``.zip`` or a single file), the metrics of roastcoffea as a dict, a ``MetricsCollector``
    after its run, a ``Recording``, ``Runs``, or a list of them. ``name`` replaces the name that would be taken from it.
    Raises BundleError where there is nothing that could be a bundle.
    """
    if isinstance(source, str | os.PathLike):
        if "://" in (address := os.fspath(source)):
            raise BundleError(f"{address}: addresses are not fetched: copy it to this machine first")
        return _of_path(Path(source).expanduser(), name)
    if isinstance(source, list | tuple) or hasattr(source, "sources"):  # a list, or Runs
        return _together([bundle_of(one) for one in getattr(source, "sources", source)], name)
    path = getattr(source, "path", None)
    if isinstance(path, Path):  # a Recording
        return _of_path(path, name)
    if isinstance(source, Mapping):
        return _of_parts({"metrics.json": to_json(checked_metrics(source))}, name, "metrics")
    if hasattr(source, "get_metrics"):
        return _of_parts(parts_of_collector(source), name, "metrics")
    raise BundleError(
        f"{type(source).__name__} is no bundle: expected a path, a dict of metrics, a MetricsCollector, a Recording or list"
    )


def _together(bundles: list[Bundle], name: str | None) -> Bundle:
    """Several as one, each in a folder of its own; those of one name are numbered. Single files are one run together."""
    if len(bundles) == 1:
        return Bundle(name or bundles[0].name, bundles[0].files)
    if not bundles:
        raise BundleError("an empty list holds no run")
    whole = Bundle(name or " and ".join(bundle.name for bundle in bundles[:3]) + (" …" if len(bundles) > 3 else ""))
    taken: set[str] = set()
    for bundle in bundles:
        folder, number = bundle.name, 1
        while folder in taken:
            number += 1
            folder = f"{bundle.name} ({number})"
        taken.add(folder)
        for path, content in bundle.files.items():
            if "/" not in path and path not in whole.files:
                whole.files[path] = content
                continue
            whole.files[f"{folder}/{path.removeprefix(f'{bundle.name}/')}"] = content
    return whole


def parts_of_collector(collector: Any) -> dict[str, bytes]:
    """The files of a roastcoffea ``MetricsCollector`` (or of anything that has its ``get_metrics()``), by name."""
    try:
        metrics = collector.get_metrics()
    except RuntimeError as problem:  # roastcoffea: not left yet, or without coffea's report
        raise BundleError(f"the collector has no metrics: {problem}") from problem
    parts = {"metrics.json": to_json(checked_metrics(metrics))}
    begin, end = getattr(collector, "t_start", None), getattr(collector, "t_end", None)
    if begin is not None and end is not None:
        parts["start_end_time.txt"] = f"{begin},{end}\n".encode()
    report = getattr(collector, "coffea_report", None)
    if isinstance(report, Mapping) and report:
        parts["report.json"] = to_json(report)
    return parts


#: Keys of which roastcoffea's metrics have one at least: by these the core knows them (core/read/metrics.cpp).
METRICS_KEYS = {
    "tracking_data",
    "raw_chunk_metrics",
    "raw_span_metrics",
    "chunk_info",
    "data_rate_gbps",
    "overall_rate_gbps",
    "event_rate_elapsed_khz",
    "event_rate_wall_khz",
    "avg_cpu_time_per_chunk",
    "processor_cpu_time_seconds",
}


def checked_metrics(metrics: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """``metrics``, where they are roastcoffea's. Raises BundleError where they are empty or something else."""
    if not metrics:
        raise BundleError("the dict of metrics is empty")
    if not (METRICS_KEYS & metrics.keys() or {"raw", "summary"} <= metrics.keys()):
        found = ", ".join(repr(key) for key in list(metrics)[:3])
        raise BundleError(f"these are no metrics of roastcoffea: a dict with {found} has none of their keys")
    return metrics


def _of_parts(parts: dict[str, bytes], name: str | None, otherwise: str) -> Bundle:
    # without a folder the page calls a run after its processor, which says more than "metrics"
    folder = f"{name}/" if name else ""
    return Bundle(name or otherwise, {folder + path: content for path, content in parts.items()})


def _of_path(path: Path, name: str | None) -> Bundle:
    try:
        if path.is_dir():
            bundle = Bundle(name or path.resolve().name or "bundle")
            bundle.files = {f"{bundle.name}/{inner}": file.read_bytes() for inner, file in files_of_folder(path).items()}
        elif path.is_file() and zipfile.is_zipfile(path):
            bundle = Bundle(name or path.stem)
            bundle.files = dict(_entries(path, bundle.name))
        elif path.is_file():
            bundle = Bundle(name or path.name.split(".")[0] or path.name, {path.name: path.read_bytes()})
        else:
            raise BundleError(f"{path}: there is no such file or folder")
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise BundleError(f"{path}: cannot be read ({reason})") from problem
    if not bundle.files:
        raise BundleError(f"{path}: holds no file of a bundle (expected metrics.json, dask_profiles.json and the like)")
    return bundle


# What of folders and archives counts is the core's rule (core/session/source_policy.hpp); tests/source_policy.json holds both
# to the same cases. Left out besides is what is surely no part of a bundle, because it would be copied for nothing.
_LITTER = {"__MACOSX", "Thumbs.db", "desktop.ini"}
MOST_ENTRIES = 10_000
_ALWAYS_UNPACKED = 32 * 2**20
_MOST_TIMES = 250


def counts_as_file(path: str) -> bool:
    """Whether a file of a folder or archive is looked at: nothing hidden, nothing that operating systems leave there."""
    return not any(name.startswith(".") or name in _LITTER for name in path.split("/"))


def entry_path(name: str) -> str:
    """The path of an archive's entry, with ``/`` between folders; empty when it is none, or leads out of the archive."""
    names = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    return "" if ".." in names else "/".join(names)


def may_unpack(unpacked: int, packed: int) -> bool:
    """Whether so many bytes may come out of so many."""
    return unpacked <= _ALWAYS_UNPACKED or unpacked <= _MOST_TIMES * packed


def archive_folder(name: str, paths: list[str]) -> str:
    """What stands before the paths of an archive's files: nothing where all lie in one folder, else a folder of its name."""
    tops = {path.split("/", 1)[0] if "/" in path else "" for path in paths}
    return "" if len(tops) == 1 and "" not in tops else f"{name}/"


def files_of_folder(folder: Path) -> dict[str, Path]:
    """The files of the run in ``folder``, by their paths in it. Raises OSError where one cannot be read."""
    files = {file.relative_to(folder).as_posix(): file for file in _files_below(folder)}
    # A report that was written into the run's folder holds the run: it is no part of it.
    return {inner: file for inner, file in files.items() if not _is_report(file)} or files


def _is_report(file: Path) -> bool:
    return file.name.endswith(".html") and b'id="crema-report"' in file.read_bytes()


def _belongs(path: str) -> bool:
    return path != "" and PurePosixPath(path).suffix.lower() not in _OTHER and counts_as_file(path)


def _files_below(folder: Path) -> Iterator[Path]:
    """The files in a stable order: what opens first does not depend on the file system."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and _belongs(path.relative_to(folder).as_posix()):
            yield path


def _entries(archive: Path, name: str) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as opened:
        entries = {entry: entry_path(entry.filename) for entry in opened.infolist() if not entry.is_dir()}
        counted = {entry: path for entry, path in entries.items() if _belongs(path)}
        if len(counted) > MOST_ENTRIES:
            raise BundleError(f"{archive}: holds more than {MOST_ENTRIES:,} files: unpack it and give the run that is meant")
        if not may_unpack(sum(entry.file_size for entry in counted), archive.stat().st_size):
            raise BundleError(f"{archive}: the unpacked files are more than {_MOST_TIMES} times as large, unlike any run")
        prefix = archive_folder(name, list(counted.values()))
        for entry, path in counted.items():
            yield prefix + path, opened.read(entry)
