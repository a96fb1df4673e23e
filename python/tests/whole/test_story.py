"""What a user does, from end to end: a Coffea run recorded in a notebook, shown there, in Notebook and behind the server's
login, asked, compared and checked. ``CREMA_PICTURES`` names a folder for pictures of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat

from . import job
from .lab import PATIENCE, Lab, read_all, run_all, save, shown_in, write_notebook

CHUNKS = job.FILES * job.EVENTS // job.CHUNK

BEGIN = f"""import sys, warnings
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
import distributed, job
import cremascope as crema
from roastcoffea import MetricsCollector
warnings.simplefilter("ignore")
client = distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=":0")
toy, fileset = job.make_processor(), job.make_files(Path.cwd())"""

RECORD = """with crema.record(client, {path!r}) as recording:
    with MetricsCollector(client, processor_instance=toy) as collector:
        output, report = job.run(client, fileset, toy)
        collector.extract_metrics_from_output(output)
        collector.set_coffea_report(report)
recording.add(collector)"""

CELLS = [
    BEGIN,
    RECORD.format(path="runs/first"),
    "crema.show(recording)",
    "chunks = crema.open(recording).ask('chunks').to_pandas()\nchunks.groupby('dataset').events.agg(['size', 'sum'])",
    RECORD.format(path="runs/second"),
    "changes = crema.compare('runs/first', 'runs/second').to_pandas().set_index('id')[['a', 'b']]\n"
    "changes.loc[['total_events']]",
    "gate = crema.check('runs/first', 'runs/second', ['num_chunks == 12', 'total_events == 12000']).to_pandas()\n"
    "gate[gate.kind == 'rule'][['rule', 'state']]",
]


def picture(page: Any, name: str) -> None:
    if folder := os.environ.get("CREMA_PICTURES"):
        page.wait_for_timeout(3000)  # for what is drawn later than the first look
        page.screenshot(path=Path(folder) / f"{name}.png")


def outputs(path: Path) -> str:
    """What the cells of a saved notebook put out, as text."""
    texts = []
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error", "\n".join(output.traceback)
            texts.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return "\n".join(texts)


def test_a_run_is_recorded_shown_asked_compared_and_checked_in_a_notebook(lab: Lab, page: Any) -> None:
    path = lab.root / "analysis.ipynb"
    write_notebook(path, *CELLS)
    page.goto(lab.address(path.name))
    run_all(page)
    inner = shown_in(page, "Where the core-time went", "12,000 events")
    page.locator(".jp-OutputArea-output", has_text="kept").wait_for(timeout=PATIENCE)
    save(page, path)
    told = outputs(path)
    assert "data        8  8000" in told
    assert "signal      4  4000" in told
    assert "total_events  12000.0  12000.0" in told
    assert told.count("  kept") == 2
    picture(page, "lab-answers")
    inner.frame_element().scroll_into_view_if_needed()
    picture(page, "lab")


def test_notebook_shows_it_too(lab: Lab, page: Any) -> None:
    page.goto(lab.address("analysis.ipynb", "notebooks"))
    shown_in(page, "Where the core-time went").frame_element().scroll_into_view_if_needed()
    picture(page, "notebook")


def test_behind_the_servers_login_it_is_fetched(lab: Lab, page: Any) -> None:
    page.goto(lab.address("", "lab"))
    page.locator(".jp-LabShell").wait_for(timeout=PATIENCE)
    # the browser has the login's cookie now, and no token in the address
    page.goto(f"{lab.url}crema/")
    page.get_by_role("link", name="runs/first", exact=True).click(timeout=PATIENCE)
    read_all(page, "first", "Where the core-time went")
    picture(page, "behind-login")


def test_the_terminal_says_the_same(lab: Lab) -> None:
    def crema(*arguments: str) -> str:
        command = [sys.executable, "-m", "cremascope", *arguments]
        return subprocess.run(command, cwd=lab.root, check=True, capture_output=True, text=True).stdout

    assert "Where the core-time went" in crema("summary", "runs/first")
    assert "first (A) → second (B)" in crema("compare", "runs/first", "runs/second")
    crema("check", "runs/first", "runs/second", "--rule", f"num_chunks == {CHUNKS}")
