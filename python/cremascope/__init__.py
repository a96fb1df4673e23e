"""Crema: where the core-time of a Coffea run on Dask went.

``record`` saves a run, ``show`` displays it in a notebook, ``report`` writes it as one HTML file; ``python -m cremascope
serve`` serves a folder of runs.
"""

from cremascope.bundle import BundleError
from cremascope.notebook import Shown, show
from cremascope.recording import Recording, record
from cremascope.reporting import report
from cremascope.version import __version__

__all__ = ["BundleError", "Recording", "Shown", "__version__", "record", "report", "show"]
