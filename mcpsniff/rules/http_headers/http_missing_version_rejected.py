"""Refusals for want of a version header."""

from mcpsniff.rules.rule import HEURISTIC, SERVER, WARNING, Found, HttpExchange, Rule, quote

HEADER = "mcp-protocol-version"


class HttpMissingVersionRejected(Rule):
    """A request was refused only because it had no MCP-Protocol-Version.

    ## Why it matters
    Clients of 2025-03-26 do not know the header; a server should assume that version, or the negotiated one.

    ## How to fix
    Without the header, take the version of the session; where there is none, 2025-03-26.

    ## When it stays silent
    Refusals that do not name the header. The server may support neither sessions nor 2025-03-26, which is not visible.
    """

    title = "Server refused a request only because MCP-Protocol-Version was missing"
    tier = 3
    severity = {"2025-06-18": WARNING}
    since, until = "2025-06-18", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-06-18": "basic/transports#protocol-version-header"}
    confidence = HEURISTIC

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.status != 400 or exchange.header(HEADER) is not None or not exchange.headers:
            return
        message = exchange.final.error.get("message") if exchange.final is not None else None
        said = [message if isinstance(message, str) else ""]
        said.extend(text for sender, _, text in exchange.texts if sender == SERVER)
        named = next((text for text in said if HEADER in text.lower()), None)
        if named is not None:
            text = f'{exchange.method} was refused: "{quote(named, 60)}"'
            yield self.found(
                exchange, text, seq=exchange.reply_seq, related=[exchange.seq], where="MCP-Protocol-Version"
            )
