"""Pictures that need no page: where the core-time of runs went, as bars and over time; and what stands in for the page."""

from __future__ import annotations

import base64
import html
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cremascope.write import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator

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
#: Of parts of process(), in their order (Okabe and Ito, who chose them for all eyes), and of those that are beyond.
_PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a500")
_BEYOND = "#bdb5a8"
#: Shares of less are in none of the legends.
_SMALL = 0.005
_WIDTH, _BAR, _LINE, _EDGE = 760, 26, 17, 8
#: Of the picture over time: its height, room for numbers at its left, and how many steps it has.
_HEIGHT, _AXIS, _BINS = 150, 30, 200
#: [px] What a character takes on average, with room to spare: 6.4 in DejaVu Sans, a wide font.
_CHARACTER = 7.0
#: Findings that stand in for the page, and characters of what each is based on.
_MOST_FINDINGS, _MOST_CHARACTERS = 8, 400
#: Runs that stand in for the page.
_MOST_RUNS = 4


class Figure:
    """A picture. A notebook shows it; ``svg`` is its text, ``save`` writes it."""

    def __init__(
        self,
        bars: list[tuple[str, list[tuple[str, float, str]]]],
        what: str = "core_time",
        of: str = "the core-time",
        courses: list[Course] | None = None,
    ) -> None:
        self._bars = bars
        self._what = what
        self._of = of
        self._courses = courses
        self.svg: str = _svg(bars, of if what != "core_time" else "") if courses is None else _svg_over_time(courses)
        """The picture as SVG."""

    def __repr__(self) -> str:
        titles = [one.title for one in self._courses] if self._courses else [title for title, _ in self._bars]
        return f"<Figure of {', '.join(titles)}: .save('{self._what}.svg') writes it>"

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
        if self._courses is not None:
            canvas = Canvas(figsize=(8, 2.6 * len(self._courses)), layout="constrained")
            for axes, course in zip(canvas.subplots(len(self._courses), squeeze=False)[:, 0], self._courses, strict=True):
                course.draw(axes)
            canvas.savefig(target)
            return target
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
        axes.set_xlabel(f"share of {self._of} [%]")
        canvas.legend(loc="outside upper center", ncols=3, frameon=False)
        canvas.savefig(target)
        return target


class Course:
    """The parts of one run's core-time over time: of each its label, its colour and the cores in each bin."""

    def __init__(self, title: str, begin: float, end: float, parts: list[tuple[str, str, list[float]]]) -> None:
        self.title, self.begin, self.end, self.parts = title, begin, end, parts

    def steps(self) -> Iterator[tuple[str, str, list[float], list[float]]]:
        """Label, colour, bottom and top of each part, those below it first."""
        bottom = [0.0] * len(self.parts[0][2])
        for label, colour, cores in self.parts:
            top = [low + more for low, more in zip(bottom, cores, strict=True)]
            yield label, colour, bottom, top
            bottom = top

    @property
    def edges(self) -> list[float]:
        bins = len(self.parts[0][2])
        return [self.begin + (self.end - self.begin) * at / bins for at in range(bins + 1)]

    def draw(self, axes: Any) -> None:
        for label, colour, bottom, top in self.steps():
            axes.stairs(top, self.edges, baseline=bottom, fill=True, color=colour, label=label)
        axes.set(title=self.title, xlabel="time [s]", ylabel="cores", xlim=(self.begin, self.end))
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def figure_of(runs: Runs, what: str) -> Figure:
    """The picture of that name, of ``PICTURES``. Raises ValueError for another, and where nothing to draw was recorded."""
    if what not in PICTURES:
        raise ValueError(f"there is no picture {what!r}; there are {', '.join(PICTURES)}")
    if what == "core_time":
        return core_time_figure(runs)
    return _over_time(runs) if what == "over_time" else _process_figure(runs, what)


#: The pictures that there are.
PICTURES = ("core_time", "over_time", "datasets", "sections", "functions")


def _process_figure(runs: Runs, by: str) -> Figure:
    """A bar for each run: the shares of its time in process(), alike coloured in all of them."""
    bars: list[tuple[str, list[tuple[str, float, bool]]]] = []  # of each part whether it is what was asked for
    for run, title in zip(runs, runs.titles, strict=True):
        try:
            rows = list(run._answer("core_time_tree", {"by": by, "under": "available/inside_process", "depth": 1}).rows())
        except ValueError:  # of which none is known
            continue
        whole = rows[0]["core_seconds"]
        parts = [(row["label"], row["core_seconds"] / whole, row["kind"] == by.removesuffix("s")) for row in rows[1:]]
        if any(is_own for _, _, is_own in parts):
            bars.append((title, parts))
    if not bars:
        raise ValueError(f"no {by} of process() were recorded")
    own = dict.fromkeys(label for _, parts in bars for label, _, is_own in parts if is_own)
    colours = dict(zip(own, _PALETTE, strict=False)) | {
        label: _BEYOND for _, parts in bars for label, _, is_own in parts if not is_own
    }
    shown = []
    for title, parts in bars:
        drawn = [(label, share, colours[label]) for label, share, _ in parts if label in colours and share >= _SMALL]
        rest = 1 - sum(share for _, share, _ in drawn)
        shown.append((title, drawn + ([("the rest", rest, _BEYOND)] if rest >= _SMALL else [])))
    return Figure(shown, by, "the time in process()")


