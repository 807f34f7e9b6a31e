"""The command line: signatures and help alone; each command imports what does its work and calls it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from mcpsniff import __version__
from mcpsniff.commands.output import to_a_reader
from mcpsniff.errors import McpsniffError
from mcpsniff.render.formats import Format
from mcpsniff.wrap.options import OPTIONS

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


class Severity(StrEnum):
    """How bad a finding is: a MUST broken, a SHOULD, advice."""

    error = "error"
    warning = "warning"
    info = "info"


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"mcpsniff {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")]


@app.callback()
def root(version: Version = False) -> None:
    """The wire tool of the Model Context Protocol: capture, check and measure MCP traffic."""


_WRAP = {option.name: option for option in OPTIONS}


def _wrap_option(name: str) -> Any:
    option = _WRAP[name]
    return typer.Option(*option.flags, metavar=option.metavar, help=option.help)


Snaplen = Annotated[str, _wrap_option("snaplen")]
PartSize = Annotated[str | None, _wrap_option("part_size")]
PartSeconds = Annotated[str | None, _wrap_option("part_seconds")]
Parts = Annotated[str | None, _wrap_option("parts")]
Sync = Annotated[bool, _wrap_option("sync")]
Compress = Annotated[str | None, _wrap_option("compress")]
Server = Annotated[
    list[str], typer.Argument(metavar="[--] COMMAND...", help="The server as the client would start it.")
]


@app.command(context_settings={"allow_interspersed_args": False})
def wrap(
    command: Server,
    write: Annotated[str | None, _wrap_option("write")] = None,
    verbose: Annotated[bool, _wrap_option("verbose")] = False,
    snaplen: Snaplen = "64M",
    part_size: PartSize = None,
    part_seconds: PartSeconds = None,
    parts: Parts = None,
    sync: Sync = False,
    compress: Compress = None,
    redact: Annotated[list[str] | None, _wrap_option("redact")] = None,
    no_redact: Annotated[bool, _wrap_option("no_redact")] = False,
    strict: Annotated[bool, _wrap_option("strict")] = False,
) -> None:
    """Stand between a client and its stdio server, and record what they say."""
    from mcpsniff.wire.pointer import tokens
    from mcpsniff.wrap.options import Settings
    from mcpsniff.wrap.shim import run

    try:
        for pointer in redact or ():
            tokens(pointer)
        settings = Settings(
            command,
            write=write,
            verbose=verbose,
            snaplen=snaplen,
            part_size=part_size,
            part_seconds=part_seconds,
            parts=parts,
            sync=sync,
            compress=compress,
            redact=redact,
            no_redact=no_redact,
            strict=strict,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
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
NoRedact = Annotated[bool, typer.Option("--no-redact", help="Keep secrets in the capture.")]
Redact = Annotated[
    list[str] | None,
    typer.Option("--redact", metavar="POINTER", help="Hide this in MCP messages too, such as /params/arguments/pin."),
]


@app.command()
def proxy(
    urls: Urls = None,
    regular: Regular = False,
    listen: Listen = "127.0.0.1:8080",
    write: Write = None,
    rewrite_host: RewriteHost = False,
    snaplen: Snaplen = "64M",
    part_size: PartSize = None,
    part_seconds: PartSeconds = None,
    parts: Parts = None,
    sync: Sync = False,
    compress: Compress = None,
    no_redact: NoRedact = False,
    redact: Redact = None,
) -> None:
    """Stand between HTTP clients and their servers, and record what they say.

    Servers with http:// get every byte as the client sent it; https:// and --regular go through mitmproxy.
    """
    from mcpsniff.commands.proxy import run
    from mcpsniff.proxy import Wishes
    from mcpsniff.relay import Keeping

    try:
        keeping = Keeping(
            snaplen=snaplen,
            part_size=part_size,
            part_seconds=part_seconds,
            parts=parts,
            sync=sync,
            compress=compress,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    wishes = Wishes(write, not no_redact, tuple(redact or ()), sys.stderr.isatty(), rewrite_host, keeping)
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


Files = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Captures (.jsonl, .gz, .zst), folders, globs, or -.")
]
As = Annotated[Format | None, typer.Option("--format", help="How to write it; else as the name given with -o asks.")]
Output = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the report to FILE; - is stdout.")
]
Pedantic = Annotated[bool, typer.Option("--pedantic", help="Let rules of tier 3 take part.")]
NoRules = Annotated[bool, typer.Option("--no-rules", help="Measure only; judge nothing.")]
NextRevision = Annotated[
    str | None, typer.Option("--as", metavar="REVISION", help="Also say what that next revision (2026-07-28) asks for.")
]
FailOn = Annotated[
    Severity | None, typer.Option("--fail-on", help="Exit with 1 if anything this bad or worse is found.")
]
Select = Annotated[
    list[str] | None, typer.Option("--select", metavar="RULES", help="Only these: ids, families, globs, with commas.")
]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="RULES", help="Not these; wins over --select.")]
Levels = Annotated[
    list[str] | None, typer.Option("--severity", metavar="RULE=LEVEL", help="Call it error, warning or info.")
]
Baseline = Annotated[
    str | None, typer.Option("--baseline", metavar="FILE", help="Show only what that baseline does not know.")
]
WriteBaseline = Annotated[
    str | None, typer.Option("--write-baseline", metavar="FILE", help="Write what is found as the baseline to come.")
]


Filter = Annotated[
    str,
    typer.Option(
        "--filter", metavar="EXPRESSION", help="Only what it means: method:tools/* latency>250ms (docs/show.md)."
    ),
]


@app.command()
def report(
    files: Files,
    format: As = None,
    output: Output = None,
    pedantic: Pedantic = False,
    no_rules: NoRules = False,
    as_: NextRevision = None,
    fail_on: FailOn = None,
    select: Select = None,
    ignore: Ignore = None,
    severity: Levels = None,
    baseline: Baseline = None,
    write_baseline: WriteBaseline = None,
    filter: Filter = "",
) -> None:
    """Say what captures hold: eras, findings, costs.

    Rules are chosen by --select, --ignore and --severity, or by the nearest file upward from the capture's folder:
    mcpsniff.toml, or pyproject.toml with the table tool.mcpsniff.

    Exit status: 0 read and reported, 1 findings at or above --fail-on, 2 wrong usage, 3 some input could not be read.
    """
    from mcpsniff.commands.report import Wishes, run

    wishes = Wishes(
        format=format,
        output=None if output == "-" else output,
        pedantic=pedantic,
        rules=not no_rules,
        next_revision=as_,
        fail_on=fail_on,
        select=tuple(select or ()),
        ignore=tuple(ignore or ()),
        severity=tuple(severity or ()),
        baseline=baseline,
        write_baseline=write_baseline,
        filter=filter,
    )
    raise typer.Exit(run(files, wishes))


@app.command("open")
def open_(files: Files) -> None:
    """Show captures in a browser: the page of report --format html, in a file that only you can read."""
    from mcpsniff.commands.open import run

    raise typer.Exit(run(files))


AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line, with the message as it was sent.")]
Raw = Annotated[bool, typer.Option("--raw", help="The exact bytes alone; in a terminal escaped.")]
WithExchange = Annotated[bool, typer.Option("-x", help="Below each line its HTTP head, with headers, and its body.")]
Count = Annotated[int | None, typer.Option("-c", "--count", min=1, metavar="N", help="Stop after N lines.")]


@app.command()
def show(
    files: Files,
    filter: Filter = "",
    json: AsJson = False,
    raw: Raw = False,
    exchange: WithExchange = False,
    count: Count = None,
) -> None:
    """Show what was said, one line a message: when, by whom, what, how large, how fast, what is wrong with it.

    HTTP heads and ends that the lines of their messages tell of have no line of their own.

    Exit status: 0 shown, 2 wrong usage, 3 some input could not be read.
    """
    from mcpsniff.commands.rows import Style
    from mcpsniff.commands.show import Wishes, run

    asked = [style for style, on in ((Style.json, json), (Style.raw, raw), (Style.exchanges, exchange)) if on]
    if len(asked) > 1:
        raise McpsniffError("Choose one of --json, --raw and -x.")
    raise typer.Exit(run(files, Wishes(filter, asked[0] if asked else Style.lines, count)))


Followed = Annotated[
    str, typer.Argument(metavar="FILE|FOLDER", help="A capture, perhaps yet to come, or a folder of them.")
]


@app.command()
def follow(file: Followed, filter: Filter = "", json: AsJson = False, count: Count = None) -> None:
    """Show captures while they are written: what is said, and what is wrong with it, as it comes.

    In a terminal this is a screen (with mcpsniff[live]); in a pipe, or with --json, lines. Goes on over the parts of a
    rotation, and in a folder over all captures that have not ended; what shows only at a session's end comes then.
    """
    from mcpsniff.commands.follow import Wishes, run

    raise typer.Exit(run(file, Wishes(filter, json, count)))


class ListFormat(StrEnum):
    """How a table is written."""

    table = "table"
    json = "json"


Sides = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Captures, globs, or sessions of captures (FILE#s2).")
]


@app.command()
def compare(
    files: Sides,
    format: Annotated[ListFormat, typer.Option("--format", help="For people, or for programs.")] = ListFormat.table,
) -> None:
    """Show captures, or sessions, side by side: figures, requests, findings gone and new, tools that differ."""
    from mcpsniff.commands.compare import run

    raise typer.Exit(run(files, format is ListFormat.json))


Family = Annotated[str | None, typer.Option("--family", metavar="NAME", help="Only rules of this family.")]
Tier = Annotated[int | None, typer.Option("--tier", min=1, max=4, help="Only rules of this tier.")]


@app.command()
def rules(
    format: Annotated[ListFormat, typer.Option("--format", help="For people, or for programs.")] = ListFormat.table,
    family: Family = None,
    tier: Tier = None,
) -> None:
    """List the rules."""
    from mcpsniff.commands.output import write
    from mcpsniff.render.listing import rules_json, rules_table

    as_json = format is ListFormat.json
    write(rules_json(family, tier) if as_json else rules_table(family, tier).encode(), None)


@app.command()
def explain(rule: Annotated[str, typer.Argument(metavar="RULE", help="The id of a rule.")]) -> None:
    """Explain a rule: what it finds, why, how to fix it, where the specification says so, how it looks on the wire."""
    from mcpsniff.commands.explain import explain as explained
    from mcpsniff.commands.output import write

    write(explained(rule).encode(), None)


@app.command()
def addon() -> None:
    """Print the path of the mitmproxy addon: mitmdump -s "$(mcpsniff addon)"."""
    from mcpsniff.commands.addon import path
    from mcpsniff.commands.output import write

    write(f"{path()}\n".encode(), None)


OutDir = Annotated[
    str | None, typer.Option("--out", metavar="FOLDER", help="Where the captures go; else a new temporary folder.")
]


@app.command()
def demo(out: OutDir = None) -> None:
    """Play a client and a server of both eras, and a faulty pair, and report on them."""
    from mcpsniff.demo import run

    raise typer.Exit(run(out))
