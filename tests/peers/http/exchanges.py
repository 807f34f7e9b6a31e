"""HTTP exchanges in one form, from a server's diary and from a capture."""

import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

Json = dict[str, Any]


class Exchange(NamedTuple):
    """An HTTP exchange, as a diary and a capture have it alike."""

    method: str
    path: str
    asked: list[str]
    status: int | None  # None: no answer came
    media: str  # what the answer is said to be
    answered: list[str]  # the whole body, or the data of the stream's events

    def messages(self) -> tuple[list[str], list[str]]:
        """What there is of it on HTTP+SSE: the body that says "Accepted" may come after the client has left."""
        return self.asked, self.answered if self.method == "GET" else []


def noted(entry: Json) -> Exchange:
    """An entry of the diary."""
    asked, answered = _pieces(entry["request"]), _pieces(entry["response"])
    return Exchange(entry["method"], entry["path"], asked, entry.get("status"), entry.get("media", ""), answered)


def _pieces(body: str) -> list[str]:
    """The data of a stream's events, or the whole body."""
    body = body.replace("\r\n", "\n")
    if not re.match("(event|data|id|retry|):", body):
        return [body] if body else []
    blocks = (block.split("\n") for block in body.split("\n\n"))
    data = ("\n".join(line[6:] for line in block if line.startswith("data: ")) for block in blocks)
    return [piece for piece in data if piece]


def recorded(found: list[Json]) -> list[Exchange]:
    """The exchanges of a capture, in the form of the diary."""
    exchanges = []
    for request in (record for record in found if record["type"] == "request"):
        mine = [record for record in found if record.get("x") == request["x"]]
        head = next((record for record in mine if record["type"] == "response"), {"status": None, "headers": []})
        media = dict(head["headers"]).get("content-type", "")
        asked = [_text(record) for record in mine if record.get("from") == "client"]
        answered = [text for record in mine if record.get("from") != "client" and (text := _text(record))]
        path = urlsplit(request["url"]).path
        exchanges.append(Exchange(request["method"], path, asked, head["status"], media, answered))
    return exchanges


def _text(record: Json) -> str:
    for key in ("text", "raw", "data"):
        if key in record:
            text: str = record[key]
            return text
    return ""
