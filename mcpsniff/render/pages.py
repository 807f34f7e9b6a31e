"""The page of a rule as text for people, from its docstring."""

from __future__ import annotations

import inspect
from difflib import get_close_matches

from mcpsniff.analysis.findings import spec_page
from mcpsniff.errors import McpsniffError
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.rules.catalogue import by_id
from mcpsniff.rules.rule import CLIENT, EITHER, SERVER, SEVERITIES, UNKNOWN, Rule

_BLAMED = {CLIENT: "the client", SERVER: "the server", EITHER: "either side", UNKNOWN: "nobody"}


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
        f"family {first.family} · tier {first.tier} · {highest(classes)} · blames {_BLAMED[first.violator]} · "
        f"{first.confidence}"
    )


def highest(classes: tuple[type[Rule], ...]) -> str:
    """Gives the highest severity that the rule has in any revision."""
    known = [severity for rule in classes for severity in rule.severity.values()]
    return max(known, key=SEVERITIES.index)


def newest_clause(classes: tuple[type[Rule], ...]) -> str | None:
    """Gives the page of the clause in the newest revision that the rule is for; None where it rests on practice."""
    known = ((revision, rule) for revision in reversed(REVISIONS) for rule in classes if rule.applies(revision))
    return next((spec_page(rule.spec_in(revision), revision) for revision, rule in known), None)


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
