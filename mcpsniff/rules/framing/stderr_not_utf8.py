"""stderr in another encoding than UTF-8."""

from codecs import getincrementaldecoder

from mcpsniff.rules.rule import HEURISTIC, INFO, SERVER, Found, Rule, Session, Text


class StderrNotUtf8(Rule):
    """The server's stderr holds bytes that are not UTF-8.

    ## Why it matters
    What the server has to say is shown with wrong characters, or breaks the client that decodes it strictly.

    ## How to fix
    Set the encoding of stderr to UTF-8 whatever the locale or code page says.

    ## When it stays silent
    For a character that two reads have split, and for lines of which the recorder kept only the beginning.
    """

    title = "Server wrote non-UTF-8 bytes to stderr"
    tier = 3
    severity = {"2024-11-05": INFO}
    violator = SERVER
    transport = "stdio"
    confidence = HEURISTIC
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._decoder = getincrementaldecoder("utf-8")()

    def on_stderr(self, text: Text) -> Found:
        cut = len(text.data) + len(text.eol) < text.size
        try:
            self._decoder.decode(text.data, final=bool(text.eol) and not cut)
        except UnicodeDecodeError as error:
            shown = error.object[error.start : error.start + 4].hex(" ")
            yield self.found(text, f"stderr holds the bytes {shown}, which are not UTF-8", where=str(error.start))
        if text.eol or cut:
            self._decoder.reset()
