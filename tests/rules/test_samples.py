"""Every sample of every rule reports exactly the findings that stand in its header."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.rules.catalogue import by_id
from mcpsniff.rules.selection import EVERYTHING

SAMPLES = Path(__file__).parents[2] / "samples" / "rules"
FILES = sorted(SAMPLES.rglob("*.jsonl"))


def expectation(path: Path) -> list[dict[str, Any]]:
    """Gives the `expect` list of a sample's header."""
    expected: list[dict[str, Any]] = json.loads(path.read_text().partition("\n")[0])["expect"]
    return expected


def findings(path: Path) -> list[dict[str, Any]]:
    """Gives what is reported on a sample; rules of tier 3 count in their own folder alone."""
    _, result = analyze(str(path), EVERYTHING)
    assert not result.crashed
    return [
        {"rule": one.rule, "severity": one.severity, "violator": one.violator, "seq": list(one.seq)}
        for session in result.sessions
        for one in session.findings
        if one.rule == path.parent.name or by_id()[one.rule][0].tier < 3
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_sample_reports_what_it_expects(path: Path) -> None:
    """A sample's findings equal its `expect` list: rule, severity, violator and records, the culprit first."""
    expected = expectation(path)
    assert sorted(findings(path), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_name_says_whether_its_rule_complains(path: Path) -> None:
    """A bad sample expects its own rule, a good one does not at warning or above."""
    expected = expectation(path)
    own = [one["severity"] for one in expected if one["rule"] == path.parent.name]
    assert own if path.stem.startswith("bad-") else set(own) <= {"info"}
