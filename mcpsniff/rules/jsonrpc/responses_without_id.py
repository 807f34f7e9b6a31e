"""Responses that name no request: errors that should, and answers to notifications."""

import re
from collections import Counter

from mcpsniff.protocol.encoding import looks_like_json
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.ids import JsonId
from mcpsniff.protocol.message import OTHER, Kind
from mcpsniff.protocol.revisions import LEGACY, METHOD_NOT_FOUND, MODERN, REVISIONS
from mcpsniff.rules.rule import (
    CONTEXTUAL,
    INFO,
    SERVER,
    Call,
    Found,
    Message,
    Rule,
    Session,
    Text,
    quote,
)
from mcpsniff.rules.when import either, error, odd, over_http, stray, when

_ABOUT_HEAD = re.compile(r"session|origin|host|header|version|accept|content.type", re.IGNORECASE)


class _ResponseWithoutId(Rule):
    """Counts, by sender, what may be answered by an error without an id (trap T5)."""

    tier = 2
    confidence = CONTEXTUAL

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._owed = Counter[str]()

    def on_text(self, text: Text) -> Found:
        self._owed[text.sender] += not looks_like_json(text.data)  # what does is counted by the session
        yield from ()

    def on_torn(self, texts: list[Text], message: Message) -> Found:
        self._owed[message.sender] += len(texts)
        yield from ()

    def on_batch(self, message: Message) -> Found:
        self._owed[message.sender] += 1
        yield from ()

    @when(odd)
    def on_object(self, message: Message) -> Found:
        illegal = message.id is not None and message.has_method and not message.id.legal
        if message.kind is Kind.MALFORMED or message.recovered or illegal or not message.is_version_2:
            self._owed[message.sender] += 1
        yield from ()

    def _excuse(self, message: Message) -> bool:
        """Whether an error without an id may be for something that its sender could not read; uses that up."""
        sender = OTHER[message.sender]
        if self._owed[sender] + self.session.unreadable[sender] <= 0:
            return False
        self._owed[sender] -= 1
        return True


class ErrorResponseMissingId(_ResponseWithoutId):
    """An error response has no id, or a null one, although the request could be read.

    ## Why it matters
    The client cannot tell which of its requests failed, and waits.

    ## How to fix
    Copy the id of the request into the error. Leave it out only where it could not be read.

    ## When it stays silent
    After a line, a body or an array that could not be read; where the transport refuses a body before it is read (401,
    403, 404, 406, 413, 415), in the handshake era also for a missing session and a bad version header; for answers to
    notifications. Over stdio in 2026-07-28 only where a single request was open.
    """

    id = "error-response-missing-id"
    title = "Error response omitted the id although the request was readable"
    spec = {
        "2024-11-05": "basic/messages#responses",
        "2025-03-26": "basic/index#responses",
        "2025-11-25": "basic/index#error-responses",
    }
    yields_to = ("response-to-notification", "batch-not-supported", "message-shape-invalid", "result-and-error")
    by_value = True

    @when(odd)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is not Kind.ERROR or not _nameless(message) or message.is_foreign or message.batch:
            return
        exchange = self._post(message)
        if exchange is None and _streams(message):
            yield from self._on_stream(message)
        elif exchange is None:
            return  # the error body of a GET or DELETE
        elif call is not None and call.id.legal and not call.request.batch and not _unread(exchange):
            excused = exchange.status in (400, 404) and self._is_about_head(exchange, call, message)
            only = (MODERN,) if excused else REVISIONS
            text = f"the error has no id, the request in record {call.seq} has {quote(call.id.text)}"
            yield self.found(message, text, related=[call.seq], only_in=only, where="/id")

    def _post(self, message: Message) -> HttpExchange | None:
        """Gives the exchange whose body the error answers; None on a stream of many messages."""
        exchange: HttpExchange | None = message.exchange
        answers = exchange is not None and message.sender == SERVER and exchange.method == "POST"
        return exchange if answers and self.session.transport == "http" else None

    def _is_about_head(self, exchange: HttpExchange, call: Call, error: Message) -> bool:
        """Whether a server of the handshake era may have refused the headers before it read the body."""
        session, named = self.session, exchange.header("mcp-session-id")
        stateless = session.initialize_result is not None and session.session_id is None
        unnamed = named is None and not stateless
        lost = call.method != "initialize" and (unnamed or named != session.session_id)
        said = _ABOUT_HEAD.search(str(error.error.get("message"))) is not None
        return exchange.status == 404 or lost or said or exchange.version not in (None, session.era.negotiated)

    def _on_stream(self, message: Message) -> Found:
        waiting = self.session.calls.all_open(OTHER[message.sender])
        if not self.session.whole or self._excuse(message):
            return
        text = "an error without an id, though every line of the other side could be read"
        if len(waiting) == 1:
            text = f"{text}; the request of record {waiting[0].seq} is the one that waits"
        only = REVISIONS if len(waiting) == 1 else LEGACY
        related = [call.seq for call in waiting[:1]] if len(waiting) == 1 else []
        yield self.found(message, text, related=related, only_in=only, where="/id")


