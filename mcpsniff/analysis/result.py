"""What the engine gives when a capture has been read to its end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from mcpsniff.capture import records as rec
from mcpsniff.capture.parts import Missing
from mcpsniff.protocol.bounded import Drops
from mcpsniff.protocol.session import Session
from mcpsniff.rules.selection import DEFAULT, Selection

from .conversation import Conversation
from .findings import Finding


@dataclass(slots=True)
class SessionResult:
    """One session at its end."""

    session: Session
    conversation: Conversation
    findings: list[Finding]


@dataclass(slots=True)
class CaptureResult:
    """One capture, read to its end."""

    header: rec.Capture
    selection: Selection = DEFAULT  # of the rules that took part
    sessions: list[SessionResult] = field(default_factory=list)
    records: int = 0
    gaps: int = 0
    lost_records: int = 0
    complete: bool = False  # an `end` record was read
    last_at: float = 0.0  # seconds
    bytes_read: int = 0  # of the file
    damaged: list[int] = field(default_factory=list)  # lines that hold no record, the first of them
    damaged_count: int = 0
    untimed: int = 0  # event streams of which it is not known when what came
    files: list[tuple[int, str]] = field(default_factory=list)  # path of each, behind the `seq` where it begins
    missing: Missing = field(default_factory=lambda: Missing(0, []))  # parts of a rotation
    drops: Drops = field(default_factory=Drops)
    crashed: Counter[str] = field(default_factory=Counter)
