"""What a task reads: functions of uproot and coffea, replaced only while measured tasks run in the process."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from .looks import at_rest, lock
from .measure import Branch, Measure, by_source, current


def _source_of(opened: Any) -> Any:
    return getattr(getattr(opened, "file", None), "source", None)


def _register(measure: Measure, source: Any) -> None:
    if source is not None and all(source is not known for known in measure.sources):
        measure.sources.append(source)
        with lock:
            by_source[id(source)] = measure


def _open(original: Any) -> Any:
    def open(*args: Any, **kwargs: Any) -> Any:
        measure = current()
        if measure is None:
            return original(*args, **kwargs)
        with measure.part("open"):
            opened = original(*args, **kwargs)
        with suppress(Exception):
            _register(measure, _source_of(opened))
        return opened

    return open


def _from_root(original: Any) -> Any:
    def from_root(cls: Any, *args: Any, **kwargs: Any) -> Any:
        measure = current()
        if measure is None:
            return original.__func__(cls, *args, **kwargs)
        with measure.part("open"):
            return original.__func__(cls, *args, **kwargs)

    return classmethod(from_root)


def _extract_column(original: Any) -> Any:
    def extract_column(self: Any, handle: Any, *args: Any, **kwargs: Any) -> Any:
        measure = current()
        if measure is None or measure.branch is not None or handle is None:
            return original(self, handle, *args, **kwargs)
        with measure.reading(_name_of(handle)):
            return original(self, handle, *args, **kwargs)

    return extract_column


def _name_of(handle: Any) -> str:
    return str(getattr(handle, "path", None) or getattr(handle, "name", "?"))


def _read_basket(original: Any) -> Any:
    def read(cls: Any, chunk: Any, *args: Any, **kwargs: Any) -> Any:
        basket = original.__func__(cls, chunk, *args, **kwargs)
        measure = by_source.get(id(getattr(chunk, "source", None)))
        if measure is not None:
            with suppress(Exception):
                _count_basket(measure, basket, chunk)
        return basket

    return classmethod(read)


#: The first bytes of a compressed block (ROOT's R__zip).
_CODECS = {b"ZL": "zlib", b"XZ": "lzma", b"L4": "lz4", b"ZS": "zstd", b"CS": "deflate"}


def _codec(chunk: Any, basket: Any) -> str:
    """How a basket is compressed, by its own bytes; with the level where the branch or the file names this codec."""
    begin = basket.member("fKeylen")
    if basket.member("fNbytes") - begin == basket.member("fObjlen"):
        return "none"
    name = _CODECS.get(bytes(chunk.raw_data[begin : begin + 2]), "unknown")
    for setting in (basket.parent.compression, basket.parent.file.compression):
        if setting is not None and type(setting).__name__.lower() == name:
            return f"{name} {setting.level}"
    return name


def _path_of(of: Any) -> str | None:
    return getattr(getattr(of, "file", None), "file_path", None)


def _count_basket(measure: Measure, basket: Any, chunk: Any) -> None:
    parent, amount = basket.parent, chunk.stop - chunk.start
    with lock:
        branch = measure.branches.setdefault(_name_of(parent), Branch())
        branch.add(_path_of(parent), chunk.start, amount, basket.uncompressed_bytes)
        branch.ahead += amount if measure.within == "open" else 0
        if branch.codec is None:
            branch.codec = _codec(chunk, basket)
        branch.outside += amount * _share_outside(measure, *parent.basket_entry_start_stop(basket.basket_num))
        # In bulk, branches share requests; a basket is a range of its own, so its bytes are exact.
        if measure.branch is None:
            branch.requested += amount
            branch.shared = True


def _share_outside(measure: Measure, first: int, stop: int) -> float:
    """Of these events the share that are not the chunk's."""
    begin, end = measure.about.get("entry_start"), measure.about.get("entry_stop")
    if begin is None or end is None or stop <= first:
        return 0.0
    return float(1 - max(0, min(stop, end) - max(first, begin)) / (stop - first))


