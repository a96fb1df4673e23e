"""Each column that answers have of a recording, worked out anew from its parts: another program, the same numbers.

Not here: what is fitted over all chunks (`times_expected`, `outlier`, `early`), which has tests of its own.
"""

from __future__ import annotations

import gzip
import json
import math
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from cremascope import parts
from cremascope.task.looks import shared_out

from .conftest import RECORDED, native

Row = dict[str, Any]
FITTED = {"times_expected", "outlier", "early"}
#: Sentences made of the other columns.
SENTENCES = {"text", "advice"}
#: Seconds since 1970 are known to a quarter of a microsecond, and what is compared may be a share of a tenth of a second.
MOST = {"host_load": 1e-4}
#: Columns of `tasks` that describe the work or where it ran, and are no measured numbers.
TEXTS_OF_TASKS = {"kind", "executor", "function", "stage", "host", "worker", "status", "error", "message", "frame"}


class Frame(NamedTuple):
    """A function on a stack, and the line that ran."""

    name: str
    file: str
    first_line: int
    line: int

    @property
    def function(self) -> tuple[Any, ...]:
        """As it is known in answers, which leave out the folders that differ between machines."""
        return self.name, self.file.rpartition("/")[2], self.first_line


class Parts:
    """The tables of a recording by rows, with texts, seconds, and moments after its begin."""

    def __init__(self, bundle: Path) -> None:
        index = json.loads((bundle / "tasks.json").read_text())
        self.tasks: list[Row] = []
        self.branches: list[Row] = []
        self.sections: list[Row] = []
        self.machine: list[Row] = []
        self.samples: list[Row] = []
        self.client: list[Row] = []
        about = bundle / "metadata.json"
        self.elapsed: float = json.loads(about.read_text())["elapsed_time_seconds"]
        for part in index["parts"]:
            content = json.loads(gzip.decompress((bundle / part["name"]).read_bytes()))
            first = {"task": len(self.tasks), "parent": len(self.sections), "section": len(self.sections)}
            stacks = self._stacks(content)
            for table in ("tasks", "branches", "sections", "machine", "samples", "client"):
                columns = content.get(table, {})
                for values in zip(*columns.values(), strict=True):
                    row = {
                        name: self._plain(name, value, content, index["begin"])
                        for name, value in zip(columns, values, strict=True)
                    }
                    for reference in first.keys() & row.keys():
                        if row[reference] is not None:
                            row[reference] += first[reference]
                    if "call" in row and table != "tasks":
                        row["stack"] = [] if row["call"] is None else stacks[row["call"]]
                    getattr(self, table).append(row)
        self.of_workers = [
            row for row in self.tasks if row.get("worker") != "client" and None not in (row.get("begin"), row.get("wall"))
        ]
        self.chunks = [row for row in self.of_workers if (row["kind"], row["status"]) == ("chunk", "ok")]

    @staticmethod
    def _stacks(content: dict[str, Any]) -> list[list[Frame]]:
        """Of each call the functions, innermost first."""
        strings, calls, functions = content["strings"], content.get("calls", {}), content.get("functions", {})
        columns = [functions.get(name, []) for name in ("name", "file", "first_line")]
        known = [(strings[name], strings[file], line) for name, file, line in zip(*columns, strict=True)]
        stacks: list[list[Frame]] = []
        for caller, called, line in zip(*(calls.get(name, []) for name in ("caller", "called", "line")), strict=True):
            above = [] if caller is None else stacks[caller]
            stacks.append([Frame(*known[called], line), *above])
        return stacks

    @staticmethod
    def _plain(name: str, value: Any, content: dict[str, Any], begin: float) -> Any:
        if value is None:
            return None
        if name in parts.TEXTS:
            return content["strings"][value]
        if name == "begin":
            return content["epoch"] - begin + value / 1e6
        return value / 1e6 if name in parts.SECONDS else value

    def own_wall(self, section: Row) -> float:
        """Without sections within it."""
        number = next(number for number, one in enumerate(self.sections) if one is section)
        return float(section["wall"] - sum(one["wall"] for one in self.sections if one["parent"] == number))

    def of(self, table: str, row: Row) -> list[Row]:
        number = next(number for number, one in enumerate(self.tasks) if one is row)
        return [one for one in getattr(self, table) if one["task"] == number]


