"""Lines on stdin or stdout that are not one JSON-RPC message."""

import re

from mcpsniff.rules.rule import CLIENT, SERVER, Found, Message, Rule, Text, quote
from mcpsniff.rules.when import odd, when

KINDS = (  # what a line looks like, in words for the finding
    ("traceback", re.compile(r"Traceback \(most recent call last\)|^\s+File \"|^\s+at \S+ \(")),
    ("terminal escapes", re.compile(r"\x1b\[")),
    ("Content-Length header", re.compile(r"Content-Length:", re.IGNORECASE)),
    ("broken JSON", re.compile(r"\s*[{\[]")),
)


class _Noise(Rule):
    """What both directions share."""

    transport = "stdio"
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}
    yields_to = ("invalid-utf8",)

    def on_text(self, text: Text) -> Found:
        if text.sender == self.violator and text.data.strip() and text.eol:
            kind = next((name for name, shape in KINDS if shape.search(text.text)), "text" if text.utf8 else "binary")
            yield self.found(text, f"{kind} in a message's place: {quote(text.text)}", evidence={"kind": kind})

    @when(odd)
    def on_object(self, message: Message) -> Found:
        if message.sender == self.violator and message.is_log_line and not message.batch:
            text = f"a JSON object without jsonrpc, id or method: {quote(message.raw.decode('utf-8', 'replace'))}"
            yield self.found(message, text, evidence={"kind": "log object"})


class StdoutNoise(_Noise):
    """A line on the server's stdout is not one JSON-RPC message: a print, a banner, a log line, a traceback.

    ## Why it matters
    stdout carries messages alone. Strict clients close the connection at the first line that they cannot parse.

    ## How to fix
    Send logs to stderr; look for child processes that inherited stdout.

    ## When it stays silent
    Blank lines, torn messages, two messages on a line, arrays and bare JSON values have rules of their own, and so
    has a message in a wrong encoding. A last line without its end is not judged.
    """

    id = "stdout-noise"
    title = "Server wrote something on stdout that is not one JSON-RPC message"
    violator = SERVER


class StdinNoise(_Noise):
    """A line that the client wrote on the server's stdin is not one JSON-RPC message.

    ## Why it matters
    Servers drop such a line without a word, or end.

    ## How to fix
    Write messages alone, each on one line.

    ## When it stays silent
    As stdout-noise does.
    """

    id = "stdin-noise"
    title = "Client wrote something on the server's stdin that is not one JSON-RPC message"
    violator = CLIENT
