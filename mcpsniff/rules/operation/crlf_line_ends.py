"""CR LF on stdio."""

from mcpsniff.rules.rule import EITHER, INFO, Found, Message, Rule, Session
from mcpsniff.rules.when import odd, when


class CrlfLineEnds(Rule):
    """Lines end in CR LF.

    ## Why it matters
    The CR is white space to JSON and therefore legal, but readers that cut at LF and compare bytes break on it.

    ## How to fix
    Write "\\n" alone; on Windows open the stream in binary mode or with newline="\\n".

    ## When it stays silent
    It is said once for each side.
    """

    title = "Lines end in CR LF"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = EITHER
    transport = "stdio"
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._said: set[str] = set()  # senders

    @when(odd)
    def on_object(self, message: Message) -> Found:
        if message.eol == "\r\n" and message.sender not in self._said:
            self._said.add(message.sender)
            yield self.found(message, f"the {message.sender} ends its lines in CR LF")
