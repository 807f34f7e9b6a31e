"""What is said of a flow: its comment, its mark, and what the user makes of them."""

import pytest
from mitmproxy import flowfilter, http
from mitmproxy.test import tflow

from mcpsniff.proxy import remarks
from mcpsniff.proxy.remarks import Finding, Remarks

ERROR = Finding(4, "tool-input-schema-invalid", "error", "tool search: inputSchema is missing")
AGAIN = ERROR._replace(seq=9)
ADVICE = Finding(4, "payload-duplicated", "info", "the result carries its payload twice")


@pytest.fixture
def flow():
    """A flow of which nothing is said."""
    return tflow.tflow(resp=True)


def said(flow):
    return flow.comment, flow.marked


def test_faults_and_rules_are_filtered_by(flow):
    """The comment names the faults, then each rule once; with the mark it finds the flow, saved and loaded too."""
    remarks.fault(flow, ["HTTP 500"])
    for finding in (ERROR, AGAIN, ADVICE):
        remarks.find(flow, finding)
    again = http.HTTPFlow.from_state(flow.get_state())
    assert again.comment == "mcpsniff: HTTP 500; tool-input-schema-invalid; payload-duplicated"
    assert flowfilter.match("~marked & ~comment tool-input", again)
    assert remarks.of(again) == Remarks(["HTTP 500"], [ERROR, AGAIN, ADVICE])


def test_what_is_withdrawn_leaves(flow):
    """Each record's by itself; the last one takes the mark along, and nothing is left in the metadata."""
    for finding in (ERROR, AGAIN):
        remarks.find(flow, finding)
    remarks.withdraw(flow, ERROR)
    assert said(flow) == ("mcpsniff: tool-input-schema-invalid", remarks.MARK)
    remarks.withdraw(flow, AGAIN)
    assert (*said(flow), flow.metadata) == ("", "", {})


def test_advice_marks_nothing(flow):
    """It is said all the same."""
    remarks.find(flow, ADVICE)
    assert said(flow) == ("mcpsniff: payload-duplicated", "")


def test_what_the_user_sets_stays(flow):
    """A comment and a mark of its own, before or after; also that there is to be none."""
    flow.comment, flow.marked = "mine", ":x:"
    remarks.find(flow, ERROR)
    remarks.withdraw(flow, ERROR)
    assert said(flow) == ("mine", ":x:")
    flow.comment = flow.marked = ""
    remarks.find(flow, ERROR)
    flow.comment = flow.marked = ""
    remarks.find(flow, AGAIN)
    assert said(flow) == ("", "")


def test_a_flow_that_is_replayed_begins_anew(flow):
    """What was found the first time is forgotten."""
    remarks.find(flow, ERROR)
    remarks.forget(flow)
    assert (*said(flow), flow.metadata) == ("", "", {})


def test_findings_of_one_flow_are_bounded(flow):
    """A stream may be wrong ten thousand times."""
    for seq in range(1000):
        remarks.find(flow, ERROR._replace(seq=seq))
    assert len(remarks.of(flow).findings) == remarks.KEPT


@pytest.mark.parametrize("metadata", [{"mcpsniff_findings": [["x"]]}, {"mcpsniff_findings": 5}, {"mcpsniff_faults": 5}])
def test_metadata_of_somebody_else(flow, metadata):
    """A file may hold anything; nothing is said of it."""
    flow.metadata.update(metadata)
    assert list(remarks.of(flow).lines()) == []
