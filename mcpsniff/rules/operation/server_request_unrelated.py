"""Questions of a server that nobody has asked anything."""

from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.revisions import REQUESTS
from mcpsniff.protocol.taskstates import tag
from mcpsniff.rules.rule import INFO, Call, Found, Message, Rule, quote

ASKED = tuple(n for n, m in REQUESTS.items() if m.senders == (SERVER,))  # sampling, elicitation, roots


class ServerRequestUnrelated(Rule):
    """The server asks for sampling, elicitation or roots while no request of the client is open.

    ## Why it matters
    It is legal here, but 2026-07-28 has no place for it: there a server asks in its answer to a request alone.

    ## How to fix
    Ask while a tool call or another request of the client is under way.

    ## When it stays silent
    While any request of the client waits for its answer, where the request names the task that it is for, and where
    the capture began in mid-session or has gaps.
    """

    title = "Server request while no client request is open"
    tier = 2
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    violator = SERVER
    spec = {"2024-11-05": "basic/lifecycle#operation"}
    methods = ASKED
    yields_to = ("server-request-before-initialized", "task-related-meta-missing")
    by_time = True

    def on_request(self, message: Message, call: Call) -> Found:
        alone = self.session.whole and not self.session.calls.all_open(CLIENT)
        if alone and message.sender == SERVER and tag(message) is None:
            yield self.found(message, f"{quote(call.method)} belongs to no request of the client")
