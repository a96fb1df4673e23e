"""How the package can be installed."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

SOURCES = Path(__file__).parents[1]


def test_a_wheel_that_only_records_needs_no_compiler(tmp_path: Path) -> None:
    pytest.importorskip("scikit_build_core")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*command, "-C", "wheel.cmake=false", str(SOURCES)], check=True, env={"PATH": str(tmp_path)})
    (wheel,) = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()
    assert "cremascope/recording.py" in names
    assert not [name for name in names if name.endswith((".so", ".html"))]
