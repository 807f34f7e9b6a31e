"""The addon's hooks, told of flows by hand."""

import asyncio
import json

import pytest
from mitmproxy import exceptions, http
from mitmproxy.test import taddons, tflow

from mcpsniff.proxy.addon import McpCapture

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'


class Stage:
    """A running addon with its capture."""

    def __init__(self, context, addon, path):
        self.context = context
        self.addon = addon
        self.path = path

    def records(self):
        return [json.loads(line) for line in self.path.read_bytes().splitlines()[1:]]

    def types(self):
        return [record["type"] for record in self.records()]

    def answering(self, body=ANSWER, media="application/json", live=True):
        """A flow that has got as far as its response's head."""
        flow = mcp_flow(body, media)
        flow.live = live
        for hook in (self.addon.requestheaders, self.addon.request, self.addon.responseheaders):
            hook(flow)
        return flow


def mcp_flow(body, media):
    flow = tflow.tflow(req=http.Request.make("POST", "http://localhost:8000/mcp", CALL))
    flow.response = http.Response.make(200, body, {"content-type": media})
    return flow


@pytest.fixture
def play(tmp_path):
    """Runs a scenario with the stage set, in a loop."""
    path = tmp_path / "capture.jsonl"

    def run(scenario, **options):
        async def main():
            addon = McpCapture()
            with taddons.context(addon) as context:
                context.options.add_option("keep_host_header", bool, False, "")
                context.master.addons.lookup["proxyserver"] = type("Servers", (), {"servers": ()})()
                context.configure(addon, mcp_capture=str(path), **options)
                addon.running()
                scenario(Stage(context, addon, path))

        asyncio.run(main())
        return [json.loads(line) for line in path.read_bytes().splitlines()[1:]]

    return run


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


def test_another_addons_callable_is_kept(play):
    """It gets every piece, what it gives goes to the client, and the capture has what the server sent."""

    def scenario(stage):
        flow = mcp_flow(b"", "text/event-stream")
        flow.response.stream = bytes.upper
        for hook in (stage.addon.requestheaders, stage.addon.request, stage.addon.responseheaders):
            hook(flow)
        assert flow.response.stream(b"data: a\n\n") == b"DATA: A\n\n"
        assert stage.records()[-1]["raw"] == "a"

    play(scenario)


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
