"""SARIF, held against the models that were generated from its published schema, which forbid what it does not name."""

import json

import pytest
from pydantic import ValidationError
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif

from mcpsniff.render.sarif import render


def run(report):
    """The only run, as the schema's models read it."""
    (one,) = Sarif.model_validate_json(render(report)).runs
    return one


def test_the_schema_refuses_what_it_does_not_know(findings):
    """The validator is worth something: a key too many, a level that is none, a line 0 are told."""
    document = json.loads(render(findings))
    (result, *_) = document["runs"][0]["results"]
    for where, key, wrong in (
        (result, "surprise", 1),
        (result, "level", "info"),
        (result["locations"][0]["physicalLocation"]["region"], "startLine", 0),
    ):
        kept = dict(where)
        where[key] = wrong
        with pytest.raises(ValidationError):
            Sarif.model_validate(document)
        where.clear()
        where.update(kept)


def test_every_result_has_its_rule_and_place(findings):
    """Rule with help, level by severity, the capture's file as a URI, the culprit's line."""
    one = run(findings)
    (rule,) = one.tool.driver.rules
    assert (rule.id, rule.shortDescription.text[:22]) == ("stdout-noise", "Server wrote something")
    assert "## How to fix" in rule.help.markdown
    assert str(rule.helpUri).endswith("/2026-07-28/basic/transports/stdio")
    assert [result.level.value for result in one.results] == ["error", "warning", "note"]
    for result in one.results:
        assert (result.ruleId, result.ruleIndex) == ("stdout-noise", 0)
        (location,) = result.locations
        assert location.physicalLocation.artifactLocation.uri == "-logs/a%20b%2Cc%3A1%25.jsonl"
        assert location.physicalLocation.region.startLine == 5
        assert location.physicalLocation.region.snippet.text == "Starting"


def test_the_line_is_that_of_the_culprit(talk, report):
    """Line 5 of this capture is the noise: the header, three messages, then it."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    (result,) = run(report(talk.file(), rules=True)).results
    line = result.locations[0].physicalLocation.region.startLine
    assert b"Starting" in talk.file().getvalue().splitlines()[line - 1]


def test_an_absolute_path_is_a_file_uri(findings):
    """The reader finds it without knowing where the program ran."""
    findings.captures[0]["file"] = "/tmp/a b.jsonl"
    findings.sessions[0]["findings"][0]["line"] = None
    (first, *_) = run(findings).results
    assert first.locations[0].physicalLocation.artifactLocation.uri == "file:///tmp/a%20b.jsonl"
    assert first.locations[0].physicalLocation.region is None


def test_nothing_found_is_a_run_without_results(nothing):
    """Consumers tell that from a run that did not happen."""
    one = run(nothing)
    assert (one.results, one.tool.driver.rules) == ([], [])
