"""The analyzer on any capture: cut, with lines missing, doubled or swapped, or written in another way."""

import io
import json
import random
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpsniff.analysis.engine import analyze
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.selection import EVERYTHING, NOTHING

SAMPLES = Path(__file__).parents[2] / "samples"
CAPTURES = sorted(SAMPLES.rglob("*.jsonl"))


def analyzed(data):
    """Gives the result on the bytes of a capture; None where they are none."""
    try:
        _, result = analyze(io.BytesIO(data), EVERYTHING)
    except McpsniffError:
        return None
    return result


def check(data):
    """Asserts what holds for every capture: no rule raised, and each finding points at records that exist."""
    result = analyzed(data)
    if result is None:
        return
    assert not result.crashed
    known = {seq for line in data.split(b"\n") if (seq := _seq(line)) is not None}
    for session in result.sessions:
        for finding in session.findings:
            assert finding.seq
            assert set(finding.seq) <= known, finding


def _seq(line):
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record.get("seq") if isinstance(record, dict) else None


FILES = st.sampled_from(CAPTURES).map(Path.read_bytes)


@settings(max_examples=60)
@given(FILES, st.data())
def test_cut_at_any_byte(data, draw):
    """A capture whose end is missing is analysed as far as it goes."""
    check(data[: draw.draw(st.integers(0, len(data)))])


@settings(max_examples=120)
@given(
    FILES, st.lists(st.tuples(st.sampled_from(["drop", "double", "swap", "garble"]), st.integers(0, 10**6)), max_size=6)
)
def test_lines_dropped_doubled_swapped_garbled(data, changes):
    """Whatever happens to the lines after the header, nothing raises and findings point at what is there."""
    header, *lines = data.splitlines(keepends=True)
    for change, number in changes:
        if not lines:
            break
        at = number % len(lines)
        if change == "drop":
            del lines[at]
        elif change == "double":
            lines.insert(at, lines[at])
        elif change == "swap":
            lines[at], lines[at - 1] = lines[at - 1], lines[at]
        else:
            lines[at] = lines[at][: len(lines[at]) // 2] + b"\n"
    check(header + b"".join(lines))


ODD = st.sampled_from([None, True, 0, -1, 1.5, "", "x", [], {}, [[]], [None], {"a": None}, 10**30, "2026-07-28"])


def places(value, path=()):
    """Gives the path of every member and element inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


@settings(max_examples=200)
@given(FILES, st.lists(st.tuples(st.integers(0, 10**6), ODD), min_size=1, max_size=4))
def test_any_member_of_any_type(data, changes):
    """A value of another type anywhere in a message makes no rule raise."""
    records = [json.loads(line) for line in data.splitlines()]
    spots = [(record, path) for record in records if "message" in record for path in places(record["message"])]
    for number, value in changes if spots else ():
        record, path = spots[number % len(spots)]
        place = record["message"]
        try:
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = deepcopy(value)
        except (TypeError, KeyError, IndexError):
            continue  # an earlier change took the place away
    check(b"".join(json.dumps(record).encode() + b"\n" for record in records))


@settings(max_examples=60)
@given(FILES, FILES)
def test_records_of_two_captures_mixed(one, two):
    """Records of another transport, with sequence numbers out of order, break nothing."""
    check(one + b"".join(two.splitlines(keepends=True)[1:]))


def findings(data):
    """Gives the findings on a capture without what depends on the spelling."""
    result = analyzed(data)
    return [(f.rule, f.severity, f.violator, f.seq, f.count) for s in result.sessions for f in s.findings]


def rewritten(data, change):
    """Gives the capture with each message rewritten; sizes stay those of the wire."""
    lines = []
    for line in data.splitlines():
        record = json.loads(line)
        if record["type"] == "message" and "message" in record:
            message = record.pop("message")
            head = json.dumps(record)[:-1]
            line = f'{head}, "message": {change(message)}}}'.encode()
        lines.append(line)
    return b"\n".join(lines) + b"\n"


def _exact(path):
    """Whether a sample says the same when it is read and written again: numbers and duplicate keys survive."""
    for line in path.read_bytes().splitlines():
        record = json.loads(line)
        if record["type"] == "message" and "message" in record:
            again = json.dumps(record["message"], ensure_ascii=False, separators=(",", ":"))
            if b'"message":' + again.encode(errors="replace") not in line:
                return False
    return True


PLAIN = [path for path in CAPTURES if path.parent.parent.name == "rules" and _exact(path)]


@pytest.mark.parametrize("path", PLAIN[::7], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_white_space_and_key_order_change_nothing(path):
    """How a message is spelled is nobody's business."""
    data = path.read_bytes()

    def respell(message):
        if isinstance(message, dict):
            members = list(message.items())
            random.Random(7).shuffle(members)
            message = dict(members)
        return json.dumps(message, separators=(" , ", " : "))

    assert findings(rewritten(data, respell)) == findings(data)


def test_two_messages_in_one_capture_of_a_gap():
    """A jump in the sequence numbers is a loss: rules that need the whole session stay silent."""
    path = SAMPLES / "rules" / "initialized-missing" / "bad-2025-06-18.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert "initialized-missing" in {name for name, *_ in findings(b"".join(lines))}
    assert "initialized-missing" not in {name for name, *_ in findings(b"".join(lines[:4] + lines[5:]))}


@pytest.mark.parametrize(("part", "holes"), [(1, 1), (2, 0)])
def test_a_later_part_begins_with_a_jump_that_is_no_loss(talk, part, holes):
    """What came before is known to be elsewhere; a jump behind the first record is a loss as ever."""
    talk.handshake()
    for record in talk.records:
        record["seq"] += 100
    _, result = analyze(talk.file(part=part), NOTHING)
    assert result.sessions[0].session.holes == holes
    talk.records[-1]["seq"] += 1
    _, result = analyze(talk.file(part=part), NOTHING)
    assert result.sessions[0].session.holes == holes + 1


@pytest.mark.parametrize(
    ("part", "lost", "said", "found"),
    [(1, False, False, True), (2, False, False, False), (2, False, True, True), (1, True, False, False)],
)
def test_a_server_may_have_been_told_to_end_in_what_is_missing(talk, report, part, lost, said, found):
    """Its exit is a fault only where the client is known to have held its stdin open: it still said something."""
    talk.server(method="notifications/message", params={"level": "info", "data": 1})
    if lost:
        talk.add(type="gap", records=2, bytes=9, why="queue-full")
    if said:
        talk.client(id=1, method="ping")
        talk.server(id=1, result={})
    talk.add(type="exit", code=0)
    session = report(talk.file(part=part), rules=True).sessions[0]
    rules = {finding["rule"] for finding in session["findings"]}
    assert ("server-exited-in-session" in rules) is found
    assert session["shutdown"]["by"] == ("server" if found else None)
