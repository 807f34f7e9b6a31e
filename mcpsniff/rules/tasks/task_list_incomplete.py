"""Lists that lack a task."""

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import Call, Found, Message, Rule, Session, quote

from ._pages import OLD, TASKS
from ._parties import holder


class TaskListIncomplete(Rule):
    """A complete run of tasks/list lacks a task that tasks/get found before and after it.

    ## Why it matters
    A client that lost the id of its task looks for it in the list, and finds nothing.

    ## How to fix
    List every task that the caller may fetch; where a page is full, end it with nextCursor.

    ## When it stays silent
    The run was not complete, or the task was made, or fetched, only while it ran; other credentials.
    """

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
        walk = self.session.lists.last_complete("tasks/list")
        if call is None or task is None or walk is None or message.kind is not Kind.RESULT or not task.got:
            return
        page = walk.pages[-1][2]
        lacks = task.id not in walk.names() and (page.seq, task.id) not in self._told
        around = task.got[0] < walk.asked and call.seq > page.seq
        same = page.sender == message.sender and holder(page.exchange) == holder(message.exchange)
        if lacks and around and same:
            self._told.add((page.seq, task.id))
            text = f"the list lacks task {quote(task.id)}, which was there before and after"
            yield self.found(page, text, related=[task.got[0], message.seq], where="/result/tasks")
