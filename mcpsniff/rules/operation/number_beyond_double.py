"""Integers that a double cannot hold."""

from mcpsniff.protocol.ids import HUGE, JsonId
from mcpsniff.rules.rule import EITHER, INFO, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import long_number, when

EXACT = 2**53 - 1


class NumberBeyondDouble(Rule):
    """An id or a progress token is an integer beyond 2^53 - 1.

    ## Why it matters
    JavaScript peers cannot echo it exactly: the answer will name another request.

    ## How to fix
    Count from 0, or send long ids as strings.

    ## When it stays silent
    Strings may be of any length, and the answer to such an id is not its sender's choice.
    """

    title = "Integer beyond 2^53 - 1 as id or token"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = EITHER
    spec = {"2024-11-05": "https://www.rfc-editor.org/rfc/rfc8259#section-6"}

    @when(long_number)
    def on_request(self, message: Message, call: Call) -> Found:
        for where, number in (("/id", message.id), ("/params/_meta/progressToken", call.token)):
            if number is not None and _beyond(number):
                yield self.found(message, f"{where} is {quote(number.text, 60)}", where=where, fault=where)


def _beyond(number: JsonId) -> bool:
    key = number.key
    return abs(key) > EXACT if isinstance(key, int) else isinstance(key, tuple) and key[0] == HUGE
