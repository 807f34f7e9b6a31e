"""The skeleton of a new rule works as it is written."""

import json
import subprocess
import sys

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.new import main, write


def test_skeleton_is_a_rule_and_its_samples_tell(tmp_path):
    """The new file is a rule that complains about the bad sample at the expected record, and not about the good one."""
    files = write(tmp_path, "tool-too-green", "made-up", "server/tools#tool")
    assert [str(path.relative_to(tmp_path)) for path in files] == [
        "mcpsniff/rules/made_up/__init__.py",
        "mcpsniff/rules/made_up/tool_too_green.py",
        "samples/rules/tool-too-green/bad-2025-11-25.jsonl",
        "samples/rules/tool-too-green/good-2025-11-25.jsonl",
    ]
    script = """
import sys, json, mcpsniff.rules
mcpsniff.rules.__path__.append(sys.argv[1] + "/mcpsniff/rules")
from mcpsniff.analysis.engine import analyze
for path in sys.argv[2:]:
    _, result = analyze(path)
    found = [f for s in result.sessions for f in s.findings if f.rule == "tool-too-green"]
    print(json.dumps([{"rule": f.rule, "severity": f.severity, "violator": f.violator, "seq": f.seq} for f in found]))
"""
    command = [sys.executable, "-c", script, str(tmp_path), *map(str, files[2:])]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    expected = [json.loads(path.read_text().partition("\n")[0])["expect"] for path in files[2:]]
    assert [json.loads(line) for line in said] == expected
    assert expected[1] == []


def test_samples_are_clean_but_for_the_rule(tmp_path):
    """The session of the samples breaks no other rule."""
    for path in write(tmp_path, "x", "made-up", "server/tools#tool")[2:]:
        _, result = analyze(str(path))
        assert [finding for session in result.sessions for finding in session.findings] == []


def test_what_must_be_filled_in_is_marked(tmp_path):
    """Each file of the rule itself holds the word that the tests of the catalogue refuse; the clause is as given."""
    _, rule, bad, good = write(tmp_path, "x", "made-up", "server/tools#tool")
    assert all("TODO" in path.read_text() for path in (rule, bad, good))
    assert 'spec = {"2024-11-05": "server/tools#tool"}' in rule.read_text()


@pytest.mark.parametrize(
    ("rule_id", "family", "spec"),
    [
        ("X", "tools", "a#b"),
        ("a/b", "tools", "a#b"),
        ("a_b", "tools", "a#b"),
        ("", "tools", "a#b"),
        ("x", "../tools", "a#b"),
        ("x", "Tools", "a#b"),
        ("x", "tools", 'a"b'),
        ("x", "tools", "a#b c"),
    ],
)
def test_names_are_checked(tmp_path, rule_id, family, spec):
    """A name or a clause that is none is refused in one sentence, and nothing is written."""
    with pytest.raises(McpsniffError, match="write"):
        write(tmp_path, rule_id, family, spec)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path):
    """A second call with the same id is refused and leaves the files alone."""
    path = write(tmp_path, "x", "made-up", "a#b")[1]
    path.write_text("mine")
    with pytest.raises(McpsniffError, match="exists already"):
        write(tmp_path, "x", "made-up", "a#b")
    assert path.read_text() == "mine"


def test_command_line_is_that_of_the_guide(capsys):
    """The command takes id, family and clause as CONTRIBUTING shows it; what is wrong is said in one line."""
    assert main(["invalid-utf8", "--family", "framing", "--spec", "basic/transports#stdio"]) == 2
    assert "invalid_utf8.py exists already" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["invalid-utf8"])
    assert "--family" in capsys.readouterr().err
