"""Back-pressure is the pipes' own: a peer that does not read makes wrap neither grow nor stand still elsewhere."""

import re
import threading
from pathlib import Path

CHAIN = 2 << 20  # bytes: more than the pipes and the pump between server and client can hold
GROWTH = 60 << 10  # KiB: interpreter and recorder's modules, with room; a flood kept in memory would be more


def resident(pid):
    """The resident set of a process at its peak, KiB."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def test_a_client_that_does_not_read_holds_the_server_and_not_memory(wrap, python, tools):
    """A flooding server is stopped after what the pipes hold; everything it could write comes in the end."""
    wrapped = wrap(
        python(
            "os.set_blocking(1, False)\n"
            "sent, last = 0, time.monotonic()\n"
            "while time.monotonic() - last < 1 and sent < 300_000_000:\n"
            "    try: sent += os.write(1, b'x' * 9999 + b'\\n'); last = time.monotonic()\n"
            "    except BlockingIOError: time.sleep(0.01)\n"
            "os.write(2, b'%d\\n' % sent)\n"
        )
    )
    sent = int(wrapped.process.stderr.readline())
    assert sent < CHAIN
    assert resident(wrapped.process.pid) < GROWTH
    assert resident(wrapped.recorder()) < GROWTH
    assert len(wrapped.read(sent)) == sent
    assert wrapped.code() == 0


def test_a_server_that_does_not_read_holds_the_client(wrap, python):
    """What a client can write to a server that does not read is bounded by the pipes."""
    wrapped = wrap(python("os.write(1, b'ready'); time.sleep(60)"))
    wrapped.read(5)
    written = []

    def flood():
        try:
            while True:
                written.append(wrapped.process.stdin.write(b"x" * 9999 + b"\n"))
        except (OSError, ValueError):
            pass

    client = threading.Thread(target=flood)
    client.start()
    client.join(1)
    assert client.is_alive()
    assert sum(written) < CHAIN
    wrapped.process.kill()
    client.join()


def test_stderr_that_nobody_reads_never_blocks_stdout(wrap, python):
    """With a full stderr pipe requests are still answered, and wrap still ends."""
    wrapped = wrap(
        python(
            "import _thread\n"
            "_thread.start_new_thread(os.write, (2, b'e' * 1_000_000))\n"
            "while data := os.read(0, 99): os.write(1, data)\n"
            "os._exit(0)"
        )
    )
    for number in range(200):
        wrapped.send(b"%03d\n" % number)
        assert wrapped.read(4) == b"%03d\n" % number
    wrapped.process.stdin.close()
    assert wrapped.code() == 0
    assert wrapped.records()[-1]["type"] == "end"


def test_a_flood_is_recorded_whole(wrap, tools):
    """Fifty megabytes in lines of all lengths pass and are all in the capture."""
    wrapped = wrap(["sh", "-c", "head -c 50000000 /dev/zero | tr '\\0' x | fold -w 4999"])
    out, _ = wrapped.finish()
    found = wrapped.records()
    assert len(out) == sum(one["size"] for one in found if one.get("from") == "server")
    assert "gap" not in {one["type"] for one in found}
