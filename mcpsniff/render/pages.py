"""The rules as text for people: the table of all, and the page of one, from its docstring."""

from __future__ import annotations

import inspect
from difflib import get_close_matches

from mcpsniff.analysis.findings import spec_page
from mcpsniff.errors import McpsniffError
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.rules.catalogue import by_id
from mcpsniff.rules.rule import SEVERITIES, Rule


def rules_table() -> str:
    """Gives one line a rule: id, family, tier, severity, title."""
    rows = [("RULE", "FAMILY", "TIER", "SEVERITY", "TITLE")]
    for id_, classes in sorted(by_id().items(), key=lambda item: (item[1][0].family, item[0])):
        first = classes[0]
        rows.append((id_, first.family, str(first.tier), highest(classes), first.title))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "".join("  ".join([*map(str.ljust, row[:4], widths), row[4]]) + "\n" for row in rows)


def rule_page(id_: str) -> str:
    """Gives the page of a rule; raises McpsniffError where there is none of this id."""
    classes = by_id().get(id_)
    if classes is None:
        near = get_close_matches(id_, by_id(), n=3)
        hint = f" Did you mean {', '.join(near)}?" if near else " `mcpsniff rules` lists them."
        raise McpsniffError(f"There is no rule {id_}.{hint}")
    first = classes[0]
    page = inspect.cleandoc(first.__doc__ or "")
    return f"{id_}: {first.title}\n\n{_facts(classes)}\n\n{page}\n\n## Where it is written\n{_clauses(classes)}\n"


def _facts(classes: tuple[type[Rule], ...]) -> str:
    first = classes[0]
    return (
        f"family {first.family} · tier {first.tier} · {highest(classes)} · blames the {first.violator} · "
        f"{first.confidence}"
    )


def highest(classes: tuple[type[Rule], ...]) -> str:
    """Gives the highest severity that the rule has in any revision."""
    known = [severity for rule in classes for severity in rule.severity.values()]
    return max(known, key=SEVERITIES.index)


def _clauses(classes: tuple[type[Rule], ...]) -> str:
    lines = []
    for revision in REVISIONS:
        rule = next((rule for rule in classes if rule.applies(revision)), None)
        if rule is None:
            lines.append(f"{revision}  does not apply")
            continue
        page = spec_page(rule.spec_in(revision), revision) or "nowhere: advice from practice"
        lines.append(f"{revision}  {rule.severity_in(revision):<7}  {page}")
    return "\n".join(lines)
