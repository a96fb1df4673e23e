"""Writes files that are whole or not there, and archives."""

from __future__ import annotations

import gzip
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO


def replace_file(path: Path, content: bytes) -> None:
    """Writes a file that is there whole or not at all."""
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    except OSError:  # a full disk has no room for half a file
        draft.unlink(missing_ok=True)
        raise


def write_part(folder: Path, name: str, content: bytes) -> None:
    """Writes one file of a bundle; under a name ending in ``.gz`` compressed."""
    # a fixed time: the same part twice is the same bytes
    replace_file(folder / name, gzip.compress(content, 6, mtime=0) if name.endswith(".gz") else content)


def zip_files(files: Mapping[str, bytes | Path], archive: str | os.PathLike[str] | IO[bytes]) -> None:
    """Packs ``files`` by their paths: contents, or where they lie, of which none is held in memory.

    What is compressed already is stored so as what it is.
    """
    # a file of before 1980 has no date in an archive, but a place
    with zipfile.ZipFile(archive, "w", compresslevel=6, strict_timestamps=False) as opened:
        for path, content in files.items():
            kind = zipfile.ZIP_STORED if path.endswith(".gz") else zipfile.ZIP_DEFLATED
            if isinstance(content, Path):
                opened.write(content, path, kind)
            else:
                opened.writestr(path, content, kind)
