"""Characters of session ids."""

import re

from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Rule, quote

VISIBLE = re.compile(r"[\x21-\x7e]+")


class HttpSessionIdCharset(Rule):
    """A session id is empty, or holds something else than visible ASCII characters.

    ## Why it matters
    Spaces, control characters and other bytes are trimmed, folded or refused on the way; the session is then lost.

    ## How to fix
    Use a UUID, a token or a hash in hexadecimal.

    ## When it stays silent
    White space around the value belongs to the header. Every character from `!` to `~` is allowed.
    """

    title = "Session id contains characters outside 0x21-0x7E"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}

    def on_reply(self, exchange: HttpExchange) -> Found:
        given = exchange.reply_header("mcp-session-id")
        if given is not None and not VISIBLE.fullmatch(given):
            text = f'the session id "{quote(given, 40)}" is not made of visible ASCII characters'
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq], where="Mcp-Session-Id")
