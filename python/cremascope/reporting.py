"""Reports: a run and the page in one HTML file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from cremascope.bundle import bundle_of
from cremascope.page import enclose, link_of
from cremascope.write import replace_file


def report(
    source: Any,
    out: str | os.PathLike[str] | None = None,
    *,
    name: str | None = None,
    view: str | None = None,
    link: str | None = None,
    overwrite: bool = True,
) -> Path:
    """Writes one HTML file that shows ``source`` in any browser, without a network or a server; returns its path.

    ``source`` is a folder, a ``.zip``, a file, roastcoffea's metrics as a dict, a ``MetricsCollector`` or a ``Recording``;
    ``out`` the file, by default ``<name>.html`` in the working directory. ``view`` (``"flame"``, ``"timelines"``, …) or
    ``link`` (as copied from the page's address) say where it begins. The report holds the files of the run as they are,
    with the paths and user names in them.
    Raises BundleError where ``source`` is no bundle, FileExistsError where the file is there and ``overwrite`` is false.
    """
    bundle = bundle_of(source, name)
    path = Path(out or f"{bundle.name}.html").expanduser()
    if not overwrite and path.exists():
        raise FileExistsError(f"{path} is there already; nothing was written. --force overwrites")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, enclose(bundle, link_of(view, link)).encode())
    return path
