"""Where records stand in their file."""

from mcpsniff.analysis.lines import RUNS, Lines


def lines_of(*records: tuple[int, int]) -> Lines:
    """Gives the lines of records (seq, line) that come in this order."""
    lines, following = Lines(), (0, 0)
    for seq, line in records:
        if (seq, line) != following:
            lines.begin(seq, line, following[0])
        following = (seq + 1, line + 1)
    return lines


def test_an_undamaged_capture_is_one_run() -> None:
    """The header is line 1, so that record 7 stands on line 8; what came before the first stands nowhere."""
    lines = lines_of(*((seq, seq + 1) for seq in range(1, 101)))
    assert [lines.of(seq) for seq in (1, 7, 100)] == [2, 8, 101]
    assert lines.of(0) is None


def test_damage_and_loss_move_the_lines() -> None:
    """A damaged line takes a number of its own, a lost record does not."""
    lines = lines_of((1, 2), (2, 3), (4, 4), (5, 6))
    assert [lines.of(seq) for seq in range(1, 6)] == [2, 3, None, 4, 6]


def test_swapped_and_doubled_records_keep_their_lines() -> None:
    """Of a record that comes twice the later line counts."""
    lines = lines_of(*((seq, line) for line, seq in enumerate((2, 1, 3, 3), 2)))
    assert [lines.of(seq) for seq in (1, 2, 3)] == [3, 2, 5]


def test_records_of_no_file_have_no_line() -> None:
    """Records that were never read from a file have line 0."""
    assert lines_of((1, 0)).of(1) is None


def test_memory_is_bounded() -> None:
    """Of more runs than are kept the oldest are forgotten."""
    lines = lines_of(*((number * 2, number + 2) for number in range(RUNS + 2)))
    assert (lines.of(0), lines.of(4)) == (None, 4)
