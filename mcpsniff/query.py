"""Filter expressions: which rows of a capture are meant (`show`, `follow`, `report`, the page).

    tools/call timeout          rows in whose text both words stand, in any case
    "not found"                 a phrase; quote with " or ', and \\" \\' \\\\ inside
    method:tools/*              a field by a glob: * is any run, ? any character, in any case
    name = get_weather          a field exactly; != for every other value
    size > 10k                  < <= > >= where a field has an order
    severity >= warning and not rule:stdout-*
    (from = client or kind:error) latency >= 250ms

`and`, `or`, `not` and parentheses combine; `not` binds tightest, then `and`, then `or`; two terms side by side mean
`and`. A row without a field (stderr has no method) fails every comparison of it, `!=` too; `method:*` asks whether it
is there. A row with several findings passes where one of them does, `!=` where all of them do.

    method name id session x    text; an answer has method and name of its request, an id is its value without quotes
    from violator               client, server; violator also either, unknown
    kind                        request, notification, result, error, batch, malformed, noise, body, stderr,
                                http-request, http-response, http-close, sse, eof, signal, exit, gap, lost, session, era
    era                         legacy, modern, mixed, unknown
    rule severity violator      of the findings pinned to the row; severity is info < warning < error
    size                        bytes on the wire; k, M, G are powers of 1024
    latency t                   of an answer; since the capture began; with a unit: us, ms, s
    status seq                  the HTTP status; the number of the record
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from mcpsniff.errors import McpsniffError

Lookup = Callable[[str], Any]  # the value of a field, several in a list or tuple, or None; `text` is what is searched
Predicate = Callable[[Lookup], bool]
Test = Callable[[Any], bool]  # of one value

BLANKS = " \t\r\n"
OPERATORS = ("!=", "<=", ">=", ":", "=", "<", ">")
DEEPEST = 100  # parentheses and nots within each other
SEVERITIES = ("info", "warning", "error")
WORDS = {  # the fields that hold one of few words
    "from": ("client", "server"),
    "violator": ("client", "server", "either", "unknown"),
    "era": ("legacy", "modern", "mixed", "unknown"),
    "severity": SEVERITIES,
    "kind": (
        *("request", "notification", "result", "error", "batch", "malformed", "noise", "body", "stderr"),
        *("http-request", "http-response", "http-close", "sse"),
        *("eof", "signal", "exit", "gap", "lost", "session", "era"),
    ),
}
_UNITS = {  # what a field is counted in: the units of a number, and what they come to
    "size": {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30},
    "latency": {"us": 1, "ms": 1_000, "s": 1_000_000},
    "t": {"us": 1, "ms": 1_000, "s": 1_000_000},
    "status": {"": 1},
    "seq": {"": 1},
}
_EXAMPLES = {"size": "512, 10k or 1.5M", "latency": "250ms or 2s", "t": "250ms or 2s", "status": "404", "seq": "12"}
FIELDS = ("method", "name", "id", "session", "x", *WORDS, "rule", *_UNITS)

_NUMBER = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)([A-Za-z]*)")
_FOREIGN = ("!", "&", "|", "~")  # how other languages begin what is a word here
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ":": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class QueryError(McpsniffError):
    """Says what is wrong with an expression, and where: `column` from 0."""

    def __init__(self, said: str, text: str, column: int) -> None:
        super().__init__(said)
        self.column = column
        self.place = (text, " " * column + "^")


def parse(text: str) -> Predicate:
    """Gives what tells the rows that an expression means; a blank one means all. Raises QueryError."""
    parser = _Parser(text)
    if parser.peek() == "":
        return lambda lookup: True
    meant = parser.either()
    if parser.peek():
        raise parser.wrong("this parenthesis was never opened")
    return meant


class _Parser:
    """One expression, read from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    # grammar

    def either(self) -> Predicate:
        """Reads terms with `or` between them."""
        options = [self._all()]
        while self._keyword("or"):
            options.append(self._all())
        return options[0] if len(options) == 1 else lambda lookup: any(option(lookup) for option in options)

    def _all(self) -> Predicate:
        terms = [self._term()]
        while self._keyword("and") or self._more():
            terms.append(self._term())
        return terms[0] if len(terms) == 1 else lambda lookup: all(term(lookup) for term in terms)

    def _more(self) -> bool:
        """Whether another term follows without a word between."""
        return self.peek() not in ("", ")") and self._word().lower() != "or"

    def _term(self) -> Predicate:
        if self._keyword("not"):
            self._deeper()
            term = self._term()
            self._depth -= 1
            return lambda lookup: not term(lookup)
        if self.peek() == "(":
            return self._group()
        if self.peek() in ("", ")") or self._word().lower() in ("and", "or"):
            raise self.wrong("something to look for is missing here")
        return self._leaf()

    def _group(self) -> Predicate:
        opened = self._at
        self._deeper()
        self._at += 1
        inside = self.either()
        if self.peek() != ")":
            self._at = opened
            raise self.wrong("this parenthesis is never closed")
        self._at += 1
        self._depth -= 1
        return inside

    def _leaf(self) -> Predicate:
        if self.peek() in "\"'":
            return _search(self._quoted())
        start, word = self._at, self._word()
        if word.startswith(_FOREIGN):
            raise self.wrong(f"quote text that begins with {word[0]}; the words here are and, or, not")
        self._at += len(word)
        if not self._operator():
            return _search(word)
        return self._comparison(word, start)

    def _comparison(self, field: str, start: int) -> Predicate:
        at, op = self._at, self._operator()
        if field not in FIELDS:
            self._at = start
            raise self.wrong(_no_field(field))
        ordered = field in _UNITS or field == "severity"
        if op[0] in "<>" and not ordered:
            raise self.wrong(f"{field} has no order: use : or = or !=")
        self._at = at + len(op)
        if self.peek() == "":
            raise self.wrong(f"the value of {field} is missing here")
        place = self._at
        value = self._value()
        try:
            return _compared(field, op, value)
        except ValueError as error:
            self._at = place
            raise self.wrong(str(error)) from None

    # tokens

    def peek(self) -> str:
        """Gives the next character that is no blank, without reading it; empty at the end."""
        while self._text[self._at : self._at + 1] in tuple(BLANKS):
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _word(self) -> str:
        """Gives the word that begins here: up to a blank, a parenthesis or an operator."""
        end = self._at
        while end < len(self._text) and self._text[end] not in BLANKS + "()":
            if self._text.startswith(OPERATORS, end):
                break
            end += 1
        return self._text[self._at : end]

    def _keyword(self, word: str) -> bool:
        """Reads a word of the grammar if it comes next."""
        self.peek()
        found = self._word()
        if found.lower() != word:
            return False
        self._at += len(found)
        return True

    def _operator(self) -> str:
        """Gives the operator that comes next, without reading it; empty where there is none."""
        self.peek()
        return next((op for op in OPERATORS if self._text.startswith(op, self._at)), "")

    def _value(self) -> str:
        if self.peek() in "\"'":
            return self._quoted()
        start = self._at
        while self._at < len(self._text) and self._text[self._at] not in BLANKS + "()":
            self._at += 1
        return self._text[start : self._at]

    def _quoted(self) -> str:
        opened, quote = self._at, self._text[self._at]
        said = []
        at = opened + 1
        while at < len(self._text) and self._text[at] != quote:
            at += self._text[at] == "\\" and self._text[at + 1 : at + 2] in ('"', "'", "\\")
            said.append(self._text[at])
            at += 1
        if at >= len(self._text):
            raise self.wrong("this quote is never closed")
        self._at = at + 1
        return "".join(said)

    # mistakes

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.wrong("this is nested too deeply")

    def wrong(self, said: str) -> QueryError:
        """Gives the mistake at the place that was read to."""
        return QueryError(said, self._text, self._at)


