"""What takes the place of the functions that executors run."""

from __future__ import annotations

import base64
import json
import pickle
import threading
import time
import zlib
from contextlib import suppress
from functools import cache, partial
from typing import Any

from .measure import Measure, begin, current, dask_worker, end
from .reading import hooks
from .usage import process_start

#: Marks a result that carries rows: ``(MARK, result, rows)``.
MARK = "crema-rows-1"
#: The attribute of an exception that carries rows.
ROWS = "crema_rows"


#: Begins the line of a task's output that has its rows.
PRINTED = "crema-rows:"


def printed(output: str) -> list[dict[str, Any]]:
    """The rows in what a task has printed."""
    found: list[dict[str, Any]] = []
    for line in output.splitlines():
        if line.startswith(PRINTED):
            found += json.loads(zlib.decompress(base64.b64decode(line[len(PRINTED) :])))
    return found


def described(item: Any) -> dict[str, Any]:
    """What a row says of an item: coffea's work item (with DaskExecutor beside the processor), a file, a list to merge."""
    if isinstance(item, tuple) and len(item) == 2 and hasattr(item[0], "filename"):
        item = item[0]
    if hasattr(item, "entrystart"):
        about = {"kind": "chunk", "entry_start": item.entrystart, "entry_stop": item.entrystop}
    elif hasattr(item, "filename"):
        about = {"kind": "file"}
    elif isinstance(item, list):
        return {"kind": "merge", "inputs": len(item)}
    else:
        return {"kind": "call"}
    return about | {"dataset": str(item.dataset), "file": str(item.filename), "tree": str(item.treename)}


def _name(function: Any) -> str:
    """As Dask calls a function, so that its tasks keep their names."""
    while isinstance(function, partial):
        function = function.func
    name = getattr(function, "__name__", None) or str(function)
    return "lambda" if name == "<lambda>" else str(name)


class Loader:
    """Pickles as the function whose pickle it holds."""

    def __init__(self, pickled: bytes) -> None:
        self._pickled = pickled

    def __call__(self, *args: Any) -> Any:
        return pickle.loads(self._pickled)(*args)

    def __reduce__(self) -> Any:
        return pickle.loads, (self._pickled,)


