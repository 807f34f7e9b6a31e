"""The page's filter and `mcpsniff show --filter` answer alike."""

import json

import pytest

from mcpsniff.commands.show import Style, Wishes, run

CAPTURES = [
    "faulty/confirm-http",
    "faulty/confirm-stdio",
    "legacy/errors-stdio",
    "dual/fallback-32601-http",
    "legacy/progress-http",
]
EXPRESSIONS = [
    "tools/call", '"jsonrpc"', "method:tools/*", "method != tools/call", "name:*book*", "kind:error or kind:noise",
    "not kind:request", "from = server size > 200", "latency >= 1ms", "latency < 500us or t > 100ms",
    "severity >= warning", "rule:stdout-*", "violator = client", "era = legacy", "era:m*", "id = 2", "status >= 400",
    "seq > 4 (from:client or kind:exit)", "kind:session", "kind:http-* or kind:sse", "session = s1", "x:*", "MOBY",
    "content-type", "not method:*",
]  # fmt: skip


def answer(capture, expression, capsys):
    """What `mcpsniff show` gives: kind and number of each row."""
    assert run([str(capture)], Wishes(filter=expression, style=Style.json)) == 0
    rows = map(json.loads, capsys.readouterr().out.splitlines())
    return [(row["kind"], row["seq"]) for row in rows]


@pytest.mark.parametrize("capture", CAPTURES)
def test_the_page_finds_what_show_finds(show, samples, capture, capsys):
    """The same rows in the same order, for every expression."""
    page = show(capture, viewport={"width": 1280, "height": 3000}).go("#c1")
    for expression in EXPRESSIONS:
        expected = answer(samples / f"{capture}.jsonl", expression, capsys)
        page.locator("#filter").fill(expression)
        assert page.locator("#filter-says").inner_text() == f"{len(expected)} row{'' if len(expected) == 1 else 's'}"
        found = page.locator(".message .seq").all_inner_texts()
        assert found == [str(seq) for kind, seq in expected if kind not in ("session", "era")], expression


def test_a_page_may_open_with_a_filter(show):
    """That of `report --filter`: the conversation is narrowed, its field holds the expression and can be emptied."""
    page = show("faulty/confirm-stdio", "legacy/tour-stdio", filter="rule:stdout-*").go()
    assert page.locator("#talk").is_visible()
    assert page.locator("#filter").input_value() == "rule:stdout-*"
    assert page.locator(".message .seq").all_inner_texts() == ["2", "5", "9"]
    page.locator("#filter").fill("")
    assert page.locator(".message .seq").count() > 3
