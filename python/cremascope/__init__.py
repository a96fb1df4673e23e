"""Crema: where the core-time of a Coffea run on Dask went.

``record`` saves a run, whose parts ``section`` names; ``show`` displays it in a notebook, ``report`` writes it as one HTML
file. ``open`` reads runs, to be asked with ``ask``; ``compare``, ``verdict``, ``check`` and ``history`` ask of several.
``convert`` makes runs of what Parsl or Dask kept. ``crema`` is the same in a terminal.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cremascope.version import __version__

if TYPE_CHECKING:
    from cremascope.answer import Answer
    from cremascope.bundle import BundleError
    from cremascope.conversion import convert
    from cremascope.core import CoreMissingError
    from cremascope.figure import Figure
    from cremascope.magic import load_ipython_extension
    from cremascope.notebook import Shown, show
    from cremascope.recording import Recording, record
    from cremascope.reporting import report
    from cremascope.runs import Runs, check, compare, history, open, verdict
    from cremascope.sections import section

__all__ = [
    "Answer",
    "BundleError",
    "CoreMissingError",
    "Figure",
    "Recording",
    "Runs",
    "Shown",
    "__version__",
    "check",
    "compare",
    "convert",
    "history",
    "load_ipython_extension",
    "open",
    "record",
    "report",
    "section",
    "show",
    "verdict",
]

#: Where each name is. It is imported when it is first used: a worker that needs ``section`` waits for nothing else.
_PLACES = {
    "Answer": "answer",
    "BundleError": "bundle",
    "CoreMissingError": "core",
    "Figure": "figure",
    "Recording": "recording",
    "Runs": "runs",
    "Shown": "notebook",
    "check": "runs",
    "compare": "runs",
    "convert": "conversion",
    "history": "runs",
    "load_ipython_extension": "magic",
    "open": "runs",
    "record": "recording",
    "report": "reporting",
    "section": "sections",
    "show": "notebook",
    "verdict": "runs",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
