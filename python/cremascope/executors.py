"""Records what coffea's executors run: while a block lasts each call of one is measured, whoever makes it.

``Runner`` calls ``executor(items, function, accumulator)``. Executors stay what they are; what they hand to their pool,
cluster or workflow system goes through ``Task``, which returns the same and hands over rows.
"""

from __future__ import annotations

import concurrent.futures
import functools
import io
import itertools
import json
import sys
import threading
import time
import uuid
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from types import CodeType, SimpleNamespace
from typing import Any, Protocol

from cremascope import carry, probe, vine
from cremascope.marks import Marks, item_of
from cremascope.task.looks import end_looking
from cremascope.task.measure import LONGEST_MESSAGE, Measure
from cremascope.task.running import MARK, ROWS, Attempt, Task, described, printed
from cremascope.task.usage import Usage, usage

#: [s] How long rows are awaited that come by another way than the results.
PATIENCE = 2.0


class Sink(Protocol):
    """Where rows go."""

    def put(self, rows: list[dict[str, Any]]) -> None: ...

    def plan(self, tasks: list[dict[str, Any]]) -> None: ...

    def put_change(self, change: dict[str, Any]) -> None: ...

    def note(self, text: str) -> None: ...

    def give_turn(self, seconds: float) -> None: ...


_lock = threading.RLock()
_sinks: list[Sink] = []
_replaced: list[tuple[Any, str, Any]] = []
_here = threading.local()  # .call: that this thread is in
_numbers = itertools.count(1)
_calls: set[Call] = set()


def begin(sink: Sink, client: Any = None) -> None:
    """Rows of all calls that begin from now on go to ``sink`` too, until ``end``.

    ``client`` is the cluster that they will most likely run on: it gets now what it would wait for in the run.
    """
    with _lock:
        _sinks.append(sink)
        if len(_sinks) == 1:
            _install()
    if client is not None and can_record():
        with suppress(Exception):  # a call tries again, and tasks carry the text where that fails too
            _bring(client)


def end(sink: Sink) -> None:
    with _lock:
        _sinks.remove(sink)
        is_last = not _sinks
        if is_last:
            while _replaced:
                owner, name, original = _replaced.pop()
                setattr(owner, name, original)
            _manager_logs.clear()
            end_looking()
    if is_last:  # without the lock, which what a client hears meanwhile takes
        _take_back()


def worker_left(address: str, when: float, reason: str | None) -> None:
    """A worker of a Dask cluster has gone: what it ran is lost."""
    with _lock:
        calls = list(_calls)
    for call in calls:
        call.worker_left(address, when, reason)


def put(rows: list[dict[str, Any]]) -> None:
    """Rows of an executor that tells itself what it runs."""
    with _lock:
        sinks = list(_sinks)
    for sink in sinks:
        sink.put(rows)


def can_record() -> bool:
    """Whether anything has been imported that runs tasks: coffea's executors, or a monitor for graphed's."""
    return "coffea.processor.executor" in sys.modules or "cremascope.graphed" in sys.modules


def _install() -> None:
    module: Any = sys.modules.get("coffea.processor.executor")
    if module is None:
        return
    for kind in _kinds(module.ExecutorBase):
        if "__call__" in vars(kind):
            _replace(kind, "__call__", _recorded)
    _replace(module, "accumulate", _merging)
    if "cloudpickle" in vars(module):
        _replace(module, "cloudpickle", _naming_files)


def _replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    original = vars(owner)[name]
    setattr(owner, name, make(original))
    _replaced.append((owner, name, original))


def _kinds(base: type) -> Iterator[type]:
    below: list[type] = base.__subclasses__()
    for kind in below:
        yield kind
        yield from _kinds(kind)


def _recorded(original: Any) -> Any:
    @functools.wraps(original)
    def call_executor(self: Any, items: Any, function: Any, accumulator: Any) -> Any:
        with _lock:
            sinks = list(_sinks)
        if getattr(_here, "call", None) is not None or not sinks or len(items) == 0:
            return original(self, items, function, accumulator)
        with ExitStack() as stack:
            try:
                call = stack.enter_context(Call(self, sinks))
                adapter = next(made for name, made in _ADAPTERS.items() if name in {one.__name__ for one in type(self).__mro__})
                function = stack.enter_context(adapter(self, call, _prepared(function, call)))
                call.plan(items)
                stack.enter_context(call.entered())
            except StopIteration:
                _note(sinks, f"{type(self).__name__}: this executor is not known, so its tasks were not recorded")
            except Exception as problem:  # the run is worth more than its recording
                stack.pop_all().close()
                _note(sinks, f"the tasks of {type(self).__name__} could not be recorded: {type(problem).__name__} {problem}")
            return original(self, items, function, accumulator)

    return call_executor


