"""A capture that is written while it is read."""

import json
from pathlib import Path
from typing import Any


class Growing:
    """A capture in the making, written record by record into files."""

    def __init__(self, path: Path, **header: Any) -> None:
        self.seq = 0
        self._header = {"type": "capture", "seq": 0, "t": 0, "format": "mcpsniff", "version": 1, "id": "c", **header}
        self.begin(path)

    def begin(self, path: Path, **header: Any) -> None:
        """Goes on in a new file."""
        self.path = path
        self.write(json.dumps({"transport": "stdio", **self._header, **header}) + "\n")

    def write(self, text: str) -> None:
        """Writes text as it is."""
        with self.path.open("a") as file:
            file.write(text)

    def line(self, **fields: Any) -> str:
        """Gives the line of the next record."""
        self.seq += 1
        return json.dumps({"type": fields.pop("type"), "seq": self.seq, "t": self.seq / 10, **fields}) + "\n"

    def add(self, **fields: Any) -> None:
        """Writes a record."""
        self.write(self.line(**fields))

    def noise(self, text: str) -> None:
        """Writes noise on stdout."""
        self.add(type="text", **{"from": "server"}, size=len(text) + 1, raw=text)

    def ping(self, id_: int) -> None:
        """Writes a request and its answer."""
        for sender, message in (("client", {"method": "ping"}), ("server", {"result": {}})):
            whole = {"jsonrpc": "2.0", "id": id_, **message}
            self.add(type="message", **{"from": sender}, size=len(json.dumps(whole)) + 1, message=whole)

    def end(self) -> None:
        """Writes the `end` record."""
        self.add(type="end", records=self.seq + 1)
