"""The compiled part of the package, without which it still records."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


class CoreMissingError(ImportError):
    """The package was installed without its compiled part, so nothing can be asked; the message says what to do."""


def core() -> ModuleType:
    """The module ``cremascope._core``. Raises CoreMissingError where it is not there."""
    try:
        return import_module("cremascope._core")
    except ImportError as problem:
        raise CoreMissingError(
            "this installation of cremascope has no compiled core: it answers no question; a wheel, or an installation without "
            f"wheel.cmake=false, has it ({problem})"
        ) from None
