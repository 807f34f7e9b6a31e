"""Several messages on one line."""

from mcpsniff.rules.rule import Found, Message, Rule, Text


class MultipleMessagesPerLine(Rule):
    """A line holds two or more JSON-RPC messages back to back: a line break between them was forgotten.

    ## Why it matters
    A line is a message on stdio. The reader fails on the line, and every message on it is lost.

    ## How to fix
    End each message with a line feed, in one write, and let threads that write to the stream share a lock.

    ## When it stays silent
    An array is a batch. Pieces that are not whole messages are noise.
    """

    title = "Two or more JSON messages were written on one line"
    transport = "stdio"
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}

    def on_doubled(self, text: Text, messages: list[Message]) -> Found:
        yield self.found(text, f"{len(messages)} messages stand on one line", evidence={"messages": len(messages)})
