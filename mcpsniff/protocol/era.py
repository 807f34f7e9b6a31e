"""Which era an exchange belongs to, which era each side showed, and the records that say so.

A label may only be known at the end: a modern request that got an unknown error is a failed probe, unless the same
server proves modern later. So every message carries a Mark, whose label is worked out when asked. Compatibility
sections: 2026-07-28 basic/versioning; the handshake revisions' basic/lifecycle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .exchange import HttpExchange
from .message import CLIENT, SERVER, Kind, Message
from .revisions import (
    ENVELOPE,
    LEGACY_ONLY,
    META_SUBSCRIPTION,
    META_VERSION,
    METHOD_NOT_FOUND,
    MODERN,
    MODERN_CODES,
    MODERN_ONLY,
    URL_ELICITATION_REQUIRED,
    is_legacy,
    is_modern,
)


class Label(Enum):
    """The era label of one exchange."""

    MODERN = "modern"
    LEGACY = "legacy"
    PROBE = "probe"  # modern framing that no modern server answered
    SERVED = "legacy-served"  # modern framing that a legacy server executed
    UNDECIDED = "undecided"


class Framing(Enum):
    """What a message shows by itself."""

    MODERN = "modern"
    LEGACY = "legacy"
    BARE = "bare"


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


@dataclass(frozen=True, slots=True)
class Advertised:
    """The versions that a server says it supports, and the record that says so."""

    versions: tuple[str, ...]
    seq: int


@dataclass(frozen=True, slots=True)
class Announced:
    """Where a server first announced a task, in any of its sessions."""

    seq: int
    to: str | None  # the Authorization header of the request


@dataclass(frozen=True, slots=True)
class Spoken:
    """The record that shows a server to speak a handshake revision."""

    seq: int
    by: str | None  # name and version of the server program, where the record holds them


class ServerFacts:
    """What one server (a stdio process, or an HTTP endpoint for all its clients) has proved; seqs, None = not."""

    __slots__ = (
        "accepted", "cursors", "given_ids", "modern", "offers", "proved", "readings", "refuses_delete", "sessions",
        "spoken", "tasks", "varies", "versions",
    )  # fmt: skip

    def __init__(self) -> None:
        self.modern: int | None = None  # first sign of the modern era, certain or strong
        self.proved: int | None = None  # first certain one
        self.accepted: int | None = None  # first initialize answered with a result
        self.sessions = 0  # opened with it
        self.versions: list[str] = []  # supportedVersions, or data.supported of an error
        self.given_ids: list[Any] = []  # session ids in order; kept by sessionids.SessionIds
        self.refuses_delete = False  # it answered DELETE with 405: clients cannot end a session
        self.varies = False  # it has told different lists: there may be several programs behind one address
        self.spoken: dict[str, Spoken] = {}  # handshake revisions that it accepted or listed
        self.tasks: dict[str, Announced] = {}  # by id; kept by tasks.Tasks
        self.offers: dict[str, Any] = {}  # URL elicitations by id; kept by offers.Offers
        self.readings: dict[Any, Any] = {}  # whole lists, by what makes them comparable; kept by listings.Listings
        self.cursors: dict[tuple[str, str], int] = {}  # (list, cursor) → record that issued it; kept by lists.Lists

    def speaks(self, versions: list[str], seq: int, by: str | None = None) -> None:
        """Notes versions that the server accepted or listed."""
        for version in versions:
            if is_legacy(version):
                self.spoken.setdefault(version, Spoken(seq, by))

    @property
    def modern_only(self) -> bool:
        """Whether the server named its versions, none of them of the handshake era, and accepted no `initialize`."""
        return bool(self.versions) and self.accepted is None and not any(map(is_legacy, self.versions))


class Mark:
    """The era mark of one exchange, shared by its messages."""

    __slots__ = ("_seq", "_unit", "answer", "framing", "opened", "served", "version")

    def __init__(self, framing: Framing, unit: Era, seq: int, version: str | None = None) -> None:
        self.framing = framing
        self.version = version  # of the envelope or the header
        self.answer: str | None = None  # "modern", "legacy", "error": what the server made of it
        self.opened = unit.accepted is not None  # initialize had its result when this was sent
        self.served = unit.served_modern is not None  # a modern request had been served before
        self._unit = unit
        self._seq = seq

    @property
    def label(self) -> Label:
        """The label, as far as the capture has been read."""
        if self.framing is Framing.LEGACY:
            return Label.LEGACY
        return self._modern() if self.framing is Framing.MODERN else self._bare()

    def _modern(self) -> Label:
        if self._unit.server.modern is not None or self.answer == "modern":
            return Label.MODERN
        return Label.SERVED if self.answer == "legacy" else Label.PROBE

    def _bare(self) -> Label:
        if self.opened:
            return Label.LEGACY
        if self.served or self.answer == "modern":
            return Label.MODERN
        return Label.LEGACY if self._unit.accepted is not None else Label.UNDECIDED

    @property
    def settled(self) -> bool:
        """Whether nothing that may still come can change label and revision."""
        label = self.label
        return (label is Label.LEGACY and self._unit.negotiated is not None) or label is Label.MODERN

    @property
    def revision(self) -> str | None:
        """The revision whose rules apply; None where a legacy revision is not known."""
        if self.label in (Label.MODERN, Label.PROBE, Label.SERVED):
            return MODERN
        return self._unit.legacy_revision if self.label is Label.LEGACY else None


class UnitMark(Mark):
    """The mark of what belongs to no exchange: what the unit had shown by then, else its label at the end."""

    __slots__ = ()

    @property
    def label(self) -> Label:
        unit = self._unit
        if self.framing is Framing.MODERN:
            return Label.MODERN
        if self.framing is Framing.LEGACY or self.opened:
            return Label.LEGACY
        if self.served:
            return Label.MODERN
        if unit.accepted is not None:
            return Label.LEGACY
        return Label.MODERN if unit.served_modern is not None else Label.UNDECIDED

    @property
    def settled(self) -> bool:
        """As above; a handshake that still comes would make legacy what came before anything was served."""
        early = self.framing is not Framing.MODERN and not self.served
        return super().settled and not (early and self._unit.negotiated is None)


class DoorMark(Mark):
    """The mark of what leads to a session (a refusal for want of a token, a step of OAuth).

    It takes the label of the session that came of it, else that of the request which asked for one.
    """

    __slots__ = ()

    @property
    def label(self) -> Label:
        if self._unit.accepted is not None:
            return Label.LEGACY
        if self._unit.served_modern is not None or self.framing is Framing.MODERN:
            return Label.MODERN
        return Label.LEGACY if self.framing is Framing.LEGACY else Label.UNDECIDED

    @property
    def settled(self) -> bool:
        """As above; a handshake may still come of a probe."""
        return self._unit.negotiated is not None


class Era:
    """Collects the era evidence of one session."""

    def __init__(self, server: ServerFacts) -> None:
        self.server = server
        self.evidence: list[Evidence] = []
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
            version = message.meta.get(META_VERSION) or (exchange.version if exchange is not None else None)
            framing = self._framing(message)
            return Mark(framing, self, message.seq, version if isinstance(version, str) else None)
        if message.kind is Kind.BATCH and any(_has_envelope(element) for element in message.elements()):
            return Mark(Framing.MODERN, self, message.seq)
        if exchange is not None and exchange.mark is not None:
            return exchange.mark  # type: ignore[no-any-return]
        if _belongs_to_subscription(message):
            return UnitMark(Framing.MODERN, self, message.seq)
        legacy = any(part.method in HANDSHAKE for part in message.parts)
        return UnitMark(Framing.LEGACY if legacy else Framing.BARE, self, message.seq)

    def unit_mark(self, seq: int) -> Mark:
        """Gives the mark of what carries no message: it takes the label of the whole at the end."""
        return UnitMark(Framing.BARE, self, seq)

    def surely_modern_mark(self, seq: int) -> Mark:
        """Gives a mark that is modern whatever the server proves."""
        return UnitMark(Framing.MODERN, self, seq)

    def modern_mark(self, seq: int) -> Mark:
        """Gives a mark that is modern once the server has proved to be: for what breaks the modern era's own rules."""
        return Mark(Framing.MODERN, self, seq)

    def door_mark(self, seq: int, asked: Framing) -> Mark:
        """Gives the mark of what leads to a session; `asked` is how the request was framed that asked for one."""
        return DoorMark(asked, self, seq)

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
        if _has_envelope(message):
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
        if not any(e.side == side and e.says == says and e.why == why for e in self.evidence):
            self.evidence.append(Evidence(seq, side, says, why, strength))

    # what an answer shows

    def answered(self, message: Message, call: Any) -> None:
        """Notes what the server's answer to `call` proves."""
        mark: Mark = call.mark
        if call.requester != CLIENT:
            return
        if message.kind is Kind.RESULT:
            self._result(message, call, mark)
        else:
            self._error(message, call, mark)

    def _result(self, message: Message, call: Any, mark: Mark) -> None:
        sign = _modern_result(message)
        if call.method == "initialize" and (sign is None or "protocolVersion" in message.result):
            self._accept(message)
        elif sign is not None and not self._advertise(message.result.get("supportedVersions"), message):
            self._serve_modern(message, mark, sign)
        elif sign is not None:
            mark.answer = "error"  # a discover result that names handshake revisions alone serves nothing modern
        elif mark.framing is Framing.MODERN:
            mark.answer = "legacy"
            self.served_legacy = message.seq
            self.add(message.seq, SERVER, "legacy", "answers a modern request without resultType", STRONG)
        elif mark.framing is Framing.LEGACY or mark.opened:
            self.served_legacy = message.seq

    def _accept(self, message: Message) -> None:
        version = message.result.get("protocolVersion")
        self.negotiated = version if isinstance(version, str) else None
        self.accepted = self.served_legacy = message.seq
        if self.server.accepted is None:
            self.server.accepted = message.seq
        if self.negotiated is not None:
            self.server.speaks([self.negotiated], message.seq, server_program(message.result))
        self.add(message.seq, SERVER, "legacy", f"answers initialize with {version}", CERTAIN)

    def _serve_modern(self, message: Message, mark: Mark, sign: str) -> None:
        mark.answer = "modern"
        self.prove_modern(message.seq, sign, CERTAIN)
        self.served_modern = message.seq
        self.modern_version = mark.version or self.modern_version

    def _advertise(self, versions: Any, message: Message) -> bool:
        """Notes a list of supported versions; gives whether it holds no modern one (a legacy advertisement)."""
        if not isinstance(versions, list):
            return False
        names = _strings(versions)
        self.server.speaks(names, message.seq)
        self.server.varies |= bool(self.server.versions) and set(names) != set(self.server.versions)
        self.server.versions = names
        self.advertised = Advertised(tuple(names), message.seq)
        if not names or any(map(is_modern, names)):
            return False
        self.add(message.seq, SERVER, "legacy", f"supports {', '.join(names[:4])} alone", STRONG)
        return True

    def prove_modern(self, seq: int, why: str, strength: int) -> None:
        """Notes that the server is modern, for every client of it."""
        self.add(seq, SERVER, "modern", why, strength)
        if self.server.modern is None:
            self.server.modern = seq
        if strength == CERTAIN:
            self.server.proved = seq if self.server.proved is None else self.server.proved
            self.shown_modern = seq if self.shown_modern is None else self.shown_modern

    def notified(self, message: Message) -> None:
        """Notes what a server notification proves."""
        if message.sender == SERVER and _belongs_to_subscription(message):
            self.prove_modern(message.seq, "sends notifications of a subscription", CERTAIN)
            self.served_modern = message.seq

    def _error(self, message: Message, call: Any, mark: Mark) -> None:
        exchange: HttpExchange | None = message.exchange
        data = message.error.get("data")
        supported = data.get("supported") if isinstance(data, dict) else None
        if isinstance(supported, list):
            self.server.speaks(_strings(supported), message.seq)
        if message.code in MODERN_CODES:
            if not self._advertise(supported, message):
                self.prove_modern(message.seq, f"answers with error {message.code}", CERTAIN)
        elif message.code == URL_ELICITATION_REQUIRED:
            self.add(message.seq, SERVER, "legacy", f"answers with error {message.code}", STRONG)
        elif (
            message.code == METHOD_NOT_FOUND
            and exchange is not None
            and exchange.status == 404
            and mark.framing is Framing.MODERN
        ):
            self.prove_modern(message.seq, "answers 404 with a JSON-RPC -32601", STRONG)
        if mark.answer is None:
            mark.answer = "error"

    def stray_error(self, message: Message) -> None:
        """Notes what an error that answers no known request proves."""
        if message.code in MODERN_CODES:
            self.prove_modern(message.seq, f"answers with error {message.code}", CERTAIN)

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


