"""Serves a folder of runs and the page that opens them, to this machine."""

from __future__ import annotations

import html
import io
import mimetypes
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import quote, unquote, urlsplit

from cremascope.bundle import files_of_folder
from cremascope.page import page
from cremascope.place import is_running
from cremascope.write import zip_files

#: What makes a folder a run, by the beginning of a file's name.
_KNOWN = (
    *("metrics.", "tasks.", "dask_profiles.", "profile_merged.", "profile_by_key."),
    *("task_stream.", "span_object.", "stacks."),
)
_DEEPEST = 4
_PIECE = 1 << 16


@dataclass(frozen=True)
class Found:
    """A run below the served folder."""

    path: PurePosixPath
    """relative to the folder; ``.`` for the folder itself"""
    is_folder: bool
    is_running: bool = False
    """it is being recorded: the page follows the folder"""

    @property
    def archive(self) -> str:
        """its address, relative to the server's root"""
        return f"runs/{self._inner}.zip" if self.is_folder else f"runs/{self._inner}"

    @property
    def url(self) -> str:
        """what the page opens"""
        return f"runs/{self._inner}/".replace("//", "/") if self.is_running else self.archive

    @property
    def _inner(self) -> str:
        return "" if str(self.path) == "." else quote(str(self.path))

    @property
    def label(self) -> str:
        return "this folder" if str(self.path) == "." else str(self.path)


def find_runs(root: Path) -> list[Found]:
    """Folders that hold files of a run, and archives, in the order of their paths. Hidden ones are left out."""
    found: list[Found] = []

    def look(folder: Path, depth: int) -> None:
        try:
            entries = sorted(folder.iterdir())
        except OSError:
            return
        visible = [entry for entry in entries if not entry.name.startswith(".")]
        inner = PurePosixPath(folder.relative_to(root).as_posix())
        # tables that were saved have such names, too
        if any(entry.name.startswith(_KNOWN) and entry.suffix != ".csv" and entry.is_file() for entry in visible):
            found.append(Found(inner, True, is_running(folder)))
            return
        for entry in visible:
            if entry.suffix.lower() == ".zip" and entry.is_file():
                found.append(Found(inner / entry.name, False))
            elif depth < _DEEPEST and entry.is_dir() and not entry.is_symlink():
                look(entry, depth + 1)

    look(root, 0)
    return found


def inside(root: Path, path: str) -> Path | None:
    """The file or folder that a URL's ``path`` names below ``root``; None for what is hidden or leads out of it."""
    parts = PurePosixPath(unquote(path)).parts
    if any(part.startswith(".") or part == "/" or "\\" in part or "\0" in part for part in parts):
        return None
    try:
        target = root.joinpath(*parts).resolve()
    except (OSError, RuntimeError, ValueError):
        return None
    return target if target.is_relative_to(root) else None


class Server(ThreadingHTTPServer):
    """Serves ``folder`` at ``host:port`` (port 0: any free one). ``origins`` may read it from other pages; ``*`` is all.

    It answers under names of this machine only, unless ``any_name``: behind a proxy that says who may ask.
    """

    daemon_threads = True

    def __init__(
        self, folder: Path, host: str = "127.0.0.1", port: int = 0, origins: Iterable[str] = (), *, any_name: bool = False
    ) -> None:
        self.folder = folder.resolve(strict=True)
        if not self.folder.is_dir():
            raise NotADirectoryError(f"{folder}: is no folder")
        self.origins = frozenset(origins)
        self.any_name = any_name
        # The page's own policy forbids it any network; served, it may fetch from this server and from nowhere else.
        self.page = page().replace("connect-src 'none'", "connect-src 'self' blob: data:", 1).encode()
        super().__init__((host, port), Handler)

    @property
    def url(self) -> str:
        host, port = str(self.server_address[0]), self.server_address[1]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


