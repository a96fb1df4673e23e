"""A tile in JupyterLab's launcher: ``crema serve`` of the server's folder, by jupyter-server-proxy."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Any


def launcher() -> dict[str, Any]:
    """What jupyter-server-proxy starts, and the tile: the entry point ``jupyter_serverproxy_servers``."""
    return {
        # the proxy asks by the name that the user's browser knows the server by; who may ask is its business
        "command": [sys.executable, "-m", "cremascope", "serve", ".", "--port", "{port}", "--any-name"],
        "timeout": 60,
        "launcher_entry": {"title": "Crema", "icon_path": str(files("cremascope") / "icon.svg")},
    }
