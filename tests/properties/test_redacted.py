"""Of a capture in which one value is hidden nothing is said that the open one does not have: it alarms nobody."""

import json
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from mcpsniff.analysis.engine import analyze
from mcpsniff.rules.rule import INFO
from mcpsniff.rules.selection import EVERYTHING
from mcpsniff.wire.redact import Redactor

EVERY = 6  # of so many good captures one is looked at


def test_a_hidden_value_raises_no_false_alarm(captures: list[Path], lines_of: Callable[[Path], list[Any]]) -> None:
    """Nothing is found at warning or above on the capture with `--redact` that is not found without."""
    alarms = []
    for path in captures:
        name = f"{path.parent.name}/{path.stem}"
        for pointer in _chosen(name, lines_of(path)):
            loud = _loud(_hidden(lines_of(path), pointer))
            alarms += [(name, pointer, *one) for one in loud - (_loud(path.read_bytes()) if loud else set())]
    assert alarms == []


def _chosen(name: str, lines: list[Any]) -> list[str]:
    """Gives one value of some of the good captures, as a JSON Pointer that leaves something to judge by."""
    number = zlib.crc32(name.encode())
    if "/bad-" in name or number % EVERY:
        return []
    known = {pointer for line in lines if _is_rpc(line) for pointer in _pointers("", json.loads(line.text))}
    below = sorted(pointer for pointer in known if pointer.count("/") > 1)
    return below and [below[number // EVERY % len(below)]]


def _is_rpc(line: Any) -> bool:
    """Whether it is an MCP message, and no body of another exchange, in which pointers hide nothing."""
    return line.text is not None and line.text.startswith("{") and '"jsonrpc"' in line.text


def _pointers(at: str, value: Any) -> Iterator[str]:
    yield at
    below = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for name, part in below:
        yield from _pointers(f"{at}/{str(name).replace('~', '~0').replace('/', '~1')}", part)


def _hidden(lines: list[Any], pointer: str) -> bytes:
    """Gives the capture as it is recorded with `--redact POINTER`."""
    redactor = Redactor(b"salt", enabled=False, pointers=[pointer])
    for line in lines:
        if _is_rpc(line):
            line.text = redactor.message(line.text.encode()).decode()
        elif line.fields["type"] == "request":
            line.fields["headers"] = redactor.headers(line.fields["headers"])
    header = lines[0].fields
    header["redacted"] = [*header.get("redacted", ()), *redactor.names]
    return b"".join(line.encoded() for line in lines)


def _loud(data: bytes) -> set[tuple[str, int]]:
    """Gives rule and culprit's record of each fault at warning or above, repeats told apart."""
    _, result = analyze(BytesIO(data), EVERYTHING)
    assert not result.crashed
    judged = (one for session in result.sessions for one in session.conversation.drafts.judged())
    return {(draft.rule.id, draft.seq) for draft, judgement in judged if judgement.severity != INFO}
