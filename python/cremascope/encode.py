"""Python objects as the JSON that roastcoffea and Dask bundles are made of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from datetime import datetime
from typing import Any


def plain(value: Any) -> Any:
    """``value`` with nothing in it that JSON does not know.

    Tuples as keys become their ``repr`` and times ISO text, as roastcoffea's own ``save_measurement`` writes them. What it
    would fail on is converted as well: sets (sorted), numbers of NumPy, bytes and any other object (its text).
    """
    if value is None or type(value) in (str, bool, int, float):
        return value
    for kind in (str, int, float):  # numpy.float64, members of an enum: what they are, not what they would print
        if isinstance(value, kind):
            return kind.__str__(value) if kind is str else kind(value)
    if isinstance(value, Mapping):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "replace")
    if hasattr(value, "tolist"):  # NumPy, of any number of dimensions
        return plain(value.tolist())
    return str(value)


def _key(key: Any) -> str:
    return key if type(key) is str else key.isoformat() if isinstance(key, datetime) else str(key)


def to_json(value: Any) -> bytes:
    """``value`` as compact JSON; NaN and infinities stand bare, as Python's ``json`` writes them."""
    return json.dumps(plain(value), separators=(",", ":")).encode()
