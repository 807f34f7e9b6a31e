"""The findings of a report one by one, each with its session and the file that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .report import Data, Report


class Placed(NamedTuple):
    """One finding and where it belongs."""

    capture: Data
    session: Data
    finding: Data

    @property
    def file(self) -> str:
        """The file that holds the culprit's record, whose line the finding names."""
        seq = self.finding["seq"][0]
        held = (part["file"] for part in reversed(self.capture["parts"]) if part["seq"] <= seq)
        return str(next(held, self.capture["file"]))


def placed(report: Report) -> Iterator[Placed]:
    """Gives every finding, by session, in the order of the report."""
    captures = {capture["id"]: capture for capture in report.captures}
    for session in report.sessions:
        for finding in session["findings"]:
            yield Placed(captures[session["capture"]], session, finding)
