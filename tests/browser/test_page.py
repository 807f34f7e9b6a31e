"""The page as its readers use it: opened from a file, stepped through, searched, linked to, printed, made narrow."""

import re

import numpy as np
import pytest

from mcpsniff import frames

CAPTURES = [
    "legacy/confirm-stdio", "legacy/confirm-http", "legacy/progress-stdio", "legacy/old-client-http",
    "legacy/memory-stdio", "modern/confirm-stdio", "modern/confirm-http", "modern/version-mismatch-http",
    "modern/listen-stdio", "modern/errors-http", "dual/fallback-32601-http", "dual/fallback-silent-stdio",
    "faulty/confirm-stdio", "faulty/confirm-http",
]  # fmt: skip


@pytest.mark.parametrize("hold", ["nothing", "noise", "stderr"])
def test_captures_without_a_message(show, talk, tmp_path, hold):
    """A header alone, a server that never speaks MCP: every view still says something."""
    if hold == "noise":
        talk.add(type="text", **{"from": "server"}, size=6, raw="hello")
    if hold == "stderr":
        talk.add(type="stderr", size=6, raw="hello")
    path = tmp_path / "empty.jsonl"
    path.write_bytes(talk.file().getvalue())
    shown = show(path)
    page = shown.go()
    for tab in ("Overview", "Conversation", "Findings", "Cost"):
        page.get_by_role("tab", name=tab).click()
        assert page.get_by_role("tabpanel").locator("visible=true").inner_text().strip()
    assert shown.said == []


def chosen(page):
    """The record of the chosen row."""
    return page.locator(".row[aria-selected=true] .seq").inner_text()


def seqs(page):
    """The records of the rows that are drawn."""
    return page.locator(".message .seq").all_inner_texts()


@pytest.mark.parametrize("capture", CAPTURES)
def test_every_row_in_every_view_without_a_word(show, capture):
    """No view of any record makes the script fail, the console speak or the network be asked."""
    shown = show(capture)
    page = shown.go("#s1")
    seen = shown.visit()
    assert seen["rows"] >= 3
    assert seen["views"] >= 4 * 3
    for tab in ("Overview", "Findings", "Cost"):
        page.get_by_role("tab", name=tab).click()
        assert page.get_by_role("tabpanel").locator("visible=true").inner_text().strip()
    assert shown.said == []
    assert shown.foreign == []


def test_keys_step_through_the_messages(show):
    """j and k go on and back, g and G to the ends, a to the answer and back; the address follows."""
    page = show("modern/confirm-stdio").go()
    for key, record in (
        ("j", "1"),
        ("j", "2"),
        ("j", "3"),
        ("a", "4"),
        ("a", "3"),
        ("k", "2"),
        ("G", "10"),
        ("g", "1"),
    ):
        page.keyboard.press(key)
        assert (key, chosen(page)) == (key, record)
        page.wait_for_url(f"**#s1/{record}")


def test_arrows_step_where_the_list_has_the_focus(show):
    """The list is one stop of the tabulator; the arrow keys move in it, and it names the chosen row."""
    page = show("modern/confirm-stdio").go("#s1")
    page.get_by_role("listbox").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert chosen(page) == "2"
    active = page.get_by_role("listbox").get_attribute("aria-activedescendant")
    assert "result" in page.locator(f"#{active}").get_attribute("aria-label")


def test_a_link_opens_its_record(show):
    """The fragment names session and record; a head that has no row of its own leads to the body behind it."""
    shown = show("faulty/confirm-http", "legacy/confirm-stdio")
    assert chosen(shown.go("#s1/13")) == "13"
    assert chosen(shown.go("#s1/12")) == "13"
    page = shown.go("#s2/4")
    assert chosen(page) == "4"
    assert page.locator("#scope").input_value() == "s2"
    assert page.locator("#tab-findings").inner_text() == "Findings 0"


def test_findings_lead_to_their_records(show):
    """A finding's record opens the message, with the member that is at fault marked and the clause named."""
    page = show("faulty/confirm-stdio").go("#s1/findings")
    page.locator("article.finding", has_text="retry-id-reused").get_by_role("link", name="#8").click()
    assert chosen(page) == "8"
    assert page.locator(".detail .culprit").inner_text() == '"id": 2,'
    link = page.locator(".detail .finding a", has_text="2026-07-28/basic/patterns/mrtr")
    assert link.get_attribute("rel") == "noreferrer noopener"


