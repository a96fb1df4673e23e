"""``show`` without a notebook: what it writes and what it says. In JupyterLab itself: test_jupyter.py."""

from __future__ import annotations

import html
import html.parser
import json
import types
from pathlib import Path

import pytest

import cremascope as crema
from cremascope.bundle import BundleError

from .conftest import RECORDED


class Elements(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str | None]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found[tag] = dict(attributes)


@pytest.fixture(autouse=True)
def in_notebook_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_frame_shows_a_visible_file_below_the_notebook_by_a_quoted_relative_path(recorded: Path, tmp_path: Path) -> None:
    shown = crema.show(recorded, name="100%é <run>", view="chunks", height=400)
    assert shown.path.parent == tmp_path / "crema-reports"
    frame = Elements(shown._repr_html_()).found["iframe"]
    source = frame["src"] or ""
    url, _, link = source.partition("#")
    assert url == shown.url
    assert url.startswith("crema-reports/100-%C3%A9-run-")
    assert url.endswith(".html")
    assert "?" not in source  # notebook servers put their own there
    assert link == "embed&v=2&view=chunks"
    assert (frame["width"], frame["height"]) == ("100%", "400")
    # JupyterLab allows the clipboard only to frames that are given it, and fullscreen then only by name
    assert frame["allow"] == "clipboard-write *; fullscreen *"
    assert "sandbox" not in frame  # JupyterLab's own is there already


def test_an_untrusted_notebook_still_has_a_sentence_and_a_link(recorded: Path) -> None:
    text = crema.show(recorded)._repr_html_()
    sentence, _, rest = text.partition("<iframe")
    assert "Trust this notebook" in sentence
    assert 'href="crema-reports/local-4x1-' in sentence
    assert "<script" not in sentence
    assert "<script" in rest


def test_the_same_run_is_the_same_file_in_any_view_and_another_is_another(recorded: Path) -> None:
    first, again = crema.show(recorded), crema.show(recorded, view="flame")
    other = crema.show(recorded.parent / "scale-1", name="local-4x1")
    assert first.path == again.path
    assert other.path != first.path
    assert other.path.parent == first.path.parent


@pytest.mark.parametrize("folder", ["../elsewhere", ".hidden", "a/.b", "/absolute"])
def test_folders_that_notebook_servers_do_not_show_are_refused(recorded: Path, folder: str) -> None:
    with pytest.raises(ValueError, match="visible folders below the notebook"):
        crema.show(recorded, folder=folder)


def test_the_notebooks_folder_is_where_the_kernel_began(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = types.SimpleNamespace(user_ns={"_dh": [str(tmp_path)]})
    monkeypatch.setitem(__import__("sys").modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert crema.show(recorded).path.parent == tmp_path / "crema-reports"


def test_outside_a_notebook_the_file_is_named(recorded: Path) -> None:
    shown = crema.show(recorded)
    assert repr(shown) == f"Crema: local-4x1 in {shown.path}"


def test_without_the_page_the_output_says_verdict_core_time_and_findings(recorded: Path) -> None:
    """What a code host, a mail and a notebook without its folder show: no frame, no script."""
    output = crema.show(recorded)._repr_html_()
    summary = output[output.index("<div class=") : output.index("</div>")]
    assert "4 threads on 127.0.0.1 got only 1.1 cores" in summary
    assert "84.3 % of the core-time was in process()" in summary
    assert summary.count('<img alt="core-time by part" src="data:image/svg+xml;base64,') == 1
    assert summary.count("<li>") == len(list(crema.open(recorded).ask("findings").rows()))
    assert "<script" not in summary
    # host.js takes away what has this class once the page answers
    assert f'<div class="{Elements(output).found["iframe"]["name"]}"' in output


def test_without_the_page_two_runs_say_first_what_changed() -> None:
    before, after = RECORDED / "ab-before", RECORDED / "ab-after"
    output = crema.show([before, after], view="compare")._repr_html_()
    summary = output[output.index("<div class=") : output.index("</div>")]
    sentence = crema.verdict(before, after).notes["sentence"]
    assert f"<p><b>ab-before (A) → ab-after (B)</b>: {html.escape(sentence)}</p>" in summary
    assert len(output.encode()) <= 40_000


@pytest.mark.parametrize("folder", sorted(path for path in RECORDED.iterdir() if (path / "metrics.json").exists()), ids=str)
def test_an_output_is_40_kb_at_most(folder: Path) -> None:
    assert len(crema.show(folder)._repr_html_().encode()) <= 40_000


def test_a_view_is_known_in_capitals_too(recorded: Path) -> None:
    assert "view=flame" in crema.show(recorded, view="Flame")._repr_html_()
    with pytest.raises(ValueError, match="there is no view 'flames'; there are summary, timelines"):
        crema.show(recorded, view="flames")


def host_data(text: str) -> dict[str, object]:
    """What host.js is given beside the frame's name."""
    found: dict[str, object] = json.loads(text.rpartition("})(")[2].partition(", ")[2].removesuffix(");</script>"))
    return found


def test_outside_a_notebook_nothing_waits_for_a_recording(tmp_path: Path) -> None:
    recording = crema.record("runs/zprime")
    with pytest.raises(BundleError, match=r"zprime'> has not begun, and a page by itself cannot wait for it: show it after"):
        crema.show(recording)
    assert not (tmp_path / "crema-reports").exists()


def test_a_recording_is_followed_before_its_block_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cremascope.notebook.is_notebook", lambda: True)
    (tmp_path / "runs" / "old").mkdir(parents=True)
    (tmp_path / "runs" / "old" / "metrics.json").write_text("{}")
    fresh, beside = crema.record("runs/new run"), crema.record("runs/old")
    shown = crema.show(fresh)
    assert shown.path.parent == tmp_path / "crema-reports"
    assert "crema-report" not in shown.path.read_text().partition("<!--crema-report-->")[0]  # it carries no run
    follows = host_data(shown._repr_html_())
    assert (follows["name"], follows["folders"]) == ("new run", ["../runs/new%20run/"])
    # rows go beside an older recording, which the new one replaces
    assert host_data(beside._repr_html_())["folders"] == ["../runs/old.unfinished/", "../runs/old/"]
    assert crema.show(beside).path == shown.path


def test_a_folder_that_is_being_recorded_is_followed_and_one_that_was_is_a_report(tmp_path: Path) -> None:
    live = tmp_path / "runs" / "live.unfinished"
    live.mkdir(parents=True)
    (live / "tasks.json").write_text('{"state": "running"}')
    follows = host_data(crema.show("runs/live")._repr_html_())
    assert follows == {"name": "live", "folders": ["../runs/live.unfinished/", "../runs/live/"], "since": 0}
    assert host_data(crema.show(live)._repr_html_())["folders"] == ["../runs/live.unfinished/"]
    (live / "tasks.json").write_text('{"state": "complete"}')
    assert "null" in crema.show(live)._repr_html_().rpartition("})(")[2]


def test_a_recording_that_no_notebook_server_hands_out_is_left_to_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cremascope.notebook.is_notebook", lambda: True)
    for place in (tmp_path / ".hidden" / "run", tmp_path.parent / "elsewhere"):
        with pytest.raises(BundleError, match="crema watch"):
            crema.show(crema.record(place))
        assert "nothing is recorded yet" in crema.record(place)._repr_html_()
