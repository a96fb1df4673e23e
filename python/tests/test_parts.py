"""Rows of tasks on their way to disk: what is written when, and what a reader finds there whatever happened."""

from __future__ import annotations

import ctypes
import gzip
import json
import random
import re
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cremascope import executors, parts
from cremascope.parts import Part, Store
from cremascope.task import machine

from .conftest import ROOT, native


def row(number: int, **more: Any) -> dict[str, Any]:
    return {
        "kind": "chunk",
        "executor": "FuturesExecutor",
        "status": "ok",
        "file": f"f{number % 3}.root",
        "begin": 1_800_000_000.25 + number,
        "wall": number / 8,
        "parts": {"process": [1_800_000_000.5 + number, 0.5, 0.25]},
        "branches": [["pt", 2, 100, 300, 25, 0, 40, "zstd 1", 1, 100, False, 0.5, 0.75, 0.25]] * (number % 2),
    } | more


def of_branch(texts: list[str], name: str, value: int) -> Any:
    return texts[value] if name in parts.TEXTS else value / 1e6 if name in parts.SECONDS else value


def rows_in(folder: Path) -> list[dict[str, Any]]:
    """All rows that the index lists, as they were put."""
    found = []
    for part in json.loads((folder / "tasks.json").read_text())["parts"]:
        content = json.loads(gzip.decompress((folder / part["name"]).read_bytes()))
        assert content["rows"] == part["rows"]
        texts, epoch, tasks, branches = content["strings"], content["epoch"], content["tasks"], content["branches"]
        for place in range(content["rows"]):
            kept = {name: column[place] for name, column in tasks.items()}
            kept = {name: texts[value] if name in parts.TEXTS else value for name, value in kept.items()}
            kept |= {name: value / 1e6 for name, value in kept.items() if name in parts.SECONDS}
            kept["begin"] += epoch
            kept["parts"] = {
                "process": [kept["begin"] + kept.pop("process_begin"), kept.pop("process_wall"), kept.pop("process_cpu")]
            }
            kept["branches"] = [
                [of_branch(texts, name, branches[name][at]) for name in parts.BRANCHES[1:]]
                for at, task in enumerate(branches.get("task", ()))
                if task == place
            ]
            found.append(kept)
    return found


def test_what_was_put_is_what_is_read(tmp_path: Path) -> None:
    store = Store(tmp_path / "rows")
    store.start()
    store.put([row(number) for number in range(20)])
    store.finish()
    assert rows_in(tmp_path / "rows") == [row(number) for number in range(20)]
    index = json.loads((tmp_path / "rows" / "tasks.json").read_text())
    assert (index["format"], index["state"], index["rows"], index["dropped"]) == ("crema_task_index_v1", "complete", 20, 0)


def test_a_long_run_has_few_files_in_the_order_of_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "FOLD", 4)
    monkeypatch.setattr(parts, "MOST_ROWS", 40)
    store = Store(tmp_path)
    most = 0
    for number in range(150):
        store.put([row(number)])
        store._flush()
        store._fold()
        listed = {part["name"] for part in json.loads((tmp_path / "tasks.json").read_text())["parts"]} if number >= 4 else set()
        assert all((tmp_path / name).exists() for name in listed)
        most = max(most, len(list(tmp_path.iterdir())))
    store.finish()
    assert most <= 16
    assert rows_in(tmp_path) == [row(number) for number in range(150)]
    names = {part["name"] for part in json.loads((tmp_path / "tasks.json").read_text())["parts"]}
    assert {path.name for path in tmp_path.iterdir()} == names | {"tasks.json"}


def test_parts_joined_in_any_cut_say_the_same() -> None:
    numbers = list(range(60))
    cut = random.Random(5)
    whole, joined = Part(1_800_000_000), Part(1_800_000_000)
    for number in numbers:
        whole.add(row(number))
    while numbers:
        count = cut.randint(1, 9)
        part = Part(1_800_000_000 + cut.randint(-5, 5))
        for number in numbers[:count]:
            part.add(row(number))
        del numbers[:count]
        joined.extend(Part.read(json.loads(json.dumps(part.content()))))
    assert joined.content() == whole.content()