def test_n_goes_from_finding_to_finding(show):
    """n and p stop at pinned rows alone."""
    page = show("faulty/confirm-stdio").go("#s1")
    visited = []
    for key in "nnnnnp":
        page.keyboard.press(key)
        visited.append(chosen(page))
    assert visited == ["2", "5", "6", "8", "9", "8"]


def test_a_call_and_its_retry_are_joined_and_the_wait_is_apart(show):
    """Between input_required and the retry stands what the user took; a rail joins all four messages."""
    page = show("modern/confirm-stdio").go("#s1")
    kinds = page.locator(".row").evaluate_all("rows => rows.map((row) => row.className.split(' ')[0])")
    texts = page.locator(".row").all_inner_texts()
    wait = kinds.index("wait")
    assert re.search(r"the user takes [\d.]+ ms", texts[wait])
    assert "input required" in texts[wait - 1]
    rails = page.locator(".row", has=page.locator(".rail")).locator(".seq").all_inner_texts()
    assert rails == ["3", "4", "", "5", "6"]
    assert page.locator(".lane-head.user").is_visible()


def test_era_and_session_changes_are_marked(show):
    """A fallback to the handshake is seen where it happens."""
    page = show("dual/fallback-32601-stdio").go("#s1")
    marks = page.locator(".mark").all_inner_texts()
    assert [mark.strip() for mark in marks] == ["s1 begins, over stdio", "s1 is legacy 2025-11-25"]


def test_runs_are_folded_and_open(show):
    """Progress is one row until a click, or Enter, opens it; both close it again."""
    page = show("legacy/progress-stdio").go("#s1")
    fold = page.locator(".fold")
    count = int(re.match(r"(\d+) × progress", fold.locator(".label").inner_text())[1])
    before = page.locator(".message").count()
    seen = []
    for act in (fold.click, lambda: page.keyboard.press("Enter"), lambda: page.keyboard.press("Enter"), fold.click):
        act()
        seen.append(page.locator(".message").count())
    assert seen == [before + count, before, before + count, before]


@pytest.mark.parametrize(
    ("capture", "held"),
    [
        ("modern/confirm-stdio", ["Nothing: each request brings what it needs."]),
        (
            "legacy/confirm-stdio",
            ["negotiated version 2025-11-25", "client capabilities", "open request 1 (elicitation/create)"],
        ),
    ],
)
def test_what_the_server_has_to_remember(show, capture, held):
    """Nothing in a modern session; in a legacy one also the request that the server itself has open."""
    page = show(capture).go("#s1")
    most: list[str] = []
    while True:
        before = page.locator(".row[aria-selected=true] .seq").all_inner_texts()
        page.keyboard.press("j")
        if page.locator(".row[aria-selected=true] .seq").all_inner_texts() == before:
            break
        told = page.locator(".remembers li:not(.gone), .remembers .nothing").all_inner_texts()
        most = max(most, [text.removesuffix(" (new)") for text in told], key=len)
    assert most == held


def test_a_line_as_an_exchange_and_an_exchange_as_a_line(show):
    """What was recorded is said to be; what is worked out has the headers that the other transport asks for."""
    page = show("modern/confirm-stdio").go("#s1/3")
    page.get_by_role("button", name="As a line").click()
    assert page.locator(".said-so").inner_text() == "Recorded."
    page.get_by_role("button", name="As an exchange").click()
    assert page.locator(".said-so").first.inner_text() == "Came over stdio; over HTTP it would be this exchange."
    head = page.locator("pre.http-head").first.inner_text()
    assert "POST /mcp HTTP/1.1" in head
    assert "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: remove_book\n" in head
    page = show("modern/confirm-http").go("#s1/7")
    page.get_by_role("button", name="As an exchange").click()
    assert page.locator(".said-so").all_inner_texts() == ["Recorded."]
    assert "User-Agent: library-client/1.0.0" in page.locator("pre.http-head").first.inner_text()
    page.get_by_role("button", name="As a line").click()
    assert page.locator(".said-so").inner_text() == "Came over HTTP; on stdio it would be this line."
    assert page.locator(".exact").inner_text().endswith("}␊")


