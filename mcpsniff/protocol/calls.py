"""Pairs requests with their answers, cancellations and progress; every store has a cap.

Ids are per sender and type (base protocol, Requests); over HTTP an answer belongs to the exchange that carried it
before it belongs to an id. Looks up only; what a mismatch means is for the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any

from .bounded import BoundedDict, Drops
from .exchange import HttpExchange
from .ids import JsonId, Key
from .jsonvalue import decode
from .lazily import give
from .message import CLIENT, OTHER, Kind, Message
from .revisions import META_CLIENT_CAPABILITIES, NAME_SOURCE

OPEN_CAP = 10_000  # requests waiting for an answer, per session
ANSWERED_CAP = 2_000  # answered requests, kept whole, per session
USED_CAP = 20_000  # ids remembered of each side, per session


class Outcome(Enum):
    """What became of a request."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    OPEN = "open"
    RESULT = "result"
    ERROR = "error"
    TOOL_ERROR = "tool_error"
    INPUT_REQUIRED = "input_required"
    CANCELLED = "cancelled"


class Call:
    """A request and what became of it; times in seconds on the capture's clock."""

    # Nearly every call is like this for most of its life.
    answer_seq: int | None = None
    answered_on: HttpExchange | None = None  # whose response held the answer
    ended: float | None = None
    made_task = False  # the answer was a task, which goes on (2025-11-25)
    outcome = Outcome.OPEN
    cancelled_seq: int | None = None
    cancelled_at: float | None = None
    refused = False  # the transport refused the request (trap T8): it was never processed
    progress: Decimal | None = None  # last value
    progress_seq: int | None = None
    progress_at: float | None = None
    progress_on: HttpExchange | None = None  # whose response held it
    first_use: int | None = None  # earlier request of this sender with this id in the session
    same_open: Call | None = None  # ... that is still unanswered
    twin = False  # two requests with this id were open at once: an answer may be for either
    header_faults: tuple[Any, ...] = ()  # of the headers that mirror it: mirror.Fault
    leg: Any = None  # the mrtr Leg that this request retries

    target: str | None  # the tool or prompt name, or the resource URI, that the request names
    client_capabilities: dict[str, Any] | None  # of the request's own envelope (modern era), or None
    token: JsonId | None  # its progress token

    def __init__(self, request: Message) -> None:
        self.request = request
        self.requester = request.sender
        self.id: JsonId = request.id or JsonId("null")
        self.method = request.method or ""
        self.seq = request.seq
        self.started = request.at
        self.mark = request.mark
        self.exchange: HttpExchange | None = request.exchange

    @property
    def open(self) -> bool:
        """Whether it still waits: neither answered nor cancelled nor refused by the transport."""
        return self.answer_seq is None and self.cancelled_seq is None and not self.refused

    @property
    def reserves_id(self) -> bool:
        """Whether its id must not be used again yet: a cancelled request may still be answered on stdio."""
        if self.exchange is not None:
            return self.open and self.exchange.closed_seq is None
        cancelled = self.cancelled_seq is not None and self.method == "subscriptions/listen"
        return self.answer_seq is None and not self.refused and not cancelled

    def end(self, answer: Message) -> None:
        """Notes the answer."""
        self.answer_seq, self.ended, self.answered_on = answer.seq, answer.at, answer.exchange
        self.made_task = "task" in answer.texts and _makes_task(self.request, answer)
        self.outcome = _outcome(self, answer)

    def report(self, progress: Message) -> None:
        """Notes a progress notification, unless its value is no number."""
        self.mark.worked = True
        value = progress_of(progress)
        if value is not None:
            self.progress, self.progress_seq = value, progress.seq
            self.progress_at, self.progress_on = progress.at, progress.exchange


def _target(request: Message) -> str | None:
    text = request.texts.get(NAME_SOURCE.get(request.method or "", ""))
    value = None if text is None else decode(text)
    return value if isinstance(value, str) else None


def _capabilities(request: Message) -> dict[str, Any] | None:
    value = request.meta.get(META_CLIENT_CAPABILITIES) if "_meta" in request.texts else None
    return value if isinstance(value, dict) else None


_WORKED_OUT: dict[str, Callable[[Call], Any]] = {
    "target": lambda call: _target(call.request),
    "client_capabilities": lambda call: _capabilities(call.request),
    "token": lambda call: call.request.token("_meta", "progressToken"),
}
give(Call, _WORKED_OUT)


