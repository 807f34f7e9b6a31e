"""Error codes from ranges that belong to somebody else."""

from collections.abc import Container
from typing import ClassVar

from mcpsniff.protocol.revisions import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MODERN_CODES,
    PARSE_ERROR,
)
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, INFO, SERVER, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import error, when

INTERNAL_ERROR = -32603
JSONRPC_CODES = frozenset((PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR))
RETIRED = frozenset((-32002, -32042))  # retired-error-code


class _Range(Rule):
    """What the ranges share: a row says which codes, and which of them are right all the same."""

    codes: ClassVar[range] = range(0)
    known: ClassVar[Container[int]] = ()
    whose: ClassVar[str] = ""

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        code = message.code if message.has_error else None
        if code is None or code not in self.codes or code in self.known:
            return
        related = [call.seq if call is not None else None]
        text = f"error code {code} is {self.whose}"
        yield self.found(message, text, related=related, fault=str(code), where="/error/code")


class JsonrpcReservedErrorCode(_Range):
    """An error code lies in the range that JSON-RPC keeps for itself, and JSON-RPC does not define it.

    ## Why it matters
    A later JSON-RPC may give the code a meaning; clients and gateways may already treat the range as faults of the
    protocol.

    ## How to fix
    Number errors of the application outside of -32768 to -32000.

    ## When it stays silent
    The five codes of JSON-RPC, and the band from -32099 to -32000, which it leaves to implementations.
    """

    id = "jsonrpc-reserved-error-code"
    title = "Server invented a code inside the JSON-RPC reserved range"
    tier = 2
    severity = {"2024-11-05": WARNING}
    spec = {
        "2024-11-05": "https://www.jsonrpc.org/specification#error_object",
        "2026-07-28": "basic/index#error-codes",
    }
    codes, known = range(-32768, -32099), JSONRPC_CODES
    whose = "reserved by JSON-RPC and not defined there"


class ReservedErrorCode(_Range):
    """An error code lies in the range that 2026-07-28 keeps for MCP, and the revision does not define it.

    ## Why it matters
    A later revision may give the code a meaning that clients act upon.

    ## How to fix
    Number errors of the application outside of -32768 to -32000. Where the server is newer than this tool, update the
    tool: the code may have been defined since.

    ## When it stays silent
    The three codes of the revision, and the retired -32042 (retired-error-code).
    """

    id = "reserved-error-code"
    title = "Server emitted an undefined code from the range reserved for the specification"
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#error-codes"}
    codes, known = range(-32099, -32019), MODERN_CODES | RETIRED
    whose = "reserved for MCP, which does not define it (a newer tool may know more)"


class LegacyRangeErrorCode(_Range):
    """An error code lies between -32019 and -32000, where older programs had numbered as they liked.

    ## Why it matters
    The meaning is this server's own: another one uses the same number for something else.

    ## How to fix
    New code numbers errors of the application outside of -32768 to -32000.

    ## When it stays silent
    The retired -32002 has a rule of its own. Each code is told once.
    """

    id = "legacy-range-error-code"
    title = "Server used a code from the legacy range -32000 to -32019"
    tier = 2
    severity = {"2026-07-28": INFO}
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#error-codes"}
    codes, known = range(-32019, -31999), RETIRED
    whose = "of the range that older programs use as they like"
