"""The messages of a sampling request: their blocks, and how tool uses and tool results pair up (client/sampling)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcpsniff.rules.rule import quote

CREATE = "sampling/createMessage"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the history."""

    index: int
    role: Any
    blocks: list[dict[str, Any]]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """Gives the blocks of one type."""
        return [block for block in self.blocks if block.get("type") == kind]

    def ids(self, kind: str, member: str) -> list[str]:
        """Gives the ids that the blocks of one type carry."""
        return [one for block in self.of_type(kind) if isinstance(one := block.get(member), str)]


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Gives the blocks of a content member: one block, or a list of them."""
    return [block for block in (content if isinstance(content, list) else [content]) if isinstance(block, dict)]


def turns(params: dict[str, Any]) -> list[Turn]:
    """Gives the messages of a sampling request that are objects."""
    messages = params.get("messages")
    return [
        Turn(index, message.get("role"), blocks_of(message.get("content")))
        for index, message in enumerate(messages if isinstance(messages, list) else ())
        if isinstance(message, dict)
    ]


def mixed(params: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Gives each message that has tool results beside something else or in the wrong role, and why, in words."""
    for turn in turns(params):
        others = sorted({str(block.get("type")) for block in turn.blocks} - {"tool_result"})
        if len(turn.of_type("tool_result")) == 0:
            continue
        if others:
            yield turn.index, f"has tool results beside {quote(', '.join(others))}"
        elif turn.role == "assistant":
            yield turn.index, "has tool results, and its role is assistant"


def unbalanced(params: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Gives each message whose tool uses are not answered by the next one, or whose results answer none, and why."""
    history = turns(params)
    for before, turn in zip([None, *history], history, strict=False):
        used = before.ids("tool_use", "id") if before is not None and before.role == "assistant" else []
        wrong = _difference(used, turn.ids("tool_result", "toolUseId"))
        if wrong is not None:
            yield turn.index, wrong
        if len(set(used)) != len(used) and before is not None:
            yield before.index, f"uses the id {quote(_repeated(used))} twice"
    last = history[-1].ids("tool_use", "id") if history and history[-1].role == "assistant" else []
    if last:
        yield history[-1].index, f"is the last and uses a tool ({quote(last[0])}) that nothing answers"


def _difference(used: list[str], answered: list[str]) -> str | None:
    missing, extra = [one for one in used if one not in answered], [one for one in answered if one not in used]
    if missing:
        return f"does not answer the tool use {quote(missing[0])} of the message before it"
    if extra:
        return f"answers the tool use {quote(extra[0])}, which the message before it does not have"
    return f"answers the tool use {quote(_repeated(answered))} twice" if len(set(answered)) != len(answered) else None


def _repeated(ids: list[str]) -> str:
    return next(one for one in ids if ids.count(one) > 1)
