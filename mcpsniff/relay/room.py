"""Where payloads go in the memory that sender and recorder share; they lie in one piece each, and are taken in order.

Ordinarily they go round in a small ring at the front, so that traffic touches few pages. Beyond it lies the large rest,
for the time when the recorder stands still: it fills once, and its pages go back to the system when all is taken.
"""

TYPE_CHECKING = False  # typing itself would have to be imported
if TYPE_CHECKING:
    from mmap import mmap

TAKEN = 8  # bytes at the start of the memory: how many bytes of payload the recorder has taken so far
RING = 4 << 20  # bytes
_PART = 16  # of the ring, after which we look whether the recorder keeps up


class Room:
    """The sender's view of the memory."""

    def __init__(self, memory: "mmap"):
        self.placed = 0  # bytes of payload so far
        self.spilled = False  # what comes goes to the large rest
        self.size = len(memory) - TAKEN  # bytes, all in all
        self._memory = memory
        self._taken = memoryview(memory)[:TAKEN].cast("Q")
        self._border = TAKEN + min(RING, self.size // 4)
        self._rest = self._border  # up to here the large rest has been filled
        self._rest_used = False
        self._mark = 0  # `placed` when that, or the ring before it, was left
        self._next = self._free = TAKEN  # what lies between the two is free
        self._lap = 0  # payload bytes before those of this lap around the ring
        self._older: int | None = None  # the same of the lap before, where some of that may wait
        self._begin()

    def taken(self) -> int:
        """The bytes that the recorder has taken so far."""
        return self._taken[0]

    def place(self, size: int, spare: int) -> int | None:
        """Where a payload may be put, with `spare` bytes left behind it; None where there is no room now."""
        need = size + spare
        if self._next + need > self._free or self.spilled:
            self._look(need)
            if self._next + need > self._free:
                return None
        at = self._next
        self._next = at + size
        self.placed += size
        return at

    def take_back(self, size: int) -> None:
        """Takes the last payload back: the recorder will not hear of it."""
        self._next -= size
        self.placed -= size

    def spill(self) -> None:
        """Goes on in the large rest, until the recorder has taken what lies in the ring."""
        if not self.spilled:
            self.spilled = self._rest_used = True
            self._mark = self.placed
            self._next, self._free = self._rest, len(self._memory)

    def _begin(self, need: int = 0) -> None:
        """Goes on in the ring, in which nothing waits to be taken."""
        self._next = TAKEN
        part = max((self._border - TAKEN) // _PART, need)
        self._free = min(TAKEN + part, self._border)
        self._lap, self._older = self.placed, None

    def _look(self, need: int) -> None:
        """Looks what the recorder has taken meanwhile, and makes room of it."""
        taken = self._taken[0]
        if self.spilled:
            self._stay(taken, need)
            return
        if self._rest_used and taken >= self._mark:
            self._give_back()
        if taken == self.placed:
            self._begin(need)
        else:
            self._turn(taken, need)

    def _stay(self, taken: int, need: int) -> None:
        """Stays in the large rest while something waits in the ring, or what comes is too long for it."""
        if taken == self.placed:
            self._next = self._border
        if taken >= self._mark and need <= self._border - TAKEN:
            self.spilled = False
            self._rest, self._mark = self._next, self.placed
            self._begin(need)

    def _give_back(self) -> None:
        """Lets the system have the pages of the large rest again."""
        import mmap

        self._rest_used = False
        self._rest = self._border
        start = -(-self._border // mmap.PAGESIZE) * mmap.PAGESIZE
        try:  # noqa: SIM105  contextlib would have to be imported
            self._memory.madvise(mmap.MADV_REMOVE, start, len(self._memory) - start)
        except (AttributeError, ValueError, OSError):
            pass  # the system knows no such thing, or the rest is smaller than a page

    def _turn(self, taken: int, need: int) -> None:
        done = taken - self._lap  # bytes of this lap that have been taken
        if done < 0 and self._older is not None:
            self._free = TAKEN + taken - self._older
            return
        self._free = self._border
        if self._next + need > self._free and done >= need:  # to the start of the ring
            self._older, self._lap = self._lap, self.placed
            self._next, self._free = TAKEN, TAKEN + done
