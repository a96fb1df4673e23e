"""Crema: where the core-time of a Coffea run on Dask went.

``record`` saves a run, whose parts ``section`` names; ``show`` displays it in a notebook, ``report`` writes it as one HTML
file. ``open`` reads runs, to be asked with ``ask``; ``compare``, ``verdict``, ``check`` and ``history`` ask of several.
``convert`` makes runs of what Parsl or Dask kept. ``crema`` is the same in a terminal.
"""

from cremascope.answer import Answer
from cremascope.bundle import BundleError
from cremascope.convert import convert
from cremascope.core import CoreMissingError
from cremascope.figure import Figure
from cremascope.magic import load_ipython_extension
from cremascope.notebook import Shown, show
from cremascope.recording import Recording, record
from cremascope.reporting import report
from cremascope.runs import Runs, check, compare, history, open, verdict
from cremascope.sections import section
from cremascope.version import __version__

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
