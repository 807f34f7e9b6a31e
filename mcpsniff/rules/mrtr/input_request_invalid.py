"""What an input_required result asks is no question that a client can answer."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.mrtr import input_requests
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import INFO, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_server, unfinished, when

NEEDS_PARAMS = {"elicitation/create": True, "sampling/createMessage": True, "roots/list": False}
ENVELOPE = ("jsonrpc", "id")


class InputRequestInvalid(Rule):
    """An entry of `inputRequests` is not an elicitation, sampling or roots request, or the members have wrong types.

    ## Why it matters
    The client cannot answer, and so the call never ends.

    ## How to fix
    `inputRequests` maps keys of your choice to objects with `method` and `params`; `requestState` is a string.

    ## When it stays silent
    `roots/list` needs no params. `jsonrpc` or `id` in an entry are superfluous and only noted. What the params hold is
    for other rules.
    """

    title = "An inputRequests entry is not an elicitation, sampling or roots request"
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#inputrequests"}

    @when(by_server, unfinished)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        result = message.result
        asks = result.get("resultType") == "input_required" or result.get("status") == "input_required"
        if call is None or message.sender != SERVER or not asks:
            return
        for where, wrong in (*_members(result), *_entries(input_requests(message))):
            yield self.found(message, wrong, related=[call.seq], where=where)
        for key, entry in input_requests(message).items():
            extra = [name for name in ENVELOPE if isinstance(entry, dict) and name in entry]
            if extra:
                text = f"inputRequests entry {quote(key)} has {' and '.join(extra)}, which are no part of it"
                yield self.found(message, text, where=pointer("result", "inputRequests", key), severity=INFO)


def _members(result: dict[str, Any]) -> Iterator[tuple[str, str]]:
    requests, state = result.get("inputRequests"), result.get("requestState")
    if requests is None and state is None:
        return  # input-required-empty
    if "inputRequests" in result and not isinstance(requests, dict):
        yield "/result/inputRequests", f"inputRequests is not an object: {quote(requests)}"
    if "requestState" in result and not isinstance(state, str):
        yield "/result/requestState", f"requestState is not a string: {quote(state)}"


def _entries(requests: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, entry in requests.items():
        wrong = _wrong(entry)
        if wrong is not None:
            yield pointer("result", "inputRequests", key), f"inputRequests entry {quote(key)} {wrong}"


def _wrong(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return f"is not an object: {quote(entry)}"
    method = entry.get("method")
    if not isinstance(method, str) or method not in NEEDS_PARAMS:
        return f"asks for {quote(method)}"
    if NEEDS_PARAMS[method] and not isinstance(entry.get("params"), dict):
        return f"asks for {method} without params"
    return None
