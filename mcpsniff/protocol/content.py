"""The pieces that content is made of, wherever a message holds them: blocks, resource contents, listed resources.

(server/tools, server/prompts, server/resources, client/sampling of every revision.) Gives each with its kind and
place; whether it is sound is for the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .calls import Call
from .inputs import InputRequest, InputResponse
from .message import Kind, Message
from .revisions import is_complete
from .schema import pointer
from .taskstates import created

if TYPE_CHECKING:
    from .session import Session

BLOCK = "block"  # of a tool result, a prompt message, a sampling message or result
CONTENTS = "contents"  # of resources/read, or inside an embedded resource
RESOURCE = "resource"  # an entry of resources/list
TEMPLATE = "template"  # an entry of resources/templates/list
NESTING = 4  # tool results inside sampling messages hold blocks again


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of content."""

    kind: str
    value: dict[str, Any]
    where: str  # JSON pointer
    method: str  # of the request whose answer or params hold it

    @property
    def type(self) -> str | None:
        """The type that a block names; None where it is no string."""
        value = self.value.get("type")
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outcome of a tool call: the call's own result, or that of the task it became."""

    call: Call
    value: dict[str, Any]
    where: str  # JSON pointer


def tool_result(session: Session, message: Message, call: Call | None) -> ToolResult | None:
    """Gives the CallToolResult that an answer holds, or None."""
    if call is None or call.twin or message.kind is not Kind.RESULT or created(message, call) is not None:
        return None
    value, where = message.raw_result, "/result"
    if call.method == "tasks/get":  # 2026-07-28 puts the outcome into the task
        value, where = message.result.get("result"), "/result/result"
    made = call if call.method == "tools/call" else session.tasks.creator(call)
    if made is None or made.method != "tools/call" or not isinstance(value, dict):
        return None
    return None if not is_complete(value) else ToolResult(made, value, where)


def answered(session: Session, message: Message, call: Call | None) -> list[Piece]:
    """Gives the pieces in an answer of the server."""
    if call is None or message.kind is not Kind.RESULT:
        return []
    read = _READERS.get(call.method)
    return [] if read is None else list(read(session, message, call))


def asked(request: InputRequest) -> list[Piece]:
    """Gives the pieces in the messages of a sampling request."""
    if request.method != "sampling/createMessage":
        return []
    return list(_messages(request.params.get("messages"), request.member("messages"), request.method))


def given(response: InputResponse) -> list[Piece]:
    """Gives the pieces in a sampling result."""
    if response.request.method != "sampling/createMessage":
        return []
    return list(_blocks(response.value.get("content"), response.member("content"), response.request.method))


def _tool(session: Session, message: Message, call: Call) -> Iterator[Piece]:
    result = tool_result(session, message, call)
    if result is not None:
        content = result.value.get("content")
        yield from _blocks(content if isinstance(content, list) else (), f"{result.where}/content", "tools/call")


def _prompt(session: Session, message: Message, call: Call) -> Iterator[Piece]:
    yield from _messages(message.result.get("messages"), "/result/messages", call.method)


def _listed(member: str, kind: str) -> Callable[[Session, Message, Call], Iterator[Piece]]:
    def read(session: Session, message: Message, call: Call) -> Iterator[Piece]:
        for index, value in _objects(message.result.get(member)):
            yield Piece(kind, value, f"/result/{member}/{index}", call.method)

    return read


_READERS: dict[str, Callable[[Session, Message, Call], Iterator[Piece]]] = {
    "tools/call": _tool,
    "tasks/result": _tool,
    "tasks/get": _tool,
    "prompts/get": _prompt,
    "resources/read": _listed("contents", CONTENTS),
    "resources/list": _listed("resources", RESOURCE),
    "resources/templates/list": _listed("resourceTemplates", TEMPLATE),
}
WITH_CONTENT = frozenset(_READERS)  # methods whose results hold it


def _messages(messages: Any, where: str, method: str) -> Iterator[Piece]:
    for index, message in _objects(messages):
        yield from _blocks(message.get("content"), f"{where}/{index}/content", method)


def _blocks(content: Any, where: str, method: str, depth: int = 0) -> Iterator[Piece]:
    """Gives the blocks of a content member: one block, or a list of them."""
    if isinstance(content, dict):
        yield from _block(content, where, method, depth)
    for index, block in _objects(content):
        yield from _block(block, where + pointer(index), method, depth)


def _block(block: dict[str, Any], where: str, method: str, depth: int) -> Iterator[Piece]:
    yield Piece(BLOCK, block, where, method)
    resource = block.get("resource")
    if block.get("type") == "resource" and isinstance(resource, dict):
        yield Piece(CONTENTS, resource, f"{where}/resource", method)
    if block.get("type") == "tool_result" and depth < NESTING:
        content = block.get("content")
        yield from _blocks(content if isinstance(content, list) else (), f"{where}/content", method, depth + 1)


def _objects(values: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    for index, value in enumerate(values if isinstance(values, list) else ()):
        if isinstance(value, dict):
            yield index, value
