"""Which rules take part, and how loud they are: by id, family or glob, as the user said.

Choosing never changes what is found, only what is shown: a rule that a chosen one yields to is bound with it, so that
ignoring the specific rule does not bring the general one to life.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache

from mcpsniff.errors import McpsniffError

from .catalogue import by_id
from .rule import SEVERITIES, Rule

DEFAULT_TIERS = (1, 2)
ALL_TIERS = (1, 2, 3)
READINESS = 4  # the tier of what the next revision asks for


@dataclass(frozen=True, slots=True)
class Selection:
    """What takes part; patterns are ids, families, or globs over ids."""

    tiers: tuple[int, ...] = DEFAULT_TIERS
    select: tuple[str, ...] = ()  # none: all; an id named here takes part whatever its tier
    ignore: tuple[str, ...] = ()  # wins over `select`
    severity: tuple[tuple[str, str], ...] = ()  # (id, severity) that replaces the rule's own
    source: str | None = None  # the file that said so

    def __post_init__(self) -> None:
        """Raises McpsniffError where a pattern names no rule, or a severity is none."""
        for pattern in (*self.select, *self.ignore, *(id_ for id_, _ in self.severity)):
            if not _named(pattern):
                raise McpsniffError(_unknown(pattern))
        for id_, severity in self.severity:
            if severity not in SEVERITIES:
                raise McpsniffError(f"{severity} is no severity for {id_}: say error, warning or info.")

    @property
    def shown(self) -> frozenset[str]:
        """The ids of the rules whose findings are shown."""
        return _shown(self)

    @property
    def bound(self) -> frozenset[str]:
        """The ids of the rules that watch: those shown, and those to which they yield."""
        return _bound(self)

    def severity_of(self, id_: str, own: str) -> str:
        """The severity of a finding, where `own` is what the rule says."""
        for pattern, severity in reversed(self.severity):
            if id_ in _named(pattern):
                return severity
        return own


@cache
def _shown(selection: Selection) -> frozenset[str]:
    if not selection.tiers:
        return frozenset()
    wanted = {id_ for id_, rules in by_id().items() if rules[0].tier in selection.tiers}
    if selection.select:
        wanted &= _all(selection.select)
        wanted |= by_id().keys() & set(selection.select)
    return frozenset(wanted - _all(selection.ignore))


@cache
def _bound(selection: Selection) -> frozenset[str]:
    bound: set[str] = set()
    ahead = list(selection.shown)
    while ahead:
        id_ = ahead.pop()
        if id_ not in bound:
            bound.add(id_)
            ahead += [better for better in _yields_to(id_) if by_id()[better][0].tier in selection.tiers]
    return frozenset(bound)


def _yields_to(id_: str) -> Iterator[str]:
    for rule in by_id()[id_]:
        yield from (better for better in rule.yields_to if better in by_id())


def _all(patterns: Iterable[str]) -> set[str]:
    return {id_ for pattern in patterns for id_ in _named(pattern)}


@cache
def _named(pattern: str) -> frozenset[str]:
    """Gives the ids that a pattern names: its own, those of a family, or those that a glob matches."""
    return frozenset(id_ for id_, rules in by_id().items() if _fits(pattern, id_, rules[0]))


def _fits(pattern: str, id_: str, rule: type[Rule]) -> bool:
    return pattern in (id_, rule.family) or fnmatchcase(id_, pattern)


def _unknown(pattern: str) -> str:
    families = {rules[0].family for rules in by_id().values()}
    near = get_close_matches(pattern, [*by_id(), *families], n=1)
    hint = f"did you mean {near[0]}?" if near else "`mcpsniff rules` lists them."
    return f"{pattern} names no rule, no family, and matches no id: {hint}"


DEFAULT = Selection()
EVERYTHING = Selection((*ALL_TIERS, READINESS))
NOTHING = Selection(())
