"""Brings ``cremascope.task`` to workers, with or without Crema there."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import sys
import zlib
from functools import cache, partial
from pathlib import Path
from typing import Any

from cremascope import task
from cremascope.task import called, looks, machine, measure, reading, running, usage

#: The modules of the package, each after those that it imports.
_MODULES = (task, usage, machine, called, looks, measure, reading, running)
_SOURCE = "\0".join(Path(str(module.__file__)).read_text(encoding="utf-8") for module in _MODULES)
#: The name of the package on workers: another version of it is another package.
NAME = f"crema_task_{hashlib.sha256(_SOURCE.encode()).hexdigest()[:12]}"
_NAMES = tuple(module.__name__.replace(task.__name__, NAME) for module in _MODULES)
# in this process it is the package itself
sys.modules.update(zip(_NAMES, _MODULES, strict=True))


#: A magic number of Python's byte code, and the package's compiled for it.
Compiled = tuple[bytes, bytes]


def made(
    names: tuple[str, ...], packed: bytes, compiled: Compiled | None, kind: str, state: tuple[Any, ...], loader: bytes
) -> Any:
    """An object of the package's class ``kind``, in a process that may not have the package yet."""
    found = getattr(package_of(names, packed, compiled), kind)(*state)
    found.loader = loader  # it may be pickled again
    return found


def package_of(names: tuple[str, ...], packed: bytes, compiled: Compiled | None = None) -> Any:
    """The last module of the package, made of its packed text where it is not there yet.

    ``compiled`` saves compiling it, some 35 ms, where Python is the same.
    """
    import importlib.util
    import marshal
    import sys
    import threading
    import types
    import zlib

    with vars(sys).setdefault("_crema_lock", threading.RLock()):  # threads of a worker may come here together
        if names[-1] not in sys.modules:
            if not packed:
                raise ImportError(f"{names[0]} did not come to this worker")
            if compiled is not None and compiled[0] == importlib.util.MAGIC_NUMBER:
                codes = marshal.loads(compiled[1])
            else:
                codes = [compile(text, "<crema>", "exec") for text in zlib.decompress(packed).decode().split("\0")]
            for name, code in zip(names, codes, strict=True):
                module: Any = types.ModuleType(name)
                module.__file__ = "<crema>"
                module.__package__ = names[0]
                sys.modules[name] = module
                exec(code, vars(module))
    return sys.modules[names[-1]]


@cache
def loader(*, with_text: bool, is_compiled: bool = False) -> bytes:
    """What ``task.running.Task.loader`` is: with the package's text, or for workers that have got it (``installer``).

    Compiled it is three times as large: for executors that start a process for each task, and send a function once.
    """
    return by_value(partial(made, _NAMES, _packed() if with_text else b"", _compiled() if is_compiled else None))


@cache
def installer() -> bytes:
    """A pickle of a function that brings the package to the process that calls it."""
    return by_value(partial(package_of, _NAMES, _packed()))


def _packed() -> bytes:
    return zlib.compress(_SOURCE.encode(), 9)


def _compiled() -> Compiled:
    # without docstrings, and not packed: unpacking takes a third of what the process needs for all of it
    codes = [compile(text, "<crema>", "exec", optimize=2) for text in _SOURCE.split("\0")]
    return importlib.util.MAGIC_NUMBER, marshal.dumps(codes)


def by_value(function: Any, module_name: str = __name__) -> bytes:
    """A pickle of a function of that module that has its code instead of its name."""
    import cloudpickle

    module = sys.modules[module_name]
    known = module_name in cloudpickle.list_registry_pickle_by_value()
    if not known:
        cloudpickle.register_pickle_by_value(module)
    try:
        pickled: bytes = cloudpickle.dumps(function)
    finally:
        if not known:
            cloudpickle.unregister_pickle_by_value(module)
    return pickled
