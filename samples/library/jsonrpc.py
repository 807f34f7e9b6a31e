"""JSON-RPC 2.0 as MCP uses it: making, reading and telling apart single messages.

Promises compact UTF-8 text and exact checks of the envelope; knows nothing of methods or eras.
"""

import json
from typing import Any

Message = dict[str, Any]
Id = str | int

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
LEGACY_RESOURCE_NOT_FOUND = -32002
HEADER_MISMATCH = -32020
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022

MODERN_ERRORS = frozenset({HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION})


class RpcError(Exception):
    """A JSON-RPC error: what a peer answered, or what this side is about to answer."""

    def __init__(self, code: int, message: str, data: Message | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    @classmethod
    def of(cls, response: Message) -> "RpcError":
        """Returns the error of an error response."""
        error = response["error"]
        return cls(error["code"], error["message"], error.get("data"))


def request(id: Id, method: str, params: Message | None = None) -> Message:
    """Returns a request; `params` is left out where there are none."""
    return {"jsonrpc": "2.0", "id": id, "method": method} | _params(params)


def notification(method: str, params: Message | None = None) -> Message:
    """Returns a notification."""
    return {"jsonrpc": "2.0", "method": method} | _params(params)


def result(id: Id, value: Message) -> Message:
    """Returns the successful response to the request with that id."""
    return {"jsonrpc": "2.0", "id": id, "result": value}


def failure(id: Id | None, error: RpcError) -> Message:
    """Returns the error response; without an id where the request's own could not be read."""
    body: Message = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    return {"jsonrpc": "2.0", **({} if id is None else {"id": id}), "error": body}


def encode(message: Message | list[Message]) -> bytes:
    """Returns the message as compact JSON in UTF-8, on one line and without a line end."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def decode(data: bytes) -> Any:
    """Returns the JSON value in `data`; a parse error where it is none."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (UnicodeDecodeError, ValueError, RecursionError) as problem:
        raise RpcError(PARSE_ERROR, "This is not JSON in UTF-8.") from problem


def checked(value: Any) -> Message:
    """Returns `value` where it is a request, notification or response; invalid request otherwise."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.")
    if "id" in value and not is_id(value["id"]) and "error" not in value:
        raise RpcError(INVALID_REQUEST, "An id is a string or an integer.")
    if "method" in value:
        params = value.get("params", {})
        shape_is_right = isinstance(value["method"], str) and _is_object(params) and _is_object(params.get("_meta", {}))
    else:
        shape_is_right = _is_object(value.get("result")) != _is_object(value.get("error"))
    if not shape_is_right:
        raise RpcError(INVALID_REQUEST, "This is no request, notification or response.")
    return value


def is_id(value: Any) -> bool:
    """Tells whether `value` may be a request id in MCP: null, fractions and booleans may not."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def is_request(message: Message) -> bool:
    """Tells whether the message waits for an answer."""
    return "method" in message and "id" in message


def is_response(message: Message) -> bool:
    """Tells whether the message is an answer."""
    return "method" not in message


def readable_id(value: Any) -> Id | None:
    """Returns the id of a message that may be broken otherwise, None where it has none."""
    id = value.get("id") if isinstance(value, dict) else None
    return id if is_id(id) else None


def _params(params: Message | None) -> Message:
    return {} if params is None else {"params": params}


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")  # Python would take NaN and Infinity
