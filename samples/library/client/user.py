"""The user in front of the client: says yes to every form, so that the samples run by themselves."""

from collections.abc import Mapping
from typing import Any

from library.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, Message, RpcError

_FILLED_IN: dict[str, Any] = {"boolean": True, "string": "yes", "integer": 1, "number": 1}


def answer_input(method: str, params: Message, capabilities: Mapping[str, object]) -> Message:
    """Returns the answer to what a server asks of the user; RpcError where the client has not said it can ask that."""
    if method != "elicitation/create" or "elicitation" not in capabilities:
        raise RpcError(METHOD_NOT_FOUND, f"This client does not serve {method}.")
    if params.get("mode", "form") != "form":
        raise RpcError(INVALID_PARAMS, "This client shows forms only.")
    print(f"  the server asks: {params['message']} - answered with yes")
    properties = params["requestedSchema"]["properties"]
    return {"action": "accept", "content": {name: _FILLED_IN[of["type"]] for name, of in properties.items()}}
