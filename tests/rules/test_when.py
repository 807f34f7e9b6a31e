"""Conditions on handlers: they spare calls and change no finding."""

from pathlib import Path
from typing import Any

import pytest

from mcpsniff.analysis import conversation
from mcpsniff.analysis.conversation import Conversation
from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.excerpts import Excerpts
from mcpsniff.analysis.lines import Lines
from mcpsniff.analysis.uncounted import Uncounted
from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import CLIENT, SERVER, Kind, Message
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import CALLED, RETRY, TOKEN, Shape
from mcpsniff.rules import when as conditions
from mcpsniff.rules.rule import Found, Rule
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
    monkeypatch.setattr(conversation, "is_once", lambda handler, shape, session: False)
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
        (conditions.meta_alone, True),
        (conditions.retyped, False),
        (conditions.escapes, False),
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


class Waiting(Rule):
    """Looks at requests while it is awake, at answers once for each `_meta`."""

    id = "waiting"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.seen: list[int] = []  # records

    @conditions.when(conditions.odd, awake=True)
    def on_request(self, message: Message, call: Call) -> Found:
        self.seen.append(message.seq)
        yield from ()

    @conditions.when(once=conditions.result)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        self.seen.append(message.seq)
        if message.result["faulty"]:
            yield self.found(message, "is faulty")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> tuple[Conversation, Waiting]:
    """Gives a conversation with one rule, and that rule."""
    monkeypatch.setattr(conversation, "subscribers", lambda event, *_: [Waiting] if hasattr(Waiting, event) else [])
    talk = Conversation(Session("s1", "stdio", ServerFacts()), EVERYTHING, Uncounted(), Excerpts(), Lines())
    monkeypatch.setattr(talk.drafts, "add", lambda draft: None)
    talk.emit("on_answer", None, Message(b'{"id":0,"result":{"faulty":0}}', SERVER, 0, 0.0, 0), None)
    (handler,) = talk._handlers[("on_answer", None, None)]
    rule: Waiting = handler.__self__  # type: ignore[attr-defined]
    rule.seen.clear()
    return talk, rule


def exchange(talk: Conversation, seq: int, faulty: bool = False, note: str = "") -> None:
    """Plays a ping and its answer."""
    meta = f',"_meta":{{"note":"{note}"}}' if note else ""
    ask = f'{{"jsonrpc":"2.0","id":{seq},"method":"ping"}}'
    answer = f'{{"jsonrpc":"2.0","id":{seq},"result":{{"faulty":{int(faulty)}{meta}}}}}'
    talk.message(Message(ask.encode(), CLIENT, seq, 0.0, len(ask)))
    talk.message(Message(answer.encode(), SERVER, seq + 1, 0.0, len(answer)))


def test_a_rule_is_called_while_it_is_awake(watched: tuple[Conversation, Waiting]) -> None:
    """From the message after `stir` on, until it is let sleep."""
    talk, rule = watched
    exchange(talk, 1)
    rule.stir(awake=True)
    exchange(talk, 3)
    exchange(talk, 5)
    rule.stir(awake=False)
    exchange(talk, 7)
    assert [seq for seq in rule.seen if seq % 2] == [3, 5]


def test_a_handler_looks_once_at_each_meta(watched: tuple[Conversation, Waiting]) -> None:
    """At the first answer without `_meta`, at the first with one, and at all of another in which it finds something."""
    talk, rule = watched
    for seq in (1, 3, 5):
        exchange(talk, seq)
        exchange(talk, seq + 10, note="same")
        exchange(talk, seq + 20, faulty=True, note="bad")
    assert rule.seen == [2, 12, 22, 24, 26]
