"""The addon's hooks, told of flows by hand."""

import asyncio
import json
import time

import pytest
from mitmproxy import exceptions, flowfilter, http
from mitmproxy.test import taddons, tflow

from mcpsniff.proxy import timeline
from mcpsniff.proxy.addon import McpCapture
from mcpsniff.proxy.timeline import PIECES

from .stage import ANSWER, mcp_flow, streamed


def test_streamed_flow_piece_by_piece(play):
    """Each piece is recorded and given back as it is; the end comes from the hook, not from the empty piece."""

    def scenario(stage):
        flow = stage.answering(b"", "text/event-stream")
        for piece in (b"data: 1\n", b"\n", b"", b""):
            assert flow.response.stream(piece) == piece
        flow.response.raw_content = None
        stage.addon.response(flow)

    records = play(scenario)
    assert [r["type"] for r in records] == ["request", "message", "response", "message", "close"]


def test_flow_from_a_file(play):
    """There is nothing to stream: the body is recorded whole."""
    records = play(lambda stage: stage.addon.response(stage.answering(live=False)))
    assert [r["type"] for r in records] == ["request", "message", "response", "message", "close"]
    assert records[3]["message"] == json.loads(ANSWER)


def test_failed_flow_from_a_file(play):
    """mitmproxy tells of its response first; it is not taken for a complete one."""

    def scenario(stage):
        flow = stage.answering(live=False)
        flow.error = tflow.terr("Client disconnected.")
        stage.addon.response(flow)
        stage.addon.error(flow)

    (close,) = [r for r in play(scenario) if r["type"] == "close"]
    assert close["why"] != "complete"
    assert close["error"] == "Client disconnected."


def test_trailers(play):
    """HTTP/2 gives them with the response."""

    def scenario(stage):
        flow = stage.answering()
        flow.response.trailers = http.Headers([(b"server-timing", b"x")])
        stage.addon.response(flow)

    assert play(scenario)[3]["trailers"] == [["server-timing", "x"]]


def test_trailers_of_a_request(play):
    """HTTP/2 has them, too."""

    def scenario(stage):
        flow = mcp_flow(ANSWER, "application/json")
        flow.request.trailers = http.Headers([(b"digest", b"x")])
        for hook in (stage.addon.requestheaders, stage.addon.request):
            hook(flow)

    info = play(scenario)[2]
    assert (info["from"], info["trailers"]) == ("client", [["digest", "x"]])


def test_timeline_is_left_on_the_flow(play):
    """When what was seen, and how it ended: what a capture says of the exchange and a saved flow does not."""

    def scenario(stage):
        flow = streamed(stage, b"data: 1\n\n")
        stage.addon.response(flow)
        (times, by, why), (first, *_) = timeline.of(flow), timeline.pieces(flow)
        assert times.asked <= times.sent <= times.answered <= first[0] <= times.ended
        assert (by, why) == ("server", "complete")
        untold = stage.answering(live=False)
        stage.addon.response(untold)
        assert timeline.of(untold) is None

    play(scenario)


def test_timeline_of_a_stream_that_is_open_at_the_end(play):
    """mitmproxy saves it right after: with its body so far, and what the capture says of its end."""

    def scenario(stage):
        flow = streamed(stage, b"data: 1\n\n")
        stage.context.master.should_exit.set()
        stage.addon.done()
        assert timeline.of(flow)[1:] == ("open", "shutdown")
        assert flow.response.raw_content == b"data: 1\n\n"

    play(scenario)


def test_reload_loses_nothing(play):
    """`done` without an end of mitmproxy is a reload: the open stream goes on in the same capture."""

    def scenario(stage):
        flow = stage.answering(b"", "text/event-stream")
        stage.addon.done()
        stage.addon.running()
        flow.response.stream(b"data: 1\n\n")
        stage.addon.response(flow)
        stage.context.master.should_exit.set()
        stage.addon.done()

    assert [r["type"] for r in play(scenario)][3:] == ["message", "close", "end"]


