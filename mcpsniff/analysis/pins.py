"""Findings pinned to the records that they are about, at any time as far as the eras are known; at the end as reported.

Repeats of a fault are not collapsed: each culprit has its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Draft
from mcpsniff.rules.selection import Selection

from .findings import Judgement, judge, standing

CAP = 50_000  # records with findings
UNSETTLED_CAP = 1_000  # records whose findings may still come or go


class Pin:
    """One finding at its culprit."""

    __slots__ = ("_draft", "_judgement", "session", "severity")

    def __init__(self, session: Session, draft: Draft, judgement: Judgement, severity: str) -> None:
        self.session = session
        self.severity = severity  # error, warning or info, as the user's settings have it
        self._draft = draft
        self._judgement = judgement

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self._draft.rule.id

    @property
    def title(self) -> str:
        """The rule in a few words."""
        return self._draft.rule.title

    @property
    def violator(self) -> str:
        """Who broke it: client, server, either or unknown."""
        return self._draft.violator

    @property
    def message(self) -> str:
        """One sentence with the values."""
        return self._draft.text

    @property
    def fault(self) -> str:
        """What tells it from other faults of the rule."""
        return self._draft.fault

    @property
    def seq(self) -> int:
        """The culprit's record."""
        return self._draft.seq

    @property
    def related(self) -> tuple[int, ...]:
        """Other records that it names."""
        return self._draft.related

    @property
    def where(self) -> str | None:
        """JSON pointer, header name or byte offset."""
        return self._draft.where

    @property
    def revision(self) -> str | None:
        """The revision by which it was judged; None where that is not known."""
        return self._judgement.revision

    def values(self) -> dict[str, Any]:
        """Gives it as data; what does not apply is left out."""
        names = ("rule", "severity", "violator", "message", "related", "where")
        return {name: value for name in names if (value := getattr(self, name)) not in (None, ())}


class Pins:
    """The findings of one capture by record."""

    def __init__(self, selection: Selection, drops: Drops) -> None:
        self._selection = selection
        self._drafts: BoundedDict[int, list[tuple[Session, Draft]]] = BoundedDict("records with findings", CAP, drops)
        self._named: BoundedDict[int, list[tuple[Session, Draft]]] = BoundedDict("records with findings", CAP, drops)
        self._unsettled: BoundedDict[int, None] = BoundedDict("findings in doubt", UNSETTLED_CAP, Drops())
        self._changed: dict[int, None] = {}

    def add(self, session: Session, draft: Draft) -> None:
        """Takes in what a rule drafted."""
        self._drafts.setdefault(draft.seq, []).append((session, draft))
        for seq in draft.related:
            self._named.setdefault(seq, []).append((session, draft))
        for seq in (draft.seq, *draft.related):
            self._changed[seq] = None
        if draft.mark is None or not draft.mark.settled:
            self._unsettled[draft.seq] = None

    def reconsider(self) -> None:
        """Takes note that something was learnt of an era."""
        for seq in self._unsettled:
            self._changed[seq] = None

    def changed(self) -> Iterable[int]:
        """Gives the records whose findings may be others than when this was last asked."""
        changed, self._changed = self._changed, {}
        return changed

    def of(self, seq: int) -> list[Pin]:
        """Gives the findings whose culprit a record is."""
        here = self._drafts.get(seq)
        return [] if here is None else self._judged(seq, here)

    def _judged(self, seq: int, here: list[tuple[Session, Draft]]) -> list[Pin]:
        owner = {id(draft): session for session, draft in here}
        around = [*here, *(self._named.get(seq) or ())]
        judged = [(draft, j) for session, draft in around if (j := judge(draft, session)) is not None]
        pins = (self._pin(owner[id(draft)], draft, j) for draft, j in standing(judged) if id(draft) in owner)
        return [pin for pin in pins if pin.rule in self._selection.shown]

    def _pin(self, session: Session, draft: Draft, judgement: Judgement) -> Pin:
        return Pin(session, draft, judgement, self._selection.severity_of(draft.rule.id, judgement.severity))
