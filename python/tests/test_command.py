"""``crema``: one program, whose commands are Python's or the core's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cremascope.__main__ import COMMANDS, main

from .conftest import RECORDED, native


def crema(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cremascope", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["summary", RECORDED / "local-4x1"],
        ["ask", RECORDED / "local-4x1", "budget", "--csv"],
        ["compare", RECORDED / "scale-1", RECORDED / "local-4x1"],
        ["check", RECORDED / "scale-1", RECORDED / "local-4x1", "--rule", "num_chunks > 0"],
        ["questions"],
        ["--version"],
        ["frobnicate"],
        [],
    ],
)
def test_the_cores_commands_say_what_the_native_program_says(arguments: list[object]) -> None:
    here = crema(*arguments)
    there = subprocess.run([native(), *map(str, arguments)], check=False, capture_output=True, text=True)
    assert (here.returncode, here.stdout, here.stderr) == (there.returncode, there.stdout, there.stderr)


def test_help_lists_both() -> None:
    said = crema("--help").stdout
    assert "summary" in said
    for name, (about, *_) in COMMANDS.items():
        assert f"  {name} " in said
        assert about in said
    assert crema("help").stdout == said
    assert crema("help", "serve").stdout == crema("serve", "--help").stdout


def test_reports_of_the_core_have_the_page_of_the_package(tmp_path: Path) -> None:
    assert crema("export", RECORDED / "scale-1", "--to", "html", "-o", tmp_path / "r.html").returncode == 0
    assert 'id="crema-report"' in (tmp_path / "r.html").read_text()


def test_open_writes_a_report_of_all_and_opens_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(opened.append(address)))
    assert main(["open", str(RECORDED / "scale-1"), str(RECORDED / "local-4x1")]) == 0
    said = capsys.readouterr()
    report = Path(said.out.strip())
    assert opened == [report.as_uri()]
    assert "<title>scale-1 and local-4x1 – Crema</title>" in report.read_text()
    assert "no browser" in said.err


def test_without_the_core_its_commands_say_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "cremascope._core", None)
    assert main(["summary", "run"]) == 2
    assert "has no compiled core" in capsys.readouterr().err
    # an installation that only records has a version and help for what it does
    assert main(["--version"]) == 0
    assert main(["--help"]) == 2
    assert "  record " in capsys.readouterr().out


def test_without_dask_crema_record_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cremascope.__main__.find_spec", lambda _: None)
    assert main(["record", "tcp://127.0.0.1:8786"]) == 2
    assert capsys.readouterr().err == 'crema: crema record needs Dask: pip install "cremascope[record]"\n'


@pytest.mark.parametrize("name", COMMANDS)
def test_help_keeps_names_as_they_are_spelled(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    about = COMMANDS[name][0]
    assert " ".join(capsys.readouterr().out.split()).count(about[1:] + ".") == 1
