"""How mitmproxy and mitmweb show a message of MCP: what it is, in which revision, what is wrong, then its JSON.

One view for the interfaces of mitmproxy 11 and 12. Shows what is there, and judges nothing.
"""

import json
from collections.abc import Iterator
from typing import Any

from mitmproxy import contentviews, http
from mitmproxy.addonmanager import Loader

from mcpsniff.capture.heads import as_text, value
from mcpsniff.capture.recognise import has_mcp_header, speaks_mcp
from mcpsniff.proxy import live, remarks
from mcpsniff.proxy.flows import has_events
from mcpsniff.wire.sse import SseBlock, SseFramer
from mcpsniff.wire.visible import visible

NAME = "MCP"
_PRIORITY = 2.0  # JSON's own view has 1
_VERSION = "mcp-protocol-version"
_FIRST_MODERN = "2026-07-28"


def lines(data: bytes, message: http.Message | None, flow: object) -> Iterator[str]:
    """The lines of a decoded body; `message` and `flow` are what it belongs to, where that is known."""
    yield from _about(flow)
    if message is not None and has_events(message):
        for block in _blocks(data):
            yield from _event(block)
    else:
        yield from _body(data)


def applies(data: bytes, message: http.Message | None, flow: object) -> bool:
    """Whether a body is MCP's: by itself, or by the exchange that it belongs to."""
    if speaks_mcp(data) or (message is not None and has_events(message) and any(map(_is_mcp, _blocks(data)))):
        return True
    if not isinstance(flow, http.HTTPFlow):
        return False
    if any(remarks.of(flow)) or speaks_mcp(flow.request.raw_content or b""):
        return True
    return any(side and has_mcp_header(as_text(side.headers.fields)) for side in (flow.request, flow.response))


def _is_mcp(block: SseBlock) -> bool:
    return bool(block.data) and (block.event == "endpoint" or speaks_mcp(block.data or b""))


def _about(flow: object) -> Iterator[str]:
    if not isinstance(flow, http.HTTPFlow):
        return
    revision = value(as_text(flow.request.headers.fields), _VERSION)
    if revision:
        era = "modern" if revision >= _FIRST_MODERN else "legacy"
        yield f"revision {visible(revision)} ({era})"
    yield from map(visible, remarks.of(flow).lines())


def _blocks(data: bytes) -> Iterator[SseBlock]:
    framer = SseFramer()
    yield from framer.feed(data, 0.0)
    last = framer.flush()
    if last is not None:
        yield last


def _event(block: SseBlock) -> Iterator[str]:
    fields = {"event": block.event, "id": block.id, "retry": block.retry, "comment": block.comment}
    known = [f"{name}: {visible(str(text))}" for name, text in fields.items() if text is not None]
    yield ""
    yield "· " + ", ".join([*known, *(["unfinished"] if block.unfinished else [])])
    if block.data:
        yield from _body(block.data)


def _body(data: bytes) -> Iterator[str]:
    yield live.what(data)
    try:
        shown = json.dumps(json.loads(data), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        shown = data.decode("utf-8", "backslashreplace")
    for line in shown.split("\n"):
        yield visible(line)


_Base: Any = getattr(contentviews, "Contentview", contentviews.View)  # of mitmproxy 12, of 11


class _View(_Base):  # type: ignore[misc]  # either of the two
    name = NAME
    syntax_highlight = "none"

    def prettify(self, data: bytes, metadata: Any) -> str:
        """For mitmproxy 12."""
        return "\n".join(lines(data, metadata.http_message, metadata.flow))

    def __call__(self, data: bytes, **known: Any) -> tuple[str, Iterator[list[tuple[str, str]]]]:
        """For mitmproxy 11."""
        shown = lines(data, known.get("http_message"), known.get("flow"))
        return NAME, ([("text", line)] for line in shown)

    def render_priority(self, data: bytes, metadata: Any = None, **known: Any) -> float:
        """Above that of JSON where a body is MCP's, else none."""
        about = known if metadata is None else vars(metadata)
        return _PRIORITY if applies(data, about.get("http_message"), about.get("flow")) else -1.0


def refresh() -> None:
    """Has mitmproxy's console show anew the message that it shows: it keeps what a view made of a body."""
    registry: Any = getattr(contentviews, "registry", None)  # of mitmproxy 12
    (contentviews.on_add if registry is None else registry.on_change).send(_View())


class McpView:
    """The addon that brings the view."""

    def load(self, loader: Loader) -> None:
        """Registers the view, in place of an earlier one."""
        for view in [view for view in getattr(contentviews, "views", ()) if view.name == NAME]:
            contentviews.remove(view)  # mitmproxy 11 refuses a second one
        contentviews.add(_View())
