"""The findings as SARIF 2.1.0: one run, the rules that spoke with their help, each result at a line of its capture."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcpsniff import __version__
from mcpsniff.analysis.placed import Placed, placed
from mcpsniff.analysis.report import Report
from mcpsniff.rules.catalogue import by_id
from mcpsniff.wire.visible import visible

from .json import encode
from .pages import highest, newest_clause, rule_page
from .shaping import shaped_by

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVEL = {"error": "error", "warning": "warning", "info": "note"}
PRECISION = {"certain": "very-high", "contextual": "high", "heuristic": "medium"}
FINGERPRINT = "mcpsniff/v1"
CARRIED = ("violator", "seq", "t", "revision", "confidence", "where", "spec")  # of the finding, as properties


def render(report: Report) -> bytes:
    """Gives the SARIF document."""
    found = list(placed(report))
    rules = sorted({one.finding["rule"] for one in found})
    driver = {"name": "mcpsniff", "version": __version__, "rules": [_rule(id_) for id_ in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "properties": {"shapedBy": list(shaped_by(report))},
        "results": [_result(one, rules.index(one.finding["rule"])) for one in found],
    }
    return encode({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(id_: str) -> dict[str, Any]:
    classes = by_id()[id_]
    first = classes[0]
    page = rule_page(id_)
    return {
        "id": id_,
        **({"helpUri": clause} if (clause := newest_clause(classes)) else {}),
        "shortDescription": {"text": first.title},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": LEVEL[highest(classes)]},
        "properties": {"tags": ["mcp", first.family], "precision": PRECISION[first.confidence], "tier": first.tier},
    }


def _result(one: Placed, index: int) -> dict[str, Any]:
    finding = one.finding
    return {
        "ruleId": finding["rule"],
        "ruleIndex": index,
        "level": LEVEL[finding["severity"]],
        "message": {"text": visible(finding["message"])},
        "locations": [_location(one)],
        "occurrenceCount": finding["count"],
        "partialFingerprints": {FINGERPRINT: finding["fingerprint"]},
        "properties": {"session": one.session["id"], **{key: finding[key] for key in CARRIED}},
    }


def _location(one: Placed) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(one.file)}}
    if one.finding["line"] is not None:
        physical["region"] = {"startLine": one.finding["line"], "snippet": {"text": one.finding["excerpt"]}}
    return {"physicalLocation": physical}


def _uri(file: str) -> str:
    """Gives the URI of a capture; a relative path stays one, as the reader's root is not known."""
    return Path(file).as_uri() if Path(file).is_absolute() else quote(file, errors="surrogateescape")