def _read_locator(original: Any) -> Any:
    def read_locator(self: Any, place: Any, uncompressed: int, *args: Any, **kwargs: Any) -> Any:
        measure = current()
        if measure is None or measure.branch is None:
            return original(self, place, uncompressed, *args, **kwargs)
        branch = measure.branches[measure.branch]
        if measure.in_page:
            branch.add(_path_of(self), getattr(place, "offset", 0), place.num_bytes, uncompressed)
            return original(self, place, uncompressed, *args, **kwargs)
        requests, _, amount = measure.requested()  # for a list of pages, which the branch that is read first does not pay
        found = original(self, place, uncompressed, *args, **kwargs)
        now = measure.requested()
        branch.requests -= now[0] - requests
        branch.requested -= now[2] - amount
        return found

    return read_locator


def _read_page(original: Any) -> Any:
    def read_page(self: Any, destination: Any, cluster: int, column: int, *args: Any, **kwargs: Any) -> Any:
        measure = current()
        if measure is None or measure.branch is None:
            return original(self, destination, cluster, column, *args, **kwargs)
        branch = measure.branches[measure.branch]
        before, measure.in_page = branch.compressed, True
        try:
            return original(self, destination, cluster, column, *args, **kwargs)
        finally:
            measure.in_page = False
            with suppress(Exception):
                _describe_page(measure, branch, self, cluster, column, branch.compressed - before)

    return read_page


#: Hundreds of ROOT's compression settings.
_ALGORITHMS = {1: "zlib", 2: "lzma", 4: "lz4", 5: "zstd"}


def _describe_page(measure: Measure, branch: Branch, ntuple: Any, cluster: int, column: int, amount: int) -> None:
    """Its events are those of its cluster, which is read as a whole: a page of a nested field does not say its own."""
    summary = ntuple.cluster_summaries[cluster]
    first = summary.num_first_entry
    branch.outside += amount * _share_outside(measure, first, first + summary.num_entries)
    if branch.codec is None and (settings := ntuple.page_link_list[cluster][column].compression_settings) is not None:
        algorithm, level = divmod(settings, 100)
        branch.codec = f"{_ALGORITHMS.get(algorithm, 'unknown')} {level}" if level > 0 else "none"


def _chunk(original: Any) -> Any:
    def chunk(self: Any, *args: Any, **kwargs: Any) -> Any:
        measure = by_source.get(id(self)) or current()
        if measure is None or measure.depth > 0:
            return original(self, *args, **kwargs)
        began = time.perf_counter()
        measure.depth += 1
        try:
            return original(self, *args, **kwargs)
        finally:
            measure.depth -= 1
            took = time.perf_counter() - began
            measure.wait += took
            measure.first_byte += took

    return chunk


def _chunks(original: Any) -> Any:
    def chunks(self: Any, ranges: Any, notifications: Any, *args: Any, **kwargs: Any) -> Any:
        measure = by_source.get(id(self)) or current()
        if measure is None or measure.depth > 0:
            return original(self, ranges, notifications, *args, **kwargs)
        began = time.perf_counter()
        measure.depth += 1
        try:
            found = original(self, ranges, notifications, *args, **kwargs)
        finally:
            measure.depth -= 1
            measure.wait += time.perf_counter() - began
        _time_waiting(measure, notifications, began, bool(ranges))
        return found

    return chunks


def _time_waiting(measure: Measure, notifications: Any, began: float, awaited: bool) -> None:
    """Times what the reader waits at its own queue for, and when the first range came."""
    get = notifications.get

    def timed(*args: Any, **kwargs: Any) -> Any:
        nonlocal awaited
        asked = time.perf_counter()
        found = get(*args, **kwargs)
        now = time.perf_counter()
        measure.wait += now - asked
        if awaited and hasattr(found, "raw_data"):
            awaited = False
            measure.first_byte += now - began
        return found

    with suppress(AttributeError):  # a queue that takes no attributes is not timed
        notifications.get = timed


def _track_time(original: Any) -> Any:
    """Sections of roastcoffea: a generator function."""

    @functools.wraps(original)
    def track_time(processor_self: Any, section_name: str) -> Any:
        measure = current()
        if measure is None:
            yield from original(processor_self, section_name)
            return
        with measure.section(str(section_name)):
            yield from original(processor_self, section_name)

    return track_time


