"""``crema``: in Python recording, reports, and a server for a folder of runs; all else is the core's command line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from cremascope.conversion import convert
from cremascope.core import CoreMissingError, core
from cremascope.page import page_path
from cremascope.recording import record_until_interrupted
from cremascope.reporting import report
from cremascope.server import serve
from cremascope.version import __version__
from cremascope.views import VIEWS


def _add_start(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", help="what to call the run")
    parser.add_argument("--view", choices=VIEWS, help="where it begins")
    parser.add_argument("--link", help="where it begins, as copied from the page's address")


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", nargs="+", help="a folder, a .zip or a file")
    parser.add_argument("-o", "--out", help="the file to write (default: NAME.html)")
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there already")
    _add_start(parser)


def _report(chosen: argparse.Namespace) -> None:
    start = {"name": chosen.name, "view": chosen.view, "link": chosen.link}
    print(report(chosen.run, chosen.out, **start, overwrite=chosen.force))


def _add_open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", nargs="+", help="a folder, a .zip or a file")
    _add_start(parser)


def _open(chosen: argparse.Namespace) -> None:
    out = Path(tempfile.mkdtemp(prefix="crema-")) / "report.html"
    report(chosen.run, out, name=chosen.name, view=chosen.view, link=chosen.link)
    print(out)
    if not webbrowser.open(out.as_uri()):
        print("crema: there is no browser to open it with", file=sys.stderr)


def _add_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scheduler", help="the address of Dask's scheduler, such as tcp://127.0.0.1:8786")
    parser.add_argument("-o", "--out", help="the folder or .zip to write (default: crema-<date>_<time>)")
    parser.add_argument("--label", help="what a history calls the run")
    parser.add_argument("--hide-paths", action="store_true", help="leave out folders, hosts and the user's name")
    parser.add_argument("--seconds", type=float, help="end after so many seconds (default: with Ctrl-C)")


def _record(chosen: argparse.Namespace) -> None:
    if find_spec("distributed") is None:
        raise ImportError('crema record needs Dask: pip install "cremascope[record]"')
    options = {name: getattr(chosen, name) for name in ("label", "seconds", "hide_paths")}
    print(record_until_interrupted(chosen.scheduler, chosen.out, **options))


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", help="the folder (default: this one)")
    parser.add_argument("--port", type=int, default=8765, help="0 takes any free one (default: 8765)")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="let pages of this origin read the runs, such as https://user.github.io; repeat for more, * for all",
    )
    parser.add_argument(
        "--any-name", action="store_true", help="answer under any name of this machine: behind a proxy that says who may ask"
    )


def _serve(chosen: argparse.Namespace) -> None:
    serve(chosen.folder, host=chosen.host, port=chosen.port, origins=chosen.allow_origin, any_name=chosen.any_name)


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", help="monitoring.db of Parsl; what Dask's dump_cluster_state() wrote, its logs or metrics; a report"
    )
    parser.add_argument("-o", "--out", help="the folder to write (default: named after the file, beside it)")


def _convert(chosen: argparse.Namespace) -> None:
    for folder in convert(chosen.source, chosen.out):
        print(folder)


def _add_mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root", required=True, type=Path, help="the folder whose runs the assistant may open; none outside it"
    )
    parser.epilog = "What to tell an assistant, and what it then asks: docs/assistants.md."


def _mcp(chosen: argparse.Namespace) -> None:
    from cremascope.assistant import run

    run(chosen.root)


_Command = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], None]]
#: What is done here, and what it does.
COMMANDS: dict[str, _Command] = {
    "open": ("show runs in the browser", _add_open, _open),
    "report": ("write runs and the page as one HTML file", _add_report, _report),
    "record": ("record what a Dask cluster does until Ctrl-C", _add_record, _record),
    "convert": ("make runs of Parsl's monitoring.db, of a dump, logs or metrics of a Dask cluster", _add_convert, _convert),
    "mcp": ("answer an assistant on standard input and output (Model Context Protocol)", _add_mcp, _mcp),
    "serve": ("serve a folder of runs, and the page to open them with", _add_serve, _serve),
}


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; 2 when it cannot be done, with the reason on stderr."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["help"]:  # as in the core
        given = [*given[1:], "--help"]
    asks_help = given[:1] in (["-h"], ["--help"])
    if given == ["--version"]:
        print(f"crema {__version__}")
        return 0
    try:
        if given and given[0] in COMMANDS:
            return _run(given)
        status = _run_core(given)
    except CoreMissingError as problem:
        print(f"crema: {problem}", file=sys.stderr)
        status = 2  # what Python does is there, and help lists it
    except (OSError, ValueError, ImportError) as problem:
        print(f"crema: {problem}", file=sys.stderr)
        return 2
    if asks_help:
        print("In Python besides (crema COMMAND --help):")
        for name, (about, *_) in COMMANDS.items():
            print(f"  {name:27} {about}")
    return status


def _run(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="crema")
    commands = parser.add_subparsers(required=True)
    for name, (about, add_arguments, run) in COMMANDS.items():
        command = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        add_arguments(command)
        command.set_defaults(do=run)
    chosen = parser.parse_args(given)
    chosen.do(chosen)
    return 0


def _run_core(given: list[str]) -> int:
    module = core()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's own waits until the command is done
    if page_path() is not None:
        os.environ.setdefault("CREMA_PAGE", str(page_path()))
    status: int = module.command(["crema", *given])
    return status


if __name__ == "__main__":
    sys.exit(main())
