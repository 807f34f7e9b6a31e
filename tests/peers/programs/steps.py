"""Plays the steps of a job with a client of either Python SDK, and says what the client made of them.

A step is a method of the client with its arguments, or one of `watch TOOL ARGUMENTS` (call it and follow its progress),
`weigh TOOL ARGUMENTS` (call it, and tell the length and the SHA-256 of the text that it gives), `abandon TOOL` (call
it, and give up at its first progress), `heard METHOD` (wait until such a notification has come), `stream` (wait for the
standing HTTP stream) and `listen STEP…` (while a subscription is open, which must bring news).
"""

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from pydantic import ValidationError

PATIENCE = 150.0  # seconds for a job; reached only when something is broken

Job = dict[str, Any]
Outcome = dict[str, Any]


class Heard:
    """What came without being asked for, by method."""

    def __init__(self) -> None:
        self.by_method: dict[str, list[Any]] = defaultdict(list)
        self._news = anyio.Event()
        self.stream = anyio.Event()  # an HTTP stream stands on which the server can speak without being asked

    async def __call__(self, message: Any) -> None:
        """Takes what the SDK hands to its message handler: notifications, and more that is left alone."""
        message = getattr(message, "root", message)
        method = getattr(message, "method", "")
        if method.startswith("notifications/"):
            self.by_method[method].append(dump(message.params))
            self._news.set()
            self._news = anyio.Event()

    async def answered(self, response: Any) -> None:
        """Takes the head of an HTTP response."""
        if response.request.method == "GET" and response.status_code == 200:
            self.stream.set()

    async def until(self, method: str) -> None:
        """Waits for the first of a method."""
        while not self.by_method[method]:
            await self._news.wait()


def dump(value: Any) -> Any:
    """The JSON form of what an SDK gives back."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if hasattr(value, "model_dump") else value


async def played(client: Any, heard: Heard, steps: list[list[Any]]) -> list[Any]:
    """What came of each step."""
    return [await _play(client, heard, *step) for step in steps]


async def _play(client: Any, heard: Heard, what: str, *arguments: Any) -> Any:
    try:
        if what == "heard":
            return await heard.until(*arguments)
        if what == "stream":
            return await heard.stream.wait()
        if what == "abandon":
            return await _abandon(client, *arguments)
        if what == "listen":
            async with client.listen(resource_subscriptions=["note://today"]) as events:
                done = await played(client, heard, list(arguments))
                return [dump(events.honored), *done, type(await anext(events)).__name__]
        if what == "watch":
            return await _watch(client, *arguments)
        if what == "weigh":
            return await _weigh(client, *arguments)
        return dump(await getattr(client, what)(*arguments))
    except ValidationError as error:
        return {"refused by the client": error.title}
    except Exception as error:
        if not hasattr(error, "code") and not hasattr(error, "error"):
            raise
        refused = getattr(error, "error", error)
        return {"code": refused.code, "message": refused.message}


async def _watch(client: Any, name: str, arguments: dict[str, Any]) -> Any:
    steps: list[tuple[Any, ...]] = []

    async def progress(*step: Any) -> None:
        steps.append(step)

    result = await client.call_tool(name, arguments, progress_callback=progress)
    return {"result": dump(result), "progress": steps}


async def _weigh(client: Any, name: str, arguments: dict[str, Any]) -> Any:
    (content,) = (await client.call_tool(name, arguments)).content
    return [len(content.text), hashlib.sha256(content.text.encode()).hexdigest()]


async def _abandon(client: Any, name: str) -> str:
    with anyio.CancelScope() as scope:

        async def progress(*_: Any) -> None:
            scope.cancel()

        await client.call_tool(name, {}, progress_callback=progress)
    return "abandoned" if scope.cancelled_caught else "answered"


def serve(play: Callable[[Job], Awaitable[Outcome]]) -> None:
    """Plays jobs: a line on stdin holds jobs that are played side by side, a line on stdout their outcomes."""
    for line in sys.stdin:
        print(json.dumps(anyio.run(_side_by_side, play, json.loads(line))), flush=True)


async def _side_by_side(play: Callable[[Job], Awaitable[Outcome]], jobs: list[Job]) -> list[Outcome]:
    outcomes: list[Outcome] = [{} for _ in jobs]

    async def one(number: int) -> None:
        outcomes[number] = await _outcome(play, jobs[number])

    async with anyio.create_task_group() as group:
        for number in range(len(jobs)):
            group.start_soon(one, number)
    return outcomes


async def _outcome(play: Callable[[Job], Awaitable[Outcome]], job: Job) -> Outcome:
    try:
        with anyio.fail_after(PATIENCE):
            return await play(job)
    except Exception as error:
        cause = error
        while isinstance(cause, ExceptionGroup):
            cause = cause.exceptions[0]
        return {"failed": f"{type(cause).__name__}: {cause}"}
