"""What Python can do without looking at the bytes: two pump threads, and a raw log of what passes.

usage: shim_threads.py LOGFILE -- SERVER...
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable


def pump(source: int, target: int, mark: str, log: int, end: Callable[[], object]) -> None:
    while data := os.read(source, 65536):
        view = memoryview(data)
        while view:
            view = view[os.write(target, view) :]
        os.writev(log, (f"{time.time_ns()} {mark} {len(data)}\n".encode(), data))
    end()


def main() -> None:
    path, command = sys.argv[1], sys.argv[3:]
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert server.stdin is not None
    assert server.stdout is not None
    up = (0, server.stdin.fileno(), ">", log, server.stdin.close)
    threading.Thread(target=pump, args=up, daemon=True).start()
    pump(server.stdout.fileno(), 1, "<", log, lambda: None)
    code = server.wait()
    os._exit(code if code >= 0 else 128 - code)


main()
