"""The rules that a command line and a settings file choose."""

import pytest

from mcpsniff.commands.choice import Choice, nearest, patterns, severities
from mcpsniff.errors import McpsniffError


@pytest.fixture(autouse=True)
def _forget():
    """Files change between tests, not within a call of the program."""
    nearest.cache_clear()


@pytest.fixture
def capture(tmp_path):
    """The path of a capture two folders down."""
    folder = tmp_path / "logs" / "today"
    folder.mkdir(parents=True)
    return folder / "c.jsonl"


def chosen(capture, **said):
    """The selection for a capture."""
    return Choice((1, 2), **said).selection(str(capture))


def test_without_a_file_the_command_line_counts(capture):
    """No source is named."""
    selection = chosen(capture, ignore=("framing",))
    assert (selection.ignore, selection.source) == (("framing",), None)


@pytest.mark.parametrize(("name", "table"), [("mcpsniff.toml", ""), ("pyproject.toml", "[tool.mcpsniff]\n")])
def test_a_file_above_the_capture_counts(capture, tmp_path, name, table):
    """Either file, found upward, named as the source."""
    (tmp_path / name).write_text(f'{table}ignore = ["tools"]\nseverity = {{ stdout-noise = "info" }}\n')
    selection = chosen(capture)
    assert (selection.ignore, selection.severity) == (("tools",), (("stdout-noise", "info"),))
    assert selection.source == str(tmp_path / name)


def test_the_nearest_file_counts_alone(capture, tmp_path):
    """A pyproject.toml that does not speak of mcpsniff is passed by; of two files in a folder ours is first."""
    (tmp_path / "mcpsniff.toml").write_text('ignore = ["tools"]\nselect = ["framing"]')
    (tmp_path / "logs" / "pyproject.toml").write_text("[project]\nname = 'x'")
    assert chosen(capture).ignore == ("tools",)
    nearest.cache_clear()
    (tmp_path / "logs" / "pyproject.toml").write_text("[tool.mcpsniff]\nignore = ['http']")
    assert (chosen(capture).ignore, chosen(capture).select) == (("http",), ())
    nearest.cache_clear()
    (tmp_path / "logs" / "mcpsniff.toml").write_text("ignore = ['sse']")
    assert chosen(capture).ignore == ("sse",)


def test_the_command_line_replaces_lists_and_adds_severities(capture, tmp_path):
    """What it does not speak of stays as the file has it."""
    (tmp_path / "mcpsniff.toml").write_text(
        'select = ["framing"]\nignore = ["tools"]\n[severity]\nstdout-noise = "info"\n'
    )
    selection = chosen(capture, ignore=("http",), severity=(("framing", "warning"),))
    assert (selection.select, selection.ignore) == (("framing",), ("http",))
    assert selection.severity == (("stdout-noise", "info"), ("framing", "warning"))


def test_standard_input_lies_in_the_working_folder(tmp_path, monkeypatch):
    """`-` has no folder of its own."""
    (tmp_path / "mcpsniff.toml").write_text('ignore = ["tools"]')
    monkeypatch.chdir(tmp_path)
    assert chosen("-").ignore == ("tools",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ignore = [", "is not TOML"),
        ("ignroe = []", "there is no setting ignroe: did you mean ignore?"),
        ("ignore = 'tools'", "ignore is a list"),
        ("select = [1]", "select is a list"),
        ("severity = ['x']", "severity is a table"),
        ("ignore = ['tols']", r"mcpsniff\.toml: tols names no rule, .* did you mean tools?"),
        ("severity = { stdout-noise = 'bad' }", r"mcpsniff\.toml: bad is no severity"),
    ],
)
def test_a_file_that_is_wrong_is_told_by_name(capture, tmp_path, text, says):
    """One sentence: which file, what in it."""
    (tmp_path / "mcpsniff.toml").write_text(text)
    with pytest.raises(McpsniffError, match=says) as told:
        chosen(capture)
    assert str(told.value).startswith(str(tmp_path / "mcpsniff.toml"))


def test_no_rules_need_no_file(capture, tmp_path):
    """Who judges nothing need not mend the settings first."""
    (tmp_path / "mcpsniff.toml").write_text("ignore = [")
    assert Choice(()).selection(str(capture)).bound == frozenset()


def test_options_take_several_between_commas():
    """Repeated or in one word, blanks do not matter."""
    assert patterns(["a, b", "c", ""]) == ("a", "b", "c")
    assert severities(["a=info,b=error"]) == (("a", "info"), ("b", "error"))
    with pytest.raises(McpsniffError, match="--severity a names no level"):
        severities(["a"])
