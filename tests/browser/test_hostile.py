"""Nothing that a capture holds is ever run, loaded or taken for markup, whatever place it comes in."""

import json

import pytest

INJECTIONS = [
    "</script><script>window.__pwned=1;alert(1)</script>",
    "<img src=x onerror=window.__pwned=1>",
    "<svg/onload=window.__pwned=1>",
    '"><iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
    "javascript:window.__pwned=1",
    "<!--<script>",
    "--><script>window.__pwned=1</script>",
    "]]><script>window.__pwned=1</script>",
    "\u2028window.__pwned=1\u2029",
    "{{ window.__pwned=1 }}{% include 'x' %}${window.__pwned=1}`",
    "';window.__pwned=1;//\\",
    "<style>*{background:url(http://evil.example/a)}</style>",
    "<link rel=stylesheet href=http://evil.example/b>",
    "<base href=http://evil.example/><meta http-equiv=refresh content='0;url=http://evil.example/c'>",
    "<a href=http://evil.example/ autofocus onfocus=window.__pwned=1>",
    "\u202egnihtyna\u2066\x00\x1b[31m\x9b",
    "__proto__",
    "constructor",
]


def conversation(talk, nasty):
    """Says something nasty wherever a side can say what it wants."""
    info = {"name": nasty, "version": nasty}
    client = {"protocolVersion": nasty, "capabilities": {nasty: {}}, "clientInfo": info}
    talk.client(id=nasty, method="initialize", params=client)
    server = {"protocolVersion": nasty, "capabilities": {nasty: {}}, "serverInfo": info, "instructions": nasty}
    talk.server(id=nasty, result=server)
    tool = {
        "name": nasty,
        "title": nasty,
        "description": nasty,
        "inputSchema": {"$ref": nasty},
        "annotations": {nasty: nasty},
    }
    talk.client(id=1, method="tools/list")
    talk.server(id=1, result={"tools": [tool], "nextCursor": nasty})
    talk.client(
        id=2,
        method="tools/call",
        params={"name": nasty, "arguments": {nasty: nasty}, "_meta": {"progressToken": nasty}},
    )
    talk.server(method="notifications/progress", params={"progressToken": nasty, "progress": nasty, "message": nasty})
    talk.server(id=3, method="elicitation/create", params={"message": nasty, "requestedSchema": nasty})
    talk.client(id=3, result={"action": nasty})
    talk.server(id=2, result={"isError": True, "content": [{"type": "text", "text": nasty}], nasty: nasty})
    talk.client(id=4, method=nasty, params={nasty: nasty})
    talk.server(id=4, error={"code": -32601, "message": nasty, "data": {nasty: nasty}})
    talk.server(method=nasty, params=[nasty])


@pytest.fixture
def stdio(talk, tmp_path):
    """A stdio capture whose file, command, output and errors are hostile as well."""
    for nasty in INJECTIONS:
        conversation(talk, nasty)
        for kind, sender in (("text", {"from": "server"}), ("text", {"from": "client"}), ("stderr", {})):
            talk.add(type=kind, **sender, size=len(nasty) + 1, raw=nasty)
    talk.add(type="stderr", size=4, b64="/zxiPg==")
    talk.add(type="exit", error=INJECTIONS[0])
    path = tmp_path / "<img src=x onerror=window.__pwned=1>.jsonl"
    path.write_bytes(talk.file(command=["python", *INJECTIONS]).getvalue())
    return path


@pytest.fixture
def http(web, tmp_path):
    """An HTTP capture with hostile URLs, headers, events and bodies."""
    for number, nasty in enumerate(INJECTIONS):
        x = f"x{number} {nasty}"
        url = f"http://localhost/mcp?{nasty}"
        web.add(
            type="request",
            x=x,
            conn="c1",
            method="POST",
            url=url,
            headers=[["Mcp-Name", nasty], [nasty, nasty]],
            head_size=9,
        )
        call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": nasty}}
        web.say("client", json.dumps(call), x=x)
        web.add(
            type="response",
            x=x,
            status=200,
            headers=[["Content-Type", "text/event-stream"], [nasty, nasty]],
            head_size=9,
        )
        web.add(type="sse", x=x, size=9, event=nasty, id=nasty, data=nasty, comment=nasty)
        answer = {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": nasty}]}}
        web.say("server", json.dumps(answer), x=x, sse={"event": nasty, "id": nasty})
        web.add(type="text", **{"from": "server"}, x=x, size=len(nasty), raw=nasty)
        web.add(type="close", x=x, by="error", why="reset", error=nasty)
    path = tmp_path / "http.jsonl"
    path.write_bytes(web.file(upstream=f"http://localhost/{INJECTIONS[0]}").getvalue())
    return path


ELEMENTS = "script:not(#data), img, iframe, object, embed, link, base, style, meta[http-equiv=refresh]"


@pytest.mark.parametrize("capture", ["stdio", "http"])
def test_nothing_captured_is_run_or_loaded(show, request, capture):
    """Every row in every view, every tab: no script but ours, no element that loads, no alert, no request."""
    shown = show(request.getfixturevalue(capture))
    page = shown.go("#s1")
    own = page.locator(ELEMENTS).count()
    assert shown.visit()["rows"] > 2 * len(INJECTIONS)
    assert page.locator(ELEMENTS).count() == own
    for tab in ("Overview", "Findings", "Cost"):
        page.get_by_role("tab", name=tab).click()
        assert page.locator(ELEMENTS).count() == own == 2
    assert page.evaluate("window.__pwned") is None
    assert shown.said == []
    assert shown.foreign == []


def test_what_is_hostile_is_shown_as_it_is(show, stdio):
    """The text stands on the page letter by letter; what cannot be seen, or reorders the line, stands as an escape."""
    page = show(stdio).go("#s1/1")
    assert page.locator(".json-string", has_text=INJECTIONS[0]).count() > 0
    page.keyboard.press("/")
    page.keyboard.type("kind:noise gnihtyna")
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    page.get_by_role("button", name="Exact").click()
    assert page.locator(".exact").inner_text() == "\\u202egnihtyna\\u2066\\u0000\\u001b[31m\\u009b␊"


def test_the_policy_stops_what_the_page_does_not_bring(show):
    """Even a script or a request that got into the page would be refused: the policy stands behind the care."""
    shown = show("modern/confirm-stdio")
    page = shown.go()
    add = "(tag) => document.body.append(Object.assign(document.createElement(tag[0]), tag[1]))"
    page.evaluate(add, ["script", {"textContent": "window.__pwned = 1"}])
    page.evaluate(add, ["img", {"src": "http://127.0.0.1:9/a.png"}])
    page.evaluate(add, ["div", {"innerHTML": "<p id=styled style='color: red' onclick='window.__pwned = 1'>x</p>"}])
    page.locator("#styled").click()
    refused = page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')")
    assert refused == "refused"
    assert page.evaluate("window.__pwned") is None
    assert len([line for line in shown.said if "Content Security Policy" in line]) >= 4
