"""An answer of the core: named columns of one length, with units and formulas."""

from __future__ import annotations

import html
import os
import shutil
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cremascope._core import Table

#: Rows that a notebook shows, and ``print``.
_SHOWN = 20


class Answer:
    """A table. Whatever takes Arrow's PyCapsule interface takes it: ``pyarrow.table(answer)``, ``polars.DataFrame(answer)``.

    Numbers are in the unit of their column: "s", "byte", "1" for a fraction, "count". What is missing is null there, None
    in ``answer["column"]`` and NaN in NumPy and pandas; it is never 0. Counts that are all whole are int.

    ``len(answer)`` are its rows, which ``for row in answer`` takes one by one as dicts; ``answer[0]`` is the first,
    ``answer[:3]`` are three. ``answer["duration"]`` is a column, ``"duration" in answer`` says whether there is one.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._about = {column["name"]: (index, column) for index, column in enumerate(table.columns)}

    @property
    def question(self) -> str:
        """What was asked, by the name in docs/questions.md."""
        return self._table.question

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self._about)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column that has one."""
        return {name: column["unit"] for name, (_, column) in self._about.items() if column["unit"]}

    @property
    def formulas(self) -> dict[str, str]:
        """How each column is computed that the bundle does not say itself."""
        return {name: column["formula"] for name, (_, column) in self._about.items() if column["formula"]}

    @property
    def notes(self) -> dict[str, str | float]:
        """What is to be said of the answer as a whole: totals, means, reasons."""
        return self._table.notes

    def __len__(self) -> int:
        return self._table.rows

    def __contains__(self, column: object) -> bool:
        """Whether it has a column of that name."""
        return column in self._about

    @overload
    def __getitem__(self, which: str) -> list[Any]: ...
    @overload
    def __getitem__(self, which: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, which: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, which: str | int | slice) -> Any:
        """The values of a column, of a matrix a list for each row; or a row, or rows, as dicts.

        Raises KeyError for a column that there is not, IndexError for such a row.
        """
        if isinstance(which, slice):
            return list(self.rows())[which]
        if isinstance(which, int):
            if not -len(self) <= which < len(self):
                raise IndexError(f"there is no row {which}: {self.question} has {len(self)}")
            return {name: self[name][which] for name in self.columns}
        if which not in self._about:
            raise KeyError(f"{self.question} has no column {which!r}; it has {', '.join(self.columns)}")
        return self._table.values(self._about[which][0])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows as dicts, in order."""
        names = self.columns
        for values in zip(*(self[name] for name in names), strict=True):
            yield dict(zip(names, values, strict=True))

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``; its ``attrs`` have the question, units, formulas and notes.

        Raises ImportError without pandas; with pyarrow it takes a third of the time. Numbers are float64 with NaN for what
        is missing, counts int64 where none is, texts are ``str``; flags are ``bool``, or objects where one is missing; the
        cells of a matrix column are lists.
        """
        import pandas

        try:
            import pyarrow
        except ImportError:
            frame = pandas.DataFrame({name: pandas.Series(self[name], dtype=self._dtype(name)) for name in self.columns})
        else:
            frame = pyarrow.table(self).to_pandas()
        frame.attrs = {"question": self.question, "units": self.units, "formulas": self.formulas, "notes": self.notes}
        return frame

    def _dtype(self, name: str) -> str | None:
        column = self._about[name][1]
        if column["type"] != "number" or column["matrix"]:
            return None
        return "int64" if len(self) and all(isinstance(value, int) for value in self[name]) else "float64"

    def to_csv(self) -> str:
        """CSV with a header "name [unit]", as ``crema ask --csv`` prints it."""
        return self._table.csv()

    def to_json(self, *, explain: bool = False) -> str:
        """JSON as ``crema ask --json`` prints it; ``explain`` adds the formulas."""
        return self._table.json(explain)

    def to_text(self, *, explain: bool = False) -> str:
        """Aligned text, as ``crema ask`` prints it; ``explain`` adds the formulas."""
        return self._table.text(explain)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes it as Parquet, with units and formulas in the fields' metadata. Raises ImportError without pyarrow."""
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.table(self), path)

    def to_arrow(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a file of Arrow's IPC format ("Feather"). Raises ImportError without pyarrow."""
        import pyarrow

        table = pyarrow.table(self)
        with pyarrow.OSFile(os.fspath(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)

    def __arrow_c_schema__(self) -> object:
        return self._table.schema_capsule()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """One batch. Types are as they are: what was requested is a wish, by the interface's own words."""
        del requested_schema
        return self._table.stream_capsule()

    def __repr__(self) -> str:
        return f"<Answer {self.question}: {len(self)} rows of {', '.join(self.columns)}>"

    def __str__(self) -> str:
        """For people: the columns that fit the terminal, as ``crema ask`` prints them there, and the first rows."""
        return self._table.fitted(shutil.get_terminal_size().columns, _SHOWN, "to_text() has all").rstrip("\n")

    def _repr_html_(self) -> str:
        def head(name: str) -> str:
            unit = self.units.get(name, "")
            title = html.escape(self.formulas.get(name, ""))
            return f'<th title="{title}">{html.escape(name)}{f" [{html.escape(unit)}]" if unit else ""}</th>'

        def cell(value: Any) -> str:
            shown = "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
            return f"<td>{html.escape(shown)}</td>"

        names = self.columns
        cells = [self[name][:_SHOWN] for name in names]
        rows = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in zip(*cells, strict=True))
        more = f"<p>{_SHOWN} of {len(self)} rows</p>" if len(self) > _SHOWN else ""
        return f"<table><thead><tr>{''.join(map(head, names))}</tr></thead><tbody>{rows}</tbody></table>{more}"
