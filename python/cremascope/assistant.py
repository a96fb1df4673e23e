"""``crema mcp``: the core's questions for an assistant, by the Model Context Protocol on standard input and output.

Five tools: ``ask`` asks every question, ``questions`` says which there are. Runs are those of one folder, known by handles; an
answer keeps to a budget of tokens, and says what it leaves out and how to go on.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from cremascope.answer import Answer
from cremascope.core import core
from cremascope.runs import FILTERS, Runs
from cremascope.version import __version__

#: What an assistant is told before it asks anything; docs/assistants.md says more.
INSTRUCTIONS = """Crema tells where the core-time of a Coffea/Dask run went, and why. Order of asking:
1. open_runs with paths (without any it lists what there is); keep the handles (r0, r1, ...).
2. ask findings: what is wrong and what fixing it would save. Often that is the answer. ask advice: what to set otherwise.
3. ask budget, then core_time_tree: where the core-time went. ask summary: all headline numbers.
4. Narrow: chunks, datasets, files, workers, frames with select (seconds since the start), dataset, worker.
5. Two runs: ask verdict first (why one is slower), then compare, compare_matrix.
Use explain before you quote a number: it has formula, unit and the run's data notes. questions lists what ask takes.
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


class RefusedError(ValueError):
    """What was asked cannot be answered; a sentence that says why."""


@dataclass
class Reading:
    """An answer that is read on: its head, its rows as text, and the notes before them."""

    head: str
    rows: list[str]
    notes: list[str]


