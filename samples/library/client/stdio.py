"""The stdio transport of the client: starts the server, speaks with it line by line, and ends it in order."""

import contextlib
import subprocess
import threading
from collections.abc import Callable, Sequence

from library.client.transport import ClientError, Pending, Waiting
from library.jsonrpc import Message, RpcError, checked, decode, encode, is_response

PATIENCE = 2.0  # seconds that the server gets to end by itself, and again after SIGTERM


class StdioTransport:
    """One server process."""

    closing_cancels = False

    def __init__(self, command: Sequence[str]) -> None:
        self.on_message: Callable[[Message], None] = lambda message: None
        self._waiting = Waiting()
        self._lock = threading.Lock()
        if not command:
            raise ClientError("After --stdio comes the command that starts the server.")
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as problem:
            raise ClientError(f"{command[0]} cannot be started: {problem.strerror}.") from problem
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def start(self, request: Message) -> Pending:
        """Sends a request and returns at once."""
        pending = self._waiting.add(request["id"])
        self.send(request)
        return pending

    def send(self, message: Message) -> None:
        """Writes one line."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            with self._lock:
                stdin.write(encode(message) + b"\n")
                stdin.flush()
        except OSError:
            self._reader.join(PATIENCE)  # the end of stdout tells everybody who waits

    def begin_session(self, initialize: Pending, revision: str) -> None:
        """Has nothing to take over: the process is the session."""

    def open_standing_stream(self) -> None:
        """Has nothing to open: everything arrives on stdout."""

    def older(self) -> None:
        """Has none: there is one stdio transport."""

    def close(self) -> None:
        """Closes the server's stdin, and terminates it only if it does not end by itself."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended already
            self._process.stdin.close()
        for force in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(PATIENCE)
                break
            except subprocess.TimeoutExpired:
                force()
        self._process.wait()
        self._reader.join(PATIENCE)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                message = checked(decode(line))
            except RpcError:
                continue  # no message: some servers print things, and a client had better live with it
            take = self._waiting.take if is_response(message) else self.on_message
            take(message)
        self._waiting.lose(ClientError("The server has ended without answering."))
