"""One line to one record, exactly, on the fast path and on the slow one."""

import pytest

from mcpsniff.capture.decode import decode
from mcpsniff.capture.encode import record_line, stdio_line
from mcpsniff.capture.records import Capture, Exit, Message, Request, Response, Sse, Stderr, Text, Unknown
from mcpsniff.wire.lines import Line

MESSAGE = b'{"type":"message","seq":4,"t":0.5,"from":"client","size":9,"message":%s}\n'


@pytest.mark.parametrize(
    "sent",
    [
        b'{"a":1}',
        b"null",
        b'""',
        b'":"',
        b' \t{"a":1}',
        b'{"a":1} \r',
        b'\r"::"\t ',
        b"1e999",
        b"1" * 40,
        rb'"\ud800"',
        rb' {"id":1,"x":"\udfff"} ',
        b"[" * 100_000 + b"]" * 100_000,
        b' {"message":{"message":"\\"message\\":1"}} ',
        '{"é":"\u2028"}'.encode(),
        b'{"a":1,"a":2}',
    ],
    ids=lambda sent: repr(sent[:20]),
)
def test_the_message_comes_back_byte_for_byte(sent):
    """Blanks around the value, numbers, surrogates and any depth survive."""
    record = decode(MESSAGE % sent)
    assert isinstance(record, Message)
    assert (record.data, record.seq, record.t, record.sender, record.size) == (sent, 4, 0.5, "client", 9)
    assert bytes(record.data.strip(b" \t\r\n")) == sent.strip(b" \t\r\n")
    assert decode((MESSAGE % sent)[:-1]).data == sent


@pytest.mark.parametrize(
    "line",
    [
        b'{"type": "message", "seq": 1, "t": 0, "from": "client", "size": 2, "message":{"a": "b"}, "later": 1}',
        b'{"message": {"a": "b"}, "type": "message", "seq": 1, "t": 0, "from": "client", "size": 2}\r\n',
        b'{"type":"message","seq":1,"t":0,"from":"client","size":2,"message" : {"a": "b"} }',
    ],
)
def test_a_foreign_writers_order_and_spaces_are_read(line):
    """Keys in another order and spaces between the tokens cost speed, not the message."""
    record = decode(line)
    assert isinstance(record, Message)
    assert bytes(record.data.strip(b" \t\r\n")) == b'{"a": "b"}'
    assert record.data.strip() == b'{"a": "b"}'


def test_a_surrogate_outside_the_message_is_read():
    """A command that is no valid text, and a truncated message whose head holds a surrogate."""
    header = decode(record_line("capture", 0, 0, {"command": ["a\udc80"]}))
    assert isinstance(header, Capture)
    assert header.command == ["a\udc80"]
    payload = b'{"id":7,"method":"\\ud800","params":{"text":"x'
    cut = decode(stdio_line("client", 1, Line(payload, 1000, 0, 0), 200))
    assert isinstance(cut, Message)
    assert cut.head is not None
    assert (bytes(cut.head.id), bytes(cut.head.method), cut.data) == (b"7", b'"\\ud800"', payload)


def test_every_field_of_a_message_over_http():
    """Exchange, SSE fields, sizes and line feeds."""
    record = decode(
        b'{"type":"message","seq":1,"t":2.5,"t0":2.25,"from":"server","x":"x1","size":90,"wire_size":50,'
        b'"sse":{"event":"message","id":"7","retry":10},"lf":2,"message":{}}'
    )
    assert isinstance(record, Message)
    assert (record.x, record.size, record.wire_size, record.lf, record.first) == ("x1", 90, 50, 2, 2.25)
    assert record.sse == {"event": "message", "id": "7", "retry": 10}
    assert (record.eol, record.truncated, record.head) == ("\n", False, None)


def test_data_alone_is_an_sse_event_and_no_sse_is_none():
    """An empty `sse` is not the same as none."""
    assert decode(b'{"type":"text","seq":1,"t":0,"from":"server","size":1,"sse":{},"raw":"x"}').sse == {}
    assert decode(b'{"type":"text","seq":1,"t":0,"from":"server","size":1,"raw":"x"}').sse is None


def test_http_records():
    """Headers are pairs in order with duplicates; an unknown body size is None."""
    request = decode(
        b'{"type":"request","seq":1,"t":0,"x":"x1","conn":"c1","client":"127.0.0.1","method":"POST","url":"http://h/",'
        b'"http":"1.1","headers":[["A","1"],["a","2"]],"head_size":10,"body_size":null}'
    )
    assert isinstance(request, Request)
    assert (request.headers, request.body_size) == ([("A", "1"), ("a", "2")], None)
    response = decode(b'{"type":"response","seq":1,"t":0,"x":"x1","status":200,"headers":[]}')
    assert isinstance(response, Response)
    assert (response.status, response.http, response.head_size) == (200, None, None)
    sse = decode(b'{"type":"sse","seq":1,"t":0,"x":"x1","size":9,"event":"endpoint","data":"/m"}')
    assert isinstance(sse, Sse)
    assert (sse.event, sse.data, sse.unfinished) == ("endpoint", "/m", False)


