"""Who the sides say to be, and how they came to a revision."""

import pytest


def initialize(talk, asked, answered=None):
    """Adds an initialize and its answer, an error where no version is answered."""
    talk.client(
        id=1, method="initialize", params={"protocolVersion": asked, "clientInfo": {"name": "c", "version": "1"}}
    )
    if answered is None:
        talk.server(id=1, error={"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}})
    else:
        talk.server(id=1, result={"protocolVersion": answered, "serverInfo": {"name": "s", "version": 2}})


@pytest.mark.parametrize(
    ("asked", "answered", "outcome", "common"),
    [
        ("2025-11-25", "2025-11-25", "agreed", "2025-11-25"),
        ("1999-01-01", "2025-11-25", "server chose another", None),
        ("2025-11-25", None, "failed", None),
    ],
)
def test_outcome_of_a_handshake(talk, asked, answered, outcome, common):
    """Agreed, countered, refused."""
    initialize(talk, asked, answered)
    negotiation = talk.session()["negotiation"]
    assert (negotiation["outcome"], negotiation["common"]) == (outcome, common)
    assert (negotiation["client_versions"], negotiation["chosen"]) == ([asked], answered)


def test_a_probe_that_fails_falls_back(talk, meta):
    """A dual client, a legacy server: the handshake follows in the same connection."""
    talk.client(id=0, method="server/discover", params={"_meta": meta})
    talk.server(id=0, error={"code": -32601, "message": "?"})
    initialize(talk, "2025-11-25", "2025-11-25")
    session = talk.session()
    assert session["negotiation"]["outcome"] == "fell back to the handshake"
    assert session["revisions_offered"] == ["2026-07-28", "2025-11-25"]


def test_a_mismatch_is_agreed_after_a_refusal(talk, meta):
    """-32022 names what the server speaks; the retry is served."""
    asked = {**meta, "io.modelcontextprotocol/protocolVersion": "2027-01-01"}
    talk.client(id=1, method="tools/list", params={"_meta": asked})
    talk.server(id=1, error={"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}})
    talk.client(id=2, method="tools/list", params={"_meta": meta})
    talk.server(id=2, result={"resultType": "complete", "tools": []})
    session = talk.session()
    assert session["negotiation"]["outcome"] == "agreed after a refusal"
    assert session["revisions_supported"] == ["2026-07-28"]


def test_names_are_the_parties_own(talk, meta):
    """Client and server as they call themselves; a version that is no text is not known."""
    initialize(talk, "2025-11-25", "2025-11-25")
    session = talk.session()
    assert session["client"] == {"name": "c", "version": "1"}
    assert session["server"] == {"name": "s", "version": None}