def test_a_killed_client_loses_two_seconds_at_most(tmp_path: Path) -> None:
    """A client that puts a row every 10 ms is killed. A machine may be too busy to write: not thrice."""
    assert min(lost_of_killed_client(tmp_path / str(number)) for number in range(3)) < 2


def test_too_many_ticks_of_a_part_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 4 processes for 64 s, whether one part or many are filled: seconds add up, levels are kept, no time is lost."""
    monkeypatch.setattr(parts, "MOST_OF_MACHINES", 20)
    whole, joined = Part(1_800_000_000), Part(1_800_000_000)
    for second in range(64):
        part = Part(1_800_000_000)
        for pid in range(4):
            told = {"begin": 1_800_000_000.25 + second, "wall": 1.0, "own": 0.5, "rss": 1000 * pid + second}
            told |= {"available": 900 - second, "pressure_io": None if pid < 3 else 0.125}
            told |= {"beside": 0.25, "beside_in": "a.py:1 f" if pid < 3 else f"a.py:{second % 2} f"}
            for one in (whole, part):
                one.add_tick(["host", pid, "w"], [told.get(name) for name in machine.MACHINE])
        joined.extend(part)
    for part in (whole, joined):
        columns = part.content()["machine"]
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        assert len(rows) <= 40
        for pid in range(4):
            own = [row for row in rows if row["pid"] == pid]
            assert sum(row["own"] for row in own) == 32_000_000
            assert [row["begin"] + row["wall"] for row in own] == [row["begin"] for row in own[1:]] + [64_250_000]
            assert max(row["rss"] for row in own) == 1000 * pid + 63
            assert min(row["available"] for row in own) == 900 - 63
            assert sum(row["beside"] for row in own) == 16_000_000
            texts = part.content()["strings"]
            names = {None if row["beside_in"] is None else texts[row["beside_in"]] for row in own}
            assert pid == 3 or names == {"a.py:1 f"}  # of two threads that are put together there is no name
            assert sum(row["pressure_io"] or 0 for row in own) == (8_000_000 if pid == 3 else 0)


def lost_of_killed_client(folder: Path) -> float:
    """Seconds that the last row lies before the kill."""
    code = """
import itertools, sys, time
from pathlib import Path
from cremascope.parts import Store
store = Store(Path(sys.argv[1]))
store.start()
for number in itertools.count():
    store.put([{"kind": "chunk", "executor": "x", "status": "ok", "begin": time.time(), "wall": number}])
    time.sleep(0.01)
