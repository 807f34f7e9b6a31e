"""The JSON verdict: fast path, exact path, walk and an independent checker agree on any input."""

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcpsniff.wire import jsontext


class Reference:
    """RFC 8259 read off the page: one method a rule, one character at a time; True where the whole text is derived."""

    def __init__(self, text: str) -> None:
        self.text = text + "\0"
        self.at = 0

    def derived(self) -> bool:
        try:
            self.value()
        except SyntaxError:
            return False
        return self.at == len(self.text) - 1

    def next(self) -> str:
        self.at += 1
        return self.text[self.at - 1] if self.at <= len(self.text) else "\0"

    def here(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else "\0"

    def need(self, allowed: str) -> str:
        found = self.next()
        if found not in allowed or found == "\0":
            raise SyntaxError
        return found

    def blanks(self) -> None:
        while self.here() in " \t\n\r":
            self.at += 1

    def value(self) -> None:
        self.blanks()
        start = self.here()
        if start == "{":
            self.members()
        elif start == "[":
            self.items()
        elif start == '"':
            self.string()
        elif start in "tfn":
            for letter in {"t": "true", "f": "false", "n": "null"}[start]:
                self.need(letter)
        else:
            self.number()
        self.blanks()

    def items(self) -> None:
        self.next()
        self.blanks()
        if self.here() == "]":
            self.next()
            return
        self.value()
        while self.need(",]") == ",":
            self.value()

    def members(self) -> None:
        self.next()
        self.blanks()
        if self.here() == "}":
            self.next()
            return
        self.member()
        while self.need(",}") == ",":
            self.member()

    def member(self) -> None:
        self.blanks()
        self.string()
        self.blanks()
        self.need(":")
        self.value()

    def string(self) -> None:
        self.need('"')
        while (letter := self.next()) != '"':
            if letter < " ":
                raise SyntaxError
            if letter == "\\" and self.need('"\\/bfnrtu') == "u":
                for _ in range(4):
                    self.need("0123456789abcdefABCDEF")

    def digits(self) -> None:
        self.need("0123456789")
        while self.here() in "0123456789":
            self.at += 1

    def number(self) -> None:
        if self.here() == "-":
            self.next()
        if self.here() == "0":
            self.next()
        else:
            self.digits()
        if self.here() == ".":
            self.next()
            self.digits()
        if self.here() in "eE":
            self.next()
            if self.here() in "+-":
                self.next()
            self.digits()


def verdict_by_the_book(data: bytes) -> bool:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return "\0" not in text and Reference(text).derived()


def agree(data: bytes) -> bool:
    """The one verdict of all ways."""
    book = verdict_by_the_book(data)
    assert jsontext.is_json(data) is book
    if jsontext.is_utf8(data):
        assert jsontext.is_json_exactly(data) is book
        assert jsontext._is_json_at_any_depth(data) is book
    return book


BLANK = st.text(" \t\n\r", max_size=2)
STRING = st.lists(
    st.characters(exclude_characters='"\\', exclude_categories=["Cs", "Cc"])
    | st.sampled_from(
        ["\x7f", "\\n", '\\"', "\\\\", "\\/", "\\u0000", "\\uD800", "\\udfff", "\\ud83d\\ude00", "\\u00e9"]
    ),
    max_size=5,
).map(lambda pieces: '"' + "".join(pieces) + '"')
NUMBER = st.from_regex(r"\A-?(0|[1-9][0-9]{0,45})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,4})?\Z")
SCALAR = STRING | NUMBER | st.sampled_from(["true", "false", "null"])


def spaced(*parts):
    return st.tuples(*(part for piece in parts for part in (BLANK, piece)), BLANK).map("".join)


def containers(inner):
    items = st.lists(inner, max_size=3).map(",".join)
    member = spaced(STRING, st.just(":"), inner)
    members = st.lists(member, max_size=3).map(",".join)
    return spaced(items).map(lambda text: f"[{text}]") | spaced(members).map(lambda text: f"{{{text}}}")


TEXT = spaced(st.recursive(SCALAR, containers, max_leaves=12)).map(str.encode)
PIECE = st.sampled_from(
    [
        *(b'"', b"\\", b"\\u", b"\\ud800", b"d800", b"{", b"}", b"[", b"]", b",", b":"),
        *(b"0", b"1", b"-", b"+", b".", b"e9", b"NaN", b"Infinity", b"true", b"nul", b"/", b"'"),
        *(b"\x00", b"\x1f", b"\x0c", b"\n", b"\t", b"\r", b" ", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbf"),
        *(b"\xff", b"\xed\xa0\x80", b"\xc3", b"\xa9"),
    ]
)


@st.composite
def mutated(draw):
    """A JSON text with a few pieces put in, cut out or doubled."""
    data = draw(TEXT)
    for _ in range(draw(st.integers(min_value=1, max_value=3))):
        start = draw(st.integers(min_value=0, max_value=len(data)))
        end = draw(st.integers(min_value=start, max_value=min(len(data), start + 3)))
        data = data[:start] + draw(PIECE | st.just(b"") | st.just(data[start:end] * 2)) + data[end:]
    return data


@given(TEXT)
@settings(max_examples=400)
def test_what_the_grammar_makes_is_json(data):
    """Every text that the grammar derives is accepted, and the standard library can read it too."""
    assert agree(data)
    json.loads(data, parse_int=str, parse_float=str)


@given(mutated())
@settings(max_examples=600)
@example(b'"\\ud800"abcd"')
@example(b'"\\ud800\\"')
@example(b'["\\ud800\\ud800\\"]')
@example(b'"\\udc00\\ud8"')
def test_all_ways_agree_on_mutated_text(data):
    """Whatever a mutation makes of JSON, one verdict."""
    agree(data)


@given(st.lists(PIECE, max_size=12).map(b"".join))
@settings(max_examples=400)
def test_all_ways_agree_on_shreds(data):
    """Pieces of JSON in any order, one verdict."""
    agree(data)


@given(st.binary(max_size=30))
def test_all_ways_agree_on_any_bytes(data):
    """Any bytes, one verdict."""
    agree(data)


@given(TEXT)
def test_a_cut_json_text_may_start_json(data):
    """No cut of a JSON text is taken for noise."""
    assert all(jsontext.may_start_json(data[:end]) for end in range(len(data) + 1))


@given(TEXT)
def test_spaces_for_line_feeds_change_no_verdict_and_no_value(data):
    """The embedded text means what the sent one meant."""
    text, count = jsontext.spaces_for_newlines(data)
    assert b"\n" not in text
    assert count == data.count(b"\n")
    assert json.loads(text, parse_int=str, parse_float=str) == json.loads(data, parse_int=str, parse_float=str)


@given(TEXT | mutated() | st.binary(max_size=30))
def test_the_head_of_anything_is_json_texts(data):
    """Whatever the start is, what is given is JSON under the two names."""
    found = jsontext.head(data)
    assert found.keys() <= {"id", "method"}
    assert all(jsontext.is_json(text) for text in found.values() if jsontext.is_utf8(data))
