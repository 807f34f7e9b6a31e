"""A line for each message that passes, for whoever watches the proxy."""

import json
import os
import select
from contextlib import suppress

from mcpsniff.capture.body import Entry
from mcpsniff.wire.visible import visible

_LARGEST = 1 << 20  # bytes of a message that is looked into
_LONGEST = 60  # characters of a method, a name or an id
_ARROWS = {"client": "→", "server": "←"}


def line(entry: Entry) -> str | None:
    """What to show of an entry: a message, or an exchange that did not end as it should; None for all else."""
    fields = entry.fields
    if entry.type == "close" and fields["why"] != "complete":
        return f"{entry.t:9.3f} {fields['x']:>5} × closed by {fields['by']} ({fields['why']})"
    if entry.type is not None:
        return None
    arrow = _ARROWS[str(fields["from"])]
    return f"{entry.t:9.3f} {fields['x']:>5} {arrow} {what(entry.body)}  {entry.size} B"


def put(text: str) -> None:
    """Writes one line on stderr, unless the terminal stands still: traffic does not wait for it."""
    poll = select.poll()
    poll.register(2, select.POLLOUT)
    if poll.poll(0):
        with suppress(OSError):
            os.write(2, f"{text}\n".encode("utf-8", "backslashreplace"))


def what(body: bytes) -> str:
    """What a body is, in a few words."""
    if len(body) > _LARGEST:
        return "a large body"
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return "no JSON"
    if isinstance(value, list):
        return f"{len(value)} messages"
    return _message(value) if isinstance(value, dict) else "no message"


def _message(message: dict[str, object]) -> str:
    method, params, error = message.get("method"), message.get("params"), message.get("error")
    if method is not None:
        name = params.get("name", params.get("uri")) if isinstance(params, dict) else None
        what = [method, name]
    elif error is not None:
        what = ["error", error.get("code") if isinstance(error, dict) else None]
    else:
        what = ["result"]
    parts = [_short(part) for part in what if part is not None]
    if "id" in message:
        parts.append(f"#{_short(message['id'])}")
    return " ".join(parts)


def _short(value: object) -> str:
    text = visible(str(value))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