def server_program(result: Mapping[str, Any]) -> str | None:
    """Gives name and version of the program that an InitializeResult names."""
    info = result.get("serverInfo")
    return f"{info.get('name')} {info.get('version')}" if isinstance(info, dict) else None


def _strings(values: list[Any]) -> list[str]:
    return [value for value in values if isinstance(value, str)]


def _side(evidence: list[Evidence], side: str) -> str:
    """Gives what the strongest evidence of a side says: weaker signs count only where there is none stronger."""
    strongest = max((e.strength for e in evidence if e.side == side), default=None)
    says = {e.says for e in evidence if e.side == side and e.strength == strongest}
    return "dual" if len(says) == 2 else next(iter(says), "unknown")


def _has_envelope(message: Message) -> bool:
    return any(key in message.meta for key in ENVELOPE)


def _belongs_to_subscription(message: Message) -> bool:
    return message.method == "notifications/subscriptions/acknowledged" or META_SUBSCRIPTION in message.meta


def _modern_result(message: Message) -> str | None:
    result = message.result
    if isinstance(result.get("supportedVersions"), list):
        return "answers server/discover with its versions"
    if "resultType" in result:
        return "result carries resultType"
    if "ttlMs" in result and "cacheScope" in result:
        return "result carries ttlMs and cacheScope"
    return None


def exchange_framing(exchange: HttpExchange) -> Framing:
    """Gives what the head of an HTTP request shows of its era."""
    version = exchange.version
    if is_modern(version):
        return Framing.MODERN
    if is_legacy(version) or exchange.header("mcp-session-id") or exchange.header("last-event-id"):
        return Framing.LEGACY
    if exchange.header("mcp-method") or exchange.header("mcp-name"):
        return Framing.MODERN
    return Framing.LEGACY if exchange.method == "GET" and exchange.accepts_stream else Framing.BARE
