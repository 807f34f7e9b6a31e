"""Every HTTP sample as an import that has lost the times of its events: no rule finds what is not there."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.capture import records as rec
from mcpsniff.capture.heads import RequestHead, ResponseHead, media_type
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.importers.order import place
from mcpsniff.capture.importers.past import Past
from mcpsniff.capture.importers.replay import replay
from mcpsniff.capture.reader import read
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.rules.catalogue import by_id
from mcpsniff.rules.selection import EVERYTHING
from mcpsniff.wire.redact import Redactor

SAMPLES = Path(__file__).parents[2] / "samples"
EPOCH = 1e9  # seconds, of each capture's beginning


def exchanges(path):
    """What a file without the times of events tells of a capture; who ended a stream is not known either."""
    found = {}
    for record in read(str(path)):
        if isinstance(record, rec.Request):
            found[record.x] = _asked(record)
        elif (past := found.get(getattr(record, "x", None))) is not None:
            _ADD.get(type(record), _nothing)(past, record)
            past.ended = EPOCH + record.t
    for past in found.values():
        if past.response is not None and media_type(past.response.headers) == "text/event-stream":
            past.untimed, past.by, past.why = True, "open", "unknown"
        past.pieces = [(past.ended, b"".join(data for _, data in past.pieces))]
    return list(found.values())


def _asked(record):
    at = EPOCH + record.t
    headers = [
        (name, value) for name, value in record.headers if name.lower() != "content-length"
    ]  # of bodies cut here
    head = RequestHead(record.method, record.url, record.http, headers, record.head_size)
    return Past(conn=record.conn, client=record.client, asked=at, request=head, ended=at, by="open", why="shutdown")


def _body(past, record):
    if record.sender == "client":
        past.body, past.sent = record.data, EPOCH + record.t
    elif record.sse is None:
        past.pieces.append((0.0, record.data))
    else:
        past.pieces.append((0.0, _block({**record.sse, "data": record.data.decode("utf-8", "surrogateescape")})))


def _event(past, record):
    fields = {name: getattr(record, name) for name in ("event", "id", "retry", "comment", "data")}
    past.pieces.append(
        (0.0, _block(fields, *(f"{name}: 1" for name in record.fields or ()), end=not record.unfinished))
    )


def _block(fields, *lines, end=True):
    spelled = [
        f"{'' if name == 'comment' else name}: {line}"
        for name, value in fields.items()
        if value is not None and name != "fields"
        for line in str(value).split("\n")
    ]
    return "\n".join([*spelled, *lines, "", *([""] if end else [])]).encode("utf-8", "surrogateescape")


def _answered(past, record):
    past.answered, past.decoded = EPOCH + record.t, True
    past.response = ResponseHead(record.status, record.http, record.headers, record.head_size)


def _closed(past, record):
    past.by, past.why, past.error = record.by or "server", record.why or "complete", record.error


def _nothing(past, record):
    """Other records say nothing that counts here."""


_ADD = {rec.Message: _body, rec.Text: _body, rec.Sse: _event, rec.Response: _answered, rec.Close: _closed}


def kept(path):
    """What an import still says in its header: who stood between, and what is hidden."""
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    return {name: header[name] for name in ("proxy", "redacted") if name in header}


def rules(path):
    _, result = analyze(str(path), EVERYTHING)
    return Counter(f.rule for session in result.sessions for f in session.findings), result.untimed


def outdone_by(found):
    """The rules that are silent beside those found, and may speak where these need the times."""
    return {id_ for id_, classes in by_id().items() for rule in classes if not found.keys().isdisjoint(rule.yields_to)}


def streams():
    """The samples over HTTP in which events were sent."""
    for path in sorted(SAMPLES.glob("**/*.jsonl")):
        if re.search(rb'"type": ?"sse"|"sse": ?\{', path.read_bytes()):
            yield pytest.param(path, id=f"{path.parent.name}-{path.stem}")


@pytest.mark.parametrize("path", list(streams()))
def test_nothing_is_found_for_want_of_times(path, tmp_path):
    """Whatever is found is found with the times, too."""
    found = exchanges(path)
    place(found)
    writer = CaptureWriter(str(tmp_path / "untimed.jsonl"), {"id": "u", "transport": "http", **kept(path)})
    replay([found], HttpRecorder(writer, Redactor(b"salt", enabled=False)), EPOCH)
    writer.end(max(past.ended for past in found) - EPOCH)
    without, untimed = rules(writer.path)
    with_times, _ = rules(path)
    assert untimed or not without
    assert without.keys() - with_times.keys() <= outdone_by(with_times)
