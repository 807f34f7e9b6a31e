"""What a server makes of a version that it does not support."""

from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import (
    META_CLIENT_CAPABILITIES,
    META_VERSION,
    METHODS,
    MODERN,
    MODERN_CODES,
    is_legacy,
    is_modern,
)
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, Call, Found, Message, Rule, quote


class _UnsupportedVersion(Rule):
    """What both look at: the answer to a request whose version is not in the server's list."""

    tier = 2
    since = "2026-07-28"
    violator = SERVER
    confidence = CONTEXTUAL
    spec = {"2026-07-28": "basic/versioning#protocol-version-negotiation"}
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or call.mark.framing is not Framing.MODERN:
            return
        version, supported = call.mark.version, self._supported(message)
        if version is None or is_legacy(version) or not supported or version in supported:
            return
        advertised = self.session.era.advertised
        related = [call.seq, advertised.seq if advertised is not None else None]
        text = f"the server supports {quote(', '.join(supported[:4]))}; the request for {quote(version)}"
        yield from self._judge(message, call, text, related)

    def _judge(self, message: Message, call: Call, text: str, related: list[int | None]) -> Found:
        raise NotImplementedError

    def _supported(self, message: Message) -> list[str]:
        """Gives the versions that the server supports, as far as it tells one list."""
        told = message.result.get("supportedVersions")
        versions = [v for v in told if isinstance(v, str)] if isinstance(told, list) else self.session.server.versions
        return versions if any(map(is_modern, versions)) and not self.session.server.varies else []


class UnsupportedVersionNotRejected(_UnsupportedVersion):
    """The server served a request that names a version which it does not support.

    ## Why it matters
    The client believes that both sides follow that version; what the server does is something else.

    ## How to fix
    Answer with -32022, and name what you support in `data.supported`.

    ## When it stays silent
    Before the server has told what it supports, where it has told different lists, and for handshake revisions.
    """

    id = "unsupported-version-not-rejected"
    title = "Server served a request for a protocol version it does not support"

    def _judge(self, message: Message, call: Call, text: str, related: list[int | None]) -> Found:
        if message.kind is Kind.RESULT:
            yield self.found(message, f"{text} was served", related=related)


class UnsupportedVersionWrongError(_UnsupportedVersion):
    """The server refused a version that it does not support with another error than -32022.

    ## Why it matters
    The client cannot know that another version would do, and gives up or falls back to the handshake.

    ## How to fix
    Check the version first; answer with -32022, and name what you support in `data.supported`.

    ## When it stays silent
    Where the method, the metadata or the HTTP headers are wrong as well, where the transport refused the request,
    and as unsupported-version-not-rejected does.
    """

    id = "unsupported-version-wrong-error"
    title = "Server rejected an unsupported version with another error"

    def _judge(self, message: Message, call: Call, text: str, related: list[int | None]) -> Found:
        if message.kind is Kind.ERROR and message.code not in MODERN_CODES and _is_sound(call):
            yield self.found(message, f"{text} was refused with error {message.code}", related=related)


def _is_sound(call: Call) -> bool:
    """Whether nothing but the version can be wrong with a request."""
    method, meta, exchange = METHODS.get(call.method), call.request.meta, call.exchange
    whole = isinstance(meta.get(META_VERSION), str) and isinstance(meta.get(META_CLIENT_CAPABILITIES), dict)
    if method is None or not method.defined_in(MODERN) or not whole:
        return False
    if exchange is None:
        return True
    agrees = exchange.version == meta[META_VERSION] and exchange.header("mcp-method") == call.method
    return agrees and not exchange.refused
