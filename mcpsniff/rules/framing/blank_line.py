"""Lines with nothing on them."""

from mcpsniff.rules.rule import WARNING, Found, Rule, Text


class BlankLine(Rule):
    """A line on stdin or stdout holds nothing but white space.

    ## Why it matters
    Each line must be a message. Most readers skip an empty one, strict ones answer with a parse error or end.

    ## How to fix
    End each message with one line feed; look for a print without arguments, and for a serialiser that adds its own.

    ## When it stays silent
    On stderr, and for what follows the last line feed of a stream.
    """

    title = "Empty line on stdin or stdout"
    tier = 2
    severity = {"2024-11-05": WARNING}
    transport = "stdio"
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}

    def on_text(self, text: Text) -> Found:
        if text.eol and not text.data.strip():
            yield self.found(text, f"a blank line of {text.size} bytes")
