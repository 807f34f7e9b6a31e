"""What a tool is, and how one is called: definition, check of the arguments, result.

The tools themselves stand in librarian.py and diary.py; they do not know which era they serve.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from library.jsonrpc import Message

Arguments = Mapping[str, Any]

_PYTHON_TYPES = {"string": str, "integer": int, "boolean": bool}


class ToolFailure(Exception):
    """The tool could not do it; the text tells a model how to go on."""


class Context(Protocol):
    """What a running tool may ask of its era."""

    def progress(self, done: int, total: int, message: str) -> None:
        """Tells the client how far the work is, where it wanted to know."""

    def ask(self, key: str, message: str, schema: Message) -> Message:
        """Returns the user's answer `{action, content?}` to a form, however the era gets it."""

    def pause(self, seconds: float) -> None:
        """Waits, and raises Cancelled when the client has lost interest."""


@dataclass(frozen=True)
class Tool:
    """A tool: `run` returns a text, or the structured content that `outputs` describes."""

    name: str
    title: str
    description: str
    run: Callable[[Arguments, Context], str | Message]
    inputs: Message = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    outputs: Message | None = None
    annotations: Message = field(default_factory=dict)

    def definition(self) -> Message:
        """Returns the tool as tools/list shows it, with the members of the newest revision."""
        shown: Message = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": object_schema(self.inputs, self.optional),
        }
        if self.outputs is not None:
            shown["outputSchema"] = object_schema(self.outputs)
        if self.annotations:
            shown["annotations"] = self.annotations
        return shown

    def complaint(self, arguments: Arguments) -> str | None:
        """Returns what is wrong with the arguments, None where they fit the input schema."""
        for name in self.inputs:
            if name not in arguments and name not in self.optional:
                return f"The argument {name!r} is missing."
        for name, value in arguments.items():
            if name not in self.inputs:
                return f"There is no argument {name!r}."
            wanted = self.inputs[name]["type"]
            if type(value) is not _PYTHON_TYPES[wanted]:  # JSON's true is not an integer
                return f"The argument {name!r} must be of type {wanted}."
        return None


def object_schema(properties: Message, optional: tuple[str, ...] = ()) -> Message:
    """Returns the JSON Schema of an object with these properties, all but the optional ones required."""
    required = [name for name in properties if name not in optional]
    schema: Message = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema | {"additionalProperties": False}


def tool_result(value: str | Message) -> Message:
    """Returns what a tool gave back as a result: structured content also as text, for clients without it."""
    if isinstance(value, str):
        return {"content": [{"type": "text", "text": value}]}
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return {"content": [{"type": "text", "text": text}], "structuredContent": value}


def tool_error(text: str) -> Message:
    """Returns a failure inside a tool as a result, so that a model sees it and can try otherwise."""
    return {"content": [{"type": "text", "text": text}], "isError": True}
