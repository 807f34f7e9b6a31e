"""Arrays in revisions without batches."""

from mcpsniff.rules.rule import ERROR, WARNING, Found, Message, Rule


class BatchNotAllowed(Rule):
    """A JSON array was sent where only single messages are allowed: batches exist in 2025-03-26 alone.

    ## Why it matters
    The receiver refuses the array as a whole, so every message in it is lost.

    ## How to fix
    Send each message on its own.

    ## When it stays silent
    In 2025-03-26, and where the capture does not show which handshake revision was agreed on.
    """

    title = "A JSON array (JSON-RPC batch) was sent"
    severity = {"2024-11-05": WARNING, "2025-06-18": ERROR}
    excluded = ("2025-03-26",)
    yields_to = ("initialize-in-batch",)
    spec = {
        "2024-11-05": "basic/transports",
        "2025-06-18": "changelog#major-changes",
        "2025-11-25": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }

    def on_batch(self, message: Message) -> Found:
        count = sum(1 for _ in message.elements())
        yield self.found(message, f"an array of {count} messages", evidence={"messages": count})
