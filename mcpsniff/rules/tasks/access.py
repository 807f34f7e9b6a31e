"""Who may see a task, and who could guess its id."""

import json
from base64 import urlsafe_b64decode
from typing import Any

from mcpsniff.protocol.authorization import REDACTED
from mcpsniff.protocol.message import CLIENT, Kind
from mcpsniff.protocol.revisions import LISTS, declares
from mcpsniff.protocol.taskstates import Shown
from mcpsniff.rules.rule import HEURISTIC, SERVER, WARNING, Call, Found, Message, Rule, Session, quote

from ._pages import OLD, PROPOSAL, TASKS
from ._parties import holder

LIST = "tasks/list"
SHORT = 16  # characters of an id that can be guessed
ALIKE = 4  # characters in which guessable ids differ


class TaskIdGuessable(Rule):
    """Ids of tasks are short, count up, or differ in a few characters only.

    ## Why it matters
    Where nothing else protects a task, its id is the key: who guesses one reads the results of others.

    ## How to fix
    Use at least 128 random bits, such as a random UUID.

    ## When it stays silent
    Requests with an Authorization header: the server can tell whose task it is. On stdio a guess gains nobody
    anything; there the finding is for the day when the server goes online.
    """

    id = "task-id-guessable"
    title = "Task ids look guessable"
    tier = 3
    confidence = HEURISTIC
    since, until = OLD, "2026-07-28"
    spec = {
        OLD: f"{TASKS}#task-isolation-and-access-control",
        "2026-07-28": f"{PROPOSAL}#security-implications",
    }
    by_value = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._recent: list[str] = []  # ids, at most three

    def on_task(self, new: Shown) -> Found:
        if new.id is None or not new.new or holder(new.message.exchange) is not None:
            return
        self._recent = [*self._recent[-2:], new.id]
        why = self._weakness(new.id)
        if why is not None:
            yield self.found(new.message, f"task id {quote(new.id)} {why}", where=f"{new.where}/taskId")

    def _weakness(self, id_: str) -> str | None:
        if len(id_) < SHORT:
            return f"has {len(id_)} characters"
        if id_.isdigit():
            return "is a number"
        alike = len(self._recent) == 3 and len({len(one) for one in self._recent}) == 1
        same = sum(len(set(column)) == 1 for column in zip(*self._recent, strict=alike))
        return (
            f"differs from the two before it in {len(id_) - same} places"
            if alike and len(id_) - same <= ALIKE
            else None
        )


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
    so that a new token of the same user looks like another one; of redacted ones nothing is said.
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
        asking = holder(call.exchange)
        if asking is None:
            return
        entries = message.result.get(LISTS[LIST]) if call.method == LIST else [call.request.params]
        for entry in entries if isinstance(entries, list) else ():
            made = self.session.tasks.announced(entry.get("taskId")) if isinstance(entry, dict) else None
            if made is None or made.to is None or _subject(made.to) == _subject(asking):
                continue
            if REDACTED in made.to or REDACTED in asking:
                yield self.unchecked("the credentials are redacted")
                continue
            text = f"task {quote(entry.get('taskId'))} was made with other credentials"
            yield self.found(message, text, related=[made.seq, call.seq])


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
