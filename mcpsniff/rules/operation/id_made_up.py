"""Ids that servers invent."""

from mcpsniff.protocol.message import CLIENT, SERVER, Kind
from mcpsniff.rules.rule import INFO, Call, Found, Message, Rule, quote


class IdMadeUp(Rule):
    """The error body of a refused HTTP request carries an id that no request had.

    ## Why it matters
    A client that keeps to the rules cannot give the error to anybody.

    ## How to fix
    Leave the id out (or null, where the revision asks for a member), or repeat the id of the request.

    ## When it stays silent
    Over stdio, and with a status below 400, response-unknown-id says it.
    """

    title = "Error carries an id that no request had"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = SERVER
    transport = "http"
    spec = {
        "2024-11-05": "https://www.jsonrpc.org/specification#response_object",
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }

    def on_answer(self, message: Message, call: Call | None) -> Found:
        exchange = message.exchange
        if call is not None or message.kind is not Kind.ERROR or message.sender != SERVER or exchange is None:
            return
        if message.id is None or message.id.text == "null" or (exchange.status or 0) < 400:
            return
        if self.session.whole and self.session.calls.used(CLIENT, message.id) is None:
            text = f"the error of a response with status {exchange.status} carries the id {quote(message.id.text, 40)}"
            yield self.found(message, text, related=[exchange.seq], where="/id")
