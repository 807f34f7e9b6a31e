"""Which eras a server is built for: the one place where the three builds differ."""

from collections.abc import Callable, Iterable

from library.faults import modern_class
from library.jsonrpc import METHOD_NOT_FOUND, Message
from library.legacy import LegacySession
from library.modern import ModernServer
from library.revisions import LEGACY, MODERN
from library.service import Service

LEGACY_BUILD, MODERN_BUILD, DUAL_BUILD = ERAS = ("legacy", "modern", "dual")

# What a build names as the versions it speaks, newest first.
_VERSIONS = {MODERN_BUILD: MODERN, DUAL_BUILD: (*MODERN, *reversed(LEGACY))}


class Build:
    """A service built for one era or both; `modern` is None in a legacy build."""

    def __init__(
        self,
        service: Service,
        era: str,
        probe_answer: int | None = METHOD_NOT_FOUND,
        faults: Iterable[str] = (),
    ) -> None:
        self.speaks_legacy = era != MODERN_BUILD
        self.modern: ModernServer | None = None
        if era in _VERSIONS:
            self.modern = modern_class(faults)(service, _VERSIONS[era])
        self._service = service
        self._probe_answer = probe_answer

    def legacy_session(self, tell: Callable[[Message], None]) -> LegacySession:
        """Opens a conversation of the handshake era; `tell` takes what belongs to no request."""
        return LegacySession(self._service, tell, self._probe_answer)
