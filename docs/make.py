"""Writes what the documentation shows of the program: `uv run docs/make.py`; with --check it only compares.

In README.md and docs/show.md the output below each `$ …` of a console block, the table of rule families and the manual
of the filter language; docs/rules/*.md, one page a rule; docs/cli.md, every command's help. A test runs the check.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

from mcpsniff import query
from mcpsniff.render.pages import rule_page
from mcpsniff.rules.catalogue import by_id

ROOT = Path(__file__).resolve().parents[1]
FILLED = ("README.md", "docs/show.md")
COMMANDS = (
    "wrap",
    "proxy",
    "import",
    "report",
    "open",
    "show",
    "compare",
    "follow",
    "rules",
    "explain",
    "addon",
    "demo",
)
FAMILIES = {  # what a family is about, in words
    "framing": "bytes on the wire: noise on stdout, torn or doubled messages, UTF-8",
    "jsonrpc": "the JSON-RPC envelope: ids, shapes, pairing, batches, unanswered requests",
    "lifecycle": "the handshake: order, initialize and initialized",
    "versioning": "revisions and negotiation, methods of another revision, probing",
    "capabilities": "features used or served without being declared",
    "meta": "the `_meta` envelope of 2026-07-28",
    "results": "result shapes, `resultType`",
    "errors": "error codes, their data and HTTP status",
    "mrtr": "multi round-trip requests: `input_required`, `requestState`, retries",
    "subscriptions": "`subscriptions/listen` and change notifications",
    "cancellation": "cancelled requests",
    "progress": "progress tokens and values",
    "logging": "log levels and opt-in",
    "caching": "`ttlMs` and `cacheScope`",
    "pagination": "cursors",
    "tools": "tool names and schemas, structured content, stable order",
    "resources": "resources and their contents",
    "prompts-completion": "prompts and completion",
    "sampling": "sampling requests and answers",
    "elicitation": "what a server asks the user, and how",
    "roots": "roots",
    "http": "Streamable HTTP: media types, statuses, GET and DELETE",
    "sse": "event streams and resumption",
    "http-headers": "mirrored headers against the body",
    "http-session": "session ids",
    "auth": "authorization on the wire",
    "tasks": "tasks, of 2025-11-25 and of the extension",
    "shutdown": "how a session ends",
    "hygiene": "what may become a problem",
    "readiness": "what the next revision asks for, with `--as`",
    "operation": "servers that die, never speak, or cannot be probed",
}


def run(command: str) -> str:
    """Gives the output of a command as a reader of the documentation sees it: 100 columns, no colours."""
    done = subprocess.run(command, shell=True, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=True)
    return _trimmed(done.stdout)


def run_in_terminal(command: str) -> str:
    """Gives what it says in a terminal of 100 columns, for a command that fits its lines into them."""
    ours, its = os.openpty()
    process = subprocess.Popen(command, shell=True, cwd=ROOT, env=_environment(), stdout=its)
    os.close(its)
    said = b""
    with suppress(OSError):  # Linux's way to tell the end
        while piece := os.read(ours, 1 << 16):
            said += piece
    os.close(ours)
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, command)
    return _trimmed(said.decode().replace("\r\n", "\n"))


def _environment() -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}


def _trimmed(said: str) -> str:
    return "\n".join(line.rstrip() for line in said.strip("\n").split("\n"))


def _shown(block: re.Match[str]) -> str:
    how = run_in_terminal if block[2].startswith("mcpsniff show ") else run
    return f"{block[1]}{how(block[2])}\n```"


def filled(text: str) -> str:
    """Gives a document with the outputs, the table and the manual of today."""
    text = re.sub(r"(```console\n\$ (mcpsniff [^\n]+)\n).*?```", _shown, text, flags=re.DOTALL)
    for name, content in (("families", families), ("filter", manual)):
        marked = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
        text = re.sub(marked, lambda m, content=content: m[1] + content() + m[2], text, flags=re.DOTALL)
    return text


def manual() -> str:
    """Gives the manual of the filter language: the docstring of its module, examples and tables as blocks."""
    _, _, said = (query.__doc__ or "").partition("\n\n")
    blocks = re.split(r"\n\n", said.rstrip())
    return "".join(f"```\n{dedent(b)}\n```\n\n" if b.startswith("    ") else f"{b}\n\n" for b in blocks)


def families() -> str:
    """Gives the table of rule families."""
    count = Counter(classes[0].family for classes in by_id().values())
    rows = [f"| {name} | {count[name]} | {about} |" for name, about in FAMILIES.items() if count[name]]
    total = f"| **all** | **{sum(count.values())}** | |"
    return "\n".join(["| family | rules | about |", "|---|---|---|", *rows, total, ""])


def pages() -> dict[str, str]:
    """Gives the page of every rule, and their index."""
    out = {}
    index = ["# Rules", "", "| rule | family | tier | title |", "|---|---|---|---|"]
    for id_, classes in sorted(by_id().items()):
        rule = classes[0]
        index.append(f"| [{id_}]({id_}.md) | {rule.family} | {rule.tier} | {rule.title} |")
        head, _, rest = rule_page(id_).partition("\n")
        body, _, clauses = rest.partition("## Where it is written\n")
        out[f"docs/rules/{id_}.md"] = f"# {head}\n{body}## Where it is written\n\n```\n{clauses.rstrip()}\n```\n"
    out["docs/rules/README.md"] = "\n".join(index) + "\n"
    return out


def cli() -> str:
    """Gives the help of every command."""
    parts = [f"## mcpsniff {name}\n\n```\n{run(f'mcpsniff {name} --help')}\n```\n" for name in COMMANDS]
    return "# Commands\n\n" + "\n".join(parts)


def documents() -> dict[str, str]:
    """Gives every generated text by its path below the project."""
    return {**{path: filled((ROOT / path).read_text()) for path in FILLED}, "docs/cli.md": cli(), **pages()}


def stale() -> list[str]:
    """Gives the paths whose text differs from what the program would write, and pages of rules that are gone."""
    wanted = documents()
    gone = {f"docs/rules/{path.name}" for path in (ROOT / "docs/rules").glob("*.md")} - wanted.keys()
    return sorted(gone) + [p for p, text in wanted.items() if not (ROOT / p).exists() or (ROOT / p).read_text() != text]


def main() -> int:
    if "--check" in sys.argv:
        for path in (old := stale()):
            print(f"{path} is stale: run docs/make.py", file=sys.stderr)
        return 1 if old else 0
    (ROOT / "docs/rules").mkdir(exist_ok=True)
    wanted = documents()
    for path in (ROOT / "docs/rules").glob("*.md"):
        if f"docs/rules/{path.name}" not in wanted:
            path.unlink()
    for path, text in wanted.items():
        (ROOT / path).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
