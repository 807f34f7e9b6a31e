"""The JSON document: whole, stable, and safe to look at."""

import json
from dataclasses import fields, replace

from mcpsniff.render.json import render


def test_the_document_is_the_report(talk, report):
    """Format and version first, then every field of the Report."""
    talk.handshake()
    said = report(talk.file())
    document = json.loads(render(said))
    assert list(document)[:3] == ["format", "version", "tool"]
    assert (document["format"], document["version"]) == ("mcpsniff-report", 1)
    assert set(document) == {"format", "version", *(field.name for field in fields(said))}
    assert document["sessions"][0]["messages"]["total"] == 3


def test_values_stay_equal_though_terminals_are_safe(talk, report):
    """C1 controls and marks of direction are written as escapes; the value is the captured one."""
    name = "\x9b31m\u202eliam\x7f"
    talk.client(id=1, method="tools/call", params={"name": name})
    text = render(report(talk.file()))
    assert json.loads(text)["sessions"][0]["tools"][0]["name"] == name
    assert not set(text.decode()) & set("\x9b\u202e\x7f\x1b")


def test_what_utf8_cannot_hold_does_not_break_it(talk, report):
    """An unpaired surrogate in a method name, an integer beyond 64 bits: replaced, or as text."""
    talk.say("client", '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}')
    said = report(talk.file())
    assert json.loads(render(said))["sessions"][0]["methods"][0]["method"] == "?"
    huge = replace(said, summary={"sessions": 10**30})
    assert json.loads(render(huge))["summary"]["sessions"] == str(10**30)
