"""Everything known about one conversation at this point; rules read it.

What arrives is looked up against it in `matching`, and taken in by `arrival`. Holds no opinions: what is legal stands
in the tables, what is wrong in rules/.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .authorization import Authorization
from .bounded import BoundedDict, Drops
from .calls import Call
from .doubts import Doubts
from .era import Era
from .lifecycle import Event, Phase, advance, event_of
from .listings import Listings
from .lists import Lists
from .marks import Framing
from .message import ANSWERS, Kind, Message
from .mrtr import Legs
from .offers import Offers
from .pairing import Calls
from .process import Process
from .revisions import MODERN_ONLY
from .servers import ServerFacts
from .sessionids import SessionIds
from .streams import Streams
from .subscriptions import Subscriptions
from .tasks import Tasks
from .watches import Watches

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

    def breach(self, message: Message, call: Call | None) -> Event | None:
        """Gives what the message is to the handshake where the handshake forbids it now, else None."""
        event = self.event(message, call)
        _, allowed = advance("legacy", message.sender, self.phase, event)
        return None if allowed else event

    def event(self, message: Message, call: Call | None) -> Event:
        """Gives what the message is to the handshake."""
        answered = call.method if call is not None and message.kind in ANSWERS else None
        modern = message.kind is Kind.REQUEST and (
            message.mark.framing is Framing.MODERN or message.method in MODERN_ONLY
        )
        return event_of(message, answered, modern)