def _note(sinks: list[Sink], text: str) -> None:
    for sink in sinks:
        sink.note(" ".join(text.split())[:300])


class Call:
    """One call of an executor: numbers its attempts and passes rows on, until nothing more comes."""

    def __init__(self, executor: Any, sinks: list[Sink]) -> None:
        self.about = {
            "executor": type(executor).__name__,
            "function": getattr(executor, "function_name", None),
            "stage": str(getattr(executor, "desc", "")),
            "call": next(_numbers),
        }
        level = getattr(executor, "compression", None)
        packs = type(executor).__name__ != "IterativeExecutor" and not getattr(executor, "use_dataframes", False)
        self.compression = {"compression": level} if packs and type(level) is int else {}
        """LZ4's level, by which coffea packs results"""
        self.began = time.time()
        self.submitted = 0
        self.merges_apart = True  # from the tasks: not with IterativeExecutor, which merges while it maps
        self.loader = b""
        self.printing: dict[int, tuple[Any, Task]] = {}
        """functions whose rows are printed, which keeps their numbers theirs"""
        self._arrived = 0
        self._sinks = sinks
        self._seen: Counter[int] = Counter()
        self._marks = Marks()
        self._lock = threading.Lock()

    def __enter__(self) -> Call:
        with _lock:
            _calls.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        with _lock:
            _calls.discard(self)
        if self.submitted == 0:  # Dask says itself what it lost
            # What runs by its own word and was done by another since was lost, though nobody said so: Parsl tries again.
            self._lose(lambda row: self._seen[hash(item_of(row))] > 0, {"error": "WorkerLost"}, None)
        self._marks.close()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """While this thread is in the executor."""
        _here.call = self
        try:
            yield
        finally:
            _here.call = None

    def task(self, function: Any, way: str, hand: Any = None) -> Task:
        found = Task(function, self.about, way, hand, self._marks.folder() if way == "return" else None)
        found.loader = self.loader
        return found

    def plan(self, items: Iterable[Any]) -> None:
        """Says what the call is about to do: how many tasks and events of each kind and dataset."""
        planned: dict[tuple[Any, ...], list[int]] = {}
        for about in map(described, items):
            counts = planned.setdefault((about["kind"], about.get("dataset")), [0, 0])
            counts[0] += 1
            counts[1] += about.get("entry_stop", 0) - about.get("entry_start", 0)
        tasks = [
            {"call": self.about["call"], "kind": kind, "dataset": dataset, "tasks": count}
            | ({"events": events} | self.compression if kind == "chunk" else {})
            for (kind, dataset), (count, events) in planned.items()
        ]
        for sink in self._sinks:
            sink.plan(tasks)

    def put(self, rows: list[dict[str, Any]]) -> None:
        """Passes rows on; may be called by any thread."""
        ended = [row for row in rows if row["status"] != "running"]
        with self._lock:
            for row in rows:
                if row["status"] == "running":
                    self._marks.begun(row)
                elif row["status"] != "lost":
                    self._marks.ended(row)
            for row in ended:
                if row["kind"] in ("chunk", "file"):
                    key = hash(item_of(row))
                    self._seen[key] += 1
                    row["attempt"] = self._seen[key]
                self._arrived += row["status"] not in ("failed", "lost")
        for sink in self._sinks if ended else ():
            sink.put(ended)

    def put_change(self, change: dict[str, Any]) -> None:
        """Passes on that a worker came or went."""
        for sink in self._sinks:
            sink.put_change(change)

    def wait(self, seconds: float) -> None:
        """Waits until all submitted tasks have told of themselves, but not for ever."""
        until = time.monotonic() + seconds
        while self._arrived < self.submitted and time.monotonic() < until:
            time.sleep(0.01)

    def unwrapped(self, future: Any, item: Any) -> concurrent.futures.Future[Any]:
        """The future of a task's result without its rows, which are passed on when they come."""
        return _Unwrapped(future, self, item)

    def lost(self, item: Any, problem: BaseException) -> None:
        """A task of which no row came: its worker is gone. One that waited in a broken pool was no attempt."""
        lines = str(problem).strip().splitlines()
        told = {"error": type(problem).__name__, "message": lines[0][:LONGEST_MESSAGE] if lines else ""}
        about, now = described(item), time.time()
        if not self._lose(lambda row: about.items() <= row.items(), told, now, at_most=1) and not self._marks.are_heard():
            self.put([self.about | about | {"status": "lost", "attempt": 1, "begin": now} | told])

    def worker_left(self, address: str, when: float, reason: str | None) -> None:
        """A worker of a Dask cluster has gone, and Dask's reason."""
        self._lose(lambda row: row["worker"] == address, {"error": "WorkerLost", "message": reason}, when)

    def check_workers(self, workers: Callable[[], Iterable[str]]) -> None:
        """What runs by its own word on a worker that is not there was lost, though nobody was told."""
        with self._lock:
            runs = self._marks.runs()
        if runs:
            known = set(workers())
            self._lose(lambda row: row["worker"] not in known, {"error": "WorkerLost"}, None)

    def _lose(
        self, is_wanted: Callable[[dict[str, Any]], bool], told: dict[str, Any], when: float | None, at_most: int | None = None
    ) -> int:
        """Makes rows of the wanted tasks that run: they ended at that time without a word. How many there were."""
        with self._lock:
            rows = self._marks.take(is_wanted, at_most)
        for row in rows:
            row |= {"status": "lost", "attempt": 1, **told}
            if when is not None:
                row["wall"] = max(0.0, when - row["begin"])
        if rows:
            self.put(rows)
        return len(rows)