def test_hooks_after_the_end_do_nothing(play):
    """mitmproxy ends its flows after it has told the addons that it is done."""

    def scenario(stage):
        flow = stage.answering(b"", "text/event-stream")
        stage.context.master.should_exit.set()
        stage.addon.done()
        assert flow.response.stream(b"data: 1\n\n") == b"data: 1\n\n"
        flow.error = tflow.terr("Client disconnected.")
        stage.addon.error(flow)
        stage.answering()

    last, end = play(scenario)[-2:]
    assert (last["by"], last["why"], end["type"]) == ("open", "shutdown", "end")


def test_capture_cannot_change(play):
    """One run of mitmproxy is one capture."""

    def scenario(stage):
        with pytest.raises(exceptions.OptionsError, match="restart"):
            stage.context.configure(stage.addon, mcp_capture="other.jsonl")

    play(scenario)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"mcp_capture": ""}, "the capture file is empty"),
        ({"mcp_redact": "maybe"}, "must be true or false"),
        ({"mcp_redact_pointers": ["pin"]}, "mcp_redact_pointers: 'pin' is no JSON Pointer"),
        ({"mcp_part_size": "10MB"}, "mcp_part*, mcp_compress: part size '10MB' is no size"),
    ],
)
def test_wrong_options_are_errors_in_the_log(options, said, caplog):
    """mitmproxy ends a start that logs an error; the sentence is all that the user sees."""

    async def main():
        addon = McpCapture()
        with taddons.context(addon) as context:
            context.configure(addon, **options)

    asyncio.run(main())
    assert said in caplog.text


def test_streamed_body_is_restored(play):
    """mitmproxy shows and saves it, with the time of each piece."""

    def scenario(stage):
        before = time.time()
        flow = streamed(stage, b"data: ", b"1\n\n")
        stage.addon.response(flow)
        assert flow.response.raw_content == b"data: 1\n\n"
        times, sizes = zip(*flow.metadata[PIECES], strict=True)
        assert sizes == (6, 3)
        assert before <= times[0] <= times[1] <= time.time()
        again = http.HTTPFlow.from_state(flow.get_state())
        assert again.metadata[PIECES] == flow.metadata[PIECES]

    play(scenario)


def test_stream_that_was_cut_is_restored(play):
    """As far as it came."""

    def scenario(stage):
        flow = streamed(stage, b"data: ")
        flow.error = tflow.terr("Client disconnected.")
        stage.addon.error(flow)
        assert flow.response.raw_content == b"data: "

    play(scenario)


def test_large_body_is_not_restored(play):
    """Memory has its bounds: mitmproxy says that the content is missing, and the capture has it."""

    def scenario(stage):
        flow = streamed(stage, *[b": " + b"x" * (1 << 20) + b"\n\n"] * 5)
        stage.addon.response(flow)
        assert flow.response.raw_content is None
        assert PIECES not in flow.metadata

    assert sum(r["type"] == "sse" for r in play(scenario)) == 5


def test_faulty_exchange_is_marked(play):
    """`~marked` and `~comment` find it; what the user has set stays."""

    def scenario(stage):
        fine, bad, own = (stage.answering(live=False) for _ in range(3))
        for flow in (bad, own):
            flow.response.content = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such tool"}}'
        own.comment, own.marked = "mine", ":x:"
        for flow in (fine, bad, own):
            stage.addon.response(flow)
        assert (fine.comment, fine.marked) == ("", "")
        assert flowfilter.match("~marked & ~comment 32601", bad)
        assert (own.comment, own.marked) == ("mine", ":x:")

    play(scenario)


def test_flows_that_nobody_will_see(play):
    """They are recorded like all, and nothing is left on them."""

    def scenario(stage):
        ended, still_open = streamed(stage, b"data: 1\n\n"), streamed(stage, b"data: 2\n\n")
        stage.addon.response(ended)
        stage.context.master.should_exit.set()
        stage.addon.done()
        for flow in (ended, still_open):
            assert (flow.comment, flow.metadata, flow.response.raw_content) == ("", {}, None)

    closes = [(r["by"], r["why"]) for r in play(scenario, marks=False) if r["type"] == "close"]
    assert closes == [("server", "complete"), ("open", "shutdown")]
