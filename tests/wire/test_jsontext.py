"""The verdict on JSON text is that of RFC 8259, on every path."""

import json
import subprocess
import sys
import tracemalloc

import pytest

from mcpsniff.wire import jsontext

JSON = {
    "lone high surrogate": rb'"\ud800"',
    "lone low surrogate": rb'"\udc00 x"',
    "high surrogate and a plain escape": rb'"\ud800\u0041"',
    "surrogate pair": rb'"\ud83d\ude00"',
    "out of range": b"1e999",
    "40 digits": b"1" * 40,
    "5000 digits": b"9" * 5000,
    "minus zero": b"-0",
    "duplicate keys": b'{"a":1,"a":2}',
    "tab, CR and LF between tokens": b'\t{\r"a"\t:\n[ 1\r,\t2 ] }\r',
    "100000 levels": b"[" * 100_000 + b"]" * 100_000,
    "100000 objects": b'{"a":' * 100_000 + b"null" + b"}" * 100_000,
    "DEL in a string": b'"\x7f"',
    "a BOM inside a string": '"\ufeff"'.encode(),
    "literals": b"[true,false,null]",
    "exponents": b"[1E+2,1e-2,1.50e0]",
    "nothing in them": b'[{},[],""]',
}
NOT_JSON = {
    "nothing": b"",
    "blanks": b" \t\r\n",
    "NaN": b"NaN",
    "NaN inside": b'{"a":[NaN]}',
    "Infinity": b"-Infinity",
    "BOM": b"\xef\xbb\xbf{}",
    "invalid UTF-8 in a string": b'"\xff"',
    "UTF-8 of a surrogate": b'"\xed\xa0\x80"',
    "overlong UTF-8": b'"\xc0\xaf"',
    "99999 of 100000 levels closed": b"[" * 100_000 + b"]" * 99_999,
    "100000 levels closed by the wrong bracket": b"[" * 100_000 + b"]" * 99_999 + b"}",
    "two values": b"{} {}",
    "a value and a comma": b"1,",
    "leading zero": b"01",
    "point without digits": b"1.",
    "bare point": b".5",
    "plus": b"+1",
    "bare minus": b"-",
    "hexadecimal": b"0x10",
    "control character": b'"\x01"',
    "raw tab in a string": b'"\t"',
    "raw LF in a string": b'"\n"',
    "single quotes": b"'a'",
    "unknown escape": rb'"\x41"',
    "short escape": rb'"\u12"',
    "escape with a sign": rb'"\u+123"',
    "escape, not hexadecimal, after a surrogate": rb'"\ud800\uzzzz"',
    "open string": b'"abc',
    "trailing comma": b"[1,]",
    "name without value": b'{"a"}',
    "name without quotes": b"{a:1}",
    "form feed": b"\x0c1",
    "no-break space": "\u00a01".encode(),
    "Arabic digits": "\u0661".encode(),
    "comment": b"1 // one",
    "Content-Length": b"Content-Length: 10",
}


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json_is_json(text):
    """What the grammar derives is JSON, on the fast path, the exact path and the walk."""
    assert jsontext.is_json(text)
    assert jsontext.is_json_exactly(text)
    assert jsontext._is_json_at_any_depth(text)


