"""`mcpsniff explain RULE`: its page, and from its samples what bad and good look like on the wire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.excerpts import Excerpts
from mcpsniff.capture import records as rec
from mcpsniff.capture.reader import read
from mcpsniff.render.pages import rule_page
from mcpsniff.rules.selection import EVERYTHING
from mcpsniff.wire.visible import excerpt, visible

from .samples import samples_of

LENGTH = 800  # bytes shown of one record
SHOWN = 3  # records of the bad sample
ALIKE = 0.5  # from 0 to 1: what a good record must have in common with the bad one to be worth showing


def explain(rule: str) -> str:
    """Gives the text; raises McpsniffError where there is no such rule."""
    page = rule_page(rule)
    samples = samples_of(rule)
    return page + "".join(f"\n## {head}\n{body}\n" for head, body in _sections(rule, samples) if body)


def _sections(rule: str, samples: Sequence[Path]) -> Iterator[tuple[str, str]]:
    bad = next((path for path in samples if path.stem.startswith("bad")), None)
    good = [path for path in samples if path.stem.startswith("good")]
    if bad is not None:
        records = dict(_wire(bad))
        culprits = [seq for seq in _culprits(bad, rule) if seq in records][:SHOWN]
        yield f"Bad on the wire ({bad.stem})", "\n".join(f"#{seq} {records[seq]}" for seq in culprits)
        yield from _good([records[seq] for place, seq in enumerate(culprits) if seq == culprits[0] + place], good)
    yield "Samples", "\n".join(map(str, samples))


def _good(bad: Sequence[str], samples: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Gives the record of a good sample that is most like the first bad one, where one is, and as many as there."""
    matcher = SequenceMatcher(b=bad[0] if bad else "", autojunk=False)
    best, shown = ALIKE, None
    for path in samples:
        records = list(_wire(path))
        for place, (_, text) in enumerate(records):
            matcher.set_seq1(text)
            if text not in bad and matcher.real_quick_ratio() > best and (alike := matcher.ratio()) > best:
                best, shown = alike, (path, records[place : place + len(bad)])
    if shown is not None:
        path, some = shown
        yield f"Good on the wire ({path.stem})", "\n".join(f"#{seq} {text}" for seq, text in some)


def _culprits(sample: Path, rule: str) -> tuple[int, ...]:
    """Gives the records of the first finding of a rule on its sample."""
    _, result = analyze(str(sample), EVERYTHING)
    found = (finding for session in result.sessions for finding in session.findings if finding.rule == rule)
    return next((finding.seq for finding in found), ())


def _wire(sample: Path) -> Iterator[tuple[int, str]]:
    """Gives number and visible text of each record of a capture."""
    excerpts = Excerpts()
    for record in read(str(sample)):
        excerpts.note(record)
        if text := _text(record, excerpts):
            yield record.seq, text


def _text(record: Any, excerpts: Excerpts) -> str:
    if isinstance(record, (rec.Message, rec.Text)):
        return f"{record.sender}: {excerpt(record.data, LENGTH)}"
    if isinstance(record, rec.Stderr):
        return f"server's stderr: {excerpt(record.data, LENGTH)}"
    shown = excerpts.of(record.seq)
    heads = getattr(record, "headers", ())
    return "\n   ".join((shown, *(visible(f"{name}: {value}") for name, value in heads)))