class Assistant:
    """What the tools do. Knows nothing of the protocol."""

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().resolve()
        """the folder whose runs it opens"""
        if not self.root.is_dir():
            raise RefusedError(f"{root}: there is no such folder")
        self.questions: dict[str, dict[str, Any]] = {question["name"]: question for question in json.loads(core().questions())}
        self._runs = Runs()
        self._readings: OrderedDict[str, Reading] = OrderedDict()
        self._asked = 0

    def tools(self) -> list[dict[str, Any]]:
        """Name, description and schema of each tool."""
        text = {"type": "string"}
        question = {"type": "string", "enum": list(self.questions)}
        return [
            _tool(
                "open_runs",
                "Opens runs (folders, archives, files) and gives their handles. First. Without paths: what there is.",
                {"paths": {**_NAMES, "description": f"paths below {self.root}"}},
            ),
            _tool(
                "ask",
                "Asks a question of runs: rows with tabs between, under a header with units. findings first; then budget, "
                "core_time_tree, summary, advice; verdict of two runs. What else there is: questions.",
                {
                    "question": question,
                    "run_handles": _RUN_HANDLES,
                    **dict(_FILTER_SCHEMAS.values()),
                    "options": {
                        "type": "object",
                        "description": 'as questions lists them: {"depth": 2}',
                    },
                    "only_columns": {**_NAMES, "description": "a few of the answer's columns"},
                    "budget": _BUDGET_SCHEMA,
                },
                ["question"],
            ),
            _tool(
                "questions",
                "What can be asked: all questions in a line each, or one with its options, filters and columns.",
                {"question": question, "budget": _BUDGET_SCHEMA},
            ),
            _tool(
                "explain",
                "How a number comes about: formula, unit, and what is doubtful in the run. Before you quote it.",
                {
                    "question": question,
                    "column": {**text, "description": "a column of its answer"},
                    "id": {**text, "description": "of summary: the id of a headline number"},
                    "run_handles": _RUN_HANDLES,
                    "budget": _BUDGET_SCHEMA,
                },
                ["question"],
            ),
            _tool(
                "more", "The next rows of an answer that was TRUNCATED.", {"cursor": text, "budget": _BUDGET_SCHEMA}, ["cursor"]
            ),
        ]

    def call(self, name: str, given: dict[str, Any]) -> str:
        """The answer of a tool as text. Raises ValueError with a sentence where there is none."""
        given = dict(given)
        tools = {
            "open_runs": self._open,
            "ask": self._ask,
            "questions": self._list,
            "explain": self._explain,
            "more": self._more,
        }
        if name not in tools:
            asked = f'; ask takes it: {{"question": "{name}"}}' if name in self.questions else ""
            raise RefusedError(f"there is no tool {name}; there are {', '.join(tools)}{asked}")
        about = next(tool for tool in self.tools() if tool["name"] == name)["input_schema"]
        for argument in given.keys() - about["properties"].keys():
            hint = "; what belongs to the question goes into options" if name == "ask" else ""
            raise RefusedError(f"{name} has no argument {argument}; it has {', '.join(about['properties'])}{hint}")
        for argument in about["required"]:
            if argument not in given:
                raise RefusedError(f"{name} needs {argument}")
        budget = given.pop("budget", _BUDGET)
        if not isinstance(budget, int) or budget < _LEAST_BUDGET:
            raise RefusedError(f"budget: at least {_LEAST_BUDGET} tokens")
        return tools[name](given, budget)

    def _known(self, question: Any) -> dict[str, Any]:
        """What is known of a question. Raises RefusedError where there is none of that name."""
        if question not in self.questions:
            near = get_close_matches(str(question), self.questions, 3)
            instead = f"; did you mean {', '.join(near)}?" if near else "; questions lists them"
            raise RefusedError(f"there is no question {question}{instead}")
        return self.questions[question]

    def _open(self, given: dict[str, Any], budget: int) -> str:
        paths = given.get("paths") or []
        if not isinstance(paths, list):
            raise RefusedError(f"paths: a list of paths below {self.root}")
        if not paths:
            found = [path for path in self.root.iterdir() if path.name[0] != "." and path.resolve().is_relative_to(self.root)]
            there = sorted(path.name + ("/" if path.is_dir() else "") for path in found)
            return _within("\n".join([f"below {self.root}:", *there]), budget)
        inside = []
        for path in paths:
            whole = (self.root / Path(str(path)).expanduser()).resolve()
            if not whole.is_relative_to(self.root):
                raise RefusedError(
                    f"{path} is not below {self.root}, the folder of crema mcp: open_runs without paths lists it"
                )
            if not whole.exists():
                near = get_close_matches(whole.name, [one.name for one in self.root.iterdir()], 3, 0.5)
                instead = f"; did you mean {', '.join(near)}?" if near else "; open_runs without paths lists what there is"
                raise RefusedError(f"{path}: there is no such file or folder below {self.root}{instead}")
            inside.append(whole)
        before = len(self._runs.data_notes)
        opened = self._runs._open(inside)
        lines = [f"{_handle(run)}: {title}" for run, title in zip(opened, self._runs._part(opened).titles, strict=True)]
        return _within("\n".join(lines + [f"note: {note}" for note in self._runs.data_notes[before:]]), budget)

    def _list(self, given: dict[str, Any], budget: int) -> str:
        name = given.get("question")
        if name is None:
            return "\n".join(f"{question}: {about['about']}" for question, about in self.questions.items())
        about = self._known(name)
        least, most = about["runs"]
        of = "one run" if most == 1 else f"{least} runs" if least == most else f"{least} or more runs"
        lines = [f"{name}: {about['about']}. Of {of}. Narrowed by: {', '.join(_filters(about)) or 'nothing'}."]
        for option in about["options"]:
            values = " (" + ", ".join(option["values"]) + ")" if option.get("values") else ""
            default = f"; default {option['default']}" if option.get("default") not in (None, "") else ""
            lines.append(f"option {option['name']}: {option['about']}{values}{default}")
        lines.append("columns: " + ", ".join(column["name"] for column in about["columns"]))
        return _within("\n".join(lines), budget)

    def _ask(self, given: dict[str, Any], budget: int) -> str:
        name = given["question"]
        about = self._known(name)
        options = given.get("options") or {}
        if not isinstance(options, dict):
            raise RefusedError('options: an object, such as {"depth": 2}')
        known = [option["name"] for option in about["options"]]
        for option in options:
            if option not in known:
                raise RefusedError(f"{name} has no option {option}; it has {', '.join(known) or 'none'}")
        filters = {ours: given[ours] for ours, _ in _FILTER_SCHEMAS.values() if given.get(ours) is not None}
        for ours in filters:
            if ours not in _filters(about):
                raise RefusedError(f"{name} is not narrowed by {ours}, but by {', '.join(_filters(about)) or 'nothing'}")
        answer = self._of(name, given.get("run_handles"))._answer(name, filters | options)
        return self._begin(answer, given.get("only_columns"), budget)

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

    def _explain(self, given: dict[str, Any], budget: int) -> str:
        name = given["question"]
        about = self._known(name)
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
        return _within("\n".join(lines), budget)

    def _begin(self, answer: Answer, columns: list[str] | None, budget: int) -> str:
        names = columns if columns else answer.columns
        unknown = [name for name in names if name not in answer.columns]
        if unknown:
            raise RefusedError(f"{answer.question} has no column {unknown[0]}; it has {', '.join(answer.columns)}")
        units = answer.units
        head = "\t".join(name + (f" [{units[name]}]" if name in units else "") for name in names)
        rows = ["\t".join(map(_cell, row)) for row in zip(*(answer[name] for name in names), strict=True)]
        notes = [f"note {name}:{_note(name, value)}" for name, value in answer.notes.items()]
        self._asked += 1
        key = f"a{self._asked}"
        self._readings[key] = Reading(head, rows, notes)
        while len(self._readings) > _KEPT:
            self._readings.popitem(last=False)
        return self._read(key, 0, budget)

    def _more(self, given: dict[str, Any], budget: int) -> str:
        cursor = str(given["cursor"])
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
        # what an answer says in words comes first
        return "\n".join([notes, *lines] if notes else lines)


def _filters(about: dict[str, Any]) -> list[str]:
    """What narrows a question, by the names of arguments here."""
    return [_FILTER_SCHEMAS[dimension][0] for dimension in about["narrowed_by"]]


def _tool(name: str, about: str, properties: dict[str, Any], required: Iterable[str] = ()) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return {"name": name, "description": about, "input_schema": schema}


def _handle(run: int) -> str:
    return f"r{run}"


def _note(name: str, value: Any) -> str:
    """Code keeps its lines, or its first comment would hide the rest."""
    return f"\n{value}" if name == "code" else f" {_cell(value)}"


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


def run(root: Path) -> None:
    """Serves the runs below ``root`` on standard input and output until it is closed.

    Raises ImportError without the package ``mcp``.
    """
    try:
        import anyio
        import mcp_types as types
        from mcp.server import Server
        from mcp.server.stdio import stdio_server
    except ImportError as problem:
        raise ImportError(f'crema mcp needs the package mcp: pip install "cremascope[mcp]" ({problem})') from None
    assistant = Assistant(root)

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