def _prepared(function: Any, call: Call) -> Any:
    """Coffea's function with each of its attempts measured, where it is what coffea makes today."""
    call.loader = carry.loader(with_text=True)
    named = getattr(getattr(function, "func", None), "__name__", "")
    if not isinstance(function, functools.partial) or named != "automatic_retries" or len(function.args) < 3:
        return function
    retries, skipped, inner, *more = function.args
    attempt = Attempt(inner)
    attempt.loader = call.loader
    return functools.partial(function.func, retries, skipped, attempt, *more, **function.keywords)


def _naming_files(cloudpickle: Any) -> Any:
    """The ``cloudpickle`` of coffea's runner, whose code keeps the names of its files: since 3.1.3 all are "<dynamic-code>"."""

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        def reducer_override(self, it: Any) -> Any:
            if not isinstance(it, CodeType):
                return super().reducer_override(it)
            make, given = self.dispatch_table[CodeType](it)
            return make, tuple(it.co_filename if one == "<dynamic-code>" else one for one in given)

    def dumps(it: Any, *args: Any, **kwargs: Any) -> Any:
        with suppress(Exception), io.BytesIO() as file:  # a cloudpickle that works otherwise
            Pickler(file, *args, **kwargs).dump(it)
            return file.getvalue()
        return cloudpickle.dumps(it, *args, **kwargs)

    return SimpleNamespace(**{**vars(cloudpickle), "dumps": dumps})


# --- merging on the client


def _merging(original: Any) -> Any:
    @functools.wraps(original)
    def accumulate(items: Any, accum: Any = None) -> Any:
        call = getattr(_here, "call", None)
        if call is None or not call.merges_apart:
            return original(items, accum)
        count = 0

        def counted() -> Iterator[Any]:
            nonlocal count
            for item in items:
                count += 1
                yield item

        before = usage()
        try:
            return original(counted(), accum)
        finally:
            call.put([_merge_row(call, before, count)])

    return accumulate


def _merge_row(call: Call, before: Usage, inputs: int) -> dict[str, Any]:
    """Of merging on the client, from ``before`` until now."""
    measure = Measure(call.about | {"kind": "merge", "inputs": inputs}, before)
    measure.end_attempt("ok")
    return measure.rows[0] | ({"worker": "client"} if call.merges_apart else {})


# --- the executors


