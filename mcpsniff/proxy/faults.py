"""What is wrong with an exchange at first sight: for the marks and comments of its flow in mitmproxy.

Knows JSON-RPC's errors, HTTP's statuses and how exchanges end, no rules: those need the whole session (findings.py).
Reads the entries of the capture as they are written.
"""

import json
from collections.abc import Iterator

from mcpsniff.capture.body import Entry
from mcpsniff.wire.jsontext import value
from mcpsniff.wire.visible import visible

NAMED = 5  # faults of one exchange that are told
_LARGEST = 1 << 20  # bytes of a message that is looked into
_LONGEST = 120  # characters of a server's own words
_BAD = 400  # and above: statuses that are errors
_ACCEPTED = 202  # whose body, if any, is no message


class Faults:
    """The faults of one exchange."""

    def __init__(self) -> None:
        self.found: list[str] = []  # in words
        self._status = 0
        self._asked: set[int | str] = set()  # ids of requests without an answer; as JSON what is no integer

    def see(self, entry: Entry) -> None:
        """Takes one entry of the exchange."""
        if entry.type == "response":
            self._status = int(str(entry.fields["status"]))
            if self._status >= _BAD:
                self._add(f"HTTP {self._status}")
        elif entry.type == "close":
            self._close(entry)
        elif entry.type is None and self._status != _ACCEPTED and len(entry.body) <= _LARGEST:
            self._body(entry)

    def _body(self, entry: Entry) -> None:
        try:
            body = value(entry.body)
        except (ValueError, RecursionError):
            if self._status < _BAD:  # an error's page need not be JSON
                self._add(f"{entry.fields['from']} sent what is no JSON")
            return
        for message in body if isinstance(body, list) else [body]:
            if isinstance(message, dict):
                self._message(message, entry.fields["from"] == "client")

    def _message(self, message: dict[str, object], by_client: bool) -> None:
        id_ = message.get("id")
        known = id_ if type(id_) is int else json.dumps(id_)
        if "method" in message:
            if by_client and "id" in message:
                self._asked.add(known)
            return
        if not by_client:
            self._asked.discard(known)
        for fault in _faults(message):
            self._add(fault)

    def _close(self, entry: Entry) -> None:
        by, why = entry.fields["by"], entry.fields["why"]
        if self._asked and self._status < _BAD and by != "open":
            self._add("no answer" if why == "complete" else f"no answer: closed by {by} ({why})")

    def _add(self, fault: str) -> None:
        if len(self.found) < NAMED and fault not in self.found:
            self.found.append(fault)


def _faults(answer: dict[str, object]) -> Iterator[str]:
    error, result = answer.get("error"), answer.get("result")
    if isinstance(error, dict):
        yield f"error {_short(error.get('code'))}: {_short(error.get('message'))}"
    if isinstance(result, dict) and result.get("isError") is True:
        yield "the tool failed"


def _short(value: object) -> str:
    text = visible(str(value))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
