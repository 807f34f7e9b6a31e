"""The server cannot tell that wrap is there: it inherits what the client gave, and nothing of wrap's."""

import os
import re
import subprocess

import pytest

SIGNALS = ["grep", "^Sig[BIC]", "/proc/self/status"]

LOOKS = {
    "environment": ["cat", "/proc/self/environ"],
    "signals": SIGNALS,
    "descriptors": ["sh", "-c", "ls /proc/$$/fd"],
    "extra descriptor": ["sh", "-c", 'readlink "/proc/$$/fd/$EXTRA"'],
    "working directory": ["pwd"],
    "limits": ["cat", "/proc/self/limits"],
    "process group and session": ["sh", "-c", "cut -d' ' -f5,6 /proc/$$/stat"],
    "umask": ["sh", "-c", "umask"],
}


def public(masks):
    """Signal masks without the C library's own signals, 32 and 33, which its posix_spawn leaves ignored."""
    return re.sub(rb"[0-9a-f]{16}", lambda mask: b"%x" % (int(mask[0], 16) & ~(3 << 31)), masks)


@pytest.mark.parametrize("look", LOOKS)
def test_the_server_sees_what_it_would_see_without_wrap(tools, tmp_path, look):
    """In the six variables that clients pass, with a descriptor of the client's own, a direct run says the same."""
    with open(tmp_path / "extra", "w") as extra:
        os.set_inheritable(extra.fileno(), True)
        env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "TERM": "dumb", "EXTRA": str(extra.fileno())}

        def seen(command):
            done = subprocess.run(
                command,
                env=env,
                cwd=tmp_path,
                stdin=subprocess.PIPE,
                capture_output=True,
                close_fds=False,
                check=True,
                preexec_fn=lambda: os.umask(0o027),
            )
            return public(done.stdout) if look == "signals" else done.stdout

        direct = seen(LOOKS[look])
        wrapped = seen([*tools.WRAP, "-w", "capture.jsonl", "--", *LOOKS[look]])
    assert direct
    assert wrapped == direct


def test_a_signal_that_the_client_ignores_stays_ignored(tools, tmp_path):
    """Under nohup the server ignores SIGHUP, with wrap and without."""
    wrapped = [*tools.WRAP, "-w", str(tmp_path / "capture.jsonl"), "--", *SIGNALS]
    direct, beside = (public(subprocess.check_output(["nohup", *command])) for command in (SIGNALS, wrapped))
    assert direct == beside
