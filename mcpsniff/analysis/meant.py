"""One record → what the protocol makes of it: a message, a text that is none, the head of an exchange."""

from __future__ import annotations

from collections.abc import Mapping

from mcpsniff.capture import records as rec
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Kind, Message
from mcpsniff.rules.rule import Text
from mcpsniff.wire.jsontext import head


def message_of(record: rec.Message) -> Message:
    """Gives the message; of an ordinary one the members are known and the text is cut out when somebody asks."""
    members = record.members
    if record.truncated:
        known = record.head
        return _beheaded(record, {} if known is None else {"id": bytes(known.id), "method": bytes(known.method)})
    if members is not None:
        return Message(record, record.sender, record.seq, record.t, record.size, members)
    message = Message(record.data, record.sender, record.seq, record.t, record.size)
    return _beheaded(record, head(record.data)) if message.is_unreadable else message


def text_of(record: rec.Text) -> Text:
    """Gives bytes where a message belongs that are not one JSON value."""
    text = Text(record.seq, record.t, record.sender, record.data, record.size)
    text.eol, text.sse, text.encoding = record.eol, record.sse, record.encoding
    return text


def stderr_of(record: rec.Stderr) -> Text:
    """Gives a line of the server's stderr."""
    text = Text(record.seq, record.t, "server", record.data, record.size)
    text.eol = record.eol
    return text


def exchange_of(record: rec.Request) -> HttpExchange:
    """Gives the exchange that a request head opens."""
    headers = [(name, value) for name, value in record.headers]
    exchange = HttpExchange(record.x, record.seq, record.t, record.method, record.url, headers)
    exchange.conn, exchange.address = record.conn or "", record.client or ""
    exchange.request_head, exchange.request_body = record.head_size, record.body_size
    return exchange


def _beheaded(record: rec.Message, known: Mapping[str, bytes]) -> Message:
    """Gives the message of which only the head was kept, or can be read."""
    members = [b'"%s":%s' % (name.encode(), text) for name, text in known.items() if text]
    message = Message(b"{" + b",".join(members) + b"}", record.sender, record.seq, record.t, record.size)
    message.truncated = True
    if message.id is not None and message.method is None:
        message.kind = Kind.RESULT  # or an error: an answer in any case
    return message
