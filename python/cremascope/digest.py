"""Keeps what can be compared of a run in a small file."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from cremascope.core import CoreMissingError, core

if TYPE_CHECKING:
    import os
    from pathlib import Path


def write_digest(run: Path, folder: str | os.PathLike[str]) -> str:
    """Writes the digest of the bundle ``run`` into ``folder``; "" or a sentence that says why there is none.

    The digest is written anew where the same run has one already.
    """
    try:
        core()
    except CoreMissingError as problem:
        return f"there is no digest: {problem}"
    # by a process of its own: what the command says is for whoever asked for the digest, not for the terminal
    command = [sys.executable, "-m", "cremascope", "digest", str(run), "-o", str(folder), "--force"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return f"there is no digest: {done.stderr.strip() or f'crema digest ended with {done.returncode}'}"