def test_where_both_eras_cost_the_same(show):
    """Worked out by hand: 447 bytes of handshake, 175.87 a call against 403.77: equal after 447 / 227.9 calls."""
    page = show("legacy/calls-stdio", "modern/calls-minimal-stdio").go("#s1/cost")
    cost = page.locator("#cost")
    assert "opens with 447 bytes and 1 round trip, then takes 175.9 bytes a call" in cost.inner_text()
    assert "Both cost the same after 2 calls" in cost.inner_text()
    bars = cost.locator("svg.stacked").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert bars[:2] == [
        "payload 173.9, envelope 0, framing 2, heads 0",
        "payload 173.8, envelope 228, framing 2, heads 0",
    ]


def test_wrong_expressions_say_where(show):
    """The mistake is named with its column, and the diagram stays as it was."""
    page = show("modern/confirm-stdio").go("#s1")
    before = seqs(page)
    page.keyboard.press("/")
    page.keyboard.type("size > much")
    assert page.locator("#filter-says").inner_text().startswith("column 8: size is compared with a number")
    assert page.locator("#filter").get_attribute("aria-invalid") == "true"
    page.keyboard.press("Escape")
    assert seqs(page) == before
    assert page.locator("#filter-says").inner_text() == ""


def test_all_is_printed(show):
    """For the printer every row and every view is drawn; afterwards only what is seen."""
    page = show("legacy/calls-stdio").go("#s1")
    few = page.locator(".row").count()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".message").count() > 200 > few
    assert page.locator("#cost table").count() > 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".row").count() <= few + 2


def test_narrow_windows_need_no_scrolling_sideways(show):
    """On a telephone every view fits the width."""
    page = show("faulty/confirm-http", viewport={"width": 390, "height": 844}).go("#s1/13")
    for tab in ("Overview", "Conversation", "Findings", "Cost"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, tab


def test_plots_draw_the_numbers_of_the_frames(show, samples):
    """The bars of a tool are as high as pandas counts its answers, on an axis from the shortest to the longest."""
    calls = frames.read(str(samples / "modern/calls-stdio.jsonl")).calls
    page = show("modern/calls-stdio").go("#s1/cost")
    plot = page.locator("table", has_text="echo").locator("svg.spread").last
    heights = plot.locator("rect").evaluate_all("all => all.map((one) => one.height.baseVal.value)")
    took = calls[calls.name == "echo"].latency.to_numpy(float)
    first, last = np.log(calls.latency.min()), np.log(calls.latency.max())
    half = (last - first) / (len(heights) - 1) / 2  # the first bin begins half a bin before the shortest
    counts, _ = np.histogram(np.log(took), len(heights), (first - half, last + half))
    assert heights == pytest.approx([0 if count == 0 else max(2, 19 * count / counts.max()) for count in counts])
    median = np.median(took) * 1000
    assert plot.get_attribute("aria-label") == f"{len(took)} times around {median:.2f} ms"


def test_what_an_import_cannot_tell_is_said(show, web, tmp_path):
    """How many connections there were, and when the events of a stream came."""
    head = {"x": "a", "method": "POST", "url": "http://h/mcp", "headers": [["Accept", "text/event-stream"]]}
    web.add(type="request", **head)
    web.say("client", '{"jsonrpc":"2.0","id":1,"method":"ping"}', x="a")
    web.add(type="response", x="a", status=200, headers=[["Content-Type", "text/event-stream"]], untimed=True)
    web.say("server", '{"jsonrpc":"2.0","id":1,"result":{}}', x="a", sse={})
    web.add(type="close", x="a", by="server", why="complete")
    (path := tmp_path / "import.jsonl").write_bytes(web.file().getvalue())
    text = show(path).go("#s1/overview").locator("#overview").inner_text()
    assert "1 exchange" in text
    assert "connection" not in text
    assert "it is not known when the events of 1 stream came" in text
