"""Message shapes: what the generated tables accept and refuse, by revision."""

import re

import pytest

from mcpsniff.protocol.schema import NOTIFICATIONS, REQUESTS, RESULTS, Unjudged, defines, faults, flaws

MODERN_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def found(table, method, revision, value):
    """Gives the flaws of one revision as text."""
    body = {} if value is None else {"result" if table == RESULTS else "params": value}
    return [str(flaw) for flaw in flaws(table, method, revision, body)]


GOOD = [
    (REQUESTS, "tools/list", "2024-11-05", None),
    (REQUESTS, "tools/list", "2024-11-05", {"cursor": "x", "another": None}),
    (REQUESTS, "tools/call", "2025-11-25", {"name": "add", "arguments": {"a": None}}),
    (REQUESTS, "logging/setLevel", "2025-03-26", {"level": "emergency"}),
    (REQUESTS, "resources/read", "2025-06-18", {"uri": "no uri at all"}),
    (REQUESTS, "sampling/createMessage", "2025-06-18", {"messages": [], "maxTokens": 1.0}),
    (
        REQUESTS,
        "elicitation/create",
        "2026-07-28",
        {"message": "", "requestedSchema": {"type": "object", "properties": {}}},
    ),
    (REQUESTS, "tools/call", "2026-07-28", {"name": "add", "_meta": MODERN_META, "requestState": ""}),
    (NOTIFICATIONS, "notifications/progress", "2024-11-05", {"progressToken": 0, "progress": 0.5, "message": 3}),
    (NOTIFICATIONS, "notifications/message", "2025-06-18", {"level": "info", "data": None}),
    (RESULTS, "ping", "2025-06-18", {"anything": 1}),
    (RESULTS, "elicitation/create", "2025-06-18", {"action": "accept", "content": {"a": 3.5, "b": ["x"], "c": True}}),
    (RESULTS, "tools/list", "2024-11-05", {"tools": [{"name": "a", "inputSchema": {"type": "object"}, "title": 7}]}),
    (RESULTS, "tools/call", "2026-07-28", {"resultType": "complete", "content": [], "structuredContent": 7}),
    (RESULTS, "resources/read", "2025-11-25", {"contents": [{"uri": "a", "text": ""}, {"uri": "b", "blob": "?"}]}),
]

BAD = [
    (REQUESTS, "tools/call", "2025-06-18", None, "/params is missing"),
    (REQUESTS, "tools/call", "2025-06-18", {"name": "a", "arguments": "{}"}, "/params/arguments is not of type object"),
    (REQUESTS, "tools/list", "2025-06-18", {"cursor": None}, "/params/cursor is not of type string"),
    (
        REQUESTS,
        "prompts/get",
        "2024-11-05",
        {"name": "a", "arguments": {"b": 1}},
        "/params/arguments/b is not of type string",
    ),
    (
        REQUESTS,
        "completion/complete",
        "2024-11-05",
        {"ref": {"type": "ref/tool"}, "argument": {"name": "a", "value": "b"}},
        '/params/ref/type is none of ["ref/prompt", "ref/resource"]',
    ),
    (REQUESTS, "server/discover", "2026-07-28", {}, "/params/_meta is missing"),
    (NOTIFICATIONS, "notifications/cancelled", "2025-06-18", {}, "/params/requestId is missing"),
    (
        RESULTS,
        "tools/call",
        "2025-03-26",
        {"content": [{"type": "resource_link", "uri": "a", "name": "b"}]},
        '/result/content/0/type is none of ["audio", "image", "resource", "text"]',
    ),
    (RESULTS, "tools/call", "2025-06-18", {"content": [{"type": "text"}]}, "/result/content/0/text is missing"),
    (
        RESULTS,
        "tools/call",
        "2025-06-18",
        {"content": [], "structuredContent": []},
        "/result/structuredContent is not of type object",
    ),
    (
        RESULTS,
        "tools/list",
        "2025-06-18",
        {"tools": [{"name": "a", "inputSchema": {"type": "object"}, "title": 7}]},
        "/result/tools/0/title is not of type string",
    ),
    (
        RESULTS,
        "elicitation/create",
        "2025-06-18",
        {"action": "reject"},
        '/result/action is none of ["accept", "cancel", "decline"]',
    ),
    (RESULTS, "roots/list", "2025-06-18", {"roots": [{"uri": 1}]}, "/result/roots/0/uri is not of type string"),
    (
        RESULTS,
        "resources/read",
        "2025-11-25",
        {"contents": [{"uri": "a"}]},
        (
            "/result/contents/0 fits none of its forms "
            "(/result/contents/0/text is missing; /result/contents/0/blob is missing)"
        ),
    ),
]


@pytest.mark.parametrize(("table", "method", "revision", "value"), GOOD)
def test_good_bodies_have_no_flaw(table, method, revision, value):
    """Unknown members, formats and integers written as fractions are no flaws, and patches hold."""
    assert found(table, method, revision, value) == []


@pytest.mark.parametrize(("table", "method", "revision", "value", "flaw"), BAD)
def test_bad_bodies_are_named_by_place_and_reason(table, method, revision, value, flaw):
    """A flaw names the member at fault, also inside a choice that `type` decides."""
    assert found(table, method, revision, value) == [flaw]


def test_a_later_member_is_free_in_an_earlier_revision():
    """What a revision does not define is not checked there: a title came with 2025-06-18."""
    prompts = {"prompts": [{"name": "a", "title": 7, "icons": "none"}]}
    assert found(RESULTS, "prompts/list", "2025-03-26", prompts) == []
    assert found(RESULTS, "prompts/list", "2025-06-18", prompts) == ["/result/prompts/0/title is not of type string"]
    assert len(found(RESULTS, "prompts/list", "2025-11-25", prompts)) == 2


def test_methods_are_known_by_revision():
    """A method has a shape where its revision has the method; 2026-07-28 embeds the server's requests."""
    assert not defines(REQUESTS, "elicitation/create", "2025-03-26")
    assert defines(REQUESTS, "elicitation/create", "2025-06-18")
    assert defines(REQUESTS, "elicitation/create", "2026-07-28")
    assert not defines(REQUESTS, "ping", "2026-07-28")
    assert not defines(REQUESTS, "server/discover", "2025-11-25")
    assert not defines(REQUESTS, "tools/call", "1999-01-01")


def test_an_unknown_revision_is_judged_by_all():
    """Where the revision is not known each fault names the revisions in which it is one."""
    nothing = {"2024-11-05": re.compile("^$")}
    body = {"params": {"level": "loud"}}
    (legacy,) = faults(REQUESTS, "logging/setLevel", None, body, nothing).values()
    assert legacy == ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    body = {"result": {"prompts": [{"name": "a", "title": 7}]}}
    (later,) = faults(RESULTS, "prompts/list", None, body, {**nothing, "2026-07-28": re.compile(".")}).values()
    assert later == ["2025-06-18", "2025-11-25"]


def test_what_no_validator_takes_is_unjudged():
    """An unpaired surrogate is legal JSON and no string that the validator can read."""
    with pytest.raises(Unjudged):
        found(REQUESTS, "logging/setLevel", "2025-06-18", {"level": "\ud800"})
