"""Proxies as processes of their own, and what they say."""

import os
import re
import signal
import subprocess
import threading

from tests.waiting import DEADLINE, until


class Process:
    """A proxy process with what it says; its home is the folder `home`."""

    def __init__(self, argv, cwd, home):
        environment = {**os.environ, "HOME": str(home), "PYTHONUNBUFFERED": "1"}
        self.popen = subprocess.Popen(argv, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.said = ""
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def _listen(self):
        for line in self.popen.stdout:
            self.said += line.decode()
        self.popen.stdout.close()

    def until(self, pattern):
        """The match of what it says, once it does."""
        return until(lambda: re.search(pattern, self.said))

    def whole(self):
        """All that it said, once it has ended."""
        self._listener.join(DEADLINE)
        return self.said

    def port(self):
        """Where our proxy, or our addon, listens for clients."""
        return int(self.until(r"point the client at http://127.0.0.1:(\d+)")[1])

    def end(self, number=signal.SIGINT):
        """Its exit status, after a signal."""
        self.popen.send_signal(number)
        return self.popen.wait(DEADLINE)
