"""A JupyterLab of its own, with its own settings, and a Chromium that looks at it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

TOKEN = "a-token-for-tests"
PATIENCE = 300_000  # [ms] what is waited for always comes: this ends what hangs, on a machine however busy


@dataclass
class Lab:
    """A running server; ``root`` is the folder that it shows."""

    url: str
    root: Path

    def address(self, notebook: str, app: str = "lab/tree") -> str:
        # `reset`: without the tabs that another test left open
        return f"{self.url}{app}/{notebook}?token={TOKEN}&reset"


@contextmanager
def running_lab(folder: Path) -> Iterator[Lab]:
    root = folder / "work"
    root.mkdir()
    places = {f"JUPYTER_{name.upper()}_DIR": str(folder / name) for name in ("config", "data", "runtime")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"]
    # news and extensions of the network are none of ours
    options = [
        f"--IdentityProvider.token={TOKEN}",
        f"--ServerApp.root_dir={root}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.news_url=",
    ]
    log = (folder / "lab.log").open("w")
    server = subprocess.Popen(
        command + options, cwd=root, env={**os.environ, **places, "IPYTHONDIR": str(folder / "ipython")}, stdout=log, stderr=log
    )
    try:
        yield Lab(_url_of(server, folder), root)
    finally:
        server.terminate()
        server.wait(PATIENCE / 1000)
        log.close()


def _url_of(server: subprocess.Popen[bytes], folder: Path) -> str:
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until and server.poll() is None:
        for file in (folder / "runtime").glob("jpserver-*.json"):
            try:
                return str(json.loads(file.read_text())["url"])
            except (ValueError, KeyError):  # being written
                continue
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start: {(folder / 'lab.log').read_text()[-2000:]}")


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CREMA_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no Chromium")
    arguments = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def write_notebook(path: Path, *cells: str) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def run_all(page: Any) -> None:
    """Runs every cell as a user does, and saves."""
    page.locator(".jp-Notebook").wait_for(timeout=PATIENCE)
    # a cell run before its kernel is there waits for it, a menu used before the notebook is ready does nothing
    page.get_by_text("| Idle").first.wait_for(timeout=PATIENCE)
    page.get_by_text("Run", exact=True).first.click()
    page.get_by_text("Run All Cells", exact=True).click()


def save(page: Any, path: Path) -> None:
    page.keyboard.press("Control+s")
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        if any(cell.get("outputs") for cell in nbformat.read(path, 4).cells):
            return
        page.wait_for_timeout(200)
    raise AssertionError("the notebook was not saved")


def shown_in(page: Any, *texts: str, of: str = ".html") -> Any:
    """The frame in a cell's output whose address holds ``of``, once all of ``texts`` can be read in it."""
    until = time.monotonic() + PATIENCE / 1000
    read = "nothing"
    while time.monotonic() < until:
        for frame in page.frames[1:]:
            if of not in frame.url:
                continue
            read = frame.evaluate("document.body?.innerText ?? ''")
            if all(text in read for text in texts):
                return frame
        page.wait_for_timeout(200)
    raise AssertionError(f"the output does not show {texts}, but: {read[:500]}")


def until_true(frame: Any, expression: str) -> None:
    """Asks again and again; the page's policy forbids Playwright's own way of waiting, which evaluates text."""
    until = time.monotonic() + PATIENCE / 1000
    while not frame.evaluate(expression):
        assert time.monotonic() < until, f"never true: {expression}"
        time.sleep(0.2)


def read_all(page: Any, *texts: str) -> None:
    """Waits until all of ``texts`` can be read in ``page``."""
    until = time.monotonic() + PATIENCE / 1000
    while not all(text in (read := page.evaluate("document.body?.innerText ?? ''")) for text in texts):
        assert time.monotonic() < until, f"the page does not show {texts}, but: {read[:500]}"
        page.wait_for_timeout(200)
