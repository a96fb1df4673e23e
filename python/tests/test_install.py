"""How the package can be installed."""

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

SOURCES = Path(__file__).parents[1]


def test_a_wheel_that_only_records_needs_no_compiler(tmp_path: Path) -> None:
    pytest.importorskip("scikit_build_core")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*command, "--config-settings", "wheel.cmake=false", str(SOURCES)], check=True, env={"PATH": str(tmp_path)})
    (wheel,) = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()
    assert "cremascope/recording.py" in names
    assert not [name for name in names if name.endswith((".so", ".html"))]


def test_the_readme_stands_alone_in_a_registry() -> None:
    links = re.findall(r"\]\(([^)]+)\)", (SOURCES / "README.md").read_text(encoding="utf-8"))
    assert links
    assert all(link.startswith("https://") for link in links)


def test_a_worker_that_names_sections_imports_no_more_than_that() -> None:
    code = "import sys, cremascope; cremascope.section; print(*(name for name in sys.modules if name.startswith('cremascope')))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert set(loaded) == {"cremascope", "cremascope.version", "cremascope.sections"}
