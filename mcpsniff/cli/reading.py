"""The commands that read captures: report, open, show, follow, compare."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from mcpsniff.cli.options import ListAs, ListFormat
from mcpsniff.errors import McpsniffError
from mcpsniff.render.formats import Format

app = typer.Typer()


class Severity(StrEnum):
    """How bad a finding is: a MUST broken, a SHOULD, advice."""

    error = "error"
    warning = "warning"
    info = "info"


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


OnlyFindings = Annotated[bool, typer.Option("--findings", help="What is wrong alone, each finding as it comes.")]


@app.command()
def follow(
    file: Followed, filter: Filter = "", findings: OnlyFindings = False, json: AsJson = False, count: Count = None
) -> None:
    """Show captures while they are written: what is said, and what is wrong with it, as it comes.

    In a terminal this is a screen (with mcpsniff[live]); in a pipe, with --findings or --json, lines. Goes on over the
    parts of a rotation, and in a folder over all captures that have not ended; what shows only at a session's end
    comes then.
    """
    from mcpsniff.commands.follow import Wishes, run

    raise typer.Exit(run(file, Wishes(filter, findings, json, count)))


Sides = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Captures, globs, or sessions of captures (FILE#s2).")
]


@app.command()
def compare(
    files: Sides,
    format: ListAs = ListFormat.table,
) -> None:
    """Show captures, or sessions, side by side: figures, requests, findings gone and new, tools that differ."""
    from mcpsniff.commands.compare import run

    raise typer.Exit(run(files, format is ListFormat.json))
