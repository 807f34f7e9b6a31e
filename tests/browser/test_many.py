"""A capture of 10,000 messages: only what is visible is in the document, wherever one goes."""

import pytest

CALLS = 5_000
MOST = 60  # rows: a screen of 800 pixels and what is kept beyond its edges


@pytest.fixture
def many(talk, tmp_path):
    """A capture of a handshake and 5,000 calls with their answers."""
    talk.handshake()
    for number in range(1, CALLS + 1):
        talk.client(id=number, method="tools/call", params={"name": "echo", "arguments": {"text": f"call {number}"}})
        talk.server(id=number, result={"content": [{"type": "text", "text": f"call {number}"}]})
    path = tmp_path / "many.jsonl"
    path.write_bytes(talk.file().getvalue())
    return path


def test_only_what_is_visible_is_drawn(show, many):
    """At the top, at the end, in the middle, filtered: a screenful of rows, and a small document."""
    page = show(many).go("#s1")
    rows = page.locator(".row")
    assert 20 < rows.count() <= MOST
    page.keyboard.press("G")
    assert page.locator(".row[aria-selected=true] .seq").inner_text() == str(2 * CALLS + 3)
    assert 20 < rows.count() <= MOST
    page.locator("#list").evaluate("list => { list.scrollTop = list.scrollHeight / 2; }")
    page.locator(".seq", has_text="5000").first.wait_for()
    assert 20 < rows.count() <= MOST
    page.locator("#filter").fill('"call 49"')
    assert page.locator("#filter-says").inner_text() == "222 rows"
    assert 20 < rows.count() <= MOST
    assert page.evaluate("document.querySelectorAll('*').length") < 2_000
