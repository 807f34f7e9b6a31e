"""A session to talk into: each call is one message that arrives."""

import json

import pytest

from mcpsniff.protocol.arrival import apply
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.matching import match
from mcpsniff.protocol.message import CLIENT, SERVER, Message
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
MARKERS = {"resultType": "complete"}


class Talk:
    """Feeds one session; keeps what it fed by number, with the marks that tell the labels at the end."""

    def __init__(self, transport="stdio", server=None):
        self.session = Session("s1", transport, server or ServerFacts())
        self.heard = []
        self.exchanges = {}

    def feed(self, sender, message, x=None):
        """Gives one message to the session; text is taken as it is."""
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        one = Message(raw, sender, len(self.heard) + 1, float(len(self.heard)), len(raw))
        one.exchange = self.exchanges.get(x)
        call = match(self.session, one)
        if one.exchange is not None and sender == CLIENT:
            one.exchange.mark = one.mark
        apply(self.session, one, call)
        self.heard.append(one)
        return one

    def ask(self, method, id=1, modern=False, version="2026-07-28", x=None, **params):
        """The client's request."""
        if modern:
            params["_meta"] = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": version}
        request = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        return self.feed(CLIENT, request, x)

    def answer(self, id=1, modern=False, x=None, **result):
        """The server's result."""
        return self.feed(SERVER, {"jsonrpc": "2.0", "id": id, "result": {**(MARKERS if modern else {}), **result}}, x)

    def refuse(self, code, id=1, x=None, **data):
        """The server's error."""
        error = {"code": code, "message": "no", **({"data": data} if data else {})}
        return self.feed(SERVER, {"jsonrpc": "2.0", "id": id, "error": error}, x)

    def note(self, sender, method, x=None, **params):
        """A notification."""
        return self.feed(sender, {"jsonrpc": "2.0", "method": method, "params": params}, x)

    def handshake(self, version="2025-11-25", id="i"):
        """initialize, its result, initialized."""
        asked = self.ask("initialize", id, protocolVersion=version, capabilities={}, clientInfo={})
        self.answer(id, protocolVersion=version, capabilities={}, serverInfo={})
        self.note(CLIENT, "notifications/initialized")
        return asked

    def post(self, x, *headers, method="POST", url="http://127.0.0.1:8000/mcp"):
        """An HTTP request head."""
        exchange = HttpExchange(x, len(self.heard) + 1, float(len(self.heard)), method, url, list(headers))
        exchange.session = self.session
        self.session.era.note_head(exchange)
        self.exchanges[x] = exchange
        return exchange

    def labels(self):
        """Gives the labels of the client's requests, once everything was heard."""
        return [one.mark.label for one in self.heard if one.sender == CLIENT and one.id is not None]


@pytest.fixture
def talk():
    """Gives the maker of sessions to talk into."""
    return Talk


@pytest.fixture
def exchange():
    """Makes an exchange with what was sent and what came back."""

    def make(method="GET", url="https://as.example/", headers=(), form=None, sent=None, status=None, body=None):
        one = HttpExchange("x", 1, 0.5, method, url, list(headers))
        if form is not None:
            one.texts.append((CLIENT, 2, form))
        if sent is not None:
            one.messages.append(_message(sent, CLIENT))
        one.status, one.reply_seq = status, 3
        one.body = None if body is None else _message(body, SERVER, one)
        return one

    return make


def _message(value, sender, of=None):
    raw = json.dumps(value).encode()
    one = Message(raw, sender, 4, 0.5, len(raw))
    one.exchange = of
    return one
