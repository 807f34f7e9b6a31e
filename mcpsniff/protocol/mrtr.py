"""Multi round-trip requests: which retry answers which `input_required` (2026-07-28, basic/patterns/mrtr).

A leg is one `input_required` result that waits for its retry. Matching is by requestState and the keys of the inputs,
within one method and target. Does not judge the retry.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .bounded import BoundedDict, Drops
from .calls import Call
from .ids import Key
from .message import Message
from .revisions import INPUT_REQUIRED

LEG_CAP = 1_000  # unanswered legs, per session


class Leg:
    """One `input_required` result and the chain of requests that led to it."""

    __slots__ = ("asked", "at", "call", "ids", "keys", "requests", "retried", "root", "seq", "state")

    def __init__(self, call: Call, answer: Message) -> None:
        requests = answer.result.get("inputRequests")
        state = answer.result.get("requestState")
        self.call = call
        self.seq = answer.seq
        self.at = answer.at
        self.requests: dict[str, Any] = requests if isinstance(requests, dict) else {}
        self.keys = frozenset(self.requests)
        self.state: str | None = state if isinstance(state, str) else None
        earlier: Leg | None = call.leg
        self.asked: frozenset[str] = (earlier.asked if earlier else frozenset()) | self.keys  # in the whole chain
        self.ids: frozenset[Key] = (earlier.ids if earlier else frozenset()) | {call.id.key}
        self.root: int = earlier.root if earlier else call.seq  # record of the chain's first request
        self.retried = False

    def fits(self, request: Message) -> bool:
        """Whether the request is for the same method, target and arguments."""
        mine, theirs = self.call.request.params, request.params
        return request.method == self.call.method and all(
            mine.get(name) == theirs.get(name) for name in ("name", "uri")
        )

    def common_keys(self, request: Message) -> frozenset[str]:
        """Gives the keys that were asked for and are answered."""
        answers = request.params.get("inputResponses")
        return self.keys & frozenset(answers) if isinstance(answers, dict) else frozenset()

    def same_state(self, request: Message) -> bool:
        """Whether the request gives back the state of this leg."""
        return self.state is not None and self.state == request.params.get("requestState")

    def surely_meant(self, request: Message) -> bool:
        """Whether the request answers this leg and not another by chance: the same state, or a common key."""
        return self.same_state(request) or bool(self.common_keys(request))

    def same_arguments(self, request: Message) -> bool:
        """Whether the arguments are the same, too."""
        return bool(self.call.request.params.get("arguments") == request.params.get("arguments"))

    def unanswered(self, request: Message) -> list[str]:
        """Gives the keys that were asked for and are not answered; none where the answers cannot be read."""
        answers = request.params.get("inputResponses", {})
        return sorted(self.keys - set(answers)) if isinstance(answers, dict) else []

    def answers(self, request: Message) -> bool:
        """Whether the request gives back the state of this leg and answers what it asked, as far as it did."""
        return self.same_state(request) and (not self.keys or bool(self.common_keys(request)))


_SURENESS: tuple[Callable[[Leg, Message], bool], ...] = (  # how a retry shows which leg it means, surest first
    lambda leg, request: leg.answers(request) and leg.same_arguments(request),
    lambda leg, request: leg.answers(request),
    lambda leg, request: bool(leg.common_keys(request)) and leg.same_arguments(request),
    lambda leg, request: leg.same_state(request),
    lambda leg, request: bool(leg.common_keys(request)),
    lambda leg, request: not leg.retried and leg.same_arguments(request),
)


class Legs:
    """The unanswered legs of one session."""

    def __init__(self, drops: Drops) -> None:
        self._legs: BoundedDict[int, Leg] = BoundedDict("input_required legs", LEG_CAP, drops)
        self.states: BoundedDict[tuple[str, str | None, str], int] = BoundedDict("request states", LEG_CAP, drops)
        self._issuers: BoundedDict[str, Leg] = BoundedDict("request states", LEG_CAP, drops)

    def add(self, call: Call, answer: Message) -> None:
        """Registers an `input_required` result."""
        leg = Leg(call, answer)
        self._legs[answer.seq] = leg
        if leg.state is not None:
            self.states[(call.method, call.target, leg.state)] = answer.seq
            self._issuers[leg.state] = leg

    def find(self, request: Message) -> Leg | None:
        """Gives the leg that a request retries, or None for a fresh call."""
        params = request.params
        if request.method not in INPUT_REQUIRED or not ("inputResponses" in params or "requestState" in params):
            return None
        candidates = [leg for leg in self._legs.values() if leg.fits(request)][::-1]
        candidates.sort(key=lambda leg: leg.retried)
        return next((leg for means in _SURENESS for leg in candidates if means(leg, request)), None)

    def knows(self, call: Call, state: str) -> bool:
        """Whether a state was issued for the method and target of a call."""
        return (call.method, call.target, state) in self.states

    def issuer(self, state: str) -> Leg | None:
        """Gives the latest leg that issued a state, whatever it was for."""
        return self._issuers.get(state)

    def waiting(self) -> list[Leg]:
        """Gives the legs that no request has retried."""
        return [leg for leg in self._legs.values() if not leg.retried]


def input_requests(answer: Message) -> dict[str, Any]:
    """Gives the requests that a result carries: an `input_required` one, or a task that waits for input."""
    result = answer.result
    entries = result.get("inputRequests")
    asks = result.get("resultType") == "input_required" or result.get("status") == "input_required"
    return entries if asks and isinstance(entries, dict) else {}
