"""Finds the captures that a name stands for, also those that come later, and tells what is new in them.

Asked again and again; waits for nothing and starts no thread.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator, Sequence

from mcpsniff.capture.records import Capture
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.selection import Selection

from .events import Event, Refused
from .followed import Followed
from .tail import has_ended, header_of

Listing = Callable[[], Sequence[str]]  # the files that may be captures, now
Choose = Callable[[str], Selection]  # the rules for a file's capture
Found = tuple[str, Capture]  # a file and its header

_PART = re.compile(r"(.*-)([0-9]{5})(\.[^/]*)")  # a part's name around its number


class Follower:
    """Follows captures; `past`: also those that had ended before the first look."""

    def __init__(self, listing: Listing, choose: Choose, *, past: bool) -> None:
        self._listing = listing
        self._choose = choose
        self._past = past
        self._known: set[tuple[str, int, int]] = set()  # files by name, device and inode: names are used again
        self._foreign: set[tuple[str, int, int]] = set()  # parts of what is not followed
        self._followed: list[Followed] = []

    def events(self) -> Iterator[Event]:
        """Gives what is new; to be asked to its end, then again."""
        found, refused = self._look()
        yield from refused
        for path, header in sorted(found, key=lambda one: one[1].part or 1):
            self._take(path, header)
        for one in self._followed:
            yield from one.events()
        self._followed = [one for one in self._followed if not one.over]

    def finish(self) -> Iterator[Event]:
        """Ends all that is followed."""
        for one in self._followed:
            yield from one.finish()

    def _look(self) -> tuple[list[Found], list[Refused]]:
        """Gives the files that were not there before, with their headers."""
        found: list[Found] = []
        refused: list[Refused] = []
        for path in dict.fromkeys((*self._listing(), *self._next_parts())):
            file = _identity(path)
            if file is None or file in self._known:
                continue
            try:
                header = header_of(path)
            except McpsniffError as error:
                refused.append(Refused(str(error)))
            else:
                if header is None:
                    continue
                found.append((path, header))
            self._known.add(file)
        return found if self._past else self._lasting(found), refused

    def _lasting(self, found: list[Found]) -> list[Found]:
        """Gives those files whose capture had not ended; from the second look on all count."""
        self._past = True
        ended = [header for path, header in found if has_ended(path)]
        ids = {header.id for header in ended if header.id}
        return [(path, header) for path, header in found if header not in ended and header.id not in ids]

    def _next_parts(self) -> Iterator[str]:
        """Gives the next parts of what is followed; names may also hold the time at which a part begins."""
        for one in self._followed:
            named = _PART.fullmatch(one.path)
            if named is not None:
                ending = f"-{int(named[2]) + 1:05}{named[3]}"
                pattern = os.path.join(glob.escape(os.path.dirname(one.path)), f"*{glob.escape(ending)}*")
                yield from (path for path in glob.glob(pattern) if self._is_part(path))

    def _is_part(self, path: str) -> bool:
        """Whether a file is of what is followed; one that is not is not looked into again."""
        file = _identity(path)
        if file is None or file in self._known or file in self._foreign:
            return False
        try:
            header = header_of(path)
            own = header is None or any(one.belongs(header) for one in self._followed)
        except McpsniffError:
            own = False
        if not own:
            self._foreign.add(file)
        return own

    def _take(self, path: str, header: Capture) -> None:
        for one in self._followed:
            if one.belongs(header):
                one.goes_on(path, header)
                return
        self._followed.append(Followed(path, header, self._choose(path)))


def _identity(path: str) -> tuple[str, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (path, found.st_dev, found.st_ino)