class ResponseToNotification(_ResponseWithoutId):
    """A notification was answered with a response.

    ## Why it matters
    Nobody waits for an answer to a notification; clients take the response for that of a request, or fail on it.

    ## How to fix
    Take notifications without a word, also those that you do not know. Over HTTP answer 202 with an empty body.

    ## When it stays silent
    For a notification that carries an id (notification-with-id), for the late answer to a request that was cancelled,
    for HTTP error statuses, and after a line that could not be read. On stdio an error without an id counts only
    where its text is about the notification; in 2026-07-28 it is a note.
    """

    id = "response-to-notification"
    title = "Server answered a notification with a JSON-RPC response"
    spec = {"2024-11-05": "basic/messages#notifications", "2025-03-26": "basic/index#notifications"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._latest: dict[str, Message] = {}  # last notification of each side
        self._closed: dict[str, tuple[JsonId, int]] = {}  # a cancellation of what does not wait, by sender

    def on_notification(self, message: Message, call: Call | None) -> Found:
        self._latest[message.sender] = message
        named = message.token("requestId") if message.method == "notifications/cancelled" else None
        if named is not None and call is None and self.session.whole:  # else its request may be in what is missing
            self._closed[message.sender] = (named, message.seq)
        else:
            self._closed.pop(message.sender, None)
        self.stir(awake=bool(self._closed))
        yield from ()

    @when(either(error, stray, over_http), awake=True)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        other, exchange = OTHER[message.sender], message.exchange
        closed = self._closed.pop(other, None)
        if message.sender == SERVER and exchange is not None and exchange.method == "POST":
            yield from self._in_body(message, exchange)
        elif call is None and closed is not None and message.id == closed[0]:
            text = f"the response has the id {quote(closed[0].text)} that a notification named"
            yield self.found(message, text, related=[closed[1]])
        elif message.kind is Kind.ERROR and _nameless(message) and not self._excuse(message):
            yield from self._about(message, self._last(other))
        self.stir(awake=bool(self._closed))

    def _last(self, sender: str) -> Message | None:
        """Gives the last message of a side, where it is a notification."""
        told = self._latest.get(sender)
        return told if told is not None and self.session.spoke.get(sender) == told.seq else None

    def _in_body(self, message: Message, exchange: HttpExchange) -> Found:
        told = exchange.parts
        only_told = bool(told) and all(part.kind is Kind.NOTIFICATION for part in told)
        if only_told and exchange.status is not None and 200 <= exchange.status < 300:
            text = f"{quote(told[0].method)} was answered with {_what(message)}"
            yield self.found(message, text, related=[told[0].seq])

    def _about(self, error: Message, told: Message | None) -> Found:
        """Judges an error without an id that follows a notification on a stream."""
        if told is None or not self.session.whole:
            return
        said = str(error.error.get("message")).lower()
        unknown = error.code == METHOD_NOT_FOUND or "method not found" in said
        alone = not self.session.calls.all_open(told.sender)
        if (told.method or "").lower() in said or (unknown and alone):
            text = f"{quote(told.method)} was answered with error {error.code}"
            yield self.found(error, text, related=[told.seq], only_in=LEGACY)
            yield self.found(error, text, related=[told.seq], only_in=(MODERN,), severity=INFO)


def _nameless(message: Message) -> bool:
    return message.id is None or message.id.text == "null"


def _streams(message: Message) -> bool:
    """Whether a message comes on a stream of many, on stdio or over HTTP, or from a client."""
    exchange: HttpExchange | None = message.exchange
    return exchange is None or exchange.is_stream or message.sender != SERVER


def _unread(exchange: HttpExchange) -> bool:
    """Whether the transport turned the body away before anybody read it; 404 also says that there is no method."""
    return exchange.refused and exchange.status != 404


def _what(message: Message) -> str:
    return f"error {message.code}" if message.kind is Kind.ERROR else "a result"