def address(row: Row) -> str:
    if "://" in row["worker"] or row.get("pid") is None:
        return str(row["worker"])
    return f"{row['host']}/{row['pid']}"


def ask(bundle: Path, question: str, *options: str) -> list[Row]:
    command = [native(), "ask", bundle, question, "--json", *(word for one in options for word in ("--option", one))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    columns = json.loads(done.stdout)["columns"]
    names = [column["name"] for column in columns]
    return [dict(zip(names, values, strict=True)) for values in zip(*(column["values"] for column in columns), strict=True)]


def sum_of(values: Iterable[Any]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def ratio(above: Any, below: Any) -> Any:
    return above / below if above is not None and below else None


def tasks_of(recording: Parts) -> list[Row]:
    names = {"file": "automatic_retries", "merge": "reduce"}
    found = []
    for row in recording.of_workers:
        prefix = names.get(row["kind"]) or row.get("function") or row["kind"]
        number = next(number for number, one in enumerate(recording.tasks) if one is row)
        entries = [row.get(name) for name in ("entry_start", "entry_stop")]
        first, stop = ("" if entry is None else entry for entry in entries)
        item = f"{row['file']}:{first}-{stop}" if row.get("file") else str(number)
        failed = row.get("error") is not None
        found.append(
            {
                "key": f"{prefix}-{row['call']}-{item}",
                "prefix": prefix,
                "worker": address(row),
                "thread": row["thread"],
                "action": "compute",
                "t0": row["begin"],
                "t1": row["begin"] + row["wall"],
                "duration": row["wall"],
                "nbytes": row.get("out_bytes"),
                "status": "error" if failed else "OK",
                "exception": f"{row['error']}('{row.get('message') or ''}')" if failed else "",
            }
        )
    workers = list(dict.fromkeys(row["worker"] for row in found))
    begin: dict[tuple[str, int], float] = {}
    for row in found:
        thread = (row["worker"], row["thread"])
        begin[thread] = min(row["t0"], begin.get(thread, math.inf))
    lanes = sorted(begin, key=lambda thread: (workers.index(thread[0]), begin[thread]))
    last: dict[str, float] = {}  # when the execution that counts of a chunk's key began
    for row, told in zip(found, recording.of_workers, strict=True):
        if told["kind"] == "chunk":
            last[row["key"]] = max(row["t0"], last.get(row["key"], -math.inf))
    made = []
    for row, told in zip(found, recording.of_workers, strict=True):
        lost = row["t0"] < last.get(row["key"], -math.inf)
        is_chunk = told["kind"] == "chunk" and told["status"] == "ok" and not lost
        lane = lanes.index((row["worker"], row["thread"]))
        made.append(row | {"lane": lane, "lost": lost, "dataset": told.get("dataset") if is_chunk else ""})
    return made


def chunks_of(recording: Parts) -> list[Row]:
    found: list[Row] = []
    measured = [name for name in parts.TASKS if name not in TEXTS_OF_TASKS | {"dataset", "file", "tree", "begin"}]
    sections = {one["name"] for one in recording.sections}
    told = {name for name in measured for row in recording.chunks if row.get(name) is not None}
    for number, row in enumerate(recording.chunks):
        start = row["begin"] + row["process_begin"]
        read = recording.of("branches", row)
        amount = sum_of(one["requested"] for one in read)
        site = urlsplit(row["file"]).netloc
        found.append(
            {
                "chunk": number,
                **{name: row[name] for name in ("dataset", "file", "entry_start", "entry_stop", "events")},
                **({"host": site, "site": site} if site else {}),
                "t_start": start,
                "t_end": start + row["process_wall"],
                "duration": row["process_wall"],
                "bytes_read": amount,
                "memory_before": row["rss_before"],
                "memory_after": row["rss_after"],
                "memory_delta": row["rss_after"] - row["rss_before"],
                "seconds_per_event": ratio(row["process_wall"], row["events"]),
                "memory_delta_per_event": ratio(row["rss_after"] - row["rss_before"], row["events"]),
                "bytes_per_second": ratio(amount, row["process_wall"]),
                "branches_accessed": len(read) or None,
                "accessed_bytes": None,  # what branches have in the file as a whole, no part says
                **{
                    f"section:{name}": sum_of(
                        recording.own_wall(one) for one in recording.of("sections", row) if one["name"] == name
                    )
                    for name in sections
                },
                **{f"task:{name}": row[name] for name in told},
            }
        )
    for row in found:
        same = [one for one in found if one.get("host") == row.get("host")]
        met = (max(0.0, min(one["t_end"], row["t_end"]) - max(one["t_start"], row["t_start"])) for one in same)
        row["host_load"] = ratio(sum(met), row["duration"])
    free: list[float] = []  # when each lane is
    for row in sorted(found, key=lambda row: row["t_start"]):
        lane = next((lane for lane, end in enumerate(free) if end <= row["t_start"]), len(free))
        free[lane : lane + 1] = [row["t_end"]]
        row["lane"] = lane
    return found


def is_own(file: str) -> bool:
    """Of the analysis: neither Python's, nor of an installed package, nor of this one."""
    return not any(part in file for part in ("site-packages", "/lib/python", "<frozen", "/cremascope/"))


def is_telling(file: str) -> bool:
    """What the client did is told by functions of the analysis, of coffea and of Dask, not by those that they call."""
    return is_own(file) or any(f"site-packages/{package}/" in file for package in ("coffea", "dask", "distributed"))


def telling(stack: list[Frame]) -> Frame:
    """What says what the client did: the innermost function of the analysis, of coffea or Dask, else the innermost of all."""
    return next((frame for frame in stack if is_telling(frame.file)), stack[0])


def client_functions_of(recording: Parts, ticks: list[int]) -> dict[int, str]:
    """By tick, where the client was longest: the innermost function that tells, else the innermost of all."""
    length: dict[float, float] = defaultdict(float)  # looks of a second are added up: they begin alike
    for row in recording.client:
        length[row["begin"]] += row["wall"]
    found: dict[int, tuple[float, str]] = {}
    for row in recording.client:
        end, reached = row["begin"] + length[row["begin"]], [tick for tick in ticks if tick >= row["begin"]]
        if not row["stack"]:
            continue
        name = telling(row["stack"]).name
        for tick in [*reached[:1], *(tick for tick in reached[1:] if tick < end)]:
            if row["wall"] > found.get(tick, (0.0, ""))[0]:
                found[tick] = row["wall"], name
    return {tick: name for tick, (_, name) in found.items()}


def client_of(recording: Parts) -> list[Row]:
    """Looks of a second are added up, so its time is shared out evenly among the times that it meets."""
    busy: list[list[float]] = []  # when some worker ran a task; gaps below a second are in it
    for begin, end in sorted((row["begin"], row["begin"] + row["wall"]) for row in recording.of_workers):
        if busy and begin - busy[-1][1] < 1:
            busy[-1][1] = max(busy[-1][1], end)
        else:
            busy.append([begin, end])
    times = {
        "before the first task": [(0.0, busy[0][0])],
        "between tasks": [(one[1], other[0]) for one, other in pairwise(busy)],
        "after the last task": [(busy[-1][1], recording.elapsed)],
        "while tasks ran": busy,
    }
    length: dict[float, float] = defaultdict(float)
    for row in recording.client:
        length[row["begin"]] += row["wall"]
    found = []
    for when, ranges in times.items():
        sums: dict[tuple[Any, ...], Row] = {}
        for row in recording.client:
            begin, end = row["begin"], row["begin"] + length[row["begin"]]
            share = sum(max(0.0, min(end, last) - max(begin, first)) for first, last in ranges) / (end - begin)
            if not row["stack"] or share <= 0:
                continue
            frame = telling(row["stack"])
            one = sums.setdefault(frame.function, {"seconds": 0.0, "cpu_seconds": 0.0, "looks": 0.0, "lines": Counter()})
            for name, column in (("seconds", "wall"), ("cpu_seconds", "cpu"), ("looks", "looks")):
                one[name] += share * (row[column] or 0)
            one["lines"][frame.line] += share * row["wall"]
        whole = sum(one["seconds"] for one in sums.values())
        for (name, file, _), one in sums.items():
            longest = max(one["lines"].values())
            line = min(line for line, seconds in one.pop("lines").items() if seconds == longest)
            found.append({"when": when, "function": name, "file": file, "line": line, "share": one["seconds"] / whole, **one})
    return found


def part_of(recording: Parts, sample: Row) -> str:
    """In process(), outside of it, or of a task whose process() was not measured."""
    if recording.tasks[sample["task"]].get("process_wall") is None:
        return "other"
    return "inside" if any(frame.name == "process" for frame in sample["stack"]) else "outside"


def names_of(recording: Parts, place: int | None) -> tuple[str, ...]:
    """Of a section and those that it lies in, innermost first."""
    names: list[str] = []
    while place is not None:
        names.append(recording.sections[place]["name"])
        place = recording.sections[place].get("parent")
    return tuple(names)


def scales_of(recording: Parts) -> dict[tuple[str, tuple[str, ...]], float]:
    """By part and section: what was measured of it, divided by what was seen of it."""
    measured: dict[str, float] = defaultdict(float)
    seen: dict[tuple[str, tuple[str, ...]], float] = defaultdict(float)
    of_section: dict[tuple[str, ...], float] = defaultdict(float)
    for task in recording.tasks:
        inside = task.get("process_wall")
        of_section[()] += inside or 0
        if task["cpu"] is None:  # nobody looked at it
            continue
        measured["inside"] += inside or 0
        measured["other" if inside is None else "outside"] += (task["wall"] or 0) - (inside or 0)
    for place, one in enumerate(recording.sections):
        if recording.tasks[one["task"]].get("process_wall") is not None:
            of_section[names_of(recording, place)] += one["wall"]
            of_section[names_of(recording, one.get("parent"))] -= one["wall"]
    for one in recording.samples:
        part = part_of(recording, one)
        seen[part, names_of(recording, one.get("section")) if part == "inside" else ()] += one["wall"]
    of_part = Counter(dict.fromkeys(measured, 0.0))
    for (part, _), seconds in seen.items():
        of_part[part] += seconds
    known = sum(max(0.0, of_section[names]) for part, names in seen if part == "inside")
    scales = {}
    for (part, names), seconds in seen.items():
        share = max(0.0, of_section[names]) / known if part == "inside" else seconds / of_part[part]
        scales[part, names] = share * measured[part] / seconds
    return scales


def on_cpu_of(recording: Parts) -> list[float]:
    """Of each sample: a task's are on a CPU for as much of their time as the task, those the most that were seen most there."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, one in enumerate(recording.samples):
        places[one["task"]].append(place)
    found = [0.0] * len(recording.samples)
    for number, of_task in places.items():
        task = recording.tasks[number]
        mean = min(1.0, task["cpu"] / task["wall"]) if task["cpu"] is not None and task["wall"] else 0.0
        looks = [(place, recording.samples[place]) for place in of_task]
        known = [(place, one["wall"], one["cpu"]) for place, one in looks if one["cpu"] is not None]
        shares = shared_out(
            mean * sum(wall for _, wall, _ in known), [cpu for *_, cpu in known], [wall for _, wall, _ in known]
        )
        for (place, *_), share in zip(known, shares, strict=True):
            found[place] = share
        for place, one in looks:
            if one["cpu"] is None:
                found[place] = mean * one["wall"]
    return found


def flame_of(recording: Parts, section: str | None = None, chunk: int | None = None) -> list[Row]:
    """Of each stack the seconds that its samples stand for, with what it called and without; of these on a CPU.

    What the recorder calls is its caller's.
    """
    scales = scales_of(recording)
    on_cpu = on_cpu_of(recording)
    wanted = None if chunk is None else next(i for i, row in enumerate(recording.tasks) if row is recording.chunks[chunk])
    boxes: dict[tuple[Any, ...], Row] = defaultdict(lambda: {"total": 0.0, "self": 0.0, "on_cpu": 0.0})
    for one, cpu in zip(recording.samples, on_cpu, strict=True):
        task, part = recording.tasks[one["task"]], part_of(recording, one)
        open_sections = names_of(recording, one.get("section"))
        is_wanted = (section is None or section in open_sections) and wanted in (None, one["task"])
        if not is_wanted or not one["stack"] or task["worker"] == "client" or not one["wall"] > 0:
            continue
        first, last = len(one["stack"]) - 1, 0
        kept = [frame for i, frame in enumerate(one["stack"]) if frame.file != "<crema>" or i in (first, last)]
        stack = tuple(frame.function for frame in reversed(kept))
        scale = scales[part, open_sections if part == "inside" else ()]
        seconds = one["wall"] * scale
        for depth in range(len(stack) + 1):
            boxes[stack[:depth]]["total"] += seconds
        boxes[stack]["self"] += seconds
        boxes[stack]["on_cpu"] += cpu * scale
    return [{"stack": stack, **one} for stack, one in boxes.items()]


def told_flame(bundle: Path, *options: str) -> list[Row]:
    """The answer, each box with its stack; boxes of the same names, files and lines are one."""
    told = {row["node"]: row for row in ask(bundle, "flame", *options)}
    boxes: dict[tuple[Any, ...], Row] = defaultdict(lambda: {"total": 0.0, "self": 0.0, "on_cpu": 0.0})
    for row in told.values():
        stack, above = [], row
        while above["parent"] is not None:
            stack.append((above["frame"], above["file"].rpartition("/")[2], above["line"] or 0))
            above = told[above["parent"]]
        for name, value in (sums := boxes[tuple(reversed(stack))]).items():
            sums[name] = value + row[name]
    return [{"stack": stack, **one} for stack, one in boxes.items()]


def machines_of(recording: Parts) -> list[Row]:
    def at(row: Row, tick: int) -> bool:
        return bool(row["begin"] <= tick < row["begin"] + row["wall"])

    rates = {"disk_read", "disk_written", "received", "sent"}
    per_second = {"busy", "pressure_cpu", "pressure_memory", "pressure_io", *rates}
    names = {"busy": "cpus_busy", "longest_lag": "loop_lag", **{name: f"{name}_rate" for name in rates}}
    workers = {address(row) for row in recording.of_workers}
    if not any(address(row) in workers for row in recording.machine):
        return []  # no worker lived for a second
    last = max(math.ceil(row["begin"] + row["wall"]) for row in recording.machine)
    known = [row for row in recording.machine if address(row) in workers or row["worker"] in ("client", "scheduler")]
    found = []
    for tick in range(last + 1):
        now = [row for row in known if at(row, tick)]
        if not now:
            continue
        answer: Row = {"t": tick}
        by_host: dict[str, list[Row]] = defaultdict(list)
        for row in now:
            by_host[row["host"]].append(row)

        def of_hosts(value: Callable[[Row], Any], largest: bool, by_host: dict[str, list[Row]] = by_host) -> Any:
            """Its processes tell it a little apart: their mean; of the hosts the sum, or the largest."""
            levels = []
            for rows in by_host.values():
                told = [one for one in map(value, rows) if one is not None]
                if told:
                    levels.append(sum(told) / len(told))
            return (max if largest else sum)(levels) if levels else None

        for name in (*per_second, "swap_used", "longest_lag"):

            def level(row: Row, name: str = name) -> Any:
                return ratio(row.get(name), row["wall"]) if name in per_second else row.get(name)

            answer[names.get(name, name)] = of_hosts(level, name.startswith(("pressure", "longest")))
        answer["cpus_usable"] = of_hosts(lambda row: min(row["usable"], row.get("quota") or math.inf), False)
        answer["cpus_own"] = sum(row["own"] / row["wall"] for row in now)

        def cpus(rows: list[Row], *names: str) -> float:
            return sum((row.get(name) or 0) / row["wall"] for row in rows for name in names)

        def of_run(rows: list[Row]) -> float:
            """CPUs of the run on a host: of its processes and the workers' children, or of the client and its children."""
            client = [row for row in rows if row["worker"] == "client"]
            workers = [row for row in rows if row["worker"] != "client"]
            return max(cpus(client, "own") + cpus(workers, "own", "children"), cpus(client, "own", "children"))

        answer["cpus_others"] = sum(max(0.0, cpus(rows, "busy") / len(rows) - of_run(rows)) for rows in by_host.values())
        throttled = [row["throttled"] / row["wall"] for row in now if row.get("throttled") is not None]
        answer["throttled"] = max(throttled, default=None)
        for name in ("client", "scheduler"):
            answer[f"{name}_cpus"] = sum_of(row["own"] / row["wall"] for row in now if row["worker"] == name)
        found.append(answer)
    functions = client_functions_of(recording, [row["t"] for row in found])
    for answer in found:
        answer["client_function"] = functions.get(answer["t"])
    return found


def failures_of(recording: Parts) -> list[Row]:
    def item(row: Row) -> Any:
        if row.get("file") is None:
            return id(row)
        return tuple(row.get(name) for name in ("function", "call", "file", "entry_start", "entry_stop"))

    done = {item(row) for row in recording.tasks if row["status"] == "ok"}
    given_up = {item(row) for row in recording.tasks if row["status"] == "skipped"}
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in recording.tasks:
        if row["status"] != "ok":
            groups[tuple(row.get(name) or "" for name in ("function", "error", "message", "frame"))].append(row)
    return [
        {
            **dict(zip(("task", "exception", "message", "frame"), about, strict=True)),
            "attempts": len(rows),
            "items": len(items := {item(row) for row in rows}),
            "recovered": len(items & done),
            "repeated": sum(
                bool(rows[0].get("error")) and sum(item(row) == one for row in rows) >= 2 for one in items - done - given_up
            ),
            "skipped": sum(row["status"] == "skipped" for row in rows),
            "lost": sum(row["status"] == "lost" for row in rows),
            "core_seconds": sum_of(row.get("wall") for row in rows),
            "files": len({row["file"] for row in rows if row.get("file")}),
            "workers": len({address(row) for row in rows}),
            **{name: rows[0].get(name) for name in ("dataset", "file", "entry_start", "entry_stop")},
            "first": rows[0]["begin"],
            "last": max(row["begin"] for row in rows),
        }
        for about, rows in groups.items()
    ]


def input_of(recording: Parts) -> list[Row]:
    def sums(name: str, rows: list[Row]) -> Row:
        read = [one for row in rows for one in recording.of("branches", row)]
        used = sum(one["compressed"] - one["outside"] - (one.get("again") or 0) for one in read)
        amount = sum(one["requested"] for one in read)
        return {
            "name": name,
            "files": len({row["file"] for row in rows}),
            "chunks": len(rows),
            "tree_bytes": None,
            "used_bytes": used,
            "read_bytes": amount,
            "used_share": None,
            "times_read": ratio(amount, used),
        }

    datasets = sorted({row["dataset"] for row in recording.chunks})
    groups = [(name, [row for row in recording.chunks if row["dataset"] == name]) for name in datasets]
    return [sums(name, rows) for name, rows in (("all files", recording.chunks), *groups)]


def branches_of(recording: Parts) -> list[Row]:
    listed = [(row, recording.of("branches", row)) for row in recording.chunks]
    listed = [(row, read) for row, read in listed if read]
    chunks_in = Counter(row["dataset"] for row, _ in listed)
    found = []
    for name in sorted({one["branch"] for _, read in listed for one in read}):
        pairs = [(row, one) for row, read in listed for one in read if one["branch"] == name]
        read = [one for _, one in pairs]
        counts = Counter(row["dataset"] for row, _ in pairs)
        found.append(
            {
                "branch": name,
                "files": len({row["file"] for row, _ in pairs}),
                "chunks": len(pairs),
                "share_of_chunks": len(pairs) / len(listed),
                "datasets": len(counts),
                "dataset_names": ", ".join(sorted(counts)),
                "always_in": ", ".join(sorted(one for one in counts if counts[one] == chunks_in[one])),
                "bytes": sum(one["requested"] for one in read),
                "outside_share": ratio(sum(one["outside"] for one in read), sum(one["compressed"] for one in read)),
                "codec": read[0]["codec"],
                **{
                    name: sum(one[name] for one in read)
                    for name in ("requests", "baskets", "compressed", "uncompressed", "wait", "cpu")
                },
            }
        )
    return found


def sections_of(recording: Parts) -> list[Row]:
    """Of each section the seconds without the sections in it; what they leave of process() is a row of its own."""
    seconds: dict[str, list[float]] = {}
    calls: dict[str, int] = {}
    events: dict[str, float] = {}  # of the chunks that entered it
    for row in recording.chunks:
        of_chunk: dict[str, float] = {}
        for one in recording.of("sections", row):
            of_chunk[one["name"]] = of_chunk.get(one["name"], 0.0) + recording.own_wall(one)
            calls[one["name"]] = calls.get(one["name"], 0) + one["calls"]
        for name, wall in of_chunk.items():
            seconds.setdefault(name, []).append(wall)
            events[name] = events.get(name, 0) + row["events"]
    inside = sum(row["process_wall"] for row in recording.chunks)
    nothing = dict.fromkeys(("chunks", "mean", "p95", "max", "entries", "memory_delta", "bytes"))
    found = [
        nothing
        | {
            **{"name": name, "kind": "section", "may_overlap": False},
            **{"chunks": len(walls), "seconds": sum(walls), "share_of_process": sum(walls) / inside},
            **{"mean": sum(walls) / len(walls), "p95": quantile(walls, 0.95), "max": max(walls)},
            "entries": calls[name] / len(walls),
            "seconds_per_event": sum(walls) / events[name],
        }
        for name, walls in seconds.items()
    ]
    if found:
        left = inside - sum(row["seconds"] for row in found)
        all_events = sum(row["events"] for row in recording.chunks)
        rest = {"name": "unaccounted", "kind": "unaccounted", "may_overlap": False}
        shares = {"share_of_process": left / inside, "seconds_per_event": left / all_events}
        found.append(nothing | rest | {"seconds": left} | shares)
    return found


def quantile(values: list[float], level: float) -> float:
    """Between the two nearest of the sorted values in proportion."""
    ordered, place = sorted(values), level * (len(values) - 1)
    low = math.floor(place)
    return ordered[low] + (place - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])


QUESTIONS: dict[str, Callable[[Parts], list[Row]]] = {
    "tasks": tasks_of,
    "chunks": chunks_of,
    "machines": machines_of,
    "failures": failures_of,
    "input": input_of,
    "branches": branches_of,
    "sections": sections_of,
}


def check(bundle: Path) -> dict[str, int]:
    """That the answers are what the parts say; how many numbers and texts of each question were compared."""
    recording = Parts(bundle)
    counts = {"client": check_client(bundle, recording), "flame": check_flame(bundle, recording)}
    for question, expected_of in QUESTIONS.items():
        answer, expected = ask(bundle, question), expected_of(recording)
        if question == "failures":
            answer.sort(key=lambda row: (row["task"], row["exception"], row["message"]))
            expected.sort(key=lambda row: (row["task"], row["exception"], row["message"]))
        assert len(answer) == len(expected), question
        counts[question] = 0
        for told, row in zip(answer, expected, strict=True):
            missing = set(told) - FITTED - SENTENCES - set(row)
            assert set(told) - FITTED >= set(row), question
            assert missing <= {"host", "site"}, (question, missing)  # of files that have no address
            for name, value in row.items():
                where = (question, name)
                if isinstance(value, float):
                    assert told[name] == pytest.approx(value, rel=1e-9, abs=MOST.get(name, 2e-6)), where
                else:  # a text that is not there is empty
                    assert (None if told[name] == "" else told[name]) == (None if value == "" else value), where
                counts[question] += 1
    return counts


def about(row: Row) -> Row:
    """Shares of a look depend on moments, which are known to a quarter of a microsecond."""
    return {name: pytest.approx(one, rel=1e-9, abs=1e-5) if isinstance(one, float) else one for name, one in row.items()}


def check_client(bundle: Path, recording: Parts) -> int:
    told = [row | {"file": row["file"].rpartition("/")[2]} for row in ask(bundle, "client")]
    expected = client_of(recording) if recording.client else []

    def order(row: Row) -> tuple[Any, ...]:
        return row["when"], row["function"], row["file"], row["line"]

    assert sorted(map(order, told)) == sorted(map(order, expected))
    for answer, row in zip(sorted(told, key=order), sorted(expected, key=order), strict=True):
        assert answer == about(row), order(row)
    return sum(map(len, expected))


def check_flame(bundle: Path, recording: Parts) -> int:
    """Of all, of each section, and of the first chunks."""
    sections = sorted({one["name"] for one in recording.sections})
    chunks = range(min(3, len(recording.chunks)))
    count = 0
    for options, expected in [
        ((), flame_of(recording)),
        *(((f"section={name}",), flame_of(recording, section=name)) for name in sections),
        *(((f"chunk={number}",), flame_of(recording, chunk=number)) for number in chunks),
    ]:
        told = {row["stack"]: row for row in told_flame(bundle, *options)}
        assert set(told) == {row["stack"] for row in expected}, options
        for row in expected:
            assert told[row["stack"]] == about(row), options
        count += 3 * len(expected)
    return count


def test_answers_are_what_the_parts_say() -> None:
    counts = check(RECORDED / "rows")
    assert {name for name, count in counts.items() if count > 0} == {*QUESTIONS, "flame"}  # nobody looked at that client
