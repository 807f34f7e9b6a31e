"""Lists of tasks, and who may see them (2025-11-25)."""

import json
from base64 import urlsafe_b64decode
from typing import Any

from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import CLIENT, Kind
from mcpsniff.protocol.revisions import LISTS, declares
from mcpsniff.rules.rule import HEURISTIC, SERVER, WARNING, Call, Found, Message, Rule, Session, quote

from ._pages import OLD, TASKS

LIST = "tasks/list"


class TaskListIncomplete(Rule):
    """A complete run of tasks/list lacks a task that tasks/get found before and after it.

    ## Why it matters
    A client that lost the id of its task looks for it in the list, and finds nothing.

    ## How to fix
    List every task that the caller may fetch; where a page is full, end it with nextCursor.

    ## When it stays silent
    The run was not complete, or the task was made, or fetched, only while it ran; other credentials.
    """

    id = "task-list-incomplete"
    title = "A task known to tasks/get is missing from tasks/list"
    tier = 2
    since = until = OLD
    spec = {OLD: f"{TASKS}#task-listing"}
    methods = ("tasks/get",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._told: set[tuple[int, str]] = set()  # (record of a run's last page, task)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        task = self.session.tasks.named(call) if call is not None else None
        walk = self.session.lists.last_complete(LIST)
        if call is None or task is None or walk is None or message.kind is not Kind.RESULT or not task.got:
            return
        page = walk.pages[-1][2]
        lacks = task.id not in walk.names() and (page.seq, task.id) not in self._told
        around = task.got[0] < walk.asked and call.seq > page.seq
        same = page.sender == message.sender and _holder(page.exchange) == _holder(message.exchange)
        if lacks and around and same:
            self._told.add((page.seq, task.id))
            text = f"the list lacks task {quote(task.id)}, which was there before and after"
            yield self.found(page, text, related=[task.got[0], message.seq], where="/result/tasks")


class TaskListExposed(Rule):
    """A server that cannot tell its clients apart offers them a list of all tasks.

    ## Why it matters
    Whoever reaches the server sees the tasks of everybody else, and may fetch their results.

    ## How to fix
    Ask for authorization, or do not declare `tasks.list`.

    ## When it stays silent
    On stdio, and where the client sends an Authorization header or a cookie. A server that only its own user can reach
    loses nothing by it.
    """

    id = "task-list-exposed"
    title = "Server offers tasks/list to clients it cannot identify"
    tier = 3
    severity = {OLD: WARNING}
    violator = SERVER
    transport = "http"
    confidence = HEURISTIC
    since = until = OLD
    spec = {OLD: f"{TASKS}#task-isolation-and-access-control"}
    methods = ("initialize",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        exchange = message.exchange
        if call is None or exchange is None or message.kind is not Kind.RESULT:
            return
        identified = exchange.header("authorization") is not None or exchange.header("cookie") is not None
        if not identified and declares(message.result.get("capabilities"), ("tasks", "list")):
            text = "tasks.list is declared to a client without any credentials"
            yield self.found(message, text, related=[call.seq], where="/result/capabilities/tasks/list")


class TaskCrossContext(Rule):
    """A task was shown to a client with other credentials than those it was made with.

    ## Why it matters
    One user reads, or stops, the work of another.

    ## How to fix
    Bind each task to the subject of the token that made it, and answer everybody else with -32602.

    ## When it stays silent
    Without authorization, and where both tokens name one subject. Tokens that cannot be read are compared as they are,
    so that a new token of the same user looks like another one.
    """

    id = "task-cross-context"
    title = "Task visible to a requestor with other credentials"
    tier = 3
    violator = SERVER
    transport = "http"
    confidence = HEURISTIC
    since = until = OLD
    spec = {OLD: f"{TASKS}#task-isolation-and-access-control"}
    methods = ("tasks/get", "tasks/result", "tasks/cancel", LIST)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.requester != CLIENT or message.kind is not Kind.RESULT:
            return
        asking = _holder(call.exchange)
        entries = message.result.get(LISTS[LIST]) if call.method == LIST else [call.request.params]
        for entry in entries if asking is not None and isinstance(entries, list) else ():
            made = self.session.tasks.announced(entry.get("taskId")) if isinstance(entry, dict) else None
            if made is not None and made.to is not None and _subject(made.to) != _subject(asking):
                text = f"task {quote(entry.get('taskId'))} was made with other credentials"
                yield self.found(message, text, related=[made.seq, call.seq])


def _holder(exchange: HttpExchange | None) -> str | None:
    return exchange.header("authorization") if exchange is not None else None


def _subject(authorization: str | None) -> Any:
    """Gives the subject (else the client) that a JWT names, or the whole value where it is none."""
    parts = (authorization or "").split(".")
    if len(parts) != 3:
        return authorization
    try:
        claims = json.loads(urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (ValueError, RecursionError):
        return authorization
    names = [claims.get(name) for name in ("sub", "client_id")] if isinstance(claims, dict) else []
    return next((name for name in names if isinstance(name, str)), authorization)
