"""The fields of every record type, in the order in which they are written, the payload last.

Plain data for the writer, which must run on the standard library alone; the reader's Structs in `records` say the types
and units of the same fields, and a test compares the two. Every record also has `type`, `seq`, `t` and maybe `t0`.
"""

PAYLOADS = ("message", "raw", "b64", "data")  # at most one of them stands in a record, and last

FIELDS: dict[str, tuple[str, ...]] = {
    "capture": (
        "format",
        "version",
        "id",
        "started",
        "tool",
        "transport",
        "command",
        "cwd",
        "pid",
        "platform",
        "upstream",
        "proxy",
        "imported_from",
        "part",
        "previous",
        "snaplen",
        "redacted",
        "expect",
    ),
    "message": (
        "from",
        "x",
        "size",
        "wire_size",
        "eol",
        "sse",
        "lf",
        "truncated",
        "head",
        "message",
        "raw",
        "b64",
    ),
    "text": ("from", "x", "size", "wire_size", "eol", "sse", "encoding", "truncated", "raw", "b64"),
    "stderr": ("size", "eol", "truncated", "raw", "b64"),
    "eof": ("stream",),
    "signal": ("signal", "to"),
    "exit": ("code", "signal", "error"),
    "request": ("x", "conn", "client", "method", "url", "http", "headers", "head_size", "body_size"),
    "response": ("x", "status", "http", "headers", "head_size", "untimed"),
    "sse": ("x", "size", "event", "id", "retry", "comment", "fields", "unfinished", "data"),
    "info": ("from", "x", "status", "headers", "trailers"),
    "close": ("x", "by", "why", "error", "body_size", "wire_size"),
    "gap": ("records", "bytes", "why"),
    "end": ("records",),
}
