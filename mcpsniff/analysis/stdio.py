"""Records of a stdio capture → the one conversation of its process."""

from __future__ import annotations

from mcpsniff.protocol.encoding import looks_like_json, recover
from mcpsniff.protocol.message import CLIENT, SERVER, Message
from mcpsniff.protocol.torn import TornLines, split_doubled
from mcpsniff.rules.rule import Text

from .conversation import Conversation


class StdioFeed:
    """Feeds one process's lines; holds back lines that may be parts of one message."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._process = conversation.session.process
        self._torn: dict[str, TornLines[Text]] = {CLIENT: TornLines(), SERVER: TornLines()}

    def message(self, message: Message, eol: str) -> None:
        """Takes in a line that is one JSON value."""
        self._line(message.sender, message.size)
        torn = self._torn[message.sender]
        if not torn.holding:
            if eol != "\n":
                message.eol = eol
            self._conversation.message(message)
            return
        if not message.is_object:
            # a scalar or an array on a line of its own may be a part of a pretty-printed message
            text = Text(message.seq, message.at, message.sender, message.raw, message.size)
            text.eol = eol
            self._noise(torn, text)
            return
        self._flush(torn)
        message.eol = eol
        self._conversation.message(message)

    def text(self, text: Text) -> None:
        """Takes in a line that is no JSON value."""
        self._line(text.sender, text.size)
        self._conversation.metrics.text(text)
        text.mark = self._conversation.session.era.unit_mark(text.seq)
        pieces, recovered = split_doubled(text.data), recover(text.data)
        if pieces:
            self._flush(self._torn[text.sender])
            self._doubled(text, pieces)
        elif recovered is not None:
            self._flush(self._torn[text.sender])
            self._conversation.emit("on_text", None, text)
            self._conversation.message(self._recovered(recovered, text))
        else:
            self._noise(self._torn[text.sender], text)

    def _line(self, sender: str, size: int) -> None:
        self._conversation.metrics.line(sender, size)
        if sender == CLIENT and self._process is not None:
            self._process.unsure = False

    def _doubled(self, text: Text, pieces: list[bytes]) -> None:
        messages = [self._recovered(piece, text) for piece in pieces]
        self._conversation.emit("on_doubled", None, text, messages)
        for message in messages:
            self._conversation.message(message)

    def _noise(self, torn: TornLines[Text], text: Text) -> None:
        self._conversation.unreadable(text)
        for lines, joined in torn.feed(text):
            self._settled(lines, joined)

    def _settled(self, lines: list[Text], joined: bytes | None) -> None:
        if joined is None:
            for line in lines:
                self._conversation.emit("on_text", None, line)
            return
        read_after_all = sum(looks_like_json(line.data) for line in lines)
        self._conversation.session.unreadable[lines[0].sender] -= read_after_all
        message = self._recovered(joined, lines[0])
        self._conversation.emit("on_torn", None, lines, message)
        self._conversation.message(message)

    @staticmethod
    def _recovered(raw: bytes, text: Text) -> Message:
        message = Message(raw, text.sender, text.seq, text.at, len(raw))
        message.recovered = True
        return message

    def _flush(self, torn: TornLines[Text]) -> None:
        for lines, joined in torn.flush():
            self._settled(lines, joined)

    def stderr(self, text: Text) -> None:
        """Takes in a line of the server's stderr."""
        process = self._conversation.session.process
        if process is not None:
            process.stderr.append(text.text)
            process.stderr_lines += 1
        text.mark = self._conversation.session.era.unit_mark(text.seq)
        self._conversation.emit("on_stderr", None, text)

    def finish(self) -> None:
        """Settles what is still held back."""
        for torn in self._torn.values():
            self._flush(torn)
