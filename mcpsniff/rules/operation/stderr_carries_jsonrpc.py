"""Messages on the wrong stream."""

from mcpsniff.protocol.message import SERVER, Kind, Message
from mcpsniff.rules.rule import INFO, Found, Rule, Text, quote


class StderrCarriesJsonrpc(Rule):
    """A line on stderr is a JSON-RPC message: it went out on the wrong stream, or a wrapper echoes the traffic.

    ## Why it matters
    Clients read messages from stdout alone; this one is lost.

    ## How to fix
    Write messages to stdout; look for a redirection of stdout to stderr that was meant for prints.

    ## When it stays silent
    Log lines that only quote a message.
    """

    title = "JSON-RPC message on stderr"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = SERVER
    transport = "stdio"
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}

    def on_stderr(self, line: Text) -> Found:
        if line.data[:1] != b"{" or b'"jsonrpc"' not in line.data:
            return
        message = Message(line.data, SERVER, line.seq, line.at, line.size)
        if message.is_version_2 and message.kind is not Kind.MALFORMED:
            yield self.found(line, f"a {message.kind.value} on stderr: {quote(line.text)}")
