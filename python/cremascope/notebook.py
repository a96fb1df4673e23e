"""Shows runs in JupyterLab and Jupyter Notebook.

The report is written below the notebook's folder and shown in a frame: the notebook stays small, the page has no access
to the notebook server, and the output is there again after a reload, on reopening, and in an HTML export beside it. Where
there is no page - a code host, a mail, a notebook without its folder - the output says what a run's summary says.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import os
import re
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cremascope.bundle import Bundle, BundleError, bundle_of
from cremascope.core import CoreMissingError
from cremascope.figure import standing_in
from cremascope.page import enclose, link_of, page
from cremascope.place import is_running
from cremascope.write import replace_file

#: Characters of an address that every browser takes in a frame.
_MOST = 2_000_000
#: What stands for itself in an address.
_SAFE = "/+=:;,()[]{}!*'.<>$&"
#: The page in an address of its own: it takes the place of what unpacks it. VS Code's policy lets a frame have no worker of a
#: Blob, but one of an address of data.
_UNPACK = """<!doctype html><meta charset=utf-8><script>
const scripts = new WeakMap(), address = URL.createObjectURL;
Blob = class extends Blob { constructor(parts, how) { super(parts, how);
if (how?.type?.includes('javascript')) scripts.set(this, parts.join('')); } };
URL.createObjectURL = (blob) => scripts.has(blob)
? 'data:text/javascript,' + encodeURIComponent(scripts.get(blob)) : address.call(URL, blob);
new Response(new Blob([Uint8Array.from(atob('PACKED'), (c) => c.charCodeAt(0))]).stream()
.pipeThrough(new DecompressionStream('gzip'))).text().then((text) => {
document.open(); document.write(text.replace('worker-src blob:', 'worker-src blob: data:')); document.close(); });
</script>"""


def show(
    source: Any,
    *,
    name: str | None = None,
    view: str | None = None,
    link: str | None = None,
    width: int | str = "100%",
    height: int = 600,
    folder: str | os.PathLike[str] = "crema-reports",
) -> Shown:
    """Shows a run in the output of a notebook's cell.

    Of a recording that has not ended - a ``Recording``, also before its block begins, or the folder that it is saved in -
    the page shows what is there, and follows it (docs/live.md).

    ``source``, ``name``, ``view`` and ``link`` are those of ``report``; ``width`` is in pixels or as CSS has it, ``height``
    in pixels. The report lies in ``folder`` below the notebook, under a name made of its content, so that another run's
    never takes its place; outside a notebook ``folder`` lies in the working directory, and ``path`` is what to open.
    Raises BundleError where ``source`` is no bundle, ValueError for a folder that a notebook server does not hand out.
    """
    start = link_of(view, link)
    if getattr(source, "_waits", False) and not is_notebook():
        raise BundleError(f"{source!r} has not begun, and a page by itself cannot wait for it: show it after its block")
    inner = _visible(Path(folder))
    root = notebook_folder()
    if growing := growing_folders(source):
        bundle = Bundle(name or growing[-1].name.removesuffix(".unfinished"))
        content = page().encode()
        follows = _follows(root, inner, bundle.name, growing, begun=not hasattr(source, "growing"))
    else:
        bundle = bundle_of(source, name)
        content = enclose(bundle).encode()  # one file for every view of it: the address says which
        follows = None
    digest = hashlib.sha256(content).hexdigest()[:8]
    # a name that every file system and notebook server takes
    stem = "crema" if follows else re.sub(r"[^\w.-]+", "-", bundle.name).strip("-.") or "run"
    path = root / inner / f"{stem}-{digest}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        replace_file(path, content)
    relative = path.relative_to(root).as_posix()
    return Shown(path, relative, bundle.name, start, width, height, "" if follows else _summary(source), follows)


def growing_folders(source: Any) -> list[Path]:
    """Where the recording ``source`` grows, then where it will be; none where it has ended, or is something else."""
    if hasattr(source, "growing"):  # a Recording
        found: list[Path] = source.growing
        return found
    if not isinstance(source, str | os.PathLike):
        return []
    path = Path(source).expanduser().absolute()
    beside = sorted(path.parent.glob(f"{path.name}.unfinished*")) if path.name else []
    return next(([one, path] if one != path else [path] for one in [*reversed(beside), path] if is_running(one)), [])


def _follows(root: Path, inner: Path, name: str, folders: list[Path], *, begun: bool) -> dict[str, Any]:
    """What host.js is to read for the page: ``folders`` from the page's file on. ``begun``: also what is there already."""
    for one in folders:
        if not one.is_relative_to(root) or any(part.startswith(".") for part in one.relative_to(root).parts):
            raise BundleError(
                f"{one}: is recorded still, and notebook servers show only visible folders below the notebook. "
                f"In a terminal: crema watch {one}"
            )
    relative = [quote(Path(os.path.relpath(one, root / inner)).as_posix()) + "/" for one in folders]
    # the index is written once a second
    return {"name": name, "folders": relative, "since": 0 if begun else time.time() - 2}


