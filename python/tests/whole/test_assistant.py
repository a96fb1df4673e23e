"""``crema mcp``, asked by the protocol's own client about three recordings."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from cremascope.assistant import Assistant
from cremascope.core import core

from ..conftest import RECORDED, ROOT, ask

QUESTIONS = [question["name"] for question in json.loads(core().questions())]
RUNS = ["local-4x1", "scale-1", "scale-2"]
Ask = Callable[..., Awaitable[str]]


def with_client(talk: Callable[[Any, Ask], Awaitable[None]]) -> None:
    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=["-m", "cremascope", "mcp", "--root", str(RECORDED)])
        async with Client(server) as client:

            async def ask(tool: str, *, fails: bool = False, **arguments: object) -> str:
                answer = await client.call_tool(tool, arguments)
                assert bool(answer.is_error) is fails, answer.content
                [content] = answer.content
                return str(content.text)

            await talk(client, ask)

    anyio.run(run)


def test_every_question_is_asked_by_one_tool_and_answers() -> None:
    async def talk(client: Any, ask: Ask) -> None:
        assert "open_runs" in client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"open_runs", "ask", "questions", "explain", "more"}
        assert tools["ask"].input_schema["properties"]["question"]["enum"] == QUESTIONS
        assert await ask("open_runs", paths=RUNS) == "r0: local-4x1\nr1: scale-1\nr2: scale-2"
        for name in QUESTIONS:
            about = await ask("questions", question=name)
            handles = ["r1", "r2"] if "Of 2 runs." in about or "Of 2 or more runs." in about else ["r0"]
            said = await ask("ask", question=name, run_handles=handles, budget=300)
            assert said.startswith(("rows 1 to", "no rows")), (name, said)
            assert len(said) <= 300 * 3 + 400, name
        tree = await ask("questions", question="core_time_tree")
        assert "option by: " in tree
        assert "functions, datasets, sections, activities" in tree
        assert "core_seconds" in tree
        assert len((await ask("questions")).splitlines()) == len(QUESTIONS)

    with_client(talk)


def test_eight_tools_and_4000_tokens_at_most_describe_it() -> None:
    tools = Assistant(RECORDED).tools()
    assert len(tools) <= 8
    assert len(json.dumps(tools)) / 3 <= 4_000  # three characters a token: names and punctuation


def test_an_answer_keeps_to_its_budget_says_so_and_is_read_on_to_the_end() -> None:
    async def talk(_client: Any, ask: Ask) -> None:
        await ask("open_runs", paths=[RUNS[0]])
        said = await ask("ask", question="chunks", only_columns=["chunk", "duration"], budget=400)
        first, head, *rows = said.splitlines()
        assert (first, head) == (f"rows 1 to {len(rows) - 5} of 214", "chunk [count]\tduration [s]")
        seen, pages = [row for row in rows if row[:1].isdigit()], 1
        while "TRUNCATED" in said:
            cursor = said.split('cursor="')[1].split('"')[0]
            said = await ask("more", cursor=cursor, budget=400)
            seen += [row for row in said.splitlines()[2:] if row[:1].isdigit()]
            pages += 1
        assert [row.split("\t")[0] for row in seen] == [str(chunk) for chunk in range(214)]
        assert pages > 2
        assert "CUT" in await ask("ask", question="stacks", budget=200)
        assert "no answer 'a99:0'" in await ask("more", cursor="a99:0", fails=True)

    with_client(talk)


def test_numbers_are_explained_verdicts_given_and_what_is_wrong_is_a_sentence() -> None:
    async def talk(_client: Any, ask: Ask) -> None:
        assert "call open_runs" in await ask("ask", question="summary", fails=True)
        await ask("open_runs", paths=RUNS)
        told = await ask("explain", question="summary", id="chunk_seconds_p50", run_handles=["r0"])
        assert "unit s" in told
        assert "formula 50 % of the chunks" in told
        assert "data notes" in told
        assert "seconds_per_event [s]: duration / events" in await ask(
            "explain", question="chunks", column="seconds_per_event", run_handles=["r0"]
        )
        assert "kind\tlabel" in await ask("ask", question="verdict", run_handles=["r1", "r2"])

    with_client(talk)


@pytest.mark.parametrize(
    ("tool", "given", "sentence"),
    [
        ("frobnicate", {}, "there is no tool frobnicate; there are open_runs, ask, questions, explain, more"),
        ("chunks", {}, 'ask takes it: {"question": "chunks"}'),
        ("ask", {}, "ask needs question"),
        ("ask", {"question": "finding"}, "did you mean findings?"),
        ("ask", {"question": "chunks", "depth": 1}, "what belongs to the question goes into options"),
        ("ask", {"question": "core_time_tree", "options": {"dept": 1}}, "has no option dept; it has by, under, depth"),
        ("ask", {"question": "whatif", "dataset": ["ttbar"]}, "whatif is not narrowed by dataset, but by nothing"),
        ("ask", {"question": "chunks", "dataset": ["ttba"]}, "Did you mean ttbar"),
        ("ask", {"question": "chunks", "run_handles": ["r7"]}, "there is no run r7; open are r0, r1"),
        ("ask", {"question": "chunks", "only_columns": ["length"]}, "chunks has no column length; it has run, chunk, dataset"),
        ("ask", {"question": "summary", "budget": 3}, "at least 200"),
        ("open_runs", {"paths": ["local-4x2"]}, "did you mean local-4x1"),
        ("open_runs", {"paths": ["../lab"]}, "is not below"),
        ("open_runs", {"paths": ["/etc"]}, "is not below"),
    ],
)
def test_a_refusal_names_what_there_is(tool: str, given: dict[str, Any], sentence: str) -> None:
    assistant = Assistant(RECORDED)
    assistant.call("open_runs", {"paths": RUNS[:2]})
    with pytest.raises(ValueError, match=re.escape(sentence)) as refused:
        assistant.call(tool, given)
    assert "\n" not in str(refused.value)


def test_it_needs_a_folder_and_leaves_it_by_no_link(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "cremascope", "mcp"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--root" in done.stderr
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "run").symlink_to(RECORDED / "scale-1")
    assistant = Assistant(tmp_path / "inside")
    with pytest.raises(ValueError, match="is not below"):
        assistant.call("open_runs", {"paths": ["run"]})
    assert "run" not in assistant.call("open_runs", {}).splitlines()[1:]  # not offered either


Call = tuple[str, dict[str, Any]]


def cells(run: str, question: str, columns: list[str], first: str, **options: str) -> str:
    """The row of the command line's answer that begins with ``first``, as an assistant reads it."""
    given = [part for name, value in options.items() for part in ("--option", f"{name}={value}")]
    [row] = [row for row in ask(RECORDED / run, question, *given) if row[columns[0]] == first]
    return "\t".join([first, *(f"{float(row[column]):.6g}" for column in columns[1:])])