class _Travels:
    """What is pickled as a call of this module's class, whether or not the other side has Crema."""

    loader = b""  # a pickle of what makes this module where it is not: of cremascope.carry

    def _state(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def __reduce__(self) -> Any:
        return Loader(self.loader), (type(self).__name__, self._state(), self.loader)

    def __dask_tokenize__(self) -> Any:
        return type(self).__name__, self._state()


def write_mark(folder: str, mark: dict[str, Any]) -> None:
    """Writes it over the last one of this thread, whose file stays open: twenty microseconds."""
    key = (folder, mark["pid"])
    if getattr(_local, "key", None) != key:
        _local.key, _local.file = key, None  # a folder that cannot be reached is tried once
        _local.file = open(f"{folder}/{mark['host']}-{mark['pid']}-{mark['thread']}", "wb", buffering=0)  # noqa: PTH123, SIM115
    if _local.file is not None:
        _local.file.seek(0)
        _local.file.write(json.dumps(mark, default=str).encode())
        _local.file.truncate()


_local = threading.local()  # .file, and its .key: the folder and the process, since a fork needs its own


class Task(_Travels):
    """``function`` measured. ``way`` is how its rows get to the client: ``return``, ``dask:<topic>``, ``print`` or ``call``.

    With the way ``return`` the folder ``marks`` says what runs, for the case that nothing returns.
    """

    def __init__(self, function: Any, about: dict[str, Any], way: str, hand: Any = None, marks: str | None = None) -> None:
        self.function = function
        self.about = about
        self.way = way
        self.hand = hand
        self.marks = marks

    def _state(self) -> tuple[Any, ...]:
        return self.function, self.about, self.way, None, self.marks

    def __str__(self) -> str:
        return _name(self.function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if current() is not None:  # a task within a task is part of it
            return self._bare(*args, **kwargs)
        # A task that prints its rows is all that its process does.
        since = process_start() if self.way == "print" else None
        measure = begin(self.about | described(args[0] if args else None), since, self.way)
        with suppress(Exception):  # the run is worth more than a mark
            self._mark(measure)
        try:
            with hooks:
                result = self.function(*args, **kwargs)
            if (inner := measure.parts.pop("function", None)) is not None and isinstance(result, bytes):
                wall, cpu = time.perf_counter() - inner[1], time.thread_time() - inner[2]
                measure.parts["serialise"] = [inner[0], wall, cpu]
        except BaseException as problem:
            measure.fail(problem)
            end(measure)
            self._send_with(problem, measure.rows)
            raise
        end(measure)
        skipped = result is None and measure.rows
        if not skipped:
            measure.end_attempt("ok")
            if isinstance(result, bytes):
                measure.rows[-1]["out_bytes"] = len(result)
        else:
            measure.rows[-1]["status"] = "skipped"
        return self._sent(result, measure.rows)

    def _mark(self, measure: Measure) -> None:
        """Tells that the task has begun: if nothing more is heard of it, it was lost with its worker."""
        if self.way.startswith("dask:"):
            self._send([measure.mark()])
        elif self.marks is not None:
            write_mark(self.marks, measure.mark())

    def _bare(self, *args: Any, **kwargs: Any) -> Any:
        result = self.function(*args, **kwargs)
        return self._sent(result, []) if self.way == "return" else result

    def _sent(self, result: Any, rows: list[dict[str, Any]]) -> Any:
        if self.way == "return":
            return MARK, result, rows
        self._send(rows)
        return result

    def _send_with(self, problem: BaseException, rows: list[dict[str, Any]]) -> None:
        if self.way == "return":
            with suppress(Exception):
                setattr(problem, ROWS, rows)
        else:
            self._send(rows)

    def _send(self, rows: list[dict[str, Any]]) -> None:
        with suppress(Exception):  # the run is worth more than its rows
            if self.way == "call":
                self.hand(rows)
            elif self.way == "print":
                text = base64.b64encode(zlib.compress(json.dumps(rows, default=str).encode())).decode()
                print(f"\n{PRINTED}{text}", flush=True)
            elif (worker := dask_worker()) is not None:
                worker.log_event(self.way.partition(":")[2], json.dumps(rows, default=str))


class Attempt(_Travels):
    """What coffea tries again and again: each failed call is an attempt of its own."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def _state(self) -> tuple[Any, ...]:
        return (self.function,)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        measure = current()
        if measure is None:
            return self.function(*args, **kwargs)
        try:
            function, args = _with_timed_process(measure, self.function, args)
            result = function(*args, **kwargs)
        except Exception as problem:
            measure.fail(problem)
            raise
        measure.parts["function"] = [time.time(), time.perf_counter(), time.thread_time()]
        return result


def _with_timed_process(measure: Measure, function: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The same call with a processor that times ``process()``; as it is where it does not look as coffea makes it.

    The user's processor is not changed, and is what a checkpointer gets.
    """
    keywords = getattr(function, "keywords", None) or {}
    if "processor_instance" not in keywords or len(args) != 1:
        return function, args
    item, processor = args[0], keywords["processor_instance"]
    if isinstance(processor, str):  # "heavy": DaskExecutor sends it beside the item
        if not (isinstance(item, tuple) and len(item) == 2):
            return function, args
        item, processor = item
    from coffea.processor import ProcessorABC

    if isinstance(processor, bytes):
        import cloudpickle
        from lz4.frame import decompress

        with measure.part("unpack"):
            processor = cloudpickle.loads(decompress(processor))
    process = processor.process if isinstance(processor, ProcessorABC) else processor
    if not callable(process):
        return function, args

    changed = {"processor_instance": _timed()(measure, process)}
    if (checkpointer := keywords.get("checkpointer")) is not None:
        kind = _checkpointer()
        if isinstance(checkpointer, kind.__base__):  # what is none stays for coffea to refuse
            changed["checkpointer"] = kind(checkpointer, processor)
    return partial(function, **changed), (item,)


@cache
def _checkpointer() -> Any:
    """A class of checkpointers that hand on the user's processor; as ``_timed``, made once a process."""
    from coffea.processor import CheckpointerABC

    class Checkpointer(CheckpointerABC):  # type: ignore[misc]
        def __init__(self, own: Any, processor: Any) -> None:
            self._own, self._processor = own, processor

        def load(self, metadata: Any, _timed: Any) -> Any:
            return self._own.load(metadata, self._processor)

        def save(self, output: Any, metadata: Any, _timed: Any) -> None:
            self._own.save(output, metadata, self._processor)

    return Checkpointer


@cache
def _timed() -> Any:
    """A class that only a process with coffea has."""
    from coffea.processor import ProcessorABC

    class Timed(ProcessorABC):  # type: ignore[misc]
        def __init__(self, measure: Measure, process: Any) -> None:
            self._measure, self._process = measure, process

        def process(self, events: Any) -> Any:
            with self._measure.part("process"):
                with suppress(Exception):
                    self._measure.events = len(events)
                return self._process(events)

        def postprocess(self, accumulator: Any) -> Any:
            return accumulator

    return Timed
