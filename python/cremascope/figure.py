"""Pictures that need no page: where the core-time of runs went, as one bar each, and what stands in for the page without it."""

from __future__ import annotations

import base64
import html
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cremascope.write import replace_file

if TYPE_CHECKING:
    from cremascope.runs import Runs

#: Colours of the page's light theme (web/styles/tokens.css), by part of the budget in the order in which they stand.
_COLOURS = {
    "inside_process": "#2a6fb0",
    "processor_tasks": "#2a6fb0",
    "outside_process": "#cc7619",
    "lost_work": "#6b2d2a",
    "task": "#81547c",
    "other_tasks": "#81547c",
    "not_in_process": "#d9d2c7",
    "idle": "#d9d2c7",
}
#: Shares of less are in none of the legends.
_SMALL = 0.005
_WIDTH, _BAR, _LINE, _EDGE = 760, 26, 17, 8
#: [px] What a character takes on average, with room to spare: 6.4 in DejaVu Sans, a wide font.
_CHARACTER = 7.0
#: Findings that stand in for the page, and characters of what each is based on.
_MOST_FINDINGS, _MOST_CHARACTERS = 8, 400
#: Runs that stand in for the page.
_MOST_RUNS = 4


class Figure:
    """A picture. A notebook shows it; ``svg`` is its text, ``save`` writes it."""

    def __init__(self, bars: list[tuple[str, list[tuple[str, float, str]]]]) -> None:
        self._bars = bars
        self.svg: str = _svg(bars)
        """The picture as SVG."""

    def __repr__(self) -> str:
        return f"<Figure of {', '.join(title for title, _ in self._bars)}: .save('core_time.svg') writes it>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes it as ``.svg``, or as what matplotlib writes (``.pdf``, ``.png``), where that is installed; returns the path.

        Raises ImportError without matplotlib for anything but ``.svg``.
        """
        target = Path(path).expanduser()
        if target.suffix.lower() == ".svg":
            replace_file(target, self.svg.encode())
            return target
        try:
            from matplotlib.figure import Figure as Canvas
        except ImportError:
            raise ImportError(f"{target.name}: only .svg is written without matplotlib (pip install matplotlib)") from None
        canvas = Canvas(figsize=(8, 0.8 + 0.7 * len(self._bars)), layout="constrained")
        axes = canvas.subplots()
        labelled: set[str] = set()
        for place, (title, parts) in enumerate(reversed(self._bars)):
            left = 0.0
            for label, share, colour in parts:
                axes.barh(title, 100 * share, left=100 * left, color=colour, label=None if label in labelled else label)
                labelled.add(label)
                left += share
            axes.set_ylim(-0.6, place + 0.6)
        axes.set_xlabel("share of the core-time [%]")
        canvas.legend(loc="outside upper center", ncols=3, frameon=False)
        canvas.savefig(target)
        return target


def core_time_figure(runs: Runs) -> Figure:
    """A bar for each run: the shares of the available core-time, of ``budget``. Raises ValueError where no run has one."""
    bars = []
    for run, title in zip(runs, runs.titles, strict=True):
        parts = [
            (row["label"], row["share"], _colour(row["part"]))
            for row in sorted(run._answer("budget", {}).rows(), key=lambda row: _rank(row["part"]))
            if row["split"] == "phase" and (row["share"] or 0) >= _SMALL
        ]
        if parts:
            bars.append((title, parts))
    if not bars:
        raise ValueError("how much core-time there was is not recorded: the workers and their cores are not known")
    return Figure(bars)


def standing_in(runs: Runs) -> str:
    """HTML of what runs say where the page is not shown: verdict, core-time and findings; no scripts, 40 kB at most."""
    said = []
    for run, title in list(zip(runs, runs.titles, strict=True))[:_MOST_RUNS]:
        notes = run._answer("core_time_tree", {"depth": 1}).notes
        sentences = " ".join(str(notes[name]) for name in ("verdict", "limits") if name in notes)
        said.append(
            f"<p><b>{html.escape(title)}</b>: {html.escape(sentences or 'where its core-time went is not recorded')}</p>"
        )
        try:
            picture = base64.b64encode(core_time_figure(run).svg.encode()).decode("ascii")
            said.append(f'<p><img alt="core-time by part" src="data:image/svg+xml;base64,{picture}"></p>')
        except ValueError:
            pass
        rows = list(run._answer("findings", {}).rows())[:_MOST_FINDINGS]
        items = "".join(
            f"<li><b>{html.escape(row['title'])}</b> {html.escape(_cut(row['evidence'] or ''))}</li>" for row in rows
        )
        said.append(f"<ol>{items}</ol>" if items else "")
    more = len(runs) - _MOST_RUNS
    return "".join(said) + (f"<p>{more} more runs</p>" if more > 0 else "")


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"


def _colour(part: str) -> str:
    return _COLOURS.get("task" if part.startswith("task:") else part, "#81547c")


def _rank(part: str) -> int:
    kinds = list(_COLOURS)
    kind = "task" if part.startswith("task:") else part
    return kinds.index(kind) if kind in kinds else len(kinds)


def _svg(bars: list[tuple[str, list[tuple[str, float, str]]]]) -> str:
    drawn: list[str] = []
    y = float(_EDGE)

    def text(x: float, words: str, more: str = "") -> None:
        drawn.append(f'<text x="{x:g}" y="{y:g}"{more}>{_xml(words)}</text>')

    for title, parts in bars:
        y += 13
        text(_EDGE, title, ' font-weight="600"')
        y += 7
        x, whole = float(_EDGE), _WIDTH - 2 * _EDGE
        for label, share, colour in parts:
            width = whole * share
            about = f"<title>{_xml(label)}: {100 * share:.3g} %</title>"
            drawn.append(f'<rect x="{x:.2f}" y="{y:g}" width="{width:.2f}" height="{_BAR}" fill="{colour}">{about}</rect>')
            x += width
        y += _BAR
        y += _LINE
        x = float(_EDGE)
        for label, share, colour in parts:
            words = f"{label} {100 * share:.3g} %"
            width = 14 + _CHARACTER * len(words)
            if x + width > _WIDTH - _EDGE and x > _EDGE:
                x = float(_EDGE)
                y += _LINE
            drawn.append(f'<rect x="{x:g}" y="{y - 9:g}" width="9" height="9" fill="{colour}"/>')
            text(x + 14, words)
            x += width + 2 * _EDGE
        y += _EDGE
    style = 'font-family="system-ui, sans-serif" font-size="12" fill="#1f1a14"'
    body = "".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{y:g}" viewBox="0 0 {_WIDTH} {y:g}" {style}>'
        f'<rect width="100%" height="100%" fill="#fffdf9"/>{body}</svg>'
    )


def _xml(text: Any) -> str:
    """As XML holds it, without the control characters that it cannot hold."""
    return html.escape("".join(one for one in str(text) if one >= " "))