"""
    client = subprocess.Popen([sys.executable, "-c", code, str(folder)])
    while not (folder / "tasks-000001.json.gz").exists():
        time.sleep(0.05)
    time.sleep(1.5)
    client.send_signal(signal.SIGKILL)
    killed = time.time()
    client.wait()
    index = json.loads((folder / "tasks.json").read_text())
    assert index["state"] == "running"
    content = [json.loads(gzip.decompress((folder / part["name"]).read_bytes())) for part in index["parts"]]
    numbers = [value // 1_000_000 for one in content for value in one["tasks"]["wall"]]
    assert numbers == list(range(len(numbers)))
    last = content[-1]
    return float(killed - (last["epoch"] + last["tasks"]["begin"][-1] / 1e6))


@pytest.mark.skipif(sys.platform != "linux", reason="counts what Linux counts")
def test_whoever_holds_the_interpreter_is_not_disturbed_and_gives_turns(tmp_path: Path) -> None:
    import resource

    hold, interval = ctypes.PyDLL(None).usleep, sys.getswitchinterval()
    store = Store(tmp_path)
    store.start()
    store.put([row(0)])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
    for _ in range(4):
        with executors._holding_interpreter():
            hold(600_000)
        store.give_turn(5)
    assert rows_in(tmp_path) == [row(0)]
    # with Python's own interval 200 a second, of the one thread that waits
    assert resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw - before < 200
    assert sys.getswitchinterval() == interval
    store.finish()


def test_a_turn_is_over_at_once_where_nothing_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "LOOK_EVERY", 20.0)
    store = Store(tmp_path)
    store.start()
    waits_until(store._rests.is_set)
    began = time.monotonic()
    store.give_turn(5)
    assert time.monotonic() - began < 1
    store.finish()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """``room``: how many bytes a file may have that is written now."""
    found = {"room": 0}
    write = parts.replace_file

    def replace_file(path: Path, content: bytes) -> None:
        if len(content) > found["room"]:
            raise OSError(28, "No space left on device")
        write(path, content)

    monkeypatch.setattr(parts, "replace_file", replace_file)
    return found


def test_a_full_disk_costs_what_does_not_fit_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: dict[str, int]
) -> None:
    monkeypatch.setattr(parts, "MOST_WAITING", 10)
    store = Store(tmp_path)
    for number in range(25):
        store.put([row(number)])
        store._flush()
    disk["room"] = 1 << 20
    store.finish()
    assert rows_in(tmp_path) == [row(number) for number in range(15, 25)]
    assert store.notes == ["15 tasks were not recorded, because they could not be written: No space left on device"]


def test_rows_wait_for_room_and_meanwhile_the_index_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], disk: dict[str, int]
) -> None:
    def index() -> Any:
        return json.loads((tmp_path / "tasks.json").read_text())

    disk["room"] = 1 << 20
    store = Store(tmp_path)
    store.start()
    disk["room"] = 1_000  # the index has some 500 bytes
    store.put([row(number) | {"message": str(random.Random(number).random()) * 5} for number in range(100)])
    waits_until(lambda: index()["notes"] != [])
    assert index()["notes"] == ["100 tasks cannot be written now, and wait: No space left on device"]
    assert (index()["state"], index()["rows"], index()["dropped"]) == ("running", 0, 0)
    assert (tmp_path / ".reserve").stat().st_size == parts.RESERVE * 3 // 4  # the index had room for that
    time.sleep(1.5)  # it is said once
    assert capfd.readouterr().err == (
        f"crema.record: {tmp_path}: tasks cannot be written now (No space left on device), and wait\n"
    )
    disk["room"], began = 1 << 20, time.monotonic()
    waits_until(lambda: index()["rows"] == 100)
    assert time.monotonic() - began < 2
    assert index()["notes"] == []
    store.finish()
    assert index()["notes"] == [
        "for a while tasks could not be written (No space left on device): they waited, and none is missing"
    ]
    assert not (tmp_path / ".reserve").exists()


def test_rows_that_wait_at_the_end_go_into_files_that_fit(tmp_path: Path, disk: dict[str, int]) -> None:
    store = Store(tmp_path)
    message = random.Random(1)
    store.put([row(number) | {"message": str(message.random()) * 3} for number in range(300)])
    disk["room"] = 2_500  # fewer than 100 rows, more than 10
    store.finish()
    assert len(rows_in(tmp_path)) == 300
    assert store.notes == ["for a while tasks could not be written (No space left on device): they waited, and none is missing"]


@pytest.mark.usefixtures("disk")
def test_a_disk_that_has_no_room_at_the_beginning_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=f"No space left on device: '{tmp_path}'"):
        Store(tmp_path).start()
    assert list(tmp_path.iterdir()) == []


def test_parts_stay_as_they_are_where_there_is_no_room_to_put_them_together(tmp_path: Path, disk: dict[str, int]) -> None:
    disk["room"] = 2_500
    store = Store(tmp_path)
    message = random.Random(1)
    written = [row(number) | {"message": str(message.random())} for number in range(200)]
    for first in range(0, 200, 20):
        store.put(written[first : first + 20])
        store._flush()
    store.finish()
    index = json.loads((tmp_path / "tasks.json").read_text())
    assert [part["rows"] for part in index["parts"]] == [20] * 10 + [0]  # the last one has what the machine did since
    assert sorted(path.name for path in tmp_path.iterdir()) == [*(part["name"] for part in index["parts"]), "tasks.json"]
    assert rows_in(tmp_path) == written
    assert store.notes == []


def waits_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


FULL = """
import sys, types
from pathlib import Path
import cremascope as crema
coffea = sys.modules["coffea.processor.executor"] = types.ModuleType("coffea.processor.executor")
coffea.ExecutorBase, coffea.accumulate = type("ExecutorBase", (), {}), sum  # something to record
with crema.record(sys.argv[1]) as recording:
    for number in range(400):
        row = {"kind": "chunk", "executor": "x", "status": "ok", "begin": 1.8e9 + number, "wall": 1.0}
        row["message"] = "".join(map(chr, __import__("random").Random(number).choices(range(33, 127), k=290)))
        recording._store.put([row])
        recording._store._flush()
