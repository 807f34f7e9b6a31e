"""Error messages that are no short sentence."""

import re

from mcpsniff.rules.rule import HEURISTIC, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when

LONG = 300  # characters
_TRACE = re.compile(r"Traceback \(most recent call last\)|\bat [^\s()]{1,200} ?\([^()\s]{1,300}:\d+(:\d+)?\)")


class ErrorMessageVerbose(Rule):
    """The `message` of an error is no concise sentence: it is empty or very long, has several lines, or a stack trace.

    ## Why it matters
    Clients show it in one line, and models read it; a trace also tells strangers how the program is built.

    ## How to fix
    One sentence in `message`; details that the client may see in `data`; the trace in the server's own log.

    ## When it stays silent
    `data` may be as long as it likes, and so may the text of a tool's result.
    """

    title = "Error message is not a concise single sentence"
    tier = 3
    severity = {"2024-11-05": WARNING}
    confidence = HEURISTIC
    spec = {"2024-11-05": "schema", "2026-07-28": "schema#error"}

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        text = message.error.get("message")
        wrong = _wrong(text) if isinstance(text, str) else None
        if wrong is not None:
            said = f'the error message {wrong}: "{quote(str(text))}"'
            yield self.found(message, said, related=[call.seq if call is not None else None], where="/error/message")


def _wrong(text: str) -> str | None:
    if not text.strip():
        return "is empty"
    if _TRACE.search(text[: 10 * LONG]):
        return "holds a stack trace"
    if "\n" in text.strip() or "\r" in text.strip():
        return "has several lines"
    return f"has {len(text)} characters" if len(text) > LONG else None
