"""``crema mcp``, asked by the protocol's own client about three recordings."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from cremascope.assistant import Assistant
from cremascope.questions import COLUMNS

from ..conftest import RECORDED

RUNS = [str(RECORDED / name) for name in ("local-4x1", "scale-1", "scale-2")]
Ask = Callable[..., Awaitable[str]]


def with_client(talk: Callable[[Any, Ask], Awaitable[None]]) -> None:
    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=["-m", "cremascope", "mcp"])
        async with Client(server) as client:

            async def ask(tool: str, *, fails: bool = False, **arguments: object) -> str:
                answer = await client.call_tool(tool, arguments)
                assert bool(answer.is_error) is fails, answer.content
                [content] = answer.content
                return str(content.text)

            await talk(client, ask)

    anyio.run(run)


def test_every_question_is_a_tool_with_its_options_and_each_answers() -> None:
    async def talk(client: Any, ask: Ask) -> None:
        assert "open_runs" in client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {*COLUMNS, "open_runs", "explain", "more"}
        tree = tools["core_time_tree"].input_schema["properties"]
        assert tree["by"]["enum"] == ["functions", "datasets", "sections", "activities"]
        assert tree["depth"]["type"] == "integer"
        assert "select" in tools["chunks"].input_schema["properties"]
        assert await ask("open_runs", paths=RUNS) == "r0: local-4x1\nr1: scale-1\nr2: scale-2"
        for name in COLUMNS:
            handles = ["r1", "r2"] if tools[name].description.endswith("2 runs.") else ["r0"]
            if tools[name].description.endswith("2 or more runs."):
                handles = ["r1", "r2"]
            said = await ask(name, run_handles=handles, budget=300)
            assert said.startswith(("rows 1 to", "no rows")), (name, said)
            assert len(said) <= 300 * 3 + 400, name

    with_client(talk)


def test_an_answer_keeps_to_its_budget_says_so_and_is_read_on_to_the_end() -> None:
    async def talk(_client: Any, ask: Ask) -> None:
        await ask("open_runs", paths=[RUNS[0]])
        said = await ask("chunks", only_columns=["chunk", "duration"], budget=400)
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
        assert "CUT" in await ask("stacks", budget=200)
        assert "no answer 'a99:0'" in await ask("more", cursor="a99:0", fails=True)

    with_client(talk)


def test_numbers_are_explained_verdicts_given_and_what_is_wrong_is_a_sentence() -> None:
    async def talk(_client: Any, ask: Ask) -> None:
        assert "call open_runs" in await ask("summary", fails=True)
        await ask("open_runs", paths=RUNS)
        told = await ask("explain", question="summary", id="chunk_seconds_p50", run_handles=["r0"])
        assert "unit s" in told
        assert "formula 50 % of the chunks" in told
        assert "data notes" in told
        assert "seconds_per_event [s]: duration / events" in await ask(
            "explain", question="chunks", column="seconds_per_event", run_handles=["r0"]
        )
        assert "kind\tlabel" in await ask("verdict", run_handles=["r1", "r2"])
        assert "Did you mean ttbar" in await ask("chunks", dataset=["ttba"], run_handles=["r0"], fails=True)
        assert "open are r0, r1, r2" in await ask("chunks", run_handles=["r7"], fails=True)
        assert "name them in run_handles" in await ask("flame_diff", fails=True)
        assert "there is no such file" in await ask("open_runs", paths=["/nowhere"], fails=True)
        assert "at least 200" in await ask("summary", budget=3, fails=True)

    with_client(talk)


def test_it_knows_no_protocol_itself() -> None:
    assistant = Assistant()
    assistant.call("open_runs", {"paths": RUNS[:1]})
    assert "oversubscribed" in assistant.call("findings", {})
    with pytest.raises(ValueError, match="there is no tool"):
        assistant.call("frobnicate", {})
