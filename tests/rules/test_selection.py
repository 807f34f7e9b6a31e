"""Which rules take part."""

import io
from pathlib import Path
from unittest.mock import PropertyMock, patch

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.catalogue import by_id
from mcpsniff.rules.selection import ALL_TIERS, EVERYTHING, NOTHING, Selection

SAMPLES = Path(__file__).parents[2] / "samples" / "rules"


def of_tiers(*tiers):
    """The ids of the rules of tiers."""
    return {id_ for id_, rules in by_id().items() if rules[0].tier in tiers}


def test_tiers_decide_where_nothing_is_said():
    """Tiers 1 and 2 by default, all of them, or none."""
    assert Selection().shown == of_tiers(1, 2)
    assert EVERYTHING.shown == set(by_id())
    assert NOTHING.shown == NOTHING.bound == set()


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("stdout-noise", lambda id_, rule: id_ == "stdout-noise"),
        ("framing", lambda id_, rule: rule.family == "framing"),
        ("std*", lambda id_, rule: id_.startswith("std")),
    ],
)
def test_a_pattern_is_an_id_a_family_or_a_glob(pattern, fits):
    """`select` keeps what fits, `ignore` keeps the rest."""
    fitting = {id_ for id_, rules in by_id().items() if fits(id_, rules[0])}
    assert Selection(EVERYTHING.tiers, select=(pattern,)).shown == fitting
    assert Selection(EVERYTHING.tiers, ignore=(pattern,)).shown == set(by_id()) - fitting


def test_an_id_takes_part_whatever_its_tier():
    """A family brings its rules of the tiers asked for; a rule that is named comes in any case."""
    pedantic = min(of_tiers(3))
    assert Selection(select=(pedantic,)).shown == {pedantic}
    assert not Selection(select=(by_id()[pedantic][0].family,)).shown & of_tiers(3)


def test_ignoring_wins():
    """What is both selected and ignored is ignored."""
    chosen = Selection(select=("framing",), ignore=("stdout-noise",))
    assert "stdout-noise" not in chosen.shown
    assert "invalid-utf8" in chosen.shown


@pytest.mark.parametrize("option", ["select", "ignore"])
def test_an_unknown_name_is_told_with_its_neighbour(option):
    """A slip of the hand never passes as a choice."""
    with pytest.raises(McpsniffError, match=r"stdout-nose names no rule.* did you mean stdout-noise\?"):
        Selection(**{option: ("stdout-nose",)})
    with pytest.raises(McpsniffError, match="`mcpsniff rules` lists them"):
        Selection(**{option: ("zzzz*",)})


def test_severities_are_replaced_by_the_last_word():
    """A later pair wins; a rule of which nothing is said keeps its own."""
    chosen = Selection(severity=(("framing", "info"), ("stdout-noise", "warning")))
    assert chosen.severity_of("stdout-noise", "error") == "warning"
    assert chosen.severity_of("invalid-utf8", "error") == "info"
    assert chosen.severity_of("unknown-method", "error") == "error"
    with pytest.raises(McpsniffError, match="horror is no severity for stdout-noise"):
        Selection(severity=(("stdout-noise", "horror"),))


def shown(data, chosen):
    """What the report shows on a capture, severities as the rules have them."""
    (session,) = build([analyze(io.BytesIO(data), chosen)], chosen.tiers).sessions
    return [(f["rule"], f["seq"], f["message"]) for f in session["findings"]]


def test_choosing_never_changes_what_is_found():
    """Ignoring a specific rule does not bring the general one that yields to it to life."""
    general = next(id_ for id_ in sorted(by_id()) if by_id()[id_][0].yields_to and _together(id_))
    better, data = _together(general)
    every = shown(data, Selection(ALL_TIERS))
    assert shown(data, Selection(ALL_TIERS, ignore=(better,))) == [one for one in every if one[0] != better]
    assert shown(data, Selection(ALL_TIERS, select=(general,))) == [one for one in every if one[0] == general]


def _together(general):
    """A rule and its sample on which a general rule would speak, were it alone; None where there is none."""
    for better in by_id()[general][0].yields_to:
        for sample in sorted((SAMPLES / better).glob("bad-*.jsonl")):
            data = sample.read_bytes()
            alone = _alone(general, data)
            if general in alone and general not in {rule for rule, *_ in shown(data, EVERYTHING)}:
                return better, data
    return None


def _alone(general, data):
    """The ids of what is found where only one rule is bound."""
    with patch.object(Selection, "bound", PropertyMock(return_value=frozenset({general}))):
        _, result = analyze(io.BytesIO(data), EVERYTHING)
    return {finding.rule for session in result.sessions for finding in session.findings}
