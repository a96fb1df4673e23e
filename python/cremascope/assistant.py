"""``crema mcp``: the core's questions as tools of an assistant, by the Model Context Protocol on standard input and output.

Each question is a tool with its own schema; runs are known by handles; an answer keeps to a budget of tokens, and says
what it leaves out and how to go on.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cremascope.answer import Answer
from cremascope.core import core
from cremascope.runs import FILTERS, Runs
from cremascope.version import __version__

#: What an assistant is told before it asks anything; docs/assistants.md says more.
INSTRUCTIONS = """Crema tells where the core-time of a Coffea/Dask run went, and why. Order of asking:
1. open_runs with paths; keep the handles (r0, r1, ...).
2. findings: what is wrong and what mending it would win. Often that is the answer. advice: what to set otherwise.
3. budget, then core_time_tree: where the core-time went. summary: all headline numbers.
4. Narrow: chunks, datasets, files, workers, frames with select (seconds since the start), dataset, worker.
5. Two runs: verdict first (why one is slower), then compare, compare_matrix.
Use explain before you quote a number: it has formula, unit and the run's data notes.
An empty cell was not recorded: it is not 0. Units stand in the header: s, byte, and 1 for a fraction.
"TRUNCATED" means that you have not seen all: narrow the question, or call more with the cursor. Do not guess the rest."""

#: Characters of a token, about, of numbers and names.
_PER_TOKEN = 3
_BUDGET = 1_500
_LEAST_BUDGET = 200
#: Answers that can be read on.
_KEPT = 32

_BUDGET_SCHEMA = {
    "type": "integer",
    "minimum": _LEAST_BUDGET,
    "default": _BUDGET,
    "description": "at most about so many tokens",
}
_RUN_HANDLES = {"type": "array", "items": {"type": "string"}, "description": "handles of open_runs; all open runs by default"}
_NAMES = {"type": "array", "items": {"type": "string"}}
#: What narrows a question, by what the core calls it.
_FILTER_SCHEMAS = {
    "time": ("select", {"type": "array", "items": {"type": "number"}, "description": "[from, to] in seconds since the start"}),
    "ranges": (
        "ranges",
        {"type": "object", "description": 'by columns of chunks: {"duration": [5, 60]}'},
    ),
    **{theirs: (ours, _NAMES) for ours, theirs in FILTERS.items()},
}
_TYPES = {"text": "string", "number": "number", "count": "integer", "flag": "boolean"}
#: Arguments that are no part of a question.
_OURS = ("run_handles", "only_columns", "budget")


class RefusedError(ValueError):
    """What was asked cannot be answered; a sentence that says why."""


@dataclass
class Reading:
    """An answer that is read on: its head, its rows as text, and the notes behind them."""

    head: str
    rows: list[str]
    notes: list[str]


class Assistant:
    """What the tools do. Knows nothing of the protocol."""

    def __init__(self) -> None:
        self.questions: dict[str, dict[str, Any]] = {question["name"]: question for question in json.loads(core().questions())}
        self._runs = Runs()
        self._readings: OrderedDict[str, Reading] = OrderedDict()
        self._asked = 0

    def tools(self) -> list[dict[str, Any]]:
        """Name, description and schema of each tool."""
        several = {"type": "array", "items": {"type": "string"}, "minItems": 1}
        own = [
            _tool(
                "open_runs",
                "Opens runs (folders, archives, files) and gives their handles. Call it first.",
                {"paths": {**several, "description": "paths on this machine"}},
                ["paths"],
            ),
            _tool(
                "explain",
                "How a number comes about: formula, unit, and what is doubtful in the run. Before you quote it.",
                {
                    "question": {"type": "string", "enum": list(self.questions)},
                    "column": {"type": "string", "description": "a column of its answer"},
                    "id": {"type": "string", "description": "of summary: the id of a headline number"},
                    "run_handles": _RUN_HANDLES,
                    "budget": _BUDGET_SCHEMA,
                },
                ["question"],
            ),
            _tool(
                "more",
                "The next rows of an answer that was TRUNCATED.",
                {"cursor": {"type": "string"}, "budget": _BUDGET_SCHEMA},
                ["cursor"],
            ),
        ]
        return own + [self._tool_of(question) for question in self.questions.values()]

    def call(self, name: str, given: dict[str, Any]) -> str:
        """The answer of a tool as text. Raises ValueError with a sentence where there is none."""
        given = dict(given)
        budget = int(given.pop("budget", _BUDGET))
        if budget < _LEAST_BUDGET:
            raise RefusedError(f"budget: at least {_LEAST_BUDGET} tokens")
        if name == "open_runs":
            return _within(self._open(given.get("paths", [])), budget)
        if name == "more":
            return self._more(str(given.get("cursor", "")), budget)
        if name == "explain":
            return _within(self._explain(given), budget)
        if name not in self.questions:
            raise RefusedError(f"there is no tool {name}")
        columns = given.pop("only_columns", None)
        answer = self._of(name, given.pop("run_handles", None))._answer(name, given)
        return self._begin(answer, columns, budget)

    def _open(self, paths: Any) -> str:
        if not isinstance(paths, list):
            raise RefusedError("paths: a list of paths on this machine")
        before = len(self._runs.data_notes)
        opened = self._runs._open(paths)
        lines = [f"{_handle(run)}: {title}" for run, title in zip(opened, self._runs._part(opened).titles, strict=True)]
        return "\n".join(lines + [f"note: {note}" for note in self._runs.data_notes[before:]])

    def _of(self, question: str, handles: list[str] | None) -> Runs:
        """The runs that a question is asked of. Raises RefusedError for handles that there are not."""
        open_runs = self._runs._ids
        if not open_runs:
            raise RefusedError("no run is open: call open_runs with paths first")
        known = {_handle(run): run for run in open_runs}
        unknown = [handle for handle in handles or [] if handle not in known]
        if unknown:
            raise RefusedError(f"there is no run {unknown[0]}; open are {', '.join(known)}")
        most = self.questions[question]["runs"][1]
        chosen = [known[handle] for handle in handles] if handles else open_runs
        if not handles and 1 < most < len(chosen):
            raise RefusedError(f"{question} is of {most} runs: name them in run_handles; open are {', '.join(known)}")
        return self._runs._part(chosen)

    def _explain(self, given: dict[str, Any]) -> str:
        name = given.get("question", "")
        if name not in self.questions:
            raise RefusedError(f"there is no question {name}")
        about = self.questions[name]
        lines = [f"{name}: {about['about']}. Narrowed by {', '.join(about['narrowed_by']) or 'nothing'}."]
        columns = {column["name"]: column for column in about["columns"]}
        wanted = given.get("column")
        if wanted is not None and wanted not in columns:
            raise RefusedError(f"{name} has no column {wanted}; it has {', '.join(columns)}")
        for column in columns.values():
            if wanted in (None, column["name"]) and (wanted or column["formula"]):
                unit = f" [{column['unit']}]" if column["unit"] else ""
                lines.append(f"{column['name']}{unit}: {column['formula'] or 'as the run says it'}")
        runs = self._of(name, given.get("run_handles"))
        number = given.get("id")
        for run, handle in zip(runs, map(_handle, runs._ids), strict=True):
            if number is not None:
                rows = [row for row in run._answer("summary", {}).rows() if row["id"] == number]
                if not rows:
                    raise RefusedError(f"there is no headline number {number}: the column id of summary has them all")
                lines.append(
                    f"{handle} {number}: "
                    + "; ".join(f"{key} {_cell(value)}" for key, value in rows[0].items() if value not in (None, ""))
                )
            notes = list(run._answer("quality", {}).rows())
            lines.append(f"{handle} has {len(notes)} data notes" + (":" if notes else ": nothing is doubtful"))
            lines += [f"  {row['severity']}: {row['message']}" for row in notes]
        return "\n".join(lines)

    def _begin(self, answer: Answer, columns: list[str] | None, budget: int) -> str:
        names = columns if columns else answer.columns
        unknown = [name for name in names if name not in answer.columns]
        if unknown:
            raise RefusedError(f"{answer.question} has no column {unknown[0]}; it has {', '.join(answer.columns)}")
        units = answer.units
        head = "\t".join(name + (f" [{units[name]}]" if name in units else "") for name in names)
        rows = ["\t".join(map(_cell, row)) for row in zip(*(answer[name] for name in names), strict=True)]
        notes = [f"note {name}: {_cell(value)}" for name, value in answer.notes.items()]
        self._asked += 1
        key = f"a{self._asked}"
        self._readings[key] = Reading(head, rows, notes)
        while len(self._readings) > _KEPT:
            self._readings.popitem(last=False)
        return self._read(key, 0, budget)

    def _more(self, cursor: str, budget: int) -> str:
        key, _, row = cursor.partition(":")
        if key not in self._readings or not row.isdecimal():
            raise RefusedError(f"there is no answer {cursor!r} to read on: the last {_KEPT} are kept; ask again")
        return self._read(key, int(row), budget)

    def _read(self, key: str, begin: int, budget: int) -> str:
        reading = self._readings[key]
        total = len(reading.rows)
        notes = _within("\n".join(reading.notes), budget // 3) if begin == 0 and reading.notes else ""
        room = budget * _PER_TOKEN - len(reading.head) - len(notes) - 200  # for the words around them
        shown: list[str] = []
        for row in reading.rows[begin:]:
            if shown and len(row) + 1 > room:
                break
            cut = len(row) + 1 > room
            shown.append(f"{row[: max(room, 80)]}… CUT: longer than the budget; name fewer in only_columns" if cut else row)
            room -= len(row) + 1
        end = begin + len(shown)
        what = f"rows {begin + 1} to {end} of {total}" if total else "no rows"
        lines = [what, reading.head, *shown]
        if end < total:
            lines.append(f'TRUNCATED: {total - end} rows are not shown. Narrow the question, or: more(cursor="{key}:{end}")')
        return "\n".join([*lines, notes] if notes else lines)

    def _tool_of(self, question: dict[str, Any]) -> dict[str, Any]:
        least, most = question["runs"]
        of = "one run" if most == 1 else f"{least} runs" if least == most else f"{least} or more runs"
        properties: dict[str, Any] = {"run_handles": _RUN_HANDLES}
        for dimension in question["narrowed_by"]:
            name, schema = _FILTER_SCHEMAS[dimension]
            properties[name] = schema
        for option in question["options"]:
            properties[option["name"]] = _option_schema(option)
        columns = [column["name"] for column in question["columns"]]
        about = "a few of " + ", ".join(columns)
        properties["only_columns"] = {**_NAMES, "description": about}
        properties["budget"] = _BUDGET_SCHEMA
        return _tool(question["name"], f"{question['about'].capitalize()}. Of {of}.", properties)


def _tool(name: str, about: str, properties: dict[str, Any], required: Iterable[str] = ()) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return {"name": name, "description": about, "input_schema": schema}


def _option_schema(option: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": _TYPES[option["type"]], "description": option["about"]}
    for ours, theirs in (("enum", "values"), ("minimum", "least"), ("maximum", "most"), ("default", "default")):
        if theirs in option:
            schema[ours] = option[theirs]
    return schema


def _handle(run: int) -> str:
    return f"r{run}"


def _cell(value: Any) -> str:
    """As short as it says the same: six digits, and nothing for what is missing."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    return " ".join(str(value).split())


def _within(text: str, budget: int) -> str:
    most = budget * _PER_TOKEN
    return (
        text if len(text) <= most else f"{text[:most]}… TRUNCATED: {len(text) - most} characters more; ask with a larger budget"
    )


def run() -> None:
    """Serves on standard input and output until it is closed. Raises ImportError without the package ``mcp``."""
    try:
        import anyio
        import mcp_types as types
        from mcp.server import Server
        from mcp.server.stdio import stdio_server
    except ImportError as problem:
        raise ImportError(f'crema mcp needs the package mcp: pip install "cremascope[mcp]" ({problem})') from None
    assistant = Assistant()

    async def list_tools(_context: Any, _params: Any) -> Any:
        read_only = types.ToolAnnotations(read_only_hint=True)
        return types.ListToolsResult(tools=[types.Tool(**tool, annotations=read_only) for tool in assistant.tools()])

    async def call_tool(_context: Any, params: Any) -> Any:
        try:
            text = await anyio.to_thread.run_sync(assistant.call, params.name, params.arguments or {})
        except (ValueError, OSError, TypeError) as problem:
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(problem))], is_error=True)
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    async def serve() -> None:
        server: Any = Server(
            "crema", version=__version__, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
        )
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(serve)
