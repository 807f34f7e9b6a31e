"""The frame of latencies."""

import pytest

from mcpsniff import frames
from mcpsniff.frames.latency import BINS, latencies


@pytest.fixture
def rows(before):
    """Those of the capture, methods and tools by their names."""
    found = latencies(frames.read(before).calls)
    return found.set_index(found.name.fillna(found.method))


def test_a_row_a_method_and_a_row_a_tool(rows):
    """Of the two calls that were answered one took 0.3 s and the other 0.1 s; the third was cancelled."""
    assert rows.answers.to_dict() == {"initialize": 1, "tools/list": 1, "tools/call": 2, "add": 2}
    for one in ("tools/call", "add"):
        assert rows.loc[one, ["median", "p90", "p99"]].tolist() == pytest.approx([0.2, 0.28, 0.298])
    assert set(zip(rows.session, rows.sender, strict=True)) == {("s1", "client")}


def test_bins_share_the_axis_of_their_session(rows):
    """From its shortest latency to its longest."""
    assert rows.least.round(6).unique().tolist() == [0.1]
    assert rows.most.round(6).unique().tolist() == [0.3]
    assert rows.bins["tools/call"] == [1, *[0] * (BINS - 2), 1]
    assert rows.bins["tools/list"] == [1, *[0] * (BINS - 1)]


def test_equal_ratios_are_equal_bins(talk, tmp_path):
    """0.1, 0.2, 0.4 and 0.8 s lie a third of the axis apart each: at 0, 9.67, 19.33 and 29."""
    for number, took in enumerate((0.1, 0.2, 0.4, 0.8), 1):
        talk.client(id=number, method="ping")
        talk.server(id=number, result={})
        talk.records[-2]["t"], talk.records[-1]["t"] = number, number + took
    (path := tmp_path / "c.jsonl").write_bytes(talk.file().getvalue())
    (bins,) = latencies(frames.read(str(path)).calls).bins
    assert [place for place, number in enumerate(bins) if number] == [0, 10, 19, 29]


def test_without_answers_there_are_no_rows(talk, tmp_path):
    """The columns are there."""
    talk.client(id=1, method="tools/list")
    (path := tmp_path / "c.jsonl").write_bytes(talk.file().getvalue())
    found = latencies(frames.read(str(path)).calls)
    assert found.empty
    assert {"median", "p90", "p99", "bins"} <= set(found.columns)
