"""What the tests share: recorded runs, and the page that is enclosed in reports."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "data"


@pytest.fixture
def recorded() -> Path:
    """A recorded run of 4 workers: 70.47 s, 214 chunks, 2,139,123 events."""
    return RECORDED / "local-4x1"


def enclosed_in(report: Path) -> dict[str, Any]:
    """What a report carries, read as the page reads it."""
    blocks = re.findall(r'<script type="application/json" id="crema-report">(.*?)</script>', report.read_text(), re.DOTALL)
    assert len(blocks) == 1
    content: dict[str, Any] = json.loads(blocks[0])
    return content


def native() -> str:
    """The command line, which says what is recognised."""
    path = os.environ.get("CREMA_NATIVE") or str(ROOT / "build" / "native" / "crema")
    if not Path(path).exists():
        pytest.skip(f"the command line is not built: {path}")
    return path


def ask(bundle: Path, question: str, *more: str) -> list[dict[str, str]]:
    """The rows of an answer of the command line."""
    done = subprocess.run([native(), "ask", bundle, question, "--csv", *more], capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    head, *rows = csv.reader(io.StringIO("\n".join(lines)))
    names = [name.partition(" [")[0] for name in head]  # without their units
    return [dict(zip(names, row, strict=True)) for row in rows]
