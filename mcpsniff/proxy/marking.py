"""Which flow of mitmproxy an exchange of the capture is, and when something is said of it.

Faults are put to a flow when its exchange is over, findings of rules when they come.
"""

from weakref import WeakValueDictionary

from mitmproxy import ctx, http
from mitmproxy.hooks import UpdateHook

from mcpsniff.capture.body import Entry
from mcpsniff.proxy import remarks
from mcpsniff.proxy.faults import Faults
from mcpsniff.proxy.findings import Follower, Told, follow
from mcpsniff.proxy.view import refresh


class Marking:
    """Marks and comments the flows of one capture."""

    def __init__(self) -> None:
        self._faults: dict[str, Faults] = {}  # of the exchanges that are not over
        self._flows: WeakValueDictionary[str, http.HTTPFlow] = WeakValueDictionary()  # those that mitmproxy still has
        self._follower: Follower | None = None

    def follow(self, path: str, capture: str) -> None:
        """Has rules judge the capture, where somebody looks at the flows."""
        if ctx.master.addons.get("view") is not None:
            self._follower = follow(path, capture, self._hear)

    def end(self) -> None:
        """Lets no rule judge any more."""
        if self._follower is not None:
            self._follower.end()

    def begin(self, x: str, flow: http.HTTPFlow) -> None:
        """An exchange begins."""
        remarks.forget(flow)
        self._faults[x] = Faults()
        if self._follower is not None:
            self._flows[x] = flow

    def see(self, entry: Entry) -> None:
        """Takes an entry of the capture."""
        faults = self._faults.get(str(entry.fields.get("x")))
        if faults is not None:
            faults.see(entry)

    def forget(self, x: str) -> None:
        """It is none of MCP."""
        del self._faults[x]
        self._flows.pop(x, None)

    def conclude(self, x: str, flow: http.HTTPFlow) -> None:
        """It is over."""
        remarks.fault(flow, self._faults.pop(x).found)

    def _hear(self, told: list[Told]) -> None:
        """Puts what came to its flows, and has them shown anew."""
        changed: dict[str, http.HTTPFlow] = {}
        for x, finding, withdrawn in told:
            flow = self._flows.get(x)
            if flow is not None:
                (remarks.withdraw if withdrawn else remarks.find)(flow, finding)
                changed[flow.id] = flow
        if changed:
            ctx.master.addons.trigger(UpdateHook(list(changed.values())))
            focused = ctx.master.addons.get("view").focus.flow
            if focused is not None and focused.id in changed:
                refresh()
