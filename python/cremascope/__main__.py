"""``python -m cremascope``: reports, and a server for a folder of runs."""

from __future__ import annotations

import argparse
import sys

from cremascope.page import VIEWS
from cremascope.reporting import report
from cremascope.server import serve
from cremascope.version import __version__


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; 2 when it cannot be done, with the reason on stderr."""
    parser = argparse.ArgumentParser(prog="python -m cremascope", description="Where the core-time of a Coffea run went.")
    parser.add_argument("--version", action="version", version=f"crema {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    one = commands.add_parser("report", help="write a run and the page as one HTML file")
    one.add_argument("run", help="a folder, a .zip or a file")
    one.add_argument("-o", "--out", help="the file to write (default: NAME.html)")
    one.add_argument("--name", help="what to call the run")
    one.add_argument("--view", choices=VIEWS, help="where the report begins")
    one.add_argument("--link", help="where it begins, as copied from the page's address")

    many = commands.add_parser("serve", help="serve a folder of runs, and the page to open them with")
    many.add_argument("folder", nargs="?", default=".", help="the folder (default: this one)")
    many.add_argument("--port", type=int, default=8765, help="0 takes any free one (default: 8765)")
    many.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1, this machine only)")
    many.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="let pages of this origin read the runs, such as https://user.github.io; repeat for more, * for all",
    )

    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "report":
            print(report(chosen.run, chosen.out, name=chosen.name, view=chosen.view, link=chosen.link))
        else:
            serve(chosen.folder, host=chosen.host, port=chosen.port, origins=chosen.allow_origin)
    except (OSError, ValueError) as problem:
        print(f"crema: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
