"""Attributes that are worked out once."""

from mcpsniff.protocol.lazily import give


class Square:
    """Counts how often its area is worked out."""

    area: int

    def __init__(self, side: int) -> None:
        self.side = side
        self.worked_out = 0


def area(square: Square) -> int:
    square.worked_out += 1
    return square.side**2


give(Square, {"area": area})


def test_worked_out_once_for_each_instance() -> None:
    """The first reading works it out, later ones find it; another instance has its own."""
    small, large = Square(2), Square(3)
    assert (small.area, small.area, large.area) == (4, 4, 9)
    assert (small.worked_out, large.worked_out) == (1, 1)


def test_forgotten_and_set_by_hand() -> None:
    """What is dropped is worked out again, what is set is taken as it is."""
    square = Square(2)
    assert square.area == 4
    del square.area
    square.side = 5
    assert square.area == 25
    square.area = 7
    assert square.area == 7
