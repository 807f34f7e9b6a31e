"""Of a part of a capture nothing is said that the whole takes back: who came late or left early accuses nobody."""

import json
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.rules.rule import INFO
from mcpsniff.rules.selection import EVERYTHING

CUTS = 4  # places at which a capture of samples/captures is cut; a sample is cut at one
EARLY = {  # rules that may say of a beginning what the whole capture shows better
    "capability-not-declared",  # a later discover result declares it
    "initialize-error-without-versions",  # a later answer names them
    "ping-unanswered",  # the server dies later, which is then said in its place
    "unanswered-request",  # likewise
}


@pytest.mark.parametrize(("late", "right"), [(True, set[str]()), (False, EARLY)], ids=["later", "earlier"])
def test_parts_raise_no_false_alarm(late: bool, right: set[str], captures: list[Path]) -> None:
    """Nothing is found at warning or above on a part alone that the whole does not have on the same record."""
    alarms = set()
    for path in captures:
        name = f"{path.parent.name}/{path.stem}"
        for part in _parts(path, name, late):
            loud = {(rule, seq) for rule, seq, severity in _found(part) if severity != INFO}
            whole = {(rule, seq) for rule, seq, _ in _found(path.read_bytes())} if loud else set()
            alarms |= {(name, rule, seq) for rule, seq in loud - whole}
    assert [alarm for alarm in sorted(alarms) if alarm[1] not in right] == []


def _parts(path: Path, name: str, late: bool) -> Iterator[bytes]:
    """Gives what is left of a good capture, cut at some places: the last part of a rotation, or the beginning."""
    if path.stem.startswith("bad-"):
        return
    head, *rows = path.read_bytes().split(b"\n")[:-1]
    header = json.dumps({**json.loads(head), "part": 2}).encode() if late else head
    for number in range(CUTS if "captures" in path.parts else 1):
        at = 1 + zlib.crc32(f"{number} {name}".encode()) % max(1, len(rows) - 1)
        yield b"\n".join([header, *(rows[at:] if late else rows[:at]), b""])


def _found(data: bytes) -> set[tuple[str, int, str]]:
    """Gives rule, culprit's record and severity of each fault, repeats told apart."""
    _, result = analyze(BytesIO(data), EVERYTHING)
    assert not result.crashed
    judged = (one for session in result.sessions for one in session.conversation.drafts.judged())
    return {(draft.rule.id, draft.seq, judgement.severity) for draft, judgement in judged}