print(*recording.notes, sep="\\n")
"""


def test_a_disk_that_is_full_keeps_what_fits_and_the_reason(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=320k", "none", disk], capture_output=True, check=False).returncode:
        pytest.skip("this user mounts nothing")
    try:
        command = [sys.executable, "-W", "ignore", "-c", FULL, str(disk / "run")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "No space left on device" in done.stdout
        index = json.loads((disk / "run" / "tasks.json").read_text())
        assert index["state"] == "complete"
        assert any("No space left on device" in note for note in index["notes"])
        assert index["rows"] + index["dropped"] == 400
        written = [json.loads(gzip.decompress((disk / "run" / part["name"]).read_bytes())) for part in index["parts"]]
        assert 30 < index["rows"] == sum(len(part["tasks"]["begin"]) for part in written)
        assert not [path for path in (disk / "run").iterdir() if path.name.startswith(".")]
        opened = subprocess.run([native(), "ask", disk / "run", "quality"], capture_output=True, text=True, check=True).stdout
        assert "could not be written" in opened
    finally:
        subprocess.run(["umount", disk], check=True)


MEMORY = """
import ctypes, gc, random, tempfile
from pathlib import Path
from cremascope.executors import Call
from cremascope.parts import Store
from cremascope.task.usage import rss_now
def row(number):
    chance = random.Random(number)
    functions = [[f"f{one}", "/a/x.py", one] for one in range(12)]
    calls = [[one - 1 if one else None, one, one + 3, None, "x = 1"] for one in range(12)]
    return {
        "kind": "chunk", "executor": "x", "status": "ok", "host": "h", "pid": number % 50, "worker": f"w{number % 50}",
        "dataset": f"d{number % 9}", "file": f"/data/f{number // 20}.root", "tree": "Events", "entry_start": number % 20 * 1000,
        "entry_stop": number % 20 * 1000 + 1000, "begin": 1.8e9 + number / 9, "wall": chance.random(), "cpu": chance.random(),
        "branches": [[f"b{i}", 2, chance.randrange(9999), 3, 2, 0, 1, "zstd 1", 1, 9, False, 0.5, 0.7, 0] for i in range(2)],
        "sections": [[None, "all", 1, 0.5, 0.4]],
        "samples": {"functions": functions, "calls": calls, "seen": [[0, chance.randrange(12), 3, 0.03, 0.02]] * 3},
    }
