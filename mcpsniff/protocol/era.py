"""Which era each side of a session showed, the records that say so, and the verdict.

Collects evidence while messages come; the label of a single exchange is its Mark's (marks.py). Sections: 2026-07-28
basic/versioning, Compatibility; the handshake revisions' basic/lifecycle.
"""

from __future__ import annotations

from dataclasses import dataclass

from .exchange import HttpExchange
from .marks import DoorMark, Framing, Mark, UnitMark, exchange_framing
from .message import CLIENT, SERVER, Kind, Message
from .revisions import (
    LEGACY_ONLY,
    META_SUBSCRIPTION,
    META_VERSION,
    MODERN,
    MODERN_ONLY,
    is_legacy,
    is_modern,
)
from .servers import Advertised, ServerFacts

CERTAIN, STRONG, CONTEXTUAL = 3, 2, 1
HANDSHAKE = ("initialize", "notifications/initialized")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One record that says something about the era of one side."""

    seq: int
    side: str  # CLIENT or SERVER
    says: str  # "modern" or "legacy"
    why: str
    strength: int


class Era:
    """Collects the era evidence of one session."""

    def __init__(self, server: ServerFacts) -> None:
        self.server = server
        self.evidence: list[Evidence] = []
        self._reasons: set[tuple[str, str, str]] = set()  # side, era and reason of each
        self.accepted: int | None = None  # initialize answered with a result, here
        self.served_modern: int | None = None  # last modern request served here
        self.served_legacy: int | None = None  # last legacy request served here
        self.modern_version: str | None = None  # of the last served modern request
        self.negotiated: str | None = None  # protocolVersion of the InitializeResult
        self.requested: str | None = None  # protocolVersion of the initialize request
        self.header_version: str | None = None  # a legacy date in MCP-Protocol-Version
        self.advertised: Advertised | None = None  # the latest list of versions that this client was told
        self.shown_modern: int | None = None  # first certain sign of the modern era that reached this client

    @property
    def legacy_revision(self) -> str | None:
        """The handshake revision in force, or the best that is known of it; None where it is none of the four."""
        for version in (self.negotiated, self.header_version, self.requested):
            if version is not None:
                return version if is_legacy(version) else None
        return None

    # what a message shows by itself

    def mark(self, message: Message) -> Mark:
        """Gives the mark of a request, or of a message that opens nothing."""
        exchange: HttpExchange | None = message.exchange
        if message.kind is Kind.REQUEST and message.sender == CLIENT:
            version = message.meta.get(META_VERSION) if "_meta" in message.texts else None
            version = version or (exchange.version if exchange is not None else None)
            return Mark(self._framing(message), self, version if isinstance(version, str) else None)
        if message.kind is Kind.BATCH and any(_has_envelope(element) for element in message.elements()):
            return Mark(Framing.MODERN, self)
        if exchange is not None and exchange.mark is not None:
            return exchange.mark  # type: ignore[no-any-return]
        if belongs_to_subscription(message):
            return UnitMark(Framing.MODERN, self)
        legacy = any(part.method in HANDSHAKE for part in message.parts)
        return UnitMark(Framing.LEGACY if legacy else Framing.BARE, self)

    def unit_mark(self, seq: int) -> Mark:
        """Gives the mark of what carries no message: it takes the label of the whole at the end."""
        return UnitMark(Framing.BARE, self)

    def surely_modern_mark(self, seq: int) -> Mark:
        """Gives a mark that is modern whatever the server proves."""
        return UnitMark(Framing.MODERN, self)

    def modern_mark(self, seq: int) -> Mark:
        """Gives a mark that is modern once the server has proved to be: for what breaks the modern era's own rules."""
        return Mark(Framing.MODERN, self)

    def door_mark(self, seq: int, asked: Framing) -> Mark:
        """Gives the mark of what leads to a session; `asked` is how the request was framed that asked for one."""
        return DoorMark(asked, self)

    def note_head(self, exchange: HttpExchange) -> None:
        """Notes what the head of an HTTP request says of the client's era."""
        version = exchange.version
        if is_modern(version):
            self.add(exchange.seq, CLIENT, "modern", f"MCP-Protocol-Version names {version}", CERTAIN)
        elif is_legacy(version):
            self.header_version = version
            self.add(exchange.seq, CLIENT, "legacy", f"MCP-Protocol-Version names {version}", CONTEXTUAL)

    def _framing(self, message: Message) -> Framing:
        seq, method = message.seq, message.method or ""
        exchange: HttpExchange | None = message.exchange
        if method == "initialize":
            self.add(seq, CLIENT, "legacy", "sends initialize", CERTAIN)
            return Framing.LEGACY
        if "_meta" in message.texts and _has_envelope(message):
            self.add(seq, CLIENT, "modern", f"request carries {META_VERSION} in _meta", CERTAIN)
            return Framing.MODERN
        if exchange is not None and is_modern(exchange.version):
            return Framing.MODERN  # note_head has the evidence
        if method in LEGACY_ONLY:
            self.add(seq, CLIENT, "legacy", f"sends {method}, which only the handshake revisions have", CERTAIN)
            return Framing.LEGACY
        if method in MODERN_ONLY and self.accepted is None:
            self.add(seq, CLIENT, "modern", f"sends {method} (without its _meta)", STRONG)
        return Framing.BARE if exchange is None else exchange_framing(exchange)

    def add(self, seq: int, side: str, says: str, why: str, strength: int) -> None:
        """Notes one piece of evidence; each reason once."""
        if (side, says, why) not in self._reasons:
            self._reasons.add((side, says, why))
            self.evidence.append(Evidence(seq, side, says, why, strength))

    # the verdicts

    @property
    def served(self) -> bool:
        """Whether the server has served any request of this session."""
        return any(seq is not None for seq in (self.accepted, self.served_modern, self.served_legacy))

    @property
    def revision(self) -> str | None:
        """The revision in force; in a mixed session that of the last served exchange."""
        if self.served_modern is not None and self.served_modern > (self.served_legacy or -1):
            return self.modern_version or (MODERN if self.served_legacy is None else None)
        if self.served_legacy is None:
            return None
        return self.negotiated or self.header_version

    @property
    def verdict(self) -> str:
        """`modern`, `legacy`, `mixed` or `unknown`: what was really served."""
        if self.served_modern is not None and (self.accepted is not None or self._served_legacy_framing()):
            return "mixed"
        if self.served_modern is not None:
            return "modern"
        if self.served_legacy is not None:
            return "legacy"
        return "modern" if self.server.modern is not None and self.client == "modern" else "unknown"

    def _served_legacy_framing(self) -> bool:
        return self.served_legacy is not None and self.client in ("legacy", "dual")

    @property
    def client(self) -> str:
        """The era that the client showed."""
        return _side(self.evidence, CLIENT)

    @property
    def server_side(self) -> str:
        """The era that the server showed to this client."""
        shown = _side(self.evidence, SERVER)
        lists_both = any(map(is_legacy, self.server.versions)) and any(map(is_modern, self.server.versions))
        return "dual" if shown == "modern" and lists_both else shown


def _side(evidence: list[Evidence], side: str) -> str:
    """Gives what the strongest evidence of a side says: weaker signs count only where there is none stronger."""
    strongest = max((e.strength for e in evidence if e.side == side), default=None)
    says = {e.says for e in evidence if e.side == side and e.strength == strongest}
    return "dual" if len(says) == 2 else next(iter(says), "unknown")


def _has_envelope(message: Message) -> bool:
    return message.envelope.modern


def belongs_to_subscription(message: Message) -> bool:
    """Whether a message says that it comes on a subscription."""
    return message.method == "notifications/subscriptions/acknowledged" or (
        "_meta" in message.texts and META_SUBSCRIPTION in message.meta
    )
