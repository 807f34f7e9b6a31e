"""Clients that do not ask first."""

from mcpsniff.protocol.marks import Framing
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, WARNING, Found, Rule


class ProbeSkipped(Rule):
    """The first request over stdio is of 2026-07-28, but not server/discover.

    ## Why it matters
    An old server may answer it with anything, or end; server/discover is the request that both eras can tell apart.

    ## How to fix
    Send server/discover first, at the latest where the client also speaks the handshake revisions.

    ## When it stays silent
    For a client that begins with initialize. One that never sends initialize gets a note: it may know the server.
    """

    title = "Client did not probe with server/discover first on stdio"
    tier = 2
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    transport = "stdio"
    confidence = CONTEXTUAL
    undecided = True  # also where no server of 2026-07-28 answers
    spec = {"2026-07-28": "basic/transports/stdio#backward-compatibility"}

    def on_end(self) -> Found:
        session, first = self.session, self.session.first_request
        if first is None or first.method == "server/discover" or first.mark.framing is not Framing.MODERN:
            return
        if not session.whole:
            yield self.unchecked("something of the session is not in the capture")
            return
        later = session.initialize
        text = f"the first request is {first.method}, not server/discover"
        if later is None:
            yield self.found(first, text, severity=INFO)
        else:
            yield self.found(
                first, f"{text}, though the client also speaks the handshake revisions", related=[later.seq]
            )
