"""What a rule is: one class in one file named as its id, with its page as docstring.

A rule subscribes by defining handlers (`on_request` …), reads the session as it stood when the message arrived and
yields what it found. It never decodes JSON, reads a clock, formats for a terminal or asks for a revision by date: which
revisions it is for, and how severe it is there, stands in its class attributes, and the engine drops what does not
apply once the era of the exchange is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Protocol

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.marks import Mark
from mcpsniff.protocol.message import CLIENT, SERVER, Message
from mcpsniff.protocol.revisions import LEGACY, REVISIONS
from mcpsniff.protocol.session import Session

ERROR, WARNING, INFO = "error", "warning", "info"
SEVERITIES = (INFO, WARNING, ERROR)  # MUST is error, SHOULD is warning, advice is info
CERTAIN, CONTEXTUAL, HEURISTIC = "certain", "contextual", "heuristic"
_JSON_WORDS = {"None": "null", "True": "true", "False": "false"}
EITHER, UNKNOWN = "either", "unknown"


class Text:
    """Bytes where a message belongs that are not one JSON value: a stdio line, an HTTP body, SSE data."""

    __slots__ = ("at", "data", "encoding", "eol", "exchange", "mark", "sender", "seq", "size", "sse")

    def __init__(self, seq: int, at: float, sender: str, data: bytes, size: int) -> None:
        self.seq = seq
        self.at = at  # seconds
        self.sender = sender
        self.data = data  # without the line end
        self.size = size  # bytes on the wire
        self.eol = "\n"
        self.sse: Mapping[str, Any] | None = None
        self.encoding: str | None = None  # of a body that could not be decoded
        self.exchange: HttpExchange | None = None
        self.mark: Any = None

    @property
    def utf8(self) -> bool:
        """Whether the bytes are valid UTF-8."""
        try:
            self.data.decode()
        except UnicodeDecodeError:
            return False
        return True

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


class Place(Protocol):
    """Where something was found: a message, a text, an exchange or a call."""

    @property
    def seq(self) -> int: ...
    @property
    def mark(self) -> Any: ...


class Moment:
    """A record that is no message: the end of a stream, a signal, an exit. Its label is the whole session's."""

    __slots__ = ("at", "mark", "seq")

    def __init__(self, seq: int, at: float) -> None:
        self.seq = seq
        self.at = at  # seconds
        self.mark: Any = None


class Draft:
    """A finding before its era is known; the engine turns it into a Finding or drops it."""

    __slots__ = (
        "at", "evidence", "fault", "mark", "only_in", "related", "rule", "seq", "severity", "text", "violator", "where",
    )  # fmt: skip

    def __init__(self, rule: type[Rule], seq: int, at: float, mark: Any, text: str) -> None:
        self.rule = rule
        self.seq = seq  # culprit's record
        self.at = at  # seconds
        self.mark = mark  # era mark of the exchange, None for the whole session
        self.text = text
        self.related: tuple[int, ...] = ()
        self.violator = UNKNOWN
        self.severity: str | None = None  # None: the rule's own for the revision
        self.only_in: Collection[str] = REVISIONS  # revisions in which this is a fault
        self.fault = ""  # repeats of one fault collapse into one finding
        self.where: str | None = None  # JSON pointer, header name or byte offset
        self.evidence: Mapping[str, Any] = {}


class Unchecked:
    """Why a rule could not judge something."""

    __slots__ = ("rule", "why")

    def __init__(self, rule: type[Rule], why: str) -> None:
        self.rule = rule
        self.why = why


Found = Iterator[Draft | Unchecked]  # handlers are generators


