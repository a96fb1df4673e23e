"""What leaves no trace in a recording: secrets in addresses always; folders, hosts and the user where that is asked for."""

from __future__ import annotations

import getpass
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

#: From here on a path says nothing about its owner, and tells one code from another.
_TELLING = re.compile(r"(?:lib/python[\d.]+|site-packages|dist-packages|Lib)/")
#: Names of a machine or an account that name nobody's.
_NOBODY = {"", "localhost", "127.0.0.1", "0.0.0.0", "::1", "root", "jovyan", "user", "dask", "coffea", "worker"}
_HOST = re.compile(r"(\b[A-Za-z][\w+.-]*://)(\[[^\]\s]+\]|[^/\s'\",;:?#\[\]]+)")
#: Folders of an address or of a path, which may have spaces within quotes and separators.
_INNER = r"[^'\"\n;,<>|]*"
_FOLDERS = re.compile(
    rf"(?P<address>\b[A-Za-z][\w+.-]*://[^/\s'\";]+)(?P<below>/{_INNER}/)"
    rf"|(?P<path>(?<![\w.:)/])[/~]{_INNER}/|(?:\b[A-Za-z]:)?\\{_INNER}\\)"
)
#: Keys of JSON whose values are names of hosts, and those whose values are paths also where they do not begin with "/".
_HOSTS, _PATHS = {"host", "hostname"}, {"file", "filename", "local_directory"}


class Clean:
    """Makes what is recorded fit for it: addresses lose user, password and query, since signed ones carry keys."""

    def __call__(self, text: str) -> str:
        return re.sub(r"\?[^\s'\"]*", "", re.sub(r"(\w+://)[^/@\s'\"]+@", r"\1", text)) if "://" in text else text

    def learn(self, name: str) -> None:
        """Hears that ``name`` is a host."""

    def path(self, text: str) -> str:
        """A text of which is known that it is a path."""
        return self(text)

    def all(self, value: Any) -> Any:
        """What JSON has in ``value``, keys too."""
        return value


class Hider(Clean):
    """Replaces folders, hosts and the user by numbered names, alike in all that one recording writes.

    Names of files stay, and of what is below a folder of packages.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._known: dict[str, str] = {}
        self._word: re.Pattern[str] | None = None
        for host in (socket.getfqdn(), socket.gethostname()):
            self.learn(host)
        with suppress(Exception):  # a user without a name
            self._learn(getpass.getuser(), "user")
        with suppress(RuntimeError):
            self._learn(Path.home().name, "user")

    def learn(self, name: str) -> None:
        self._learn(name, "host")

    def _learn(self, name: str, kind: str) -> None:
        """Hides ``name`` from now on wherever it stands alone."""
        if name not in _NOBODY and name not in self._names:
            number = sum(one.startswith(kind) for one in self._names.values()) + 1
            self._names[name] = f"{kind}{number}"
            longest_first = "|".join(re.escape(one) for one in sorted(self._names, key=len, reverse=True))
            self._word = re.compile(rf"(?<![A-Za-z0-9])(?:{longest_first})(?![A-Za-z0-9])")
            self._known.clear()

    def __call__(self, text: str) -> str:
        if (known := self._known.get(text)) is None:
            for _, host in _HOST.findall(clean := super().__call__(text)):
                self.learn(host)
            hidden = _FOLDERS.sub(self._without_folders, clean)
            known = self._word.sub(lambda found: self._names[found[0]], hidden) if self._word else hidden
            if len(self._known) < 100_000:
                self._known[text] = known
        return known

    def path(self, text: str) -> str:
        folder, slash, name = self(text).replace("\\", "/").rpartition("/")
        bare = folder == "" or folder.startswith(("/folder", "<")) or "://" in folder or _TELLING.search(folder + slash)
        return self(text) if bare else self._folder(folder + slash) + self(name)

    def _without_folders(self, found: re.Match[str]) -> str:
        return found["address"] + self._folder(found["below"]) if found["address"] else self._folder(found["path"])

    def _folder(self, folder: str) -> str:
        folder = folder.replace("\\", "/")
        telling = _TELLING.search(folder)
        hidden, kept = (folder[: telling.start()], folder[telling.start() :]) if telling else (folder, "")
        if hidden.strip("/") == "":
            return folder
        return self._folders.setdefault(hidden, f"/folder{len(self._folders) + 1}/") + kept

    def all(self, value: Any, key: str = "") -> Any:
        if isinstance(value, Mapping):
            for name in _HOSTS & value.keys():
                self.learn(str(value[name]))
            # Names of fields stay, whatever the user is called.
            return {self(name) if re.search(r"[/:;\\]", name) else name: self.all(one, name) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.all(one, key) for one in value]
        if isinstance(value, str):
            return self.path(value) if key in _PATHS else self(value)
        return value
