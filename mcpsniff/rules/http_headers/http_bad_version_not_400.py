"""How wrong version headers are answered."""

import re

from mcpsniff.protocol.revisions import is_legacy
from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Rule, quote

DATE = re.compile(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]")
UNRELATED = (400, 401, 403, 404, 405, 429)


class HttpBadVersionNot400(Rule):
    """A request with an invalid or unsupported MCP-Protocol-Version was not answered with 400.

    ## Why it matters
    The client is served by the rules of a version that it did not mean, or looks for the fault elsewhere.

    ## How to fix
    Answer 400 to every version that the server does not support.

    ## When it stays silent
    Other published versions, unless the server has shown that it does not support them and served a request; drafts;
    401, 403, 404, 405 and 429; sessions of versions before 2025-06-18, and `initialize`.
    """

    title = "Invalid or unsupported MCP-Protocol-Version not answered with 400"
    tier = 2
    severity = {"2025-06-18": ERROR}
    since, until = "2025-06-18", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-06-18": "basic/transports#protocol-version-header"}

    def on_close(self, exchange: HttpExchange) -> Found:
        opened, sent, status = self.session.initialize_result, exchange.version, exchange.status
        if opened is None or not sent or exchange.seq < opened.seq or status is None or 502 <= status <= 504:
            return
        if status in UNRELATED or 300 <= status < 400 or any(r.method == "initialize" for r in exchange.requests):
            return
        why = "is no version" if _is_malformed(sent) else self._unsupported(sent) if exchange.requests else None
        if why is not None:
            text = f'MCP-Protocol-Version "{quote(sent, 40)}" {why}, but was answered {status}'
            yield self.found(
                exchange, text, seq=exchange.reply_seq, related=[exchange.seq], where="MCP-Protocol-Version"
            )

    def _unsupported(self, sent: str) -> str | None:
        """Gives how the server has shown that it does not support a version."""
        opened, era = self.session.initialize_result, self.session.era
        agreed = opened.result.get("protocolVersion") if opened is not None else None
        if sent == era.requested and sent != agreed and is_legacy(sent):
            return f"was answered with the offer of {quote(agreed, 40)}"
        versions = self.session.server.versions
        listed = any(map(is_legacy, versions))
        return (
            "is not among the versions that the server listed" if listed and sent not in (agreed, *versions) else None
        )


def _is_malformed(sent: str) -> bool:
    return not DATE.fullmatch(sent) and "draft" not in sent.lower()
