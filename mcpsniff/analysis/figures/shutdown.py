"""How a session ended, and who ended it."""

from __future__ import annotations

from typing import Any

from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.process import Process
from mcpsniff.protocol.session import Session


def shutdown(session: Session, goodbye: int | None) -> dict[str, Any]:
    """Gives `shutdown`; `goodbye` is the record of a DELETE."""
    process = session.process
    if process is None:
        by = None if goodbye is None else CLIENT
        return {"by": by, "stdin_eof_to_exit_ms": None, "exit_code": None, "signal": None}
    return {
        "by": _by(process),
        "stdin_eof_to_exit_ms": _waited(process),
        "exit_code": process.code,
        "signal": process.signal,
    }


def _by(process: Process) -> str | None:
    """Gives the side that acted first: the client by an end of input or a signal, the server by ending."""
    acts = {CLIENT: [seq for seq, *_ in process.signals], SERVER: []}
    for stream, (seq, _) in process.eof.items():
        acts[CLIENT if stream == "stdin" else SERVER].append(seq)
    if process.exit_seq is not None:
        acts[SERVER].append(process.exit_seq)
    if process.unsure and not acts[CLIENT]:
        return None
    first = {side: min(seqs) for side, seqs in acts.items() if seqs}
    return min(first, key=lambda side: first[side], default=None)


def _waited(process: Process) -> float | None:
    ended = process.eof.get("stdin")
    if ended is None or process.exit_at is None or process.exit_at < ended[1]:
        return None
    return round((process.exit_at - ended[1]) * 1000, 3)
