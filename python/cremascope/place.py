"""Where a recording is saved: a folder, an archive, or either of them at an address that fsspec knows."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import os
import shutil
import socket
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from cremascope.bundle import BundleError
from cremascope.parts import INDEX
from cremascope.write import replace_file, write_part, zip_files

#: The files that roastcoffea and ``record`` write, without ".gz": what a new recording takes the place of.
PARTS = (
    "config.json",
    "dask_profiles.json",
    "metadata.json",
    "metrics.json",
    "profile_by_key.json",
    "profile_scheduler.json",
    "profile_server.json",
    "profile_slices.json",
    "report.json",
    "scheduler_info.json",
    "span_object.json",
    "start_end_time.txt",
    "task_stream.json",
    "transitions.json",
)
#: Rows of tasks, which are written while the run lasts (cremascope.parts).
TASKS = "tasks-*.json.gz"


def open_place(out: str | os.PathLike[str]) -> Place:
    """The place that ``out`` names. Raises BundleError for an address that fsspec cannot open."""
    if "://" in (address := os.fspath(out)):
        return RemotePlace(address)
    path = Path(out).expanduser().absolute()
    return ArchivePlace(path) if path.suffix.lower() == ".zip" else FolderPlace(path)


class FolderPlace:
    """A folder. A recording that it holds stays as it is until the new one is whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.live = path
        """where rows go while the run lasts: beside the folder when it holds a recording already"""
        self._before: dict[Path, tuple[int, int]] = {}
        self._begun = self._finished = False

    def growing(self) -> list[Path]:
        """Where rows go, also before `begin`, and where they are in the end."""
        path = self.path if self._begun else _free(self.path, lambda path: not _is_recording(path))
        live = self.live if self._begun else self._live_in(path)
        return [live, path] if live != path else [path]

    def begin(self) -> None:
        """Raises OSError where the folder cannot be made or written.

        A folder that another recording is being written into is left to it: this one gets a number.
        """
        self.path = _free(self.path, lambda path: not _is_recording(path))
        self._begun = True
        self.path.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.path, prefix="."):
            pass
        self._before = {file: _version(file) for file in self._parts()}
        self.live = self._live_in(self.path)

    @staticmethod
    def _live_in(path: Path) -> Path:
        return unfinished(path) if FolderPlace(path)._parts() else path

    def was_given(self, name: str) -> bool:
        """Whether somebody else has written this part since ``begin``, or it was added."""
        return any(file.name.removesuffix(".gz") == name for file in self._parts() if not self._is_old(file))

    def finish(self, parts: Mapping[str, bytes]) -> None:
        """Saves all parts, and removes those of an older recording.

        Raises OSError where they do not fit: then what fits is saved with the rows, and an older recording stays.
        """
        draft = Path(tempfile.mkdtemp(dir=self.path.parent, prefix=f".{self.path.name}."))
        written: list[str] = []
        try:
            try:
                for name in sorted(parts, key=lambda name: len(parts[name])):  # on a full disk there is room for some
                    write_part(draft, name, parts[name])
                    written.append(name)
            except OSError as problem:
                found = self.live if self._before else self.path
                if found.is_dir():
                    for name in written:
                        (draft / name).replace(found / name)
                reason = f"{problem.strerror}; not saved: {', '.join(sorted(parts.keys() - set(written)))}"
                if found != self.path:
                    reason += f"; what was recorded is in {found}"
                raise OSError(problem.errno, reason) from problem
            for name in parts:
                (draft / name).replace(self.path / name)
            for file in self._parts():
                if self._is_old(file):
                    file.unlink()
            if self.live != self.path:
                for file in _tasks_in(self.live):
                    shutil.move(file, self.path / file.name)
                with suppress(OSError):  # it was never made, or somebody put something there
                    self.live.rmdir()
        finally:
            shutil.rmtree(draft)
        self._finished = True

    def add(self, parts: Mapping[str, bytes]) -> None:
        """Saves parts that came later."""
        self.path.mkdir(parents=True, exist_ok=True)
        for name, content in parts.items():
            write_part(self.path, name, content)

    def files(self) -> dict[str, bytes]:
        """The parts by name, not compressed; those of tasks as they are, because their index names them so."""
        parts = {file.name.removesuffix(".gz"): _unpacked(file) for file in self._parts() if not file.match(TASKS)}
        return parts | {file.name: file.read_bytes() for file in _tasks_in(self.path)}

    def _parts(self) -> list[Path]:
        named = {file for name in PARTS for file in (self.path / name, self.path / f"{name}.gz") if file.is_file()}
        return sorted(named | set(_tasks_in(self.path)))

    def _is_old(self, file: Path) -> bool:
        return not self._finished and self._before.get(file) == _version(file)

    def __str__(self) -> str:
        return str(self.path)


