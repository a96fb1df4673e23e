"""``show`` in a real JupyterLab: numbers in the cell's output, which survive whatever happens to a notebook."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import nbformat
import pytest

from ..conftest import RECORDED
from .lab import PATIENCE, Lab, read_all, run_all, save, shown_in, until_true, write_notebook

#: Of the recorded run, by roastcoffea: 70.472 s elapsed on 4 cores, 30.354 kHz of events, 2,139,123 events.
NUMBERS = ("10.5", "30.4", "2.14", "282")


@pytest.fixture(scope="module")
def shown(lab: Lab, browser: Any) -> Path:
    """A notebook in a folder of an awkward name, run and saved."""
    path = lab.root / "a b 100%é" / "run.ipynb"
    write_notebook(path, f"import cremascope as crema\ncrema.show({str(RECORDED / 'local-4x1')!r})")
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    open_notebook(page, lab, path)
    run_all(page)
    shown_in(page, *NUMBERS)
    save(page, path)
    page.close()
    return path


def open_notebook(page: Any, lab: Lab, path: Path, app: str = "lab/tree") -> None:
    page.goto(lab.address(quote(path.relative_to(lab.root).as_posix()), app))


def test_numbers_appear_in_the_output_and_survive_a_reload(lab: Lab, shown: Path, page: Any) -> None:
    # in a browser that knows nothing of the one that ran it
    open_notebook(page, lab, shown)
    shown_in(page, *NUMBERS)
    page.reload()
    shown_in(page, *NUMBERS)


def test_the_notebook_stays_small(shown: Path) -> None:
    assert shown.stat().st_size < 8_500


def test_the_output_survives_its_kernel(lab: Lab, shown: Path, page: Any) -> None:
    open_notebook(page, lab, shown)
    page.locator(".jp-Notebook").wait_for(timeout=PATIENCE)
    page.get_by_text("Kernel", exact=True).first.click()
    page.get_by_text("Shut Down Kernel", exact=True).click()
    page.reload()
    shown_in(page, *NUMBERS)


def test_without_its_folder_the_output_says_what_the_page_said(lab: Lab, shown: Path, page: Any) -> None:
    alone = lab.root / "alone" / "run.ipynb"
    alone.parent.mkdir()
    alone.write_bytes(shown.read_bytes())
    open_notebook(page, lab, alone)
    page.get_by_text("its page is not beside this notebook: run the cell again").wait_for(timeout=PATIENCE)
    assert page.locator(".jp-OutputArea-output iframe").count() == 0
    assert page.locator(".jp-OutputArea-output img[alt='core-time by part']").count() == 1


def test_what_was_trusted_shows_no_hint_and_what_is_not_shows_a_sentence(lab: Lab, shown: Path, page: Any) -> None:
    open_notebook(page, lab, shown)
    shown_in(page, *NUMBERS)
    page.get_by_text("not shown below?").wait_for(state="detached", timeout=PATIENCE)

    foreign = shown.with_name("foreign.ipynb")
    notebook = nbformat.read(shown, 4)
    notebook.cells[0].source += "  # changed elsewhere"
    nbformat.write(notebook, foreign)
    open_notebook(page, lab, foreign)
    page.get_by_text("not shown below? Trust this notebook").wait_for(timeout=PATIENCE)
    assert page.locator(".jp-OutputArea-output iframe").count() == 0
    assert page.locator(".jp-OutputArea-output a", has_text="local-4x1").count() == 1


def test_the_link_opens_the_whole_page_in_a_tab(lab: Lab, shown: Path, page: Any) -> None:
    open_notebook(page, lab, shown)
    shown_in(page, *NUMBERS)
    link = page.locator(".jp-OutputArea-output a[title='Open in a tab of its own']")
    link.wait_for(timeout=PATIENCE)
    with page.context.expect_page(timeout=PATIENCE) as opened:
        link.click()
    read_all(opened.value, *NUMBERS)
    assert "_xsrf" not in opened.value.url  # the address can be passed on
    assert "embed" not in opened.value.url


def test_the_page_follows_the_theme_and_may_copy_and_fill_the_screen(lab: Lab, shown: Path, page: Any) -> None:
    open_notebook(page, lab, shown)
    inner = shown_in(page, *NUMBERS)
    until_true(inner, "location.hash.includes('theme=light')")
    # what JupyterLab's own themes do
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    until_true(inner, "location.hash.includes('theme=dark')")
    # moving a cell loads its frame anew: it must hear the theme again
    page.evaluate("const frame = document.querySelector('.jp-OutputArea-output iframe'); frame.src = frame.src")
    inner = shown_in(page, *NUMBERS)
    until_true(inner, "location.hash.includes('theme=dark')")
    assert inner.evaluate("document.featurePolicy.allowsFeature('clipboard-write')")
    assert inner.evaluate("document.fullscreenEnabled")
    # no authority over the notebook server
    assert inner.evaluate("self.origin") == "null"


def test_the_same_in_jupyter_notebook(lab: Lab, shown: Path, page: Any) -> None:
    open_notebook(page, lab, shown, "notebooks")
    shown_in(page, *NUMBERS)


def test_an_iframe_of_ones_own_shows_a_report(lab: Lab, page: Any) -> None:
    path = lab.root / "own.ipynb"
    write_notebook(
        path,
        "import cremascope as crema\n"
        f"from IPython.display import IFrame\ncrema.report({str(RECORDED / 'local-4x1')!r}, 'crema.html')",
        "IFrame('crema.html#embed', '100%', 600)",
    )
    open_notebook(page, lab, path)
    run_all(page)
    shown_in(page, *NUMBERS)


def test_after_chdir_the_report_still_lies_beside_the_notebook(lab: Lab, page: Any) -> None:
    path = lab.root / "moved" / "run.ipynb"
    write_notebook(
        path, f"import os, cremascope as crema\nos.chdir('/')\ncrema.show({str(RECORDED / 'local-4x1')!r}, view='chunks')"
    )
    open_notebook(page, lab, path)
    run_all(page)
    inner = shown_in(page, "Chunk run time")
    assert [file.name for file in (path.parent / "crema-reports").iterdir()]
    until_true(inner, "location.hash.includes('view=compute')")


def test_an_html_export_beside_the_reports_shows_them(shown: Path, page: Any) -> None:
    subprocess.run([sys.executable, "-m", "nbconvert", "--to", "html", str(shown)], check=True, capture_output=True)
    page.goto(shown.with_suffix(".html").as_uri())
    shown_in(page, *NUMBERS)


def test_the_launcher_has_a_tile_that_serves_the_runs_behind_the_servers_login(lab: Lab, page: Any) -> None:
    copytree(RECORDED / "scale-1", lab.root / "runs" / "scale-1")
    proxied = f"{lab.url}crema/"
    with urlopen(f"{proxied}runs/runs/scale-1.zip") as answer:  # without the server's token there is a login, and no run
        assert "/login" in answer.url
    page.goto(lab.address("", "lab"))
    page.locator(".jp-LauncherCard", has_text="Crema").first.wait_for(timeout=PATIENCE)
    # the browser has the login's cookie now, and no token in the address
    page.goto(proxied)
    page.get_by_role("link", name="runs/scale-1", exact=True).click(timeout=PATIENCE)
    read_all(page, "scale-1", "Where the core-time went")
