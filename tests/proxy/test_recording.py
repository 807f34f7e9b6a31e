"""What the capture has of flows: order and times, parts, secrets, and streams that another addon has changed."""

import json
import time

from .stage import ANSWER, mcp_flow


def test_another_addons_callable_is_kept(play):
    """It gets every piece, what it gives goes to the client, and the capture has what the server sent."""

    def scenario(stage):
        flow = mcp_flow(b"", "text/event-stream")
        flow.response.stream = bytes.upper
        for hook in (stage.addon.requestheaders, stage.addon.request, stage.addon.responseheaders):
            hook(flow)
        assert flow.response.stream(b"data: a\n\n") == b"DATA: A\n\n"
        stage.addon.response(flow)

    assert play(scenario)[3]["raw"] == "a"


def test_order_of_what_passes(play):
    """A piece is recorded after it was passed on, but before anything that came later, and with the time it passed."""

    def scenario(stage):
        first, second = (stage.answering(b"", "text/event-stream") for _ in range(2))
        before, after = [], []
        for flow, piece in ((first, b"data: a\n\n"), (second, b"data: b\n\n"), (first, b"data: c\n\n")):
            before.append(time.monotonic())
            flow.response.stream(piece)
            after.append(time.monotonic())
        stage.answering(live=False)
        bounds[:] = before[2] - after[0], after[2] - before[0]

    bounds: list[float] = []
    records = play(scenario)[6:]
    assert [(r["x"], r.get("raw")) for r in records[:4]] == [("x1", "a"), ("x2", "b"), ("x1", "c"), ("x3", None)]
    assert bounds[0] - 1e-5 <= records[2]["t"] - records[0]["t"] <= bounds[1] + 1e-5


def test_a_capture_in_parts(play, tmp_path):
    """The options of a rotation are followed: the two newest parts are there, with bodies cut short."""

    def scenario(stage):
        for _ in range(3):
            stage.addon.response(stage.answering(live=False))

    play(scenario, mcp_part_size="1500", mcp_parts="2", mcp_snaplen="20")
    first, second = (
        [json.loads(line) for line in path.read_bytes().splitlines()] for path in sorted(tmp_path.iterdir())
    )
    assert (second[0]["part"], second[0]["snaplen"]) == (first[0]["part"] + 1, 20)
    assert second[1]["seq"] == first[-1]["seq"] + 1
    assert any(record.get("truncated") for record in first + second)


def test_secrets_are_kept_on_request(play):
    """mcp_redact=false writes what was sent."""

    def scenario(stage):
        flow = mcp_flow(ANSWER, "application/json")
        flow.request.headers["Authorization"] = "Bearer s3cret"
        stage.addon.requestheaders(flow)
        stage.addon.request(flow)

    assert ["Authorization", "Bearer s3cret"] in play(scenario, mcp_redact="false")[0]["headers"]


def test_what_is_pointed_at_is_hidden(play):
    """mcp_redact_pointers names what is secret in messages, and the header says that it is hidden."""
    records = play(
        lambda stage: stage.addon.response(stage.answering(live=False)), mcp_redact_pointers=["/method", "/result"]
    )
    assert records[1]["message"]["method"].startswith("‹redacted:")
    assert records[3]["message"]["result"].startswith("‹redacted:")


def test_stream_that_another_addon_has_replaced(play, caplog):
    """Pieces go by unheard: a gap stands in their place."""

    def scenario(stage):
        flow = stage.answering(b"", "text/event-stream")
        flow.response.stream = bytes.upper
        stage.addon.response(flow)

    records = play(scenario)
    assert [r["type"] for r in records] == ["request", "message", "response", "gap", "close"]
    assert records[3]["why"] == "stream-replaced"
    assert "another addon has replaced the stream" in caplog.text


def test_stream_that_another_addon_has_wrapped(play):
    """It calls ours, so nothing is missing."""

    def scenario(stage):
        flow = stage.answering(b"", "text/event-stream")
        ours = flow.response.stream
        flow.response.stream = lambda data: ours(data)
        for piece in (b"data: 1\n\n", b""):
            flow.response.stream(piece)
        stage.addon.response(flow)

    assert [r["type"] for r in play(scenario)][3:] == ["message", "close"]


def test_stream_that_another_addon_has_taken_back(play):
    """mitmproxy has the whole body then, and it is recorded."""

    def scenario(stage):
        flow = stage.answering()
        flow.response.stream = False
        stage.addon.response(flow)

    assert [r["type"] for r in play(scenario)][3:] == ["message", "close"]
