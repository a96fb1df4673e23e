"""Crema: where the core-time of a Coffea run on Dask went.

``record`` saves a run, ``show`` displays it in a notebook, ``report`` writes it as one HTML file; ``python -m crema serve``
serves a folder of runs.
"""

from crema.bundle import BundleError
from crema.notebook import Shown, show
from crema.recording import Recording, record
from crema.reporting import report
from crema.version import __version__

__all__ = ["BundleError", "Recording", "Shown", "__version__", "record", "report", "show"]