@contextmanager
def _iterative(_: Any, call: Call, function: Any) -> Iterator[Any]:
    measured = call.task(function, "call", call.put)
    call.merges_apart = False
    ended: Usage | None = None

    def merged() -> None:
        nonlocal ended
        if ended is not None:
            with suppress(Exception):
                call.put([_merge_row(call, ended, 1)])
            ended = None

    def one(item: Any) -> Any:
        nonlocal ended
        merged()  # what coffea did with the last result since
        result = measured(item)
        ended = usage()
        return result

    try:
        yield one
    finally:
        merged()


@contextmanager
def _futures(executor: Any, call: Call, function: Any) -> Iterator[Any]:
    def recorded(pool: Any) -> Any:
        if isinstance(pool, concurrent.futures.Executor):
            return _Pool(pool, call)
        return lambda *args, **kwargs: _Pool(pool(*args, **kwargs), call)

    def processes(count: int) -> Any:
        return lambda max_workers: _Pool(concurrent.futures.ProcessPoolExecutor(count or max_workers), call)

    pool, merges = executor.pool, executor.mergepool
    executor.pool = recorded(pool)
    if isinstance(merges, int):  # bool is one: as many processes as for the rest, or none
        executor.mergepool = processes(0 if merges is True else merges) if merges else merges
    elif merges is not None:
        executor.mergepool = recorded(merges)
    try:
        yield function
    finally:
        executor.pool, executor.mergepool = pool, merges


class _Pool(concurrent.futures.Executor):
    """A pool whose tasks are measured; it is the user's in all else."""

    def __init__(self, pool: Any, call: Call) -> None:
        self._pool = pool
        self._call = call

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        future = self._pool.submit(self._call.task(function, "return"), *args, **kwargs)
        return self._call.unwrapped(future, args[0] if args else None)

    def shutdown(self, *args: Any, **kwargs: Any) -> None:
        self._pool.shutdown(*args, **kwargs)

    def __enter__(self) -> _Pool:
        self._pool.__enter__()
        return self

    def __exit__(self, *problem: Any) -> Any:
        return self._pool.__exit__(*problem)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)


class _Unwrapped(concurrent.futures.Future):  # type: ignore[type-arg]
    """The future of a task's result without its rows."""

    def __init__(self, inner: Any, call: Call, item: Any) -> None:
        super().__init__()
        self._inner = inner
        self._call = call
        self._item = item
        inner.add_done_callback(self._take)

    def _take(self, inner: Any) -> None:
        if inner.cancelled():
            super().cancel()
            self.set_running_or_notify_cancel()
            return
        if not self.set_running_or_notify_cancel():
            return
        problem = inner.exception()
        with suppress(Exception):  # the result is worth more than its rows
            self._pass_on(inner, problem)
        if problem is not None:
            self.set_exception(problem)
            return
        result = inner.result()
        marked = isinstance(result, tuple) and len(result) == 3 and isinstance(result[0], str) and result[0] == MARK
        self.set_result(result[1] if marked else result)
        self._item = None

    def _pass_on(self, inner: Any, problem: BaseException | None) -> None:
        if problem is None:
            self._call.put(inner.result()[2])
        elif (rows := vars(problem).pop(ROWS, None)) is not None:
            self._call.put(rows)
        else:
            self._call.lost(self._item, problem)

    def cancel(self) -> bool:
        return bool(self._inner.cancel()) and super().cancel()

    def running(self) -> bool:
        return bool(self._inner.running())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@contextmanager
def _dask(executor: Any, call: Call, function: Any) -> Iterator[Any]:
    from distributed import Client

    if executor.client is None:  # as the executor would
        executor.client = Client(threads_per_worker=1)  # type: ignore[no-untyped-call]
    client, topic = executor.client, f"crema-rows-{uuid.uuid4().hex}"

    def hear(event: tuple[Any, str]) -> None:
        with suppress(Exception):
            call.put(json.loads(event[1]))

    with ExitStack() as stack:
        if not executor.use_dataframes:  # whose tasks may run after the block, when nobody brings the text
            with suppress(Exception):  # an older Dask: tasks carry the text
                _load_by(_bring(client), call, function)
        client.subscribe_topic(topic, hear)
        stack.push(lambda *_: _unsubscribed(client, topic))
        executor.client = _Client(client, call, f"dask:{topic}")
        try:
            yield function
        except BaseException:
            call.wait(PATIENCE / 10)
            raise
        else:
            call.wait(PATIENCE)
        finally:
            executor.client = client
            with suppress(Exception):  # a client that was closed
                call.check_workers(lambda: client.scheduler_info(n_workers=-1)["workers"])


