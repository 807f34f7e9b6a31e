"""Which lists come in pages, and which cursors nobody issued; shared by the rules of this folder."""

import re

from mcpsniff.protocol.message import OTHER, Kind, Message
from mcpsniff.protocol.revisions import LISTS
from mcpsniff.protocol.session import Session

PAGED = tuple(method for method in LISTS if method != "roots/list")
_SAYS_CURSOR = re.compile(r"\bcursor", re.IGNORECASE)


def cursor_of(request: Message) -> str | None:
    """Gives the cursor that a request carries."""
    cursor = request.params.get("cursor")
    return cursor if isinstance(cursor, str) else None


def unissued(session: Session, request: Message) -> str | None:
    """Gives the cursor of a request where no page of its list has offered it, as far as was seen."""
    cursor = cursor_of(request)
    return cursor if (request.method or "", cursor) not in session.lists.cursors else None


def pages_known(session: Session, request: Message) -> bool:
    """Whether a page of the list cannot have been missed: then an unknown cursor was never issued."""
    answerer = OTHER[request.sender]
    known = session.whole and not session.lists.cursors.dropped and not session.unreadable[answerer]
    seen = request.exchange is None or session.opened or session.lists.walked(request.method or "")
    return known and seen and not session.clipped[(answerer, Kind.RESULT)]


def speaks_of_cursor(error: Message) -> bool:
    """Whether the message of an error names the cursor."""
    return bool(_SAYS_CURSOR.search(str(error.error.get("message"))))
