"""One message over several lines."""

from mcpsniff.rules.rule import Found, Message, Rule, Text


class EmbeddedNewline(Rule):
    """Several lines in a row are one JSON-RPC message together: its JSON was written with line breaks inside.

    ## Why it matters
    A line is a message on stdio. The reader takes each line for a message of its own and finds none that it can parse.

    ## How to fix
    Serialise without indentation, and leave line breaks inside strings escaped.

    ## When it stays silent
    An escaped line break inside a string is legal, and so is a bare carriage return. Lines that do not make a message
    together are noise.
    """

    title = "One JSON message was spread over several lines"
    transport = "stdio"
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}

    def on_torn(self, texts: list[Text], message: Message) -> Found:
        text = f"one message stands on {len(texts)} lines, records {texts[0].seq} to {texts[-1].seq}"
        yield self.found(texts[0], text, related=[line.seq for line in texts], evidence={"lines": len(texts)})