def _over_time(runs: Runs) -> Figure:
    courses = []
    for run, title in zip(runs, runs.titles, strict=True):
        answer = run._answer("core_time_bins", {"bins": _BINS})
        rows = [row for row in answer.rows() if row["part"] != "available"]
        rows = [row for row in rows if any((cores or 0) > 0 for cores in row["cores"])]
        if rows:
            parts = [(row["label"], _colour(row["part"]), [cores or 0.0 for cores in row["cores"]]) for row in rows]
            courses.append(Course(title, float(answer.notes["t0"]), float(answer.notes["t1"]), parts))
    if not courses:
        raise ValueError("how many cores there were over time is not recorded")
    return Figure([], "over_time", courses=courses)


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
    said = [_compared(runs)] if len(runs) == 2 else []
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


def _compared(runs: Runs) -> str:
    """What changed from the first run to the second; nothing where they cannot be compared."""
    with suppress(ValueError):
        titles = " → ".join(f"{title} ({side})" for title, side in zip(runs.titles, "AB", strict=True))
        sentence = str(runs._answer("verdict", {}).notes["sentence"])
        return f"<p><b>{html.escape(titles)}</b>: {html.escape(sentence)}</p>"
    return ""


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"


def _colour(part: str) -> str:
    return _COLOURS.get("task" if part.startswith("task:") else part, "#81547c")


def _rank(part: str) -> int:
    kinds = list(_COLOURS)
    kind = "task" if part.startswith("task:") else part
    return kinds.index(kind) if kind in kinds else len(kinds)


def _text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{more}>{_xml(words)}</text>'


def _legend(y: float, labels: list[tuple[str, str]]) -> tuple[list[str], float]:
    """Words with their colours in lines, the first at ``y``; where the last one stands."""
    drawn, x = [], float(_EDGE)
    for words, colour in labels:
        width = 14 + _CHARACTER * len(words)
        if x + width > _WIDTH - _EDGE and x > _EDGE:
            x = float(_EDGE)
            y += _LINE
        drawn.append(f'<rect x="{x:g}" y="{y - 9:g}" width="9" height="9" fill="{colour}"/>')
        drawn.append(_text(x + 14, y, words))
        x += width + 2 * _EDGE
    return drawn, y


def _svg(bars: list[tuple[str, list[tuple[str, float, str]]]], of: str = "") -> str:
    drawn: list[str] = []
    y = float(_EDGE)
    for title, parts in bars:
        y += 13
        drawn.append(_text(_EDGE, y, f"{title}: {of}" if of else title, ' font-weight="600"'))
        y += 7
        x, whole = float(_EDGE), _WIDTH - 2 * _EDGE
        for label, share, colour in parts:
            width = whole * share
            about = f"<title>{_xml(label)}: {100 * share:.3g} %</title>"
            drawn.append(f'<rect x="{x:.2f}" y="{y:g}" width="{width:.2f}" height="{_BAR}" fill="{colour}">{about}</rect>')
            x += width
        words, y = _legend(y + _BAR + _LINE, [(f"{label} {100 * share:.3g} %", colour) for label, share, colour in parts])
        drawn += words
        y += _EDGE
    return _whole_svg(drawn, y)


def _svg_over_time(courses: list[Course]) -> str:
    drawn: list[str] = []
    y = float(_EDGE)
    left, right = _EDGE + _AXIS, _WIDTH - _EDGE
    for course in courses:
        drawn.append(_text(_EDGE, y + 13, f"{course.title}: cores over time", ' font-weight="600"'))
        y += 20
        most = max(max(top) for _, _, _, top in course.steps())
        place = [left + (right - left) * at / (len(course.edges) - 1) for at in range(len(course.edges))]
        for label, colour, bottom, top in course.steps():
            outline = [(place[at + side], cores) for at, cores in enumerate(top) for side in (0, 1)]
            outline += [(place[at + side], bottom[at]) for at in reversed(range(len(bottom))) for side in (1, 0)]
            points = " ".join(f"{x:.1f},{y + _HEIGHT * (1 - cores / most):.1f}" for x, cores in outline)
            drawn.append(f'<path d="M{points}Z" fill="{colour}"><title>{_xml(label)}</title></path>')
        drawn.append(_text(_EDGE, y + 10, f"{most:.3g}"))
        drawn.append(_text(_EDGE, y + _HEIGHT, "0"))
        y += _HEIGHT + 14
        drawn.append(_text(left, y, f"{course.begin:.3g} s"))
        drawn.append(_text(right, y, f"{course.end:.3g} s", ' text-anchor="end"'))
        words, y = _legend(y + _LINE, [(label, colour) for label, colour, _ in course.parts])
        drawn += words
        y += 2 * _EDGE
    return _whole_svg(drawn, y)


def _whole_svg(drawn: list[str], y: float) -> str:
    style = 'font-family="system-ui, sans-serif" font-size="12" fill="#1f1a14"'
    body = "".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{y:g}" viewBox="0 0 {_WIDTH} {y:g}" {style}>'
        f'<rect width="100%" height="100%" fill="#fffdf9"/>{body}</svg>'
    )


def _xml(text: Any) -> str:
    """As XML holds it, without the control characters that it cannot hold."""
    return html.escape("".join(one for one in str(text) if one >= " "))
