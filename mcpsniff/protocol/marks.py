"""The era mark of a message: what it shows by itself, and the label that it has in the end.

A label may only be known at the end: a modern request that got an unknown error is a failed probe, unless the same
server proves modern later. So a mark works its label out when asked (2026-07-28 basic/versioning).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from .exchange import HttpExchange
from .revisions import MODERN, is_legacy, is_modern

if TYPE_CHECKING:
    from .era import Era


class Label(Enum):
    """The era label of one exchange."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    MODERN = "modern"
    LEGACY = "legacy"
    PROBE = "probe"  # modern framing that no modern server answered
    SERVED = "legacy-served"  # modern framing that a legacy server executed
    UNDECIDED = "undecided"


class Framing(Enum):
    """What a message shows by itself."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    MODERN = "modern"
    LEGACY = "legacy"
    BARE = "bare"


class Mark:
    """The era mark of one exchange, shared by its messages."""

    answer: str | None = None  # "modern", "legacy", "error": what the server made of it
    worked = False  # the server reported progress: it took the request for one of its own
    _final: str | None = None

    def __init__(self, framing: Framing, unit: Era, version: str | None = None) -> None:
        self.framing = framing
        self.version = version  # of the envelope or the header
        self.opened = unit.accepted is not None  # initialize had its result when this was sent
        self.served = unit.served_modern is not None  # a modern request had been served before
        self._unit = unit

    @property
    def label(self) -> Label:
        """The label, as far as the capture has been read."""
        if self.framing is Framing.LEGACY:
            return Label.LEGACY
        return self._modern() if self.framing is Framing.MODERN else self._bare()

    def _modern(self) -> Label:
        if self._proved:
            return Label.MODERN
        if self.answer == "legacy":
            return Label.SERVED
        executed = self.worked and self._unit.served_legacy is None  # no probe, and no sign of a legacy server
        return Label.MODERN if executed else Label.PROBE

    @property
    def _proved(self) -> bool:
        return self._unit.server.modern is not None or self.answer == "modern"

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
        if label is Label.MODERN:
            return self._proved or self.framing is not Framing.MODERN
        return label is Label.LEGACY and self._unit.negotiated is not None

    @property
    def final(self) -> str | None:
        """The revision whose rules apply, once that is settled; None before."""
        known = self._final
        if known is None and self.settled:
            known = self._final = self.revision
        return known

    @property
    def revision(self) -> str | None:
        """The revision whose rules apply; None where a legacy revision is not known."""
        if self.label in (Label.MODERN, Label.PROBE, Label.SERVED):
            return MODERN
        return self._unit.legacy_revision if self.label is Label.LEGACY else None


class UnitMark(Mark):
    """The mark of what belongs to no exchange: what the unit had shown by then, else its label at the end."""

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