class Rule:
    """The base of all rules; the docstring of a subclass is its page.

    Handlers a rule may define: `on_text(text)`, `on_torn(texts, message)`, `on_doubled(text, messages)`,
    `on_batch(message)`, `on_object(message)` for every JSON object or scalar in a message's place,
    `on_request(message, call)`, `on_notification(message, call)`, `on_answer(message, call)` (call may be None),
    `on_task(shown)` for every task object in an answer or a notification,
    `on_content(message, pieces)`, `on_input_request(message, request)`, `on_input_response(message, response)`,
    `on_reply(exchange)`, `on_close(exchange)`, `on_sse(block, exchange)` for blocks without a message,
    `on_event(event)` for every whole block, `on_challenge(challenge)` for each 401, 403 or WWW-Authenticate,
    `on_oauth(step)` for each exchange that is a step of OAuth,
    `on_aside(exchange)` for others beside MCP, `on_stderr(line)`, `on_end()`.

    Most need no look at most messages: `@when(…)` (rules/when.py) says which shapes a handler is for, and it is not
    called for others. Where the revision of an exchange is settled, a rule that is not for it does not see what the
    exchange holds.
    """

    id: ClassVar[str] = ""  # from the file name, set by the catalogue
    family: ClassVar[str] = ""  # from the folder, set by the catalogue
    title: ClassVar[str] = ""
    tier: ClassVar[int] = 1
    severity: ClassVar[Mapping[str, str]] = {REVISIONS[0]: ERROR}  # from that revision on
    violator: ClassVar[str] = EITHER
    confidence: ClassVar[str] = CERTAIN
    transport: ClassVar[str | Mapping[str, str]] = "any"  # any | stdio | http | http+sse, or by era
    since: ClassVar[str] = REVISIONS[0]
    until: ClassVar[str] = REVISIONS[-1]
    excluded: ClassVar[tuple[str, ...]] = ()  # revisions in between
    spec: ClassVar[Mapping[str, str]] = {}  # page#anchor below the revision's specification, from that revision on
    methods: ClassVar[tuple[str, ...]] = ()  # narrows on_request, on_notification, on_answer and on_task
    yields_to: ClassVar[tuple[str, ...]] = ()  # rules whose finding on the same record replaces this one
    undecided: ClassVar[bool] = False  # also judges exchanges whose era nothing decides
    by_value: ClassVar[bool] = False  # judges shapes, or compares values, that a user may have redacted
    values: ClassVar[tuple[str, ...]] = ("",)  # JSON pointers of those, in the records of a finding; "" is all of them
    echoes: ClassVar[tuple[str, ...]] = ()  # JSON pointers of values that it compares, in any message of the session
    by_time: ClassVar[bool] = False  # judges when events came, or in which order with other exchanges
    awake = False  # its handlers with `@when(…, awake=True)` are called for messages of every shape

    def __init__(self, session: Session) -> None:
        self.session = session

    def stir(self, awake: bool) -> None:
        """Wakes the rule, or lets it sleep, from the next message on."""
        if awake is not self.awake:
            self.awake = awake
            self.session.turns += 1

    def found(
        self,
        at: Place,
        text: str,
        *,
        related: Iterable[int | None] = (),
        seq: int | None = None,
        violator: str | None = None,
        severity: str | None = None,
        fault: str = "",
        where: str | None = None,
        evidence: Mapping[str, Any] | None = None,
        mark: Mark | None = None,
        only_in: Collection[str] = REVISIONS,
    ) -> Draft:
        """Gives one finding at a place.

        `fault` tells faults of this rule apart that must not be collapsed, `mark` replaces the era mark of the place,
        `only_in` narrows the revisions of the rule for this one.
        """
        seq = at.seq if seq is None else seq
        draft = Draft(type(self), seq, _time(at, seq), mark or at.mark, text)
        draft.related = tuple(s for s in dict.fromkeys(related) if s is not None and s != draft.seq)
        draft.violator = violator or self._blame(at)
        draft.severity, draft.fault, draft.where = severity, fault, where
        draft.evidence, draft.only_in = evidence or {}, only_in
        return draft

    def unchecked(self, why: str) -> Unchecked:
        """Gives the reason why this rule cannot judge what it sees."""
        return Unchecked(type(self), why)

    def _blame(self, at: Place) -> str:
        if self.violator != EITHER:
            return self.violator
        sender = getattr(at, "sender", None) or getattr(at, "requester", None)
        return sender if sender in (CLIENT, SERVER) else EITHER

    # applicability: class-level tables, read by the engine

    @classmethod
    def applies(cls, revision: str | None) -> bool:
        """Whether the rule is for this revision; where the legacy revision is unknown, for all four (trap T11)."""
        if revision is None:
            return all(cls.applies(known) for known in LEGACY)
        return cls.since <= revision <= cls.until and revision not in cls.excluded

    @classmethod
    def severity_in(cls, revision: str | None) -> str:
        """The severity in a revision; the mildest of the legacy ones where it is unknown."""
        if revision is None:
            return min((cls.severity_in(r) for r in LEGACY if cls.applies(r)), key=SEVERITIES.index, default=INFO)
        return _from(cls.severity, revision) or ERROR

    @classmethod
    def spec_in(cls, revision: str) -> str | None:
        """The clause in a revision, as page#anchor."""
        return _from(cls.spec, revision)

    @classmethod
    def carried_by(cls, transport: str, era: str) -> bool:
        """Whether the rule is for this transport in this era (`legacy` or `modern`)."""
        wanted = cls.transport if isinstance(cls.transport, str) else cls.transport[era]
        return wanted in ("any", transport)


def _from(table: Mapping[str, str], revision: str) -> str | None:
    """Gives the entry of a table "from that revision on"."""
    known = [since for since in table if since <= revision]
    return table[max(known)] if known else None


def _time(at: Any, seq: int) -> float:
    if isinstance(at, HttpExchange):
        return at.time_of(seq)
    for name in ("at", "started"):
        value = getattr(at, name, None)
        if value is not None:
            return float(value)
    return 0.0


def quote(value: Any, limit: int = 80) -> str:
    """Gives a value for a finding's sentence, cut at `limit` characters; control characters escaped."""
    text = value if isinstance(value, str) else _JSON_WORDS.get(repr(value)) or repr(value)
    text = text.encode("unicode_escape", "backslashreplace").decode() if not text.isprintable() else text
    return text if len(text) <= limit else text[: limit - 1] + "…"


__all__ = [
    "CERTAIN", "CLIENT", "CONTEXTUAL", "EITHER", "ERROR", "HEURISTIC", "INFO", "SERVER", "UNKNOWN", "WARNING",
    "Call", "Draft", "Found", "HttpExchange", "Message", "Moment", "Place", "Rule", "Session", "Text", "Unchecked",
    "quote",
]  # fmt: skip
