"""What a server makes of a request that lacks required fields of `_meta`."""

from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.revisions import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    META_CLIENT_CAPABILITIES,
    META_VERSION,
    METHOD_NOT_FOUND,
    MODERN_CODES,
    is_modern,
)
from mcpsniff.rules.rule import CLIENT, ERROR, SERVER, Call, Found, Message, Rule
from mcpsniff.rules.when import error, result, when

REQUIRED = (META_VERSION, META_CLIENT_CAPABILITIES)
BAD_REQUEST = 400
OTHER_CAUSES = MODERN_CODES | {METHOD_NOT_FOUND}  # the order of checks is free


class _MalformedMeta(Rule):
    """What both share."""

    violator = SERVER
    tier = 2
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#meta"}


class MalformedMetaAccepted(_MalformedMeta):
    """The server answers a request with a result although a required field of `_meta` is missing.

    ## Why it matters
    The server has to guess what the client can do, and the fault of the client is found by another server.

    ## How to fix
    Check `_meta` first; answer -32602, over HTTP with status 400.

    ## When it stays silent
    A request that shows no modern era may be a handshake client's, which a server of both eras serves rightly. Over
    HTTP that is decided by the MCP-Protocol-Version header.
    """

    id = "malformed-meta-accepted"
    title = "Server served a request that lacks a required _meta field"

    @when(result, once=result)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        missing = _missing(call) if call is not None else []
        if call is not None and missing and message.has_result and not message.has_error:
            text = f"{call.method} is served, though it carries no {' and no '.join(missing)}"
            yield self.found(message, text, related=[call.seq])


class MalformedMetaWrongError(_MalformedMeta):
    """The server refuses a request that lacks a required field of `_meta`, but not with -32602 and status 400.

    ## Why it matters
    The client cannot tell what is wrong with its request.

    ## How to fix
    Answer -32602, over HTTP with status 400.

    ## When it stays silent
    As malformed-meta-accepted; and where the answer is about something else that is wrong: the headers, the version,
    a capability, the method. A stream that was open before keeps the status it has.
    """

    id = "malformed-meta-wrong-error"
    title = "Server rejected a request without required _meta with another code or HTTP status"

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        missing = _missing(call) if call is not None and message.has_error else []
        if call is None or not missing or message.code in (None, *OTHER_CAUSES):
            return
        if message.code == INVALID_REQUEST and self.session.era.accepted is not None:
            return
        wrong = _wrong(message)
        if wrong is not None:
            text = f"{call.method} without {' and '.join(missing)} is refused with {wrong}"
            related = [call.seq, message.exchange.reply_seq if message.exchange is not None else None]
            yield self.found(message, text, related=related, where="/error/code")


def _wrong(error: Message) -> str | None:
    if error.code != INVALID_PARAMS:
        return f"{error.code}, not {INVALID_PARAMS}"
    exchange = error.exchange
    if exchange is None or exchange.status in (None, BAD_REQUEST) or exchange.reply_messages > 1:
        return None
    return f"HTTP status {exchange.status}, not {BAD_REQUEST}"


def _missing(call: Call) -> list[str]:
    """Gives the required fields that a request lacks for certain; none where it may be of the handshake era."""
    holder = call.request.params.get("_meta", {})
    if call.requester != CLIENT or call.mark.framing is not Framing.MODERN or not isinstance(holder, dict):
        return []
    if call.exchange is not None and not is_modern(call.exchange.version):
        return []
    return [name for name in REQUIRED if name not in holder]
