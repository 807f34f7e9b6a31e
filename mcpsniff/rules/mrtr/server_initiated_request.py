"""A server sends a request in the modern era."""

from mcpsniff.rules.rule import SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_server, when


class ServerInitiatedRequest(Rule):
    """The server sends a JSON-RPC request; in 2026-07-28 only clients do.

    ## Why it matters
    Clients of this revision do not read requests; the server waits for an answer that never comes.

    ## How to fix
    Answer the client's request with an input_required result that holds the question; the client tries again with
    the answer.

    ## When it stays silent
    Where `initialize` was answered the session is of the handshake era, which allows it. A method under
    notifications/ with an id is notification-with-id. Requests inside inputRequests are the right form.
    """

    title = "Server sent a JSON-RPC request"
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr"}

    @when(by_server)
    def on_request(self, message: Message, call: Call) -> Found:
        if message.sender == SERVER and not call.method.startswith("notifications/"):
            yield self.found(message, f"the server sends the request {quote(call.method)}")
