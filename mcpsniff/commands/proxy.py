"""`mcpsniff proxy`: relays and records until it is stopped, then says in one line what was found."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from mcpsniff.capture.paths import unnumbered
from mcpsniff.errors import McpsniffError
from mcpsniff.proxy import Wishes
from mcpsniff.proxy import run as relay

UNRECORDED = 2  # exit status: the capture could not be opened


def run(urls: Sequence[str], regular: bool, listen: str, wishes: Wishes) -> int:
    """Runs the proxy and gives the exit status; raises McpsniffError on wrong usage."""
    if regular == bool(urls):
        raise McpsniffError("proxy: give the URLs of servers, such as http://localhost:8000, or --regular without any.")
    path = relay(urls, listen, wishes)
    if path is None:
        return UNRECORDED
    rotated = wishes.keeping.part_size is not None or wishes.keeping.part_seconds is not None
    _conclude(unnumbered(path) if rotated else path)
    return 0


def _conclude(name: str) -> None:
    from mcpsniff.analysis.engine import analyze
    from mcpsniff.analysis.report import build
    from mcpsniff.commands.inputs import captures
    from mcpsniff.commands.output import to_a_reader
    from mcpsniff.render.terminal import conclude

    with to_a_reader():
        conclude(build(analyze(files) for files in captures([name])), sys.stdout)
        print(f"mcpsniff report {name}")
