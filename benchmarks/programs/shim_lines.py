"""What Python can do in one process: two pump threads cut lines, a third writes one checked JSON record for each.

usage: shim_lines.py LOGFILE -- SERVER...
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue

import orjson

Said = tuple[int, bytes, bytes]  # wall clock in ns, direction, line


def records(lines: list[Said]) -> Iterator[bytes]:
    for now, mark, line in lines:
        try:
            orjson.loads(line)
            yield b'{"ts":%d,"dir":"%s","msg":%s}\n' % (now, mark, line)
        except ValueError:
            yield orjson.dumps({"ts": now, "dir": mark.decode(), "raw": line.decode("latin-1")}) + b"\n"


def write(path: str, queue: "SimpleQueue[Said | None]") -> None:
    with open(path, "ab", buffering=1 << 16) as log:
        while (first := queue.get()) is not None:
            batch = [first]
            while not queue.empty():
                more = queue.get()
                if more is None:
                    queue.put(None)
                    break
                batch.append(more)
            log.write(b"".join(records(batch)))
            log.flush()


def pump(source: int, target: int, mark: bytes, queue: "SimpleQueue[Said | None]", end: Callable[[], object]) -> None:
    tail: list[bytes] = []
    while data := os.read(source, 65536):
        view = memoryview(data)
        while view:
            view = view[os.write(target, view) :]
        now = time.time_ns()
        head, *rest = data.split(b"\n")
        tail.append(head)
        if rest:
            queue.put((now, mark, b"".join(tail)))
            for line in rest[:-1]:
                queue.put((now, mark, line))
            tail = [rest[-1]]
    end()


def main() -> None:
    path, command = sys.argv[1], sys.argv[3:]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert server.stdin is not None
    assert server.stdout is not None
    queue: SimpleQueue[Said | None] = SimpleQueue()
    writer = threading.Thread(target=write, args=(path, queue))
    writer.start()
    up = (0, server.stdin.fileno(), b">", queue, server.stdin.close)
    threading.Thread(target=pump, args=up, daemon=True).start()
    pump(server.stdout.fileno(), 1, b"<", queue, lambda: None)
    code = server.wait()
    queue.put(None)
    writer.join()
    os._exit(code if code >= 0 else 128 - code)


main()
