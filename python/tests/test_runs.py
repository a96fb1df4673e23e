"""The core, asked from Python: what is asked, what comes back, and what is refused."""

from __future__ import annotations

import gzip
import itertools
import json
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import nanoarrow
import pytest

import cremascope as crema
from cremascope import runs as runs_module
from cremascope.core import CoreMissingError, core

from .conftest import RECORDED, native


def metrics_of(durations: list[float]) -> dict[str, object]:
    """One worker whose chunks of 1,000 events begin at 0 and follow each other."""
    chunks, begin = [], 1000.0
    for duration in durations:
        times = {"t_start": begin, "t_end": begin + duration, "duration": duration}
        chunks.append({**times, "num_events": 1000, "dataset": "ttbar"})
        begin += duration
    return {"raw_chunk_metrics": chunks}


def test_columns_have_units_formulas_and_values_and_what_is_missing_is_none() -> None:
    chunks = crema.open(metrics_of([2.0, 4.0])).ask("chunks")
    assert len(chunks) == 2
    assert chunks["duration"] == [2.0, 4.0]
    assert chunks["dataset"] == ["ttbar", "ttbar"]
    assert chunks["file"] == [None, None]
    assert chunks.units["duration"] == "s"
    assert chunks.formulas["seconds_per_event"] == "duration / events"
    assert [row["seconds_per_event"] for row in chunks.rows()] == [0.002, 0.004]
    with pytest.raises(KeyError, match="chunks has no column 'length'; it has chunk, dataset"):
        chunks["length"]
    assert "duration" in chunks
    assert "length" not in chunks


def test_a_slice_of_runs_is_runs() -> None:
    runs = crema.open(metrics_of([1.0]), metrics_of([2.0]), metrics_of([4.0]))
    assert [len(runs[:2]), len(runs[3:]), len(runs[-1])] == [2, 0, 1]
    assert [run.ask("chunks")["duration"] for run in runs[::2]] == [[1.0], [4.0]]
    assert runs[1:].ask("chunks")["duration"] == [2.0, 4.0]


