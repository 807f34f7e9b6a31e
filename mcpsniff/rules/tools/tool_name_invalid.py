"""A tool's name breaks the naming advice."""

import re

from mcpsniff.rules.rule import SERVER, WARNING, Call, Found, Message, Rule, Session, quote

NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
KEPT = 10_000  # names that are not said again


class ToolNameInvalid(Rule):
    """A tool name is empty, longer than 128 characters, or holds something other than A–Z a–z 0–9 _ - and the dot.

    ## Why it matters
    Model providers accept few characters in tool names; clients rename or drop such a tool.

    ## How to fix
    Use a plain name; what people shall read goes into `title`.

    ## When it stays silent
    Before 2025-11-25 there was no such advice. Titles, prompts and resources are free. Each name is said once.
    """

    title = "Tool name breaks the naming advice"
    severity = {"2025-11-25": WARNING}
    violator = SERVER
    since = "2025-11-25"
    spec = {"2025-11-25": "server/tools#tool-names"}
    methods = ("tools/list",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._said: set[str] = set()

    def on_answer(self, message: Message, call: Call | None) -> Found:
        tools = message.result.get("tools")
        for index, tool in enumerate(tools if isinstance(tools, list) else ()):
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(name, str) and not NAME.fullmatch(name) and self._is_new(name):
                text = f"tool name {quote(name)}" + (f" ({len(name)} characters)" if len(name) > 128 else "")
                yield self.found(message, text, where=f"/result/tools/{index}/name")

    def _is_new(self, name: str) -> bool:
        new = name not in self._said
        if len(self._said) < KEPT:
            self._said.add(name)
        return new
