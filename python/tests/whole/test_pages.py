"""Reports and the server in a real Chromium."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import cremascope as crema
from cremascope.server import Server

from ..conftest import RECORDED
from .lab import PATIENCE, read_all, shown_in


def test_a_report_opens_from_the_disk(tmp_path: Path, page: Any) -> None:
    path = crema.report(RECORDED / "local-4x1", tmp_path / "a 100%é.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    read_all(page, "local-4x1", "10.5", "30.4", "2.14")
    assert [url for url in asked if url.startswith("http")] == []
    assert page.locator(".needs-scripts").count() == 0


def test_metrics_as_a_dict_are_a_run(tmp_path: Path, page: Any) -> None:
    import json

    metrics = json.loads((RECORDED / "scale-1" / "metrics.json").read_text())
    page.goto(crema.report(metrics, tmp_path / "m.html", name="mine").as_uri())
    read_all(page, "mine", "Where the core-time went")


def test_a_served_folder_lists_its_runs_and_opens_them(page: Any, tmp_path: Path) -> None:
    for name in ("scale-1", "scale-2"):
        (tmp_path / name).symlink_to(RECORDED / name)
    # runs are found in the folder itself: links that lead out of it are not followed
    with Server(tmp_path) as empty, Server(RECORDED) as server:
        for one in (empty, server):
            threading.Thread(target=one.serve_forever, args=(0.02,), daemon=True).start()
        page.goto(empty.url)
        read_all(page, "No runs here")
        page.goto(server.url)
        page.get_by_role("link", name="local-4x1", exact=True).click()
        read_all(page, "local-4x1", "10.5", "30.4", "2.14")
        page.goto(f"{server.url}crema.html#url=runs/scale-1.zip&url=runs/scale-2.zip")
        page.get_by_text("Compare").first.wait_for(timeout=PATIENCE)
        read_all(page, "scale-1", "scale-2")
        for one in (empty, server):
            one.shutdown()


#: Of VS Code's notebooks (microsoft/vscode, backLayerWebView.ts); Colab has none.
VS_CODE = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src https: http: data:;"
    " connect-src https:; child-src https: data:;"
)


@pytest.mark.parametrize("policy", ["", f'<meta http-equiv="Content-Security-Policy" content="{VS_CODE}">'])
def test_editors_that_show_no_files_get_the_page_in_the_output(
    policy: str, page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cremascope.notebook.shows_no_files", lambda: True)
    (tmp_path / "notebook.html").write_text(
        f"<!doctype html>{policy}{crema.show(RECORDED / 'scale-1', view='summary')._repr_html_()}"
    )
    page.goto((tmp_path / "notebook.html").as_uri())
    shown_in(page, "scale-1", "Event rate", "25.6", of="data:")
    too_large = crema.show(RECORDED / "local-4x1")._repr_html_()
    assert "<iframe" not in too_large
    assert f"too large to be shown here. Open {tmp_path}" in too_large


def test_where_scripts_are_not_trusted_the_page_says_so(browser: Any, tmp_path: Path) -> None:
    path = crema.report(RECORDED / "scale-1", tmp_path / "r.html")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    page.get_by_text("In JupyterLab, press “Trust HTML” above").wait_for(timeout=PATIENCE)
    context.close()
