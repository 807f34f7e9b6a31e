"""The server does not heed a change of the roots."""

from mcpsniff.rules.rule import CLIENT, HEURISTIC, INFO, SERVER, Call, Found, HttpExchange, Message, Rule, Session
from mcpsniff.rules.when import is_method, when

LIST, CHANGED = "roots/list", "notifications/roots/list_changed"
CROSSING = 1.0  # seconds in which messages of both sides may cross (trap T6)
PATIENCE = 30.0  # seconds in which a server asks again


class RootsChangeNotFetched(Rule):
    """The client said that its roots changed, and the server, which uses roots, did not ask for them.

    ## Why it matters
    The server works on with folders that are no longer open to it.

    ## How to fix
    Send roots/list after each notifications/roots/list_changed.

    ## When it stays silent
    Servers that never asked for roots, captures that stop within 30 seconds or lack some of the traffic, and over HTTP
    servers that had no GET stream to ask on for 30 seconds: what answers a POST should concern that POST.
    """

    title = "Server did not ask for the roots after a change notification"
    tier = 3
    severity = {"2024-11-05": INFO}
    violator = SERVER
    confidence = HEURISTIC
    until = "2025-11-25"
    spec = {"2024-11-05": "client/roots#root-list-changes"}
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._asked: int | None = None  # record of the latest roots/list that was answered
        self._waiting: Message | None = None  # the first notification since
        self._streams: set[str] = set()  # open GET streams, by their exchange

    @when(is_method(LIST))
    def on_request(self, message: Message, call: Call) -> Found:
        if message.sender == SERVER and message.method == LIST:
            yield from self._end(message.at, PATIENCE)

    @when(is_method(LIST))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT and call is not None and call.method == LIST:
            self._asked, self._waiting = call.seq, None  # what was said in between is in the answer
        yield from ()

    @when(is_method(CHANGED))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT and message.method == CHANGED and self._can_ask(message):
            self._waiting = self._waiting or message
        yield from ()

    def _can_ask(self, message: Message) -> bool:
        listening = bool(self._streams) or self.session.transport == "http+sse"  # where the stream is the session
        return self._asked is not None and (message.exchange is None or listening)

    def on_reply(self, exchange: HttpExchange) -> Found:
        if exchange.method == "GET" and exchange.is_stream:
            self._streams.add(exchange.x)
        if self._waiting is not None and self._waiting.exchange is exchange and not exchange.succeeded:
            self._waiting = None  # the server did not take it
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.is_stream and exchange.closed_at is not None:
            self._streams.discard(exchange.x)
            if not self._streams:
                yield from self._end(exchange.closed_at, PATIENCE)

    def on_end(self) -> Found:
        session = self.session
        return self._end(session.end_at, PATIENCE if session.cut or session.transport != "stdio" else CROSSING)

    def _end(self, at: float, least: float) -> Found:
        """Ends the wait: the server asks, cannot ask any more, or is gone; `least` seconds are its due."""
        told, self._waiting = self._waiting, None
        if told is None or at - told.at <= least:
            return
        if self.session.holes:
            yield self.unchecked("part of the traffic was not recorded")
        else:
            text = "the roots changed, and the server did not ask for them again"
            yield self.found(told, text, related=[self._asked])
