"""Everything known about one conversation at this point; rules read it, the engine alone feeds it.

`match` looks a message up against the state as it stood when the message arrived (rules run then), `apply` takes it
in. Holds no opinions: what is legal stands in the tables, what is wrong in rules/.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from . import inputs
from .authorization import Authorization
from .bounded import BoundedDict, Drops
from .calls import Call
from .doubts import Doubts
from .era import HANDSHAKE, Era
from .exchange import HttpExchange
from .icons import addresses
from .ids import JsonId
from .lifecycle import Event, Phase, advance, event_of
from .listings import Listings
from .lists import Lists
from .marks import Framing
from .message import ANSWERS, CLIENT, OTHER, SERVER, Kind, Message
from .mirror import faults
from .mrtr import Legs
from .offers import Offers
from .pairing import Calls
from .process import Process
from .revisions import LISTS, MODERN_ONLY
from .servers import ServerFacts
from .sessionids import SessionIds
from .streams import Streams
from .subscriptions import Subscriptions
from .tasks import Tasks
from .watches import SUBSCRIBE, WATCHING, Watches

ICON_CAP = 2_000  # URLs of icons, per session


class Session:
    """One conversation: a stdio process, an HTTP session, an HTTP+SSE stream, or a client at a stateless endpoint."""

    def __init__(self, key: str, transport: str, server: ServerFacts, *, from_start: bool = True) -> None:
        self.key = key  # "s1", "s2" … in order of appearance
        self.transport = transport  # "stdio" | "http" | "http+sse"
        self.from_start = from_start  # the capture holds the session's beginning (trap T1)
        self.server = server
        self.dropped = Drops()
        self.era = Era(server)
        self.phase = Phase.FRESH
        self.calls = Calls(self.dropped)
        self.legs = Legs(self.dropped)
        self.subscriptions = Subscriptions(self.dropped)
        self.lists = Lists(self.dropped, server)
        self.watches = Watches(self.dropped)
        self.tasks = Tasks(self.dropped, server)
        self.streams = Streams(self.dropped)
        self.ids = SessionIds(server)  # HTTP, of the handshake era
        self.host_rewritten = False  # by the recording proxy: Host and URL are those of the server's side
        self.authorization = Authorization(self.dropped)
        self.listings = Listings(self.dropped, server)
        self.offers = Offers(key, self.dropped, server)
        self.process = Process(unsure=not from_start) if transport == "stdio" else None
        self.initialize: Call | None = None  # the first initialize request
        self.initialize_result: Message | None = None  # the first that was accepted
        self.discover_result: Message | None = None  # the latest
        self.initialized_seq: int | None = None
        self.turns = 0  # how often that has changed on which it depends who looks at a message
        self.first_request: Message | None = None  # of the client
        self.first_seq: int | None = None
        self.last_seq = 0
        self.last_at = 0.0
        self.log_level: tuple[str, int, float] | None = None  # set by logging/setLevel: (level, answer, seconds)
        self.icons: BoundedDict[str, int] = BoundedDict("icons", ICON_CAP, self.dropped)  # URL → record naming it
        self.holes = 0  # gaps, damaged lines, jumps in seq: what fell into them is unknown
        self.doubts = Doubts()
        self.cut = False  # the capture stopped before the recorder did (trap T2)
        self.end_at = 0.0  # seconds, of the capture's last record
        self.messages = Counter[str]()  # how many by sender
        self.spoke: dict[str, int] = {}  # record of each side's last message
        self.clipped = Counter[tuple[str, Kind]]()  # messages of which the recorder kept only the head
        self.unreadable = Counter[str]()  # by sender: what may have been a message, but could not be read

    # what is known

    @property
    def client_capabilities(self) -> dict[str, Any] | None:
        """The capabilities of the initialize request; None where it was not seen."""
        value = self.initialize.request.params.get("capabilities") if self.initialize else None
        return value if isinstance(value, dict) else None

    @property
    def server_capabilities(self) -> dict[str, Any] | None:
        """The capabilities of the InitializeResult; None where it was not seen."""
        value = self.initialize_result.result.get("capabilities") if self.initialize_result else None
        return value if isinstance(value, dict) else None

    @property
    def discovered_capabilities(self) -> dict[str, Any] | None:
        """The capabilities of the latest discover result; None where it was not seen."""
        value = self.discover_result.result.get("capabilities") if self.discover_result else None
        return value if isinstance(value, dict) else None

    @property
    def session_id(self) -> str | None:
        """The Mcp-Session-Id from the response that held the InitializeResult."""
        return self.ids.first

    @property
    def id_ended(self) -> int | None:
        """The record of the response that ended it: a DELETE accepted, a 404."""
        return self.ids.ended

    @property
    def revision(self) -> str | None:
        """The revision in force; None where it is not known."""
        return self.era.revision

    @property
    def whole(self) -> bool:
        """Whether nothing of the session can have been missed so far: absence proves something."""
        return self.from_start and self.holes == 0 and not self.calls.forgot

    @property
    def opened(self) -> bool:
        """Whether the client began in sight, with `initialize` or `server/discover`."""
        return self.first_request is not None and self.first_request.method in ("initialize", "server/discover")

    def is_experimental(self, method: str) -> bool:
        """Whether one side announced the method, or a part of its name, under `capabilities.experimental`."""
        names = {method, *method.split("/")}
        declared = (self.client_capabilities or {}, self.server_capabilities or {})
        experimental = [one["experimental"] for one in declared if isinstance(one.get("experimental"), dict)]
        return any(not names.isdisjoint(features) for features in experimental)

    def declared_for(self, call: Call) -> list[dict[str, Any]] | None:
        """Gives the client capabilities that count for a question in an answer (2026-07-28).

        They are the request's own, and of a task also those of the call that made it; None where one is not known.
        """
        calls = [call, self.tasks.creator(call)] if call.method == "tasks/get" else [call]
        known = [one.client_capabilities for one in calls if one is not None]
        declared = [capabilities for capabilities in known if capabilities is not None]
        return declared if len(declared) == len(calls) else None

    # a message arrives

    def match(self, message: Message) -> Call | None:
        """Gives the message's call (its own, the one it answers, names or reports on) and sets its era mark."""
        kind = message.kind
        if kind is Kind.REQUEST:
            message.mark = self.era.mark(message)
            return self._match_request(message)
        call = self.calls.find(message) if kind is Kind.RESULT or kind is Kind.ERROR else self._named(message)
        message.mark = call.mark if call is not None else self.era.mark(message)
        return call

    def _match_request(self, message: Message) -> Call:
        call = self.calls.new(message)
        if message.sender == CLIENT:
            members = message.texts
            if "requestState" in members or "inputResponses" in members:
                call.leg = self.legs.find(message)
            if message.exchange is not None:
                call.header_faults = faults(message, self.lists)
        if call.first_use is not None and self._restarts(message):
            call.first_use = None
        return call

    def _restarts(self, message: Message) -> bool:
        """Whether an `initialize` without a session id begins anew on a server that gives out none."""
        exchange: HttpExchange | None = message.exchange
        opens = message.method == "initialize" and (self.initialize is not None or not self.from_start)
        return opens and exchange is not None and exchange.header("mcp-session-id") is None

    def _named(self, message: Message) -> Call | None:
        if message.method == "notifications/cancelled":
            named = message.token("requestId")
            return self._cancels(message.sender, named) if named else None
        if message.method == "notifications/progress":
            token = message.token("progressToken")
            requester = SERVER if message.sender == CLIENT else CLIENT
            return self.calls.by_token(requester, token) if token else None
        return None

    def _cancels(self, sender: str, named: JsonId) -> Call | None:
        """Gives the request that a cancellation names: the sender's own, or a listen stream that the server ends."""
        own = self.calls.waiting(sender, named)
        if own is not None or sender == CLIENT:
            return own
        subscription = self.subscriptions.by_id(named)
        return subscription.call if subscription is not None else None

    def apply(self, message: Message, call: Call | None) -> None:
        """Takes the message in."""
        kind, sender = message.kind, message.sender
        if self.first_seq is None:
            self.first_seq = message.seq
        self.last_seq, self.last_at = message.seq, message.at
        self.messages[sender] += 1
        self.spoke[sender] = message.seq
        if message.truncated:
            self.clipped[(sender, kind)] += 1
        method = message.method if call is None or kind is Kind.NOTIFICATION else call.method
        if method in HANDSHAKE or (kind is Kind.REQUEST and self.phase is not Phase.READY):
            self._advance(message, call)  # nothing else moves a phase
        _APPLY[kind](self, message, call)
        if not message.truncated:
            self.tasks.note(message, call)
            if sender == SERVER:
                for request in inputs.asked(self, message, call):
                    self.offers.add(request, message)

    def exchange_closed(self, exchange: HttpExchange) -> None:
        """Takes in the end of an HTTP exchange: what it leaves unanswered was refused, cancelled or lost."""
        if not self.from_start:
            self.ids.learn(exchange)
        self.ids.close(exchange)
        for call in exchange.calls.values():
            if exchange.refused:
                self.calls.refuse(call)
            elif not call.open:
                continue
            elif exchange.status is None or exchange.status >= 400:
                call.refused = True
            elif exchange.closed_by == "client" and call.mark.framing is Framing.MODERN:
                call.cancelled_seq, call.cancelled_at = exchange.closed_seq, exchange.closed_at
            if call.method == "subscriptions/listen":
                at = exchange.closed_at if exchange.closed_at is not None else exchange.opened_at
                self.subscriptions.end(call.id, exchange.closed_seq or exchange.seq, at, exchange.closed_by or "")

    def breach(self, message: Message, call: Call | None) -> Event | None:
        """Gives what the message is to the handshake where the handshake forbids it now, else None."""
        event = self._event(message, call)
        _, allowed = advance("legacy", message.sender, self.phase, event)
        return None if allowed else event

    def _event(self, message: Message, call: Call | None) -> Event:
        answered = call.method if call is not None and message.kind in ANSWERS else None
        modern = message.kind is Kind.REQUEST and (
            message.mark.framing is Framing.MODERN or message.method in MODERN_ONLY
        )
        return event_of(message, answered, modern)

    def _advance(self, message: Message, call: Call | None) -> None:
        self.phase, _ = advance("legacy", message.sender, self.phase, self._event(message, call))

    def _apply_malformed(self, message: Message, call: Call | None) -> None:
        self.calls.use_id(message)

    def _apply_request(self, message: Message, call: Call | None) -> None:
        if call is None:
            return
        if call.method.startswith("notifications/"):  # its id is a fault: nobody answers it
            self.calls.use_id(message)
            self._apply_notification(message, self._named(message))
            return
        if call.method == "initialize" and self._restarts(message):
            self.calls.restart(CLIENT)
        self.calls.open(call)
        if message.sender != CLIENT:
            return
        if self.first_request is None:
            self.first_request = message
        if call.leg is not None:
            call.leg.retried = True
        if message.method == "initialize":
            self.turns += 1
            self.initialize = self.initialize or call
            version = message.params.get("protocolVersion")
            self.era.requested = self.era.requested or (version if isinstance(version, str) else None)
        elif message.method == "subscriptions/listen":
            self.subscriptions.add(call)
        elif call.method == SUBSCRIBE:
            self.watches.asked(call)

    def _apply_answer(self, message: Message, call: Call | None) -> None:
        if call is None:
            self._refuse_batch(message)
            if message.kind is Kind.ERROR and message.sender == SERVER:
                self.era.stray_error(message)
            return
        self.calls.close(call, message)
        if message.truncated:
            return
        self.era.answered(message, call)
        if call.method == "subscriptions/listen":
            self.subscriptions.end(call.id, message.seq, message.at, message.sender)
        elif call.method in WATCHING:
            self.watches.answered(call, message)
        if message.kind is Kind.RESULT:
            take_in = _RESULTS.get(call.method)
            if take_in is not None:
                take_in(self, message, call)
            if message.result_type == "input_required":
                self.legs.add(call, message)

    def _refuse_batch(self, error: Message) -> None:
        """Takes an error that names no request as the refusal of the batch that came last."""
        if error.kind is not Kind.ERROR or not (error.id is None or error.id.text == "null"):
            return
        waiting = [call for call in self.calls.all_open(OTHER[error.sender]) if call.request.batch]
        for call in waiting:
            if call.seq == waiting[-1].seq:
                self.calls.refuse(call)

    def _initialized(self, message: Message) -> None:
        self.initialized_seq = self.initialized_seq or message.seq

    def _cancelled(self, message: Message, call: Call | None) -> None:
        if call is not None and call.cancelled_seq is None:
            call.cancelled_seq, call.cancelled_at = message.seq, message.at
            self.subscriptions.end(call.id, message.seq, message.at, message.sender)

    def _apply_notification(self, message: Message, call: Call | None) -> None:
        method = message.method or ""
        if method == "notifications/initialized" and message.sender == CLIENT:
            self._initialized(message)
        elif method == "notifications/cancelled":
            self._cancelled(message, call)
        elif method == "notifications/progress":
            if call is not None:
                call.report(message)
        elif message.sender == SERVER:
            if method == "notifications/elicitation/complete":
                self.offers.complete(message)
            self.era.notified(message)
            self.subscriptions.note(message)
            if method.endswith("/list_changed"):
                self.lists.changed(method)

    def _accept(self, message: Message, call: Call) -> None:
        self.turns += 1
        self.initialize_result = self.initialize_result or message
        if call.exchange is not None:
            self.ids.accept(call.exchange)
        self._note_icons(message, call)

    def _discovered(self, message: Message, call: Call) -> None:
        self.turns += 1
        self.discover_result = message
        self._note_icons(message, call)

    def _note_icons(self, message: Message, call: Call) -> None:
        for url in addresses(message, call):
            self.icons.setdefault(url, message.seq)

    def _listed(self, message: Message, call: Call) -> None:
        self._note_icons(message, call)
        self.listings.add(call, self.lists.add(call, message))

    def _level_set(self, message: Message, call: Call) -> None:
        level = call.request.params.get("level")
        if isinstance(level, str):
            self.log_level = (level, message.seq, message.at)


def _tool_called(session: Session, message: Message, call: Call) -> None:
    session.listings.called(call)


_APPLY: dict[Kind, Callable[[Session, Message, Call | None], None]] = {
    Kind.REQUEST: Session._apply_request,
    Kind.NOTIFICATION: Session._apply_notification,
    Kind.RESULT: Session._apply_answer,
    Kind.ERROR: Session._apply_answer,
    Kind.MALFORMED: Session._apply_malformed,
    Kind.BATCH: Session._apply_malformed,
}

_RESULTS: dict[str, Callable[[Session, Message, Call], None]] = {
    "initialize": Session._accept,
    "server/discover": Session._discovered,
    "logging/setLevel": Session._level_set,
    "tools/call": _tool_called,
    **dict.fromkeys(LISTS, Session._listed),
}