class _Hooks:
    """The functions that are replaced while measured tasks run in this process, until none has run for a while.

    Replacing them for each task anew would make Python forget again and again what it has learnt about these classes.
    """

    def __init__(self) -> None:
        self._users = 0
        self._there: list[object] = []  # what there was to replace when they were
        self._replaced: list[tuple[Any, str, Any, Any]] = []
        self._cells: list[tuple[Any, Any, Any]] = []

    def __enter__(self) -> None:
        with lock:
            self._users += 1
            if self._users == 1:
                with suppress(Exception):  # another version of uproot or coffea: less is recorded
                    if (there := _there()) != self._there:
                        self._restore()
                        self._there = there
                        self._install()

    def __exit__(self, *_: object) -> None:
        with lock:
            self._users -= 1

    def remove(self) -> None:
        """Puts the functions back, unless a task runs."""
        with lock:
            if self._users == 0:
                self._restore()

    def _restore(self) -> None:
        self._there = []
        kept = []
        for owner, name, original, mine in reversed(self._replaced):
            if vars(owner).get(name) is not mine:  # somebody has replaced it since, and may call it
                kept.append((owner, name, original, mine))
            elif original is None:
                delattr(owner, name)
            else:
                setattr(owner, name, original)
        self._replaced = kept[::-1]
        for cell, original, mine in self._cells:
            if cell.cell_contents is mine:
                cell.cell_contents = original
        self._cells.clear()

    def _install(self) -> None:
        uproot = sys.modules.get("uproot")
        if uproot is None:
            return
        self._replace(uproot, "open", _open)
        for source in _below(uproot.source.chunk.Source):
            for name, make in (("chunk", _chunk), ("chunks", _chunks)):
                if name in vars(source):
                    self._replace(source, name, make)
        self._replace(uproot.models.TBasket.Model_TBasket, "read", _read_basket)
        ntuple = uproot.models.RNTuple.Model_ROOT_3a3a_RNTuple
        for name, make in (("read_locator", _read_locator), ("read_page", _read_page)):
            if name in vars(ntuple):
                self._replace(ntuple, name, make)
        if (factory := sys.modules.get("coffea.nanoevents.factory")) is not None:
            self._replace(factory.NanoEventsFactory, "from_root", _from_root)
        if (mapping := sys.modules.get("coffea.nanoevents.mapping.uproot")) is not None:
            self._replace(mapping.UprootSourceMapping, "extract_column", _extract_column)
        if (roastcoffea := sys.modules.get("roastcoffea.instrumentation")) is not None:
            self._replace_in_cell(roastcoffea.track_time, _track_time)

    def _replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        if any(owner is known and name == known_name for known, known_name, _, _ in self._replaced):
            return
        own = vars(owner).get(name)
        inherited = (vars(base)[name] for base in getattr(owner, "__mro__", ()) if name in vars(base))
        mine = make(own if own is not None else next(inherited))
        setattr(owner, name, mine)
        self._replaced.append((owner, name, own, mine))

    def _replace_in_cell(self, manager: Any, make: Callable[[Any], Any]) -> None:
        """The function that a context manager is made of: analyses have the manager itself by many names."""
        cell = next(one for one in manager.__closure__ if one.cell_contents is manager.__wrapped__)
        mine = make(cell.cell_contents)
        self._cells.append((cell, cell.cell_contents, mine))
        cell.cell_contents = mine


_MODULES = ("uproot", "coffea.nanoevents.factory", "coffea.nanoevents.mapping.uproot", "roastcoffea.instrumentation")


def _there() -> list[object]:
    """What has functions that are replaced, as far as it is imported."""
    found: list[object] = [sys.modules.get(name) for name in _MODULES]
    return found + list(_below(sys.modules["uproot"].source.chunk.Source)) if found[0] is not None else found


def _below(cls: type) -> Iterator[type]:
    below: list[type] = cls.__subclasses__()
    for one in below:
        yield one
        yield from _below(one)


hooks = _Hooks()
at_rest.append(hooks.remove)