#: What a physicist asks, the calls that answer it besides opening the runs, and what the answer must hold.
HELD: list[tuple[str, list[str], list[Call], list[str | Callable[[], str]]]] = [
    (
        "How many events were processed, and how fast?",
        ["local-4x1"],
        [("ask", {"question": "summary", "only_columns": ["id", "value", "unit"]})],
        ["total_events\t2.13912e+06", "event_rate_elapsed_khz\t30.3541\tkHz"],
    ),
    (
        "Why is the run slow?",
        ["local-4x1"],
        [("ask", {"question": "findings", "only_columns": ["id", "title"]})],
        ["oversubscribed\t4 threads on 127.0.0.1 got only 1.1 cores"],
    ),
    (
        "What should I set otherwise?",
        ["local-4x1"],
        [("ask", {"question": "advice", "only_columns": ["code", "elapsed_low", "elapsed_high"]})],
        ["Client(n_workers=2, threads_per_worker=1)", "\nclient = Client("],  # a line of its own, below its comment
    ),
    (
        "Which share of the core-time was inside process()?",
        ["local-4x1"],
        [("ask", {"question": "budget", "only_columns": ["part", "fraction"]})],
        ["inside_process\t0.843289"],
    ),
    (
        "Which dataset took longest?",
        ["local-4x1"],
        [("ask", {"question": "datasets", "only_columns": ["name", "seconds"]})],
        ["ttbar\t94.8607", "wjets\t78.6645"],
    ),
    (
        "Would 8 cores help?",
        ["local-4x1"],
        [
            (
                "ask",
                {"question": "whatif", "options": {"cores": "8"}, "only_columns": ["scenario", "elapsed_low", "elapsed_high"]},
            )
        ],
        [lambda: cells("local-4x1", "whatif", ["scenario", "elapsed_low", "elapsed_high"], "8 cores", cores="8")],
    ),
    (
        "How short can it be on any cluster?",
        ["local-4x1"],
        [("ask", {"question": "bounds", "only_columns": ["bound", "elapsed_low"]})],
        [lambda: cells("local-4x1", "bounds", ["bound", "elapsed_low"], "infinite cores")],
    ),
    (
        "How much memory did a worker need?",
        ["local-4x1"],
        [("ask", {"question": "workers", "only_columns": ["worker", "memory_peak"]})],
        ["tcp://127.0.0.1:37123\t2.70778e+08", "Peak memory: 13.7 % of the limit"],
    ),
    (
        "Which function made the new version slower?",
        ["ab-before", "ab-after"],
        [("ask", {"question": "verdict", "only_columns": ["kind", "label", "seconds"]})],
        ["own function\tdimuon_candidates (zprime_analysis.py)\t84.8752"],
    ),
    (
        "Which tasks failed?",
        ["skipbad"],
        [("ask", {"question": "failures"}), ("ask", {"question": "findings", "only_columns": ["id", "title"]})],
        ["attempts at tasks were not recorded", "4 chunks are missing from the recording"],
    ),
]


@pytest.mark.parametrize(("question", "runs", "calls", "answers"), HELD, ids=[held[0] for held in HELD])
def test_a_held_question_is_answered_in_three_calls(
    question: str, runs: list[str], calls: list[Call], answers: list[str | Callable[[], str]]
) -> None:
    assistant = Assistant(RECORDED)
    calls = [("open_runs", {"paths": runs}), *calls]
    assert len(calls) <= 3, question
    said = "\n".join(assistant.call(tool, given) for tool, given in calls)
    assert all((answer if isinstance(answer, str) else answer()) in said for answer in answers), said


def test_the_examples_of_the_docs_are_answered() -> None:
    """Each ``{...}`` of docs/assistants.md that names a question."""
    text = (ROOT / "docs" / "assistants.md").read_text()
    examples = [json.loads(found) for found in re.findall(r"`(\{\"question\":.*?\})`", text)]
    assistant = Assistant(RECORDED)
    assistant.call("open_runs", {"paths": RUNS[:1]})
    assert examples
    for example in examples:
        assert assistant.call("ask", example).startswith("rows 1 to")
