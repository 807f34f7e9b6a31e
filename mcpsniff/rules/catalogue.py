"""All rules: found in their folders, named by their files, looked up by id or by what they subscribe to."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from mcpsniff.protocol.revisions import MODERN

from .rule import Rule

EVENTS = (
    "on_text",
    "on_torn",
    "on_doubled",
    "on_batch",
    "on_object",
    "on_request",
    "on_notification",
    "on_answer",
    "on_task",
    "on_content",
    "on_input_request",
    "on_input_response",
    "on_reply",
    "on_close",
    "on_sse",
    "on_event",
    "on_challenge",
    "on_oauth",
    "on_aside",
    "on_stderr",
    "on_end",
)


@cache
def load() -> tuple[type[Rule], ...]:
    """Gives every rule class, by family and file; raises where two files claim one id."""
    rules = [rule for module in _modules() for rule in _rules_of(module)]
    homes: dict[str, str] = {}
    for rule in rules:
        if homes.setdefault(rule.id, rule.__module__) != rule.__module__:
            raise ValueError(f"rule {rule.id} stands in {homes[rule.id]} and in {rule.__module__}")
    return tuple(rules)


@cache
def by_id() -> dict[str, tuple[type[Rule], ...]]:
    """Gives the classes of each id: one, or one an era where the condition differs."""
    out: dict[str, tuple[type[Rule], ...]] = {}
    for rule in load():
        out[rule.id] = (*out.get(rule.id, ()), rule)
    return out


@cache
def subscribers(
    event: str, method: str | None, transport: str, ids: frozenset[str], revision: str | None = None
) -> tuple[type[Rule], ...]:
    """Gives the rules of `ids` that handle an event of a method on a transport (`stdio` or `http`), in catalogue order.

    Where the revision of the exchange is settled, rules that are not for it are left out.
    """
    return tuple(
        rule
        for rule in load()
        if rule.id in ids
        and hasattr(rule, event)
        and (not rule.methods or event == "on_end" or method in rule.methods)
        and _reaches(rule, transport, revision)
    )


def _reaches(rule: type[Rule], transport: str, revision: str | None) -> bool:
    carriers = ("http", "http+sse") if transport.startswith("http") else (transport,)
    if revision is None or rule.transport == "http+sse":
        return any(rule.carried_by(carrier, era) for carrier in carriers for era in ("legacy", "modern"))
    era = "modern" if revision == MODERN else "legacy"
    return rule.applies(revision) and any(rule.carried_by(carrier, era) for carrier in carriers)


def _modules() -> Iterator[ModuleType]:
    package = import_module(__package__)
    for family in pkgutil.iter_modules(package.__path__, f"{__package__}."):
        if family.ispkg:
            path = import_module(family.name).__path__
            for room in pkgutil.iter_modules(path, f"{family.name}."):
                if not room.name.rpartition(".")[2].startswith("_"):
                    yield import_module(room.name)


def _rules_of(module: ModuleType) -> Iterator[type[Rule]]:
    *_, family, stem = module.__name__.split(".")
    for rule in vars(module).values():
        if isinstance(rule, type) and issubclass(rule, Rule) and rule.__module__ == module.__name__:
            if rule.__name__.startswith("_"):
                continue
            rule.id = rule.__dict__.get("id") or stem.replace("_", "-")
            rule.family = family.replace("_", "-")
            yield rule
