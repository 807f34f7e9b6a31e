"""What becomes of many drafts of one rule."""

import io
import json
from pathlib import Path

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.findings import KEPT

SAMPLE = Path(__file__).parents[2] / "samples/rules/duplicate-json-key/bad-2026-07-28.jsonl"
REPEATED = b'"content":[{"type":"text","text":"","text":""}]'


def _capture(notes: int) -> bytes:
    """Gives the sample with calls before its own: the answer of each repeats a key where that is but a note."""
    header, *opening, call, answer = SAMPLE.read_bytes().splitlines()[:5]
    fields = json.loads(call)["message"]
    lines = [header, *opening]
    for number in range(notes):
        ask = json.dumps({**fields, "id": f"n{number}"}, separators=(",", ":")).encode()
        tell = b'{"jsonrpc":"2.0","id":"n%d","result":{"resultType":"complete",%s}}' % (number, REPEATED)
        for sender, text in ((b"client", ask), (b"server", tell)):
            place = len(lines), len(lines) / 100, sender, len(text) + 1, text
            lines.append(b'{"type":"message","seq":%d,"t":%f,"from":"%s","size":%d,"message":%s}' % place)
    for text in (call, answer):
        seq = json.loads(text)["seq"]
        lines.append(text.replace(b'"seq":%d,"t":0.0%d' % (seq, seq), b'"seq":%d,"t":99.0' % len(lines)))
    return b"\n".join(lines) + b"\n"


def test_many_notes_hide_no_error() -> None:
    """More notes of a rule than are held are counted, and the error that comes behind them is found."""
    _, result = analyze(io.BytesIO(_capture(KEPT + 100)))
    found = [one for one in result.sessions[0].findings if one.rule == "duplicate-json-key"]
    assert {(one.severity, one.count) for one in found} == {("info", KEPT + 100), ("error", 1)}
    assert [one.seq for one in found if one.severity == "error"] == [(3 + 2 * (KEPT + 100) + 1,)]
