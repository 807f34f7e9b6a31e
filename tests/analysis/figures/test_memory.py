"""What the server has to remember, as a timeline."""


def test_a_legacy_session_fills_the_memory_and_the_exit_empties_it(talk):
    """Version and capabilities, log level, a subscription that goes again, an open request."""
    talk.handshake()
    talk.client(id=1, method="logging/setLevel", params={"level": "debug"})
    talk.server(id=1, result={})
    talk.client(id=2, method="resources/subscribe", params={"uri": "a:b"})
    talk.server(id=2, result={})
    asked = talk.server(id=1, method="elicitation/create", params={})
    talk.client(id=1, result={})
    talk.client(id=3, method="resources/unsubscribe", params={"uri": "a:b"})
    talk.server(id=3, result={})
    gone = talk.add(type="exit", code=0)
    base = ["negotiated version 2025-11-25", "client capabilities"]
    level = [*base, "log level debug"]
    subscribed = [*level, "subscription to a:b"]
    assert talk.session()["server_memory"] == [
        {"seq": 2, "holds": base},
        {"seq": 5, "holds": level},
        {"seq": 7, "holds": subscribed},
        {"seq": asked, "holds": [*subscribed, "open request 1 (elicitation/create)"]},
        {"seq": asked + 1, "holds": subscribed},
        {"seq": asked + 3, "holds": level},
        {"seq": gone, "holds": []},
    ]


def test_a_refused_setting_is_not_remembered(talk):
    """An error leaves no trace in the server."""
    talk.client(id=1, method="logging/setLevel", params={"level": "loud"})
    talk.server(id=1, error={"code": -32602, "message": "no"})
    assert talk.session()["server_memory"] == []


def test_a_modern_session_holds_listen_streams_alone(talk, meta):
    """From the acknowledgment to the end of the stream."""
    talk.client(id="l", method="subscriptions/listen", params={"notifications": {}, "_meta": meta})
    tag = {"io.modelcontextprotocol/subscriptionId": "l"}
    acked = talk.server(method="notifications/subscriptions/acknowledged", params={"_meta": tag, "notifications": {}})
    over = talk.client(method="notifications/cancelled", params={"requestId": "l"})
    assert talk.session()["server_memory"] == [
        {"seq": acked, "holds": ['listen stream "l"']},
        {"seq": over, "holds": []},
    ]