def _unsubscribed(client: Any, topic: str) -> None:
    with suppress(Exception):  # a client that was closed
        client.unsubscribe_topic(topic)


def _load_by(loader: bytes, call: Call, function: Any) -> None:
    """Lets the tasks of a call, and the attempts in its function (``_prepared``), get the recorder so."""
    call.loader = loader
    for attempt in getattr(function, "args", ()):
        if isinstance(attempt, Attempt):
            attempt.loader = loader


def _bring(client: Any) -> bytes:
    """Brings the module to the scheduler and all workers, so that no task has to carry its text; once for all calls."""
    with _plugin_lock:
        if id(client) not in _plugins:
            name = f"crema-{uuid.uuid4().hex}"
            with probe.pickled_by_value():
                client.run_on_scheduler(probe.call, pickled=carry.installer())
                client.register_plugin(probe.caller(carry.installer()), name=name)
            _plugins[id(client)] = client, name
    return carry.loader(with_text=False)


def _take_back() -> None:
    """Undoes ``_bring``, unless another recording has begun since."""
    with _plugin_lock:
        while _plugins and not _sinks:
            client, name = _plugins.popitem()[1]
            with suppress(Exception):  # a client that was closed
                client.unregister_worker_plugin(name)


_plugin_lock = threading.Lock()
_plugins: dict[int, tuple[Any, str]] = {}  # clients and their plugin's name, by the client's id()


