"""A client sends a response in the modern era."""

from mcpsniff.rules.rule import CLIENT, Call, Found, Message, Rule
from mcpsniff.rules.when import by_client, when


class ClientSentResponse(Rule):
    """The client sends a JSON-RPC response; in 2026-07-28 there is no request that it could answer.

    ## Why it matters
    Servers of this revision do not read responses.

    ## How to fix
    Answer questions in `inputResponses` of a new request. Ignore requests that a server sends.

    ## When it stays silent
    In sessions of the handshake era, where both sides answer. Where it answers a request of the server, that one is
    server-initiated-request, and this finding names it.
    """

    title = "Client sent a JSON-RPC response"
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr"}

    @when(by_client)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT:
            what = f"a response to {call.method} (record {call.seq})" if call else "a response to no request"
            yield self.found(message, f"the client sends {what}", related=[call.seq] if call else [])
