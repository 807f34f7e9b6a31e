"""Exchanges of several files become one capture, in the order in which it happened."""

JSON = "application/json"


def outline(records):
    return [f"{record['x']} {record['type']}" for record in records]


def test_files_are_merged_by_time(make, played):
    """Requests are numbered as they were sent, connections named as they appear, and what overlapped is interleaved."""
    text, answered = make["text"], make["answered"]
    slow = answered(1, 8, text(id=1, method="p"), (7, text(id=1, result={})), media=JSON)
    quick = answered(3, 5, text(id=2, method="p"), (4, text(id=2, result={})), media=JSON)
    early = answered(0, 0.5, text(id=0, method="p"), (0.25, text(id=0, result={})), media=JSON)
    records = played([slow, early], [quick])
    assert [(r["x"], r["t"], r["conn"]) for r in records if r["type"] == "request"] == [
        ("x1", 0, "c1"), ("x2", 1, "c1"), ("x3", 3, "c2")
    ]  # fmt: skip
    assert outline(records)[5:] == [
        *("x2 request", "x2 message", "x2 response"),
        *("x3 request", "x3 message", "x3 response", "x3 message", "x3 close"),
        *("x2 message", "x2 close"),
    ]


def test_pieces_keep_their_times(make, played):
    """An event that came in two pieces has both moments."""
    pieces = ((1, b"data: {}\n"), (2, b"\ndata: 1\n\n"))
    records = played([make["answered"](0, 3, b"", *pieces, media="text/event-stream")])
    assert [(r["t"], r.get("t0")) for r in records if r["type"] == "message"] == [(2, 1), (2, None)]
    assert "untimed" not in records[1]


def test_times_that_go_back(make, played):
    """A clock that was set back, or a file with mistakes: nothing stands before what it follows."""
    one = make["answered"](5, 4, b"", (3, b"{}"), media=JSON)
    assert [r["t"] for r in played([one])] == [5, 5, 5, 5]


def test_what_the_file_does_not_hold_is_a_gap(make, played):
    """Bodies that were not stored are lost records, so that nothing is concluded from their absence."""
    lacking = make["answered"](0, 1, None, media=JSON)
    lacking.pieces = None
    request, response, gap, close = played([lacking])
    assert (request["body_size"], gap["why"], gap["records"]) == (None, "not-stored", 1)
    assert (response["seq"], gap["seq"], close["type"]) == (2, 4, "close")


def test_trailers_and_ends(make, played):
    """All that a file tells of an exchange is passed on."""
    one = make["answered"](0, 1, b"{}", (1, b"{}"), media=JSON, by="client", why="closed", error="gone")
    one.request_trailers, one.trailers = [("a", "1")], [("b", "2")]
    records = played([one])
    infos = [(r.get("from"), r["trailers"]) for r in records if r["type"] == "info"]
    assert infos == [("client", [["a", "1"]]), (None, [["b", "2"]])]
    assert (records[-1]["by"], records[-1]["why"], records[-1]["error"]) == ("client", "closed", "gone")


def test_no_answer_and_no_connection(make, played):
    """What a file does not say is null."""
    request, message, close = played([make["past"](0, 1, b"{}", conn=None, by="error", why="unknown")])
    assert (request["conn"], request["client"], message["type"]) == (None, None, "message")
    assert (close["by"], close["why"]) == ("error", "unknown")
