"""A raw end of an HTTP/1.1 connection, for servers and clients that decide about every byte."""

import asyncio
import json


class Wire:
    """One end of a TCP connection that speaks HTTP/1.1, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def head(self) -> str:
        return (await self.reader.readuntil(b"\r\n\r\n")).decode()

    async def request(self) -> tuple[str, bytes]:
        """The head and the body of the next request."""
        head = await self.head()
        return head, await self.reader.readexactly(int(header(head, "content-length") or 0))

    async def send(self, *parts: bytes) -> None:
        self.writer.write(b"".join(parts))
        await self.writer.drain()

    async def begin(self, *headers: str, status: str = "200 OK", media: str = "text/event-stream") -> None:
        """The head of a chunked response."""
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {media}", "Transfer-Encoding: chunked", *headers]
        await self.send("\r\n".join([*lines, "", ""]).encode())

    async def chunk(self, data: bytes) -> None:
        await self.send(b"%x\r\n%s\r\n" % (len(data), data))

    async def event(self, message: object) -> None:
        await self.chunk(b"data: " + json.dumps(message).encode() + b"\n\n")

    async def finish(self) -> None:
        await self.send(b"0\r\n\r\n")

    async def answer(self, body: bytes, *headers: str, status: str = "200 OK") -> None:
        """A whole response."""
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        await self.send("\r\n".join([*lines, "", ""]).encode(), body)

    async def ask(self, method: str, path: str, body: bytes = b"", *headers: str) -> None:
        """A whole request."""
        lines = [f"{method} {path} HTTP/1.1", "Host: proxy", f"Content-Length: {len(body)}", *headers]
        await self.send("\r\n".join([*lines, "", ""]).encode(), body)

    async def until(self, mark: bytes) -> bytes:
        """What arrives up to `mark`."""
        return await self.reader.readuntil(mark)

    async def closed(self) -> bytes:
        """What arrives up to the end of the connection."""
        return await self.reader.read()

    def close(self) -> None:
        self.writer.close()

    def reset(self) -> None:
        """Ends the connection by RST."""
        self.writer.transport.abort()


def header(head: str, name: str) -> str | None:
    lines = (line.partition(":") for line in head.splitlines())
    return next((value.strip() for key, _, value in lines if key.lower() == name), None)
