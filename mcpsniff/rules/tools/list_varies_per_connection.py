"""Lists differ by connection, or by what was called before."""

from mcpsniff.protocol.listings import Reading
from mcpsniff.protocol.revisions import LISTS
from mcpsniff.rules.echoes import LISTINGS
from mcpsniff.rules.rule import HEURISTIC, SERVER, Call, Found, Message, Rule


class ListVariesPerConnection(Rule):
    """Two connections of like clients see different lists time and again, or the same call changes a list each time.

    ## Why it matters
    There are no sessions any more: a client that opens another connection, or goes through another server behind a
    balancer, must see the same list.

    ## How to fix
    Let lists depend on nothing but the request's authorisation and capabilities. Give state a handle that tools take as
    an argument.

    ## When it stays silent
    Lists may change over time: one change says nothing. Two connections must alternate and each see its own list twice,
    or the same tool must bring the same change twice. Other authorisation, version or capabilities are not compared.
    """

    title = "Lists differ by connection or change as a side effect of other requests"
    tier = 3
    violator = SERVER
    confidence = HEURISTIC
    since = "2026-07-28"
    spec = {"2026-07-28": "server/tools#capabilities"}
    methods = tuple(LISTS)
    echoes = LISTINGS

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.has_error:
            return
        reading = self.session.listings.preview(call, self.session.lists.preview(call, message))
        if reading is None:
            return
        before = self.session.listings.so_far(call)
        if _alternate([*before[-3:], reading]):
            text = f"{call.method} tells each of two connections a list of its own"
            yield self.found(message, text, related=[one.seq for one in before[-3:]], fault="connection")
        earlier = next((one for one in before if _same_change(one, reading)), None)
        if earlier is not None:
            text = f"{call.method} changes after a call of {reading.tool} as it did before"
            yield self.found(message, text, related=[earlier.seq], fault="side effect")


def _alternate(readings: list[Reading]) -> bool:
    """Whether two connections took turns, and each saw the same twice and something else than the other."""
    if len(readings) < 4:
        return False
    (first, names), (second, other) = ((one.conn, one.names) for one in readings[:2])
    seen = [(one.conn, one.names) for one in readings[2:]]
    return first != second and names != other and seen == [(first, names), (second, other)]


def _same_change(one: Reading, other: Reading) -> bool:
    changes = (one.before, one.tool, one.names) == (other.before, other.tool, other.names)
    return changes and one.tool is not None and one.before not in (None, one.names)
