"""Records as bytes, compared with lines written by hand."""

import base64
import json

import pytest

from mcpsniff.capture.encode import body_payload, encode, record_line, stdio_line, text_payload
from mcpsniff.wire.lines import Line, LineFramer


def line(data: bytes, t0: float = 0.25, t: float = 0.25) -> Line:
    (made,) = filter(None, [*(framer := LineFramer()).feed(data, t), framer.flush()])
    made.t0 = t0
    return made


def test_a_record_has_its_keys_in_the_order_of_the_table():
    """Type, seq, t with six decimals, then the fields, whatever the order they were given in."""
    made = record_line("close", 7, 1.5, {"why": "reset", "x": "x1", "body_size": None, "by": "client"})
    assert made == b'{"type":"close","seq":7,"t":1.500000,"x":"x1","by":"client","why":"reset","body_size":null}\n'


def test_t0_is_left_out_where_it_is_t():
    """Equal in six decimals is equal."""
    assert record_line("eof", 1, 1.0000001, {"stream": "stdin"}, 1.0) == (
        b'{"type":"eof","seq":1,"t":1.000000,"stream":"stdin"}\n'
    )
    assert record_line("eof", 1, 2, {"stream": "stdin"}, 1) == (
        b'{"type":"eof","seq":1,"t":2.000000,"t0":1.000000,"stream":"stdin"}\n'
    )


def test_text_is_written_as_it_is_and_stays_one_line():
    """Characters beyond ASCII stay; line feeds and quotes are escaped; broken text of a command line survives."""
    made = record_line("exit", 1, 0, {"code": 127, "error": 'é "x"\n'})
    assert made == '{"type":"exit","seq":1,"t":0.000000,"code":127,"error":"é \\"x\\"\\n"}\n'.encode()
    assert b'"command":["a\\udc80"]' in record_line("capture", 0, 0, {"command": ["a\udc80"]})


def test_the_fast_encoder_writes_what_the_standard_library_does():
    """Every character and every kind of plain data, to the byte: a closed mitmproxy has the slow one alone."""
    characters = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    plain = [characters, -(1 << 63), 0, (1 << 64) - 1, True, False, None, [], {}, {"a": [["b", {"é": None}]]}]
    assert b'"command":%s}' % encode(plain) in record_line("capture", 0, 0, {"command": plain})


def test_a_field_that_the_table_does_not_know_is_a_fault_of_the_program():
    """A misspelled field is not dropped in silence."""
    with pytest.raises(AssertionError, match="sream"):
        record_line("eof", 1, 0, {"sream": "stdin"})


@pytest.mark.parametrize(
    ("data", "rest"),
    [
        (b'{"id": 1}\n', b'"size":10,"message":{"id": 1}'),
        (b'{"id":1}\r\n', b'"size":10,"eol":"\\r\\n","message":{"id":1}'),
        (b'{"id":1}', b'"size":8,"eol":"","message":{"id":1}'),
        (b" \t[1]\r\r\n", b'"size":8,"eol":"\\r\\n","message": \t[1]\r'),
        (b"hello\n", b'"size":6,"raw":"hello"'),
        (b"\n", b'"size":1,"raw":""'),
        (b"\xff\xfe\n", b'"size":3,"b64":"//4="'),
        (b"NaN\r\n", b'"size":5,"eol":"\\r\\n","raw":"NaN"'),
    ],
)
def test_lines_of_a_session(data, rest):
    """JSON is embedded with the blanks around it, the rest is text or base64; another line end than LF is told."""
    kind = b"message" if b'"message":' in rest else b"text"
    assert stdio_line("server", 3, line(data), None) == (
        b'{"type":"%s","seq":3,"t":0.250000,"from":"server",%s}\n' % (kind, rest)
    )


def test_the_short_way_writes_what_the_table_says():
    """The ready-made form for the usual line and the general form give the same bytes."""
    fields = {"from": "client", "size": 9, "message": b'{"id":1}'}
    assert stdio_line("client", 5, line(b'{"id":1}\n'), None) == record_line("message", 5, 0.25, fields)


def test_a_slow_line_has_two_times():
    """First and last byte at different times: both stand in the record."""
    assert stdio_line("client", 1, line(b"1\n", 0.1, 0.2), None) == (
        b'{"type":"message","seq":1,"t":0.200000,"t0":0.100000,"from":"client","size":2,"message":1}\n'
    )


def test_stderr_is_never_a_message():
    """A line of stderr is talk, even if it is JSON."""
    assert stdio_line("stderr", 1, line(b"{}\n"), None) == (
        b'{"type":"stderr","seq":1,"t":0.250000,"size":3,"raw":"{}"}\n'
    )


def test_a_message_over_snaplen_keeps_start_size_and_head():
    """A framer that kept the start alone and a whole line cut here give the same record."""
    data = b'{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"a":"' + b"x" * 100 + b'"}}\r\n'
    (cut,) = LineFramer(limit=60).feed(data, 0.25)
    made = stdio_line("client", 1, cut, 60)
    assert made == stdio_line("client", 1, line(data), 60)
    assert json.loads(made) == {
        "type": "message",
        "seq": 1,
        "t": 0.25,
        "from": "client",
        "size": 167,
        "eol": "\r\n",
        "truncated": True,
        "head": {"id": 12, "method": "tools/call"},
        "raw": '{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"a"',
    }
    assert made.index(b'"raw"') > made.index(b'"head"')


def test_a_payload_of_just_snaplen_is_whole():
    """Eight bytes and a line end fit a snaplen of eight."""
    assert b'"message":{"id":1}' in stdio_line("client", 1, line(b'{"id":1}\r\n'), 8)
    assert b'"truncated":true' in stdio_line("client", 1, line(b'{"id":12}\r\n'), 8)


def test_noise_over_snaplen_is_no_message():
    """A cut line whose start no JSON value has is text; a whole one is judged whole."""
    assert body_payload(b"[INFO] a long line of a log", True, 30) == (
        "text",
        {"truncated": True, "raw": "[INFO] a long line of a log"},
    )
    assert body_payload(b'{"method":"\xff"', True, 30)[0] == "text"
    assert body_payload(b'{"id":1} and more', False, 8) == ("text", {"truncated": True, "raw": '{"id":1}'})


def test_a_start_is_cut_at_a_character():
    """Half a character is dropped; where the start itself is not UTF-8 it is base64."""
    assert text_payload("aé".encode(), False, 2) == {"truncated": True, "raw": "a"}
    assert text_payload("aé€".encode()[:5], True, None) == {"truncated": True, "raw": "aé"}
    kept = b"\xffab"
    assert text_payload(kept + b"cd", False, 3) == {"truncated": True, "b64": base64.b64encode(kept).decode()}
    assert text_payload(b"caf\xc3", False, None) == {"b64": base64.b64encode(b"caf\xc3").decode()}


def test_a_pretty_printed_body_fits_one_line():
    """Raw line feeds between tokens become spaces and are counted."""
    assert body_payload(b'{\n"a":\n1}', False, None) == ("message", {"lf": 2, "message": b'{ "a": 1}'})