class _Temporary:
    """A folder that goes with its owner, unless what it holds did not get where it belongs."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="crema-"))
        self._end = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    @contextmanager
    def kept_if_failed(self) -> Iterator[None]:
        """What fails in the block raises OSError that says where the folder is, which stays."""
        try:
            yield
        except Exception as problem:
            self._end.detach()
            reason = getattr(problem, "strerror", None) or f"{type(problem).__name__} {problem}"
            raise OSError(getattr(problem, "errno", None), f"{reason}; what was recorded is in {self.path}") from problem


class ArchivePlace:
    """A zip: replaced as a whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._temporary = _Temporary()
        self._folder = FolderPlace(self._temporary.path)
        self._begun = False

    @property
    def live(self) -> Path:
        return self._folder.live

    def growing(self) -> list[Path]:
        return [self.live if self._begun else self._beside()]

    def _beside(self) -> Path:
        return unfinished(self.path.with_suffix(""))

    def begin(self) -> None:
        """Raises OSError where the archive's folder cannot be made or written."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.path.parent, prefix="."):
            pass
        self._folder.begin()
        self._begun = True
        self._folder.live = self._beside()  # a killed client's rows are not lost

    def was_given(self, name: str) -> bool:
        return self._folder.was_given(name)

    def finish(self, parts: Mapping[str, bytes]) -> None:
        self._folder.finish(parts)
        self._pack()

    def add(self, parts: Mapping[str, bytes]) -> None:
        self._folder.add(parts)
        self._pack()

    def _pack(self) -> None:
        draft = io.BytesIO()
        zip_files({f"{self.path.stem}/{name}": content for name, content in self._folder.files().items()}, draft)
        with self._temporary.kept_if_failed():
            replace_file(self.path, draft.getvalue())

    def __str__(self) -> str:
        return str(self.path)


class RemotePlace:
    """An address: written on this machine first, and copied there."""

    def __init__(self, address: str) -> None:
        try:
            from fsspec.core import url_to_fs

            self._system: Any
            self._system, self._root = url_to_fs(address)
        except (ImportError, ValueError) as problem:  # fsspec's words name the package or the protocols
            raise BundleError(f"{address}: cannot be written: {problem}") from problem
        self._address = address
        self._temporary = _Temporary()
        name = address.rstrip("/").rsplit("/", 1)[-1]
        local = self._temporary.path / name
        self._local = ArchivePlace(local) if local.suffix.lower() == ".zip" else FolderPlace(local)
        self._old: set[str] = set()

    @property
    def path(self) -> Path:
        return self._local.path

    @property
    def live(self) -> Path:
        return self._local.live

    def growing(self) -> list[Path]:
        return self._local.growing()

    def begin(self) -> None:
        """Raises OSError, or what the file system raises, where the address cannot be reached."""
        self._local.begin()
        if isinstance(self._local, FolderPlace):
            self._system.makedirs(self._root, exist_ok=True)
            both = {name for part in PARTS for name in (part, f"{part}.gz")}
            there = {str(path).rsplit("/", 1)[-1] for path in self._system.ls(self._root, detail=False)}
            self._old = {name for name in there if name in both or fnmatch(name, TASKS)}

    def was_given(self, name: str) -> bool:
        return self._local.was_given(name)

    def finish(self, parts: Mapping[str, bytes]) -> None:
        self._local.finish(parts)
        with self._temporary.kept_if_failed():
            self._copy(parts)
            self._copy_tasks()
            for name in self._old - parts.keys():
                self._system.rm_file(f"{self._root.rstrip('/')}/{name}")

    def add(self, parts: Mapping[str, bytes]) -> None:
        self._local.add(parts)
        self._copy(parts)

    def _copy(self, parts: Mapping[str, bytes]) -> None:
        if isinstance(self._local, ArchivePlace):
            self._system.put_file(str(self.path), self._root)
            return
        for name in parts:
            self._system.put_file(str(self.path / name), f"{self._root.rstrip('/')}/{name}")

    def _copy_tasks(self) -> None:
        if isinstance(self._local, ArchivePlace):
            return
        for file in _tasks_in(self.path):
            self._system.put_file(str(file), f"{self._root.rstrip('/')}/{file.name}")
            self._old.discard(file.name)

    def __str__(self) -> str:
        return self._address


Place = FolderPlace | ArchivePlace | RemotePlace


def unfinished(path: Path) -> Path:
    """A folder beside ``path`` for what is not whole yet, and that nobody has."""
    return _free(path.with_name(f"{path.name}.unfinished"), lambda found: not found.exists())


def _free(path: Path, is_free: Callable[[Path], bool]) -> Path:
    """``path``, or ``path-2`` and so on, whichever is free."""
    numbered = (path.with_name(f"{path.name}-{number}") for number in itertools.count(2))
    return next(found for found in itertools.chain([path], numbered) if is_free(found))


def _tasks_in(folder: Path) -> list[Path]:
    """The files of the rows of tasks: their index, and the parts."""
    index = folder / INDEX
    return [*sorted(folder.glob(TASKS)), *([index] if index.is_file() else [])]


def is_running(folder: Path) -> bool:
    """Whether there is a recording that has not ended; its client may have been killed."""
    try:
        state = json.loads((folder / INDEX).read_bytes())["state"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return bool(state == "running")


def _is_recording(folder: Path) -> bool:
    """Whether a process of this machine is writing rows there."""
    if not is_running(folder):
        return False
    try:
        client = json.loads((folder / INDEX).read_bytes())["client"]
        if client["host"] != socket.gethostname():
            return False
        os.kill(int(client["pid"]), 0)
    except PermissionError:  # a process of somebody else
        return True
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return True


def _version(file: Path) -> tuple[int, int]:
    """Tells a file that was written anew from the one that was there."""
    status = file.stat()
    return status.st_mtime_ns, status.st_ino


def _unpacked(file: Path) -> bytes:
    """An archive compresses by itself."""
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content
