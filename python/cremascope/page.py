"""The page, and the page with runs inside it."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from importlib.resources import files
from pathlib import Path

from cremascope.bundle import Bundle
from cremascope.views import VIEWS

#: Where the page wants what it encloses: docs/embedding.md.
PLACE = "<!--crema-report-->"


def page_path() -> Path | None:
    """Where the one-file page lies that came with the package; None where it came without."""
    path = Path(str(files("cremascope") / "crema.html"))
    return path if path.is_file() else None


def page() -> str:
    """The one-file page that came with the package. Raises FileNotFoundError where it came without."""
    path = page_path()
    if path is None:
        raise FileNotFoundError(
            "this installation of cremascope has no page: it shows and reports nothing; a wheel, or an installation without "
            "wheel.cmake=false, has it"
        )
    return path.read_text(encoding="utf-8")


def link_of(view: str | None, link: str | None) -> str:
    """The permalink that shows ``view``, or ``link`` as copied from the page's address; without its ``#``.

    Raises ValueError for a view that there is not, or when both are given.
    """
    if link is not None:
        if view is not None:
            raise ValueError("view and link say the same twice: a link names its view")
        return link.partition("#")[2] if "#" in link else link
    if view is None:
        return ""
    view = view.lower()
    if view not in VIEWS:
        raise ValueError(f"there is no view {view!r}; there are {', '.join(VIEWS)}")
    return f"v=2&view={view}"


def enclose(bundle: Bundle, link: str = "") -> str:
    """The page with ``bundle`` inside, which begins where ``link`` says.

    The files stand in base64, packed with gzip where that is shorter, in a JSON script that the page reads at its start: the
    form of docs/embedding.md.
    """
    enclosed = {
        "version": 1,
        "hash": f"#{link}" if link else "",
        "files": [{"path": path, "data": _packed(content)} for path, content in bundle.files.items()],
    }
    # nothing in a data block may look like markup: paths and links may hold anything
    data = json.dumps(enclosed, separators=(",", ":")).replace("<", "\\u003c")
    whole = page()
    before, place, after = whole.partition(PLACE)
    if not place:
        raise ValueError(f"crema.html is not the page: it has no {PLACE}")
    title = f"<title>{html.escape(bundle.name)} – Crema</title>"
    before = re.sub(r"<title>.*?</title>", lambda _: title, before, count=1, flags=re.DOTALL)
    return f'{before}<script type="application/json" id="crema-report">{data}</script>{place}{after}'


def _packed(content: bytes) -> str:
    packed = content if content.startswith(b"\x1f\x8b") else gzip.compress(content, 6, mtime=0)
    return base64.b64encode(min(content, packed, key=len)).decode("ascii")
