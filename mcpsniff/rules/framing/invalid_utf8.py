"""Messages in another encoding than UTF-8."""

from mcpsniff.protocol.encoding import encoding_fault, first_bad_byte, looks_like_json
from mcpsniff.rules.rule import ERROR, WARNING, Found, Rule, Text


class InvalidUtf8(Rule):
    """The bytes of a message are not UTF-8, or begin with a byte order mark.

    ## Why it matters
    JSON-RPC messages are UTF-8. Readers refuse the message, or take other characters for those that were meant.

    ## How to fix
    Encode as UTF-8 whatever the locale says; on Windows, set the encoding of stdout and do not pipe through a shell.

    ## When it stays silent
    Escaped surrogates are valid UTF-8. Bytes that do not begin as JSON are noise, an HTML page is no message, and a
    body whose content-encoding could not be undone is not judged. A mark alone is a warning.
    """

    title = "Message bytes are not valid UTF-8"
    severity = {"2024-11-05": WARNING, "2025-03-26": ERROR}
    spec = {
        "2024-11-05": "basic/transports",
        "2026-07-28": "basic/transports/index#messages",
    }

    def on_text(self, text: Text) -> Found:
        fault = encoding_fault(text.data) if text.encoding is None and looks_like_json(text.data) else None
        if fault is None:
            return
        offset = first_bad_byte(text.data)
        place = f" at byte {offset}" if offset is not None else ""
        severity = WARNING if fault == "byte order mark" else None
        yield self.found(
            text,
            f"the message is {_IN_WORDS[fault]}{place}",
            severity=severity,
            where=None if offset is None else str(offset),
        )


_IN_WORDS = {"UTF-16": "UTF-16, not UTF-8", "byte order mark": "behind a byte order mark", "not UTF-8": "not UTF-8"}
