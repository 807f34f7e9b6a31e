"""mitmproxy's events by a table, for the few addons of the engine: of an exchange's CPU its own walk takes a tenth.

mitmproxy asks each addon for each handler at each event, and then all of them again to tell its screens of a change;
the engine has no screens, and its addons are the same from the start to the end.
"""

import inspect
import logging
from collections.abc import Callable
from typing import Any

from mitmproxy.addonmanager import AddonManager, traverse
from mitmproxy.hooks import Hook
from mitmproxy.master import Master

log = logging.getLogger(__name__)


class Dispatcher(AddonManager):
    """mitmproxy's manager of addons, which looks each handler up once."""

    def __init__(self, master: Master) -> None:
        super().__init__(master)  # type: ignore[no-untyped-call]
        self._handlers: dict[str, list[Callable[..., Any]]] = {}  # by the event's name

    async def handle_lifecycle(self, event: Hook) -> None:
        """Has the addons handle an event, one after the other; what one of them raises is logged."""
        handlers = self._handlers.get(event.name)
        if handlers is None:
            handlers = self._handlers[event.name] = self._find(event.name)
        args = event.args()
        for handle in handlers:
            try:
                answer = handle(*args)
                if answer is not None and inspect.isawaitable(answer):
                    await answer
            except Exception as error:
                log.exception(f"Addon error: {error}")

    def _find(self, name: str) -> list[Callable[..., Any]]:
        return [handler for addon in traverse(self.chain) if callable(handler := getattr(addon, name, None))]
