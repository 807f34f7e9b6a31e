"""The catalogue as a whole: pages, ids, clauses, samples."""

from pathlib import Path
from types import ModuleType

import pytest

from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.rules import catalogue
from mcpsniff.rules.catalogue import by_id, load
from mcpsniff.rules.new import TODO
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, EITHER, HEURISTIC, SERVER, SEVERITIES, UNKNOWN, Rule

SAMPLES = Path(__file__).parents[2] / "samples" / "rules"
SECTIONS = ["## Why it matters", "## How to fix", "## When it stays silent"]
IDS = sorted(by_id())


@pytest.mark.parametrize("rule_id", IDS)
def test_page_has_its_sections(rule_id: str) -> None:
    """The first class of a rule opens with one sentence and has the three sections, none of them empty."""
    page = (by_id()[rule_id][0].__doc__ or "").strip()
    opening, *rest = page.split("\n\n")
    assert opening.rstrip().endswith(".")
    assert [line.strip() for line in page.splitlines() if line.strip().startswith("## ")] == SECTIONS
    assert all(len(part.strip().splitlines()) > 1 for part in rest if part.strip().startswith("## "))


@pytest.mark.parametrize("rule_id", IDS)
def test_every_revision_has_severity_and_clause(rule_id: str) -> None:
    """Each class names a known severity and a clause for each revision that it is for."""
    for rule in by_id()[rule_id]:
        for revision in filter(rule.applies, REVISIONS):
            assert rule.severity_in(revision) in SEVERITIES
            assert rule.spec_in(revision), f"{rule.__name__} has no clause for {revision}"


@pytest.mark.parametrize("rule_id", IDS)
def test_classes_of_one_rule_agree(rule_id: str) -> None:
    """Classes of one id stand in one file and carry one title and one tier."""
    assert len({(rule.__module__, rule.title, rule.tier) for rule in by_id()[rule_id]}) == 1


@pytest.mark.parametrize("rule_id", IDS)
def test_rule_has_samples(rule_id: str) -> None:
    """Each rule has a bad and a good sample."""
    names = [path.name for path in (SAMPLES / rule_id).glob("*.jsonl")]
    assert any(name.startswith("bad-") for name in names)
    assert any(name.startswith("good-") for name in names)


@pytest.mark.parametrize("rule_id", IDS)
def test_nothing_of_the_skeleton_is_left(rule_id: str) -> None:
    """What `mcpsniff.rules.new` marks as to be filled in is filled in: page, title, clause and samples."""
    said = [f"{rule.__doc__} {rule.title} {rule.spec}" for rule in by_id()[rule_id]]
    said += [path.read_text(errors="replace") for path in (SAMPLES / rule_id).glob("*.jsonl")]
    assert not [text for text in said if TODO in text]


def test_sample_folders_are_rules() -> None:
    """No folder of samples belongs to a rule that does not exist."""
    assert {path.name for path in SAMPLES.iterdir() if path.is_dir()} <= set(IDS)


def test_attributes_hold_known_words() -> None:
    """Tier, violator, confidence and the handlers of a class come from the lists that the engine knows."""
    for rule in load():
        assert rule.tier in (1, 2, 3, 4)
        assert rule.violator in (CLIENT, SERVER, EITHER, UNKNOWN)
        assert rule.confidence in ("certain", CONTEXTUAL, HEURISTIC)
        assert rule.title
        assert not rule.title.endswith(".")
        assert any(hasattr(rule, event) for event in catalogue.EVENTS), rule.__name__
        assert {name for name in dir(rule) if name.startswith("on_")} <= set(catalogue.EVENTS)


def test_rules_yield_to_others() -> None:
    """No rule yields to itself, and no two to each other: then neither would be reported."""
    yields = {rule_id: {one for rule in classes for one in rule.yields_to} for rule_id, classes in by_id().items()}
    for rule_id, others in yields.items():
        assert rule_id not in others
        assert not [one for one in others if rule_id in yields.get(one, ())]


def test_two_files_cannot_claim_one_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second file with an id of another file is refused by name."""
    monkeypatch.setattr(catalogue, "_modules", lambda: iter([_module("first"), _module("second")]))
    with pytest.raises(ValueError, match=r"rule made-up stands in .*\.first and in .*\.second"):
        load.__wrapped__()


def _module(name: str) -> ModuleType:
    module = ModuleType(f"mcpsniff.rules.framing.{name}")
    module.__dict__["MadeUp"] = type("MadeUp", (Rule,), {"id": "made-up", "__module__": module.__name__})
    return module
