"""Options that stand in a table come to a command as if it spelled them itself."""

import inspect

import pytest
import typer
from typer.testing import CliRunner

from mcpsniff.cli.capturing import proxy, wrap
from mcpsniff.cli.options import KEEPING, taking, wrong_usage
from mcpsniff.relay import Keeping
from mcpsniff.wrap.options import OPTIONS, Option, Settings


def called(*argv):
    """The words that a command with three options of a table was called with."""
    words = {}
    app = typer.Typer()

    @app.command()
    @taking(
        Option(("-s", "--part-size"), "SIZE", "64M", "How large."),
        Option(("--sync",), None, False, "Whether at once."),
        Option(("--redact",), "POINTER", None, "What to hide.", many=True),
    )
    def command(name: str, **given):
        words.update(given, name=name)

    assert CliRunner().invoke(app, argv).exit_code == 0
    return words


def test_values_come_by_the_names_of_the_options():
    """One value is a text, a flag is true, what may stand more than once is a list."""
    assert called("-s", "1k", "x", "--sync", "--redact", "/a", "--redact", "/b") == {
        "name": "x",
        "part_size": "1k",
        "sync": True,
        "redact": ["/a", "/b"],
    }


def test_what_is_not_given_has_the_default_of_the_table():
    """As in the table, so that both parsers of wrap agree."""
    words = called("x")
    assert (words["part_size"], words["sync"]) == ("64M", False)
    assert not words["redact"]


def defaults(made):
    """The default of each parameter that is given by name alone."""
    parameters = inspect.signature(made).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def test_the_table_has_the_names_and_defaults_of_what_is_made_of_it():
    """What wrap and proxy hand on is understood."""
    table = {option.name: option.default for option in OPTIONS}
    own = defaults(Settings) | defaults(Keeping)
    assert defaults(wrap) == table == own
    assert defaults(proxy) == {option.name: option.default for option in KEEPING} == defaults(Keeping)


def test_a_wrong_word_is_wrong_usage():
    """The sentence stays as it is."""
    with pytest.raises(typer.BadParameter, match=r"^no size$"), wrong_usage():
        raise ValueError("no size")
