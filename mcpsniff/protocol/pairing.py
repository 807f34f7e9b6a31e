"""Pairs requests with their answers, cancellations and progress; every store has a cap.

Ids are per sender and type (base protocol, Requests); over HTTP an answer belongs to the exchange that carried it
before it belongs to an id. Looks up only; what a mismatch means is for the rules.
"""

from __future__ import annotations

from .bounded import BoundedDict, Drops
from .calls import Call
from .exchange import HttpExchange
from .ids import JsonId, Key
from .message import CLIENT, OTHER, Message

OPEN_CAP = 10_000  # requests waiting for an answer, per session
ANSWERED_CAP = 2_000  # answered requests, kept whole, per session
USED_CAP = 20_000  # ids remembered of each side, per session

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
