"""Another client at the same server changes nothing of what is found on the first one."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

OPENINGS = ('"method":"initialize"', '"method":"server/discover"', '"method":"tools/list"')
MINE = "stranger"
ADDRESS = "192.0.2.7"
PLACES = ("first", "next", "last")  # where the stranger comes in
# Rules that judge a server by all its clients: the stranger is evidence too.
ACROSS_CLIENTS = {
    "http-already-initialized",
    "http-session-id-weak",
    "version-not-latest-offered",
    "version-support-ignored",
    "log-below-level",  # a server without sessions may have one level for all clients
}


def opening(lines: list[Any]) -> list[int]:
    """The records of the first exchange that opens a conversation, and is over; none where there is no such.

    On HTTP+SSE an opening takes two exchanges and is left out.
    """
    if any(line.fields.get("event") == "endpoint" for line in lines):
        return []
    for line in lines:
        if line.fields.get("from") == "client" and line.text and any(one in line.text for one in OPENINGS):
            own = [at for at, other in enumerate(lines) if other.fields.get("x") == line.fields.get("x")]
            kinds = {lines[at].fields["type"] for at in own}
            senders = {lines[at].fields.get("from") for at in own if lines[at].text}
            if {"request", "response", "close"} <= kinds and senders == {"client", "server"}:
                return own
    return []


def with_stranger(lines: list[Any], own: list[int], place: str) -> tuple[list[Any], dict[int, int]]:
    """The capture in which another client opens a conversation as the first did, and where each record now stands."""
    at = {"first": 1, "next": own[-1] + 1, "last": len(lines) - (lines[-1].fields["type"] == "end")}[place]
    visit = [_as_stranger(lines[number], lines[at - 1].fields["t"]) for number in own]
    visit = [line for line in visit if line.fields["type"] != "gap"]
    before, after = lines[:at], deepcopy(lines[at:])
    start = before[-1].fields["seq"] + 1
    for number, line in enumerate(visit):
        line.fields["seq"] = start + number
    moved = {line.fields["seq"]: line.fields["seq"] for line in before}
    for line in after:
        moved[line.fields["seq"]] = line.fields["seq"] + len(visit)
        line.fields["seq"] += len(visit)
    return [*before, *visit, *after], moved


def _as_stranger(line: Any, t: float) -> Any:
    line = deepcopy(line)
    fields = line.fields
    fields.update(t=t, x=MINE)
    fields.pop("t0", None)
    if fields["type"] == "request":
        fields.update(conn=MINE, client=ADDRESS)
    fields["headers"] = [[name, _value(name.lower(), value)] for name, value in fields.get("headers", ())]
    if not fields["headers"]:
        del fields["headers"]
    return line


def _value(name: str, value: str) -> str:
    if name in ("mcp-session-id", "authorization"):
        return f"{value}-{MINE}"
    return f"{MINE}/1.0" if name == "user-agent" else value


def test_a_stranger_changes_no_finding(
    captures: list[Path],
    lines_of: Callable[[Path], list[Any]],
    judged: Callable[[bytes], list[Any]],
    found_on: Callable[[Path], list[Any]],
) -> None:
    """Before the client, after its opening, or at the end: the same is found on the client and its server."""
    visited, unequal = 0, []
    for path in captures:
        lines = lines_of(path)
        own = opening(lines)
        visited += bool(own)
        before = found_on(path) if own else []
        for place in PLACES if own else ():
            crowded, moved = with_stranger(lines, own, place)
            wanted = {one._replace(seq=tuple(moved[seq] for seq in one.seq)) for one in before}
            found = {
                one for one in judged(b"".join(line.encoded() for line in crowded)) if one.seq[0] in moved.values()
            }
            told = (one for one in wanted ^ found if one.rule not in ACROSS_CLIENTS)
            unequal += [f"{path.parent.name}/{path.stem}, {place}: {one}" for one in told]
    assert visited > 400
    assert unequal == []
