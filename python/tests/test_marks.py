"""What is known of tasks whose workers went without a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cremascope.marks import Marks
from cremascope.task.running import write_mark


def mark(thread: int, begin: float, **more: Any) -> dict[str, Any]:
    return {"host": "h", "pid": 7, "thread": thread, "begin": begin, "file": f"f{thread}.root"} | more


def test_what_has_begun_and_not_ended_runs() -> None:
    marks = Marks()
    assert not marks.are_heard()
    marks.begun(mark(1, 10.0))
    marks.begun(mark(2, 11.0))
    marks.ended(mark(1, 10.0))
    assert marks.are_heard()
    assert marks.take(lambda _: True) == [mark(2, 11.0)]
    assert marks.take(lambda _: True) == []  # it is lost once
    marks.begun(mark(1, 12.0))
    marks.ended(mark(1, 12.0))
    marks.ended(mark(1, 12.5))  # tried again by the same thread
    assert marks.take(lambda _: True) == []


def test_marks_of_files_are_the_last_of_each_thread() -> None:
    marks = Marks()
    folder = marks.folder()
    assert folder is not None
    for begin in (1.0, 2.0):
        write_mark(folder, mark(1, begin, text="long" if begin == 1.0 else ""))
    (Path(folder) / "broken").write_text('{"host": "h"')
    assert marks.take(lambda row: row["file"] == "f1.root") == [mark(1, 2.0, text="")]
    marks.close()
    assert not Path(folder).exists()
