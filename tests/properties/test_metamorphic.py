"""What must change no finding: other ids, another layout of the JSON, another client at the same server."""

import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

Json = dict[str, Any]
Tree = Any  # Object, list, or the text of a scalar

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,"\s]+')
ID = re.compile(r'("id"\s*:\s*)("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)')
BLANKS = ("", "", " ", "\t", "  ", "\r")
SHIFT = 70_000  # what is added to a number
EXACT = 2**53 - SHIFT  # beyond it, numbers are left alone
# Members that may name a request by its id, by what they are members of.
NAMES = {
    '"params"': ('"requestId"', '"progressToken"'),
    '"_meta"': ('"io.modelcontextprotocol/subscriptionId"', '"progressToken"'),
}


class Object(list):  # type: ignore[type-arg]
    """The members of a JSON object, in order: the text of a key, and a tree."""


def tree(text: str) -> Tree:
    """The JSON text as a tree whose scalars are as they were written."""
    tokens = (match[0] for match in TOKEN.finditer(text))
    return _value(next(tokens), tokens)


def _value(token: str, tokens: Iterator[str]) -> Tree:
    if token == "{":
        return Object(_members(tokens))
    return list(_elements(tokens)) if token == "[" else token


def _members(tokens: Iterator[str]) -> Iterator[tuple[str, Tree]]:
    for key in tokens:
        if key == "}":
            return
        if key != ",":
            next(tokens)  # the colon
            yield key, _value(next(tokens), tokens)


def _elements(tokens: Iterator[str]) -> Iterator[Tree]:
    for token in tokens:
        if token == "]":
            return
        if token != ",":
            yield _value(token, tokens)


def text_of(value: Tree, blank: Callable[[], str] = str) -> str:
    """The JSON text of a tree, with blanks between its tokens."""
    if isinstance(value, Object):
        members = (f"{blank()}{key}{blank()}:{blank()}{text_of(one, blank)}{blank()}" for key, one in value)
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(f"{blank()}{text_of(one, blank)}{blank()}" for one in value) + "]"
    return str(value)


def laid_out(text: str) -> str:
    """The same JSON with its members in another order and other blanks; equal texts stay equal."""
    chance = random.Random(zlib.crc32(text.encode()))
    return text_of(shuffled(tree(text), chance), lambda: chance.choice(BLANKS))


def shuffled(value: Tree, chance: random.Random) -> Tree:
    """The tree with the members of its objects in another order, where no key stands twice."""
    if not isinstance(value, Object):
        return [shuffled(one, chance) for one in value] if isinstance(value, list) else value
    members = Object((key, shuffled(one, chance)) for key, one in value)
    if len({json.loads(key) for key, _ in members}) == len(members):
        chance.shuffle(members)
    return members


class Ids:
    """The ids of a capture, and the same messages with others in their place."""

    def __init__(self, texts: list[str]) -> None:
        self._known: set[str] = set()
        for text in texts:
            self._known.update(_plain(id_) for _, id_ in ID.findall(text))

    def renamed(self, text: str) -> str:
        """The message, or batch, with other ids wherever one is named."""
        whole = tree(text)
        if isinstance(whole, Object):
            return text_of(self._renamed(whole, '"id"'))
        parts = [self._renamed(part, '"id"') for part in whole] if isinstance(whole, list) else whole
        return text_of(parts)

    def _renamed(self, value: Tree, *keys: str) -> Tree:
        if isinstance(value, Object):
            return Object(
                (key, self._new(one) if key in keys else self._renamed(one, *NAMES.get(key, ()))) for key, one in value
            )
        return [self._renamed(one) for one in value] if isinstance(value, list) else value

    def _new(self, scalar: Tree) -> Tree:
        known = isinstance(scalar, str) and _plain(scalar) in self._known
        return other(scalar) if known else scalar


def _plain(scalar: str) -> str:
    """The id without its type: "1", 1 and 1.0 must still look alike to who confuses them."""
    return scalar.strip('"').removesuffix(".0")


