"""The command line: signatures and help alone; each command imports what does its work and calls it.

A room for each group of commands; what several commands take stands in `options`.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from mcpsniff import __version__
from mcpsniff.cli import about, capturing, reading
from mcpsniff.commands.output import to_a_reader
from mcpsniff.errors import McpsniffError

USAGE = 2  # exit status of wrong usage, and of what could not be done at all
INTERRUPTED = 130  # of Ctrl-C


class Commands(TyperGroup):
    """The commands; where a value is wrong, the sentence says so without the words of the library that checks it."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Runs the command that was asked for."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    cls=Commands,
    name="mcpsniff",
    help="The wire tool of the Model Context Protocol: capture, check and measure MCP traffic.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (capturing, reading, about):
    app.add_typer(group.app)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"mcpsniff {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")]


@app.callback()
def root(version: Version = False) -> None:
    """The wire tool of the Model Context Protocol: capture, check and measure MCP traffic."""


def main() -> None:
    """Runs the command line and ends the process with its exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this process
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        getattr(sys, name).reconfigure(errors="backslashreplace")
    try:
        with to_a_reader():
            app(prog_name="mcpsniff")
    except McpsniffError as error:
        from mcpsniff.wire.visible import visible

        for line in (f"mcpsniff: {visible(str(error))}", *(f"  {visible(line)}" for line in error.place)):
            print(line, file=sys.stderr)
        _leave(USAGE)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            print("mcpsniff: interrupted.", file=sys.stderr)
        left = isinstance(end.__context__, BrokenPipeError)  # of which help makes a fault: its reader had enough
        _leave(0 if left else end.code)


def _leave(status: str | int | None) -> NoReturn:
    """Ends the process; at once where mitmproxy's native threads run: they may crash an interpreter that winds down."""
    if "mitmproxy_rs" in sys.modules and not isinstance(status, str):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os._exit(status or 0)
    sys.exit(status)
