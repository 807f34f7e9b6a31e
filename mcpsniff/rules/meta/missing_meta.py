"""A modern request lacks one of the protocol's fields in `_meta`."""

from typing import ClassVar

from mcpsniff.protocol.revisions import META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_VERSION
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import lacks_meta, when


class _Missing(Rule):
    """What the three fields share."""

    field: ClassVar[str] = ""
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#meta"}
    yields_to = ("params-not-object",)

    @when(lacks_meta(META_VERSION, META_CLIENT_CAPABILITIES, META_CLIENT_INFO))
    def on_request(self, message: Message, call: Call) -> Found:
        holder = message.params.get("_meta", {})
        if message.sender != CLIENT or call.method.startswith("notifications/"):
            return  # notification-with-id
        if isinstance(holder, dict) and self.field not in holder:
            where = pointer("params", "_meta", self.field)
            yield self.found(message, f"{call.method} carries no {self.field}", where=where)


class MissingMetaProtocolVersion(_Missing):
    """A request of the 2026-07-28 revision does not name its protocol version in `params._meta`.

    ## Why it matters
    Every request stands alone: without the version the server cannot know which rules hold and answers -32602.

    ## How to fix
    Put `io.modelcontextprotocol/protocolVersion` into `_meta` of every request, list requests and retries included.

    ## When it stays silent
    Notifications need none. A bare request where nothing shows the modern era yet may be a handshake client's.
    """

    id = "missing-meta-protocol-version"
    title = "Request does not carry io.modelcontextprotocol/protocolVersion in params._meta"
    field = META_VERSION
    severity = {"2026-07-28": ERROR}


class MissingMetaClientCapabilities(_Missing):
    """A request of the 2026-07-28 revision does not carry the client's capabilities in `params._meta`.

    ## Why it matters
    The server must not fill them in from an earlier request; it answers -32602, or asks for nothing.

    ## How to fix
    Put `io.modelcontextprotocol/clientCapabilities` into `_meta` of every request; `{}` means none.

    ## When it stays silent
    As missing-meta-protocol-version. A value that is no object is meta-field-invalid.
    """

    id = "missing-meta-client-capabilities"
    title = "Request does not carry io.modelcontextprotocol/clientCapabilities in params._meta"
    field = META_CLIENT_CAPABILITIES
    severity = {"2026-07-28": ERROR}


class MissingMetaClientInfo(_Missing):
    """Requests of the 2026-07-28 revision do not say which client sends them.

    ## Why it matters
    Nothing else names the client now; logs and statistics of servers stay anonymous.

    ## How to fix
    Put `io.modelcontextprotocol/clientInfo` with name and version into `_meta`, unless the user wants none.

    ## When it stays silent
    As missing-meta-protocol-version.
    """

    id = "missing-meta-client-info"
    title = "Request does not carry io.modelcontextprotocol/clientInfo"
    field = META_CLIENT_INFO
    severity = {"2026-07-28": WARNING}
    confidence = CONTEXTUAL
