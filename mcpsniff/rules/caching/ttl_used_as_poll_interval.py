"""Clients that take the time to live for a clock."""

from statistics import fmean, pstdev

from mcpsniff.protocol.bounded import BoundedDict
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import CACHEABLE
from mcpsniff.rules.rule import HEURISTIC, WARNING, Call, Found, Message, Rule, Session

GAPS = 5  # in a row
NEAR = 0.10  # of ttlMs
JITTER = 0.03  # coefficient of variation from which on the gaps vary
CAP = 1_000  # requests followed
LONGEST = 10**12  # ms: no capture lasts longer, and no double takes an integer of any size
_Asked = tuple[str, str, str]  # method, URI, cursor


class _Poll:
    """Requests of one kind: when the last one was sent, what its answer said, the gaps near that. In seconds."""

    __slots__ = ("gaps", "last", "ttl")

    def __init__(self, at: float) -> None:
        self.last = at
        self.ttl = 0.0
        self.gaps: list[float] = []

    def again(self, at: float) -> None:
        gap, self.last = at - self.last, at
        near = abs(gap - self.ttl) <= NEAR * self.ttl
        self.gaps = [*self.gaps[1 - GAPS :], gap] if near else []

    @property
    def steady(self) -> bool:
        """Whether the last gaps lie so close that nothing but a timer explains them."""
        return len(self.gaps) == GAPS and pstdev(self.gaps) < JITTER * fmean(self.gaps)


class TtlUsedAsPollInterval(Rule):
    """A client asks for the same again each time that `ttlMs` is over.

    ## Why it matters
    `ttlMs` says how long a result may be used, not how often to ask: many clients in step are a burden on the server.

    ## How to fix
    Ask again when the result is needed and no longer fresh. Who must poll does so with jitter and backs off.

    ## When it stays silent
    Fewer than five gaps in a row within ten percent of `ttlMs`, gaps that vary, and `ttlMs` 0.
    """

    title = "Client polls a list at the TTL"
    tier = 3
    severity = {"2026-07-28": WARNING}
    violator = CLIENT
    confidence = HEURISTIC
    since = "2026-07-28"
    spec = {"2026-07-28": "server/utilities/caching#freshness-calculation"}
    methods = tuple(sorted(CACHEABLE))

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._polls: BoundedDict[_Asked, _Poll] = BoundedDict("polled requests", CAP, session.dropped)

    def on_request(self, message: Message, call: Call) -> Found:
        poll = self._polls.get(_key(call))
        if poll is None:
            self._polls[_key(call)] = _Poll(message.at)
            return
        poll.again(message.at)
        if poll.steady:
            text = f"{call.method} comes every {fmean(poll.gaps):.1f} s, just as long as its result is fresh"
            yield self.found(message, text, fault=call.method)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        poll = self._polls.get(_key(call)) if call is not None else None
        ttl = message.result.get("ttlMs")
        if poll is not None:
            poll.ttl = ttl / 1000 if isinstance(ttl, (int, float)) and 0 < ttl < LONGEST else 0.0
        yield from ()


def _key(call: Call) -> _Asked:
    """Gives what requests for the same have in common."""
    return call.method, str(call.request.params.get("uri")), str(call.request.params.get("cursor"))
