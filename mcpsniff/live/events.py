"""What a follower tells of: captures that begin and end, rows, findings that come after their row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcpsniff.analysis.pins import Pin
from mcpsniff.analysis.result import CaptureResult
from mcpsniff.analysis.row import Row
from mcpsniff.capture.records import Capture

OF_FINDINGS = ("rule", "severity", "violator")  # the fields of the filter language that a row has of its findings


@dataclass(frozen=True, slots=True)
class Began:
    """A capture is there, or another part of it."""

    path: str
    header: Capture


@dataclass(frozen=True, slots=True)
class Said:
    """A row of a capture, by its latest file and its header."""

    path: str
    header: Capture
    row: Row


@dataclass(frozen=True, slots=True)
class Found:
    """A finding at a row that was told of before."""

    path: str
    header: Capture
    row: Row | None  # None where it was too long ago
    pin: Pin
    withdrawn: bool = False  # what came later showed that it is none

    def field(self, name: str) -> Any:
        """Gives a field of the filter language: that of its row, with what was withdrawn there still found."""
        value = None if self.row is None else self.row.field(name)
        if self.withdrawn and name in OF_FINDINGS:
            return [*(value or ()), getattr(self.pin, name)]
        return value


@dataclass(frozen=True, slots=True)
class Ended:
    """A capture has ended, or is not followed any more."""

    path: str
    header: Capture
    result: CaptureResult


@dataclass(frozen=True, slots=True)
class Refused:
    """A file is no capture, or cannot be read; one sentence."""

    why: str


Event = Began | Said | Found | Ended | Refused
