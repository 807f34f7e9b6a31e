"""Requests and notifications by method and direction, tool calls by tool."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Raw

from mcpsniff.protocol.calls import Call, Outcome
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.heads import member_text
from mcpsniff.protocol.message import CLIENT, Kind, Message
from mcpsniff.protocol.session import Session

from .calls import CALL
from .histogram import Lasted
from .rows import NAME, Row, Rows
from .sizes import size_of

METHOD_CAP = 500
TOOL_CAP = 5_000
CLAIM_CAP = 20  # annotations of one tool that are kept

_items = msgspec.json.Decoder(list[Raw]).decode


class _Named(msgspec.Struct):
    name: str


_name_of = msgspec.json.Decoder(_Named).decode


class Methods:
    """What each method and each tool came to."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._methods = Rows("methods", METHOD_CAP, session.dropped)
        self._tools = Rows("tools called", TOOL_CAP, session.dropped)
        self._definitions: dict[str, int] = {}  # bytes of a tool's definition, as listed last

    def request(self, message: Message, call: Call) -> None:
        """Takes in one request."""
        size = size_of(message)
        for row in self._rows_of(call):
            row.count += 1
            row.bytes_request += size

    def notified(self, message: Message) -> None:
        """Takes in one notification."""
        row = self._methods.at(message.method or "", message.sender)
        row.count += 1
        row.bytes_request += size_of(message)

    def answer(self, message: Message, call: Call, lasted: Lasted) -> None:
        """Takes in one answer; `lasted`: seconds since the request, and their bucket."""
        size, result = size_of(message), message.head.result
        of_result = 0 if result is UNSET else len(result)
        for row in self._rows_of(call):
            row.errors += call.outcome is Outcome.ERROR
            row.tool_errors += call.outcome is Outcome.TOOL_ERROR
            row.bytes_response += size
            row.result_bytes += of_result
            row.latency.add(*lasted)
        if call.method == "tools/list" and message.kind is Kind.RESULT:
            self._listed(message)

    def _rows_of(self, call: Call) -> list[Row]:
        rows = [self._methods.at(call.method, call.requester)]
        if call.method == CALL and call.requester == CLIENT and call.target is not None:
            rows.append(self._tools.at(call.target))
        return rows

    def exchange(self, exchange: HttpExchange) -> None:
        """Takes in the end of an exchange: an HTTP error status without an answer is an error."""
        for call in exchange.calls.values():
            if exchange.failed and call.answer_seq is None:
                for row in self._rows_of(call):
                    row.errors += 1

    def _listed(self, message: Message) -> None:
        for text in _definitions(message):
            try:
                name = _name_of(text).name[:NAME]
            except msgspec.DecodeError:
                continue
            if name in self._definitions or len(self._definitions) < TOOL_CAP:
                self._definitions[name] = len(bytes(text))

    def methods(self) -> list[dict[str, Any]]:
        """Gives `methods`; `direction` is the side that sends them."""
        return [{"method": method, "direction": side, **row.figures()} for (method, side), row in self._methods.items()]

    def tools(self) -> list[dict[str, Any]]:
        """Gives `tools`: those that were called, then those that were only listed."""
        called = {key[0]: row for key, row in self._tools.items()}
        names = list(called) + [name for name in self._definitions if name not in called]
        return [self._tool(name, called.get(name) or Row()) for name in names]

    def _tool(self, name: str, row: Row) -> dict[str, Any]:
        known = self._session.lists.tools.get(name)
        return {
            "name": name,
            **row.figures(),
            "tool_errors": row.tool_errors,
            "result_bytes": row.result_bytes,
            "definition_bytes": self._definitions.get(name),
            "claims": _claims(known.definition) if known is not None else None,
        }

    def tools_list_bytes(self) -> int | None:
        """Gives the bytes of the answers that make one whole tools/list; None where none was seen."""
        walk = self._session.lists.last_complete("tools/list")
        return None if walk is None else sum(size_of(answer) for _, _, answer in walk.pages)


def _definitions(message: Message) -> list[Raw]:
    result = b"" if message.head.result is UNSET else bytes(message.head.result)
    try:
        return _items(member_text(result, ("tools",)) or b"[]")
    except msgspec.DecodeError:
        return []


def _claims(definition: dict[str, Any]) -> dict[str, Any]:
    """Gives the annotations that are flags or titles: what the server says of its tool, true or not."""
    annotations = definition.get("annotations")
    if not isinstance(annotations, dict):
        return {}
    plain = {str(k)[:NAME]: v for k, v in annotations.items() if isinstance(v, (bool, str))}
    return {k: v[:NAME] if isinstance(v, str) else v for k, v in list(plain.items())[:CLAIM_CAP]}
