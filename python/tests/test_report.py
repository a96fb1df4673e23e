"""Reports: the page with a run inside."""

from __future__ import annotations

import base64
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

import cremascope as crema
from cremascope.page import PLACE, link_of, page

from .conftest import enclosed_in


def test_a_report_carries_every_file_as_it_is(recorded: Path, tmp_path: Path) -> None:
    path = crema.report(recorded, tmp_path / "deep" / "report.html", view="flame")
    content = enclosed_in(path)
    assert (content["version"], content["hash"]) == (1, "#v=2&view=flame")
    for file in content["files"]:
        data, original = base64.b64decode(file["data"]), (recorded.parent / file["path"]).read_bytes()
        assert data == original or gzip.decompress(data) == original
    assert {file["path"] for file in content["files"]} == {f"local-4x1/{file.name}" for file in recorded.iterdir()}


def test_a_report_is_the_page_and_nothing_else(recorded: Path, tmp_path: Path) -> None:
    text = crema.report(recorded / "report.json", tmp_path / "r.html").read_text()
    begin = text.index('<script type="application/json" id="crema-report">')
    end = text.index("</script>", begin) + len("</script>")
    assert text[end:].startswith(PLACE)
    # what runs and what may run are the page's own, and the data stands before the script that reads it
    rest = text[:begin] + text[end:]
    assert rest.replace("<title>report – Crema</title>", "<title>Crema</title>") == page()
    assert "crema-report" not in rest[:begin]
    assert "crema-report" in rest[begin:]


def test_names_cannot_become_markup(tmp_path: Path) -> None:
    folder = tmp_path / "<b>run"
    folder.mkdir()
    (folder / "<script>.json").write_text("{}")
    path = crema.report(folder, tmp_path / "r.html", link="#s=</script><script>alert(1)</script>")
    assert [file["path"] for file in enclosed_in(path)["files"]] == ["<b>run/<script>.json"]
    assert "<b>run" not in path.read_text().replace(page(), "")
    assert "<script>alert" not in path.read_text()


def test_links_and_views() -> None:
    assert link_of(None, None) == ""
    assert link_of(None, "https://host/crema/#v=1&view=chunks&t=1~2") == "v=1&view=chunks&t=1~2"
    with pytest.raises(ValueError, match="there is no view 'flames'"):
        link_of("flames", None)
    with pytest.raises(ValueError, match="twice"):
        link_of("flame", "#view=flame")


def test_the_command_writes_reports_and_says_what_is_wrong(recorded: Path, tmp_path: Path) -> None:
    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "cremascope", *arguments], cwd=tmp_path, check=False, capture_output=True, text=True
        )

    done = command("report", str(recorded), "--view", "timelines")
    assert (done.returncode, done.stdout) == (0, "local-4x1.html\n")
    assert enclosed_in(tmp_path / "local-4x1.html")["hash"] == "#v=2&view=timelines"
    again = command("report", str(recorded))
    assert (again.returncode, again.stderr) == (
        2,
        "crema: local-4x1.html is there already; nothing was written. --force overwrites\n",
    )
    assert command("report", str(recorded), "--force").returncode == 0
    assert enclosed_in(tmp_path / "local-4x1.html")["hash"] == ""
    failed = command("report", "nowhere")
    assert (failed.returncode, failed.stderr) == (2, "crema: nowhere: there is no such file or folder\n")