@pytest.mark.parametrize("text", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_not_json_is_not(text):
    """What the grammar does not derive, or is not UTF-8, is not JSON."""
    assert not jsontext.is_json(text)
    if jsontext.is_utf8(text):
        assert not jsontext.is_json_exactly(text)
        assert not jsontext._is_json_at_any_depth(text)


def test_a_large_text_is_judged_in_little_memory(monkeypatch):
    """What the fast parser refuses, here for a lone surrogate, is not built: 20,000 lists take a megabyte."""
    monkeypatch.setattr(jsontext, "_SLICE", 4096)
    text = b"[" + b"[],\n" * 20_000 + b'"\\ud800"]'
    tracemalloc.start()
    try:
        assert jsontext.is_json(text)
        assert not jsontext.is_json(text[:-1])
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_utf8_is_judged_over_any_length(size):
    """Two megabytes of three-byte characters, cut anywhere: only a start may end in half a character."""
    text = ("€" * 700_000).encode()[: 2_099_997 + size]
    assert (jsontext.is_utf8(text), jsontext.is_utf8(text, whole=False)) == (size % 3 == 0, True)
    assert not jsontext.is_utf8(text + b"\xff", whole=False)


def test_the_verdict_needs_the_standard_library_alone():
    """In an interpreter without msgspec the verdicts are the same."""
    script = (
        "import sys, json; sys.modules['msgspec'] = None\n"
        "from mcpsniff.wire.jsontext import is_json\n"
        "print(json.dumps([is_json(bytes.fromhex(text)) for text in json.load(sys.stdin)]))"
    )
    texts = [*JSON.values(), *NOT_JSON.values()]
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps([text.hex() for text in texts]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [True] * len(JSON) + [False] * len(NOT_JSON)


@pytest.mark.parametrize("text", [*JSON.values(), *NOT_JSON.values(), b'{"id":1e999}', b"[NaN]", b'"\\ud800"'])
def test_a_value_is_what_the_standard_library_makes_of_it(text):
    """The same value, or the same refusal, whichever parser is there."""
    assert made_by(jsontext.value, text) == made_by(json.loads, text)


def made_by(parse, text):
    """What a parser makes of a text, as JSON again; or how it refuses."""
    try:
        return json.dumps(parse(text))
    except ValueError:
        return ValueError
    except RecursionError:
        return RecursionError


def test_line_feeds_between_tokens_become_spaces_and_are_counted():
    """A pretty-printed body fits on one line of the capture; an escaped line feed is none."""
    assert jsontext.spaces_for_newlines(b'{\n  "a":\r\n"\\n"\n}') == (b'{   "a":\r "\\n" }', 3)
    assert jsontext.spaces_for_newlines(b"{}") == (b"{}", 0)


@pytest.mark.parametrize(
    ("start", "known"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a', {"id": b"7", "method": b'"tools/call"'}),
        (b'{"method":"x","params":{"id":1,"method":"inner"},"id":"late","q', {"method": b'"x"', "id": b'"late"'}),
        (b' { "id" : 1.0 , "result" : [', {"id": b"1.0"}),
        (b'{"\\u0069d":null,"result":{', {"id": b"null"}),
        (b'{"id":12', {}),
        (b'{"id":"12', {}),
        (b'{"id":{"a":1},"result":', {}),
        (b'[{"id":1,"method":"a"},', {}),
        (b"noise", {}),
        (b"", {}),
    ],
)
def test_the_head_of_a_truncated_message_is_what_stands_whole(start, known):
    """Only top-level scalars whose end was kept are given, spelled as they were."""
    assert jsontext.head(start) == known


@pytest.mark.parametrize(
    ("start", "may"),
    [
        (b'{"jsonrpc":"2.0","result":{"text":"abc', True),
        (b'{"a":tru', True),
        (b'{"a":-', True),
        (b'{"a":"b\\u12', True),
        (b"[1,2,", True),
        (b'"' + b"x" * 10_000, True),
        ('{"a":"é'.encode()[:-1], True),
        (b'{"a":"\xff', False),
        (b'{"a":"' + b"x" * 5000 + b"\xff", False),
        (b"[INFO] a very long line of a log", False),
        (b"Loading the weights of the model", False),
        (b'{"a":1}{"b":2 and so on and so on', False),
        (b"{'a': 'the repr of a dict', 'b':", False),
    ],
)
def test_the_start_of_a_cut_line_tells_messages_from_noise(start, may):
    """The start of a JSON value may be cut anywhere; a start that no JSON value has is noise."""
    assert jsontext.may_start_json(start) is may
