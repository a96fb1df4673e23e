"""Writes docs/python-api.md: every public name of the package, as its docstrings say it. A test fails when it is out of date.

python3 python/reference.py
"""

import ast
import inspect
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "python-api.md"
HEAD = """# Every name of the Python package

<!-- Written by `python3 python/reference.py` from the docstrings; a test fails when it is out of date. -->

`import cremascope as crema` has these names. [In Python and notebooks](python.md) shows them at work;
what can be asked of runs is in [every question](questions.md).
"""


def prose(text: str) -> str:
    """A docstring as Markdown: paragraphs on one line each, code in fences, pages as links."""
    blocks = []
    for block in inspect.cleandoc(text).split("\n\n"):
        if block.startswith("    "):
            blocks.append(f"```python\n{textwrap.dedent(block)}\n```")
        else:
            line = re.sub(r"::$", ":", block.replace("\n", " ")).replace("``", "`")
            blocks.append(re.sub(r"docs/([\w-]+\.md)", r"[\1](\1)", line))
    return "\n\n".join(blocks)


def signature(name: str, node: ast.FunctionDef) -> str:
    """How it is called: without ``self``, on one line or one for each parameter."""
    given = node.args
    owned = [*given.posonlyargs, *given.args]
    if owned and owned[0].arg in ("self", "cls"):
        (given.posonlyargs or given.args).pop(0)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    parts = [re.sub(r"(?<=\w)(: [^=]+)=", r"\1 = ", one) for one in re.split(r", (?![^\[]*\])", ast.unparse(given))]
    line = f"{name}({', '.join(parts)}){returned}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returned}"


def members(of: type) -> list[tuple[str, ast.stmt, str]]:
    """Name, node and docstring of what a class offers, inherited ones last: methods, properties, documented attributes."""
    found: dict[str, tuple[str, ast.stmt, str]] = {}
    for base in of.__mro__:
        if not base.__module__.startswith("cremascope"):
            continue
        body = parsed(base).body
        init = next((one for one in body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        for node, after in [*pairs(body), *pairs(init.body if init else [])]:
            doc = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else None
            if isinstance(node, ast.FunctionDef):
                name, doc = node.name, ast.get_docstring(node)
            elif isinstance(node, ast.AnnAssign):
                name = ast.unparse(node.target).removeprefix("self.")
            else:
                continue
            if doc and not name.startswith("_"):
                found.setdefault(name, (name, node, doc))
    return list(found.values())


def pairs(body: list[ast.stmt]) -> list[tuple[ast.stmt, ast.stmt | None]]:
    return list(zip(body, [*body[1:], None]))  # noqa: B905 (none of an empty body)


def parsed(of: object) -> ast.ClassDef | ast.FunctionDef:
    return ast.parse(textwrap.dedent(inspect.getsource(of))).body[0]


def entry(name: str, it: object) -> str:
    """The section of one name: a class, or what is called."""
    if isinstance(it, str):
        return f"## {name}\n\nThe package's version.\n"
    node = parsed(it if inspect.isroutine(it) or inspect.isclass(it) else type(it).__call__)
    if isinstance(node, ast.FunctionDef):
        return f"## {name}\n\n```python\n{signature(name, node)}\n```\n\n{prose(ast.get_docstring(node) or '')}\n"
    text = f"## {name}\n\n{prose(ast.get_docstring(node) or '')}\n"
    for member, what, doc in members(it):
        if isinstance(what, ast.FunctionDef) and "property" not in map(ast.unparse, what.decorator_list):
            shown = signature(f".{member}", what)
        else:
            shown = f".{member}: {ast.unparse(what.returns if isinstance(what, ast.FunctionDef) else what.annotation)}"
        text += f"\n### {name}.{member}\n\n```python\n{shown}\n```\n\n{prose(doc)}\n"
    return text


def page() -> str:
    import cremascope

    return "\n".join([HEAD, *(entry(name, getattr(cremascope, name)) for name in sorted(cremascope.__all__, key=str.lower))])


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    PAGE.write_text(page(), encoding="utf-8")
