"""Rows of tasks on their way to disk: what is written when, and what a reader finds there whatever happened."""

from __future__ import annotations

import gzip
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cremascope import parts
from cremascope.parts import Part, Store


def row(number: int, **more: Any) -> dict[str, Any]:
    return {
        "kind": "chunk",
        "executor": "FuturesExecutor",
        "status": "ok",
        "file": f"f{number % 3}.root",
        "begin": 1_800_000_000.25 + number,
        "wall": number / 8,
        "parts": {"process": [1_800_000_000.5 + number, 0.5, 0.25]},
        "branches": [["pt", 2, 100, 300, 25, "zstd 1", 1, 100, False, 0.5, 0.75, 0.25]] * (number % 2),
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


def test_a_full_disk_costs_what_does_not_fit_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST_WAITING", 10)
    store, full = Store(tmp_path), True
    write = parts.replace_file

    def replace_file(path: Path, content: bytes) -> None:
        if full:
            raise OSError(28, "No space left on device")
        write(path, content)

    monkeypatch.setattr(parts, "replace_file", replace_file)
    for number in range(25):
        store.put([row(number)])
        store._flush()
    full = False
    store.finish()
    assert rows_in(tmp_path) == [row(number) for number in range(15, 25)]
    assert store.notes == [
        "tasks could not be written: No space left on device",
        "15 tasks were not recorded, because they could not be written",
    ]


def test_addresses_lose_their_secrets(tmp_path: Path) -> None:
    store = Store(tmp_path)
    secret = "https://me:word@storage.org/a/f.root?X-Amz-Signature=abcdef"
    store.put([row(1, file=secret, message=f"cannot open '{secret}': gone")])
    store.finish()
    (kept,) = rows_in(tmp_path)
    assert kept["file"] == "https://storage.org/a/f.root"
    assert kept["message"] == "cannot open 'https://storage.org/a/f.root': gone"


def test_the_environment_is_asked_by_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from cremascope.task import machine

    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "do not tell")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    told = machine.facts()["environment"]
    assert told["OMP_NUM_THREADS"] == "3"
    assert set(told) <= set(machine.ENVIRONMENT)
    assert "do not tell" not in json.dumps(machine.facts())


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
