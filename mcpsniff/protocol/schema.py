"""Does the body of a message have the shape that its revision gives it?

Validators by (revision, table, method) over the generated shapes of schemas/, compiled at first use. Unknown
members and formats are ignored, 1.0 is an integer. Which rule is about a flaw is not known here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any

from .revisions import REVISIONS

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError

REQUESTS, NOTIFICATIONS, RESULTS = "requests", "notifications", "results"  # tables of a shape file
MANY = 20  # flaws given of one body
LOOKED_AT = 1_000  # errors of one body
NOTHING = re.compile(r"(?!)")  # no place is left out


@dataclass(frozen=True, slots=True)
class Flaw:
    """One place where a value is not what a schema asks for."""

    where: str  # JSON pointer; of the absent member where one is missing
    why: str  # the rest of a sentence that begins with the place

    def __str__(self) -> str:
        return f"{self.where or 'the whole value'} {self.why}"


class Unjudged(ValueError):
    """The validator cannot take this value (an unpaired surrogate, extreme nesting)."""


def faults(
    table: str, method: str, revision: str | None, body: dict[str, Any], left: Mapping[str, re.Pattern[str]]
) -> dict[tuple[Flaw, ...], list[str]]:
    """Gives the flaws of `{"params": …}` or `{"result": …}`, with the revisions in which just these are flaws.

    `left` holds, from a revision on, the places that are left out. Where the revision is not known (None) every one
    that defines the method is asked. Raises Unjudged.
    """
    if revision is not None and _fits(_validator(revision, table, method), body):
        return {}
    out: dict[tuple[Flaw, ...], list[str]] = {}
    for candidate in REVISIONS if revision is None else (revision,):
        elsewhere = left[max(since for since in left if since <= candidate)]
        found = flaws(table, method, candidate, body, elsewhere)
        if found:
            out.setdefault(tuple(found), []).append(candidate)
    return out


def _fits(validator: Any, body: dict[str, Any]) -> bool:
    """Whether a body surely has no flaws: much faster than asking for them."""
    try:
        return validator is None or validator.is_valid(body)
    except ValueError:
        return False


def flaws(table: str, method: str, revision: str, body: dict[str, Any], left: re.Pattern[str] = NOTHING) -> list[Flaw]:
    """Gives the flaws of a body in one revision; none where the revision does not have the method."""
    validator = _validator(revision, table, method)
    return [] if validator is None else flaws_of(validator, body, left)


def defines(table: str, method: str, revision: str) -> bool:
    """Whether a revision gives this method a shape."""
    return method in _shapes(revision).get(table, {})


def flaws_of(validator: Any, value: Any, left: re.Pattern[str] = NOTHING) -> list[Flaw]:
    """Gives at most MANY flaws, by place; raises Unjudged where the validator cannot take the value."""
    if _fits(validator, value):
        return []
    try:
        flaws = (flaw_of(error) for error in islice(validator.iter_errors(value), LOOKED_AT))
        found = list(islice((flaw for flaw in flaws if not left.match(flaw.where)), MANY))
    except ValueError as refused:
        raise Unjudged(str(refused).partition("\n")[0]) from None
    return sorted(found, key=lambda flaw: flaw.where)


@cache
def _shapes(revision: str) -> dict[str, Any]:
    file = resources.files(f"{__package__}.schemas") / f"{revision}.json"
    return json.loads(file.read_bytes()) if file.is_file() else {}


@cache  # bounded: only what the tables define gets here
def _known(revision: str, table: str, method: str) -> Draft202012Validator:
    from jsonschema_rs import Draft202012Validator

    shapes = _shapes(revision)
    return Draft202012Validator({**shapes[table][method], "$defs": shapes["$defs"]}, validate_formats=False)


def _validator(revision: str, table: str, method: str) -> Draft202012Validator | None:
    return _known(revision, table, method) if defines(table, method, revision) else None


def pointer(*parts: object) -> str:
    """Gives the JSON pointer (RFC 6901) that goes down these names and indices."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)


# errors in our words


def flaw_of(error: ValidationError) -> Flaw:
    """Gives place and reason of one validation error."""
    where = pointer(*error.instance_path)
    kind = error.kind
    if kind.name == "required":
        return Flaw(where + pointer(kind.as_dict()["property"]), "is missing")
    return Flaw(where, _WORDS.get(kind.name, _unworded)(kind.name, kind.as_dict()))


def _types(_: str, facts: dict[str, Any]) -> str:
    return f"is not of type {' or '.join(facts['types'])}"


def _enum(_: str, facts: dict[str, Any]) -> str:
    return f"is none of {_short(facts['options'])}"


def _constant(_: str, facts: dict[str, Any]) -> str:
    return f"is not {_short(facts['expected_value'])}"


def _choice(_: str, facts: dict[str, Any]) -> str:
    """A choice fails in every branch; the first flaw of each says most."""
    firsts = [str(flaw_of(branch[0])) for branch in facts.get("context", ()) if branch]
    return f"fits none of its forms ({'; '.join(firsts)})" if firsts else "fits none of its forms"


def _unworded(name: str, facts: dict[str, Any]) -> str:
    limits = ", ".join(_short(value) for value in facts.values() if isinstance(value, (int, float, str)))
    return f"breaks {name} {limits}".rstrip()


_WORDS: dict[str, Callable[[str, dict[str, Any]], str]] = {
    "type": _types,
    "enum": _enum,
    "const": _constant,
    "anyOf": _choice,
}


def _short(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:59] + "…"


__all__ = [
    "NOTIFICATIONS", "REQUESTS", "RESULTS", "Flaw", "Unjudged", "defines", "faults", "flaw_of", "flaws", "flaws_of",
    "pointer",
]  # fmt: skip
