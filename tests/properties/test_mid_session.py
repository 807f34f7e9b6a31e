"""Who comes late accuses nobody of what the whole capture clears him of (trap T1)."""

import json
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from mcpsniff.analysis.engine import analyze
from mcpsniff.rules.rule import INFO
from mcpsniff.rules.selection import EVERYTHING

CUTS = 4  # places at which a capture of samples/captures is cut; a sample is cut at one
# Rules that may say of a part what the whole capture shows better.
RIGHT = {
    "token-passthrough",  # where nothing shows the authorization server for what it is, it looks like any service
}


def test_captures_begun_in_mid_session_raise_no_false_alarm(captures: list[Path]) -> None:
    """Nothing is found at warning or above on a later part alone that the whole does not have on the same record."""
    alarms = set()
    for path in captures:
        name = f"{path.parent.name}/{path.stem}"
        for half in _later_parts(path, name):
            loud = {(rule, seq) for rule, seq, severity in _found(half) if severity != INFO}
            whole = {(rule, seq) for rule, seq, _ in _found(path.read_bytes())} if loud else set()
            alarms |= {(name, rule, seq) for rule, seq in loud - whole}
    assert [alarm for alarm in sorted(alarms) if alarm[1] not in RIGHT] == []


def _later_parts(path: Path, name: str) -> Iterator[bytes]:
    """Gives what would be left of a good capture if the first part of a rotation were lost, cut at some places."""
    if path.stem.startswith("bad-"):
        return
    head, *rows = path.read_bytes().split(b"\n")[:-1]
    header = json.dumps({**json.loads(head), "part": 2}).encode()
    for number in range(CUTS if "captures" in path.parts else 1):
        at = 1 + zlib.crc32(f"{number} {name}".encode()) % max(1, len(rows) - 1)
        yield b"\n".join([header, *rows[at:], b""])


def _found(data: bytes) -> set[tuple[str, int, str]]:
    """Gives rule, culprit's record and severity of each fault, repeats told apart."""
    _, result = analyze(BytesIO(data), EVERYTHING)
    assert not result.crashed
    judged = (one for session in result.sessions for one in session.conversation.drafts.judged())
    return {(draft.rule.id, draft.seq, judgement.severity) for draft, judgement in judged}