def other(scalar: Tree) -> Tree:
    """Another id of the same JSON type; digits in a string change as the number does."""
    if not isinstance(scalar, str):
        return scalar
    if scalar.startswith('"'):
        return f'"{_other_string(scalar[1:-1])}"'
    whole, point, rest = scalar.partition(".")
    if not re.fullmatch("-?[0-9]+", whole) or abs(int(whole)) > EXACT or rest.strip("0"):
        return scalar
    return f"{int(whole) + (SHIFT if int(whole) >= 0 else -SHIFT)}{point}{rest}"


def _other_string(content: str) -> str:
    if re.fullmatch("0|[1-9][0-9]*", content):
        return str(other(content))
    return f"id-{content}" if content else ""


def changed(lines: list[Any], change: Callable[[str], str]) -> list[Any]:
    """The capture with its messages changed, and with the sizes that the wire would then have had."""
    grown: Counter[tuple[str, str]] = Counter()  # bytes, by exchange and sender
    out = []
    for line in deepcopy(lines):
        if line.text is not None:
            line, before = replace(line, text=change(line.text)), line.text
            more = len(line.text.encode()) - len(before.encode())
            line.fields["size"] += more
            grown[line.fields.get("x", ""), line.fields["from"]] += more
        out.append(line)
    for line in out:
        side = {"request": "client", "response": "server", "close": "server"}.get(line.fields["type"])
        if more := grown[line.fields.get("x", ""), side or ""]:
            _grow(line.fields, more)
    return out


def _grow(fields: Json, more: int) -> None:
    if fields.get("body_size") is not None:
        fields["body_size"] += more
    for header in fields.get("headers", ()):
        if header[0].lower() == "content-length" and header[1].isdecimal():
            header[1] = str(int(header[1]) + more)


def with_other_ids(lines: list[Any]) -> list[Any]:
    """The capture with other ids, also in texts that are no JSON and in the heads of cut messages.

    A capture with bytes that are no text is left as it is: they may hold ids.
    """
    if any("b64" in line.fields for line in lines):
        return lines
    lines = deepcopy(lines)
    ids = Ids([line.text or line.fields.get("raw", "") for line in lines])
    for line in lines:
        if line.fields["type"] == "text":
            before = line.fields["raw"]
            line.fields["raw"] = ID.sub(lambda found: found[1] + other(found[2]), before)
            line.fields["size"] += len(line.fields["raw"]) - len(before)
        if "id" in line.fields.get("head", ()):
            line.fields["head"]["id"] = json.loads(other(json.dumps(line.fields["head"]["id"])))
    return changed(lines, ids.renamed)


def test_ids_become_others_of_their_type() -> None:
    """Wherever a message names a request; what is no id of the capture stays."""
    ids = Ids(['{"id":1}', '{"id":"a"}'])
    assert [other(one) for one in ("7", '"7"', "1.0", "-3", '"a"', '""', "1.5", "null")] == [
        "70007", '"70007"', "70001.0", "-70003", '"id-a"', '""', "1.5", "null"
    ]  # fmt: skip
    assert ids.renamed('[{"id":1,"result":{"id":1}}]') == '[{"id":70001,"result":{"id":1}}]'
    assert ids.renamed('{"params":{"requestId":"a","x":1}}') == '{"params":{"requestId":"id-a","x":1}}'
    assert ids.renamed('{"params":{"requestId":"b"}}') == '{"params":{"requestId":"b"}}'


def test_another_layout_says_the_same() -> None:
    """Equal as JSON, another text, the same each time; members of one key keep their order."""
    text = '{"a":[1.50,{"b":"\\ud800 ","c":null}],"d":{},"e":1e999,"f":"x"}'
    assert laid_out(text) == laid_out(text) != text
    assert json.loads(laid_out(text)) == json.loads(text)
    assert re.sub(r"\s", "", laid_out('{"a":1,"a":2}')) == '{"a":1,"a":2}'


def test_other_ids_change_no_finding(unequal: Any) -> None:
    """Every id renamed one to one within its JSON type."""
    assert unequal(with_other_ids) == []


def test_another_layout_changes_no_finding(unequal: Any) -> None:
    """Members in another order and other blanks between the tokens."""
    assert unequal(lambda lines: changed(lines, laid_out)) == []
