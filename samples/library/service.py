"""What a server offers whatever its era: tools, resources, prompts, and the methods that list and use them.

Pure of transport and era; what differs (revision, progress, asking the user) comes with the Call.
"""

import base64
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from library.jsonrpc import (
    INVALID_PARAMS,
    LEGACY_RESOURCE_NOT_FOUND,
    METHOD_NOT_FOUND,
    Message,
    RpcError,
    notification,
)
from library.revisions import ARGUMENT_ERRORS_ARE_RESULTS_SINCE, for_revision, is_modern
from library.tools import Context, Tool, ToolFailure, tool_error, tool_result

DEFAULT_PAGE_SIZE = 50


class Call(Context, Protocol):
    """One request as the service sees it."""

    revision: str


class Holdings(Protocol):
    """Where resources and prompts come from."""

    def resources(self) -> list[Message]:
        """Returns the resources as resources/list shows them."""

    def templates(self) -> list[Message]:
        """Returns the templates as resources/templates/list shows them."""

    def read(self, uri: str) -> Message | None:
        """Returns the contents of a resource, None where there is none of that URI."""

    def prompts(self) -> list[Message]:
        """Returns the prompts as prompts/list shows them."""

    def prompt(self, name: str, arguments: Message) -> Message:
        """Returns the messages of a prompt, whose required arguments are there."""


@dataclass(frozen=True)
class Change:
    """Something changed that clients may have subscribed to: a list, or one resource."""

    method: str
    uri: str | None = None

    def notice(self) -> Message:
        """Returns the notification about it."""
        return notification(self.method, None if self.uri is None else {"uri": self.uri})


class Changes:
    """Tells everybody who listens about each change."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Change], None]] = []
        self._lock = threading.Lock()

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Adds a listener, called in the thread that made the change."""
        with self._lock:
            self._listeners.append(listener)

    def forget(self, listener: Callable[[Change], None]) -> None:
        """Takes a listener out again."""
        with self._lock:
            self._listeners.remove(listener)

    def tell(self, *changes: Change) -> None:
        """Tells all listeners."""
        with self._lock:
            listeners = list(self._listeners)
        for change in changes:
            for listener in listeners:
                listener(change)


class Service:
    """A server's offer, and the six ways to list and use it."""

    def __init__(
        self,
        name: str,
        tools: Sequence[Tool],
        changes: Changes,
        holdings: Holdings | None = None,
        page_size: int = DEFAULT_PAGE_SIZE,
    ) -> None:
        self.info = {"name": name, "version": "1.0.0"}
        self.changes = changes
        self._tools = {tool.name: tool for tool in tools}
        self._page_size = page_size
        self._methods: dict[str, Callable[[Message, Call], Message]] = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
        }
        if holdings is not None:
            self._holdings = holdings
            self._methods |= {
                "resources/list": self._list_resources,
                "resources/templates/list": self._list_templates,
                "resources/read": self._read_resource,
                "prompts/list": self._list_prompts,
                "prompts/get": self._get_prompt,
            }

    def capabilities(self) -> Message:
        """Returns what a server of any era declares for this offer."""
        declared: Message = {"tools": {}}
        if "resources/list" in self._methods:
            declared |= {"resources": {"subscribe": True, "listChanged": True}, "prompts": {}}
        return declared

    def has_resource(self, uri: str) -> bool:
        """Tells whether there is a resource of that URI."""
        return "resources/read" in self._methods and self._holdings.read(uri) is not None

    def answer(self, method: str, params: Message, call: Call) -> Message:
        """Returns the result of the method; RpcError where there is none such or the params do not fit."""
        if method not in self._methods:
            raise RpcError(METHOD_NOT_FOUND, f"There is no method {method}.")
        return self._methods[method](params, call)

    def _list_tools(self, params: Message, call: Call) -> Message:
        return self._page("tools", [tool.definition() for tool in self._tools.values()], params, call)

    def _list_resources(self, params: Message, call: Call) -> Message:
        return self._page("resources", self._holdings.resources(), params, call)

    def _list_templates(self, params: Message, call: Call) -> Message:
        return self._page("resourceTemplates", self._holdings.templates(), params, call)

    def _list_prompts(self, params: Message, call: Call) -> Message:
        return self._page("prompts", self._holdings.prompts(), params, call)

    def _page(self, member: str, items: list[Message], params: Message, call: Call) -> Message:
        start = _offset(member, params.get("cursor"), len(items))
        end = start + self._page_size
        page: Message = {member: [for_revision(item, call.revision) for item in items[start:end]]}
        if end < len(items):
            page["nextCursor"] = _cursor(member, end)
        return page

    def _call_tool(self, params: Message, call: Call) -> Message:
        tool = self._tools.get(_text(params, "name"))
        arguments = _arguments(params)
        if tool is None:
            raise RpcError(INVALID_PARAMS, f"There is no tool {params['name']}.")
        complaint = tool.complaint(arguments)
        if complaint is not None and call.revision < ARGUMENT_ERRORS_ARE_RESULTS_SINCE:
            raise RpcError(INVALID_PARAMS, complaint)
        if complaint is not None:
            return tool_error(complaint)
        try:
            return for_revision(tool_result(tool.run(arguments, call)), call.revision)
        except ToolFailure as failure:
            return tool_error(str(failure))

    def _read_resource(self, params: Message, call: Call) -> Message:
        uri = _text(params, "uri")
        contents = self._holdings.read(uri)
        if contents is None:
            code = INVALID_PARAMS if is_modern(call.revision) else LEGACY_RESOURCE_NOT_FOUND
            raise RpcError(code, "Resource not found.", {"uri": uri})
        return {"contents": [contents]}

    def _get_prompt(self, params: Message, call: Call) -> Message:
        name = _text(params, "name")
        found = next((prompt for prompt in self._holdings.prompts() if prompt["name"] == name), None)
        if found is None:
            raise RpcError(INVALID_PARAMS, f"There is no prompt {name}.")
        arguments = _arguments(params)
        for argument in found["arguments"]:
            if argument["required"] and not isinstance(arguments.get(argument["name"]), str):
                raise RpcError(INVALID_PARAMS, f"The prompt needs the argument {argument['name']}.")
        return self._holdings.prompt(name, arguments)


def _text(params: Message, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"The parameter {name} must be a string.")
    return value


def _arguments(params: Message) -> Message:
    value = params.get("arguments", {})
    if not isinstance(value, dict):
        raise RpcError(INVALID_PARAMS, "The arguments are an object.")
    return value


def _cursor(member: str, offset: int) -> str:
    return base64.urlsafe_b64encode(f"{member}:{offset}".encode()).decode()


def _offset(member: str, cursor: object, length: int) -> int:
    """Returns where the page begins; only cursors that this server could have given out are taken."""
    if cursor is None:
        return 0
    for offset in range(1, length):
        if cursor == _cursor(member, offset):
            return offset
    raise RpcError(INVALID_PARAMS, "This cursor is not one of this list.")
