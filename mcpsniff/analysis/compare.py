"""What can be said over several sessions: both eras side by side, and tools that share a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Data = Mapping[str, Any]


def comparison(sessions: Sequence[Data]) -> Data | None:
    """Gives the cost of a legacy and of a modern session side by side; None where one of the two is missing."""
    pair = [_busiest(sessions, era) for era in ("legacy", "modern")]
    legacy, modern = pair
    if legacy is None or modern is None:
        return None
    return {
        "sessions": [legacy["id"], modern["id"]],
        "break_even_calls": _break_even(_cost(legacy), _cost(modern)),
        "round_trips": [one["round_trips"]["before_first_call"] for one in (legacy, modern)],
        "bytes_per_call": [_cost(one)["marginal"] for one in (legacy, modern)],
    }


def _busiest(sessions: Sequence[Data], era: str) -> Data | None:
    """Gives the session of an era with the most tool calls that have a cost."""
    known = [s for s in sessions if s["era"] == era and _cost(s)["marginal"] is not None]
    return max(known, key=lambda s: int(s["calls"]["count"]), default=None)


def _cost(session: Data) -> Data:
    cost: Data = session["calls"]["bytes_per_call"]
    return cost


def _break_even(legacy: Data, modern: Data) -> float | None:
    """Gives the number of calls at which fixed and marginal bytes of both add up to the same, or None."""
    if legacy["fixed"] is None or modern["fixed"] is None or legacy["marginal"] == modern["marginal"]:
        return None
    calls = (legacy["fixed"] - modern["fixed"]) / (modern["marginal"] - legacy["marginal"])
    return round(float(calls), 2) if calls > 0 else None


def tool_collisions(sessions: Sequence[Data], servers: Mapping[str, str]) -> list[Data]:
    """Gives the tool names that several servers offer, each with one session of every server."""
    offers: dict[str, dict[str, str]] = {}  # tool → server → session
    for session in sessions:
        for tool in session["tools"]:
            if tool["definition_bytes"] is not None:
                offers.setdefault(tool["name"], {}).setdefault(servers[session["id"]], session["id"])
    return [{"name": name, "servers": list(of.values())} for name, of in offers.items() if len(of) > 1]
