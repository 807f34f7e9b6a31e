"""The Apps extension on the wire between client and server."""

import re
from typing import Any

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import META
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import CONTEXTUAL, HEURISTIC, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import when

EXTENSION = META + "ui"
SCHEME = "ui://"
APP = "text/html;profile=mcp-app"
_SPACE = re.compile(r"\s*;\s*")


def _internal(shape: Shape, session: Session) -> bool:
    """Whether the method is one between a frame and its host."""
    return (shape.method or "").startswith("ui/")


class UiResourceInvalid(Rule):
    """A tool names a user interface without the ui scheme, or the resource is of a type that is no app.

    ## Why it matters
    Hosts show no interface for it, or show its source.

    ## How to fix
    Use `ui://` addresses in `_meta.ui.resourceUri`, and `text/html;profile=mcp-app` as their type.

    ## When it stays silent
    White space around the semicolon does not count, and neither do types that the client declared.
    """

    id = "ui-resource-invalid"
    title = "UI resource of the Apps extension has a wrong scheme or MIME type"
    tier = 3
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = SERVER
    confidence = CONTEXTUAL
    methods = ("tools/list", "resources/read")
    spec = {"2026-07-28": "https://modelcontextprotocol.io/extensions/apps/overview#how-mcp-apps-work"}
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.RESULT:
            return
        if call.method == "tools/list":
            yield from self._tools(message, call)
        elif (call.target or "").startswith(SCHEME):
            yield from self._contents(message, call)

    def _tools(self, message: Message, call: Call) -> Found:
        for index, tool in enumerate(_items(message.result.get("tools"))):
            uri = _object(_object(tool.get("_meta")).get("ui")).get("resourceUri")
            if uri is not None and not (isinstance(uri, str) and uri.startswith(SCHEME)):
                text = f"the tool {quote(tool.get('name'))} names the interface {quote(uri)}"
                where = f"/result/tools/{index}/_meta/ui/resourceUri"
                yield self.found(message, text, related=[call.seq], where=where)

    def _contents(self, message: Message, call: Call) -> Found:
        known = {APP, *_declared(call)}
        for index, content in enumerate(_items(message.result.get("contents"))):
            kind = content.get("mimeType")
            if not isinstance(kind, str) or _SPACE.sub(";", kind.strip()) not in known:
                text = f"{quote(call.target)} is of type {quote(kind)}, not {APP}"
                yield self.found(message, text, related=[call.seq], where=f"/result/contents/{index}/mimeType")


def _declared(call: Call) -> list[str]:
    """Gives the types that the client says it can show."""
    types = _object(_object((call.client_capabilities or {}).get("extensions")).get(EXTENSION)).get("mimeTypes")
    return [_SPACE.sub(";", one) for one in types if isinstance(one, str)] if isinstance(types, list) else []


class UiMethodOnWire(Rule):
    """A message of the channel between a user interface and its host was sent between client and server.

    ## Why it matters
    `ui/` methods are for the frame and the host that shows it; the other side knows none of them.

    ## How to fix
    Answer them in the host. What the interface wants of the server goes out as tools/call or resources/read.

    ## When it stays silent
    For every other method.
    """

    id = "ui-method-on-wire"
    title = "ui/* message of the Apps dialect on the MCP wire"
    tier = 3
    severity = {"2026-07-28": INFO}
    since = "2026-07-28"
    confidence = HEURISTIC
    spec = {"2026-07-28": "https://modelcontextprotocol.io/extensions/apps/overview#framework-support"}

    @when(_internal)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message)

    @when(_internal)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message)

    def _judge(self, message: Message) -> Found:
        if (message.method or "").startswith("ui/"):
            text = f"{quote(message.method)} belongs between a frame and its host"
            yield self.found(message, text, where="/method")


def _items(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