with tempfile.TemporaryDirectory() as folder:
    store = Store(Path(folder))
    store.state = "running"
    class Executor: desc = ""
    call = Call(Executor(), [store])
    sizes = [rss_now()]
    for number in range(120_000):
        call.put([row(number)])
        if number % 250 == 249:
            store._flush()
            store._fold()
        if number in (19_999, 119_999):
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)  # what is free only in the allocator's books is not kept
            sizes.append(rss_now())
    print(*sizes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told by /proc")
def test_memory_of_a_client_of_a_million_tasks_is_bounded() -> None:
    """What 100,000 tasks add to 20,000 others, the other 880,000 add 8.8 times more: in all 200 MB at most."""
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    python, few, many = map(int, done.stdout.split())
    # lists and tables grow in steps, so that fewer tasks would say what a step costs
    assert many - python + (many - few) * 8.8 < 200e6


WORKER = """
import sys, time
from cremascope.task.usage import rss_now
before = rss_now()
from cremascope.task.running import Task
def deep(left, until):
    if left:
        return deep(left - 1, until)
    exec(compile("\\n" * (left + int(until * 1e6) % 999) + "while time.perf_counter() < until: pass", "x", "exec"))
def work(seconds):
    deep(150, time.perf_counter() + seconds)
for number in range(300):
    Task(work, {"executor": "x"}, "call", lambda rows: None)(0.02)
print(rss_now() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told by /proc")
def test_memory_of_a_worker_is_bounded() -> None:
    done = subprocess.run([sys.executable, "-c", WORKER], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 30e6


def test_addresses_lose_their_secrets(tmp_path: Path) -> None:
    store = Store(tmp_path)
    secret = "https://me:word@storage.org/a/f.root?X-Amz-Signature=abcdef"
    store.put([row(1, file=secret, message=f"cannot open '{secret}': gone")])
    store.finish()
    (kept,) = rows_in(tmp_path)
    assert kept["file"] == "https://storage.org/a/f.root"
    assert kept["message"] == "cannot open 'https://storage.org/a/f.root': gone"


def test_what_python_calls_at_each_step_of_a_thread_is_named() -> None:
    told: list[str | None] = []

    def count_calls(*_: Any) -> None:
        pass

    def work() -> None:
        told.append(machine.hook())
        sys.setprofile(count_calls)
        told.append(machine.hook())
        sys.setprofile(None)
        tracemalloc.start()
        told.append(machine.hook())
        tracemalloc.stop()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told == [None, "sys.setprofile: count_calls", "tracemalloc"]


def test_the_environment_is_asked_by_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "do not tell")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    told = machine.facts()["environment"]
    assert told["OMP_NUM_THREADS"] == "3"
    assert set(told) <= set(machine.ENVIRONMENT)
    assert "do not tell" not in json.dumps(machine.facts())


def test_all_that_is_kept_of_the_environment_is_documented_and_no_secret() -> None:
    rows = (ROOT / "docs" / "format.md").read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in rows if line.startswith("| environment |")]
    assert re.findall(r"`(\w+)`", row) == list(machine.ENVIRONMENT)
    assert not re.search("KEY|TOKEN|SECRET|PASS|AUTH|PATH|DIR|HOME|HOST|URL", row)


def test_a_hundred_thousand_chunks_of_forty_columns_are_twelve_megabytes_at_most(tmp_path: Path) -> None:
    """Times, counters and sizes of a chunk differ; names repeat."""
    chance, store = random.Random(3), Store(tmp_path)
    names = [name for name in parts.TASKS if name not in parts.TEXTS | {"begin"}]
    seconds = [name for name in names if name in parts.SECONDS][:18]
    counts = [name for name in names if name not in parts.SECONDS | {"pid"}][:20]
    for number in range(10_000):
        values: dict[str, Any] = {name: chance.randint(0, 5_000) for name in counts}
        values |= {name: chance.random() for name in seconds}
        store.put([row(number, **values, parts={}, branches=[])])
    store.finish()
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    columns = json.loads(gzip.decompress(next(tmp_path.glob("tasks-*")).read_bytes()))["tasks"]
    assert len(columns) >= 40
    assert size * 10 <= 12e6
