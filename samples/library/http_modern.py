"""What the stateless era asks of HTTP: mirrored headers, the status of each error, closing as cancelling."""

from typing import Any

from library.event_log import EventLog
from library.exchange import Exchange
from library.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
    Message,
    RpcError,
    failure,
    is_request,
    is_response,
)
from library.modern import ModernServer
from library.revisions import NAME_SOURCE, VERSION_KEY, header_text
from library.streams import OpenRequests

_STATUS = {
    INVALID_REQUEST: 400,
    METHOD_NOT_FOUND: 404,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    MISSING_CLIENT_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
}


class ModernEndpoint:
    """Answers each POST by itself."""

    def __init__(self, server: ModernServer) -> None:
        self.open = OpenRequests()
        self._server = server

    def post(self, exchange: Exchange, value: Any) -> None:
        """Answers a request, or takes note of a notification; nothing else may be posted."""
        if isinstance(value, list) or is_response(value):
            raise RpcError(INVALID_REQUEST, "A POST holds one request or one notification.")
        if not is_request(value):
            exchange.reply(202)
            return
        try:
            self._server.admit(value)
            check_headers(exchange, value)
        except RpcError as error:
            exchange.reply_json(_status(error.code), failure(value["id"], error))
            return
        self._answer(exchange, value)

    def _answer(self, exchange: Exchange, request: Message) -> None:
        """Answers with JSON where the response comes first, with a stream where something else does."""
        log = EventLog()
        self.open.begin(request["id"], log)
        try:
            log.run(self._server.handle, request)
            response = log.only_response(exchange.client_is_gone)
            if response is not None:
                code = response.get("error", {}).get("code")
                exchange.reply_json(_status(code), response)
            elif exchange.client_is_gone() or not exchange.reply_events(log):
                log.stop(cancelled=True)
        finally:
            self.open.end(log)


def check_headers(exchange: Exchange, request: Message) -> None:
    """Raises the header mismatch error where a mirrored header is missing or differs from the body."""
    method, params = request["method"], request["params"]
    expected = {"MCP-Protocol-Version": params["_meta"][VERSION_KEY], "Mcp-Method": method}
    if method in NAME_SOURCE:
        expected["Mcp-Name"] = params.get(NAME_SOURCE[method])
    for name, value in expected.items():
        sent = exchange.header(name)
        if sent is None:
            raise RpcError(HEADER_MISMATCH, f"The header {name} is missing.")
        try:
            matches = header_text(sent) == value
        except ValueError:
            matches = False
        if not matches:
            raise RpcError(HEADER_MISMATCH, f"The header {name} says {sent}, the body {value}.")


def _status(code: int | None) -> int:
    return 200 if code is None else _STATUS.get(code, 200)
