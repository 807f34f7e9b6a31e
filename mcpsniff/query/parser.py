"""The grammar of filter expressions: text in, what tells the rows out, or the mistake and its place."""

from __future__ import annotations

from mcpsniff.errors import McpsniffError

from .fields import FIELDS, Predicate, compared, has_order, no_field, searched

BLANKS = " \t\r\n"
OPERATORS = ("!=", "<=", ">=", ":", "=", "<", ">")
DEEPEST = 100  # parentheses and nots within each other
_FOREIGN = ("!", "&", "|", "~")  # how other languages begin what is a word here


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
            return searched(self._quoted())
        start, word = self._at, self._word()
        if word.startswith(_FOREIGN):
            raise self.wrong(f"quote text that begins with {word[0]}; the words here are and, or, not")
        self._at += len(word)
        if not self._operator():
            return searched(word)
        return self._comparison(word, start)

    def _comparison(self, field: str, start: int) -> Predicate:
        at, op = self._at, self._operator()
        if field not in FIELDS:
            self._at = start
            raise self.wrong(no_field(field))
        if op[0] in "<>" and not has_order(field):
            raise self.wrong(f"{field} has no order: use : or = or !=")
        self._at = at + len(op)
        if self.peek() == "":
            raise self.wrong(f"the value of {field} is missing here")
        place = self._at
        value = self._value()
        try:
            return compared(field, op, value)
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
