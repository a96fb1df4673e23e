"""Which function without a frame, of C or Cython, an instruction executes: by the text of the call, as bytecode tells it."""

from __future__ import annotations

import dis
from itertools import zip_longest
from types import CodeType
from typing import NamedTuple

_NAMES = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_CALLS = ("CALL", "CALL_KW", "CALL_FUNCTION_EX")
#: What stands between what is called and the call, at the place of either.
_BETWEEN = ("PUSH_NULL", "KW_NAMES", "PRECALL")
#: What may execute compiled code for long, and is no call. Python lets other threads run after calls and jumps, not after it.
_OPERATORS = {"BINARY_SUBSCR": "[]", "CONTAINS_OP": "in"}
_SLOW = (*_OPERATORS, "BINARY_", "COMPARE_OP", "STORE_SUBSCR", "STORE_SLICE", "LIST_EXTEND", "SET_UPDATE", "DICT_")
_LETS_OTHERS_RUN = ("RESUME", "JUMP_BACKWARD", *_CALLS)
#: Codes whose calls are remembered.
_MOST = 2_000


class _Call(NamedTuple):
    name: str
    is_alone: bool
    """Nothing since other threads could last run may have taken long, but this call."""


def called_at(code: CodeType, instruction: int, executes: bool) -> str | None:
    """What the instruction at this offset calls, as the code names it: ``np.sort``; of what has no name, as ``f(x)[0]``
    in ``f(x)[0].sort()``, the attribute alone; ``operator @`` of an operator.

    ``executes``: it was seen executing. Else it had just ended, and other threads had waited for that: None where they may
    have waited for what came before. None, too, where it is no call, or its code has no columns (before Python 3.11).
    """
    known = _calls.get(id(code))
    if known is None or known[0] is not code:
        if len(_calls) >= _MOST:
            _calls.clear()
        known = _calls[id(code)] = (code, _calls_in(code))
    call = known[1].get(instruction)
    return call.name if call is not None and (executes or call.is_alone) else None


_calls: dict[int, tuple[CodeType, dict[int, _Call]]] = {}


def _calls_in(code: CodeType) -> dict[int, _Call]:
    called: dict[int, _Call] = {}
    # Of each place the expressions that begin there, shortest first: where they end, and their names.
    begun: dict[tuple[int, int], list[tuple[tuple[int, int], str | None]]] = {}
    is_alone = True
    instructions = list(dis.get_instructions(code))
    for instruction, following in zip_longest(instructions, instructions[1:]):
        positions, operation = getattr(instruction, "positions", None), instruction.opname
        # Python 3.13 loads the names of keywords at the place of the attribute that is called.
        is_keywords = operation == "LOAD_CONST" and following is not None and following.opname == "CALL_KW"
        if positions is None or None in positions or operation in _BETWEEN or is_keywords:
            continue
        line, end_line, column, end_column = positions
        end = (end_line, end_column)
        # The code of some text, as of ``finally``, stands there twice.
        inner = begun.setdefault((line, column), [])
        while inner and inner[-1][0] >= end:
            inner.pop()
        name = None
        if operation.startswith(_ATTRIBUTES):
            outer = inner[-1][1] if inner else None
            name = instruction.argval if outer is None else f"{outer}.{instruction.argval}"
        elif operation.startswith(_NAMES) and isinstance(instruction.argval, str):
            name = instruction.argval
        elif operation in _CALLS and inner and inner[-1][1] is not None:
            called[instruction.offset] = _Call(inner[-1][1], is_alone)
        elif operation in ("BINARY_OP", "COMPARE_OP", *_OPERATORS):
            called[instruction.offset] = _Call(f"operator {_OPERATORS.get(operation, instruction.argrepr)}", False)
        inner.append((end, name))
        is_alone = operation in _LETS_OTHERS_RUN or (is_alone and not operation.startswith(_SLOW))
    return called
