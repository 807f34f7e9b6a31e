"""The commands about mcpsniff itself: its rules, its addon, its demonstration."""

from __future__ import annotations

from typing import Annotated

import typer

from mcpsniff.cli.options import ListAs, ListFormat

app = typer.Typer()

Family = Annotated[str | None, typer.Option("--family", metavar="NAME", help="Only rules of this family.")]
Tier = Annotated[int | None, typer.Option("--tier", min=1, max=4, help="Only rules of this tier.")]


@app.command()
def rules(
    format: ListAs = ListFormat.table,
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