def test_stdio_records():
    """Text and stderr give bytes; an exit has a code or a signal."""
    text = decode(b'{"type":"text","seq":1,"t":0,"from":"server","size":3,"eol":"","b64":"//4="}')
    assert isinstance(text, Text)
    assert (text.data, text.eol) == (b"\xff\xfe", "")
    stderr = decode(b'{"type":"stderr","seq":1,"t":0,"size":3,"raw":"\xc3\xa9"}')
    assert isinstance(stderr, Stderr)
    assert stderr.data == b"\xc3\xa9"
    end = decode(b'{"type":"exit","seq":1,"t":0,"signal":"SIGKILL"}')
    assert isinstance(end, Exit)
    assert (end.code, end.signal) == (None, "SIGKILL")


def test_a_later_versions_record_is_kept_as_it_is():
    """An unknown type is no damage; unknown keys of known types are ignored."""
    record = decode(b'{"type":"vision","seq":3,"t":0.5,"a":[1],"message":{"b":"\\ud800"}}')
    assert isinstance(record, Unknown)
    assert (record.kind, record.seq, record.t, record.fields["a"]) == ("vision", 3, 0.5, [1])
    odd = decode(b'{"type":"vision","seq":"x","t":1e999}')
    assert isinstance(odd, Unknown)
    assert (odd.seq, odd.t) == (-1, 0.0)
    assert decode(b'{"type":"eof","seq":1,"t":0,"stream":"stdin","line":"x","colour":1}').stream == "stdin"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{",
        b"[1]",
        b"{}",
        b"NaN",
        b'{"type":7,"seq":1,"t":0}',
        b'{"type":"message","seq":1,"t":0,"from":"client","size":2,"message":{"a":}\n',
        b'{"type":"message","seq":1,"t":0,"from":"client","size":2,"message":"\\ud800"',
        b'{"type":"message","seq":1,"t":0,"from":"client","size":2,"message":"\\ud800"}}',
        b'{"type":"message","seq":1,"t":0,"from":"client","size":2,"message":"\xff"}',
        b'{"type":"message","seq":"one","t":0,"from":"client","size":2,"message":1}',
        b'{"type":"message","seq":1,"t":0,"size":2,"message":1}',
        b'{"type":"eof","seq":1,"t":NaN,"stream":"stdin"}',
        b'{"type":"eof","seq":1,"t":1e999,"stream":"stdin"}',
        b'{"type":"text","seq":1,"t":0,"from":"proxy","size":2,"raw":"x"}',
        b'{"type":"message","seq":1,"t":0,"from":"proxy","size":2,"message":{}}',
        rb'{"type":"message","seq":1,"t":0,"from":"proxy","size":9,"message":"\ud800"}',
        b'{"type":"text","seq":1,"t":0,"from":"client","size":2,"b64":"?"}',
        b'{"type":"eof","seq":' + b"9" * 5000 + b',"t":0,"stream":"stdin"}',
        b'{"type":"vision","deep":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=lambda line: repr(line[:70]),
)
def test_damage_is_told(line):
    """What holds no record raises ValueError and nothing else."""
    with pytest.raises(ValueError):  # noqa: PT011 - of several libraries
        decode(line)


@pytest.mark.parametrize(
    ("rest", "sent"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"m"}', b'{"jsonrpc":"2.0","id":1,"method":"m"}'),
        (b' {"jsonrpc":"2.0"}', b' {"jsonrpc":"2.0"}'),
        (b'{"jsonrpc":"2.0"},"sse":{"id":"1"}', b'{"jsonrpc":"2.0"}'),
        (b'{"jsonrpc":"1.0"}', b'{"jsonrpc":"1.0"}'),
        (b'{"jsonrpc":"2.0","method":5}', b'{"jsonrpc":"2.0","method":5}'),
    ],
)
def test_text_of_a_message_wherever_it_stands(rest: bytes, sent: bytes) -> None:
    """The text is exact for ordinary messages and others, with a blank before it, and where it does not stand last."""
    record = decode(b'{"type":"message","seq":1,"t":0.1,"from":"client","size":5,"message":' + rest + b"}\n")
    assert isinstance(record, Message)
    assert record.data == sent
