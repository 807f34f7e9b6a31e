"""From what rules drafted to what the report says: eras resolved, the specific rule first, repeats collapsed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpsniff.protocol.doubts import Redacted
from mcpsniff.protocol.marks import Label
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import LEGACY, MODERN, REVISIONS
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import SEVERITIES, Draft, Rule, Unchecked

from .excerpts import Excerpts
from .lines import Lines
from .observer import Observer

ERAS = ("legacy", "modern")
SHOWN = 12  # records named in one finding
KEPT = 500  # drafts of one fault held until the end; the rest is only counted
CLIENT_FAMILIES = frozenset(("framing", "jsonrpc", "meta", "mrtr", "logging", "http-headers", "http", "operation"))
BASE_FAMILIES = frozenset(("framing", "jsonrpc", "operation"))
HIDDEN = "a value that it judges is redacted"
UNTIMED = "it is not known when the events of a stream came"
SPECIFICATION = "https://modelcontextprotocol.io/specification"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault by one side in one session, with its repeats."""

    rule: str
    title: str
    severity: str
    violator: str
    seq: tuple[int, ...]  # records, the culprit first
    t: float  # seconds, of the culprit
    message: str
    spec: tuple[str, ...]
    revision: str | None
    confidence: str
    count: int = 1
    line: int | None = None  # of the culprit in the capture's file
    fault: str = ""  # what tells it from other faults of the rule
    where: str | None = None
    excerpt: str = ""  # beginning of the culprit's record, escaped
    evidence: Mapping[str, Any] = field(default_factory=dict)


class Drafts:
    """Holds the drafts of one session until its end."""

    def __init__(self, session: Session, excerpts: Excerpts, lines: Lines) -> None:
        self._session = session
        self._excerpts = excerpts
        self._lines = lines
        self._shown: dict[int, str] = {}  # record → its beginning, for the drafts held
        self.observer: Observer | None = None
        self._held: list[Draft] = []
        self._count: Counter[tuple[type[Rule], str, str, str | None]] = Counter()
        self.unchecked: Counter[tuple[str, str]] = Counter()  # (rule, why)

    def add(self, item: Draft | Unchecked) -> None:
        """Takes in one thing that a handler yielded."""
        if isinstance(item, Unchecked):
            if any(item.rule.carried_by(self._session.transport, era) for era in ERAS):
                self.unchecked[(item.rule.id, item.why)] += 1
            return
        if item.mark is not None and item.mark.settled and _judge(item, self._session) is None:
            return
        key = _kind(item)
        self._count[key] += 1
        if self.observer is not None:
            self.observer.draft(self._session, item)
        if self._count[key] <= KEPT:
            self._held.append(item)
            self._shown.setdefault(item.seq, self._excerpts.of(item.seq))

    def resolve(self) -> list[Finding]:
        """Gives the findings of the session, in order of their first record."""
        for draft, _ in self._standing():
            why = _doubt(draft, self._session)
            if why is not None:
                self.unchecked[(draft.rule.id, why)] += 1
        return sorted(self._collapse(self.judged()), key=lambda finding: finding.seq[0])

    def judged(self) -> list[Judged]:
        """Gives the drafts held that are faults as far as the session's era is known, each with its judgement."""
        return [(draft, j) for draft, j in self._standing() if _doubt(draft, self._session) is None]

    def _standing(self) -> list[Judged]:
        """Gives them with those in doubt, which replace others all the same."""
        return standing((draft, j) for draft in self._held if (j := _judge(draft, self._session)) is not None)

    def _collapse(self, kept: list[Judged]) -> list[Finding]:
        groups: dict[tuple[str, str, str, str], list[Judged]] = {}
        for draft, judgement in kept:
            key = (draft.rule.id, draft.fault, draft.violator, judgement.severity)
            groups.setdefault(key, []).append((draft, judgement))
        return [self._finding(group) for group in groups.values()]

    def _finding(self, group: list[Judged]) -> Finding:
        first = group[0][0]
        return _finding(group, self._overflow(first), self._shown[first.seq], self._lines.of(first.seq))

    def _overflow(self, draft: Draft) -> int:
        return max(0, self._count[_kind(draft)] - KEPT)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a draft is in the era of its exchange."""

    severity: str
    revision: str | None


Judged = tuple[Draft, Judgement]


def _kind(draft: Draft) -> tuple[type[Rule], str, str, str | None]:
    """What drafts have in common that say the same: but the first of them are held, the rest is counted."""
    return draft.rule, draft.fault, draft.violator, draft.severity


def judge(draft: Draft, session: Session) -> Judgement | None:
    """Gives severity and revision of a draft; None where the rule is not for this exchange, or may be deceived."""
    return _judge(draft, session) if _doubt(draft, session) is None else None


def _doubt(draft: Draft, session: Session) -> str | None:
    """Gives why the rule may be deceived by what the capture leaves out; None where it leaves nothing out."""
    doubts = session.doubts
    if draft.rule.by_time and doubts.untimed:
        return UNTIMED
    return HIDDEN if doubts.veiled or _is_hidden(draft, doubts.hidden) else None


def _is_hidden(draft: Draft, hidden: Redacted) -> bool:
    """Whether what a draft judges is redacted: where it points, what was to come back, or its records."""
    if any(map(hidden.covers, draft.rule.echoes)):
        return True
    if draft.where is not None and draft.where.startswith("/") and draft.seq in hidden and hidden.covers(draft.where):
        return True
    judges = draft.rule.by_value and any(map(hidden.covers, draft.rule.values))
    return judges and any(seq in hidden for seq in (draft.seq, *draft.related))


def _judge(draft: Draft, session: Session) -> Judgement | None:
    label, revision = _label(draft, session)
    rule = draft.rule
    era = "modern" if label in (Label.MODERN, Label.PROBE, Label.SERVED) else "legacy"
    if not rule.carried_by(session.transport, era):
        return None
    if rule.transport == "http+sse":
        return Judgement(draft.severity or rule.severity_in(revision), revision)
    if label is Label.UNDECIDED:
        return _undecided(draft)
    if not _is_fault(draft, revision):
        return None
    if label in (Label.PROBE, Label.SERVED) and not _for_probe(draft):
        return None
    return Judgement(draft.severity or rule.severity_in(revision), revision)


def _is_fault(draft: Draft, revision: str | None) -> bool:
    known = LEGACY if revision is None else (revision,)
    return draft.rule.applies(revision) and all(one in draft.only_in for one in known)


def _label(draft: Draft, session: Session) -> tuple[Label, str | None]:
    if draft.mark is not None:
        return draft.mark.label, draft.mark.revision
    era = session.era
    if era.verdict == "modern":
        return Label.MODERN, MODERN
    return (Label.LEGACY, era.legacy_revision) if era.verdict in ("legacy", "mixed") else (Label.UNDECIDED, None)


def _undecided(draft: Draft) -> Judgement | None:
    rule = draft.rule
    if rule.family not in BASE_FAMILIES and not rule.undecided:
        return None
    if rule.excluded or not all(one in draft.only_in for one in REVISIONS):
        return None  # the revision may be one in which it is no fault
    known = [r for r in (*rule.severity, MODERN) if rule.applies(r)]
    mildest = min((rule.severity_in(r) for r in known), key=SEVERITIES.index)
    return Judgement(draft.severity or mildest, None)


def _for_probe(draft: Draft) -> bool:
    """A modern request that no modern server answered is judged on the client's side alone."""
    if draft.rule.family == "operation":
        return True
    return draft.violator == CLIENT and (draft.rule.family in CLIENT_FAMILIES or draft.rule.undecided)


