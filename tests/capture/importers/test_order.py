"""Events without times are placed where their causes allow."""


def messages(records):
    """Sender, and method or id, of each message, in the order of the capture."""
    found = [record["message"] for record in records if record["type"] == "message"]
    return [message.get("method") or message["id"] for message in found]


def test_answers_of_an_old_stream_follow_their_requests(make, played):
    """HTTP+SSE: one stream for all answers, kept as one body that ended last."""
    text, past = make["text"], make["past"]
    stream = make["untimed"](0, 9, b"", text(id=0, result={}), text(id=1, result={}), method="GET")
    first, ready, call = (
        text(id=0, method="initialize"),
        text(method="notifications/initialized"),
        text(id=1, method="p"),
    )
    records = played([stream, past(1, 1.5, first), past(2, 2.5, ready), past(3, 3.5, call)])
    assert messages(records) == ["initialize", 0, "notifications/initialized", "p", 1]


def test_question_stands_before_what_the_client_says_to_it(make, played):
    """And the answer to the call after that; both in one stream whose end alone is known."""
    text = make["text"]
    call = make["untimed"](0, 9, text(id=1, method="c"), text(id="q", method="ask"), text(id=1, result={}))
    records = played([call, make["past"](4, 5, text(id="q", result={"said": "no"}))])
    assert messages(records) == ["c", "ask", "q", 1]
    assert [r["t"] for r in records if r["type"] == "message"] == [0, 0, 4, 4.000001]


def test_progress_follows_the_request_that_asked_for_it(make, played):
    """On a stream that was open long before."""
    text = make["text"]
    progress = text(method="notifications/progress", params={"progressToken": 7, "progress": 1})
    stream = make["untimed"](0, 9, b"", progress, method="GET")
    asked = text(id=1, method="c", params={"_meta": {"progressToken": 7}})
    assert messages(played([stream, make["past"](3, 4, asked)])) == ["c", "notifications/progress"]


def test_nothing_leaves_its_stream(make, played):
    """An answer to what was asked after the stream had ended is left inside it: what it is, is for rules to say."""
    text = make["text"]
    stream = make["untimed"](0, 2, b"", text(id=1, result={}), method="GET")
    records = played([stream, make["past"](3, 4, text(id=1, method="c"))])
    assert messages(records) == [1, "c"]


def test_other_hosts_have_other_requests(make, played):
    """Ids are those of one server."""
    text = make["text"]
    stream = make["untimed"](0, 9, b"", text(id=1, result={}), method="GET")
    elsewhere = make["past"](3, 4, text(id=1, method="c"), url="http://localhost:9000/mcp")
    assert messages(played([stream, elsewhere])) == [1, "c"]


def test_every_byte_stays(make, played):
    """Comments, a block that did not end, and what is no JSON are placed like the rest."""
    stream = make["untimed"](0, 9, b"", b"x", method="GET")
    stream.pieces = [(stream.ended, b": ping\n\ndata: {{\n\ndata: [1")]
    records = played([stream])
    assert [r["type"] for r in records] == ["request", "response", "sse", "text", "sse", "close"]
    assert sum(r["size"] for r in records if "size" in r) == len(b": ping\n\ndata: {{\n\ndata: [1")
    assert records[1]["untimed"] is True
