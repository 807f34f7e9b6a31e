"""The server's process: started as the client would have started it, watched, and imitated in how it ended.

What Python changes in its own process is not handed on: ignored signals, the locale variable that it sets in the
C locale. Everything the client meant the server to inherit (descriptors, working directory) it does inherit.
"""

import _signal  # type: ignore[import-not-found]  # the C module: `signal` would import enum
import os
import sys

PASSED_ON = (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP)
_IGNORED_BY_PYTHON = (_signal.SIGPIPE, _signal.SIGXFSZ)


def hold_signals() -> set[int]:
    """Blocks the signals that are passed on, from now on fetched by `sigwait`; the mask as it was."""
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)  # ignored, it would take the exit status away
    before: set[int] = _signal.pthread_sigmask(_signal.SIG_BLOCK, PASSED_ON)
    return before


class Server:
    """The running server with our ends of its three pipes. Raises OSError where it cannot be started."""

    def __init__(self, command: list[str], mask: set[int]):
        self.gone = False  # it has ended and its pid may be somebody else's
        their_stdin, self.stdin = os.pipe()
        self.stdout, their_stdout = os.pipe()
        self.stderr, their_stderr = os.pipe()
        theirs = (their_stdin, their_stdout, their_stderr)
        self.pid = os.posix_spawnp(
            command[0],
            command,
            environment(),
            file_actions=[(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(theirs)],
            setsigdef=_IGNORED_BY_PYTHON,
            setsigmask=mask,
        )
        for fd in theirs:
            os.close(fd)

    def wait(self) -> int:
        """Waits for its end: its exit code, or the negative number of the signal that it died of."""
        _, status = os.waitpid(self.pid, 0)
        self.gone = True
        return os.waitstatus_to_exitcode(status)

    def signal(self, number: int) -> None:
        """Sends it a signal, if it is still there and lets us."""
        if not self.gone:
            try:  # noqa: SIM105  contextlib would have to be imported
                os.kill(self.pid, number)
            except OSError:
                pass


def environment(path: str = "/proc/self/environ") -> dict[bytes, bytes]:
    """The environment that this process was started with, as the kernel keeps it."""
    try:
        with open(path, "rb") as file:
            pairs = [entry.split(b"=", 1) for entry in file.read().split(b"\0") if b"=" in entry]
        return {name: value for name, value in pairs}
    except OSError:
        return _environment_without_coercion()


def _environment_without_coercion() -> dict[bytes, bytes]:
    ours = dict(os.environb)
    # Started in the C locale, Python sets LC_CTYPE (PEP 538) and turns its UTF-8 mode on.
    if sys.flags.utf8_mode and ours.get(b"LC_CTYPE") in (b"C.UTF-8", b"C.utf8", b"UTF-8"):
        del ours[b"LC_CTYPE"]
    return ours


def leave_like(code: int) -> None:
    """Ends this process with the exit code, or by the signal, that `Server.wait` told."""
    if code < 0:
        _no_core_of_ours()
        if -code != _signal.SIGKILL:
            _signal.signal(-code, _signal.SIG_DFL)
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [-code])
        os.kill(os.getpid(), -code)
        code = 128 - code  # the first process of a container does not die of its own signal
    os._exit(code)


def _no_core_of_ours() -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
