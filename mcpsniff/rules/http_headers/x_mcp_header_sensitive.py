"""Secrets in headers."""

import re
from typing import Any

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.paramheaders import Annotation, annotated
from mcpsniff.rules.rule import HEURISTIC, SERVER, WARNING, Call, Found, Message, Rule, quote

WORDS = re.compile(
    r"(?<![a-z])(passwords?|passwd|passphrase|tokens?|api[ _-]?keys?|secrets?|credentials?|e-?mails?|ssn"
    r"|social security|phone)(?![a-z])"
)
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class XMcpHeaderSensitive(Rule):
    """A parameter that looks like a credential or personal data is mirrored into a header.

    ## Why it matters
    Headers are logged by every proxy, gateway and server on the way.

    ## How to fix
    Mirror what gateways route by (a region, a tenant), never what must stay secret.

    ## When it stays silent
    The words are looked for in name, title and description of the property alone.
    """

    title = "A parameter that looks sensitive is mirrored into a header"
    tier = 3
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "server/tools#x-mcp-header"}
    confidence = HEURISTIC
    methods = ("tools/list",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        tools = message.result.get("tools") if message.kind is Kind.RESULT else None
        for tool in tools if isinstance(tools, list) else ():
            name = tool.get("name") if isinstance(tool, dict) else None
            for annotation in annotated(tool.get("inputSchema")).valid if isinstance(tool, dict) else ():
                word = _sensitive(annotation)
                if word is not None:
                    path = ".".join(annotation.path or ())
                    text = f'"{quote(path)}" of tool "{quote(name, 40)}" is mirrored and speaks of "{quote(word)}"'
                    yield self.found(message, text, fault=f"{name} {path}")


def _sensitive(annotation: Annotation) -> str | None:
    """Gives the first word of the list in what describes a property."""
    said: list[Any] = [(annotation.path or ("",))[-1], annotation.schema.get("title")]
    said.append(annotation.schema.get("description"))
    for text in said:
        words = HUMP.sub(" ", text.replace("_", " ")).lower() if isinstance(text, str) else ""
        match = WORDS.search(words)
        if match is not None:
            return match[0]
    return None
