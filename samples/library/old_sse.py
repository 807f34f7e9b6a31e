"""The old HTTP+SSE transport (2024-11-05): one standing stream for what the server says, POSTs for the client.

Stands beside the one endpoint of later revisions, as their compatibility sections advise.
"""

import secrets
import threading
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from library.build import Build
from library.event_log import EventLog
from library.exchange import Exchange
from library.jsonrpc import Message, is_request, is_response
from library.legacy import LegacySession
from library.streams import OpenRequests, Stream

OLD_STREAM_PATH = "/sse"
OLD_POST_PATH = "/messages"


@dataclass
class OldSession:
    """One standing stream, which is the session."""

    legacy: LegacySession
    log: EventLog
    open: OpenRequests = field(default_factory=OpenRequests)

    def serve(self, request: Message, stream: Stream) -> None:
        """Answers a request over the standing stream."""
        response = self.legacy.handle(request, stream)
        self.open.end(stream)
        if response is not None:
            self.log.send(response)


class OldSseEndpoint:
    """All sessions of this transport."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._sessions: dict[str, OldSession] = {}

    def close(self) -> None:
        """Ends all streams."""
        for session in list(self._sessions.values()):
            session.log.finish()

    def get(self, exchange: Exchange) -> None:
        """Opens a session for as long as its stream lasts; its first event says where to post."""
        token, log = secrets.token_hex(16), EventLog()
        session = self._sessions[token] = OldSession(self._build.legacy_session(log.send), log)
        endpoint = f"event: endpoint\ndata: {OLD_POST_PATH}?session_id={token}\n\n"
        exchange.reply_events(log, preface=endpoint.encode())
        del self._sessions[token]
        session.open.stop_all()
        session.legacy.close()

    def post(self, exchange: Exchange, query: str, value: Any) -> None:
        """Takes a message; whatever there is to answer comes over the stream."""
        session = self._sessions.get(parse_qs(query).get("session_id", [""])[0])
        if session is None:
            exchange.reply(404)
        elif isinstance(value, list):
            exchange.reply(400)
        else:
            exchange.reply(202)
            _take(session, value)


def _take(session: OldSession, message: Message) -> None:
    if is_request(message):
        stream = Stream(session.log.send)
        session.open.begin(message["id"], stream)
        threading.Thread(target=session.serve, args=(message, stream), daemon=True).start()
    elif is_response(message):
        session.legacy.answer(message)
    elif message["method"] == "notifications/cancelled":
        session.open.cancel(message.get("params", {}).get("requestId"))
    else:
        session.legacy.notice(message)