def progress_of(message: Message) -> Decimal | None:
    """Gives the progress value of a notification, exactly; None where it is no number."""
    params = message.exact.get("params")
    value = params.get("progress") if isinstance(params, dict) else None
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    number = Decimal(value)
    return number if number.is_finite() else None


def _makes_task(request: Message, answer: Message) -> bool:
    return isinstance(answer.result.get("task"), dict) and "task" in request.texts


def _outcome(call: Call, answer: Message) -> Outcome:
    if answer.kind is Kind.ERROR:
        return Outcome.ERROR
    members = answer.texts
    if "resultType" in members and answer.result_type == "input_required":
        return Outcome.INPUT_REQUIRED
    if call.method == "tools/call" and "isError" in members and bytes(members["isError"]) == b"true":
        return Outcome.TOOL_ERROR
    return Outcome.RESULT


Slot = tuple[str, Key]  # sender of the request, value of its id or token


class Calls:
    """The requests of one session, by sender and id."""

    def __init__(self, drops: Drops) -> None:
        self._open: BoundedDict[Slot, list[Call]] = BoundedDict("open calls", OPEN_CAP, drops)
        # Of every id only its latest record, and its connection where it came on one: these stores grow largest.
        self._used: dict[str, BoundedDict[Key, int | tuple[int, str]]] = {
            sender: BoundedDict("request ids", USED_CAP, drops) for sender in OTHER
        }
        self._answered: BoundedDict[Slot, Call] = BoundedDict("answered calls", ANSWERED_CAP, drops)
        self._tokens: BoundedDict[Slot, list[Call]] = BoundedDict("progress tokens", OPEN_CAP, drops)
        self._newest_answered: dict[str, Call] = {}  # by requester

    # looking up: nothing changes

    def new(self, request: Message) -> Call:
        """Gives the Call of a request, with what is known of its id; it is not yet registered."""
        call = Call(request)
        sender, key = request.sender, call.id.key
        use = self._used[sender].get(key)
        if use is not None:
            seq, conn = use if isinstance(use, tuple) else (use, "")
            call.first_use = seq if _same_client(request, conn) else None
        waiting = self._open.get((sender, key))
        if waiting is not None:
            held = (c for c in waiting if c.reserves_id and _same_client(request, _conn(c.request)))
            call.same_open = next(held, None)
        return call

    def find(self, answer: Message) -> Call | None:
        """Gives the open request that a response answers: by exchange, then by id, then by the id's text alone."""
        requester = OTHER[answer.sender]
        here = self._in_exchange(answer, requester)
        if here is not None or answer.id is None:
            return here
        exact = self._open.get((requester, answer.id.key))
        if exact:
            return exact[0]
        return self._by_text(answer.id, requester)

    def _in_exchange(self, answer: Message, requester: str) -> Call | None:
        exchange: HttpExchange | None = answer.exchange
        if exchange is None or requester == answer.sender:
            return None
        waiting = [c for c in exchange.calls.values() if c.requester == requester and c.answer_seq is None]
        if answer.id is not None:
            for call in waiting:
                if call.id.key == answer.id.key:
                    return call  # type: ignore[no-any-return]
        unreadable = answer.id is None or answer.id.text == "null"
        return waiting[0] if len(waiting) == 1 and unreadable else None

    def _by_text(self, wanted: JsonId, requester: str) -> Call | None:
        other = _other_type(wanted)
        twins = [] if other is None else self._open.get((requester, other)) or []
        return twins[0] if len(twins) == 1 else None

    def _use(self, sender: str, key: Key) -> tuple[int | None, str]:
        """Gives record and connection of the latest request of `sender` with this id."""
        use = self._used[sender].get(key)
        return use if isinstance(use, tuple) else (use, "")

    def used(self, sender: str, id_: JsonId) -> int | None:
        """Gives the record of the latest request of `sender` with this id, or None."""
        return self._use(sender, id_.key)[0]

    def used_as_text(self, sender: str, id_: JsonId) -> int | None:
        """The same for an id that differs in JSON type alone."""
        other = _other_type(id_)
        return None if other is None else self._use(sender, other)[0]

    def waiting(self, sender: str, id_: JsonId) -> Call | None:
        """Gives the unanswered request of `sender` with this id."""
        calls = self._open.get((sender, id_.key))
        return calls[0] if calls else None

    def answered(self, sender: str, id_: JsonId) -> Call | None:
        """Gives the latest answered request of `sender` with this id."""
        return self._answered.get((sender, id_.key))

    def by_token(self, requester: str, token: JsonId) -> Call | None:
        """Gives the latest request of `requester` with this progress token, an open one before others."""
        calls = self._tokens.get((requester, token.key))
        return next((call for call in reversed(calls) if call.open), calls[-1]) if calls else None

    def token_holder(self, request: Message, token: JsonId) -> Call | None:
        """Gives the request of the same client that holds this progress token and is not done."""
        calls = self._tokens.get((request.sender, token.key)) or ()
        held = (c for c in calls if c.open and c.reserves_id and _same_client(request, _conn(c.request)))
        return next(held, None)

    def by_token_text(self, requester: str, token: JsonId) -> Call | None:
        """The same for a token that differs in JSON type alone."""
        other = _other_type(token)
        calls = None if other is None else self._tokens.get((requester, other))
        return calls[-1] if calls else None

    def all_open(self, requester: str | None = None) -> list[Call]:
        """Gives the requests that still wait, oldest first."""
        calls = [call for queue in self._open.values() for call in queue if call.open]
        return [call for call in calls if requester in (None, call.requester)]

    def newest_answered(self, requester: str) -> Call | None:
        """Gives the request of `requester` that was sent last among those answered."""
        return self._newest_answered.get(requester)

    @property
    def forgot(self) -> bool:
        """Whether a cap threw ids away: absence proves nothing any more."""
        return any(store.dropped > 0 for store in self._used.values())

    # changing

    def open(self, call: Call) -> None:
        """Registers a request."""
        slot = (call.requester, call.id.key)
        self.use_id(call.request, call.id)
        queue = self._open.get(slot)
        if queue is None:
            self._open[slot] = [call]
        else:
            queue.append(call)
        if call.same_open is not None:
            call.twin = call.same_open.twin = True
        if call.exchange is not None and call.requester == CLIENT:
            call.exchange.calls[call.id.key] = call
        if call.token is not None:
            token = (call.requester, call.token.key)
            self._tokens[token] = [c for c in self._tokens.get(token) or () if c.open] + [call]

    def use_id(self, message: Message, id_: JsonId | None = None) -> None:
        """Counts an id as used, of an invalid request too: then its error reply is no stranger."""
        id_, conn = id_ or message.id, _conn(message)
        if id_ is not None:
            self._used[message.sender][id_.key] = (message.seq, conn) if conn else message.seq

    def restart(self, sender: str) -> None:
        """Forgets which ids a sender has used: it began a session of its own without saying which."""
        for key in list(self._used[sender]):
            self._used[sender].pop(key)

    def refuse(self, call: Call) -> None:
        """Notes that a request was never processed: it waits for nothing, and its id is free again (trap T8)."""
        call.refused = call.answer_seq is None
        self._forget(call)
        if self.used(call.requester, call.id) == call.seq:
            self._used[call.requester].pop(call.id.key)

    def close(self, call: Call, answer: Message) -> None:
        """Registers the answer."""
        call.end(answer)
        self._forget(call)
        self._answered[(call.requester, call.id.key)] = call
        newest = self._newest_answered.get(call.requester)
        if newest is None or call.seq > newest.seq:
            self._newest_answered[call.requester] = call

    def _forget(self, call: Call) -> None:
        slot = (call.requester, call.id.key)
        queue = self._open.get(slot)
        if queue is not None and call in queue:
            queue.remove(call)
        if not queue:
            self._open.pop(slot)


def _conn(message: Message) -> str:
    exchange: HttpExchange | None = message.exchange
    return "" if exchange is None else exchange.conn


def _same_client(request: Message, conn: str) -> bool:
    """Whether a request surely comes from the client that used connection `conn`."""
    exchange: HttpExchange | None = request.exchange
    return exchange is None or exchange.conn == conn or exchange.identified


def _other_type(id_: JsonId) -> Key | None:
    if not id_.legal:
        return None
    if isinstance(id_.key, str):
        text = id_.key
        return int(text) if text.lstrip("-").isdigit() and len(text) < 40 and str(int(text)) == text else None
    return str(id_.key) if isinstance(id_.key, int) else None
