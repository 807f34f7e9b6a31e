"""The requestState of a request that waits for input: a seal over the request, not a place to look up.

The server remembers nothing: on the retry it makes the seal again from the request and compares. A state
that was changed, that is too old, or that belongs to another request does not fit.
"""

import base64
import hashlib
import hmac
import json
import secrets
import struct
import time
from collections.abc import Callable

from library.jsonrpc import Message

STATE_LIFETIME = 600  # seconds
_EXPIRY = struct.Struct(">Q")


class Seal:
    """Makes and checks states with a key of its own; servers behind one address would share the key."""

    def __init__(self, key: bytes | None = None, clock: Callable[[], float] = time.time) -> None:
        self._key = secrets.token_bytes(32) if key is None else key
        self._clock = clock

    def make(self, method: str, params: Message) -> str:
        """Returns a state for the request, good for STATE_LIFETIME seconds."""
        return self._sealed(int(self._clock()) + STATE_LIFETIME, method, params)

    def fits(self, state: object, method: str, params: Message) -> bool:
        """Tells whether the state was made here for this request and is still good."""
        try:
            raw = base64.urlsafe_b64decode(state) if isinstance(state, str) else b""
            (expiry,) = _EXPIRY.unpack_from(raw)
        except (ValueError, struct.error):
            return False
        sealed = self._sealed(expiry, method, params)
        return expiry > self._clock() and hmac.compare_digest(sealed.encode(), str(state).encode())

    def _sealed(self, expiry: int, method: str, params: Message) -> str:
        own = [params.get(key) for key in ("name", "uri", "arguments")]
        text = json.dumps([expiry, method, *own], sort_keys=True)
        digest = hmac.new(self._key, text.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(_EXPIRY.pack(expiry) + digest).decode()
