"""Members of closed choices that came with a later handshake revision, and where a message holds them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import Call, Message

SINCE = {  # choice → first revision that has it
    "audio": "2025-03-26",
    "resource_link": "2025-06-18",
    "tool_use": "2025-11-25",
    "tool_result": "2025-11-25",
    "several blocks of one message": "2025-11-25",
    "mode url": "2025-11-25",
    "a choice of several values": "2025-11-25",
    "a task": "2025-11-25",
}


class Newer(NamedTuple):
    """A choice that not every revision has."""

    what: str  # a key of SINCE
    where: str  # JSON pointer


def choices(message: Message, call: Call | None) -> Iterator[Newer]:
    """Gives what a request or a result of the handshake era holds of SINCE."""
    if message.kind is Kind.REQUEST:
        yield from _asked(message)
    elif message.kind is Kind.RESULT and call is not None:
        yield from _answered(message, call)


def _asked(message: Message) -> Iterator[Newer]:
    params = message.params
    if message.method == "sampling/createMessage":
        for where, one in _items(params.get("messages"), "/params/messages"):
            yield from _content(one.get("content"), where + "/content")
    elif message.method == "elicitation/create":
        if params.get("mode") == "url":
            yield Newer("mode url", "/params/mode")
        schema = params.get("requestedSchema")
        fields = schema.get("properties") if isinstance(schema, dict) else None
        for name, field in fields.items() if isinstance(fields, dict) else ():
            if isinstance(field, dict) and field.get("type") == "array":
                yield Newer("a choice of several values", "/params/requestedSchema/properties" + pointer(name))


def _answered(message: Message, call: Call) -> Iterator[Newer]:
    result = message.result
    if call.method == "tools/call":
        for where, block in _items(result.get("content"), "/result/content"):
            yield from _content(block, where)
    elif call.method == "prompts/get":
        for where, one in _items(result.get("messages"), "/result/messages"):
            yield from _content(one.get("content"), where + "/content")
    elif call.method == "sampling/createMessage":
        yield from _content(result.get("content"), "/result/content")
    task = result.get("task")
    made = isinstance(task, dict) and isinstance(task.get("taskId"), str) and "content" not in result
    if made and call.method in ("tools/call", "sampling/createMessage", "elicitation/create"):
        yield Newer("a task", "/result/task")


def _content(value: Any, where: str) -> Iterator[Newer]:
    """Gives what one content block, or an array of them, holds."""
    if isinstance(value, list):
        yield Newer("several blocks of one message", where)
        for below, block in _items(value, where):
            yield from _block(block, below)
    elif isinstance(value, dict):
        yield from _block(value, where)


def _block(block: dict[str, Any], where: str) -> Iterator[Newer]:
    kind = block.get("type")
    if isinstance(kind, str) and kind in SINCE:
        yield Newer(kind, where + "/type")


def _items(value: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for index, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            yield f"{where}/{index}", item
