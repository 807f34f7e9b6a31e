"""Begins a new rule: `python -m mcpsniff.rules.new ID --family FAMILY` writes its file and two samples.

All three run as they are, and hold the word TODO wherever something must be filled in: until then the tests fail.
Works in a checkout alone. Overwrites nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from mcpsniff.errors import McpsniffError

NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
CLAUSE = re.compile(r"[\w./-]+(#[\w-]+)?|https://[^\s\"\\]+")
TODO = "TODO"
REVISION = "2025-11-25"  # of the samples

RULE = '''\
"""TODO: what this file is about, in a few words."""

from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, result, when


class {name}(Rule):
    """TODO: one sentence that says what was seen on the wire and should not be there.

    ## Why it matters
    TODO: what goes wrong for whom.

    ## How to fix
    TODO: what to do instead.

    ## When it stays silent
    TODO: what looks like it and is none.
    """

    title = "{title} TODO"
    severity = {{"2024-11-05": ERROR}}
    violator = SERVER
    spec = {{"2024-11-05": "{spec}"}}

    @when(result, has("TODO"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if "TODO" in message.result:
            yield self.found(message, f"TODO is {{quote(message.result['TODO'])}}")
'''


def write(root: Path, rule_id: str, family: str, spec: str) -> list[Path]:
    """Writes rule and samples below a checkout; gives the files.

    Raises McpsniffError where a name is none, or a file of the rule stands already.
    """
    for what, text in (("rule", rule_id), ("family", family)):
        if NAME.fullmatch(text) is None:
            raise McpsniffError(f"{text!r} does not name a {what}: write it in lower case with dashes")
    if CLAUSE.fullmatch(spec) is None:
        raise McpsniffError(f"{spec!r} is no clause: write PAGE#ANCHOR, as in server/tools#tool, or a URL")
    files = dict(_files(root, rule_id, family, spec))
    for path in files:
        if path.exists():
            raise McpsniffError(f"{path} exists already: choose another id, or edit it")
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return list(files)


def _files(root: Path, rule_id: str, family: str, spec: str) -> Iterator[tuple[Path, str]]:
    package = root / "mcpsniff" / "rules" / family.replace("-", "_")
    if not (package / "__init__.py").exists():
        yield package / "__init__.py", f'"""Rules of the family {family}."""\n'
    name = "".join(part.capitalize() for part in rule_id.split("-"))
    title = rule_id.replace("-", " ").capitalize()
    yield package / f"{rule_id.replace('-', '_')}.py", RULE.format(name=name, title=title, spec=spec)
    expected: list[dict[str, object]] = [{"rule": rule_id, "severity": "error", "violator": "server", "seq": [5]}]
    samples, bad, good = root / "samples" / "rules" / rule_id, f"bad-{REVISION}", f"good-{REVISION}"
    yield samples / f"{bad}.jsonl", _sample(f"{rule_id}/{bad}", {"tools": [], TODO: True}, expected)
    yield samples / f"{good}.jsonl", _sample(f"{rule_id}/{good}", {"tools": []}, [])


def _sample(name: str, result: object, expected: list[dict[str, object]]) -> str:
    """Gives a little session in which the server answers tools/list with `result`, record 5."""
    about = {"name": TODO, "version": "1"}
    hello = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": about}
    welcome = {"protocolVersion": REVISION, "capabilities": {"tools": {}}, "serverInfo": about}
    talk: list[tuple[str, dict[str, object]]] = [
        ("client", {"id": 0, "method": "initialize", "params": hello}),
        ("server", {"id": 0, "result": welcome}),
        ("client", {"method": "notifications/initialized"}),
        ("client", {"id": 1, "method": "tools/list"}),
        ("server", {"id": 1, "result": result}),
    ]
    header: dict[str, object] = {"type": "capture", "seq": 0, "t": 0, "format": "mcpsniff", "version": 1, "id": name}
    header |= {"started": "2026-11-29T20:00:00.000000Z", "tool": "mcpsniff samples", "transport": "stdio"}
    lines = [header | {"expect": expected}]
    for seq, (sender, members) in enumerate(talk, 1):
        message = {"jsonrpc": "2.0", **members}
        size = len(_json(message)) + 1
        lines.append({"type": "message", "seq": seq, "t": seq / 100, "from": sender, "size": size, "message": message})
    lines += [
        {"type": "eof", "seq": 6, "t": 0.06, "stream": "stdin"},
        {"type": "exit", "seq": 7, "t": 0.07, "code": 0},
        {"type": "end", "seq": 8, "t": 0.08, "records": 9},
    ]
    return "".join(_json(line) + "\n" for line in lines)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def main(arguments: list[str]) -> int:
    """Writes the files and names them; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m mcpsniff.rules.new", description="Begins a new rule.")
    parser.add_argument("id", metavar="ID", help="names the fault, as in tool-name-rude")
    parser.add_argument("--family", required=True, help="folder of the rule, as in tools")
    parser.add_argument("--spec", default=TODO, metavar="PAGE#ANCHOR", help="clause, as in server/tools#tool")
    chosen = parser.parse_args(arguments)
    try:
        written = write(Path(__file__).parents[2], chosen.id, chosen.family, chosen.spec)
    except McpsniffError as error:
        print(error, file=sys.stderr)
        return 2
    print(*written, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
