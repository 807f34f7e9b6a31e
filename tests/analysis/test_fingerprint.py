"""What makes a fault the same one in the next capture."""

from dataclasses import replace

import pytest

from mcpsniff.analysis.findings import Finding
from mcpsniff.analysis.fingerprint import fingerprint

FOUND = Finding(
    rule="invalid-tool-name", title="", severity="error", violator="server", seq=(7, 3), t=1.5,
    message="a tool is named x", spec=(), revision="2025-11-25", confidence="certain", line=8,
    fault="tool name", where="/result/tools/3/name",
)  # fmt: skip
PROGRAMS = {"client": {"name": "c", "version": "1"}, "server": {"name": "s", "version": "1"}}


@pytest.mark.parametrize(
    "moved",
    [
        {"seq": (99,)}, {"t": 100.0}, {"line": None}, {"count": 5}, {"where": "/result/tools/12/name"},
        {"severity": "info"}, {"message": "a tool is named x, 9 bytes"}, {"revision": None},
    ],
    ids=lambda moved: next(iter(moved)),
)  # fmt: skip
def test_the_next_capture_changes_nothing(moved):
    """Records, times, counts, indices, severities, values: the fault stays the same."""
    assert fingerprint(replace(FOUND, **moved), PROGRAMS) == fingerprint(FOUND, PROGRAMS)


def test_a_new_version_has_the_same_faults():
    """The program's name counts, its version does not; of the other side nothing does."""
    same = {"client": None, "server": {"name": "s", "version": "2"}}
    assert fingerprint(FOUND, same) == fingerprint(FOUND, PROGRAMS)


@pytest.mark.parametrize(
    "other", [{"rule": "x"}, {"violator": "client"}, {"fault": "prompt name"}, {"where": "/result/tools/3/title"}]
)
def test_another_fault_has_another_fingerprint(other):
    """Rule, side, what tells it from others, and its place."""
    assert fingerprint(replace(FOUND, **other), PROGRAMS) != fingerprint(FOUND, PROGRAMS)


@pytest.mark.parametrize("server", [{"name": "t"}, {}, None])
def test_another_program_has_faults_of_its_own(server):
    """Also one that has no name."""
    assert fingerprint(FOUND, {**PROGRAMS, "server": server}) != fingerprint(FOUND, PROGRAMS)
