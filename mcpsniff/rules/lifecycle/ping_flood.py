"""More pings than anybody needs."""

from collections import Counter

from mcpsniff.rules.rule import HEURISTIC, WARNING, Call, Found, Message, Rule, Session

GAP = 1.0  # seconds between pings; less is too often
SUSTAINED = 10.0  # seconds that it must go on
MANY = 100  # pings of a side that may outnumber everything else


class _Run:
    """Pings of one side that follow each other too fast."""

    __slots__ = ("count", "first", "last", "told")

    def __init__(self, first: Message) -> None:
        self.first = self.last = first
        self.count = 1
        self.told = False


class PingFlood(Rule):
    """One side pings more than once a second for ten seconds, or more often than everything else is sent.

    ## Why it matters
    Pings cost both sides work and fill logs; receivers may take them for an attack.

    ## How to fix
    Ping every half minute or so, and only while nothing else shows that the other side is alive.

    ## When it stays silent
    A single burst is none, and neither are a few pings in a quiet session.
    """

    title = "Excessive pinging"
    tier = 3
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    confidence = HEURISTIC
    methods = ("ping",)
    spec = {"2024-11-05": "basic/utilities/ping#implementation-considerations"}
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._runs: dict[str, _Run] = {}  # by sender
        self._pings = Counter[str]()
        self._latest: dict[str, Message] = {}

    def on_request(self, message: Message, call: Call) -> Found:
        sender = message.sender
        self._pings[sender] += 1
        self._latest[sender] = message
        run = self._runs.get(sender)
        if run is None or message.at - run.last.at >= GAP:
            self._runs[sender] = _Run(message)
            return
        run.last, run.count = message, run.count + 1
        lasted = message.at - run.first.at
        if lasted >= SUSTAINED and not run.told:
            run.told = True
            text = f"{run.count} pings in {lasted:.1f} s"
            yield self.found(message, text, related=[run.first.seq])

    def on_end(self) -> Found:
        for sender, pings in self._pings.items():
            others = sum(self.session.messages.values()) - 2 * pings
            if pings >= MANY and pings > others:
                text = f"{pings} pings, but only {max(others, 0)} other messages"
                yield self.found(self._latest[sender], text, fault="share")
