"""An HTTP exchange as a file of another program tells of it. Plain data; nothing is judged or repaired."""

from dataclasses import dataclass, field

from mcpsniff.capture.heads import Headers, RequestHead, ResponseHead

LATEST = 1e11  # seconds since the epoch: what is beyond is no time

Piece = tuple[float, bytes]  # seconds since the epoch, bytes of a body


@dataclass(slots=True, kw_only=True)
class Past:
    """One exchange; times are seconds since the epoch."""

    conn: str | None  # tells connections of one file apart; None where the file does not
    client: str | None  # address
    asked: float  # the request's head was there
    request: RequestHead
    sent: float | None = None  # the request was there with its body
    body: bytes | None = None  # of the request; None where the file does not hold it
    request_trailers: Headers = ()
    answered: float = 0.0  # the response's head was there
    response: ResponseHead | None = None
    pieces: list[Piece] | None = field(default_factory=list)  # of the response's body; None where it is not held
    decoded: bool = False  # it comes without the content-encoding that the head names
    untimed: bool = False  # the pieces are events, and it is not known when they came
    trailers: Headers = ()
    ended: float
    by: str = "server"  # these three as in the close record
    why: str = "complete"
    error: str | None = None

    def check(self) -> None:
        """Raises ValueError where a time is none."""
        times = [self.asked, self.answered, self.ended, *(at for at, _ in self.pieces or ())]
        if self.sent is not None:
            times.append(self.sent)
        for at in times:
            if not 0 <= at <= LATEST:
                raise ValueError(f"{at:g} s since 1970 is no time")


@dataclass(slots=True, kw_only=True)
class Archive:
    """What one file holds."""

    file: str  # as the user named it
    format: str
    creator: str | None = None  # the program that made it, where it says so
    exchanges: list[Past] = field(default_factory=list)
    websockets: int = 0  # exchanges that became one
    foreign: int = 0  # connections that are no HTTP
    damage: str | None = None  # why not all of it could be read
    host_rewritten: bool = False  # a proxy replaced what the client sent as Host

    def origin(self) -> dict[str, object]:
        """What the header of the capture says of it."""
        known: dict[str, object] = {"file": self.file, "format": self.format}
        if self.creator is not None:
            known["creator"] = self.creator
        return {**known, "exchanges": len(self.exchanges), **({"damage": self.damage} if self.damage else {})}
