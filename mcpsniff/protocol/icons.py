"""Icons that messages name (2025-11-25 basic/index, Icons): of tools, prompts and resources, and of programs.

Finds them; what a good address is, and whether anybody fetches it, is for the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .calls import Call
from .message import Kind, Message
from .revisions import LISTS, META_CLIENT_INFO, META_SERVER_INFO

Icon = dict[str, Any]


def program(message: Message, call: Call) -> tuple[str, Any]:
    """Gives the place where a request or a result says what program sent it, and what it says there (or None)."""
    opening = call.method == "initialize"
    if message.kind is Kind.REQUEST:
        info = message.params.get("clientInfo") if opening else message.meta.get(META_CLIENT_INFO)
        return "/params/clientInfo" if opening else f"/params/_meta/{_escaped(META_CLIENT_INFO)}", info
    info = message.result.get("serverInfo") if opening else message.meta.get(META_SERVER_INFO)
    return "/result/serverInfo" if opening else f"/result/_meta/{_escaped(META_SERVER_INFO)}", info


def listed(message: Message, call: Call) -> Iterator[tuple[str, Any]]:
    """Gives place and value of each entry of a list result."""
    member = LISTS.get(call.method, "")
    items = message.result.get(member)
    for index, item in enumerate(items if isinstance(items, list) else ()):
        yield f"/result/{member}/{index}", item


def icons_of(item: Any, where: str) -> Iterator[tuple[str, Icon]]:
    """Gives place and value of each icon of a program or an entry."""
    icons = item.get("icons") if isinstance(item, dict) else None
    for index, icon in enumerate(icons if isinstance(icons, list) else ()):
        if isinstance(icon, dict):
            yield f"{where}/icons/{index}", icon


def addresses(message: Message, call: Call) -> Iterator[str]:
    """Gives the addresses of all icons that a result of the server names."""
    for where, item in (program(message, call), *listed(message, call)):
        for _, icon in icons_of(item, where):
            if isinstance(icon.get("src"), str):
                yield icon["src"]


def _escaped(name: str) -> str:
    return name.replace("/", "~1")
