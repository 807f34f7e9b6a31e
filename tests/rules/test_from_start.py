"""Rules that prove something by absence say nothing where the beginning of the session is not in the capture."""

import io
import json
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.rules.selection import EVERYTHING

SAMPLES = Path(__file__).parents[2] / "samples" / "rules"
BY_ABSENCE = [
    "cursor-not-issued/bad-2025-06-18",
    "initialize-refused/bad-2025-06-18",
    "invalid-cursor-error-code/bad-2025-06-18",
    "request-state-altered/bad-2026-07-28",
    "request-state-cross-request/bad-2026-07-28",
    "request-state-dropped/bad-2026-07-28",
    "request-state-invented/bad-2026-07-28",
    "resource-updated-not-subscribed/bad-2025-06-18",
    "response-to-notification/bad-cancelled-id",
    "retry-params-changed/bad-2026-07-28",
    "server-cancel-non-listen/bad-2026-07-28-unknown",
    "server-request-unrelated/bad-2025-06-18",
    "tampered-state-accepted/bad-2026-07-28",
    "unsubscribe-without-subscribe/bad-2025-06-18",
]


@pytest.mark.parametrize("sample", BY_ABSENCE)
@pytest.mark.parametrize(("part", "found"), [(1, True), (2, False)])
def test_second_part_of_a_capture_proves_nothing(sample, part, found):
    """The same traffic in the second part of a rotated capture may have had what is missed in the first."""
    head, _, rest = (SAMPLES / f"{sample}.jsonl").read_bytes().partition(b"\n")
    capture = json.dumps({**json.loads(head), "part": part}).encode() + b"\n" + rest
    _, result = analyze(io.BytesIO(capture), EVERYTHING)
    reported = {one.rule for session in result.sessions for one in session.findings}
    assert (sample.partition("/")[0] in reported) is found
