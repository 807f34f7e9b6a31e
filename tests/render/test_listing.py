"""The list of rules, as a table and as JSON."""

import json

import pytest

from mcpsniff.errors import McpsniffError
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.render.listing import rules_json, rules_table
from mcpsniff.rules.catalogue import by_id


def test_every_rule_has_one_line():
    """Id, family, tier, severity and title, in columns under their heads."""
    head, *lines = rules_table().splitlines()
    assert head.split() == ["RULE", "FAMILY", "TIER", "SEVERITY", "TITLE"]
    assert sorted(line.split()[0] for line in lines) == sorted(by_id())
    noise = next(line for line in lines if line.startswith("stdout-noise "))
    assert noise.split()[1:4] == ["framing", "1", "error"]
    assert noise[head.index("TITLE") :].startswith("Server wrote something on stdout")


@pytest.mark.parametrize(("family", "tier"), [("framing", None), (None, 3), ("http", 2), ("framing", 3)])
def test_only_what_is_asked_for(family, tier):
    """By family, by tier, by both; the table and the JSON agree."""
    wanted = sorted(
        id_
        for id_, (rule, *_) in by_id().items()
        if (family is None or rule.family == family) and (tier is None or rule.tier == tier)
    )
    assert sorted(line.split()[0] for line in rules_table(family, tier).splitlines()[1:]) == wanted
    assert sorted(rule["id"] for rule in json.loads(rules_json(family, tier))["rules"]) == wanted


def test_json_has_severity_and_clause_for_each_revision():
    """A rule of one revision has nothing for the others."""
    document = json.loads(rules_json())
    assert (document["format"], document["version"]) == ("mcpsniff-rules", 1)
    rules = {rule["id"]: rule for rule in document["rules"]}
    noise = rules["stdout-noise"]
    assert list(noise["severity"]) == list(noise["spec"]) == list(REVISIONS)
    assert noise["spec"]["2025-11-25"].endswith("/2025-11-25/basic/transports#stdio")
    assert "## How to fix" in noise["page"]
    assert {tuple(rule["severity"]) for rule in rules.values() if rule["family"] == "mrtr"} == {("2026-07-28",)}


def test_an_unknown_family_is_told_with_its_neighbour():
    """Or with all of them."""
    with pytest.raises(McpsniffError, match=r"There is no family htp: did you mean http\?"):
        rules_table("htp")
    with pytest.raises(McpsniffError, match=r"no family zzzz: there are auth, caching, .*, versioning\."):
        rules_json("zzzz")