def _summary(source: Any) -> str:
    """What stands in for the page; nothing without the core, or where only the page can say what is wrong with the files."""
    from cremascope.runs import open as open_runs

    try:
        return standing_in(open_runs(source))
    except (CoreMissingError, ValueError):
        return ""


def _visible(folder: Path) -> Path:
    """``folder``, which notebook servers serve: they refuse hidden files and know none above the notebook's root."""
    if folder.is_absolute() or any(part.startswith(".") for part in folder.parts):
        raise ValueError(f"{folder}: notebook servers show only visible folders below the notebook (such as 'crema-reports')")
    return folder


def shows_no_files() -> bool:
    """Whether the notebook is one of VS Code, Colab or marimo, which show no frame of a file beside it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    marimo = sys.modules.get("marimo")
    if marimo is not None and marimo.running_in_notebook():
        return True
    return "google.colab" in sys.modules or (shell is not None and "__vsc_ipynb_file__" in shell.user_ns)


def is_notebook() -> bool:
    """Whether what this process shows is shown by a notebook or a console of one."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return hasattr(shell, "kernel")


def notebook_folder() -> Path:
    """The folder of the running notebook, also after ``os.chdir``; else the working directory."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    visited = shell.user_ns.get("_dh") if shell is not None else None
    # IPython's directory history begins where the kernel was started
    return Path(str(visited[0])) if visited else Path.cwd()


class Shown:
    """A report on display. A notebook shows it as a frame; ``path`` is the file, which any browser opens."""

    def __init__(
        self,
        path: Path,
        relative: str,
        name: str,
        link: str,
        width: int | str,
        height: int,
        summary: str = "",
        follows: dict[str, Any] | None = None,
    ) -> None:
        self.path = path
        self.url: str = quote(relative)
        """Its address relative to the notebook: for an ``IFrame`` of one's own."""
        self._name = name
        self._link = link
        self._width = width
        self._height = height
        self._summary = summary
        self._follows = follows

    def __repr__(self) -> str:
        return f"Crema: {self._name} in {self.path}"

    def _repr_html_(self) -> str:
        if shows_no_files():
            return self._packed_html()
        # The same run shown twice is the same frame twice; the script serves all of that name.
        follows = json.dumps(self._follows).replace("<", "\\u003c")
        shown = self.url + follows if self._follows else self.url
        frame = "crema-" + hashlib.sha256(shown.encode()).hexdigest()[:8]
        name, url, width = html.escape(self._name), html.escape(self.url), html.escape(str(self._width))
        link = quote(self._link, safe="&=~%:/,;+!*'()")
        start = html.escape(f"embed&{link}" if link else "embed")
        whole = html.escape(f"#{link}" if link else "")
        script = (files("cremascope") / "host.js").read_text(encoding="utf-8")
        script = re.sub(r"^ *//.*\n", "", script, flags=re.MULTILINE)  # notebooks keep it: without its comments
        # A notebook that is not trusted shows the sentence only: its frames and scripts are dropped. The page's answer
        # takes the hint away.
        return (
            f'<p>Crema: <a class="{frame}" href="{url}{whole}" data-link="{whole}" target="_blank" rel="noopener">{name}</a>'
            f' <span class="{frame}">(not shown below? Trust this notebook, or run the cell again)</span></p>'
            f'<iframe name="{frame}" src="{url}#{start}" width="{width}" height="{int(self._height)}"'
            ' style="border: 0" allow="clipboard-write *; fullscreen *"></iframe>'
            f'<div class="{frame}">{self._summary}</div>'
            f"<script>({script.strip()})({json.dumps(frame)}, {follows});</script>"
        )

    def _packed_html(self) -> str:
        """The page itself, packed, in the frame's address: for notebooks that show no files."""
        if self._follows:
            return (
                f"<p>Crema: {html.escape(self._name)} is recorded still, and this notebook shows no files. Run the cell again"
                " at the end, or <code>crema watch</code> in a terminal.</p>"
            )
        link = quote(f"embed&{self._link}" if self._link else "embed", safe="&=~%:/,;+!*'()")
        packed = base64.b64encode(gzip.compress(self.path.read_bytes(), 9, mtime=0)).decode("ascii")
        address = f"data:text/html,{quote(_UNPACK.replace('PACKED', packed), safe=_SAFE)}#{link}"
        if len(address) > _MOST:
            return (
                f"<p>Crema: {html.escape(self._name)} is too large to be shown here. Open {html.escape(str(self.path))} in a"
                f" browser.</p>{self._summary}"
            )
        width = html.escape(str(self._width))
        frame = f'<iframe src="{html.escape(address)}" width="{width}" height="{int(self._height)}" style="border: 0"></iframe>'
        return f"{frame}<details><summary>{html.escape(self._name)} without the page</summary>{self._summary}</details>"
