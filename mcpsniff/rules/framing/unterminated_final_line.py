"""Streams that end in the middle of a line."""

from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, Found, Message, Rule, Session, Text, quote
from mcpsniff.rules.when import odd, when

STREAMS = {SERVER: "stdout"}  # sender → stream; every other writes to stdin


class UnterminatedFinalLine(Rule):
    """The last line of a stream has no line feed at its end.

    ## Why it matters
    A reader that waits for whole lines never sees it: the message, if it is one, is lost.

    ## How to fix
    Write the line feed together with the message, and flush before you end.

    ## When it stays silent
    Where the capture stopped before the stream did, and where a signal ended the server in the middle of its work.
    """

    title = "Last message on a stream ended without a newline"
    tier = 2
    severity = {"2024-11-05": INFO}
    transport = "stdio"
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._unended: dict[str, Message | Text] = {}  # by sender

    @when(odd)
    def on_object(self, message: Message) -> Found:
        if not message.eol:
            self._unended[message.sender] = message
        yield from ()

    def on_text(self, text: Text) -> Found:
        if not text.eol and text.data.strip():
            self._unended[text.sender] = text
        yield from ()

    def on_end(self) -> Found:
        process = self.session.process
        if process is None or process.exit_seq is None or process.signal is not None:
            return
        for sender, last in self._unended.items():
            stream = STREAMS.get(sender, "stdin")
            if stream not in process.eof:
                continue
            what = "the last message" if isinstance(last, Message) else f"the rest {quote(last.text)}"
            yield self.found(last, f"{what} on {stream} has no line feed; the server {process.status}")
