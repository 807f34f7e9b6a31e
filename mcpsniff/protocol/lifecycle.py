"""The life of a session as two tables, one an era; nothing else.

NEXT[era][sender][phase][event] gives the next phase; a missing key means that the event is not allowed there. An
analyzer goes on after a breach: RESYNC[event] says where. All transitions live here; who complains lives in rules/.
Sections: 2024-11-05 … 2025-11-25 basic/lifecycle; 2026-07-28 basic/index (no phases: every request stands alone).
"""

from __future__ import annotations

from enum import Enum

from .message import ANSWERS, CLIENT, SERVER, Kind, Message


class Phase(Enum):
    """How far a handshake has come."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    FRESH = "fresh"  # nothing of the handshake was seen
    OPENING = "opening"  # initialize was sent
    ANSWERED = "answered"  # initialize has its result, initialized is due
    READY = "ready"  # initialized was sent


class Event(Enum):
    """What a message means for the phase."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    PROBE = "probe"  # a request with modern framing
    INITIALIZE = "initialize"
    INITIALIZED = "initialized"
    PING = "ping"
    REQUEST = "request"
    NOTIFICATION = "notification"
    ACCEPTED = "accepted"  # a result to initialize
    REFUSED = "refused"  # an error to initialize
    ANSWER = "answer"


F, O, A, R = Phase.FRESH, Phase.OPENING, Phase.ANSWERED, Phase.READY  # noqa: E741 - the columns below

_QUIET = {  # what never moves a phase and is always allowed
    phase: {Event.PROBE: phase, Event.PING: phase, Event.NOTIFICATION: phase, Event.ANSWER: phase} for phase in Phase
}

NEXT: dict[str, dict[str, dict[Phase, dict[Event, Phase]]]] = {
    "legacy": {
        CLIENT: {
            F: {**_QUIET[F], Event.INITIALIZE: O},  # Initialization: the first interaction
            O: {**_QUIET[O]},  # no request but ping before the answer
            A: {
                **_QUIET[A],
                Event.INITIALIZED: R,
                Event.REQUEST: A,
            },  # initialized is due, requests may cross it
            R: {**_QUIET[R], Event.REQUEST: R},
        },
        SERVER: {
            F: {**_QUIET[F]},
            O: {**_QUIET[O], Event.ACCEPTED: A, Event.REFUSED: F},
            A: {**_QUIET[A]},  # no request but ping before initialized
            R: {**_QUIET[R], Event.REQUEST: R},
        },
    },
    "modern": {
        CLIENT: {phase: {Event.PROBE: phase, Event.NOTIFICATION: phase} for phase in Phase},
        SERVER: {phase: {Event.NOTIFICATION: phase, Event.ANSWER: phase} for phase in Phase},
    },
}

RESYNC: dict[Event, Phase] = {  # where a breach leads; an event that is not here changes nothing
    Event.INITIALIZE: O,
    Event.ACCEPTED: A,
    Event.INITIALIZED: R,
}


def advance(era: str, sender: str, phase: Phase, event: Event) -> tuple[Phase, bool]:
    """Gives the next phase and whether the event was allowed."""
    following = NEXT[era][sender][phase].get(event)
    if following is None:
        return RESYNC.get(event, phase), False
    return following, True


_CLIENT_EVENTS = {"initialize": Event.INITIALIZE, "notifications/initialized": Event.INITIALIZED}


def event_of(message: Message, answers: str | None, modern: bool) -> Event:
    """Gives the event that a message is; `answers` is the method of the request that it answers."""
    if message.kind in ANSWERS:
        if answers != "initialize":
            return Event.ANSWER
        return Event.ACCEPTED if message.kind is Kind.RESULT else Event.REFUSED
    if message.sender == CLIENT and message.method in _CLIENT_EVENTS:
        return _CLIENT_EVENTS[message.method]
    if message.kind is not Kind.REQUEST or (message.method or "").startswith("notifications/"):
        return Event.NOTIFICATION
    if modern:
        return Event.PROBE
    return Event.PING if message.method == "ping" else Event.REQUEST
