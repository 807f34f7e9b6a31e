"""Conditions on handlers: they spare calls and change no finding."""

from pathlib import Path
from typing import Any

import pytest

from mcpsniff.analysis import conversation
from mcpsniff.analysis.engine import analyze
from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import CLIENT, SERVER, Kind
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import CALLED, RETRY, TOKEN, Shape
from mcpsniff.rules import when as conditions
from mcpsniff.rules.selection import EVERYTHING

SAMPLES = Path(__file__).parents[2] / "samples"
FOLDERS = sorted(path for path in (SAMPLES / "rules").iterdir() if path.is_dir())
SESSION = Session("s1", "stdio", ServerFacts())
ANSWER = Shape(
    Kind.RESULT, SERVER, "tools/call", None, Phase.READY, CALLED | TOKEN, ("content", "_meta"), ("progressToken",)
)


def findings(path: Path) -> list[Any]:
    """Gives what is found in a sample, whole."""
    _, result = analyze(str(path), EVERYTHING)
    return [one.findings for one in result.sessions]


@pytest.mark.parametrize("letter", sorted({path.name[0] for path in FOLDERS}))
def test_conditions_change_no_finding(letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples give the same findings where every handler is called, whatever its conditions say."""
    files = [path for folder in FOLDERS if folder.name[0] == letter for path in folder.glob("*.jsonl")]
    before = [findings(path) for path in files]
    monkeypatch.setattr(conversation, "wanted", lambda handler, shape, session: True)
    assert [findings(path) for path in files] == before


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (conditions.odd, False),
        (conditions.result, True),
        (conditions.error, False),
        (conditions.by_server, True),
        (conditions.by_client, False),
        (conditions.stray, False),
        (conditions.with_token, True),
        (conditions.retry, False),
        (conditions.has("structuredContent", "content"), True),
        (conditions.has("structuredContent"), False),
        (conditions.lacks("structuredContent"), True),
        (conditions.has_meta("progressToken"), True),
        (conditions.lacks_meta("progressToken", "other"), True),
        (conditions.lacks_meta("progressToken"), False),
        (conditions.is_method("tools/call", "prompts/get"), True),
        (conditions.is_method("prompts/get"), False),
        (conditions.in_phase(Phase.FRESH, Phase.OPENING), False),
        (conditions.in_phase(Phase.READY), True),
        (conditions.either(conditions.error, conditions.by_server), True),
        (conditions.either(conditions.error, conditions.by_client), False),
    ],
)
def test_condition(condition: conditions.Condition, holds: bool) -> None:
    """Each condition on one answer of the server to a known call that asked for progress."""
    assert condition(ANSWER, SESSION) is holds


def test_all_conditions_must_hold() -> None:
    """A handler with two conditions is called where both hold, one without any is called always."""

    @conditions.when(conditions.by_client, conditions.retry)
    def handler() -> None: ...

    assert conditions.wanted(handler, ANSWER._replace(sender=CLIENT, signs=RETRY), SESSION)
    assert not conditions.wanted(handler, ANSWER._replace(sender=CLIENT), SESSION)
    assert conditions.wanted(test_condition, ANSWER, SESSION)