def standing(judged: Iterable[Judged]) -> list[Judged]:
    """Gives what is left where a more specific rule, or the same one for another era, says it of the same record."""
    judged = list(judged)
    named = _named(draft for draft, _ in judged)
    return _once((draft, judgement) for draft, judgement in judged if not _replaced(draft, named))


def _once(judged: Iterable[Judged]) -> list[Judged]:
    """Drops what a second class of the same rule says of the same record, where the era decides nothing."""
    seen: dict[tuple[str, int, str, str], type[Rule]] = {}
    return [
        (draft, judgement)
        for draft, judgement in judged
        if judgement.revision is not None
        or seen.setdefault((draft.rule.id, draft.seq, draft.fault, draft.violator), draft.rule) is draft.rule
    ]


def _named(drafts: Iterable[Draft]) -> dict[int, set[str]]:
    """Gives, for each record, the rules that have a finding on it."""
    out: dict[int, set[str]] = {}
    for draft in drafts:
        for seq in (draft.seq, *draft.related):
            out.setdefault(seq, set()).add(draft.rule.id)
    return out


def _replaced(draft: Draft, named: dict[int, set[str]]) -> bool:
    better = set(draft.rule.yields_to)
    return bool(better) and not better.isdisjoint(named.get(draft.seq, ()))


def spec_page(clause: str | None, revision: str) -> str | None:
    """Gives the URL of a clause (page#anchor, or a URL already) in a revision."""
    return f"{SPECIFICATION}/{revision}/{clause}" if clause and "://" not in clause else clause


def _finding(group: list[Judged], overflow: int, excerpt: str, line: int | None) -> Finding:
    first, judgement = group[0]
    culprits = [draft.seq for draft, _ in group]
    records = list(dict.fromkeys((culprits[0], *first.related, *culprits[1:])))
    revision = judgement.revision or (LEGACY[-1] if first.rule.applies(LEGACY[-1]) else MODERN)
    page = spec_page(first.rule.spec_in(revision), revision)
    return Finding(
        rule=first.rule.id,
        title=first.rule.title,
        severity=judgement.severity,
        violator=first.violator,
        seq=tuple(records[:SHOWN]),
        t=first.at,
        message=first.text,
        spec=(page,) if page else (),
        revision=judgement.revision,
        confidence=first.rule.confidence,
        count=len(group) + overflow,
        line=line,
        fault=first.fault,
        where=first.where,
        excerpt=excerpt,
        evidence=first.evidence,
    )
