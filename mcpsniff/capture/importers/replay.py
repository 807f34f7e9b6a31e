"""Plays exchanges of the past to the recorder, in the order in which it all happened."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from operator import itemgetter

from mcpsniff.capture.exchange import Exchange
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.importers.past import Past
from mcpsniff.capture.recognise import Verdict

NOT_STORED = "not-stored"  # why there is a gap: the file does not hold a body

Step = Callable[[float], None]  # told the time on the capture's clock, seconds


def replay(archives: Iterable[Sequence[Past]], recorder: HttpRecorder, started: float) -> int:
    """Records the exchanges of all files, and gives how many of them are MCP or belong to it.

    `started` is when the capture begins, seconds since the epoch, not later than any of them.
    """
    conns: dict[tuple[int, str], str] = {}
    players = [
        _Player(past, recorder, partial(_name, conns, number))
        for number, exchanges in enumerate(archives)
        for past in exchanges
    ]
    players.sort(key=lambda player: player.past.asked)
    steps = [step for player in players for step in player.steps()]
    steps.sort(key=itemgetter(0))  # a stable sort: what happened at once stays in its order
    for at, take in steps:
        take(at - started)
    return sum(player.kept for player in players)


def _name(conns: dict[tuple[int, str], str], number: int, conn: str | None) -> str | None:
    return None if conn is None else conns.setdefault((number, conn), f"c{len(conns) + 1}")


class _Player:
    """Plays one exchange, step by step."""

    def __init__(self, past: Past, recorder: HttpRecorder, name: Callable[[str | None], str | None]) -> None:
        self.past = past
        self._recorder = recorder
        self._name = name
        self._made: Exchange | None = None

    @property
    def kept(self) -> bool:
        """Whether it was recorded."""
        return self._exchange.verdict in (Verdict.MCP, Verdict.AUTH)

    def steps(self) -> Iterator[tuple[float, Step]]:
        """What happened, with its time, none before the one that precedes it."""
        steps = list(self._steps())
        return zip(accumulate((at for at, _ in steps), max), (step for _, step in steps), strict=True)

    def _steps(self) -> Iterator[tuple[float, Step]]:
        past = self.past
        yield past.asked, self._ask
        if past.sent is not None:
            yield past.sent, self._send
        if past.response is not None:
            yield past.answered, self._answer
        for at, data in past.pieces or ():
            yield at, partial(self._piece, data)
        yield past.ended, self._end

    @property
    def _exchange(self) -> Exchange:
        if self._made is None:  # by the first step, so that exchanges are numbered in the order of their requests
            self._made = self._recorder.exchange(self._name(self.past.conn), self.past.client)
        return self._made

    def _ask(self, t: float) -> None:
        self._exchange.request(t, self.past.request)

    def _send(self, t: float) -> None:
        self._exchange.request_body(t, self.past.body)
        if self.past.request_trailers:
            self._exchange.request_trailers(t, self.past.request_trailers)

    def _answer(self, t: float) -> None:
        assert self.past.response is not None
        self._exchange.response(t, self.past.response, decoded=self.past.decoded, untimed=self.past.untimed)

    def _piece(self, data: bytes, t: float) -> None:
        self._exchange.piece(t, data)

    def _end(self, t: float) -> None:
        past = self.past
        if past.pieces is None or (past.sent is not None and past.body is None):
            self._exchange.lose(t, NOT_STORED)
        if past.trailers:
            self._exchange.trailers(t, past.trailers)
        self._exchange.end(t, past.by, past.why, past.error)
