"""The commands that make a capture: wrap, proxy, import."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from mcpsniff.cli.options import KEEPING, NoRedact, Redact, taking, wrong_usage
from mcpsniff.wrap.options import OPTIONS

app = typer.Typer()

Server = Annotated[
    list[str], typer.Argument(metavar="[--] COMMAND...", help="The server as the client would start it.")
]


@app.command(context_settings={"allow_interspersed_args": False})
@taking(*OPTIONS)
def wrap(command: Server, **words: Any) -> None:
    """Stand between a client and its stdio server, and record what they say."""
    from mcpsniff.wire.pointer import tokens
    from mcpsniff.wrap.options import Settings
    from mcpsniff.wrap.shim import run

    with wrong_usage():
        for pointer in words["redact"] or ():
            tokens(pointer)
        settings = Settings(command, **words)
    run(settings)


Urls = Annotated[
    list[str] | None, typer.Argument(metavar="[URL...]", help="The servers, such as http://localhost:8000/mcp.")
]
Regular = Annotated[
    bool, typer.Option("--regular", help="Be a proxy that clients are told of in their environment; without any URL.")
]
RewriteHost = Annotated[
    bool, typer.Option("--rewrite-host", help="Tell the server its own address as Host, where it insists on that.")
]
Listen = Annotated[
    str, typer.Option("--listen", metavar="HOST:PORT", help="Where to listen; each further server one port up.")
]
Write = Annotated[
    str | None,
    typer.Option("-w", "--write", metavar="FILE", help="Write the capture to FILE (strftime codes, %p the pid)."),
]


@app.command()
@taking(*KEEPING)
def proxy(
    urls: Urls = None,
    regular: Regular = False,
    listen: Listen = "127.0.0.1:8080",
    write: Write = None,
    rewrite_host: RewriteHost = False,
    no_redact: NoRedact = False,
    redact: Redact = None,
    **keeping: Any,
) -> None:
    """Stand between HTTP clients and their servers, and record what they say.

    Servers with http:// get every byte as the client sent it; https:// and --regular go through mitmproxy.
    """
    from mcpsniff.commands.proxy import run
    from mcpsniff.proxy import Wishes
    from mcpsniff.relay import Keeping

    with wrong_usage():
        kept = Keeping(**keeping)
    wishes = Wishes(write, not no_redact, tuple(redact or ()), sys.stderr.isatty(), rewrite_host, kept)
    raise typer.Exit(run(urls or [], regular, listen, wishes))


Foreign = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Flow files of mitmproxy (11 or 12), or HAR 1.2.")
]
Imported = Annotated[
    str | None,
    typer.Option("-w", "--write", metavar="FILE", help="Write the capture to FILE (strftime codes, %p the pid, or -)."),
]


@app.command("import")
def import_(files: Foreign, write: Imported = None, no_redact: NoRedact = False, redact: Redact = None) -> None:
    """Make a capture of what mitmproxy or a browser has saved.

    Exit status: 0 imported, 2 a file is not understood and nothing was written, 3 a file is cut, the rest is imported.
    """
    from mcpsniff.commands.importing import run

    raise typer.Exit(run(files, write, not no_redact, redact or ()))
