"""Where records stand in their file."""

from mcpsniff.analysis.lines import RUNS, Lines


def test_an_undamaged_capture_is_one_run():
    """The header is line 1, so that record 7 stands on line 8; what was not read yet stands nowhere."""
    lines = Lines()
    for seq in range(1, 101):
        lines.note(seq, seq + 1)
    assert [lines.of(seq) for seq in (1, 7, 100)] == [2, 8, 101]
    assert (lines.of(0), lines.of(101)) == (None, None)


def test_damage_and_loss_move_the_lines():
    """A damaged line takes a number of its own, a lost record does not."""
    lines = Lines()
    for seq, line in ((1, 2), (2, 3), (4, 4), (5, 6)):
        lines.note(seq, line)
    assert [lines.of(seq) for seq in range(1, 6)] == [2, 3, None, 4, 6]


def test_swapped_and_doubled_records_keep_their_lines():
    """Of a record that comes twice the later line counts."""
    lines = Lines()
    for line, seq in enumerate((2, 1, 3, 3), 2):
        lines.note(seq, line)
    assert [lines.of(seq) for seq in (1, 2, 3)] == [3, 2, 5]


def test_records_of_no_file_have_no_line():
    """Records that were never read from a file have line 0."""
    lines = Lines()
    lines.note(1, 0)
    assert lines.of(1) is None


def test_memory_is_bounded():
    """Of more runs than are kept the oldest are forgotten."""
    lines = Lines()
    for number in range(RUNS + 2):
        lines.note(number * 2, number + 2)
    assert (lines.of(0), lines.of(2)) == (None, 3)
