"""All nine pairs of sample client and sample server end as the specification's compatibility matrix says."""

from collections.abc import Callable
from typing import Any

import pytest

# Client, server, the era in which they meet; None where they cannot, with a part of the sentence about it.
MATRIX = [
    ("legacy", "legacy", "legacy", ""),
    ("legacy", "modern", None, "refuses initialize and speaks only 2026-07-28"),
    ("legacy", "dual", "legacy", ""),
    ("modern", "legacy", None, "does not speak 2026-07-28"),
    ("modern", "modern", "modern", ""),
    ("modern", "dual", "modern", ""),
    ("dual", "legacy", "legacy", ""),
    ("dual", "modern", "modern", ""),
    ("dual", "dual", "modern", ""),
]
pairs = pytest.mark.parametrize(("client", "server", "era", "sentence"), MATRIX)


def check(played: Any, era: str | None, sentence: str) -> None:
    """Checks the outcome, what was printed, and that a failure is one sentence and exit status 1."""
    if era is None:
        assert played.code == 1
        assert sentence in played.err
        assert played.err.count("\n") == 1
    else:
        assert (played.code, played.err) == (0, "")
        assert played.out.startswith(f"call, {era}\n  search: ")


@pairs
def test_over_stdio(play: Callable[..., Any], client: str, server: str, era: str | None, sentence: str) -> None:
    """Over stdio, where the fallback happens in the same process."""
    check(play("call", "--era", client, server=("--era", server)), era, sentence)


@pairs
def test_over_http(play_http: Callable[..., Any], client: str, server: str, era: str | None, sentence: str) -> None:
    """Over HTTP, where a legacy server refuses the probe with 400."""
    played, _ = play_http("call", "--era", client, server=("--era", server))
    check(played, era, sentence)


def test_a_modern_client_without_a_probe_fails_on_a_legacy_server(play: Callable[..., Any]) -> None:
    """The sample server executes nothing before a handshake, so the first call is refused."""
    played = play("call", "--era", "modern", "--no-discover", server=("--era", "legacy"))
    assert played.code == 1
    assert "refuses with error -32600" in played.err
    assert len(played.messages) == 2


@pytest.mark.parametrize("answer", ["-32600", "-32601", "-32602"])
def test_fallback_does_not_depend_on_the_code(play: Callable[..., Any], answer: str) -> None:
    """Whatever a legacy server answers to the probe, the handshake follows in the same connection, ids going on."""
    played = play("call", server=("--era", "legacy", "--probe-answer", answer))
    assert played.code == 0
    assert played.answer(1)["error"]["code"] == int(answer)
    sequence = [(message.get("id"), message["method"]) for by, message in played.messages if by == "client"]
    assert sequence == [
        (1, "server/discover"),
        (2, "initialize"),
        (None, "notifications/initialized"),
        (3, "tools/call"),
    ]


def test_fallback_after_silence(play: Callable[..., Any]) -> None:
    """A server that never answers the probe is met with a handshake when the time-out is over."""
    played = play("call", "--probe-timeout", "0.2", server=("--era", "legacy", "--probe-answer", "silent"))
    assert played.code == 0
    assert played.out.startswith("call, legacy")
    assert not [message for by, message in played.messages if by == "server" and message.get("id") == 1]


@pytest.mark.parametrize("answer", ["-32602", "silent"])
def test_fallback_over_http(play_http: Callable[..., Any], answer: str) -> None:
    """Over HTTP the refusal is status 400, with an error or without any."""
    played, raw = play_http("call", server=("--era", "legacy", "--probe-answer", answer))
    assert played.code == 0
    assert raw["server"].startswith(b"HTTP/1.1 400")
    assert (b'"code":-32602' in raw["server"]) == (answer == "-32602")
