"""How runs are asked. The build of the core writes the types of all questions beside it, ``questions.pyi``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cremascope.answer import Answer


class Asking(ABC):
    """Whatever can be asked."""

    @abstractmethod
    def _answer(self, question: str, given: Mapping[str, Any]) -> Answer: ...

    def ask(self, question: str, **how: Any) -> Answer:
        """The answer to a question: docs/questions.md has them all, with options and columns.

        ``select=(10, 60)`` is a range of time in seconds since the start; ``dataset``, ``file``, ``host``,
        ``worker`` and ``prefix`` are a name or several; ``ranges={"duration": (5, 60)}`` is about columns of ``chunks``. The
        rest are options of the question. One of a single run is answered for each of several: the column ``run`` then says
        of which.
        Raises ValueError for what there is not, with a sentence that names the nearest.
        """
        return self._answer(question, how)
