"""A tee of its own between a client and a server over stdio: `support_tee.py LOG COMMAND…`.

Writes each line that passes to LOG as `client` or `server`, a tab, and the line; no code of mcpsniff in it.
"""

import subprocess
import sys
import threading
from typing import BinaryIO


def copy(name: str, source: BinaryIO, sink: BinaryIO, log: BinaryIO) -> None:
    """Passes lines on, having noted them; closes the sink at the end."""
    for line in source:
        log.write(name.encode() + b"\t" + line)
        sink.write(line)
        sink.flush()
    sink.close()


def main(log_path: str, command: list[str]) -> int:
    """Runs the command between this process's own stdin and stdout."""
    with open(log_path, "ab", buffering=0) as log:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert server.stdin is not None
        assert server.stdout is not None
        up = threading.Thread(target=copy, args=("client", sys.stdin.buffer, server.stdin, log))
        up.start()
        copy("server", server.stdout, sys.stdout.buffer, log)
        up.join()
        return server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
