"""``%load_ext cremascope``: ``%%crema`` records a cell and shows it, ``%crema`` shows runs."""

from __future__ import annotations

import argparse
import shlex
from contextlib import suppress
from typing import Any

from cremascope.notebook import Shown, show
from cremascope.recording import record
from cremascope.views import VIEWS


class CellFailedError(Exception):
    """What the recording is told of a cell that IPython has reported already."""


def load_ipython_extension(shell: Any) -> None:
    """Makes the magics known."""

    def crema(line: str, cell: str | None = None) -> Shown | None:
        """``%%crema [OUT] [--view VIEW]`` records what the cell does on Dask's current client, and shows it.

        ``%crema RUN... [--view VIEW]`` shows runs, side by side.
        """
        parser = argparse.ArgumentParser(prog="%crema" if cell is None else "%%crema", exit_on_error=False)
        parser.add_argument("path", nargs="+" if cell is None else "?")
        parser.add_argument("--view", choices=VIEWS)
        try:
            chosen = parser.parse_args(shlex.split(line))
        except argparse.ArgumentError as problem:
            raise ValueError(f"{parser.prog}: {problem}") from None
        if cell is None:
            return show(chosen.path, view=chosen.view)
        with suppress(CellFailedError), record(out=chosen.path) as recording:
            failure = shell.run_cell(cell).error_in_exec
            if failure is not None:
                raise CellFailedError(f"{type(failure).__name__}: {failure}")
        return show(recording, view=chosen.view)

    shell.register_magic_function(crema, magic_kind="line_cell", magic_name="crema")
