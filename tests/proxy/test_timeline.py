"""What the addon leaves in a flow's metadata, and what of it is believed."""

import pytest
from mitmproxy.test import tflow

from mcpsniff.proxy import timeline


def test_timeline_survives_the_flow_s_state():
    """What was left is found again."""
    flow = tflow.tflow(resp=True)
    told = timeline.Timeline(asked=1.5, sent=1.75, ended=2.0)
    timeline.leave(flow, told, "client", "closed")
    assert timeline.of(type(flow).from_state(flow.get_state())) == (told, "client", "closed")


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {timeline.TIMES: {"asked": 1.0, "ended": 2.0}},
        {timeline.TIMES: {"asked": 1.0}, timeline.END: ["server", "complete"]},
        {timeline.TIMES: {"asked": "soon", "ended": 2.0}, timeline.END: ["server", "complete"]},
        {timeline.TIMES: {"asked": 1.0, "ended": 2.0, "later": 3.0}, timeline.END: ["server", "complete"]},
        {timeline.TIMES: [1.0, 2.0], timeline.END: ["server", "complete"]},
    ],
)
def test_what_is_no_timeline(metadata):
    """Metadata may come from anywhere: what is missing or misshapen counts for nothing."""
    flow = tflow.tflow(resp=True)
    flow.metadata.update(metadata)
    assert timeline.of(flow) is None


@pytest.mark.parametrize(("found", "known"), [([[1, 4], [2, 3]], True), ([[1, 4]], False), (None, False), ([4], False)])
def test_pieces_make_up_the_body(found, known):
    """Their times count where they are those of the whole body, `message` here."""
    flow = tflow.tflow(resp=True)
    flow.metadata[timeline.PIECES] = found
    assert (timeline.pieces(flow) is not None) is known
