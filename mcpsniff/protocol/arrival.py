"""What arrives changes a session: a message, once the rules have seen it, and the end of an HTTP exchange."""

from __future__ import annotations

from collections.abc import Callable

from . import inputs, proof
from .calls import Call
from .era import HANDSHAKE
from .exchange import HttpExchange
from .icons import addresses
from .lifecycle import Phase, advance
from .marks import Framing
from .matching import named, restarts
from .message import CLIENT, OTHER, SERVER, Kind, Message
from .revisions import LISTS
from .session import Session
from .watches import SUBSCRIBE, WATCHING


def apply(session: Session, message: Message, call: Call | None) -> None:
    """Takes the message in."""
    kind, sender = message.kind, message.sender
    if session.first_seq is None:
        session.first_seq = message.seq
    session.last_seq, session.last_at = message.seq, message.at
    session.messages[sender] += 1
    session.spoke[sender] = message.seq
    if message.truncated:
        session.clipped[(sender, kind)] += 1
    method = message.method if call is None or kind is Kind.NOTIFICATION else call.method
    if method in HANDSHAKE or (kind is Kind.REQUEST and session.phase is not Phase.READY):
        _advance(session, message, call)  # nothing else moves a phase
    _APPLY[kind](session, message, call)
    if not message.truncated:
        session.tasks.note(message, call)
        if sender == SERVER:
            for request in inputs.asked(session, message, call):
                session.offers.add(request, message)


def exchange_closed(session: Session, exchange: HttpExchange) -> None:
    """Takes in the end of an HTTP exchange: what it leaves unanswered was refused, cancelled or lost."""
    if not session.from_start:
        session.ids.learn(exchange)
    session.ids.close(exchange)
    for call in exchange.calls.values():
        if exchange.refused:
            session.calls.refuse(call)
        elif not call.open:
            continue
        elif exchange.status is None or exchange.status >= 400:
            call.refused = True
        elif exchange.closed_by == "client" and call.mark.framing is Framing.MODERN:
            call.cancelled_seq, call.cancelled_at = exchange.closed_seq, exchange.closed_at
        if call.method == "subscriptions/listen":
            at = exchange.closed_at if exchange.closed_at is not None else exchange.opened_at
            session.subscriptions.end(call.id, exchange.closed_seq or exchange.seq, at, exchange.closed_by or "")


def _advance(session: Session, message: Message, call: Call | None) -> None:
    session.phase, _ = advance("legacy", message.sender, session.phase, session.event(message, call))


def _apply_malformed(session: Session, message: Message, call: Call | None) -> None:
    session.calls.use_id(message)


def _apply_request(session: Session, message: Message, call: Call | None) -> None:
    if call is None:
        return
    if call.method.startswith("notifications/"):  # its id is a fault: nobody answers it
        session.calls.use_id(message)
        _apply_notification(session, message, named(session, message))
        return
    if call.method == "initialize" and restarts(session, message):
        session.calls.restart(CLIENT)
    session.calls.open(call)
    if message.sender != CLIENT:
        return
    if session.first_request is None:
        session.first_request = message
    if call.leg is not None:
        call.leg.retried = True
    if message.method == "initialize":
        session.turns += 1
        session.initialize = session.initialize or call
        version = message.params.get("protocolVersion")
        session.era.requested = session.era.requested or (version if isinstance(version, str) else None)
    elif message.method == "subscriptions/listen":
        session.subscriptions.add(call)
    elif call.method == SUBSCRIBE:
        session.watches.asked(call)


def _apply_answer(session: Session, message: Message, call: Call | None) -> None:
    if call is None:
        _refuse_batch(session, message)
        if message.kind is Kind.ERROR and message.sender == SERVER:
            proof.stray_error(session.era, message)
        return
    session.calls.close(call, message)
    if message.truncated:
        return
    proof.answered(session.era, message, call)
    if call.method == "subscriptions/listen":
        session.subscriptions.end(call.id, message.seq, message.at, message.sender)
    elif call.method in WATCHING:
        session.watches.answered(call, message)
    if message.kind is Kind.RESULT:
        take_in = _RESULTS.get(call.method)
        if take_in is not None:
            take_in(session, message, call)
        if message.result_type == "input_required":
            session.legs.add(call, message)


def _refuse_batch(session: Session, error: Message) -> None:
    """Takes an error that names no request as the refusal of the batch that came last."""
    if error.kind is not Kind.ERROR or not (error.id is None or error.id.text == "null"):
        return
    waiting = [call for call in session.calls.all_open(OTHER[error.sender]) if call.request.batch]
    for call in waiting:
        if call.seq == waiting[-1].seq:
            session.calls.refuse(call)


def _initialized(session: Session, message: Message) -> None:
    session.initialized_seq = session.initialized_seq or message.seq


def _cancelled(session: Session, message: Message, call: Call | None) -> None:
    if call is not None and call.cancelled_seq is None:
        call.cancelled_seq, call.cancelled_at = message.seq, message.at
        session.subscriptions.end(call.id, message.seq, message.at, message.sender)


def _apply_notification(session: Session, message: Message, call: Call | None) -> None:
    method = message.method or ""
    if method == "notifications/initialized" and message.sender == CLIENT:
        _initialized(session, message)
    elif method == "notifications/cancelled":
        _cancelled(session, message, call)
    elif method == "notifications/progress":
        if call is not None:
            call.report(message)
    elif message.sender == SERVER:
        if method == "notifications/elicitation/complete":
            session.offers.complete(message)
        proof.notified(session.era, message)
        session.subscriptions.note(message)
        if method.endswith("/list_changed"):
            session.lists.changed(method)


def _accept(session: Session, message: Message, call: Call) -> None:
    session.turns += 1
    session.initialize_result = session.initialize_result or message
    if call.exchange is not None:
        session.ids.accept(call.exchange)
    _note_icons(session, message, call)


def _discovered(session: Session, message: Message, call: Call) -> None:
    session.turns += 1
    session.discover_result = message
    _note_icons(session, message, call)


def _note_icons(session: Session, message: Message, call: Call) -> None:
    for url in addresses(message, call):
        session.icons.setdefault(url, message.seq)


def _listed(session: Session, message: Message, call: Call) -> None:
    _note_icons(session, message, call)
    session.listings.add(call, session.lists.add(call, message))


def _level_set(session: Session, message: Message, call: Call) -> None:
    level = call.request.params.get("level")
    if isinstance(level, str):
        session.log_level = (level, message.seq, message.at)


def _tool_called(session: Session, message: Message, call: Call) -> None:
    session.listings.called(call)


_APPLY: dict[Kind, Callable[[Session, Message, Call | None], None]] = {
    Kind.REQUEST: _apply_request,
    Kind.NOTIFICATION: _apply_notification,
    Kind.RESULT: _apply_answer,
    Kind.ERROR: _apply_answer,
    Kind.MALFORMED: _apply_malformed,
    Kind.BATCH: _apply_malformed,
}

_RESULTS: dict[str, Callable[[Session, Message, Call], None]] = {
    "initialize": _accept,
    "server/discover": _discovered,
    "logging/setLevel": _level_set,
    "tools/call": _tool_called,
    **dict.fromkeys(LISTS, _listed),
}
