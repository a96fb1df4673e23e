"""Names parts of ``process()``, so that a recording knows what ran in which."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any


class _Section:
    """``cremascope.section``, which also travels to workers that have no Crema."""

    def __call__(self, name: str) -> AbstractContextManager[None]:
        """A named part of ``process()``::

            with crema.section("selection"):
                jets = events.Jet[events.Jet.pt > 30]

        While the run is recorded, the time and the CPU time of each are kept, and which functions ran in it. Sections may be
        nested and repeated. Outside a recorded task this does nothing.
        """
        return _enter(name)

    def __reduce__(self) -> Any:
        import pickle

        from cremascope.carry import by_value

        return pickle.loads, (by_value(_enter, __name__),)


def _enter(name: str) -> AbstractContextManager[None]:
    # It travels alone, and uses no name of this module.
    import contextlib
    import sys
    import threading

    measure = vars(sys).get("_crema_running", {}).get(threading.get_ident())
    found: AbstractContextManager[None] = contextlib.nullcontext() if measure is None else measure.section(name)
    return found


section = _Section()