class _Client:
    """A client whose tasks are measured; it is the user's in all else."""

    def __init__(self, client: Any, call: Call, way: str) -> None:
        self._client = client
        self._call = call
        self._way = way

    def map(self, function: Any, *iterables: Any, **kwargs: Any) -> Any:
        with self._telling():
            futures = self._client.map(self._call.task(function, self._way), *iterables, **kwargs)
        self._call.submitted += len(futures)
        return futures

    def submit(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        with self._telling():
            future = self._client.submit(self._call.task(function, self._way), *args, **kwargs)
        self._call.submitted += 1
        return future

    @staticmethod
    def _telling() -> Any:
        """Tasks that are submitted in this context tell of themselves: the scheduler need not (``probe.start_pulse``)."""
        from dask import annotate

        return annotate(crema_rows=True)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # type: ignore[misc]
        return type(self._client)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def _apps(original: Any) -> Any:
    @functools.wraps(original)
    def python_app(function: Any = None, *args: Any, **kwargs: Any) -> Any:
        call = getattr(_here, "call", None)
        if call is None or function is None:
            return original(function, *args, **kwargs)
        app = original(call.task(function, "return"), *args, **kwargs)
        return lambda *items, **options: call.unwrapped(app(*items, **options), items[0])

    return python_app


@contextmanager
def _parsl(_: Any, __: Call, function: Any) -> Iterator[Any]:
    import parsl.app.app as module

    with _lock:
        if all(owner is not module for owner, _, _ in _replaced):
            _replace(module, "python_app", _apps)
    yield function


def _vine_task(original: Any) -> Any:
    @functools.wraps(original)
    def make(self: Any, manager: Any, function: Any, *args: Any, **kwargs: Any) -> None:
        call = getattr(_here, "call", None)
        if call is not None and not isinstance(function, Task):  # which a task that is tried again has already
            # One for all: TaskVine sends a function once.
            known = call.printing.setdefault(id(function), (function, call.task(function, "print")))
            function = known[1]
        original(self, manager, function, *args, **kwargs)

    return make


def _end_with_process(rows: list[dict[str, Any]], task: Any) -> None:
    """Lets the last attempt last as long as TaskVine had a core for the task: until its process had ended."""
    with suppress(Exception):  # a TaskVine that does not say it
        took = task.get_metric("time_workers_execute_last") / 1e6 - sum(row["wall"] for row in rows)
        rows[-1]["wall"] += max(0.0, took)


#: [s] At most, of each second in which TaskVine waits in vain: it holds the interpreter's lock, and nobody could write a row.
_TURN = 0.05
#: [s] Between looks of the other threads at whether that lock is free. By default they look 200 times a second, and each look
#: interrupts a task where all processors are taken.
_AWAITED = 0.1


@contextmanager
def _holding_interpreter() -> Iterator[None]:
    """Of a block in which no other thread can run."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(max(interval, _AWAITED))
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


def _vine_wait(original: Any) -> Any:
    @functools.wraps(original)
    def wait(self: Any, timeout: Any = None) -> Any:
        if isinstance(timeout, int) and timeout > 1:
            for _ in range(timeout):
                with _holding_interpreter():
                    task = original(self, 1)
                if task is not None:
                    break
                with _lock:
                    sinks = list(_sinks)
                for sink in sinks:
                    sink.give_turn(_TURN)
        else:
            task = original(self, timeout)
        call = getattr(_here, "call", None)
        if call is not None:
            with suppress(Exception):  # the run is worth more than its rows
                _hear_manager(self, call, task)
        return task

    return wait


_manager_logs: weakref.WeakKeyDictionary[Any, vine.ManagerLog] = weakref.WeakKeyDictionary()
"""of managers that were met in this recording: one of coffea's lasts for the call that prepares and the one that processes"""


_done: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
"""tasks that coffea keeps as it needs their results, by their command: the manager does them again where those are lost"""


def _hear_manager(manager: Any, call: Call, task: Any) -> None:
    """Passes on what the task told, and what the manager's log tells of attempts that could not."""
    rows = [] if task is None else printed(task.std_output or "")
    if rows:
        _end_with_process(rows, task)
    is_untold = task is not None and not rows and not task.successful()
    repeated: list[dict[str, Any]] = []
    try:
        if (log := _manager_logs.get(manager)) is None:
            log = _manager_logs[manager] = vine.ManagerLog(manager.logging_directory, call.began)
        told = log.follow()
        if task is not None:
            is_untold = not _end_by_manager(rows, task, call, log) and is_untold
            _done[task.command] = task
        for number, row in [*told, *log.done_again(manager._task_table.__contains__)]:
            own = task if task is not None and task.id == number else manager._task_table.get(number)
            repeated.append(call.about | _vine_item(own or _done.get(log.again.get(number, ""))) | row)
        for change in log.changes():
            call.put_change(change)
    finally:  # the log is TaskVine's, and may change
        call.put(repeated + rows)
        if is_untold:
            call.lost(getattr(task, "item", None), RuntimeError(f"{task.result}, exit code {task.exit_code}"))


def _end_by_manager(rows: list[dict[str, Any]], task: Any, call: Call, log: vine.ManagerLog) -> bool:
    """Says of a task that has ended what it could not say itself: that it did not succeed. Whether the log knows its end."""
    if rows:
        log.learn(task.id, rows[-1])
    ended = log.end(task.id)
    if ended is None:
        return False
    if task.successful() or ended["error"] == "CANCELLED":
        return True
    if not rows:
        rows.append(call.about | _vine_item(task) | ended | vine.raised(task.std_output or ""))
    elif rows[-1]["status"] == "ok":  # its result was lost afterwards
        rows[-1] |= {name: ended[name] for name in ("status", "error", "message")}
    return True


def _vine_item(task: Any) -> dict[str, Any]:
    """What a row says of coffea's task."""
    return described(getattr(task, "item", None) or getattr(task, "tasks_to_accumulate", None))


@contextmanager
def _taskvine(_: Any, call: Call, function: Any) -> Iterator[Any]:
    _load_by(carry.loader(with_text=True, is_compiled=True), call, function)
    module: Any = sys.modules["coffea.processor.taskvine_executor"]
    with _lock:
        if all(owner is not module.CoffeaVine for owner, _, _ in _replaced):
            _replace(module.CoffeaVineTask, "__init__", _vine_task)
            _replace(module.CoffeaVine, "wait", _vine_wait)
    yield function


Adapter = Callable[[Any, Call, Any], AbstractContextManager[Any]]
#: By the name of the executor's class, or of one that it derives from.
_ADAPTERS: dict[str, Adapter] = {
    "IterativeExecutor": _iterative,
    "FuturesExecutor": _futures,
    "DaskExecutor": _dask,
    "ParslExecutor": _parsl,
    "TaskVineExecutor": _taskvine,
}
