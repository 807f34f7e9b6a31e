"""Which subscription a notification is for, and what is known of it."""

import json

import pytest

from mcpsniff.protocol.arrival import apply
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.ids import JsonId
from mcpsniff.protocol.matching import match
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.subscriptions import result_tag_of

TAG = "io.modelcontextprotocol/subscriptionId"
ACK = "notifications/subscriptions/acknowledged"
CHANGED = "notifications/tools/list_changed"


class Side:
    """Feeds one session message by message."""

    def __init__(self):
        self.session = Session("s1", "stdio", ServerFacts())
        self.seq = 0

    def feed(self, sender, exchange=None, **body):
        """Takes in one message; gives the subscription that it was for."""
        self.seq += 1
        text = json.dumps({"jsonrpc": "2.0", **body}).encode()
        message = Message(text, sender, self.seq, self.seq / 10, len(text))
        message.exchange = exchange
        sub = self.session.subscriptions.of(message)
        apply(self.session, message, match(self.session, message))
        return sub

    def listen(self, id_, exchange=None):
        """Opens a subscription to tools."""
        params = {"notifications": {"toolsListChanged": True}}
        self.feed("client", exchange, id=id_, method="subscriptions/listen", params=params)

    def notify(self, method, tag=None, exchange=None):
        """Sends a notification; gives the id of the subscription that it was for."""
        params = {"_meta": {TAG: tag}} if tag is not None else {}
        sub = self.feed("server", exchange, method=method, params=params)
        return sub.call.id.text if sub is not None else None


@pytest.mark.parametrize(("tag", "id_"), [(1, "1"), ("L", '"L"'), ("1", "1"), (1.0, "1"), (2, None), (None, None)])
def test_tags_name_subscriptions(tag, id_):
    """By value and type; a tag of the wrong type counts for the id it spells."""
    side = Side()
    side.listen(1)
    side.listen("L")
    assert side.notify(CHANGED, tag) == id_


def test_both_types_may_be_ids():
    """Where 1 and "1" are both subscribed, each tag finds its own."""
    side = Side()
    side.listen(1)
    side.listen("1")
    assert (side.notify(CHANGED, 1), side.notify(CHANGED, "1")) == ("1", '"1"')


def test_an_acknowledgment_without_a_tag_is_for_the_longest_waiting():
    """Two wait, the first acknowledged in order."""
    side = Side()
    side.listen("a")
    side.listen("b")
    assert [side.notify(ACK) for _ in range(3)] == ['"a"', '"b"', None]


def test_a_stream_owns_its_notifications():
    """Over HTTP the stream decides, whatever the tag says."""
    side = Side()
    streams = [HttpExchange(f"x{n}", n, 0.0, "POST", "http://h/mcp", []) for n in (1, 2)]
    side.listen("a", streams[0])
    side.listen("b", streams[1])
    assert side.notify(CHANGED, "a", streams[1]) == '"b"'


@pytest.mark.parametrize("sender", ["client", "server"])
def test_either_side_ends_a_subscription_by_cancelling(sender):
    """The client cancels its request; the server may name the listen request, too."""
    side = Side()
    side.listen("a")
    side.feed(sender, method="notifications/cancelled", params={"requestId": "a"})
    assert side.session.subscriptions.by_id(JsonId('"a"')).ended_seq == 2
    assert side.session.subscriptions.open() == []


def test_what_was_granted_is_kept():
    """The filter of the acknowledgment stands beside that of the request."""
    side = Side()
    side.listen("a")
    params = {"notifications": {"toolsListChanged": True}, "_meta": {TAG: "a"}}
    sub = side.feed("server", method=ACK, params=params)
    assert (sub.wanted, sub.granted, sub.acked_seq) == ({"toolsListChanged": True}, {"toolsListChanged": True}, 2)
    assert sub.asks_for(CHANGED)
    assert not sub.asks_for("notifications/prompts/list_changed")


@pytest.mark.parametrize(
    ("sender", "body", "by"),
    [
        ("server", {"id": "L", "result": {}}, "server"),
        ("server", {"method": "notifications/cancelled", "params": {"requestId": "L"}}, "server"),
        ("client", {"method": "notifications/cancelled", "params": {"requestId": "L"}}, "client"),
    ],
)
def test_end_says_who_and_when(sender, body, by):
    """A result and a cancellation by either side end a subscription; the first end counts."""
    side = Side()
    side.listen("L")
    side.feed(sender, **body)
    side.feed("server", method="notifications/cancelled", params={"requestId": "L"})
    (sub,) = side.session.subscriptions._all.values()
    assert (sub.ended_by, sub.ended_seq, sub.ended_at) == (by, 2, 0.2)


@pytest.mark.parametrize(("tag", "text"), [("7", "7"), ('"7"', '"7"'), ("7.0", "7.0")])
def test_result_tag_is_spelled_exactly(tag, text):
    """The JSON type of the id in the result of a listen request is kept."""
    raw = f'{{"jsonrpc":"2.0","id":7,"result":{{"_meta":{{"{TAG}":{tag}}}}}}}'.encode()
    found = result_tag_of(Message(raw, "server", 1, 0.0, len(raw)))
    assert found is not None
    assert found.text == text


def test_no_tag_in_an_error():
    """What is no result has none."""
    raw = b'{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}'
    assert result_tag_of(Message(raw, "server", 1, 0.0, len(raw))) is None
