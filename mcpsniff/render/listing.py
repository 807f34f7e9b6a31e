"""The rules as a list: a table for people, JSON for programs, by family and tier where only some are asked for."""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from typing import Any

from mcpsniff.analysis.findings import spec_page
from mcpsniff.errors import McpsniffError
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.rules.catalogue import by_id
from mcpsniff.rules.rule import Rule

from .json import encode
from .pages import highest

Classes = tuple[type[Rule], ...]


def rules_table(family: str | None = None, tier: int | None = None) -> str:
    """Gives one line a rule: id, family, tier, severity, title."""
    rows = [("RULE", "FAMILY", "TIER", "SEVERITY", "TITLE")]
    for id_, classes in _asked(family, tier):
        first = classes[0]
        rows.append((id_, first.family, str(first.tier), highest(classes), first.title))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "".join("  ".join([*map(str.ljust, row[:4], widths), row[4]]) + "\n" for row in rows)


def rules_json(family: str | None = None, tier: int | None = None) -> bytes:
    """Gives the same as JSON, with severity and clause for each revision, and the page."""
    listed = [_rule(id_, classes) for id_, classes in _asked(family, tier)]
    return encode({"format": "mcpsniff-rules", "version": 1, "rules": listed})


def _asked(family: str | None, tier: int | None) -> list[tuple[str, Classes]]:
    """Gives the rules asked for, by family and id; raises McpsniffError where there is no such family."""
    families = {classes[0].family for classes in by_id().values()}
    if family is not None and family not in families:
        near = get_close_matches(family, families, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(families))}."
        raise McpsniffError(f"There is no family {family}: {hint}")
    some = [
        (id_, classes)
        for id_, classes in by_id().items()
        if family in (None, classes[0].family) and tier in (None, classes[0].tier)
    ]
    return sorted(some, key=lambda item: (item[1][0].family, item[0]))


def _rule(id_: str, classes: Classes) -> dict[str, Any]:
    first = classes[0]
    known = {revision: rule for revision in REVISIONS for rule in reversed(classes) if rule.applies(revision)}
    return {
        "id": id_,
        "family": first.family,
        "title": first.title,
        "tier": first.tier,
        "violator": first.violator,
        "confidence": first.confidence,
        "severity": {revision: rule.severity_in(revision) for revision, rule in known.items()},
        "spec": {revision: spec_page(rule.spec_in(revision), revision) for revision, rule in known.items()},
        "yields_to": first.yields_to,
        "page": inspect.cleandoc(first.__doc__ or ""),
    }