class Handler(BaseHTTPRequestHandler):
    """GET and HEAD of the list, the page, and the files of the runs."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "crema"
    timeout = 60

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_OPTIONS(self) -> None:
        # what a browser asks before a page from the network may read from this machine
        self.send_response(HTTPStatus.NO_CONTENT)
        if self._allow_origin():
            self.send_header("Access-Control-Allow-Methods", "GET, HEAD")
            self.send_header("Access-Control-Allow-Private-Network", "true")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _answer(self) -> None:
        if not self._is_ours():
            self._refuse(HTTPStatus.FORBIDDEN, "this server answers only under its own name")
            return
        path = urlsplit(self.path).path.lstrip("/")
        if path == "":
            self._send(_list(find_runs(self.server.folder)).encode(), "text/html; charset=utf-8")
        elif path == "crema.html":
            self._send(self.server.page, "text/html; charset=utf-8")
        elif path.startswith("runs/"):
            self._send_run(path.removeprefix("runs/"))
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def _send_run(self, path: str) -> None:
        root = self.server.folder
        target = inside(root, path)
        if target is not None and target.is_file():
            # a page of someone's run is not to act as one of this server's
            kind = mimetypes.guess_type(target.name)[0] or "application/octet-stream"
            try:
                with target.open("rb") as content:
                    self._send_file(content, kind if kind in ("application/json", "text/plain") else "application/octet-stream")
            except PermissionError as problem:
                self._refuse(HTTPStatus.FORBIDDEN, f"cannot be read ({problem.strerror})")
            return
        folder = inside(root, path.removesuffix(".zip")) if path.endswith(".zip") else None
        if folder is not None and folder.is_dir():
            self._send_packed(folder)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such run")

    def _send_packed(self, folder: Path) -> None:
        name = folder.resolve().name or "bundle"
        # on disk, and file by file: a run may be larger than the memory
        with tempfile.TemporaryFile() as archive:
            try:
                # a link in the folder may lead out of what is served
                files = {f"{name}/{inner}": file for inner, file in files_of_folder(folder).items() if self._serves(file)}
                zip_files(files, archive)
            except OSError as problem:
                self._refuse(HTTPStatus.NOT_FOUND, f"cannot be read ({problem.strerror})")
                return
            if files:
                self._send_file(archive, "application/zip")
            else:
                self._refuse(HTTPStatus.NOT_FOUND, "holds no file of a run")

    def _serves(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self.server.folder)

    def _send(self, content: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send_file(io.BytesIO(content), kind, status)

    def _send_file(self, content: IO[bytes], kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        """Sends all of it, piece by piece."""
        left = content.seek(0, os.SEEK_END)
        content.seek(0)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(left))
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self._allow_origin()
        self.end_headers()
        # a file that is being written may have grown, or have been cut off
        while self.command != "HEAD" and left > 0 and (piece := content.read(min(left, _PIECE))):
            self.wfile.write(piece)
            left -= len(piece)
        self.close_connection |= self.command != "HEAD" and left > 0

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self._send(f"{why}\n".encode(), "text/plain; charset=utf-8", status)

    def _allow_origin(self) -> bool:
        origin = self.headers.get("Origin")
        allowed = "*" if "*" in self.server.origins else origin if origin in self.server.origins else None
        if allowed is not None:
            self.send_header("Access-Control-Allow-Origin", allowed)
            self.send_header("Vary", "Origin")
        return allowed is not None

    def _is_ours(self) -> bool:
        """False for a foreign name that was made to point here: another site's page must not read local runs."""
        bound = str(self.server.server_address[0])
        if self.server.any_name or not (bound.startswith("127.") or bound == "::1"):
            return True
        name = urlsplit(f"//{self.headers.get('Host', '')}").hostname
        return name in ("localhost", "::1") or (name or "").startswith("127.")

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: what goes wrong is said in the answer."""


def _list(runs: list[Found]) -> str:
    rows = [
        f'<li><a href="crema.html#url={quote(run.url)}">{html.escape(run.label)}</a>'
        f"{' being recorded' if run.is_running else ''}"
        f' <a class="file" href="{html.escape(run.archive)}" download>zip</a></li>'
        for run in runs
    ]
    several = "&".join(f"url={quote(run.url)}" for run in runs)
    together = f'<p><a href="crema.html#{several}">Open all {len(runs)} side by side</a></p>' if 1 < len(runs) <= 12 else ""
    known = "metrics.json, tasks.json or dask_profiles.json"
    nothing = f"<p>No runs here: no folder with {known}, and no .zip.</p>" if not runs else ""
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Crema: runs</title>
<style>
  :root {{ color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }}
  body {{ max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }}
  h1 {{ font-size: 1.2rem; font-weight: 600; }}
  ul {{ list-style: none; padding: 0; }}
  li {{ display: flex; justify-content: space-between; border-bottom: 1px solid #8884; padding: .3rem 0; }}
  a {{ color: inherit; text-underline-offset: .2em; }}
  .file {{ opacity: .6; }}
</style>
<h1>Runs</h1>
<ul>{"".join(rows)}</ul>{nothing}
{together}<p><a href="crema.html">Open Crema</a> without a run.</p>
</html>
"""


def serve(
    folder: str | os.PathLike[str],
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    origins: Iterable[str] = (),
    any_name: bool = False,
) -> None:
    """Serves ``folder`` until interrupted. See ``Server``."""
    with Server(Path(folder).expanduser(), host, port, origins, any_name=any_name) as server:
        runs = len(find_runs(server.folder))
        print(f"{runs} {'run' if runs == 1 else 'runs'} of {server.folder} at {server.url}  (Ctrl-C ends)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
