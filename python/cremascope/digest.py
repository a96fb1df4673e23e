"""Keeps what can be compared of a run in a small file, by the command line."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from pathlib import Path


def write_digest(run: Path, folder: str | os.PathLike[str]) -> str:
    """Writes the digest of the bundle ``run`` into ``folder``; "" or a sentence that says why there is none.

    The digest is written anew where the same run has one already.
    """
    program = shutil.which("crema")
    if program is None:
        return "there is no digest: the command line, crema, is not on the PATH"
    done = subprocess.run(
        [program, "digest", str(run), "-o", str(folder), "--force"], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return ""
    return f"there is no digest: {done.stderr.strip() or f'crema digest ended with {done.returncode}'}"