def test_an_answer_has_columns_by_name_and_rows_by_place(capsys: pytest.CaptureFixture[str]) -> None:
    chunks = crema.open(metrics_of([2.0, 4.0] * 20)).ask("chunks")
    assert [chunks[0]["duration"], chunks[-1]["duration"]] == [2.0, 4.0]
    assert [row["duration"] for row in chunks[:3]] == [2.0, 4.0, 2.0]
    assert sum(row["duration"] for row in chunks) == 120
    with pytest.raises(IndexError, match="there is no row 40: chunks has 40"):
        chunks[40]
    print(chunks)
    lines = capsys.readouterr().out.splitlines()
    assert "# 20 of 40 rows: to_text() has all" in lines
    assert sum(line.split()[0].isdigit() for line in lines) == 20
    assert any("more columns: to_text() has all" in line for line in lines)
    assert not any("…" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_counts_are_whole_numbers_and_means_of_them_are_not(recorded: Path) -> None:
    chunks = crema.open(recorded).ask("chunks")
    assert {type(value) for value in chunks["events"]} == {int}
    assert sum(chunks["events"]) == 2_139_123
    kinds = {field.name: field.type.name for field in nanoarrow.Array(chunks).schema.fields}
    assert (kinds["events"], kinds["host_load"], kinds["duration"]) == ("INT64", "DOUBLE", "DOUBLE")


def test_runs_are_known_by_title_and_closed_at_the_end_of_a_block() -> None:
    with crema.open(RECORDED / "scale-1", RECORDED / "scale-2") as runs:
        assert "scale-2" in runs
        assert "scale-4" not in runs
        assert runs["scale-2"].titles == ["scale-2"]
        with pytest.raises(KeyError, match="there is no run 'scale-4'; there are scale-1, scale-2"):
            runs["scale-4"]
        with pytest.raises(IndexError, match="there is no run 2: 2 are open"):
            runs[2]
    assert len(runs) == 0


def test_a_report_is_opened_as_the_run_that_it_holds(recorded: Path, tmp_path: Path) -> None:
    report = crema.report(recorded, tmp_path / "report.html")
    assert crema.open(report).ask("budget").to_csv() == crema.open(recorded).ask("budget").to_csv()


def test_the_core_time_is_a_picture(recorded: Path, tmp_path: Path) -> None:
    """84.3 % of 744 px, the width without its edges, are 627.41 px."""
    figure = crema.open(recorded).plot("core_time")
    picture = xml.etree.ElementTree.parse(figure.save(tmp_path / "bar.svg")).getroot()
    widths = [float(bar.get("width", "0")) for bar in picture.iter("{http://www.w3.org/2000/svg}rect") if len(bar) > 0]
    assert widths[0] == 627.41
    assert sum(widths) == pytest.approx(744, abs=744 * 0.01)  # what is below half a percent is left out
    assert "Inside process() 84.3 %" in figure.svg
    assert repr(figure) == "<Figure of local-4x1: .save('core_time.svg') writes it>"
    with pytest.raises(ValueError, match="there is no picture 'flames'; there are core_time, over_time, datasets, sections"):
        crema.open(recorded).plot("flames")


def test_parts_of_process_are_pictures_alike_coloured_in_all_runs(recorded: Path, tmp_path: Path) -> None:
    runs = crema.open(recorded, RECORDED / "ab-before", RECORDED / "ab-after")
    for what in ("datasets", "sections", "functions"):
        figure = runs[0].plot(what)
        drawn = xml.etree.ElementTree.parse(figure.save(tmp_path / "bar.svg")).getroot()
        widths = [float(bar.get("width", "0")) for bar in drawn.iter("{http://www.w3.org/2000/svg}rect") if len(bar) > 0]
        assert sum(widths) == pytest.approx(744, abs=744 * 0.01)
        tree = runs[0].ask("core_time_tree", by=what, under="available/inside_process", depth=1)
        largest = max(tree[1:], key=lambda row: row["core_seconds"])
        share = largest["core_seconds"] / tree[0]["core_seconds"]
        assert f"{largest['label']} {100 * share:.3g} %" in figure.svg
        assert max(widths) == pytest.approx(744 * share, abs=0.01)
    drawn_as = re.findall(r'fill="(#\w+)"><title>([^:]+):', runs[1:].plot("datasets").svg)
    labels = [label for _, label in drawn_as]
    assert len(labels) == 2 * len(set(labels)) > 2  # in both runs, and in one colour
    assert len(set(drawn_as)) == len(set(labels))
    with pytest.raises(ValueError, match="no sections of process"):
        crema.open(metrics_of([1.0])).plot("sections")


def test_the_cores_over_time_are_a_picture_that_adds_up(recorded: Path, tmp_path: Path) -> None:
    """4 cores: the parts lie on one another and reach the top."""
    runs = crema.open(recorded)
    figure = runs.plot("over_time")
    drawn = xml.etree.ElementTree.parse(figure.save(tmp_path / "course.svg")).getroot()
    paths = list(drawn.iter("{http://www.w3.org/2000/svg}path"))
    parts = [row for row in runs.ask("core_time_bins", bins=200) if row["part"] != "available" and any(row["cores"])]
    assert [one[0].text for one in paths] == [row["label"] for row in parts]
    heights = [float(y) for one in paths for y in re.findall(r",([\d.]+)", one.get("d", ""))]
    assert max(heights) - min(heights) == pytest.approx(150)
    assert repr(figure) == "<Figure of local-4x1: .save('over_time.svg') writes it>"
    assert ">4<" in figure.svg


def test_a_notebook_shows_runs_by_their_verdict_picture_and_findings(recorded: Path) -> None:
    shown = crema.open(recorded)._repr_html_()
    assert shown.startswith("<p><b>local-4x1</b>: 4 threads on 127.0.0.1 got only 1.1 cores.")
    assert '<img alt="core-time by part"' in shown
    assert "<li><b>4 threads on 127.0.0.1 got only 1.1 cores</b>" in shown


def test_names_of_a_picture_leave_room_for_one_another() -> None:
    """A character of DejaVu Sans takes 6.4 px of 12."""
    parts = [("Inside process()", 0.854), ("Processor tasks, outside process()", 0.0653), ("Idle", 0.0784), ("x" * 60, 0.01)]
    figure = crema.Figure([("run", [(label, share, "#000") for label, share in parts])])
    svg = "{http://www.w3.org/2000/svg}"
    drawn = list(xml.etree.ElementTree.fromstring(figure.svg).iter())
    keys = [one for one in drawn if one.tag == f"{svg}rect" and one.get("width") == "9"]
    names = [one for one in drawn if one.tag == f"{svg}text" and one.get("font-weight") is None]
    assert [one.text for one in names] == [
        "Inside process() 85.4 %",
        *(f"{label} {100 * share:.3g} %" for label, share in parts[1:]),
    ]
    ends = [float(one.get("x", 0)) + 6.4 * len(one.text or "") for one in names]
    assert max(ends) <= 760
    for end, at, key, after in zip(ends, names, keys[1:], names[1:], strict=False):
        assert at.get("y") != after.get("y") or end < float(key.get("x", 0))
    assert len({one.get("y") for one in names}) == 2


RECORDINGS = sorted(path.name for path in RECORDED.iterdir() if (path / "metrics.json").exists())


@pytest.mark.parametrize("name", RECORDINGS)
def test_no_part_of_a_recording_is_above_its_whole_or_below_nothing(name: str) -> None:
    for run in crema.open(RECORDED / name):
        for question, columns in (("budget", ("fraction", "share")), ("core_time_tree", ("share",)), ("phases", ("share",))):
            for row in run._answer(question, {}).rows():
                assert all(row[column] is None or 0 <= row[column] <= 1 + 1e-9 for column in columns), (question, row)
        assert not any(run.ask("budget")["shortfall"]), run.titles


def test_arrow_has_the_same_with_nulls_and_metadata() -> None:
    chunks = crema.open(metrics_of([2.0, 4.0])).ask("chunks")
    array = nanoarrow.Array(chunks)
    fields = {field.name: field for field in array.schema.fields}
    assert fields["duration"].metadata is not None
    assert dict(fields["duration"].metadata) == {b"unit": b"s"}
    assert dict(fields["seconds_per_event"].metadata or {})[b"formula"].decode() == chunks.formulas["seconds_per_event"]
    rows = array.to_pylist()
    assert [row["duration"] for row in rows] == [2.0, 4.0]
    assert [row["file"] for row in rows] == [None, None]
    assert [row["early"] for row in rows] == chunks["early"]
    assert rows == list(chunks.rows())


QUESTIONS = [question["name"] for question in json.loads(core().questions())]
OF_TWO = {"flame_diff", "compare", "compare_matrix", "compare_steps", "compare_pairs", "verdict", "check", "check_history"}


@pytest.mark.parametrize("question", [name for name in QUESTIONS if name not in OF_TWO])
def test_every_answer_of_a_recorded_run_is_the_same_as_arrow_and_as_the_command_line_has_it(
    question: str, recorded: Path
) -> None:
    runs = crema.open(recorded)
    answer = runs._answer(question, {})
    assert nanoarrow.Array(answer).to_pylist() == list(answer.rows())
    printed = subprocess.run([native(), "ask", recorded, question, "--json"], check=True, capture_output=True).stdout
    assert json.loads(answer.to_json()) == json.loads(printed)


def test_a_selection_and_options_narrow_it(recorded: Path) -> None:
    runs = crema.open(recorded)
    chunks = runs.ask("chunks", dataset="ttbar", select=(10, 60))
    assert set(chunks["dataset"]) == {"ttbar"}
    assert len(chunks) < len(runs.ask("chunks", dataset=["ttbar", "data"])) < len(runs.ask("chunks")) == 214
    assert min(chunks["t_end"]) >= 10
    longest = max(chunks["duration"])
    assert max(runs.ask("chunks", ranges={"duration": (0, longest / 2)})["duration"]) <= longest / 2
    assert len(runs.ask("core_time_tree", depth=1)) < len(runs.ask("core_time_tree", depth=3))


def test_what_there_is_not_is_refused_with_the_nearest(recorded: Path, tmp_path: Path) -> None:
    runs = crema.open(recorded)
    with pytest.raises(ValueError, match="Did you mean ttbar"):
        runs.ask("chunks", dataset="ttbbar")
    for select in (10, "10:60", (10,), (10, None)):
        with pytest.raises(ValueError, match=r"select is begin and end in seconds .* such as \(10, 60\)"):
            runs._answer("chunks", {"select": select})
    with pytest.raises(ValueError, match="Did you mean chunks"):
        runs._answer("chunkss", {})
    with pytest.raises(ValueError, match="depth"):
        runs.ask("core_time_tree", depht=3)  # type: ignore[call-overload]
    with pytest.raises(crema.BundleError, match="there is no such file or folder"):
        crema.open(tmp_path / "nothing")
    with pytest.raises(crema.BundleError, match="root://host//run: cannot be opened: addresses are not fetched"):
        crema.open("root://host//run")
    with pytest.raises(crema.BundleError, match="nothing was given"):
        crema.open()


def test_several_runs_are_told_apart_and_a_question_of_one_is_answered_for_each() -> None:
    runs = crema.open(RECORDED / "scale-1", [RECORDED / "local-4x1", metrics_of([1.0])])
    assert len(runs) == 3
    assert runs.titles[:2] == ["scale-1", "local-4x1"]
    assert runs[1].titles == ["local-4x1"]
    assert set(runs.ask("budget")["run"]) == set(runs.titles)
    assert [len(run.ask("runs")) for run in runs] == [1, 1, 1]


def test_two_sides_are_compared_judged_and_held_against_rules() -> None:
    before, after = metrics_of([2.0] * 50), metrics_of([3.0] * 50)
    assert crema.compare(before, after).question == "compare"
    assert "verdict" in crema.compare(crema.open(before), after).columns
    assert crema.verdict(before, after).question == "verdict"
    gate = crema.check(before, after, ["chunk_seconds_p50 <= 1.1x"])
    [rule] = [row for row in gate.rows() if row["kind"] == "rule"]
    assert (rule["baseline"], rule["candidate"], rule["kept"]) == (2.0, 3.0, False)
    # replicates: two runs of one side, one of the other
    assert crema.compare([before, before], after).question == "compare"
    assert crema.history(before, after).question == "history_levels"


def test_without_its_compiled_part_it_says_so_and_goes_on_recording(monkeypatch: pytest.MonkeyPatch, recorded: Path) -> None:
    monkeypatch.setitem(sys.modules, "cremascope._core", None)
    with pytest.raises(CoreMissingError, match="has no compiled core: it answers no question"):
        runs_module.open(recorded)
    assert crema.record  # importing it needs no core


def test_a_notebook_shows_the_first_rows_and_a_terminal_a_table(recorded: Path) -> None:
    chunks = crema.open(recorded).ask("chunks")
    assert chunks._repr_html_().count("<tr>") == 21
    assert "20 of 214 rows" in chunks._repr_html_()
    assert "<th title=" in chunks._repr_html_()
    assert any(line.split()[:2] == ["chunk", "dataset"] for line in str(chunks).splitlines())
    assert repr(chunks).startswith("<Answer chunks: 214 rows of chunk, dataset, file")


def test_branches_to_preload_are_those_that_each_chunk_of_a_dataset_read() -> None:
    chunk = {"t_start": 0.0, "t_end": 1.0, "duration": 1.0, "num_events": 1000}
    read = [("ttbar", ["Jet_pt", "nJet"]), ("ttbar", ["nJet"]), ("data", ["Jet_pt", "nJet"])]
    chunks = [{**chunk, "dataset": dataset, "accessed_branches": branches} for dataset, branches in read]
    runs = crema.open({"raw_chunk_metrics": chunks})
    assert runs.preload() == {"data": ["Jet_pt", "nJet"], "ttbar": ["nJet"]}
    assert crema.open(metrics_of([2.0])).preload() == {}
    with pytest.raises(ValueError, match=r"preload takes one run, and these are 2: runs\[0\]"):
        crema.open([metrics_of([2.0])], [metrics_of([3.0])]).preload()


def test_a_trace_has_each_task_on_its_thread_and_opens_again(tmp_path: Path) -> None:
    recorded = crema.open(RECORDED / "local-4x1")
    path = recorded.save_trace(tmp_path / "run.json.gz")
    content = gzip.decompress(path.read_bytes())
    exported = [native(), "export", str(RECORDED / "local-4x1"), "--to", "perfetto"]
    assert subprocess.run(exported, check=True, capture_output=True).stdout == content
    events = json.loads(content)["traceEvents"]
    tasks = list(recorded.ask("tasks").rows())
    computed = [event for event in events if event["ph"] == "X"]
    assert len(computed) == sum(task["action"] == "compute" for task in tasks)
    assert {event["args"]["name"] for event in events if event["ph"] == "M"} == {task["worker"] for task in tasks}
    begun = sorted((event["pid"], event["tid"], event["ts"], event["dur"]) for event in computed)
    for (*thread, ts, dur), (*next_thread, next_ts, _) in itertools.pairwise(begun):
        assert thread != next_thread or ts + dur <= next_ts + 0.01  # [us]: on a thread one after the other
    memory = [event["args"]["byte"] for event in events if event["ph"] == "C" and event["name"] == "memory"]
    assert max(memory) == max(recorded.ask("workers")["memory_peak"])
    again = crema.open(path)
    assert "overlapping-events" not in again.ask("quality")["id"]
    seconds = {row["name"]: row["total"] for row in again.ask("frames").rows()}
    prefix = tasks[0]["prefix"]
    expected = sum(t["duration"] for t in tasks if t["prefix"] == prefix and t["action"] == "compute")
    assert seconds[prefix] == pytest.approx(expected, rel=0.01)