def _no_field(name: str) -> str:
    near = get_close_matches(name, FIELDS, n=1)
    if not name:
        return "a field is missing before this operator"
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(FIELDS)}; quote text that holds an operator"
    return f"no field is called {name}: {hint}"


def _search(word: str) -> Predicate:
    sought = word.lower()
    return lambda lookup: sought in lookup("text").lower()


def _compared(field: str, op: str, value: str) -> Predicate:
    """Gives the comparison of a field with a value; ValueError says what is wrong with the value."""
    test = _test(field, op, value)
    decide: Callable[[Iterable[bool]], bool] = all if op == "!=" else any

    def compared(lookup: Lookup) -> bool:
        found = lookup(field)
        values = found if isinstance(found, (list, tuple)) else () if found is None else (found,)
        return len(values) > 0 and decide(map(test, values))

    return compared


def _test(field: str, op: str, value: str) -> Test:
    compare = _COMPARE[op]
    if field in _UNITS:
        wanted, scale = _number(field, value), 1_000_000 if field in ("latency", "t") else 1
        return lambda found: compare(math.floor(found * scale + 0.5), wanted)
    fits = _glob(value) if op == ":" else None
    words = WORDS.get(field)
    if words is not None and not any(word == value if fits is None else fits(word) for word in words):
        raise ValueError(f"{field} is one of {', '.join(words)}")
    if fits is not None:
        return fits
    if field == "severity":
        rank = SEVERITIES.index(value)
        return lambda found: compare(SEVERITIES.index(found), rank)
    return lambda found: compare(found, value)


def _number(field: str, value: str) -> int:
    """Gives bytes, microseconds or a plain number."""
    units = _UNITS[field]
    found = _NUMBER.fullmatch(value)
    if found is None or found[2].lower() not in units:
        raise ValueError(f"{field} is compared with a number such as {_EXAMPLES[field]}")
    return math.floor(float(found[1]) * units[found[2].lower()] + 0.5)


def _glob(pattern: str) -> Test:
    parts = {"*": ".*", "?": "."}
    fits = re.compile("".join(parts.get(c) or re.escape(c) for c in pattern.lower()), re.DOTALL).fullmatch
    return lambda found: fits(str(found).lower()) is not None
